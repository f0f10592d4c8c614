//! Share dialog: links to a match and to a moment, the code of a frame for another page, the picture on the clipboard.

use eframe::egui::{
    Align, Button, Checkbox, ColorImage, Context, Frame, Id, Layout, Margin, Modal, RichText, ScrollArea,
    TextEdit, Ui, Vec2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_export::{Look, Moment, Size, still};

use super::export_preview::ExportPreview;
use crate::actions::Action;
use crate::address::links;
use crate::layout::ScreenLayout;
use crate::panels::compare::Compare;
use crate::session::Session;
use crate::widgets::{add_enabled, line_edit};

/// Size of a copied picture, in pixels.
const PICTURE: Size = Size { width: 1280, height: 720 };
/// Largest preview of it, in points.
const PREVIEW: Vec2 = vec2(320.0, 180.0);
/// Height of a window in which there is room for the preview, and in which there is none, in points.
const ROOMY: f32 = 640.0;
const LOW: f32 = 520.0;

/// The dialog.
#[derive(Debug)]
pub(crate) struct ShareDialog {
    look: Look,
    preview: ExportPreview,
    /// The moment that was shown when the dialog was opened: the match may go on behind it.
    seq: u64,
    /// Whether the link leads to the shown moment.
    at_moment: bool,
    /// Whether an embedded match starts at the shown moment, and whether it shows that before.
    starts: bool,
    poster: bool,
    /// Of a comparison what both are called, and the link to them.
    both: Option<(String, Result<String, &'static str>)>,
    /// What was copied, or why it was not.
    told: Option<String>,
}

/// Request of the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShareRequest {
    Close,
    Action(Action),
}

impl ShareDialog {
    /// The dialog for a match, or for the two of a comparison; `look` is that of the window.
    pub(crate) fn new(session: &Session, compare: Option<&Compare>, look: Look) -> ShareDialog {
        // Who follows a live match wants to share the match, and who stands somewhere the moment.
        let at_moment = !session.is_following() && session.seq() > 0;
        let (preview, seq) = (ExportPreview::default(), session.seq());
        let both = compare.map(|compare| {
            let link = compare.link(session).map(|link| link.text);
            (compare.names(session).join(" | "), link)
        });
        ShareDialog { look, preview, seq, at_moment, starts: false, poster: true, both, told: None }
    }

    /// Shows the dialog over everything else.
    pub(crate) fn show(&mut self, ctx: &Context, session: &Session) -> Option<ShareRequest> {
        let palette = Palette::of(ctx);
        let height = ScreenLayout::of(ctx).control(28.0);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
        let modal = Modal::new(Id::unique("share")).frame(frame).show(ctx, |ui| {
            ui.set_width((ctx.content_rect().width() - 60.0).min(480.0));
            ui.horizontal(|ui| {
                ui.heading("Share");
                // What was copied is told where nothing moves by it.
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.label(RichText::new(self.told.as_deref().unwrap_or(" ")).color(palette.good));
                });
            });
            let names = self.both.as_ref().map(|(names, _)| names.as_str());
            let title = session.title();
            let title = names.unwrap_or(&title);
            if !title.is_empty() {
                ui.label(RichText::new(title).family(semibold()));
            }
            ui.weak(format!("{} · {}", session.identity(), session.moment_words(self.seq)));
            ui.add_space(8.0);
            let window = ctx.content_rect().height();
            let most = window - 220.0;
            ScrollArea::vertical().max_height(most).min_scrolled_height(most).show(ui, |ui| {
                // Of a comparison the link is what is shared: the picture and the frame are of one match.
                if self.both.is_some() {
                    return self.show_link(ui, session, height);
                }
                if window >= LOW {
                    let part = if window >= ROOMY { 1.0 } else { 0.6 };
                    let what = (Moment::Seq(self.seq), PICTURE, self.look.clone());
                    self.preview.show(ui, session, what, PREVIEW * part);
                }
                self.show_link(ui, session, height);
                self.show_embed(ui, session, height);
            });
            let mut request = None;
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
                if self.both.is_none() {
                    let copy = Button::new("Copy picture").min_size(vec2(0.0, height));
                    let copy = add_enabled(ui, links::can_copy(), copy);
                    if copy.on_hover_text("Copies the picture above, with 1280 × 720 pixels").clicked() {
                        self.copy_picture(ui, session);
                    }
                    let export = ui.add(Button::new("Export…").min_size(vec2(0.0, height)));
                    if export.on_hover_text(Action::Export.tooltip()).clicked() {
                        request = Some(ShareRequest::Action(Action::Export));
                    }
                }
                if ui.add(Button::new("Close").min_size(vec2(0.0, height))).clicked() {
                    request = Some(ShareRequest::Close);
                }
            });
            request
        });
        modal.inner.or(modal.should_close().then_some(ShareRequest::Close))
    }

    /// The link to the match or the moment; of a local file, the command that opens it.
    fn show_link(&mut self, ui: &mut Ui, session: &Session, height: f32) {
        if let Some((_, link)) = self.both.clone() {
            match link {
                Ok(text) => {
                    let is_link = text.contains("://");
                    let name = if is_link { "Link to both" } else { "Command that opens both" };
                    self.copy_row(ui, name, text, true, height);
                }
                Err(why) => drop(ui.weak(why)),
            }
            return ui.add_space(10.0);
        }
        let whole = links::whole(&session.target);
        let moment = links::link(&session.target, self.seq, &session.bookmarks().member());
        if whole.is_some() {
            ui.add(Checkbox::new(&mut self.at_moment, "At this moment"));
        }
        let name = if whole.is_some() { "Link" } else { "Command that opens it" };
        let link = match whole.filter(|_| !self.at_moment) {
            Some(whole) => Ok(whole),
            None => moment.map(|link| link.text),
        };
        match link {
            Ok(text) => self.copy_row(ui, name, text, true, height),
            Err(why) => drop(ui.weak(why)),
        }
        ui.add_space(10.0);
    }

    /// The code of a frame for another page.
    fn show_embed(&mut self, ui: &mut Ui, session: &Session, height: f32) {
        let seq = |wanted: bool| Some(self.seq).filter(|_| wanted);
        let title = match &*session.title() {
            "" => session.identity(),
            title => format!("{title} · {}", session.identity()),
        };
        let moments = [seq(self.starts), seq(self.poster)];
        let Some(code) = links::embed(&session.target, moments, &title) else { return };
        ui.horizontal_wrapped(|ui| {
            let tip = "The picture before playback starts";
            ui.add(Checkbox::new(&mut self.poster, "This moment as the poster frame")).on_hover_text(tip);
            ui.add(Checkbox::new(&mut self.starts, "Start at this moment"));
        });
        self.copy_row(ui, "Embed code", code, false, height);
        ui.add_space(10.0);
    }

    /// A text with a button that copies it. `whole`: in as many rows as it needs.
    fn copy_row(&mut self, ui: &mut Ui, name: &str, text: String, whole: bool, height: f32) {
        let label = ui.label(RichText::new(name).size(SMALL + 1.0).color(Palette::of(ui.ctx()).weak));
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = Button::new("Copy").min_size(vec2(0.0, height));
                let button = add_enabled(ui, links::can_copy(), button);
                let why = "The browser allows no copying here: select the text instead";
                if button.on_disabled_hover_text(why).clicked() {
                    ui.ctx().copy_text(text.clone());
                    self.told = Some(format!("{name} copied"));
                }
                let mut shown = text.as_str();
                let field = match whole {
                    true => TextEdit::multiline(&mut shown).desired_rows(1),
                    false => line_edit(&mut shown),
                };
                // What can't be changed has no ground of its own.
                let ground = Frame::new().fill(Palette::of(ui.ctx()).raised).corner_radius(6);
                ground.show(ui, |ui| ui.add(field.desired_width(f32::INFINITY)).labelled_by(label.id));
            });
        });
    }

    fn copy_picture(&mut self, ui: &Ui, session: &Session) {
        let drawn = still(session.material(), Moment::Seq(self.seq), PICTURE, self.look.clone());
        self.told = Some(match drawn {
            Ok(rgb) => {
                let size = [PICTURE.width as usize, PICTURE.height as usize];
                ui.ctx().copy_image(ColorImage::from_rgb(size, &rgb));
                "Picture copied".to_owned()
            }
            Err(error) => grandstand_story::format::capitalised(&error.to_string()),
        });
    }
}

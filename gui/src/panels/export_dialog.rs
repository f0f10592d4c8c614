//! Export dialog: choice of a picture or animation, and its progress.

use std::io::Cursor;
use std::time::Duration;

use crate::actions::Action;
use crate::budget::Budget;
use eframe::egui::{
    Align, ComboBox, Context, Frame, Id, Key, Layout, Margin, Modal, Popup, ProgressBar, RichText,
    ScrollArea, Ui, Vec2, vec2,
};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_export::{Format, Job, Look, Moment, Plan, Range, Size, What};
use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_story::format::uncapitalised;
use grandstand_story::story;

use super::animation_preview::{AnimationPreview, Key as AnimationKey, size_words};
use super::export_preview::ExportPreview;
use crate::session::{Session, TimeRange};
use crate::source::save;
use crate::widgets::{line_edit, main_button};

/// Time for drawing in one frame of the interface.
const BUDGET: Duration = Duration::from_millis(14);
/// Default length of an animation before the shown moment, in microseconds.
const BEFORE: Micros = Micros(10_000_000);
/// Length of a range whose ends are told in tenths of a second, at least, in seconds.
const SHORT: f64 = 0.2;
/// Sizes to choose from.
const SIZES: [&str; 6] = ["320×240", "640×480", "800×600", "1280×720", "1920×1080", "3840×2160"];
/// Height of a window in which there is room for a preview above the fields, in points.
const ROOM_ABOVE: f32 = 680.0;
/// Width of a window in which there is room for it beside the fields.
const ROOM_BESIDE: f32 = 640.0;
/// Width of the fields.
const FIELDS: f32 = 380.0;
/// Largest preview above and beside the fields.
const ABOVE: Vec2 = vec2(320.0, 180.0);
const BESIDE: Vec2 = vec2(300.0, 300.0);
/// Gap between the fields and a preview beside them.
const GAP: f32 = 16.0;
const FORMATS: [(Format, &str); 4] =
    [(Format::Png, "PNG"), (Format::Svg, "SVG"), (Format::Gif, "GIF"), (Format::Apng, "APNG")];

/// The dialog.
#[derive(Debug)]
pub(crate) struct ExportDialog {
    format: Format,
    at: String,
    from: String,
    to: String,
    size: String,
    speed: Speed,
    /// Look of the window; the viewer may choose other colours.
    look: Look,
    /// Whether to export only the part of the board that the window shows.
    is_part: bool,
    skip_idle: bool,
    name: String,
    /// Folder of the file; a browser chooses it itself.
    folder: String,
    state: State,
    preview: ExportPreview,
    animation: AnimationPreview,
    /// Whether it was shown in an earlier frame: the key that opened it does not export.
    shown_before: bool,
}

#[derive(Debug)]
enum State {
    /// The form, with the error of the last attempt.
    Asking(Option<String>),
    Working(Box<Job<Cursor<Vec<u8>>>>),
    /// Done; the text names the file's place.
    Done(String),
}

impl ExportDialog {
    /// About the moment that is shown, as it is shown, or about the range that was chosen. `folder` is the one that the viewer has chosen before, if any.
    pub(crate) fn new(session: &Session, look: Look, folder: &str) -> ExportDialog {
        let seq = Moment::Seq(session.seq());
        let time = session.log().time_of(session.seq());
        let from = Micros(time.0.saturating_sub(BEFORE.0) / 100_000 * 100_000);
        let (title, game) = (session.title(), session.scene().game().title());
        let name = if title.is_empty() { game } else { &title };
        // A range that was chosen on the timeline is what is to move.
        let range = session.range();
        let format = if range.is_some() { Format::Gif } else { Format::Png };
        // As the timeline tells them, unless the range is shorter than that.
        let moment = |range: TimeRange, secs: f64| match range.to - range.from < SHORT || secs >= 3600.0 {
            true => Moment::Time(Micros((secs * 1000.0).floor() as u64 * 1000)).to_string(),
            false => grandstand_story::format::clock(secs),
        };
        let (from, to) = match range {
            Some(range) => (moment(range, range.from), moment(range, range.to)),
            // The other end has the same unit: a time, unless several commands share it and the picture is not after the last.
            None if Moment::Time(time).seq(session.log()) == session.seq() => {
                (Moment::Time(from).to_string(), Moment::Time(time).to_string())
            }
            None => (session.log().seq_at(from).to_string(), seq.to_string()),
        };
        // By its turn a picture is found again; without turns by its line.
        let turn = session.turn_words_at(session.seq()).filter(|_| story(session.scene()).has_turns());
        let moment_name = turn.map_or_else(|| session.seq().to_string(), |turn| uncapitalised(&turn));
        ExportDialog {
            format,
            at: seq.to_string(),
            from,
            to,
            size: usual_size(format).to_owned(),
            speed: Speed::X1,
            is_part: look.part.is_some(),
            look,
            skip_idle: true,
            // As the file will be called, so that nothing else is saved than what stands here.
            name: save::file_name(&format!("{name} {moment_name}")),
            folder: if folder.is_empty() { usual_folder(session) } else { folder.to_owned() },
            state: State::Asking(None),
            preview: ExportPreview::default(),
            animation: AnimationPreview::default(),
            shown_before: false,
        }
    }

    /// Shows the dialog over everything else, and draws for a while. Returns `true` when it should close. A folder
    /// other than the default one becomes `chosen` once a file was put into it.
    pub(crate) fn show(&mut self, ctx: &Context, session: &Session, chosen: &mut String) -> bool {
        if self.work(ctx, session) && self.folder != usual_folder(session) {
            chosen.clone_from(&self.folder);
        }
        let palette = Palette::of(ctx);
        let frame = Frame::popup(&ctx.global_style()).inner_margin(Margin::same(20)).fill(palette.panel);
        let modal = Modal::new(Id::unique("export")).frame(frame).show(ctx, |ui| {
            let window = ctx.content_rect().size();
            let room = window.x - 60.0;
            let is_asking = matches!(self.state, State::Asking(_));
            let beside = is_asking && window.y < ROOM_ABOVE && window.x >= ROOM_BESIDE;
            ui.set_width(room.min(if beside { FIELDS + GAP + BESIDE.x } else { FIELDS }));
            ui.heading(Action::Export.name());
            let title = session.title();
            if !title.is_empty() {
                ui.label(RichText::new(&*title).family(semibold()));
            }
            ui.add_space(6.0);
            match &self.state {
                State::Asking(_) => {
                    let most = window.y - 214.0;
                    let fields = ScrollArea::vertical().max_height(most).min_scrolled_height(most);
                    let entered = if beside {
                        let shown = ui.horizontal_top(|ui| {
                            let usual = ui.spacing().item_spacing.x;
                            ui.spacing_mut().item_spacing.x = GAP;
                            let left = (ui.available_width() - FIELDS - GAP).max(0.0);
                            let largest = BESIDE.min(vec2(left, most));
                            ui.vertical(|ui| {
                                ui.set_width(left);
                                self.show_preview(ui, session, Some(largest));
                            });
                            // What scrolls takes the direction of what it stands in.
                            let entered = ui.vertical(|ui| {
                                ui.set_width(FIELDS);
                                ui.spacing_mut().item_spacing.x = usual;
                                fields.show(ui, |ui| self.ask(ui)).inner
                            });
                            entered.inner
                        });
                        shown.inner
                    } else {
                        let shown = fields.show(ui, |ui| {
                            // In a low and narrow window the fields have all the room.
                            let largest = (window.y >= ROOM_ABOVE).then_some(ABOVE);
                            self.show_preview(ui, session, largest);
                            self.ask(ui)
                        });
                        shown.inner
                    };
                    self.answer(ui, session, entered)
                }
                State::Working(job) => {
                    let part = job.progress().part();
                    ui.label(format!("Drawing {} …", self.name_of_file()));
                    // What it will be, as it was told before.
                    let words = self.animation.words().filter(|_| self.format.moves());
                    let words = words.map_or_else(|| self.size.clone(), |(words, _)| words);
                    ui.label(RichText::new(words).size(SMALL).color(palette.weak));
                    ui.add(ProgressBar::new(part).show_percentage());
                    ui.add_space(8.0);
                    if ui.button("Cancel").clicked() {
                        self.state = State::Asking(None);
                    }
                    false
                }
                State::Done(words) => {
                    ui.label(words);
                    ui.add_space(8.0);
                    let mut close = false;
                    #[cfg_attr(target_arch = "wasm32", allow(unused_mut, reason = "a page opens no folders"))]
                    let mut refused: Option<String> = None;
                    let mut more = false;
                    #[cfg(not(target_arch = "wasm32"))]
                    let folder = self.folder.clone();
                    ui.horizontal(|ui| {
                        close = ui.button("Close").clicked();
                        more = ui.button("Export another").clicked();
                        #[cfg(not(target_arch = "wasm32"))]
                        if ui.button("Open folder").clicked() {
                            refused =
                                save::folder(&folder).and_then(|folder| save::open_folder(&folder)).err();
                        }
                    });
                    if more {
                        self.state = State::Asking(None);
                    }
                    if let Some(refused) = refused {
                        self.state = State::Done(sentence(&refused));
                    }
                    close
                }
            }
        });
        // A job under way is cancelled by its button only, not by a click beside the dialog.
        let is_working = matches!(self.state, State::Working(_));
        modal.should_close() && !is_working || modal.inner
    }

    /// The picture as it will be, if there is room for it, and which moment it is; of an animation what it will be.
    fn show_preview(&mut self, ui: &mut Ui, session: &Session, largest: Option<Vec2>) {
        let palette = Palette::of(ui.ctx());
        let words = |at: Moment| match at {
            Moment::Time(time) => session.time_words(time),
            at => session.moment_words(at.seq(session.log())),
        };
        let mut lines = Vec::new();
        match self.plan() {
            Ok(plan @ Plan { what: What::Gif(range) | What::Apng(range), size, .. }) => {
                let key = AnimationKey {
                    format: self.format,
                    range: [self.from.clone(), self.to.clone()],
                    size,
                    speed: self.speed,
                    skips_idle: self.skip_idle,
                    light: self.look.light,
                    is_part: self.is_part,
                };
                self.animation.work(ui, session, key, plan, largest.unwrap_or(ABOVE));
                if let Some(largest) = largest {
                    self.animation.show(ui, size, largest);
                    lines.push((format!("{} to {}", words(range.from), words(range.to)), palette.weak));
                }
                lines.extend(
                    self.animation.words().map(|(words, is_wrong)| {
                        (words, if is_wrong { palette.error } else { palette.text })
                    }),
                );
            }
            Ok(Plan { what: What::Png(at) | What::Svg(at), size, look }) => {
                if let Some(largest) = largest {
                    self.preview.show(ui, session, (at, size, look), largest);
                    lines.push((words(at), palette.weak));
                }
            }
            // What is being typed.
            Err(_) => {}
        }
        ui.vertical_centered(|ui| {
            for (words, ink) in lines {
                ui.label(RichText::new(words).size(SMALL).color(ink));
            }
        });
        ui.add_space(6.0);
    }

    /// The form; returns `true` when it was submitted by Enter.
    fn ask(&mut self, ui: &mut Ui) -> bool {
        // Outside of the fields too, where no other part of the dialog has the focus and takes the key.
        let is_free = ui.memory(|memory| memory.focused().is_none()) && !Popup::is_any_open(ui.ctx());
        let presses = |ui: &Ui| ui.input(|input| input.key_pressed(Key::Enter));
        let is_new = !std::mem::replace(&mut self.shown_before, true);
        let by_key = is_free && !is_new && presses(ui);
        let before = usual_size(self.format);
        ui.horizontal(|ui| {
            for (format, name) in FORMATS {
                ui.radio_value(&mut self.format, format, name);
            }
        });
        if self.size == before {
            usual_size(self.format).clone_into(&mut self.size);
        }
        ui.weak(match self.format {
            Format::Png => "A still picture.",
            Format::Svg => "A still picture that stays sharp at any size.",
            Format::Gif => "An animation of a range, which plays everywhere.",
            Format::Apng => "An animation of a range in full colour.",
        });
        ui.add_space(6.0);
        let mut entered = by_key;
        let mut field = |ui: &mut Ui, name: &str, text: &mut String| {
            ui.horizontal(|ui| {
                let label = ui.label(name);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let width = ui.available_width().min(260.0);
                    let response = ui.add(line_edit(text).desired_width(width));
                    let response = response.labelled_by(label.id);
                    entered |= response.lost_focus() && presses(ui);
                });
            });
        };
        if self.format.moves() {
            field(ui, "From", &mut self.from);
            field(ui, "To", &mut self.to);
        } else {
            field(ui, "Moment", &mut self.at);
        }
        ui.weak("A line of the protocol (120), a time (1:05.5), start or end.");
        field(ui, "Size", &mut self.size);
        ui.horizontal_wrapped(|ui| {
            for size in SIZES {
                if ui.selectable_label(self.size == size, RichText::new(size).small()).clicked() {
                    size.clone_into(&mut self.size);
                }
            }
        });
        if self.format.moves() {
            ui.horizontal(|ui| {
                let label = ui.label("Speed");
                let speeds =
                    ComboBox::from_id_salt("speed").selected_text(self.speed.to_string()).width(80.0);
                let speeds = speeds.show_ui(ui, |ui| {
                    for speed in Speed::ALL {
                        ui.selectable_value(&mut self.speed, speed, speed.to_string());
                    }
                });
                speeds.response.labelled_by(label.id);
                ui.checkbox(&mut self.skip_idle, "Skip idle time");
            });
        }
        if self.look.part.is_some() {
            ui.horizontal_wrapped(|ui| {
                ui.radio_value(&mut self.is_part, true, "What the window shows");
                ui.radio_value(&mut self.is_part, false, "The whole board");
            });
        }
        ui.checkbox(&mut self.look.light, "Light colours");
        field(ui, "Name", &mut self.name);
        let file = self.name_of_file();
        if file != self.plain_name() {
            ui.weak(format!("Saved as {file}"));
        }
        if cfg!(not(target_arch = "wasm32")) {
            field(ui, "Folder", &mut self.folder);
        }
        entered
    }

    /// The error, and the buttons; returns `true` when the dialog should close.
    fn answer(&mut self, ui: &mut Ui, session: &Session, entered: bool) -> bool {
        if let State::Asking(Some(mistake)) = &self.state {
            ui.colored_label(Palette::of(ui.ctx()).error, mistake);
        }
        ui.add_space(8.0);
        let (mut begin, mut close) = (false, false);
        ui.horizontal(|ui| {
            begin = ui.add(main_button("Export", Palette::of(ui.ctx()))).clicked();
            close = ui.button("Close").clicked();
        });
        if begin || entered {
            self.begin(session);
        }
        close
    }

    fn begin(&mut self, session: &Session) {
        let job = self.plan().and_then(|plan| Job::new(session.material(), plan, Cursor::new(Vec::new())));
        let job = job.map_err(|error| error.to_string());
        // A missing folder is reported before anything is drawn.
        #[cfg(not(target_arch = "wasm32"))]
        let job = job.and_then(|job| save::folder(&self.folder).map(|_| job));
        self.state = match job {
            Ok(job) => State::Working(Box::new(job)),
            Err(error) => State::Asking(Some(sentence(&error))),
        };
    }

    fn plan(&self) -> Result<Plan, grandstand_export::ExportError> {
        let range = || -> Result<Range, grandstand_export::ExportError> {
            let usual = Range::default();
            Ok(Range {
                from: self.from.parse()?,
                to: self.to.parse()?,
                speed: self.speed,
                idle: usual.idle.filter(|_| self.skip_idle),
                ..usual
            })
        };
        let what = match self.format {
            Format::Png => What::Png(self.at.parse()?),
            Format::Svg => What::Svg(self.at.parse()?),
            Format::Gif => What::Gif(range()?),
            Format::Apng => What::Apng(range()?),
        };
        let size: Size = self.size.parse()?;
        let part = self.look.part.filter(|_| self.is_part);
        Ok(Plan { what, size, look: Look { part, ..self.look.clone() } })
    }

    /// Draws within a frame's budget; returns `true` when a file was saved.
    fn work(&mut self, ctx: &Context, session: &Session) -> bool {
        let State::Working(job) = &mut self.state else { return false };
        let time = Budget::new(BUDGET);
        while !job.is_done() && time.is_left() {
            if let Err(error) = job.step(session.material()) {
                self.state = State::Asking(Some(sentence(&error.to_string())));
                return false;
            }
        }
        ctx.request_repaint();
        if !job.is_done() {
            return false;
        }
        let State::Working(job) = std::mem::replace(&mut self.state, State::Asking(None)) else {
            return false;
        };
        let saved = job.finish().map_err(|error| error.to_string());
        let saved = saved.and_then(|file| self.put(&file.into_inner()));
        let is_saved = saved.is_ok();
        self.state = match saved {
            Ok(words) => State::Done(words),
            Err(error) => State::Asking(Some(sentence(&error))),
        };
        is_saved
    }

    /// Saves the file; returns a text with its place.
    #[cfg(not(target_arch = "wasm32"))]
    fn put(&self, bytes: &[u8]) -> Result<String, String> {
        let (folder, name) = (save::folder(&self.folder)?, self.name_of_file());
        let is_taken = save::is_taken(&folder, &name);
        let place = save::save(Some(&folder), &name, bytes)?;
        let other = if is_taken { "\nThe older file of that name was kept." } else { "" };
        Ok(format!("Saved: {place}\n{}{other}", size_words(bytes.len() as u64)))
    }

    #[cfg(target_arch = "wasm32")]
    fn put(&self, bytes: &[u8]) -> Result<String, String> {
        save::save(None, &self.name_of_file(), bytes)
            .map(|name| format!("Saved: {name}, where downloads are\n{}", size_words(bytes.len() as u64)))
    }

    /// The name that the file gets: without signs that not every system allows.
    fn name_of_file(&self) -> String {
        save::file_name(&self.plain_name())
    }

    /// The typed name with its ending.
    fn plain_name(&self) -> String {
        format!("{}.{}", self.name.trim(), self.format.extension())
    }
}

/// Default size, as on the command line: animations are smaller.
fn usual_size(format: Format) -> &'static str {
    if format.moves() { SIZES[1] } else { SIZES[3] }
}

fn sentence(words: &str) -> String {
    grandstand_story::format::capitalised(words)
}

/// Default folder: that of the recording, or the user's folder for pictures.
#[cfg(not(target_arch = "wasm32"))]
fn usual_folder(session: &Session) -> String {
    let beside = match &session.target {
        crate::address::Target::File(path) => std::path::absolute(path).ok(),
        _ => None,
    };
    let beside = beside.as_deref().and_then(|path| path.parent()).map(std::path::Path::to_owned);
    beside.unwrap_or_else(save::pictures).display().to_string()
}

#[cfg(target_arch = "wasm32")]
fn usual_folder(_: &Session) -> String {
    String::new()
}

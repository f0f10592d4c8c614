//! The whole interface: two screens, and what happens when a key or a button is pressed.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{
    self, Align, CentralPanel, Context, Frame, Layout, Margin, Panel, Rect, RichText, Theme, ThemePreference,
    Ui, UiBuilder, ViewportCommand, pos2, vec2,
};

use crate::actions::{self, Action};
use crate::beside::{Beside, Tab, Wish};
use crate::board::{self, Intent, Options};
use crate::form::{Form, Place};
use crate::icons::Icon;
use crate::inspector::Inspector;
use crate::library::{self, Library};
use crate::narration::Narrator;
use crate::session::{NextFrame, Session, Stage};
use crate::sides::{Side, sides};
use crate::source::{self, Target, Wake};
use crate::status;
use crate::theme::{self, BODY, Palette, semibold};
use crate::timeline::{self, Ask};
use crate::transcript::Transcript;
use crate::view::View;
use crate::widgets::IconButton;
use crate::{help, scoreboard, seats};

/// The spectator. One of these is the whole program, natively and on the web.
#[derive(Debug)]
pub struct App {
    pub(crate) library: Library,
    pub(crate) session: Option<Session>,
    beside: Beside,
    options: Options,
    help: bool,
    /// The text field to put the cursor into as soon as it is there.
    focus: Option<egui::Id>,
    /// The viewer's own enlargement, on top of what suits the window.
    zoom: f32,
    /// What happened, in a few words, and until when they are shown.
    notice: Option<(String, f64)>,
    /// Whether the board and the timeline alone are shown: in a frame of another page.
    pub(crate) bare: bool,
    pub(crate) narrator: Narrator,
    transcript: Transcript,
    view: View,
}

impl App {
    /// The spectator, showing `target`, or the list of the local server's matches.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, target: Option<Target>) -> App {
        theme::install(&cc.egui_ctx);
        let mut app = App {
            library: Library::default(),
            session: None,
            beside: Beside::default(),
            options: Options { coordinates: true, numbers: false, thoughts: true },
            help: false,
            focus: None,
            zoom: 1.0,
            notice: None,
            bare: false,
            narrator: Narrator::default(),
            transcript: Transcript::default(),
            view: View::default(),
        };
        match target {
            Some(target) => app.open(&cc.egui_ctx, target),
            None => app.show_library(&cc.egui_ctx),
        }
        app
    }

    /// Shows something else.
    pub fn open(&mut self, ctx: &Context, target: Target) {
        let wake = wake(ctx);
        let feed = match target.clone() {
            Target::Server(base) => {
                self.session = None;
                self.library.connect(base, wake);
                return;
            }
            Target::Match { base, id, .. } => source::open_live(base, id, wake),
            Target::Recording { url, .. } => source::open_recording(url, wake),
            #[cfg(not(target_arch = "wasm32"))]
            Target::File(path) => source::open_file(path, wake),
            #[cfg(target_arch = "wasm32")]
            Target::File(path) => source::no_file(&path),
        };
        self.watch(target, feed);
    }

    pub(crate) fn watch(&mut self, target: Target, feed: source::Feed) {
        self.show_session(Session::new(target, feed));
    }

    pub(crate) fn show_session(&mut self, session: Session) {
        self.library.rest();
        self.beside.renew();
        self.view = View::default();
        self.session = Some(session);
    }

    pub(crate) fn show_library(&mut self, ctx: &Context) {
        let base = match self.session.take().map(|session| session.target) {
            Some(Target::Match { base, .. }) => Some(base),
            _ => None,
        };
        if self.library.server().is_some() {
            return;
        }
        let local = || match library::DEFAULT_SERVER.parse() {
            Ok(Target::Server(base)) => Some(base),
            _ => None,
        };
        if let Some(base) = base.or_else(|| self.library.last_server()).or_else(local) {
            self.library.connect(base, wake(ctx));
        }
    }

    fn act(&mut self, ctx: &Context, action: Action) {
        if self.bare && action.leads_away_from_the_board() {
            return;
        }
        match action {
            Action::ToggleHelp => self.help = !self.help,
            Action::Back if self.help => self.help = false,
            Action::Back if ctx.text_edit_focused() => ctx.memory_mut(|memory| {
                if let Some(id) = memory.focused() {
                    memory.surrender_focus(id);
                }
            }),
            Action::Back | Action::ShowLibrary if self.bare => {}
            Action::Back if self.covers_the_board(ctx) => self.beside.toggle(Form::of(ctx)),
            Action::Back | Action::ShowLibrary => self.show_library(ctx),
            Action::Open => {
                self.show_library(ctx);
                self.focus = Some(Library::address_id());
            }
            Action::NextTheme => next_theme(ctx),
            Action::ZoomIn => self.zoom = (self.zoom * 1.1).min(3.0),
            Action::ZoomOut => self.zoom = (self.zoom / 1.1).max(0.6),
            Action::ZoomReset => self.zoom = 1.0,
            Action::ToggleFullscreen => {
                let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
                ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!full));
            }
            Action::ToggleCoordinates => self.options.coordinates = !self.options.coordinates,
            Action::ToggleNumbers => self.options.numbers = !self.options.numbers,
            Action::ToggleThoughts => self.options.thoughts = !self.options.thoughts,
            Action::ToggleSide => self.beside.toggle(Form::of(ctx)),
            Action::ShowMatch => self.beside.open(Tab::Match),
            Action::ShowInspector => self.beside.open(Tab::Protocol),
            Action::Filter => {
                self.beside.open(Tab::Protocol);
                self.focus = Some(Inspector::filter_id());
            }
            Action::Reconnect if self.session.is_none() => self.library.refresh(),
            _ => self.act_on_match(ctx, action),
        }
    }

    fn act_on_match(&mut self, ctx: &Context, action: Action) {
        let Some(session) = &mut self.session else { return };
        let mut found = true;
        match action {
            Action::PlayPause => session.play_or_pause(),
            Action::NextCommand => session.next_command(),
            Action::PreviousCommand => session.previous_command(),
            Action::NextTurn => session.next_turn(),
            Action::PreviousTurn => session.previous_turn(),
            Action::NextEvent => found = session.next_event(),
            Action::PreviousEvent => found = session.previous_event(),
            Action::Start => session.go_to_start(),
            Action::End => session.go_to_end(),
            Action::GoLive => session.go_live(),
            Action::Faster => session.faster(),
            Action::Slower => session.slower(),
            Action::NormalSpeed => session.set_speed(grandstand_replays::Speed::X1),
            Action::ToggleSkipIdle => session.toggle_skip_idle(),
            Action::Reconnect => session.reconnect_now(),
            _ => {}
        }
        let events = board::view(session.scene()).events();
        let words = match action {
            Action::NextEvent if !found => events.none_after.to_owned(),
            Action::PreviousEvent if !found => events.none_before.to_owned(),
            Action::Faster | Action::Slower | Action::NormalSpeed => {
                format!("Speed {}", session.playback.speed())
            }
            Action::ToggleSkipIdle if session.skips_idle() => "Idle time is skipped".to_owned(),
            Action::ToggleSkipIdle => "Idle time is played".to_owned(),
            _ => return,
        };
        self.notice = Some((words, ctx.input(|input| input.time) + 1.6));
    }

    fn ask(&mut self, ctx: &Context, ask: Ask) {
        match (ask, &mut self.session) {
            (Ask::Action(action), _) => self.act(ctx, action),
            (Ask::Secs(secs), Some(session)) => session.seek_secs(secs),
            (Ask::Speed(speed), Some(session)) => session.set_speed(speed),
            (_, None) => {}
        }
    }

    /// Whether the panel lies over a part of the screen that the board otherwise has.
    fn covers_the_board(&self, ctx: &Context) -> bool {
        let form = Form::of(ctx);
        self.session.is_some() && form.panel == Place::Below && self.beside.is_open(form)
    }

    /// Opens what was dropped on the window.
    fn take_dropped(&mut self, ctx: &Context) {
        let dropped = ctx.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        let Some(file) = dropped.into_iter().next() else { return };
        #[cfg(not(target_arch = "wasm32"))]
        self.open(ctx, Target::File(file.path().to_owned()));
        #[cfg(target_arch = "wasm32")]
        if let Some(file) = file.web_file() {
            self.open_page_file(ctx, file.clone(), None);
        }
    }

    /// Opens a file that the page was given.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn open_page_file(&mut self, ctx: &Context, file: web_sys::File, seq: Option<u64>) {
        let target = Target::File(file.name().into());
        self.watch(target, source::open_page_file(file, wake(ctx)));
        if let (Some(session), Some(seq)) = (&mut self.session, seq) {
            session.want(seq);
        }
    }

    fn top_bar(&mut self, ui: &mut Ui) {
        let mut action = None;
        ui.horizontal_centered(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            if self.session.is_some() {
                let list = IconButton::new(Icon::List, Action::ShowLibrary);
                if ui.add(list).clicked() {
                    action = Some(Action::ShowLibrary);
                }
                ui.add_space(4.0);
            }
            let right = 3.0 * 34.0 + 12.0;
            let room = Rect::from_min_size(
                ui.cursor().min,
                vec2(ui.available_width() - right, ui.available_height()),
            );
            ui.scope_builder(
                UiBuilder::new().max_rect(room).layout(Layout::left_to_right(Align::Center)),
                |ui| match &self.session {
                    Some(session) => status::title(ui, session),
                    None => {
                        ui.add_space(6.0);
                        ui.label(RichText::new("Grandstand").family(semibold()).size(BODY + 3.0));
                    }
                },
            );
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(IconButton::new(Icon::Help, Action::ToggleHelp)).clicked() {
                    action = Some(Action::ToggleHelp);
                }
                let preference = ui.ctx().options(|options| options.theme_preference);
                let icon = match preference {
                    ThemePreference::System => Icon::System,
                    ThemePreference::Dark => Icon::Moon,
                    ThemePreference::Light => Icon::Sun,
                };
                if ui.add(IconButton::new(icon, Action::NextTheme)).clicked() {
                    action = Some(Action::NextTheme);
                }
                if self.session.is_some() {
                    let side = IconButton::new(Icon::Side, Action::ToggleSide)
                        .selected(self.beside.is_open(Form::of(ui.ctx())));
                    if ui.add(side).clicked() {
                        action = Some(Action::ToggleSide);
                    }
                }
            });
        });
        if let Some(action) = action {
            self.act(&ui.ctx().clone(), action);
        }
    }

    /// The screen of a match.
    fn show_match(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let Some(session) = &mut self.session else { return };
        // It is written while the rest of the session is only read.
        let mut draft = std::mem::take(&mut session.hand.draft);
        let session = &*session;
        let sides = sides(session.scene(), &session.about.teams);
        let bar = Frame::new().fill(palette.panel);
        let shape = board::view(session.scene()).shape();
        let form = Form::of(&ctx).around(shape, ctx.content_rect().width());
        let mut ask = None;
        let height = form.timeline_height();
        Panel::bottom("timeline").exact_size(height).frame(bar).resizable(false).show(ui, |ui| match session
            .stage
        {
            Stage::Open => ask = timeline::show(ui, form, session, &sides),
            _ => timeline::show_empty(ui, ui.max_rect()),
        });
        let with_panel = self.beside.is_open(form) && !self.bare && matches!(session.stage, Stage::Open);
        let mut wish = Wish::default();
        if with_panel {
            wish = self.beside.show(ui, form, session, &sides);
        }
        let ground = Frame::new().fill(palette.ground);
        let options = self.options;
        let mut back = false;
        let mut intent = None;
        let mut deed = None;
        CentralPanel::default().frame(ground).show(ui, |ui| match &session.stage {
            Stage::Open => {
                let rect = ui.max_rect();
                let mut top = rect.top() + 4.0;
                if !(form.score_in_panel() && with_panel) {
                    let size = vec2(rect.width() - 20.0, form.score_height());
                    let line = Rect::from_min_size(pos2(rect.left() + 10.0, top), size);
                    scoreboard::show(ui, line, session, &sides);
                    top = line.bottom();
                }
                let below = status::banner(ui, session, pos2(rect.left(), top), rect.width());
                let at = pos2(rect.left(), below);
                let (below, asked) = seats::show(ui, session, &mut draft, &sides, at, rect.width());
                deed = asked;
                let board = Rect::from_min_max(pos2(rect.left(), below), rect.max).shrink2(vec2(10.0, 4.0));
                intent = show_board(ui, board, &mut self.view, session, &sides, options);
            }
            Stage::Opening => status::opening(ui, session),
            Stage::Failed(trouble) => {
                let width = ui.available_width().min(560.0);
                let left = (ui.available_width() - width) / 2.0;
                let top = ui.available_height() * 0.25;
                let area =
                    Rect::from_min_size(ui.max_rect().min + vec2(left, top), vec2(width, 300.0)).shrink(16.0);
                ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
                    back = library::trouble_card(ui, trouble, Some("Back to the list"));
                });
            }
        });
        if let Some(session) = &mut self.session {
            session.hand.draft = draft;
            let deed = deed.or(intent.map(|intent| seats::Deed::Play(intent.text)));
            match deed {
                Some(seats::Deed::Sit(team)) => session.sit(&team, wake(&ctx)),
                Some(seats::Deed::Play(text)) => session.play_move(&text, wake(&ctx)),
                Some(seats::Deed::Leave) => session.leave_seat(wake(&ctx)),
                Some(seats::Deed::Resigning(asked)) => session.hand.resigning = asked,
                Some(seats::Deed::GoLive) => session.go_live(),
                None => {}
            }
        }
        if let Some(seq) = wish.seq
            && let Some(session) = &mut self.session
        {
            session.seek_seq(seq);
        }
        if wish.close {
            self.beside.toggle(form);
        }
        if let Some(ask) = ask.or(wish.secs.map(Ask::Secs)) {
            self.ask(&ctx, ask);
        }
        if back {
            self.act(&ctx, Action::ShowLibrary);
        }
    }

    /// What the picture shows, for those who don't see it. The page has it in its own way: it has no tree.
    fn show_words(&mut self, ui: &mut Ui) {
        if !ui.ctx().has_accesskit_node(ui.unique_id()) {
            return;
        }
        if let Some(telling) = self.tell() {
            self.transcript.take(telling);
        }
        self.transcript.show(ui, &self.status().summary);
    }

    fn show_notice(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        let Some((text, until)) = &self.notice else { return };
        if now >= *until {
            self.notice = None;
            return;
        }
        ctx.request_repaint_after(Duration::from_secs_f64(until - now));
        let palette = Palette::of(ctx);
        egui::Area::new(egui::Id::unique("notice"))
            .anchor(egui::Align2::CENTER_BOTTOM, vec2(0.0, -Form::of(ctx).timeline_height() - 14.0))
            .interactable(false)
            .show(ctx, |ui| {
                let frame = Frame::new()
                    .fill(palette.raised)
                    .corner_radius(16.0)
                    .inner_margin(Margin::symmetric(14, 7));
                frame.stroke(egui::Stroke::new(1.0, palette.line)).show(ui, |ui| ui.label(text));
            });
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        let Some(session) = &mut self.session else { return };
        let now = ctx.input(|input| input.time);
        match session.update(now) {
            NextFrame::Now => ctx.request_repaint(),
            NextFrame::After(secs) => ctx.request_repaint_after(Duration::from_secs_f64(secs)),
            NextFrame::Idle => {}
        }
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.set_zoom(&ctx);
        self.take_dropped(&ctx);
        for action in actions::pressed(&ctx) {
            self.act(&ctx, action);
        }
        let palette = Palette::of(&ctx);
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(8, 0));
        if !self.bare {
            let height = Form::of(&ctx).top_height();
            Panel::top("top").exact_size(height).frame(bar).resizable(false).show(ui, |ui| self.top_bar(ui));
        }
        if self.session.is_some() {
            self.show_match(ui);
        } else if self.bare {
            CentralPanel::default().frame(Frame::new().fill(palette.ground)).show(ui, |ui| {
                ui.centered_and_justified(|ui| ui.weak("Nothing is open here yet."));
            });
        } else {
            let mut wanted = None;
            CentralPanel::default().frame(Frame::new().fill(palette.panel)).show(ui, |ui| {
                wanted = self.library.show(ui);
            });
            if let Some(target) = wanted {
                self.open(&ctx, target);
            }
        }
        if let Some(id) = self.focus.take() {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
        if self.help && help::show(&ctx) {
            self.help = false;
        }
        self.show_notice(&ctx);
        self.show_words(ui);
        if ctx.input(|input| !input.raw.hovered_files.is_empty()) {
            library::drop_sign(ui);
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(&mut *self)
    }
}

impl App {
    /// Large windows are enlarged: their viewers sit further away, or their pixels are smaller.
    fn set_zoom(&self, ctx: &Context) {
        let size = ctx.content_rect().size() * ctx.zoom_factor();
        let zoom = theme::zoom_for(size) * self.zoom;
        if (zoom - ctx.zoom_factor()).abs() > 1e-3 {
            ctx.set_zoom_factor(zoom);
        }
    }
}

fn wake(ctx: &Context) -> Wake {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

fn next_theme(ctx: &Context) {
    let preference = ctx.options(|options| options.theme_preference);
    let next = match (preference, ctx.theme()) {
        // From what is shown to the other one first, so that the key always shows an effect.
        (ThemePreference::System, Theme::Dark) => ThemePreference::Light,
        (ThemePreference::System, Theme::Light) => ThemePreference::Dark,
        (ThemePreference::Light, _) => ThemePreference::Dark,
        (ThemePreference::Dark, _) => ThemePreference::System,
    };
    ctx.set_theme(next);
}

fn show_board(
    ui: &mut Ui,
    area: Rect,
    view: &mut View,
    session: &Session,
    sides: &[Side],
    options: Options,
) -> Option<Intent> {
    let rect = view.place(ui, area, board::view(session.scene()).closest());
    if !view.is_whole() {
        ui.shrink_clip_rect(area);
    }
    session.board().show(ui, rect, &session.picture(sides), options)
}

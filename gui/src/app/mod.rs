//! The app: screens, overlays, and the handling of input.

mod availability;
mod board_inspector;
mod compare_screen;
mod fight_camera;
mod first_touch;
#[cfg(any(target_arch = "wasm32", test))]
pub(crate) mod focus_ring;
#[cfg(any(target_arch = "wasm32", test))]
pub(crate) mod focus_words;
mod match_screen;
mod notice;
mod opening;
pub mod page_api;
mod palette_entries;
mod perform;
mod presses;
mod projector;
mod result_card;
mod share;
mod sound;
mod stored_settings;
mod top_bar;
mod tournament_screen;
mod wall_screen;

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{self, CentralPanel, Context, Frame, Margin, Panel, Rect, Ui};
use grandstand_board::theme::{self, Palette};
use grandstand_board::zoom::BoardZoom;
use grandstand_board::{BoardOptions, cached_mesh};
use grandstand_story::narration::Narrator;

use self::fight_camera::FightCamera;
use self::notice::Notice;
use crate::actions::{self, Action, Arrows};
use crate::address::{Base, Target};
use crate::layout::ScreenLayout;
use crate::panels::board_inspector::BoardInspector;
use crate::panels::command_palette::CommandPalette;
use crate::panels::compare::Compare;
use crate::panels::drop_overlay;
use crate::panels::export_dialog::ExportDialog;
use crate::panels::help;
use crate::panels::match_list::MatchList;
use crate::panels::new_game::NewGame;
use crate::panels::result_card::ResultCard;
use crate::panels::seat_bar;
use crate::panels::share_dialog::ShareDialog;
use crate::panels::side_panel::SidePanel;
use crate::panels::timeline::Timeline;
use crate::panels::transcript::Transcript;
use crate::panels::wall::Wall;
use crate::session::{NextFrame, Session};
use crate::settings::{self, Settings};
use crate::sound::Sound;
use crate::source::Wake;
use crate::tournament::Tournament;
use crate::widgets::panel_edge;

/// The spectator: the whole interface, natively and on the web.
#[derive(Debug)]
pub struct App {
    pub(crate) match_list: MatchList,
    pub(crate) session: Option<Session>,
    /// The wall. It stays open behind a board that is enlarged as `session`.
    pub(crate) wall: Option<Wall>,
    /// The tournament. It stays open behind a game that is watched.
    pub(crate) tournament: Option<Box<Tournament>>,
    /// The second match of a comparison.
    pub(crate) compare: Option<Box<Compare>>,
    side_panel: SidePanel,
    pub(crate) settings: Settings,
    /// The settings as they are stored.
    saved: Settings,
    /// Whether the open match has been added to the recent ones.
    in_recents: bool,
    /// Server that ends with the program; nothing on it is added to the recent ones.
    passing: Option<Base>,
    /// Version of the bookmarks that have been stored.
    noted_bookmarks: u64,
    /// Whether a text field had the focus at the end of the last frame. egui removes the focus on Escape before actions
    /// are read.
    was_typing: bool,
    help: bool,
    /// The command palette, if it is open.
    command_palette: Option<CommandPalette>,
    export: Option<ExportDialog>,
    /// Dialog for a new game, while it is open.
    new_game: Option<NewGame>,
    /// Whether the dialog with all settings is open.
    settings_open: bool,
    /// Dialog for sharing, while it is open.
    share: Option<ShareDialog>,
    /// Id of the widget to focus.
    focus: Option<egui::Id>,
    notice: Option<Notice>,
    /// The room beside the title of the top bar in this frame, and that of the title: the notice stands there.
    notice_room: Option<[Rect; 2]>,
    projector: Option<projector::Projector>,
    /// Whether only the board and the timeline are shown, for a frame in another page.
    pub(crate) embedded: bool,
    pub(crate) narrator: Narrator,
    transcript: Transcript,
    sound: Sound,
    result_card: ResultCard,
    timeline: Timeline,
    /// Whether the board of the match is turned around.
    flipped: bool,
    view: BoardZoom,
    /// The camera while it stays with a fight.
    fight_camera: Option<FightCamera>,
    /// Whether the board, which was just enlarged, is to have its fight in the middle.
    aims_at_fight: bool,
    /// Whether the board was upright in the last frame.
    upright: bool,
    pub(crate) board_inspector: BoardInspector,
    /// Number of parts of the match screen shown so far, see [`match_screen::PARTS`].
    parts: usize,
}

impl App {
    /// The spectator with `target`, or with the list of the local server's matches.
    #[must_use]
    pub fn new(cc: &eframe::CreationContext<'_>, target: Option<Target>) -> App {
        App::with_local_server(cc, target, Base::default())
    }

    /// The same with a local server at another address than the default.
    #[must_use]
    pub fn with_local_server(cc: &eframe::CreationContext<'_>, target: Option<Target>, local: Base) -> App {
        theme::install(&cc.egui_ctx);
        cc.egui_ctx.add_plugin(first_touch::FirstTouch::default());
        cc.egui_ctx.add_plugin(presses::Presses);
        let (settings, mistakes) = Settings::load(cc.storage);
        mistakes.iter().for_each(|mistake| settings::complain(mistake));
        let notice = (!mistakes.is_empty()).then(|| Notice::new("Some settings could not be read", 6.0));
        cc.egui_ctx.set_theme(settings.theme);
        let mut app = App {
            match_list: MatchList::new(local),
            session: None,
            wall: None,
            tournament: None,
            compare: None,
            side_panel: SidePanel::arranged(settings.panel),
            saved: settings.clone(),
            settings,
            in_recents: false,
            passing: None,
            noted_bookmarks: 0,
            was_typing: false,
            help: false,
            command_palette: None,
            export: None,
            new_game: None,
            settings_open: false,
            share: None,
            focus: None,
            notice,
            notice_room: None,
            projector: None,
            embedded: false,
            narrator: Narrator::default(),
            transcript: Transcript::default(),
            sound: Sound::default(),
            result_card: ResultCard::default(),
            timeline: Timeline::default(),
            flipped: false,
            view: BoardZoom::default(),
            fight_camera: None,
            aims_at_fight: false,
            upright: false,
            board_inspector: BoardInspector::default(),
            parts: if cfg!(target_arch = "wasm32") { 0 } else { match_screen::PARTS },
        };
        match target {
            Some(target) => app.open(&cc.egui_ctx, target),
            None => app.show_match_list(&cc.egui_ctx),
        }
        app
    }

    /// Options of boards. Spoiler mode hides the players' expected moves and drawings.
    fn board_options(&self) -> BoardOptions {
        let options = self.settings.board;
        let known = !self.settings.spoiler_free;
        BoardOptions {
            thoughts: options.thoughts && known,
            overlays: options.overlays && known,
            flipped: self.flipped,
            ..options
        }
    }

    /// Accessibility nodes of the picture. A page has no accessibility tree; its script does the same.
    fn update_transcript(&mut self, ui: &mut Ui) {
        if !ui.ctx().has_accesskit_node(ui.unique_id()) {
            return;
        }
        if let Some(narration) = self.tell() {
            self.transcript.take(narration);
        }
        self.transcript.show(ui, &self.status().summary);
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        let now = ctx.input(|input| input.time);
        let mut next = NextFrame::Idle;
        if let Some(session) = &mut self.session {
            next = session.update(now);
            session.update_review();
            if session.is_saving() {
                next = NextFrame::Now;
                let words = session.save_on().unwrap_or_else(|| "Saving…".to_owned());
                self.notice = Some(Notice::new(words, now + 5.0));
            }
        }
        let hides = self.settings.spoiler_free;
        if let Some(session) = &mut self.session {
            let begins = hides && !session.is_spoiler_free();
            session.set_spoiler_free(hides);
            if let Some(words) = session.range_hidden().filter(|_| begins) {
                let words = format!("Spoiler mode: what comes is hidden. {words}");
                self.notice = Some(Notice::new(words, now + 5.0));
            }
            if let Some(compare) = &mut self.compare {
                compare.other.set_spoiler_free(hides);
                next = next.sooner(compare.update(session, now));
            }
        }
        if let Some(wall) = &mut self.wall {
            wall.set_spoiler_free(hides);
            next = next.sooner(wall.update(now, self.session.is_none(), &wake(ctx)));
        }
        next = next.sooner(self.update_tournament(ctx, now));
        self.listen(ctx, now);
        if let Some(session) = &self.session {
            self.result_card.update(session);
        }
        match next {
            NextFrame::Now => ctx.request_repaint(),
            NextFrame::After(secs) => ctx.request_repaint_after(Duration::from_secs_f64(secs)),
            NextFrame::Idle => {}
        }
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.set_zoom(&ctx);
        ScreenLayout::of(&ctx).size_controls(ui);
        cached_mesh::begin(&ctx);
        self.take_dropped(&ctx);
        // Keys belong to the fields and buttons of a dialog or of what has popped up.
        let typing = ctx.text_edit_focused()
            || egui::Popup::is_any_open(&ctx)
            || self.command_palette.is_some()
            || self.export.is_some()
            || self.shows_dialog();
        // On the board of a match that the viewer plays, the arrow keys lead to places, and never away from the present.
        let plays =
            self.session.as_ref().is_some_and(|session| session.is_playing() && session.is_following());
        let on_board =
            plays || ctx.memory(|memory| memory.has_focus(BoardZoom::id())) || panel_edge::has_focus(&ctx);
        let arrows = match () {
            () if on_board => Arrows::Board,
            () if self.session.is_none() => Arrows::List,
            () => Arrows::Actions,
        };
        let typing = typing || (!self.was_typing && self.leads_to_move(&ctx));
        let by_moves = self.session.as_ref().is_some_and(|session| session.goes_by_moves());
        for action in actions::pressed(&ctx, typing || self.was_typing, arrows, by_moves) {
            self.perform(&ctx, action);
        }
        // The screen behind a dialog has no pointer: a tooltip that is open would stay over the dialog.
        let covered = ctx.memory(|memory| memory.top_modal_layer().is_some());
        let pointer = covered.then(|| ctx.input_mut(|input| std::mem::take(&mut input.pointer)));
        let palette = Palette::of(&ctx);
        let bar = Frame::new().fill(palette.panel).inner_margin(Margin::symmetric(8, 0));
        let projected = self.is_projected();
        if !self.embedded && !projected {
            let height = ScreenLayout::of(&ctx).top_height();
            Panel::top("top").exact_size(height).frame(bar).resizable(false).show(ui, |ui| self.top_bar(ui));
        }
        if projected {
            self.show_projected(ui);
        } else if self.compare.is_some() {
            self.show_compare_screen(ui);
        } else if self.session.is_some() {
            self.show_match(ui);
        } else if self.wall.is_some() {
            self.show_wall_screen(ui);
        } else if self.tournament.is_some() {
            self.show_tournament_screen(ui);
        } else if self.embedded {
            CentralPanel::default().frame(Frame::new().fill(palette.ground)).show(ui, |ui| {
                ui.centered_and_justified(|ui| ui.weak("Nothing is open here yet."));
            });
        } else {
            let mut wanted = None;
            CentralPanel::default().frame(Frame::new().fill(palette.panel)).show(ui, |ui| {
                let hides = self.settings.spoiler_free;
                wanted = self.match_list.show(ui, &mut self.settings.recent, hides, &wake(&ctx));
            });
            if let Some(target) = wanted {
                self.open(&ctx, target);
            }
        }
        if let Some(pointer) = pointer {
            ctx.input_mut(|input| input.pointer = pointer);
        }
        if let Some(id) = self.focus.take() {
            ctx.memory_mut(|memory| memory.request_focus(id));
        }
        let turn = self.open_session().and_then(|session| session.chapters.unit_name());
        if self.help && help::show(&ctx, turn, by_moves, &|action| self.suits_game(action)) {
            self.help = false;
        }
        self.show_command_palette(&ctx);
        self.follow_new_game(&ctx);
        self.show_new_game(&ctx);
        self.show_share(&ctx);
        self.show_settings(&ctx);
        let close = match (&mut self.export, &self.session) {
            (Some(export), Some(session)) => export.show(&ctx, session, &mut self.settings.export_folder),
            _ => true,
        };
        if close {
            self.export = None;
        }
        self.was_typing = ctx.text_edit_focused();
        self.show_notice(&ctx);
        self.update_transcript(ui);
        if ctx.input(|input| !input.raw.hovered_files.is_empty()) {
            drop_overlay::show(ui);
        }
        self.keep_settings(frame);
        self.apply_theme(&ctx);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.save_settings(storage);
    }

    fn persist_egui_memory(&self) -> bool {
        !self.embedded
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
    /// Leads to the field for a move, on the viewer's turn in a seat: a letter or a digit, which goes there rather than to an
    /// action, and Tab from nowhere. Returns whether the letters are the field's.
    fn leads_to_move(&self, ctx: &Context) -> bool {
        let (types, tabs) = ctx.input(actions::leads_to_move);
        let tabs = tabs && ctx.memory(|memory| memory.focused().is_none());
        if !(types || tabs) || !self.is_possible(Action::TypeMove) {
            return false;
        }
        seat_bar::focus_move(ctx);
        types
    }

    /// Sets the zoom. Large windows are enlarged, since their viewers sit further away or their pixels are smaller;
    /// projectors most.
    fn set_zoom(&self, ctx: &Context) {
        let size = ctx.content_rect().size() * ctx.zoom_factor();
        let suits = if self.is_projected() { theme::zoom_far(size) } else { theme::zoom_for(size) };
        let zoom = suits * self.settings.zoom;
        if (zoom - ctx.zoom_factor()).abs() > 1e-3 {
            ctx.set_zoom_factor(zoom);
        }
    }
}

fn wake(ctx: &Context) -> Wake {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

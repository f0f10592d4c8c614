//! The panel beside or below the board: the plots, the talk and the protocol.

use eframe::egui::{Align, Frame, Layout, Margin, Panel, Rect, RichText, ScrollArea, Ui, UiBuilder, pos2};
use grandstand_board::scoreboard;
use grandstand_board::theme::{BODY, Palette, semibold};
use grandstand_protocol::Place;
use grandstand_story::plots::{Form, Plot};
use grandstand_story::sides::Side;
use grandstand_story::story;
use serde::{Deserialize, Serialize};

use super::plot;
use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::{PanelPlacement, ScreenLayout};
use crate::panels::board_inspector::{self, BoardInspector};
use crate::panels::chat::Chat;
use crate::panels::command_log::{CommandLog, CommandLogRequest};
use crate::panels::moment_list::Moments;
use crate::panels::move_list::Moves;
use crate::panels::program::{ProgramPanel, ProgramRequest};
use crate::panels::timeline::TimelineRequest;
use crate::session::{Lane, Session};
use crate::widgets::IconButton;

/// A panel that has less room than this for the moves or the talk below the plots shows them one at a time, in points.
const TALK: f32 = 200.0;
/// The room for a plot.
const PLOT: f32 = 130.0;

/// What the panel shows, where there is room for one thing only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tab {
    /// The plots, and below them where there is room the moves of a game by turns, else the talk.
    #[default]
    Match,
    /// The talk.
    Talk,
    /// The moments, as a list.
    Moments,
    /// The protocol inspector.
    Protocol,
    /// The moves of a game by turns.
    Moves,
    /// The programs of the bots.
    Program,
}

/// How the viewer arranged the panel; it is remembered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SidePanelState {
    tab: Tab,
    /// Whether the viewer opened or closed it.
    open: Option<bool>,
    /// Whether all moments are listed, and not the key moments alone.
    all_moments: bool,
}

/// The panel.
#[derive(Debug, Default)]
pub(crate) struct SidePanel {
    pub arrangement: SidePanelState,
    chat: Chat,
    moments: Moments,
    moves: Moves,
    pub command_log: CommandLog,
    program: ProgramPanel,
}

/// What the viewer asked for in the panel.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct SidePanelRequest {
    /// To a time, in seconds from the start.
    pub secs: Option<f64>,
    /// To a command.
    pub seq: Option<u64>,
    /// To close the panel.
    pub close: bool,
    /// Anything else that the timeline can ask for.
    pub ask: Option<TimelineRequest>,
    /// With the pins, on a phone.
    pub pins: board_inspector::BoardInspectorRequest,
    /// The line of the inspector that is pointed at.
    pub hot: Option<u64>,
    /// Whether the inspector is there.
    pub inspects: bool,
    /// What was done, in words.
    pub notice: Option<String>,
    /// Places that a name of a program stands for.
    pub places: Vec<Place>,
}

impl SidePanelRequest {
    fn take(&mut self, asked: CommandLogRequest) {
        let CommandLogRequest { seq, hot, notice } = asked;
        (self.seq, self.hot, self.notice, self.inspects) = (seq, hot, notice, true);
    }
}

impl SidePanel {
    /// The panel as it was left.
    pub(crate) fn arranged(arrangement: SidePanelState) -> SidePanel {
        SidePanel { arrangement, ..SidePanel::default() }
    }

    /// Another match is shown.
    pub(crate) fn renew(&mut self) {
        (self.chat, self.command_log) = (Chat::default(), CommandLog::default());
        (self.moments, self.moves) = (Moments::default(), Moves::default());
        self.program = ProgramPanel::default();
    }

    pub(crate) fn is_open(&self, layout: ScreenLayout) -> bool {
        self.arrangement.open.unwrap_or(layout.panel_open)
    }

    pub(crate) fn toggle(&mut self, layout: ScreenLayout) {
        self.arrangement.open = Some(!self.is_open(layout));
    }

    /// Whether the programs are shown in it, when it is open.
    pub(crate) fn shows_program(&self, session: &Session) -> bool {
        self.arrangement.tab == Tab::Program && ProgramPanel::suits(session)
    }

    /// The commands at which something was printed, in order.
    pub(crate) fn printed(&self) -> &[u64] {
        self.program.printed()
    }

    /// Shows this in the panel whenever that is open.
    pub(crate) fn turn_to(&mut self, tab: Tab) {
        self.arrangement.tab = tab;
    }

    /// Opens the panel with this in it.
    pub(crate) fn open(&mut self, tab: Tab) {
        self.arrangement = SidePanelState { tab, open: Some(true), ..self.arrangement };
    }

    /// Shows the open panel at the edge of what is left of the screen, with the cards of the pins where they belong there; `footer` takes room
    /// from its lower edge.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
        (board_inspector, cards): (&BoardInspector, bool),
        footer: &mut dyn FnMut(&mut Ui),
    ) -> SidePanelRequest {
        let frame = Frame::new().fill(Palette::of(ui.ctx()).panel).inner_margin(Margin::same(10));
        let mut wish = SidePanelRequest::default();
        let program = self.shows_program(session);
        // A source takes the room of the protocol too.
        if layout.panel == PanelPlacement::BothSides && !program {
            Panel::left("lines").default_size(430.0).size_range(300.0..=700.0).frame(frame).show(ui, |ui| {
                ui.take_available_space();
                heading(ui, "Protocol");
                wish.take(self.command_log.show(ui, session, sides));
            });
        }
        let free = ui.available_size();
        // What the viewer made of it in a window of another size does not fit this one.
        let what = if program { "program" } else { "" };
        let id = format!("beside {} {} {what}", (free.x / 300.0) as u32, (free.y / 200.0) as u32);
        let panel = match layout.panel {
            PanelPlacement::Below => {
                let range = 150.0_f32.min(free.y * 0.3)..=free.y * 0.7;
                Panel::bottom(id).default_size(free.y * 0.46).size_range(range)
            }
            _ if program => {
                let size = (free.x * 0.48).clamp(300.0, 760.0);
                Panel::right(id).default_size(size).size_range(260.0..=(free.x * 0.7).max(260.0))
            }
            _ => {
                let part = if layout.low { 0.42 } else { 0.32 };
                let size = (free.x * part).clamp(250.0, 400.0);
                Panel::right(id).default_size(size).size_range(250.0..=(free.x * 0.55).max(250.0))
            }
        };
        panel.frame(frame).show(ui, |ui| {
            ui.take_available_space();
            footer(ui);
            let inner = self.contents(ui, layout, session, sides, (board_inspector, cards));
            wish = SidePanelRequest {
                seq: inner.seq.or(wish.seq),
                hot: inner.hot.or(wish.hot),
                inspects: inner.inspects || wish.inspects,
                notice: inner.notice.clone().or(wish.notice.take()),
                ..inner
            };
        });
        wish
    }

    fn contents(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
        (board_inspector, cards): (&BoardInspector, bool),
    ) -> SidePanelRequest {
        let mut wish = SidePanelRequest::default();
        if layout.score_in_panel() {
            let area = ui.available_rect_before_wrap();
            let line = Rect::from_min_max(
                pos2(area.left(), area.top() - 6.0),
                pos2(area.right(), area.top() - 6.0 + layout.score_height()),
            );
            scoreboard::show(ui, line, &session.standing(), sides);
            ui.add_space(layout.score_height() - 4.0);
        }
        let shown = shown_plots(session).count();
        let needed = TALK + PLOT * shown as f32;
        let roomy = layout.panel == PanelPlacement::BothSides || ui.available_height() >= needed;
        let turns = story(session.scene()).turns().is_some();
        let has = (turns, ProgramPanel::suits(session));
        wish.close = self.tabs(ui, layout, roomy, has);
        match self.arrangement.tab {
            Tab::Protocol if layout.panel != PanelPlacement::BothSides => {
                if cards && board_inspector.has_pins() {
                    let height = ui.available_height() * 0.4;
                    let scroll = ScrollArea::vertical().id_salt("pins").max_height(height);
                    scroll.min_scrolled_height(40.0).show(ui, |ui| {
                        wish.pins = board_inspector.cards(ui, session, true);
                    });
                }
                wish.take(self.command_log.show(ui, session, sides));
            }
            Tab::Moments => {
                let all = &mut self.arrangement.all_moments;
                wish.ask = self.moments.show(ui, session, sides, all);
            }
            Tab::Program if self.shows_program(session) => {
                let ProgramRequest { seq, places } =
                    self.program.show(ui, session, board_inspector.last_pin());
                (wish.seq, wish.places) = (seq, places);
            }
            Tab::Moves if !roomy && turns => wish.ask = self.moves.show(ui, session, sides),
            Tab::Talk if !roomy || turns => wish.seq = talk(ui, session, sides, &mut self.chat),
            _ if !roomy => {
                let height = (ui.available_height() - 40.0).clamp(80.0, 190.0);
                ScrollArea::vertical().id_salt("plots").show(ui, |ui| {
                    wish.secs = plots(ui, session, sides, height);
                });
            }
            _ => {
                let height = (ui.available_height() * 0.28).clamp(96.0, 190.0);
                wish.secs = plots(ui, session, sides, height);
                if turns {
                    heading(ui, "Moves");
                    wish.ask = self.moves.show(ui, session, sides);
                } else {
                    heading(ui, "Talk");
                    wish.seq = talk(ui, session, sides, &mut self.chat);
                }
            }
        }
        wish
    }

    /// The names above the panel, for a match that has turns or programs; whether it should close.
    fn tabs(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        roomy: bool,
        (turns, programs): (bool, bool),
    ) -> bool {
        let tab = self.arrangement.tab;
        let apart = layout.panel == PanelPlacement::BothSides;
        let shown = match tab {
            Tab::Talk if roomy && !turns => Tab::Match,
            Tab::Moves if roomy || !turns => Tab::Match,
            Tab::Protocol if apart => Tab::Match,
            Tab::Program if !programs => Tab::Match,
            tab => tab,
        };
        let mut close = false;
        ui.horizontal_wrapped(|ui| {
            // Four of them fit into the narrowest panel.
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = if ui.available_width() < 280.0 { 6.0 } else { 9.0 };
            for (tab, text, action) in [
                (Tab::Match, if roomy { "Match" } else { "Plots" }, Action::ShowMatch),
                (Tab::Talk, "Talk", Action::ShowMatch),
                (Tab::Moments, "Moments", Action::ShowMoments),
                (Tab::Protocol, "Protocol", Action::ShowInspector),
                (Tab::Moves, "Moves", Action::ShowMoves),
                (Tab::Program, "Program", Action::ShowProgram),
            ] {
                let elsewhere = match tab {
                    Tab::Talk => roomy && !turns,
                    Tab::Moves => roomy || !turns,
                    Tab::Protocol => apart,
                    Tab::Program => !programs,
                    Tab::Match | Tab::Moments => false,
                };
                if elsewhere {
                    continue;
                }
                let text = RichText::new(text).family(semibold());
                if ui.selectable_label(shown == tab, text).on_hover_text(action.tooltip()).clicked() {
                    self.arrangement.tab = tab;
                }
            }
            if layout.panel == PanelPlacement::Below {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let button = IconButton::new(Icon::Close, Action::ToggleSide).label("Close the panel");
                    close = ui.add(button).clicked();
                });
            }
        });
        ui.add_space(4.0);
        close
    }
}

fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).family(semibold()).size(BODY + 1.0));
    ui.add_space(2.0);
}

/// The plots that have a place: not every player says what it thinks.
fn shown_plots(session: &Session) -> impl Iterator<Item = &Plot> {
    let has_evaluation = session.lanes_of_match.has(Lane::Evaluation);
    let plots = session.events.findings().plots.iter();
    plots.filter(move |plot| plot.form != Form::Balance || has_evaluation)
}

/// The plots, one below the other; the time that was asked for.
fn plots(ui: &mut Ui, session: &Session, sides: &[Side], height: f32) -> Option<f64> {
    let mut secs = None;
    for plot in shown_plots(session) {
        heading(ui, plot.title);
        secs = plot::show(ui, session, plot, sides, height).or(secs);
        ui.add_space(8.0);
    }
    secs
}

/// The talk in the space that is left; the command that was asked for.
fn talk(ui: &mut Ui, session: &Session, sides: &[Side], chat: &mut Chat) -> Option<u64> {
    let area = ui.available_rect_before_wrap();
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| chat.show(ui, session, sides)).inner
}

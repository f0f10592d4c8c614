//! Side panel, beside or below the board: plots, moves, moments, talk, protocol and programs.

use eframe::egui::{
    Align, Button, Color32, FontId, Frame, Id, Label, Layout, Margin, Panel, Pos2, Rect, RichText,
    ScrollArea, Sense, Shape, Ui, UiBuilder, Vec2, pos2, vec2,
};
use grandstand_board::theme::{BODY, Palette, SMALL, semibold};
use grandstand_board::{BoardOptions, scoreboard};
use grandstand_protocol::Place;
use grandstand_story::plots::{Plot, PlotKind};
use grandstand_story::sides::Side;
use grandstand_story::story;
use serde::{Deserialize, Serialize};

use super::plot;
use crate::actions::Action;
use crate::icons::Icon;
use crate::layout::{PanelPlacement, ScreenLayout};
use crate::panels::board_inspector::{self, BoardInspector, CardsOutOfView};
use crate::panels::chat::Chat;
use crate::panels::command_log::{CommandLog, CommandLogRequest};
use crate::panels::moment_list::Moments;
use crate::panels::move_list::Moves;
use crate::panels::program::{ProgramPanel, ProgramRequest};
use crate::panels::result_card::{CardPlace, ScoreWords};
use crate::panels::seat_bar;
use crate::panels::timeline::TimelineRequest;
use crate::session::{Lane, Session};
use crate::widgets::IconButton;
use crate::widgets::panel_edge::{self, PanelSide, PanelSizes};

/// Height that the moves or the talk need below the plots, in points; with less they have a tab of their own.
const TALK: f32 = 200.0;
/// Width of a panel whose five tabs stand in one row, in points.
const TABS: f32 = 316.0;
/// Height of a plot with its heading, in points: with less the moves or the talk leave their room to the plots.
const PLOT: f32 = 150.0;
/// Height of the heading over a plot with the gaps around it, in points.
const HEADING: f32 = 44.0;
/// Height that the moves or the talk have at least below the plots, with their heading, in points; a high card at the end that
/// leaves less stands there alone.
const LIST: f32 = 104.0;
/// Height that cards of pinned places leave the lines of the protocol, in points.
const LINES: f32 = 116.0;
/// Height of the lines with what a finger presses above them, in points.
const LINES_WITH_CONTROLS: f32 = 220.0;
/// Height of a panel from which whole cards of pinned places stand above the lines of the protocol, in points.
const ROOM_FOR_CARDS: f32 = 460.0;
/// Height of the row with the folded cards of pins besides that of their buttons, in points.
const CHIPS: f32 = 14.0;
/// Height that is kept for the result card, in points: free from the first frame on, so that the end of a match
/// changes no tab.
const CARD: f32 = 90.0;
/// Height that a board above the panel keeps, in points; where there is less for both, its least part of that.
const BOARD: f32 = 170.0;
const BOARD_PART: f32 = 0.6;
/// The gaps above and below it together, in points.
const AROUND: f32 = 8.0;
/// Height below a board from which a panel stands there from the start, in points.
const BELOW: f32 = 190.0;

/// Tab of the panel, in the order of their keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Tab {
    /// The plots, and below them, if there is room, the moves of a turn game, or else the talk, or the moments of a match without any.
    #[default]
    Match,
    /// The chat.
    Talk,
    /// The list of moments.
    Moments,
    /// The protocol inspector.
    Protocol,
    /// The moves of a turn game.
    Moves,
    /// The bots' programs.
    Program,
}

/// State of the panel that is remembered between starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SidePanelState {
    tab: Tab,
    /// Whether the panel is open; `None` until the viewer opens or closes it.
    open: Option<bool>,
    /// Whether the list of moments shows all of them, and not only the key moments.
    all_moments: bool,
    /// How large the viewer made the panels.
    sizes: PanelSizes,
}

/// Height of the room below a board that keeps its size, where a panel has some there, with so much of the window above the timeline.
pub(crate) fn room_below(session: &Session, layout: ScreenLayout, free: Vec2) -> Option<f32> {
    // A high board has the whole window.
    if grandstand_board::view(session.scene()).can_stand() {
        return None;
    }
    let room = height_for_both(session, layout, free) - height_of_board(session, free.x, false);
    Some(room.floor()).filter(|room| *room >= BELOW)
}

/// Height of the board and the panel below it, without the score and the seats above them.
fn height_for_both(session: &Session, layout: ScreenLayout, free: Vec2) -> f32 {
    let head = layout.score_height() + seat_bar::height(session, layout, free.x);
    (free.y - head).max(0.0)
}

/// Height of the board in a window of this width, with what stands around it: as high as it may be stretched, or `least`.
fn height_of_board(session: &Session, width: f32, least: bool) -> f32 {
    let view = grandstand_board::view(session.scene());
    let shape = if least { view.shape() } else { view.least_shape() };
    let wide = width - 20.0;
    let high = Rect::from_min_size(Pos2::ZERO, vec2(wide, wide * 2.0 / shape));
    let drawn = view.drawn(high, BoardOptions::default()).width().min(wide);
    // Coordinates and margins take as much of the height as of the width.
    let whole = high.with_max_y(drawn / shape + wide - drawn);
    whole.height() + view.head(whole) + AROUND
}

/// Shows the result card in a place of the panel.
type ShowCard<'a> = &'a mut dyn FnMut(&mut Ui, CardPlace);

/// The panel.
#[derive(Debug, Default)]
pub(crate) struct SidePanel {
    pub arrangement: SidePanelState,
    chat: Chat,
    moments: Moments,
    moves: Moves,
    pub command_log: CommandLog,
    program: ProgramPanel,
    /// While the viewer plays in a small window: whether the panel is open there. The board has its room at first, and what
    /// was open before comes back.
    while_playing: Option<bool>,
    /// The newest pin, and the height of its card, in points.
    newest_pin: Option<Place>,
    newest_card: f32,
    /// The tab that gave way to the cards of pins in a phone's sheet.
    tab_before_pins: Option<Tab>,
    /// Whether the cards of pins in a phone's sheet are unfolded.
    unfolds_cards: bool,
    /// The cards of pins that had no room in the last frame.
    cards_out: Option<CardsOutOfView>,
    /// The card that comes into view.
    card_to_show: Option<Place>,
    /// How far the cards of pins are scrolled in the next frame, where that is asked for, in points.
    cards_to: Option<f32>,
}

/// Requests of the viewer in the panel.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct SidePanelRequest {
    /// Go to a command.
    pub seq: Option<u64>,
    /// Close the panel.
    pub close: bool,
    /// Any other request that the timeline knows.
    pub ask: Option<TimelineRequest>,
    /// Requests in the cards of pins, which the panel contains on a phone.
    pub pins: board_inspector::BoardInspectorRequest,
    /// The command whose line in the inspector has the pointer.
    pub hot: Option<u64>,
    /// Whether the inspector is shown.
    pub inspects: bool,
    /// A message about what was done.
    pub notice: Option<String>,
    /// Places of the board to highlight, from a name in a program.
    pub places: Vec<Place>,
    /// The place of the bot whose program is shown.
    pub bot: Option<Place>,
}

impl SidePanelRequest {
    fn take(&mut self, asked: CommandLogRequest) {
        let CommandLogRequest { seq, hot, notice } = asked;
        (self.seq, self.hot, self.notice, self.inspects) = (seq, hot, notice, true);
    }
}

impl SidePanel {
    /// A panel with the remembered state.
    pub(crate) fn arranged(arrangement: SidePanelState) -> SidePanel {
        SidePanel { arrangement, ..SidePanel::default() }
    }

    /// Resets everything that belongs to a match, for another match.
    pub(crate) fn renew(&mut self) {
        (self.chat, self.command_log) = (Chat::default(), CommandLog::default());
        (self.moments, self.moves) = (Moments::default(), Moves::default());
        self.program = ProgramPanel::default();
    }

    pub(crate) fn is_open(&self, layout: ScreenLayout) -> bool {
        self.while_playing.or(self.arrangement.open).unwrap_or(layout.panel_open)
    }

    /// Whether it opens where it has room: the viewer has neither opened nor closed it.
    pub(crate) fn opens_by_itself(&self) -> bool {
        self.while_playing.or(self.arrangement.open).is_none()
    }

    pub(crate) fn toggle(&mut self, layout: ScreenLayout) {
        self.set_open(!self.is_open(layout));
    }

    fn set_open(&mut self, open: bool) {
        match &mut self.while_playing {
            Some(own) => *own = open,
            None => self.arrangement.open = Some(open),
        }
    }

    /// Folds the panel when the viewer begins to play in a small window, and gives it back afterwards.
    pub(crate) fn make_room(&mut self, plays: bool) {
        self.while_playing = plays.then(|| self.while_playing.unwrap_or(false));
    }

    /// Whether the tab of the programs is chosen, and the match has some.
    pub(crate) fn shows_program(&self, session: &Session) -> bool {
        self.arrangement.tab == Tab::Program && ProgramPanel::suits(session)
    }

    /// Commands at which a print of the program panel was reached, in order.
    pub(crate) fn printed(&self) -> &[u64] {
        self.program.printed()
    }

    /// Chooses a tab without opening the panel.
    pub(crate) fn turn_to(&mut self, tab: Tab) {
        self.arrangement.tab = tab;
    }

    /// Turns to the tab with the cards of pins, and back once there are none.
    pub(crate) fn turn_to_pins(&mut self, are_there: bool) {
        match (are_there, self.arrangement.tab, self.tab_before_pins.take()) {
            (true, Tab::Protocol, before) => self.tab_before_pins = before,
            (true, tab, _) => {
                self.tab_before_pins = Some(tab);
                self.turn_to(Tab::Protocol);
            }
            (false, Tab::Protocol, Some(before)) => self.turn_to(before),
            (false, ..) => {}
        }
    }

    /// Unfolds the card of a pinned place in a sheet.
    pub(crate) fn unfold_card(&mut self, place: Place) {
        (self.unfolds_cards, self.card_to_show) = (true, Some(place));
    }

    /// Opens the panel with this tab.
    pub(crate) fn open(&mut self, tab: Tab) {
        self.turn_to(tab);
        self.set_open(true);
    }

    /// Shows the open panel at the edge of the remaining screen. `cards`: the cards of the pins belong into the panel.
    /// `result_card` may take room from its lower edge, and the words of the score's line.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
        (board_inspector, cards): (&BoardInspector, bool),
        result_card: ShowCard<'_>,
    ) -> SidePanelRequest {
        let frame = Frame::new().fill(Palette::of(ui.ctx()).panel).inner_margin(Margin::same(10));
        let mut wish = SidePanelRequest::default();
        let program = self.shows_program(session);
        // A program needs the room of the separate protocol panel.
        let whole = ui.available_rect_before_wrap();
        let room = whole.size();
        if layout.panel == PanelPlacement::BothSides && !program {
            let width = panel_edge::size(self.arrangement.sizes.lines, room.x, 430.0, (300.0, 700.0));
            let panel = Panel::left("lines")
                .exact_size(width)
                .resizable(false)
                .show_separator_line(false)
                .frame(frame);
            let shown = panel.show(ui, |ui| {
                ui.take_available_space();
                heading(ui, "Protocol", "");
                wish.take(self.command_log.show(ui, session, sides));
            });
            let chosen = &mut self.arrangement.sizes.lines;
            panel_edge::show(ui, PanelSide::Left, shown.response.rect.intersect(whole), room.x, chosen);
        }
        let free = ui.available_size();
        let sizes = &self.arrangement.sizes;
        let (panel, side) = match layout.panel {
            PanelPlacement::Below => {
                // The panel gives way to the board, below the score and the seats.
                let both = height_for_both(session, layout, free);
                let most = (both - BOARD.min(both * BOARD_PART)).min(free.y * 0.7);
                // What a wide board leaves is the panel's.
                let own = if self.opens_by_itself() { room_below(session, layout, free) } else { None };
                let usual =
                    own.unwrap_or_else(|| (free.y * 0.46).max(both - height_of_board(session, free.x, true)));
                let range = (150.0_f32.min(free.y * 0.3).min(most), most);
                // A program is read.
                let (chosen, usual) =
                    if program { (sizes.program_below, free.y * 0.6) } else { (sizes.below, usual) };
                let height = panel_edge::size(chosen, free.y, usual, range);
                (Panel::bottom("below the board").exact_size(height), PanelSide::Bottom)
            }
            _ => {
                let part = if layout.low { 0.42 } else { 0.32 };
                let (chosen, usual, range) = match program {
                    true => (sizes.program, (free.x * 0.48).clamp(300.0, 760.0), (260.0, free.x * 0.7)),
                    false => {
                        // In a small window as wide as its tabs, if the board keeps more than half.
                        let usual = (free.x * part).clamp(250.0, 400.0).max((free.x * 0.4).min(TABS));
                        (sizes.beside, usual, (250.0, free.x * 0.55))
                    }
                };
                let width = panel_edge::size(chosen, free.x, usual, range);
                (Panel::right("beside the board").exact_size(width), PanelSide::Right)
            }
        };
        let shown = panel.resizable(false).show_separator_line(false).frame(frame).show(ui, |ui| {
            ui.take_available_space();
            let whole = ui.available_height();
            result_card(ui, CardPlace::Foot);
            let taken = whole - ui.available_height();
            // The card comes before the contents at the end of a match, and must not change their ids: what has the focus keeps it.
            let place = UiBuilder::new().scope_id(Id::unique("contents of the side panel"));
            let shown = ui.scope_builder(place, |ui| {
                // Nothing is painted over the card.
                ui.shrink_clip_rect(ui.clip_rect().with_max_y(ui.max_rect().bottom()));
                self.contents(ui, layout, session, sides, (board_inspector, cards), (taken, result_card))
            });
            let inner = shown.inner;
            wish = SidePanelRequest {
                seq: inner.seq.or(wish.seq),
                hot: inner.hot.or(wish.hot),
                inspects: inner.inspects || wish.inspects,
                notice: inner.notice.clone().or(wish.notice.take()),
                ..inner
            };
        });
        let sizes = &mut self.arrangement.sizes;
        let (chosen, free) = match side {
            PanelSide::Bottom if program => (&mut sizes.program_below, free.y),
            PanelSide::Bottom => (&mut sizes.below, free.y),
            _ if program => (&mut sizes.program, free.x),
            _ => (&mut sizes.beside, free.x),
        };
        panel_edge::show(ui, side, shown.response.rect.intersect(whole), free, chosen);
        wish
    }

    fn contents(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        sides: &[Side],
        (board_inspector, cards): (&BoardInspector, bool),
        (card, result_card): (f32, ShowCard<'_>),
    ) -> SidePanelRequest {
        let mut wish = SidePanelRequest::default();
        if layout.score_in_panel() {
            let area = ui.available_rect_before_wrap();
            let line = Rect::from_min_max(
                pos2(area.left(), area.top() - 6.0),
                pos2(area.right(), area.top() - 6.0 + layout.score_height()),
            );
            let ground = ui.painter().add(Shape::Noop);
            let words = scoreboard::show(ui, line, &session.standing(), sides);
            result_card(ui, CardPlace::Score(ScoreWords { ground, words, line }));
            ui.add_space(layout.score_height() - 4.0);
        }
        // A plot that comes at the end changes no tab.
        let shown = plots_of_match(session).count();
        let has_cards = cards && board_inspector.has_pins();
        // In a low panel the lines have the room until the viewer unfolds the cards.
        let folds = layout.is_touched() || ui.available_height() + card < ROOM_FOR_CARDS;
        let in_lines = self.arrangement.tab == Tab::Protocol;
        let has_chips = has_cards && !(in_lines && (self.unfolds_cards || !folds));
        let chips = if has_chips { chips_height(layout) } else { 0.0 };
        let needed = TALK + PLOT * shown as f32 + CARD + chips;
        // Without a plot there is nothing to make room for.
        let roomy =
            layout.panel == PanelPlacement::BothSides || shown == 0 || ui.available_height() + card >= needed;
        let turns = story(session.scene()).turns().is_some();
        let has = (turns, ProgramPanel::suits(session), session.may_talk);
        wish.close = self.tabs(ui, layout, roomy, has);
        if has_chips {
            wish.pins = self.chips(ui, session, board_inspector, (chips, folds));
        }
        match self.arrangement.tab {
            Tab::Protocol if layout.panel != PanelPlacement::BothSides => {
                if has_cards && folds && !has_chips {
                    self.unfolds_cards &=
                        !self.cards_and_lines(ui, session, sides, board_inspector, &mut wish);
                    return wish;
                }
                if has_cards && !has_chips {
                    // The newest card is whole, if that leaves some lines their room.
                    let whole = ui.available_height();
                    let height = (self.newest_card + 8.0).max(whole * 0.4).min(whole - LINES);
                    let scroll = self.scroll_of_cards(board_inspector).max_height(height);
                    let out = self.cards_out;
                    let shown = scroll
                        .min_scrolled_height(height)
                        .show(ui, |ui| board_inspector.cards(ui, session, None, out));
                    let (asked, cards) = shown.inner;
                    wish.pins = asked;
                    self.card_to_show = wish.pins.show.take().or(self.card_to_show);
                    self.bring_into_view(ui, &cards);
                    let out = CardsOutOfView::of(&cards, shown.inner_rect);
                    if out != self.cards_out {
                        self.cards_out = out;
                        ui.ctx().request_repaint();
                    }
                    let newest = height_of(&cards, board_inspector.last_pin());
                    if (newest - self.newest_card).abs() > 0.5 {
                        self.newest_card = newest;
                        ui.ctx().request_repaint();
                    }
                }
                wish.take(self.command_log.show(ui, session, sides));
            }
            Tab::Moments => {
                let all = &mut self.arrangement.all_moments;
                wish.ask = self.moments.show(ui, session, sides, all);
            }
            Tab::Program if self.shows_program(session) => {
                let ProgramRequest { seq, places, bot } =
                    self.program.show(ui, session, board_inspector.last_pin());
                (wish.seq, wish.places, wish.bot) = (seq, places, bot);
            }
            Tab::Moves if turns => wish.ask = self.moves.show(ui, session, sides),
            Tab::Talk if session.may_talk && (!roomy || turns) => {
                wish.seq = talk(ui, session, sides, &mut self.chat)
            }
            _ if !roomy => {
                // As many whole plots as have room; the others are scrolled to.
                let room = ui.available_height();
                let count = ((room / PLOT) as usize).clamp(1, shown.max(1));
                let height = (room / count as f32 - HEADING - 8.0).clamp(80.0, 190.0);
                ScrollArea::vertical().id_salt("plots").show(ui, |ui| {
                    wish.ask = plots(ui, session, sides, (shown, height));
                });
            }
            _ => {
                // The plots keep their sizes when the card comes, and leave room for what is below them.
                let whole = ui.available_height() + card;
                let each = (whole - TALK - CARD) / shown.max(1) as f32 - HEADING;
                let height = each.min(whole * 0.28).clamp(PLOT - HEADING - 40.0, 190.0);
                wish.ask = plots(ui, session, sides, (shown, height));
                if ui.available_height() < LIST {
                } else if turns {
                    heading(ui, "Moves", "");
                    wish.ask = self.moves.show(ui, session, sides).or(wish.ask);
                } else if session.may_talk {
                    heading(ui, "Talk", "");
                    wish.seq = talk(ui, session, sides, &mut self.chat);
                } else {
                    heading(ui, "Moments", "");
                    let all = &mut self.arrangement.all_moments;
                    wish.ask = self.moments.show(ui, session, sides, all).or(wish.ask);
                }
            }
        }
        wish
    }

    /// The folded cards of pins in a row below the board, in place of the closed sheet that would contain them. One that is unfolded
    /// opens the sheet.
    pub(crate) fn show_closed(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        session: &Session,
        board_inspector: &BoardInspector,
    ) -> board_inspector::BoardInspectorRequest {
        let frame = Frame::new().fill(Palette::of(ui.ctx()).panel);
        let margin = Margin { left: 10, right: 10, top: 6, bottom: 4 };
        let (frame, height) = (frame.inner_margin(margin), chips_height(layout));
        let panel = Panel::bottom("pins")
            .exact_size(height + margin.sum().y)
            .resizable(false)
            .show_separator_line(false);
        let shown = panel.frame(frame).show(ui, |ui| {
            let asked = self.chips(ui, session, board_inspector, (height, true));
            if self.card_to_show.is_some() {
                self.set_open(true);
            }
            asked
        });
        shown.inner
    }

    /// The folded cards of pins in a row of this height. All of a card is in the protocol's tab; `unfolds`: in place of the lines.
    fn chips(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        board_inspector: &BoardInspector,
        (height, unfolds): (f32, bool),
    ) -> board_inspector::BoardInspectorRequest {
        let mut asked = board_inspector.chips(ui, session, height);
        if let Some(place) = asked.unfold.take().or(asked.show.take()) {
            self.turn_to(Tab::Protocol);
            (self.unfolds_cards, self.card_to_show) = (unfolds, Some(place));
            self.newest_pin = board_inspector.last_pin();
        }
        asked
    }

    /// The scrolled area of the cards of pins: a new card comes into view.
    fn scroll_of_cards(&mut self, board_inspector: &BoardInspector) -> ScrollArea {
        let newest = board_inspector.last_pin();
        if newest != self.newest_pin {
            (self.newest_pin, self.card_to_show) = (newest, newest);
        }
        let scroll = ScrollArea::vertical().id_salt("pins");
        self.cards_to.take().into_iter().fold(scroll, ScrollArea::vertical_scroll_offset)
    }

    /// Scrolls to the card that is to be seen.
    fn bring_into_view(&mut self, ui: &Ui, cards: &[(Place, Rect)]) {
        let wanted = self.card_to_show.take();
        let card = cards.iter().find(|(place, _)| Some(*place) == wanted);
        if let (Some((_, card)), Some((_, first))) = (card, cards.first()) {
            self.cards_to = Some(card.top() - first.top());
            ui.ctx().request_repaint();
        }
    }

    /// The unfolded cards of pins and the protocol, which scroll together: a phone's sheet has no room for both. Returns whether the
    /// cards are to be folded.
    fn cards_and_lines(
        &mut self,
        ui: &mut Ui,
        session: &Session,
        sides: &[Side],
        board_inspector: &BoardInspector,
        wish: &mut SidePanelRequest,
    ) -> bool {
        let whole = ui.available_height();
        self.scroll_of_cards(board_inspector).max_height(whole).auto_shrink(false).show(ui, |ui| {
            let (asked, cards) = board_inspector.cards(ui, session, Some(true), None);
            let newest = height_of(&cards, board_inspector.last_pin());
            wish.pins = asked;
            self.bring_into_view(ui, &cards);
            let size = vec2(ui.available_width(), (whole - newest).max(LINES_WITH_CONTROLS));
            let (area, _) = ui.allocate_exact_size(size, Sense::hover());
            let lines = UiBuilder::new().max_rect(area).id_salt("lines of the pins");
            ui.scope_builder(lines, |ui| wish.take(self.command_log.show(ui, session, sides)));
        });
        wish.pins.unfold.take().is_some()
    }

    /// The tabs; returns whether the panel should close.
    fn tabs(
        &mut self,
        ui: &mut Ui,
        layout: ScreenLayout,
        roomy: bool,
        (turns, programs, talk): (bool, bool, bool),
    ) -> bool {
        let tab = self.arrangement.tab;
        let apart = layout.panel == PanelPlacement::BothSides;
        let shown = match tab {
            Tab::Talk if !talk || roomy && !turns => Tab::Match,
            Tab::Moves if !turns => Tab::Match,
            Tab::Protocol if apart => Tab::Match,
            Tab::Program if !programs => Tab::Match,
            tab => tab,
        };
        let mut close = false;
        ui.horizontal_wrapped(|ui| {
            let all = [
                (Tab::Match, "Match", Action::ShowMatch),
                (Tab::Moments, "Moments", Action::ShowMoments),
                (Tab::Protocol, "Protocol", Action::ShowInspector),
                (Tab::Moves, "Moves", Action::ShowMoves),
                (Tab::Program, "Program", Action::ShowProgram),
                (Tab::Talk, "Talk", Action::ShowTalk),
            ];
            let is_here = |tab: Tab| match tab {
                Tab::Talk => talk && (!roomy || turns),
                Tab::Moves => turns,
                Tab::Protocol => !apart,
                Tab::Program => programs,
                Tab::Match | Tab::Moments => true,
            };
            let tabs: Vec<_> = all.into_iter().filter(|(tab, ..)| is_here(*tab)).collect();
            let font = FontId::new(BODY, semibold());
            let wide = |text: &str| {
                ui.painter().layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x.ceil()
            };
            let texts: f32 =
                tabs.iter().map(|(_, text, _)| wide(text).max(layout.control(12.0) - 12.0)).sum();
            let below = layout.panel == PanelPlacement::Below;
            let cross = if below { layout.control(30.0) + 4.0 } else { 0.0 };
            ui.spacing_mut().item_spacing.x = 2.0;
            // So much room beside each name that all of them stand in one row, if that is possible.
            let room = ui.available_width() - cross - texts - 2.0 * tabs.len() as f32;
            ui.spacing_mut().button_padding.x = (room / (2.0 * tabs.len() as f32)).floor().clamp(2.0, 9.0);
            for (tab, text, action) in tabs {
                let text = RichText::new(text).family(semibold());
                let button = Button::selectable(shown == tab, text).min_size(vec2(layout.control(0.0), 0.0));
                if ui.add(button).on_hover_text(action.tooltip()).clicked() {
                    self.arrangement.tab = tab;
                }
            }
            if below {
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

/// Height of the row with the folded cards of pins, in points.
fn chips_height(layout: ScreenLayout) -> f32 {
    layout.control(20.0) + CHIPS
}

/// Height of the card of a place.
fn height_of(cards: &[(Place, Rect)], place: Option<Place>) -> f32 {
    cards.iter().find(|(other, _)| Some(*other) == place).map_or(0.0, |(_, card)| card.height())
}

/// A heading, with the unit of what is below it, which is cut where there is no room: a panel is no wider than it is.
fn heading(ui: &mut Ui, text: &str, unit: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(text).family(semibold()).size(BODY + 1.0));
        let unit = RichText::new(unit).size(SMALL).color(Palette::of(ui.ctx()).weak);
        ui.add(Label::new(unit).truncate());
    });
    ui.add_space(2.0);
}

/// The unit of a plot, where its title doesn't say it.
fn unit(plot: &Plot, is_reviewed: bool) -> &'static str {
    match plot.kind {
        PlotKind::Balance if is_reviewed => "the engine’s; a win is at the edge",
        PlotKind::Moves => "seconds a move",
        PlotKind::Balance => "who is ahead; a win is at the edge",
        PlotKind::Steps if plot.title == "Score" => "points",
        PlotKind::Steps | PlotKind::Bars(_) => "",
    }
}

/// Plots that have data now.
fn shown_plots(session: &Session) -> impl Iterator<Item = &Plot> {
    plots_of_match(session).filter(|plot| plot.kind != PlotKind::Balance || !session.awaits_evaluations())
}

/// Plots of the match: the evaluation is left out if no player sends any.
fn plots_of_match(session: &Session) -> impl Iterator<Item = &Plot> {
    let has_evaluation = session.lanes_of_match.has(Lane::Evaluation);
    let plots = session.events.findings().plots.iter();
    plots.filter(move |plot| (plot.kind != PlotKind::Balance || has_evaluation) && session.has_content(plot))
}

/// The plots, one below the other; returns where a click goes.
fn plots(
    ui: &mut Ui,
    session: &Session,
    sides: &[Side],
    (count, height): (usize, f32),
) -> Option<TimelineRequest> {
    let mut goal = None;
    let moves = plot::Moves::of(session);
    for plot in shown_plots(session).take(count) {
        heading(ui, plot.title, unit(plot, session.review.is_complete()));
        goal = plot::show(ui, session, (plot, moves.as_ref()), sides, height).or(goal);
        ui.add_space(8.0);
    }
    goal
}

/// The chat in the remaining space; returns the command of the clicked message.
fn talk(ui: &mut Ui, session: &Session, sides: &[Side], chat: &mut Chat) -> Option<u64> {
    let area = ui.available_rect_before_wrap();
    ui.scope_builder(UiBuilder::new().max_rect(area), |ui| chat.show(ui, session, sides)).inner
}

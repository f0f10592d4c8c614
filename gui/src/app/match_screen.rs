//! Screen of one match.

use std::rc::Rc;

use eframe::egui::{
    CentralPanel, Context, Frame, Panel, Rect, Shape, Stroke, StrokeKind, Ui, UiBuilder, pos2, vec2,
};
use grandstand_board::scoreboard::{self, ScoreboardState};
use grandstand_board::theme::Palette;
use grandstand_board::zoom::BoardZoom;
use grandstand_board::{self as board, BoardInput, BoardOptions};
use grandstand_protocol::SeatRequest;
use grandstand_story::sides::Side;

use super::fight_camera::{self, FightCamera};
use super::{App, wake};
use crate::actions::Action;
use crate::layout::{PanelPlacement, ScreenLayout};
use crate::panels::board_controls::{self, BoardState};
use crate::panels::board_inspector::{self, BoardInspector, Cards, Contents, Shown};
use crate::panels::result_card::{CardPlace, ScoreWords, Surroundings};
use crate::panels::side_panel::{self, SidePanelRequest};
use crate::panels::timeline;
use crate::panels::{evaluation_bar, poster, seat_bar, status, trouble_card};
use crate::session::{Session, Stage};

/// Number of parts that a page shows one frame apart: the timeline, the panel and the board. The first drawing of a
/// part is slow (glyphs, shader compilation), and all at once would block the page.
pub(super) const PARTS: usize = 3;

impl App {
    /// Layout of the screen for what is open.
    pub(super) fn layout(&self, ctx: &Context) -> ScreenLayout {
        let layout = ScreenLayout::of(ctx);
        match &self.session {
            Some(session) if session.seat_client.is_played => layout.played(ctx.content_rect().width()),
            // The card at the end has the room first.
            _ if self.room_below(ctx).is_some() => layout.opened(!self.shows_result_card()),
            _ => layout,
        }
    }

    /// Height below a board in a high window that keeps its size there: the panel stands in it from the start, and the card at the end.
    pub(super) fn room_below(&self, ctx: &Context) -> Option<f32> {
        let layout = ScreenLayout::of(ctx);
        let session = self.session.as_ref().filter(|session| !session.seat_client.is_played)?;
        if layout.panel != PanelPlacement::Below || self.embedded || !self.side_panel.opens_by_itself() {
            return None;
        }
        let size = ctx.content_rect().size();
        let high = size.y - layout.top_height() - timeline::height(layout, session);
        side_panel::room_below(session, layout, vec2(size.x, high))
    }

    /// Shows the screen of a match.
    pub(super) fn show_match(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        let palette = Palette::of(&ctx);
        let off_board = self.cards_off_board(&ctx);
        let mut options = self.board_options();
        let mut player_name = self.settings.player_name.clone();
        let layout = self.layout(&ctx);
        let room_below = self.room_below(&ctx);
        let (ends, leads_on) = (self.shows_result_card(), self.wall.is_none());
        let Some(session) = &mut self.session else { return };
        session.take_wanted_seat(wake(&ctx));
        // Who has played goes on from the place of the seat's controls, and not from the card.
        let goes_on = leads_on && !self.embedded && seat_bar::leads_on(session);
        let next = if goes_on { self.result_card.next_match(&ctx, session) } else { None };
        let leads_on = leads_on && !goes_on;
        // A player has no inspector, and sees no expected moves.
        let plays = session.is_playing();
        options.thoughts &= !plays;
        self.side_panel.make_room(plays && !layout.panel_open);
        // The draft is edited while the rest of the session is borrowed.
        let mut draft = std::mem::take(&mut session.seat_client.draft);
        let session = &*session;
        let is_open = matches!(session.stage, Stage::Open);
        if is_open && self.parts < PARTS {
            self.parts += 1;
            ctx.request_repaint();
        }
        let sides = session.sides();
        let bar = Frame::new().fill(palette.panel);
        let shape = board::view(session.scene()).shape();
        let layout = layout.around(shape, ctx.content_rect().width());
        let mut ask = None;
        let height = timeline::height(layout, session);
        // A match that failed to open has no timeline.
        if !matches!(session.stage, Stage::Failed(_)) {
            Panel::bottom("timeline").exact_size(height).frame(bar).resizable(false).show(ui, |ui| {
                match session.stage {
                    Stage::Open => {
                        self.timeline.set_upright(self.upright);
                        ask = self.timeline.show(ui, layout, session, &sides);
                    }
                    _ => timeline::show_empty(ui, ui.max_rect()),
                }
            });
        }
        let with_panel = self.side_panel.is_open(layout) && !self.embedded && is_open && self.parts > 1;
        if self.board_inspector.update(session) {
            ctx.request_repaint();
        }
        let mut wish = SidePanelRequest::default();
        let mut ending = None;
        if with_panel {
            let card = &mut self.result_card;
            let leads = (leads_on, self.side_panel.shows_program(session));
            let result_card = &mut |ui: &mut Ui, place: CardPlace| {
                if ends {
                    let asked = match place {
                        CardPlace::Foot => card.show_in_panel(ui, layout, (session, &sides), leads),
                        CardPlace::Score(words) => card.show_in_score(ui, words, (session, &sides)),
                    };
                    ending = asked.or(ending.take());
                }
            };
            let pins = (&self.board_inspector, off_board);
            wish = self.side_panel.show(ui, layout, session, &sides, pins, result_card);
        } else if off_board && is_open && self.board_inspector.has_pins() && !plays {
            wish.pins = self.side_panel.show_closed(ui, layout, session, &self.board_inspector);
        }
        self.board_inspector.marked = std::mem::take(&mut wish.places);
        self.board_inspector.bot = wish.bot;
        let ground = Frame::new().fill(palette.ground);
        // The line with the pointer, or the current one while playback is stopped.
        let line = wish.hot.or(Some(session.seq()).filter(|_| wish.inspects && !session.is_running()));
        let cards = Cards {
            on_board: !off_board,
            has_panel: !self.embedded,
            kept: [None; 2],
            beside: None,
            free: None,
        };
        let mut back = false;
        let mut pointed = None;
        let mut on_board = board_inspector::BoardInspectorRequest::default();
        let mut action = None;
        let board_comes = is_open && self.parts < PARTS;
        CentralPanel::default().frame(ground).show(ui, |ui| match &session.stage {
            Stage::Open if board_comes => {}
            Stage::Open => {
                let rect = ui.max_rect();
                let mut top = rect.top() + 4.0;
                if !(layout.score_in_panel() && with_panel) {
                    let size = vec2(rect.width() - 20.0, layout.score_height());
                    let line = Rect::from_min_size(pos2(rect.left() + 10.0, top), size);
                    let told = ends && self.result_card.tells_outcome();
                    let ground = ui.painter().add(Shape::Noop);
                    let rim = if ends && with_panel { self.result_card.rim_in_score() } else { (0.0, 0.0) };
                    let standing = ScoreboardState { told, rim, ..session.standing() };
                    let words = scoreboard::show(ui, line, &standing, &sides);
                    if ends && with_panel {
                        let words = ScoreWords { ground, words, line };
                        ending =
                            self.result_card.show_in_score(ui, words, (session, &sides)).or(ending.take());
                    }
                    top = line.bottom();
                }
                let below = status::banner(ui, session, pos2(rect.left(), top), rect.width());
                let at = pos2(rect.left(), below);
                let (below, asked) = seat_bar::show(
                    ui,
                    session,
                    (&mut draft, &mut player_name),
                    &sides,
                    next,
                    (at, rect.width()),
                );
                action = asked;
                let area = Rect::from_min_max(pos2(rect.left(), below), rect.max).shrink2(vec2(10.0, 4.0));
                let view = board::view(session.scene());
                let is_alone = !with_panel || room_below.is_some();
                let is_high = layout.panel == PanelPlacement::Below && is_alone && !self.embedded;
                let least = if is_high { view.least_shape() } else { shape };
                let wide = area.width() / area.height().max(1.0);
                let shape = if view.fills_width() { wide.max(least) } else { shape };
                let button = board_controls::button(layout);
                options.upright = view.stands_in(area.size());
                self.upright = options.upright;
                let shape = if options.upright { 1.0 / shape } else { shape };
                let board = match room_below {
                    // Pins may stand there in a row.
                    Some(room) if !with_panel => {
                        area.with_max_y(ctx.content_rect().bottom() - height - room - 4.0)
                    }
                    None if is_high => board_controls::upper(area, shape, button),
                    _ => area,
                };
                let whole = board;
                let board = evaluation_bar::beside(&ctx, board, session, &sides);
                let bar = board.left() - whole.left();
                let can_flip = view.can_flip();
                // A finger enlarges the board without buttons.
                let gives_way = layout.is_touched().then_some(self.view.is_whole());
                let count = board_controls::count(view);
                let places = board_controls::divide(board, shape, count, (button, gives_way));
                let result = self.result_card.over_board(&ctx).filter(|_| ends && !with_panel);
                let places = result.map_or(places, |card| board_controls::clear_of(places, card));
                let board = places.board;
                let face = face(ui, session, &self.view, board, options);
                evaluation_bar::show(ui, face, session, &sides);
                let drawn = board_controls::drawn(board, shape);
                let beside = Rect::from_x_y_ranges(face.left() - bar..=face.left(), face.y_range());
                let kept = [places.buttons.map(|(corner, _)| corner), result];
                let cards =
                    Cards { kept, beside: Some(beside).filter(|_| bar > 0.0), free: Some(area), ..cards };
                let contents = Contents::default();
                let extras = Extras { options, line, cards, inspects: !plays, contents: &contents };
                (pointed, on_board) = show_board(
                    ui,
                    board,
                    (&mut self.view, &mut self.fight_camera, &mut self.aims_at_fight),
                    &mut self.board_inspector,
                    session,
                    &sides,
                    extras,
                );
                if session.may_move().is_some() {
                    let whole = view.drawn(board, options);
                    let drawn = if self.view.is_whole() { whole } else { board };
                    turn_frame(ui, drawn);
                }
                let state = BoardState {
                    is_whole: self.view.is_whole(),
                    can_flip,
                    flipped: options.flipped,
                    on_fight: view.has_fights().then_some(self.fight_camera.is_some()),
                };
                let asked = board_controls::show(ui, places, state);
                on_board.action = on_board.action.or(asked);
                if self.embedded && session.awaits_start() && poster::show(ui, board) {
                    on_board.action = Some(Action::PlayPause);
                }
                status::empty_match(ui, session, area);
                let free = Rect::from_min_max(pos2(area.left(), at.y + 4.0), area.max);
                let covered = match places.buttons {
                    Some((corner, false)) => view.drawn(board, options).union(corner),
                    _ => view.drawn(board, options),
                };
                let call = seat_bar::show_on_board(ui, session, &mut player_name, &sides, (free, covered));
                action = call.or(action.take());
                if ends && !with_panel {
                    let card = &mut self.result_card;
                    let head = board.with_max_y(board.top() + view.head(board));
                    let buttons = places.buttons.map(|(corner, _)| corner);
                    let taken = [buttons, cards.beside, Some(head)].into_iter().flatten();
                    let around = Surroundings {
                        area,
                        board: cards.beside.map_or(drawn, |beside| drawn.union(beside)),
                        things: Vec::new(),
                        land: Rc::default(),
                        taken: taken.collect(),
                        controls: ctx.content_rect().bottom() - timeline::controls_height(layout, session),
                        ends_below: options.upright && ends_below(session, board, options),
                    };
                    let picture = session.picture(&[]);
                    let picture = BoardInput { pixels: ctx.pixels_per_point(), ..picture };
                    let shown = Shown {
                        area: board,
                        rect: board,
                        board: session.board(),
                        picture: &picture,
                        options,
                        contents: &contents,
                    };
                    let around = surroundings(around, &shown, &self.board_inspector);
                    ending = card.show_on_board(&ctx, layout, (session, &sides), leads_on, &around);
                }
            }
            Stage::Opening => back = status::opening(ui, session),
            Stage::Failed(trouble) => {
                let width = ui.available_width().min(560.0);
                let left = (ui.available_width() - width) / 2.0;
                let top = ui.available_height() * 0.25;
                let area =
                    Rect::from_min_size(ui.max_rect().min + vec2(left, top), vec2(width, 300.0)).shrink(16.0);
                ui.scope_builder(UiBuilder::new().max_rect(area), |ui| {
                    back = trouble_card::show(ui, trouble, Some("Back to the list"));
                });
            }
        });
        let mut wants_new_game = false;
        if let Some(session) = &mut self.session {
            session.seat_client.draft = draft;
            if session.printed != self.side_panel.printed() {
                session.printed = self.side_panel.printed().to_vec();
            }
            if let (None, Some(request)) = (&action, pointed) {
                session.submit_board_move(request, wake(&ctx));
            }
            match action {
                Some(seat_bar::SeatAction::Sit(team, name)) => session.request_seat(&team, &name, wake(&ctx)),
                Some(seat_bar::SeatAction::Request(request)) => session.request(request, wake(&ctx)),
                Some(seat_bar::SeatAction::Confirm) => {
                    if let Some(request) = session.board().confirm(&session.picture(&[])) {
                        session.submit_board_move(request, wake(&ctx));
                    }
                }
                Some(seat_bar::SeatAction::Resigning(asked)) => session.seat_client.resigning = asked,
                Some(seat_bar::SeatAction::GoLive) => session.go_live(),
                Some(seat_bar::SeatAction::NewGame) => wants_new_game = true,
                Some(seat_bar::SeatAction::GoOn(way)) => ending = Some(way),
                None => {}
            }
        }
        self.settings.player_name = player_name;
        if wants_new_game {
            self.ask_for_new_game();
        }
        if let Some(seq) = wish.seq
            && let Some(session) = &mut self.session
        {
            session.seek_seq(seq);
        }
        if let Some(ending) = ending {
            self.handle_result_card(&ctx, ending);
        }
        if let Some(words) = wish.notice {
            self.say(&ctx, words);
        }
        self.take_asked(&ctx, on_board.or(wish.pins));
        if wish.close {
            self.side_panel.toggle(layout);
        }
        if let Some(ask) = ask.or(wish.ask) {
            self.ask(&ctx, ask);
        }
        if back {
            self.perform(&ctx, Action::ShowMatchList);
        }
    }
}

/// Additions to the picture on the board.
#[derive(Debug, Clone, Copy)]
struct Extras<'a> {
    options: BoardOptions,
    /// The protocol line whose places are marked.
    line: Option<u64>,
    cards: Cards,
    /// Whether the inspector is active.
    inspects: bool,
    /// What stands on the whole board.
    contents: &'a Contents,
}

/// The rectangle of the board itself that is shown in `board`: all of that while it is enlarged.
fn face(ui: &Ui, session: &Session, zoom: &BoardZoom, board: Rect, options: BoardOptions) -> Rect {
    if !zoom.is_whole() {
        return board;
    }
    let picture = BoardInput { pixels: ui.ctx().pixels_per_point(), ..session.picture(&[]) };
    session.board().face(board, &picture, options)
}

/// Paints the frame around the board that tells the viewer to move, over everything that is painted there.
fn turn_frame(ui: &Ui, drawn: Rect) {
    let frame = drawn.expand(4.0).intersect(ui.max_rect());
    let ring = Stroke::new(2.0, Palette::of(ui.ctx()).accent);
    ui.painter().rect_stroke(frame, 6.0, ring, StrokeKind::Inside);
}

/// Number of commands at the end of a match that say where it ended.
const LAST: u64 = 60;

/// Whether the match ended in the lower half of the board that is drawn in `rect`.
fn ends_below(session: &Session, rect: Rect, options: BoardOptions) -> bool {
    let (log, picture) = (session.log(), session.picture(&[]));
    let last = log.last_seq();
    let commands = (last.saturating_sub(LAST) + 1..=last).filter_map(|seq| log.command(seq));
    let places = commands.flat_map(|command| command.places(log.game()).collect::<Vec<_>>());
    let heights = places.filter_map(|place| session.board().area_of(rect, &picture, options, place));
    let (count, sum) = heights.fold((0.0, 0.0), |(count, sum), area| (count + 1.0, sum + area.center().y));
    sum > count * rect.center().y
}

/// The surroundings of the result card, with what stands on the board.
fn surroundings(around: Surroundings, shown: &Shown<'_>, inspector: &BoardInspector) -> Surroundings {
    let texts = shown.texts().unwrap_or_default();
    // Names may stand outside.
    let whole = texts.iter().fold(around.board, |all, text| all.union(text.intersect(around.area)));
    let mut things = [shown.things(), shown.heights(), texts].concat();
    things.extend(inspector.pinned().filter_map(|place| shown.area_of(place)));
    let land = shown.board.land(shown.rect, shown.picture, shown.options);
    Surroundings { board: whole, things, land, ..around }
}

fn show_board(
    ui: &mut Ui,
    area: Rect,
    (view, fight_camera, aims): (&mut BoardZoom, &mut Option<FightCamera>, &mut bool),
    board_inspector: &mut BoardInspector,
    session: &Session,
    sides: &[Side],
    extras: Extras<'_>,
) -> (Option<SeatRequest>, board_inspector::BoardInspectorRequest) {
    let Extras { options, line, cards, inspects, contents } = extras;
    let measures = board_inspector.measures();
    let follows = board_inspector.follows();
    let closest = board::view(session.scene()).closest();
    let (rect, response) = view.place(ui, area, closest, !measures && !follows);
    if fight_camera::is_handled(ui, &response) {
        *fight_camera = None;
    }
    let clip = ui.clip_rect();
    if !view.is_whole() {
        ui.shrink_clip_rect(area);
    }
    let hidden = std::mem::take(&mut board_inspector.hidden);
    let picture = session.picture(sides);
    // No moves are made while the ruler is used.
    let may_move = picture.may_move.filter(|_| !measures);
    let picture = BoardInput { pixels: ui.ctx().pixels_per_point(), hidden: &hidden, may_move, ..picture };
    // What stands on an enlarged board is elsewhere.
    let enlarged = Contents::default();
    let contents = if view.is_whole() { contents } else { &enlarged };
    let zoom_of = |rect: Rect| rect.width() / area.width().max(1.0);
    let picture = BoardInput { seen: Some(area), ..picture };
    let before = BoardInput { zoom: zoom_of(rect), ..picture };
    let shown = Shown { area, rect, board: session.board(), picture: &before, options, contents };
    let rect = match board_inspector.followed_at(&shown) {
        Some(place) => {
            // As fast as the eye follows, at any frame rate.
            let part = 1.0 - (-8.0 * ui.input(|input| input.stable_dt)).exp();
            if !view.bring_to_middle(place, part) {
                ui.ctx().request_repaint();
            }
            view.rect(area)
        }
        None => match fight_camera {
            Some(camera) => {
                camera.follow(ui, view, &shown, closest);
                view.rect(area)
            }
            None if std::mem::take(aims) => {
                let from_middle = |fight: Rect| (fight.center() - rect.center()) / rect.size();
                if let Some(fight) = shown.fight() {
                    view.bring_to_middle(from_middle(fight), 1.0);
                }
                view.rect(area)
            }
            None => rect,
        },
    };
    let picture = BoardInput { zoom: zoom_of(rect), ..picture };
    let shown = Shown { rect, picture: &picture, ..shown };
    let guides = !inspects && session.is_following();
    let (cursor, pressed) = if guides {
        board_inspector.guide(ui, &shown, &response)
    } else {
        if !inspects {
            board_inspector.leave_board();
        }
        (None, false)
    };
    let picture = BoardInput { cursor, pressed: pressed && picture.may_move.is_some(), ..picture };
    let begun = session.board().begun(&picture);
    let pointed = session.board().show(ui, rect, &picture, options);
    if session.board().begun(&picture) != begun {
        ui.ctx().request_repaint();
    }
    if !inspects {
        if response.clicked() && picture.may_move.is_none() && session.is_my_turn() == Some(false) {
            seat_bar::tell(ui);
        }
        let shown = Shown { picture: &picture, ..shown };
        board_inspector.paint_cursor(ui, &shown);
        ui.set_clip_rect(clip);
        board_inspector.hidden = hidden;
        return (pointed, board_inspector::BoardInspectorRequest::default());
    }
    let shown = Shown { picture: &picture, ..shown };
    let mut asked = board_inspector.show(ui, shown, session, line, &response, cards);
    if response.clicked() && seat_bar::is_offered(session) {
        // Who presses means to play.
        asked.pin = None;
        seat_bar::tell(ui);
    }
    ui.set_clip_rect(clip);
    board_inspector.hidden = hidden;
    let action = board_inspector.show_authors(ui, area, session, sides, options);
    (pointed, board_inspector::BoardInspectorRequest { action, ..asked })
}

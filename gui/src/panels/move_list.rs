//! Moves of a turn game in two columns. The current one is highlighted; a click seeks to one.

use std::collections::HashMap;

use eframe::egui::{
    Align, Button, Color32, CursorIcon, FontId, Layout, Rect, RichText, Role, Sense, Shape, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use grandstand_board::badge::team_badge;
use grandstand_board::text::paint_left;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_story::judgements::Judgement;
use grandstand_story::markers::{Marker, Origin, Visible};
use grandstand_story::moves::Move;
use grandstand_story::sides::Side;
use grandstand_story::{format, story};

use super::review_row::{self, ReviewRequest};
use super::timeline::TimelineRequest;
use crate::actions::Action;
use crate::layout::ScreenLayout;
use crate::session::Session;
use crate::session::review::ReviewState;
use crate::widgets::add_enabled;
use crate::widgets::rows::Rows;

/// Height of a row under a pointer, in points.
const ROW: f32 = 26.0;
/// Width of the number before a move, in points.
const NUMBER: f32 = 30.0;
/// Width of the sign of a key moment after a move, in points.
const MOMENT: f32 = 14.0;
/// Width of the evaluation after a move, in points.
const SCORE: f32 = 52.0;

/// Width from which the count of the moves stands above the button to find the mistake, in points.
const ROOM_FOR_COUNT: f32 = 380.0;
/// Width of the button that copies the moves, with the gap before it, in points.
const ROOM_FOR_COPY: f32 = 72.0;

/// The list and its cached rows.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    rows: Rows,
    /// Indices of the moves in each row.
    order: Vec<[Option<usize>; 2]>,
    /// Key of `order`: the version of the moves, and whether there are two columns.
    order_of: Option<(u64, bool)>,
    /// Width of the widest move, with the version of the moves that it holds for.
    widest: Option<(u64, f32)>,
    /// The key moments of moves: the move, and the place of the moment among those that were found.
    moments: HashMap<usize, usize>,
    /// Key of `moments`: versions of moves and moments, and which of these are visible.
    moments_of: Option<(u64, u64, Visible)>,
    /// The move that was last scrolled to.
    revealed: Option<usize>,
}

impl Moves {
    /// Shows the list in the remaining space.
    pub(crate) fn show(&mut self, ui: &mut Ui, session: &Session, sides: &[Side]) -> Option<TimelineRequest> {
        let moves = &session.events.findings().moves;
        let mut ask = None;
        // In a narrow panel the rows have the height: the button to find the mistake stands in place of the count.
        let is_offered = session.can_be_reviewed() && matches!(session.review.state(), ReviewState::Off);
        let in_a_row = ui.available_width() < ROOM_FOR_COUNT && is_offered && !moves.list().is_empty();
        let height = ScreenLayout::of(ui.ctx()).control(ROW - 2.0) + 2.0;
        let columns = self.fits_two(ui, session, ui.available_width());
        self.sort(session, columns);
        self.find_moments(session);
        let with_scores = !session.is_spoiler_free();
        let whose = moves.list().iter().any(|made| made.score.is_some()).then_some(
            match session.review.is_complete() {
                true => "evaluations: the engine’s",
                false => "evaluations: each player’s own",
            },
        );
        let whose = whose.filter(|_| with_scores);
        let buttons = |ui: &mut Ui| {
            let review = in_a_row.then(|| review_row::show(ui, (session, sides), 0.0)).flatten();
            if !in_a_row {
                ui.label(moves.count());
                if let Some(whose) = whose {
                    show_beside(ui, whose, ROOM_FOR_COPY);
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let copy = add_enabled(ui, !moves.list().is_empty(), Button::new("Copy"));
                copy.widget_info(|| WidgetInfo::labeled(Role::Button, true, Action::CopyMoves.name()));
                if copy.on_hover_text(Action::CopyMoves.tooltip()).clicked() {
                    ask = Some(TimelineRequest::Action(Action::CopyMoves));
                }
            });
            review
        };
        let review = self.rows.head(ui, (self.order.len(), height, if columns { 2 } else { 1 }), |ui| {
            let review = ui.horizontal(buttons).inner;
            match moves.list().is_empty() {
                true => None,
                false => review.or_else(|| review_row::show(ui, (session, sides), 0.0)),
            }
        });
        if moves.list().is_empty() {
            ui.add_space(12.0);
            ui.vertical_centered(|ui| ui.weak("No move yet."));
            return ask;
        }
        if let Some(wish) = review.flatten() {
            ask = Some(match wish {
                ReviewRequest::Toggle => TimelineRequest::Action(Action::FindMistakes),
                ReviewRequest::Seq(seq) => TimelineRequest::Seq(seq),
            });
        }
        ui.add_space(2.0);
        let area = ui.available_rect_before_wrap();
        let current = moves.at(session.seq());
        if current != self.revealed {
            self.revealed = current;
            let row = current.and_then(|at| self.order.iter().position(|row| row.contains(&Some(at))));
            row.into_iter().for_each(|row| self.rows.reveal(row));
        }
        let winning = winning_move(session);
        let is_reviewed = session.review.is_complete();
        let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("moves"));
        let mut clicked = None;
        let (order, moments) = (&self.order, &self.moments);
        let [found, _] = session.marker_lists();
        let cast = session.events.findings().markers.cast(sides);
        let score_text = |score| story(session.scene()).score_text(score);
        // A move without an evaluation, of a player that tells some, has a dash.
        let tells = [0, 1].map(|side| {
            let is_told = |made: &Move| made.side == side && made.score.is_some();
            with_scores && moves.list().iter().any(is_told)
        });
        let judgements = &session.events.findings().judgements;
        self.rows.show(&mut child, order.len(), height, |ui, row, rect, _| {
            let width = if columns { rect.width() / 2.0 } else { rect.width() };
            for (column, at) in order[row].into_iter().enumerate() {
                let Some((at, made)) = at.and_then(|at| Some((at, moves.list().get(at)?))) else { continue };
                let left = if columns { rect.left() + column as f32 * width } else { rect.left() };
                let cell = Rect::from_min_size(pos2(left, rect.top()), vec2(width, rect.height()));
                let judged = judgements.of(made.seq).filter(|_| with_scores);
                let own = made.score.filter(|_| !is_reviewed).map(|score| Evaluation::Own(score_text(score)));
                let (side, tells) = (sides.get(made.side), tells.get(made.side).is_some_and(|tells| *tells));
                // Until the review is complete a list has no evaluations of the engine among those of the players.
                let engines = made.score.or_else(|| Some(judged?.after)).filter(|_| is_reviewed || !tells);
                let engines = || engines.map(|score| Evaluation::Engines(score_text(score)));
                let won = (winning == Some(at)).then_some(Evaluation::Won);
                let score = won.or(own).or_else(engines).filter(|_| with_scores);
                let moment = moments.get(&at).and_then(|at| found.get(*at));
                let moment =
                    moment.map(|marker| (cast.side(marker).map(|(_, side)| side), marker.words(&cast)));
                let shown = Cell { made, score, judged, moment, side, badge: !columns, tells };
                if shown.show(ui, cell, (Some(at) == current, made.seq > session.seq())) {
                    clicked = Some(session.whole_move(made));
                }
            }
        });
        ui.advance_cursor_after_rect(area);
        clicked.map(TimelineRequest::Seq).or(ask)
    }

    /// Whether two columns have room for the widest move with its number and evaluation.
    fn fits_two(&mut self, ui: &Ui, session: &Session, width: f32) -> bool {
        let moves = &session.events.findings().moves;
        let known = self.widest.filter(|(version, _)| *version == moves.version());
        let (_, widest) = *self.widest.insert(known.unwrap_or_else(|| {
            // Letters differ in width: of the longest moves up to 64 are measured.
            let most = moves.list().iter().map(|made| made.words().chars().count()).max().unwrap_or(0);
            let long = moves.list().iter().map(Move::words).filter(|words| words.chars().count() + 2 >= most);
            let font = FontId::proportional(BODY);
            let wide = long
                .take(64)
                .map(|words| ui.painter().layout_no_wrap(words, font.clone(), Color32::WHITE).size().x);
            (moves.version(), wide.fold(0.0, f32::max))
        }));
        NUMBER + widest + SCORE <= width / 2.0 - 8.0
    }

    /// Finds the first key moment of the game in each move.
    fn find_moments(&mut self, session: &Session) {
        let findings = session.events.findings();
        let key = (findings.moves.version(), findings.markers.version(), session.visible());
        if self.moments_of.as_ref() == Some(&key) {
            return;
        }
        self.moments.clear();
        let [found, _] = session.marker_lists();
        let is_key = |marker: &Marker| marker.major && marker.origin == Origin::Game && key.2.has(marker);
        for (place, marker) in found.iter().enumerate().filter(|(_, marker)| is_key(marker)) {
            if let Some(at) = findings.moves.at(marker.seq) {
                self.moments.entry(at).or_insert(place);
            }
        }
        self.moments_of = Some(key);
    }

    /// Puts the moves into rows. In two columns, the first side's moves are at the left.
    fn sort(&mut self, session: &Session, columns: bool) {
        let moves = &session.events.findings().moves;
        let key = Some((moves.version(), columns));
        if self.order_of == key {
            return;
        }
        (self.order_of, self.revealed) = (key, None);
        self.order.clear();
        for (at, made) in moves.list().iter().enumerate() {
            let column = if columns { made.side.min(1) } else { 0 };
            match self.order.last_mut() {
                Some(row) if column == 1 && row[1].is_none() => row[1] = Some(at),
                _ => {
                    let mut row = [None; 2];
                    row[column] = Some(at);
                    self.order.push(row);
                }
            }
        }
    }
}

/// Index of the last move, if that is the one that won.
fn winning_move(session: &Session) -> Option<usize> {
    let result = session.result().filter(|result| format::is_by_move(&result.termination))?;
    let list = session.events.findings().moves.list();
    let last = list.last()?;
    let sides = story(session.scene()).sides(&[]);
    let is_winners = sides.get(last.side).is_some_and(|side| Some(&*side.key) == result.winner.as_deref());
    is_winners.then(|| list.len() - 1)
}

/// Shows words that explain, where they have room before the last `kept` points of a row.
fn show_beside(ui: &mut Ui, words: &str, kept: f32) {
    let font = FontId::proportional(SMALL);
    let wide = ui.painter().layout_no_wrap(words.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
    if wide + kept <= ui.available_width() {
        ui.label(RichText::new(words).font(font).weak());
    }
}

/// What stands beside a move.
enum Evaluation {
    /// It won the match.
    Won,
    /// What who moved thought before it, from their point of view.
    Own(String),
    /// What the engine thinks, from the point of view of who moved.
    Engines(String),
}

impl Evaluation {
    /// The words beside the move.
    fn short(&self) -> &str {
        match self {
            Evaluation::Won => "wins",
            Evaluation::Own(score) | Evaluation::Engines(score) => score,
        }
    }

    /// Whose it is: `White’s own evaluation: wins in 4`.
    fn whole(&self, side: Option<&Side>) -> String {
        match self {
            Evaluation::Won => "wins the match".to_owned(),
            Evaluation::Own(score) => match side {
                Some(side) => format!("{} own evaluation: {score}", side.whose()),
                None => format!("own evaluation: {score}"),
            },
            Evaluation::Engines(score) => format!("the engine’s evaluation: {score}"),
        }
    }
}

/// One move of the list.
struct Cell<'a> {
    made: &'a Move,
    /// Its evaluation: the engine's where it judged all moves or the player said none.
    score: Option<Evaluation>,
    /// The engine's judgement.
    judged: Option<&'a Judgement>,
    /// The key moment that it brought: whose it is, and its words.
    moment: Option<(Option<&'a Side>, String)>,
    side: Option<&'a Side>,
    /// Whether the team's badge stands before it.
    badge: bool,
    /// Whether who made it tells evaluations.
    tells: bool,
}

impl Cell<'_> {
    /// Shows the move; returns whether it was clicked.
    fn show(&self, ui: &Ui, cell: Rect, (current, future): (bool, bool)) -> bool {
        let palette = Palette::of(ui.ctx());
        let rect = cell.shrink2(vec2(1.0, 1.0));
        let response = ui.interact(rect, ui.scope_id().with(("move", self.made.seq)), Sense::click());
        response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, current, self.words()));
        let painter = ui.painter();
        if current {
            painter.rect_filled(rect, 5.0, mix(palette.panel, palette.accent, 0.28));
        } else if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, 5.0, palette.raised);
        }
        if response.has_focus() {
            painter.rect_stroke(rect, 5.0, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
        }
        let small = FontId::proportional(SMALL);
        let number = painter.layout_no_wrap(self.made.number.to_string(), small.clone(), palette.weak);
        let at = pos2(rect.left() + NUMBER - 8.0 - number.size().x, rect.center().y - number.size().y / 2.0);
        painter.galley(at, number, palette.weak);
        let mut left = rect.left() + NUMBER;
        if let Some(side) = self.side.filter(|_| self.badge) {
            team_badge(ui, side, pos2(left + 5.0, rect.center().y), 5.5);
            left += 18.0;
        }
        let ink = if future { palette.weak } else { palette.text };
        let room = rect.right() - SCORE - left;
        let middle = pos2(left, rect.center().y);
        let mut wide = paint_left(painter, middle, &self.made.words(), FontId::proportional(BODY), ink, room);
        if let Some((whose, _)) = self.moment.as_ref().filter(|_| wide + MOMENT < room) {
            // The sign of the timeline.
            let at = middle + vec2(wide + MOMENT / 2.0 + 2.0, 0.0);
            let color = whose.map_or(palette.weak, |side| palette.side(side));
            let corners = [vec2(-4.0, -3.0), vec2(4.0, -3.0), vec2(0.0, 4.0)].map(|corner| at + corner);
            painter.add(Shape::convex_polygon(corners.to_vec(), color, Stroke::NONE));
            wide += MOMENT;
        }
        if let Some(judged) = self.judged.filter(|judged| judged.is_mistake()) {
            let color = if judged.mark == "??" { palette.error } else { palette.warning };
            let at = middle + vec2(wide + 5.0, 0.0);
            paint_left(painter, at, judged.mark, FontId::new(BODY, semibold()), color, room - wide);
        }
        if let Some(score) = self.score.as_ref().map(Evaluation::short).or(self.tells.then_some("–")) {
            let score = painter.layout_no_wrap(score.to_owned(), small, palette.weak);
            let at = rect.right_center() - vec2(score.size().x + 6.0, score.size().y / 2.0);
            painter.galley(at, score, palette.weak);
        }
        let response = response.on_hover_cursor(CursorIcon::PointingHand);
        let evaluation = self.evaluation().map(|words| format::capitalised(&words));
        let moment = self.moment.as_ref().map(|(_, words)| format::capitalised(words));
        let mistake = self.mistake().map(|(_, words)| words);
        let told: Vec<String> = moment.into_iter().chain(evaluation).chain(mistake).collect();
        match told.is_empty() {
            true => response.clicked(),
            false => response.on_hover_text(told.join("\n")).clicked(),
        }
    }

    /// Whose evaluation stands beside the move, in words.
    fn evaluation(&self) -> Option<String> {
        self.score.as_ref().map(|score| score.whole(self.side))
    }

    /// Text for screen readers: `Move 12, White: i9, takes; White’s own evaluation: +30`.
    fn words(&self) -> String {
        let Move { number, text, takes, .. } = self.made;
        let name = self.side.map_or("", |side| &side.name);
        let takes = if *takes { ", takes" } else { "" };
        let score = self.evaluation().map_or_else(String::new, |words| format!("; {words}"));
        let mistake = self.mistake().map_or_else(String::new, |(mark, words)| format!("; {mark} {words}"));
        let moment = self.moment.as_ref().map_or_else(String::new, |(_, words)| format!("; {words}"));
        format!("Move {number}, {name}: {text}{takes}{score}{mistake}{moment}")
    }

    /// The engine's mark of a bad move, and what it says of it.
    fn mistake(&self) -> Option<(&str, String)> {
        let judged = self.judged.filter(|judged| judged.is_mistake())?;
        Some((judged.mark, judged.words(self.side?)))
    }
}

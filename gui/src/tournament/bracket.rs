//! Elimination bracket: columns of rounds, with each encounter between those that lead to it.

use std::collections::HashMap;

use eframe::egui::{
    CollapsingHeader, CursorIcon, FontFamily, FontId, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::tournament::{Bracket, BracketPlace};

use super::TournamentRequest;
use super::known::{KnownEncounter, VisibleTournament};
use super::standings::{heading, points};
use super::table::MARGIN;
use crate::address::tournament::TournamentView;
use crate::layout::ScreenLayout;

/// Least size of a box, its largest width, the room that a name leaves in it, and gaps between boxes, in points.
const BOX: [f32; 2] = [190.0, 50.0];
const WIDEST: f32 = 280.0;
/// Height and largest width of a box in a list, for fingers, in points.
const ROW: f32 = 56.0;
const WIDEST_ROW: f32 = 420.0;
const BESIDE: f32 = 56.0;
/// Encounters whose names are measured at most.
const MEASURED: usize = 256;
const GAP: [f32; 2] = [36.0, 14.0];
/// Players in the first round at most, and rounds.
const SLOTS_MAX: u32 = 4_096;
const ROUNDS_MAX: u32 = 32;
/// Height of a round's title above the boxes, in points.
const TITLE: f32 = 22.0;

/// Shows the brackets of a stage; returns what was pressed.
pub(super) fn show(ui: &mut Ui, known: &VisibleTournament<'_>, stage: usize) -> Option<TournamentRequest> {
    let rounds = known.rounds(stage);
    let all: Vec<(BracketPlace, &KnownEncounter<'_>)> = rounds
        .iter()
        .flat_map(|round| &round.encounters)
        .filter_map(|encounter| Some((encounter.encounter.bracket?, encounter)))
        .filter(|(place, _)| fits(*place))
        .collect();
    if all.is_empty() {
        ui.weak("No round of this stage can be shown yet.");
    }
    let mut asked = None;
    for bracket in Bracket::ALL {
        let boxes: Vec<_> = all.iter().filter(|(place, _)| place.bracket == bracket).copied().collect();
        if boxes.is_empty() {
            continue;
        }
        let is_double = all.iter().any(|(place, _)| place.bracket == Bracket::Losers);
        heading(ui, bracket.title(is_double));
        asked = match ScreenLayout::of(ui.ctx()).phone {
            true => folded(ui, known, (stage, bracket), &boxes),
            false => columns(ui, known, (stage, bracket), &boxes),
        }
        .or(asked);
    }
    ui.add_space(16.0);
    asked
}

/// The rounds of a bracket one below the other, the latest first and open: a phone has no room for columns.
fn folded(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    (stage, bracket): (usize, Bracket),
    boxes: &[(BracketPlace, &KnownEncounter<'_>)],
) -> Option<TournamentRequest> {
    let slots = BracketPlace::slots(boxes.iter().map(|(place, _)| *place));
    let last = boxes.iter().map(|(place, _)| place.round).max().unwrap_or(0);
    let mut asked = None;
    for round in (0..=last).rev() {
        let of_round = || boxes.iter().filter(|(place, _)| place.round == round);
        let count = of_round().count();
        if count == 0 {
            continue;
        }
        let mut show = |ui: &mut Ui| {
            for (_, encounter) in of_round() {
                asked = encounter_row(ui, known, stage, encounter).or(asked.take());
            }
        };
        if matches!(bracket, Bracket::GrandFinal | Bracket::ThirdPlace) {
            show(ui);
            continue;
        }
        let title = bracket.round_title(round, slots);
        let title = if count > 1 { format!("{title} · {count} encounters") } else { title };
        let fold = CollapsingHeader::new(title).id_salt((bracket.title(true), round));
        fold.default_open(round == last).show(ui, show);
    }
    asked
}

/// An encounter as a box of the screen's width.
pub(super) fn encounter_row(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    stage: usize,
    encounter: &KnownEncounter<'_>,
) -> Option<TournamentRequest> {
    let left = ui.cursor().left() - ui.clip_rect().left();
    let width = (ui.clip_rect().width() - left.max(0.0) - MARGIN).min(WIDEST_ROW);
    let (rect, _) = ui.allocate_exact_size(vec2(width, ROW), Sense::hover());
    let asked = encounter_box(ui, known, stage, rect, encounter);
    ui.add_space(4.0);
    asked
}

fn columns(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    (stage, bracket): (usize, Bracket),
    boxes: &[(BracketPlace, &KnownEncounter<'_>)],
) -> Option<TournamentRequest> {
    let palette = Palette::of(ui.ctx());
    let rounds = boxes.iter().map(|(place, _)| place.round + 1).max().unwrap_or(0);
    // With byes nobody may play in the first round of the losers' bracket.
    let first = boxes.iter().map(|(place, _)| place.round).min().unwrap_or(0);
    let slots = BracketPlace::slots(boxes.iter().map(|(place, _)| *place));
    let width = box_width(ui, boxes);
    let step = vec2(width + GAP[0], BOX[1] + GAP[1]);
    let places: Vec<BracketPlace> = boxes.iter().map(|(place, _)| *place).collect();
    let tree = Tree::of(&places);
    let (heights, rows) = tree.heights();
    let above = if matches!(bracket, Bracket::Winners | Bracket::Losers) { TITLE } else { 0.0 };
    let size = vec2(step.x * (rounds - first) as f32 - GAP[0], above + step.y * rows as f32);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let place_of = |index: usize| {
        let y = area.top() + above + step.y * (heights[index] + 0.5);
        let left = area.left() + step.x * (places[index].round - first) as f32;
        Rect::from_center_size(pos2(left + width / 2.0, y), vec2(width, BOX[1]))
    };
    for round in (first..rounds).filter(|_| above > 0.0) {
        let at = pos2(area.left() + step.x * (round - first) as f32, area.top() + TITLE / 2.0);
        let font = FontId::new(SMALL, semibold());
        paint_left(ui.painter(), at, &bracket.round_title(round, slots), font, palette.weak, width);
    }
    // Lines from a box to the boxes of the round before that its players come from.
    for to in 0..places.len() {
        for from in tree.before(to) {
            connect(ui, place_of(from).right_center(), place_of(to).left_center());
        }
    }
    let mut asked = None;
    for (index, (_, encounter)) in boxes.iter().enumerate() {
        asked = encounter_box(ui, known, stage, place_of(index), encounter).or(asked);
    }
    asked
}

/// Places of a bracket, and which of them lead to which.
struct Tree<'a> {
    places: &'a [BracketPlace],
    index: HashMap<(u32, u32), usize>,
}

impl Tree<'_> {
    fn of(places: &[BracketPlace]) -> Tree<'_> {
        let index = places.iter().enumerate().map(|(index, place)| ((place.round, place.position), index));
        Tree { places, index: index.collect() }
    }

    /// The places of the round before whose winners go on to this one.
    fn before(&self, to: usize) -> impl Iterator<Item = usize> {
        let BracketPlace { bracket, round, position } = self.places[to];
        let before = round.checked_sub(1);
        let halved = before.is_some_and(|before| bracket.halvings(round) > bracket.halvings(before));
        let from = if halved { 2 * position..2 * position + 2 } else { position..position + 1 };
        from.filter_map(move |from| self.index.get(&(before?, from)).copied())
    }

    /// Where the boxes stand, in rows from above, and the number of rows: a box that no other one leads to has a row, every
    /// other box stands in the middle of those that lead to it. So byes leave no gaps.
    fn heights(&self) -> (Vec<f32>, usize) {
        // The middle in a bracket without byes, in halves of the first round's rows.
        let middle = |place: &BracketPlace| {
            (2 * u64::from(place.position) + 1) << place.bracket.halvings(place.round).min(ROUNDS_MAX)
        };
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|index| middle(&self.places[*index]));
        let mut heights = vec![0.0; self.places.len()];
        let mut rows = 0;
        for index in &order {
            if self.before(*index).next().is_none() {
                heights[*index] = rows as f32;
                rows += 1;
            }
        }
        order.sort_by_key(|index| self.places[*index].round);
        for index in order {
            let (count, sum) =
                self.before(index).fold((0, 0.0), |(count, sum), from| (count + 1, sum + heights[from]));
            if count > 0 {
                heights[index] = sum / count as f32;
            }
        }
        (heights, rows)
    }
}

/// Width of the boxes, which the longest name fits into with its points.
fn box_width(ui: &Ui, boxes: &[(BracketPlace, &KnownEncounter<'_>)]) -> f32 {
    let names = boxes.iter().take(MEASURED).flat_map(|(_, encounter)| &encounter.encounter.players);
    let widest = names.map(|name| {
        let font = FontId::new(BODY, semibold());
        ui.painter().layout_no_wrap(name.clone(), font, Palette::of(ui.ctx()).text).size().x
    });
    (widest.fold(0.0, f32::max) + BESIDE).clamp(BOX[0], WIDEST)
}

/// Whether a place is in a bracket of at most [`SLOTS_MAX`] players; a server may tell any numbers.
fn fits(place: BracketPlace) -> bool {
    let halvings = place.bracket.halvings(place.round);
    place.round < ROUNDS_MAX && u64::from(place.position) < u64::from(SLOTS_MAX) >> halvings
}

fn connect(ui: &Ui, from: Pos2, to: Pos2) {
    let stroke = Stroke::new(1.5, Palette::of(ui.ctx()).line);
    let middle = f32::midpoint(from.x, to.x);
    ui.painter().line(vec![from, pos2(middle, from.y), pos2(middle, to.y), to], stroke);
}

pub(super) fn encounter_box(
    ui: &mut Ui,
    known: &VisibleTournament<'_>,
    stage: usize,
    rect: Rect,
    of: &KnownEncounter<'_>,
) -> Option<TournamentRequest> {
    let palette = Palette::of(ui.ctx());
    let id = Id::unique(("bracket", of.encounter.first_game));
    let response = ui.interact(rect, id, Sense::click());
    let names = &of.encounter.players;
    let so_far =
        of.encounter.points.filter(|_| of.result.is_none() && !known.hides() && !of.games.is_empty());
    let so_far = so_far.map(|both| both.map(|points| points.0));
    let state = match of.result {
        Some(result) => {
            let [a, b] = result.points.map(points);
            format!("{a} : {b}")
        }
        None if known.hides() => "hidden".to_owned(),
        None => match so_far {
            Some([a, b]) => format!("being played, {} : {}", points(a), points(b)),
            None => "to be played".to_owned(),
        },
    };
    let (press, does) = press(known, stage, of);
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Button, true, format!("{} – {}, {state}", names[0], names[1]))
    });
    if !ui.is_rect_visible(rect) {
        return None;
    }
    let hot = response.hovered() || response.has_focus();
    ui.painter().rect_filled(rect, 6.0, mix(palette.raised, palette.accent, if hot { 0.14 } else { 0.0 }));
    ui.painter().rect_stroke(rect, 6.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
    let middle = Stroke::new(1.0, palette.line);
    ui.painter().hline(rect.x_range(), rect.center().y, middle);
    for (side, name) in names.iter().enumerate() {
        let y = rect.top() + rect.height() * (0.25 + 0.5 * side as f32);
        let won = of.result.is_some_and(|result| result.winner == Some(side));
        let font = FontId::new(BODY, if won { semibold() } else { FontFamily::Proportional });
        let ink = if won || of.result.is_none() { palette.text } else { palette.weak };
        let score = of.result.map(|result| result.points).or(so_far);
        let score = score.map_or_else(String::new, |both| points(both[side]));
        let score = fitted(ui.painter(), &score, font.clone(), ink, 50.0);
        let at = pos2(rect.right() - 9.0 - score.size().x, y - score.size().y / 2.0);
        let mut room = at.x - rect.left() - 17.0;
        ui.painter().galley(at, score, ink);
        if won && of.result.is_some_and(|result| result.by_seed) {
            let why = fitted(ui.painter(), "by seed", FontId::proportional(SMALL), palette.weak, room);
            room -= why.size().x + 6.0;
            ui.painter().galley(pos2(at.x - 6.0 - why.size().x, y - why.size().y / 2.0), why, palette.weak);
        }
        paint_left(ui.painter(), pos2(rect.left() + 9.0, y), name, font, ink, room);
    }
    let clicked = response.clicked();
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(does);
    press.filter(|_| clicked)
}

/// Action of a press on an encounter, with its text: its games, or if the result is hidden its first unwatched game.
fn press(
    known: &VisibleTournament<'_>,
    stage: usize,
    of: &KnownEncounter<'_>,
) -> (Option<TournamentRequest>, String) {
    if known.hides() && of.result.is_none() {
        let game = of.games.iter().copied().find(|game| !known.was_watched(*game));
        let does = game.map_or_else(|| "Hidden".to_owned(), |game| format!("Watch game {game}"));
        return (game.map(TournamentRequest::Watch), does);
    }
    let players = of.encounter.players.each_ref().map(|name| known.number(name));
    let games = TournamentView::games_between(players, u32::try_from(stage + 1).ok());
    let by_seed = of.result.is_some_and(|result| result.by_seed);
    let does = if by_seed { "Level: the better seed advances. Opens its games" } else { "Opens its games" };
    (Some(TournamentRequest::Go(games)), does.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byes_leave_no_gaps_in_a_bracket() {
        let place = |round, position| BracketPlace { bracket: Bracket::Winners, round, position };
        // Ten players: two encounters come before the four quarter-finals, the second of which is not drawn yet.
        let places =
            [place(0, 1), place(0, 6), place(1, 0), place(1, 2), place(1, 3), place(2, 0), place(2, 1)];
        let tree = Tree::of(&places);
        let (heights, rows) = tree.heights();
        assert_eq!(rows, 3);
        assert_eq!(heights, [0.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.5]);
    }

    #[test]
    fn places_beyond_any_bracket_are_left_out() {
        let fits = |bracket, round, position| fits(BracketPlace { bracket, round, position });
        assert!(fits(Bracket::Winners, 0, SLOTS_MAX - 1) && fits(Bracket::Winners, 12, 0));
        assert!(fits(Bracket::Losers, 23, 1) && fits(Bracket::GrandFinal, 1, 0));
        for bracket in Bracket::ALL {
            assert!(!fits(bracket, u32::MAX, 0) && !fits(bracket, 0, u32::MAX) && !fits(bracket, 32, 0));
        }
        assert!(!fits(Bracket::Winners, 13, 0) && !fits(Bracket::Winners, 1, SLOTS_MAX / 2));
    }
}

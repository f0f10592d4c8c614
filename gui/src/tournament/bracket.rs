//! Elimination bracket: columns of rounds, with each encounter between those that lead to it.

use eframe::egui::{
    CursorIcon, FontFamily, FontId, Id, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};
use grandstand_board::text::{fitted, paint_left};
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::tournament::{Bracket, BracketPlace};

use super::TournamentRequest;
use super::known::{KnownEncounter, VisibleTournament};
use super::standings::{heading, points};
use crate::address::tournament::TournamentView;

/// Size of a box, and gaps between boxes, in points.
const BOX: [f32; 2] = [190.0, 50.0];
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
        asked = columns(ui, known, (stage, bracket), &boxes).or(asked);
    }
    ui.add_space(16.0);
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
    let step = vec2(BOX[0] + GAP[0], BOX[1] + GAP[1]);
    let above = if matches!(bracket, Bracket::Winners | Bracket::Losers) { TITLE } else { 0.0 };
    let size = vec2(step.x * (rounds - first) as f32 - GAP[0], above + step.y * slots as f32);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let place_of = |place: BracketPlace| {
        let high = step.y * (1_u32 << bracket.halvings(place.round)) as f32;
        let y = area.top() + above + high * (place.position as f32 + 0.5);
        let left = area.left() + step.x * (place.round - first) as f32;
        Rect::from_center_size(pos2(left + BOX[0] / 2.0, y), vec2(BOX[0], BOX[1]))
    };
    for round in (first..rounds).filter(|_| above > 0.0) {
        let at = pos2(area.left() + step.x * (round - first) as f32, area.top() + TITLE / 2.0);
        let font = FontId::new(SMALL, semibold());
        paint_left(ui.painter(), at, &bracket.round_title(round, slots), font, palette.weak, BOX[0]);
    }
    // Lines from a box to the boxes of the round before that its players come from.
    for (place, _) in boxes.iter().filter(|(place, _)| place.round > 0) {
        let to = place_of(*place).left_center();
        let halved = bracket.halvings(place.round) > bracket.halvings(place.round - 1);
        for (from, _) in boxes.iter().filter(|(from, _)| from.round + 1 == place.round) {
            let leads = if halved { from.position / 2 } else { from.position };
            if leads == place.position {
                connect(ui, place_of(*from).right_center(), to);
            }
        }
    }
    let mut asked = None;
    for (place, encounter) in boxes {
        asked = encounter_box(ui, known, stage, place_of(*place), encounter).or(asked);
    }
    asked
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

fn encounter_box(
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
    let state = match of.result {
        Some(result) => {
            let [a, b] = result.points.map(points);
            format!("{a} : {b}")
        }
        None if known.hides() => "hidden".to_owned(),
        None => "to be played".to_owned(),
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
        let score = of.result.map_or_else(String::new, |result| points(result.points[side]));
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

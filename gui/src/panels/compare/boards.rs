//! Both boards with the plot below them: how they share the room, the marks of what differs, and the place that is pointed at.

use eframe::egui::{
    Context, CornerRadius, Id, Painter, Rect, Response, Sense, Shape, Stroke, Ui, UiBuilder, vec2,
};
use grandstand_board::CellShape;
use grandstand_board::theme::Palette;
use grandstand_board::{self as board, BoardInput, BoardOptions};
use grandstand_protocol::Place;
use grandstand_replays::diff::Kind;
use grandstand_story::story;

use super::{Compare, CompareRequest, differing_places, score_plot, strip};
use crate::layout::ScreenLayout;
use crate::panels::wall::{Framing, LINE, Painted, SharedLayout, Text, paint_board, show_card_in_corner};
use crate::session::Session;

/// Number of places marked on a board at most.
const MARKS: usize = 400;
/// Strength of the mark of a new difference; of one that is not, and beside new ones where there are more than so many of them.
pub(super) const FRESH: f32 = 0.9;
pub(super) const OLD: (f32, f32) = (0.6, 0.3);
const MANY: usize = 24;
/// Size of a place from which the mark of a new difference is dashed, in points, and number of new differences up to which it is.
const ROOMY: f32 = 18.0;
const FEW: usize = 8;
/// Heights of the plot of both matches, the largest first, in points.
const PLOTS: [f32; 3] = [150.0, 116.0, 88.0];
/// The part of their size that boards keep at least above a high plot or above lines, and above the lowest plot, also on a phone.
const SPARED: f32 = 0.92;
const BOARDS: f32 = 0.7;
const BOARDS_ON_PHONE: f32 = 0.75;
/// Height of a board up to which the lowest plot takes no part of it, in points.
const READABLE: f32 = 170.0;
/// Number of lines of the captions.
const CAPTIONS: f32 = 2.0;
/// Margins around both tiles, around each and within them, in points.
const EDGE: f32 = 6.0;
const GAP: f32 = 4.0;
const INSIDE: f32 = 6.0;

/// How the room is divided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Division {
    /// Number of pairs of lines in the strip.
    pub pairs: usize,
    /// Height of the plot, if it has room, in points.
    plot: Option<f32>,
    /// Whether the boards stand one above the other.
    pub is_tall: bool,
}

impl Compare {
    /// Divides this area, above the timeline, among the boards, the plot and the lines. Lines give way to the plot, unless the viewer
    /// goes through them, and both to boards that are small.
    pub(crate) fn division(&self, ctx: &Context, leader: &Session, area: Rect) -> Division {
        let shape = board::view(leader.scene()).shape();
        let is_phone = ScreenLayout::of(ctx).phone;
        let fewest = match self.kind() {
            Kind::Lines => strip::most_pairs(ctx),
            Kind::Boards => 0,
        };
        // A phone has room for lines only where the viewer goes through them.
        let most = if is_phone { fewest } else { strip::most_pairs(ctx) };
        let whole = |pairs: usize| area.with_max_y(area.bottom() - strip::height(ctx, pairs)).shrink(EDGE);
        let room =
            |pairs: usize, plot: Option<f32>| plot.map_or(whole(pairs), |plot| above(whole(pairs), plot));
        let board = |area: Rect| height_of_board(halves(area, is_tall(area, shape))[0], shape);
        let part = if is_phone { BOARDS_ON_PHONE } else { BOARDS };
        let largest = board(whole(fewest));
        let is_wanted = self.mismatch(leader).is_none() && score_plot::has_figures(self.pair(leader));
        let with_plot = |part: f32, plot: f32| board(room(fewest, Some(plot))) >= part * largest;
        // A high plot has what the boards can spare, the lowest one also a part of their size.
        let spared = PLOTS.into_iter().find(|plot| with_plot(SPARED, *plot));
        let lowest = PLOTS.into_iter().last().filter(|plot| largest > READABLE && with_plot(part, *plot));
        // A higher one in place of the lowest where that costs the boards nothing.
        let free = |lowest: f32| {
            let board = board(room(fewest, Some(lowest)));
            PLOTS.into_iter().find(|plot| with_plot(board / largest.max(1.0) - 0.005, *plot))
        };
        let plot = spared.or(lowest.map(|lowest| free(lowest).unwrap_or(lowest))).filter(|_| is_wanted);
        let least = SPARED * board(room(fewest, plot));
        let pairs = (fewest..=most).rev().find(|pairs| board(room(*pairs, plot)) >= least).unwrap_or(fewest);
        Division { pairs, plot, is_tall: is_tall(room(pairs, plot), shape) }
    }

    /// Shows both boards in the remaining space, side by side or one above the other, whichever makes them larger, and below them the
    /// scores of both where these have room. Returns where a click on those goes.
    pub(crate) fn show(
        &self,
        ui: &mut Ui,
        leader: &Session,
        options: BoardOptions,
        Division { plot, is_tall: stands_above, .. }: Division,
    ) -> Option<CompareRequest> {
        let palette = Palette::of(ui.ctx());
        let whole = ui.max_rect().shrink(EDGE);
        let is_alike = self.mismatch(leader).is_none();
        let pair = self.pair(leader);
        let area = plot.map_or(whole, |plot| above(whole, plot));
        let halves = halves(area, is_tall(area, board::view(leader.scene()).shape()));
        let matches = pair.iter().map(|session| &***session);
        let common = SharedLayout::of(ui, matches, halves[0].shrink(GAP + INSIDE), Text::Pair);
        // The moment of one that has its result in the place of it stands beside the sign of the game.
        let is_over = |session: &Session| session.is_at_end() || story(session.scene()).verdict().is_some();
        let moments = pair.map(|session| story(session.scene()).progress_text());
        // Where the players of both have the same names, the files tell the matches apart.
        let sides = pair.map(|session| grandstand_story::games::sides(session.scene(), &session.about.teams));
        let names = sides.each_ref().map(|sides| sides.iter().map(|side| &side.name).collect::<Vec<_>>());
        let stems = pair.map(|session| session.target.stem());
        let has_stems = is_alike && names[0] == names[1] && stems[0] != stems[1];
        let mut boards = [None, None];
        for (index, (session, half)) in pair.into_iter().zip(halves).enumerate() {
            let half = half.shrink(GAP);
            ui.painter().rect_filled(half, CornerRadius::same(8), palette.panel.gamma_multiply(0.6));
            ui.scope_builder(UiBuilder::new().id_salt(Id::unique(("compare", index))).max_rect(half), |ui| {
                let sides = &sides[index];
                let marked: &[Place] = if is_alike { &self.differing.places } else { &[] };
                let picture = BoardInput { marked, ..session.picture(sides) };
                let stem = has_stems.then(|| stems[index].clone());
                let is_moved = is_alike && is_over(session) && !moments[index].is_empty();
                let moment = is_moved.then(|| moments[index].clone());
                let called = match (stem, moment) {
                    (Some(stem), Some(moment)) => Some([format!("{stem} · {moment}"), stem]),
                    (stem, moment) => stem.or(moment).map(|words| [words.clone(), words]),
                };
                let framing = Framing { common: Some(common), called, ..Framing::new(Text::Pair, options) };
                let painted = paint_board(ui, half.shrink(INSIDE), (session, picture), &framing);
                let Some(painted) = painted else { return };
                if is_alike {
                    let painter = ui.painter().with_clip_rect(half);
                    self.mark(&painter, palette, index, (session, &picture), &painted);
                }
                let id = ui.scope_id().with("place");
                let response = ui.interact(painted.board, id, Sense::hover());
                boards[index] = Some(Shown { painted, response });
            });
        }
        self.tell_place(ui, pair, &boards);
        let plot = plot.map(|_| whole.with_min_y(area.bottom() + GAP).shrink2(vec2(GAP, 0.0)))?;
        score_plot::show(ui, (plot, stands_above), self, leader)
    }

    /// Marks the places of a board that differ, strongly where they have since the last move. The marks lie below all pieces: a thin ring
    /// for what has differed for longer, and a dashed one, which no board uses otherwise, in a colour of no team. Where these would be
    /// crowded, new differences have a thin ring too, of full strength.
    fn mark(
        &self,
        painter: &Painter,
        palette: &Palette,
        index: usize,
        (session, picture): (&Session, &BoardInput<'_>),
        painted: &Painted,
    ) {
        let board = session.board();
        let Some(below) = board.below_pieces() else { return };
        // Pieces that are on their way cross the marks of the places that they leave and reach.
        let at = self.differing_at[index].min(session.seq());
        let passed = differing_places::named(session.log(), at, session.seq());
        let places = self.differing.places.iter().take(MARKS).filter(|place| !passed.contains(place));
        // Many earlier ones would bury what is new.
        let is_many = self.differing.places.len().saturating_sub(self.differing.fresh.len()) > MANY;
        let old = if is_many && !self.differing.fresh.is_empty() { OLD.1 } else { OLD.0 };
        let mut marks = Vec::new();
        let mut has_dashes = false;
        for place in places {
            let is_fresh = self.differing.fresh.contains(place);
            let strength = if is_fresh { FRESH } else { old };
            let size =
                board.area_of(painted.board, picture, painted.options, *place).map(|area| area.height());
            let is_roomy = size.is_some_and(|size| size >= ROOMY) && self.differing.fresh.len() <= FEW;
            for (shape, area) in board.mark_areas(painted.board, picture, painted.options, *place) {
                let dashed = is_fresh && is_roomy;
                has_dashes |= dashed;
                marks.extend(mark_shapes(&shape, area, palette, (dashed, strength)));
            }
        }
        painter.set(below, marks);
        // Of either board: what is on its way has no mark on one of them.
        self.dashes.set(has_dashes || index > 0 && self.dashes.get());
    }

    /// Outlines the place that is pointed at on both boards, and tells beside the pointer what stands there on either.
    fn tell_place(&self, ui: &Ui, pair: [&Session; 2], boards: &[Option<Shown>; 2]) {
        let palette = Palette::of(ui.ctx());
        let pictures = pair.map(|session| session.picture(&[]));
        let pointed = [0, 1].into_iter().find_map(|side| {
            let Shown { painted, response } = boards[side].as_ref()?;
            let at = response.hover_pos()?;
            let board = pair[side].board();
            let place = board.place_at(painted.board, &pictures[side], painted.options, at)?;
            Some((side, place, response))
        });
        let Some((side, place, response)) = pointed else { return };
        for (index, shown) in boards.iter().enumerate() {
            let Some(Shown { painted, .. }) = shown else { continue };
            let (board, picture) = (pair[index].board(), &pictures[index]);
            let area = board.area_of(painted.board, picture, painted.options, place);
            let Some(area) = area else { continue };
            let shape = board.shape_of(painted.board, picture, painted.options, place);
            let painter = ui.painter().with_clip_rect(painted.board);
            painter.extend(shape.frame_shapes(area, 1.0, Stroke::new(1.5, palette.accent)));
        }
        let told = pair.map(|session| story(session.scene()).describe(place));
        let at = response.hover_pos().zip(boards[side].as_ref());
        if let (Some((at, shown)), Some(words)) = (at, on_both(told, side)) {
            // The totals above a map are kept free.
            let board = shown.painted.board;
            let head = board::view(pair[side].scene()).head(board);
            show_card_in_corner(response, board.with_min_y(board.top() + head), at, &words);
        }
    }
}

/// The mark of a difference around a place, dashed or not, of this strength.
pub(super) fn mark_shapes(
    shape: &CellShape,
    area: Rect,
    palette: &Palette,
    (is_dashed, strength): (bool, f32),
) -> Vec<Shape> {
    if is_dashed {
        let bed = Stroke::new(3.5, palette.ground.gamma_multiply(0.8));
        let dashes = shape.dashed_frame_shapes(area, 1.0, Stroke::new(2.0, palette.text));
        return shape.frame_shapes(area, 1.0, bed).into_iter().chain(dashes).collect();
    }
    let width = if strength >= FRESH { 1.5 } else { 1.0 };
    // On wood, too, which is neither light nor dark.
    let bed = Stroke::new(width + 1.5, palette.ground.gamma_multiply(0.5 * strength));
    let ring = Stroke::new(width, palette.text.gamma_multiply(strength));
    [bed, ring].into_iter().flat_map(|stroke| shape.frame_shapes(area, 1.0, stroke)).collect()
}

/// The area above a plot of this height.
fn above(whole: Rect, plot: f32) -> Rect {
    whole.with_max_y(whole.bottom() - plot - GAP)
}

/// The places of two boards in an area, one above the other or side by side.
fn halves(area: Rect, is_tall: bool) -> [Rect; 2] {
    match is_tall {
        true => area.split_top_bottom_at_fraction(0.5).into(),
        false => area.split_left_right_at_fraction(0.5).into(),
    }
}

/// Whether two boards of this shape are larger one above the other.
fn is_tall(area: Rect, shape: f32) -> bool {
    let room = |is_tall: bool| height_of_board(halves(area, is_tall)[0], shape);
    room(true) > room(false)
}

/// Height of a board of this shape in its half, with captions above it.
fn height_of_board(half: Rect, shape: f32) -> f32 {
    let inside = half.shrink(GAP + INSIDE);
    let captions = CAPTIONS * LINE * Text::Pair.size(inside.size());
    (inside.height() - captions).min(inside.width() / shape)
}

/// A board that was painted, with its response to the pointer.
struct Shown {
    painted: Painted,
    response: Response,
}

/// What stands at a place of the board `side`, and what stands there on the other one, without what both have alike.
fn on_both(told: [Option<String>; 2], side: usize) -> Option<String> {
    let [a, b] = told;
    let (here, there) = if side == 0 { (a, b) } else { (b, a) };
    let here = here?;
    let Some(there) = there.filter(|there| *there != here) else { return Some(here) };
    // Both begin with the name of the place.
    let contents = |words: &str| words.split_once(": ").map_or(words, |(_, contents)| contents).to_owned();
    let (ours, theirs) = (contents(&here), contents(&there));
    let is_other = |line: &&str| !ours.lines().any(|same| same == *line);
    let others: Vec<&str> = theirs.lines().filter(is_other).collect();
    let other = match others[..] {
        [] => "empty".to_owned(),
        [line] => {
            let parts: Vec<&str> = line.split(", ").collect();
            let first = ours.lines().next().unwrap_or_default().split(", ");
            let same = first.zip(&parts).take_while(|(a, b)| a == *b).count();
            parts[same.min(parts.len() - 1)..].join(", ")
        }
        _ => others.join("; "),
    };
    Some(match here.contains('\n') {
        true => format!("{here}\nOn the other: {other}"),
        false => format!("{here} – on the other: {other}"),
    })
}

#[cfg(test)]
mod tests {
    use super::on_both;

    #[test]
    fn of_the_other_board_is_told_what_differs() {
        for (here, there, told) in [
            ("E4: black", "E4: white", "E4: black – on the other: white"),
            (
                "Siberia: blue, 10 armies",
                "Siberia: blue, 12 armies",
                "Siberia: blue, 10 armies – on the other: 12 armies",
            ),
            ("h3: empty", "h3: empty", "h3: empty"),
            ("9,0: medic 6\nlow ground", "9,0: low ground", "9,0: medic 6\nlow ground\nOn the other: empty"),
            ("9,0: low ground", "9,0: medic 6\nlow ground", "9,0: low ground – on the other: medic 6"),
        ] {
            let pair = [Some(here.to_owned()), Some(there.to_owned())];
            assert_eq!(on_both(pair, 0).as_deref(), Some(told));
        }
        assert_eq!(on_both([Some("a".to_owned()), None], 1), None);
    }
}

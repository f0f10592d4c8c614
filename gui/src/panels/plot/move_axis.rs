//! Axis of a plot over the moves of a match: each move has the same room, however long it took.

use eframe::egui::{Align2, FontId, Painter, Rect, Response, Stroke, pos2, vec2};
use grandstand_board::theme::{Palette, SMALL};
use grandstand_story::format;

use super::axes;

/// Number of moves that fill the width at least, so that a few of them don't become broad.
const FEWEST: usize = 24;
/// Distance of two numbers at least, in points.
const APART: f32 = 44.0;
/// Distance of a number from that of the move that is pointed at, in points.
const ASIDE: f32 = 30.0;

/// Room of the bars of one team, in pixels, below which they stand side by side without gaps.
const DENSE: f32 = 3.0;

/// The axis; moves are counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveAxis<'a> {
    inner: Rect,
    /// The command of each move and its time in seconds, in order.
    made: &'a [(u64, f64)],
}

impl<'a> MoveAxis<'a> {
    /// An axis below `inner` for moves that were made with these commands at these times, in seconds.
    pub(super) fn new(inner: Rect, made: &'a [(u64, f64)]) -> MoveAxis<'a> {
        MoveAxis { inner, made }
    }

    /// Left and right edge of a move's bar, on edges of pixels: at least a pixel wide. Where several moves share a pixel, the longest
    /// bar covers the others; bars of one team that alternate with the other's leave no gaps where these would be a pixel or two.
    pub(super) fn bar(&self, index: usize, pixels_per_point: f32) -> (f32, f32) {
        let pitch = self.pitch();
        let start = self.middle(index) - pitch / 2.0;
        let left = (start * pixels_per_point).floor();
        let right = match 2.0 * pitch * pixels_per_point < DENSE {
            true => ((start + 2.0 * pitch) * pixels_per_point).floor(),
            false => left + ((pitch - 1.0).max(pitch * 0.7) * pixels_per_point).floor(),
        };
        let right = right.max(left + 1.0);
        (left / pixels_per_point, right / pixels_per_point)
    }

    /// The room of a move, in points.
    pub(super) fn pitch(&self) -> f32 {
        self.inner.width() / self.made.len().max(FEWEST) as f32
    }

    /// The middle of a move's room.
    pub(super) fn middle(&self, index: usize) -> f32 {
        self.inner.left() + (index as f32 + 0.5) * self.pitch()
    }

    /// The move that was thought about before command `seq`, or that is this command.
    pub(super) fn move_after(&self, seq: u64) -> usize {
        self.made.partition_point(|(made, _)| *made < seq)
    }

    /// Number of moves up to command `seq`.
    fn moves_until(&self, seq: u64) -> usize {
        self.made.partition_point(|(made, _)| *made <= seq)
    }

    /// The command of a move.
    pub(super) fn seq(&self, index: usize) -> u64 {
        self.made.get(index).map_or(0, |(seq, _)| *seq)
    }

    /// The last command before the next move.
    pub(super) fn end_seq(&self, index: usize) -> u64 {
        self.made.get(index + 1).map_or(u64::MAX, |(next, _)| next.saturating_sub(1))
    }

    /// When a move was made, in seconds.
    fn secs(&self, index: usize) -> f64 {
        self.made.get(index).map_or(0.0, |(_, secs)| *secs)
    }

    /// The place of the shown moment, which has a command and a time in seconds: at the end of a move's room when it is made.
    pub(super) fn x(&self, (seq, secs): (u64, f64)) -> f32 {
        let index = self.moves_until(seq);
        let begun = index.checked_sub(1).map_or(0.0, |before| self.secs(before));
        // Nobody knows how long the move that is not made will take.
        let part = self.made.get(index).map_or(0.0, |(_, made)| (secs - begun) / (made - begun).max(1e-9));
        self.inner.left() + (index as f32 + part.clamp(0.0, 1.0) as f32) * self.pitch()
    }

    /// The place of what changed with command `seq`: where the move that made it stands; the set-up stands before the first.
    pub(super) fn x_of_change(&self, seq: u64) -> f32 {
        self.moves_until(seq).checked_sub(1).map_or(self.inner.left(), |index| self.middle(index))
    }

    /// Right edge of the last move's room.
    pub(super) fn end(&self) -> f32 {
        self.inner.left() + self.made.len() as f32 * self.pitch()
    }

    /// The move that is pointed at.
    pub(super) fn pointed(&self, response: &Response) -> Option<usize> {
        let at = response.hover_pos().or(response.interact_pointer_pos())?;
        let index = ((at.x - self.inner.left()) / self.pitch()).floor().max(0.0) as usize;
        let dragged = response.dragged().then(|| self.made.len().checked_sub(1)).flatten();
        dragged.map(|last| index.min(last)).or(Some(index).filter(|index| *index < self.made.len()))
    }

    /// Paints numbers of moves, so many that they don't touch, without those beside the move that is pointed at.
    pub(super) fn paint(&self, painter: &Painter, palette: &Palette, pointed: Option<usize>) {
        let pitch = self.pitch();
        let every =
            [1, 2, 5, 10, 20, 50, 100, 200, 500].into_iter().find(|every| *every as f32 * pitch >= APART);
        for n in (1..=self.made.len()).filter(|n| n.is_multiple_of(every.unwrap_or(1000)) || *n == 1) {
            let x = self.middle(n - 1);
            if pointed.is_none_or(|index| (self.middle(index) - x).abs() > ASIDE) {
                let font = FontId::proportional(SMALL - 1.0);
                let at = pos2(x, self.inner.bottom() + 3.0);
                painter.text(at, Align2::CENTER_TOP, format::number(n as u64), font, palette.weak);
            }
        }
    }

    /// Paints a line through the move that is pointed at, and its number on the axis.
    pub(super) fn paint_pointed(&self, painter: &Painter, palette: &Palette, index: usize, whole: Rect) {
        let x = self.middle(index);
        painter.vline(x, self.inner.y_range(), Stroke::new(1.0, palette.text.gamma_multiply(0.7)));
        let words = format!("Move {}", format::number(index as u64 + 1));
        let at = pos2(x, self.inner.bottom()) + vec2(0.0, 2.0);
        axes::plate(painter, palette, at, &words, whole.x_range().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::Pos2;

    fn axis(made: &[(u64, f64)]) -> MoveAxis<'_> {
        let inner = Rect::from_min_size(Pos2::ZERO, vec2(240.0, 50.0));
        MoveAxis::new(inner, made)
    }

    /// Moves with every second command, at these times.
    fn made(times: impl IntoIterator<Item = f64>) -> Vec<(u64, f64)> {
        (1..).map(|number| 2 * number).zip(times).collect()
    }

    #[test]
    fn no_bar_is_narrower_than_a_pixel_and_many_leave_no_holes() {
        for pixels in [1.0, 1.5, 2.0] {
            for count in [30, 100, 170, 240, 350, 700, 2000] {
                let made = made((1..=count).map(f64::from));
                let axis = axis(&made);
                let bars: Vec<(f32, f32)> = (0..made.len()).map(|index| axis.bar(index, pixels)).collect();
                let is_whole = |x: f32| (x * pixels - (x * pixels).round()).abs() < 1e-3;
                let is_seen = |(left, right): &(f32, f32)| {
                    (right - left) * pixels > 0.999 && is_whole(*left) && is_whole(*right)
                };
                assert!(bars.iter().all(is_seen), "{count} moves, {pixels}: {bars:?}");
                // Those of one team are either apart, or side by side.
                let gaps: Vec<f32> =
                    bars.windows(3).map(|three| (three[2].0 - three[0].1) * pixels).collect();
                let has_holes = gaps.iter().any(|gap| *gap > 0.5) && gaps.iter().any(|gap| *gap < 0.5);
                assert!(!has_holes, "{count} moves, {pixels}: {gaps:?}");
            }
        }
    }

    #[test]
    fn a_move_has_the_same_room_however_long_it_took() {
        let made = made([1.0, 10.0, 10.1]);
        let axis = axis(&made);
        let places = [(1, 0.5), (2, 1.0), (3, 5.5), (6, 10.1)].map(|shown| axis.x(shown));
        assert_eq!(places, [5.0, 10.0, 15.0, 30.0]);
        assert_eq!([1, 2, 3, 5, 7].map(|seq| axis.move_after(seq)), [0, 0, 1, 2, 3]);
        // After the last move nothing is known of the next one.
        assert_eq!((axis.x((9, 99.0)), axis.end(), axis.middle(2)), (30.0, 30.0, 25.0));
    }

    #[test]
    fn moves_of_one_time_have_their_own_places() {
        let made = made([0.7, 0.7, 0.7]);
        let axis = axis(&made);
        assert_eq!([2, 3, 4, 6, 7].map(|seq| axis.x((seq, 0.7))), [10.0, 10.0, 20.0, 30.0, 30.0]);
        assert_eq!([0, 1, 2, 3, 4, 7].map(|seq| axis.x_of_change(seq)), [0.0, 0.0, 5.0, 5.0, 15.0, 25.0]);
        assert_eq!([0, 1, 2].map(|index| axis.end_seq(index)), [3, 5, u64::MAX]);
    }

    #[test]
    fn many_moves_fill_the_width_and_none_are_at_its_start() {
        let many = made((1..=240).map(f64::from));
        assert_eq!((axis(&many).pitch(), axis(&many).x((480, 240.0))), (1.0, 240.0));
        assert_eq!((axis(&[]).x((4, 3.0)), axis(&[]).move_after(3), axis(&[]).seq(0)), (0.0, 0, 0));
    }
}

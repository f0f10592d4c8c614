//! Rating intervals as bars on a common scale.

use super::super::report::{RatingLine, StandingLine};

/// Length of the scale, in SVG units.
const WIDTH: f64 = 160.0;

/// Common scale of the bars in one table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// From the lowest end of an interval to the highest; `None` if no player is rated.
    pub(super) fn of(lines: &[StandingLine]) -> Option<Self> {
        let ratings = || lines.iter().filter_map(|line| line.rating.as_ref()).map(ends);
        let low = ratings().map(|[low, _]| low).min_by(f64::total_cmp)?;
        let high = ratings().map(|[_, high]| high).max_by(f64::total_cmp)?;
        // A minimum width, for a single player or players with equal ratings.
        let half = ((high - low) / 2.0).max(10.0);
        let middle = f64::midpoint(low, high);
        Some(Self { low: middle - half, high: middle + half })
    }

    /// The bar of a rating.
    pub(super) fn bar(self, rating: &RatingLine) -> String {
        let x =
            |elo: f64| ((elo - self.low) / (self.high - self.low) * (WIDTH - 8.0) + 4.0).clamp(0.0, WIDTH);
        let ends = ends(rating);
        let ([low, high], at) = (ends.map(x), x(rating.elo));
        format!(
            "<svg class=\"interval\" viewBox=\"0 0 {WIDTH} 14\" role=\"img\" aria-label=\"95 % interval {:.0} to {:.0}\">\
             <line x1=\"{low:.1}\" y1=\"7\" x2=\"{high:.1}\" y2=\"7\"/><line x1=\"{low:.1}\" y1=\"3\" x2=\"{low:.1}\" y2=\"11\"/>\
             <line x1=\"{high:.1}\" y1=\"3\" x2=\"{high:.1}\" y2=\"11\"/><circle cx=\"{at:.1}\" cy=\"7\" r=\"3.5\"/></svg>",
            ends[0], ends[1]
        )
    }
}

/// The ends of the interval, or twice the rating if there is none.
fn ends(rating: &RatingLine) -> [f64; 2] {
    rating.interval.unwrap_or([rating.elo; 2])
}

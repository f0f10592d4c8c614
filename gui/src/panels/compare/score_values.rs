//! Values of the plot of both matches: scores from the bottom up, or evaluations around the middle.

use grandstand_story::evaluation;
use grandstand_story::format;
use grandstand_story::game::GameStory;
use grandstand_story::plots::{Plot, PlotKind};

use crate::panels::plot::{amount, grid_step, labelled};

/// Height from which evaluations have labelled lines beside the middle, in points: in less the sides' badges at the edges take their room.
const LABELLED: f32 = 56.0;

/// The values of both plots.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values {
    /// From 0 to `top`, with a line `every` so many.
    Scores { top: i32, every: i32 },
    /// From a forced win of the second side to one of the first, by the score halfway. `line`: the score of the lines beside the middle.
    Evaluations { scale: f32, line: Option<i32> },
}

impl Values {
    /// The values of these plots in a height in points.
    pub(super) fn of(plots: [Option<&Plot>; 2], height: f32) -> Values {
        let plots = || plots.into_iter().flatten();
        if plots().any(|plot| plot.kind == PlotKind::Balance) {
            let series = plots().flat_map(|plot| &plot.series);
            let scores = series.flat_map(|series| series.points.iter().map(|point| point.value));
            let scale = evaluation::scale_of(scores);
            let line = labelled(scale, |score| height / 2.0 * evaluation::height(score, scale));
            let line = line.filter(|_| height >= LABELLED);
            return Values::Evaluations { scale, line };
        }
        let highest = plots().map(Plot::highest).max().unwrap_or(0).max(2);
        let every = grid_step(highest, height);
        // A round number at the top, unless that leaves much of the height empty.
        let round = highest.saturating_add(every - 1) / every * every;
        let top = if round - highest > highest / 4 { highest } else { round };
        Values::Scores { top, every }
    }

    pub(super) fn are_scores(self) -> bool {
        matches!(self, Values::Scores { .. })
    }

    /// The value before the first one that is known.
    pub(super) fn before(self) -> Option<i32> {
        self.are_scores().then_some(0)
    }

    /// The height of a value, as a part of the whole.
    pub(super) fn part(self, value: i32) -> f32 {
        match self {
            Values::Scores { top, .. } => value.max(0) as f32 / top as f32,
            Values::Evaluations { scale, .. } => 0.5 + 0.5 * evaluation::height(value, scale),
        }
    }

    /// The values that have a line, with their words. As beside the evaluations of one match they have no sign.
    pub(super) fn lines(self) -> impl Iterator<Item = (i32, String)> {
        let lines: Vec<i32> = match self {
            Values::Scores { top, every } => (0..=top).step_by(every as usize).collect(),
            Values::Evaluations { line, .. } => {
                [line, Some(0), line.map(|score| -score)].into_iter().flatten().collect()
            }
        };
        lines.into_iter().map(move |value| {
            let words = match self {
                Values::Scores { .. } => format::number(value.max(0) as u64),
                Values::Evaluations { .. } => amount(value.unsigned_abs()),
            };
            (value, words)
        })
    }

    /// A side's value in words, an evaluation from its own point of view: the plot has the first side's. `None` where it said none.
    pub(super) fn words(self, game: &dyn GameStory, side: usize, value: Option<i32>) -> Option<String> {
        match (self, value) {
            (Values::Scores { .. }, value) => Some(format::number(value.unwrap_or(0).max(0) as u64)),
            (Values::Evaluations { .. }, Some(value)) if side > 0 => {
                Some(game.score_text(value.saturating_neg()))
            }
            (Values::Evaluations { .. }, Some(value)) => Some(game.score_text(value)),
            (Values::Evaluations { .. }, None) => None,
        }
    }
}

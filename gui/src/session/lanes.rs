//! Lanes below the timeline: those of a match, and those that the viewer wants.

use grandstand_replays::Growth;
use grandstand_story::evaluation::{is_silent, is_thought};
use grandstand_story::findings::Findings;
use grandstand_story::games::sides;
use grandstand_story::plots::{Plot, PlotKind, Series};
use grandstand_story::story;
use serde::{Deserialize, Serialize};

use super::Session;

/// Thinking times that differ by less say nothing, in milliseconds: they are next to nothing, or the pace of the match.
const SEEN_MILLIS: u32 = 50;

/// A lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The lead, by side and amount.
    Score,
    /// The players' evaluations.
    Evaluation,
    /// Thinking time.
    Thinking,
    /// Number of commands; where each move is a few commands, it would only repeat the thinking time.
    Activity,
}

impl Lane {
    pub(crate) const ALL: [Lane; 4] = [Lane::Score, Lane::Evaluation, Lane::Thinking, Lane::Activity];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Lane::Score => "Lead",
            Lane::Evaluation => "Evaluation",
            Lane::Thinking => "Thinking time",
            Lane::Activity => "Activity",
        }
    }

    /// Whether matches of this game may have content for the lane.
    fn is_possible(self, records: &Findings, has_turns: bool, by_moves: bool) -> bool {
        match self {
            Lane::Score => records.score_plot().is_some(),
            Lane::Evaluation => records.plots.iter().any(|plot| plot.kind == PlotKind::Balance),
            Lane::Thinking => has_turns,
            Lane::Activity => !by_moves,
        }
    }

    /// Whether the lane of a whole match would say something: a lane that is empty, or the same from the start to the end, does not.
    fn has_content(self, records: &Findings, by_moves: bool) -> bool {
        let lanes = &records.lanes;
        match self {
            Lane::Score => lanes.score.all().iter().flatten().any(|lead| lead.by != 0),
            Lane::Evaluation => differ(lanes.evaluation.all().iter().flatten()),
            Lane::Thinking => thinking_differs(lanes.thinking.all().iter().flat_map(|thinking| thinking.0)),
            Lane::Activity => !by_moves && differ(lanes.activity.all()),
        }
    }
}

/// Whether there are two values.
fn differ<T: PartialEq>(values: impl IntoIterator<Item = T>) -> bool {
    let mut values = values.into_iter();
    values.next().is_some_and(|first| values.any(|value| value != first))
}

/// Whether there are two thinking times that a viewer can tell apart, in milliseconds; 0 is none.
fn thinking_differs(times: impl Iterator<Item = u32>) -> bool {
    let (least, most) = times
        .filter(|millis| *millis > 0)
        .fold((u32::MAX, 0), |(least, most), millis| (least.min(millis), most.max(millis)));
    most.saturating_sub(least) >= SEEN_MILLIS
}

/// The lanes that a match has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LanesOfMatch([bool; Lane::ALL.len()]);

impl LanesOfMatch {
    /// Whether it has this lane.
    pub(crate) fn has(self, lane: Lane) -> bool {
        self.0[lane as usize]
    }
}

impl Session {
    /// Decides once which lanes and whether talk the match has, so that nothing moves below the pointer when the first evaluation
    /// arrives. A complete match has the lanes with content; any other match all that its game and its players may fill.
    pub(super) fn fix_lanes(&mut self) {
        if self.lanes_fixed {
            return;
        }
        let is_whole = self.whole_log().growth() == Growth::Complete && !self.hides_future();
        let is_known = is_whole && self.events.read_to() >= self.log().last_seq();
        let (records, game) = (self.events.findings(), story(self.scene()));
        let (has_turns, by_moves) = (game.has_turns(), game.turns().is_some());
        let may_fill = |lane: Lane| {
            lane.is_possible(records, has_turns, by_moves)
                && (lane != Lane::Evaluation || self.may_evaluate())
        };
        let has = |lane: Lane| lane.has_content(records, by_moves) || !is_known && may_fill(lane);
        self.lanes_of_match = LanesOfMatch(Lane::ALL.map(has));
        self.may_talk = !is_known || {
            let log = self.whole_log();
            !story(&log.scene_at(log.last_seq())).talk().is_empty()
        };
        // A match that is still being read is decided later.
        let is_there = self.whole_log().growth() != Growth::Loading && self.log().last_seq() > 0;
        self.lanes_fixed = is_there && is_known == is_whole;
    }
}

impl Session {
    /// Whether the players may evaluate, as far as it is known now: a recording tells it (which is no spoiler), and of a live match
    /// its players, who are named from the start; people at seats tell nothing.
    fn may_evaluate(&self) -> bool {
        let log = self.whole_log();
        let told = (1..=log.last_seq()).any(|seq| log.line(seq).is_some_and(is_thought));
        if told || log.growth() != Growth::Live {
            return told;
        }
        let seats = &self.seat_client.seats;
        let sits = |key: &str| seats.iter().any(|seat| *seat.team == *key);
        let sides = sides(self.scene(), &self.view.about.teams);
        !sides.iter().all(|side| is_silent(side.short()) || sits(&side.key))
    }

    /// Whether a plot of a whole match says something: one that stays as it began does not, nor moves that all took the same time.
    pub(crate) fn has_content(&self, plot: &Plot) -> bool {
        if !self.lanes_fixed || self.whole_log().growth() != Growth::Complete || self.hides_future() {
            return true;
        }
        let goes_on = |series: &Series| series.points.iter().any(|point| point.value != series.at(0.0));
        match plot.kind {
            PlotKind::Steps => plot.series.iter().any(goes_on),
            PlotKind::Moves => {
                let points = plot.series.iter().flat_map(|series| &series.points);
                thinking_differs(points.map(|point| point.value.unsigned_abs()))
            }
            PlotKind::Bars(_) | PlotKind::Balance => true,
        }
    }
}

/// The lanes that the viewer wants to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChosenLanes {
    pub score: bool,
    pub evaluation: bool,
    pub thinking: bool,
    pub activity: bool,
}

impl Default for ChosenLanes {
    fn default() -> ChosenLanes {
        ChosenLanes { score: true, evaluation: true, thinking: true, activity: true }
    }
}

impl ChosenLanes {
    pub(crate) fn has(self, lane: Lane) -> bool {
        match lane {
            Lane::Score => self.score,
            Lane::Evaluation => self.evaluation,
            Lane::Thinking => self.thinking,
            Lane::Activity => self.activity,
        }
    }

    pub(crate) fn toggle(&mut self, lane: Lane) {
        let chosen = match lane {
            Lane::Score => &mut self.score,
            Lane::Evaluation => &mut self.evaluation,
            Lane::Thinking => &mut self.thinking,
            Lane::Activity => &mut self.activity,
        };
        *chosen = !*chosen;
    }
}

//! Lanes below the timeline: those of a match, and those that the viewer wants.

use grandstand_replays::Growth;
use grandstand_story::findings::Findings;
use grandstand_story::plots::Form;
use grandstand_story::story;
use serde::{Deserialize, Serialize};

use super::Session;

/// A lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The lead, by side and amount.
    Score,
    /// The players' evaluations.
    Evaluation,
    /// Thinking time.
    Thinking,
    /// Number of commands.
    Activity,
}

impl Lane {
    pub(crate) const ALL: [Lane; 4] = [Lane::Score, Lane::Evaluation, Lane::Thinking, Lane::Activity];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Lane::Score => "Score",
            Lane::Evaluation => "Evaluation",
            Lane::Thinking => "Thinking time",
            Lane::Activity => "Activity",
        }
    }

    /// Whether matches of this game may have content for the lane.
    fn is_possible(self, records: &Findings, has_turns: bool) -> bool {
        match self {
            Lane::Score => records.score_plot().is_some(),
            Lane::Evaluation => records.plots.iter().any(|plot| plot.form == Form::Balance),
            Lane::Thinking => has_turns,
            Lane::Activity => true,
        }
    }

    /// Whether the match has content for the lane.
    fn has_content(self, records: &Findings) -> bool {
        match self {
            Lane::Score => records.score_plot().is_some(),
            Lane::Evaluation => !records.lanes.evaluation.all().is_empty(),
            Lane::Thinking => !records.lanes.thinking.all().is_empty(),
            Lane::Activity => true,
        }
    }
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
    /// Decides once which lanes the match has, so that nothing moves below the pointer when the first evaluation
    /// arrives. A complete match has the lanes with content; any other match all that its game may fill.
    pub(super) fn fix_lanes(&mut self) {
        if self.lanes_fixed {
            return;
        }
        let is_whole = self.whole_log().growth() == Growth::Complete && !self.hides_future();
        let is_known = is_whole && self.events.read_to() >= self.log().last_seq();
        let (records, has_turns) = (self.events.findings(), story(self.scene()).has_turns());
        let has = |lane: Lane| lane.has_content(records) || !is_known && lane.is_possible(records, has_turns);
        self.lanes_of_match = LanesOfMatch(Lane::ALL.map(has));
        // A match that is still being read is decided later.
        let is_there = self.whole_log().growth() != Growth::Loading && self.log().last_seq() > 0;
        self.lanes_fixed = is_there && is_known == is_whole;
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

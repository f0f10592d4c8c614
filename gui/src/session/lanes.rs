//! Lanes below the timeline: which there are, and which of them the viewer wants to see.

use grandstand_story::findings::Findings;
use serde::{Deserialize, Serialize};

/// One of the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Who leads, and by how much.
    Score,
    /// What players think of the position.
    Evaluation,
    /// How long was thought about what is done.
    Thinking,
    /// How many commands came.
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

    /// Whether the match has anything for it.
    pub(crate) fn has_content(self, records: &Findings) -> bool {
        match self {
            Lane::Score => records.score_plot().is_some(),
            Lane::Evaluation => !records.lanes.evaluation.all().is_empty(),
            Lane::Thinking => !records.lanes.thinking.all().is_empty(),
            Lane::Activity => true,
        }
    }
}

/// Which lanes the viewer wants to see.
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

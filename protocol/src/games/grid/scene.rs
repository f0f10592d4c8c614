//! Scene of the generic grid.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Cell, Command, Coord, SIZE_MAX, TeamName, coord};
use crate::overlay::Overlays;
use crate::talk::{Talk, TalkLine};
use crate::time::Micros;

/// The most teams whose scores a scene keeps; scores of further teams are not shown.
pub const TEAMS_MAX: usize = 16;

/// The cells, the scores, the step and the talk. A new scene is an empty grid of 8 by 8, without scores, at step 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    #[serde(deserialize_with = "coord::extent")]
    width: u8,
    #[serde(deserialize_with = "coord::extent")]
    height: u8,
    cells: Arc<BTreeMap<Coord, Cell>>,
    #[serde(deserialize_with = "scores")]
    score: BTreeMap<TeamName, i32>,
    step: u32,
    talk: Talk<TeamName>,
    #[serde(default, skip_serializing_if = "Overlays::is_empty")]
    pub(crate) overlays: Overlays,
}

impl Default for Scene {
    fn default() -> Scene {
        Scene {
            width: 8,
            height: 8,
            cells: Arc::default(),
            score: BTreeMap::new(),
            step: 0,
            talk: Talk::default(),
            overlays: Overlays::default(),
        }
    }
}

impl Scene {
    /// The number of columns, 1 to [`SIZE_MAX`].
    pub fn width(&self) -> u8 {
        self.width
    }

    /// The number of rows, 1 to [`SIZE_MAX`].
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The content of a cell; `None` for an empty cell or one off the grid.
    pub fn get(&self, at: Coord) -> Option<Cell> {
        self.cells.get(&at).copied()
    }

    /// The cells that are not empty, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (Coord, Cell)> {
        self.cells.iter().map(|(&place, &cell)| (place, cell))
    }

    /// Every team's score, in the order of the names.
    pub fn scores(&self) -> impl Iterator<Item = (&TeamName, i32)> {
        self.score.iter().map(|(team, &value)| (team, value))
    }

    /// The counter of turns.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// The most recent lines of talk.
    pub fn talk(&self) -> &Talk<TeamName> {
        &self.talk
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match command {
            Command::Size { width, height } => {
                self.width = (*width).clamp(1, SIZE_MAX);
                self.height = (*height).clamp(1, SIZE_MAX);
                if self.cells.keys().any(|&place| !self.is_on(place)) {
                    let (width, height) = (self.width, self.height);
                    Arc::make_mut(&mut self.cells).retain(|place, _| place.x() < width && place.y() < height);
                }
            }
            Command::Cell { at, cell } => {
                if self.is_on(*at) && self.get(*at) != *cell {
                    let cells = Arc::make_mut(&mut self.cells);
                    match cell {
                        Some(cell) => cells.insert(*at, *cell),
                        None => cells.remove(at),
                    };
                }
            }
            Command::Clear => self.cells = Arc::default(),
            Command::Score { team, value } => {
                if self.score.len() < TEAMS_MAX || self.score.contains_key(team) {
                    self.score.insert(team.clone(), *value);
                }
            }
            Command::Step { value } => self.step = *value,
            Command::Say { team, text } => {
                self.talk.push(TalkLine { seq, t, team: team.clone(), text: text.clone() });
            }
        }
    }

    fn is_on(&self, place: Coord) -> bool {
        place.x() < self.width && place.y() < self.height
    }
}

fn scores<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<TeamName, i32>, D::Error> {
    let mut scores = BTreeMap::deserialize(deserializer)?;
    while scores.len() > TEAMS_MAX {
        scores.pop_last();
    }
    Ok(scores)
}

//! Unchecked moment of a match.

use grandstand_protocol::shark::{Ground, Team, Tile};
use thiserror::Error;

use super::board::{Board, Bot};
use super::field::PlayableMap;
use super::rules::{Rules, RulesError};
use crate::Pid;

/// Any moment of a match at which a step begins. Its content is unchecked;
/// [`World::from_setup`](super::World::from_setup) is the only way to turn it into a [`World`](super::World).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The settings.
    pub rules: Rules,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The step that begins, counted from 1.
    pub step: u64,
    /// The points of red and blue.
    pub score: [u32; 2],
    /// The spawn credits of red and blue.
    pub credits: [u32; 2],
    /// The robots, in any order.
    pub bots: Vec<Bot>,
    /// The tiles of the powerups.
    pub powerups: Vec<Tile>,
}

/// The reason why a [`Setup`] is not a valid moment of a match.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The settings are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The step is 0, or after the end of the match.
    #[error("step {0} is not one of the match; expected a step from 1 to GAME_LENGTH")]
    Step(u64),
    /// The tile of a robot is not empty.
    #[error("the robot of pid {0} can't be on {1}: the tile is not empty")]
    Taken(Pid, Tile),
    /// Two robots have the same pid.
    #[error("pid {0} has two robots")]
    SamePid(Pid),
    /// Two robots carry the same flag.
    #[error("two robots carry the flag of {0}")]
    SameFlag(Team),
    /// A robot has no health.
    #[error("the robot of pid {0} has no health points")]
    NoHealth(Pid),
    /// A powerup is on an invalid tile.
    #[error("a powerup can't be on {0}: the tile is no drop point, or is not empty")]
    Powerup(Tile),
}

impl Setup {
    /// The field, and the board on it, if the whole setup is valid.
    pub(super) fn board(&self) -> Result<(PlayableMap, Board), SetupError> {
        let field = self.rules.field()?;
        if !(1..=self.rules.game_length).contains(&self.step) {
            return Err(SetupError::Step(self.step));
        }
        let mut board = Board::new(&field);
        for &bot in &self.bots {
            if board.bot(bot.pid).is_some() {
                return Err(SetupError::SamePid(bot.pid));
            }
            if bot.health == 0 {
                return Err(SetupError::NoHealth(bot.pid));
            }
            let flag = bot.team.opponent();
            if bot.flag && board.carrier(flag).is_some() {
                return Err(SetupError::SameFlag(flag));
            }
            if !board.add(bot) {
                return Err(SetupError::Taken(bot.pid, bot.place));
            }
        }
        for &place in &self.powerups {
            if field.map().get(place) != Ground::Drop || !board.drop_powerup(place) {
                return Err(SetupError::Powerup(place));
            }
        }
        Ok((field, board))
    }
}

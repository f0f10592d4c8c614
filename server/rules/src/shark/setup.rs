//! A moment of a match that somebody claims, before it is known to be one.

use grandstand_protocol::shark::{Ground, Team, Tile};
use thiserror::Error;

use super::board::{Board, Bot};
use super::field::Field;
use super::rules::{Rules, RulesError};
use crate::Pid;

/// Any moment of a match at which a step begins. It may hold anything;
/// [`World::from_setup`](super::World::from_setup) is the only road from here to a [`World`](super::World).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The settings.
    pub rules: Rules,
    /// What chance is drawn from.
    pub seed: u64,
    /// The step that begins, counted from 1.
    pub step: u64,
    /// Points of red and of blue.
    pub score: [u32; 2],
    /// Spawn credits of red and of blue.
    pub credits: [u32; 2],
    /// The robots, in any order.
    pub bots: Vec<Bot>,
    /// Where powerups lie.
    pub powerups: Vec<Tile>,
}

/// Why a [`Setup`] is not a moment of a match.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The settings are wrong.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The step is 0, or the match is over before it.
    #[error("step {0} is not one of the match; expected a step from 1 to GAME_LENGTH")]
    Step(u64),
    /// Something stands where a robot is said to be.
    #[error("the robot of pid {0} can't be on {1}: the tile is not empty")]
    Taken(Pid, Tile),
    /// Two robots have one pid.
    #[error("pid {0} has two robots")]
    SamePid(Pid),
    /// Two robots carry one flag.
    #[error("two robots carry the flag of {0}")]
    SameFlag(Team),
    /// A robot without health.
    #[error("the robot of pid {0} has no health points")]
    NoHealth(Pid),
    /// A powerup where none can be.
    #[error("a powerup can't be on {0}: the tile is no drop point, or is not empty")]
    Powerup(Tile),
}

impl Setup {
    /// The field and what stands on it, when everything about the setup is right.
    pub(super) fn board(&self) -> Result<(Field, Board), SetupError> {
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

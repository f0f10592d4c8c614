//! Unchecked position.

use grandstand_protocol::abalone::{Facing, Hex, Team};
use thiserror::Error;

use super::board::{Board, Bot};
use super::rules::{Rules, RulesError};
use crate::Pid;

/// The beginning of a match, or any moment at which a turn starts. Its content is unchecked;
/// [`World::from_setup`](super::World::from_setup) is the only way to turn it into a
/// [`World`](super::World).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The settings.
    pub rules: Rules,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of the turn that starts, counted from 1; black's are odd.
    pub turn: u32,
    /// The points of black and white.
    pub score: (u32, u32),
    /// The pieces, in any order.
    pub bots: Vec<Bot>,
}

/// The reason why a [`Setup`] is not a valid position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The settings are invalid.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The turn is 0, or would start after the match is over.
    #[error("turn {0} is not one of the match; expected a turn from 1 that starts before GAME_LENGTH")]
    Turn(u32),
    /// Two pieces stand on one hex.
    #[error("the pieces of pids {0} and {1} are both on {third}", third = .2.label())]
    SameHex(Pid, Pid, Hex),
    /// Two pieces have the same pid.
    #[error("pid {0} has two pieces")]
    SamePid(Pid),
    /// A team has more pieces than `MAX_PIECES`.
    #[error("{0} has {1} pieces; expected at most MAX_PIECES")]
    TooMany(Team, usize),
}

impl Setup {
    /// The start of a match: one piece for each team (section 2.5), controlled by the threads `black` and `white`.
    pub fn start(rules: Rules, seed: u64, black: Pid, white: Pid) -> Self {
        let root = |pid, team| Bot { pid, team, hex: rules.start(team), commit: Facing::None };
        let bots = vec![root(black, Team::Black), root(white, Team::White)];
        Self { rules, seed, turn: 1, score: (0, 0), bots }
    }

    /// The board, if the whole setup is valid.
    pub(super) fn board(&self) -> Result<Board, SetupError> {
        self.rules.validate()?;
        let starts_after = u64::from(self.turn.saturating_sub(1)) * self.rules.cycles_per_turn;
        if self.turn == 0 || starts_after >= self.rules.game_length {
            return Err(SetupError::Turn(self.turn));
        }
        let mut board = Board::default();
        for &bot in &self.bots {
            if let Some((other, _)) = board.at(bot.hex) {
                return Err(SetupError::SameHex(other, bot.pid, bot.hex));
            }
            if !board.add(bot) {
                return Err(SetupError::SamePid(bot.pid));
            }
        }
        for team in Team::ALL {
            let count = board.count(team);
            if count > self.rules.max_pieces as usize {
                return Err(SetupError::TooMany(team, count));
            }
        }
        Ok(board)
    }
}

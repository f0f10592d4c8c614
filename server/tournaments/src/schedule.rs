//! Rounds, encounters and games as they are drawn, and the results of games.

use serde::{Deserialize, Serialize};

use crate::PlayerIndex;

/// What is played beside each other. A round that was drawn is never drawn again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The stage, from 0.
    pub stage: u32,
    /// The round in the stage, from 0.
    pub round: u32,
    /// The cycle in the stage, from 0: a whole cycle is a fair table.
    pub cycle: u32,
    /// The stage's players, best seed first: in the first round of a stage; empty in the others.
    pub field: Vec<PlayerIndex>,
    /// Who meets whom, in the order in which results count.
    pub encounters: Vec<Encounter>,
    /// Who has no opponent. In an elimination they go on; in a Swiss they score.
    pub byes: Vec<PlayerIndex>,
}

/// Two players' games of one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// Unique in the tournament: encounters are counted from 0.
    pub id: u32,
    /// Who meets; the first has the first side in the first game.
    pub players: [PlayerIndex; 2],
    /// The number of its first game; the others follow.
    pub first_game: u64,
    /// The most games that it can have: so many numbers are its own.
    pub most_games: u32,
    /// Where it stands in a bracket; none outside of eliminations.
    pub bracket: Option<BracketPlace>,
}

/// A place in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BracketPlace {
    /// Which bracket.
    pub bracket: Bracket,
    /// The round in that bracket, from 0.
    pub round: u32,
    /// From the top, from 0.
    pub position: u32,
}

/// The parts of an elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bracket {
    /// Who did not lose yet. Single elimination has nothing else, but for the match for the third place; its last round is the final.
    Winners,
    /// Who lost once.
    Losers,
    /// Between the winners of both: round 0, and round 1 where that was the first loss of the winners' winner.
    GrandFinal,
    /// Between the losers of the semi-finals.
    ThirdPlace,
}

/// A game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Its place in the schedule: the order in which results count. Numbers may be left out.
    pub number: u64,
    /// The stage, from 0.
    pub stage: u32,
    /// The round in the stage, from 0.
    pub round: u32,
    /// The encounter's id.
    pub encounter: u32,
    /// The pair in the encounter, from 0: both games of a pair have the same seed, map and opening.
    pub pair: u32,
    /// By side.
    pub players: [PlayerIndex; 2],
    /// The game's own seed.
    pub seed: u64,
    /// Which of the stage's maps.
    pub map: Option<u32>,
    /// Which of the stage's openings.
    pub opening: Option<u32>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GameResult {
    /// It was played to its end.
    Played {
        /// The side that won; none: a draw.
        winner: Option<u8>,
        /// Of the recording's commands: games with the same players by side and the same digest are the same game.
        digest: u64,
    },
    /// A player's own doing ended it. It scores and is not rated.
    Forfeit {
        /// Whose.
        by: FaultOf,
    },
    /// A ruling gave it. It scores and is not rated, and nobody is at fault.
    Awarded {
        /// The side that it was given to; none: a draw.
        winner: Option<u8>,
    },
    /// It does not count.
    Annulled,
}

/// By whose doing a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOf {
    /// The first side's, which loses.
    First,
    /// The second side's, which loses.
    Second,
    /// Both sides': both lose.
    Both,
}

/// A result that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedGame {
    /// The game.
    pub game: ScheduledGame,
    /// As it counts: a retired player's games are forfeits, whatever was played.
    pub result: GameResult,
    /// The number of the first game that was the same, command for command, between the same players on the same sides.
    pub same_as: Option<u64>,
}

/// What one side has of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    Won,
    Drawn,
    Lost,
}

impl GameResult {
    /// What each side has of it; none: it does not count.
    pub(crate) fn shares(self) -> Option<[Share; 2]> {
        let to = |winner| match winner {
            Some(0) => [Share::Won, Share::Lost],
            Some(_) => [Share::Lost, Share::Won],
            None => [Share::Drawn, Share::Drawn],
        };
        match self {
            Self::Played { winner, .. } | Self::Awarded { winner } => Some(to(winner)),
            Self::Forfeit { by: FaultOf::First } => Some(to(Some(1))),
            Self::Forfeit { by: FaultOf::Second } => Some(to(Some(0))),
            Self::Forfeit { by: FaultOf::Both } => Some([Share::Lost; 2]),
            Self::Annulled => None,
        }
    }

    /// Whether the side `side` is at fault.
    pub fn is_fault_of(self, side: usize) -> bool {
        matches!(
            (self, side),
            (Self::Forfeit { by: FaultOf::First | FaultOf::Both }, 0)
                | (Self::Forfeit { by: FaultOf::Second | FaultOf::Both }, 1)
        )
    }

    /// Whether it names sides that there are.
    pub(crate) fn is_sound(self) -> bool {
        match self {
            Self::Played { winner, .. } | Self::Awarded { winner } => winner.is_none_or(|side| side < 2),
            Self::Forfeit { .. } | Self::Annulled => true,
        }
    }
}

impl crate::Points {
    /// What a side has for its share.
    pub(crate) fn of(&self, share: Share) -> crate::Score {
        match share {
            Share::Won => self.win,
            Share::Drawn => self.draw,
            Share::Lost => self.loss,
        }
    }
}

//! Rounds, encounters and games of the schedule, and the results of games.

use serde::{Deserialize, Serialize};

use crate::PlayerIndex;

/// Encounters that are played side by side. A round that was drawn is never drawn again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The stage, from 0.
    pub stage: u32,
    /// The round in the stage, from 0.
    pub round: u32,
    /// The cycle in the stage, from 0: after a whole cycle the table is fair.
    pub cycle: u32,
    /// Players of the stage, best seed first, in the first round of a stage; empty in other rounds.
    pub field: Vec<PlayerIndex>,
    /// Encounters in the order in which their results count.
    pub encounters: Vec<Encounter>,
    /// Players without an opponent. In an elimination they go on; in a Swiss they score.
    pub byes: Vec<PlayerIndex>,
}

/// Games of two players in one round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// Id, unique in the tournament: encounters are counted from 0.
    pub id: u32,
    /// The two players; the first has the first side in the first game.
    pub players: [PlayerIndex; 2],
    /// Number of its first game; the others follow.
    pub first_game: u64,
    /// Maximum number of games; as many game numbers are reserved for the encounter.
    pub most_games: u32,
    /// Place in a bracket; `None` outside of eliminations.
    pub bracket: Option<BracketPosition>,
}

/// A place in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BracketPosition {
    /// The bracket.
    pub bracket: BracketKind,
    /// The round in the bracket, from 0.
    pub round: u32,
    /// The position in the round, from 0 at the top.
    pub position: u32,
}

/// Brackets of an elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BracketKind {
    /// Players who have not lost yet. Single elimination has no other bracket except the match for third place; its
    /// last round is the final.
    Winners,
    /// Players who have lost once.
    Losers,
    /// The winners of the two other brackets: round 0, and round 1 if round 0 was the first loss of the winners'
    /// winner.
    GrandFinal,
    /// The losers of the semi-finals.
    ThirdPlace,
}

/// A game to be played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// Number in the schedule, which is the order in which results count. Numbers may be skipped.
    pub number: u64,
    /// The stage, from 0.
    pub stage: u32,
    /// The round in the stage, from 0.
    pub round: u32,
    /// The encounter's id.
    pub encounter: u32,
    /// Number of the pair in the encounter, from 0; both games of a pair have the same seed, map and opening.
    pub pair: u32,
    /// Players by side.
    pub players: [PlayerIndex; 2],
    /// Seed of the game.
    pub seed: u64,
    /// Index of the map among the stage's maps.
    pub map: Option<u32>,
    /// Index of the opening among the stage's openings.
    pub opening: Option<u32>,
}

impl ScheduledGame {
    /// The players in the order of the plan, and whether they change sides by that.
    pub fn in_order(&self) -> ([PlayerIndex; 2], bool) {
        let [first, second] = self.players;
        ([first.min(second), first.max(second)], first > second)
    }
}

/// Result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GameResult {
    /// The game was played to its end.
    Played {
        /// The side that won; `None` for a draw.
        winner: Option<u8>,
        /// Digest of the recording's commands: games with the same players by side and the same digest are identical;
        /// `None` if it is unknown, and then no game is identical.
        digest: Option<u64>,
    },
    /// A player forfeited the game by its own fault. The game scores and is not rated.
    Forfeit {
        /// The side at fault.
        by: FaultOf,
    },
    /// A ruling decided the game. It scores and is not rated, and no side is at fault.
    Awarded {
        /// The side that the game was awarded to; `None` for a draw.
        winner: Option<u8>,
    },
    /// The game does not count.
    Annulled,
}

/// Side at fault for the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOf {
    /// The first side, which loses.
    First,
    /// The second side, which loses.
    Second,
    /// Both sides: both lose.
    Both,
}

/// A game whose result counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedGame {
    /// The game.
    pub game: ScheduledGame,
    /// The result as it counts: games of a retired player are forfeits, whatever was played.
    pub result: GameResult,
    /// Number of the first game that was identical, command for command, between the same players on the same sides.
    pub same_as: Option<u64>,
}

/// One side's share of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    Won,
    Drawn,
    Lost,
}

impl GameResult {
    /// Each side's share; `None` if the game does not count.
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

    /// Whether the side with index `side` is at fault.
    pub fn is_fault_of(self, side: usize) -> bool {
        matches!(
            (self, side),
            (Self::Forfeit { by: FaultOf::First | FaultOf::Both }, 0)
                | (Self::Forfeit { by: FaultOf::Second | FaultOf::Both }, 1)
        )
    }

    /// Whether all sides that the result names exist.
    pub(crate) fn is_sound(self) -> bool {
        match self {
            Self::Played { winner, .. } | Self::Awarded { winner } => winner.is_none_or(|side| side < 2),
            Self::Forfeit { .. } | Self::Annulled => true,
        }
    }
}

impl crate::Points {
    /// Points for a side's share.
    pub(crate) fn of(&self, share: Share) -> crate::Score {
        match share {
            Share::Won => self.win,
            Share::Drawn => self.draw,
            Share::Lost => self.loss,
        }
    }
}

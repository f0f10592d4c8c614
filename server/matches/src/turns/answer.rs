//! Answers of players, questions of openings, and losses by forfeit.

/// Answer of a player: to the question for a move, or to one of an opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<M> {
    /// A move. The referee checks whether it is legal: an illegal move loses.
    Move(M),
    /// Stones of an opening, as many as were asked for.
    Place(Vec<M>),
    /// Keeping the side, in an opening.
    Stay,
    /// Taking the other side, in an opening.
    Swap,
    /// Resignation.
    Resign,
}

/// Question to a player in an opening in which colours are chosen (swap2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpeningQuestion {
    /// Place three stones, of the two colours by turns.
    Place,
    /// [Stay](Answer::Stay) with the second side, [swap](Answer::Swap), or place two more stones and leave the choice
    /// to the other player.
    Answer,
    /// [Stay](Answer::Stay) or [swap](Answer::Swap).
    Choose,
}

impl OpeningQuestion {
    /// Number of moves of an [`Answer::Place`]; `None` if that is no answer to the question.
    pub fn stones(self) -> Option<usize> {
        match self {
            OpeningQuestion::Place => Some(3),
            OpeningQuestion::Answer => Some(2),
            OpeningQuestion::Choose => None,
        }
    }
}

/// Loss of a player other than by the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{termination}: {detail}")]
pub struct Forfeit {
    /// Termination of the match, one of the words that the game documents.
    pub termination: &'static str,
    /// Details in words.
    pub detail: String,
}

impl Forfeit {
    /// The player ended or broke in the middle of the match.
    pub const CRASH: &'static str = "crash";
    /// The player made an illegal move.
    pub const ILLEGAL: &'static str = "illegal";
    /// The player's time was over.
    pub const TIME: &'static str = "time";
    /// The player was not ready in time, or could not be started.
    pub const STARTUP: &'static str = "startup";
    /// The player exceeded its memory limit.
    pub const MEMORY: &'static str = "memory";
    /// The player's output is no answer.
    pub const RUBBISH: &'static str = "rubbish";
    /// The player's output was too long.
    pub const FLOOD: &'static str = "flood";
    /// The player exceeded its limit of processes.
    pub const PROCESSES: &'static str = "processes";
    /// The player left, or never came.
    pub const LEFT: &'static str = "left";
    /// The player resigned.
    pub const RESIGNED: &'static str = "resigned";

    /// All terminations.
    pub const ALL: [&str; 10] = [
        Self::CRASH,
        Self::ILLEGAL,
        Self::TIME,
        Self::STARTUP,
        Self::MEMORY,
        Self::RUBBISH,
        Self::FLOOD,
        Self::PROCESSES,
        Self::LEFT,
        Self::RESIGNED,
    ];

    /// Prefix of the detail of a forfeit that is not the player's fault.
    const OF_MACHINE: &str = "this machine failed: ";

    /// A forfeit that is not the player's fault: the machine lacks resources, a process or the sandbox for it.
    pub fn of_machine(termination: &'static str, why: &str) -> Self {
        Self::new(termination, format!("{}{why}", Self::OF_MACHINE))
    }

    /// Whether a forfeit with this detail is not the player's fault.
    pub fn is_of_machine(detail: &str) -> bool {
        // Only the beginning counts: the rest may be text of a program.
        detail.starts_with(Self::OF_MACHINE)
    }

    /// A forfeit with this termination and detail.
    pub fn new(termination: &'static str, detail: impl Into<String>) -> Self {
        Self { termination, detail: detail.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_can_not_say_that_the_machine_failed() {
        let machine = Forfeit::of_machine(Forfeit::CRASH, "no room");
        assert!(Forfeit::is_of_machine(&machine.detail));
        let said = format!("its time was over, and what it had said is no answer: `{}`", machine.detail);
        assert!(!Forfeit::is_of_machine(&said));
    }
}

//! Answer of a player: a move, what it says to a question of an opening, or why it has lost.

/// Answer of a player: to the question for a move, or to one of an opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<M> {
    /// Plays this. Whether it is legal is for the referee to say: an illegal move loses.
    Move(M),
    /// Places these stones of an opening, as many as were asked for.
    Place(Vec<M>),
    /// Keeps its side, in an opening.
    Stay,
    /// Takes the other side, in an opening.
    Swap,
    /// Gives up.
    Resign,
}

/// What a player is asked in an opening in which colours are chosen (swap2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OpeningQuestion {
    /// To place three stones, of the two colours by turns.
    Place,
    /// To [stay](Answer::Stay) with the second side, to [swap](Answer::Swap), or to place two more and leave it to the other.
    Answer,
    /// To [stay](Answer::Stay) or to [swap](Answer::Swap).
    Choose,
}

impl OpeningQuestion {
    /// How many moves [`Answer::Place`] must have; `None` if it is no answer.
    #[must_use]
    pub fn stones(self) -> Option<usize> {
        match self {
            OpeningQuestion::Place => Some(3),
            OpeningQuestion::Answer => Some(2),
            OpeningQuestion::Choose => None,
        }
    }
}

/// Why a player has lost, other than by the rules of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{termination}: {detail}")]
pub struct Forfeit {
    /// The termination of the match, by one of the words that the game documents.
    pub termination: &'static str,
    /// What happened, in words.
    pub detail: String,
}

impl Forfeit {
    /// It ended or broke in the middle of the match.
    pub const CRASH: &'static str = "crash";
    /// It made a move that is not legal.
    pub const ILLEGAL: &'static str = "illegal";
    /// Its time was over.
    pub const TIME: &'static str = "time";
    /// It was not ready in time, or could not be started.
    pub const STARTUP: &'static str = "startup";
    /// It used more memory than it may.
    pub const MEMORY: &'static str = "memory";
    /// What it said is no answer.
    pub const RUBBISH: &'static str = "rubbish";
    /// It said too much.
    pub const FLOOD: &'static str = "flood";
    /// It had more processes than it may.
    pub const PROCESSES: &'static str = "processes";
    /// It went away, or never came.
    pub const LEFT: &'static str = "left";
    /// It gave up.
    pub const RESIGNED: &'static str = "resigned";

    /// All of these words.
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

    /// What the detail of a forfeit begins with that is no doing of the player.
    const OF_MACHINE: &str = "this machine failed: ";

    /// By no doing of its own: the machine has no room, no process or no box for it.
    pub fn of_machine(termination: &'static str, why: &str) -> Self {
        Self::new(termination, format!("{}{why}", Self::OF_MACHINE))
    }

    /// Whether what happened was no doing of the player.
    #[must_use]
    pub fn is_of_machine(detail: &str) -> bool {
        // Further on it may be what a program has said.
        detail.starts_with(Self::OF_MACHINE)
    }

    /// By such a word, with what happened.
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

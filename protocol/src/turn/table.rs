//! State of a turn game beside its board.

use serde::{Deserialize, Serialize};

use super::{Clock, ClockFace, Command, LateThought, ThoughtLine};
use crate::name::FullName;
use crate::talk::{Talk, TalkLine};
use crate::team::{ByTeam, Outcome, TwoTeams};
use crate::time::Micros;

/// Whose turn it is, the clocks, the names, the outcome, the last thoughts and the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "T: TwoTeams + Serialize, M: Serialize",
    deserialize = "T: TwoTeams + Deserialize<'de>, M: Deserialize<'de>"
))]
pub struct Table<T, M> {
    turn: Option<T>,
    winner: Option<Outcome<T>>,
    clocks: ByTeam<T, Option<ClockFace>>,
    names: Option<ByTeam<T, FullName>>,
    thoughts: ByTeam<T, Option<ThoughtLine<T, M>>>,
    talk: Talk<T>,
}

impl<T: TwoTeams, M: Clone> Table<T, M> {
    /// Whose turn it is, once that was said.
    #[must_use]
    pub fn turn(&self) -> Option<T> {
        self.turn
    }

    /// How the game came out, once it is over.
    #[must_use]
    pub fn winner(&self) -> Option<Outcome<T>> {
        self.winner
    }

    /// A team's clock, when it has one.
    #[must_use]
    pub fn clock(&self, team: T) -> Option<ClockFace> {
        self.clocks[team]
    }

    /// The name of who plays for a team, as it was sent: one word, in which blanks may be written `_`.
    #[must_use]
    pub fn name(&self, team: T) -> Option<&FullName> {
        self.names.as_ref().map(|names| &names[team])
    }

    /// What a team thought last.
    #[must_use]
    pub fn thought(&self, team: T) -> Option<&ThoughtLine<T, M>> {
        self.thoughts[team].as_ref()
    }

    /// What was said last.
    #[must_use]
    pub fn talk(&self) -> &Talk<T> {
        &self.talk
    }

    /// A new game: nobody's turn, no outcome, no thoughts. Clocks, names and talk stay.
    pub(crate) fn clear(&mut self) {
        self.turn = None;
        self.winner = None;
        self.thoughts = ByTeam::default();
    }

    /// Takes a command: number `seq` of the match, `t` after its start.
    pub(crate) fn apply(&mut self, seq: u64, t: Micros, command: &Command<T, M>) {
        match command {
            Command::Turn { team } => self.turn = Some(*team),
            Command::Clock(Clock { team, millis, running }) => {
                self.clocks[*team] = Some(ClockFace { millis: *millis, running: *running, t });
            }
            Command::Thought(thought) => {
                self.thoughts[thought.team] = Some(ThoughtLine { seq, t, made: 0, thought: thought.clone() });
            }
            Command::LateThought(_) => {}
            Command::Names(names) => self.names = Some(names.clone()),
            Command::Win { winner } => self.winner = Some(*winner),
            Command::Say { team, text } => {
                self.talk.push(TalkLine { seq, t, team: *team, text: text.clone() });
            }
        }
    }

    /// Shows what was thought at most `ply` moves after the beginning, and told by command number `seq` at `t`. `was_made` says whether
    /// a move was the one of this number, from 1.
    pub(crate) fn recall(
        &mut self,
        ply: u32,
        (seq, t): (u64, Micros),
        late: &LateThought<T, M>,
        was_made: impl Fn(u32, &M) -> bool,
    ) {
        let Some(since) = ply.checked_sub(late.ply) else { return };
        let line = &late.thought.line;
        let as_expected = (late.ply + 1..=ply).zip(line.iter()).all(|(number, mv)| was_made(number, mv));
        let made = if as_expected { line.len().min(since as usize) } else { line.len() };
        // A line has at most LINE_MAX moves.
        let made = made as u8;
        self.thoughts[late.thought.team] = Some(ThoughtLine { seq, t, made, thought: late.thought.clone() });
    }

    /// A move was made: what was expected has come about, or will not.
    pub(crate) fn moved(&mut self, mv: &M)
    where
        M: PartialEq,
    {
        for team in T::ALL {
            if let Some(line) = &mut self.thoughts[team] {
                line.moved(mv);
            }
        }
    }
}

impl<T: TwoTeams, M> Default for Table<T, M> {
    fn default() -> Table<T, M> {
        Table {
            turn: None,
            winner: None,
            clocks: ByTeam::default(),
            names: None,
            thoughts: ByTeam::default(),
            talk: Talk::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Command, Game, Micros, Scene};

    #[test]
    fn what_a_player_expects_is_over_once_another_move_was_made() {
        let mut scene = Scene::new(Game::Gomoku);
        let mut seq = 0;
        let mut to_come = |line: &str| {
            seq += 1;
            scene.apply(seq, Micros(0), &Command::parse(Game::Gomoku, line.as_bytes()));
            let Scene::Stones(stones) = &scene else { panic!("stones") };
            let thought = stones.table().thought(crate::stones::Team::Black);
            thought.map(|line| line.to_come().map(|(at, point)| format!("{at} {point}")).collect::<Vec<_>>())
        };
        assert_eq!(to_come("board 15"), None);
        assert_eq!(to_come("thought black 5 2 9 h8 i9 j10").unwrap(), ["0 h8", "1 i9", "2 j10"]);
        assert_eq!(to_come("move black h8").unwrap(), ["1 i9", "2 j10"]);
        assert_eq!(to_come("move white i9").unwrap(), ["2 j10"]);
        assert_eq!(to_come("thought black 5 2 9 j10 k11 l12").unwrap().len(), 3);
        assert_eq!(to_come("move black j10").unwrap(), ["1 k11", "2 l12"]);
        assert!(to_come("move white a1").unwrap().is_empty());
        assert!(to_come("move black l12").unwrap().is_empty());
    }
}

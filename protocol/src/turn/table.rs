//! State of a turn game beside its board.

use serde::{Deserialize, Serialize};

use super::{Clock, ClockFace, Command, LateThought, ThoughtLine};
use crate::name::FullName;
use crate::talk::{Talk, TalkLine};
use crate::team::{ByTeam, Outcome, TwoTeams};
use crate::time::Micros;

/// The team to move, the clocks, the names, the outcome, the last thoughts and the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "T: TwoTeams + Serialize, M: Serialize",
    deserialize = "T: TwoTeams + Deserialize<'de>, M: Deserialize<'de>"
))]
pub struct TurnScene<T, M> {
    turn: Option<T>,
    winner: Option<Outcome<T>>,
    clocks: ByTeam<T, Option<ClockFace>>,
    names: Option<ByTeam<T, FullName>>,
    thoughts: ByTeam<T, Option<ThoughtLine<T, M>>>,
    talk: Talk<T>,
}

impl<T: TwoTeams, M: Clone> TurnScene<T, M> {
    /// The team to move; `None` before the first `turn` command.
    pub fn turn(&self) -> Option<T> {
        self.turn
    }

    /// The outcome; `None` while the game goes on.
    pub fn winner(&self) -> Option<Outcome<T>> {
        self.winner
    }

    /// A team's clock, if it has one.
    pub fn clock(&self, team: T) -> Option<ClockFace> {
        self.clocks[team]
    }

    /// The name of a team's player as it was sent; blanks in it may be written `_`.
    pub fn name(&self, team: T) -> Option<&FullName> {
        self.names.as_ref().map(|names| &names[team])
    }

    /// A team's last thought.
    pub fn thought(&self, team: T) -> Option<&ThoughtLine<T, M>> {
        self.thoughts[team].as_ref()
    }

    /// The most recent lines of talk.
    pub fn talk(&self) -> &Talk<T> {
        &self.talk
    }

    /// Starts a new game: no team to move, no outcome, no thoughts. Clocks, names and talk stay.
    pub(crate) fn clear(&mut self) {
        self.turn = None;
        self.winner = None;
        self.thoughts = ByTeam::default();
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start.
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

    /// Shows a late thought, sent by command number `seq` at `t`, in the position after `ply` moves, if the thought is not about a
    /// later position. `was_made` says whether a move was the one of this number, from 1.
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

    /// Updates the thoughts after a move, which was expected or refutes the expectation.
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

impl<T: TwoTeams, M> Default for TurnScene<T, M> {
    fn default() -> TurnScene<T, M> {
        TurnScene {
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

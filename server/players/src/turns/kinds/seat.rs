//! Player at a seat, over a bridge: a person in the spectator, or a program over HTTP.

use std::time::{Duration, Instant};

use grandstand_matches::turns::answer::{Answer, Forfeit, OpeningQuestion};
use grandstand_protocol::{self as protocol, Question};
use grandstand_rules::turn::{Drawn, Position, Side};

use super::person::read_opening_answer;
use crate::seats::{ProposedMove, SeatEvent, SeatSlot};
use crate::turns::options::{self, OptionError};
use crate::turns::player::{Player, Preparation, Turn};
use crate::turns::player_factory::{PlayerFactory, PlayerKind};

/// Default time for which a seat may be free before its player loses.
pub const WAIT: Duration = Duration::from_secs(600);

/// Player at a seat that anybody may take. Its clock runs whether the seat is taken or not. A seat that stays free too
/// long, before the match or in its turn, loses by [`Forfeit::LEFT`].
#[derive(Debug)]
pub struct SeatPlayer {
    slot: SeatSlot,
    wait: Duration,
}

impl Default for SeatPlayer {
    fn default() -> Self {
        Self::new(WAIT)
    }
}

impl SeatPlayer {
    /// A player at a new seat, which may be free for `wait`.
    pub fn new(wait: Duration) -> Self {
        Self { slot: SeatSlot::new(""), wait }
    }

    /// Parses the options of the player `seat`: the time for which it may be free.
    ///
    /// # Errors
    /// The first unknown or wrong option.
    pub fn read(options: Option<&str>) -> Result<Duration, OptionError> {
        let mut wait = WAIT;
        for option in options::each(options) {
            match option? {
                ("wait", value) => wait = options::span("wait", value)?,
                (name, _) => return Err(OptionError::unknown(name, "wait")),
            }
        }
        Ok(wait)
    }

    /// The kind `seat`, in any game.
    pub const fn kind<P: Drawn>() -> PlayerKind<P> {
        PlayerKind {
            name: "seat",
            usage: "seat[:wait=TIME]",
            create: |options| {
                let wait = Self::read(options).map_err(|error| error.to_string())?;
                Ok(PlayerFactory::new("person", move || Self::new(wait)).at_a_seat())
            },
        }
    }

    fn left(&self) -> Forfeit {
        Forfeit::new(Forfeit::LEFT, format!("the seat was free for {} s", self.wait.as_secs()))
    }

    /// Waits for a move that `read` accepts.
    fn ask<P: Drawn>(
        &self,
        turn: &Turn<'_, P>,
        read: impl Fn(&str) -> Result<Answer<P::Move>, String>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        let found = loop {
            match self.slot.wait_move(turn.deadline, self.wait, || !turn.stopped()) {
                SeatEvent::Free => break Err(self.left()),
                SeatEvent::Nothing => {
                    break Err(Forfeit::new(Forfeit::TIME, "no move was made in time"));
                }
                SeatEvent::Move(proposal) => match judge(turn.position, &proposal, &read) {
                    Ok(answer) => {
                        turn.answered_at(proposal.at);
                        proposal.answer(Ok(()));
                        break Ok(answer);
                    }
                    Err(why) => proposal.answer(Err(why)),
                },
            }
        };
        self.slot.turn_over("it is not your turn any more");
        found
    }
}

/// Question of an opening for the holder of a seat, with the answers that [`read_opening_answer`] parses.
pub(in crate::turns) fn question<P: Drawn>(asked: OpeningQuestion, side: Side) -> Question {
    let (own, other) = (P::team_name(side), P::team_name(side.opponent()));
    let [first, second] = Side::ALL.map(P::team_name);
    let text = match asked {
        OpeningQuestion::Place => format!("place three stones: {first}, {second}, {first}"),
        OpeningQuestion::Answer => {
            format!("keep {own}, take {other}, or place two more")
        }
        OpeningQuestion::Choose => format!("keep {own} or take {other}"),
    };
    let answer =
        |text: &str, label: String| protocol::Choice { text: text.into(), label: label.as_str().into() };
    let choices = match asked {
        OpeningQuestion::Place => Vec::new(),
        OpeningQuestion::Answer | OpeningQuestion::Choose => {
            vec![answer("stay", format!("Keep {own}")), answer("swap", format!("Take {other}"))]
        }
    };
    let places = asked.stones().map_or(0, |stones| stones as u8);
    Question { text: text.as_str().into(), places, choices }
}

/// Answer that a proposed move stands for, or the reason for refusing it.
fn judge<P: Position>(
    position: &P,
    proposal: &ProposedMove,
    read: &impl Fn(&str) -> Result<Answer<P::Move>, String>,
) -> Result<Answer<P::Move>, String> {
    let text = proposal.text.trim();
    if text == "resign" {
        return Ok(Answer::Resign);
    }
    if proposal.ply != position.ply() {
        let (made, now) = (proposal.ply, position.ply());
        return Err(format!("the move was made for a picture with {made} moves, and there were {now}"));
    }
    read(text)
}

impl<P: Drawn> Player<P> for SeatPlayer {
    fn preparation_limit(&self) -> Option<Duration> {
        // The seat has a limit of its own.
        None
    }

    fn slot(&self) -> Option<SeatSlot> {
        Some(self.slot.clone())
    }

    fn prepare(&mut self, game: &Preparation<P>) -> Result<(), Forfeit> {
        let reports = game.reports.clone();
        self.slot.on_resign(move || reports.resign());
        let (slot, stop) = (self.slot.clone(), game.stop.clone());
        game.stop.when_set(move || slot.wake());
        let until = Instant::now().checked_add(self.wait);
        match self.slot.wait_taken(until, || !stop.is_set()) {
            Some(name) => {
                if let Some(name) = name {
                    game.reports.name(&name);
                }
                Ok(())
            }
            None => Err(self.left()),
        }
    }

    fn choose(&mut self, turn: &Turn<'_, P>) -> Result<Answer<P::Move>, Forfeit> {
        self.ask(turn, |text| {
            let mv = turn.position.parse_move(text).map_err(|error| error.to_string())?;
            turn.position.check(mv).map_err(|illegal| illegal.to_string())?;
            Ok(Answer::Move(mv))
        })
    }

    fn answer_opening(
        &mut self,
        asked: OpeningQuestion,
        turn: &Turn<'_, P>,
    ) -> Result<Answer<P::Move>, Forfeit> {
        self.ask(turn, |text| read_opening_answer(asked, turn.position, text))
    }

    fn finish(&mut self) {
        self.slot.close();
    }
}

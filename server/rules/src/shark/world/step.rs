//! Progress from step to step: powerups, reports of the time, and the end of the match.

use grandstand_protocol::shark::{Command, Team, Tile};

use super::World;
use super::errors::ActError;
use crate::Pid;
use crate::shark::board::Bot;
use crate::shark::outcome::{Finish, Termination, decide};

impl World {
    /// Ends `step` and those before it, after every thread has made its step. A powerup may appear, the time is reported, and the
    /// end of the match is checked.
    pub fn end_step(&mut self, step: u64) {
        while self.finish.is_none() && self.step <= step {
            self.enter(step);
            if self.finish.is_some() {
                break;
            }
            if self.step == self.arrivals.next() {
                self.arrivals.pass();
                self.drop_powerup();
            }
            if self.step == self.next_time() {
                self.show_time();
            }
            self.settle();
            if self.finish.is_none() {
                self.step += 1;
            }
        }
    }

    /// The next step at whose end the time is reported.
    pub(super) fn next_time(&self) -> u64 {
        (self.shown_step / self.rules.time_every + 1) * self.rules.time_every
    }

    /// Makes `step` the current one, unless the match ended before. Never skips an event: only
    /// [`end_step`](Self::end_step) processes it.
    pub(super) fn enter(&mut self, step: u64) {
        if self.finish.is_none() && step > self.step {
            let step = step.min(self.next_event_step());
            if step > self.step {
                self.settle();
                if self.finish.is_none() {
                    self.step = step;
                }
            }
        }
    }

    /// The robot that acts in `step`.
    pub(super) fn begin(&mut self, step: u64, pid: Pid) -> Result<Bot, ActError> {
        self.enter(step);
        if self.finish.is_some() {
            return Err(ActError::Over);
        }
        let bot = *self.board.bot(pid).ok_or(ActError::NoBot(pid))?;
        if bot.ready > self.step { Err(ActError::Waits(pid, bot.ready)) } else { Ok(bot) }
    }

    /// Ends the match at the current step if it is over (section 2.5).
    pub(super) fn settle(&mut self) {
        let termination = if self.score.iter().any(|&score| score >= self.rules.winning_score) {
            Termination::Score
        } else if Team::ALL.iter().any(|&team| self.board.count(team) == 0) {
            Termination::Robots
        } else if self.step >= self.rules.game_length {
            Termination::Length
        } else {
            return;
        };
        let outcome = decide(self.score);
        self.finish = Some(Finish { outcome, termination, step: self.step });
        if self.shown_step != self.step {
            self.show_time();
        }
        self.push(Command::Win(outcome.into()).into());
    }

    /// Puts a powerup on a random empty drop point, if there is one (section 2.9).
    fn drop_powerup(&mut self) {
        let free: Vec<Tile> =
            self.field.drops().iter().copied().filter(|&place| self.board.is_empty(place)).collect();
        if let Some(place) = self.drops.choose(&free)
            && self.board.drop_powerup(place)
        {
            self.show(place);
        }
    }
}

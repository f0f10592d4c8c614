//! Course of turns: cycles pass, the moves at the end of a turn are processed, and the match ends.

use grandstand_protocol::Marker;
use grandstand_protocol::abalone::{Command, Facing, Hex, Team};

use super::{CycleEnd, World};
use crate::Pid;
use crate::abalone::board::Bot;
use crate::abalone::outcome::{Finish, Termination, decide};
use crate::abalone::turn_moves::{ChainMove, TurnMoves};

impl World {
    /// Ends `cycle` and those before it, after every thread has made its step. At the end of a turn its team's
    /// moves are processed; then the end of the match is checked.
    pub fn end_cycle(&mut self, cycle: u64) -> CycleEnd {
        let mut end = CycleEnd::default();
        while self.finish.is_none() && self.cycle <= cycle {
            self.enter(cycle);
            if self.finish.is_some() {
                break;
            }
            let turn_is_over = self.cycle == self.turn_end(self.turn);
            if turn_is_over {
                self.process_moves(&mut end.dead);
            }
            self.settle();
            if self.finish.is_none() {
                if turn_is_over {
                    self.start_turn(&mut end.woken);
                }
                self.cycle += 1;
            }
        }
        end
    }

    pub(super) fn turn_end(&self, turn: u32) -> u64 {
        u64::from(turn) * self.rules.cycles_per_turn
    }

    /// The team whose moves end the current turn.
    pub(super) fn mover(&self) -> Team {
        if self.turn % 2 == 1 { Team::Black } else { Team::White }
    }

    /// Makes `cycle` the current one, unless the match ended before. Never skips the end of a
    /// turn: only [`end_cycle`](Self::end_cycle) processes it.
    pub(super) fn enter(&mut self, cycle: u64) {
        let cycle = cycle.min(self.next_event_cycle());
        if self.finish.is_none() && cycle > self.cycle {
            self.settle();
            if self.finish.is_none() {
                self.cycle = cycle;
            }
        }
    }

    /// Ends the match at the current cycle if it is over (section 2.1).
    pub(super) fn settle(&mut self) {
        let pieces = (self.board.count(Team::Black), self.board.count(Team::White));
        let score = (self.score[0], self.score[1]);
        let termination = if score.0.max(score.1) >= self.rules.winning_score {
            Termination::Score
        } else if pieces.0 == 0 || pieces.1 == 0 {
            Termination::Pieces
        } else if self.cycle >= self.rules.game_length {
            Termination::Length
        } else {
            return;
        };
        let turns = if self.cycle == self.turn_end(self.turn) { self.turn } else { self.turn - 1 };
        self.finish = Some(Finish { outcome: decide(score, pieces), termination, cycle: self.cycle, turns });
    }

    /// Tries the moves of every chain of the moving team (sections 2.9 to 2.12).
    fn process_moves(&mut self, dead: &mut Vec<Bot>) {
        let mover = self.mover();
        let mut kept = self.moves.is_some().then(|| TurnMoves {
            cycle: self.cycle,
            turn: self.turn,
            team: mover,
            moves: Vec::new(),
            idle: self
                .bots()
                .iter()
                .filter(|bot| bot.team == mover && bot.commit == Facing::None)
                .map(|bot| (bot.pid, self.is_waiting(bot.pid)))
                .collect(),
        });
        // Each round resets the commits of at least the piece that it began with, so the loop ends.
        while let Some(chain) = self.board.next_chain(mover) {
            let pids: Vec<Pid> =
                chain.hexes.iter().filter_map(|&hex| self.board.at(hex)).map(|(pid, _)| pid).collect();
            let push = self.board.check_push(&chain);
            for &pid in &pids {
                self.board.commit(pid, Facing::None);
            }
            if let Some(kept) = &mut kept {
                let bots = pids.iter().copied().zip(chain.hexes.iter().copied()).rev().collect();
                let result = push.as_ref().map(|push| push.pushed.len()).map_err(|why| *why);
                kept.moves.push(ChainMove { facing: chain.facing, bots, result });
            }
            let Ok(push) = push else {
                chain.hexes.iter().for_each(|&hex| self.show(hex));
                continue;
            };
            if push.into.is_none()
                && let Some(bot) = push.pushed.last().and_then(|&hex| self.board.at(hex))
                && let Some(bot) = self.board.remove(bot.0)
            {
                self.waiting.remove(&bot.pid);
                self.commands.push(push_off(mover, bot.hex).into());
                self.add_point(mover);
                dead.push(bot);
            }
            // From the foremost piece to the rear one, so that each piece enters a hex that was just left.
            for &from in push.pushed.iter().rev().chain(&chain.hexes) {
                if let Some(to) = from.neighbour(chain.facing) {
                    self.board.shift(from, to);
                    self.show(to);
                }
            }
            if let Some(&rear) = chain.hexes.last() {
                self.show(rear);
            }
        }
        if let (Some(moves), Some(kept)) = (&mut self.moves, kept) {
            moves.push(kept);
        }
    }

    /// Begins the next turn and wakes the bots that waited for it (section 2.12).
    fn start_turn(&mut self, woken: &mut Vec<Pid>) {
        let moved = self.mover();
        self.turn += 1;
        self.talks = [0; 2];
        self.commands.push(Command::Turns { value: self.turn }.into());
        let board = &self.board;
        self.waiting.retain(|&pid, for_own_turn| {
            let wakes = !*for_own_turn || board.bot(pid).is_none_or(|bot| bot.team != moved);
            if wakes {
                woken.push(pid);
            }
            !wakes
        });
    }
}

/// The marker for `mover` pushing a piece off from `hex`.
fn push_off(mover: Team, hex: Hex) -> Marker {
    Marker {
        label: format!("{mover} pushes {} off at {hex}", mover.opponent()).into(),
        kind: Some("push-off".into()),
        team: Some(mover.name().into()),
    }
}

//! How a game of stones is drawn.

use grandstand_protocol::stones::{Command as Stones, FORBIDDEN_MAX, Point, Team, Thought};
use grandstand_protocol::team::ByTeam;
use grandstand_protocol::turn::Clock;
use grandstand_protocol::{Command, Game, Text, clean_text};

use super::position::Position;
use crate::turn::{self, Drawn, Outcome, Position as _, Side};

fn team(side: Side) -> Team {
    match side {
        Side::First => Team::Black,
        Side::Second => Team::White,
    }
}

impl Position {
    /// The commands of a move, but for what depends on the position after it.
    fn draw_stone(&self, point: Point, commands: &mut Vec<Stones>) {
        let side = self.to_move();
        commands.push(Stones::Move { team: team(side), point });
        let captured = self.captured_by(side, point);
        if captured.is_empty() {
            return;
        }
        let pairs = self.pairs(side) + captured.len() as u32 / 2;
        commands.extend(captured.into_iter().map(|point| Stones::Set { point, stone: None }));
        commands.push(Stones::Captures { team: team(side), pairs });
    }

    /// What is drawn anew after each move: whose turn it is, and the row that has won.
    fn draw_state(&self, commands: &mut Vec<Stones>) {
        if let Some([from, to]) = self.five() {
            commands.push(Stones::Five { from, to });
        }
        commands.push(Stones::Turn { team: team(self.to_move()) });
    }

    /// What black may not do; nothing once the game is over.
    fn drawn_forbidden(&self) -> Vec<Point> {
        let mut points = if self.end().is_none() { self.all_forbidden() } else { Vec::new() };
        points.truncate(FORBIDDEN_MAX);
        points
    }
}

fn wrapped(commands: Vec<Stones>) -> Vec<Command> {
    commands.into_iter().map(Command::Stones).collect()
}

impl Drawn for Position {
    fn game(&self) -> Game {
        self.rule().game()
    }

    fn team_name(side: Side) -> &'static str {
        team(side).name()
    }

    fn draw(&self) -> Vec<Command> {
        let mut commands = vec![Stones::Board { size: self.size() }];
        let mut position = self.emptied();
        for &point in self.moves() {
            position.draw_stone(point, &mut commands);
            position.advance(point);
        }
        let points = self.drawn_forbidden();
        if !points.is_empty() {
            commands.push(Stones::Forbid { points: points.into() });
        }
        self.draw_state(&mut commands);
        wrapped(commands)
    }

    fn draw_move(&self, point: Point, after: &Self) -> Vec<Command> {
        let mut commands = Vec::new();
        self.draw_stone(point, &mut commands);
        let points = after.drawn_forbidden();
        if points != self.drawn_forbidden() {
            commands.push(Stones::Forbid { points: points.into() });
        }
        after.draw_state(&mut commands);
        wrapped(commands)
    }

    fn clock(side: Side, millis: i64, running: bool) -> Command {
        let millis = millis.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        Command::Stones(Stones::Clock(Clock { team: team(side), millis, running }))
    }

    fn thought(side: Side, thought: &turn::Thought<Point>) -> Command {
        let turn::Thought { score, depth, nodes, ref line } = *thought;
        let line = line.iter().copied().take(grandstand_protocol::turn::LINE_MAX).collect();
        Command::Stones(Stones::Thought(Thought { team: team(side), score, depth, nodes, line }))
    }

    fn say(side: Side, text: &str) -> Command {
        Command::Stones(Stones::Say { team: team(side), text: Text::from(clean_text(text)) })
    }

    fn names([black, white]: [&str; 2]) -> Option<Command> {
        let names = ByTeam::new(turn::team_name(black)?, turn::team_name(white)?);
        Some(Command::Stones(Stones::Names(names)))
    }

    fn over(outcome: Outcome<Side>) -> Command {
        let winner = outcome.map(team);
        Command::Stones(Stones::Win { winner })
    }
}

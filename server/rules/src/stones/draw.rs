//! Drawing of Gomoku and Pente.

use grandstand_protocol::stones::{Command as Stones, Common, FORBIDDEN_MAX, Point, Team};
use grandstand_protocol::{Command, Game};

use super::position::Position;
use crate::turn::{Drawn, Position as _};

impl Position {
    /// Appends the commands of a move that do not depend on the position after it.
    fn draw_stone(&self, point: Point, commands: &mut Vec<Stones>) {
        let side = self.to_move();
        commands.push(Stones::Move { team: Position::team(side), point });
        let captured = self.captured_by(side, point);
        if captured.is_empty() {
            return;
        }
        let pairs = self.pairs(side) + captured.len() as u32 / 2;
        commands.extend(captured.into_iter().map(|point| Stones::Set { point, stone: None }));
        commands.push(Stones::Captures { team: Position::team(side), pairs });
    }

    /// Appends the commands that follow each move: the side to move, and the winning row.
    fn draw_state(&self, commands: &mut Vec<Stones>) {
        if let Some([from, to]) = self.five() {
            commands.push(Stones::Five { from, to });
        }
        commands.push(Stones::Common(Common::Turn { team: Position::team(self.to_move()) }));
    }

    /// The points that are forbidden to black; none once the game is over.
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

    type Team = Team;
    type Drawing = Point;

    fn drawing(point: Point) -> Point {
        point
    }

    fn common(command: Common) -> Command {
        Command::Stones(Stones::Common(command))
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
}

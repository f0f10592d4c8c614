//! Drawing of Riskless.

use grandstand_protocol::riskless::{
    self as dialect, Command as Drawing, Common, Holding, March, Road, Set, Step, Team,
};
use grandstand_protocol::{Command, Game};

use super::{Battle, Move, Position};
use crate::turn::{Drawn, Position as _, Side};

impl Position {
    fn draw_set(&self, territory: u8) -> Drawing {
        let held = |(side, armies)| Holding { team: Position::team(side), armies: u32::from(armies) };
        Drawing::Set(Set { territory, holding: self.holding(territory).map(held) })
    }

    /// The numbers of the territories.
    fn numbers(&self) -> impl Iterator<Item = u8> {
        0..self.map().territories().len() as u8
    }
}

fn march(mover: Side, mv: Move) -> Drawing {
    Drawing::Move(March { team: Position::team(mover), from: mv.from, to: mv.to })
}

fn fight(battle: Battle) -> Drawing {
    let Battle { territory, attackers, defenders } = battle;
    Drawing::Battle(dialect::Battle { territory, attackers: attackers.into(), defenders: defenders.into() })
}

fn wrapped(drawings: Vec<Drawing>) -> Vec<Command> {
    drawings.into_iter().map(Command::Riskless).collect()
}

impl Drawn for Position {
    fn game(&self) -> Game {
        Game::Riskless
    }

    type Team = Team;
    type Drawing = Step;

    fn drawing(mv: Move) -> Step {
        Step { from: mv.from, to: mv.to }
    }

    fn common(command: Common) -> Command {
        Command::Riskless(Drawing::Common(command))
    }

    /// Draws the whole position. A position knows only its last move, but a scene counts moves: the last one is drawn
    /// in place of all earlier ones.
    fn draw(&self) -> Vec<Command> {
        let map = self.map();
        let (cap, goal, title) = (u32::from(map.cap()), u32::from(map.goal()), map.title().into());
        let mut drawings = vec![Drawing::Map(dialect::Map { cap, goal, title })];
        drawings.extend(self.numbers().zip(map.territories()).map(|(id, territory)| {
            let (x, y, name) = (territory.x, territory.y, territory.name.as_str().into());
            Drawing::Territory(dialect::Territory { id, x, y, name })
        }));
        drawings.extend(map.roads().iter().map(|&(a, b)| Drawing::Road(Road { a, b })));
        if let Some((mv, battle)) = self.last() {
            let march = march(self.to_move().opponent(), mv);
            drawings.extend((0..self.ply()).map(|_| march.clone()));
            drawings.extend(battle.map(fight));
        }
        let held = self.numbers().filter(|&number| self.holding(number).is_some());
        drawings.extend(held.map(|number| self.draw_set(number)));
        drawings.push(Drawing::Common(Common::Turn { team: Position::team(self.to_move()) }));
        wrapped(drawings)
    }

    fn draw_move(&self, mv: Move, after: &Self) -> Vec<Command> {
        let mut drawings = vec![march(self.to_move(), mv)];
        drawings.extend(self.battle(mv).map(fight));
        let changed = self.numbers().filter(|&number| self.holding(number) != after.holding(number));
        drawings.extend(changed.map(|number| after.draw_set(number)));
        drawings.push(Drawing::Common(Common::Turn { team: Position::team(after.to_move()) }));
        wrapped(drawings)
    }
}

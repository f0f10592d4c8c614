//! Helpers of the tests of Abalone.

use grandstand_protocol::abalone::{Hex, Scene, Team};
use grandstand_protocol::{Command, Micros};
use grandstand_rules::Pid;
use grandstand_rules::abalone::{Rules, Setup, World};

use super::diagram::Diagram;

/// A world in which turn `turn` starts with the pieces of `diagram`.
pub(crate) fn world(turn: u32, diagram: &str) -> World {
    world_by(Rules::default(), turn, diagram)
}

/// The same with other settings.
pub(crate) fn world_by(rules: Rules, turn: u32, diagram: &str) -> World {
    let bots = diagram.parse::<Diagram>().unwrap().bots;
    World::from_setup(&Setup { rules, seed: 1, turn, score: (0, 0), bots }).unwrap()
}

/// The start of a match with black's first thread 1 and white's 2.
pub(crate) fn start(rules: Rules, seed: u64) -> World {
    World::new(rules, seed, Pid(1), Pid(2)).unwrap()
}

/// The pieces as text.
pub(crate) fn board(world: &World) -> String {
    Diagram { bots: world.bots().to_vec() }.to_string()
}

/// Scores of black and of white.
pub(crate) fn score(world: &World) -> (u32, u32) {
    (world.score(Team::Black), world.score(Team::White))
}

/// Folds the commands into the scene.
pub(crate) fn draw(scene: &mut Scene, commands: &[Command]) {
    for command in commands {
        match command {
            Command::Abalone(command) => scene.apply(0, Micros(0), command),
            Command::Marker(_) => {}
            other => panic!("not a command of a match: {other:?}"),
        }
    }
}

/// Asserts that the scenes are equal, except for the talk.
pub(crate) fn assert_same_picture(drawn: &Scene, projected: &Scene) {
    for hex in Hex::all() {
        assert_eq!(drawn.get(hex), projected.get(hex), "at {hex}");
    }
    for team in Team::ALL {
        assert_eq!(drawn.score(team), projected.score(team), "score of {team}");
    }
    assert_eq!(drawn.turns(), projected.turns(), "turns");
}

/// The hex of that name.
pub(crate) fn hex(name: &str) -> Hex {
    name.parse().unwrap()
}

//! Reasons for refusals, in words: section 2.11 of Abalone, moves of λ-Shark, actions of Steam Fortress.

use std::fs;
use std::path::Path;

use grandstand_rules::abalone::World;
use grandstand_rules::fortress::{Action, Hand, Position};
use grandstand_rules::shark::{self, Object};
use grandstand_rules::{Pid, Refusal};

use crate::abalone::common::world;
use crate::fortress::common::{AHEAD, play};
use crate::shark::game::Game;

/// The results of black's moves on a board, one per line.
fn moves(mut world: World) -> Vec<String> {
    world.keep_moves();
    world.end_cycle(world.next_event_cycle());
    let [turn] = &world.drain_moves()[..] else { panic!("one turn is over") };
    let line = |chain: &grandstand_rules::abalone::ChainMove| match &chain.result {
        Ok(pushed) => format!("{chain} pushes {pushed}"),
        Err(why) => format!("{chain} ({})", why.rule()),
    };
    turn.moves.iter().map(line).collect()
}

#[test]
fn a_chain_is_told_why_it_stays() {
    let figure = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/turns/figure-4.txt");
    let figure = fs::read_to_string(figure).unwrap();
    let board: Vec<&str> = figure.lines().filter(|line| !line.starts_with(';')).skip(1).take(9).collect();
    assert_eq!(
        moves(world(1, &board.join("\n"))),
        [
            "E−4–E−3 R: two against two (outnumbered)",
            "C−4–C−2 R: three against three (outnumbered)",
            "G−2 R: one against one (outnumbered)",
            "A−4–A−3 R: a piece of its own team is behind the enemy, on A−1 (own-piece-behind)",
            "I0–I2 R: a piece of its own team is behind the enemy, on I4 (own-piece-behind)",
            "H4 R: the board ends there (off-board)",
        ]
    );
}

#[test]
fn a_chain_says_how_many_it_pushes_and_names_who_rests() {
    let board = "
I     . . . . .
H    . . . . . .
G   . . . . . . .
F  . . . . . . . .
E 1b1 2b1 3b1 4b1 5w 6w 7w . .
D  8b1 9b1 10w . . . . .
C   11b1 12b . . . . .
B    . . . . . .
A     13w . . . .";
    let mut abalone = world(1, board.trim_start_matches('\n'));
    assert_eq!(
        moves(abalone.clone()),
        [
            "E−4–E−1 R: four against three: a chain pushes two at the most (too-many)",
            "D−4–D−3 R pushes 1",
            "C−4 R: a piece of its own team is on C−3 (own-piece)",
        ]
    );
    abalone.keep_moves();
    abalone.end_cycle(abalone.next_event_cycle());
    assert_eq!(abalone.drain_moves()[0].idle, [(Pid(12), false)]);
    assert!(abalone.drain_moves().is_empty());
}

#[test]
fn a_robot_is_told_what_is_in_its_way() {
    let mut game = Game::new(
        "
        * 1 2 * 3
        . . . . R
        1 red left
        2 red left
        3 blue down",
    );
    let mut why = |pid: u32, action: shark::Action| {
        game.act(pid, action);
        game.world.failure().map(|failure| format!("{failure} ({})", failure.rule()))
    };
    assert_eq!(why(1, shark::Action::Move).unwrap(), "a wall is on 0,0 (wall)");
    assert_eq!(why(2, shark::Action::Move).unwrap(), "a robot of its own team is on 1,0 (teammate)");
    assert_eq!(why(3, shark::Action::Move), None, "it takes the flag");
    assert_eq!(
        why(3, shark::Action::Move).unwrap(),
        "the other team's stand is on 4,1, and the flag is not there (no-flag)"
    );
    assert_eq!(
        why(1, shark::Action::Nearest(Object::Spawn)).unwrap(),
        "there is no O_SPAWN on the board (not-found)"
    );
    assert_eq!(why(1, shark::Action::Shoot), None);
    why(1, shark::Action::Face(grandstand_protocol::shark::Heading::Up));
    assert_eq!(why(1, shark::Action::Move).unwrap(), "the board ends there (off-board)");
}

#[test]
fn a_unit_is_told_why_it_failed() {
    let mut game = play("1 red pyro 3,5 north\n2 red soldier 3,6 north\n9 blue soldier 25,12 west");
    let mut why = |now: u64, unit: u32, action: Action| {
        game.act(now, unit, action);
        game.world.failure().map(|failure| format!("{failure} ({})", failure.rule()))
    };
    assert_eq!(why(0, 1, AHEAD).unwrap(), "a unit stands on 3,6 (occupied)");
    assert_eq!(why(0, 1, Action::Turn(Hand::Left)), None);
    assert_eq!(why(0, 1, AHEAD).unwrap(), "it moves or turns again from millisecond 85 on (moving)");
    assert_eq!(why(1, 1, Action::Scan(-1)).unwrap(), "a range can't be negative (range)");
    let nowhere = Position { x: 99, y: 0 };
    assert_eq!(why(1, 1, Action::Inspect(nowhere)).unwrap(), "this position is off the board (off-board)");
    let target = Action::PrimaryAbility(nowhere);
    assert_eq!(why(1, 2, target).unwrap(), "it can't aim at its own square, or off the board (target)");
    assert_eq!(why(1, 77, AHEAD).unwrap(), "the match is over, or there is no such unit (over)");
    assert_eq!(why(2, 1, Action::MyStatus), None);
}

//! Sections 3.2 and 3.3: queries of robots, object codes, talk, and the numbers in programs.

use grandstand_protocol::shark::{Heading, Team};
use grandstand_rules::Pid;
use grandstand_rules::shark::{
    ACTIONS, Action, Answer, DIRECTIONS, Object, RESULTS, Rules, direction, direction_code,
};

use super::game::{Game, place, rules};

/// Robots 1 and 3 are red, 2 and 4 blue.
const HALL: &str = "
    1 . * . 3 . .
    . . . . . . .
    R . + . . . B
    . . . . . . .
    2 . . . . . 4
    1 red right
    2 blue up
    3 red left
    4 blue up";

fn see(game: &mut Game, pid: u32, (x, y): (i64, i64)) -> Object {
    match game.ask(pid, Action::Inspect { x, y }) {
        Answer::Object(object) => object,
        other => panic!("{other:?}"),
    }
}

fn nearest(game: &mut Game, pid: u32, object: Object) -> Option<(i64, i64)> {
    match game.ask(pid, Action::Nearest(object)) {
        Answer::Found { x, y } => Some((x, y)),
        Answer::Fail => None,
        other => panic!("{other:?}"),
    }
}

fn look(game: &mut Game, pid: u32, heading: Heading) -> (u32, Object) {
    match game.ask(pid, Action::Look(heading)) {
        Answer::Seen { distance, object } => (distance, object),
        other => panic!("{other:?}"),
    }
}

#[test]
fn inspect_tells_what_a_tile_contains_to_the_robots_team() {
    let mut game = Game::new(HALL);
    let cases = [
        ((1, 0), Object::Empty, Object::Empty),
        ((2, 0), Object::Wall, Object::Wall),
        ((0, 2), Object::MyFlag, Object::OppFlag),
        ((6, 2), Object::OppFlag, Object::MyFlag),
        ((2, 2), Object::Spawn, Object::Spawn),
        ((4, 0), Object::Teammate, Object::Opponent),
        ((6, 4), Object::Opponent, Object::Teammate),
        ((0, 15), Object::Empty, Object::Empty),
    ];
    for (at, red, blue) in cases {
        assert_eq!((see(&mut game, 1, at), see(&mut game, 2, at)), (red, blue), "at {at:?}");
    }
    assert_eq!(see(&mut game, 1, (0, 0)), Object::Teammate, "a robot sees one of its team in itself");
}

#[test]
fn what_is_off_the_board_is_a_wall() {
    let mut game = Game::new(HALL);
    for at in [(-1, 0), (32, 0), (0, -1), (0, 16), (i64::MIN, i64::MAX), (256, 0), (0, 272)] {
        assert_eq!(see(&mut game, 1, at), Object::Wall, "at {at:?}");
    }
}

#[test]
fn the_most_specific_code_is_told() {
    let mut game = Game::new(
        "
        1 R 2 . B
        1 red right
        2 blue left",
    );
    assert_eq!(see(&mut game, 1, (1, 0)), Object::MyFlag, "a stand with its flag is the flag");
    game.go(2);
    assert_eq!(see(&mut game, 1, (1, 0)), Object::FlagStand, "an empty one a stand");
    assert_eq!(see(&mut game, 2, (1, 0)), Object::FlagStand, "to both teams");
    assert_eq!(see(&mut game, 1, (2, 0)), Object::OpponentWithFlag);
    assert_eq!(see(&mut game, 2, (2, 0)), Object::TeammateWithFlag);
    assert_eq!(look(&mut game, 1, Heading::Right), (1, Object::FlagStand));
}

#[test]
fn look_finds_the_first_tile_that_is_not_empty() {
    let mut game = Game::new(HALL);
    assert_eq!(look(&mut game, 1, Heading::Right), (2, Object::Wall));
    assert_eq!(look(&mut game, 1, Heading::Down), (2, Object::MyFlag));
    assert_eq!(look(&mut game, 1, Heading::Up), (1, Object::Wall), "the edge of the board");
    assert_eq!(look(&mut game, 3, Heading::Down), (16, Object::Wall), "the other edge");
    assert_eq!(look(&mut game, 4, Heading::Left), (6, Object::Teammate));
    assert_eq!(look(&mut game, 4, Heading::Up), (2, Object::MyFlag));
    // A robot looks where it likes, wherever it faces.
    assert_eq!(game.world.bot(Pid(4)).unwrap().heading, Heading::Up);
}

#[test]
fn nearest_finds_whatever_the_code_fits() {
    let mut game = Game::new(HALL);
    assert_eq!(nearest(&mut game, 1, Object::Empty), Some((1, 0)));
    assert_eq!(nearest(&mut game, 1, Object::Spawn), Some((2, 2)));
    assert_eq!(nearest(&mut game, 1, Object::MyFlag), Some((0, 2)));
    assert_eq!(nearest(&mut game, 1, Object::OppFlag), Some((6, 2)));
    assert_eq!(nearest(&mut game, 1, Object::FlagStand), Some((0, 2)));
    assert_eq!(nearest(&mut game, 3, Object::FlagStand), Some((6, 2)));
    assert_eq!(nearest(&mut game, 1, Object::Teammate), Some((4, 0)), "a robot is no team mate of itself");
    assert_eq!(nearest(&mut game, 1, Object::Opponent), Some((0, 4)));
    assert_eq!(nearest(&mut game, 1, Object::TeammateWithFlag), None);
    assert_eq!(nearest(&mut game, 1, Object::OpponentWithFlag), None);
}

#[test]
fn nearest_finds_a_carrier_by_every_code_that_fits_it() {
    let mut game = Game::new(
        "
        1 . . R . B
        . 3 2 . . .
        1 red right
        2 blue left flag
        3 red up",
    );
    assert_eq!(nearest(&mut game, 1, Object::OpponentWithFlag), Some((2, 1)));
    assert_eq!(nearest(&mut game, 1, Object::Opponent), Some((2, 1)));
    assert_eq!(nearest(&mut game, 1, Object::MyFlag), Some((2, 1)), "the flag is where its carrier is");
    assert_eq!(nearest(&mut game, 1, Object::FlagStand), Some((3, 0)), "the stand stays a stand");
    assert_eq!(nearest(&mut game, 2, Object::OppFlag), Some((2, 1)), "it has the flag itself");
    assert_eq!(nearest(&mut game, 2, Object::TeammateWithFlag), None, "but is no team mate of itself");
    assert_eq!(nearest(&mut game, 1, Object::Spawn), None);
}

#[test]
fn of_several_the_topmost_is_nearest_and_of_those_the_leftmost() {
    let mut game = Game::new(
        "
        . . . . . .
        . . . * . .
        . . * 1 * .
        . . . * . .
        1 red right",
    );
    assert_eq!(nearest(&mut game, 1, Object::Wall), Some((3, 1)));
    assert_eq!(nearest(&mut game, 1, Object::Empty), Some((3, 0)));
    let mut game = Game::new(
        "
        . + . 1 . +
        . . . . . .
        . . . + . .
        1 red right",
    );
    assert_eq!(nearest(&mut game, 1, Object::Spawn), Some((1, 0)));
}

#[test]
fn the_nearest_wall_may_be_off_the_board() {
    let mut game = Game::new(
        "
        . . . . * .
        . 1 . . . .
        1 red right",
    );
    assert_eq!(nearest(&mut game, 1, Object::Wall), Some((1, -1)), "two away, above two away on the left");
    assert_eq!(see(&mut game, 1, (1, -1)), Object::Wall);
}

#[test]
fn nearest_is_what_a_search_of_the_whole_board_finds() {
    let rows = "
        . . * . . . + .
        . 1 . . R . . .
        . . . 2 . . 3 .
        * . + . . 5 . .
        . . . . . B . 4
        1 red right
        2 blue up
        3 red left
        4 blue up flag
        5 red up";
    let mut game = Game::new(rows);
    for pid in 1..=5 {
        let me = *game.world.bot(Pid(pid)).unwrap();
        for object in Object::ALL {
            let tiles = (-1..=16_i64).flat_map(|y| (-1..=32_i64).map(move |x| (x, y)));
            let fits: Vec<(i64, i64)> = tiles
                .filter(|&at| {
                    let seen = see(&mut game, pid, at);
                    let itself = at == (i64::from(me.place.x()), i64::from(me.place.y()));
                    let carries = matches!(seen, Object::TeammateWithFlag | Object::OpponentWithFlag);
                    let stand = matches!(seen, Object::MyFlag | Object::OppFlag | Object::FlagStand);
                    match object {
                        Object::Teammate => {
                            !itself && matches!(seen, Object::Teammate | Object::TeammateWithFlag)
                        }
                        Object::TeammateWithFlag => !itself && seen == object,
                        Object::Opponent => matches!(seen, Object::Opponent | Object::OpponentWithFlag),
                        Object::MyFlag => seen == object || seen == Object::OpponentWithFlag && carries,
                        Object::OppFlag => seen == object || seen == Object::TeammateWithFlag && carries,
                        Object::FlagStand => stand,
                        _ => seen == object,
                    }
                })
                .collect();
            let distance = |&(x, y): &(i64, i64)| {
                (x - i64::from(me.place.x())).abs() + (y - i64::from(me.place.y())).abs()
            };
            let best = fits.into_iter().min_by_key(|at| (distance(at), at.1, at.0));
            assert_eq!(nearest(&mut game, pid, object), best, "{object:?} from {}", me.place);
        }
    }
}

#[test]
fn mystats_tells_place_health_flag_and_direction() {
    let mut game = Game::new(
        "
        . . .
        . 1 .
        1 red left health 2 flag",
    );
    let stats = Answer::Bot { place: place(1, 1), health: 2, flag: true, heading: Heading::Left };
    assert_eq!(game.ask(1, Action::MyStats), stats);
}

#[test]
fn teamstats_tells_credits_robots_scores_and_team_mates() {
    let mut game = Game::new(
        "
        R 1 3 5 2
        1 red left flag
        2 blue up
        3 red up
        5 red up",
    );
    game.go(1);
    let teammates = vec![Pid(3), Pid(5)];
    let red = Answer::Teams { credits: 3, bots: [3, 1], score: [1, 0], teammates };
    assert_eq!(game.ask(1, Action::TeamStats), red);
    let blue = Answer::Teams { credits: 3, bots: [1, 3], score: [0, 1], teammates: vec![] };
    assert_eq!(game.ask(2, Action::TeamStats), blue);
}

#[test]
fn flagpos_tells_where_the_flags_are_now() {
    let mut game = Game::new(
        "
        R . 2 1 B
        1 red right
        2 blue up",
    );
    let flags = |game: &mut Game, pid| match game.ask(pid, Action::FlagPos) {
        Answer::Flags { own, other } => (own, other),
        other => panic!("{other:?}"),
    };
    assert_eq!(flags(&mut game, 1), (place(0, 0), place(4, 0)));
    assert_eq!(flags(&mut game, 2), (place(4, 0), place(0, 0)));
    game.go(1);
    assert_eq!(flags(&mut game, 1), (place(0, 0), place(3, 0)));
    assert_eq!(flags(&mut game, 2), (place(3, 0), place(0, 0)));
}

#[test]
fn what_is_said_is_shown_clean_and_within_a_limit() {
    let mut game =
        Game::by(Rules { talk_limit: 2, talk_period: 1_000, ..rules() }, "1 2\n1 red right\n2 blue left");
    game.drawn();
    let say = |game: &mut Game, pid, text: &str| {
        assert_eq!(game.ask(pid, Action::Talk(text.to_owned())), Answer::Ok);
    };
    say(&mut game, 1, "hi");
    say(&mut game, 1, "two\nlines\u{7}");
    say(&mut game, 1, "too much");
    say(&mut game, 2, &"é".repeat(300));
    assert_eq!(
        game.drawn(),
        ["say red hi".to_owned(), "say red two lines ".to_owned(), format!("say blue {}", "é".repeat(200))]
    );
    assert_eq!((game.world.dropped_talks(Team::Red), game.world.dropped_talks(Team::Blue)), (1, 0));
    game.pass_to(1_000);
    game.world.act(1_000, Pid(1), Action::Talk("still".to_owned())).unwrap();
    assert!(game.drawn().is_empty());
    game.pass_to(1_001);
    game.world.act(1_001, Pid(1), Action::Talk("again".to_owned())).unwrap();
    assert_eq!(game.drawn(), ["say red again"]);
}

#[test]
fn programs_know_everything_by_numbers_of_which_none_is_0() {
    assert_eq!(ACTIONS.map(|(_, number)| number), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!(DIRECTIONS.map(|(_, number)| number), [1, 2, 3, 4]);
    assert_eq!(RESULTS, [("R_FAIL", 0), ("R_OK", 1)]);
    for (heading, (name, number)) in Heading::ALL.into_iter().zip(DIRECTIONS) {
        assert_eq!(name, format!("DIR_{}", heading.name()));
        assert_eq!((direction_code(heading), direction(number)), (number, Some(heading)));
    }
    assert_eq!((direction(0), direction(5)), (None, None));
    for (object, number) in Object::ALL.into_iter().zip(1..) {
        assert_eq!((object.code(), Object::from_code(number)), (number, Some(object)));
    }
    assert_eq!((Object::from_code(0), Object::from_code(11)), (None, None));
}

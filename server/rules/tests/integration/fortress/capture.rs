//! Sections 2.1 and 2.2: control points and the end of a match.

use grandstand_rules::fortress::{Action, Hand, Outcome, Rules, Team, Termination};

use super::common::{AHEAD, LEFT, Match, first, map, play, play_on, play_with};

const FAR: &str = "9 blue soldier 25,12 west";

/// Lines of the kind, with their times.
fn lines<'a>(game: &'a Match, kind: &str) -> Vec<(u64, &'a str)> {
    let of_kind = game.lines.iter().filter(|(_, line)| line.split(' ').next() == Some(kind));
    of_kind.map(|(millis, line)| (*millis, line.as_str())).collect()
}

#[test]
fn a_neutral_point_is_red_after_exactly_the_capture_time() {
    let mut game = play(&format!("1 red pyro -1,-2 north\n{FAR}"));
    game.succeeds(1_234, 1, AHEAD);
    game.pass(6_233);
    assert_eq!(game.owners(), "rr-bb");
    game.pass(6_234);
    assert_eq!(game.owners(), "rrrbb");
    assert_eq!(lines(&game, "control"), [(6_234, "control 2 red")]);
    assert!(game.world.finish().is_none());
}

#[test]
fn the_nine_squares_around_a_point_count() {
    for x in -3..=3_i64 {
        for y in -3..=3_i64 {
            let mut game = play(&format!("1 red pyro {x},{y} north\n{FAR}"));
            game.pass(5_000);
            let near = x.abs() <= 1 && y.abs() <= 1;
            assert_eq!(game.owners(), if near { "rrrbb" } else { "rr-bb" }, "{x},{y}");
        }
    }
}

#[test]
fn a_captured_point_is_neutral_first() {
    let mut game =
        play_with(&map(&[]), Rules::default(), "1 red pyro 10,0 north\n9 blue soldier 25,12 west", "rrrbb");
    game.pass(4_999);
    assert_eq!(game.owners(), "rrrbb");
    game.pass(5_000);
    assert_eq!(game.owners(), "rrr-b");
    game.pass(9_999);
    assert_eq!(game.owners(), "rrr-b");
    game.pass(10_000);
    assert_eq!(game.owners(), "rrrrb");
    assert_eq!(lines(&game, "control"), [(5_000, "control 3 none"), (10_000, "control 3 red")]);
    assert_eq!(
        lines(&game, "capture").into_iter().filter(|(millis, _)| millis % 5_000 == 0).collect::<Vec<_>>(),
        [
            (0, "capture 3 red 5000"),
            (5_000, "capture 3 none 0"),
            (5_000, "capture 3 red 5000"),
            (10_000, "capture 3 none 0")
        ]
    );
}

#[test]
fn blue_captures_in_the_other_direction() {
    let mut game =
        play_with(&map(&[]), Rules::default(), "1 red pyro -25,0 north\n9 blue soldier -10,1 west", "rrbbb");
    game.pass(5_000);
    assert_eq!(game.owners(), "r-bbb");
    game.pass(10_000);
    assert_eq!(game.owners(), "rbbbb");
}

#[test]
fn no_point_is_captured_past_one_that_the_team_does_not_control() {
    for (units, owners) in [
        ("1 red pyro 10,0 north\n9 blue soldier 25,12 west", "rr-bb"),
        ("1 red pyro 0,0 north\n9 blue soldier 25,12 west", "r--bb"),
        ("1 red pyro -25,0 north\n9 blue soldier -10,0 west", "rr-bb"),
        ("1 red pyro -25,0 north\n9 blue soldier 0,0 west", "rr--b"),
        // A team can't capture its own point either.
        ("1 red pyro -10,0 north\n9 blue soldier 25,12 west", "rr-bb"),
    ] {
        let mut game = play_with(&map(&[]), Rules::default(), units, owners);
        game.pass(20_000);
        assert_eq!(game.owners(), owners);
    }
}

#[test]
fn the_time_runs_only_while_every_condition_holds() {
    // Unit 2 stands at point 3 from the start; red can capture it once it has taken point 2.
    let mut game = play(&format!("1 red pyro 0,0 north\n2 red pyro 10,0 north\n{FAR}"));
    game.pass(9_999);
    assert_eq!(game.owners(), "rrrbb");
    game.pass(10_000);
    assert_eq!(game.owners(), "rrr-b");
}

#[test]
fn as_many_of_both_teams_are_no_majority() {
    let mut game = play("1 red pyro 0,1 west\n9 blue soldier 0,-1 west");
    game.pass(10_000);
    assert_eq!(game.owners(), "rr-bb");
    let mut game = play("1 red pyro 0,1 west\n2 red pyro 0,0 west\n9 blue soldier 0,-1 west");
    game.pass(5_000);
    assert_eq!(game.owners(), "rrrbb");
}

#[test]
fn the_time_starts_anew_when_the_majority_breaks() {
    let mut game = play("1 red pyro 0,1 west\n9 blue soldier 2,0 west");
    game.succeeds(4_000, 9, AHEAD);
    assert_eq!(game.lines.last().unwrap(), &(4_000, "capture 2 none 0".to_owned()));
    game.succeeds(4_400, 9, Action::Turn(Hand::Left));
    game.succeeds(4_500, 9, LEFT);
    assert_eq!(game.lines.last().unwrap(), &(4_500, "capture 2 red 5000".to_owned()));
    game.pass(9_499);
    assert_eq!(game.owners(), "rr-bb");
    game.pass(9_500);
    assert_eq!(game.owners(), "rrrbb");
}

#[test]
fn a_broken_majority_starts_anew() {
    let mut game = play("1 red pyro 0,1 west\n2 red pyro -2,1 east\n9 blue soldier 2,0 west");
    game.succeeds(3_000, 9, AHEAD);
    game.succeeds(3_000, 2, AHEAD);
    game.pass(7_999);
    assert_eq!(game.owners(), "rr-bb");
    game.pass(8_000);
    assert_eq!(game.owners(), "rrrbb");
}

#[test]
fn other_units_may_keep_the_majority_up() {
    let mut game = play(&format!("1 red pyro 0,1 north\n2 red pyro -1,1 south\n{FAR}"));
    game.succeeds(1_000, 1, AHEAD);
    game.pass(5_000);
    assert_eq!(game.owners(), "rrrbb");
}

#[test]
fn one_majority_can_turn_into_the_other() {
    let mut game = play("1 red pyro 0,1 west\n8 blue soldier 2,0 west\n9 blue soldier 2,1 west");
    game.succeeds(1_000, 8, AHEAD);
    game.succeeds(1_000, 9, AHEAD);
    assert_eq!(game.lines.last().unwrap(), &(1_000, "capture 2 blue 5000".to_owned()));
    game.pass(6_000);
    assert_eq!(game.owners(), "rrbbb");
}

#[test]
fn who_leaves_at_the_millisecond_of_capture_is_too_late() {
    let mut game = play(&format!("1 red pyro 1,0 east\n{FAR}"));
    game.succeeds(5_000, 1, AHEAD);
    assert_eq!(game.owners(), "rrrbb");
    let mut game = play(&format!("1 red pyro 1,0 east\n{FAR}"));
    game.succeeds(4_999, 1, AHEAD);
    game.pass(20_000);
    assert_eq!(game.owners(), "rr-bb");
}

#[test]
fn a_fallen_unit_no_longer_counts() {
    let mut game = play("1 red soldier -3,0 east\n2 red pyro 0,1 west\n9 blue soldier 1,0 west 100");
    game.succeeds(2_000, 1, first(1, 0));
    assert_eq!(game.lines.last().unwrap(), &(2_000, "capture 2 red 5000".to_owned()));
    game.pass(7_000);
    assert_eq!(game.owners(), "rrrbb");
}

#[test]
fn captures_of_both_teams_at_one_millisecond_happen_both() {
    // Red is at point 3 and blue at point 2; each capture removes the precondition of the other.
    let units = "1 red pyro 10,0 north\n9 blue soldier 0,0 west";
    let mut game = play_with(&map(&[]), Rules::default(), units, "rrrbb");
    game.pass(5_000);
    assert_eq!(game.owners(), "rr--b");
}

#[test]
fn a_team_with_every_point_wins_at_once() {
    let mut game =
        play_with(&map(&[]), Rules::default(), "1 red pyro 20,0 north\n9 blue soldier 25,12 west", "rrrr-");
    game.pass(4_999);
    assert!(game.world.finish().is_none());
    game.pass(60_000);
    let finish = *game.world.finish().unwrap();
    assert_eq!(
        (finish.outcome, finish.termination, finish.millis),
        (Outcome::Win(Team::Red), Termination::Points, 5_000)
    );
    assert_eq!(finish.points, [5, 0]);
    let last: Vec<_> =
        game.lines.iter().rev().take(2).map(|(millis, line)| (*millis, line.as_str())).collect();
    assert_eq!(last, [(5_000, "over red"), (5_000, "time 295000")]);
    // A match that is over does not change.
    assert_eq!((game.world.next_event(), game.world.now()), (None, 5_000));
    game.fails(70_000, 9, AHEAD);
    game.fails(70_000, 9, Action::GameStatus);
}

#[test]
fn at_the_time_limit_the_team_with_more_points_wins() {
    for (owners, outcome) in [
        ("rrrbb", Outcome::Win(Team::Red)),
        ("rr-bb", Outcome::Draw),
        ("r--bb", Outcome::Win(Team::Blue)),
        ("-----", Outcome::Draw),
    ] {
        let mut game =
            play_with(&map(&[]), Rules::default(), &format!("1 red pyro -25,12 north\n{FAR}"), owners);
        game.pass(299_999);
        assert!(game.world.finish().is_none());
        assert_eq!(game.world.next_event(), Some(300_000));
        game.pass(300_000);
        let finish = game.world.finish().unwrap();
        assert_eq!(
            (finish.outcome, finish.termination, finish.millis),
            (outcome, Termination::Time, 300_000)
        );
        assert_eq!(game.lines.last().unwrap(), &(300_000, format!("over {outcome}")));
        assert_eq!(game.lines[game.lines.len() - 2], (300_000, "time 0".to_owned()));
    }
}

#[test]
fn a_capture_of_the_last_millisecond_counts() {
    let rules = Rules { time_limit: 5_000, ..Rules::default() };
    let mut game = play_on(&map(&[]), rules.clone(), &format!("1 red pyro 0,0 north\n{FAR}"));
    game.pass(5_000);
    assert_eq!(game.world.finish().unwrap().outcome, Outcome::Win(Team::Red));
    let mut game = play_with(&map(&[]), rules, &format!("1 red pyro 20,0 north\n{FAR}"), "rrrr-");
    game.pass(5_000);
    assert_eq!(game.world.finish().unwrap().termination, Termination::Points);
    // One millisecond later it would have been too late, and the capture is broken off with the match.
    let rules = Rules { time_limit: 4_999, ..Rules::default() };
    let mut game = play_on(&map(&[]), rules, &format!("1 red pyro 0,0 north\n{FAR}"));
    game.pass(9_000);
    assert_eq!(game.world.finish().unwrap().outcome, Outcome::Draw);
    assert_eq!(
        game.lines[game.lines.len() - 3..],
        [
            (4_999, "capture 2 none 0".to_owned()),
            (4_999, "time 0".to_owned()),
            (4_999, "over draw".to_owned())
        ]
    );
}

#[test]
fn captures_have_their_milliseconds_when_time_jumps() {
    let start = || play(&format!("1 red pyro -1,-2 north\n{FAR}"));
    let mut jumping = start();
    jumping.succeeds(250, 1, AHEAD);
    jumping.pass(7_000);
    let reports = [
        (250, 5_000),
        (750, 4_500),
        (1_250, 4_000),
        (1_750, 3_500),
        (2_250, 3_000),
        (2_750, 2_500),
        (3_250, 2_000),
        (3_750, 1_500),
        (4_250, 1_000),
        (4_750, 500),
    ];
    let expected: Vec<_> = reports.map(|(millis, left)| (millis, format!("capture 2 red {left}"))).into();
    let found: Vec<_> =
        lines(&jumping, "capture").into_iter().map(|(millis, line)| (millis, line.to_owned())).collect();
    assert_eq!(found[..10], expected);
    assert_eq!(found[10..], [(5_250, "capture 2 none 0".to_owned())]);
    let times: Vec<_> = lines(&jumping, "time");
    assert_eq!(times.len(), 8);
    assert_eq!((times[0], times[7]), ((0, "time 300000"), (7_000, "time 293000")));

    // Time that passes millisecond by millisecond gives the same result.
    let mut creeping = start();
    creeping.succeeds(250, 1, AHEAD);
    (250..=7_000).for_each(|now| creeping.pass(now));
    assert_eq!(creeping.lines, jumping.lines);
}

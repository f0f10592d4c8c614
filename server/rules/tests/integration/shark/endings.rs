//! Section 2.5: the end of a match, and its winner.

use grandstand_protocol::shark::{Heading, Team};
use grandstand_protocol::team::Outcome;
use grandstand_rules::Pid;
use grandstand_rules::shark::{ActError, Action, Finish, Rules, Termination};

use super::game::{Game, rules};

fn finish(game: &Game) -> Option<(&'static str, &'static str, u64)> {
    game.world.finish().map(|finish| (finish.outcome.name(), finish.termination.name(), finish.step))
}

const DUEL: &str = "
    R 1 B
    . 2 .
    1 red right
    2 blue up";

#[test]
fn it_ends_after_game_length_steps() {
    let mut game = Game::by(Rules { game_length: 20_000, ..rules() }, DUEL);
    game.world.end_step(19_999);
    assert_eq!(finish(&game), None);
    game.drawn();
    game.world.end_step(20_000);
    assert_eq!(finish(&game), Some(("draw", "length", 20_000)));
    assert_eq!(game.drawn(), ["time 20000", "win draw"]);
    assert_eq!(game.world.next_event_step(), 20_000);
}

#[test]
fn the_length_is_ten_million_steps_unless_it_is_set() {
    let mut game = Game::new(DUEL);
    game.world.end_step(u64::MAX);
    assert_eq!(finish(&game), Some(("draw", "length", 10_000_000)));
}

#[test]
fn then_the_team_with_more_points_wins() {
    let mut game = Game::by(Rules { game_length: 20_000, ..rules() }, DUEL);
    game.go(1);
    game.face(1, Heading::Left);
    game.go(1);
    game.world.end_step(20_000);
    assert_eq!(finish(&game), Some(("red", "length", 20_000)));
}

#[test]
fn the_tenth_point_ends_it() {
    let mut game = Game::new(DUEL);
    for point in 1..=10 {
        assert_eq!(finish(&game), None, "before point {point}");
        game.face(1, Heading::Right);
        game.go(1);
        game.face(1, Heading::Left);
        game.go(1);
    }
    let step = game.world.step();
    game.world.end_step(step);
    assert_eq!(finish(&game), Some(("red", "score", step)));
    assert_eq!(game.world.score(Team::Red), 10);
}

#[test]
fn it_ends_when_a_team_has_no_robots_left() {
    let mut game = Game::new(
        "
        1 2
        1 red right
        2 blue up health 2",
    );
    game.go(1);
    assert_eq!(finish(&game), None, "the step is not over");
    game.world.end_step(1);
    assert_eq!(finish(&game), Some(("draw", "robots", 1)));
}

#[test]
fn points_decide_even_when_the_winner_has_no_robots_left() {
    let mut game = Game::new(
        "
        R 1 2
        1 red left flag
        2 blue left",
    );
    game.go(1);
    for _ in 0..3 {
        game.shoot(2);
    }
    assert_eq!(game.killed(), [1]);
    game.world.end_step(game.world.step());
    assert_eq!(finish(&game).map(|(winner, why, _)| (winner, why)), Some(("red", "robots")));
}

#[test]
fn credits_do_not_keep_a_team_alive() {
    let mut game = Game::new(DUEL);
    assert_eq!(game.world.credits(Team::Blue), 3);
    game.world.ended(7, Pid(2));
    game.world.end_step(7);
    assert_eq!(finish(&game), Some(("draw", "robots", 7)));
}

#[test]
fn within_a_step_nobody_was_first() {
    let both = Rules { winning_score: 1, ..rules() };
    let mut game = Game::by(
        both,
        "
        R 1 2 B
        1 red left flag
        2 blue right flag",
    );
    game.world.act(1, Pid(1), Action::Move).unwrap();
    game.world.act(1, Pid(2), Action::Move).unwrap();
    game.world.end_step(1);
    assert_eq!(finish(&game), Some(("draw", "score", 1)));
    // In a later step it is too late.
    let mut game = Game::by(
        Rules { winning_score: 1, ..rules() },
        "
        R 1 2 B
        1 red left flag
        2 blue right flag",
    );
    game.world.act(1, Pid(1), Action::Move).unwrap();
    assert_eq!(game.world.act(2, Pid(2), Action::Move), Err(ActError::Over));
    assert_eq!(finish(&game), Some(("red", "score", 1)));
}

#[test]
fn both_teams_may_lose_their_last_robot_in_one_step() {
    let mut game = Game::new(DUEL);
    game.world.ended(3, Pid(1));
    game.world.ended(3, Pid(2));
    game.world.end_step(3);
    assert_eq!(finish(&game), Some(("draw", "robots", 3)));
}

#[test]
fn a_match_that_is_over_stays_as_it_is() {
    let mut game = Game::by(Rules { game_length: 5, ..rules() }, DUEL);
    game.world.end_step(5);
    game.drawn();
    let finish = *game.world.finish().unwrap();
    assert_eq!(finish, Finish { outcome: Outcome::Draw, termination: Termination::Length, step: 5 });
    assert_eq!(game.world.act(6, Pid(1), Action::Move), Err(ActError::Over));
    assert!(game.world.spawn(6, Pid(1), Pid(9)).is_err());
    assert_eq!(game.world.ended(6, Pid(1)), None);
    game.world.end_step(100);
    assert_eq!(game.world.finish(), Some(&finish));
    assert!(game.drawn().is_empty());
}

#[test]
fn the_time_is_told_every_10_000_steps() {
    let mut game = Game::new(DUEL);
    assert!(game.drawn().contains(&"time 0".to_owned()));
    game.world.end_step(30_500);
    assert_eq!(game.drawn(), ["time 10000", "time 20000", "time 30000"]);
}

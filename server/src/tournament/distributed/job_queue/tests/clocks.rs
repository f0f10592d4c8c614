//! Games with clocks, and games that not every worker can play.

use super::*;

/// A game with clocks: two are a pair.
pub(super) fn clocked(number: u64) -> Task {
    let mut of = task(number).of;
    of.game.pair = number as u32 / 2;
    Task::new(Job { clocks: true, ..job(number) }, of, false, Needs::default())
}

/// A queue with games with clocks.
fn with_clocks(games: u64) -> Hall {
    let mut hall = Hall::new(0);
    (0..games).for_each(|number| hall.queue.offer(clocked(number)));
    hall
}

#[test]
fn both_games_of_a_pair_with_clocks_go_to_one_worker() {
    let mut hall = with_clocks(6);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!([hall.take(&red), hall.take(&blue)], [Some(0), Some(2)]);
    assert_eq!([hall.take(&blue), hall.take(&red)], [Some(3), Some(1)]);
    hall.queue.leave(&red);
    hall.queue.leave(&blue);
    let green = hall.enter("green");
    assert_eq!(hall.take(&green), Some(0), "who has left holds no pair");
}

#[test]
fn the_first_game_of_a_pair_with_clocks_counts_with_the_second() {
    let mut hall = with_clocks(2);
    let red = hall.enter("red");
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(0), Some(1)]);
    hall.news();
    assert!(hall.finish_clocked(&red, 1));
    hall.queue.nothing_more(2);
    assert_eq!(hall.news(), [""; 0]);
    assert!(hall.finish_clocked(&red, 0));
    // One event, so that a director that is killed has stored both or none.
    assert_eq!(hall.news(), ["games 1 and 0 count together"]);
}

#[test]
fn a_pair_with_clocks_whose_worker_is_lost_between_its_games_is_played_again() {
    let mut hall = with_clocks(2);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    assert!(hall.finish_clocked(&red, 0));
    assert_eq!(hall.take(&red), Some(1));
    hall.news();
    hall.pass(LEASE);
    assert_eq!(
        hall.news(),
        [
            "game 0 is played again, so that both games of its pair are played on one machine",
            "worker red is lost: nothing was heard of it for 6 s; its game goes to another"
        ]
    );
    let blue = hall.enter("blue");
    assert_eq!([hall.take(&blue), hall.take(&blue)], [Some(0), Some(1)]);
    // Red comes back, and hands in what it has played meanwhile.
    let red = hall.enter("red");
    assert!(!hall.finish_clocked(&red, 1));
    assert!(hall.finish_clocked(&blue, 0) && hall.finish_clocked(&blue, 1));
    assert_eq!(hall.news().last().unwrap(), "games 0 and 1 count together");
}

#[test]
fn a_first_game_whose_second_is_not_played_counts_alone() {
    let mut hall = with_clocks(1);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    assert!(hall.finish_clocked(&red, 0));
    hall.news();
    hall.queue.nothing_more(1);
    assert_eq!(hall.news(), ["game 0 counts by red"]);
}

#[test]
fn a_game_goes_to_a_worker_that_has_what_its_players_need() {
    let words = ["avx2".to_owned(), "memory=4000".to_owned()];
    let mut hall = Hall::new(0);
    hall.queue.offer(Task { needs: Needs::parse(&words).unwrap(), ..task(0) });
    hall.queue.offer(task(1));
    let red = hall.enter("red");
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(1), None]);
    hall.news();
    hall.pass(LEASE / 2);
    assert_eq!(hall.news(), ["game 0 waits, since no worker has what its players need: red lacks avx2"]);
    // Its memory is for two games.
    let blue = hall.enter_with(Hello { labels: vec!["avx2".to_owned()], ..hello("blue") });
    assert_eq!(hall.take(&blue), Some(0));
}

#[test]
fn slow_and_busy_workers_get_no_games_with_clocks() {
    let mut hall = with_clocks(4);
    hall.queue.offer(task(4));
    let red = hall.enter("red");
    let blue = hall.enter_with(Hello { speed: Some(74), ..hello("blue") });
    let green = hall.enter_with(Hello { jobs: 3, ..hello("green") });
    hall.news();
    assert_eq!(hall.take(&blue), Some(4), "games without clocks are for all");
    assert_eq!(
        hall.news(),
        [
            "worker blue gets no games with clocks: it has 74 % of the speed of red, less than 75 % (--min-speed)"
        ]
    );
    assert_eq!(hall.take(&green), None);
    assert_eq!(
        hall.news(),
        ["worker green gets no games with clocks: it plays 3 games at a time on 2 cores"]
    );
    for (load, given, news) in [
        (
            26,
            None,
            Some(
                "worker red gets no games with clocks: other programs use 26 % of its cores, more than 25 % (--max-load)",
            ),
        ),
        (90, None, None),
        (25, Some(0), Some("worker red gets games with clocks again")),
    ] {
        let taken = hall.queue.take(&red, Some(load), hall.now).unwrap();
        assert_eq!(taken.map(|(_, job)| job.number), given);
        assert_eq!(hall.news(), news.into_iter().collect::<Vec<_>>());
    }
}

//! Tests of the desk: who plays what, on simulated time.

use grandstand_tournaments::{PlayerIndex, ScheduledGame};

use super::super::job::tests::job;
use super::super::messages::Version;
use super::*;

fn task(number: u64) -> Task {
    let game = ScheduledGame {
        number,
        stage: 0,
        round: 0,
        encounter: 0,
        pair: 0,
        players: [PlayerIndex(0), PlayerIndex(1)],
        seed: 1,
        map: None,
        opening: None,
    };
    Task::new(job(number), playing::Job { game, attempt: 0 })
}

struct Hall {
    desk: Desk,
    now: Instant,
    sessions: u32,
}

impl Hall {
    fn new(games: u64) -> Self {
        let mut desk = Desk::default();
        (0..games).for_each(|number| desk.offer(task(number)));
        Self { desk, now: Instant::now(), sessions: 0 }
    }

    fn enter(&mut self, name: &str) -> Session {
        self.sessions += 1;
        let session = Session(format!("{:032x}", self.sessions));
        let hello =
            Hello { version: Version::own(), name: name.to_owned(), jobs: 2, cores: 2, arch: String::new() };
        self.desk.enter(&hello, session.clone(), self.now).unwrap();
        session
    }

    fn take(&mut self, session: &Session) -> Option<u64> {
        let taken = self.desk.take(session, self.now).unwrap();
        taken.map(|(_, job)| job.number)
    }

    fn finish(&mut self, session: &Session, number: u64) -> bool {
        self.desk.finish(session, &task(number).id, self.now).unwrap().is_some()
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            self.now = until.min(self.now + Duration::from_millis(250));
            self.desk.expire(self.now);
        }
    }

    fn news(&mut self) -> Vec<String> {
        let told = self.desk.take_told().into_iter();
        told.map(|told| match told {
            Told::News(text) | Told::Stuck(text) => text,
            Told::SetAside(task, why) => format!("game {}: {why}", task.of.game.number),
        })
        .collect()
    }
}

#[test]
fn games_are_handed_out_in_order_and_each_counts_once() {
    let mut hall = Hall::new(3);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!([hall.take(&red), hall.take(&blue), hall.take(&red)], [Some(0), Some(1), Some(2)]);
    assert_eq!(hall.take(&blue), None);
    assert!(hall.finish(&blue, 1));
    assert!(!hall.finish(&blue, 1), "a result counts once");
    assert!(hall.finish(&red, 0));
    assert!(!hall.finish(&red, 7), "an unknown game does not count");
}

#[test]
fn a_worker_holds_no_more_games_than_it_plays() {
    let mut hall = Hall::new(3);
    let red = hall.enter("red");
    assert_eq!([hall.take(&red), hall.take(&red), hall.take(&red)], [Some(0), Some(1), None]);
}

#[test]
fn the_games_of_a_lost_worker_go_to_another() {
    let mut hall = Hall::new(3);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(0), Some(1)]);
    hall.pass(LEASE / 2);
    assert_eq!(hall.desk.beat(&blue, &[], hall.now), Ok(Vec::new()));
    hall.pass(LEASE / 2);
    assert_eq!(
        hall.news().last().unwrap(),
        "worker red is lost: nothing was heard of it for 6 s; its 2 games go to others"
    );
    assert_eq!([hall.take(&blue), hall.take(&blue)], [Some(0), Some(1)]);
    assert_eq!(hall.desk.beat(&red, &[], hall.now), Err(UnknownSession));
}

#[test]
fn beats_keep_the_games_of_a_worker_that_makes_progress() {
    let mut hall = Hall::new(1);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    for progress in 0..50 {
        hall.pass(LEASE / 2);
        assert_eq!(hall.desk.beat(&red, &[(task(0).id, progress)], hall.now), Ok(Vec::new()));
    }
    assert!(hall.finish(&red, 0));
}

#[test]
fn a_game_that_stands_still_goes_to_another() {
    let mut hall = Hall::new(1);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!(hall.take(&red), Some(0));
    let mut dropped = Vec::new();
    for _ in 0..STUCK.as_secs() / 3 + 2 {
        hall.pass(Duration::from_secs(3));
        dropped.extend(hall.desk.beat(&red, &[(task(0).id, 7)], hall.now).unwrap());
        hall.desk.beat(&blue, &[], hall.now).unwrap();
        if hall.take(&blue).is_some() {
            break;
        }
    }
    hall.pass(Duration::from_secs(3));
    dropped.extend(hall.desk.beat(&red, &[(task(0).id, 7)], hall.now).unwrap());
    // It is told at every beat.
    dropped.dedup();
    assert_eq!(dropped, [task(0).id]);
}

#[test]
fn a_game_that_ends_three_workers_is_set_aside() {
    let mut hall = Hall::new(2);
    for name in ["red", "blue", "green"] {
        let session = hall.enter(name);
        assert_eq!(hall.take(&session), Some(0));
        hall.pass(LEASE);
    }
    assert_eq!(
        hall.news().into_iter().find(|news| news.starts_with("game 0")).unwrap(),
        "game 0: set aside, since 3 workers were lost while they played it: red, blue, green"
    );
    let session = hall.enter("white");
    assert_eq!(hall.take(&session), Some(1));
}

#[test]
fn nobody_is_lost_while_the_director_stands_still() {
    let mut hall = Hall::new(1);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    hall.pass(LEASE / 2);
    hall.now += 10 * LEASE;
    hall.pass(LEASE / 2);
    assert!(hall.finish(&red, 0));
}

#[test]
fn who_takes_its_leave_is_not_lost() {
    let mut hall = Hall::new(1);
    for _ in 0..4 {
        let session = hall.enter("red");
        assert_eq!(hall.take(&session), Some(0));
        hall.desk.leave(&session);
    }
    assert!(hall.news().iter().all(|news| !news.contains("lost") && !news.contains("set aside")));
}

#[test]
fn a_director_that_was_started_again_lets_workers_go_on() {
    let mut hall = Hall::new(2);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    // Red plays game 0 since before the start, and a game that this director has not drawn yet.
    let running = [(task(0).id, 5), (task(9).id, 5)];
    assert_eq!(hall.desk.beat(&red, &running, hall.now), Ok(vec![task(9).id]));
    assert_eq!(hall.take(&blue), Some(1));
    assert_eq!(hall.desk.beat(&blue, &[(task(0).id, 1)], hall.now), Ok(vec![task(0).id]));
    assert!(hall.finish(&red, 0));
}

#[test]
fn a_result_of_a_game_that_waits_counts_too() {
    let mut hall = Hall::new(2);
    let red = hall.enter("red");
    assert!(hall.finish(&red, 1));
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(0), None]);
}

#[test]
fn both_games_of_a_pair_with_clocks_go_to_one_worker() {
    let mut hall = Hall::new(0);
    for number in 0..6 {
        let mut of = task(number).of;
        of.game.pair = number as u32 / 2;
        hall.desk.offer(Task::new(Job { clocks: true, ..job(number) }, of));
    }
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!([hall.take(&red), hall.take(&blue)], [Some(0), Some(2)]);
    assert_eq!([hall.take(&blue), hall.take(&red)], [Some(3), Some(1)]);
    hall.desk.leave(&red);
    hall.desk.leave(&blue);
    let green = hall.enter("green");
    assert_eq!(hall.take(&green), Some(0), "who has left holds no pair");
}

#[test]
fn a_game_that_a_worker_refuses_goes_to_another() {
    let mut hall = Hall::new(1);
    let (red, blue) = (hall.enter("red"), hall.enter("red"));
    assert_eq!(hall.take(&red), Some(0));
    hall.desk.refuse(&red, &task(0).id, "no such engine".to_owned(), hall.now).unwrap();
    assert_eq!(hall.take(&red), None);
    assert_eq!(hall.take(&blue), Some(0));
    assert_eq!(hall.news().last().unwrap(), "worker red can't play game 0: no such engine");
}

//! Tests of the desk: who plays what, on simulated time.

use grandstand_tournaments::{PlayerIndex, ScheduledGame};

use super::super::job::tests::job;
use super::super::messages::Version;
use super::super::report::PlayedData;
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
    Task::new(job(number), playing::Job { game, attempt: 0 }, false)
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
        self.hand_in(session, number, 0)
    }

    /// Hands a game in that this side won.
    fn hand_in(&mut self, session: &Session, number: u64, winner: u8) -> bool {
        let worker = self.desk.machine(session).unwrap().to_owned();
        let played = PlayedData {
            fault: None,
            winner: Some(winner),
            termination: "five".to_owned(),
            reason: None,
            score: None,
            length: None,
            digest: Some(7),
            started: String::new(),
            wall_ms: 1,
            disturbed_ms: None,
            recording: None,
            inputs: None,
        };
        let handed = Handed { worker, played: Box::new(played), recordings: [None, None], commands: Some(7) };
        self.desk.finish(session, &task(number).id, handed, self.now).unwrap()
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
            Told::Ended(task, handed) => format!("game {} counts by {}", task.of.game.number, handed.worker),
            Told::Distrusted(worker, why) => format!("{worker} is set aside: {why}"),
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
        hall.desk.offer(Task::new(Job { clocks: true, ..job(number) }, of, false));
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

/// A desk with two games that are compared.
fn compared(names: &[&str]) -> (Hall, Vec<Session>) {
    let mut hall = Hall::new(0);
    (0..2).for_each(|number| hall.desk.offer(Task { compared: true, ..task(number) }));
    let sessions = names.iter().map(|name| hall.enter(name)).collect();
    hall.news();
    (hall, sessions)
}

#[test]
fn a_game_that_is_compared_counts_when_another_worker_has_played_it_too() {
    let (mut hall, sessions) = compared(&["red", "blue"]);
    let [red, blue] = &sessions[..] else { panic!() };
    assert_eq!(hall.take(red), Some(0));
    assert!(hall.finish(red, 0));
    assert!(!hall.finish(red, 0), "nobody confirms itself");
    assert_eq!(hall.news(), [""; 0]);
    assert_eq!(hall.take(red), Some(1), "the same game is for another worker");
    assert_eq!(hall.take(blue), Some(0));
    assert!(hall.finish(blue, 0));
    assert_eq!(hall.news(), ["game 0 counts by red"]);
    assert_eq!(hall.desk.counts().compared, 1);
}

#[test]
fn two_processes_of_one_name_confirm_nothing() {
    let (mut hall, sessions) = compared(&["red", "red"]);
    assert_eq!(hall.take(&sessions[0]), Some(0));
    assert!(hall.finish(&sessions[0], 0));
    let told = "game 0 is not compared, since there is no worker besides red that could play it too";
    assert_eq!(hall.news(), [told, "game 0 counts by red"]);
    assert_eq!(hall.take(&sessions[1]), Some(1));
    assert!(hall.finish(&sessions[1], 1));
    assert_eq!(hall.news(), ["game 1 counts by red"], "it is said once");
}

#[test]
fn a_third_worker_decides_and_the_one_that_differs_is_set_aside() {
    for wrong in 0..3 {
        let (mut hall, sessions) = compared(&["red", "blue", "green"]);
        for (at, session) in sessions.iter().enumerate() {
            if at == 2 && wrong == 2 {
                // The first two agree, and nobody else is asked.
                assert_eq!(hall.take(session), Some(1));
                continue;
            }
            assert_eq!(hall.take(session), Some(0));
            assert!(hall.hand_in(session, 0, u8::from(at == wrong)));
        }
        let news = hall.news();
        if wrong == 2 {
            assert_eq!(news, ["game 0 counts by red"]);
            continue;
        }
        let names = ["red", "blue"];
        let (liar, agrees) = (names[wrong], names[1 - wrong]);
        let why = format!(
            "the result of game 0 is not that of {agrees} and green, though only the seed decides it"
        );
        let told = [
            "game 0 was played by the workers red and blue, and the result differs: a third decides"
                .to_owned(),
            format!("game 0 counts by {agrees}"),
            format!("{liar} is set aside: {why}"),
        ];
        assert_eq!(news, told);
        let session = &sessions[wrong];
        assert_eq!(hall.desk.take(session, hall.now), Err(UnknownSession));
        let hello =
            Hello { version: Version::own(), name: liar.to_owned(), jobs: 1, cores: 1, arch: String::new() };
        let again = hall.desk.enter(&hello, Session("f".repeat(32)), hall.now);
        assert_eq!(again, Err(EnterError::Distrusted(liar.to_owned(), why)));
    }
}

#[test]
fn two_that_differ_wait_for_a_third() {
    let (mut hall, sessions) = compared(&["red", "blue"]);
    for (winner, session) in (0..).zip(&sessions) {
        assert_eq!(hall.take(session), Some(0));
        assert!(hall.hand_in(session, 0, winner));
    }
    assert_eq!(hall.news().last().unwrap().split(':').next(), Some("game 0 can't be decided"));
    assert_eq!([hall.take(&sessions[0]), hall.take(&sessions[1])], [Some(1), None]);
    hall.pass(LEASE / 2);
    assert_eq!(hall.news(), [""; 0], "it is said once");
    let green = hall.enter("green");
    assert_eq!(hall.take(&green), Some(0));
    assert!(hall.hand_in(&green, 0, 1));
    assert!(hall.news().contains(&"game 0 counts by blue".to_owned()));
}

#[test]
fn three_that_differ_are_not_decided() {
    let (mut hall, sessions) = compared(&["red", "blue", "green"]);
    for (winner, session) in (0..).zip(&sessions) {
        assert_eq!(hall.take(session), Some(0));
        assert!(hall.hand_in(session, 0, winner));
    }
    let news = hall.news();
    assert!(news[1].contains("it can't be decided who is wrong"), "{news:?}");
    assert_eq!(news.last().unwrap(), "game 0 counts by red");
    assert!(sessions.iter().all(|session| hall.desk.machine(session).is_some()));
}

#[test]
fn a_game_is_not_compared_when_the_last_other_worker_leaves() {
    let (mut hall, sessions) = compared(&["red", "blue"]);
    assert_eq!([hall.take(&sessions[0]), hall.take(&sessions[1])], [Some(0), Some(1)]);
    assert!(hall.finish(&sessions[0], 0));
    hall.desk.leave(&sessions[1]);
    assert_eq!(hall.news().last().unwrap(), "game 0 counts by red");
    assert_eq!(hall.take(&sessions[0]), Some(1));
}

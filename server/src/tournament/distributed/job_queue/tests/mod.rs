//! Tests of the queue: who plays what, on simulated time.

mod clocks;
mod compared;

use grandstand_tournaments::{PlayerIndex, ScheduledGame};

use self::clocks::clocked;
use super::super::job::tests::job;
use super::super::messages::Version;
use super::super::report::PlayedData;
use super::*;

pub(in super::super) fn task(number: u64) -> Task {
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
    Task::new(job(number), playing::GameAttempt { game, attempt: 0 }, false, Needs::default())
}

pub(in super::super) fn hello(name: &str) -> Hello {
    Hello {
        version: Version::own(),
        name: name.to_owned(),
        jobs: 2,
        cores: 2,
        arch: "x86_64".to_owned(),
        labels: Vec::new(),
        memory_mib: Some(8192),
        speed: Some(100),
        tournament_id: None,
    }
}

/// A queue, and the time.
struct Hall {
    queue: JobQueue,
    now: Instant,
    sessions: u32,
}

impl Hall {
    fn new(games: u64) -> Self {
        let mut queue = JobQueue::default();
        (0..games).for_each(|number| queue.offer(task(number)));
        Self { queue, now: Instant::now(), sessions: 0 }
    }

    fn enter(&mut self, name: &str) -> Session {
        self.sessions += 1;
        let session = Session(format!("{:032x}", self.sessions));
        self.queue.enter(&hello(name), session.clone(), self.now).unwrap();
        session
    }

    fn enter_with(&mut self, hello: Hello) -> Session {
        self.sessions += 1;
        let session = Session(format!("{:032x}", self.sessions));
        self.queue.enter(&hello, session.clone(), self.now).unwrap();
        session
    }

    fn take(&mut self, session: &Session) -> Option<u64> {
        let taken = self.queue.take(session, None, self.now).unwrap();
        taken.map(|(_, job)| job.number)
    }

    fn finish(&mut self, session: &Session, number: u64) -> bool {
        self.hand_in(session, number, 0)
    }

    fn finish_clocked(&mut self, session: &Session, number: u64) -> bool {
        self.hand_in_as(session, &clocked(number).id, 0)
    }

    /// Hands a game in that this side won.
    fn hand_in(&mut self, session: &Session, number: u64, winner: u8) -> bool {
        self.hand_in_as(session, &task(number).id, winner)
    }

    fn hand_in_as(&mut self, session: &Session, id: &JobId, winner: u8) -> bool {
        self.try_hand_in(session, id, winner).unwrap()
    }

    fn try_hand_in(&mut self, session: &Session, id: &JobId, winner: u8) -> Result<bool, FinishError> {
        let worker = self.queue.machine(session).unwrap().to_owned();
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
        let handed = Handed {
            worker,
            speed: None,
            played: Box::new(played),
            recordings: [None, None],
            commands: Some(7),
        };
        self.queue.finish(session, id, handed, self.now)
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            self.now = until.min(self.now + Duration::from_millis(250));
            self.queue.expire_leases(self.now);
        }
    }

    fn news(&mut self) -> Vec<String> {
        let told = self.queue.take_told().into_iter();
        told.map(|told| match told {
            JobEvent::News(text) | JobEvent::Stuck(text) => text,
            JobEvent::Ended(task, handed) => {
                format!("game {} counts by {}", task.of.game.number, handed.worker)
            }
            JobEvent::Pair(games) => {
                let [first, second] = games.map(|(task, _)| task.of.game.number);
                format!("games {first} and {second} count together")
            }
            JobEvent::Distrusted(worker, why) => format!("{worker} is set aside: {why}"),
            JobEvent::GivenUp(task, why) => format!("game {}: {why}", task.of.game.number),
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
    let unknown = |hall: &mut Hall| hall.try_hand_in(&red, &task(7).id, 0);
    assert_eq!(unknown(&mut hall), Err(FinishError::NotYet), "it may be drawn later");
    hall.pass(GRACE);
    let red = hall.enter("red");
    assert_eq!(hall.try_hand_in(&red, &task(7).id, 0), Ok(false), "an unknown game does not count");
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
    assert_eq!(hall.queue.renew_leases(&blue, &[], hall.now), Ok(Vec::new()));
    hall.pass(LEASE / 2);
    assert_eq!(
        hall.news().last().unwrap(),
        "worker red is lost: nothing was heard of it for 6 s; its 2 games go to others"
    );
    assert_eq!([hall.take(&blue), hall.take(&blue)], [Some(0), Some(1)]);
    assert_eq!(hall.queue.renew_leases(&red, &[], hall.now), Err(UnknownSession));
}

#[test]
fn beats_keep_the_games_of_a_worker_that_makes_progress() {
    let mut hall = Hall::new(1);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    for progress in 0..50 {
        hall.pass(LEASE / 2);
        assert_eq!(hall.queue.renew_leases(&red, &[(task(0).id, progress)], hall.now), Ok(Vec::new()));
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
        dropped.extend(hall.queue.renew_leases(&red, &[(task(0).id, 7)], hall.now).unwrap());
        hall.queue.renew_leases(&blue, &[], hall.now).unwrap();
        if hall.take(&blue).is_some() {
            break;
        }
    }
    hall.pass(Duration::from_secs(3));
    dropped.extend(hall.queue.renew_leases(&red, &[(task(0).id, 7)], hall.now).unwrap());
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
fn nobody_is_lost_while_nobody_can_be_heard() {
    let mut hall = Hall::new(1);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    for _ in 0..20 {
        hall.queue.renew_all(hall.now);
        hall.pass(LEASE / 2);
    }
    assert_eq!(hall.queue.renew_leases(&red, &[(task(0).id, 1)], hall.now), Ok(Vec::new()));
    assert!(hall.finish(&red, 0));
}

#[test]
fn who_takes_its_leave_is_not_lost() {
    let mut hall = Hall::new(1);
    for _ in 0..4 {
        let session = hall.enter("red");
        assert_eq!(hall.take(&session), Some(0));
        hall.queue.leave(&session);
    }
    assert!(hall.news().iter().all(|news| !news.contains("lost") && !news.contains("set aside")));
}

#[test]
fn a_director_that_was_started_again_lets_workers_go_on() {
    let mut hall = Hall::new(2);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    // Red plays game 0 since before the start, and a game that this director has not drawn yet.
    let running = [(task(0).id, 5), (task(9).id, 5)];
    assert_eq!(hall.queue.renew_leases(&red, &running, hall.now), Ok(Vec::new()), "it may be drawn later");
    assert_eq!(hall.take(&blue), Some(1));
    assert_eq!(hall.queue.renew_leases(&blue, &[(task(0).id, 1)], hall.now), Ok(vec![task(0).id]));
    assert!(hall.finish(&red, 0));
    hall.queue.offer(task(9));
    assert_eq!(hall.queue.renew_leases(&red, &running[1..], hall.now), Ok(Vec::new()));
    assert_eq!(hall.take(&blue), None, "red plays it");
    hall.queue.began = Some(hall.now - GRACE);
    assert_eq!(hall.queue.renew_leases(&red, &[(task(8).id, 1)], hall.now), Ok(vec![task(8).id]));
}

#[test]
fn a_result_of_a_game_that_waits_counts_too() {
    let mut hall = Hall::new(2);
    let red = hall.enter("red");
    assert!(hall.finish(&red, 1));
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(0), None]);
}

#[test]
fn a_game_that_a_worker_refuses_goes_to_another() {
    let mut hall = Hall::new(1);
    let (red, blue) = (hall.enter("red"), hall.enter("red"));
    assert_eq!(hall.take(&red), Some(0));
    hall.queue.refuse(&red, &task(0).id, "no such engine".to_owned(), hall.now).unwrap();
    assert_eq!(hall.take(&red), None);
    assert_eq!(hall.take(&blue), Some(0));
    assert_eq!(hall.news().last().unwrap(), "worker red can't play game 0: no such engine");
}

#[test]
fn a_game_of_which_its_worker_does_not_know_goes_to_others() {
    let mut hall = Hall::new(1);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!(hall.take(&red), Some(0));
    hall.news();
    assert_eq!(hall.queue.renew_leases(&red, &[], hall.now), Ok(Vec::new()), "the answer may be on its way");
    assert_eq!(hall.take(&blue), None);
    assert_eq!(hall.queue.renew_leases(&red, &[], hall.now), Ok(Vec::new()));
    assert_eq!(hall.news(), ["game 0 is not played by worker red that was given it, and goes to others"]);
    assert_eq!(hall.take(&blue), Some(0));
}

#[test]
fn one_worker_that_is_lost_again_and_again_is_one() {
    let mut hall = Hall::new(1);
    for _ in 0..LOSSES {
        let red = hall.enter("red");
        assert_eq!(hall.take(&red), Some(0));
        hall.pass(LEASE);
    }
    // It is not tried for ever.
    let last = hall.news().pop().unwrap();
    assert_eq!(last.split(':').next(), Some("worker red is lost"));
    assert_eq!(hall.queue.counts().queued, 0);
}

#[test]
fn a_game_over_which_a_worker_was_lost_goes_to_another_first() {
    let mut hall = Hall::new(2);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
    hall.pass(LEASE);
    let (red, blue) = (hall.enter("red"), hall.enter("blue"));
    assert_eq!([hall.take(&red), hall.take(&blue)], [Some(1), Some(0)]);
}

#[test]
fn a_game_does_not_end_workers_that_are_lost_together() {
    let mut hall = Hall::new(2);
    for _ in 0..LOSSES {
        let sessions = ["red", "blue"].map(|name| hall.enter(name));
        assert!(sessions.iter().all(|session| hall.take(session).is_some()));
        hall.pass(LEASE);
    }
    assert_eq!(hall.queue.counts().queued, 2);
}

#[test]
fn the_run_gives_up_when_three_workers_and_all_that_are_there_refuse_a_game() {
    let mut hall = Hall::new(1);
    let sessions = ["red", "blue", "green", "white"].map(|name| hall.enter(name));
    let refuse = |hall: &mut Hall, session: &Session| {
        assert_eq!(hall.take(session), Some(0));
        hall.queue.refuse(session, &task(0).id, "no box".to_owned(), hall.now).unwrap();
        hall.news().into_iter().any(|news| news == "game 0 can't be played by 4 workers: no box")
    };
    assert!(sessions[..3].iter().all(|session| !refuse(&mut hall, session)));
    assert!(refuse(&mut hall, &sessions[3]));
    // One that is mended is asked again.
    hall.queue.leave(&sessions[0]);
    let red = hall.enter("red");
    assert_eq!(hall.take(&red), Some(0));
}

#[test]
fn a_worker_keeps_results_until_they_are_stored() {
    let mut hall = Hall::new(2);
    let red = hall.enter("red");
    assert_eq!([hall.take(&red), hall.take(&red)], [Some(0), Some(1)]);
    assert!(hall.finish(&red, 0));
    assert_eq!(hall.news().last().unwrap(), "game 0 counts by red");
    let kept = [0, 1, 7].map(|number| task(number).id);
    let forget = |hall: &Hall| hall.queue.no_longer_waited_for(&kept, hall.now);
    assert_eq!(forget(&hall), [], "nothing is stored, and game 7 may be drawn later");
    hall.queue.stored([(0, 1)]);
    assert_eq!(forget(&hall), [], "that is another attempt");
    hall.queue.stored([(0, 0)]);
    assert_eq!(forget(&hall), [task(0).id]);
    // Somebody else's result of game 1 was stored.
    assert!(hall.finish(&red, 1));
    hall.news();
    hall.queue.stored([(1, 0)]);
    hall.queue.began = Some(hall.now - GRACE);
    assert_eq!(forget(&hall), kept);
}

#[test]
fn the_number_of_games_that_a_worker_holds_is_that_of_its_leases() {
    let mut random = grandstand_testing::Random(7);
    let mut hall = Hall::new(40);
    let mut sessions: Vec<Session> = Vec::new();
    for _ in 0..2_000 {
        let session = sessions.get(random.below(sessions.len().max(1))).cloned();
        let task = task(random.below(40) as u64);
        // Errors are part of it: games that a worker does not hold.
        match (random.below(8), session) {
            (0, _) | (_, None) => sessions.push(hall.enter(["red", "blue", "green"][random.below(3)])),
            (1, Some(session)) => hall.queue.leave(&session),
            (2, _) => hall.pass(LEASE / 3),
            (3, Some(session)) => {
                assert!(hall.queue.renew_leases(&session, &[(task.id, random.next() % 3)], hall.now).is_ok());
            }
            (4, Some(session)) => {
                assert!(hall.queue.refuse(&session, &task.id, String::new(), hall.now).is_ok());
            }
            (5, Some(session)) => {
                assert_ne!(hall.try_hand_in(&session, &task.id, 0), Err(FinishError::Session))
            }
            (_, Some(session)) => assert!(hall.queue.take(&session, None, hall.now).is_ok()),
        }
        sessions.retain(|session| hall.queue.machine(session).is_some());
        for (session, seat) in &hall.queue.seats {
            let leases = hall.queue.leased.values().filter(|lease| lease.session == *session);
            assert_eq!(seat.held as usize, leases.count());
        }
        hall.queue.take_told();
        if hall.queue.counts().queued == 0 {
            hall.queue.withdraw();
            (0..40).for_each(|number| hall.queue.offer(self::task(number)));
        }
    }
}

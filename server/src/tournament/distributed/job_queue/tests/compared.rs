//! Games that are compared.

use super::*;

/// A queue with two games that are compared.
fn compared(names: &[&str]) -> (Hall, Vec<Session>) {
    let mut hall = Hall::new(0);
    (0..2).for_each(|number| hall.queue.offer(Task { compared: true, ..task(number) }));
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
    assert_eq!(hall.queue.counts().compared, 1);
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
        assert_eq!(hall.queue.take(session, None, hall.now), Err(UnknownSession));
        let again = hall.queue.enter(&hello(liar), Session("f".repeat(32)), hall.now);
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
    assert!(sessions.iter().all(|session| hall.queue.machine(session).is_some()));
}

#[test]
fn a_game_is_not_compared_when_the_last_other_worker_leaves() {
    let (mut hall, sessions) = compared(&["red", "blue"]);
    assert_eq!([hall.take(&sessions[0]), hall.take(&sessions[1])], [Some(0), Some(1)]);
    assert!(hall.finish(&sessions[0], 0));
    hall.queue.leave(&sessions[1]);
    assert_eq!(hall.news().last().unwrap(), "game 0 counts by red");
    assert_eq!(hall.take(&sessions[0]), Some(1));
}

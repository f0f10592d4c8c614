//! Holders of seats, for any order and content of the game server's answers.

use std::time::Duration;

use super::*;

fn seat(team: &str, taken: bool) -> Seat {
    Seat { team: team.into(), taken, ..Seat::default() }
}

fn with(per_second: u32, answer_secs: u64) -> Seats {
    Seats::new(&SeatLimits { per_second, answer: Duration::from_secs(answer_secs) })
}

fn two() -> (Seats, mpsc::Receiver<String>) {
    let seats = with(1000, 60);
    let lines = seats.announce(vec![seat("black", false), seat("white", false)]).expect("lines");
    (seats, lines)
}

fn next(lines: &mut mpsc::Receiver<String>) -> SeatLine {
    SeatLine::from_line(lines.try_recv().expect("a line").as_bytes()).expect("a request")
}

fn answer(seats: &Seats, id: u64, ok: bool) -> bool {
    seats.answered(SeatAnswer { id, ok, reason: None })
}

fn play(seats: &Seats, token: &str, ply: u32) -> Result<Reply, SeatError> {
    seats.request(token, SeatRequest::Move { ply, text: "h8".into() }, None)
}

fn taken(seats: &Seats, lines: &mut mpsc::Receiver<String>) -> SeatGrant {
    let (taken, _reply) = seats.take(None, Some("Ann".into()), None).expect("a free seat");
    assert!(answer(seats, next(lines).id, true));
    taken
}

#[test]
fn a_seat_is_played_by_its_token_alone() {
    let (seats, mut lines) = two();
    let (black, mut reply) = seats.take(None, Some("Ann".into()), None).unwrap();
    let request = next(&mut lines);
    assert_eq!(request.request, SeatRequest::Take { name: Some("Ann".into()) });
    assert!(!seats.list()[0].taken, "not before the answer");
    assert_eq!(play(&seats, &black.token, 0).unwrap_err(), SeatError::Token);
    assert!(answer(&seats, request.id, true));
    assert!(reply.try_recv().unwrap().ok);
    assert_eq!(seats.list()[0], Seat { taken: true, name: Some("Ann".into()), ..seat("black", true) });

    assert_eq!(black.token.len(), 32);
    play(&seats, &black.token, 3).unwrap();
    let request = next(&mut lines);
    assert_eq!((&*request.team, request.request), ("black", SeatRequest::Move { ply: 3, text: "h8".into() }));
    for token in ["", "00", &black.token.to_uppercase()] {
        assert_eq!(play(&seats, token, 3).unwrap_err(), SeatError::Token, "{token}");
    }
}

#[test]
fn no_seat_is_taken_twice_not_even_at_the_same_moment() {
    let (seats, mut lines) = two();
    let (first, _r1) = seats.take(None, None, None).unwrap();
    let (second, _r2) = seats.take(None, None, None).unwrap();
    assert_eq!((first.seat, second.seat), (0, 1));
    assert_eq!(seats.take(None, None, None).unwrap_err(), SeatError::Full);
    assert_eq!(seats.take(Some(&"black".into()), None, None).unwrap_err(), SeatError::Taken("black".into()));
    let (id, _) = (next(&mut lines).id, next(&mut lines));
    // A seat that the game server refuses is free for the next client.
    assert!(!answer(&seats, id, false));
    assert_eq!(seats.take(None, None, None).unwrap().0.seat, 0);
    let error = seats.take(Some(&"red".into()), None, None).unwrap_err();
    assert_eq!(error.to_string(), "there is no seat of the team `red`; the seats are black, white");
}

#[test]
fn a_seat_that_is_left_is_free_and_its_token_worthless() {
    let (seats, mut lines) = two();
    let black = taken(&seats, &mut lines);
    let _reply = seats.request(&black.token, SeatRequest::Leave, None).unwrap();
    assert!(answer(&seats, next(&mut lines).id, true));
    assert_eq!(seats.list()[0], seat("black", false));
    assert_eq!(play(&seats, &black.token, 0).unwrap_err(), SeatError::Token);
}

#[test]
fn a_seat_whose_asker_has_gone_is_given_back() {
    let (seats, mut lines) = two();
    drop(seats.take(None, None, None).unwrap());
    assert!(!answer(&seats, next(&mut lines).id, true));
    let leave = next(&mut lines);
    assert_eq!(leave.request, SeatRequest::Leave);
    answer(&seats, leave.id, true);
    assert!(!seats.list()[0].taken);
}

#[test]
fn seats_announced_again_keep_their_holders() {
    let (seats, mut lines) = two();
    let token = taken(&seats, &mut lines).token;
    // The colours were swapped: the holder of black has white now.
    assert!(seats.announce(vec![seat("white", true), seat("black", false)]).is_none());
    let _reply = play(&seats, &token, 3).unwrap();
    assert_eq!(&*next(&mut lines).team, "white");
    // A seat that the game server announces as free loses its holder.
    seats.announce(vec![seat("white", false)]);
    assert_eq!(play(&seats, &token, 3).unwrap_err(), SeatError::Token);
    seats.announce(Vec::new());
    assert_eq!(seats.take(None, None, None).unwrap_err(), SeatError::None);
}

#[test]
fn what_is_refused_uses_up_nothing_that_others_need() {
    let seats = with(1, 60);
    let mut lines = seats.announce(vec![seat("black", false), seat("white", false)]).unwrap();
    let black = taken(&seats, &mut lines);
    for junk in 0..20 {
        for error in [
            play(&seats, "x", 0).unwrap_err(),
            seats.take(Some(&"red".into()), None, None).unwrap_err(),
            seats.take(Some(&"black".into()), None, None).unwrap_err(),
        ] {
            assert!(junk == 0 || error == SeatError::Often, "{junk}: {error}");
        }
    }
    assert!(play(&seats, &black.token, 0).is_ok());
    assert_eq!(seats.take(None, None, None).unwrap().0.seat, 1);
}

#[test]
fn addresses_do_not_use_up_each_others_share() {
    let seats = with(1, 60);
    let mut lines = seats.announce(vec![seat("black", false)]).unwrap();
    let mut ask = |from: &str| {
        let reply = seats.take(None, None, Some(from.parse().unwrap())).map(|(_, reply)| reply)?;
        answer(&seats, next(&mut lines).id, false);
        drop(reply);
        Ok::<_, SeatError>(())
    };
    assert_eq!([(); 3].map(|()| ask("192.0.2.1")), [Ok(()), Ok(()), Err(SeatError::Often)]);
    assert_eq!(ask("192.0.2.2"), Ok(()));
}

#[test]
fn a_seat_whose_request_stays_unanswered_is_free_again() {
    let seats = with(1000, 0);
    let mut lines = seats.announce(vec![seat("black", false)]).unwrap();
    let (_, first) = seats.take(None, None, None).unwrap();
    drop(first);
    let (taken, mut second) = seats.take(None, None, None).unwrap();
    let ids = [next(&mut lines).id, next(&mut lines).id];
    // The late answer gives the seat to nobody, and its release must not affect the client that requests the seat now.
    assert!(!answer(&seats, ids[0], true));
    assert!(lines.try_recv().is_err(), "not before the second is answered");
    assert!(answer(&seats, ids[1], true));
    assert!(second.try_recv().unwrap().ok && lines.try_recv().is_err());
    assert!(play(&seats, &taken.token, 0).is_ok());

    let seats = with(1000, 0);
    let mut lines = seats.announce(vec![seat("black", false)]).unwrap();
    drop(seats.take(None, None, None).unwrap());
    let second = seats.take(None, None, None).unwrap();
    let ids = [next(&mut lines).id, next(&mut lines).id];
    assert!(!answer(&seats, ids[0], true) && !answer(&seats, ids[1], false));
    assert_eq!(next(&mut lines).request, SeatRequest::Leave, "it is nobody's");
    drop(second);
    // Requests past their time limit make room for others.
    assert!((0..3 * WAITING).all(|_| seats.take(None, None, None).is_ok() && lines.try_recv().is_ok()));
}

#[test]
fn a_strangers_requests_do_not_take_the_holders_share() {
    let seats = with(1, 60);
    let mut lines = seats.announce(vec![seat("black", false)]).unwrap();
    let token = taken(&seats, &mut lines).token;
    let wrong = std::iter::repeat_with(|| play(&seats, "x", 0).unwrap_err());
    assert!(wrong.take(5).any(|error| error == SeatError::Often));
    assert!(play(&seats, &token, 0).is_ok());
    assert!(play(&seats, &token, 0).is_ok());
    assert_eq!(play(&seats, &token, 0).unwrap_err(), SeatError::Often);
}

#[test]
fn the_end_of_a_match_ends_waiting_for_seats() {
    let (seats, mut lines) = two();
    let token = taken(&seats, &mut lines).token;
    let mut replies = Vec::new();
    let error = loop {
        match play(&seats, &token, 0) {
            Ok(reply) => replies.push(reply),
            Err(error) => break error,
        }
    };
    assert_eq!((error, replies.len()), (SeatError::Silent, WAITING));
    seats.close();
    assert!(replies.iter_mut().all(|reply| reply.try_recv() == Err(oneshot::error::TryRecvError::Closed)));
    assert_eq!(seats.take(None, None, None).unwrap_err(), SeatError::Over);
    assert_eq!(play(&seats, &token, 0).unwrap_err(), SeatError::Over);
    assert!(!answer(&seats, 1, true) && seats.list().is_empty());
}

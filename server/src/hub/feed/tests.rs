//! The `hello` of a feed that changes while one is encoded.

use grandstand_protocol::Seat;

use super::*;

fn feed() -> MatchFeed {
    let snapshots = Snapshots::new(MemoryBudget::new(1 << 20), 1 << 16);
    let seats = SeatLimits { per_second: 10, answer: Duration::from_secs(5) };
    let id = "a".parse().unwrap();
    MatchFeed::new(id, "2026-01-01T00:00:00Z".to_owned(), 1 << 16, None, snapshots, &seats)
}

/// The `hello` for a spectator that comes after `change`, which happens while one for another is encoded.
fn hello_after(change: impl FnOnce(&MatchFeed)) -> Summary {
    let feed = feed();
    feed.hello_encoded_by(|introduction| {
        change(&feed);
        hello(feed.snapshots.memory(), introduction)
    });
    let frame = feed.hello();
    match Message::from_json(None, std::str::from_utf8(&frame::payload(&frame)).unwrap()) {
        Ok(Message::Hello { r#match, .. }) => r#match,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_hello_tells_what_changed_while_another_was_encoded() {
    let header = MatchHeader { title: "Final".into(), ..MatchHeader::default() };
    assert_eq!(hello_after(|feed| feed.set_header(&header)).title, "Final");
    let seat = Seat { team: "black".into(), ..Seat::default() };
    let summary = hello_after(|feed| {
        // Nobody asks for the seat here.
        let _ = feed.seats.announce(vec![seat.clone()]);
        feed.publish_seats();
    });
    assert_eq!(summary.seats, [seat]);
    let summary =
        hello_after(|feed| feed.finish(Micros(1), MatchState::Finished, None, CloseReason::Finished));
    assert_eq!(summary.state, MatchState::Finished);
    assert_eq!(hello_after(|feed| feed.set_game(Game::Shark)).game, Game::Shark);
}

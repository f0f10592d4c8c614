//! The seats of a live match: who has them, and what is asked of its game server on their behalf.
//!
//! A seat is held by a token, of which only the hash is kept. The game server decides everything else: a request becomes
//! a line to it, and its answer is what the one who asked is told.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use data_encoding::HEXLOWER;
use grandstand_protocol::{Answer, Label, Request, Seat, Wanted};
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};

use crate::bridge::Throttle;

/// Requests that may wait for the game server: to be sent, and to be answered.
const WAITING: usize = 64;

/// The hash of a token.
type Hash = [u8; 32];

/// Why a request about a seat can't be made, or was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SeatError {
    /// Nobody can play in this match.
    #[error("this match has no seats")]
    None,
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// There is no seat of this team.
    #[error("there is no seat of the team `{team}`; the seats are {seats}")]
    Team { team: Label, seats: String },
    /// Somebody has it.
    #[error("the seat of {0} is taken")]
    Taken(Label),
    /// Somebody has each of them.
    #[error("no seat is free")]
    Full,
    /// It is nobody's token.
    #[error("this token has no seat in this match")]
    Token,
    /// There is no randomness for a token.
    #[error("no token can be made: {0}")]
    Random(String),
    /// Too many requests in a short time.
    #[error("too many requests about this match's seats; wait a second")]
    Often,
    /// Too much waits for the game server, or it does not answer.
    #[error("the game server does not answer")]
    Silent,
    /// The game server said no, in these words.
    #[error("{0}")]
    Refused(Label),
}

/// A seat that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its place in the list of seats.
    pub(crate) seat: usize,
    pub(crate) team: Label,
    pub(crate) token: String,
}

/// What became of a request: comes when the game server has answered.
pub(crate) type Reply = oneshot::Receiver<Answer>;

/// The seats of one match, shared by its connection and by those who ask.
#[derive(Debug)]
pub(crate) struct Seats(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    places: Vec<Place>,
    /// The way to the game server, while there is one.
    lines: Option<mpsc::Sender<String>>,
    over: bool,
    waiting: HashMap<u64, Waiting>,
    last_id: u64,
    /// For requests of those who have no seat.
    strangers: Throttle,
    per_second: u32,
}

#[derive(Debug)]
struct Place {
    seat: Seat,
    holder: Option<Hash>,
    /// Somebody is asking for it.
    asked_for: bool,
    throttle: Throttle,
}

/// A request that was not answered yet.
#[derive(Debug)]
struct Waiting {
    seat: usize,
    wanted: Wish,
    reply: oneshot::Sender<Answer>,
}

#[derive(Debug)]
enum Wish {
    Seat { name: Option<Label>, holder: Hash },
    Move,
    Leave,
}

impl Seats {
    /// No seats; later on each holder, and all strangers together, may make so many requests a second.
    pub(crate) fn new(per_second: u32) -> Self {
        Self(Mutex::new(Inner {
            places: Vec::new(),
            lines: None,
            over: false,
            waiting: HashMap::new(),
            last_id: 0,
            strangers: Throttle::new(per_second, Instant::now()),
            per_second,
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game server says which seats there are, each at the place of the one that it replaces. Lines for it come from
    /// the receiver, which there is at the first time.
    pub(crate) fn announce(&self, seats: Vec<Seat>) -> Option<mpsc::Receiver<String>> {
        let mut inner = self.lock();
        if inner.over || (seats.is_empty() && inner.places.is_empty()) {
            return None;
        }
        let mut old = std::mem::take(&mut inner.places).into_iter();
        let per_second = inner.per_second;
        inner.places = seats
            .into_iter()
            .map(|seat| match old.next() {
                Some(place) => Place { holder: place.holder.filter(|_| seat.taken), seat, ..place },
                None => {
                    let throttle = Throttle::new(per_second, Instant::now());
                    Place { seat, holder: None, asked_for: false, throttle }
                }
            })
            .collect();
        if inner.lines.is_some() {
            return None;
        }
        let (lines, receiver) = mpsc::channel(WAITING);
        inner.lines = Some(lines);
        Some(receiver)
    }

    /// The seats as they are now.
    pub(crate) fn list(&self) -> Vec<Seat> {
        self.lock().places.iter().map(|place| place.seat.clone()).collect()
    }

    /// The match is over: whoever waits is told so.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.over = true;
        inner.places.clear();
        inner.lines = None;
        inner.waiting.clear();
    }

    /// Asks for the seat of a team, or for any that is free. The seat is the asker's once the reply says so.
    pub(crate) fn take(
        &self,
        team: Option<&Label>,
        name: Option<Label>,
    ) -> Result<(Taken, Reply), SeatError> {
        let mut inner = self.lock();
        inner.check_open()?;
        if !inner.strangers.admits(Instant::now()) {
            return Err(SeatError::Often);
        }
        let is_free = |place: &Place| !place.seat.taken && !place.asked_for;
        let seat = match team {
            Some(team) => {
                let found = inner.places.iter().position(|place| place.seat.team == *team);
                let seats = || inner.places.iter().map(|p| &*p.seat.team).collect::<Vec<_>>().join(", ");
                let seat = found.ok_or_else(|| SeatError::Team { team: team.clone(), seats: seats() })?;
                if !is_free(&inner.places[seat]) {
                    return Err(SeatError::Taken(team.clone()));
                }
                seat
            }
            None => inner.places.iter().position(is_free).ok_or(SeatError::Full)?,
        };
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(|error| SeatError::Random(error.to_string()))?;
        let token = HEXLOWER.encode(&token);
        let wish = Wish::Seat { name: name.clone(), holder: hash(&token) };
        let reply = inner.ask(seat, wish, Wanted::Seat { name })?;
        inner.places[seat].asked_for = true;
        let team = inner.places[seat].seat.team.clone();
        Ok((Taken { seat, team, token }, reply))
    }

    /// Passes on a move of who holds the token.
    pub(crate) fn play(&self, token: &str, ply: u32, text: Label) -> Result<Reply, SeatError> {
        let mut inner = self.lock();
        let seat = inner.of(token)?;
        inner.ask(seat, Wish::Move, Wanted::Move { ply, text })
    }

    /// Asks for the seat of who holds the token to be free again.
    pub(crate) fn leave(&self, token: &str) -> Result<Reply, SeatError> {
        let mut inner = self.lock();
        let seat = inner.of(token)?;
        inner.ask(seat, Wish::Leave, Wanted::Leave)
    }

    /// The game server has answered; `true` if the seats have changed.
    pub(crate) fn answered(&self, answer: Answer) -> bool {
        let mut inner = self.lock();
        // One that nobody asked for, or of before the seats changed, means nothing.
        let Some(Waiting { seat, wanted, reply }) = inner.waiting.remove(&answer.id) else { return false };
        let ok = answer.ok;
        let heard = reply.send(answer).is_ok();
        let Some(place) = inner.places.get_mut(seat) else { return false };
        match wanted {
            Wish::Seat { name, holder } => {
                place.asked_for = false;
                if !ok {
                    return false;
                }
                if heard {
                    (place.seat.taken, place.seat.name, place.holder) = (true, name, Some(holder));
                } else {
                    // Who asked has gone, so that nobody has the token. A full queue leaves the seat as it is.
                    let _ = inner.ask(seat, Wish::Leave, Wanted::Leave);
                }
                heard
            }
            Wish::Leave if ok => {
                (place.seat.taken, place.seat.name, place.holder) = (false, None, None);
                true
            }
            Wish::Leave | Wish::Move => false,
        }
    }
}

impl Inner {
    fn check_open(&self) -> Result<(), SeatError> {
        match () {
            () if self.over => Err(SeatError::Over),
            () if self.places.is_empty() => Err(SeatError::None),
            () => Ok(()),
        }
    }

    /// Whose token it is.
    fn of(&mut self, token: &str) -> Result<usize, SeatError> {
        self.check_open()?;
        let (now, hash) = (Instant::now(), hash(token));
        let found = self.places.iter().position(|place| place.holder == Some(hash));
        let throttle = found.map_or(&mut self.strangers, |seat| &mut self.places[seat].throttle);
        if !throttle.admits(now) {
            return Err(SeatError::Often);
        }
        found.ok_or(SeatError::Token)
    }

    fn ask(&mut self, seat: usize, wanted: Wish, request: Wanted) -> Result<Reply, SeatError> {
        let lines = self.lines.as_ref().ok_or(SeatError::Over)?;
        if self.waiting.len() >= WAITING {
            return Err(SeatError::Silent);
        }
        self.last_id += 1;
        let team = self.places[seat].seat.team.clone();
        let line = Request { id: self.last_id, team, wanted: request }.to_line();
        lines.try_send(line).or(Err(SeatError::Silent))?;
        let (reply, receiver) = oneshot::channel();
        self.waiting.insert(self.last_id, Waiting { seat, wanted, reply });
        Ok(receiver)
    }
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(team: &str, taken: bool) -> Seat {
        Seat { team: team.into(), taken, ..Seat::default() }
    }

    fn two() -> (Seats, mpsc::Receiver<String>) {
        let seats = Seats::new(1000);
        let lines = seats.announce(vec![seat("black", false), seat("white", false)]).expect("lines");
        (seats, lines)
    }

    fn next(lines: &mut mpsc::Receiver<String>) -> Request {
        Request::from_line(lines.try_recv().expect("a line").as_bytes()).expect("a request")
    }

    fn answer(seats: &Seats, id: u64, ok: bool) -> bool {
        seats.answered(Answer { id, ok, reason: None })
    }

    fn taken(seats: &Seats, lines: &mut mpsc::Receiver<String>) -> Taken {
        let (taken, _reply) = seats.take(None, Some("Ann".into())).expect("a free seat");
        assert!(answer(seats, next(lines).id, true));
        taken
    }

    #[test]
    fn a_seat_is_taken_when_the_game_server_says_so_and_played_by_its_token_alone() {
        let (seats, mut lines) = two();
        let (black, mut reply) = seats.take(None, Some("Ann".into())).unwrap();
        let request = next(&mut lines);
        assert_eq!(request.wanted, Wanted::Seat { name: Some("Ann".into()) });
        assert!(!seats.list()[0].taken, "not before the answer");
        assert_eq!(seats.play(&black.token, 0, "h8".into()).unwrap_err(), SeatError::Token);
        assert!(answer(&seats, request.id, true));
        assert!(reply.try_recv().unwrap().ok);
        assert_eq!(seats.list()[0], Seat { taken: true, name: Some("Ann".into()), ..seat("black", true) });

        assert_eq!(black.token.len(), 32);
        seats.play(&black.token, 3, "h8".into()).unwrap();
        let request = next(&mut lines);
        assert_eq!((&*request.team, request.wanted), ("black", Wanted::Move { ply: 3, text: "h8".into() }));
        for token in ["", "00", &black.token.to_uppercase()] {
            assert_eq!(seats.play(token, 3, "h8".into()).unwrap_err(), SeatError::Token, "{token}");
        }
    }

    #[test]
    fn no_seat_is_taken_twice_not_even_at_the_same_moment() {
        let (seats, mut lines) = two();
        let (first, _r1) = seats.take(None, None).unwrap();
        let (second, _r2) = seats.take(None, None).unwrap();
        assert_eq!((first.seat, second.seat), (0, 1));
        assert_eq!(seats.take(None, None).unwrap_err(), SeatError::Full);
        assert_eq!(seats.take(Some(&"black".into()), None).unwrap_err(), SeatError::Taken("black".into()));
        let (id, _) = (next(&mut lines).id, next(&mut lines));
        // What the game server refuses is free for the next one who asks.
        assert!(!answer(&seats, id, false));
        assert_eq!(seats.take(None, None).unwrap().0.seat, 0);
        let error = seats.take(Some(&"red".into()), None).unwrap_err();
        assert_eq!(error.to_string(), "there is no seat of the team `red`; the seats are black, white");
    }

    #[test]
    fn a_seat_that_is_left_is_free_and_its_token_worthless() {
        let (seats, mut lines) = two();
        let black = taken(&seats, &mut lines);
        let _reply = seats.leave(&black.token).unwrap();
        assert!(answer(&seats, next(&mut lines).id, true));
        assert_eq!(seats.list()[0], seat("black", false));
        assert_eq!(seats.play(&black.token, 0, "h8".into()).unwrap_err(), SeatError::Token);
    }

    #[test]
    fn a_seat_whose_asker_has_gone_is_given_back() {
        let (seats, mut lines) = two();
        drop(seats.take(None, None).unwrap());
        assert!(!answer(&seats, next(&mut lines).id, true));
        let leave = next(&mut lines);
        assert_eq!(leave.wanted, Wanted::Leave);
        answer(&seats, leave.id, true);
        assert!(!seats.list()[0].taken);
    }

    #[test]
    fn seats_keep_their_places_and_holders_when_they_are_announced_again() {
        let (seats, mut lines) = two();
        let token = taken(&seats, &mut lines).token;
        // Colours were swapped: who had black has white now.
        assert!(seats.announce(vec![seat("white", true), seat("black", false)]).is_none());
        let _reply = seats.play(&token, 3, "h8".into()).unwrap();
        assert_eq!(&*next(&mut lines).team, "white");
        // A game server that frees a seat takes it away.
        seats.announce(vec![seat("white", false)]);
        assert_eq!(seats.play(&token, 3, "h8".into()).unwrap_err(), SeatError::Token);
        seats.announce(Vec::new());
        assert_eq!(seats.take(None, None).unwrap_err(), SeatError::None);
    }

    #[test]
    fn who_asks_too_often_is_told_and_does_not_take_the_holders_share() {
        let seats = Seats::new(1);
        let mut lines = seats.announce(vec![seat("black", false)]).unwrap();
        let token = taken(&seats, &mut lines).token;
        let wrong = std::iter::repeat_with(|| seats.play("x", 0, "h8".into()).unwrap_err());
        assert!(wrong.take(5).any(|error| error == SeatError::Often));
        assert!(seats.play(&token, 0, "h8".into()).is_ok());
        assert!(seats.play(&token, 0, "h8".into()).is_ok());
        assert_eq!(seats.play(&token, 0, "h8".into()).unwrap_err(), SeatError::Often);
    }

    #[test]
    fn a_silent_game_server_is_not_asked_without_end_and_the_end_of_the_match_ends_waiting() {
        let (seats, mut lines) = two();
        let token = taken(&seats, &mut lines).token;
        let mut replies = Vec::new();
        let error = loop {
            match seats.play(&token, 0, "h8".into()) {
                Ok(reply) => replies.push(reply),
                Err(error) => break error,
            }
        };
        assert_eq!((error, replies.len()), (SeatError::Silent, WAITING));
        seats.close();
        assert!(
            replies.iter_mut().all(|reply| reply.try_recv() == Err(oneshot::error::TryRecvError::Closed))
        );
        assert_eq!(seats.take(None, None).unwrap_err(), SeatError::Over);
        assert_eq!(seats.play(&token, 0, "h8".into()).unwrap_err(), SeatError::Over);
        assert!(!answer(&seats, 1, true) && seats.list().is_empty());
    }
}

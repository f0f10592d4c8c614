//! Seat client: the seats of a match, the viewer's seat, and its requests.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::{ChosenSettings, Question, Seat, SeatGrant, SeatPost, SeatRequest, Setting};
use serde_json::Value;

use crate::address::Base;
use crate::source::{self, Refused, Wake};

/// Time after which an accepted move is no longer waited for on the board, in seconds.
const APPEARS_SECS: f64 = 2.0;
/// Time for which the reason of a refusal is shown, in seconds.
const REFUSAL_SECS: f64 = 8.0;
/// Time after which a free seat is asked for again that could not be had, in seconds.
const SIT_AGAIN_SECS: f64 = 1.0;
/// Number of requests for a free seat at most.
const SIT_TRIES: u32 = 5;

/// State of the viewer as a player.
#[derive(Debug, Default)]
pub(crate) struct SeatClient {
    /// Seats of the match; empty once it is over.
    pub seats: Vec<Seat>,
    /// The viewer's seat.
    pub held: Option<SeatGrant>,
    /// Index of the viewer's side; set by the session.
    pub side: Option<usize>,
    /// A move that was made and is not on the board yet, in the game's notation.
    pub pending: Option<String>,
    /// Places named so far for a question, separated by spaces.
    pub named: String,
    /// Reason of the last refusal; it is forgotten after a while.
    pub refusal: Option<String>,
    /// The time until which it is shown; set when it is first seen.
    refused_until: Option<f64>,
    /// Text of the field for a move.
    pub draft: String,
    /// Whether the question whether to resign is shown.
    pub resigning: bool,
    /// Name (may be empty) under which the viewer takes the first free seat.
    pub sits_as: Option<String>,
    /// Number of requests made for that seat, and the time before which there is no other.
    tries: (u32, f64),
    /// Name with which the pending request is made for the first free seat.
    sitting_as: Option<String>,
    /// Whether the match has had seats: its layout is that of a match that people play, also when it is over.
    pub is_played: bool,
    /// Whether the viewer has had a seat of the match.
    pub has_played: bool,
    /// Index of the side that the viewer played last.
    pub played: Option<usize>,
    /// Settings that the match offers for another one.
    pub setup: Vec<Setting>,
    /// Settings of the match that the viewer wants in place of this one, to be asked for from a seat.
    pub wants: Option<ChosenSettings>,
    /// Whether a match with other settings takes the place of this one.
    pub replaced: bool,
    asked: Option<(SeatRequest, Receiver<Result<Value, Refused>>)>,
    /// An accepted move: the number of moves before it, and the time until which it is waited for.
    taken: Option<(u32, f64)>,
    /// Whether a saved seat has been looked up.
    sought: bool,
}

impl SeatClient {
    /// Whether a request awaits its answer.
    pub(crate) fn is_waiting(&self) -> bool {
        self.asked.is_some()
    }

    /// The viewer's seat, as the match reports it.
    pub(crate) fn seat(&self) -> Option<&Seat> {
        self.held.as_ref().and_then(|held| self.seats.get(held.seat))
    }

    /// Question to the viewer in place of a single move.
    pub(crate) fn question(&self) -> Option<&Question> {
        self.seat()?.question.as_ref()
    }

    /// Whether a question is directed to the viewer; `None` if there is no question.
    pub(crate) fn is_asked(&self) -> Option<bool> {
        let asked = self.seats.iter().position(|seat| seat.question.is_some())?;
        Some(self.held.as_ref().is_some_and(|held| held.seat == asked))
    }

    /// Names a place for a question, or takes it back. Returns the move once there are enough places.
    pub(crate) fn name(&mut self, place: &str) -> Option<String> {
        let wanted = usize::from(self.question()?.places);
        let mut named: Vec<&str> = self.named.split_whitespace().collect();
        match named.iter().position(|known| *known == place) {
            Some(at) => drop(named.remove(at)),
            None => named.push(place),
        }
        let all = (named.len() == wanted).then(|| named.join(" "));
        self.named = if all.is_some() { String::new() } else { named.join(" ") };
        all
    }

    /// Takes the reported seats.
    pub(crate) fn set_seats(&mut self, place: Option<&MatchAddress>, seats: Vec<Seat>) {
        let asked = self.question().cloned();
        self.is_played |= !seats.is_empty();
        self.seats = seats;
        if self.question() != asked.as_ref() {
            self.named.clear();
        }
        if let Some(place) = place.filter(|_| !self.sought && !self.seats.is_empty()) {
            self.sought = true;
            self.held = source::saved_seat(&place.key());
        }
        // The game server has freed the seat, or the match is over.
        if self.held.is_some() && !self.is_waiting() && self.seat().is_none_or(|seat| !seat.taken) {
            self.held = None;
        }
    }

    /// Ends playing, as the match is over. It may be over because another is to take its place: the answer to that is still
    /// to come then.
    pub(crate) fn end(&mut self) {
        let asks_for_another = |(request, _): &(SeatRequest, _)| matches!(request, SeatRequest::New { .. });
        *self = SeatClient {
            asked: self.asked.take().filter(asks_for_another),
            sought: true,
            is_played: self.is_played,
            has_played: self.has_played,
            played: self.played,
            setup: std::mem::take(&mut self.setup),
            replaced: self.replaced,
            ..SeatClient::default()
        };
    }

    /// Asks for the seat of a team.
    pub(crate) fn take_seat(&mut self, place: &MatchAddress, team: &str, name: &str, wake: Wake) {
        let name = Some(name).filter(|name| !name.is_empty()).map(Into::into);
        self.post(place, SeatPost::take(Some(team.into()), name), wake);
    }

    /// Name under which a free seat is to be asked for now; the request is under way after this.
    pub(crate) fn sits_now(&mut self, now: f64) -> Option<String> {
        if now < self.tries.1 {
            return None;
        }
        self.sitting_as = self.sits_as.take();
        self.sitting_as.clone()
    }

    /// Sends a move, or leaves the seat.
    pub(crate) fn request(&mut self, place: &MatchAddress, request: SeatRequest, wake: Wake) {
        let Some(held) = &self.held else { return };
        let token = held.token.clone();
        if let SeatRequest::Move { text, .. } = &request
            && !self.is_waiting()
        {
            self.pending = Some(text.to_string());
        }
        self.post(place, SeatPost { team: None, token, request }, wake);
    }

    fn post(&mut self, place: &MatchAddress, post: SeatPost, wake: Wake) {
        if self.is_waiting() {
            return;
        }
        (self.refusal, self.refused_until, self.resigning) = (None, None, false);
        let path = format!("api/matches/{}/{}", place.id, post.path());
        let answer = source::post(&place.base, &path, post.to_json(), wake);
        self.asked = Some((post.request, answer));
    }

    /// Takes an answer that has arrived. `ply` is the number of moves in the present picture. Returns `true` if the
    /// viewer has just got a seat.
    pub(crate) fn update(&mut self, place: Option<&MatchAddress>, ply: u32, now: f64) -> bool {
        self.has_played |= self.held.is_some();
        self.forget_refusal(now);
        if self.taken.is_some_and(|(before, until)| ply != before || now > until) {
            (self.taken, self.pending) = (None, None);
        }
        let Some((request, answers)) = self.asked.take() else { return false };
        let answer = match answers.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => {
                self.asked = Some((request, answers));
                return false;
            }
            Err(TryRecvError::Disconnected) => Err(Refused::silent("the question was lost")),
        };
        let sitting_as = self.sitting_as.take();
        match (request, answer) {
            (SeatRequest::Take { .. }, Ok(answer)) => {
                self.held = serde_json::from_value(answer).ok();
                if self.held.is_none() {
                    self.refusal = Some("The server's answer names no seat.".to_owned());
                }
                self.tries = (0, 0.0);
                if let (Some(held), Some(place)) = (&self.held, place) {
                    source::save_seat(&place.key(), Some(held));
                    if let Some(seat) = self.seats.get_mut(held.seat) {
                        seat.taken = true;
                    }
                }
                return self.held.is_some();
            }
            (SeatRequest::Move { ply: before, .. }, Ok(_)) => {
                self.draft.clear();
                self.taken = Some((before, now + APPEARS_SECS));
            }
            (SeatRequest::Leave, Ok(_)) => self.let_go(place),
            (SeatRequest::New { .. }, Ok(_)) => {
                self.replaced = true;
                self.let_go(place);
            }
            (request, Err(refused)) => {
                self.pending = None;
                if refused.status == Some(403) && !matches!(request, SeatRequest::Take { .. }) {
                    self.let_go(place);
                }
                // Somebody else may have been faster, or the connection may have failed: there may be a free seat still.
                let tries = self.tries.0 + 1;
                if sitting_as.is_some() && tries < SIT_TRIES {
                    (self.sits_as, self.tries) = (sitting_as, (tries, now + SIT_AGAIN_SECS));
                }
                self.refusal = Some(refused.words);
            }
        }
        false
    }

    /// Forgets a refusal that was shown long enough.
    fn forget_refusal(&mut self, now: f64) {
        let until = self.refusal.as_ref().map(|_| self.refused_until.unwrap_or(now + REFUSAL_SECS));
        self.refused_until = until.filter(|until| now < *until);
        if self.refused_until.is_none() {
            self.refusal = None;
        }
    }

    /// Time until a refusal is forgotten, in seconds.
    pub(crate) fn forgets_after(&self, now: f64) -> Option<f64> {
        self.refusal.as_ref().map(|_| self.refused_until.map_or(0.0, |until| (until - now).max(0.0)))
    }

    fn let_go(&mut self, place: Option<&MatchAddress>) {
        self.held = None;
        if let Some(place) = place {
            source::save_seat(&place.key(), None);
        }
    }
}

/// Address of a match that people may play in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MatchAddress {
    pub base: Base,
    pub id: String,
}

impl MatchAddress {
    /// Key of the saved seat, which is kept while the program or the page's tab is open.
    fn key(&self) -> String {
        format!("grandstand seat {} {}", self.base.authority(), self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::sync::mpsc::channel;

    fn seat(team: &str, taken: bool) -> Seat {
        Seat { team: team.into(), taken, ..Seat::default() }
    }

    const TAKE: SeatRequest = SeatRequest::Take { name: None };

    fn third_move() -> SeatRequest {
        SeatRequest::Move { ply: 3, text: "h8".into() }
    }

    fn waiting(request: SeatRequest, answer: Result<Value, Refused>) -> SeatClient {
        let (sender, answers) = channel();
        sender.send(answer).expect("it is received");
        let held =
            (request != TAKE).then(|| SeatGrant { seat: 0, team: "black".into(), token: "t".to_owned() });
        let seats = vec![seat("black", held.is_some()), seat("white", false)];
        SeatClient {
            seats,
            held,
            pending: Some("h8".to_owned()),
            asked: Some((request, answers)),
            ..SeatClient::default()
        }
    }

    #[test]
    fn a_taken_seat_is_kept_until_it_is_free() {
        let answer = json!({ "seat": 1, "team": "white", "token": "00ff" });
        let mut client = waiting(TAKE, Ok(answer));
        assert!(client.update(None, 0, 0.0));
        assert_eq!(client.seat().map(|seat| &*seat.team), Some("white"));
        client.set_seats(None, vec![seat("white", false), seat("black", true)]);
        assert_eq!(client.seat().map(|seat| &*seat.team), Some("black"), "colours were swapped");
        client.set_seats(None, vec![seat("white", false), seat("black", false)]);
        assert_eq!(client.held, None);
    }

    #[test]
    fn naming_a_place_again_takes_it_back() {
        let mut client = waiting(SeatRequest::Leave, Err(Refused::silent("nobody")));
        let ask = |places| {
            let question = Question { text: "place two stones".into(), places, choices: Vec::new() };
            vec![Seat { question: Some(question), ..seat("black", true) }, seat("white", true)]
        };
        assert_eq!((client.is_asked(), client.name("h8")), (None, None));
        client.set_seats(None, ask(2));
        assert_eq!(client.is_asked(), Some(true));
        for place in ["h8", "h8", "i9"] {
            assert_eq!(client.name(place), None);
        }
        assert_eq!(client.named, "i9");
        assert_eq!(client.name("a1").as_deref(), Some("i9 a1"));
        // Places named for one question don't belong to another.
        assert_eq!(client.name("c3"), None);
        client.set_seats(None, ask(3));
        assert_eq!(client.named, "");
    }

    #[test]
    fn a_move_is_pending_until_the_board_shows_it() {
        let mut client = waiting(third_move(), Ok(json!({ "ok": true })));
        client.update(None, 3, 1.0);
        assert_eq!(client.pending.as_deref(), Some("h8"));
        client.update(None, 4, 1.1);
        assert_eq!(client.pending, None);
        // A request that doesn't change the number of moves, such as resigning, is waited for only a while.
        let mut client = waiting(third_move(), Ok(json!({ "ok": true })));
        client.update(None, 3, 1.0);
        client.update(None, 3, 1.0 + APPEARS_SECS + 0.1);
        assert_eq!(client.pending, None);
    }

    #[test]
    fn a_match_that_is_over_before_the_answer_is_replaced_too() {
        let new = SeatRequest::New { settings: Default::default() };
        let mut client = waiting(new, Ok(json!({ "ok": true })));
        client.end();
        client.update(None, 0, 0.0);
        assert!(client.replaced && client.held.is_none());
        let mut client = waiting(third_move(), Ok(json!({ "ok": true })));
        client.end();
        client.update(None, 3, 0.0);
        assert!(!client.replaced && !client.is_waiting());
    }

    #[test]
    fn a_free_seat_is_asked_for_again_when_it_could_not_be_had() {
        let refuse = |client: &mut SeatClient, now: f64| {
            let (sender, answers) = channel();
            sender.send(Err(Refused::silent("nobody"))).expect("it is received");
            client.asked = Some((TAKE, answers));
            client.update(None, 0, now);
        };
        let mut client = SeatClient { sits_as: Some("me".to_owned()), ..SeatClient::default() };
        for number in 0..SIT_TRIES {
            let now = f64::from(number) * 2.0;
            assert_eq!(client.sits_now(now).as_deref(), Some("me"), "request {number}");
            refuse(&mut client, now + 0.5);
            assert_eq!(client.sits_now(now + 0.6), None, "not at once");
        }
        assert_eq!(client.sits_now(100.0), None, "not for ever");
        // A seat that was chosen by hand is not asked for again.
        let mut client = SeatClient::default();
        refuse(&mut client, 1.0);
        assert_eq!((client.sits_now(9.0), client.refusal.is_some()), (None, true));
    }

    #[test]
    fn a_worthless_token_is_thrown_away() {
        let refused = |status, words: &str| Err(Refused { status: Some(status), words: words.to_owned() });
        let mut client = waiting(third_move(), refused(409, "h8 is not empty"));
        client.update(None, 3, 1.0);
        assert_eq!((client.pending.clone(), client.refusal.as_deref()), (None, Some("h8 is not empty")));
        assert!(client.held.is_some());
        let mut client = waiting(third_move(), refused(403, "this token has no seat"));
        client.update(None, 3, 1.0);
        assert!(client.held.is_none());
    }
}

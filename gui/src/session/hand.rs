//! The viewer as a player: the seats of the match, the one that is the viewer's, and what the viewer asks for.

use std::sync::mpsc::{Receiver, TryRecvError};

use grandstand_protocol::{Question, Seat};
use serde_json::{Value, json};

use crate::address::Base;
use crate::source::{self, Refused, SavedSeat, Wake};

/// How long a move that was taken may take to appear on the board, in seconds.
const APPEARS_SECS: f64 = 2.0;

/// What the viewer may do in a match as a player.
#[derive(Debug, Default)]
pub(crate) struct Hand {
    /// The seats of the match; none once it is over.
    pub seats: Vec<Seat>,
    /// The seat that is the viewer's.
    pub held: Option<SavedSeat>,
    /// The side that is the viewer's, by its number; told by the session.
    pub side: Option<usize>,
    /// A move that was made and is not on the board yet, in the game's notation.
    pub pending: Option<String>,
    /// The places that the viewer has named of those that a question asks for, with blanks between them.
    pub named: String,
    /// Why what the viewer last asked for was not done.
    pub refusal: Option<String>,
    /// What is being typed as a move.
    pub draft: String,
    /// Whether the viewer is asked if giving up is meant.
    pub resigning: bool,
    asked: Option<(Wanted, Receiver<Result<Value, Refused>>)>,
    /// A move was taken: how many had been played before it, and until when it is waited for.
    taken: Option<(u32, f64)>,
    /// Whether a seat that was kept has been looked for.
    sought: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Seat,
    /// With how many moves had been played.
    Move(u32),
    Leave,
}

impl Hand {
    /// Whether an answer is being waited for.
    pub(crate) fn is_waiting(&self) -> bool {
        self.asked.is_some()
    }

    /// The viewer's seat, as the match has it now.
    pub(crate) fn seat(&self) -> Option<&Seat> {
        self.held.as_ref().and_then(|held| self.seats.get(held.seat))
    }

    /// What the viewer is asked in place of one move.
    pub(crate) fn question(&self) -> Option<&Question> {
        self.seat()?.question.as_ref()
    }

    /// Whether it is the viewer's turn, where a seat has a question; otherwise the picture says.
    pub(crate) fn is_asked(&self) -> Option<bool> {
        let asked = self.seats.iter().position(|seat| seat.question.is_some())?;
        Some(self.held.as_ref().is_some_and(|held| held.seat == asked))
    }

    /// Names a place that a question asks for, or takes it back; the move, once there are enough.
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

    /// Takes the seats as they are now.
    pub(crate) fn set_seats(&mut self, place: Option<&Place>, seats: Vec<Seat>) {
        let asked = self.question().cloned();
        self.seats = seats;
        if self.question() != asked.as_ref() {
            self.named.clear();
        }
        if let Some(place) = place.filter(|_| !self.sought && !self.seats.is_empty()) {
            self.sought = true;
            self.held = source::saved_seat(&place.key());
        }
        // The game server has freed it, or the match is over.
        if self.held.is_some() && !self.is_waiting() && self.seat().is_none_or(|seat| !seat.taken) {
            self.held = None;
        }
    }

    /// The match is over: nobody can play any more.
    pub(crate) fn end(&mut self) {
        *self = Hand { sought: true, ..Hand::default() };
    }

    /// Asks for the seat of a team.
    pub(crate) fn take_seat(&mut self, place: &Place, team: &str, wake: Wake) {
        self.ask(place, Wanted::Seat, "seats", &json!({ "team": team }), wake);
    }

    /// Moves; `ply` is how many moves the picture shows.
    pub(crate) fn play(&mut self, place: &Place, ply: u32, text: &str, wake: Wake) {
        let Some(held) = &self.held else { return };
        let body = json!({ "token": held.token, "ply": ply, "move": text });
        if !self.is_waiting() {
            self.pending = Some(text.to_owned());
        }
        self.ask(place, Wanted::Move(ply), "moves", &body, wake);
    }

    /// Gives the seat up.
    pub(crate) fn leave(&mut self, place: &Place, wake: Wake) {
        let Some(held) = &self.held else { return };
        let body = json!({ "token": held.token });
        self.ask(place, Wanted::Leave, "leave", &body, wake);
    }

    fn ask(&mut self, place: &Place, wanted: Wanted, path: &str, body: &Value, wake: Wake) {
        if self.is_waiting() {
            return;
        }
        (self.refusal, self.resigning) = (None, false);
        let path = format!("api/matches/{}/{path}", place.id);
        self.asked = Some((wanted, source::post(&place.base, &path, body.to_string(), wake)));
    }

    /// Takes the answer if it is there; `ply` is how many moves the present picture shows. `true` when the viewer has just
    /// sat down.
    pub(crate) fn update(&mut self, place: Option<&Place>, ply: u32, now: f64) -> bool {
        if self.taken.is_some_and(|(before, until)| ply != before || now > until) {
            (self.taken, self.pending) = (None, None);
        }
        let Some((wanted, answers)) = &self.asked else { return false };
        let wanted = *wanted;
        let answer = match answers.try_recv() {
            Ok(answer) => answer,
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => Err(Refused::silent("the question was lost")),
        };
        self.asked = None;
        match (wanted, answer) {
            (Wanted::Seat, Ok(answer)) => {
                self.held = serde_json::from_value(answer).ok();
                if let (Some(held), Some(place)) = (&self.held, place) {
                    source::save_seat(&place.key(), Some(held));
                    if let Some(seat) = self.seats.get_mut(held.seat) {
                        seat.taken = true;
                    }
                }
                return self.held.is_some();
            }
            (Wanted::Move(before), Ok(_)) => {
                self.draft.clear();
                self.taken = Some((before, now + APPEARS_SECS));
            }
            (Wanted::Leave, Ok(_)) => self.let_go(place),
            (wanted, Err(refused)) => {
                self.pending = None;
                if refused.status == Some(403) && wanted != Wanted::Seat {
                    self.let_go(place);
                }
                self.refusal = Some(refused.words);
            }
        }
        false
    }

    fn let_go(&mut self, place: Option<&Place>) {
        self.held = None;
        if let Some(place) = place {
            source::save_seat(&place.key(), None);
        }
    }
}

/// Where a match is that can be played in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub base: Base,
    pub id: String,
}

impl Place {
    /// The name under which the seat is kept for as long as the program, or the page's tab, is open.
    fn key(&self) -> String {
        format!("grandstand seat {} {}", self.base.authority(), self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn seat(team: &str, taken: bool) -> Seat {
        Seat { team: team.into(), taken, ..Seat::default() }
    }

    fn waiting(wanted: Wanted, answer: Result<Value, Refused>) -> Hand {
        let (sender, answers) = channel();
        sender.send(answer).expect("it is received");
        let held = (wanted != Wanted::Seat).then(|| SavedSeat { seat: 0, token: "t".to_owned() });
        let seats = vec![seat("black", held.is_some()), seat("white", false)];
        Hand {
            seats,
            held,
            pending: Some("h8".to_owned()),
            asked: Some((wanted, answers)),
            ..Hand::default()
        }
    }

    #[test]
    fn who_has_sat_down_keeps_the_seat_by_its_place_and_loses_it_when_it_is_free() {
        let answer = json!({ "seat": 1, "team": "white", "token": "00ff" });
        let mut hand = waiting(Wanted::Seat, Ok(answer));
        assert!(hand.update(None, 0, 0.0));
        assert_eq!(hand.seat().map(|seat| &*seat.team), Some("white"));
        hand.set_seats(None, vec![seat("white", false), seat("black", true)]);
        assert_eq!(hand.seat().map(|seat| &*seat.team), Some("black"), "colours were swapped");
        hand.set_seats(None, vec![seat("white", false), seat("black", false)]);
        assert_eq!(hand.held, None);
    }

    #[test]
    fn places_are_named_one_by_one_and_taken_back_by_naming_them_once_more() {
        let mut hand = waiting(Wanted::Leave, Err(Refused::silent("nobody")));
        let ask = |places| {
            let question = Question { text: "place two stones".into(), places, choices: Vec::new() };
            vec![Seat { question: Some(question), ..seat("black", true) }, seat("white", true)]
        };
        assert_eq!((hand.is_asked(), hand.name("h8")), (None, None));
        hand.set_seats(None, ask(2));
        assert_eq!(hand.is_asked(), Some(true));
        for place in ["h8", "h8", "i9"] {
            assert_eq!(hand.name(place), None);
        }
        assert_eq!(hand.named, "i9");
        assert_eq!(hand.name("a1").as_deref(), Some("i9 a1"));
        // What was named for one question is no answer to another.
        assert_eq!(hand.name("c3"), None);
        hand.set_seats(None, ask(3));
        assert_eq!(hand.named, "");
    }

    #[test]
    fn a_move_is_pending_until_the_board_shows_it() {
        let mut hand = waiting(Wanted::Move(3), Ok(json!({ "ok": true })));
        hand.update(None, 3, 1.0);
        assert_eq!(hand.pending.as_deref(), Some("h8"));
        hand.update(None, 4, 1.1);
        assert_eq!(hand.pending, None);
        // What changes no count, such as giving up, is waited for only a while.
        let mut hand = waiting(Wanted::Move(3), Ok(json!({ "ok": true })));
        hand.update(None, 3, 1.0);
        hand.update(None, 3, 1.0 + APPEARS_SECS + 0.1);
        assert_eq!(hand.pending, None);
    }

    #[test]
    fn a_refusal_is_kept_in_the_servers_words_and_a_worthless_token_is_thrown_away() {
        let refused = |status, words: &str| Err(Refused { status: Some(status), words: words.to_owned() });
        let mut hand = waiting(Wanted::Move(3), refused(409, "h8 is not empty"));
        hand.update(None, 3, 1.0);
        assert_eq!((hand.pending.clone(), hand.refusal.as_deref()), (None, Some("h8 is not empty")));
        assert!(hand.held.is_some());
        let mut hand = waiting(Wanted::Move(3), refused(403, "this token has no seat"));
        hand.update(None, 3, 1.0);
        assert!(hand.held.is_none());
    }
}

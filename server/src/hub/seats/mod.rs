//! Seats of a live match: their holders, and the requests to the game server on their behalf.
//!
//! A seat is held by a token, of which only the hash is kept. The game server decides everything else: a request
//! becomes a line to it, and its answer goes back to the client.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

use data_encoding::HEXLOWER;
use grandstand_protocol::{Label, Seat, SeatAnswer, SeatGrant, SeatLine, SeatRequest};
use sha2::{Digest, Sha256};
use tokio::sync::{mpsc, oneshot};

use crate::config::SeatLimits;
use crate::limits::rates::AddressRates;
use crate::locked::Locked as _;
use grandstand_players::throttle::Throttle;

/// Limit of queued lines to the game server, and of requests without an answer.
const WAITING: usize = 64;

/// The hash of a token.
type Hash = [u8; 32];

/// Reason for which a request about a seat is not made, or was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SeatError {
    /// The match has no seats.
    #[error("this match has no seats")]
    None,
    /// The match is over.
    #[error("the match is over")]
    Over,
    /// No seat belongs to this team.
    #[error("there is no seat of the team `{team}`; the seats are {seats}")]
    Team { team: Label, seats: String },
    /// The seat of this team is taken.
    #[error("the seat of {0} is taken")]
    Taken(Label),
    /// All seats are taken.
    #[error("no seat is free")]
    Full,
    /// No seat has this token.
    #[error("this token has no seat in this match")]
    Token,
    /// The system has no randomness for a token.
    #[error("no token can be made: {0}")]
    Random(String),
    /// Too many requests in a short time.
    #[error("too many requests about this match's seats; wait a second")]
    Often,
    /// Too many requests wait for the game server, or it does not answer.
    #[error("the game server does not answer")]
    Silent,
    /// The game server refused, with this reason.
    #[error("{0}")]
    Refused(Label),
}

/// Receives the game server's answer to a request.
pub(crate) type Reply = oneshot::Receiver<SeatAnswer>;

/// The seats of one match, shared by the bridge's connection and the HTTP requests.
#[derive(Debug)]
pub(crate) struct Seats(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    entries: Vec<SeatEntry>,
    /// Queue of lines to the game server, while its connection is open.
    lines: Option<mpsc::Sender<String>>,
    over: bool,
    waiting: HashMap<u64, Waiting>,
    last_id: u64,
    /// Rate limits for clients without a seat: of requests passed on to the game server, and of requests refused here.
    /// They are separate, so that refused requests use up nothing that others need.
    asked: AddressRates,
    refused: AddressRates,
    limits: SeatLimits,
}

#[derive(Debug)]
struct SeatEntry {
    seat: Seat,
    holder: Option<Hash>,
    /// Id of the last request for the seat, while it has no answer.
    asked_for: Option<u64>,
    /// The game server gave the seat to a client that is gone; a request to leave it follows.
    abandoned: bool,
    throttle: Throttle,
}

/// A request without an answer yet.
#[derive(Debug)]
struct Waiting {
    seat: usize,
    request: SeatRequest,
    /// Hash of the token that made the request or takes the seat by it; `None` for a request of the bridge itself.
    holder: Option<Hash>,
    since: Instant,
    reply: oneshot::Sender<SeatAnswer>,
}

impl Seats {
    /// No seats yet.
    pub(crate) fn new(limits: &SeatLimits) -> Self {
        let now = Instant::now();
        Self(Mutex::new(Inner {
            entries: Vec::new(),
            lines: None,
            over: false,
            waiting: HashMap::new(),
            last_id: 0,
            asked: AddressRates::new(limits.per_second, now),
            refused: AddressRates::new(limits.per_second, now),
            limits: limits.clone(),
        }))
    }

    /// Takes the game server's list of seats; each seat replaces the one at its index. The first call returns the
    /// receiver of the lines for the game server.
    pub(crate) fn announce(&self, seats: Vec<Seat>) -> Option<mpsc::Receiver<String>> {
        let mut inner = self.0.locked();
        if inner.over || (seats.is_empty() && inner.entries.is_empty()) {
            return None;
        }
        let mut old = std::mem::take(&mut inner.entries).into_iter();
        let per_second = inner.limits.per_second;
        inner.entries = seats
            .into_iter()
            .map(|seat| match old.next() {
                Some(entry) => SeatEntry { holder: entry.holder.filter(|_| seat.taken), seat, ..entry },
                None => {
                    let throttle = Throttle::new(per_second, Instant::now());
                    SeatEntry { seat, holder: None, asked_for: None, abandoned: false, throttle }
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
        self.0.locked().entries.iter().map(|entry| entry.seat.clone()).collect()
    }

    /// Ends the seats with the match: all waiting requests are dropped.
    pub(crate) fn close(&self) {
        let mut inner = self.0.locked();
        inner.over = true;
        inner.entries.clear();
        inner.lines = None;
        inner.waiting.clear();
    }

    /// Requests the seat of a team, or any free one. The client holds the seat once the reply grants it. `from` is the
    /// client's address; `None` if it does not identify the client.
    pub(crate) fn take(
        &self,
        team: Option<&Label>,
        name: Option<Label>,
        from: Option<IpAddr>,
    ) -> Result<(SeatGrant, Reply), SeatError> {
        let mut inner = self.0.locked();
        inner.check_open()?;
        let now = Instant::now();
        let free = inner.free(team, now);
        let rates = if free.is_ok() { &mut inner.asked } else { &mut inner.refused };
        if !rates.admits(from, now) {
            return Err(SeatError::Often);
        }
        let seat = free?;
        let mut token = [0; 16];
        getrandom::fill(&mut token).map_err(|error| SeatError::Random(error.to_string()))?;
        let token = HEXLOWER.encode(&token);
        let reply = inner.ask(seat, SeatRequest::Take { name }, Some(hash(&token)))?;
        inner.entries[seat].asked_for = Some(inner.last_id);
        let team = inner.entries[seat].seat.team.clone();
        Ok((SeatGrant { seat, team, token }, reply))
    }

    /// Passes on a move, or the release of the seat, for the holder of the token.
    pub(crate) fn request(
        &self,
        token: &str,
        request: SeatRequest,
        from: Option<IpAddr>,
    ) -> Result<Reply, SeatError> {
        let holder = hash(token);
        let mut inner = self.0.locked();
        let seat = inner.of(&holder, from)?;
        inner.ask(seat, request, Some(holder))
    }

    /// Takes an answer of the game server; `true` if the seats have changed.
    pub(crate) fn answered(&self, answer: SeatAnswer) -> bool {
        let mut inner = self.0.locked();
        // An answer without a request, or from before the seats changed, is ignored.
        let Some(Waiting { seat, request, holder, reply, .. }) = inner.waiting.remove(&answer.id) else {
            return false;
        };
        let (id, ok) = (answer.id, answer.ok);
        let heard = reply.send(answer).is_ok();
        let Some(entry) = inner.entries.get_mut(seat) else { return false };
        let changed = match request {
            SeatRequest::Take { name } => {
                entry.asked_for = entry.asked_for.filter(|asked| *asked != id);
                if ok && heard {
                    (entry.seat.taken, entry.seat.name, entry.holder) = (true, name, holder);
                }
                if ok {
                    // The client may be gone; then nobody has the token.
                    entry.abandoned = !heard;
                }
                ok && heard
            }
            SeatRequest::Leave if ok => {
                (entry.seat.taken, entry.seat.name, entry.holder) = (false, None, None);
                true
            }
            SeatRequest::Leave | SeatRequest::Move { .. } | SeatRequest::New { .. } => false,
        };
        if entry.abandoned && !entry.seat.taken && entry.asked_for.is_none() {
            entry.abandoned = false;
            // With a full queue the seat stays as it is.
            let _ = inner.ask(seat, SeatRequest::Leave, None);
        }
        changed
    }
}

impl Inner {
    fn check_open(&self) -> Result<(), SeatError> {
        match () {
            () if self.over => Err(SeatError::Over),
            () if self.entries.is_empty() => Err(SeatError::None),
            () => Ok(()),
        }
    }

    /// The seat of a team, or the first free one. A seat is free if it is not taken and has no request that may still
    /// be answered.
    fn free(&self, team: Option<&Label>, now: Instant) -> Result<usize, SeatError> {
        let is_asked_for = |entry: &SeatEntry| {
            let waiting = entry.asked_for.and_then(|id| self.waiting.get(&id));
            waiting.is_some_and(|waiting| self.may_be_answered(waiting, now))
        };
        let is_free = |entry: &SeatEntry| !entry.seat.taken && !is_asked_for(entry);
        let Some(team) = team else { return self.entries.iter().position(is_free).ok_or(SeatError::Full) };
        match self.entries.iter().position(|entry| entry.seat.team == *team) {
            Some(seat) if is_free(&self.entries[seat]) => Ok(seat),
            Some(_) => Err(SeatError::Taken(team.clone())),
            None => {
                let seats: Vec<&str> = self.entries.iter().map(|entry| &*entry.seat.team).collect();
                Err(SeatError::Team { team: team.clone(), seats: seats.join(", ") })
            }
        }
    }

    /// Whether the time limit for the answer to a request has not passed yet.
    fn may_be_answered(&self, waiting: &Waiting, now: Instant) -> bool {
        now.saturating_duration_since(waiting.since) < self.limits.answer
    }

    /// The index of the seat that the hash of the token holds; counts against the rate limits.
    fn of(&mut self, holder: &Hash, from: Option<IpAddr>) -> Result<usize, SeatError> {
        self.check_open()?;
        let now = Instant::now();
        let found = self.entries.iter().position(|entry| entry.holder.as_ref() == Some(holder));
        let admits = match found {
            Some(seat) => self.entries[seat].throttle.admits(now),
            None => self.refused.admits(from, now),
        };
        if !admits {
            return Err(SeatError::Often);
        }
        found.ok_or(SeatError::Token)
    }

    fn ask(&mut self, seat: usize, request: SeatRequest, holder: Option<Hash>) -> Result<Reply, SeatError> {
        let lines = self.lines.as_ref().ok_or(SeatError::Over)?;
        let now = Instant::now();
        if self.waiting.len() >= WAITING {
            let answer = self.limits.answer;
            self.waiting.retain(|_, waiting| now.saturating_duration_since(waiting.since) < answer);
            if self.waiting.len() >= WAITING {
                return Err(SeatError::Silent);
            }
        }
        self.last_id += 1;
        let team = self.entries[seat].seat.team.clone();
        let line = SeatLine { id: self.last_id, team, request: request.clone() }.to_line();
        lines.try_send(line).or(Err(SeatError::Silent))?;
        let (reply, receiver) = oneshot::channel();
        self.waiting.insert(self.last_id, Waiting { seat, request, holder, since: now, reply });
        Ok(receiver)
    }
}

fn hash(token: &str) -> Hash {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests;

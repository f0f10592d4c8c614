//! Audience of a match: the connected GUIs and bridges.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::bail;
use grandstand_matches::Seats;
use grandstand_protocol::{Command, Event, Game, MatchHeader, MatchResult, Seat, SeatAnswer, SeatLine};

use super::report::Report;
use crate::locked::Locked as _;
use crate::peer::{Peer, PeerError, PeerLimits, PeerWriter, match_line};

/// Connected GUIs and bridges. One that disconnects or stalls is reported and dropped; the others are not affected.
#[derive(Debug)]
pub(super) struct Audience {
    members: Vec<(Kind, Peer)>,
    /// Whether any peer was invited.
    wanted: bool,
    /// Time for which a match without pacing waits for a peer.
    wait: Duration,
    report: Report,
    seats: Option<Arc<dyn Seats>>,
    /// The seats as last sent to the bridges.
    told: Vec<Seat>,
    /// Held while a request for a seat is handled, and while the seats are read and sent: a bridge that got seats from before an
    /// answer after it would take the seat from who has just sat down.
    order: Arc<Mutex<()>>,
}

/// Vocabulary of the lines sent to a peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Only the lines of the game's handout.
    Plain,
    /// Grandstand's own lines and additions too.
    Extended,
}

/// A peer that is to receive the match.
#[derive(Debug, Clone)]
pub(super) struct Invited {
    pub(super) kind: Kind,
    /// `HOST:PORT`.
    pub(super) address: String,
    /// Whether it is a GUI: at least one of these must be connected, or the match is not played.
    pub(super) needed: bool,
}

/// Lines in both vocabularies.
#[derive(Debug, Default)]
pub(super) struct Lines {
    plain: String,
    extended: String,
}

impl Lines {
    /// Adds a command.
    pub(super) fn push(&mut self, command: &Command) {
        command.write_line(&mut self.extended);
        self.extended.push('\n');
        if let Some(plain) = command.without_extensions() {
            plain.write_line(&mut self.plain);
            self.plain.push('\n');
        }
    }

    fn extension(line: &str) -> Self {
        Self { plain: String::new(), extended: format!("{line}\n") }
    }
}

impl Audience {
    /// Connects to all invited peers at once and waits for them; unreachable ones are reported. With `paced`, the match
    /// never waits for a slow peer. Bridges that receive `seats` may send requests for them.
    ///
    /// # Errors
    /// If none of the needed peers is connected.
    pub(super) fn gather(
        invited: &[Invited],
        limits: &PeerLimits,
        paced: bool,
        seats: Option<Arc<dyn Seats>>,
        report: &Report,
    ) -> anyhow::Result<Self> {
        let mut peers = Vec::new();
        for Invited { kind, address, needed } in invited {
            let (teller, name, seconds) = (report.clone(), address.clone(), limits.connect.as_secs_f32());
            let waiting = move |cause: &str| {
                teller.say(&format!("waiting up to {seconds} s for {name}: {cause}"));
            };
            match Peer::open(address, limits.clone(), waiting) {
                Ok(peer) => peers.push((*kind, *needed, peer)),
                Err(error) => report.say(&format!("{address}: {error}")),
            }
        }
        let (mut members, mut found) = (Vec::new(), false);
        for (kind, needed, peer) in peers {
            match peer.wait_open() {
                Ok(()) => {
                    report.say(&format!("connected to {}", peer.address()));
                    found |= needed;
                    members.push((kind, peer));
                }
                Err(error) => dropped(report, &peer, &error),
            }
        }
        if !found && invited.iter().any(|invited| invited.needed) {
            bail!("no GUI is there; --connect-wait waits longer for one, --gui-optional plays without one");
        }
        let wait = if paced { Duration::ZERO } else { limits.stall };
        let wanted = !invited.is_empty();
        Ok(Self {
            members,
            wanted,
            wait,
            report: report.clone(),
            seats,
            told: Vec::new(),
            order: Arc::default(),
        })
    }

    /// Whether all invited peers are gone.
    pub(super) fn has_gone(&self) -> bool {
        self.wanted && self.members.is_empty()
    }

    /// Announces the match to the bridges. A header too long for a line is sent without the sources.
    pub(super) fn announce(&mut self, game: Game, header: &MatchHeader) {
        self.show(Lines::extension(&Event::Game(game).to_line()));
        let mut header = header.clone();
        header.seats = self.seats();
        self.told.clone_from(&header.seats);
        self.hear();
        self.show(Lines::extension(&match_line(header)));
    }

    /// Starts to read the bridges' requests for seats, if there are seats.
    fn hear(&self) {
        let Some(seats) = &self.seats else { return };
        for (_, peer) in self.members.iter().filter(|(kind, _)| *kind == Kind::Extended) {
            let (seats, order) = (Arc::clone(seats), Arc::clone(&self.order));
            let listen = move |line: &[u8], writer: &PeerWriter| {
                let _in_order = order.locked();
                request(&*seats, line, writer);
            };
            if let Err(error) = peer.listen(listen) {
                self.report.say(&format!("nobody can play over {}: {error}", peer.address()));
            }
        }
    }

    /// The current seats.
    fn seats(&self) -> Vec<Seat> {
        self.seats.as_ref().map(|seats| seats.list()).unwrap_or_default()
    }

    /// Sends the seats to the bridges, if they have changed.
    pub(super) fn tell_seats(&mut self) {
        let order = Arc::clone(&self.order);
        let _in_order = order.locked();
        let seats = self.seats();
        if seats != self.told {
            self.told.clone_from(&seats);
            self.show(Lines::extension(&Event::Seats(seats).to_line()));
        }
    }

    /// Sends the lines to all peers.
    pub(super) fn show(&mut self, lines: Lines) {
        let (plain, extended): (Arc<[u8]>, Arc<[u8]>) =
            (lines.plain.into_bytes().into(), lines.extended.into_bytes().into());
        let (wait, report) = (self.wait, &self.report);
        self.members.retain(|(kind, peer)| {
            let bytes = if *kind == Kind::Plain { &plain } else { &extended };
            if bytes.is_empty() {
                return true;
            }
            match peer.send(bytes, wait) {
                Ok(()) => true,
                Err(error) => {
                    dropped(report, peer, &error);
                    false
                }
            }
        });
    }

    /// Sends the result to the bridges, and closes the connections once everything is written.
    pub(super) fn finish(mut self, result: &MatchResult) {
        self.show(Lines::extension(&Event::Result(Box::new(result.clone())).to_line()));
        self.close();
    }

    /// Closes the connections once everything is written.
    pub(super) fn close(self) {
        for (_, peer) in self.members {
            let address = peer.address().to_owned();
            if let Err(error) = peer.finish() {
                self.report.say(&format!("{address} was dropped: {error}"));
            }
        }
    }
}

/// Handles a line from a bridge; the answer goes to its writer. A line that is not a request is not answered.
fn request(seats: &dyn Seats, line: &[u8], writer: &PeerWriter) {
    let Ok(SeatLine { id, team, request }) = SeatLine::from_line(line) else { return };
    let writer = writer.clone();
    let reply = move |outcome: Result<(), String>| {
        let reason = outcome.as_ref().err().map(|why| why.as_str().into());
        writer.send(&Event::Answer(SeatAnswer { id, ok: outcome.is_ok(), reason }).to_line());
    };
    seats.request(&team, request, Box::new(reply));
}

fn dropped(report: &Report, peer: &Peer, error: &PeerError) {
    report.say(&format!("{} was dropped: {error}", peer.address()));
}

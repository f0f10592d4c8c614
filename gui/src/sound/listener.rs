//! Choice of the tones for a match: events that playback passes, at a rate that can be told apart.

use std::cmp::Reverse;

use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_replays::playback::State;
use grandstand_story::games::story;
use grandstand_story::markers::{Marker, Origin, kind};

use super::{Kind, Tone};
use crate::session::{Arrival, Session};

/// Speed above which nothing is heard.
const FASTEST: Speed = Speed::X4;
/// Age of an event above which it is not heard, in seconds of the viewer's time. It concerns commands that arrive
/// together after a break of the connection, or whose meaning is found late.
const LATE: f64 = 2.0;
/// Shortest time between two tones of one kind, in seconds.
const APART: f64 = 0.12;
/// Number of last seconds of the viewer's own clock that are heard.
const CLOCK_SECS: i64 = 10;
/// Number of tones that begin in one frame at most.
const AT_ONCE: usize = 2;

/// Progress of the tones in a match.
#[derive(Debug)]
pub(super) struct Listener {
    /// Last command whose moments have been heard. Moments are found a little after their commands are shown.
    heard: u64,
    /// Last command whose moves have been heard.
    moved: u64,
    /// Whether the end has been heard.
    ended: bool,
    /// Last second of the viewer's own clock that was heard.
    ticked: i64,
    /// Start of the last tone of each kind, in seconds of egui's clock.
    last: [f64; Kind::COUNT],
}

impl Default for Listener {
    fn default() -> Listener {
        Listener {
            heard: 0,
            moved: 0,
            ended: false,
            ticked: i64::MAX,
            last: [f64::NEG_INFINITY; Kind::COUNT],
        }
    }
}

impl Listener {
    /// The tones that begin now.
    pub(super) fn hear(&mut self, session: &Session, now: f64) -> Vec<Tone> {
        let (passed, mover) = (session.passed(), session.passed_mover());
        let to = *passed.end();
        let go_on = |place: &mut u64, to: u64| {
            let from = if passed.contains(place) { *place } else { *passed.start() };
            *place = to.max(from);
            from
        };
        let heard_from = go_on(&mut self.heard, to.min(session.events.noted()));
        let moved_from = go_on(&mut self.moved, to);
        let ended = session.arrival() == Some(Arrival::Played);
        let ends = ended && !self.ended;
        self.ended = ended;
        let playback = &session.playback;
        if playback.speed() > FASTEST && playback.state() != State::Following {
            return Vec::new();
        }
        let since = session.secs() - LATE * f64::from(playback.speed().factor().max(1.0));
        let is_new = |t: Micros| t.as_secs_f64() >= since;
        let mut tones = moments(session, heard_from, self.heard, is_new);
        if mover.is_some() && session.turns_passed(moved_from).any(is_new) {
            tones.push(Tone { kind: Kind::Move, side: mover });
        }
        tones.extend(self.tick(session));
        if ends {
            tones.push(Tone { kind: Kind::End, side: session.winner() });
        }
        // The most important kinds first, each kind once.
        tones.sort_by_key(|tone| Reverse(tone.kind));
        tones.dedup_by_key(|tone| tone.kind);
        tones.retain(|tone| now - self.last[tone.kind as usize] >= APART);
        tones.truncate(AT_ONCE);
        tones.iter().for_each(|tone| self.last[tone.kind as usize] = now);
        tones
    }

    /// A tone for each of the last seconds of the viewer's own clock.
    fn tick(&mut self, session: &Session) -> Option<Tone> {
        let side = session.seat_client.side.filter(|_| session.is_playing() && session.is_following())?;
        let t = Micros::from_secs_f64(session.secs())?;
        let left = story(session.scene()).turns()?.ticking_clock(side, t)?;
        let second = left.div_euclid(1_000);
        let is_new = second != self.ticked;
        self.ticked = second;
        (is_new && (0..CLOCK_SECS).contains(&second)).then_some(Tone { kind: Kind::Note, side: Some(side) })
    }
}

/// Tones of the visible moments after command `from` up to command `to`.
fn moments(session: &Session, from: u64, to: u64, is_new: impl Fn(Micros) -> bool) -> Vec<Tone> {
    if from >= to {
        return Vec::new();
    }
    let (markers, visible) = (&session.events.findings().markers, session.visible());
    let first = markers.list().partition_point(|marker| marker.seq <= from);
    let passed = markers.list()[first..].iter().take_while(|marker| marker.seq <= to);
    let heard = passed.filter(|marker| visible.has(marker) && is_new(marker.t));
    heard.map(|marker| heard_as(marker, markers.kind(marker))).collect()
}

/// The tone of a moment.
fn heard_as(marker: &Marker, word: &str) -> Tone {
    let kind = match marker.origin {
        Origin::Game if matches!(word, kind::LONG_THINK | kind::FORCED) => Kind::Note,
        Origin::Game if marker.major => Kind::Score,
        Origin::Game => Kind::Loss,
        Origin::Clock | Origin::Line | Origin::Server | Origin::Viewer | Origin::Engine | Origin::Result => {
            Kind::Note
        }
    };
    Tone { kind, side: marker.side.map(usize::from) }
}

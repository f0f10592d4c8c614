//! Moments of a match that are heard: those that the picture passes by itself, not faster than can be told apart.

use std::cmp::Reverse;

use grandstand_protocol::Micros;
use grandstand_replays::Speed;
use grandstand_replays::playback::State;
use grandstand_story::games::story;
use grandstand_story::markers::{Marker, Origin, kind};

use super::{Kind, Tone};
use crate::session::{Arrival, Session};

/// Of a match that is played faster than this nothing is heard.
const FASTEST: Speed = Speed::X4;
/// What happened longer ago is not heard any more, in seconds for the viewer: commands that come together after a break
/// of the connection, or that take long to be understood.
const LATE: f64 = 2.0;
/// The same sort of thing is not heard again before this, in seconds.
const APART: f64 = 0.12;
/// So many of the last seconds of the viewer's own clock are heard.
const CLOCK_SECS: i64 = 10;
/// So many tones begin at once, at most.
const AT_ONCE: usize = 2;

/// What has been heard of a match.
#[derive(Debug)]
pub(super) struct Listener {
    /// The moments up to this command: what commands mean is known a little after they are shown.
    heard: u64,
    /// The moves up to this command.
    moved: u64,
    /// Whether its end has been heard.
    ended: bool,
    /// The second of the viewer's own clock that was heard last.
    ticked: i64,
    /// When a tone of each kind began last, in seconds of the interface's time.
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
        // What matters most comes first, each kind once.
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

/// What the moments after one command and up to another sound like, of those that the viewer wants to see.
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

/// What a moment sounds like.
fn heard_as(marker: &Marker, word: &str) -> Tone {
    let kind = match marker.origin {
        Origin::Game if word == kind::LONG_THINK => Kind::Note,
        Origin::Game if marker.major => Kind::Score,
        Origin::Game => Kind::Loss,
        Origin::Clock | Origin::Line | Origin::Server | Origin::Viewer => Kind::Note,
    };
    Tone { kind, side: marker.side.map(usize::from) }
}

//! The place of one thread that plays matches, one after another, and records each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use grandstand_matches::{Ending, MatchSpec};
use grandstand_players::input_file::InputBuffer;
use grandstand_protocol::MatchHeader;
use grandstand_replays::{Header, Writer, zst};

use super::super::catalogue::ResultRecord;
use super::digest::CommandDigest;
use super::machine::{Before, Disturbance, Killed, keep_to_share};
use super::verdict::{self, Attempt};
use crate::cli::play::pace::Pace;
use crate::timestamp::rfc3339;

/// A game's place in its tournament, for the recording's header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Labels<'a> {
    /// Names of the players by side.
    pub(crate) names: [&'a str; 2],
    /// Name of the tournament.
    pub(crate) event: &'a str,
    /// Number of the round, after that of its stage where there are several: `3`, `2.3`.
    pub(crate) round: &'a str,
}

/// Signals between a game and whoever waits for it. They have cache lines of their own, since `progress` is written at every
/// step of the game.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct GameControl {
    /// Set to have the game abandoned.
    pub(crate) stop: AtomicBool,
    /// Grows while the game goes on.
    pub(crate) progress: AtomicU64,
}

/// A game that was played, or failed by a fault of the machine.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) result: ResultRecord,
    /// Recording in the format of `.replay.zst`; `None` for a game that never began.
    pub(crate) recording: Option<Vec<u8>>,
    /// The compressed inputs of a match in real time.
    pub(crate) inputs: Option<Vec<u8>>,
}

/// The place of one thread that plays.
pub(crate) struct GameRunner {
    /// Buffer for the inputs of a real-time match while it is played.
    inputs: InputBuffer,
    disturbance: Option<Disturbance>,
    killed: Killed,
}

impl GameRunner {
    /// Place `index` of `count` of the machine, for the calling thread. With `clocks` it has cores of its own.
    pub(crate) fn new((index, count): (usize, usize), clocks: bool) -> Self {
        if clocks {
            keep_to_share(index, count);
        }
        Self {
            inputs: InputBuffer::default(),
            disturbance: clocks.then(Disturbance::watch),
            killed: Killed::now(),
        }
    }

    /// The buffer that real-time matches played here have to write their inputs to.
    pub(crate) fn input_buffer(&self) -> InputBuffer {
        self.inputs.clone()
    }

    /// Plays a game to its end; `None` if it was abandoned.
    pub(crate) fn play(
        &mut self,
        mut spec: Box<dyn MatchSpec>,
        labels: Labels<'_>,
        attempt: u32,
        control: &GameControl,
    ) -> Option<Played> {
        spec.name_players(labels.names);
        let spec = &*spec;
        let began = Instant::now();
        let before = spec.tempo().keeps_time.then(|| Before::now(&mut self.killed));
        let started = rfc3339(SystemTime::now());
        if let Some(disturbance) = &self.disturbance {
            disturbance.take_ms();
        }
        let header = header(spec, labels, &started);
        let played = catch_unwind(AssertUnwindSafe(|| record(spec, &header, control)));
        let mut about = Attempt {
            attempt,
            started,
            wall_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
            disturbed_ms: self.disturbance.as_ref().map(Disturbance::take_ms),
            machine: None,
        };
        let (result, recording) = match played {
            Ok(Ok(Some(Recorded { ending, digest, recording }))) => {
                let reason = ending.detail.get("reason").and_then(|reason| reason.as_str());
                about.machine = before.and_then(|before| before.fault(ending.termination, reason));
                (verdict::result(spec.game(), &ending, digest, about), Some(recording))
            }
            Ok(Ok(None)) => return None,
            Ok(Err(why)) => (verdict::broken(why, about), None),
            Err(_) => {
                (verdict::broken("the match broke, by a fault of this program".to_owned(), about), None)
            }
        };
        let inputs = spec.tempo().keeps_time.then(|| self.compressed_inputs()).flatten();
        Some(Played { result, recording, inputs })
    }

    /// The inputs of the last match, compressed; `None` if there are none.
    fn compressed_inputs(&self) -> Option<Vec<u8>> {
        let text = Some(self.inputs.take()).filter(|text| !text.is_empty())?;
        let mut compressed = Vec::new();
        zst::compress(&*text, &mut compressed).ok()?;
        Some(compressed)
    }
}

/// The header of a match, with the players' names in the tournament.
fn header(spec: &dyn MatchSpec, labels: Labels<'_>, started: &str) -> MatchHeader {
    let mut header = spec.header(Some(started));
    let names = labels.names;
    header.title = format!("{} – {}", names[0], names[1]).into();
    header.event = Some(labels.event.into());
    header.round = Some(labels.round.into());
    for (team, name) in header.teams.iter_mut().zip(names) {
        team.name = name.into();
    }
    header
}

/// A match that was played.
struct Recorded {
    ending: Ending,
    digest: u64,
    /// Recording in the format of `.replay.zst`.
    recording: Vec<u8>,
}

/// Plays a match to its end and records it; `None` if it was abandoned.
fn record(
    spec: &dyn MatchSpec,
    header: &MatchHeader,
    control: &GameControl,
) -> Result<Option<Recorded>, String> {
    let mut running = spec.start().map_err(|error| format!("the match could not begin: {error}"))?;
    let tempo = spec.tempo();
    let clock = Pace::new(tempo.watchable, tempo.ticks);
    let written = |error: std::io::Error| format!("the recording: {error}");
    let mut writer = Writer::new(Vec::new(), &Header::new(spec.game(), header.clone())).map_err(written)?;
    let (mut digest, mut line) = (CommandDigest::default(), String::new());
    let ending = loop {
        for stamped in running.drain_commands() {
            writer.command(clock.time_of(stamped.tick), &stamped.command).map_err(written)?;
            // Clocks, thoughts and talk differ each time and are no part of the game's course.
            if !tempo.keeps_time || !stamped.command.is_aside() || stamped.command.ends_turn() {
                line.clear();
                stamped.command.write_line(&mut line);
                digest.line(line.as_bytes());
            }
        }
        // The log is not used.
        running.drain_log_lines();
        if let Some(ending) = running.ending() {
            break ending;
        }
        if control.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        control.progress.fetch_add(1, Ordering::Relaxed);
        running.advance();
    };
    writer.result(clock.time_of(ending.tick), &ending.result()).map_err(written)?;
    let mut recording = Vec::new();
    zst::compress(&*writer.into_inner(), &mut recording).map_err(written)?;
    Ok(Some(Recorded { ending, digest: digest.finish(), recording }))
}

//! Worker of a run: plays one game after another, and records each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Instant, SystemTime};

use grandstand_matches::{Ending, MatchSpec};
use grandstand_protocol::MatchHeader;
use grandstand_replays::{Header, Writer, zst};
use grandstand_tournaments::ScheduledGame;
use sha2::{Digest as _, Sha256};

use super::super::catalogue::NewResult;
use super::super::definition::Definition;
use super::machine::{Before, Disturbance, Killed, keep_to_share};
use super::matches::Matches;
use super::verdict::{self, Played};
use crate::cli::play::pace::Pace;
use crate::timestamp::rfc3339;

/// A game to be played, with the number of the attempt.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) game: ScheduledGame,
    pub(super) attempt: u32,
}

/// Result of a job.
#[derive(Debug)]
pub(super) enum Outcome {
    /// The game was played, or failed by a fault of the machine.
    Ended(Box<NewResult>),
    /// The game was abandoned because the run stops.
    Abandoned,
    /// No game can be played any more, for this reason.
    Stuck(String),
}

/// One of the workers of a run.
pub(super) struct Worker<'a> {
    matches: Matches<'a>,
    names: Vec<&'a str>,
    /// Name of the tournament, and its number of stages.
    event: &'a str,
    stages: usize,
    versions: &'a [i64],
    disturbance: Option<Disturbance>,
    killed: Killed,
    stop: &'a AtomicBool,
}

impl<'a> Worker<'a> {
    /// Worker `index` of `count`, on the calling thread. With `clocks` it has cores of its own.
    pub(super) fn new(
        matches: Matches<'a>,
        names: Vec<&'a str>,
        definition: &'a Definition,
        versions: &'a [i64],
        (index, count): (usize, usize),
        clocks: bool,
        stop: &'a AtomicBool,
    ) -> Self {
        if clocks {
            keep_to_share(index, count);
        }
        Self {
            matches,
            names,
            event: &definition.name,
            stages: definition.stages.len(),
            versions,
            disturbance: clocks.then(Disturbance::watch),
            killed: Killed::now(),
            stop,
        }
    }

    /// Plays a game.
    pub(super) fn play(&mut self, job: &Job) -> Outcome {
        let spec = match self.matches.of(&job.game) {
            Ok(spec) => spec,
            Err(error) => return Outcome::Stuck(format!("{error:#}")),
        };
        let began = Instant::now();
        let before = spec.tempo().keeps_time.then(|| Before::now(&mut self.killed));
        let started = rfc3339(SystemTime::now());
        if let Some(disturbance) = &self.disturbance {
            disturbance.take_ms();
        }
        let header = self.header(&*spec, &job.game, &started);
        let played = catch_unwind(AssertUnwindSafe(|| record(&*spec, &header, self.stop)));
        let mut about = Played {
            attempt: job.attempt,
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
            Ok(Ok(None)) => return Outcome::Abandoned,
            Ok(Err(why)) => (verdict::broken(why, about), None),
            Err(_) => {
                (verdict::broken("the match broke, by a fault of this program".to_owned(), about), None)
            }
        };
        let inputs = spec.tempo().keeps_time.then(|| self.inputs()).flatten();
        let versions = job.game.players.map(|player| self.versions[player.index()]);
        Outcome::Ended(Box::new(NewResult { game: job.game.clone(), result, versions, recording, inputs }))
    }

    /// The header of a match, with the players' names in the tournament.
    fn header(&self, spec: &dyn MatchSpec, game: &ScheduledGame, started: &str) -> MatchHeader {
        let mut header = spec.header(Some(started));
        let names = game.players.map(|player| self.names[player.index()]);
        header.title = format!("{} – {}", names[0], names[1]).into();
        header.event = Some(self.event.into());
        header.round = Some(self.round(game).into());
        for (team, name) in header.teams.iter_mut().zip(names) {
            team.name = name.into();
        }
        header
    }

    /// Number of the game's round, after that of its stage where there are several: `3`, `2.3`.
    fn round(&self, game: &ScheduledGame) -> String {
        let round = game.round + 1;
        if self.stages > 1 { format!("{}.{round}", game.stage + 1) } else { round.to_string() }
    }

    /// The inputs of the last match, compressed; `None` if there are none.
    fn inputs(&self) -> Option<Vec<u8>> {
        let text = Some(self.matches.take_inputs()).filter(|text| !text.is_empty())?;
        let mut compressed = Vec::new();
        zst::compress(&*text, &mut compressed).ok()?;
        Some(compressed)
    }
}

/// A match that was played.
struct Recorded {
    ending: Ending,
    digest: u64,
    /// Recording in the format of `.replay.zst`.
    recording: Vec<u8>,
}

/// Plays a match to its end and records it; `None` if it was abandoned.
fn record(spec: &dyn MatchSpec, header: &MatchHeader, stop: &AtomicBool) -> Result<Option<Recorded>, String> {
    let mut running = spec.start().map_err(|error| format!("the match could not begin: {error}"))?;
    let tempo = spec.tempo();
    let clock = Pace::new(tempo.watchable, tempo.ticks);
    let written = |error: std::io::Error| format!("the recording: {error}");
    let mut writer = Writer::new(Vec::new(), &Header::new(spec.game(), header.clone())).map_err(written)?;
    let (mut digest, mut line) = (Sha256::new(), String::new());
    let ending = loop {
        for stamped in running.drain_commands() {
            writer.command(clock.time_of(stamped.tick), &stamped.command).map_err(written)?;
            // Clocks, thoughts and talk differ each time and are no part of the game's course.
            if !tempo.keeps_time || !stamped.command.is_aside() || stamped.command.ends_turn() {
                line.clear();
                stamped.command.write_line(&mut line);
                line.push('\n');
                digest.update(&line);
            }
        }
        // The log is not used.
        running.drain_log_lines();
        if let Some(ending) = running.ending() {
            break ending;
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        running.advance();
    };
    writer.result(clock.time_of(ending.tick), &ending.result()).map_err(written)?;
    let mut recording = Vec::new();
    zst::compress(&*writer.into_inner(), &mut recording).map_err(written)?;
    let digest = digest.finalize();
    let digest = digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
    Ok(Some(Recorded { ending, digest, recording }))
}

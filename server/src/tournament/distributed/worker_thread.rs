//! A thread of a worker: asks for a game, plays it, hands it in.

use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use grandstand_matches::MatchSpec;
use grandstand_players::input_file::InputBuffer;
use grandstand_players::sandbox::Isolation;

use super::super::playing::game_runner::{GameControl, GameRunner, Labels, Played};
use super::super::playing::set_up::{self, SetUp, Specs};
use super::cache::Source;
use super::job::{Job, PlayerData, SetUpData};
use super::link::{LinkError, ask};
use super::messages::{Assignment, JobRequest};
use super::report::{Ending, PlayedData};
use super::requests::Request;
use super::results::{JobResult, Recordings, hand_in};
use super::worker_state::{Pause, WorkerState};
use crate::cli::play::description::Programs;
use crate::player_text::command_words;
use crate::workers;

/// What a thread keeps from game to game.
struct Place {
    index: usize,
    runner: GameRunner,
    /// Whether the runner has cores of its own.
    clocks: bool,
    specs: Specs<SetUpData>,
}

impl Place {
    fn new(index: usize, jobs: usize, clocks: bool) -> Self {
        Self { index, runner: GameRunner::new((index, jobs), clocks), clocks, specs: Specs::new() }
    }
}

/// Plays games until the worker ends.
pub(super) fn play_on(worker: &WorkerState<'_>, index: usize) {
    let mut place = Place::new(index, worker.jobs, false);
    let mut pause = Pause::default();
    while !worker.is_stopped() {
        let Some(session) = worker.session() else {
            worker.pause();
            continue;
        };
        let request = JobRequest { session: session.clone(), load: worker.load() };
        match ask::<Assignment>(&*worker.link, Request::Next, &request) {
            Ok(Assignment::Job { id, job }) => {
                pause = Pause::default();
                let control = worker.begin(&id);
                if let Some((ending, recordings)) = play(worker, &mut place, &job, &control) {
                    let (number, tournament) = (job.number, job.tournament);
                    let result = JobResult { id, tournament, number, ending, recordings };
                    let counts = hand_in(worker, result, &control);
                    worker.status.counted.fetch_add(u64::from(counts), Ordering::Relaxed);
                }
                worker.finish(&control);
            }
            Ok(Assignment::Nothing) => pause = Pause::default(),
            Ok(Assignment::Over) => {
                worker.end_session(&session);
                worker.take_leave(session);
            }
            Err(error) => {
                worker.failed(&session, &error);
                worker.wait(&mut pause, &error, worker.stop);
            }
        }
    }
}

/// Plays a game; `None` if it was abandoned.
fn play(
    worker: &WorkerState<'_>,
    place: &mut Place,
    job: &Job,
    control: &GameControl,
) -> Option<(Ending, Recordings)> {
    if job.clocks && !place.clocks {
        // On this thread, which keeps to its cores from now on.
        *place = Place::new(place.index, worker.jobs, true);
    }
    let spec = match spec(worker, place, job, control) {
        Ok(spec) => spec,
        Err(_) if control.stop.load(Ordering::Relaxed) => return None,
        Err(error) => return Some((Ending::Refused(format!("{error:#}")), [None, None])),
    };
    let names = [&*job.names[0], &*job.names[1]];
    let labels = Labels { names, event: &job.event, round: &job.round };
    let Played { result, recording, inputs } = place.runner.play(spec, labels, job.attempt, control)?;
    Some((Ending::Played(Box::new(PlayedData::new(result, None, None))), [recording, inputs]))
}

/// The specification of a job's match.
fn spec(
    worker: &WorkerState<'_>,
    place: &mut Place,
    job: &Job,
    control: &GameControl,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let cores = workers::cores();
    if job.clocks && worker.jobs > cores {
        bail!(
            "it plays {} games at a time on {cores} cores, and games with clocks need one each",
            worker.jobs
        );
    }
    let set_up = &job.set_up;
    let is_command = |player: &PlayerData| command_words(&player.play).is_ok_and(|words| !words.is_empty());
    let commands = set_up.players.iter().any(is_command);
    if commands && set_up.sandbox == Isolation::Off && !worker.options.without_box {
        bail!("the tournament starts programs without a box, which this worker does with --no-sandbox only");
    }
    let inputs = place.runner.input_buffer();
    let load = |set_up: &SetUpData| load(worker, set_up, &inputs, control);
    place.specs.of(set_up.clone(), (job.seed, job.swapped), load)
}

fn load(
    worker: &WorkerState<'_>,
    set_up: &SetUpData,
    inputs: &InputBuffer,
    control: &GameControl,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let source = Source { fetch: &|hash| fetch(worker, hash, control), stop: &control.stop };
    let mut programs = Programs::new();
    for player in &set_up.players {
        worker.cache.program(player, &mut programs, source)?;
    }
    let [first, second] = &set_up.players;
    let plays = [worker.cache.play(first, source)?, worker.cache.play(second, source)?];
    let of = SetUp {
        game: set_up.game,
        players: [&plays[0], &plays[1]],
        settings: set_up.settings.clone(),
        speed: set_up.speed,
        limits: &set_up.limits,
        sandbox: set_up.sandbox,
        readable: &[],
        programs: &programs,
    };
    set_up::describe_recorded(of, inputs)
}

/// Fetches a content, for as long as the game is wanted.
fn fetch(worker: &WorkerState<'_>, hash: &str, control: &GameControl) -> anyhow::Result<Vec<u8>> {
    let mut pause = Pause::default();
    while !control.stop.load(Ordering::Relaxed) {
        match worker.link.content(hash) {
            Ok(content) => return Ok(content),
            Err(LinkError::Refused(why)) => return Err(anyhow::Error::msg(why)).context("its programs"),
            Err(error) => worker.wait(&mut pause, &error, &control.stop),
        }
    }
    bail!("abandoned")
}

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
use super::link::LinkError;
use super::messages::{Assignment, JobRequest};
use super::report::{Ending, PlayedData};
use super::results::{GameResult, Recordings, hand_in};
use super::worker_shared::{Pause, WorkerShared};
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
pub(super) fn play_on(crew: &WorkerShared<'_>, index: usize) {
    let mut place = Place::new(index, crew.jobs, false);
    let mut pause = Pause::default();
    while !crew.is_stopped() {
        let Some(session) = crew.session() else {
            crew.pause();
            continue;
        };
        match crew.link.ask::<Assignment>("next", &JobRequest { session: session.clone(), load: crew.load() })
        {
            Ok(Assignment::Job { id, job }) => {
                pause = Pause::default();
                let course = crew.begin(&id);
                if let Some((ending, recordings)) = play(crew, &mut place, &job, &course) {
                    let (number, tournament) = (job.number, job.tournament);
                    let result = GameResult { id, tournament, number, ending, recordings };
                    let counts = hand_in(crew, result, &course);
                    crew.counted.fetch_add(u64::from(counts), Ordering::Relaxed);
                }
                crew.finish(&course);
            }
            Ok(Assignment::Nothing) => pause = Pause::default(),
            Ok(Assignment::Over) => crew.end_session(&session),
            Err(error) => {
                crew.failed(&session, &error);
                crew.wait(&mut pause, &error, crew.stop);
            }
        }
    }
}

/// Plays a game; `None` if it was abandoned.
fn play(
    crew: &WorkerShared<'_>,
    place: &mut Place,
    job: &Job,
    course: &GameControl,
) -> Option<(Ending, Recordings)> {
    if job.clocks && !place.clocks {
        // On this thread, which keeps to its cores from now on.
        *place = Place::new(place.index, crew.jobs, true);
    }
    let spec = match spec(crew, place, job, course) {
        Ok(spec) => spec,
        Err(_) if course.stop.load(Ordering::Relaxed) => return None,
        Err(error) => return Some((Ending::Refused(format!("{error:#}")), [None, None])),
    };
    let names = [&*job.names[0], &*job.names[1]];
    let labels = Labels { names, event: &job.event, round: &job.round };
    let Played { result, recording, inputs } = place.runner.play(&*spec, labels, job.attempt, course)?;
    Some((Ending::Played(Box::new(PlayedData::new(result, None, None))), [recording, inputs]))
}

/// The specification of a job's match.
fn spec(
    crew: &WorkerShared<'_>,
    place: &mut Place,
    job: &Job,
    course: &GameControl,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let cores = workers::cores();
    if job.clocks && crew.jobs > cores {
        bail!("it plays {} games at a time on {cores} cores, and games with clocks need one each", crew.jobs);
    }
    let set_up = &job.set_up;
    let is_command = |player: &PlayerData| command_words(&player.play).is_ok_and(|words| !words.is_empty());
    let commands = set_up.players.iter().any(is_command);
    if commands && set_up.sandbox == Isolation::Off && !crew.options.without_box {
        bail!("the tournament starts programs without a box, which this worker does with --no-sandbox only");
    }
    let inputs = place.runner.input_buffer();
    let load = |set_up: &SetUpData| load(crew, set_up, &inputs, course);
    place.specs.of(set_up.clone(), (job.seed, job.swapped), load)
}

fn load(
    crew: &WorkerShared<'_>,
    set_up: &SetUpData,
    inputs: &InputBuffer,
    course: &GameControl,
) -> anyhow::Result<Box<dyn MatchSpec>> {
    let source = Source { fetch: &|hash| fetch(crew, hash, course), stop: &course.stop };
    let mut programs = Programs::new();
    for player in &set_up.players {
        crew.cache.program(player, &mut programs, source)?;
    }
    let [first, second] = &set_up.players;
    let plays = [crew.cache.play(first, source)?, crew.cache.play(second, source)?];
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
fn fetch(crew: &WorkerShared<'_>, hash: &str, course: &GameControl) -> anyhow::Result<Vec<u8>> {
    let mut pause = Pause::default();
    while !course.stop.load(Ordering::Relaxed) {
        match crew.link.content(hash) {
            Ok(content) => return Ok(content),
            Err(LinkError::Refused(why)) => return Err(anyhow::Error::msg(why)).context("its programs"),
            Err(error) => crew.wait(&mut pause, &error, &course.stop),
        }
    }
    bail!("abandoned")
}

//! A thread of a worker: asks for a game, plays it, hands it in.

use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use grandstand_matches::MatchSpec;
use grandstand_players::input_file::{InputBuffer, InputTarget};
use grandstand_players::sandbox::Isolation;

use super::super::playing::game_runner::{GameControl, GameRunner, Labels, Played};
use super::super::playing::set_up::{self, SetUp, Specs};
use super::job::{Job, JobId, PlayerData, SetUpData};
use super::link::LinkError;
use super::messages::{Assignment, JobRequest, Session, Taken};
use super::report::{Ending, PlayedData, Report};
use super::worker::{Pause, WorkerShared};
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
                    hand_in(crew, &id, &job, ending, recordings, &course);
                }
                crew.finish(&course);
            }
            Ok(Assignment::Nothing) => pause = Pause::default(),
            Ok(Assignment::Over) => crew.is_over(&session),
            Err(error) => {
                crew.failed(&session, &error);
                crew.wait(&mut pause, crew.stop);
            }
        }
    }
}

/// The compressed recording and the compressed inputs of a game.
type Recordings = [Option<Vec<u8>>; 2];

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
    let fetch = |hash: &str| fetch(crew, hash, course);
    let mut programs = Programs::new();
    for player in &set_up.players {
        crew.cache.program(player, &mut programs, fetch)?;
    }
    let [first, second] = &set_up.players;
    let plays = [crew.cache.play(first, fetch)?, crew.cache.play(second, fetch)?];
    let describe = |inputs: Option<&InputTarget>| {
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
        set_up::describe(of, inputs)
    };
    let spec = describe(None)?;
    // Only a real-time match has inputs that replay it.
    if spec.tempo().keeps_time { describe(Some(&InputTarget::Memory(inputs.clone()))) } else { Ok(spec) }
}

/// Fetches a content, for as long as the game is wanted.
fn fetch(crew: &WorkerShared<'_>, hash: &str, course: &GameControl) -> anyhow::Result<Vec<u8>> {
    let mut pause = Pause::default();
    while !course.stop.load(Ordering::Relaxed) {
        match crew.link.content(hash) {
            Ok(content) => return Ok(content),
            Err(LinkError::Refused(why)) => return Err(anyhow::Error::msg(why)).context("its programs"),
            Err(_) => crew.wait(&mut pause, &course.stop),
        }
    }
    bail!("abandoned")
}

/// Hands a game in, for as long as it is wanted: its recordings first, then its result.
fn hand_in(
    crew: &WorkerShared<'_>,
    id: &JobId,
    job: &Job,
    mut ending: Ending,
    mut recordings: Recordings,
    course: &GameControl,
) {
    let mut pause = Pause::default();
    while !course.stop.load(Ordering::Relaxed) {
        // A director that was started again has another session, and no uploads.
        let Some(session) = crew.session() else {
            crew.pause();
            continue;
        };
        match hand_in_once(crew, &session, id, &ending, &recordings) {
            Ok(counts) => {
                let counts = counts && matches!(ending, Ending::Played(_));
                crew.counted.fetch_add(u64::from(counts), Ordering::Relaxed);
                return;
            }
            Err(LinkError::Refused(why)) => {
                crew.say(&format!("the result of game {} is refused: {why}", job.number));
                if matches!(ending, Ending::Refused(_)) {
                    return;
                }
                // The director must not wait for it.
                let why: String = why.chars().filter(|c| !c.is_control()).collect();
                (ending, recordings) =
                    (Ending::Refused(format!("its result is refused: {why}")), [None, None]);
            }
            Err(error) => {
                crew.failed(&session, &error);
                crew.wait(&mut pause, &course.stop);
            }
        }
    }
}

fn hand_in_once(
    crew: &WorkerShared<'_>,
    session: &Session,
    id: &JobId,
    ending: &Ending,
    [recording, inputs]: &Recordings,
) -> Result<bool, LinkError> {
    let mut ending = ending.clone();
    if let Ending::Played(played) = &mut ending {
        let upload = |bytes: &Option<Vec<u8>>| {
            bytes.as_ref().map(|bytes| crew.link.upload(session, bytes)).transpose()
        };
        played.recording = upload(recording)?;
        played.inputs = upload(inputs)?;
    }
    let report = Report { session: session.clone(), job: id.clone(), ending };
    Ok(crew.link.ask::<Taken>("results", &report)?.counts)
}

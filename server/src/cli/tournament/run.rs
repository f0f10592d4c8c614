//! `tournament run`: plays a tournament, or resumes it.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;
use grandstand_players::named_limits::NamedLimits as _;
use grandstand_tournaments::PlayerIndex;
use serde_json::{Value, json};

use super::check::span;
use super::{Source, enter};
use crate::cli::nats_args::{NatsLogin, machine_name};
use crate::cli::play::report::Report;
use crate::cli::{print, print_json};
use crate::tournament::bridge_replayer::BridgeReplayer;
use crate::tournament::catalogue::{Catalogue, Fault, NewResult, PlayerChange, version_of};
use crate::tournament::definition::Definition;
use crate::tournament::distributed::{DirectorOptions, HttpDirectorOptions, NatsDirectorOptions, Token};
use crate::tournament::report::{NoticeLine, Snapshot, text};
use crate::tournament::runner::{self, Progress, RunEnd, RunOptions, RunState, Watcher};
use crate::{Config, NatsRole, Tls};

/// Play a tournament, or resume it.
///
/// FILE.toml describes it, and FILE.db beside it has its state; with --db, options can describe it instead. `run --db
/// FILE.db` alone resumes it.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("remote").multiple(true)))]
pub(super) struct RunArgs {
    #[command(flatten)]
    source: Source,
    /// The tournament's file [default: FILE.db beside FILE.toml]
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Number of concurrent games [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Hand the games out to workers (`grandstand worker`) that ask for them here, and play none: HOST:PORT, by HTTPS unless it is on this machine
    #[arg(long, value_name = "ADDR", conflicts_with = "jobs", group = "remote")]
    workers: Option<String>,
    /// Hand the games out to workers that ask for them over this NATS with JetStream (`grandstand worker --nats`), such as nats://director:password@nats.example.org:4222 or tls://…; several are separated by commas. Beside --workers or instead of it
    #[arg(
        long,
        value_name = "URL",
        conflicts_with = "jobs",
        group = "remote",
        env = "GRANDSTAND_NATS",
        hide_env_values = true
    )]
    nats: Option<String>,
    #[command(flatten)]
    login: NatsLogin,
    /// Change a limit of NATS: nats-work-mib=N for the programs, and as much for the recordings; nats-replicas=N for the copies in a cluster
    #[arg(long, value_name = "NAME=VALUE", requires = "nats")]
    nats_limit: Vec<String>,
    /// What workers have to show: a file with one word of 16 characters or more, made where there is none [default: FILE.db.token]
    #[arg(long, value_name = "FILE", requires = "workers")]
    workers_token: Option<PathBuf>,
    /// Of N games that only the seed decides, have one played by two workers and compared; 0: none
    #[arg(long, value_name = "N", default_value_t = 50, requires = "remote")]
    compare: u32,
    /// Give games with clocks to workers with so many percent of the speed of the fastest, and to no slower ones
    #[arg(long, value_name = "PERCENT", default_value_t = 75, value_parser = clap::value_parser!(u32).range(0..=100), requires = "remote")]
    min_speed: u32,
    /// Give games with clocks to workers on which other programs use no more than so many percent of the cores
    #[arg(long, value_name = "PERCENT", default_value_t = 25, value_parser = clap::value_parser!(u32).range(0..=100), requires = "remote")]
    max_load: u32,
    /// Speak HTTPS to workers with this certificate (PEM; those that vouch for it after it)
    #[arg(long, value_name = "FILE", requires_all = ["tls_key", "workers"])]
    tls_cert: Option<PathBuf>,
    /// The certificate's key (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Accept the changes of the definition and of the players' files since the tournament began
    #[arg(long)]
    accept_changes: bool,
    /// Begin without the players that do not load
    #[arg(long)]
    leave_out_broken: bool,
    /// Draw games over this bridge while the tournament runs, from their recordings, a little late and no faster than
    /// people can follow
    #[arg(long, value_name = "HOST:PORT")]
    bridge: Option<String>,
    /// Print events as JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Runs the tournament. Status 0 if it is over, 1 if it was stopped.
pub(super) fn run(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let db = args.db.clone().or_else(|| args.source.catalogue());
    let db = db.context("name a FILE.toml, or the tournament's file with --db")?;
    // The working directory may change below.
    let db = std::path::absolute(&db).with_context(|| db.display().to_string())?;
    let report = Report::new();
    let workers = hosting(args, &db)?;
    let described = args.source.read()?;
    let mut catalogue = if db.exists() {
        go_on(args, &db, described.map(|(definition, _)| definition))?
    } else {
        let Some((definition, directory)) = described else {
            bail!("{}: there is no such tournament; name a FILE.toml, or --game and players", db.display());
        };
        begin(args, &db, definition, &directory, &report)?
    };
    let snapshot = Snapshot::read(&catalogue)?;
    let tournament = &snapshot.tournament;
    if tournament.seed_secret && !args.json {
        report.say(&format!("the seed is secret; its SHA-256 is {}", tournament.seed_sha256));
    }
    drop(snapshot);
    let stop = Arc::new(AtomicBool::new(false));
    when_asked_to_stop(&stop)?;
    let told = report.clone();
    let relay =
        args.bridge.as_deref().map(|address| BridgeReplayer::start(address, move |what| told.say(what)));
    let relay = relay.transpose().context("threads for the bridge")?;
    let mut watcher = Shown { report: report.clone(), json: args.json, failed: None, leader: None, relay };
    let options = RunOptions { jobs: args.jobs.map(usize::from), workers };
    let end = runner::run(&mut catalogue, &options, &stop, &mut watcher);
    report.clear();
    let end = end?;
    if let Some(error) = watcher.failed {
        return Err(error);
    }
    let told = Snapshot::read(&catalogue)?.report();
    for (stage, of_stage) in told.stages.iter().enumerate() {
        let rated = of_stage.standings.iter().filter_map(|line| {
            let player = told.players.iter().find(|player| player.name == line.player)?;
            let rating = line.rating.as_ref()?;
            Some((PlayerIndex(player.player), rating.elo, rating.interval, rating.games))
        });
        catalogue.store_ratings(stage, &rated.collect::<Vec<_>>())?;
    }
    if args.json {
        print_json(&json!({ "event": if end == RunEnd::Over { "over" } else { "stopped" }, "counted": told.counted }).to_string())?;
    } else {
        print(text::standings(&told).trim_end())?;
        if end == RunEnd::Stopped {
            report.say(&format!("stopped; `grandstand tournament run --db {}` goes on", db.display()));
        }
    }
    Ok(ExitCode::from(u8::from(end == RunEnd::Stopped)))
}

/// Where and how workers are waited for, if they are. The files are named before the working directory changes.
fn hosting(args: &RunArgs, db: &Path) -> anyhow::Result<Option<DirectorOptions>> {
    let http = args.workers.clone().map(|address| http_hosting(args, db, address)).transpose()?;
    let nats = args.nats.clone().map(|url| nats_hosting(args, url)).transpose()?;
    if http.is_none() && nats.is_none() {
        return Ok(None);
    }
    let (compare, min_speed, max_load) = (args.compare, args.min_speed, args.max_load);
    Ok(Some(DirectorOptions { http, nats, compare, min_speed, max_load }))
}

fn http_hosting(args: &RunArgs, db: &Path, address: String) -> anyhow::Result<HttpDirectorOptions> {
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls::load(certificate, key)?),
        _ => None,
    };
    let token_path = match &args.workers_token {
        Some(path) => std::path::absolute(path).with_context(|| path.display().to_string())?,
        None => PathBuf::from(format!("{}.token", db.display())),
    };
    let token = Token::read_or_make(&token_path)?;
    Ok(HttpDirectorOptions { address, tls, token, token_path })
}

fn nats_hosting(args: &RunArgs, url: String) -> anyhow::Result<NatsDirectorOptions> {
    let mut config = Config::default();
    for limit in &args.nats_limit {
        config.set_limit(limit).with_context(|| format!("--nats-limit {limit}"))?;
    }
    let mut settings = args.login.clone().settings(url, NatsRole::Director, machine_name());
    for file in [&mut settings.credentials, &mut settings.certificates].into_iter().flatten() {
        *file = std::path::absolute(&*file).with_context(|| file.display().to_string())?;
    }
    Ok(NatsDirectorOptions { settings, limits: config.nats_limits })
}

/// Creates a tournament; all of its players must load.
fn begin(
    args: &RunArgs,
    db: &Path,
    mut definition: Definition,
    directory: &Path,
    report: &Report,
) -> anyhow::Result<Catalogue> {
    let problems = runner::problems(&definition);
    if !problems.is_empty() {
        let lines: Vec<String> = problems.iter().map(|(name, what)| format!("{name}: {what}")).collect();
        let count = definition.players.len();
        definition.players.retain(|player| problems.iter().all(|(name, _)| *name != player.name));
        let all_players = count - definition.players.len() == problems.len();
        if !args.leave_out_broken || !all_players {
            let hint = if all_players { "\n--leave-out-broken begins without them" } else { "" };
            bail!("it can't begin, and nothing was written:\n{}{hint}", lines.join("\n"));
        }
        definition
            .check()
            .map_err(|(_, error)| anyhow::anyhow!("without the players that do not load: {error}"))?;
        for line in &lines {
            report.say(&format!("left out: {line}"));
        }
    }
    let hash = |player: &crate::tournament::definition::PlayerEntry| {
        version_of(definition.game, &player.play).with_context(|| player.name.clone())
    };
    let versions: Vec<String> = definition.players.iter().map(hash).collect::<Result<_, _>>()?;
    let mut catalogue = Catalogue::create(db, &definition, directory, &versions)?;
    for (name, what) in &problems {
        catalogue.log("left-out", &format!("{name}: {what}"))?;
    }
    Ok(catalogue)
}

/// Opens a tournament to resume it; refuses one that has changed, unless the changes are accepted.
fn go_on(args: &RunArgs, db: &Path, described: Option<Definition>) -> anyhow::Result<Catalogue> {
    let mut catalogue = Catalogue::open(db)?;
    let before = catalogue.tournament()?;
    enter(Path::new(&before.directory))?;
    let mut definition = described.unwrap_or_else(|| before.definition.clone());
    // Players left out at the start stay left out.
    let left_out: Vec<String> = catalogue
        .events()?
        .into_iter()
        .filter(|event| event.kind == "left-out")
        .filter_map(|event| Some(event.text.split_once(": ")?.0.to_owned()))
        .collect();
    definition.players.retain(|player| !left_out.contains(&player.name));
    let mut changed = Vec::new();
    for (index, (player, known)) in definition.players.iter().zip(catalogue.players()?).enumerate() {
        let sha256 = version_of(definition.game, &player.play).with_context(|| player.name.clone())?;
        if sha256 != known.sha256 {
            changed.push(PlayerChange { player: index, name: player.name.clone(), sha256 });
        }
    }
    let redefined = definition.pinned() != before.definition.pinned();
    if !args.accept_changes && (redefined || !changed.is_empty()) {
        let mut what: Vec<String> =
            changed.iter().map(|change| format!("the files of {}", change.name)).collect();
        if redefined {
            what.insert(0, "the definition".to_owned());
        }
        bail!(
            "{}: since the tournament began these have changed: {}; --accept-changes takes the changes over",
            db.display(),
            what.join(", ")
        );
    }
    if redefined {
        fits(&before.definition, &definition)?;
    }
    // Changes of the name and of `until` need no confirmation.
    if definition != before.definition || !changed.is_empty() {
        catalogue.accept(&definition, &changed)?;
    }
    Ok(catalogue)
}

/// Whether a tournament can continue with another definition: players, stages and seed determine the drawn rounds.
fn fits(before: &Definition, now: &Definition) -> anyhow::Result<()> {
    let names = |definition: &Definition| -> Vec<String> {
        definition.players.iter().map(|player| player.name.clone()).collect()
    };
    if names(before) != names(now) {
        bail!("players can't be added, renamed or taken away once the tournament has begun");
    }
    if before.game != now.game || before.seed != now.seed {
        bail!("the game and the seed can't be changed once the tournament has begun");
    }
    if before.stages != now.stages {
        bail!("the stages, with their maps and openings, can't be changed once the tournament has begun");
    }
    Ok(())
}

/// Sets `stop` when the process receives a stop signal.
pub(in crate::cli) fn when_asked_to_stop(stop: &Arc<AtomicBool>) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("signals")?;
    let stop = Arc::clone(stop);
    let wait = move || {
        runtime.block_on(async { crate::cli::serve::shutdown_signal().await });
        stop.store(true, Ordering::Relaxed);
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).context("a thread")?;
    Ok(())
}

/// Output of a run: a line of progress, or events as JSON.
struct Shown {
    report: Report,
    json: bool,
    /// The first error of writing to standard output.
    failed: Option<anyhow::Error>,
    /// The leader, with the time of the look-up.
    leader: Option<(Instant, String)>,
    relay: Option<BridgeReplayer>,
}

/// Interval between two look-ups of the leader.
const LOOK: Duration = Duration::from_secs(1);

impl Shown {
    fn event(&mut self, event: &Value) {
        if self.json
            && let Err(error) = print_json(&event.to_string())
        {
            self.failed.get_or_insert(error);
        }
    }
}

impl Watcher for Shown {
    fn game(&mut self, told: &RunState<'_>, result: &NewResult) {
        let name = |side: usize| told.names[result.game.players[side].index()].as_str();
        let ended = &result.result;
        if let (Some(relay), Some(recording)) = (&self.relay, &result.recording) {
            relay.offer(recording);
        }
        if ended.fault == Some(Fault::Machine) {
            let reason = ended.reason.as_deref().unwrap_or_default();
            self.report.say(&format!("game {}, {} – {}: {reason}", result.game.number, name(0), name(1)));
        }
        if self.json {
            self.event(&json!({
                "event": "game",
                "game": result.game.number,
                "players": [name(0), name(1)],
                "winner": ended.winner.map(|side| name(usize::from(side))),
                "fault": ended.fault,
                "termination": ended.termination,
                "reason": ended.reason,
                "wall_ms": ended.wall_ms,
            }));
        }
    }

    fn notice(&mut self, notice: &NoticeLine) {
        self.event(&json!({ "event": notice.kind, "text": notice.text }));
        if !self.json && !matches!(notice.kind.as_str(), "identical" | "bye") {
            self.report.say(&notice.text);
        }
    }

    fn progress(&mut self, told: &RunState<'_>, progress: &Progress) {
        let fresh = |leader: &(Instant, String)| leader.0.elapsed() < LOOK;
        if !self.leader.as_ref().is_some_and(fresh) {
            let stage = told.state.rounds().last().map_or(0, |round| round.stage as usize);
            let first = told.state.standings(stage).into_iter().find(|line| line.games > 0);
            let leads =
                first.map(|line| format!(", {} leads with {}", told.names[line.player.index()], line.points));
            self.leader = Some((Instant::now(), leads.unwrap_or_default()));
            let (counted, remaining) = (told.state.counted(), told.state.remaining());
            let event = json!({
                "event": "progress",
                "counted": counted,
                "remaining": remaining,
                "games_a_second": progress.per_second(),
                "seconds_left": progress.left(remaining).map(|left| left.as_secs()),
            });
            self.event(&event);
        }
        let leads = self.leader.as_ref().map(|(_, leads)| leads.as_str()).unwrap_or_default();
        self.report.progress(|| {
            let (counted, remaining) = (told.state.counted(), told.state.remaining());
            let speed =
                progress.per_second().map(|speed| format!(", {speed:.1} a second")).unwrap_or_default();
            let left = progress.left(remaining).map(|left| format!(", {} left", span(left.as_secs_f64())));
            format!("{counted} of {} games{speed}{}{leads}", counted + remaining, left.unwrap_or_default())
        });
    }

    fn workers(&mut self, news: &str) {
        self.report.say(news);
        self.event(&json!({ "event": "workers", "text": news }));
    }

    fn trouble(&mut self, what: &str) {
        self.report.say(what);
        self.event(&json!({ "event": "trouble", "text": what }));
    }
}

//! A run's side of the queue: puts games on it, and passes on what workers hand in.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::sha256;
use grandstand_tournaments::{PlayerIndex, ScheduledGame};
use tokio::runtime::Runtime;
use tokio::sync::{Notify, watch};

use super::super::catalogue::TournamentRecord;
use super::super::definition::needs::Needs;
use super::super::playing::{self, RunContext, RunEvent};
use super::contents::Contents;
use super::director_state::{DirectorState, watch_leases};
use super::job::{Job, SetUpData};
use super::job_queue::suits::ClockedGameRequirements;
use super::job_queue::{JobQueue, LEASE, Task};
use super::nats::host::{self, NatsDirector, NatsDirectorOptions};
use super::service::{self, Access, HttpDirectorOptions};
use super::uploads::Uploads;
use super::wire::{Message as _, encode};
use crate::locked::Locked as _;
use crate::metrics::Counter;

/// Longest time for which workers that take part are told that the tournament is over. It is longer than a worker waits before a
/// request that failed is tried again, and than a lease: a worker that is still there hears it, one that is lost holds nobody up.
const FAREWELL: Duration = Duration::from_secs(10);
/// Time in which the last answers are sent.
const LAST_ANSWERS: Duration = Duration::from_millis(100);
/// Time after a start within which the workers of an earlier run reconnect, so that they hear the end.
const RETURN: Duration = LEASE;
/// Room in a NATS message for everything but the settings of a game, in bytes.
const MARGIN: usize = 16 << 10;

/// Options of a director: the links over which workers reach it, an address, NATS, or both, and its conditions.
#[derive(Debug, Clone)]
pub struct DirectorOptions {
    /// Over HTTP.
    pub http: Option<HttpDirectorOptions>,
    /// Over NATS.
    pub nats: Option<NatsDirectorOptions>,
    /// Of so many games that only the seed decides, one is played by two workers and compared; 0 for none.
    pub compare: u32,
    /// Least speed of a worker that gets games with clocks, in percent of that of the fastest.
    pub min_speed: u32,
    /// Most that other programs may use of the cores of a worker that gets games with clocks, in percent.
    pub max_load: u32,
}

/// Director: hands games out to workers.
pub(in super::super) struct Dispatch<'a> {
    field: RunContext<'a>,
    clocks: bool,
    /// Hash of the tournament's seed, which chooses the games that are compared: one of so many.
    compared: (String, u32),
    /// What the players need, in their order.
    needs: Vec<Needs>,
    shared: Arc<DirectorState>,
    runtime: Option<Runtime>,
    stop: watch::Sender<bool>,
    /// Until when workers of an earlier run may come back.
    return_until: Option<Instant>,
}

impl<'a> Dispatch<'a> {
    /// Waits for workers. What they hand in is sent to `tell`.
    ///
    /// # Errors
    /// If the address can't be listened on, or a player is made of more than workers can be handed.
    pub(in super::super) fn start(
        hosting: &DirectorOptions,
        field: RunContext<'a>,
        clocks: bool,
        known: &TournamentRecord,
        distrusted: Vec<(String, String)>,
        is_resumed: bool,
        tell: Sender<RunEvent>,
    ) -> anyhow::Result<Self> {
        let contents = Contents::read(field)?;
        let threads = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = threads.context("threads for workers")?;
        let listener = hosting.http.as_ref().map(|http| service::listen(http, &runtime)).transpose()?;
        let tournament =
            sha256(format!("{} {} {}", known.definition_sha256, known.seed_sha256, known.created));
        let nats = hosting.nats.as_ref().map(|nats| {
            let host =
                runtime.block_on(NatsDirector::open(nats.settings.clone(), nats.limits.clone(), &tournament));
            host.map(Arc::new)
        });
        let nats = nats.transpose()?;
        let mut ways = Vec::new();
        if let (Some(http), Some(listener)) = (&hosting.http, &listener) {
            ways.push(service::how_to_join(http, listener)?);
        }
        ways.extend(nats.as_ref().map(|nats| nats.how_to_join()));
        let how = format!("workers take part by: {}", ways.join("; or by: "));
        let compared = match (clocks, hosting.compare) {
            (true, _) => "games with clocks are not compared: the machine decides them too".to_owned(),
            (_, 0) => "results are not compared".to_owned(),
            (_, 1) => "every game is played by two workers, and compared".to_owned(),
            (_, every) => format!("one game in {every} is played by two workers, and compared"),
        };
        // The run has not begun to listen yet; its channel has no bound.
        for news in [how, compared] {
            let _ = tell.send(RunEvent::News(news));
        }
        let mut queue = JobQueue::default();
        queue.distrust_workers(distrusted);
        queue.set_fairness(ClockedGameRequirements {
            min_speed: hosting.min_speed,
            max_load: hosting.max_load,
        });
        let needs = field.definition.players.iter().map(|player| Needs::parse(&player.needs));
        let needs = needs.collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
        let shared = Arc::new(DirectorState {
            queue: Mutex::new(queue),
            contents,
            name: field.definition.name.clone(),
            tournament,
            clocks,
            versions: field.versions.to_vec(),
            uploads: Uploads::default(),
            tell: Mutex::new(tell),
            offered: Notify::new(),
            changed: Notify::new(),
            handed_in: Counter::default(),
            spare: Counter::default(),
            nats_down: AtomicBool::new(false),
        });
        let (stop, stopping) = watch::channel(false);
        runtime.spawn(watch_leases(shared.clone()));
        // Workers must not know it: they are handed the seeds of games, but not that of the tournament.
        let compared = (sha256(format!("{} compared", known.seed)), hosting.compare);
        let most = nats.as_ref().map(|nats| nats.max_message_bytes());
        let runtime = Some(runtime);
        let mut this = Self { field, clocks, compared, needs, shared, runtime, stop, return_until: None };
        this.check(most)?;
        this.return_until = is_resumed.then(|| Instant::now() + RETURN);
        // Last, since workers send requests as soon as the port is open.
        if let Some(runtime) = &this.runtime {
            if let (Some(http), Some(listener)) = (&hosting.http, listener) {
                let access = Access { token: http.token.clone(), nats: nats.clone() };
                let port = (listener, http.tls.clone());
                runtime.spawn(service::serve(this.shared.clone(), access, port, stopping));
            }
            if let Some(nats) = nats {
                runtime.spawn(host::serve(this.shared.clone(), nats));
            }
        }
        Ok(this)
    }

    /// Checks that workers can take a game of each player, with any map, in a message of at most so many bytes.
    fn check(&self, most: Option<usize>) -> anyhow::Result<()> {
        let definition = self.field.definition;
        let stages = (0..).zip(&definition.stages);
        let maps: Vec<(u32, Option<u32>)> = stages
            .flat_map(|(stage, of)| {
                let maps = 0..u32::try_from(of.maps.len()).unwrap_or(u32::MAX);
                [(stage, None)].into_iter().chain(maps.map(move |map| (stage, Some(map))))
            })
            .collect();
        let mut longest = 0;
        for (player, name) in (0..).map(PlayerIndex).zip(self.field.names) {
            let players = [player; 2];
            for (stage, map) in &maps {
                let game = ScheduledGame {
                    number: 0,
                    stage: *stage,
                    round: 0,
                    encounter: 0,
                    pair: 0,
                    players,
                    seed: 0,
                    map: *map,
                    opening: None,
                };
                let job = self.job(&playing::GameAttempt { game, attempt: 0 });
                job.check().with_context(|| format!("workers can't be handed the games of {name}"))?;
                longest = longest.max(encode(&job).len());
            }
        }
        if let Some(most) = most.filter(|most| longest + MARGIN > *most) {
            bail!(
                "a game's settings have {} KiB, more than a message of NATS may have, {} KiB: raise max_payload of nats-server, or use --workers ADDR",
                longest / 1024,
                most / 1024
            );
        }
        Ok(())
    }

    /// Puts a game on the queue.
    pub(in super::super) fn offer(&self, of: playing::GameAttempt) {
        let compared = !self.clocks && self.is_chosen(of.game.number);
        let [first, second] = of.game.players.map(|player| &self.needs[player.index()]);
        let needs = first.clone().and(second);
        self.shared.offer(Task::new(self.job(&of), of, compared, needs));
    }

    /// Results of these games, with their attempts, are stored.
    pub(in super::super) fn stored(&self, games: impl IntoIterator<Item = (u64, u32)>) {
        self.shared.queue.locked().stored(games);
    }

    /// Whether a game is one of those that are compared, whoever plays it.
    fn is_chosen(&self, game: u64) -> bool {
        let (seed, every) = &self.compared;
        let hash = sha256(format!("{seed} {game}"));
        let lot = hash.get(..15).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        lot.and_then(|lot| lot.checked_rem(u64::from(*every))) == Some(0)
    }

    /// Declares that nothing is offered until one of `waited_for` games counts.
    pub(in super::super) fn nothing_more(&self, waited_for: usize) {
        if self.clocks {
            self.shared.on_queue(|queue| queue.nothing_more(waited_for));
        }
    }

    /// Takes all games off the queue, so that they can be offered again.
    pub(in super::super) fn withdraw(&self) {
        self.shared.queue.locked().withdraw();
    }

    /// Number of games that all workers play at a time.
    pub(in super::super) fn slots(&self) -> usize {
        self.shared.queue.locked().slots()
    }

    fn job(&self, of: &playing::GameAttempt) -> Job {
        let (game, definition) = (&of.game, self.field.definition);
        let (players, swapped) = game.in_order();
        Job {
            tournament: self.shared.tournament.clone(),
            number: game.number,
            attempt: of.attempt,
            set_up: SetUpData {
                game: definition.game,
                players: players.map(|player| self.shared.contents.of(player.index()).clone()),
                settings: definition.settings(game.stage as usize, game.map, game.opening),
                speed: definition.speed,
                limits: definition.limits.clone(),
                sandbox: definition.sandbox,
            },
            seed: game.seed,
            swapped,
            clocks: self.clocks,
            names: game.players.map(|player| self.field.names[player.index()].clone()),
            event: definition.name.clone(),
            round: self.field.round(game),
        }
    }
}

impl Drop for Dispatch<'_> {
    /// Tells the workers that nothing more is handed out, also those of a run that was interrupted.
    fn drop(&mut self) {
        self.shared.queue.locked().close();
        self.shared.changed.notify_waiters();
        let until = Instant::now() + FAREWELL;
        loop {
            let (workers, now) = (self.shared.queue.locked().counts().workers, Instant::now());
            if (workers == 0 || now >= until) && self.return_until.is_none_or(|until| now >= until) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(LAST_ANSWERS);
        let _ = self.stop.send(true);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_millis(200));
        }
    }
}

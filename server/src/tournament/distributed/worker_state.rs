//! State shared by the threads of a worker: the connection with the director, the session, the games in progress.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use super::cache::Cache;
use super::http_link::HttpLink;
use super::job::JobId;
use super::link::{LinkError, Transport, ask};
use super::messages::{
    Heartbeat, HeartbeatReply, Hello, JobRequest, MOST_JOBS, Session, Version, Welcome, at_a_time,
};
use super::nats::link::NatsLink;
use super::requests::Request;
use super::results::Results;
use super::speed;
use super::status::{Status, StatusPort};
use super::token::Token;
use super::wire::encode;
use crate::locked::Locked as _;
use crate::nats::NatsSettings;
use crate::tournament::playing::game_runner::GameControl;
use crate::workers;

/// Age up to which a measured load holds.
const LOAD_AGE: Duration = Duration::from_secs(5);
/// Interval of the checks for a stop request.
const LOOK: Duration = Duration::from_millis(50);
/// Interval of the attempts to reach a director.
const AGAIN: Duration = Duration::from_millis(500);
/// Longest pause between two attempts of a request.
const LONGEST: Duration = Duration::from_secs(4);
/// Longest pause that a director's word is taken for.
const LONGEST_SAID: Duration = Duration::from_secs(30);

/// Pause before a request is tried again.
#[derive(Debug)]
pub(super) struct Pause(Duration);

impl Default for Pause {
    fn default() -> Self {
        Self(LOOK)
    }
}

impl Pause {
    /// The pause after this error: longer each time, or as long as the director says.
    fn after(&mut self, error: &LinkError) -> Duration {
        let own = self.0;
        self.0 = LONGEST.min(own * 2);
        match error {
            LinkError::Busy(_, Some(said)) => own.max(LONGEST_SAID.min(*said)),
            _ => own,
        }
    }
}

/// Where a worker's director is.
#[derive(Debug)]
pub enum DirectorAddress {
    /// At an address.
    Http {
        /// `https://HOST:PORT`, or `http://` on this machine.
        url: String,
        /// What the director wants to see.
        token: Token,
        /// Certificates (PEM) that vouch for the director, instead of those that the system trusts.
        ca: Option<std::path::PathBuf>,
    },
    /// Whichever is found at this NATS, whose permissions decide who may take part.
    Nats(NatsSettings),
}

/// What a worker is told when it is started.
#[derive(Debug)]
pub struct WorkerOptions {
    /// Where the director is.
    pub to: DirectorAddress,
    /// Address of its own HTTP, for its state and metrics.
    pub http: Option<String>,
    /// Number of games at a time; `None` for the number of cores.
    pub jobs: Option<usize>,
    /// Name of the worker.
    pub name: String,
    /// What players may need of it, besides its architecture and its memory.
    pub labels: Vec<String>,
    /// Whether programs are started without a box where a tournament says so.
    pub without_box: bool,
    /// Whether it ends when the tournament is over.
    pub once: bool,
}

/// State shared by the threads of a worker.
pub(super) struct WorkerState<'a> {
    pub(super) link: Box<dyn Transport>,
    pub(super) cache: Cache,
    pub(super) options: &'a WorkerOptions,
    pub(super) jobs: usize,
    /// The measured speed of this machine.
    speed: Option<u32>,
    /// Whether games of the director have clocks.
    clocks: AtomicBool,
    /// What other programs used of this machine, and when that was measured.
    load: Mutex<Option<(Instant, Option<u8>)>>,
    pub(super) stop: &'a AtomicBool,
    session: Mutex<Option<Session>>,
    /// Hash of the tournament that was taken part in, unless it is known to be over.
    tournament: Mutex<Option<String>>,
    /// Games that are played; one may be there twice, while it is abandoned at one thread and begins at another.
    running: Mutex<Vec<(JobId, Arc<GameControl>)>>,
    /// Results that the director may not have stored yet.
    pub(super) results: Results,
    /// What its own HTTP tells, at a port that is open as long as this.
    pub(super) status: Arc<Status>,
    _port: Option<StatusPort>,
    /// Whether the tournament that was played is over.
    over: AtomicBool,
    /// Whether it was said that the director can't be reached.
    away: AtomicBool,
    say: &'a (dyn Fn(&str) + Sync),
}

impl<'a> WorkerState<'a> {
    /// # Errors
    /// If the address or a certificate is of no use, or the number of games.
    pub(super) fn new(
        options: &'a WorkerOptions,
        stop: &'a AtomicBool,
        say: &'a (dyn Fn(&str) + Sync),
    ) -> anyhow::Result<Self> {
        let jobs = options.jobs.unwrap_or_else(workers::cores);
        if jobs > MOST_JOBS as usize {
            bail!("--jobs {jobs}: a worker plays at most {MOST_JOBS} games at a time");
        }
        let status = Arc::new(Status::default());
        status.slots.store(jobs, Ordering::Relaxed);
        let port =
            options.http.as_ref().map(|address| StatusPort::open(address, status.clone())).transpose()?;
        let port = port.map(|(port, name)| {
            say(&format!("metrics at http://{name}/metrics"));
            port
        });
        let link: Box<dyn Transport> = match &options.to {
            DirectorAddress::Http { url, token, ca } => {
                Box::new(HttpLink::new(url, token.clone(), ca.as_deref())?)
            }
            DirectorAddress::Nats(settings) => Box::new(NatsLink::open(settings.clone())?),
        };
        Ok(Self {
            link,
            cache: Cache::new().context("can't make a directory for programs")?,
            options,
            jobs,
            speed: speed::measured(),
            clocks: AtomicBool::new(false),
            load: Mutex::default(),
            stop,
            session: Mutex::default(),
            tournament: Mutex::default(),
            running: Mutex::default(),
            results: Results::default(),
            status,
            _port: port,
            over: AtomicBool::new(false),
            away: AtomicBool::new(false),
            say,
        })
    }
}

impl WorkerState<'_> {
    /// Keeps in touch with the director until the worker is to end.
    pub(super) fn attend(&self, progress: &dyn Fn(u64)) -> anyhow::Result<()> {
        let mut beat = AGAIN;
        let mut next = Instant::now();
        while !self.is_stopped() {
            self.note();
            progress(self.status.counted.load(Ordering::Relaxed));
            if self.options.once && self.over.load(Ordering::Relaxed) {
                return Ok(());
            }
            if Instant::now() < next {
                thread::sleep(LOOK);
                continue;
            }
            match self.session() {
                Some(session) => self.beat(session)?,
                None => {
                    if let Some(welcome) = self.hello()? {
                        beat = Duration::from_millis(welcome.beat_ms);
                        // At once, since the director takes games that go on for this worker's by its beat.
                        continue;
                    }
                }
            }
            next = Instant::now() + if self.session().is_some() { beat } else { AGAIN };
        }
        Ok(())
    }

    /// Notes what its own HTTP tells.
    fn note(&self) {
        self.status.playing.store(self.running.locked().len(), Ordering::Relaxed);
        self.status.kept.store(self.results.count(), Ordering::Relaxed);
        let takes_part = self.session().is_some() && !self.away.load(Ordering::Relaxed);
        self.status.takes_part.store(takes_part, Ordering::Relaxed);
    }

    fn hello(&self) -> anyhow::Result<Option<Welcome>> {
        let hello = Hello {
            version: Version::own(),
            name: self.options.name.clone(),
            jobs: u32::try_from(self.jobs).unwrap_or(MOST_JOBS),
            cores: u32::try_from(workers::cores()).unwrap_or(u32::MAX),
            arch: std::env::consts::ARCH.to_owned(),
            labels: self.options.labels.clone(),
            memory_mib: speed::memory_mib(),
            speed: self.speed,
            tournament_id: self.tournament.locked().clone(),
        };
        match ask::<Welcome>(&*self.link, Request::Hello, &hello) {
            Ok(welcome) => {
                self.back();
                self.over.store(false, Ordering::Relaxed);
                self.clocks.store(welcome.clocks, Ordering::Relaxed);
                self.say(&format!(
                    "taking part in {} at {}, {}",
                    welcome.tournament,
                    self.link.address(),
                    at_a_time(hello.jobs)
                ));
                self.results.begin(&welcome.tournament_id, |id| self.begin(id));
                *self.tournament.locked() = Some(welcome.tournament_id.clone());
                *self.session.locked() = Some(welcome.session.clone());
                Ok(Some(welcome))
            }
            Err(LinkError::Refused(why)) => bail!("{}: {why}", self.link.address()),
            Err(error) => {
                self.away(&error);
                Ok(None)
            }
        }
    }

    fn beat(&self, session: Session) -> anyhow::Result<()> {
        let progress = |control: &GameControl| control.progress.load(Ordering::Relaxed);
        // No lock is held while the director is waited for.
        let playing = self.running.locked().clone();
        let running = playing.iter().map(|(id, control)| (id.clone(), progress(control))).collect();
        let kept = self.results.kept(&session);
        let beat = Heartbeat { session: session.clone(), running, kept };
        match ask::<HeartbeatReply>(&*self.link, Request::Beat, &beat) {
            Ok(reply) => {
                self.back();
                self.results.forget(&reply.stored);
                // Not those that have begun meanwhile.
                for (_, control) in playing.iter().filter(|(id, _)| reply.drop.contains(id)) {
                    control.stop.store(true, Ordering::Relaxed);
                }
                Ok(())
            }
            Err(LinkError::Refused(why)) => bail!("{}: {why}", self.link.address()),
            Err(error) => {
                self.failed(&session, &error);
                Ok(())
            }
        }
    }

    /// The end of this worker: games are abandoned, and the director is told.
    pub(super) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        for (_, control) in &*self.running.locked() {
            control.stop.store(true, Ordering::Relaxed);
        }
        if let Some(session) = self.session() {
            self.take_leave(session);
        }
    }

    /// Tells the director that a session ends, or that its end was heard.
    pub(super) fn take_leave(&self, session: Session) {
        // A director that is away finds out by itself.
        let _ = self.link.send(Request::Bye, &encode(&JobRequest { session, load: None }));
    }

    /// What other programs use of this machine, in percent, if the director has to know it. It is measured at most once in
    /// [`LOAD_AGE`], since short games would wait for it as long as they take.
    pub(super) fn load(&self) -> Option<u8> {
        if !self.clocks.load(Ordering::Relaxed) {
            return None;
        }
        let mut last = self.load.locked();
        if let Some((at, load)) = *last
            && at.elapsed() < LOAD_AGE
        {
            return load;
        }
        let load = speed::load(|| self.running.locked().len(), self.jobs);
        *last = Some((Instant::now(), load));
        load
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The session, while there is one.
    pub(super) fn session(&self) -> Option<Session> {
        self.session.locked().clone()
    }

    /// The tournament of a session is over.
    pub(super) fn end_session(&self, session: &Session) {
        let mut own = self.session.locked();
        // It may have been told already that the session is not known any more; another session is of another tournament.
        if own.as_ref().is_none_or(|own| own == session) {
            *own = None;
            *self.tournament.locked() = None;
            if self.over.swap(true, Ordering::Relaxed) {
                return;
            }
            if self.options.once {
                self.say("the tournament is over");
            } else {
                self.say(&format!("the tournament is over; waiting for the next at {}", self.link.address()));
            }
        }
    }

    /// A request of a session failed for now.
    pub(super) fn failed(&self, session: &Session, error: &LinkError) {
        match error {
            LinkError::Session => {
                let mut own = self.session.locked();
                if own.as_ref() == Some(session) {
                    *own = None;
                }
            }
            error => self.away(error),
        }
    }

    fn away(&self, error: &LinkError) {
        let quiet = self.over.load(Ordering::Relaxed);
        if !quiet && !self.away.swap(true, Ordering::Relaxed) {
            self.say(&format!("can't reach {}: {error}; it is tried again and again", self.link.address()));
        }
    }

    fn back(&self) {
        if self.away.swap(false, Ordering::Relaxed) {
            self.say(&format!("{} is there again", self.link.address()));
        }
    }

    pub(super) fn say(&self, text: &str) {
        (self.say)(text);
    }

    /// A game begins.
    pub(super) fn begin(&self, id: &JobId) -> Arc<GameControl> {
        let control = Arc::new(GameControl::default());
        self.running.locked().push((id.clone(), control.clone()));
        if self.is_stopped() {
            control.stop.store(true, Ordering::Relaxed);
        }
        control
    }

    /// A game is over, and handed in.
    pub(super) fn finish(&self, control: &Arc<GameControl>) {
        self.running.locked().retain(|(_, other)| !Arc::ptr_eq(other, control));
    }

    /// Waits for a session.
    pub(super) fn pause(&self) {
        thread::sleep(LOOK);
    }

    /// Waits before a request that failed is tried again, and no longer than until `stop`.
    pub(super) fn wait(&self, pause: &mut Pause, error: &LinkError, stop: &AtomicBool) {
        let until = Instant::now() + pause.after(error);
        while Instant::now() < until && !stop.load(Ordering::Relaxed) && !self.is_stopped() {
            thread::sleep(LOOK);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_are_as_long_as_the_director_says() {
        let away = LinkError::Away("connection refused".to_owned());
        let busy = |said: u64| LinkError::Busy(String::new(), Some(Duration::from_secs(said)));
        let mut pause = Pause::default();
        let pauses: Vec<u128> = (0..9).map(|_| pause.after(&away).as_millis()).collect();
        assert_eq!(pauses, [50, 100, 200, 400, 800, 1600, 3200, 4000, 4000]);
        assert_eq!(pause.after(&busy(5)), Duration::from_secs(5));
        assert_eq!(pause.after(&busy(0)), LONGEST);
        assert_eq!(pause.after(&busy(100_000)), LONGEST_SAID);
    }
}

//! What the threads of a worker share: the connection with the director, the session, the games in progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use super::cache::Cache;
use super::job::JobId;
use super::link::{Link, LinkError};
use super::messages::{
    Heartbeat, HeartbeatReply, Hello, JobRequest, MOST_JOBS, Session, Version, Welcome, at_a_time,
};
use super::results::Results;
use super::speed;
use super::token::Token;
use crate::locked::Locked as _;
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

/// What a worker is told when it is started.
#[derive(Debug)]
pub struct WorkerOptions {
    /// Address of the director: `https://HOST:PORT`, or `http://` on this machine.
    pub to: String,
    /// What the director wants to see.
    pub token: Token,
    /// Certificates (PEM) that vouch for the director, instead of those that the system trusts.
    pub ca: Option<std::path::PathBuf>,
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

/// What the threads of a worker share.
pub(super) struct WorkerShared<'a> {
    pub(super) link: Link,
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
    /// Games that are played; one may be there twice, while it is abandoned at one thread and begins at another.
    running: Mutex<Vec<(JobId, Arc<GameControl>)>>,
    /// Results that the director may not have stored yet.
    pub(super) results: Results,
    /// Number of games whose results count.
    pub(super) counted: AtomicU64,
    /// Whether the tournament that was played is over.
    over: AtomicBool,
    /// Whether it was said that the director can't be reached.
    away: AtomicBool,
    say: &'a (dyn Fn(&str) + Sync),
}

impl<'a> WorkerShared<'a> {
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
        Ok(Self {
            link: Link::new(&options.to, options.token.clone(), options.ca.as_deref())?,
            cache: Cache::new().context("can't make a directory for programs")?,
            options,
            jobs,
            speed: speed::measured(),
            clocks: AtomicBool::new(false),
            load: Mutex::default(),
            stop,
            session: Mutex::default(),
            running: Mutex::default(),
            results: Results::default(),
            counted: AtomicU64::new(0),
            over: AtomicBool::new(false),
            away: AtomicBool::new(false),
            say,
        })
    }
}

impl WorkerShared<'_> {
    /// Keeps in touch with the director until the worker is to end.
    pub(super) fn attend(&self, progress: &dyn Fn(u64)) -> anyhow::Result<()> {
        let mut beat = AGAIN;
        let mut next = Instant::now();
        while !self.is_stopped() {
            progress(self.counted.load(Ordering::Relaxed));
            if Instant::now() < next {
                thread::sleep(LOOK);
                continue;
            }
            if self.options.once && self.over.load(Ordering::Relaxed) {
                return Ok(());
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
        };
        match self.link.ask::<Welcome>("hello", &hello) {
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
        let progress = |course: &GameControl| course.progress.load(Ordering::Relaxed);
        // No lock is held while the director is waited for.
        let playing = self.running.locked().clone();
        let running = playing.iter().map(|(id, course)| (id.clone(), progress(course))).collect();
        let kept = self.results.kept(&session);
        let beat = Heartbeat { session: session.clone(), running, kept };
        match self.link.ask::<HeartbeatReply>("beat", &beat) {
            Ok(reply) => {
                self.back();
                self.results.forget(&reply.stored);
                // Not those that have begun meanwhile.
                for (_, course) in playing.iter().filter(|(id, _)| reply.drop.contains(id)) {
                    course.stop.store(true, Ordering::Relaxed);
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
        for (_, course) in &*self.running.locked() {
            course.stop.store(true, Ordering::Relaxed);
        }
        if let Some(session) = self.session() {
            // A director that is away finds out by itself.
            let _ = self.link.post("bye", &JobRequest { session, load: None });
        }
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
        let course = Arc::new(GameControl::default());
        self.running.locked().push((id.clone(), course.clone()));
        if self.is_stopped() {
            course.stop.store(true, Ordering::Relaxed);
        }
        course
    }

    /// A game is over, and handed in.
    pub(super) fn finish(&self, course: &Arc<GameControl>) {
        self.running.locked().retain(|(_, other)| !Arc::ptr_eq(other, course));
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

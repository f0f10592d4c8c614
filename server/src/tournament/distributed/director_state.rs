//! State of a director that the requests of workers read and change.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::Notify;

use super::super::catalogue::{NewResult, ResultRecord};
use super::super::playing::{RunEvent, spoiled};
use super::contents::Contents;
use super::evidence::{self, Handed};
use super::job_queue::{Counts, EnterError, FinishError, JobEvent, JobQueue, Task, UnknownSession};
use super::messages::{Hello, Session};
use super::report::{Ending, PlayedData, Report};
use super::uploads::Uploads;
use crate::locked::Locked as _;
use crate::metrics::Counter;

/// Interval at which leases are looked at.
const LOOK: Duration = Duration::from_millis(250);

/// State of a director that the requests of workers read and change.
pub(super) struct DirectorState {
    pub(super) queue: Mutex<JobQueue>,
    pub(super) contents: Contents,
    /// Name of the tournament.
    pub(super) name: String,
    /// Hash that tells tournaments apart.
    pub(super) tournament: String,
    /// Whether games have clocks.
    pub(super) clocks: bool,
    pub(super) versions: Vec<i64>,
    pub(super) uploads: Uploads,
    pub(super) tell: Mutex<Sender<RunEvent>>,
    /// A game was put on the queue: one of those who wait for a game is woken.
    pub(super) offered: Notify,
    /// Other games are for other workers now, or the queue is closed: all are woken.
    pub(super) changed: Notify,
    pub(super) handed_in: Counter,
    pub(super) spare: Counter,
    /// Whether NATS is unreachable: workers may be there unheard, so no lease expires.
    pub(super) nats_down: AtomicBool,
}

/// Why a report is not taken.
pub(super) enum ReportError {
    /// The session is not known.
    Session(UnknownSession),
    /// Something that it names was not uploaded in this session.
    Missing,
    /// The game is not known yet.
    NotYet,
}

impl DirectorState {
    /// Puts a game on the queue.
    pub(super) fn offer(&self, task: Task) {
        self.queue.locked().offer(task);
        self.offered.notify_one();
    }

    /// Does something at the queue, and passes on what is to be told then.
    pub(super) fn on_queue<T>(&self, work: impl FnOnce(&mut JobQueue) -> T) -> T {
        let (done, told) = {
            let mut queue = self.queue.locked();
            let done = work(&mut queue);
            (done, queue.take_told())
        };
        for told in told {
            self.tell(match told {
                JobEvent::News(text) => RunEvent::News(text),
                JobEvent::Stuck(why) => RunEvent::Stuck(why),
                JobEvent::GivenUp(task, why) => {
                    let result = spoiled(why.clone(), task.of.attempt);
                    RunEvent::GivenUp(Box::new(self.new_result(&task, result, [None, None])), why)
                }
                JobEvent::Distrusted(worker, why) => RunEvent::Distrusted(worker, why),
                JobEvent::Ended(task, handed) => RunEvent::Ended(Box::new(self.ended(&task, handed))),
                JobEvent::Pair(games) => {
                    RunEvent::PairEnded(Box::new(games.map(|(task, handed)| self.ended(&task, handed))))
                }
            });
        }
        done
    }

    pub(super) fn tell(&self, outcome: RunEvent) {
        // The run may have ended.
        let _ = self.tell.locked().send(outcome);
    }

    fn ended(&self, task: &Task, handed: Handed) -> NewResult {
        self.handed_in.add(1);
        let result = handed.played.result(task.of.attempt, &handed.worker, handed.speed);
        self.new_result(task, result, handed.recordings)
    }

    fn new_result(
        &self,
        task: &Task,
        result: ResultRecord,
        [recording, inputs]: [Option<Bytes>; 2],
    ) -> NewResult {
        let game = task.of.game.clone();
        let versions = game.players.map(|player| self.versions[player.index()]);
        let [recording, inputs] = [recording, inputs].map(|bytes| bytes.map(Vec::from));
        NewResult { game, result, versions, recording, inputs }
    }

    /// Takes a worker in.
    ///
    /// # Errors
    /// Why it can't take part, in words.
    pub(super) fn enter(&self, hello: &Hello) -> Result<Session, EnterError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| EnterError::NoSession(error.to_string()))?;
        let session = Session(data_encoding::HEXLOWER.encode(&bytes));
        self.on_queue(|queue| queue.enter(hello, session.clone(), Instant::now()))?;
        Ok(session)
    }

    /// Takes what a worker says of a game; `false` if it does not count.
    ///
    /// # Errors
    /// If the session is not known, or a recording is missing.
    pub(super) fn report(&self, report: Report) -> Result<bool, ReportError> {
        let (session, id) = (report.session, report.job);
        let played: Box<PlayedData> = match report.ending {
            Ending::Refused(why) => {
                let refused = self.on_queue(|queue| queue.refuse(&session, &id, why, Instant::now()));
                self.changed.notify_waiters();
                return refused.map(|()| true).map_err(ReportError::Session);
            }
            Ending::Played(played) => played,
        };
        let kept = [&played.recording, &played.inputs].map(|upload| {
            let upload = upload.as_ref()?;
            Some(self.uploads.take(&session, upload))
        });
        let known = self.on_queue(|queue| {
            let worker = queue.machine(&session)?.to_owned();
            Some((worker, queue.speed(&session), queue.is_compared(&id)))
        });
        let Some((worker, speed, compared)) = known else { return Err(ReportError::Session(UnknownSession)) };
        let recordings = match kept {
            [Some(None), _] | [_, Some(None)] => return Err(ReportError::Missing),
            kept => kept.map(Option::flatten),
        };
        let recording = recordings[0].as_ref().filter(|_| compared);
        let commands =
            recording.map(|recording| tokio::task::block_in_place(|| evidence::commands(recording)));
        let handed = Handed { worker, speed, played, recordings, commands };
        let counts = self.on_queue(|queue| queue.finish(&session, &id, handed, Instant::now()));
        let counts = counts.map_err(|error| match error {
            FinishError::Session => ReportError::Session(UnknownSession),
            FinishError::NotYet => ReportError::NotYet,
        })?;
        if compared {
            // Another worker may be wanted for it.
            self.changed.notify_waiters();
        }
        self.spare.add(u64::from(!counts));
        Ok(counts)
    }

    pub(super) fn counts(&self) -> Counts {
        self.queue.locked().counts()
    }
}

/// Gives the games of workers that are lost to others, until the director ends.
pub(super) async fn watch_leases(shared: Arc<DirectorState>) {
    loop {
        tokio::time::sleep(LOOK).await;
        let now = Instant::now();
        let back = shared.on_queue(|queue| {
            let before = queue.counts().queued;
            if shared.nats_down.load(Ordering::Relaxed) {
                queue.renew_all(now);
            }
            queue.expire_leases(now);
            queue.counts().queued > before
        });
        if back {
            shared.changed.notify_waiters();
        }
        let queue = shared.queue.locked();
        shared.uploads.expire(|session| queue.machine(session).is_some(), now);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What the requests of workers see, with an empty queue.
    pub(in super::super) fn shared() -> DirectorState {
        DirectorState {
            queue: Mutex::default(),
            contents: Contents::default(),
            name: "cup".to_owned(),
            tournament: String::new(),
            clocks: false,
            versions: vec![1, 1],
            uploads: Uploads::default(),
            tell: Mutex::new(std::sync::mpsc::channel().0),
            offered: Notify::new(),
            changed: Notify::new(),
            handed_in: Counter::default(),
            spare: Counter::default(),
            nats_down: AtomicBool::new(false),
        }
    }
}

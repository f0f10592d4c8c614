//! Results of a worker: handed in, and kept until the director says that they are stored. A director that is started again
//! gets those once more that it had not stored.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::job::JobId;
use super::link::{LinkError, ask};
use super::messages::{MOST_KEPT, Session, Taken};
use super::report::{Ending, Report, Upload};
use super::requests::Request;
use super::worker_state::{Pause, WorkerState};
use crate::locked::Locked as _;
use crate::tournament::playing::game_runner::GameControl;

/// Greatest size in bytes of the recordings that are kept. Past it the oldest results are not kept any longer.
const KEPT_BYTES: usize = 256 << 20;

/// The compressed recording and the compressed inputs of a game.
pub(super) type Recordings = [Option<Vec<u8>>; 2];

/// What comes of a game.
#[derive(Debug)]
pub(super) struct JobResult {
    pub(super) id: JobId,
    /// Hash of its tournament.
    pub(super) tournament: String,
    /// Number of the game.
    pub(super) number: u64,
    pub(super) ending: Ending,
    pub(super) recordings: Recordings,
}

impl JobResult {
    fn bytes(&self) -> usize {
        self.recordings.iter().flatten().map(Vec::len).sum()
    }
}

/// The results that were handed in and may not be stored yet.
#[derive(Debug, Default)]
pub(super) struct Results {
    /// With the sessions in which they were handed in, the oldest first.
    kept: Mutex<VecDeque<(Session, JobResult)>>,
    /// Those of sessions that are gone, which have to be handed in again.
    again: Mutex<VecDeque<(JobResult, Arc<GameControl>)>>,
}

impl Results {
    /// The games whose results are kept in a session.
    pub(super) fn kept(&self, session: &Session) -> Vec<JobId> {
        let kept = self.kept.locked();
        kept.iter().filter(|(of, _)| of == session).map(|(_, result)| result.id.clone()).collect()
    }

    /// Number of results that are kept, or handed in again.
    pub(super) fn count(&self) -> usize {
        self.kept.locked().len() + self.again.locked().len()
    }

    /// Keeps a result that was handed in.
    fn keep(&self, session: Session, result: JobResult) {
        let mut kept = self.kept.locked();
        kept.push_back((session, result));
        let mut bytes: usize = kept.iter().map(|(_, result)| result.bytes()).sum();
        while bytes > KEPT_BYTES || kept.len() > MOST_KEPT {
            let Some((_, oldest)) = kept.pop_front() else { return };
            bytes -= oldest.bytes();
        }
    }

    /// Results that need not be kept any longer.
    pub(super) fn forget(&self, stored: &[JobId]) {
        self.kept.locked().retain(|(_, result)| !stored.contains(&result.id));
    }

    /// A session begins: what was handed in before is to be handed in again, if it is of this tournament. `begin` is told
    /// of each.
    pub(super) fn begin(&self, tournament: &str, begin: impl Fn(&JobId) -> Arc<GameControl>) {
        let kept = std::mem::take(&mut *self.kept.locked());
        let mut again = self.again.locked();
        let room = MOST_KEPT.saturating_sub(again.len());
        let of_tournament = kept.into_iter().map(|(_, result)| result);
        let of_tournament = of_tournament.filter(|result| result.tournament == tournament);
        again.extend(of_tournament.take(room).map(|result| {
            let control = begin(&result.id);
            (result, control)
        }));
    }
}

/// Hands in again what a director has lost, until the worker ends.
pub(super) fn hand_in_again(worker: &WorkerState<'_>) {
    while !worker.is_stopped() {
        let next = worker.results.again.locked().pop_front();
        match next {
            Some((result, control)) => {
                hand_in(worker, result, &control);
                worker.finish(&control);
            }
            None => worker.pause(),
        }
    }
}

/// Hands a game in, for as long as it is wanted: its recordings first, then its result. Whether it is taken as one that was
/// played and counts.
pub(super) fn hand_in(worker: &WorkerState<'_>, mut result: JobResult, control: &GameControl) -> bool {
    let mut pause = Pause::default();
    let mut uploaded = None;
    while !control.stop.load(Ordering::Relaxed) {
        // A director that was started again has another session, and no uploads.
        let Some(session) = worker.session() else {
            worker.pause();
            continue;
        };
        match hand_in_once(worker, &session, &result, &mut uploaded) {
            Ok(counts) => {
                let is_played = matches!(result.ending, Ending::Played(_));
                if is_played {
                    worker.results.keep(session, result);
                }
                return counts && is_played;
            }
            // It may have been lost since it was uploaded.
            Err(error @ LinkError::Missing(_)) => {
                uploaded = None;
                worker.wait(&mut pause, &error, &control.stop);
            }
            Err(LinkError::Refused(why)) => {
                worker.say(&format!("the result of game {} is refused: {why}", result.number));
                if matches!(result.ending, Ending::Refused(_)) {
                    return false;
                }
                // The director must not wait for it.
                let why: String = why.chars().filter(|c| !c.is_control()).collect();
                result.ending = Ending::Refused(format!("its result is refused: {why}"));
                result.recordings = [None, None];
                uploaded = None;
            }
            Err(error) => {
                worker.failed(&session, &error);
                worker.wait(&mut pause, &error, &control.stop);
            }
        }
    }
    false
}

/// What was uploaded in a session: the recording and the inputs.
type Uploaded = (Session, [Option<Upload>; 2]);

fn hand_in_once(
    worker: &WorkerState<'_>,
    session: &Session,
    result: &JobResult,
    uploaded: &mut Option<Uploaded>,
) -> Result<bool, LinkError> {
    let mut ending = result.ending.clone();
    if let Ending::Played(played) = &mut ending {
        if uploaded.as_ref().is_none_or(|(of, _)| of != session) {
            *uploaded = Some((session.clone(), [None, None]));
        }
        let there = uploaded.iter_mut().flat_map(|(_, there)| there);
        for (there, bytes) in there.zip(&result.recordings) {
            // Not again what this director has.
            if let (None, Some(bytes)) = (&there, bytes) {
                *there = Some(worker.link.upload(session, bytes)?);
            }
        }
        [played.recording, played.inputs] = uploaded.clone().map(|(_, there)| there).unwrap_or_default();
    }
    let report = Report { session: session.clone(), job: result.id.clone(), ending };
    Ok(ask::<Taken>(&*worker.link, Request::Results, &report)?.counts)
}

#[cfg(test)]
mod tests {
    use super::super::job::tests::job;
    use super::*;

    fn result(number: u64, bytes: usize) -> JobResult {
        let job = job(number);
        let ending = Ending::Refused(String::new());
        JobResult {
            id: job.id(),
            tournament: job.tournament,
            number,
            ending,
            recordings: [Some(vec![0; bytes]), None],
        }
    }

    #[test]
    fn results_are_kept_until_they_are_stored() {
        let (results, session) = (Results::default(), Session("0".repeat(32)));
        (0..3).for_each(|number| results.keep(session.clone(), result(number, 1)));
        results.forget(&[job(1).id()]);
        assert_eq!(results.kept(&session), [job(0).id(), job(2).id()]);
        assert!(results.kept(&Session("1".repeat(32))).is_empty());
        // The oldest make room.
        results.keep(session.clone(), result(3, KEPT_BYTES - 1));
        assert_eq!(results.kept(&session), [job(2).id(), job(3).id()]);
    }

    #[test]
    fn what_a_director_may_have_lost_is_handed_in_again_to_the_same_tournament() {
        let (results, old) = (Results::default(), Session("0".repeat(32)));
        results.keep(old.clone(), result(0, 1));
        results.keep(old.clone(), JobResult { tournament: "another".to_owned(), ..result(1, 1) });
        results.begin(&job(0).tournament, |_| Arc::default());
        assert!(results.kept(&old).is_empty());
        let again = results.again.locked();
        assert_eq!(again.iter().map(|(result, _)| result.number).collect::<Vec<_>>(), [0]);
    }
}

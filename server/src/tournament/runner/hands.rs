//! Who plays the games of a run: threads of this process, or workers.

use std::sync::mpsc::Sender;

use super::super::distributed::dispatch::Dispatch;
use super::super::playing::Job;

/// Who plays the games of a run.
pub(super) enum Hands<'a> {
    /// So many threads of this process.
    Here { give: Sender<Job>, jobs: usize },
    /// Workers.
    Elsewhere(&'a Dispatch<'a>),
}

impl Hands<'_> {
    /// Gives a game to be played.
    pub(super) fn give(&self, job: Job) {
        match self {
            // A worker that has ended is noticed because it sends no result.
            Self::Here { give, .. } => drop(give.send(job)),
            Self::Elsewhere(dispatch) => dispatch.offer(job),
        }
    }

    /// Nothing more can be given before one of so many games counts.
    pub(super) fn nothing_more(&self, waited_for: usize) {
        if let Self::Elsewhere(dispatch) = self {
            dispatch.nothing_more(waited_for);
        }
    }

    /// Number of games that are played at a time.
    pub(super) fn jobs(&self) -> usize {
        match self {
            Self::Here { jobs, .. } => *jobs,
            // A game waits for the first worker.
            Self::Elsewhere(dispatch) => dispatch.slots().max(1),
        }
    }
}

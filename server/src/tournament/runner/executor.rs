//! Executor of the games of a run: threads of this process, or workers.

use std::sync::mpsc::Sender;

use super::super::distributed::dispatch::Dispatch;
use super::super::playing::GameAttempt;

/// Executor of the games of a run.
pub(super) enum Executor<'a> {
    /// So many threads of this process.
    Local { give: Sender<GameAttempt>, jobs: usize },
    /// Workers.
    Remote(&'a Dispatch<'a>),
}

impl Executor<'_> {
    /// Gives a game to be played.
    pub(super) fn give(&self, job: GameAttempt) {
        match self {
            // A worker that has ended is noticed because it sends no result.
            Self::Local { give, .. } => drop(give.send(job)),
            Self::Remote(dispatch) => dispatch.offer(job),
        }
    }

    /// Nothing more can be given before one of so many games counts.
    pub(super) fn nothing_more(&self, waited_for: usize) {
        if let Self::Remote(dispatch) = self {
            dispatch.nothing_more(waited_for);
        }
    }

    /// Results of these games, with their attempts, are stored.
    pub(super) fn stored(&self, games: Vec<(u64, u32)>) {
        if let Self::Remote(dispatch) = self {
            dispatch.stored(games);
        }
    }

    /// Number of games that are played at a time.
    pub(super) fn jobs(&self) -> usize {
        match self {
            Self::Local { jobs, .. } => *jobs,
            // A game waits for the first worker.
            Self::Remote(dispatch) => dispatch.slots().max(1),
        }
    }
}

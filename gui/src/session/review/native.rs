//! The engine in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use grandstand_insight::turns::{MoveReview, NODES, ReviewSession};
use grandstand_replays::{Header, Log};
use grandstand_story::judgements::Judgement;

use super::{ReviewState, Update};
use crate::source::Wake;

/// The session's end of the thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct Link {
    stop: Arc<AtomicBool>,
    updates: Receiver<Update>,
}

impl Link {
    /// Begins a review in a new thread; `None` when the system has none left.
    pub(super) fn open(header: Header, log: Log, wake: Wake) -> Option<Link> {
        let stop = Arc::new(AtomicBool::new(false));
        let (told, updates) = channel();
        let stopped = Arc::clone(&stop);
        let work = move || {
            run(&header, &log, &stopped, &told, &wake);
            wake();
        };
        std::thread::Builder::new().name("review".to_owned()).spawn(work).ok()?;
        Some(Link { stop, updates })
    }

    /// Ends the search under way; what was found so far is told.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The next update that has come.
    pub(super) fn next(&self) -> Option<Update> {
        self.updates.try_recv().ok()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reviews the match. Without the session there is nobody to tell.
fn run(header: &Header, log: &Log, stop: &AtomicBool, told: &Sender<Update>, wake: &Wake) {
    lower_priority();
    let result = log.end().and_then(|end| end.result.as_ref());
    let reviewing = ReviewSession::of_log(header.game, &header.about, log, result, NODES);
    let mut reviewing = match reviewing {
        Ok(reviewing) => reviewing,
        Err(error) => {
            let _ = told.send(Update::Over(ReviewState::Failed(error.to_string())));
            return;
        }
    };
    loop {
        let more = reviewing.work(stop);
        let new: Vec<Judgement> = reviewing.take_changed().iter().map(judgement).collect();
        if told.send(Update::Judged(new, reviewing.progress())).is_err() {
            return;
        }
        wake();
        if !more {
            break;
        }
    }
    let review = reviewing.review();
    let words = match review.verdict() {
        words if words.is_empty() => "No mistakes: no move gave up 10 % of the chance to win.".to_owned(),
        words => words,
    };
    let subject = review.subject().map(judgement);
    // The line below has the better move.
    let words = match &subject {
        Some(subject) => format!("{}.", subject.without_better(&words)),
        None => words,
    };
    let forced = review.forced().map(|made| made.seq);
    let over = ReviewState::Over { words, subject, forced, complete: review.is_complete() };
    let _ = told.send(Update::Over(over));
}

/// On Linux a thread has a priority of its own: everything else goes before the engine.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(10);
}

fn judgement(made: &MoveReview) -> Judgement {
    // Moves of several words are long.
    let in_words = made.better.iter().any(|text| text.contains(' '));
    Judgement {
        seq: made.seq,
        before: made.before,
        after: made.after,
        chances: made.chances.map(|chance| chance as f32),
        mark: made.grade.map_or("", |grade| grade.mark()),
        better: made.better.iter().take(if in_words { 2 } else { 8 }).cloned().collect(),
        why: made.cause.as_ref().map_or_else(String::new, ToString::to_string),
    }
}

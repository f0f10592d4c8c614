//! Requests of workers to a director and their answers, over HTTP (`service`) or NATS (`nats::host`).

use std::time::{Duration, Instant};

use bytes::Bytes;
use hyper::StatusCode;

use super::director_state::{DirectorState, ReportError};
use super::job_queue::{EnterError, LEASE, UnknownSession};
use super::messages::{Assignment, Heartbeat, HeartbeatReply, Hello, JobRequest, Taken, Welcome};
use super::report::Report;
use super::uploads::Room;
use super::wire::{Message, decode, encode};
use crate::http::refusal::Refusal;

/// Time for which a request for a game waits for one; less than a lease.
const WAIT: Duration = Duration::from_secs(2);

/// The requests, by their names in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    Hello,
    Next,
    Beat,
    Results,
    Bye,
}

impl Request {
    /// The request with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Hello, Self::Next, Self::Beat, Self::Results, Self::Bye]
            .into_iter()
            .find(|it| it.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Hello => "hello",
            Self::Next => "next",
            Self::Beat => "beat",
            Self::Results => "results",
            Self::Bye => "bye",
        }
    }
}

/// Answers a request.
///
/// # Errors
/// Why it is not done.
pub(super) async fn answer(
    shared: &DirectorState,
    request: Request,
    body: &[u8],
) -> Result<Vec<u8>, Refusal> {
    match request {
        Request::Hello => hello(shared, &read(body)?),
        Request::Next => next(shared, &read(body)?).await,
        Request::Beat => beat(shared, &read(body)?),
        Request::Results => results(shared, read(body)?),
        Request::Bye => {
            let ask: JobRequest = read(body)?;
            shared.on_queue(|queue| queue.leave(&ask.session));
            shared.changed.notify_waiters();
            Ok(b"{}".to_vec())
        }
    }
}

/// Reads a message.
pub(super) fn read<T: Message>(body: &[u8]) -> Result<T, Refusal> {
    decode(body).map_err(|error| Refusal::new(StatusCode::BAD_REQUEST, format!("the body: {error}")))
}

/// The refusal of a session that is not known.
pub(super) fn unknown(_: UnknownSession) -> Refusal {
    Refusal::new(StatusCode::GONE, "this session is not known: say hello again")
}

/// A content that players have, by its hash.
pub(super) async fn content(shared: &DirectorState, hash: &str) -> Result<Bytes, Refusal> {
    match shared.contents.get(hash).await {
        None => Err(Refusal::new(StatusCode::NOT_FOUND, "no player has this content")),
        Some(Err(error)) => Err(Refusal::new(StatusCode::CONFLICT, format!("{error:#}"))),
        Some(Ok(content)) => Ok(content),
    }
}

/// Room for a recording of so many bytes, until its result comes.
pub(super) fn room(shared: &DirectorState, size: usize) -> Result<Room, Refusal> {
    let words = "too many recordings are waiting for their results";
    shared.uploads.reserve(size).ok_or_else(|| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words))
}

fn hello(shared: &DirectorState, hello: &Hello) -> Result<Vec<u8>, Refusal> {
    if let Some(why) = hello.version.refusal() {
        return Err(Refusal::new(StatusCode::CONFLICT, why));
    }
    // A worker of it is told when it asks for a game.
    let is_of_it = hello.tournament_id.as_ref() == Some(&shared.tournament);
    if !is_of_it && shared.on_queue(|queue| queue.is_over()) {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the tournament is over"));
    }
    let refused = |why: EnterError| {
        let status = match why {
            EnterError::Full | EnterError::NoSession(_) => StatusCode::SERVICE_UNAVAILABLE,
            EnterError::Distrusted(..) => StatusCode::FORBIDDEN,
        };
        Refusal::new(status, why.to_string())
    };
    let session = shared.enter(hello).map_err(refused)?;
    let beat_ms = (LEASE / 4).as_millis() as u64;
    Ok(encode(&Welcome {
        session,
        tournament: shared.name.clone(),
        tournament_id: shared.tournament.clone(),
        beat_ms,
        clocks: shared.clocks,
    }))
}

/// Answers with a game, as soon as there is one. Each game that is offered wakes one of those who wait; one that it is not for
/// wakes the others.
async fn next(shared: &DirectorState, JobRequest { session, load }: &JobRequest) -> Result<Vec<u8>, Refusal> {
    let until = tokio::time::Instant::now() + WAIT;
    let mut woken_alone = false;
    loop {
        let (offered, changed) = (shared.offered.notified(), shared.changed.notified());
        tokio::pin!(offered, changed);
        // Before the queue is asked, so that nothing is missed.
        offered.as_mut().enable();
        changed.as_mut().enable();
        let asked = shared.on_queue(|queue| {
            if queue.is_over() {
                // Its worker says `bye` when it has heard it.
                return Ok(Err(Assignment::Over));
            }
            let taken = queue.take(session, *load, Instant::now())?;
            Ok(taken.ok_or(Assignment::Nothing))
        });
        match asked.map_err(unknown)? {
            // Copied and encoded while nobody waits for the queue.
            Ok((id, job)) => return Ok(encode(&Assignment::Job { id, job: Box::new((*job).clone()) })),
            Err(Assignment::Nothing) => {}
            Err(other) => return Ok(encode(&other)),
        }
        if woken_alone && shared.counts().queued > 0 {
            shared.changed.notify_waiters();
        }
        woken_alone = false;
        tokio::select! {
            () = offered => woken_alone = true,
            () = changed => {}
            () = tokio::time::sleep_until(until) => return Ok(encode(&Assignment::Nothing)),
        }
    }
}

fn beat(shared: &DirectorState, beat: &Heartbeat) -> Result<Vec<u8>, Refusal> {
    let reply = shared.on_queue(|queue| {
        let drop = queue.renew_leases(&beat.session, &beat.running, Instant::now())?;
        Ok(HeartbeatReply { drop, stored: queue.no_longer_waited_for(&beat.kept, Instant::now()) })
    });
    Ok(encode(&reply.map_err(unknown)?))
}

/// Takes what a worker says of a game.
pub(super) fn results(shared: &DirectorState, report: Report) -> Result<Vec<u8>, Refusal> {
    match shared.report(report) {
        Ok(counts) => Ok(encode(&Taken { counts })),
        Err(ReportError::Session(error)) => Err(unknown(error)),
        Err(ReportError::NotYet) => {
            let words = "the director was started only now, and does not know this game yet";
            // It will soon.
            Err(Refusal { again_secs: Some(0), ..Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words) })
        }
        Err(ReportError::Missing) => {
            Err(Refusal::new(StatusCode::CONFLICT, "the recording was not uploaded before the result"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Wake, Waker};

    use super::super::director_state::tests::shared;
    use super::super::job_queue::tests::{hello, task};
    use super::*;

    /// Number of times that a request was woken.
    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A request for a game that waits.
    struct Waiting<'a> {
        answer: Pin<Box<dyn Future<Output = Result<Vec<u8>, Refusal>> + 'a>>,
        woken: Arc<Woken>,
    }

    impl Waiting<'_> {
        /// Whether it has a game now.
        fn has_a_game(&mut self) -> bool {
            let waker = Waker::from(self.woken.clone());
            match self.answer.as_mut().poll(&mut Context::from_waker(&waker)) {
                Poll::Pending => false,
                Poll::Ready(answer) => {
                    let body = answer.unwrap();
                    assert!(body.starts_with(b"{\"job\""), "{body:?}");
                    true
                }
            }
        }

        fn woken(&self) -> usize {
            self.woken.0.load(Ordering::Relaxed)
        }
    }

    #[tokio::test]
    async fn an_offered_game_wakes_one_worker_and_the_others_if_it_is_not_for_that_one() {
        let shared = shared();
        let asks = ["red", "blue", "green"]
            .map(|name| JobRequest { session: shared.enter(&hello(name)).unwrap(), load: None });
        let mut waiting = asks
            .each_ref()
            .map(|ask| Waiting { answer: Box::pin(next(&shared, ask)), woken: Arc::default() });
        assert!(waiting.iter_mut().all(|waiting| !waiting.has_a_game()));
        shared.offer(task(0));
        assert_eq!(waiting.each_ref().map(Waiting::woken), [1, 0, 0]);
        assert!(waiting[0].has_a_game());
        let refused = vec![(asks[1].session.clone(), "blue".to_owned())];
        shared.offer(super::super::job_queue::Task { refused, ..task(1) });
        assert_eq!(waiting.each_ref().map(Waiting::woken), [1, 1, 0]);
        assert!(!waiting[1].has_a_game());
        assert_eq!(waiting[2].woken(), 1);
        assert!(waiting[2].has_a_game());
    }
}

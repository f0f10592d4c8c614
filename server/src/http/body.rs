//! Response bodies: whole, or a stream whose pieces are made when the peer's socket has room for them.

use std::future::{Future, poll_fn};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes};
use hyper::StatusCode;
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use super::refusal::Refusal;
use crate::limits::client::Client;
use crate::limits::memory::Reservation;
use crate::limits::read_turns::ReadTurns;

/// Approximate size of a piece of a streamed response, in bytes.
pub(crate) const PIECE: usize = 32 * 1024;

/// Pause before the retry of a step that could not be done yet.
const LATER: Duration = Duration::from_millis(2);

/// A response's body.
#[derive(Debug)]
pub(crate) enum Body {
    /// The whole body, until hyper takes it.
    Whole(Option<Bytes>),
    /// A body made piece by piece on demand. An error breaks the connection, so that a part is never taken for the
    /// whole.
    Stream(Stream),
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::Whole(Some(bytes))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Whole(Some(bytes.into()))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Stream(stream) => stream.poll_piece(cx).map(|piece| piece.map(|p| p.map(Frame::data))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, Bytes::len) as u64),
            Self::Stream(_) => SizeHint::default(),
        }
    }
}

/// Producer of a response's body, piece by piece.
pub(crate) trait Source: Send {
    /// Runs one step. Blocks for some milliseconds at most, so that other clients have their turn. Memory held after
    /// the step is reserved in `memory`.
    fn next(&mut self, memory: &mut Reservation) -> io::Result<Step>;
}

/// Result of one step.
#[derive(Debug)]
pub(crate) enum Step {
    /// No piece is ready yet.
    Working,
    /// The input for the step is not available yet.
    Later,
    /// A piece, followed by others.
    Piece(Bytes),
    /// The last piece.
    Last(Bytes),
}

/// A body whose source takes one turn per piece, and none while waiting for the peer.
pub(crate) struct Stream {
    read_turns: Arc<ReadTurns>,
    client: Client,
    state: State,
}

/// A source and its reserved memory.
struct Job {
    source: Box<dyn Source>,
    /// Memory for the source's state and one piece.
    memory: Reservation,
}

type Working = Pin<Box<dyn Future<Output = (io::Result<Step>, Option<Job>)> + Send>>;

enum State {
    /// The first piece, and the source of the rest.
    Begun(Bytes, Job),
    Idle(Job),
    Working(Working),
    Over,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Stream {
    /// Makes a body from a source. An error before the first piece is returned; a source with only one piece gives a
    /// whole body.
    pub(crate) async fn begin(
        read_turns: Arc<ReadTurns>,
        client: Client,
        source: Box<dyn Source>,
        memory: Reservation,
    ) -> io::Result<Body> {
        let mut job = Job { source, memory };
        loop {
            let (step, back) = work(read_turns.clone(), client, job).await;
            job = match (step?, back) {
                (Step::Last(bytes), Some(Job { mut memory, .. })) => {
                    memory.resize(bytes.len())?;
                    return Ok(Body::from(memory.hold(bytes)));
                }
                (Step::Piece(bytes), Some(job)) => {
                    return Ok(Body::Stream(Self { read_turns, client, state: State::Begun(bytes, job) }));
                }
                (_, Some(job)) => job,
                (_, None) => return Err(io::Error::other("the source is lost")),
            };
        }
    }

    fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            match std::mem::replace(&mut self.state, State::Over) {
                State::Begun(piece, job) => {
                    self.state = State::Idle(job);
                    return Poll::Ready(Some(Ok(piece)));
                }
                State::Idle(job) => {
                    self.state = State::Working(Box::pin(work(self.read_turns.clone(), self.client, job)));
                }
                State::Working(mut working) => {
                    let Poll::Ready((step, job)) = working.as_mut().poll(cx) else {
                        self.state = State::Working(working);
                        return Poll::Pending;
                    };
                    if let Some(job) =
                        job.filter(|_| matches!(step, Ok(Step::Working | Step::Later | Step::Piece(_))))
                    {
                        self.state = State::Idle(job);
                    }
                    match step {
                        Ok(Step::Working | Step::Later) => {}
                        Ok(Step::Piece(bytes) | Step::Last(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                        Err(error) => {
                            tracing::warn!(%error, "an answer is broken off");
                            return Poll::Ready(Some(Err(error)));
                        }
                    }
                }
                State::Over => return Poll::Ready(None),
            }
        }
    }
}

async fn work(read_turns: Arc<ReadTurns>, client: Client, mut job: Job) -> (io::Result<Step>, Option<Job>) {
    let worked = read_turns
        .read(client, move || {
            let step = job.source.next(&mut job.memory);
            (step, job)
        })
        .await;
    match worked {
        Ok((step, job)) => {
            if matches!(step, Ok(Step::Later)) {
                tokio::time::sleep(LATER).await;
            }
            (step, Some(job))
        }
        Err(error) => (Err(error), None),
    }
}

/// Reads a body of at most `most` bytes within `time`.
pub(crate) async fn read_whole<B: HttpBody>(
    body: B,
    most: usize,
    time: Duration,
) -> Result<Vec<u8>, Refusal> {
    let all = async {
        let mut body = pin!(body);
        let mut bytes = Vec::new();
        while let Some(frame) = poll_fn(|cx| body.as_mut().poll_frame(cx)).await {
            let frame = frame.or(Err(Refusal::new(StatusCode::BAD_REQUEST, "the body broke off")))?;
            let Ok(mut data) = frame.into_data() else { continue };
            if bytes.len() + data.remaining() > most {
                let words = format!("the body is longer than {most} bytes");
                return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, words));
            }
            let data: Bytes = data.copy_to_bytes(data.remaining());
            bytes.extend_from_slice(&data);
        }
        Ok(bytes)
    };
    let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come");
    tokio::time::timeout(time, all).await.map_err(late)?
}

/// Encoder of a JSON array in pieces.
#[derive(Debug)]
pub(crate) struct JsonArray {
    buffer: Vec<u8>,
    empty: bool,
}

impl Default for JsonArray {
    fn default() -> Self {
        Self { buffer: vec![b'['], empty: true }
    }
}

impl JsonArray {
    /// Buffer to append the next element to.
    pub(crate) fn element(&mut self) -> &mut Vec<u8> {
        if !std::mem::replace(&mut self.empty, false) {
            self.buffer.push(b',');
        }
        &mut self.buffer
    }

    /// Takes the bytes encoded so far.
    pub(crate) fn take(&mut self) -> Bytes {
        std::mem::take(&mut self.buffer).into()
    }

    /// The next piece, if enough bytes are encoded.
    pub(crate) fn step(&mut self) -> Step {
        if self.buffer.len() < PIECE { Step::Working } else { Step::Piece(self.take()) }
    }

    /// The last piece.
    pub(crate) fn finish(&mut self) -> Step {
        self.buffer.push(b']');
        Step::Last(self.take())
    }
}

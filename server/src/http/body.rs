//! Response bodies: whole, or a stream from a thread that reads a file.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// A response's body.
#[derive(Debug)]
pub(crate) enum Body {
    /// All of it, until it is taken.
    Whole(Option<Bytes>),
    /// Pieces as they are read. An error breaks the connection off, so that nobody takes a part for the whole.
    Stream(mpsc::Receiver<io::Result<Bytes>>),
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
            Self::Stream(pieces) => pieces.poll_recv(cx).map(|piece| piece.map(|p| p.map(Frame::data))),
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

/// A body that `write` fills from a thread of its own, and the end that it writes to.
pub(crate) fn stream() -> (Body, Pieces) {
    let (sender, receiver) = mpsc::channel(4);
    (Body::Stream(receiver), Pieces(sender))
}

/// How long a reader may take for one piece.
const PATIENCE: Duration = Duration::from_secs(30);

/// The writing end of a streamed body. Everything here blocks, and is called on a blocking thread of a runtime.
#[derive(Debug)]
pub(crate) struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Pieces {
    /// Sends a piece; `false` if nobody wants any more, or takes too long.
    pub(crate) fn send(&self, piece: io::Result<Bytes>) -> bool {
        Handle::current().block_on(self.0.send_timeout(piece, PATIENCE)).is_ok()
    }
}

//! Guard against slow readers: breaks a connection whose peer reads its response too slowly, or not at all.
//!
//! A broken response is not taken for a whole one: its announced length, or the end of its chunks, is missing.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use crate::config::ReaderLimits;

/// Factor of the permitted time. Both kernels pass bytes on in lumps, so a peer that reads steadily may show no
/// progress for longer than the window.
const LUMPS: u32 = 2;

/// Time for which the server still waits for a peer: each byte that it takes adds time at the minimum rate.
#[derive(Debug, Clone)]
pub(crate) struct ReadCredit {
    bytes_per_second: u64,
    most: Duration,
    credit: Duration,
    /// Start of the current wait for the peer.
    waiting: Option<Instant>,
}

impl ReadCredit {
    pub(crate) fn new(limits: &ReaderLimits) -> Self {
        let most = limits.window * LUMPS;
        Self { bytes_per_second: limits.bytes_per_second.into(), most, credit: most, waiting: None }
    }

    /// Begins or continues a wait for the peer; returns its deadline.
    fn wait(&mut self, now: Instant) -> Instant {
        *self.waiting.get_or_insert(now) + self.credit
    }

    /// Credits bytes that the peer's socket has taken.
    fn took(&mut self, bytes: usize, now: Instant) {
        let waited = self.waiting.take().map_or(Duration::ZERO, |since| now - since);
        let bought = Duration::from_micros(bytes as u64 * 1_000_000 / self.bytes_per_second);
        self.credit = (self.credit.saturating_sub(waited) + bought).min(self.most);
    }
}

/// A connection with some bytes read already. It fails once the peer has used up its [`ReadCredit`].
#[derive(Debug)]
pub(crate) struct SlowReaderGuard {
    prefix: Bytes,
    stream: TcpStream,
    credit: ReadCredit,
    timer: Option<Pin<Box<Sleep>>>,
}

impl SlowReaderGuard {
    /// `prefix` are bytes already read from the stream.
    pub(crate) fn new(prefix: Bytes, stream: TcpStream, credit: ReadCredit) -> Self {
        Self { prefix, stream, credit, timer: None }
    }

    /// The stream, and the bytes already read from it that were not consumed.
    pub(crate) fn into_inner(self) -> (Bytes, TcpStream) {
        (self.prefix, self.stream)
    }

    /// Handles the result of a write; while it is pending, a timer runs.
    fn written(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if let Poll::Ready(result) = written {
            self.timer = None;
            if let Ok(bytes) = result {
                self.credit.took(bytes, now);
            }
            return Poll::Ready(result);
        }
        let until = self.credit.wait(now);
        let timer = self.timer.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(until.into())));
        ready!(timer.as_mut().poll(cx));
        // The kernel discards its unsent bytes, and the peer sees that the response is incomplete.
        let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the peer reads too slowly")))
    }
}

impl AsyncRead for SlowReaderGuard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.prefix.is_empty() {
            return Pin::new(&mut self.stream).poll_read(cx, buffer);
        }
        let n = self.prefix.len().min(buffer.remaining());
        buffer.put_slice(&self.prefix[..n]);
        self.prefix.advance(n);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for SlowReaderGuard {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a peer at 4 KiB/s is kept; `lumps` are `(seconds, bytes)`: the time until the socket takes the bytes.
    fn is_kept(lumps: impl IntoIterator<Item = (u64, usize)>) -> bool {
        let mut credit = ReadCredit::new(&ReaderLimits::default());
        let mut now = Instant::now();
        lumps.into_iter().all(|(seconds, bytes)| {
            let until = credit.wait(now);
            now += Duration::from_secs(seconds);
            let in_time = now < until;
            credit.took(bytes, now);
            in_time
        })
    }

    #[test]
    fn who_reads_steadily_is_kept_however_the_kernels_pass_it_on() {
        assert!(is_kept([(1, 4096); 10_000]));
        assert!(is_kept([(30, 30 * 4096); 1_000]));
        assert!(is_kept([(50, 50 * 4096); 1_000]));
        // A fast peer that pauses.
        assert!(is_kept([(0, 1 << 30), (29, 1), (29, 250_000), (29, 1)]));
    }

    #[test]
    fn who_reads_too_slowly_or_stalls_is_not() {
        assert!(!is_kept([(60, 0)]));
        assert!(!is_kept([(0, 1 << 30), (60, 1)]));
        assert!(!is_kept([(1, 2000); 1_000]));
        assert!(!is_kept([(9, 1); 10]));
    }
}

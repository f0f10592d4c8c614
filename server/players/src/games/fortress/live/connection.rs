//! Connection of a team or a unit.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grandstand_matches::games::fortress::lines::LineDecoder;
use grandstand_matches::games::fortress::referee::Input;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::timeout;

use super::shared::{Backlog, Shared};
use crate::throttle::Throttle;

/// Bytes read at a time.
const READ_BYTES: usize = 8 * 1024;
/// Lines written at a time.
const BATCH: usize = 64;
/// Time for which a closing connection is still read, so that its peer receives everything.
const LINGER: Duration = Duration::from_millis(300);

/// Serves a connection to its end.
pub(super) async fn connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    (connection, lines, backlog): (u32, UnboundedReceiver<String>, Arc<Backlog>),
) {
    // Messages are small, and the peer waits for each.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let stall = shared.limits.stall;
    let mut writing = tokio::spawn(write(writer, lines, Arc::clone(&backlog), stall));
    let reading = read(&shared, connection, reader, &backlog);
    tokio::select! {
        (reason, mut reader) = reading => {
            shared.gone(connection, reason);
            // Pending output is still written; the stall limit ends the write to a peer that does not read.
            let _ = (&mut writing).await;
            drain(&mut reader).await;
        }
        written = &mut writing => {
            // No reason means that the match has closed the connection.
            if let Ok(Err(reason)) = written {
                shared.gone(connection, reason);
            }
        }
    }
}

/// Writes lines as they come, until the channel is closed.
async fn write(
    mut writer: OwnedWriteHalf,
    mut lines: UnboundedReceiver<String>,
    backlog: Arc<Backlog>,
    stall: Duration,
) -> Result<(), String> {
    let mut batch = Vec::with_capacity(BATCH);
    while lines.recv_many(&mut batch, BATCH).await > 0 {
        let bytes = batch.concat();
        batch.clear();
        let mut rest = bytes.as_bytes();
        while !rest.is_empty() {
            match timeout(stall, writer.write(rest)).await {
                Ok(Ok(n)) => {
                    rest = &rest[n..];
                    backlog.take(n);
                }
                Ok(Err(error)) => return Err(format!("it broke: {error}")),
                Err(_) => return Err(format!("it took nothing for {} s", stall.as_secs_f32())),
            }
        }
    }
    // Fails if the connection is closed already.
    let _ = writer.shutdown().await;
    Ok(())
}

/// Reads lines until the end, an error or a limit; returns the reason.
async fn read(
    shared: &Shared,
    connection: u32,
    mut reader: OwnedReadHalf,
    backlog: &Backlog,
) -> (String, OwnedReadHalf) {
    let limits = &shared.limits;
    let rate = (f64::from(limits.messages_per_second) * shared.speed).clamp(1.0, f64::from(u32::MAX));
    let mut throttle = Throttle::new(rate as u32, Instant::now());
    let mut lines = LineDecoder::new(limits.line_bytes);
    let mut buffer = vec![0; READ_BYTES];
    let first = tokio::time::Instant::now() + limits.first_message;
    let mut known = false;
    loop {
        known = known || shared.is_known(connection);
        let read = reader.read(&mut buffer);
        let read: io::Result<usize> = if known {
            read.await
        } else {
            match tokio::time::timeout_at(first, read).await {
                Ok(read) => read,
                Err(_) => {
                    let secs = limits.first_message.as_secs();
                    return (format!("no message within {secs} s said whose it is"), reader);
                }
            }
        };
        match read {
            Ok(0) => return ("its team has closed it".to_owned(), reader),
            Ok(n) => lines.push(&buffer[..n]),
            Err(error) => return (format!("it broke: {error}"), reader),
        }
        loop {
            match lines.next_line() {
                Ok(Some(line)) => {
                    // No further messages are read from a peer that does not read its answers.
                    backlog.below(limits.unread_bytes).await;
                    let pause = throttle.take(1, Instant::now());
                    if !pause.is_zero() {
                        tokio::time::sleep(pause).await;
                    }
                    shared.apply(connection, Input::Line(line));
                }
                Ok(None) => break,
                Err(error) => return (error.to_string(), reader),
            }
        }
    }
}

/// Reads on for a moment: closing a socket with unread bytes would discard output that the peer has not read yet.
async fn drain(reader: &mut OwnedReadHalf) {
    let mut buffer = vec![0; READ_BYTES];
    let rest = async { while reader.read(&mut buffer).await.is_ok_and(|n| n > 0) {} };
    let _ = timeout(LINGER, rest).await;
}

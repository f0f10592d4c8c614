//! A service for an editor, over standard input and output.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvError, SyncSender, TryRecvError, sync_channel};
use std::thread;

use anyhow::Context as _;
use grandstand_editor::Service;
use grandstand_editor::framing::{Deframer, Frame, FramingError, frame};

/// Maximum number of messages read ahead of the answers.
const AHEAD: usize = 256;

type Incoming = Result<Frame, FramingError>;

/// Serves one editor. The status is the service's, or 1 if standard input ends before an orderly exit.
///
/// # Errors
/// If standard input is not a stream of messages, or standard output can't be written.
pub(super) fn serve(service: &mut impl Service) -> anyhow::Result<ExitCode> {
    let (sender, messages) = sync_channel(AHEAD);
    // The thread ends with standard input, or with the process.
    thread::Builder::new().name("editor-input".to_owned()).spawn(move || read(&sender))?;
    loop {
        let Ok(first) = next(&messages, service.is_busy()) else { return Ok(ExitCode::from(1)) };
        // Messages that arrived together are handled together: a request may have been cancelled, or a text changed
        // again.
        for message in first.into_iter().chain(messages.try_iter().take(AHEAD)) {
            match message.context("standard input")? {
                Frame::Body(body) => service.receive(&body),
                Frame::TooLong(bytes) => service.left_out(bytes),
            }
        }
        let mut out = io::stdout().lock();
        for message in service.work() {
            out.write_all(&frame(&message)).context("standard output can't be written")?;
        }
        out.flush().context("standard output can't be written")?;
        if let Some(status) = service.exit_status() {
            return Ok(ExitCode::from(status));
        }
    }
}

/// The next message. While the service has other work, this does not wait.
fn next(messages: &Receiver<Incoming>, is_busy: bool) -> Result<Option<Incoming>, RecvError> {
    if !is_busy {
        return messages.recv().map(Some);
    }
    match messages.try_recv() {
        Ok(message) => Ok(Some(message)),
        Err(TryRecvError::Empty) => Ok(None),
        Err(TryRecvError::Disconnected) => Err(RecvError),
    }
}

/// Reads messages until standard input ends, or the receiver is gone.
fn read(sender: &SyncSender<Incoming>) {
    let (mut deframer, mut bytes, mut input) = (Deframer::default(), vec![0; 1 << 16], io::stdin().lock());
    loop {
        match input.read(&mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(read) => deframer.push(&bytes[..read]),
        }
        loop {
            let (message, is_last) = match deframer.next_frame() {
                Ok(None) => break,
                Ok(Some(message)) => (Ok(message), false),
                Err(error) => (Err(error), true),
            };
            if sender.send(message).is_err() || is_last {
                return;
            }
        }
    }
}

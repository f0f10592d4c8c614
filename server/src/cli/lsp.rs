//! `grandstand lsp`: the language server over standard input and output.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context as _;
use clap::Args;
use grandstand_editor::framing::{Deframer, Frame, FramingError, frame};
use grandstand_editor::{Disk, Server};
use grandstand_languages::FileError;
use grandstand_players::program_files::read_below;

/// Answers what an editor asks of programs in CL and RCL, over standard input and output.
///
/// An editor starts it by itself: docs/EDITORS.md says how VS Code, Neovim and Helix are told to. It speaks the language server protocol: diagnostics as one
/// types, hover, definitions and references through includes, completion, the outline of a file.
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Taken without effect: some editors say how they talk
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Maximum number of messages read ahead of the answers.
const AHEAD: usize = 256;

/// Serves one editor. Status 0 after an orderly exit, else 1.
///
/// # Errors
/// If standard input is not a stream of messages, or standard output can't be written.
pub fn run(_: &LspArgs) -> anyhow::Result<ExitCode> {
    let (sender, messages) = sync_channel(AHEAD);
    // The thread ends with standard input, or with the process.
    thread::Builder::new().name("lsp-input".to_owned()).spawn(move || read(&sender))?;
    serve(&mut Server::new(Files), &messages)
}

fn serve<D: Disk>(
    server: &mut Server<D>,
    messages: &Receiver<Result<Frame, FramingError>>,
) -> anyhow::Result<ExitCode> {
    while let Ok(first) = messages.recv() {
        // Messages that arrived together are handled together: a request may have been cancelled, or a text changed
        // again.
        for message in std::iter::once(first).chain(messages.try_iter().take(AHEAD)) {
            match message.context("standard input")? {
                Frame::Body(body) => server.receive(&body),
                Frame::TooLong(bytes) => server.left_out(bytes),
            }
        }
        let mut out = io::stdout().lock();
        for message in server.work() {
            out.write_all(&frame(&message)).context("standard output can't be written")?;
        }
        out.flush().context("standard output can't be written")?;
        if let Some(status) = server.exit_status() {
            return Ok(ExitCode::from(status));
        }
    }
    Ok(ExitCode::from(1))
}

/// Reads messages until standard input ends, or the receiver is gone.
fn read(sender: &SyncSender<Result<Frame, FramingError>>) {
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

/// The file system of this machine.
#[derive(Debug)]
struct Files;

impl Disk for Files {
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError> {
        read_below(Path::new(directory), path)
    }

    /// Shipped files exist only in the binary; those that an editor opens are written to the user's cache.
    fn unpack(&self, path: &str, text: &str) -> Option<String> {
        let file = cache().join("grandstand").join("library").join(path);
        if fs::read_to_string(&file).ok().as_deref() != Some(text) {
            fs::create_dir_all(file.parent()?).ok()?;
            fs::write(&file, text).ok()?;
        }
        Some(file.to_str()?.to_owned())
    }
}

/// The user's cache directory.
fn cache() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || Some(variable("HOME")?.join(".cache"));
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(home)
        .filter(|cache| cache.is_absolute())
        .unwrap_or_else(std::env::temp_dir)
}

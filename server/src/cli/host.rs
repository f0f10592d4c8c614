//! Server in the process that plays: for the demonstration, for a match with `--watch`, and for a match with seats but
//! without a bridge. The window is a separate process: a crash of a graphics driver does not end the match.

use std::path::PathBuf;
use std::process::{ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::serve::{LogFormat, shutdown_signal, start_log};
use crate::{BindError, Config, DataDirectoryError, Listeners, Server, StartError};

/// Address for text lines, unless the port is in use.
const LINES: &str = "127.0.0.1:3126";
/// Address for spectators, unless the port is in use.
const HTTP: &str = "127.0.0.1:8126";
/// Any free port.
const ANY: &str = "127.0.0.1:0";
/// Directory of the recordings, the default of `grandstand serve`; with `-2`, `-3`, … behind it while others record there.
const DATA: &str = "grandstand-data";
/// Matches that may record side by side in one folder.
const SIDE_BY_SIDE: usize = 64;
/// Time limit for the match to begin; after it the window opens without a match.
const PATIENCE: Duration = Duration::from_secs(10);

/// Plays a match on a server of its own. `play` gets the address for text lines, and a flag that is set when the match
/// is to be abandoned. With `window` the spectator opens on the match; otherwise its address is printed. It all ends
/// when the window is closed, or, without a window, when the match is over; by SIGINT or SIGTERM at any time.
///
/// # Errors
/// If no port is available, and the errors of `play`.
pub(super) fn serve_match(
    window: bool,
    play: impl FnOnce(&str, &AtomicBool) -> anyhow::Result<ExitCode> + Send,
) -> anyhow::Result<ExitCode> {
    start_log(LogFormat::Text, "warn");
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let server = runtime.block_on(async { start_server() })?;
    let lines = server.line_addresses()[0].to_string();
    let (abandoned, (over, mut done)) = (AtomicBool::new(false), watch::channel(false));
    let outcome = std::thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let outcome = play(&lines, &abandoned);
            over.send_replace(true);
            outcome
        });
        runtime.block_on(async {
            let asked_to_stop = shutdown_signal();
            tokio::select! {
                () = show(&server, window, &mut done) => {}
                () = asked_to_stop => {}
            }
            abandoned.store(true, Ordering::Relaxed);
            // The match is over or ends soon; one that does not is left behind.
            let _ = tokio::time::timeout(PATIENCE, until_over(&mut done)).await;
            server.stop();
            server.stopped().await;
        });
        match playing.join() {
            Ok(outcome) => outcome,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    // Does not wait for threads that still read a file.
    runtime.shutdown_background();
    outcome
}

/// Shows the match; ends when the window is closed, or, without one, when the match is over.
async fn show(server: &Server, window: bool, done: &mut watch::Receiver<bool>) {
    let id = tokio::select! {
        id = match_id(server) => id,
        () = until_over(done) => return,
    };
    let http = server.http_addresses()[0];
    let url = match id {
        Some(id) => format!("http://{http}/?match={id}"),
        None => format!("http://{http}/"),
    };
    let opened = if window { open_window(&url) } else { None };
    tell!("The match is at {url}\nCtrl+C ends it.");
    if let Some(mut window) = opened {
        match window.wait().await {
            Ok(status) if status.success() => return,
            Ok(status) => tell!("The window failed ({status}); the match goes on at {url}"),
            Err(error) => tell!("The window is lost ({error}); the match goes on at {url}"),
        }
    }
    until_over(done).await;
}

async fn until_over(done: &mut watch::Receiver<bool>) {
    // An error means that the match is over too.
    let _ = done.wait_for(|over| *over).await;
}

/// Starts a server on the usual ports and in the usual data directory; on free ports and in the next directory if they
/// are in use. It runs until it is stopped.
pub(super) fn start_server() -> anyhow::Result<Server> {
    let bind = |lines, http| Listeners::bind(&[lines], &[http]);
    let mut addresses = (LINES, HTTP);
    let mut number = 1;
    loop {
        let listeners = match bind(addresses.0, addresses.1) {
            Err(BindError::InUse(address)) => {
                tell!("{address} is in use (another demonstration or server?): taking free ports instead.");
                addresses = (ANY, ANY);
                bind(ANY, ANY)?
            }
            other => other?,
        };
        let data = if number == 1 { DATA.to_owned() } else { format!("{DATA}-{number}") };
        let config = Config { data: Some(PathBuf::from(&data)), ..Config::default() };
        match Server::start(config, listeners, std::future::pending()) {
            Err(StartError::Recordings(DataDirectoryError::InUse(_))) if number < SIDE_BY_SIDE => number += 1,
            server => {
                if number > 1 && server.is_ok() {
                    tell!("Another grandstand records in {DATA}: this one records in {data}.");
                }
                return Ok(server?);
            }
        }
    }
}

/// The id of the match, once it has begun; `None` after [`PATIENCE`].
pub(super) async fn match_id(server: &Server) -> Option<String> {
    let poll = async {
        loop {
            if let Some(live) = server.live_matches().into_iter().next() {
                return live.id.to_string();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, poll).await.ok()
}

/// Whether this executable has a window, and there is a display to open it on.
pub(super) fn has_window() -> bool {
    let has_display = !cfg!(all(unix, not(target_os = "macos")))
        || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    cfg!(feature = "viewer") && has_display
}

/// Opens the spectator's window; `None` if this build has none, there is no display, or the start fails.
pub(super) fn open_window(url: &str) -> Option<Child> {
    if !cfg!(feature = "viewer") {
        tell!("This is the headless build, without a window.");
        return None;
    }
    if !has_window() {
        tell!("There is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window opens.");
        return None;
    }
    match this_program(&["watch", url]).spawn() {
        Ok(child) => Some(child),
        Err(error) => {
            tell!("The window can't be opened: {error}");
            None
        }
    }
}

/// Whether the spectator can be shown in this terminal.
pub(super) fn has_terminal() -> bool {
    use std::io::IsTerminal as _;

    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    #[cfg(feature = "terminal")]
    let can_paint = grandstand_terminal::Look::of(|name| std::env::var(name).ok()).is_some();
    #[cfg(not(feature = "terminal"))]
    let can_paint = false;
    is_terminal && can_paint
}

/// This executable with other arguments. The child is killed when its handle is dropped.
pub(super) fn this_program(arguments: &[&str]) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("grandstand"));
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    command
}

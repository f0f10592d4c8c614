//! The spectator in a terminal: its picture, the restored terminal, and the output without a terminal.
#![cfg(all(unix, feature = "terminal"))]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use grandstand_testing::process::{Killed, signal};
use grandstand_testing::{Folder, until};
use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use crate::program::grandstand;

/// Escape sequence that leaves the alternate screen.
const LEAVES: &str = "\x1b[?1049l";

fn sample() -> String {
    format!("{}/../replays/samples/team-team.replay", env!("CARGO_MANIFEST_DIR"))
}

/// A terminal of 80 columns and 24 lines.
struct Terminal {
    ours: File,
    theirs: OwnedFd,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    fn new() -> Terminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap();
        let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY;
        let theirs = rustix::fs::open(name.as_c_str(), flags, rustix::fs::Mode::empty()).unwrap();
        tcsetwinsize(&ours, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let ours = File::from(ours);
        let written = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, shared) = (ours.try_clone().unwrap(), Arc::clone(&written));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        Terminal { ours, theirs, written }
    }

    /// Starts the program in the terminal, without a display.
    fn launch(&self, arguments: &[&str], folder: &Path) -> Killed {
        let mut command = grandstand();
        without_display(&mut command).args(arguments).current_dir(folder);
        command.env("TERM", "xterm-256color").env("LC_ALL", "C.UTF-8").env_remove("NO_COLOR");
        let end = || Stdio::from(self.theirs.try_clone().unwrap());
        Killed(command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned()
    }

    fn shows(&self, words: &str) {
        until(&format!("`{words}` in the terminal"), || self.text().contains(words));
    }

    /// Whether the terminal is in line mode with echo, as a shell needs it.
    fn is_ordinary(&self) -> bool {
        tcgetattr(&self.theirs).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ECHO)
    }
}

fn without_display(command: &mut Command) -> &mut Command {
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET")
}

#[test]
fn a_recording_is_shown_and_the_terminal_given_back() {
    let (terminal, folder) = (Terminal::new(), Folder::new());
    let mut watch = terminal.launch(&["watch", &sample()], folder.path());
    terminal.shows("step");
    assert!(!terminal.is_ordinary());
    (&terminal.ours).write_all(b"?").unwrap();
    terminal.shows("keyboard shortcuts");
    (&terminal.ours).write_all(b"q").unwrap();
    assert!(watch.wait().unwrap().success());
    terminal.shows(LEAVES);
    assert!(terminal.is_ordinary());
}

#[test]
fn signals_end_it_with_the_terminal_given_back() {
    for with in [Signal::TERM, Signal::HUP, Signal::INT] {
        let (terminal, folder) = (Terminal::new(), Folder::new());
        let mut watch = terminal.launch(&["watch", "--terminal", &sample()], folder.path());
        terminal.shows("step");
        signal(with, watch.id());
        assert!(watch.wait().unwrap().success(), "{with:?}");
        terminal.shows(LEAVES);
        assert!(terminal.is_ordinary(), "{with:?}");
    }
}

#[test]
fn the_demonstration_without_a_display_ends_in_the_terminal() {
    let (terminal, folder) = (Terminal::new(), Folder::new());
    let mut demo = terminal.launch(&[], folder.path());
    terminal.shows("LIVE");
    signal(Signal::TERM, demo.id());
    assert!(demo.wait().unwrap().success());
    terminal.shows(LEAVES);
    assert!(terminal.is_ordinary());
}

#[test]
fn where_there_is_no_terminal_the_result_is_printed() {
    let printed = |arguments: &[&str]| {
        let output = without_display(&mut grandstand()).args(arguments).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    for arguments in [&["watch", &sample()][..], &["watch", "--terminal", &sample()]] {
        let (status, told, error) = printed(arguments);
        assert_eq!((status, error.as_str()), (Some(0), ""));
        assert!(told.starts_with("Robot Abalone, team – team\n"), "{told}");
        assert!(told.contains("wins by score. 6 : 5, "), "{told}");
        assert!(!told.contains('\x1b'), "{told}");
    }
    let (status, told, error) = printed(&["watch", "none.replay"]);
    assert_eq!((status, told.as_str()), (Some(2), ""));
    assert!(error.contains("The file can't be read: none.replay"), "{error}");
}

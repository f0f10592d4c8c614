//! `grandstand convert` and `grandstand replay` as a user runs them.

use grandstand_testing::Folder;
use std::fs;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::Output;
use std::thread;

use crate::program::grandstand;

const LOG: &str = "0.000000 set C~1 b0\n0.100000 turns 1\n0.100000 jump\n0.100000 #gs marker {\"label\":\"now\"}\n\
                   0.400000 bsay hello\n0.400000 turns 2\n";

/// A temporary directory for each test.
struct Dir(Folder);

impl Dir {
    fn new() -> Dir {
        Dir(Folder::new())
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        self.0.file(name, content);
    }

    fn read(&self, name: &str) -> String {
        self.0.text(name)
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output: Output = grandstand().args(args).current_dir(self.0.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }
}

#[test]
fn a_log_becomes_a_replay_and_a_compressed_one_and_a_log_again() {
    let dir = Dir::new();
    dir.write("in.log", LOG);
    let (status, out, err) = dir.run(&["convert", "in.log", "a.replay"]);
    assert_eq!((status, &*err), (0, ""));
    assert_eq!(out, "a.replay: 6 commands, 0:00 minutes, 1 lines not understood\n");
    assert!(dir.read("a.replay").ends_with(
        "[0,\"x\",\"jump\"]\n[0,\"m\",\"now\"]\n[0.3,\"c\",\"bsay hello\"]\n[0,\"c\",\"turns 2\"]\n"
    ));
    assert_eq!(dir.run(&["convert", "a.replay", "b.replay.zst"]).0, 0);
    assert!(dir.0.read("b.replay.zst").starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    assert_eq!(dir.run(&["convert", "b.replay.zst", "c.replay"]).0, 0);
    assert_eq!(dir.read("c.replay"), dir.read("a.replay"));
    assert_eq!(dir.run(&["convert", "in.log", "d.replay.zst"]).0, 0);
    assert_eq!(dir.run(&["convert", "d.replay.zst", "out.log"]).0, 0);
    let back = dir.read("out.log");
    assert!(back.starts_with("0.000000 #gs game abalone\n0.000000 #gs match "), "{back}");
    assert!(back.ends_with(LOG), "{back}");
    let (status, out, _) =
        dir.run(&["convert", "b.replay.zst", "old.txt", "--plain", "--timestamps", "none"]);
    assert_eq!((status, &*out), (0, "old.txt: 4 lines, 0:00 minutes, 2 left out\n"));
    assert_eq!(dir.read("old.txt"), "set C~1 b0\nturns 1\nbsay hello\nturns 2\n");
    let left: Vec<_> = fs::read_dir(dir.0.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

#[test]
fn a_log_without_times_gets_a_pace() {
    let dir = Dir::new();
    dir.write("in.txt", "set A0 b0\nturns 1\nset A0 e\nturns 2\nset A0 b0\n");
    let (status, out, _) = dir.run(&["convert", "in.txt", "out.replay", "--pace", "2.5"]);
    assert_eq!(
        (status, &*out),
        (0, "out.replay: 5 commands, 0:05 minutes; the log has no times: 2.5 s a turn\n")
    );
    let file = dir.read("out.replay");
    let lines: Vec<&str> = file.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "[0,\"c\",\"set A0 b0\"]",
            "[0,\"c\",\"turns 1\"]",
            "[2.5,\"c\",\"set A0 e\"]",
            "[0,\"c\",\"turns 2\"]",
            "[2.5,\"c\",\"set A0 b0\"]"
        ]
    );
}

#[test]
fn what_can_not_be_converted_is_said_with_its_status() {
    let dir = Dir::new();
    dir.write("in.log", LOG);
    dir.write("empty.log", "");
    dir.write("no.replay", "hello\n");
    dir.write("new.replay", "{\"grandstand\":9,\"game\":\"abalone\"}\n");
    for (args, words) in [
        (&["convert", "in.log", "out.xyz"][..], "the name does not say what it is"),
        (&["convert", "in.log", "out.gif"], "pictures are made of replays"),
        (&["convert", "in.log", "out.replay", "--at", "end"], "are for pictures"),
        (&["convert", "in.log", "out.txt"], "both files are raw logs"),
        (&["convert", "gone.replay", "out.log"], "gone.replay: No such file"),
        (&["convert", "empty.log", "out.replay"], "the log is empty"),
        (&["convert", "no.replay", "out.log"], "this is not a replay"),
        (&["convert", "no.replay", "out.replay.zst"], "this is not a replay"),
        (&["convert", "new.replay", "out.log"], "version 9"),
        (&["convert", "in.log", "no/such/dir.replay"], "no/such/dir.replay: No such file"),
        (&["convert", "in.log", "out.replay", "--plain"], "--plain is for"),
        (
            &["convert", "new.replay", "out.replay.zst", "--timestamps", "clock"],
            "--timestamps is for raw logs",
        ),
        (
            &["convert", "in.log", "out.replay", "--timestamps", "sundial"],
            "expected none, seconds, clock or rfc3339",
        ),
        (&["replay", "no.replay", "--to", "127.0.0.1:1"], "this is not a replay"),
        (&["replay", "gone.replay", "--to", "127.0.0.1:1"], "gone.replay: No such file"),
        (&["replay", "no.replay", "--to", "127.0.0.1:1", "--speed", "0"], "expected a number from 0.01"),
    ] {
        let (status, out, err) = dir.run(args);
        assert_eq!((status, &*out), (2, ""), "{args:?}: {err}");
        assert!(err.contains(words), "{args:?}: {err}");
    }
    assert!(!dir.0.join("out.replay").exists(), "nothing is left of what failed");
    let (status, _, err) = dir.run(&["convert", "in.log", "./in.log"]);
    assert_eq!(status, 2, "{err}");
    assert_eq!(dir.read("in.log"), LOG);
}

#[test]
fn a_damaged_recording_is_converted_up_to_the_damage() {
    let dir = Dir::new();
    dir.write("in.replay", "{\"grandstand\":1,\"game\":\"abalone\"}\n[1,\"c\",\"turns 1\"]\n[1,\"c\",\"tur");
    for out in ["out.replay", "out.replay.zst", "out.log"] {
        let (status, _, err) = dir.run(&["convert", "in.replay", out]);
        assert_eq!(status, 1);
        assert!(
            err.contains("line 3, which begins at byte 52: the file ends in the middle of the line"),
            "{err}"
        );
    }
    assert!(dir.read("out.replay").ends_with("[1,\"c\",\"turns 1\"]\n"));
    assert!(dir.read("out.log").ends_with("1.000000 turns 1\n"));
    let whole = dir.0.read("out.replay.zst");
    dir.write("cut.replay.zst", &whole[..whole.len() - 2]);
    let (status, _, err) = dir.run(&["convert", "cut.replay.zst", "out2.replay"]);
    assert!(status != 0 && err.contains("compressed"), "{err}");
}

/// The lines that one connection receives.
fn listen(listener: TcpListener) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let mut text = String::new();
        listener.accept().unwrap().0.read_to_string(&mut text).unwrap();
        assert!(text.ends_with('\n'), "the last line is whole");
        text.lines().map(str::to_owned).collect()
    })
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

#[test]
fn a_recording_is_played_in_the_dialect_alone() {
    let dir = Dir::new();
    // Lines that are not for an old GUI: a marker, a drawing over the board, and an invalid line.
    let drawing = "0.100000 #gs overlay {\"team\":\"black\",\"by\":\"3\",\"marks\":[{\"mark\":\"dot\",\"at\":\"C-1\"}]}\n";
    dir.write("in.log", LOG.replace("0.100000 jump\n", &format!("0.100000 jump\n{drawing}")));
    for file in ["in.replay", "in.replay.zst"] {
        dir.run(&["convert", "in.log", file]);
        let (listener, address) = listener();
        let gui = listen(listener);
        let (status, out, err) = dir.run(&["replay", file, "--to", &address]);
        assert_eq!(status, 0, "{err}");
        assert!(out.starts_with("4 lines sent in 0."), "{out}");
        assert!(out.ends_with(", 3 left out\n"), "{out}");
        let lines = gui.join().unwrap();
        assert_eq!(lines, ["set C~1 b0", "turns 1", "bsay hello", "turns 2"]);
    }
}

#[test]
fn a_recording_of_weeks_is_played_faster_and_whole() {
    let dir = Dir::new();
    let result = "[1000000,\"r\",{\"winner\":null,\"termination\":\"length\"}]\n";
    dir.write(
        "in.replay",
        format!("{{\"grandstand\":1,\"game\":\"abalone\",\"title\":\"T\"}}\n[500000,\"c\",\"turns 1\"]\n[0,\"x\",\"jump\"]\n{result}"),
    );
    let (listener, address) = listener();
    let gui = listen(listener);
    let args =
        ["replay", "in.replay", "--to", &address, "--extensions", "--speed", "100", "--idle-max", "10"];
    let (status, _, err) = dir.run(&args);
    assert_eq!(status, 0, "{err}");
    let text: Vec<String> = gui.join().unwrap();
    assert_eq!(text.len(), 5, "{text:?}");
    assert_eq!(text[0], "#gs game abalone");
    assert!(text[1].starts_with("#gs match {\"title\":\"T\""), "{}", text[1]);
    assert_eq!(text[2..4], ["turns 1", "jump"]);
    assert!(text[4].starts_with("#gs result {"), "{}", text[4]);
}

#[test]
fn a_gui_that_is_not_there_goes_away_or_stalls_is_reported() {
    let dir = Dir::new();
    let mut file = "{\"grandstand\":1,\"game\":\"abalone\"}\n".to_owned();
    for turn in 0..50 {
        file += &format!("[0.05,\"c\",\"turns {turn}\"]\n");
    }
    dir.write("in.replay", &file);
    let (none, address) = listener();
    drop(none);
    let (status, _, err) = dir.run(&["replay", "in.replay", "--to", &address, "--wait", "0.5"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("no connection within"), "{err}");
    let (gone, address) = listener();
    let gui = thread::spawn(move || drop::<TcpStream>(gone.accept().unwrap().0));
    let (status, out, err) = dir.run(&["replay", "in.replay", "--to", &address]);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("was dropped: the connection is gone"), "{err}");
    assert!(out.contains("lines sent"), "{out}");
    gui.join().unwrap();
    // Far more than the sockets can hold.
    let big = "x".repeat(60_000);
    let mut file = "{\"grandstand\":1,\"game\":\"abalone\"}\n".to_owned();
    for _ in 0..600 {
        file += &format!("[0,\"c\",\"bsay {big}\"]\n");
    }
    dir.write("big.replay", &file);
    let (stalled, address) = listener();
    let gui = thread::spawn(move || stalled.accept().unwrap().0);
    let (status, _, err) = dir.run(&["replay", "big.replay", "--to", &address]);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("was dropped: it has stalled"), "{err}");
    // It has read nothing.
    drop(gui.join().unwrap());
}

#[test]
fn a_damaged_recording_is_played_up_to_the_damage() {
    let dir = Dir::new();
    dir.write("in.replay", "{\"grandstand\":1,\"game\":\"abalone\"}\n[0,\"c\",\"turns 1\"]\n[0,\"c\",");
    let (listener, address) = listener();
    let gui = listen(listener);
    let (status, _, err) = dir.run(&["replay", "in.replay", "--to", &address]);
    assert_eq!(status, 1);
    assert!(err.contains("in.replay is damaged and is played up to there: line 3"), "{err}");
    assert_eq!(gui.join().unwrap().len(), 1);
}

#[cfg(feature = "export")]
#[test]
fn a_recording_becomes_pictures_without_a_display() {
    let dir = Dir::new();
    dir.write("in.log", "turns 1\nset E2 b0\nset E4 w1\nturns 2\nset E2 e\nset E3 b0\nturns 3\n");
    assert_eq!(dir.run(&["convert", "in.log", "a.replay"]).0, 0);
    let small = ["--size", "96x80"];
    for (args, begin) in [
        (&["a.png", "--at", "3"][..], &b"\x89PNG\r\n\x1a\n"[..]),
        (&["a.svg", "--at", "0:00", "--theme", "light"], b"<svg xmlns"),
        (&["a.gif", "--from", "1", "--to", "5", "--speed", "4"], b"GIF89a"),
        (&["a.apng", "--fps", "10", "--idle", "none"], b"\x89PNG\r\n\x1a\n"),
    ] {
        let all: Vec<&str> = ["convert", "a.replay"].iter().chain(args).chain(&small).copied().collect();
        let (status, out, err) = dir.run(&all);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert!(out.contains("KB"), "{out}");
        let made = dir.0.read(args[0]);
        assert!(made.starts_with(begin), "{args:?}");
    }
    for (args, words) in [
        (&["b.png", "--at", "99"][..], "there is no command 99"),
        (&["b.png", "--size", "7x7"], "WIDTHxHEIGHT"),
        (&["b.gif", "--at", "3"], "--at is for .png and .svg"),
        (&["b.svg", "--fps", "3"], "are for ranges"),
        (&["b.gif", "--speed", "3"], "expected 0.25"),
        (&["b.gif", "--from", "soon"], "moment `soon`"),
        (&["b.png", "--theme", "pink"], "dark or light"),
    ] {
        let all: Vec<&str> = ["convert", "a.replay"].iter().chain(args).copied().collect();
        let (status, _, err) = dir.run(&all);
        assert_eq!(status, 2, "{args:?} {err}");
        assert!(err.contains(words), "{err}");
        assert!(!dir.0.join(args[0]).exists(), "{args:?}");
    }
}

//! Timing tests. The only tests that assert elapsed time, in a program of their own, so that no other test runs at the
//! same time: one after the other, with bounds that a busy machine keeps.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use grandstand::peer::{Peer, PeerError, PeerLimits};
use grandstand_testing::{Folder, Serve};

/// Lock for one test at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    // The failure of another test does not matter.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn grandstand() -> Command {
    Command::new(env!("CARGO_BIN_EXE_grandstand"))
}

fn serve(data: &Folder, more: &[&str]) -> Serve {
    let mut command = grandstand();
    command.args(["serve", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data"]).arg(data.path());
    Serve::launch(command.args(more))
}

/// Plays ten turns of a match; returns the output and the duration.
fn play(more: &[&str]) -> (Output, Duration) {
    let began = Instant::now();
    let mut command = grandstand();
    command.args(["play", "abalone", "random", "idle", "--game-length", "20000", "--seed", "4"]);
    (command.args(more).output().unwrap(), began.elapsed())
}

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// The lines that one connection receives, each with its time since the first.
fn lines(listener: TcpListener) -> thread::JoinHandle<Vec<(Duration, String)>> {
    thread::spawn(move || {
        let lines = BufReader::new(listener.accept().unwrap().0).lines();
        let began = Instant::now();
        lines.map(|line| (began.elapsed(), line.unwrap())).collect()
    })
}

#[test]
fn a_paced_match_keeps_its_pace_when_guis_misbehave() {
    let _alone = alone();
    let ((good, address), (stalled, stalls), (leaving, leaves)) = (listener(), listener(), listener());
    let good = lines(good);
    let leaver = thread::spawn(move || {
        leaving.accept().unwrap().0.read_exact(&mut [0; 100]).unwrap();
    });
    let guis = ["--gui", &stalls, "--gui", &leaves, "--gui", &address, "--gui", "127.0.0.1:1"];
    let (output, took) = play(&[&["--pace", "0.1", "--connect-wait", "0.5"][..], &guis].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains(&format!("{leaves} was dropped: the connection is gone")), "{errors}");
    assert!(errors.contains("127.0.0.1:1 was dropped: no connection within 0 s"), "{errors}");
    assert!(errors.contains("waiting up to 0.5 s for 127.0.0.1:1"), "{errors}");
    assert!(errors.contains(&format!("connected to {stalls}")), "{errors}");
    leaver.join().unwrap();
    drop(stalled);
    assert!(good.join().unwrap().iter().any(|(_, line)| line == "turns 10"));
    // Ten turns of 0.1 s, half a second for the absent peer, and at most the time limit of the stalled one.
    assert!(took > Duration::from_secs(1) && took < Duration::from_secs(12), "{took:?}");
}

#[test]
fn a_paced_match_takes_its_time() {
    let _alone = alone();
    let (listener, address) = listener();
    let gui = lines(listener);
    let (output, took) = play(&["--pace", "0.05", "--gui", &address]);
    assert!(output.status.success() && took >= Duration::from_millis(500), "{took:?}");
    assert!(gui.join().unwrap().iter().any(|(_, line)| line == "turns 10"));
}

fn replay(recording: &str, more: &[&str]) -> (Vec<(Duration, String)>, Duration) {
    let folder = Folder::new();
    let file = folder.file("in.replay", recording);
    let (listener, address) = listener();
    let gui = lines(listener);
    let began = Instant::now();
    let output = grandstand().arg("replay").arg(file).args(["--to", &address]).args(more).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (gui.join().unwrap(), began.elapsed())
}

const HEADER: &str = "{\"grandstand\":1,\"game\":\"abalone\"}\n";

#[test]
fn a_recording_keeps_its_pauses() {
    let _alone = alone();
    let (lines, _) = replay(&format!("{HEADER}[0.1,\"c\",\"turns 1\"]\n[0.3,\"c\",\"turns 2\"]\n"), &[]);
    let pause = lines[1].0 - lines[0].0;
    assert!(pause >= Duration::from_millis(200), "{pause:?}");
}

#[test]
fn a_recording_is_played_faster() {
    let _alone = alone();
    let text = format!("{HEADER}[50,\"c\",\"turns 1\"]\n[100,\"c\",\"turns 2\"]\n");
    let (lines, took) = replay(&text, &["--speed", "100", "--idle-max", "10"]);
    assert!(lines.len() == 2 && took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn a_peer_that_reads_nothing_is_dropped_without_waiting_for_it() {
    let _alone = alone();
    let (listener, address) = listener();
    let limits =
        PeerLimits { connect: Duration::from_secs(5), stall: Duration::from_secs(60), queue_bytes: 64 << 10 };
    let peer = Peer::open(&address, limits, |_| {}).unwrap();
    peer.wait_open().unwrap();
    let _never_read: TcpStream = listener.accept().unwrap().0;
    let chunk = "set B~2 w4\n".repeat(1_000).into_bytes().into();
    let mut slowest = Duration::ZERO;
    let error = loop {
        let began = Instant::now();
        let sent = peer.send(&chunk, Duration::ZERO);
        slowest = slowest.max(began.elapsed());
        match sent {
            Ok(()) => thread::sleep(Duration::from_micros(200)),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, PeerError::Stalled(_)), "{error}");
    assert!(slowest < Duration::from_millis(250), "a send took {slowest:?}");
    assert_eq!(peer.finish(), Err(error));
}

#[test]
fn lines_that_come_too_fast_are_read_more_slowly() {
    let _alone = alone();
    let data = Folder::new();
    let server = serve(&data, &["--limit", "lines-per-second=2000"]);
    let began = Instant::now();
    // The burst is two seconds' worth; the rest is delayed, and nothing is lost.
    let mut game = server.draw(&"turns 1\n".repeat(5000));
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 5000));
    game.write_all(b"turns 2\n").unwrap();
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 5001));
    assert!(began.elapsed() > Duration::from_millis(400), "{:?}", began.elapsed());
}

#[test]
fn a_peer_is_given_up_in_the_time_that_it_has() {
    let _alone = alone();
    let (gone, address) = listener();
    drop(gone);
    let limits = PeerLimits {
        connect: Duration::from_millis(600),
        stall: Duration::from_millis(500),
        queue_bytes: 64 << 20,
    };
    let began = Instant::now();
    let peer = Peer::open(&address, limits.clone(), |_| {}).unwrap();
    assert!(matches!(peer.wait_open(), Err(PeerError::Unreachable { .. })));
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());

    let (listener, address) = listener();
    let peer = Peer::open(&address, limits, |_| {}).unwrap();
    peer.wait_open().unwrap();
    let _never_read = listener.accept().unwrap().0;
    peer.send(&vec![b'x'; 32 << 20].into(), Duration::ZERO).unwrap();
    let began = Instant::now();
    assert!(matches!(peer.finish(), Err(PeerError::Stalled(_))));
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn what_is_not_http_is_told_so_at_once() {
    let _alone = alone();
    let data = Folder::new();
    let server = serve(&data, &[]);
    for text in ["set B~2 w4\nbsay hello\n", "\0\x01\x02\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let began = Instant::now();
        let mut stream = TcpStream::connect(server.http).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 400", "{text:?}");
        assert!(began.elapsed() < Duration::from_secs(5), "{text:?}: {:?}", began.elapsed());
    }
}

//! Spectators that send as fast as they can: they are closed, and nobody else is affected.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use grandstand_testing::{Folder, PATIENCE, Serve};
use rustix::process::Signal;

use crate::program::serve;

/// An empty pong, and a message of one letter, both with a zero mask.
const PONG: &[u8] = b"\x8a\x80\0\0\0\0";
const TEXT: &[u8] = b"\x81\x81\0\0\0\0x";
/// Maximum time of a flood, if it is not ended.
const FLOOD: Duration = PATIENCE.saturating_mul(2);
/// Lines of the watched match, and the interval between them.
const LINES: u32 = 300;
const PACE: Duration = Duration::from_millis(10);

/// A websocket of a match; its greeting is unread.
fn watch(http: SocketAddr, id: &str) -> TcpStream {
    let mut stream = TcpStream::connect(http).unwrap();
    write!(
        stream,
        "GET /api/matches/{id}/live HTTP/1.1\r\nHost: {http}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .unwrap();
    stream
}

/// Sends one frame repeatedly until the server closes; returns what the server sent.
fn flood(mut stream: TcpStream, frame: &[u8], over: &AtomicBool) -> Vec<u8> {
    let mut reader = stream.try_clone().unwrap();
    stream.set_write_timeout(Some(FLOOD)).unwrap();
    reader.set_read_timeout(Some(PATIENCE)).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let frames = frame.repeat(2000);
            let began = Instant::now();
            while began.elapsed() < FLOOD
                && !over.load(Ordering::Relaxed)
                && stream.write_all(&frames).is_ok()
            {}
        });
        let mut received = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return received,
                Ok(n) => received.extend_from_slice(&buffer[..n]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return received,
            }
        }
    })
}

/// The delays of a match's lines to a spectator, sorted.
fn delays(server: &Serve, game: &mut TcpStream, watcher: &mut TcpStream) -> Vec<Duration> {
    let mut delays = Vec::new();
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    watcher.set_read_timeout(Some(PATIENCE)).unwrap();
    for line in 0..LINES {
        let sent = Instant::now();
        let mark = format!("line {line} of {:?}", server.lines);
        writeln!(game, "bsay {mark}").unwrap();
        while !received.windows(mark.len()).any(|w| w == mark.as_bytes()) {
            let n = watcher.read(&mut buffer).unwrap();
            assert!(n > 0, "an honest spectator is closed");
            received.extend_from_slice(&buffer[..n]);
        }
        received.clear();
        delays.push(sent.elapsed());
        std::thread::sleep(PACE.saturating_sub(sent.elapsed()));
    }
    delays.sort_unstable();
    delays
}

fn in_words(delays: &[Duration]) -> String {
    let at = |percent: usize| delays[(delays.len() - 1) * percent / 100];
    format!("p50 {:?}, p99 {:?}, longest {:?}", at(50), at(99), at(100))
}

/// A live and a finished match, as targets.
fn matches(server: &Serve) -> (TcpStream, [String; 2]) {
    let live = server.draw("turns 1\n");
    server.matches(|list| list.len() == 1 && list[0]["seq"] == 1);
    let _finished = server.draw("turns 1\n#gs result {\"termination\":\"draw\"}\n");
    let list = server.matches(|list| list.len() == 2 && list[0]["state"] == "finished");
    (live, [1, 0].map(|at: usize| list[at]["id"].as_str().unwrap().to_owned()))
}

#[test]
fn fifty_flooders_are_closed_and_slow_no_other_match() {
    let data = Folder::new();
    let server = serve(data.path());
    let (_live, ids) = matches(&server);
    let mut game = server.draw("turns 1\n");
    let list = server.matches(|list| list.len() == 3 && list[0]["seq"] == 1);
    let mut watcher = watch(server.http, list[0]["id"].as_str().unwrap());
    println!("quiet: {}", in_words(&delays(&server, &mut game, &mut watcher)));

    let over = Arc::new(AtomicBool::new(false));
    let flooders: Vec<_> = (0..50)
        .map(|n| {
            let stream = watch(server.http, &ids[n % 2]);
            let over = over.clone();
            std::thread::spawn(move || flood(stream, if n % 4 < 2 { PONG } else { TEXT }, &over))
        })
        .collect();
    println!("beside 50 flooders: {}", in_words(&delays(&server, &mut game, &mut watcher)));
    assert_eq!(server.get("/healthz"), "ok\n");
    over.store(true, Ordering::Relaxed);
    let closed = b"\x88\x13\x03\xf0too many messages";
    for (n, flooder) in flooders.into_iter().enumerate() {
        let received = flooder.join().unwrap();
        // The websocket of a finished match may have been closed by its end before the flood began.
        let finished = n % 2 == 1 && received.ends_with(b"the match is over");
        assert!(received.ends_with(closed) || finished, "{n}: {}", String::from_utf8_lossy(&received));
    }
    assert_eq!(server.stop(Signal::TERM).status.code(), Some(0));
}

#[test]
fn flooders_do_not_keep_the_server_from_stopping() {
    let data = Folder::new();
    let server = serve(data.path());
    let (_live, ids) = matches(&server);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for id in ids.iter().cycle().take(4) {
            let stream = watch(server.http, id);
            scope.spawn(|| flood(stream, TEXT, &over));
        }
        // A game server that continues after its result.
        let mut game = server.draw("turns 1\n#gs result {\"termination\":\"draw\"}\n");
        let enough = &over;
        scope.spawn(move || {
            let lines = vec![b'\n'; 1 << 20];
            while !enough.load(Ordering::Relaxed) && game.write_all(&lines).is_ok() {}
        });
        std::thread::sleep(Duration::from_millis(500));
        // That is, before the floods end by themselves.
        assert_eq!(server.stop(Signal::TERM).status.code(), Some(0));
        over.store(true, Ordering::Relaxed);
    });
}

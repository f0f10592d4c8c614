//! Drawing a match over real sockets: the bytes that arrive, and misbehaving peers.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use grandstand::peer::{Peer, PeerError, PeerLimits};
use grandstand_testing::until_some;

fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

fn limits() -> PeerLimits {
    PeerLimits { connect: Duration::from_secs(5), stall: Duration::from_millis(500), queue_bytes: 64 << 10 }
}

fn open(address: &str, limits: PeerLimits) -> Peer {
    Peer::open(address, limits, |_| {}).unwrap()
}

fn bytes(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}

#[test]
fn a_peer_gets_every_byte_in_order_also_those_sent_last() {
    let (listener, address) = listener();
    let reader = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        // It sends a line that nobody reads, and reads late.
        stream.write_all(b"hello?\n").unwrap();
        thread::sleep(Duration::from_millis(100));
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    });
    let peer = open(&address, limits());
    assert_eq!(peer.wait_open(), Ok(()));
    let lines: Vec<String> = (0..2_000).map(|n| format!("turns {n}\n")).collect();
    for line in &lines {
        peer.send(&bytes(line), Duration::from_secs(5)).unwrap();
    }
    assert_eq!(peer.finish(), Ok(()));
    assert_eq!(reader.join().unwrap(), lines.concat());
}

#[test]
fn connecting_is_tried_until_the_peer_is_there() {
    let (listener, address) = listener();
    drop(listener);
    let (told, waiting) = mpsc::channel();
    let peer = Peer::open(&address, limits(), move |cause| told.send(cause.to_owned()).unwrap()).unwrap();
    let cause = waiting.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(cause.to_lowercase().contains("refused"), "{cause}");
    let listener = TcpListener::bind(&address).unwrap();
    assert_eq!(peer.wait_open(), Ok(()));
    listener.accept().unwrap();
    assert!(waiting.try_recv().is_err(), "it is told once");
}

#[test]
fn a_peer_that_is_not_there_is_given_up() {
    let (listener, address) = listener();
    drop(listener);
    let peer = open(&address, PeerLimits { connect: Duration::from_millis(600), ..limits() });
    let error = peer.wait_open().unwrap_err();
    assert!(matches!(error, PeerError::Unreachable { .. }), "{error}");
    assert_eq!(peer.send(&bytes("turns 1\n"), Duration::ZERO), Err(error));
    let unknown =
        open("no-such-host.invalid:3126", PeerLimits { connect: Duration::from_millis(300), ..limits() });
    assert!(matches!(unknown.wait_open(), Err(PeerError::Unreachable { .. })));
}

#[test]
fn a_peer_that_stalls_is_dropped_though_little_is_sent() {
    let (listener, address) = listener();
    let peer = open(&address, PeerLimits { queue_bytes: 64 << 20, ..limits() });
    peer.wait_open().unwrap();
    let _never_read = listener.accept().unwrap().0;
    // More than the two sockets can hold, less than the queue.
    peer.send(&vec![b'x'; 32 << 20].into(), Duration::ZERO).unwrap();
    let error = until_some("it is noticed", || peer.send(&bytes("turns 1\n"), Duration::ZERO).err());
    assert!(matches!(error, PeerError::Stalled(_)), "{error}");
}

#[test]
fn a_peer_that_goes_away_is_noticed() {
    let (listener, address) = listener();
    let peer = open(&address, limits());
    peer.wait_open().unwrap();
    drop(listener.accept().unwrap());
    let error = until_some("it is noticed", || peer.send(&bytes("turns 1\n"), Duration::ZERO).err());
    assert!(matches!(error, PeerError::Gone(_)), "{error}");
}

#[test]
fn a_queue_that_is_full_may_be_waited_for() {
    let (listener, address) = listener();
    let reader = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        thread::sleep(Duration::from_millis(300));
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        all.len()
    });
    let peer = open(&address, PeerLimits { stall: Duration::from_secs(5), queue_bytes: 1 << 10, ..limits() });
    peer.wait_open().unwrap();
    for _ in 0..2_000 {
        peer.send(&vec![b'\n'; 10_000].into(), Duration::from_secs(5)).unwrap();
    }
    peer.finish().unwrap();
    assert_eq!(reader.join().unwrap(), 20_000_000);
}

#[test]
fn finishing_does_not_wait_for_ever() {
    let (listener, address) = listener();
    let peer = open(&address, PeerLimits { queue_bytes: 64 << 20, ..limits() });
    peer.wait_open().unwrap();
    let _never_read = listener.accept().unwrap().0;
    peer.send(&vec![b'x'; 32 << 20].into(), Duration::ZERO).unwrap();
    assert!(matches!(peer.finish(), Err(PeerError::Stalled(_))));
}

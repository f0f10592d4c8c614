//! `run --bridge`: games are drawn over a bridge, without effect on the tournament.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::thread;

use super::{Cup, league};

/// The standings of a tournament, drawn over a bridge if `bridge` is given.
fn standings(bridge: Option<&str>) -> String {
    let cup = Cup::new(&league(2));
    let bridge = bridge.map(|address| ["--bridge", address]);
    let args: Vec<&str> = ["run", "cup.toml"].into_iter().chain(bridge.into_iter().flatten()).collect();
    cup.told(&args);
    cup.told(&["standings", "cup.db"])
}

#[test]
fn games_are_drawn_with_their_players_and_results() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let heard = thread::spawn(move || {
        let mut text = String::new();
        BufReader::new(listener.accept().unwrap().0).read_to_string(&mut text).unwrap();
        text
    });
    standings(Some(&address));
    let text = heard.join().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "#gs game gomoku");
    assert!(lines[1].starts_with("#gs match ") && lines[1].contains(" – "), "{}", lines[1]);
    assert!(lines.iter().any(|line| line.starts_with("move ")), "{text}");
    assert!(lines.last().unwrap().starts_with("#gs result "), "{text}");
}

#[test]
fn a_stalled_or_absent_bridge_changes_nothing() {
    let alone = standings(None);
    // A peer that accepts, reads one line, and never reads again.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        let mut stalled: Vec<BufReader<TcpStream>> = Vec::new();
        for stream in listener.incoming() {
            let mut stream = BufReader::with_capacity(1, stream.unwrap());
            stream.read_line(&mut String::new()).unwrap();
            stalled.push(stream);
        }
    });
    assert_eq!(standings(Some(&address)), alone);
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    assert_eq!(standings(Some(&nobody)), alone);
}

//! `grandstand` alone, where there is no display: it serves, plays, records, and says where to watch.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

#[test]
fn without_a_display_it_says_where_the_match_is_to_be_watched() {
    let directory = std::env::temp_dir().join(format!("grandstand-demo-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut demo = Command::new(env!("CARGO_BIN_EXE_grandstand"))
        .current_dir(&directory)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = String::new();
    let mut lines = BufReader::new(demo.stderr.take().unwrap()).lines();
    let url = loop {
        let line = lines.next().unwrap_or_else(|| panic!("it ended without an address: {told}")).unwrap();
        if let Some(url) = line.strip_prefix("Watch the match at ") {
            break url.to_owned();
        }
        told += &line;
    };

    let (address, query) = url.strip_prefix("http://").unwrap().split_once("/?match=").unwrap();
    let mut http = TcpStream::connect(address).unwrap();
    write!(http, "GET /api/matches/{query} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    http.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(r#""game":"abalone""#) && answer.contains(r#""state":"live""#), "{answer}");

    kill_process(Pid::from_child(&demo), Signal::INT).unwrap();
    assert!(demo.wait().unwrap().success());
    let recorded = std::fs::read_dir(directory.join("grandstand-data")).unwrap().any(|file| {
        let name = file.unwrap().file_name();
        name.to_string_lossy().starts_with(query)
    });
    assert!(recorded, "no recording of {query}");
    std::fs::remove_dir_all(&directory).unwrap();
}

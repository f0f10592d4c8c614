//! The data directory with foreign content: other files, much work at the start, or missing.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use grandstand_testing::{Folder, PATIENCE};
use rustix::process::Signal;

use super::support::TestServer;
use crate::program::serve;

const HEADER: &str = "{\"grandstand\":1,\"game\":\"abalone\",\"title\":\"Kept\"}\n";
const OVER: &str = "[1,\"c\",\"turns 1\"]\n[1,\"c\",\"turns 2\"]\n\
                    [0,\"r\",{\"winner\":\"black\",\"termination\":\"score\"}]\n\
                    [0,\"e\",{\"state\":\"finished\",\"seq\":2}]\n";

fn titles(list: &[Value]) -> Vec<&str> {
    list.iter().map(|summary| summary["title"].as_str().unwrap()).collect()
}

fn count(log: &[u8], words: &str) -> usize {
    String::from_utf8_lossy(log).matches(words).count()
}

#[test]
fn what_is_no_recording_is_not_waited_for_and_said_once() {
    let data = Folder::new();
    let at = |name: &str| data.path().join(name);
    std::fs::write(at("good.replay"), format!("{HEADER}{OVER}")).unwrap();
    for name in ["pipe.replay", "packed.replay.zst", "part.replay.zst.part"] {
        assert!(Command::new("mkfifo").arg(at(name)).status().unwrap().success());
    }
    let _socket = UnixListener::bind(at("socket.replay")).unwrap();
    std::fs::create_dir(at("directory.replay")).unwrap();
    symlink("loop.replay", at("loop.replay")).unwrap();
    symlink("/dev/zero", at("zero.replay")).unwrap();
    std::fs::write(at("text.replay"), "no recording\n").unwrap();
    let mut bad = 7;
    if cfg!(target_os = "linux") {
        // A file that can be opened and not read.
        symlink("/proc/self/mem", at("broken.replay")).unwrap();
        bad += 1;
    }
    let server = serve(data.path());
    for _ in 0..3 {
        assert_eq!(titles(&server.matches(|_| true)), ["Kept"]);
        assert!(server.get("/api/matches/pipe").contains("no such match"));
    }
    let stopped = server.stop(Signal::TERM);
    assert_eq!(stopped.status.code(), Some(0));
    assert_eq!(count(&stopped.stderr, "can't be listed"), bad);
}

/// A compressed recording of a few megabytes that decompresses to a header and fifty gigabytes of blank lines.
fn bomb() -> Vec<u8> {
    let block = |kind: u32, size: usize| ((size as u32) << 3 | kind << 1).to_le_bytes()[..3].to_vec();
    // A window of a megabyte, no checksum; a raw block; blocks of one repeated byte, 128 KiB long.
    let mut bomb = vec![0x28, 0xB5, 0x2F, 0xFD, 0, 0x50];
    bomb.extend([&block(0, HEADER.len()), HEADER.as_bytes()].concat());
    let run = [&block(1, 128 << 10)[..], b"\n"].concat();
    bomb.extend(run.repeat(400_000));
    bomb
}

#[tokio::test]
async fn endless_recordings_are_listed_by_their_beginning() {
    let data = Folder::new();
    std::fs::write(data.path().join("bomb.replay.zst"), bomb()).unwrap();
    let server = TestServer::on(data, |config| config.history.summary = 1 << 20);
    let lists = [(); 8].map(|()| server.json("/api/matches"));
    let lists = futures_util::future::join_all(lists).await;
    for list in &lists {
        assert_eq!(titles(list.as_array().unwrap()), ["Kept"]);
        assert_eq!(list[0]["state"], "interrupted");
    }
    assert_eq!(server.metric("grandstand_summaries_read_total").await, 1.0);
}

async fn until(condition: impl Fn() -> bool) {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while !condition() {
        assert!(tokio::time::Instant::now() < deadline, "it does not come true");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn what_was_over_is_compressed_after_the_next_start() {
    let data = Folder::new();
    let at = |name: &str| data.path().join(name);
    std::fs::write(at("over.replay"), format!("{HEADER}{OVER}")).unwrap();
    std::fs::write(at("cut.replay"), format!("{HEADER}[1,\"c\",\"turns 1\"]\n")).unwrap();
    std::fs::write(at("over.replay.zst.part"), "half").unwrap();
    std::fs::write(at("gone.replay.zst.part"), "half").unwrap();
    let names = |path: &Path| {
        let names = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.filter(|name| name != ".lock").collect();
        names.sort();
        names
    };
    let path = data.path().to_owned();
    let server = TestServer::on(data, |_| {});
    until(|| names(&path) == ["cut.replay", "over.replay.zst"]).await;
    let text = server.get("/api/matches/over/replay").await.2;
    assert!(text.ends_with(OVER), "{text}");
    let data = server.stop().await;

    // The ending is known without scanning the recording.
    let server = TestServer::on(data, |config| config.history.summary = 1);
    let summary = server.json("/api/matches/over").await;
    assert_eq!((&summary["state"], &summary["seq"]), (&json!("finished"), &json!(2)));
    assert_eq!(summary["result"], json!({"winner": "black", "termination": "score"}));
}

#[test]
fn a_directory_that_comes_back_is_taken_again() {
    let data = Folder::new();
    let server = serve(data.path());
    let _first = server.draw("turns 1\n");
    server.matches(|list| list.first().is_some_and(|m| m["seq"] == 1));
    server.metric("grandstand_recording", |recording| recording == 1.0);
    std::fs::remove_dir_all(data.path()).unwrap();
    server.metric("grandstand_recording", |recording| recording == 0.0);
    let _second = server.draw("turns 1\nturns 2\n");
    server.matches(|list| list.len() == 2 && list[0]["seq"] == 2);

    std::fs::create_dir(data.path()).unwrap();
    server.metric("grandstand_recording", |recording| recording == 1.0);
    let _third = server.draw("turns 1\nturns 2\nturns 3\n#gs result {\"termination\":\"draw\"}\n");
    let list = server.matches(|list| list.len() == 3 && list[0]["state"] == "finished");
    let id = list[0]["id"].as_str().unwrap();
    assert!(server.get(&format!("/api/matches/{id}/replay")).contains("turns 3"));
    let stopped = server.stop(Signal::TERM);
    assert_eq!(stopped.status.code(), Some(0));
    assert_eq!(count(&stopped.stderr, "the data directory is gone"), 1);
    assert_eq!(count(&stopped.stderr, "matches are recorded again"), 1);
}

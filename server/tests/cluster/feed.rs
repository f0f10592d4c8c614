//! Matches that are drawn at an origin, one after another: command number `n` is `turns n`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use grandstand_testing::{http, until_some};
use serde_json::Value;

/// Interval of the lines.
const PACE: Duration = Duration::from_millis(10);

/// A game server of an origin. Another match begins when the origin was killed.
pub(crate) struct Feed {
    title: Arc<Mutex<String>>,
    drawing: JoinHandle<BTreeMap<String, u64>>,
}

impl Feed {
    pub(crate) fn start(lines: SocketAddr, over: Arc<AtomicBool>) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let title = Arc::new(Mutex::new(String::new()));
        let name = title.clone();
        let drawing = thread::spawn(move || {
            let mut drawn = BTreeMap::new();
            while !over.load(Ordering::Relaxed) {
                let Ok(mut stream) = TcpStream::connect(lines) else {
                    thread::sleep(PACE);
                    continue;
                };
                let title = format!("match {}", NUMBER.fetch_add(1, Ordering::Relaxed));
                name.lock().unwrap().clone_from(&title);
                let mut sent = stream.write_all(format!("#gs match {{\"title\":\"{title}\"}}\n").as_bytes());
                let mut turn = 0;
                while sent.is_ok() && !over.load(Ordering::Relaxed) {
                    turn += 1;
                    sent = stream.write_all(format!("turns {turn}\n").as_bytes());
                    thread::sleep(PACE);
                }
                if sent.is_ok() {
                    let result = b"#gs result {\"winner\":null,\"termination\":\"score\"}\n";
                    // The origin may be killed in this moment; then the recording has fewer commands, which is found.
                    let _ = stream.write_all(result);
                }
                drawn.insert(title, turn);
            }
            drawn
        });
        Self { title, drawing }
    }

    /// Title of the match that is drawn now.
    pub(crate) fn last_title(&self) -> String {
        self.title.lock().unwrap().clone()
    }

    /// The number of lines of each match by its title.
    pub(crate) fn finish(self) -> BTreeMap<String, u64> {
        self.drawing.join().unwrap()
    }
}

/// Checks the recordings of an origin: each has its lines from the first on, and those that lasted have all. Returns their
/// number.
pub(crate) fn assert_recorded(
    origin: SocketAddr,
    drawn: &BTreeMap<String, u64>,
    lasting: &[String],
) -> usize {
    let address = origin.to_string();
    let list = until_some("no match is live", || {
        let list: Vec<Value> =
            serde_json::from_str(&http::get(&address, "/api/matches?limit=1000").body).ok()?;
        list.iter().all(|entry| entry["state"] != "live").then_some(list)
    });
    for entry in &list {
        let (id, title) = (entry["id"].as_str().unwrap(), entry["title"].as_str().unwrap());
        let replay = http::get(&address, &format!("/api/matches/{id}/replay")).body;
        let lines = replay.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let commands: Vec<String> =
            lines.filter(|line| line[1] == "c").map(|line| line[2].as_str().unwrap().to_owned()).collect();
        let count = commands.len() as u64;
        assert!(commands.into_iter().eq((1..=count).map(|turn| format!("turns {turn}"))), "{title}");
        if lasting.iter().any(|lasting| lasting == title) {
            assert_eq!(count, drawn[title], "{title} has all lines");
        }
    }
    list.len()
}

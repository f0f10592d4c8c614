//! Cost of an exported picture: of half a minute of a match of each game, milliseconds a frame and the size of the file.
//!
//! `cargo bench -p grandstand-export --bench export`

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use grandstand_export::{Job, Look, Match, Moment, Plan, Range, What};
use grandstand_protocol::Micros;
use grandstand_replays::{Limits, Replay};

const SAMPLES: [(&str, &str); 6] = [
    ("abalone", "team-team.replay"),
    ("shark", "shark-stupidbot-stupidbot.replay.zst"),
    ("fortress", "fortress-strong-strong.replay.zst"),
    ("gomoku", "gomoku-stupid-stupid.replay"),
    ("pente", "pente-stupid-stupid.replay"),
    ("riskless", "riskless-alphabeta-random.replay"),
];
const SECS: u64 = 30;

fn main() {
    let mut out = std::io::stdout();
    let mut say = |words: String| writeln!(out, "{words}").expect("somebody who reads");
    // What cargo asks every benchmark for when it only looks whether it runs.
    let games = if std::env::args().any(|word| word == "--test") { 1 } else { SAMPLES.len() };
    for (game, name) in SAMPLES.into_iter().take(games) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name);
        let replay =
            Replay::open(&std::fs::read(path).expect("a sample"), Limits::default()).expect("a replay");
        let end = replay.log().end_time().min(Micros(SECS * 1_000_000));
        let range = Range { to: Moment::Time(end), idle: None, ..Range::default() };
        for size in ["640x480", "1280x960"] {
            for (form, what) in [
                ("png", What::Png(Moment::Time(end))),
                ("gif", What::Gif(range)),
                ("apng", What::Apng(range)),
            ] {
                let plan = Plan { what, size: size.parse().expect("a size"), look: Look::dark() };
                let began = Instant::now();
                let (frames, bytes, longest) = made(&replay, plan);
                let secs = began.elapsed().as_secs_f64();
                let frames = if form == "png" {
                    1
                } else if form == "gif" {
                    frames / 2
                } else {
                    frames
                };
                say(format!(
                    "{game:8} {size:8} {form:4} {frames:4} frames {:6.2} ms a frame {secs:6.2} s {:6} KB, the longest step {longest:.1} ms",
                    secs * 1e3 / frames as f64,
                    bytes.div_ceil(1000),
                ));
            }
        }
    }
}

/// Makes the picture; how many steps it says it has, the bytes of the file, and the milliseconds of the longest step.
fn made(replay: &Replay, plan: Plan) -> (u64, usize, f64) {
    let of = Match::of(replay);
    let mut job = Job::new(of, plan, std::io::Cursor::new(Vec::new())).expect("a plan");
    let mut longest: f64 = 0.0;
    while !job.is_done() {
        let began = Instant::now();
        job.step(of).expect("a step");
        longest = longest.max(began.elapsed().as_secs_f64() * 1e3);
    }
    (job.progress().all, job.finish().expect("written").into_inner().len(), longest)
}

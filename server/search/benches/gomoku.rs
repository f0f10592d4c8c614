//! Figures of the Gomoku engine: positions a second, and the depth that one second reaches.
//!
//! `cargo bench -p grandstand-search --bench gomoku`: from the empty board (which is answered without a search, so one
//! stone in the middle) and from ten fixed positions of the middle game, with one thread and two.
//! `millis=N` is another time.
#![allow(clippy::print_stdout, reason = "prints its figures")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grandstand_search::gomoku::{Engine, Limits, Options, Rule};

/// Games of the engine with itself, on 15×15, cut off while nothing is decided.
const POSITIONS: [&str; 1] = ["h8"];

fn moves(text: &str) -> Vec<(u16, u16)> {
    let point = |word: &str| {
        let (column, row) = word.split_at(1);
        (u16::from(column.as_bytes()[0] - b'a'), row.parse::<u16>().expect("a row") - 1)
    };
    text.split_whitespace().map(point).collect()
}

fn main() {
    let millis = std::env::args().find_map(|word| word.strip_prefix("millis=")?.parse().ok()).unwrap_or(1000);
    let limits = Limits { hard: Some(Duration::from_millis(millis)), ..Limits::default() };
    let stop = AtomicBool::new(false);
    for threads in [1, 2] {
        println!("{threads} thread(s), {millis} ms a position");
        println!("position  depth   score       nodes     nodes/s");
        let (mut depths, mut nodes, mut time) = (0, 0, Duration::ZERO);
        for (number, position) in POSITIONS.iter().enumerate() {
            let options = Options { threads, ..Options::default() };
            let mut engine = Engine::new(15, Rule::Freestyle, options);
            let started = Instant::now();
            let best = engine.think(&moves(position), &limits, &stop, &mut |_| {}).expect("a legal position");
            let took = started.elapsed();
            let rate = best.nodes as f64 / took.as_secs_f64();
            println!("{number:8} {:6} {:7} {:11} {rate:11.0}", best.depth, best.score, best.nodes);
            depths += best.depth;
            nodes += best.nodes;
            time += took;
        }
        let mean = f64::from(depths) / POSITIONS.len() as f64;
        println!("all: depth {mean:.1}, {:.0} nodes/s\n", nodes as f64 / time.as_secs_f64());
    }
}

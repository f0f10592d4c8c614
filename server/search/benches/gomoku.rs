//! Figures of the Gomoku engine: positions a second, and the depth that one second reaches.
//!
//! `cargo bench -p grandstand-search --bench gomoku`: from the empty board (which is answered without a search, so one
//! stone in the middle) and from ten fixed positions of the middle game, with one thread and two.
//! `millis=N` is another time, `nodes=N` a number of positions instead, `depth=N` a depth, `threads=N` one number of threads, `NAME=VALUE` a
//! setting as in `benches/gauntlet.rs`.
#![allow(clippy::print_stdout, reason = "prints its figures")]

mod settings;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use grandstand_search::gomoku::{Engine, Limits, Options, Rule};

/// Games of the engine with itself, on 15×15, cut off while nothing is decided.
const POSITIONS: [&str; 11] = [
    "h8",
    "e7 g8 i6 f7 f6 e6 h9 g5",
    "e4 d8 e11 f6 d5 e7 c9 f8 d10",
    "g10 f8 e5 f5 j8 g6 f6 e4 h7 d4",
    "e11 d8 l12 i11 l11 f8 l10 l9 k12 e8 g8",
    "j5 i6 f8 g6 e8 i7 g8 d8 i5 h6 f6 i8",
    "l10 i9 g10 e10 k11 i11 j12 i13 i12 h12 j13 h11 j10",
    "g10 h9 g9 g8 i8 h8 f8 i10 j11 h7 h10 f7 e6 e7",
    "e6 h7 h5 k7 e10 g9 g10 e9 f11 i7 j7 f10 h8 d8 g11",
    "f5 e6 j4 e8 g6 f7 h7 e4 g8 f9 g5 g7 h5 e5 e7 c6",
    "g8 e9 l12 e7 l11 e8 e10 g6 l10 l9 f7 e6 e5 f6 d6 d8 c9",
];

fn moves(text: &str) -> Vec<(u16, u16)> {
    let point = |word: &str| {
        let (column, row) = word.split_at(1);
        (u16::from(column.as_bytes()[0] - b'a'), row.parse::<u16>().expect("a row") - 1)
    };
    text.split_whitespace().map(point).collect()
}

fn main() {
    let mut options = Options::default();
    let mut limits = Limits { hard: Some(Duration::from_secs(1)), ..Limits::default() };
    let mut each = vec![1, 2];
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        let (name, value) = word.split_once('=').expect("NAME=VALUE");
        let number = || value.parse::<u64>().expect("a number");
        match name {
            "millis" => limits = Limits { hard: Some(Duration::from_millis(number())), ..Limits::default() },
            "nodes" => limits = Limits { nodes: Some(number()), ..Limits::default() },
            "depth" => limits = Limits { depth: Some(number() as u32), ..Limits::default() },
            "threads" => each = vec![number() as usize],
            _ => settings::tune(&mut options, name, value),
        }
    }
    let stop = AtomicBool::new(false);
    // The tables of a rule are worked out once.
    drop(Engine::new(15, Rule::Freestyle, Options::default()));
    for threads in each {
        println!("{threads} thread(s), {limits:?}");
        println!("position  depth   score       nodes     nodes/s");
        let (mut depths, mut nodes, mut time, mut logarithms) = (0, 0, Duration::ZERO, [0.0; 2]);
        for (number, position) in POSITIONS.iter().enumerate() {
            let options = Options { threads, ..options };
            let mut engine = Engine::new(15, Rule::Freestyle, options);
            let started = Instant::now();
            let best = engine.think(&moves(position), &limits, &stop, &mut |_| {}).expect("a legal position");
            let took = started.elapsed();
            let rate = best.nodes as f64 / took.as_secs_f64();
            println!("{number:8} {:6} {:7} {:11} {rate:11.0}", best.depth, best.score, best.nodes);
            depths += best.depth;
            nodes += best.nodes;
            logarithms[0] += (best.nodes.max(1) as f64).ln();
            logarithms[1] += took.as_secs_f64().ln();
            time += took;
        }
        let mean = f64::from(depths) / POSITIONS.len() as f64;
        // Equal shares of all positions, however large their trees are.
        let mean_of = |sum: f64| (sum / POSITIONS.len() as f64).exp();
        println!(
            "all: depth {mean:.1}, geometric means {:.0} nodes and {:.3} s, {:.0} nodes/s\n",
            mean_of(logarithms[0]),
            mean_of(logarithms[1]),
            nodes as f64 / time.as_secs_f64()
        );
    }
}

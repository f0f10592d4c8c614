//! Fits the weights of the Gomoku engine to games that it plays with itself, and says how far its evaluation is from searches.
//!
//! `cargo bench -p grandstand-search --bench tune -- COMMAND …`; the files have a game or a position a line.
//! - `play FILE games=1000 nodes=20000 seed=1 astray=0` appends games, in each of which up to `astray` per cent of the moves are random.
//! - `aside FILE GAMES… positions=5000 every=1 nodes=20000 seed=1` appends searched positions, each with a random move beside one of the games.
//! - `slow FILE GAMES… nodes=2000000 games=40` appends positions of the loser in games that were lost slowly, searched for longer.
//! - `calibrate FILE…` prints what the evaluation says of positions, by what their searches said.
//! - `fit FILE…` prints a file of `src/gomoku/fitted/`: the evaluation by logistic regression on results and searched scores, the order of
//!   moves by the likelihood of the moves that were chosen. `result=40` is the share of results in per cent.
//! - `net FILE GAMES…` writes the weights of the net, `src/gomoku/fitted/freestyle.net`, fitted to what the evaluation lacks. `result=25` is
//!   the share of results in per cent, `epochs=8` the number of times that each position is seen, `rate=2000` the first rate in millionths;
//!   `from=FILE` goes on from the weights of a file.
//! - `wins GAMES… nodes=200000 games=60 back=6 threats=10` prints how many nodes the winner's search needs to announce the win so many
//!   plies earlier than it did.
//!
//! `net=true` plays and searches with the net; `rule=pente|exactly5|renju` is another rule than freestyle.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "prints its tables")]

mod features;
mod fit;
mod games;
mod net;
mod print;

use grandstand_rules::SplitMix64;
use grandstand_search::gomoku::{Engine, Limits, Options, Rule, Tuning};

use crate::features::Shape;
use crate::games::Writer;
use crate::net::Course;

type Move = (u16, u16);

const SIZE: u16 = 15;
/// The score that stands for odds of e to one.
const SCALE: f64 = 200.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let number = |name: &str, default: u64| value(name).map_or(default, |v| v.parse().expect("a number"));
    let rule = match value("rule") {
        Some("pente") => Rule::Pente,
        Some("exactly5") => Rule::Exactly5,
        Some("renju") => Rule::Renju,
        _ => Rule::Freestyle,
    };
    let files: Vec<String> = words.iter().skip(1).filter(|w| !w.contains('=')).cloned().collect();
    let threats = number("threats", u64::from(Tuning::default().threats)) as u32;
    let tuning = Tuning { threats, net: value("net") == Some("true"), ..Tuning::default() };
    let writer = |nodes: u64, memory_mib: usize| Writer {
        engine: Engine::new(SIZE, rule, Options { memory_mib, tuning, ..Options::default() }),
        limits: Limits { nodes: Some(number("nodes", nodes)), ..Limits::default() },
        random: SplitMix64::new(number("seed", 1)),
        astray: number("astray", 0),
        rule,
        file: files[0].clone(),
    };
    match words.first().map(String::as_str) {
        Some("play") => {
            let mut writer = writer(20_000, 4);
            for _ in 0..number("games", 1000) {
                writer.play();
            }
        }
        Some("aside") => {
            writer(20_000, 4).aside(&games::read(&files[1..]), number("every", 1), number("positions", 5000));
        }
        Some("slow") => {
            writer(2_000_000, 64).slow(&games::read(&files[1..]), number("games", 40) as usize);
        }
        Some("wins") => {
            let (back, games) = (number("back", 6) as usize, number("games", 60) as usize);
            writer(200_000, 16).wins(&games::read(&files), back, games);
        }
        Some("calibrate") => features::calibrate(&games::read(&files), rule),
        Some("fit") => {
            let shape = Shape { rule, result: number("result", 40) as u32 };
            let (mut examples, mut choices) = features::learn(&games::read(&files), &shape);
            let mut random = SplitMix64::new(1);
            fit::shuffle(&mut examples, &mut random);
            fit::shuffle(&mut choices, &mut random);
            eprintln!("{} positions, {} choices", examples.len(), choices.len());
            print::print(&fit::fit_values(&examples), &fit::fit_order(&choices));
        }
        Some("net") => {
            let course = Course {
                result: number("result", 25),
                epochs: number("epochs", 8),
                rate: number("rate", 2000),
                from: value("from").map(str::to_owned),
            };
            net::fit(&files[0], &games::read(&files[1..]), &course);
        }
        _ => println!(
            "play FILE | aside FILE GAMES… | slow FILE GAMES… | calibrate FILE… | wins GAMES… | fit FILE… | net FILE GAMES…"
        ),
    }
}

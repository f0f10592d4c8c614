//! Fits the weights of the Gomoku engine to games that it plays with itself.
//!
//! `cargo bench -p grandstand-search --bench tune -- play FILE games=1000 nodes=3000 seed=1` appends games to a file;
//! `… -- fit FILE…` prints the tables of `src/gomoku/fitted/`: the evaluation by logistic regression on results and
//! searched scores, the order of moves by the likelihood of the moves that were chosen.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "prints its tables")]

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::AtomicBool;

use grandstand_search::gomoku::lesson::{Lesson, Patterns, lesson};
use grandstand_search::gomoku::{Engine, Limits, Options, Rule};

type Move = (u16, u16);

const SIZE: u16 = 15;
/// The score that stands for odds of e to one.
const SCALE: f64 = 200.0;
/// How many patterns there are.
const KINDS: usize = 14;
/// How many numbers tell what a move means for captures.
const EFFECTS: usize = 4;
/// How many numbers tell of captures.
const CAPTURES: usize = 10;
/// The weights of a side: of the two strongest patterns together, and of each of the other two.
const SIDE: usize = KINDS * KINDS + KINDS;

/// A generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// One game: a line `RESULT x,y[:SCORE] …`, the result from black's view (2, 1, 0), the score from the mover's.
fn play(engine: &mut Engine, random: &mut Random, nodes: u64) -> String {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.clear();
    loop {
        let mut moves: Vec<Move> = Vec::new();
        let mut text = String::new();
        let (width, stones) = (5 + random.below(5) as u16, 2 + random.below(7) as usize);
        while moves.len() < stones {
            let mut near = || SIZE / 2 - width / 2 + random.below(u64::from(width)) as u16;
            let mv = (near(), near());
            if !moves.contains(&mv) {
                let _ = write!(text, " {},{}", mv.0, mv.1);
                moves.push(mv);
            }
        }
        let mut result = 1;
        let mut start = true;
        let mut even = true;
        while moves.len() < usize::from(SIZE * SIZE) - 1 {
            let best = engine.think(&moves, &limits, &stop, &mut |_| {}).expect("a legal position");
            if start && best.score.abs() > 400 {
                even = false;
                break;
            }
            start = false;
            let _ = write!(text, " {},{}:{}", best.line[0].0, best.line[0].1, best.score);
            if best.score.abs() > 29_000 {
                let black = moves.len().is_multiple_of(2) == (best.score > 0);
                result = if black { 2 } else { 0 };
                break;
            }
            moves.push(best.line[0]);
        }
        if even {
            return format!("{result}{text}\n");
        }
    }
}

/// A position as the fit sees it: how often each weight counts, and the chance to win.
struct Example {
    counts: Vec<(u16, f32)>,
    target: f32,
}

/// A choice among moves: the weights of each, and which was chosen.
struct Choice {
    moves: Vec<([u16; 6], [u8; EFFECTS])>,
    chosen: usize,
}

fn weights_of(side: usize, patterns: &Patterns) -> [u16; 3] {
    let [a, b, c, d] = patterns.map(usize::from);
    let start = side * SIDE;
    [start + a * KINDS + b, start + KINDS * KINDS + c, start + KINDS * KINDS + d].map(|w| w as u16)
}

fn example(lesson: &Lesson, target: f64) -> Example {
    let numbers: Vec<u8> = lesson.flags.iter().chain(&lesson.captures).copied().collect();
    let mut dense = vec![0f32; 2 * SIDE + numbers.len() + 1];
    for point in &lesson.points {
        for (side, patterns) in point.iter().enumerate() {
            for weight in weights_of(side, patterns) {
                dense[usize::from(weight)] += 1.0;
            }
        }
    }
    for (index, &number) in numbers.iter().enumerate() {
        dense[2 * SIDE + index] = f32::from(number);
    }
    *dense.last_mut().expect("the move") = 1.0;
    let counts = dense.iter().enumerate().filter(|(_, c)| **c != 0.0).map(|(i, &c)| (i as u16, c)).collect();
    Example { counts, target: target as f32 }
}

fn read(files: &[String], rule: Rule) -> (Vec<Example>, Vec<Choice>) {
    let (mut examples, mut choices) = (Vec::new(), Vec::new());
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file of games");
        for game in text.lines() {
            let mut words = game.split_whitespace();
            let result: f64 = words.next().expect("a result").parse().expect("a number");
            let mut moves: Vec<Move> = Vec::new();
            for word in words {
                let (mv, score) = word.split_once(':').map_or((word, None), |(mv, score)| (mv, Some(score)));
                let (x, y) = mv.split_once(',').expect("a point");
                let mv: Move = (x.parse().expect("a number"), y.parse().expect("a number"));
                if let Some(score) = score {
                    let score: f64 = score.parse().expect("a number");
                    let lesson = lesson(rule, SIZE, &moves).expect("a legal game");
                    if !lesson.decided {
                        let own =
                            if moves.len().is_multiple_of(2) { result / 2.0 } else { 1.0 - result / 2.0 };
                        let searched = 1.0 / (1.0 + (-score / SCALE).exp());
                        examples.push(example(&lesson, 0.4 * own + 0.6 * searched));
                        if let Some(chosen) = lesson.moves.iter().position(|m| m.point == mv) {
                            let all = lesson.moves.iter().map(|m| {
                                let [me, other] = &m.patterns;
                                let ([a, b, c], [d, e, f]) = (weights_of(0, me), weights_of(1, other));
                                ([a, b, c, d, e, f], m.captures)
                            });
                            choices.push(Choice { moves: all.collect(), chosen });
                        }
                    }
                }
                moves.push(mv);
            }
        }
    }
    (examples, choices)
}

/// Puts them in another order: positions of a game are much alike.
fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for last in (1..all.len()).rev() {
        all.swap(last, random.below(last as u64 + 1) as usize);
    }
}

/// Adam, with a pull towards zero.
struct Fit {
    weights: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    steps: i32,
}

impl Fit {
    fn new(size: usize) -> Fit {
        Fit { weights: vec![0.0; size], first: vec![0.0; size], second: vec![0.0; size], steps: 0 }
    }

    fn step(&mut self, gradient: &[f64], rate: f64, pull: f64) {
        self.steps += 1;
        let (b1, b2) = (0.9f64, 0.999f64);
        for (index, &g) in gradient.iter().enumerate() {
            let g = g + pull * self.weights[index];
            self.first[index] = b1 * self.first[index] + (1.0 - b1) * g;
            self.second[index] = b2 * self.second[index] + (1.0 - b2) * g * g;
            let (m, v) = (
                self.first[index] / (1.0 - b1.powi(self.steps)),
                self.second[index] / (1.0 - b2.powi(self.steps)),
            );
            self.weights[index] -= rate * m / (v.sqrt() + 1e-8);
        }
    }
}

fn fit_values(examples: &[Example], size: usize) -> Vec<f64> {
    let mut fit = Fit::new(size);
    let held = examples.len() / 10;
    for epoch in 0..60 {
        let rate = 0.01 * 0.95f64.powi(epoch);
        for batch in examples[held..].chunks(256) {
            let mut gradient = vec![0.0; size];
            for example in batch {
                let sum: f64 =
                    example.counts.iter().map(|&(i, c)| f64::from(c) * fit.weights[usize::from(i)]).sum();
                let error = 1.0 / (1.0 + (-sum).exp()) - f64::from(example.target);
                for &(i, c) in &example.counts {
                    gradient[usize::from(i)] += error * f64::from(c) / batch.len() as f64;
                }
            }
            fit.step(&gradient, rate, 1e-5);
        }
        if epoch % 20 == 19 {
            let loss = |part: &[Example]| {
                let each = part.iter().map(|example| {
                    let sum: f64 =
                        example.counts.iter().map(|&(i, c)| f64::from(c) * fit.weights[usize::from(i)]).sum();
                    (1.0 / (1.0 + (-sum).exp()) - f64::from(example.target)).powi(2)
                });
                each.sum::<f64>() / part.len() as f64
            };
            eprintln!(
                "values: loss {:.5}, held back {:.5}",
                loss(&examples[held..]),
                loss(&examples[..held])
            );
        }
    }
    fit.weights
}

fn fit_order(choices: &[Choice]) -> Vec<f64> {
    let size = 2 * SIDE + EFFECTS;
    let mut fit = Fit::new(size);
    let held = choices.len() / 10;
    let scores = |fit: &Fit, choice: &Choice| -> Vec<f64> {
        let score = |(weights, effects): &([u16; 6], [u8; EFFECTS])| {
            let points: f64 = weights.iter().map(|&w| fit.weights[usize::from(w)]).sum();
            let captures = effects.iter().zip(&fit.weights[2 * SIDE..]).map(|(&n, w)| f64::from(n) * w);
            points + captures.sum::<f64>()
        };
        choice.moves.iter().map(score).collect()
    };
    for epoch in 0..20 {
        let rate = 0.02 * 0.87f64.powi(epoch);
        for batch in choices[held..].chunks(128) {
            let mut gradient = vec![0.0; size];
            for choice in batch {
                let scores = scores(&fit, choice);
                let top = scores.iter().copied().fold(f64::MIN, f64::max);
                let each: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
                let total: f64 = each.iter().sum();
                for (index, m) in choice.moves.iter().enumerate() {
                    let error = each[index] / total - f64::from(u8::from(index == choice.chosen));
                    for &w in &m.0 {
                        gradient[usize::from(w)] += error / batch.len() as f64;
                    }
                    for (effect, &n) in m.1.iter().enumerate() {
                        gradient[2 * SIDE + effect] += error * f64::from(n) / batch.len() as f64;
                    }
                }
            }
            fit.step(&gradient, rate, 1e-5);
        }
    }
    let mut rank = 0usize;
    for choice in &choices[..held] {
        let scores = scores(&fit, choice);
        rank += scores.iter().filter(|&&s| s > scores[choice.chosen]).count();
    }
    eprintln!("order: the chosen move is number {:.2} on average", 1.0 + rank as f64 / held as f64);
    fit.weights
}

/// Prints the weights of both sides as tables, times `unit`.
fn tables(name: &str, weights: &[f64], unit: f64) {
    let number = |w: &f64| ((w * unit).round().clamp(-30_000.0, 30_000.0) as i32).to_string();
    let row = |weights: &[f64]| format!("[{}]", weights.iter().map(number).collect::<Vec<_>>().join(", "));
    println!("    {name}_pair: [");
    for side in weights[..2 * SIDE].chunks(SIDE) {
        let rows: Vec<String> = side[..KINDS * KINDS].chunks(KINDS).map(row).collect();
        println!("        [\n            {},\n        ],", rows.join(",\n            "));
    }
    println!("    ],\n    {name}_rest: [");
    for side in weights[..2 * SIDE].chunks(SIDE) {
        println!("        {},", row(&side[KINDS * KINDS..]));
    }
    println!("    ],");
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    let number = |name: &str, default: u64| value(name).map_or(default, |v| v.parse().expect("a number"));
    let rule = if value("rule") == Some("pente") { Rule::Pente } else { Rule::Freestyle };
    let files: Vec<String> =
        words[1.min(words.len())..].iter().filter(|w| !w.contains('=')).cloned().collect();
    match words.first().map(String::as_str) {
        Some("play") => {
            let mut engine = Engine::new(SIZE, rule, Options { memory_mib: 4, ..Options::default() });
            let mut random = Random(number("seed", 1));
            let mut file =
                OpenOptions::new().create(true).append(true).open(&files[0]).expect("a file to append to");
            for _ in 0..number("games", 100) {
                let game = play(&mut engine, &mut random, number("nodes", 3000));
                file.write_all(game.as_bytes()).expect("room");
            }
        }
        Some("fit") => {
            let (mut examples, mut choices) = read(&files, rule);
            let mut random = Random(1);
            shuffle(&mut examples, &mut random);
            shuffle(&mut choices, &mut random);
            eprintln!("{} positions, {} choices", examples.len(), choices.len());
            println!(
                "//! Numbers of the evaluation and of the order of moves, as `benches/tune.rs` fitted them.\n"
            );
            println!("use super::weights::Fitted;\n\npub(super) const FITTED: Fitted = Fitted {{");
            let size =
                2 * SIDE + examples[0].counts.last().map_or(0, |&(i, _)| usize::from(i) + 1 - 2 * SIDE);
            let values = fit_values(&examples, size);
            tables("value", &values, 2.0 * SCALE);
            let numbers: Vec<String> =
                values[2 * SIDE..].iter().map(|w| ((w * SCALE).round() as i32).to_string()).collect();
            let (numbers, tempo) = (&numbers[..numbers.len() - 1], &numbers[numbers.len() - 1]);
            let (flags, captures) = numbers.split_at(numbers.len() - CAPTURES);
            println!("    flags: [{}],\n    captures: [{}],", flags.join(", "), captures.join(", "));
            println!("    tempo: {tempo},");
            let order = fit_order(&choices);
            tables("order", &order, 50.0);
            let effects: Vec<String> =
                order[2 * SIDE..].iter().map(|w| ((w * 50.0).round() as i32).to_string()).collect();
            println!("    order_captures: [{}],", effects.join(", "));
            println!("}};");
        }
        _ => println!("play FILE | fit FILE…"),
    }
}

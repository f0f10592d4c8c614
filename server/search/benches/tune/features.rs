//! Features of a position for the fit: how often each weight counts.

use grandstand_search::gomoku::Rule;
use grandstand_search::gomoku::features::{Features, Patterns, features};

use crate::games::Game;
use crate::{SCALE, SIZE};

/// Number of patterns.
pub(crate) const KINDS: usize = 14;
/// Number of features of a move's captures.
pub(crate) const EFFECTS: usize = 4;
/// Number of features of captures.
pub(crate) const CAPTURES: usize = 10;
/// The weights of a side: of the two strongest patterns together, and of each of the other two.
pub(crate) const SIDE: usize = KINDS * KINDS + KINDS;
/// The weights of the points of both sides.
pub(crate) const POINTS: usize = 2 * SIDE;
/// Number of threat features.
pub(crate) const FLAGS: usize = 9;
/// Index of the first weight of the threat features, those of captures and the one of the move; and the number of all.
pub(crate) const AT_FLAGS: usize = POINTS;
pub(crate) const AT_CAPTURES: usize = AT_FLAGS + FLAGS;
pub(crate) const AT_TEMPO: usize = AT_CAPTURES + CAPTURES;
pub(crate) const ALL: usize = AT_TEMPO + 1;

/// Target of the fit.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) rule: Rule,
    /// The share of the result in what is learned, in per cent; the rest is the searched score.
    pub(crate) result: u32,
}

/// A position as the fit sees it: how often each weight counts, and the chance to win.
pub(crate) struct Example {
    pub(crate) counts: Vec<(u16, f32)>,
    pub(crate) target: f32,
    /// The chance to win by the engine's present evaluation.
    pub(crate) present: f32,
    pub(crate) held: bool,
}

/// A choice among moves: the weights of each, and which was chosen.
pub(crate) struct Choice {
    pub(crate) moves: Vec<([u16; 6], [u8; EFFECTS])>,
    pub(crate) chosen: usize,
    pub(crate) held: bool,
}

/// The chance to win with this score.
pub(crate) fn chance(score: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(score) / SCALE).exp())
}

fn weights_of(side: usize, patterns: &Patterns) -> [u16; 3] {
    let [a, b, c, d] = patterns.map(usize::from);
    let start = side * SIDE;
    [start + a * KINDS + b, start + KINDS * KINDS + c, start + KINDS * KINDS + d].map(|w| w as u16)
}

/// The counts of all weights that are not zero.
fn counts(features: &Features) -> Vec<(u16, f32)> {
    let mut dense = vec![0f32; ALL];
    for point in &features.points {
        for (side, patterns) in point.iter().enumerate() {
            for weight in weights_of(side, patterns) {
                dense[usize::from(weight)] += 1.0;
            }
        }
    }
    for (index, &number) in features.flags.iter().chain(&features.captures).enumerate() {
        dense[AT_FLAGS + index] = f32::from(number);
    }
    dense[AT_TEMPO] = 1.0;
    dense.iter().enumerate().filter(|(_, c)| **c != 0.0).map(|(i, &c)| (i as u16, c)).collect()
}

/// The examples and choices of these games. One game in ten is held back.
pub(crate) fn learn(games: &[Game], shape: &Shape) -> (Vec<Example>, Vec<Choice>) {
    let (mut examples, mut choices) = (Vec::new(), Vec::new());
    for game in games {
        let held = game.group() % 10 == 0;
        for (number, &(mv, score)) in game.moves.iter().enumerate() {
            let Some(score) = score else { continue };
            let moves = game.before(number);
            let features = position(shape.rule, &moves);
            if features.decided {
                continue;
            }
            let searched = chance(score);
            let share = f64::from(shape.result) / 100.0;
            let target = game.result.map_or(searched, |result| {
                let own = if number % 2 == 0 { result / 2.0 } else { 1.0 - result / 2.0 };
                share * own + (1.0 - share) * searched
            });
            examples.push(Example {
                counts: counts(&features),
                target: target as f32,
                present: chance(features.evaluation) as f32,
                held,
            });
            // The moves of games without a result may be random, except for the last.
            let searched = game.result.is_some() || number + 1 == game.moves.len();
            if let Some(chosen) = features.moves.iter().position(|m| searched && m.point == mv) {
                let all = features.moves.iter().map(|m| {
                    let [me, other] = &m.patterns;
                    let ([a, b, c], [d, e, f]) = (weights_of(0, me), weights_of(1, other));
                    ([a, b, c, d, e, f], m.captures)
                });
                choices.push(Choice { moves: all.collect(), chosen, held });
            }
        }
    }
    (examples, choices)
}

fn position(rule: Rule, moves: &[(u16, u16)]) -> Features {
    features(rule, SIZE, moves).expect("a legal game")
}

/// Prints what the evaluation says of positions, by what the search said of them: the mean, how far it is from the search's on average in
/// chances to win, and the results.
pub(crate) fn calibrate(games: &[Game], rule: Rule) {
    const EDGES: [i32; 9] = [-2000, -1000, -500, -200, -50, 50, 200, 500, 1000];
    let mut bins = vec![(0u32, 0f64, 0f64, 0f64, 0f64, 0f64); EDGES.len() + 1];
    let played = games.iter().all(|game| game.result.is_some());
    for game in games {
        for (number, &(_, score)) in game.moves.iter().enumerate() {
            let Some(score) = score else { continue };
            let features = position(rule, &game.before(number));
            if features.decided {
                continue;
            }
            let bin = &mut bins[EDGES.iter().filter(|&&edge| score >= edge).count()];
            bin.0 += 1;
            bin.1 += f64::from(score);
            bin.2 += f64::from(features.evaluation);
            bin.3 += f64::from(features.evaluation).powi(2);
            bin.4 += (chance(features.evaluation) - chance(score)).powi(2);
            if let Some(result) = game.result {
                bin.5 += if number % 2 == 0 { result / 2.0 } else { 1.0 - result / 2.0 };
            }
        }
    }
    println!(
        "    search from   positions   search   evaluation   ± (95 %)   spread   error of the chance   won"
    );
    for (index, &(count, searched, sum, squares, error, won)) in bins.iter().enumerate() {
        if count == 0 {
            continue;
        }
        let n = f64::from(count);
        let mean = sum / n;
        let spread = (squares / n - mean * mean).max(0.0).sqrt();
        let from = if index == 0 { "lost".to_owned() } else { EDGES[index - 1].to_string() };
        let won = if played { format!("{:5.2}", won / n) } else { "    -".to_owned() };
        println!(
            "{from:>15} {count:11} {:8.0} {mean:12.0} {:10.0} {spread:8.0} {:21.3} {won}",
            searched / n,
            1.96 * spread / n.sqrt(),
            (error / n).sqrt(),
        );
    }
    let (n, error) = bins.iter().fold((0, 0.0), |(n, error), bin| (n + bin.0, error + bin.4));
    println!("{n} positions, error of the chance {:.4}", (error / f64::from(n)).sqrt());
}

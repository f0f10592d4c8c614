//! The fits: logistic regression for the evaluation, the likelihood of chosen moves for their order.

use grandstand_rules::SplitMix64;

use crate::features::{ALL, Choice, EFFECTS, Example, POINTS};

/// The pull towards zero of all weights.
const PULL: f64 = 1e-5;
/// Number of times that the fit of the evaluation sees each position.
const EPOCHS: i32 = 60;

/// Puts them in another order: positions of a game are much alike.
pub(crate) fn shuffle<T>(all: &mut [T], random: &mut SplitMix64) {
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

    fn step(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let (b1, b2) = (0.9f64, 0.999f64);
        let (unbias1, unbias2) = (1.0 - b1.powi(self.steps), 1.0 - b2.powi(self.steps));
        for (index, &g) in gradient.iter().enumerate() {
            let g = g + PULL * self.weights[index];
            self.first[index] = b1 * self.first[index] + (1.0 - b1) * g;
            self.second[index] = b2 * self.second[index] + (1.0 - b2) * g * g;
            let (m, v) = (self.first[index] / unbias1, self.second[index] / unbias2);
            self.weights[index] -= rate * m / (v.sqrt() + 1e-8);
        }
    }
}

fn chance(weights: &[f64], example: &Example) -> f64 {
    let sum: f64 = example.counts.iter().map(|&(i, c)| f64::from(c) * weights[usize::from(i)]).sum();
    1.0 / (1.0 + (-sum).exp())
}

/// The weights of the evaluation.
pub(crate) fn fit_values(examples: &[Example]) -> Vec<f64> {
    let mut fit = Fit::new(ALL);
    let (held, learned): (Vec<&Example>, Vec<&Example>) = examples.iter().partition(|example| example.held);
    let present = held.iter().map(|e| (f64::from(e.present) - f64::from(e.target)).powi(2)).sum::<f64>();
    eprintln!("values: the present ones, held back {:.5}", present / held.len() as f64);
    for epoch in 0..EPOCHS {
        let rate = 0.01 * 0.05f64.powf(f64::from(epoch) / f64::from(EPOCHS));
        for batch in learned.chunks(256) {
            let mut gradient = vec![0.0; ALL];
            for example in batch {
                let error = chance(&fit.weights, example) - f64::from(example.target);
                for &(i, c) in &example.counts {
                    gradient[usize::from(i)] += error * f64::from(c) / batch.len() as f64;
                }
            }
            fit.step(&gradient, rate);
        }
        if epoch % 20 == 19 {
            let loss = |part: &[&Example]| {
                let each = part.iter().map(|e| (chance(&fit.weights, e) - f64::from(e.target)).powi(2));
                each.sum::<f64>() / part.len() as f64
            };
            eprintln!("values: loss {:.5}, held back {:.5}", loss(&learned), loss(&held));
        }
    }
    fit.weights
}

fn scores(weights: &[f64], choice: &Choice) -> Vec<f64> {
    let score = |(points, effects): &([u16; 6], [u8; EFFECTS])| {
        let points: f64 = points.iter().map(|&w| weights[usize::from(w)]).sum();
        let captures = effects.iter().zip(&weights[POINTS..]).map(|(&n, w)| f64::from(n) * w);
        points + captures.sum::<f64>()
    };
    choice.moves.iter().map(score).collect()
}

/// The weights of the order of moves.
pub(crate) fn fit_order(choices: &[Choice]) -> Vec<f64> {
    let size = POINTS + EFFECTS;
    let mut fit = Fit::new(size);
    let (held, learned): (Vec<&Choice>, Vec<&Choice>) = choices.iter().partition(|choice| choice.held);
    for epoch in 0..20 {
        let rate = 0.02 * 0.87f64.powi(epoch);
        for batch in learned.chunks(128) {
            let mut gradient = vec![0.0; size];
            for choice in batch {
                let scores = scores(&fit.weights, choice);
                let top = scores.iter().copied().fold(f64::MIN, f64::max);
                let each: Vec<f64> = scores.iter().map(|s| (s - top).exp()).collect();
                let total: f64 = each.iter().sum();
                for (index, m) in choice.moves.iter().enumerate() {
                    let error = each[index] / total - f64::from(u8::from(index == choice.chosen));
                    for &w in &m.0 {
                        gradient[usize::from(w)] += error / batch.len() as f64;
                    }
                    for (effect, &n) in m.1.iter().enumerate() {
                        gradient[POINTS + effect] += error * f64::from(n) / batch.len() as f64;
                    }
                }
            }
            fit.step(&gradient, rate);
        }
    }
    let mut rank = 0usize;
    for choice in &held {
        let scores = scores(&fit.weights, choice);
        rank += scores.iter().filter(|&&s| s > scores[choice.chosen]).count();
    }
    eprintln!("order: the chosen move is number {:.2} on average", 1.0 + rank as f64 / held.len() as f64);
    fit.weights
}

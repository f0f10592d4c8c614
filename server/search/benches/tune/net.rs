//! The fit of the net: its weights by gradient descent (Adam) on the chance to win, then as whole numbers.

use grandstand_rules::SplitMix64;
use grandstand_search::gomoku::Rule;
use grandstand_search::gomoku::features::{NET, WINDOWS, features, point_windows, window_patterns};

use crate::features::{FLAGS, KINDS, chance};
use crate::fit::shuffle;
use crate::games::Game;
use crate::{Move, SCALE, SIZE};

const CHANNELS: usize = NET[0];
const FIRST: usize = NET[1];
const SECOND: usize = NET[2];
/// The inputs of the first layer: the sums of both sides, the threat flags, the evaluation.
const INPUTS: usize = 2 * CHANNELS + FLAGS + 1;
/// The first of the weights of the layers: of the first layer by input, its biases, and so on.
const AT_FIRST_BIAS: usize = INPUTS * FIRST;
const AT_SECOND: usize = AT_FIRST_BIAS + FIRST;
const AT_SECOND_BIAS: usize = AT_SECOND + FIRST * SECOND;
const AT_LAST: usize = AT_SECOND_BIAS + SECOND;
const LAYERS: usize = AT_LAST + SECOND + 1;

/// A sum of so many points is an input of 1.
const SUM: f32 = 8.0;
/// The largest evaluation that counts.
const MAX_EVAL: f32 = 1023.0;
/// The number of positions of a step.
const BATCH: usize = 256;
/// The pull of the windows' own numbers towards zero, as a share of the rate.
const PULL: f32 = 3.0;

/// The unit of the windows' numbers, and those of the layers' weights, as `src/gomoku/net/layers.rs` has them.
const ONE: f32 = 127.0;
const UNIT_FIRST: f32 = 512.0;
const UNIT_SECOND: f32 = 1024.0;

/// The first bytes of a file of weights.
const MAGIC: &[u8] = b"windows1";

/// How the weights are learned.
pub(crate) struct Course {
    /// The share of results in what is learned, in per cent.
    pub(crate) result: u64,
    /// The number of times that each position is seen.
    pub(crate) epochs: u64,
    /// The first rate, in millionths.
    pub(crate) rate: u64,
    /// A file of weights to begin with.
    pub(crate) from: Option<String>,
}

/// A position to learn from.
struct Example {
    moves: Vec<Move>,
    flags: [f32; FLAGS],
    /// The evaluation without the net, and with the engine's present one.
    plain: f32,
    present: i32,
    /// The chance to win, from 0 to 1.
    target: f32,
    held: bool,
}

/// The undecided positions of these games; the share of the result is in per cent.
fn examples(games: &[Game], result_share: u64) -> Vec<Example> {
    let mut examples = Vec::new();
    for game in games {
        let held = game.group() % 10 == 0;
        for (number, &(_, score)) in game.moves.iter().enumerate() {
            let Some(score) = score else { continue };
            let moves = game.before(number);
            let features = features(Rule::Freestyle, SIZE, &moves).expect("a legal game");
            if features.decided {
                continue;
            }
            let searched = chance(score);
            let share = result_share as f64 / 100.0;
            let target = game.result.map_or(searched, |result| {
                let own = if number % 2 == 0 { result / 2.0 } else { 1.0 - result / 2.0 };
                share * own + (1.0 - share) * searched
            });
            let mut flags = [0.0; FLAGS];
            flags.iter_mut().zip(&features.flags).for_each(|(flag, &n)| *flag = f32::from(n));
            let plain = features.plain as f32;
            let present = features.evaluation;
            examples.push(Example { moves, flags, plain, present, target: target as f32, held });
        }
    }
    examples
}

/// Weights with the moments of their gradients.
struct Weights {
    now: Vec<f32>,
    gradient: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
}

impl Weights {
    fn new(now: Vec<f32>) -> Weights {
        let zeros = || vec![0.0; now.len()];
        Weights { gradient: zeros(), first: zeros(), second: zeros(), now, steps: 0 }
    }

    /// A step of Adam against the gradient, which is zero afterwards. `pull` is the share of the rate by which the weights shrink,
    /// `most` the largest weight.
    fn step(&mut self, rate: f32, pull: f32, most: impl Fn(usize) -> f32) {
        self.steps += 1;
        let unbias = [0.9f32, 0.999].map(|keep| 1.0 / (1.0 - keep.powi(self.steps)));
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (index, ((weight, gradient), (first, second))) in
            self.now.iter_mut().zip(&mut self.gradient).zip(moments).enumerate()
        {
            *first = 0.9 * *first + 0.1 * *gradient;
            *second = 0.999 * *second + 0.001 * *gradient * *gradient;
            let step = *first * unbias[0] / ((*second * unbias[1]).sqrt() + 1e-7);
            let most = most(index);
            *weight = (*weight * (1.0 - rate * pull) - rate * step).clamp(-most, most);
            *gradient = 0.0;
        }
    }
}

/// The largest weight of the layers that is a whole number of 16 bits afterwards.
fn most(index: usize) -> f32 {
    match index {
        _ if index < 2 * CHANNELS * FIRST => 3.9,
        _ if index < AT_FIRST_BIAS => 6.2,
        _ if index < AT_SECOND => 30.0,
        _ if index < AT_SECOND_BIAS => 7.9,
        _ => 30.0,
    }
}

/// The values of a position on its way through the net.
struct Trace {
    windows: Vec<[[u16; 4]; 2]>,
    /// The numbers of each point, not clipped: as the side to move sees it, then as the other does.
    points: Vec<[[f32; CHANNELS]; 2]>,
    inputs: [f32; INPUTS],
    first: [f32; FIRST],
    second: [f32; SECOND],
    chance: f32,
}

fn clip(x: f32) -> f32 {
    x.clamp(0.0, 1.0)
}

/// What is learned.
struct Net {
    /// The numbers of the pairs of patterns, which windows have in common, and of each window beside them.
    shared: Weights,
    own: Weights,
    layers: Weights,
    /// The numbers of the windows that it began with, zero if it learns from nothing.
    base: Vec<[f32; CHANNELS]>,
    /// The pair of patterns of each window.
    pairs: Vec<usize>,
    /// The numbers of the windows: those that it began with, those of its pair of patterns and its own.
    windows: Vec<[f32; CHANNELS]>,
    gradient: Vec<[f32; CHANNELS]>,
}

impl Net {
    fn new(random: &mut SplitMix64) -> Net {
        let mut uniform =
            |low: f32, high: f32| low + (high - low) * (random.below(1 << 24) as f32 / (1 << 24) as f32);
        let mut shared = Vec::new();
        for pair in 0..KINDS * KINDS {
            let strength = (pair / KINDS).max(pair % KINDS) as f32 / KINDS as f32;
            shared.extend((0..CHANNELS).map(|_| strength * uniform(-0.2, 0.3)));
        }
        let layers = (0..LAYERS).map(|index| match index {
            _ if index < AT_FIRST_BIAS => uniform(-0.06, 0.06),
            _ if index < AT_SECOND => 0.5,
            _ if index < AT_SECOND_BIAS => uniform(-0.3, 0.3),
            _ if index < AT_LAST => 0.5,
            _ if index < AT_LAST + SECOND => uniform(-0.3, 0.3),
            _ => 0.0,
        });
        let pairs = window_patterns().iter().map(|&[a, b]| usize::from(a) * KINDS + usize::from(b)).collect();
        let mut net = Net {
            shared: Weights::new(shared),
            layers: Weights::new(layers.collect()),
            own: Weights::new(vec![0.0; WINDOWS * CHANNELS]),
            base: vec![[0.0; CHANNELS]; WINDOWS],
            pairs,
            windows: vec![[0.0; CHANNELS]; WINDOWS],
            gradient: vec![[0.0; CHANNELS]; WINDOWS],
        };
        net.add_up();
        net
    }

    /// Brings the numbers of the windows up to date.
    fn add_up(&mut self) {
        let (own, _) = self.own.now.as_chunks::<CHANNELS>();
        let (shared, _) = self.shared.now.as_chunks::<CHANNELS>();
        let windows = self.windows.iter_mut().zip(&self.base);
        for (((window, base), own), &pair) in windows.zip(own).zip(&self.pairs) {
            for channel in 0..CHANNELS {
                window[channel] = (base[channel] + own[channel] + shared[pair][channel]).clamp(-1.0, 1.0);
            }
        }
    }

    /// Begins with the weights of a file that [`Net::bytes`] wrote.
    fn begin_with(&mut self, bytes: &[u8]) {
        let bytes = bytes.strip_prefix(MAGIC).expect("a file of weights");
        let (windows, layers) = bytes.split_at(WINDOWS * CHANNELS);
        for (number, &byte) in self.base.as_flattened_mut().iter_mut().zip(windows) {
            *number = f32::from(byte as i8) / ONE;
        }
        let (layers, []) = layers.as_chunks::<2>() else { panic!("whole numbers of 16 bits") };
        assert_eq!(layers.len(), LAYERS, "layers of this form");
        for (index, (weight, &bytes)) in self.layers.now.iter_mut().zip(layers).enumerate() {
            let (unit, lost) = whole(index);
            *weight = (f32::from(i16::from_le_bytes(bytes)) - lost) / unit;
        }
        self.shared.now.fill(0.0);
        self.add_up();
    }

    fn forward(&self, example: &Example) -> Trace {
        let windows = point_windows(SIZE, &example.moves);
        let me = example.moves.len() % 2;
        let mut points = Vec::with_capacity(windows.len());
        let mut sums = [[0f32; CHANNELS]; 2];
        for both in &windows {
            let mut numbers = [[0f32; CHANNELS]; 2];
            for side in 0..2 {
                for &window in &both[side ^ me] {
                    let more = &self.windows[usize::from(window)];
                    numbers[side].iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                }
                sums[side].iter_mut().zip(numbers[side]).for_each(|(sum, number)| *sum += clip(number));
            }
            points.push(numbers);
        }
        let mut inputs = [0.0; INPUTS];
        let all = sums.as_flattened().iter().map(|sum| sum / SUM).chain(example.flags);
        let eval = example.plain.clamp(-MAX_EVAL, MAX_EVAL) / SCALE as f32;
        inputs.iter_mut().zip(all.chain([eval])).for_each(|(input, value)| *input = value);
        let weights = &self.layers.now;
        let mut first = [0.0; FIRST];
        first.copy_from_slice(&weights[AT_FIRST_BIAS..AT_SECOND]);
        for (input, row) in inputs.iter().zip(weights.chunks(FIRST)) {
            first.iter_mut().zip(row).for_each(|(neuron, weight)| *neuron += input * weight);
        }
        let mut second = [0.0; SECOND];
        second.copy_from_slice(&weights[AT_SECOND_BIAS..AT_LAST]);
        for (&neuron, row) in first.iter().zip(weights[AT_SECOND..].chunks(SECOND)) {
            second.iter_mut().zip(row).for_each(|(sum, weight)| *sum += clip(neuron) * weight);
        }
        let last: f32 =
            second.iter().zip(&weights[AT_LAST..]).map(|(&neuron, weight)| clip(neuron) * weight).sum();
        let logit = last + weights[AT_LAST + SECOND] + example.plain / SCALE as f32;
        Trace { windows, points, inputs, first, second, chance: 1.0 / (1.0 + (-logit).exp()) }
    }

    /// Adds the gradient of a position's loss, its cross entropy, to those of the weights.
    fn backward(&mut self, example: &Example, trace: &Trace) {
        let slope = |x: f32| f32::from(u8::from(x > 0.0 && x < 1.0));
        let error = (trace.chance - example.target) / BATCH as f32;
        let (weights, gradient) = (&self.layers.now, &mut self.layers.gradient);
        let mut second = [0.0; SECOND];
        gradient[AT_LAST + SECOND] += error;
        for (index, &neuron) in trace.second.iter().enumerate() {
            gradient[AT_LAST + index] += error * clip(neuron);
            second[index] = error * weights[AT_LAST + index] * slope(neuron);
            gradient[AT_SECOND_BIAS + index] += second[index];
        }
        let mut first = [0.0; FIRST];
        for (index, &neuron) in trace.first.iter().enumerate() {
            let at = AT_SECOND + index * SECOND;
            let mut sum = 0.0;
            for (other, &value) in second.iter().enumerate() {
                gradient[at + other] += clip(neuron) * value;
                sum += value * weights[at + other];
            }
            first[index] = sum * slope(neuron);
            gradient[AT_FIRST_BIAS + index] += first[index];
        }
        let mut sums = [[0.0; CHANNELS]; 2];
        for (index, &input) in trace.inputs.iter().enumerate() {
            let at = index * FIRST;
            let mut sum = 0.0;
            for (other, &value) in first.iter().enumerate() {
                gradient[at + other] += input * value;
                sum += value * weights[at + other];
            }
            if let Some(slot) = sums.as_flattened_mut().get_mut(index) {
                *slot = sum / SUM;
            }
        }
        let me = example.moves.len() % 2;
        for (both, numbers) in trace.windows.iter().zip(&trace.points) {
            for side in 0..2 {
                let mut change = [0.0; CHANNELS];
                for channel in 0..CHANNELS {
                    change[channel] = sums[side][channel] * slope(numbers[side][channel]);
                }
                for &window in &both[side ^ me] {
                    let gradient = &mut self.gradient[usize::from(window)];
                    gradient.iter_mut().zip(change).for_each(|(sum, more)| *sum += more);
                }
            }
        }
    }

    /// A step against the gradients; of the layers alone if the windows are settled.
    fn step(&mut self, rate: f32, settled: bool) {
        self.layers.step(rate, 0.0, most);
        if !settled {
            let (own, _) = self.own.gradient.as_chunks_mut::<CHANNELS>();
            let (shared, _) = self.shared.gradient.as_chunks_mut::<CHANNELS>();
            for ((gradient, own), &pair) in self.gradient.iter().zip(own).zip(&self.pairs) {
                for channel in 0..CHANNELS {
                    own[channel] += gradient[channel];
                    shared[pair][channel] += gradient[channel];
                }
            }
            self.shared.step(rate, 0.0, |_| 1.0);
            self.own.step(rate, PULL, |_| 1.0);
            self.add_up();
        }
        self.gradient.fill([0.0; CHANNELS]);
    }

    /// The mean squared error of the chance to win.
    fn error<'a>(&self, examples: impl Iterator<Item = &'a Example>) -> f32 {
        let (mut count, mut sum) = (0, 0.0);
        for example in examples {
            count += 1;
            sum += f64::from(self.forward(example).chance - example.target).powi(2);
        }
        (sum / f64::from(count)) as f32
    }

    /// The numbers of the windows as whole ones.
    fn round_windows(&mut self) {
        self.windows.as_flattened_mut().iter_mut().for_each(|number| *number = (*number * ONE).round() / ONE);
    }

    /// The file of weights that `Net::parse` of the engine reads.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.windows.as_flattened().iter().map(|number| (number * ONE).round() as i8 as u8));
        for (index, &weight) in self.layers.now.iter().enumerate() {
            let (unit, lost) = whole(index);
            bytes.extend(((weight * unit + lost).round() as i16).to_le_bytes());
        }
        bytes
    }
}

/// The unit of a weight of the layers as a whole number, and what is added to it: products lose their lower halves, which is half a unit
/// each on average.
fn whole(index: usize) -> (f32, f32) {
    let lost = |inputs: usize| inputs as f32 / 2.0;
    let sum = SUM.recip() * 65536.0 * UNIT_FIRST / (4.0 * ONE);
    let eval = 65536.0 * UNIT_FIRST / (32.0 * SCALE as f32);
    match index {
        _ if index < 2 * CHANNELS * FIRST => (sum, 0.0),
        _ if index < (2 * CHANNELS + FLAGS) * FIRST => (UNIT_FIRST, 0.0),
        _ if index < AT_FIRST_BIAS => (eval, 0.0),
        _ if index < AT_SECOND => (UNIT_FIRST, lost(2 * CHANNELS + 1)),
        _ if index < AT_SECOND_BIAS => (65536.0 * UNIT_SECOND / (32.0 * UNIT_FIRST), 0.0),
        _ if index < AT_LAST => (UNIT_SECOND, lost(FIRST)),
        _ => (SCALE as f32, 0.0),
    }
}

/// Learns the weights from these games, and writes them to a file.
pub(crate) fn fit(file: &str, games: &[Game], course: &Course) {
    let mut random = SplitMix64::new(1);
    let (held, mut learned): (Vec<Example>, Vec<Example>) =
        examples(games, course.result).into_iter().partition(|example| example.held);
    eprintln!("{} positions, {} held back", learned.len(), held.len());
    let error = |score: &dyn Fn(&Example) -> i32| {
        let each = held.iter().map(|e| (chance(score(e)) - f64::from(e.target)).powi(2));
        each.sum::<f64>() / held.len() as f64
    };
    eprintln!("without a net, held back {:.5}", error(&|e| e.plain as i32));
    eprintln!("with the net that is built in, held back {:.5}", error(&|e| e.present));
    let mut net = Net::new(&mut random);
    if let Some(from) = &course.from {
        net.begin_with(&std::fs::read(from).expect("a file of weights"));
        eprintln!("as it begins, held back {:.5}", net.error(held.iter()));
    }
    let (epochs, first_rate) = (course.epochs, course.rate as f32 / 1e6);
    let steps = epochs as f32 * (learned.len() / BATCH) as f32;
    // In the last pass the windows' numbers are whole ones, and the layers learn to live with that.
    for epoch in 0..=epochs {
        let settled = epoch == epochs;
        if settled {
            net.round_windows();
        }
        shuffle(&mut learned, &mut random);
        for (number, batch) in learned.as_chunks::<BATCH>().0.iter().enumerate() {
            for example in batch {
                let trace = net.forward(example);
                net.backward(example, &trace);
            }
            let done = (epoch as f32 * (learned.len() / BATCH) as f32 + number as f32) / steps;
            let rate = if settled { 0.0001 } else { first_rate * ((1.0 - done) + 0.01) };
            net.step(rate, settled);
        }
        let sample = learned.iter().take(held.len());
        eprintln!("pass {epoch}: {:.5}, held back {:.5}", net.error(sample), net.error(held.iter()));
    }
    std::fs::write(file, net.bytes()).expect("room for the weights");
}

//! The layers behind the sums: 16-bit integers, whose products keep the upper half, so that compilers turn them into vector
//! instructions.

use super::super::fitted::FLAGS;
use super::CHANNELS;

/// The inputs from the sums of both sides.
const SUMS: usize = 2 * CHANNELS;
/// The neurons of the two layers.
pub(in super::super) const FIRST: usize = 32;
pub(in super::super) const SECOND: usize = 16;

/// The largest sum of a channel that counts, in the units of the windows' numbers, and the shift that makes it an input.
const MAX_SUM: i32 = (1 << 13) - 1;
const SUM_SHIFT: u32 = 2;
/// The same for the evaluation.
const MAX_EVAL: i32 = (1 << 10) - 1;
const EVAL_SHIFT: u32 = 5;
/// The value 1 of a neuron of the first layer, and the shift that makes it an input of the second.
const FIRST_ONE: i16 = 512;
const FIRST_SHIFT: u32 = 5;
/// The value 1 of a neuron of the second layer.
const SECOND_ONE: i16 = 1024;

/// The weights of the layers, each row those of one input. The last ones are points of a score.
#[derive(Debug)]
pub(in super::super) struct Layers {
    sums: [[i16; FIRST]; SUMS],
    flags: [[i16; FIRST]; FLAGS],
    eval: [i16; FIRST],
    first_bias: [i16; FIRST],
    first: [[i16; SECOND]; FIRST],
    second_bias: [i16; SECOND],
    second: [i16; SECOND],
    last_bias: i16,
}

impl Layers {
    /// The size of the weights in a file.
    pub(super) const BYTES: usize = 2 * ((SUMS + FLAGS + 2) * FIRST + (FIRST + 1) * SECOND + SECOND + 1);

    /// Takes the weights in the order of the members.
    pub(super) fn read(next: &mut dyn FnMut() -> i16) -> Layers {
        fn row<const N: usize>(next: &mut dyn FnMut() -> i16) -> [i16; N] {
            std::array::from_fn(|_| next())
        }
        Layers {
            sums: std::array::from_fn(|_| row(next)),
            flags: std::array::from_fn(|_| row(next)),
            eval: row(next),
            first_bias: row(next),
            first: std::array::from_fn(|_| row(next)),
            second_bias: row(next),
            second: row(next),
            last_bias: next(),
        }
    }

    /// The correction of an evaluation, in its units. The sums are those of the side to move and of the other.
    pub(super) fn correction(&self, sums: [&[i32; CHANNELS]; 2], flags: &[bool; FLAGS], eval: i32) -> i32 {
        let mut first = self.first_bias;
        for (&sum, row) in sums.into_iter().flatten().zip(&self.sums) {
            add(&mut first, (sum.min(MAX_SUM) << SUM_SHIFT) as i16, row);
        }
        add(&mut first, (eval.clamp(-MAX_EVAL, MAX_EVAL) << EVAL_SHIFT) as i16, &self.eval);
        for (row, _) in self.flags.iter().zip(flags).filter(|(_, flag)| **flag) {
            first.iter_mut().zip(row).for_each(|(neuron, &weight)| *neuron = neuron.saturating_add(weight));
        }
        let mut second = self.second_bias;
        for (neuron, row) in first.into_iter().zip(&self.first) {
            add(&mut second, neuron.clamp(0, FIRST_ONE) << FIRST_SHIFT, row);
        }
        let mut last = i32::from(self.last_bias) * i32::from(SECOND_ONE);
        for (neuron, &weight) in second.into_iter().zip(&self.second) {
            last += i32::from(neuron.clamp(0, SECOND_ONE)) * i32::from(weight);
        }
        last / i32::from(SECOND_ONE)
    }
}

/// Adds the upper halves of an input's products with its weights.
#[inline]
fn add<const N: usize>(neurons: &mut [i16; N], input: i16, weights: &[i16; N]) {
    for (neuron, &weight) in neurons.iter_mut().zip(weights) {
        let product = (i32::from(input) * i32::from(weight)) >> 16;
        *neuron = neuron.saturating_add(product as i16);
    }
}

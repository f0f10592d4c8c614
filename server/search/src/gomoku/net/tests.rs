//! Properties of the net on random positions.

use super::accumulator::Accumulator;
use super::layers::Layers;
use super::windows::WINDOWS;
use super::{CHANNELS, MAGIC, Net, NetError, ONE};
use crate::gomoku::Rule;
use crate::gomoku::board::SearchBoard;
use crate::gomoku::evaluation::flags;
use crate::gomoku::features::features;
use crate::gomoku::fitted::FLAGS;
use crate::gomoku::geometry::STRIDE;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Random moves on different points of the middle of a board.
fn moves(size: u16, count: usize, random: &mut Random) -> Vec<(u16, u16)> {
    let width = size.min(11);
    let mut moves = Vec::new();
    while moves.len() < count {
        let mut near = || (size - width) / 2 + random.below(usize::from(width)) as u16;
        let mv = (near(), near());
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    moves
}

#[test]
fn sums_that_follow_a_board_equal_those_worked_out_afresh() {
    let mut random = Random(1);
    let net = Net::freestyle();
    for size in [5, 9, 15, 19, 31] {
        let mut board = SearchBoard::new(Rule::Freestyle, size);
        for point in [0, STRIDE + 1, 2] {
            board.make(point);
        }
        let mut sums = Accumulator::new(net, &board);
        for step in 0..600 {
            let free: Vec<_> = board.points().filter(|&point| board.is_empty(point)).collect();
            match random.below(20) {
                // Now and then below the position that it began with.
                0 => (0..random.below(8)).for_each(|_| board.undo()),
                1..=7 => board.undo(),
                8 => board.pass(),
                _ if free.is_empty() => board.undo(),
                _ => board.make(free[random.below(free.len())]),
            }
            // It is asked after some moves only.
            if random.below(3) == 0 {
                sums.follow(&board);
                assert_eq!(sums.sums(), Accumulator::new(net, &board).sums(), "{size}, step {step}");
                let (threats, value) = (flags(&board), 17);
                let fresh = Accumulator::new(net, &board).correction(&board, &threats, value);
                assert_eq!(sums.correction(&board, &threats, value), fresh);
            }
        }
    }
}

#[test]
fn a_mirrored_or_turned_position_has_the_same_value() {
    let mut random = Random(2);
    let mut corrected = 0;
    for size in [15, 19] {
        for _ in 0..60 {
            let count = 4 + random.below(30);
            let game = moves(size, count, &mut random);
            let value = |turn: &dyn Fn((u16, u16)) -> (u16, u16)| {
                let game: Vec<_> = game.iter().map(|&mv| turn(mv)).collect();
                features(Rule::Freestyle, size, &game).expect("a legal game")
            };
            let there = |x: u16| size - 1 - x;
            let plain = value(&|mv| mv);
            corrected += usize::from(plain.evaluation != plain.plain);
            for turned in [
                value(&|(x, y)| (there(x), y)),
                value(&|(x, y)| (x, there(y))),
                value(&|(x, y)| (y, x)),
                value(&|(x, y)| (there(y), x)),
                value(&|(x, y)| (there(y), there(x))),
            ] {
                assert_eq!(turned.evaluation, plain.evaluation, "{game:?}");
            }
        }
    }
    assert!(corrected > 100, "the net says something of {corrected} of 120 positions");
}

#[test]
fn other_rules_keep_their_evaluation() {
    let mut random = Random(3);
    for rule in [Rule::Exactly5, Rule::Renju, Rule::Pente] {
        for _ in 0..20 {
            let features = features(rule, 15, &moves(15, 12, &mut random)).expect("a legal game");
            assert_eq!(features.evaluation, features.plain, "{rule:?}");
        }
    }
}

/// A file of weights with these bytes of windows and these numbers of layers.
fn file(windows: u8, mut layers: impl FnMut(usize) -> i16) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(std::iter::repeat_n(windows, WINDOWS * CHANNELS));
    bytes.extend((0..Layers::BYTES / 2).flat_map(|index| layers(index).to_le_bytes()));
    bytes
}

#[test]
fn files_of_another_form_are_refused() {
    let good = file(1, |_| 1);
    assert!(Net::parse(&good).is_ok());
    assert_eq!(Net::parse(b"").unwrap_err(), NetError::Magic);
    assert_eq!(Net::parse(&good[1..]).unwrap_err(), NetError::Magic);
    let expected = good.len() - MAGIC.len();
    let length = |found| NetError::Length { expected, found };
    assert_eq!(Net::parse(&good[..good.len() - 1]).unwrap_err(), length(expected - 1));
    assert_eq!(Net::parse(&[&good[..], &[0]].concat()).unwrap_err(), length(expected + 1));
    assert_eq!(Net::parse(MAGIC).unwrap_err(), length(0));
}

#[test]
fn extreme_weights_saturate() {
    for extreme in [i16::MIN, i16::MAX] {
        let net = Net::parse(&file(0, |_| extreme)).expect("a file of the right form");
        for sums in [[0; CHANNELS], [i32::from(ONE) * 961; CHANNELS]] {
            for eval in [-20_000, 0, 20_000] {
                let value = net.layers.correction([&sums; 2], &[true; FLAGS], eval);
                // Sixteen neurons of at most 1, and the bias.
                assert!(value.abs() <= 17 * 32_768, "{value}");
            }
        }
    }
}

#[test]
fn layers_add_up_what_their_weights_say() {
    // One neuron of each layer has weights: half a unit for a sum of one, a quarter for an evaluation of 100, an eighth for a flag.
    let rows = 2 * CHANNELS;
    let net = file(0, |index| match index {
        0 => (256.0 * 65_536.0 / (f64::from(ONE) * 4.0)) as i16,
        _ if index == 32 * rows => 64,
        _ if index == 32 * (rows + FLAGS) => (128.0 * 65_536.0 / (100.0 * 32.0)) as i16,
        // From the first neuron to the second one, twice its value; and 300 points for that.
        _ if index == 32 * (rows + FLAGS + 2) => 8192,
        _ if index == 32 * (rows + FLAGS + 2) + 33 * 16 => 300,
        _ => 0,
    });
    let net = Net::parse(&net).expect("a file of the right form");
    let value = |sum: i32, flag: bool, eval: i32| {
        let mut sums = [0; CHANNELS];
        sums[0] = sum;
        let mut flags = [false; FLAGS];
        flags[0] = flag;
        net.layers.correction([&sums, &[0; CHANNELS]], &flags, eval)
    };
    let one = i32::from(ONE);
    for (value, expected) in [
        (value(0, false, 0), 0),
        (value(0, true, 0), 75),
        (value(0, false, 100), 150),
        (value(0, true, 100), 225),
        (value(one / 4, false, 0), 75),
        (value(one, true, 100), 300),
        (value(0, true, -100), 0),
    ] {
        assert!((value - expected).abs() <= 5, "{value} instead of {expected}");
    }
}

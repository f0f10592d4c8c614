//! Features of a position that the weights of the evaluation are fitted to.

use super::board::{SearchBoard, points};
use super::evaluation;
use super::geometry::{Point, STRIDE, place_in};
use super::kind;
use super::line::{Fives, LineTable, pattern};
use super::moves::{self, Choice};
use super::net::accumulator::Accumulator;
use super::net::windows::{self, REACH};
use super::net::{self, Net, layers};
use super::{Rule, Unplayable};

/// The patterns of a point's lines, in descending strength.
pub type Patterns = [u8; 4];

/// A candidate move of a search.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Column and row, from the lower left.
    pub point: (u16, u16),
    /// The patterns that the side to move makes there, and those that the other side would make.
    pub patterns: [Patterns; 2],
    /// The effects on captures: pairs taken, pairs saved, pairs threatened, own pairs exposed.
    pub captures: [u8; 4],
}

/// The features of a position.
#[derive(Debug, Clone)]
pub struct Features {
    /// Every empty point near a stone: its patterns for the side to move, and for the other side.
    pub points: Vec<[Patterns; 2]>,
    /// The threat features, each 0 or 1.
    pub flags: Vec<u8>,
    /// The capture features.
    pub captures: Vec<u8>,
    /// The candidate moves of a search; empty where there is no choice.
    pub moves: Vec<Candidate>,
    /// The static evaluation for the side to move, corrected by the net where the rule has one.
    pub evaluation: i32,
    /// The static evaluation without the net.
    pub plain: i32,
    /// Whether the position or the next move is decided without a search, so that there is nothing to learn.
    pub decided: bool,
}

/// Extracts the features of the position after these moves.
///
/// # Errors
/// A move is off the board (of at most 31 points along an edge) or on a stone.
pub fn features(rule: Rule, size: u16, moves: &[(u16, u16)]) -> Result<Features, Unplayable> {
    let size = size.min(super::geometry::MAX_SIZE);
    let mut board = SearchBoard::new(rule, size);
    for (number, &(x, y)) in moves.iter().enumerate() {
        if x >= size || y >= size {
            return Err(Unplayable::OffTheBoard(number));
        }
        if !board.is_empty(y * STRIDE + x) {
            return Err(Unplayable::Taken(number));
        }
        board.make(y * STRIDE + x);
    }
    let (me, other) = (board.turn(), board.turn() ^ 1);
    let sorted = |point, side| {
        let mut each = board.patterns(side, point);
        for p in &mut each {
            *p = if *p == pattern::FOUL { pattern::DEAD } else { *p };
        }
        each.sort_unstable_by(|a, b| b.cmp(a));
        each
    };
    let both = |point| [sorted(point, me), sorted(point, other)];
    let points = board
        .points()
        .filter(|&point| board.is_empty(point))
        .map(both)
        .filter(|both| both.iter().flatten().any(|&p| p != pattern::DEAD))
        .collect();
    let decided = board.count(me, kind::FIVE) > 0
        || board.count(other, kind::FIVE) > 0
        || board.count(me, kind::OPEN_FOUR) > 0 && !board.pente()
        || board.wins_by_capture(me);
    let mut choices = Vec::new();
    let open = moves::generate(&board, &mut choices) != Choice::Forced;
    let moves = choices
        .into_iter()
        .filter(|_| open && !decided)
        .map(|m| Candidate {
            point: (m.point % STRIDE, m.point / STRIDE),
            patterns: both(m.point),
            captures: board.capture_effects(me, m.point),
        })
        .collect();
    let threats = evaluation::flags(&board);
    let plain = evaluation::evaluate(&board, &threats);
    let mut evaluation = plain;
    if board.freestyle() {
        evaluation += Accumulator::new(Net::freestyle(), &board).correction(&board, &threats, plain);
    }
    let flags = threats.map(u8::from).to_vec();
    let captures = evaluation::captures(&board).to_vec();
    Ok(Features { points, flags, captures, moves, evaluation, plain, decided })
}

/// The number of windows of a line that the net knows.
pub const WINDOWS: usize = windows::WINDOWS;
/// The form of the net: the numbers of a window, and the neurons of the two layers.
pub const NET: [usize; 3] = [net::CHANNELS, layers::FIRST, layers::SECOND];

/// The patterns that black and white make in each of the windows of the net, in freestyle.
pub fn window_patterns() -> Vec<[u8; 2]> {
    let lines = LineTable::new(Fives::OrMore, Fives::OrMore);
    let patterns = windows::all().map(|[black, white]| {
        let both = lines.lookup(black, white, REACH);
        [both & 15, both >> 4]
    });
    patterns.collect()
}

/// The windows of each empty point in its four lines, by number, after these moves in freestyle: as black sees them, and as white does.
///
/// # Panics
/// The moves are not those of a game on a board of this size, which [`features`] tells.
pub fn point_windows(size: u16, moves: &[(u16, u16)]) -> Vec<[[u16; 4]; 2]> {
    let mut bits = *SearchBoard::empty_bits(size);
    for (number, &(x, y)) in moves.iter().enumerate() {
        for (direction, lines) in bits.iter_mut().enumerate() {
            let (line, at) = place_in(direction, y * STRIDE + x);
            lines[line][number % 2] |= 1 << at;
        }
    }
    let numbers = windows::numbers();
    let see = |point| {
        let indices: [usize; 4] = std::array::from_fn(|direction| {
            let (line, at) = place_in(direction, point);
            let [black, white] = bits[direction][line];
            windows::index(black, white, at)
        });
        [indices.map(|index| numbers[index]), indices.map(|index| numbers[windows::exchanged(index)])]
    };
    let free = |point: &Point| {
        let (line, at) = place_in(0, *point);
        (bits[0][line][0] | bits[0][line][1]) >> at & 1 == 0
    };
    points(size).filter(free).map(see).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_beside_the_board_and_on_stones_are_told_apart() {
        let error = |size, moves: &[(u16, u16)]| features(Rule::Freestyle, size, moves).unwrap_err();
        assert_eq!(error(15, &[(7, 7), (15, 0)]), Unplayable::OffTheBoard(1));
        assert_eq!(error(40, &[(35, 0)]), Unplayable::OffTheBoard(0));
        assert_eq!(error(15, &[(7, 7), (7, 7)]), Unplayable::Taken(1));
    }

    #[test]
    fn the_evaluation_is_that_of_the_side_to_move() {
        let evaluation =
            |moves: &[(u16, u16)]| features(Rule::Freestyle, 15, moves).expect("a legal position").evaluation;
        let stones = [(7, 7), (0, 0), (8, 8), (14, 0)];
        assert!(evaluation(&stones) > 0, "black is to move and has two in the middle");
        let three = [&stones[..], &[(6, 6)]].concat();
        assert!(evaluation(&three) < 0, "white is to move against three in the middle");
    }
}

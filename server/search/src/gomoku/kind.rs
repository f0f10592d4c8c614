//! Kinds of points: the result of a stone on an empty point, in ascending strength.

/// No threat.
pub(super) const QUIET: u8 = 0;
/// Forbidden to black in renju.
pub(super) const FORBIDDEN: u8 = 1;
/// An open two.
pub(super) const TWO: u8 = 2;
/// A closed three.
pub(super) const CLOSED_THREE: u8 = 3;
/// Two open twos.
pub(super) const TWO_TWO: u8 = 4;
/// A closed three with an open two or another closed three.
pub(super) const CLOSED_THREE_PLUS: u8 = 5;
/// An open three.
pub(super) const THREE: u8 = 6;
/// An open three with an open two or a closed three.
pub(super) const THREE_PLUS: u8 = 7;
/// Two open threes.
pub(super) const THREE_THREE: u8 = 8;
/// A four.
pub(super) const FOUR: u8 = 9;
/// A four with an open two or a closed three.
pub(super) const FOUR_PLUS: u8 = 10;
/// A four and an open three.
pub(super) const FOUR_THREE: u8 = 11;
/// An open four, or two fours.
pub(super) const OPEN_FOUR: u8 = 12;
/// A five.
pub(super) const FIVE: u8 = 13;
/// The number of kinds.
pub(super) const COUNT: usize = 14;

//! Movement of robots and units between tiles, each at its own pace.
//!
//! They move one by one, and often again before their last animation has ended; each move then starts at the visible
//! position. A move takes as long as the time since the token's last move, so that a token that keeps moving glides.

use std::f32::consts::TAU;

use egui::Pos2;

use super::middle;
use crate::step::MOVE_SECS;
use crate::step::ease;

/// Shortest and longest duration of a move, in seconds.
const SECS: (f64, f64) = (0.05, 0.5);
/// Time after which a token's pace is forgotten, in seconds.
const PACE_SECS: f64 = 1.0;
/// Time for which a token may be off the board and still count as moved, in seconds.
const TAKEN_SECS: f64 = 0.25;
/// Duration of the effect for a token that appears or is lost, at normal speed, in seconds.
const FADE_SECS: f64 = 0.55;

/// A token on a tile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Token {
    /// Identity, if it is known.
    pub id: Option<u32>,
    /// Index of the team.
    pub team: usize,
    pub column: u8,
    pub row: u8,
    /// Facing in quarter turns clockwise; 0 is to the right.
    pub quarter: u8,
}

impl Token {
    fn at(&self) -> Pos2 {
        middle(self.column, self.row)
    }

    fn angle(&self) -> f32 {
        f32::from(self.quarter) * TAU / 4.0
    }

    pub(super) fn distance(&self, other: &Token) -> u8 {
        self.column.abs_diff(other.column).max(self.row.abs_diff(other.row))
    }
}

/// Visible pose of a token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    /// Position in tiles.
    pub at: Pos2,
    /// Angle in radians, clockwise from the right.
    pub angle: f32,
}

/// Effect of a token that appears or is lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fade {
    pub token: Token,
    /// Whether it appears.
    pub comes: bool,
    /// Progress from 0 to 1.
    pub progress: f32,
}

#[derive(Debug, Clone, Copy)]
struct Move {
    /// The token after the move.
    token: Token,
    from: Pose,
    began: f64,
    secs: f64,
    /// Whether the token was already moving.
    goes_on: bool,
}

/// Moves and effects under way.
#[derive(Debug, Default)]
pub(crate) struct Movers {
    moves: Vec<Move>,
    passing: Vec<(Token, bool, f64, f64)>,
}

impl Movers {
    /// Ends all moves and effects.
    pub(crate) fn settle(&mut self) {
        self.moves.clear();
        self.passing.clear();
    }

    /// Starts the moves from a picture with the tokens `before` to one with `after`, at time `now`. `secs` is the
    /// duration of a move; without it there is no animation.
    /// Effects of appearing and lost tokens are shown only while the match plays: a stopped picture may lie between two
    /// commands of one move.
    pub(crate) fn animate(
        &mut self,
        now: f64,
        secs: Option<f64>,
        plays: bool,
        before: &[Token],
        after: &[Token],
    ) {
        let Some(secs) = secs.filter(|secs| *secs >= SECS.0) else {
            self.settle();
            return;
        };
        let fade_secs = FADE_SECS * secs / MOVE_SECS;
        self.passing.retain(|(.., began, secs)| now - began < *secs);
        let mut left: Vec<&Token> = before.iter().collect();
        let mut moves = Vec::new();
        let mut arrived = Vec::new();
        for token in after {
            match take(&mut left, token) {
                Some(was) => moves.extend(self.go(was, token, now, secs)),
                None => arrived.push(token),
            }
        }
        for token in arrived {
            // A token without identity is taken for one on a neighbouring tile.
            let beside = left.iter().position(|was| {
                was.id.is_none() && token.id.is_none() && was.team == token.team && was.distance(token) <= 1
            });
            match beside.map(|index| left.swap_remove(index)) {
                Some(was) => moves.extend(self.go(was, token, now, secs)),
                None => match self.taken_up(token, now) {
                    Some(was) => moves.extend(self.go(&was, token, now, secs)),
                    None => self.passing.push((*token, true, now, fade_secs)),
                },
            }
        }
        for token in left {
            self.passing.push((*token, false, now, fade_secs));
        }
        self.moves = moves;
        if !plays {
            self.passing.clear();
        }
    }

    /// The token before a move that consists of a removal and a new drawing, as old servers send it. Its effect of
    /// being lost is removed.
    fn taken_up(&mut self, token: &Token, now: f64) -> Option<Token> {
        let is_same = |(was, comes, began, _): &(Token, bool, f64, f64)| {
            !comes
                && now - began <= TAKEN_SECS
                && was.team == token.team
                && was.id == token.id
                && was.distance(token) <= 1
        };
        let index = self.passing.iter().position(is_same)?;
        Some(self.passing.swap_remove(index).0)
    }

    /// The move from `was` to `token`, if it can be animated.
    fn go(&mut self, was: &Token, token: &Token, now: f64, secs: f64) -> Option<Move> {
        let known = self.moves.iter().find(|known| known.token == *was).copied();
        if was == token {
            return known.filter(|known| now - known.began < PACE_SECS);
        }
        if was.distance(token) > 2 {
            self.passing.push((*token, true, now, FADE_SECS));
            return None;
        }
        let from = self.pose(was, now);
        let paced = known.map(|known| now - known.began).filter(|gap| *gap < PACE_SECS.min(4.0 * secs));
        let secs = paced.map_or(secs, |gap| gap.clamp(SECS.0, SECS.1));
        Some(Move { token: *token, from, began: now, secs, goes_on: paced.is_some() })
    }

    /// Visible pose of a token of the picture.
    pub(crate) fn pose(&self, token: &Token, now: f64) -> Pose {
        let end = Pose { at: token.at(), angle: token.angle() };
        let Some(going) = self.moves.iter().find(|going| going.token == *token) else { return end };
        let part = ((now - going.began) / going.secs).clamp(0.0, 1.0) as f32;
        let part_of_way = if going.goes_on { part } else { ease(part) };
        // Turns are quick, and in the shorter direction.
        let turn = (end.angle - going.from.angle + TAU * 1.5).rem_euclid(TAU) - TAU / 2.0;
        let back = turn * (1.0 - ease((part * 1.6).min(1.0)));
        Pose { at: going.from.at + (end.at - going.from.at) * part_of_way, angle: end.angle - back }
    }

    /// Effects of appearing and lost tokens.
    pub(crate) fn passing(&self, now: f64) -> impl Iterator<Item = Fade> {
        self.passing.iter().filter_map(move |(token, comes, began, secs)| {
            let progress = ((now - began) / secs) as f32;
            (0.0..1.0).contains(&progress).then_some(Fade { token: *token, comes: *comes, progress })
        })
    }

    /// Whether anything changes with time.
    pub(crate) fn is_moving(&self, now: f64) -> bool {
        self.moves.iter().any(|going| now - going.began < going.secs)
            || self.passing.iter().any(|(.., began, secs)| now - began < *secs)
    }
}

/// Takes the previous state of a token: the one with the same identity, or without identities the one on the same tile.
fn take<'a>(left: &mut Vec<&'a Token>, token: &Token) -> Option<&'a Token> {
    let is_same = |was: &&Token| match (was.id, token.id) {
        (Some(was), Some(is)) => was == is,
        (None, None) => was.team == token.team && (was.column, was.row) == (token.column, token.row),
        _ => false,
    };
    left.iter().position(is_same).map(|index| left.swap_remove(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    fn token(id: u32, column: u8, row: u8, quarter: u8) -> Token {
        Token { id: (id > 0).then_some(id), team: 0, column, row, quarter }
    }

    fn seen(movers: &Movers, token: &Token, now: f64) -> (f32, f32) {
        let at = movers.pose(token, now).at;
        (at.x, at.y)
    }

    #[test]
    fn a_move_begins_where_it_was_and_ends_where_it_is() {
        let (before, after) = (token(7, 2, 3, 0), token(7, 3, 3, 0));
        let mut movers = Movers::default();
        movers.animate(1.0, Some(0.2), true, &[before], &[after]);
        assert_eq!(seen(&movers, &after, 1.0), (2.5, 3.5));
        assert_eq!(seen(&movers, &after, 1.1), (3.0, 3.5));
        assert_eq!(seen(&movers, &after, 1.2), (3.5, 3.5));
        assert!(movers.is_moving(1.1) && !movers.is_moving(1.21));
        movers.settle();
        assert_eq!(seen(&movers, &after, 1.05), (3.5, 3.5));
    }

    #[test]
    fn who_is_erased_and_drawn_again_a_moment_later_has_moved() {
        for id in [0, 7] {
            let (before, after) = (token(id, 2, 3, 0), token(id, 3, 3, 0));
            let mut movers = Movers::default();
            movers.animate(1.0, Some(0.2), true, &[before], &[]);
            assert_eq!(movers.passing(1.05).count(), 1);
            movers.animate(1.1, Some(0.2), true, &[], &[after]);
            assert_eq!((movers.passing(1.15).count(), seen(&movers, &after, 1.1)), (0, (2.5, 3.5)));
            // A token that was gone for longer is lost, and appears again.
            movers.animate(2.0, Some(0.2), true, &[after], &[]);
            movers.animate(2.4, Some(0.2), true, &[], &[after]);
            let passing: Vec<bool> = movers.passing(2.45).map(|passing| passing.comes).collect();
            assert_eq!(passing, [false, true]);
        }
    }

    #[test]
    fn a_second_move_goes_on_from_what_is_seen() {
        let steps = [token(7, 0, 0, 0), token(7, 1, 0, 0), token(7, 2, 0, 0)];
        let mut movers = Movers::default();
        movers.animate(1.0, Some(0.2), true, &steps[..1], &steps[1..2]);
        movers.animate(1.1, Some(0.2), true, &steps[1..2], &steps[2..]);
        assert_eq!(seen(&movers, &steps[2], 1.1), (1.0, 0.5));
        assert_eq!(seen(&movers, &steps[2], 1.15), (1.75, 0.5));
        assert_eq!(seen(&movers, &steps[2], 1.2), (2.5, 0.5));
    }

    #[test]
    fn others_stay_on_their_way_when_somebody_else_moves() {
        let (a, b) = ([token(1, 0, 0, 0), token(1, 1, 0, 0)], [token(2, 5, 5, 0), token(2, 5, 6, 0)]);
        let mut movers = Movers::default();
        movers.animate(1.0, Some(0.2), true, &[a[0], b[0]], &[a[1], b[0]]);
        movers.animate(1.1, Some(0.2), true, &[a[1], b[0]], &[a[1], b[1]]);
        assert_eq!(seen(&movers, &a[1], 1.1), (1.0, 0.5));
        assert_eq!(seen(&movers, &b[1], 1.1), (5.5, 5.5));
    }

    #[test]
    fn it_turns_by_the_shorter_way() {
        let (right, up) = (token(7, 0, 0, 0), token(7, 0, 0, 3));
        let mut movers = Movers::default();
        movers.animate(1.0, Some(0.2), true, &[right], &[up]);
        let angle = movers.pose(&up, 1.05).angle;
        assert!((TAU * 0.75..TAU).contains(&angle), "{angle}");
        assert_eq!(movers.pose(&up, 1.2).angle, TAU * 0.75);
    }

    #[test]
    fn unnamed_players_are_known_by_their_place() {
        let before = [token(0, 0, 0, 0), token(0, 9, 9, 0)];
        let after = [token(0, 0, 1, 1), token(0, 4, 4, 0)];
        let mut movers = Movers::default();
        movers.animate(1.0, Some(0.24), true, &before, &after);
        assert_eq!(movers.pose(&after[0], 1.0).at, pos2(0.5, 0.5));
        let passing: Vec<_> = movers.passing(1.1).map(|passing| (passing.token, passing.comes)).collect();
        assert_eq!(passing, [(after[1], true), (before[1], false)]);
        assert_eq!(movers.passing(3.0).count(), 0);
    }

    #[test]
    fn a_jump_is_not_a_move() {
        let (before, after) = (token(7, 0, 0, 0), token(7, 9, 9, 0));
        let mut movers = Movers::default();
        movers.animate(1.0, None, true, &[before], &[after]);
        assert!(!movers.is_moving(1.0));
        movers.animate(1.0, Some(0.24), true, &[before], &[after]);
        assert_eq!(seen(&movers, &after, 1.0), (9.5, 9.5));
    }
}

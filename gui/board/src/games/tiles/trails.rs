//! Trails of robots and units: their steps in the last second.

use std::collections::VecDeque;

use egui::{Painter, Pos2, Stroke};
use grandstand_protocol::Micros;
use grandstand_protocol::team::RedBlue;

use super::{Tiles, Token, middle};
use crate::BoardInput;
use crate::step::SceneChange;
use crate::theme::Palette;

/// Duration of a trail, in seconds.
const SECS: f64 = 1.0;
/// Number of steps kept.
const STEPS: usize = 256;

/// A step from tile to tile.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Trail {
    team: usize,
    from: Pos2,
    to: Pos2,
    t: Micros,
}

/// The latest steps, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Trails(VecDeque<Trail>);

impl Trails {
    /// Adds the steps from a picture with the tokens `before` to one with `after`. A change of more than `commands`, or
    /// backwards, clears the trails.
    pub(crate) fn animate(
        &mut self,
        step: &SceneChange<'_>,
        commands: u64,
        before: &[Token],
        after: &[Token],
    ) {
        if step.to < step.from || step.to - step.from > commands {
            self.0.clear();
            return;
        }
        let t = step.log.time_of(step.to);
        for token in after {
            let was = before.iter().find(|was| token.id.is_some() && was.id == token.id);
            if let Some(was) = was.filter(|was| (1..=2).contains(&was.distance(token))) {
                let (from, to) = (middle(was.column, was.row), middle(token.column, token.row));
                self.0.push_back(Trail { team: token.team, from, to, t });
            }
        }
        while self.0.len() > STEPS {
            self.0.pop_front();
        }
    }

    /// Whether any trail is visible.
    pub(crate) fn are_seen(&self, picture: &BoardInput<'_>) -> bool {
        self.0.iter().any(|trail| picture.age(trail.t, SECS).is_some())
    }

    /// Paints the steps in their teams' colours, fading and thinning with age.
    pub(crate) fn paint(
        &self,
        painter: &Painter,
        palette: &Palette,
        tiles: &Tiles,
        picture: &BoardInput<'_>,
    ) {
        for trail in &self.0 {
            let Some(age) = picture.age(trail.t, SECS) else { continue };
            let team = if trail.team == 0 { RedBlue::Red } else { RedBlue::Blue };
            let color = palette.squad(team).accent.gamma_multiply(0.75 * (1.0 - age));
            let width = (tiles.side * 0.34 * (1.0 - 0.7 * age)).max(1.5);
            painter.line_segment([tiles.at(trail.from), tiles.at(trail.to)], Stroke::new(width, color));
        }
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Game, Scene};
    use grandstand_replays::Log;

    use super::*;

    fn token(id: u32, column: u8) -> Token {
        Token { id: Some(id), team: 0, column, row: 4, quarter: 0 }
    }

    fn steps(from: u64, to: u64, before: &[Token], after: &[Token]) -> usize {
        let (log, scene) = (Log::live(Game::Fortress), Scene::new(Game::Fortress));
        let step = |from, to| SceneChange {
            log: &log,
            from,
            before: &scene,
            to,
            after: &scene,
            now: 0.0,
            secs: None,
            plays: true,
        };
        let mut trails = Trails::default();
        trails.animate(&step(1, 2), 10, &[token(9, 1)], &[token(9, 2)]);
        trails.animate(&step(from, to), 10, before, after);
        trails.0.len()
    }

    #[test]
    fn a_step_leaves_a_trail_and_a_leap_none() {
        assert_eq!(steps(2, 3, &[token(1, 3)], &[token(1, 4)]), 2);
        assert_eq!(steps(2, 3, &[token(1, 3)], &[token(1, 9)]), 1);
        assert_eq!(steps(2, 3, &[token(1, 3)], &[token(1, 3), token(2, 4)]), 1);
    }

    #[test]
    fn after_a_seek_there_are_no_trails() {
        assert_eq!(steps(20, 3, &[token(1, 3)], &[token(1, 4)]), 0);
        assert_eq!(steps(2, 30, &[token(1, 3)], &[token(1, 4)]), 0);
    }
}

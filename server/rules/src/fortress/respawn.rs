//! Respawn of units (section 2.7).

use std::cmp::Reverse;

use grandstand_protocol::fortress::Team;
use grandstand_protocol::fortress::{Square, UnitClass};

use super::action::{ActionResult, Answer, Reply};
use super::refusal::Failure;
use super::world::World;

impl World {
    /// Handles a unit's request to respawn. A newer request replaces one that still waits, which then fails.
    pub(super) fn respawn(&mut self, index: usize, class: UnitClass) -> Result<Reply, Failure> {
        let mut fallen = self.units.get(index).fallen.ok_or(Failure::Living)?;
        self.forget_wish(index);
        if self.now < fallen.millis + u64::from(self.rules.respawn_time) {
            fallen.wish = Some(class);
            self.units.get_mut(index).fallen = Some(fallen);
            return Ok(Reply::Later);
        }
        let stands = self.rise(index, class);
        self.watch();
        if stands { Ok(Reply::Now(ActionResult::Success)) } else { Err(Failure::NoRoom) }
    }

    /// Respawns all units whose time has come: the first to fall first, of those that fell together the lower id first.
    pub(super) fn respawn_due(&mut self) {
        let wait = u64::from(self.rules.respawn_time);
        let mut due: Vec<(u64, usize, UnitClass)> = Vec::new();
        for (unit, index) in self.units().iter().zip(0..) {
            if let Some(fallen) = unit.fallen
                && let Some(class) = fallen.wish
                && self.now >= fallen.millis + wait
            {
                due.push((fallen.millis, index, class));
            }
        }
        due.sort_by_key(|&(millis, index, _)| (millis, index));
        for (_, index, class) in due {
            if self.rise(index, class) {
                self.answer(index, ActionResult::Success);
            } else {
                self.forget_wish(index);
            }
        }
    }

    /// Fails the pending respawn request of a unit, if there is one.
    pub(super) fn forget_wish(&mut self, index: usize) {
        let fallen = self.units.get_mut(index).fallen.as_mut();
        if fallen.is_some_and(|fallen| fallen.wish.take().is_some()) {
            self.answer(index, ActionResult::Failed);
        }
    }

    fn answer(&mut self, index: usize, result: ActionResult) {
        self.answers.push(Answer { millis: self.now, unit: self.units.get(index).id, result });
    }

    /// Puts a destroyed unit back on the board; returns `false` if there is no room.
    fn rise(&mut self, index: usize, class: UnitClass) -> bool {
        let team = self.units.get(index).team;
        let Some(at) = self.place_to_rise(team) else { return false };
        self.units.rise(index, class, at, self.rules.health(class));
        self.show_spawn(index);
        true
    }

    /// The free square closest to the team's most advanced control point, or to the middle of its own edge if it has none.
    /// Only squares from which the control points can be reached are considered. Of equally close squares the one nearer to the
    /// team's own edge is chosen, then the more northern one.
    fn place_to_rise(&self, team: Team) -> Option<Square> {
        let eastward = match team {
            Team::Red => 1,
            Team::Blue => -1,
        };
        let edge = || Square::new(i64::from(-eastward * Square::X_MAX), 0);
        let center = self.control.most_advanced(team).or_else(edge)?;
        let free = Square::all().filter(|at| self.walkable[at.index()] && self.units.at(*at).is_none());
        free.min_by_key(|at| (center.distance_squared(*at), at.x() * eastward, Reverse(at.y())))
    }
}

//! Control points: their owners, and captures in progress (section 2.1).

use grandstand_protocol::fortress::{POINTS, Square, Team};
use grandstand_protocol::team::Outcome;

use super::unit::Unit;

/// A control point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlPoint {
    /// The point's square.
    pub at: Square,
    /// The team that controls the point.
    pub owner: Option<Team>,
    /// The capture in progress.
    pub capture: Option<Capture>,
}

/// A capture in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capture {
    /// The capturing team.
    pub team: Team,
    /// The beginning of the capture, in milliseconds.
    pub since: u64,
}

/// The five control points.
#[derive(Debug, Clone)]
pub(super) struct Control {
    points: [ControlPoint; POINTS as usize],
}

impl Control {
    pub(super) fn new(places: &[Square; POINTS as usize], owners: &[Option<Team>; POINTS as usize]) -> Self {
        let mut owners = owners.iter().copied();
        let points = places.map(|at| ControlPoint { at, owner: owners.next().flatten(), capture: None });
        Self { points }
    }

    /// The points, in order of their numbers.
    pub(super) fn points(&self) -> &[ControlPoint; POINTS as usize] {
        &self.points
    }

    /// The number of points that red and blue control.
    pub(super) fn held(&self) -> [usize; 2] {
        Team::ALL.map(|team| self.points.iter().filter(|point| point.owner == Some(team)).count())
    }

    /// The team's point that is farthest from its own side.
    pub(super) fn most_advanced(&self, team: Team) -> Option<Square> {
        let mut held = self.points.iter().filter(|point| point.owner == Some(team));
        let point = match team {
            Team::Red => held.next_back(),
            Team::Blue => held.next(),
        };
        point.map(|point| point.at)
    }

    /// The team that currently may capture the point: it does not control it, it controls every point before it, and
    /// it has more units around it than the other team.
    fn contender<'a>(
        &self,
        point: usize,
        radius: u32,
        living: impl Iterator<Item = &'a Unit>,
    ) -> Option<Team> {
        let mut around = [0_usize; 2];
        for unit in living.filter(|unit| u32::from(unit.at.steps_apart(self.points[point].at)) <= radius) {
            around[unit.team.index()] += 1;
        }
        let team = Outcome::<Team>::of_order(around[0].cmp(&around[1])).winner()?;
        let before = match team {
            Team::Red => &self.points[..point],
            Team::Blue => &self.points[point + 1..],
        };
        let owns = |point: &ControlPoint| point.owner == Some(team);
        (!owns(&self.points[point]) && before.iter().all(owns)).then_some(team)
    }

    /// Begins captures that are now possible and breaks off those that no longer are. Returns the changed points.
    pub(super) fn watch<'a, I: Iterator<Item = &'a Unit>>(
        &mut self,
        now: u64,
        radius: u32,
        living: impl Fn() -> I,
    ) -> Vec<u8> {
        let mut changed = Vec::new();
        for (index, number) in (0..usize::from(POINTS)).zip(0..) {
            let contender = self.contender(index, radius, living());
            let point = &mut self.points[index];
            if point.capture.map(|capture| capture.team) != contender {
                point.capture = contender.map(|team| Capture { team, since: now });
                changed.push(number);
            }
        }
        changed
    }

    /// Completes the captures that have lasted `time`, all at once. Returns the points that have changed hands.
    pub(super) fn complete(&mut self, now: u64, time: u64) -> Vec<u8> {
        let mut changed = Vec::new();
        for (point, number) in self.points.iter_mut().zip(0..) {
            if let Some(capture) = point.capture
                && now >= capture.since + time
            {
                point.owner = if point.owner.is_none() { Some(capture.team) } else { None };
                point.capture = None;
                changed.push(number);
            }
        }
        changed
    }

    /// Breaks off every capture. Returns the changed points.
    pub(super) fn stop(&mut self) -> Vec<u8> {
        let running = (0..).zip(&mut self.points).filter(|(_, point)| point.capture.is_some());
        running.map(|(number, point)| (number, point.capture = None).0).collect()
    }
}

//! State of a match, and all operations that change it.

use std::sync::Arc;

use grandstand_protocol::fortress::Team;
use grandstand_protocol::fortress::{Command, POINTS, Square};
use grandstand_protocol::team::ByTeam;
use grandstand_protocol::{self as protocol, clean_text};

use super::ability::Slot;
use super::action::{Action, ActionResult, Answer, Hand, PointStatus, Position, Reply, Sighting, UnitId};
use super::control::{Control, ControlPoint};
use super::map::Map;
use super::outcome::{Finish, Termination, decide, without};
use super::refusal::Failure;
use super::rules::Rules;
use super::setup::{Setup, SetupError};
use super::unit::{Unit, Units};

/// A match of Steam Fortress as its units see it: sections 2 to 4 of the handout.
///
/// Time is in milliseconds since the start and never decreases. Timed events (captures, respawns, the time limit, and
/// reports of the remaining time) happen in [`handle_time`](Self::handle_time), in order and each at its own millisecond,
/// however far the time jumps; [`next_event`](Self::next_event) is the time of the next one, to which a clock may jump.
/// Units act in [`act`](Self::act): in the order of the calls, and after the timed events of that
/// millisecond.
///
/// All changes are in [`drain_commands`](Self::drain_commands): folding those commands into an empty scene gives
/// [`scene`](Self::scene), except for the talk and the effects. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct World {
    pub(super) rules: Rules,
    pub(super) map: Map,
    /// For each [`Square::index`], whether the control points can be reached from the square on foot.
    pub(super) walkable: Arc<[bool]>,
    pub(super) units: Units,
    pub(super) control: Control,
    pub(super) now: u64,
    dropped_talks: [u64; 2],
    finish: Option<Finish>,
    failure: Option<Failure>,
    pub(super) answers: Vec<Answer>,
    pub(super) commands: Vec<(u64, protocol::Command)>,
}

/// The interval of reports of the remaining time, in milliseconds.
pub const TIME_REPORT: u64 = 1_000;

/// The interval of reports of a capture in progress, in milliseconds.
pub const CAPTURE_REPORT: u64 = 500;

impl World {
    /// The position that `setup` describes, at millisecond 0.
    ///
    /// # Errors
    /// [`SetupError`] if the settings or the setup are invalid.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        let units = setup.check()?;
        let mut world = Self {
            rules: setup.rules.clone(),
            walkable: setup.map.reachable(setup.map.points()[0]).into(),
            units,
            control: Control::new(setup.map.points(), &setup.owners),
            map: setup.map.clone(),
            now: 0,
            dropped_talks: [0; 2],
            finish: None,
            failure: None,
            answers: Vec::new(),
            commands: Vec::new(),
        };
        world.commands = world.draw().into_iter().map(|command| (0, command.into())).collect();
        world.watch();
        Ok(world)
    }

    /// The settings.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Every unit, living or destroyed, by ascending id.
    pub fn units(&self) -> &[Unit] {
        self.units.all()
    }

    /// The unit with this id.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.find(id).map(|index| self.units.get(index))
    }

    /// The living unit on the square.
    pub fn unit_at(&self, at: Square) -> Option<&Unit> {
        self.units.at(at)
    }

    /// The control points, in order of their numbers.
    pub fn points(&self) -> &[ControlPoint; POINTS as usize] {
        self.control.points()
    }

    /// The current time: that of the latest call.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Milliseconds until the time limit.
    pub fn remaining(&self) -> u64 {
        u64::from(self.rules.time_limit).saturating_sub(self.now)
    }

    /// The end of the match; `None` while it goes on.
    pub fn finish(&self) -> Option<&Finish> {
        self.finish.as_ref()
    }

    /// The number of the team's messages dropped because of `cTALKS_PER_SECOND`.
    pub fn dropped_talks(&self, team: Team) -> u64 {
        self.dropped_talks[team.index()]
    }

    /// The reason why the last action was answered [`ActionResult::Failed`], if it was.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// All commands since the last call, each with its millisecond.
    pub fn drain_commands(&mut self) -> Vec<(u64, protocol::Command)> {
        std::mem::take(&mut self.commands)
    }

    /// The delayed answers to actions since the last call.
    pub fn drain_answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    /// The millisecond of the next timed event; `None` after the end of the match.
    pub fn next_event(&self) -> Option<u64> {
        if self.finish.is_some() {
            return None;
        }
        let after = |since: u64, step: u64| since + ((self.now - since) / step + 1) * step;
        let mut next = after(0, TIME_REPORT).min(self.rules.time_limit.into());
        for capture in self.points().iter().filter_map(|point| point.capture) {
            next = next.min(after(capture.since, CAPTURE_REPORT));
            next = next.min(capture.since + u64::from(self.rules.point_capture_time));
        }
        for fallen in
            self.units().iter().filter_map(|unit| unit.fallen.filter(|fallen| fallen.wish.is_some()))
        {
            next = next.min(fallen.millis + u64::from(self.rules.respawn_time));
        }
        Some(next)
    }

    /// Advances the time to `now`, unless it is already later, and performs all timed events up to and including that millisecond.
    pub fn handle_time(&mut self, now: u64) {
        while let Some(next) = self.next_event().filter(|&next| next <= now) {
            self.now = next;
            self.pass();
        }
        if self.finish.is_none() {
            self.now = self.now.max(now);
        }
    }

    /// Performs the timed events of this millisecond, in this order: completed captures, the end of the match, respawns, captures
    /// that begin or break off as a result, reports.
    fn pass(&mut self) {
        for point in self.control.complete(self.now, self.rules.point_capture_time.into()) {
            self.show_captured(point);
        }
        let held = self.control.held();
        let termination = if held.contains(&usize::from(POINTS)) {
            Termination::Points
        } else if self.remaining() == 0 {
            Termination::Time
        } else {
            self.respawn_due();
            self.watch();
            self.report();
            return;
        };
        self.end(Finish { outcome: decide(held), termination, millis: self.now, points: held });
    }

    /// Ends the match at `now` with a loss of these teams, whatever the position. Does nothing after the end of the match, or for no team.
    pub fn forfeit(&mut self, now: u64, lost: &ByTeam<Team, bool>) {
        self.handle_time(now);
        if self.finish.is_some() || !(lost[Team::Red] || lost[Team::Blue]) {
            return;
        }
        let (outcome, points) = (without(lost), self.control.held());
        self.end(Finish { outcome, termination: Termination::Forfeit, millis: self.now, points });
    }

    fn end(&mut self, finish: Finish) {
        for point in self.control.stop() {
            self.show_capture(point);
        }
        for index in 0..self.units().len() {
            self.forget_wish(index);
        }
        self.finish = Some(finish);
        self.show(self.time_command());
        self.show(Command::Over { winner: finish.outcome });
    }

    /// Reports the values that change with time alone.
    fn report(&mut self) {
        if self.now.is_multiple_of(TIME_REPORT) {
            self.show(self.time_command());
        }
        for point in 0..POINTS {
            let since = self.points()[usize::from(point)].capture.map(|capture| capture.since);
            if since
                .is_some_and(|since| self.now > since && (self.now - since).is_multiple_of(CAPTURE_REPORT))
            {
                self.show_capture(point);
            }
        }
    }

    /// Begins or breaks off captures; called after every change that may affect them.
    pub(super) fn watch(&mut self) {
        let units = &self.units;
        for point in self.control.watch(self.now, self.rules.point_capture_radius, || units.living()) {
            self.show_capture(point);
        }
    }

    /// Performs an action of a unit at `now`. A time before that of an earlier call counts as that of the earlier call. After the end
    /// of the match, and for an unknown id, every action fails.
    pub fn act(&mut self, now: u64, unit: UnitId, action: Action) -> Reply {
        self.handle_time(now);
        let done = self.try_act(unit, action);
        self.failure = done.as_ref().err().copied();
        done.unwrap_or(Reply::Now(ActionResult::Failed))
    }

    fn try_act(&mut self, unit: UnitId, action: Action) -> Result<Reply, Failure> {
        let index = self.units.find(unit).filter(|_| self.finish.is_none()).ok_or(Failure::Over)?;
        Ok(Reply::Now(match action {
            Action::Move(hand) => self.try_move(index, hand)?,
            Action::Turn(hand) => self.try_turn(index, hand)?,
            Action::PrimaryAbility(position) => self.use_ability(index, Slot::Primary, position)?,
            Action::SecondaryAbility(position) => self.use_ability(index, Slot::Secondary, position)?,
            Action::Scan(range) => self.scan(index, range)?,
            Action::Inspect(position) => self.inspect(index, position)?,
            Action::MyStatus => {
                let unit = self.units.get(index);
                let (at, health, facing) = (unit.at, unit.health, unit.facing);
                ActionResult::MyData { at, health, facing }
            }
            Action::GameStatus => {
                let points = (0..POINTS).map(|point| self.point_status(index, point)).collect();
                ActionResult::GameData { remaining: self.remaining(), points }
            }
            Action::Respawn(class) => return self.respawn(index, class),
            Action::Talk(text) => {
                self.talk(index, &text);
                ActionResult::Success
            }
        }))
    }

    /// Moves a unit (section 2.5).
    fn try_move(&mut self, index: usize, hand: Option<Hand>) -> Result<ActionResult, Failure> {
        let unit = self.units.get(index);
        unit.can_move(self.now)?;
        let direction = hand.map_or(unit.facing, |hand| hand.of(unit.facing));
        let to = self.map.step(unit.at, direction).ok_or(Failure::Ground)?;
        if self.units.at(to).is_some() {
            return Err(Failure::Occupied(to));
        }
        let delay = self.rules.move_delay(unit.class);
        self.units.shift(index, to);
        self.units.get_mut(index).moves_from = self.now + delay;
        self.show_unit(index);
        self.watch();
        Ok(ActionResult::Success)
    }

    /// Turns a unit (section 2.5).
    fn try_turn(&mut self, index: usize, hand: Hand) -> Result<ActionResult, Failure> {
        let unit = self.units.get(index);
        unit.can_move(self.now)?;
        let (facing, delay) = (hand.of(unit.facing), self.rules.turn_delay(unit.class));
        let unit = self.units.get_mut(index);
        unit.facing = facing;
        unit.moves_from = self.now + delay;
        self.show_unit(index);
        Ok(ActionResult::Success)
    }

    fn scan(&self, index: usize, range: i64) -> Result<ActionResult, Failure> {
        let unit = self.units.get(index);
        unit.lives()?;
        let Ok(range) = u64::try_from(range) else { return Err(Failure::Range) };
        let reach = range.saturating_mul(range);
        let distance = |other: &Unit| unit.at.distance_squared(other.at);
        let mut seen: Vec<&Unit> =
            self.units.living().filter(|other| u64::from(distance(other)) <= reach).collect();
        seen.sort_by_key(|other| distance(other));
        Ok(ActionResult::ScanData { units: seen.into_iter().map(|other| sighting(unit, other)).collect() })
    }

    fn inspect(&self, index: usize, position: Position) -> Result<ActionResult, Failure> {
        let at = position.place().ok_or(Failure::OffBoard)?;
        let unit = self.units.at(at).map(|other| sighting(self.units.get(index), other));
        let point = self.map.point_at(at).map(|point| self.point_status(index, point));
        Ok(ActionResult::InspectData { elevation: self.map.elevation(at), unit, point })
    }

    fn point_status(&self, index: usize, point: u8) -> PointStatus {
        let team = self.units.get(index).team;
        let ControlPoint { at, owner, .. } = self.points()[usize::from(point)];
        PointStatus { at, point, ours: owner.map(|owner| owner == team) }
    }

    fn talk(&mut self, index: usize, text: &str) {
        let second = self.now / 1_000;
        let unit = self.units.get_mut(index);
        let team = unit.team;
        if unit.talks.0 != second {
            unit.talks = (second, 0);
        }
        if unit.talks.1 >= self.rules.talks_per_second {
            self.dropped_talks[team.index()] += 1;
            return;
        }
        unit.talks.1 += 1;
        self.show(Command::Say { team, text: clean_text(text).into() });
    }
}

fn sighting(by: &Unit, unit: &Unit) -> Sighting {
    Sighting { class: unit.class, health: unit.health, at: unit.at, ally: unit.team == by.team }
}

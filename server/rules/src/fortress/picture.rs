//! State of a match as commands, and as a scene.

use grandstand_protocol::Micros;
use grandstand_protocol::fortress::{Command, Elevation, POINTS, Scene, Square};

use super::world::{CAPTURE_REPORT, TIME_REPORT, World};

impl World {
    /// The scene of the current state, without talk and effects.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::default();
        for command in self.draw() {
            scene.apply(0, Micros(0), &command);
        }
        for (index, unit) in (0..).zip(self.units()) {
            if let Some(fell) = unit.fell_at() {
                scene.apply(0, Micros(0), &self.spawn_command(index));
                scene.apply(0, Micros(fell.saturating_mul(1_000)), &Command::Remove { id: unit.id.0 });
            }
        }
        scene
    }

    /// All commands that draw the current state into an empty scene, except for fallen units, talk and
    /// effects.
    pub(super) fn draw(&self) -> Vec<Command> {
        let mut commands = vec![Command::Init];
        for at in Square::all() {
            let elevation = self.map.elevation(at);
            if elevation != Elevation::Low {
                commands.push(Command::Elevation { at, elevation });
            }
        }
        for (point, control) in (0..POINTS).zip(self.points()) {
            commands.push(Command::Point { point, at: control.at, owner: control.owner });
            if let Some(capture) = control.capture {
                let millis = self.rules.point_capture_time;
                commands.push(Command::Capture { point, team: Some(capture.team), millis });
                commands.push(self.capture_command(point));
            }
        }
        for (index, unit) in (0..).zip(self.units()).filter(|(_, unit)| unit.is_living()) {
            commands.push(self.spawn_command(index));
            if unit.health < self.rules.health(unit.class) {
                commands.push(self.update_command(index));
            }
        }
        commands.push(self.time_command());
        if let Some(finish) = self.finish() {
            commands.push(Command::Over { winner: finish.outcome });
        }
        commands
    }

    pub(super) fn show(&mut self, command: Command) {
        self.commands.push((self.now, command.into()));
    }

    /// Shows the change of a unit on the board.
    pub(super) fn show_unit(&mut self, index: usize) {
        self.show(self.update_command(index));
    }

    /// Shows the return of a unit.
    pub(super) fn show_spawn(&mut self, index: usize) {
        self.show(self.spawn_command(index));
    }

    /// Shows the destruction of a unit.
    pub(super) fn show_fall(&mut self, index: usize) {
        self.show(Command::Remove { id: self.units.get(index).id.0 });
    }

    /// Shows the beginning, progress or end of a capture.
    pub(super) fn show_capture(&mut self, point: u8) {
        self.show(self.capture_command(point));
    }

    /// Shows a control point's change of hands.
    pub(super) fn show_captured(&mut self, point: u8) {
        let owner = self.points()[usize::from(point)].owner;
        self.show_capture(point);
        self.show(Command::Control { point, owner });
    }

    pub(super) fn time_command(&self) -> Command {
        let shown = match self.finish() {
            Some(finish) => finish.millis,
            None => self.now - self.now % TIME_REPORT,
        };
        let millis = u64::from(self.rules.time_limit).saturating_sub(shown);
        Command::Time { millis: u32::try_from(millis).unwrap_or(u32::MAX) }
    }

    fn capture_command(&self, point: u8) -> Command {
        let Some(capture) = self.points()[usize::from(point)].capture else {
            return Command::Capture { point, team: None, millis: 0 };
        };
        let passed = self.now - capture.since;
        let left = u64::from(self.rules.point_capture_time).saturating_sub(passed - passed % CAPTURE_REPORT);
        let millis = u32::try_from(left).unwrap_or(u32::MAX);
        Command::Capture { point, team: Some(capture.team), millis }
    }

    fn spawn_command(&self, index: usize) -> Command {
        let unit = self.units.get(index);
        let health = self.rules.health(unit.class);
        let (id, team, at, facing, class) = (unit.id.0, unit.team, unit.at, unit.facing, unit.class);
        Command::Spawn { id, team, at, facing, health, class }
    }

    fn update_command(&self, index: usize) -> Command {
        let unit = self.units.get(index);
        Command::Update { id: unit.id.0, at: unit.at, facing: unit.facing, health: unit.health }
    }
}

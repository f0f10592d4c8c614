//! Commands that came together, and the scenes before and after them.
//!
//! A game server sends what changes at one moment as several commands: a piece is gone here and one is there. What that
//! means can only be told when all of them are known.

use grandstand_protocol::{Command, Micros, Scene};

use super::{Group, view};

/// A group is ended after so many commands, at the next one of another time.
const COMMANDS_MAX: usize = 400;

/// Collects commands into groups.
#[derive(Debug)]
pub(crate) struct Groups {
    before: Scene,
    scene: Scene,
    together: Micros,
    commands: Vec<(u64, Micros, Command)>,
}

impl Groups {
    /// Groups of commands that come after the scene.
    pub(crate) fn new(scene: Scene) -> Groups {
        let together = view(&scene).together();
        Groups { before: scene.clone(), scene, together, commands: Vec::new() }
    }

    /// The scene after everything that was added.
    pub(crate) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Whether a command of that time no longer belongs to the group.
    pub(crate) fn is_before(&self, t: Micros) -> bool {
        self.commands.last().is_some_and(|(_, last, _)| {
            let apart = t.since(*last);
            apart > self.together || apart > Micros(0) && self.commands.len() >= COMMANDS_MAX
        })
    }

    /// Adds the next command.
    pub(crate) fn add(&mut self, seq: u64, t: Micros, command: Command) {
        self.scene.apply(seq, t, &command);
        self.commands.push((seq, t, command));
    }

    /// Ends the group: `take` gets the scene before it and the group, unless there is nothing in it.
    pub(crate) fn close(&mut self, take: impl FnOnce(&Scene, &Group<'_>)) {
        if !self.commands.is_empty() {
            take(&self.before, &Group { after: &self.scene, commands: &self.commands });
            self.commands.clear();
            self.before = self.scene.clone();
        }
    }
}

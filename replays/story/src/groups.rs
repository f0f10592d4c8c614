//! Commands that came together, and the scenes before and after them.
//!
//! A game server sends what changes at one moment as several commands: a piece is gone here and one is there. What that
//! means can only be told when all of them are known. An old server may send them one by one: then what was taken up is waited for.

use grandstand_protocol::{Command, Micros, Scene};

use crate::game::{Group, Passing};
use crate::games::story;

/// A group is ended after so many commands, at the next one of another time.
const COMMANDS_MAX: usize = 400;
/// What was taken up is put down within this time, and within so many commands, or is gone.
const IN_HAND: (Micros, usize) = (Micros(250_000), 16);
/// When nothing has come for so many seconds, the group is whole.
const QUIET_SECS: f64 = 0.1;

/// Something that was taken up, and by which command of the group.
#[derive(Debug, Clone, Copy)]
struct Taken {
    thing: u64,
    t: Micros,
    index: usize,
}

/// Collects commands into groups.
#[derive(Debug)]
pub struct Groups {
    before: Scene,
    scene: Scene,
    together: Micros,
    commands: Vec<(u64, Micros, Command)>,
    in_hand: Vec<Taken>,
}

impl Groups {
    /// Groups of commands that come after the scene.
    pub fn new(scene: Scene) -> Groups {
        let together = story(&scene).together();
        Groups { before: scene.clone(), scene, together, commands: Vec::new(), in_hand: Vec::new() }
    }

    /// The scene after everything that was added.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Whether a command of that time no longer belongs to the group.
    pub fn is_before(&self, t: Micros, command: &Command) -> bool {
        self.commands.last().is_some_and(|(_, last, _)| {
            let apart = t.since(*last);
            let ends = apart > self.together && (!self.waits(t) || self.begins_anew(command));
            ends || apart > Micros(0) && self.commands.len() >= COMMANDS_MAX
        })
    }

    /// Whether the group is whole when nothing has come for so many seconds.
    pub fn is_whole(&self, quiet: f64) -> bool {
        quiet > if self.in_hand.is_empty() { QUIET_SECS } else { IN_HAND.0.as_secs_f64() }
    }

    /// Whether something that was taken up may still be put down at that time.
    fn waits(&self, t: Micros) -> bool {
        let may =
            |taken: &Taken| t.since(taken.t) <= IN_HAND.0 && self.commands.len() - taken.index <= IN_HAND.1;
        self.in_hand.iter().any(may)
    }

    fn begins_anew(&self, command: &Command) -> bool {
        story(&self.scene).passing(command) == Passing::Anew
    }

    /// Adds the next command.
    pub fn add(&mut self, seq: u64, t: Micros, command: Command) {
        match story(&self.scene).passing(&command) {
            Passing::Taken(thing) => self.in_hand.push(Taken { thing, t, index: self.commands.len() }),
            Passing::Put(thing) => {
                if let Some(index) = self.in_hand.iter().position(|taken| taken.thing == thing) {
                    self.in_hand.swap_remove(index);
                }
            }
            Passing::Anew => self.in_hand.clear(),
            Passing::None => {}
        }
        self.scene.apply(seq, t, &command);
        self.commands.push((seq, t, command));
    }

    /// Ends the group: `take` gets the scene before it and the group, unless there is nothing in it.
    pub fn close(&mut self, take: impl FnOnce(&Scene, &Group<'_>)) {
        if !self.commands.is_empty() {
            take(&self.before, &Group { after: &self.scene, commands: &self.commands });
            self.commands.clear();
            self.in_hand.clear();
            self.before = self.scene.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use grandstand_protocol::Game;
    use proptest::prelude::*;

    use super::*;

    fn command(line: &str) -> Command {
        Command::parse(Game::Shark, line.as_bytes())
    }

    /// Where each group of these commands, which come so many milliseconds after each other, ends.
    fn ends(lines: &[(u64, String)]) -> Vec<usize> {
        let mut groups = Groups::new(Scene::new(Game::Shark));
        let (mut t, mut ends) = (Micros(0), Vec::new());
        for (index, (later, line)) in lines.iter().enumerate() {
            t = Micros(t.0 + later * 1_000);
            let command = command(line);
            if groups.is_before(t, &command) {
                groups.close(|_, group| assert!(!group.commands.is_empty()));
                ends.push(index);
            }
            groups.add(index as u64 + 1, t, command);
        }
        ends
    }

    #[test]
    fn what_is_drawn_again_in_time_belongs_together() {
        let cut = |lines: &[(u64, &str)]| {
            ends(&lines.iter().map(|(later, line)| (*later, (*line).to_owned())).collect::<Vec<_>>())
        };
        let draw = (0, "draw RED_UP 1 9 1 3");
        assert_eq!(cut(&[draw, (50, "erase 1 9"), (250, "draw RED_UP 1 8 1 3"), (2, "spawn 1 1")]), [1, 3]);
        assert_eq!(cut(&[draw, (50, "erase 1 9"), (251, "draw RED_UP 1 8 1 3")]), [1, 2]);
        assert_eq!(cut(&[draw, (50, "erase 1 9"), (2, "time 4"), (2, "draw RED_UP 1 8 1 3")]), [1, 2, 3]);
        // Nothing is waited for where no robot stood.
        assert_eq!(cut(&[draw, (50, "erase 2 9"), (2, "draw RED_UP 1 9 1 2")]), [1, 2]);
    }

    proptest! {
        /// Robots that are erased and drawn again, each within 250 ms and 16 lines, however their lines are mixed: at the end of every
        /// group all of them stand somewhere.
        #[test]
        fn nobody_is_gone_between_groups_who_is_drawn_again(
            moves in proptest::collection::vec((0..3_u32, 0..3_u32, 0..60_u64), 1..60),
        ) {
            let place = |robot: u32, at: u32| format!("{} {}", at % 16, robot);
            let draw = |robot: u32, at: u32| format!("draw RED_UP {} {robot} 3", place(robot, at));
            let mut lines: Vec<(u64, String)> = (0..3).map(|robot| (0, draw(robot, 0))).collect();
            let mut at = HashMap::new();
            let mut lifted: Vec<u32> = Vec::new();
            for (robot, down, later) in moves {
                // From an erasure to its drawing it is four lines at most.
                if lifted.len() > down as usize || lifted.contains(&robot) {
                    let robot = lifted.remove(0);
                    let at = at.entry(robot).or_insert(0);
                    *at += 1;
                    lines.push((later, draw(robot, *at)));
                } else {
                    lifted.push(robot);
                    lines.push((later, format!("erase {}", place(robot, *at.get(&robot).unwrap_or(&0)))));
                }
            }
            for robot in lifted {
                lines.push((10, draw(robot, at.get(&robot).unwrap_or(&0) + 1)));
            }
            let mut groups = Groups::new(Scene::new(Game::Shark));
            let mut t = Micros(0);
            for (index, (later, line)) in lines.iter().enumerate() {
                t = Micros(t.0 + later * 1_000);
                let command = command(line);
                if groups.is_before(t, &command) {
                    let Scene::Shark(scene) = groups.scene() else { unreachable!() };
                    prop_assert_eq!(scene.sprites().count(), 3, "before line {} of {:?}", index, lines);
                    groups.close(|_, _| {});
                }
                groups.add(index as u64 + 1, t, command);
            }
        }
    }
}

//! Groups of commands that came together, with the scenes before and after.
//!
//! A game server sends the changes of one moment as several commands, for instance the removal of a piece and its new
//! place. Their meaning is known only for all of them together. Old servers may send them one by one; then a group
//! waits for objects that were erased. In a game by turns a group has one move, even if
//! several have one time.

use grandstand_protocol::{Command, MarkKind, Micros, Scene};

use crate::game::{Group, Redraw};
use crate::games::story;

/// Number of commands after which a group ends at the next change of time.
const COMMANDS_MAX: usize = 400;
/// Time and number of commands within which an erased object must be drawn again.
const IN_HAND: (Micros, usize) = (Micros(250_000), 16);
/// Seconds without a command after which a group is complete.
const QUIET_SECS: f64 = 0.1;

/// Object that was erased, with its time and the index of the command in the group.
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
    /// Whether a game by moves has one in it.
    has_move: bool,
    commands: Vec<(u64, Micros, Command)>,
    in_hand: Vec<Taken>,
}

impl Groups {
    /// Creates an empty group after a scene.
    pub fn new(scene: Scene) -> Groups {
        let together = story(&scene).group_window();
        Groups {
            before: scene.clone(),
            scene,
            together,
            has_move: false,
            commands: Vec::new(),
            in_hand: Vec::new(),
        }
    }

    /// Scene after all added commands.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Whether a command at this time begins a new group.
    pub fn is_before(&self, t: Micros, command: &Command) -> bool {
        self.commands.last().is_some_and(|(_, last, _)| {
            let apart = t.since(*last);
            let ends = apart > self.together && (!self.waits(t) || self.begins_anew(command));
            ends || self.has_move && self.is_move(command)
                || apart > Micros(0) && self.commands.len() >= COMMANDS_MAX
        })
    }

    /// Whether a command is a move of a game by turns.
    fn is_move(&self, command: &Command) -> bool {
        self.scene.game().goes_by_moves() && self.scene.mark(command) == Some(MarkKind::Turn)
    }

    /// Whether the group is complete after this number of seconds without a command.
    pub fn is_whole(&self, quiet: f64) -> bool {
        quiet > if self.in_hand.is_empty() { QUIET_SECS } else { IN_HAND.0.as_secs_f64() }
    }

    /// Whether an erased object may still be drawn again at this time.
    fn waits(&self, t: Micros) -> bool {
        let may =
            |taken: &Taken| t.since(taken.t) <= IN_HAND.0 && self.commands.len() - taken.index <= IN_HAND.1;
        self.in_hand.iter().any(may)
    }

    fn begins_anew(&self, command: &Command) -> bool {
        story(&self.scene).redraw(command) == Redraw::Boundary
    }

    /// Adds the next command.
    pub fn add(&mut self, seq: u64, t: Micros, command: Command) {
        match story(&self.scene).redraw(&command) {
            Redraw::Erased(thing) => self.in_hand.push(Taken { thing, t, index: self.commands.len() }),
            Redraw::Drawn(thing) => {
                if let Some(index) = self.in_hand.iter().position(|taken| taken.thing == thing) {
                    self.in_hand.swap_remove(index);
                }
            }
            Redraw::Boundary => self.in_hand.clear(),
            Redraw::None => {}
        }
        self.has_move |= self.is_move(&command);
        self.scene.apply(seq, t, &command);
        self.commands.push((seq, t, command));
    }

    /// Ends the group. `take` gets the scene before it and the group, if it is not empty.
    pub fn close(&mut self, take: impl FnOnce(&Scene, &Group<'_>)) {
        if !self.commands.is_empty() {
            take(&self.before, &Group { after: &self.scene, commands: &self.commands });
            self.commands.clear();
            self.in_hand.clear();
            self.has_move = false;
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

    /// Ends of the groups of these commands. The numbers are milliseconds since the previous command.
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
        // An erased tile without a robot needs no waiting.
        assert_eq!(cut(&[draw, (50, "erase 2 9"), (2, "draw RED_UP 1 9 1 2")]), [1, 2]);
    }

    proptest! {
        /// Robots that are erased and drawn again within 250 ms and 16 lines, with their lines mixed: every group ends
        /// with all robots on the board.
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
                // At most four lines between an erasure and its drawing.
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

//! Pilots of a team, and of a match.

use super::{Pilot, PilotAction, PilotEvent};
use crate::Pid;
use crate::shark::outcome::Finish;
use crate::shark::world::{ActError, Kill, SpawnError, World};

/// The pilots of one team.
#[derive(Debug, Clone)]
pub struct PilotTeam {
    members: Vec<Member>,
    next_pid: Pid,
}

#[derive(Debug, Clone)]
struct Member {
    pid: Pid,
    /// The step of the pilot's next decision.
    due: u64,
    news: PilotEvent,
    pilot: Box<dyn Pilot>,
}

impl PilotTeam {
    /// A team whose first robot, `root`, is steered by `pilot`. The robots that it spawns get the pids from `first_child` on, which
    /// must be unused.
    pub fn new(pilot: Box<dyn Pilot>, root: Pid, first_child: Pid) -> Self {
        let news = PilotEvent::Born { pid: root, parent: None };
        Self { members: vec![Member { pid: root, due: 1, news, pilot }], next_pid: first_child }
    }

    /// The step and the pid of the team's next action.
    pub fn due(&self) -> Option<(u64, Pid)> {
        self.members.iter().map(|member| (member.due, member.pid)).min()
    }

    /// Removes the pilot of a robot that is gone. Returns `false` if it is not of the team.
    pub fn remove(&mut self, pid: Pid) -> bool {
        let before = self.members.len();
        self.members.retain(|member| member.pid != pid);
        self.members.len() < before
    }

    /// Performs the next action of the team.
    fn advance(&mut self, world: &mut World) {
        let Some(member) = self.members.iter_mut().min_by_key(|member| (member.due, member.pid)) else {
            return;
        };
        let (step, pid) = (member.due, member.pid);
        let mut child = None;
        let done = match member.pilot.decide(&member.news) {
            PilotAction::Act(action) => world.act(step, pid, action).map(|reply| {
                member.due = step + 1 + reply.delay;
                member.news = PilotEvent::Answer(reply.answer);
            }),
            PilotAction::Spawn(pilot) => {
                let spawned = match world.spawn(step, pid, self.next_pid) {
                    Ok(_) => Ok(Some(self.next_pid)),
                    Err(SpawnError::Parent(error)) => Err(error),
                    Err(_) => Ok(None),
                };
                spawned.map(|spawned| {
                    member.due = step + 1;
                    member.news = PilotEvent::Spawned(spawned);
                    child = spawned.map(|child| {
                        let news = PilotEvent::Born { pid: child, parent: Some(pid) };
                        Member { pid: child, due: step + 1, news, pilot }
                    });
                })
            }
            PilotAction::Rest(steps) => {
                member.due = step.saturating_add(steps.max(1));
                member.news = PilotEvent::Rested;
                Ok(())
            }
            PilotAction::End => {
                world.ended(step, pid);
                Err(ActError::NoBot(pid))
            }
        };
        match done {
            Ok(()) => {}
            // Another caller has acted for the robot.
            Err(ActError::Waits(_, ready)) => {
                self.members
                    .iter_mut()
                    .filter(|member| member.pid == pid)
                    .for_each(|member| member.due = ready);
            }
            Err(ActError::NoBot(_)) => drop(self.remove(pid)),
            Err(ActError::Over) => self.members.clear(),
        }
        if let Some(child) = child {
            self.next_pid = Pid(child.pid.0 + 1);
            self.members.push(child);
        }
    }
}

/// The pilots of a match: one entry for each team that is played in Rust.
#[derive(Debug, Clone, Default)]
pub struct PilotTeams(Vec<PilotTeam>);

impl PilotTeams {
    /// The pilots of these teams, whose pids must be disjoint.
    pub fn new(teams: impl IntoIterator<Item = PilotTeam>) -> Self {
        Self(teams.into_iter().collect())
    }

    /// Performs all actions that are due before (`step`, `pid`). Returns the kills since the last call whose victims belong
    /// to none of the teams.
    ///
    /// Call it before every other action at (`step`, `pid`), and at the end of a step with the greatest pid; never
    /// past the world's next event.
    pub fn run(&mut self, world: &mut World, step: u64, pid: Pid) -> Vec<Kill> {
        let mut others = self.remove_killed(world);
        loop {
            let due = |team: &PilotTeam| team.due().filter(|&due| due < (step, pid));
            let next =
                self.0.iter_mut().filter_map(|team| Some((due(team)?, team))).min_by_key(|(due, _)| *due);
            let Some((_, team)) = next else { return others };
            team.advance(world);
            others.extend(self.remove_killed(world));
        }
    }

    /// Plays a match to its end, in which all teams are played by pilots.
    pub fn play(&mut self, world: &mut World) -> Finish {
        loop {
            if let Some(finish) = world.finish() {
                return *finish;
            }
            let step = world.next_event_step();
            self.run(world, step, Pid(u32::MAX));
            world.end_step(step);
        }
    }

    /// Removes killed robots from their teams; returns the kills of all other robots.
    fn remove_killed(&mut self, world: &mut World) -> Vec<Kill> {
        let mut kills = world.drain_kills();
        kills.retain(|kill| !self.0.iter_mut().any(|team| team.remove(kill.bot.pid)));
        kills
    }
}

//! Match of two teams in this process, in virtual time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use grandstand_protocol::Scene;
use grandstand_rules::SplitMix64;
use grandstand_rules::fortress::{
    Action, ActionResult, ByTeam, Map, Reply, Rules, Setup, SetupError, Team, UnitId, World,
};

use super::outcome;
use super::team::{Briefing, LastAction, Step, TeamBot};
use super::teams::ShippedTeam;
use super::trace;
use crate::spec::{Ending, LogLine, RunningMatch, StampedCommand, Tracing};

/// Minimum and maximum number of milliseconds between an action and its answer. Chance chooses, as a network would, so
/// that neither team is always the first. On average a unit acts as often as the default limit on messages allows to
/// one that is connected.
const LATENCY: (u64, u64) = (3, 7);

/// Maximum part of the match that one [`RunningMatch::advance`] plays, in milliseconds.
const SLICE: u64 = 1_000;

/// A match of two teams in this process.
#[derive(Debug)]
pub struct LocalMatch {
    world: World,
    teams: ByTeam<Team, Box<dyn TeamBot>>,
    agents: Vec<Agent>,
    /// Queue of the agents: the millisecond at which each is asked again, and a random number that decides who is asked
    /// first in the same millisecond.
    queue: BinaryHeap<Reverse<(u64, u64, usize)>>,
    random: SplitMix64,
    commands: Vec<StampedCommand>,
    /// Actions of units, if they are recorded.
    actions: Option<Vec<LogLine>>,
}

/// A unit with its last action.
#[derive(Debug)]
struct Agent {
    id: u32,
    team: Team,
    /// Index of the unit in its team.
    unit: usize,
    action: Option<Action>,
    result: Option<ActionResult>,
}

impl LocalMatch {
    /// The start of a match between these teams.
    ///
    /// # Errors
    /// If the settings are invalid.
    pub fn new(
        rules: &Rules,
        map: &Map,
        seed: u64,
        teams: &ByTeam<Team, ShippedTeam>,
    ) -> Result<Self, SetupError> {
        let units = rules.units_per_team as usize;
        let mut random = SplitMix64::new(seed);
        let mut make = |team: Team| {
            let seed = random.next_u64();
            teams[team].bot(Briefing { team, units, map: map.clone(), rules: rules.clone(), seed })
        };
        let mut teams = ByTeam::new(make(Team::Red), make(Team::Blue));
        let mut agents = Vec::new();
        let mut classes = ByTeam::new(Vec::new(), Vec::new());
        for (id, (team, unit)) in
            (1..).zip(Team::ALL.into_iter().flat_map(|team| (0..units).map(move |unit| (team, unit))))
        {
            classes[team].push((UnitId(id), teams[team].class(unit)));
            agents.push(Agent { id, team, unit, action: None, result: None });
        }
        let world = World::from_setup(&Setup::start(rules.clone(), map.clone(), &classes))?;
        let (queue, commands) = (BinaryHeap::new(), Vec::new());
        let mut this = Self { world, teams, agents, queue, random, commands, actions: None };
        for agent in 0..this.agents.len() {
            this.ask_again(agent, 0);
        }
        this.collect();
        Ok(this)
    }

    /// The world in its current state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Queues the agent for the time at which an answer given at `answered` has reached it.
    fn ask_again(&mut self, agent: usize, answered: u64) {
        let (least, most) = LATENCY;
        let at = answered + least + self.random.below(most - least + 1);
        self.ask_at(agent, at);
    }

    fn ask_at(&mut self, agent: usize, at: u64) {
        let order = self.random.next_u64();
        self.queue.push(Reverse((at, order, agent)));
    }

    fn ask(&mut self, index: usize, now: u64) {
        let agent = &mut self.agents[index];
        let (action, result) = (agent.action.take(), agent.result.take());
        let news = action.as_ref().zip(result.as_ref()).map(|(action, result)| LastAction { action, result });
        match self.teams[agent.team].step(agent.unit, now, news) {
            // A wait of no time would stop the clock of the match.
            Step::Wait(until) => self.ask_at(index, until.max(now + 1)),
            Step::Act(action) => {
                agent.action = Some(action.clone());
                let done = self.actions.is_some().then(|| action.clone());
                let reply = self.world.act(now, UnitId(agent.id), action);
                if let (Some(actions), Some(done)) = (&mut self.actions, done) {
                    let answer = match (&reply, self.world.failure()) {
                        (_, Some(failure)) => Err(failure),
                        (Reply::Now(result), None) => Ok(Some(result)),
                        (Reply::Later, None) => Ok(None),
                    };
                    let who = (agent.team, agent.id);
                    actions.push(trace::action(Some(&self.world), now, who, &done, answer));
                }
                match reply {
                    Reply::Now(result) => {
                        agent.result = Some(result);
                        self.ask_again(index, now);
                    }
                    Reply::Later => {}
                }
            }
        }
    }

    fn collect(&mut self) {
        let commands = self.world.drain_commands();
        self.commands.extend(commands.into_iter().map(|(tick, command)| StampedCommand { tick, command }));
        for answer in self.world.drain_answers() {
            let waiting =
                |agent: &Agent| agent.id == answer.unit.0 && agent.action.is_some() && agent.result.is_none();
            if let Some(index) = self.agents.iter().position(waiting) {
                self.agents[index].result = Some(answer.result);
                self.ask_again(index, answer.millis);
            }
        }
    }
}

impl RunningMatch for LocalMatch {
    fn advance(&mut self) {
        let end = self.world.now() + SLICE;
        while self.world.finish().is_none() {
            let next = self.queue.peek().map_or(u64::MAX, |Reverse((at, ..))| *at);
            let event = self.world.next_event().unwrap_or(u64::MAX);
            let now = next.min(event).min(end);
            self.world.handle_time(now);
            if next == now && self.world.finish().is_none() {
                if let Some(Reverse((_, _, agent))) = self.queue.pop() {
                    self.ask(agent, now);
                }
                self.collect();
                continue;
            }
            self.collect();
            if now == end {
                return;
            }
        }
    }

    fn drain_commands(&mut self) -> Vec<StampedCommand> {
        std::mem::take(&mut self.commands)
    }

    fn drain_log_lines(&mut self) -> Vec<LogLine> {
        self.actions.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn trace(&mut self, tracing: Tracing) {
        self.actions = (tracing == Tracing::Actions).then(Vec::new);
    }

    fn progress(&self) -> String {
        outcome::progress(&self.world)
    }

    fn scene(&self) -> Scene {
        Scene::Fortress(self.world.scene())
    }

    fn ending(&self) -> Option<Ending> {
        outcome::ending(&self.world, &ByTeam::new(None, None))
    }
}

//! A match of Abalone between two programs.

use grandstand_languages::{self as languages, Answer, Datum, End, Machine, Mode, Program};
use grandstand_protocol::abalone::Team;
use grandstand_protocol::{Command, MatchResult};
use grandstand_rules::Pid;
use grandstand_rules::abalone::{Finish, SetupError, World};
use serde_json::{Map, json};
use thiserror::Error;

use super::log::{Fate, LogEntry};
use super::request;
use super::settings::Settings;

/// All that decides a match: run twice, it gives the same commands byte for byte.
#[derive(Debug, Clone)]
pub struct MatchSetup {
    /// The settings in force.
    pub settings: Settings,
    /// What chance is drawn from.
    pub seed: u64,
    /// Black's program.
    pub black: Program,
    /// White's program.
    pub white: Program,
}

/// Why a match can't begin.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StartError {
    /// The world refuses.
    #[error(transparent)]
    World(#[from] SetupError),
}

/// A command and when it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedCommand {
    /// The cycle, counted from 1; 0 for what draws the board before the match begins.
    pub cycle: u64,
    /// The command.
    pub command: Command,
}

/// A match that is being played. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct Runner {
    machine: Machine,
    stage: Stage,
}

/// The most cycles in one go.
const SLICE: u64 = 10_000;

/// The world with a record of what happens in it: what the machine talks to.
#[derive(Debug, Clone)]
struct Stage {
    world: World,
    commands: Vec<StampedCommand>,
    log: Vec<LogEntry>,
}

impl Runner {
    /// Both teams with one thread each, nothing of them executed yet.
    pub fn new(setup: &MatchSetup) -> Result<Self, StartError> {
        let mut machine = Machine::new(setup.settings.limits, setup.seed);
        let mut root = |program| {
            let team = machine.add_team(program);
            machine.start(team)
        };
        let (black, white) = (root(&setup.black), root(&setup.white));
        let world = World::new(setup.settings.rules.clone(), setup.seed, to_rules(black), to_rules(white))?;
        let mut stage = Stage { world, commands: Vec::new(), log: Vec::new() };
        stage.collect(0);
        Ok(Self { machine, stage })
    }

    /// How the machine goes through the cycles: by default run-ahead. The commands are the same either way.
    pub fn set_mode(&mut self, mode: Mode) {
        self.machine.set_mode(mode);
    }

    /// Plays on to the end of the turn or of the match, but at most 10,000 cycles, so that what is drawn can
    /// be taken away in between. Does nothing once the match is over.
    pub fn advance(&mut self) {
        let world = &self.stage.world;
        if world.finish().is_some() {
            return;
        }
        let cycle = world.next_event_cycle().min(self.machine.cycle() + SLICE);
        self.machine.run(cycle, &mut self.stage);
        let turn = self.stage.world.turn();
        let end = self.stage.world.end_cycle(cycle);
        self.stage.collect(cycle);
        for bot in end.dead {
            self.machine.kill(to_languages(bot.pid));
            self.stage.log.push(LogEntry {
                cycle,
                turn,
                pid: bot.pid,
                team: bot.team,
                hex: bot.hex,
                fate: Fate::PushedOff,
            });
        }
        for pid in end.woken {
            self.machine.wake(to_languages(pid), &Datum::Int(0));
        }
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.stage.world
    }

    /// What was drawn since the last call, in order.
    pub fn drain_commands(&mut self) -> Vec<StampedCommand> {
        std::mem::take(&mut self.stage.commands)
    }

    /// Who left the match since the last call, in order.
    pub fn drain_log(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.stage.log)
    }

    /// How the match ended, once it has.
    pub fn finish(&self) -> Option<&Finish> {
        self.stage.world.finish()
    }

    /// The result as replays and bridges know it, once there is one: besides winner and termination the
    /// scores, the pieces left, turns and cycles.
    pub fn result(&self) -> Option<MatchResult> {
        let world = self.world();
        let finish = world.finish()?;
        let mut detail = Map::new();
        detail.insert(
            "score".to_owned(),
            json!({"black": world.score(Team::Black), "white": world.score(Team::White)}),
        );
        detail.insert(
            "pieces".to_owned(),
            json!({"black": world.pieces(Team::Black), "white": world.pieces(Team::White)}),
        );
        detail.insert("turns".to_owned(), json!(finish.turns));
        detail.insert("cycles".to_owned(), json!(finish.cycle));
        Some(MatchResult {
            winner: finish.outcome.winner().map(|team| team.name().into()),
            termination: finish.termination.name().into(),
            detail,
        })
    }
}

impl Stage {
    /// Takes over what the world has drawn in `cycle`.
    fn collect(&mut self, cycle: u64) {
        let commands = self.world.drain_commands();
        self.commands.extend(commands.into_iter().map(|command| StampedCommand { cycle, command }));
    }
}

impl languages::World for Stage {
    fn act(&mut self, cycle: u64, pid: languages::Pid, request: &Datum) -> Answer {
        let action = match request::decode(request) {
            Ok(action) => action,
            Err(reason) => return Answer::Stuck(reason),
        };
        let reply = self.world.act(cycle, to_rules(pid), action);
        self.collect(cycle);
        match reply {
            Ok(reply) => request::encode(reply).map_or(Answer::Block, Answer::Value),
            // The match is over, or the bot is: nothing that this thread does counts any more.
            Err(_) => Answer::Block,
        }
    }

    fn spawn(&mut self, cycle: u64, parent: languages::Pid, child: languages::Pid) -> bool {
        let spawned = self.world.spawn(cycle, to_rules(parent), to_rules(child)).is_ok();
        self.collect(cycle);
        spawned
    }

    fn ended(&mut self, cycle: u64, pid: languages::Pid, end: &End) {
        let turn = self.world.turn();
        let Some(bot) = self.world.ended(cycle, to_rules(pid)) else { return };
        self.collect(cycle);
        let fate = Fate::Ended(end.clone());
        let entry = LogEntry { cycle, turn, pid: bot.pid, team: bot.team, hex: bot.hex, fate };
        self.commands.extend(entry.marker().map(|marker| StampedCommand { cycle, command: marker.into() }));
        self.log.push(entry);
    }
}

fn to_rules(pid: languages::Pid) -> Pid {
    Pid(pid.0)
}

fn to_languages(pid: Pid) -> languages::Pid {
    languages::Pid(pid.0)
}

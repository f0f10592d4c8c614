//! λ-Shark as a game of programs.
//!
//! `request` converts a program's `do` to an action of the world, and the answer to a value of the program.

use std::time::Duration;

use grandstand_languages::{self as languages, Datum, Language};
use grandstand_protocol::shark::{self, FullName, Team};
use grandstand_protocol::team::ByTeam;
use grandstand_protocol::{Color, Command, Game, Scene};
use grandstand_rules::Pid;
use grandstand_rules::shark::pilots::{self, PilotTeam, PilotTeams};
use grandstand_rules::shark::{
    ACTIONS, Action, Bot, Kill, PlayableMap, Rules, SpawnError, Weapon, World, comes_first, maps,
};
use serde_json::Map;

use crate::machine::{BotInfo, CycleEnd, Departure, GameRules, GameWorld, Refused};
use crate::map_format::MapFormat;
use crate::match_game::MatchGame;
use crate::spec::{Ending, Side, StampedCommand, StartError, Tempo, dropped_talks, each};

mod actions;
mod request;

/// First pids of robots of teams written in Rust: no match has so many threads.
const FIRST_CHILDREN: [Pid; 2] = [Pid(1_000_000_000), Pid(2_000_000_000)];

/// Entry of λ-Shark in the table of games.
pub static SHARK: MatchGame = MatchGame {
    language: Some(World::LANGUAGE),
    program_files: &[
        ("shark/random.rcl", include_str!("../../../../bots/shark/random.rcl")),
        ("shark/stupidbot.rcl", include_str!("../../../../bots/shark/stupidbot.rcl")),
        ("shark/shark.rcl", include_str!("../../../../bots/shark/shark.rcl")),
        ("shark/sparring-1.rcl", include_str!("../../../../bots/shark/sparring-1.rcl")),
        ("shark/sparring-2.rcl", include_str!("../../../../bots/shark/sparring-2.rcl")),
        ("shark/sparring-3.rcl", include_str!("../../../../bots/shark/sparring-3.rcl")),
        ("shark/sparring-4.rcl", include_str!("../../../../bots/shark/sparring-4.rcl")),
        ("shark/sparring-5.rcl", include_str!("../../../../bots/shark/sparring-5.rcl")),
        // The top of the ladder is the strongest team of all.
        ("shark/sparring-6.rcl", include_str!("../../../../bots/shark/shark.rcl")),
        ("shark/botlib.rch", include_str!("../../../../bots/shark/botlib.rch")),
        ("shark/constants.rch", include_str!("../../../../bots/shark/constants.rch")),
        ("shark/ways.rch", include_str!("../../../../bots/shark/ways.rch")),
        ("shark/lists.rch", include_str!("../../../../bots/shark/lists.rch")),
        ("shark/text.rch", include_str!("../../../../bots/shark/text.rch")),
    ],
    actions: &actions::ACTION_HELP,
    refusal: |request| request::decode(request).err(),
    maps: Some(MapFormat {
        game: Game::Shark,
        shipped: &maps::SHIPPED,
        extension: "map",
        letters: ".*rbRBi",
        check: |text| PlayableMap::parse(text).map(|field| field.warnings()),
    }),
    ..MatchGame::new(World::GAME)
};

impl GameRules for Rules {
    fn check(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.validate()?)
    }
}

impl GameWorld for World {
    const GAME: Game = Game::Shark;
    const LANGUAGE: Language = Language::Rcl;
    const SIDES: [Side; 2] =
        [Side { name: "red", color: Color::Red }, Side { name: "blue", color: Color::Blue }];
    type Rules = Rules;
    type Natives = PilotTeams;
    const NATIVES: &'static [&'static str] = &pilots::NAMES;
    const ACTIONS: &'static [(&'static str, i64)] = &ACTIONS;
    const BOT: &'static str = "robot";
    type SpawnRefusal = SpawnError;

    fn move_cycles(rules: &Rules) -> u64 {
        rules.at_move + 1
    }

    /// At 0.21 s for a move of 5,000 steps, 10,000,000 steps take the seven minutes of the original.
    fn tempo(rules: &Rules) -> Tempo {
        let ticks = rules.at_move.max(1);
        Tempo { beat: "move", ticks, watchable: Duration::from_millis(210), keeps_time: false }
    }

    fn first_side(seed: u64) -> usize {
        comes_first(seed).index()
    }

    fn begin(rules: &Rules, seed: u64, [red, blue]: [Pid; 2], names: [&str; 2]) -> Result<Self, StartError> {
        let mut world = Self::new(rules.clone(), seed, red, blue).map_err(StartError::new)?;
        if let [Some(red), Some(blue)] = names.map(FullName::one_word) {
            world.set_names(ByTeam::new(red, blue));
        }
        Ok(world)
    }

    fn changes(request: &Datum) -> bool {
        let changing =
            |action| matches!(action, Action::Move | Action::Face(_) | Action::Shoot | Action::Talk(_));
        request::decode(request).is_ok_and(changing)
    }

    fn request(&mut self, cycle: u64, pid: Pid, request: &Datum) -> languages::Answer {
        let action = match request::decode(request) {
            Ok(action) => action,
            Err(reason) => return languages::Answer::Stuck(reason),
        };
        match self.act(cycle, pid, action) {
            Ok(reply) => {
                languages::Answer::Later { cycles: reply.delay, value: request::encode(&reply.answer) }
            }
            // The match or the robot is gone: actions of this thread do not count any more.
            Err(_) => languages::Answer::Block,
        }
    }

    fn refused(&self) -> Option<Refused> {
        self.failure().map(|failure| (&failure).into())
    }

    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> Result<(), SpawnError> {
        World::spawn(self, cycle, parent, child).map(|_| ())
    }

    fn ended(&mut self, cycle: u64, pid: Pid) -> Option<Departure> {
        World::ended(self, cycle, pid).map(|bot| departure(cycle, &bot))
    }

    fn bot(&self, cycle: u64, pid: Pid) -> Option<BotInfo> {
        World::bot(self, pid).map(|bot| presence(cycle, bot))
    }

    fn said(command: &Command) -> Option<&str> {
        match command {
            Command::Shark(shark::Command::Say { text, .. }) => Some(text),
            _ => None,
        }
    }

    fn drain_killed(&mut self) -> Vec<Departure> {
        self.drain_kills().iter().map(killed).collect()
    }

    fn natives(teams: [Option<(&str, Pid)>; 2], seed: u64) -> PilotTeams {
        let mut children = FIRST_CHILDREN;
        if comes_first(seed) == Team::Blue {
            children.reverse();
        }
        let teams = teams.into_iter().zip(children).filter_map(|(team, first_child)| {
            let (name, root) = team?;
            Some(PilotTeam::new(pilots::by_name(name, seed ^ u64::from(root.0))?, root, first_child))
        });
        PilotTeams::new(teams)
    }

    fn run_natives(&mut self, teams: &mut PilotTeams, cycle: u64, pid: Pid) -> Vec<Departure> {
        teams.run(self, cycle, pid).iter().map(killed).collect()
    }

    fn next_event_cycle(&self) -> u64 {
        self.next_event_step()
    }

    fn end_cycle(&mut self, cycle: u64) -> CycleEnd {
        self.end_step(cycle);
        CycleEnd::default()
    }

    fn drain_commands(&mut self, cycle: u64) -> Vec<StampedCommand> {
        let commands = World::drain_commands(self).into_iter();
        // Commands that are drawn before the match begins belong to no step.
        let stamped = |(step, command): (u64, _)| StampedCommand { tick: step.min(cycle), command };
        commands.map(stamped).collect()
    }

    fn scene(&self) -> Scene {
        Scene::Shark(World::scene(self))
    }

    fn progress(&self) -> String {
        let team = |team: Team| format!("{team} {} ({} robots)", self.score(team), self.count(team));
        let percent = 100 * self.step() / self.rules().game_length;
        format!("step {} ({percent} %)  {}  {}", self.step(), team(Team::Red), team(Team::Blue))
    }

    fn ending(&self) -> Option<Ending> {
        let finish = self.finish()?;
        let (remarks, words) = dropped_talks(Self::SIDES, Team::ALL.map(|team| self.dropped_talks(team)));
        let robots = Team::ALL.map(|team| self.count(team));
        Some(Ending {
            sides: Self::SIDES,
            tick: finish.step,
            winner: finish.outcome.winner().map(Team::index),
            termination: finish.termination.name(),
            score: Some(Team::ALL.map(|team| self.score(team).into())),
            lengths: vec![("steps", finish.step)],
            detail: Map::from_iter([("robots".to_owned(), each(Self::SIDES, robots))]),
            remarks,
            words,
            swapped: false,
        })
    }
}

fn killed(kill: &Kill) -> Departure {
    let verb = match kill.weapon {
        Weapon::Melee => "rammed",
        Weapon::Laser => "shot",
    };
    let how = format!("was {verb} by {} robot {}", kill.by.team, kill.by.pid);
    Departure { how, ..departure(kill.step, &kill.bot) }
}

fn departure(step: u64, bot: &Bot) -> Departure {
    Departure { bot: presence(step, bot), how: "was destroyed".to_owned() }
}

fn presence(step: u64, bot: &Bot) -> BotInfo {
    BotInfo {
        cycle: step,
        pid: bot.pid,
        side: bot.team.index(),
        at: bot.place.to_string(),
        who: format!("{} robot {} at {}", bot.team, bot.pid, bot.place),
        when: format!("step {step}"),
    }
}

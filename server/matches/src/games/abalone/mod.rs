//! Robot Abalone as a game of programs.
//!
//! `request` converts a program's `do` to an action of the world, and the answer to a value of the program.

use std::error::Error;
use std::time::Duration;

use grandstand_languages::{Answer, Datum, Language};
use grandstand_protocol::abalone::{self, Facing, Team};
use grandstand_protocol::{Color, Command, Game, Scene};
use grandstand_rules::Pid;
use grandstand_rules::abalone::{ACTIONS, Action, Bot, ChainMove, Rules, SpawnError, TurnMoves, World};
use serde_json::Map;

use crate::machine::{BotInfo, CycleEnd, Departure, GameRules, GameWorld, MoveReport, Refused, TurnReport};
use crate::match_game::MatchGame;
use crate::spec::{Ending, Side, StampedCommand, StartError, Tempo, dropped_talks, each};

mod actions;
mod request;

/// Entry of robot Abalone in the table of games.
pub static ABALONE: MatchGame = MatchGame {
    language: Some(World::LANGUAGE),
    program_files: &[
        ("abalone/idle.cl", include_str!("../../../../bots/abalone/idle.cl")),
        ("abalone/random.cl", include_str!("../../../../bots/abalone/random.cl")),
        ("abalone/simple_bot.cl", include_str!("../../../../bots/abalone/simple_bot.cl")),
        ("abalone/team.cl", include_str!("../../../../bots/abalone/team.cl")),
        ("abalone/sparring-1.cl", include_str!("../../../../bots/abalone/sparring-1.cl")),
        ("abalone/sparring-2.cl", include_str!("../../../../bots/abalone/sparring-2.cl")),
        ("abalone/sparring-3.cl", include_str!("../../../../bots/abalone/sparring-3.cl")),
        ("abalone/sparring-4.cl", include_str!("../../../../bots/abalone/sparring-4.cl")),
        ("abalone/sparring-5.cl", include_str!("../../../../bots/abalone/sparring-5.cl")),
        ("abalone/sparring-6.cl", include_str!("../../../../bots/abalone/sparring-6.cl")),
        ("abalone/constants.ch", include_str!("../../../../bots/abalone/constants.ch")),
        ("abalone/arrays.ch", include_str!("../../../../bots/abalone/arrays.ch")),
        ("abalone/board.ch", include_str!("../../../../bots/abalone/board.ch")),
        ("abalone/booleans.ch", include_str!("../../../../bots/abalone/booleans.ch")),
        ("abalone/barrier.ch", include_str!("../../../../bots/abalone/barrier.ch")),
        ("abalone/text.ch", include_str!("../../../../bots/abalone/text.ch")),
    ],
    actions: &actions::ACTION_HELP,
    refusal: |request| request::decode(request).err(),
    ..MatchGame::new(World::GAME)
};

impl GameRules for Rules {
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        Ok(self.validate()?)
    }
}

impl GameWorld for World {
    const GAME: Game = Game::Abalone;
    const LANGUAGE: Language = Language::Cl;
    const SIDES: [Side; 2] =
        [Side { name: "black", color: Color::Black }, Side { name: "white", color: Color::White }];
    type Rules = Rules;
    type Natives = ();
    const ACTIONS: &'static [(&'static str, i64)] = &ACTIONS;
    const BOT: &'static str = "bot";
    type SpawnRefusal = SpawnError;

    fn move_cycles(rules: &Rules) -> u64 {
        2 * rules.cycles_per_turn
    }

    fn tempo(rules: &Rules) -> Tempo {
        let ticks = rules.cycles_per_turn;
        Tempo { beat: "turn", ticks, watchable: Duration::from_millis(300), keeps_time: false }
    }

    fn begin(rules: &Rules, seed: u64, [black, white]: [Pid; 2], _: [&str; 2]) -> Result<Self, StartError> {
        Self::new(rules.clone(), seed, black, white).map_err(StartError::new)
    }

    fn request(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer {
        let action = match request::decode(request) {
            Ok(action) => action,
            Err(reason) => return Answer::Stuck(reason),
        };
        match self.act(cycle, pid, action) {
            Ok(reply) => request::encode(reply).map_or(Answer::Block, Answer::Value),
            // The match or the bot is gone: actions of this thread do not count any more.
            Err(_) => Answer::Block,
        }
    }

    fn commits(request: &Datum) -> bool {
        matches!(request::decode(request), Ok(Action::CommitMove(facing)) if facing != Facing::None)
    }

    fn changes(request: &Datum) -> bool {
        let changing = |action| {
            matches!(action, Action::CommitMove(_) | Action::WaitTurn | Action::WaitMyTurn | Action::Talk(_))
        };
        request::decode(request).is_ok_and(changing)
    }

    fn keep_moves(&mut self) {
        World::keep_moves(self);
    }

    fn drain_moves(&mut self) -> Vec<TurnReport> {
        World::drain_moves(self).into_iter().map(report).collect()
    }

    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> Result<(), SpawnError> {
        World::spawn(self, cycle, parent, child).map(|_| ())
    }

    fn ended(&mut self, cycle: u64, pid: Pid) -> Option<Departure> {
        let turn = self.turn();
        World::ended(self, cycle, pid).map(|bot| departure(turn, cycle, &bot))
    }

    fn bot(&self, cycle: u64, pid: Pid) -> Option<BotInfo> {
        let bot = self.bots().iter().find(|bot| bot.pid == pid)?;
        Some(presence(self.turn(), cycle, bot))
    }

    fn said(command: &Command) -> Option<&str> {
        match command {
            Command::Abalone(abalone::Command::Say { text, .. }) => Some(text),
            _ => None,
        }
    }

    fn next_event_cycle(&self) -> u64 {
        World::next_event_cycle(self)
    }

    fn end_cycle(&mut self, cycle: u64) -> CycleEnd {
        let turn = self.turn();
        let end = World::end_cycle(self, cycle);
        let dead = end.dead.iter().map(|bot| departure(turn, cycle, bot));
        CycleEnd { dead: dead.collect(), woken: end.woken }
    }

    fn drain_commands(&mut self, cycle: u64) -> Vec<StampedCommand> {
        let commands = World::drain_commands(self).into_iter();
        commands.map(|command| StampedCommand { tick: cycle, command }).collect()
    }

    fn scene(&self) -> Scene {
        Scene::Abalone(World::scene(self))
    }

    fn progress(&self) -> String {
        let team = |team: Team| format!("{team} {} ({} pieces)", self.score(team), self.pieces(team));
        let percent = 100 * u64::from(self.turn()) * self.rules().cycles_per_turn / self.rules().game_length;
        format!("turn {} ({percent} %)  {}  {}", self.turn(), team(Team::Black), team(Team::White))
    }

    fn ending(&self) -> Option<Ending> {
        let finish = self.finish()?;
        let (remarks, words) = dropped_talks(Self::SIDES, Team::ALL.map(|team| self.dropped_talks(team)));
        let pieces = Team::ALL.map(|team| self.pieces(team));
        Some(Ending {
            sides: Self::SIDES,
            tick: finish.cycle,
            winner: finish.outcome.winner().map(Team::index),
            termination: finish.termination.name(),
            score: Some(Team::ALL.map(|team| self.score(team).into())),
            lengths: vec![("turns", finish.turns.into()), ("cycles", finish.cycle)],
            detail: Map::from_iter([("pieces".to_owned(), each(Self::SIDES, pieces))]),
            remarks,
            words,
            swapped: false,
        })
    }
}

fn report(turn: TurnMoves) -> TurnReport {
    let TurnMoves { cycle, turn, team, moves, idle } = turn;
    let report = |chain: ChainMove| MoveReport {
        bots: chain.bots.iter().map(|&(pid, _)| pid).collect(),
        refused: chain.result.as_ref().err().map(|why| Refused { words: chain.to_string(), ..why.into() }),
        path: chain.on_wire(),
        text: chain.to_string(),
    };
    TurnReport {
        cycle,
        when: format!("turn {turn} cycle {cycle}"),
        side: team.index(),
        moves: moves.into_iter().map(report).collect(),
        idle,
    }
}

fn departure(turn: u32, cycle: u64, bot: &Bot) -> Departure {
    Departure { bot: presence(turn, cycle, bot), how: "was pushed off".to_owned() }
}

fn presence(turn: u32, cycle: u64, bot: &Bot) -> BotInfo {
    BotInfo {
        cycle,
        pid: bot.pid,
        side: bot.team.index(),
        at: bot.hex.to_string(),
        who: format!("{} bot {} at {}", bot.team, bot.pid, bot.hex.label()),
        when: format!("turn {turn} cycle {cycle}"),
    }
}

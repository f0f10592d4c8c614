//! Interface of a game to the machine that runs its programs.

use std::error::Error;
use std::fmt::Debug;

use grandstand_languages::{Answer, Datum, Language};
use grandstand_protocol::{Command, Game, Scene};
use grandstand_rules::{Pid, Refusal};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::refused::Refused;
use crate::spec::{Ending, Side, StampedCommand, StartError, Tempo};

/// The settings of a game, by the names that a file has them under.
pub trait GameRules:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync
{
    /// Checks that a match can be played by them.
    ///
    /// # Errors
    /// The first setting that is wrong, by its name.
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// A game whose bots are threads of a program: the world that they live in.
///
/// It is told what threads do in the order of (cycle, pid), and
/// [`end_cycle`](Self::end_cycle) for at least every [`next_event_cycle`](Self::next_event_cycle) before anything of a
/// later cycle.
pub trait GameWorld: Clone + Debug + Send + 'static {
    /// Which game.
    const GAME: Game;
    /// The language of the programs whose threads are its bots.
    const LANGUAGE: Language;
    /// The two sides, in the order in which players are named.
    const SIDES: [Side; 2];
    /// Its settings.
    type Rules: GameRules;
    /// The teams of a match whose programs are written in Rust; `()` where a game has none.
    type Natives: Clone + Debug + Default + Send;
    /// The names of the teams that are written in Rust.
    const NATIVES: &'static [&'static str] = &[];

    /// The actions of its programs, by name and number.
    const ACTIONS: &'static [(&'static str, i64)];
    /// What one of its bots is called.
    const BOT: &'static str;
    /// Why a spawn fails.
    type SpawnRefusal: Refusal;

    /// The cycles between two moves of a bot that always moves.
    fn move_cycles(rules: &Self::Rules) -> u64;

    /// How cycles become time.
    fn tempo(rules: &Self::Rules) -> Tempo;

    /// The side whose first thread has the lower pid, as an index.
    fn first_side(seed: u64) -> usize {
        let _ = seed;
        0
    }

    /// The start of a match between two threads, one for each side, whose players are called so.
    ///
    /// # Errors
    /// If no match can be played by the rules.
    fn begin(rules: &Self::Rules, seed: u64, roots: [Pid; 2], names: [&str; 2]) -> Result<Self, StartError>;

    /// A thread's `do`: the answer as a value of its program, or why it is stuck.
    fn request(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer;

    /// Why the last [request](Self::request) was answered that nothing came of it, if it was.
    fn refused(&self) -> Option<Refused> {
        None
    }

    /// Whether a request commits a move that is tried later.
    fn commits(request: &Datum) -> bool {
        let _ = request;
        false
    }

    /// Keeps from now on what becomes of moves that were committed.
    fn keep_moves(&mut self) {}

    /// What became of the moves that were committed, at the ends of the turns since the last call.
    fn drain_moves(&mut self) -> Vec<TurnReport> {
        Vec::new()
    }

    /// `parent` wants a child, which would be `child`.
    ///
    /// # Errors
    /// Why it may have none.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> Result<(), Self::SpawnRefusal>;

    /// A thread has ended by itself: its bot, if it had one.
    fn ended(&mut self, cycle: u64, pid: Pid) -> Option<Departure>;

    /// A thread's bot as it stands, if it has one.
    fn bot(&self, cycle: u64, pid: Pid) -> Option<BotInfo>;

    /// What a command says in a bot's name, if that is what it does.
    fn said(command: &Command) -> Option<&str>;

    /// The bots that went since the last call because of what others did: their threads end now.
    fn drain_killed(&mut self) -> Vec<Departure> {
        Vec::new()
    }

    /// The teams written in Rust: for each side, where it is one, its name and its first bot.
    fn natives(teams: [Option<(&str, Pid)>; 2], seed: u64) -> Self::Natives {
        let _ = (teams, seed);
        Self::Natives::default()
    }

    /// These teams do what they do before (`cycle`, `pid`). Given are the bots of others that went by it: their threads end now.
    fn run_natives(&mut self, natives: &mut Self::Natives, cycle: u64, pid: Pid) -> Vec<Departure> {
        let _ = (natives, cycle, pid);
        Vec::new()
    }

    /// The next cycle at whose end something happens of itself. Once the match is over, the cycle at whose end it was.
    fn next_event_cycle(&self) -> u64;

    /// Every thread has made its step of `cycle` and of those before it.
    fn end_cycle(&mut self, cycle: u64) -> CycleEnd;

    /// Everything drawn since the last call, oldest first, `cycle` being the present one.
    fn drain_commands(&mut self, cycle: u64) -> Vec<StampedCommand>;

    /// The picture of the present state, without talk and what else passes.
    fn scene(&self) -> Scene;

    /// How the match stands, in one short line.
    fn progress(&self) -> String;

    /// How it ended, once it has.
    fn ending(&self) -> Option<Ending>;
}

/// A bot at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotInfo {
    /// The cycle.
    pub cycle: u64,
    /// Its thread.
    pub pid: Pid,
    /// Its side, as an index.
    pub side: usize,
    /// Where it is.
    pub at: String,
    /// Who it is, in words: `black bot 1 at C~1`.
    pub who: String,
    /// When, in words: `turn 2 cycle 2002`.
    pub when: String,
}

/// A bot that leaves the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// It, when it does.
    pub bot: BotInfo,
    /// What became of it, in words (`was pushed off`), where the world took it away.
    pub how: String,
}

/// What became of the moves that a side had committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnReport {
    /// The cycle at whose end they were tried.
    pub cycle: u64,
    /// When that was, in words.
    pub when: String,
    /// Whose, as an index.
    pub side: usize,
    /// The moves, in order.
    pub moves: Vec<MoveReport>,
    /// The bots that had committed none, and whether they were waiting in an action.
    pub idle: Vec<(Pid, bool)>,
}

/// What became of a move that bots make together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveReport {
    /// The bots.
    pub bots: Vec<Pid>,
    /// From where to where, in words: `E0–E1 R`.
    pub text: String,
    /// Why they stayed where they were, if they did.
    pub refused: Option<Refused>,
}

/// What the end of a cycle did to threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CycleEnd {
    /// The bots that go: their threads end now.
    pub dead: Vec<Departure>,
    /// The bots whose wait is over, by ascending pid: each gets 0.
    pub woken: Vec<Pid>,
}

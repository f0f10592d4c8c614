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

/// Settings of a game, by their names in a file.
pub trait GameRules:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync
{
    /// Checks that a match can be played by these settings.
    ///
    /// # Errors
    /// The first wrong setting, by its name.
    fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// World of a game whose bots are threads of a program.
///
/// The caller reports the threads' actions in the order of (cycle, pid). Before anything of a later cycle it calls
/// [`end_cycle`](Self::end_cycle), at least for every [`next_event_cycle`](Self::next_event_cycle).
pub trait GameWorld: Clone + Debug + Send + 'static {
    /// The game.
    const GAME: Game;
    /// Language of the programs whose threads are the bots.
    const LANGUAGE: Language;
    /// The two sides, in the order in which players are named.
    const SIDES: [Side; 2];
    /// Settings of the game.
    type Rules: GameRules;
    /// Teams of a match that are written in Rust; `()` in a game without such teams.
    type Natives: Clone + Debug + Default + Send;
    /// Names of the teams that are written in Rust.
    const NATIVES: &'static [&'static str] = &[];

    /// Actions of the programs, by name and number.
    const ACTIONS: &'static [(&'static str, i64)];
    /// Word for a bot of this game.
    const BOT: &'static str;
    /// Reason for which a spawn fails.
    type SpawnRefusal: Refusal;

    /// Number of cycles between two moves of a bot that always moves.
    fn move_cycles(rules: &Self::Rules) -> u64;

    /// Relation of cycles to time.
    fn tempo(rules: &Self::Rules) -> Tempo;

    /// Index of the side whose first thread has the lower pid.
    fn first_side(seed: u64) -> usize {
        let _ = seed;
        0
    }

    /// The start of a match between two threads, one for each side, whose players have these names.
    ///
    /// # Errors
    /// If no match can be played by the rules.
    fn begin(rules: &Self::Rules, seed: u64, roots: [Pid; 2], names: [&str; 2]) -> Result<Self, StartError>;

    /// Performs a thread's `do`: the answer as a value of its program, or the reason why the thread is stuck.
    fn request(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer;

    /// Reason for which the last [request](Self::request) had no effect, if it had none.
    fn refused(&self) -> Option<Refused> {
        None
    }

    /// Whether a request commits a move that is tried later.
    fn commits(request: &Datum) -> bool {
        let _ = request;
        false
    }

    /// Whether a request can change the world, apart from the answer to its own bot.
    fn changes(request: &Datum) -> bool;

    /// Makes the world record the results of committed moves from now on.
    fn keep_moves(&mut self) {}

    /// Results of committed moves at the ends of turns since the last call.
    fn drain_moves(&mut self) -> Vec<TurnReport> {
        Vec::new()
    }

    /// Handles a spawn of `parent`, whose new thread would be `child`.
    ///
    /// # Errors
    /// The reason for which `parent` may not spawn.
    fn spawn(&mut self, cycle: u64, parent: Pid, child: Pid) -> Result<(), Self::SpawnRefusal>;

    /// Handles the end of a thread by itself; returns its bot's departure, if it had a bot.
    fn ended(&mut self, cycle: u64, pid: Pid) -> Option<Departure>;

    /// State of a thread's bot, if it has one.
    fn bot(&self, cycle: u64, pid: Pid) -> Option<BotInfo>;

    /// Message of a bot that the command contains, if it is such a command.
    fn said(command: &Command) -> Option<&str>;

    /// Bots that were removed since the last call through actions of others: their threads end now.
    fn drain_killed(&mut self) -> Vec<Departure> {
        Vec::new()
    }

    /// Creates the teams written in Rust: for each side that is one, its name and its first bot.
    fn natives(teams: [Option<(&str, Pid)>; 2], seed: u64) -> Self::Natives {
        let _ = (teams, seed);
        Self::Natives::default()
    }

    /// Lets these teams act as far as is due before (`cycle`, `pid`). Returns bots of others that were removed by that:
    /// their threads end now.
    fn run_natives(&mut self, natives: &mut Self::Natives, cycle: u64, pid: Pid) -> Vec<Departure> {
        let _ = (natives, cycle, pid);
        Vec::new()
    }

    /// Next cycle at whose end something happens by itself; after the match, the cycle at whose end it was over.
    fn next_event_cycle(&self) -> u64;

    /// Ends a cycle in which every thread has made its step, as in those before it.
    fn end_cycle(&mut self, cycle: u64) -> CycleEnd;

    /// Commands drawn since the last call, oldest first; `cycle` is the current one.
    fn drain_commands(&mut self, cycle: u64) -> Vec<StampedCommand>;

    /// Scene of the current state, without talk and other transient effects.
    fn scene(&self) -> Scene;

    /// State of the match in one short line.
    fn progress(&self) -> String;

    /// Ending of the match, once it is over.
    fn ending(&self) -> Option<Ending>;
}

/// State of a bot at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotInfo {
    /// The cycle.
    pub cycle: u64,
    /// Pid of the bot's thread.
    pub pid: Pid,
    /// Index of the bot's side.
    pub side: usize,
    /// Position of the bot, as the wire writes it: `C~1`.
    pub at: String,
    /// Description of the bot, with the place as the board writes it: `black bot 1 at C−1`.
    pub who: String,
    /// Description of the moment: `turn 2 cycle 2002`.
    pub when: String,
}

/// Removal of a bot from the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// The bot at that moment.
    pub bot: BotInfo,
    /// Cause in words (`was pushed off`), if the world removed it.
    pub how: String,
}

/// Results of the moves that a side had committed for a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnReport {
    /// Cycle at whose end the moves were tried.
    pub cycle: u64,
    /// The moment in words.
    pub when: String,
    /// Index of the side.
    pub side: usize,
    /// The moves, in order.
    pub moves: Vec<MoveReport>,
    /// Bots without a committed move, and whether each was waiting in an action.
    pub idle: Vec<(Pid, bool)>,
}

/// Result of a move that several bots make together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveReport {
    /// The bots.
    pub bots: Vec<Pid>,
    /// The move in words: `E−1–E0 R`.
    pub text: String,
    /// The move as a trace writes it: `E~1–E0 R`.
    pub path: String,
    /// Reason for which the bots did not move, if they did not.
    pub refused: Option<Refused>,
}

/// Effects of the end of a cycle on threads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CycleEnd {
    /// Removed bots: their threads end now.
    pub dead: Vec<Departure>,
    /// Bots whose wait is over, by ascending pid: the answer of each is 0.
    pub woken: Vec<Pid>,
}

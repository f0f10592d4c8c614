//! Interface of a replayed match, whatever its game.

use std::sync::Arc;

use grandstand_languages::view::{CellView, ValueView, ViewLimits, Visit};
use grandstand_languages::{Operations, Program, TeamId, Watcher};
use grandstand_matches::machine::{Account, BotInfo, LogEntry};
use grandstand_matches::{Ending, Side, Tempo};
use grandstand_protocol::insight::StepUnit;

use crate::bots::Bot;
use crate::breakpoint::{Resumed, StopConditions};
use crate::compare::Compared;
use crate::logpoint::{Logpoint, LogpointError, LogpointHit};
use crate::score::Scored;
use crate::search::{Direction, Moment, Search};
use crate::view::{AskError, BotView};

/// A replayed match, whatever its game. An [`Insight`](crate::Insight) is one. A question about a cycle needs the match
/// [played](Self::play_on) that far.
pub trait ReplayedMatch: std::fmt::Debug + Send {
    /// Plays up to `cycles` more; stops at the end of the match or at its first difference from the recording.
    fn play_on(&mut self, cycles: u64);

    /// The last cycle that has been played.
    fn cycle(&self) -> u64;

    /// Whether nothing more can be played.
    fn is_over(&self) -> bool;

    /// The last cycle that can be asked about so far.
    fn last_cycle(&self) -> u64;

    /// Compared share of the recording, from 0 to 1; 1 when the match is over.
    fn progress(&self) -> f32;

    /// The result of the match, once it has been played to its end.
    fn ending(&self) -> Option<Ending>;

    /// Result of the comparison with the recording so far.
    fn compared(&self) -> &Compared;

    /// Cycle in which a recorded command was drawn, if it has been played.
    fn cycle_of(&self, seq: u64) -> Option<u64>;

    /// Number of the last recorded command drawn by the end of a cycle.
    fn seq_at(&self, cycle: u64) -> u64;

    /// The two sides.
    fn sides(&self) -> [Side; 2];

    /// Names of the two players.
    fn names(&self) -> [String; 2];

    /// Relation of cycles and turns.
    fn tempo(&self) -> Tempo;

    /// The game's word for a bot.
    fn bot_word(&self) -> &'static str;

    /// Program of a side; `None` for a team written in Rust.
    fn program(&self, side: usize) -> Option<&Program>;

    /// All bots so far, by number.
    fn bots(&self) -> Vec<Bot>;

    /// Log entries of losses, waits and deadlocks, in order.
    fn fates(&self) -> &[Arc<LogEntry>];

    /// The score over time: one entry for the start and one for each change.
    fn scores(&self) -> &[Scored];

    /// Cycle from which on the winner led for good; `None` if it doesn't lead at the end, or always led.
    fn decisive_cycle(&self, winner: usize) -> Option<u64>;

    /// Cost of each side's mistakes so far, the highest first.
    fn mistake_costs(&self) -> [Vec<Account>; 2];

    /// Checks that a moment has been played. Nothing is computed with the cycle of another one.
    ///
    /// # Errors
    /// If it has not been played, or is after the end.
    fn check(&self, moment: Moment) -> Result<(), AskError> {
        let (cycle, end) = (moment.cycle, self.last_cycle());
        match cycle <= end {
            true => Ok(()),
            false if self.is_over() => Err(AskError::Over { cycle, end }),
            false => Err(AskError::NotPlayed { played: self.cycle() }),
        }
    }

    /// A bot at a moment, with calls and values limited by `extent`.
    ///
    /// # Errors
    /// If there is no such bot at that moment, or the moment has not been played.
    fn bot_at(&mut self, moment: Moment, bot: u32, extent: ViewLimits) -> Result<BotView, AskError>;

    /// The moment one step away in a bot's program; `None` if there is none.
    ///
    /// # Errors
    /// As [`bot_at`](Self::bot_at).
    fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: StepUnit,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError>;

    /// The next or the previous moment at which a line was reached, with the bot; `None` if there is none.
    ///
    /// # Errors
    /// If the condition is not an expression, or the moment has not been played.
    fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError>;

    /// Goes on to the first stop, from a bot's moment or (without a bot) from the end of a cycle. Searches little more
    /// than `cycles`.
    ///
    /// # Errors
    /// If a condition or a value is not an expression, or the moment has not been played.
    fn resume(
        &mut self,
        from: (Moment, Option<u32>),
        stops: &StopConditions,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError>;

    /// Value of an expression, with the names of a bot's innermost call.
    ///
    /// # Errors
    /// As [`bot_at`](Self::bot_at); also if the text is not an expression, or has no value there.
    fn evaluate(
        &mut self,
        moment: Moment,
        bot: u32,
        text: &str,
        extent: ViewLimits,
    ) -> Result<ValueView, AskError>;

    /// Checks that a text is an expression of the programs' language.
    ///
    /// # Errors
    /// If it is not.
    fn check_expression(&self, text: &str) -> Result<(), AskError>;

    /// Values of an expression each time that a line was reached, in order: the first `most` values, and the number of
    /// all.
    ///
    /// # Errors
    /// If the text is not an expression, or the line has no code.
    fn logpoint_hits(
        &mut self,
        prints: &Logpoint,
        most: usize,
    ) -> Result<(Vec<LogpointHit>, u64), LogpointError>;

    /// Checks that the expression is one, and that the line has code.
    ///
    /// # Errors
    /// If the text is not an expression, or the line has no code.
    fn check_logpoint(&self, prints: &Logpoint) -> Result<(), LogpointError>;

    /// The bots alive at the end of a cycle.
    ///
    /// # Errors
    /// If the cycle has not been played, or is after the end.
    fn bots_at(&mut self, cycle: u64) -> Result<Vec<BotInfo>, AskError>;

    /// Cells that a team shares, at the end of a cycle.
    ///
    /// # Errors
    /// As [`bots_at`](Self::bots_at).
    fn cells(&mut self, cycle: u64, team: TeamId) -> Result<Vec<CellView>, AskError>;

    /// Replays from the end of cycle `after` to the end of `until` under a watcher; returns the log entries.
    ///
    /// # Errors
    /// As [`bots_at`](Self::bots_at), for `after`.
    fn replay(
        &mut self,
        after: u64,
        until: u64,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Vec<Arc<LogEntry>>, AskError>;

    /// Cycle of the last snapshot that is not after `cycle`.
    fn snapshot_before(&self, cycle: u64) -> u64;

    /// The moment right before an operation.
    ///
    /// # Errors
    /// If the operation has not been played.
    fn moment_before(&mut self, visit: Visit) -> Result<Moment, AskError>;

    /// Operations that are meant, by the machine's teams; `None` for a team without any.
    fn operations(&self, meant: &Operations) -> Vec<Option<Vec<bool>>>;

    /// Index of a bot's side.
    fn side_of(&self, bot: u32) -> usize;

    /// The machine's team of a side.
    fn team(&self, side: usize) -> Option<TeamId>;
}

//! Interface between an insight and the match of any game.

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

/// Interface between an insight and the match of any game.
pub(crate) trait ReplayedMatch: std::fmt::Debug + Send {
    fn play_on(&mut self, cycles: u64);
    fn cycle(&self) -> u64;
    fn is_over(&self) -> bool;
    /// The last cycle that can be asked about.
    fn end(&self) -> u64;
    /// Compared share of the recording, from 0 to 1.
    fn progress(&self) -> f32;
    fn ending(&self) -> Option<Ending>;
    fn compared(&self) -> &Compared;
    fn cycle_of(&self, seq: u64) -> Option<u64>;
    fn seq_at(&self, cycle: u64) -> u64;
    fn sides(&self) -> [Side; 2];
    fn names(&self) -> [String; 2];
    fn tempo(&self) -> Tempo;
    fn bot_word(&self) -> &'static str;
    fn program(&self, side: usize) -> Option<&Program>;
    fn bots(&self) -> Vec<Bot>;
    fn fates(&self) -> &[Arc<LogEntry>];
    fn scores(&self) -> &[Scored];
    fn turned(&self, winner: usize) -> Option<u64>;
    fn accounts(&self) -> [Vec<Account>; 2];
    fn at(&mut self, moment: Moment, bot: u32, extent: ViewLimits) -> Result<BotView, AskError>;
    fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: StepUnit,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError>;
    fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError>;
    fn resume(
        &mut self,
        from: (Moment, Option<u32>),
        stops: &StopConditions,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError>;
    fn evaluate(
        &mut self,
        moment: Moment,
        bot: u32,
        text: &str,
        extent: ViewLimits,
    ) -> Result<ValueView, AskError>;
    fn check_expression(&self, text: &str) -> Result<(), AskError>;
    fn print(&mut self, prints: &Logpoint, most: usize) -> Result<(Vec<LogpointHit>, u64), LogpointError>;
    /// Checks that the expression is one, and that the line has code.
    fn check_prints(&self, prints: &Logpoint) -> Result<(), LogpointError>;
    /// The bots alive at the end of a cycle.
    fn present(&mut self, cycle: u64) -> Result<Vec<BotInfo>, AskError>;
    /// Cells that a team shares, at the end of a cycle.
    fn cells(&mut self, cycle: u64, team: TeamId) -> Result<Vec<CellView>, AskError>;
    /// Replays from the end of cycle `after` to the end of `until` under a watcher; returns the log entries.
    fn replay(
        &mut self,
        after: u64,
        until: u64,
        watcher: Option<&mut dyn Watcher>,
    ) -> Result<Vec<Arc<LogEntry>>, AskError>;
    /// Cycle of the last snapshot that is not after `cycle`.
    fn snapshot_before(&self, cycle: u64) -> u64;
    /// The moment right before an operation.
    fn moment_before(&mut self, visit: Visit) -> Result<Moment, AskError>;
    /// Operations that are meant, by the machine's teams; `None` for a team without any.
    fn operations(&self, meant: &Operations) -> Vec<Option<Vec<bool>>>;
    /// Index of a bot's side.
    fn side_of(&self, bot: u32) -> usize;
    /// The machine's team of a side.
    fn team(&self, side: usize) -> Option<TeamId>;
}

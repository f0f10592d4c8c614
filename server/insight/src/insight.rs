//! The match of a recording, replayed so that it can be asked.

use std::sync::Arc;

use grandstand_languages::Program;
use grandstand_languages::view::{ValueView, ViewLimits};
use grandstand_matches::games::changed;
use grandstand_matches::machine::bot_request::{BotRequest, decode};
use grandstand_matches::machine::{Account, BotInfo, GameWorld, LogEntry, ProgramMatch};
use grandstand_matches::{Ending, Side, Tempo};
use grandstand_protocol::insight::StepUnit;
use grandstand_protocol::{Game, MatchHeader};
use grandstand_replays::{Header, Log, Replay};
use grandstand_rules::{abalone, shark};

use crate::bots::Bot;
use crate::breakpoint::{Resumed, StopConditions};
use crate::compare::{Compared, Comparison};
use crate::logpoint::{Logpoint, LogpointError, LogpointHit};
use crate::open::{OpenError, check_sources};
use crate::playing::{MatchReplay, ReplayedMatch};
use crate::score::Scored;
use crate::search::{Direction, Moment, Search};
use crate::view::{AskError, BotView};

/// Default limit of the snapshots' memory in bytes: 48 MiB.
pub const MEMORY: usize = 48 << 20;

/// The match of a recording. A question about a cycle needs the match [played](Self::play_on) that far.
#[derive(Debug)]
pub struct Insight {
    game: Game,
    pub(crate) played: Box<dyn ReplayedMatch>,
}

impl Insight {
    /// Opens a recording. The replayed match will be compared with it.
    ///
    /// # Errors
    /// If the recording doesn't contain all that the match needs, or other programs than those that played.
    pub fn of_replay(replay: &Replay) -> Result<Self, OpenError> {
        Self::of_log(replay.header(), replay.log().clone(), replay.damage().is_none(), replay.asked())
    }

    /// As [`of_replay`](Self::of_replay), for a header, a log, and the lines of what bots asked for. `whole` says that the log
    /// was read to its end without damage.
    ///
    /// # Errors
    /// As [`of_replay`](Self::of_replay).
    pub fn of_log(header: &Header, log: Log, whole: bool, asked: &[String]) -> Result<Self, OpenError> {
        let asked: Result<Vec<Vec<BotRequest>>, String> = asked.iter().map(|line| decode(line)).collect();
        let asked = asked.map_err(OpenError::Asked)?.concat().into();
        let has_result = log.end().is_some_and(|end| end.result.is_some());
        let versions = changed(header.game, &header.about);
        let comparison = Comparison::new(Some(log), whole && has_result, versions);
        Self::open(header.game, (&header.about, &asked), comparison, MEMORY)
    }

    /// Opens the match of a header, without a recording to compare it with.
    ///
    /// # Errors
    /// If the header doesn't contain all that the match needs, or other programs than those that played.
    pub fn of_header(game: Game, header: &MatchHeader) -> Result<Self, OpenError> {
        Self::open(game, (header, &Arc::default()), Comparison::new(None, false, None), MEMORY)
    }

    fn open(
        game: Game,
        (header, asked): (&MatchHeader, &Arc<[BotRequest]>),
        comparison: Comparison,
        memory: usize,
    ) -> Result<Self, OpenError> {
        check_sources(header, !asked.is_empty())?;
        let played = match game {
            Game::Abalone => playing::<abalone::World>((header, asked), comparison, memory)?,
            Game::Shark => playing::<shark::World>((header, asked), comparison, memory)?,
            game => return Err(OpenError::Game(game)),
        };
        Ok(Self { game, played })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Plays up to `cycles` more; stops at the end of the match or at its first difference from the recording.
    pub fn play_on(&mut self, cycles: u64) {
        self.played.play_on(cycles);
    }

    /// Plays to the end.
    pub fn play_out(&mut self) {
        self.played.play_on(u64::MAX);
    }

    /// The last cycle that has been played.
    pub fn cycle(&self) -> u64 {
        self.played.cycle()
    }

    /// Whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.played.is_over()
    }

    /// The last cycle that can be asked about so far.
    pub fn last_cycle(&self) -> u64 {
        self.played.end()
    }

    /// Compared share of the recording, from 0 to 1; 1 when the match is over.
    pub fn progress(&self) -> f32 {
        if self.is_over() { 1.0 } else { self.played.progress() }
    }

    /// The result of the match, once it has been played to its end.
    pub fn ending(&self) -> Option<Ending> {
        self.played.ending()
    }

    /// Result of the comparison with the recording so far.
    pub fn compared(&self) -> &Compared {
        self.played.compared()
    }

    /// Cycle in which a recorded command was drawn, if it has been played.
    pub fn cycle_of(&self, seq: u64) -> Option<u64> {
        self.played.cycle_of(seq)
    }

    /// Number of the last recorded command drawn by the end of a cycle.
    pub fn seq_at(&self, cycle: u64) -> u64 {
        self.played.seq_at(cycle)
    }

    /// The two sides.
    pub fn sides(&self) -> [Side; 2] {
        self.played.sides()
    }

    /// Names of the two players.
    pub fn names(&self) -> [String; 2] {
        self.played.names()
    }

    /// Relation of cycles and turns.
    pub fn tempo(&self) -> Tempo {
        self.played.tempo()
    }

    /// The turn (or the game's beat) of a cycle, from 1.
    pub fn turn_of(&self, cycle: u64) -> u64 {
        cycle.div_ceil(self.tempo().ticks.max(1))
    }

    /// The game's word for a bot.
    pub fn bot_word(&self) -> &'static str {
        self.played.bot_word()
    }

    /// Program of a side; `None` for a team written in Rust.
    pub fn program(&self, side: usize) -> Option<&Program> {
        self.played.program(side)
    }

    /// All bots so far, by number.
    pub fn bots(&self) -> Vec<Bot> {
        self.played.bots()
    }

    /// Log entries of losses, waits and deadlocks, in order.
    pub fn fates(&self) -> &[Arc<LogEntry>] {
        self.played.fates()
    }

    /// The score over time: one entry for the start and one for each change.
    pub fn scores(&self) -> &[Scored] {
        self.played.scores()
    }

    /// Cycle from which on the winner led for good; `None` if it doesn't lead at the end, or always led.
    pub(crate) fn turned(&self, winner: usize) -> Option<u64> {
        self.played.turned(winner)
    }

    /// Cost of each side's mistakes so far, the highest first.
    pub fn accounts(&self) -> [Vec<Account>; 2] {
        self.played.accounts()
    }

    /// A bot at a moment.
    ///
    /// # Errors
    /// If there is no such bot at that moment, or the moment has not been played.
    pub fn at(&mut self, moment: Moment, bot: u32) -> Result<BotView, AskError> {
        self.at_with(moment, bot, ViewLimits::default())
    }

    /// A bot at a moment, with calls and values limited by `extent`.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn at_with(&mut self, moment: Moment, bot: u32, extent: ViewLimits) -> Result<BotView, AskError> {
        self.played.at(moment, bot, extent)
    }

    /// The moment one step away in a bot's program; `None` if there is none.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: StepUnit,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        self.check(from)?;
        self.played.step(from, bot, step, direction)
    }

    /// The next or the previous moment at which a line was reached, with the bot; `None` if there is none.
    ///
    /// # Errors
    /// If the condition is not an expression, or the moment has not been played.
    pub fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        self.check(from)?;
        self.played.find(from, search, direction)
    }

    /// Goes on to the first stop, from a bot's moment or (without a bot) from the end of a cycle. Searches little more
    /// than `cycles`.
    ///
    /// # Errors
    /// If a condition or a value is not an expression, or the moment has not been played.
    pub fn resume(
        &mut self,
        from: (Moment, Option<u32>),
        stops: &StopConditions,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError> {
        self.check(from.0)?;
        self.played.resume(from, stops, direction, cycles)
    }

    /// Checks that a moment has been played. Nothing is computed with the cycle of another one.
    pub(crate) fn check(&self, moment: Moment) -> Result<(), AskError> {
        let (cycle, end) = (moment.cycle, self.last_cycle());
        match cycle <= end {
            true => Ok(()),
            false if self.is_over() => Err(AskError::Over { cycle, end }),
            false => Err(AskError::NotPlayed { played: self.cycle() }),
        }
    }

    /// Value of an expression, with the names of a bot's innermost call.
    ///
    /// # Errors
    /// As [`at`](Self::at); also if the text is not an expression, or has no value there.
    pub fn evaluate(
        &mut self,
        moment: Moment,
        bot: u32,
        text: &str,
        extent: ViewLimits,
    ) -> Result<ValueView, AskError> {
        self.played.evaluate(moment, bot, text, extent)
    }

    /// Checks that a text is an expression of the programs' language.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_expression(&self, text: &str) -> Result<(), AskError> {
        self.played.check_expression(text)
    }

    /// Values of an expression each time that a line was reached, in order: the first `most` values, and the number of
    /// all.
    ///
    /// # Errors
    /// If the text is not an expression, or the line has no code.
    pub fn print(
        &mut self,
        prints: &Logpoint,
        most: usize,
    ) -> Result<(Vec<LogpointHit>, u64), LogpointError> {
        self.played.print(prints, most)
    }

    /// The bots alive at the end of a cycle.
    ///
    /// # Errors
    /// If the cycle has not been played, or is after the end.
    pub fn present(&mut self, cycle: u64) -> Result<Vec<BotInfo>, AskError> {
        self.played.present(cycle)
    }

    /// Log of the cycles `from` to `to`: all actions with their answers and results. Empty if they have not been
    /// played.
    pub fn entries(&mut self, from: u64, to: u64) -> Vec<Arc<LogEntry>> {
        let entries = self.played.replay(from.saturating_sub(1), to.min(self.last_cycle()), None);
        entries.unwrap_or_default()
    }
}

fn playing<W: GameWorld>(
    (header, asked): (&MatchHeader, &Arc<[BotRequest]>),
    comparison: Comparison,
    memory: usize,
) -> Result<Box<dyn ReplayedMatch>, OpenError>
where
    W::Natives: Send,
{
    let spec = ProgramMatch::<W>::from_recording(header, asked)?;
    Ok(Box::new(MatchReplay::new(spec, comparison, memory)?))
}

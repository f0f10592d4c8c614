//! The match of a recording, open to be asked.

use std::sync::Arc;

use grandstand_languages::Program;
use grandstand_languages::view::{Extent, Seen};
use grandstand_matches::games::changed;
use grandstand_matches::machine::asked::{Asked, decode};
use grandstand_matches::machine::{Account, BotInfo, GameWorld, LogEntry, ProgramMatch};
use grandstand_matches::{Ending, Side, Tempo};
use grandstand_protocol::{Game, MatchHeader};
use grandstand_replays::{Header, Log, Replay};
use grandstand_rules::{abalone, shark};

use crate::bots::Bot;
use crate::breakpoint::{Resumed, Stops};
use crate::compare::{Compared, Comparison};
use crate::open::{OpenError, check_sources};
use crate::playing::{Played, Playing};
use crate::print::{PrintError, Printed, Prints};
use crate::score::Scored;
use crate::search::{Direction, Moment, Search, Step};
use crate::view::{AskError, BotView};

/// The bytes that snapshots take at most, where nothing else is asked for: 96 MiB.
pub const MEMORY: usize = 96 << 20;

/// The match of a recording. It is [played](Self::play_on) before it is asked, as far as it is asked.
#[derive(Debug)]
pub struct Insight {
    game: Game,
    pub(crate) played: Box<dyn Played>,
}

impl Insight {
    /// The match of a recording, with what is drawn compared with it.
    ///
    /// # Errors
    /// If the recording does not tell the match, or not the one that was played.
    pub fn of_replay(replay: &Replay) -> Result<Self, OpenError> {
        let asked: Result<Vec<Vec<Asked>>, String> = replay.asked().iter().map(|line| decode(line)).collect();
        let asked = asked.map_err(OpenError::Asked)?.concat();
        Self::of_parts(replay.header(), replay.log().clone(), replay.damage().is_none(), &asked.into())
    }

    /// The same of a recording that is taken apart already: its header and its commands, whole or broken off.
    ///
    /// # Errors
    /// As [`of_replay`](Self::of_replay).
    pub fn of_log(header: &Header, log: Log, whole: bool) -> Result<Self, OpenError> {
        Self::of_parts(header, log, whole, &Arc::default())
    }

    fn of_parts(header: &Header, log: Log, whole: bool, asked: &Arc<[Asked]>) -> Result<Self, OpenError> {
        let has_result = log.end().is_some_and(|end| end.result.is_some());
        let versions = changed(header.game, &header.about);
        let comparison = Comparison::new(Some(log), whole && has_result, versions);
        Self::open(header.game, (&header.about, asked), comparison, MEMORY)
    }

    /// The match of a header, without anything to compare it with.
    ///
    /// # Errors
    /// If the header does not tell the match, or not the one that was played.
    pub fn of_header(game: Game, header: &MatchHeader) -> Result<Self, OpenError> {
        Self::open(game, (header, &Arc::default()), Comparison::new(None, false, None), MEMORY)
    }

    fn open(
        game: Game,
        (header, asked): (&MatchHeader, &Arc<[Asked]>),
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

    /// Which game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Plays so many cycles more, or to the end of the match, or to where it parts from its recording.
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

    /// Whether everything has been played that will be.
    pub fn is_over(&self) -> bool {
        self.played.is_over()
    }

    /// The last cycle that can be asked, as far as has been played.
    pub fn last_cycle(&self) -> u64 {
        self.played.end()
    }

    /// How much of the recording has been compared, from 0 to 1.
    pub fn progress(&self) -> f32 {
        if self.is_over() { 1.0 } else { self.played.progress() }
    }

    /// How the match ended, once it has been played to its end.
    pub fn ending(&self) -> Option<Ending> {
        self.played.ending()
    }

    /// How far it is the match of the recording.
    pub fn compared(&self) -> &Compared {
        self.played.compared()
    }

    /// The cycle in which a command of the recording was drawn, as far as has been played.
    pub fn cycle_of(&self, seq: u64) -> Option<u64> {
        self.played.cycle_of(seq)
    }

    /// The number of the recording's last command that was drawn by the end of a cycle.
    pub fn seq_at(&self, cycle: u64) -> u64 {
        self.played.seq_at(cycle)
    }

    /// The two sides.
    pub fn sides(&self) -> [Side; 2] {
        self.played.sides()
    }

    /// Who plays them.
    pub fn names(&self) -> [String; 2] {
        self.played.names()
    }

    /// How cycles become turns.
    pub fn tempo(&self) -> Tempo {
        self.played.tempo()
    }

    /// The turn, or the beat of the game, that a cycle is in, from 1.
    pub fn turn_of(&self, cycle: u64) -> u64 {
        cycle.div_ceil(self.tempo().ticks.max(1))
    }

    /// What a bot is called.
    pub fn bot_word(&self) -> &'static str {
        self.played.bot_word()
    }

    /// The program of a side; `None` for a team that is written in Rust.
    pub fn program(&self, side: usize) -> Option<&Program> {
        self.played.program(side)
    }

    /// Every bot that there has been, by its number.
    pub fn bots(&self) -> Vec<Bot> {
        self.played.bots()
    }

    /// What became of the bots, and who was in a deadlock, in order.
    pub fn fates(&self) -> &[Arc<LogEntry>] {
        self.played.fates()
    }

    /// The score over time: an entry for each change, and one for the beginning.
    pub fn scores(&self) -> &[Scored] {
        self.played.scores()
    }

    /// When a side that leads at the end came to lead for good; `None` when it does not, or always did.
    pub(crate) fn turned(&self, winner: usize) -> Option<u64> {
        self.played.turned(winner)
    }

    /// What the mistakes of each side cost so far, the worst first.
    pub fn accounts(&self) -> [Vec<Account>; 2] {
        self.played.accounts()
    }

    /// A bot at a moment.
    ///
    /// # Errors
    /// If there is no such bot, or not then.
    pub fn at(&mut self, moment: Moment, bot: u32) -> Result<BotView, AskError> {
        self.at_with(moment, bot, Extent::default())
    }

    /// A bot at a moment, with so much of its calls and values.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn at_with(&mut self, moment: Moment, bot: u32, extent: Extent) -> Result<BotView, AskError> {
        self.played.at(moment, bot, extent)
    }

    /// The moment a step away in the program of a bot; `None` when there is none.
    ///
    /// # Errors
    /// As [`at`](Self::at).
    pub fn step(
        &mut self,
        from: Moment,
        bot: u32,
        step: Step,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        self.played.step(from, bot, step, direction)
    }

    /// The next or the last moment at which a line was reached, and by which bot; `None` when there is none.
    ///
    /// # Errors
    /// If the condition is no expression, or the moment has not been played.
    pub fn find(
        &mut self,
        from: Moment,
        search: &Search,
        direction: Direction,
    ) -> Result<Option<(Moment, u32)>, AskError> {
        self.played.find(from, search, direction)
    }

    /// Goes on from a bot's moment, or from the end of a cycle where no bot is said, to the first stop, but not much farther than so many cycles.
    ///
    /// # Errors
    /// If a condition or a value is no expression, or the moment has not been played.
    pub fn resume(
        &mut self,
        from: (Moment, Option<u32>),
        stops: &Stops,
        direction: Direction,
        cycles: u64,
    ) -> Result<Resumed, AskError> {
        self.played.resume(from, stops, direction, cycles)
    }

    /// The value of an expression among the names of a bot's innermost call.
    ///
    /// # Errors
    /// As [`at`](Self::at); if it is no expression, or has no value there.
    pub fn evaluate(
        &mut self,
        moment: Moment,
        bot: u32,
        text: &str,
        extent: Extent,
    ) -> Result<Seen, AskError> {
        self.played.evaluate(moment, bot, text, extent)
    }

    /// Checks that a text is an expression of the programs' language.
    ///
    /// # Errors
    /// If it is none.
    pub fn check_expression(&self, text: &str) -> Result<(), AskError> {
        self.played.check_expression(text)
    }

    /// The values of an expression each time that a line was reached, in order, at most `most` of them, and how often that was.
    ///
    /// # Errors
    /// If the expression is none, or nothing is done on the line.
    pub fn print(&mut self, prints: &Prints, most: usize) -> Result<(Vec<Printed>, u64), PrintError> {
        self.played.print(prints, most)
    }

    /// Who is there at the end of a cycle that has been played.
    ///
    /// # Errors
    /// If it has not been, or never comes.
    pub fn present(&mut self, cycle: u64) -> Result<Vec<BotInfo>, AskError> {
        self.played.present(cycle)
    }

    /// Everything that bots did in the cycles `from` to `to`, with its answers, and what became of it.
    pub fn entries(&mut self, from: u64, to: u64) -> Vec<Arc<LogEntry>> {
        let entries = self.played.replay(from.saturating_sub(1), to.min(self.last_cycle()), None);
        entries.unwrap_or_default()
    }
}

fn playing<W: GameWorld>(
    (header, asked): (&MatchHeader, &Arc<[Asked]>),
    comparison: Comparison,
    memory: usize,
) -> Result<Box<dyn Played>, OpenError>
where
    W::Natives: Send,
{
    let spec = ProgramMatch::<W>::from_recording(header, asked)?;
    Ok(Box::new(Playing::new(spec, comparison, memory)?))
}

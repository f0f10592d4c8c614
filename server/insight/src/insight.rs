//! The match of a recording, replayed so that it can be asked.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use grandstand_languages::view::ViewLimits;
use grandstand_matches::by_world;
use grandstand_matches::games::changed;
use grandstand_matches::machine::bot_request::{BotRequest, decode};
use grandstand_matches::machine::{GameWorld, LogEntry, ProgramMatch};
use grandstand_protocol::{Game, MatchHeader};
use grandstand_replays::{Header, Log, Replay};

use crate::compare::Comparison;
use crate::open::{OpenError, check_sources};
use crate::playing::{MatchReplay, ReplayedMatch};
use crate::search::Moment;
use crate::view::{AskError, BotView};

/// Default limit of the snapshots' memory in bytes: 48 MiB.
pub const MEMORY: usize = 48 << 20;

/// The match of a recording. Questions are methods of [`ReplayedMatch`].
#[derive(Debug)]
pub struct Insight {
    game: Game,
    played: Box<dyn ReplayedMatch>,
}

impl Insight {
    /// Opens a recording. The replayed match will be compared with it.
    ///
    /// # Errors
    /// If the recording doesn't contain all that the match needs, or other programs than those that played.
    pub fn of_replay(replay: &Replay) -> Result<Self, OpenError> {
        Self::of_log(replay.header(), replay.log().clone(), replay.damage().is_none(), replay.bot_requests())
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
        let played = by_world!(game, World => playing::<World>((header, asked), comparison, memory)?);
        let played = played.ok_or(OpenError::Game(game))?;
        Ok(Self { game, played })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Plays to the end.
    pub fn play_out(&mut self) {
        self.play_on(u64::MAX);
    }

    /// The turn (or the game's beat) of a cycle, from 1.
    pub fn turn_of(&self, cycle: u64) -> u64 {
        cycle.div_ceil(self.tempo().ticks.max(1))
    }

    /// A cycle as the game tells it: `turn 41`, `step 204,999`.
    pub fn moment_words(&self, cycle: u64) -> String {
        grandstand_story::format::moment(self.tempo().beat, self.turn_of(cycle), cycle)
    }

    /// A bot at a moment.
    ///
    /// # Errors
    /// If there is no such bot at that moment, or the moment has not been played.
    pub fn at(&mut self, moment: Moment, bot: u32) -> Result<BotView, AskError> {
        self.bot_at(moment, bot, ViewLimits::default())
    }

    /// Log of the cycles `from` to `to`: all actions with their answers and results. Empty if they have not been
    /// played.
    pub fn entries(&mut self, from: u64, to: u64) -> Vec<Arc<LogEntry>> {
        let last = to.min(self.last_cycle());
        self.replay(from.saturating_sub(1), last, None).unwrap_or_default()
    }
}

impl Deref for Insight {
    type Target = dyn ReplayedMatch;

    fn deref(&self) -> &Self::Target {
        &*self.played
    }
}

impl DerefMut for Insight {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.played
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

//! Session of a debugger: a played match and the position in it.

use grandstand_insight::{BotView, Insight, Moment};
use grandstand_languages::view::ViewLimits;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Client;
use super::breakpoints::{Breakpoints, SetBreakpoints};
use super::launch::{Launch, Matches};
use super::moving::Moving;
use super::sources::SourceFiles;
use super::values::Handles;
use super::wire::{self, Out};

/// Exception filter for programs that end.
pub(super) const ENDS: &str = "ends";
/// Exception filter for bots that the game removes.
pub(super) const REMOVALS: &str = "removals";

/// Played match and the position in it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) insight: Insight,
    pub(super) client: Client,
    pub(super) sources: SourceFiles,
    pub(super) breakpoints: Breakpoints,
    /// Moment of the stop, for the bot of the stop.
    pub(super) at: Moment,
    pub(super) bot: u32,
    /// Resume under way.
    pub(super) moving: Option<Moving>,
    /// Numbers that the editor got since the stop.
    pub(super) handles: Handles,
    /// Whether to stop at the start.
    stop_on_entry: bool,
    is_configured: bool,
}

#[derive(Debug, Deserialize)]
struct Filters {
    #[serde(default)]
    filters: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SourceOf {
    source_reference: i64,
}

impl Session {
    /// Creates a session of a played match.
    pub(super) fn new(insight: Insight, launch: &Launch, client: Client, matches: &impl Matches) -> Self {
        let sources = SourceFiles::new(&insight, launch, matches);
        let is_placed = launch.turn.is_some() || launch.cycle.is_some();
        let mut session = Self {
            insight,
            client,
            sources,
            breakpoints: Breakpoints::new(),
            at: Moment::end_of(0),
            bot: 0,
            moving: None,
            handles: Handles::default(),
            stop_on_entry: launch.stop_on_entry || is_placed,
            is_configured: false,
        };
        let turn = launch.turn.map(|turn| session.end_of_turn(turn));
        session.stand_at(launch.cycle.or(turn).unwrap_or(0));
        session
    }

    /// Last cycle before the moves of a turn.
    pub(super) fn end_of_turn(&self, turn: u64) -> u64 {
        turn.saturating_mul(self.insight.tempo().ticks).saturating_sub(1)
    }

    /// Last cycle at whose end bots can be viewed.
    pub(super) fn last(&self) -> u64 {
        self.insight.ending().map_or(self.insight.cycle(), |ending| ending.tick).saturating_sub(1)
    }

    /// Goes to the end of a cycle. The current bot changes if it is not alive there.
    pub(super) fn stand_at(&mut self, cycle: u64) {
        self.at = Moment::end_of(cycle.min(self.last()));
        let living = self.living();
        if !living.contains(&self.bot) {
            self.bot = living.first().copied().unwrap_or(self.bot);
        }
    }

    /// Living bots, by number.
    pub(super) fn living(&self) -> Vec<u32> {
        let cycle = self.at.cycle;
        let bots = self.insight.bots().into_iter();
        let is_there = |gone: Option<u64>| gone.is_none_or(|gone| gone > cycle);
        bots.filter(|bot| bot.born <= cycle && is_there(bot.gone.as_ref().map(|entry| entry.cycle)))
            .filter(|bot| self.insight.program(bot.side).is_some())
            .map(|bot| bot.bot)
            .collect()
    }

    /// Moment at which a bot is stopped.
    pub(super) fn moment(&self, bot: u32) -> Moment {
        if bot == self.bot { self.at } else { Moment::end_of(self.at.cycle) }
    }

    /// View of a bot at the stop.
    pub(super) fn look(&mut self, bot: u32, extent: ViewLimits) -> Result<BotView, String> {
        let moment = self.moment(bot);
        self.insight.bot_at(moment, bot, extent).map_err(|error| error.to_string())
    }

    /// Players and result of the match in a sentence.
    pub(super) fn played(&self) -> String {
        let [first, second] = self.insight.names();
        let sides = self.insight.sides();
        let end = match self.insight.ending() {
            None => "it was not played to its end".to_owned(),
            Some(ending) => {
                let who = ending.winner.map_or("nobody".to_owned(), |winner| sides[winner].name.to_owned());
                let score = ending.score.map(|[a, b]| format!(" ({a}–{b})")).unwrap_or_default();
                format!("{who} won in cycle {}{score}", ending.tick)
            }
        };
        format!("{} ({first}) against {} ({second}): {end}", sides[0].name, sides[1].name)
    }

    /// Answers a request other than a resume.
    pub(super) fn request(
        &mut self,
        (seq, command): (i64, &str),
        arguments: Value,
        out: &mut Out,
    ) -> Result<Option<Value>, String> {
        let answer = match command {
            "setBreakpoints" => {
                let wanted: SetBreakpoints = wire::read(arguments)?;
                let first = i64::from(self.client.lines_start_at1);
                self.breakpoints.set(wanted, first, &self.sources, &self.insight)?
            }
            "setExceptionBreakpoints" => {
                let Filters { filters } = wire::read(arguments)?;
                self.breakpoints.ends = filters.iter().any(|filter| filter == ENDS);
                self.breakpoints.removals = filters.iter().any(|filter| filter == REMOVALS);
                json!({})
            }
            "configurationDone" => {
                out.answer(seq, command, Ok(json!({})));
                if !std::mem::replace(&mut self.is_configured, true) {
                    self.begin(out);
                }
                return Ok(None);
            }
            "threads" => self.threads(),
            "loadedSources" => json!({ "sources": self.sources.all() }),
            "source" => {
                let SourceOf { source_reference } = wire::read(arguments)?;
                let text = self.sources.text(source_reference).ok_or("there is no such source")?;
                json!({ "content": text, "mimeType": "text/plain" })
            }
            "stackTrace" => self.stack(arguments)?,
            "scopes" => self.scopes(arguments)?,
            "variables" => self.variables(arguments)?,
            "evaluate" => return self.evaluate((seq, command), arguments, out),
            "exceptionInfo" => self.loss(arguments)?,
            "pause" => {
                out.answer(seq, command, Ok(json!({})));
                self.pause(out);
                return Ok(None);
            }
            "next" | "stepIn" | "stepOut" | "stepBack" => {
                self.step((seq, command), arguments, out)?;
                return Ok(None);
            }
            other => return Err(format!("`{other}` is not done here")),
        };
        Ok(Some(answer))
    }

    fn begin(&mut self, out: &mut Out) {
        if self.stop_on_entry {
            self.stopped("entry", "here one begins", None, out);
        } else {
            // Before the first cycle no bot has acted.
            self.moving = Some(Moving::forward((self.at, None), self.bot));
        }
    }
}

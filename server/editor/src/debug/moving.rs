//! Movement through a match: resume to the next or previous stop, and steps.

use grandstand_insight::{Direction, Moment, Reason, StepUnit};
use grandstand_languages::Location;
use serde::Deserialize;
use serde_json::{Value, json};

use super::SLICE;
use super::session::Session;
use super::wire::{self, Out};

/// Number of lines of log points on the way to one stop at most.
const LOGGED: usize = 10_000;

/// State of a resume.
#[derive(Debug)]
pub(super) struct Moving {
    /// Moment up to which the match has been searched.
    from: (Moment, Option<u32>),
    direction: Direction,
    /// Bot of the resume request.
    bot: u32,
    /// Number of lines of log points so far.
    logged: usize,
}

impl Moving {
    pub(super) fn forward(from: (Moment, Option<u32>), bot: u32) -> Self {
        Self { from, direction: Direction::Forward, bot, logged: 0 }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfThread {
    thread_id: i64,
    #[serde(default)]
    granularity: Option<String>,
}

/// Bot of a thread.
pub(super) fn bot_of(thread: i64) -> Result<u32, String> {
    u32::try_from(thread).ok().ok_or_else(|| format!("no bot has the number {thread}"))
}

impl Session {
    /// Whether a resume is under way.
    pub(super) fn is_moving(&self) -> bool {
        self.moving.is_some()
    }

    /// Starts to search for the next or the previous stop.
    pub(super) fn resume(
        &mut self,
        (seq, command): (i64, &str),
        direction: Direction,
        arguments: Value,
        out: &mut Out,
    ) -> Result<(), String> {
        let OfThread { thread_id, .. } = wire::read(arguments)?;
        let bot = bot_of(thread_id)?;
        let from = (self.at, Some(self.bot));
        self.moving = Some(Moving { from, direction, bot, logged: 0 });
        self.handles.clear();
        out.answer(seq, command, Ok(json!({ "allThreadsContinued": true })));
        Ok(())
    }

    /// Searches a further slice for the stop.
    pub(super) fn go_on(&mut self, out: &mut Out) {
        let Some(mut moving) = self.moving.take() else { return };
        let stops = self.breakpoints.stops();
        let resumed = match self.insight.resume(moving.from, &stops, moving.direction, SLICE) {
            Ok(resumed) => resumed,
            Err(error) => {
                out.say("important", &error.to_string());
                self.stopped("pause", "the way on is not known", None, out);
                return;
            }
        };
        for passed in &resumed.passed {
            moving.logged += 1;
            if moving.logged > LOGGED {
                if moving.logged == LOGGED + 1 {
                    out.say("console", &format!("… only the first {LOGGED} lines are shown"));
                }
                continue;
            }
            let Some(set) = self.breakpoints.get(passed.breakpoint) else { continue };
            let side = self.side_of(passed.bot);
            let (text, line) = (set.says(passed), set.line());
            let team = self.insight.sides()[side].name;
            let text = format!(
                "{team} {} {}, cycle {}: {text}\n",
                self.insight.bot_word(),
                passed.bot,
                // The cycle at whose end the bot is before the line, as `:cycle` takes it.
                passed.cycle.saturating_sub(1)
            );
            let source = self.sources.source(side, &line.file);
            let body = json!({ "category": "console", "output": text, "source": source, "line": self.line(line.line) });
            out.event("output", body);
        }
        match resumed.stopped {
            Some((moment, bot, reason)) => {
                (self.at, self.bot) = (moment, bot);
                match reason {
                    Reason::Breakpoint(index) => {
                        let id = self.breakpoints.get(index).map(|set| set.id);
                        self.stopped("breakpoint", "at a breakpoint", id, out);
                    }
                    Reason::Lost => self.stopped("exception", "about to be lost", None, out),
                }
            }
            None if resumed.at_end => {
                let (reason, cycle) = match moving.direction {
                    Direction::Forward => ("the match is over", self.last()),
                    Direction::Backward => ("here the match begins", 0),
                };
                self.bot = moving.bot;
                self.stand_at(cycle);
                self.stopped("entry", reason, None, out);
            }
            None => {
                moving.from = (Moment::end_of(resumed.cycle), None);
                self.moving = Some(moving);
            }
        }
    }

    /// Stops a resume.
    pub(super) fn pause(&mut self, out: &mut Out) {
        if let Some(moving) = self.moving.take() {
            self.bot = moving.bot;
            self.stand_at(moving.from.0.cycle);
        }
        self.stopped("pause", "asked to wait", None, out);
    }

    /// Steps in one bot's program; all other bots move along.
    pub(super) fn step(
        &mut self,
        (seq, command): (i64, &str),
        arguments: Value,
        out: &mut Out,
    ) -> Result<(), String> {
        let OfThread { thread_id, granularity } = wire::read(arguments)?;
        let bot = bot_of(thread_id)?;
        let is_small = granularity.as_deref() == Some("instruction");
        let (step, direction) = match command {
            "stepOut" => (StepUnit::Out, Direction::Forward),
            "stepBack" if is_small => (StepUnit::Operation, Direction::Backward),
            "stepBack" => (StepUnit::Over, Direction::Backward),
            _ if is_small => (StepUnit::Operation, Direction::Forward),
            "stepIn" => (StepUnit::Line, Direction::Forward),
            _ => (StepUnit::Over, Direction::Forward),
        };
        let moment = self.moment(bot);
        let to = self.insight.step(moment, bot, step, direction).map_err(|error| error.to_string())?;
        self.moving = None;
        out.answer(seq, command, Ok(json!({})));
        (self.at, self.bot) = (moment, bot);
        let description = match to {
            Some(to) => {
                self.at = to;
                "after a step"
            }
            None if direction == Direction::Backward => "before this it did nothing",
            None => "after this it does nothing more",
        };
        self.stopped("step", description, None, out);
        Ok(())
    }

    /// Sends the `stopped` event.
    pub(super) fn stopped(
        &mut self,
        reason: &str,
        description: &str,
        breakpoint: Option<u64>,
        out: &mut Out,
    ) {
        self.handles.clear();
        let mut body = json!({
            "reason": reason,
            "description": format!("{description}, cycle {}", self.at.cycle),
            "threadId": self.bot,
            "allThreadsStopped": true,
        });
        if let Some(id) = breakpoint {
            body["hitBreakpointIds"] = json!([id]);
        }
        if reason == "exception"
            && let Some(fate) = self.fate(self.bot)
        {
            body["text"] = fate.into();
        }
        out.event("stopped", body);
    }

    /// End of a bot in words.
    pub(super) fn fate(&self, bot: u32) -> Option<String> {
        let bots = self.insight.bots();
        bots.iter().find(|known| known.bot == bot)?.gone.as_ref().map(ToString::to_string)
    }

    pub(super) fn side_of(&self, bot: u32) -> usize {
        self.insight.bots().iter().find(|known| known.bot == bot).map_or(0, |known| known.side)
    }

    /// Line in the numbers of the editor.
    pub(super) fn line(&self, line: u32) -> u32 {
        if self.client.lines_start_at1 { line } else { line.saturating_sub(1) }
    }

    /// Place in the numbers of the editor: line, column and end column, in UTF-16 units.
    pub(super) fn columns(&self, place: &Location) -> (u32, u32, u32) {
        let units = |characters: u32| -> usize {
            place.source_line.chars().take(characters as usize).map(char::len_utf16).sum()
        };
        let first = u32::from(self.client.columns_start_at1);
        let column = |before: u32| u32::try_from(units(before)).unwrap_or(u32::MAX - 1) + first;
        let before = place.column.saturating_sub(1);
        (self.line(place.line), column(before), column(before.saturating_add(place.width)))
    }
}

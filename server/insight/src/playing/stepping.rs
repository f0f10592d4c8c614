//! Steps in a bot's program.

use grandstand_languages::view::{State, ViewLimits};
use grandstand_languages::{self as languages, Operations, Watch};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::GameWorld;
use grandstand_protocol::insight::StepUnit;

use super::{MatchReplay, ReplayedMatch as _};
use crate::search::{Direction, From, Moment, Steps};
use crate::view::AskError;

impl<W: GameWorld> MatchReplay<W> {
    pub(super) fn step_away(
        &mut self,
        from: Moment,
        bot: u32,
        step: StepUnit,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        let pid = languages::Pid(bot);
        if step == StepUnit::Turn {
            return self.turn_away(from, bot, direction);
        }
        let Some(program) = self.program_of(self.side_of(bot)).cloned() else {
            return Err(AskError::NoBot(bot));
        };
        let view = self.bot_at(from, bot, ViewLimits { calls: 1, elements: 0, depth: 0 })?;
        let (lines, all, actions) =
            (program.lines(), program.operations(&Operations::All), program.operations(&Operations::Actions));
        let here = view.thread.calls.first().map(|call| &call.place);
        let file_of = |name: &str| program.sources().files().iter().position(|file| file.name == name);
        let from = From {
            moment: from,
            is_at_operation: matches!(view.thread.state, State::Runs { .. }),
            line: here.map_or((u32::MAX, 0), |at| {
                (file_of(&at.file).map_or(u32::MAX, |file| file as u32), at.line)
            }),
            depth: view.thread.frames,
        };
        let tables = (&all[..], &actions[..], &lines[..]);
        let (last, mut width) = (self.front.cycle(), 512);
        match direction {
            Direction::Forward => {
                let mut state = self.state(from.moment.cycle)?.clone();
                let mut steps = Steps::new(pid, step, from, direction, tables);
                while steps.found.is_none() && state.cycle() < last && state.runner.machine().is_live(pid) {
                    let to = (state.cycle() + width).min(last);
                    state.play_to(to, Some(&mut Watch::new(&mut steps)));
                    if state.runner.is_finished() {
                        break;
                    }
                    width = (2 * width).min(16_384);
                }
                Ok(steps.found)
            }
            Direction::Backward => {
                let mut until = from.moment.cycle + 1;
                loop {
                    let start = self.keyframes.before(until.saturating_sub(1)).restore();
                    let begin = start.cycle();
                    let mut state = start;
                    let mut steps = Steps::new(pid, step, from, direction, tables);
                    state.play_to(until.min(last), Some(&mut Watch::new(&mut steps)));
                    if steps.found.is_some() || begin == 0 {
                        return Ok(steps.found);
                    }
                    until = begin;
                }
            }
        }
    }

    /// End of the next or the previous turn, before its moves are made; `None` if the bot is not alive then.
    fn turn_away(
        &mut self,
        from: Moment,
        bot: u32,
        direction: Direction,
    ) -> Result<Option<Moment>, AskError> {
        let ticks = self.spec.tempo().ticks.max(1);
        // A turn ends one cycle before a multiple of its length.
        let cycle = match direction {
            Direction::Forward => Some(((from.cycle + 1) / ticks + 1) * ticks - 1),
            Direction::Backward if from.within > 0 && (from.cycle + 1).is_multiple_of(ticks) => {
                Some(from.cycle)
            }
            Direction::Backward => (from.cycle / ticks * ticks).checked_sub(1),
        };
        let Some(cycle) = cycle.filter(|cycle| *cycle <= self.last_cycle()) else { return Ok(None) };
        match self.bot_at(Moment::end_of(cycle), bot, ViewLimits { calls: 0, elements: 0, depth: 0 }) {
            Ok(_) => Ok(Some(Moment::end_of(cycle))),
            Err(AskError::NotThere { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

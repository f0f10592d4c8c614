//! Worker of a run on this machine: plays one game after another.

use super::super::catalogue::NewResult;
use super::super::playing::game_runner::{GameControl, GameRunner, Labels};
use super::super::playing::{GameAttempt, RunContext, RunEvent};
use super::matches::Matches;

/// One of the workers of a run.
pub(super) struct Worker<'a> {
    field: RunContext<'a>,
    matches: Matches<'a>,
    runner: GameRunner,
    control: &'a GameControl,
}

impl<'a> Worker<'a> {
    /// Worker `index` of `count`, on the calling thread. With `clocks` it has cores of its own.
    pub(super) fn new(
        field: RunContext<'a>,
        share: (usize, usize),
        clocks: bool,
        control: &'a GameControl,
    ) -> Self {
        let runner = GameRunner::new(share, clocks);
        let matches = Matches::new(field.definition, field.hashes, runner.input_buffer());
        Self { field, matches, runner, control }
    }

    /// Plays a game.
    pub(super) fn play(&mut self, job: &GameAttempt) -> RunEvent {
        let spec = match self.matches.of(&job.game) {
            Ok(spec) => spec,
            Err(error) => return RunEvent::Stuck(format!("{error:#}")),
        };
        let round = self.field.round(&job.game);
        let names = job.game.players.map(|player| self.field.names[player.index()].as_str());
        let labels = Labels { names, event: &self.field.definition.name, round: &round };
        let Some(played) = self.runner.play(spec, labels, job.attempt, self.control) else {
            return RunEvent::Abandoned;
        };
        let versions = job.game.players.map(|player| self.field.versions[player.index()]);
        RunEvent::Ended(Box::new(NewResult {
            game: job.game.clone(),
            result: played.result,
            versions,
            recording: played.recording,
            inputs: played.inputs,
        }))
    }
}

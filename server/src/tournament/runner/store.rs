//! Results: stored first, then counted and told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::super::catalogue::{ATTEMPTS, CatalogueError, Fault, GameRecord, NewResult, Packed, RulingKind};
use super::super::playing::GameAttempt;
use super::super::report::{Snapshot, in_words};
use super::{FULL, Run, RunState, distrusted};

impl Run<'_> {
    /// Stores results, counts them, and notifies the observer; `false` after a stop request before they were stored.
    pub(super) fn store(
        &mut self,
        results: Vec<(NewResult, Option<String>)>,
        stop: &AtomicBool,
    ) -> anyhow::Result<bool> {
        let (results, given_up): (Vec<NewResult>, Vec<Option<String>>) = results.into_iter().unzip();
        let bytes = |result: &NewResult| -> Option<Vec<u8>> {
            let mut bytes = result.recording.clone()?;
            bytes.extend(result.inputs.iter().flatten());
            Some(bytes)
        };
        let recordings: Vec<Vec<u8>> = results.iter().filter_map(bytes).collect();
        let mut packed = Vec::new();
        let appended = self.patiently(stop, |this| {
            packed = this.packs.append(&recordings)?;
            Ok(())
        })?;
        if !appended {
            return Ok(false);
        }
        let mut packed = packed.into_iter();
        let rows: Vec<(NewResult, Option<Packed>)> = results
            .into_iter()
            .map(|result| {
                let at = result.recording.is_some().then(|| packed.next()).flatten();
                (result, at)
            })
            .collect();
        if !self.patiently(stop, |this| this.catalogue.store_results(&rows))? {
            return Ok(false);
        }
        for ((row, _), given_up) in rows.iter().zip(given_up) {
            if let Some(why) = given_up {
                // Told in the standings, and somebody may award the game.
                let number = row.game.number;
                if !self.patiently(stop, |this| this.catalogue.rule(number, RulingKind::Annul, &why))? {
                    return Ok(false);
                }
                self.progress.played();
                self.state.record(number, grandstand_tournaments::GameResult::Annulled)?;
                self.told_of(row);
            } else {
                self.count(row)?;
            }
        }
        Ok(true)
    }

    /// Passes a stored result to the state of the tournament, or queues its game again.
    fn count(&mut self, row: &NewResult) -> anyhow::Result<()> {
        self.progress.played();
        let tried = row.result.attempt + 1;
        let spoiled = row.result.fault == Some(Fault::Machine);
        if spoiled && (tried as usize) < ATTEMPTS {
            self.again.push_back(GameAttempt { game: row.game.clone(), attempt: tried });
        } else {
            let record =
                GameRecord { game: row.game.clone(), attempts: vec![row.result.clone()], ruling: None };
            let result =
                if spoiled { Some(grandstand_tournaments::GameResult::Annulled) } else { record.result() };
            if let Some(result) = result {
                self.state.record(row.game.number, result)?;
            }
        }
        self.told_of(row);
        Ok(())
    }

    /// Tells the observer of a result that is counted.
    fn told_of(&mut self, row: &NewResult) {
        self.watcher.game(&RunState { names: self.names, state: &self.state }, row);
        for notice in self.state.notices() {
            let line = in_words(&notice, self.names, &self.state);
            self.watcher.notice(&line);
        }
    }

    /// Tells of the workers: the observer, and the catalogue's log.
    pub(super) fn tell_news(&mut self, text: &str, stop: &AtomicBool) -> anyhow::Result<()> {
        self.watcher.workers(text);
        self.patiently(stop, |this| this.catalogue.log("workers", text))?;
        Ok(())
    }

    /// Repeats a write while the disk is full; `false` after a stop request.
    pub(super) fn patiently(
        &mut self,
        stop: &AtomicBool,
        mut write: impl FnMut(&mut Self) -> Result<(), CatalogueError>,
    ) -> anyhow::Result<bool> {
        let mut told = false;
        loop {
            match write(self) {
                Ok(()) => {
                    if told {
                        self.watcher.trouble("there is room again, and the tournament goes on");
                    }
                    return Ok(true);
                }
                Err(error) if error.is_full() => {
                    if !told {
                        self.watcher
                            .trouble(&format!("{error}; nothing is lost, and it goes on when there is room"));
                        told = true;
                    }
                    if stop.load(Ordering::Relaxed) {
                        return Ok(false);
                    }
                    thread::sleep(FULL);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Distrusts a worker, and takes its results out of the catalogue; `false` after a stop request.
    pub(super) fn distrust_worker(
        &mut self,
        worker: &str,
        why: &str,
        stop: &AtomicBool,
    ) -> anyhow::Result<bool> {
        let (games, rounds) = distrusted::doubtful(&Snapshot::read(self.catalogue)?, worker)?;
        let results = match games.len() {
            0 => "none of its results had counted yet".to_owned(),
            1 => "one game that it played is played again".to_owned(),
            many => format!("{many} games that it played are played again"),
        };
        if !self.patiently(stop, |this| this.catalogue.distrust_worker(worker, why, &games, rounds))? {
            return Ok(false);
        }
        self.watcher.workers(&format!("worker {worker} is set aside: {why}; {results}"));
        Ok(true)
    }
}

//! Writes to a catalogue, each in one transaction.

use grandstand_tournaments::{PlayerIndex, Round};
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::super::definition::{Definition, PlayerEntry, Stage};
use super::rows::in_sqlite;
use super::{Catalogue, CatalogueError, NewResult, Packed, PlayerChange, RulingKind, now, sha256};

impl Catalogue {
    /// Runs `work` in one transaction.
    pub(super) fn transaction<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogueError> {
        let path = self.path.clone();
        if self.lock.is_none() {
            return Err(CatalogueError::InUse(path));
        }
        let done = || -> rusqlite::Result<T> {
            let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = work(&tx)?;
            tx.commit()?;
            Ok(value)
        };
        let result = done();
        result.map_err(|source| self.sqlite(source))
    }

    /// Stores drawn rounds, before any of their games begins.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn store_rounds(&mut self, rounds: &[Round]) -> Result<(), CatalogueError> {
        if rounds.is_empty() {
            return Ok(());
        }
        self.transaction(|tx| {
            let first: i64 = tx.query_row("SELECT count(*) FROM round", [], |row| row.get(0))?;
            let mut insert = tx.prepare("INSERT INTO encounter VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            for (id, round) in (first..).zip(rounds) {
                let json = |value: &[_]| serde_json::to_string(value).map_err(in_sqlite);
                let (field, byes) = (json(&round.field)?, json(&round.byes)?);
                tx.execute(
                    "INSERT INTO round VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    (id, round.stage, round.round, round.cycle, field, byes, round.encounters.len()),
                )?;
                for encounter in &round.encounters {
                    let bracket = encounter.bracket.as_ref().map(serde_json::to_string).transpose();
                    let [first, second] = encounter.players.map(|player| player.0);
                    insert.execute((
                        encounter.id,
                        id,
                        first,
                        second,
                        encounter.first_game,
                        encounter.most_games,
                        bracket.map_err(in_sqlite)?,
                    ))?;
                }
            }
            Ok(())
        })
    }

    /// Stores results. Their recordings must be safe on disk at `packed`, each followed by its inputs.
    ///
    /// # Errors
    /// If an SQLite operation fails; then none of them is stored.
    pub fn store_results(&mut self, results: &[(NewResult, Option<Packed>)]) -> Result<(), CatalogueError> {
        self.transaction(|tx| {
            let mut game = tx.prepare("INSERT OR IGNORE INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?;
            let mut row = tx.prepare(
                "INSERT INTO result VALUES \
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
            )?;
            for (new, packed) in results {
                let (of, result) = (&new.game, &new.result);
                let [first, second] = of.players.map(|player| player.0);
                game.execute((
                    of.number,
                    of.stage,
                    of.round,
                    of.encounter,
                    of.pair,
                    first,
                    second,
                    of.seed.to_string(),
                    of.map,
                    of.opening,
                ))?;
                let inputs = new.inputs.as_ref().map(Vec::len);
                let score = |side: usize| result.score.map(|score| score[side]);
                row.execute(rusqlite::params![
                    of.number,
                    result.attempt,
                    if result.fault.is_some() { "fault" } else { "played" },
                    result.fault.map(super::Fault::name),
                    result.winner,
                    result.termination,
                    result.reason,
                    score(0),
                    score(1),
                    result.length.as_ref().map(|(length, _)| length),
                    result.length.as_ref().map(|(_, unit)| unit),
                    result.digest.map(|digest| format!("{digest:016x}")),
                    new.versions[0],
                    new.versions[1],
                    result.started,
                    result.wall_ms,
                    result.disturbed_ms,
                    packed.map(|at| at.pack),
                    packed.map(|at| at.offset),
                    packed.map(|at| at.bytes - inputs.unwrap_or(0) as u64),
                    inputs,
                    result.worker,
                    result.speed,
                ])?;
            }
            Ok(())
        })
    }

    /// Stores a ruling on a game.
    ///
    /// # Errors
    /// If an SQLite operation fails, also if the game was not played.
    pub fn rule(&mut self, game: u64, kind: RulingKind, reason: &str) -> Result<(), CatalogueError> {
        let now = now();
        self.transaction(|tx| {
            let (name, winner) = match kind {
                RulingKind::Annul => ("annul", None),
                RulingKind::Award { winner } => ("award", winner),
            };
            tx.execute(
                "INSERT INTO ruling (game, kind, winner, reason, made) VALUES (?1, ?2, ?3, ?4, ?5)",
                (game, name, winner, reason, &now),
            )?;
            event(tx, &now, name, &format!("game {game}: {reason}"))
        })
    }

    /// Appends a line to the log.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn log(&mut self, kind: &str, text: &str) -> Result<(), CatalogueError> {
        self.transaction(|tx| event(tx, &now(), kind, text))
    }

    /// Stores a changed definition and changed players; later games are played with those.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn accept(
        &mut self,
        definition: &Definition,
        changed: &[PlayerChange],
    ) -> Result<(), CatalogueError> {
        let now = now();
        self.transaction(|tx| {
            let text = serde_json::to_string(definition).map_err(in_sqlite)?;
            let hash = sha256(definition.pinned());
            let before: (String, String) =
                tx.query_row("SELECT definition_sha256, definition FROM tournament", [], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            tx.execute(
                "UPDATE tournament SET name = ?1, definition = ?2, definition_sha256 = ?3",
                (&definition.name, &text, &hash),
            )?;
            // Readers notice a change by its event.
            if before.0 != hash {
                event(tx, &now, "changed", "the definition")?;
            } else if before.1 != text {
                event(tx, &now, "changed", "the name or `until`")?;
            }
            for (id, player) in definition.players.iter().enumerate() {
                tx.execute("UPDATE player SET play = ?2 WHERE id = ?1", (id, &player.play))?;
            }
            for change in changed {
                version(tx, change.player, &change.sha256, &now)?;
                event(tx, &now, "changed", &format!("player {}", change.name))?;
            }
            Ok(())
        })
    }

    /// Replaces the ratings of a stage: for each player Elo, interval and number of games.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn store_ratings(
        &mut self,
        stage: usize,
        ratings: &[(PlayerIndex, f64, Option<[f64; 2]>, u32)],
    ) -> Result<(), CatalogueError> {
        self.transaction(|tx| {
            tx.execute("DELETE FROM rating WHERE stage = ?1", [stage])?;
            for (player, elo, interval, games) in ratings {
                let [low, high] = interval.map_or([None; 2], |ends| ends.map(Some));
                let row = (stage, player.0, elo, low, high, games);
                tx.execute("INSERT INTO rating VALUES (?1, ?2, ?3, ?4, ?5, ?6)", row)?;
            }
            Ok(())
        })
    }
}

pub(super) fn stage(db: &Connection, id: usize, stage: &Stage) -> rusqlite::Result<()> {
    let plan = serde_json::to_value(&stage.plan).map_err(in_sqlite)?;
    let format = plan["format"]["format"].as_str().unwrap_or_default();
    let row = (id, &stage.plan.name, format, plan.to_string());
    db.execute("INSERT INTO stage VALUES (?1, ?2, ?3, ?4)", row).map(drop)
}

pub(super) fn player(db: &Connection, id: usize, player: &PlayerEntry) -> rusqlite::Result<()> {
    let kind = serde_json::to_value(player.kind).map_err(in_sqlite)?;
    let kind = kind.as_str().unwrap_or_default();
    let row = (id, &player.name, &player.play, kind, player.joins);
    db.execute("INSERT INTO player VALUES (?1, ?2, ?3, ?4, ?5)", row).map(drop)
}

pub(super) fn version(tx: &Transaction<'_>, player: usize, sha256: &str, at: &str) -> rusqlite::Result<()> {
    tx.execute("INSERT INTO version (player, sha256, since) VALUES (?1, ?2, ?3)", (player, sha256, at))
        .map(drop)
}

pub(super) fn event(tx: &Transaction<'_>, at: &str, kind: &str, text: &str) -> rusqlite::Result<()> {
    tx.execute("INSERT INTO event (at, kind, text) VALUES (?1, ?2, ?3)", (at, kind, text)).map(drop)
}

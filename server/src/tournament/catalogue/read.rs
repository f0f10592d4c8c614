//! Queries of a catalogue.

use std::collections::BTreeMap;

use grandstand_tournaments::{Encounter, GameResult, PlayerIndex, Round, ScheduledGame};
use rusqlite::{OptionalExtension as _, Row, Transaction};

use super::rows::in_sqlite;
use super::{
    Catalogue, CatalogueError, Event, Fault, GameRecord, Packed, PlayerRecord, ResultRecord, Ruling,
    RulingKind, TournamentRecord, packs,
};

/// Columns of a game and its attempts, in the order in which they are read.
const COLUMNS: &str = "SELECT game.number, game.stage, game.round, game.encounter, game.pair, game.first, game.second, game.seed, \
    game.map, game.opening, result.attempt, result.fault, result.winner, result.termination, result.reason, \
    result.score_first, result.score_second, result.length, result.unit, result.digest, result.started, result.wall_ms, \
    result.disturbed_ms, result.bytes, result.inputs_bytes";
const GAMES: &str = "FROM game JOIN result ON result.game = game.number";

impl Catalogue {
    /// Runs a query.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogueError> {
        work(&self.db).map_err(|source| self.sqlite(source))
    }

    /// Read transaction: while it is held, all reads see the same state, whatever is written meanwhile.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub(in crate::tournament) fn moment(&self) -> Result<Transaction<'_>, CatalogueError> {
        self.db.unchecked_transaction().map_err(|source| self.sqlite(source))
    }

    /// The record of the tournament.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn tournament(&self) -> Result<TournamentRecord, CatalogueError> {
        self.read(|db| {
            let columns = "definition, definition_sha256, directory, seed, seed_secret, seed_sha256, created";
            db.query_row(&format!("SELECT {columns} FROM tournament"), [], |row| {
                Ok(TournamentRecord {
                    definition: json(row, 0)?,
                    definition_sha256: row.get(1)?,
                    directory: row.get(2)?,
                    seed: parsed(row, 3, |text| text.parse().ok())?,
                    seed_secret: row.get(4)?,
                    seed_sha256: row.get(5)?,
                    created: row.get(6)?,
                })
            })
        })
    }

    /// The players, in the order of the plan.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn players(&self) -> Result<Vec<PlayerRecord>, CatalogueError> {
        self.read(|db| {
            let mut players = db.prepare(
                "SELECT player.id, player.name, player.play, max(version.id), version.sha256, count(*) \
                 FROM player JOIN version ON version.player = player.id GROUP BY player.id ORDER BY player.id",
            )?;
            let players = players.query_map([], |row| {
                Ok(PlayerRecord {
                    player: PlayerIndex(row.get(0)?),
                    name: row.get(1)?,
                    play: row.get(2)?,
                    version: row.get(3)?,
                    sha256: row.get(4)?,
                    versions: row.get(5)?,
                })
            });
            players?.collect()
        })
    }

    /// The rounds drawn so far, in order.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn rounds(&self) -> Result<Vec<Round>, CatalogueError> {
        self.read(|db| {
            let mut rounds = db.prepare("SELECT stage, round, cycle, field, byes FROM round ORDER BY id")?;
            let rounds = rounds.query_map([], |row| {
                Ok(Round {
                    stage: row.get(0)?,
                    round: row.get(1)?,
                    cycle: row.get(2)?,
                    field: json(row, 3)?,
                    byes: json(row, 4)?,
                    encounters: Vec::new(),
                })
            });
            let mut rounds: Vec<Round> = rounds?.collect::<rusqlite::Result<_>>()?;
            let mut encounters = db.prepare(
                "SELECT round, id, first, second, first_game, most_games, bracket FROM encounter ORDER BY round, id",
            )?;
            let mut found = encounters.query([])?;
            while let Some(row) = found.next()? {
                let bracket: Option<String> = row.get(6)?;
                let encounter = Encounter {
                    id: row.get(1)?,
                    players: [PlayerIndex(row.get(2)?), PlayerIndex(row.get(3)?)],
                    first_game: row.get(4)?,
                    most_games: row.get(5)?,
                    bracket: bracket.map(|text| serde_json::from_str(&text)).transpose().map_err(in_sqlite)?,
                };
                let round: usize = row.get(0)?;
                if let Some(round) = rounds.get_mut(round) {
                    round.encounters.push(encounter);
                }
            }
            Ok(rounds)
        })
    }

    /// All games with an attempt, by number.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn games(&self) -> Result<Vec<GameRecord>, CatalogueError> {
        self.games_where("", [])
    }

    /// One game with an attempt.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn game(&self, number: u64) -> Result<Option<GameRecord>, CatalogueError> {
        Ok(self.games_where("WHERE game.number = ?1", [number])?.pop())
    }

    fn games_where<P: rusqlite::Params>(
        &self,
        condition: &str,
        of: P,
    ) -> Result<Vec<GameRecord>, CatalogueError> {
        let mut games: Vec<GameRecord> = Vec::new();
        let workers = if self.knows_workers()? { "result.worker, result.speed" } else { "NULL, NULL" };
        self.read(|db| {
            let mut query = db.prepare(&format!(
                "{COLUMNS}, {workers} {GAMES} {condition} ORDER BY game.number, result.attempt"
            ))?;
            let mut rows = query.query(of)?;
            while let Some(row) = rows.next()? {
                let number: u64 = row.get(0)?;
                if games.last().is_none_or(|last| last.game.number != number) {
                    games.push(GameRecord { game: scheduled(row)?, attempts: Vec::new(), ruling: None });
                }
                if let Some(last) = games.last_mut() {
                    last.attempts.push(attempt(row)?);
                }
            }
            Ok(())
        })?;
        let mut rulings: BTreeMap<u64, Ruling> =
            self.rulings()?.into_iter().map(|ruling| (ruling.game, ruling)).collect();
        for game in &mut games {
            game.ruling = rulings.remove(&game.game.number);
        }
        Ok(games)
    }

    /// The results that count, by game number: the input to resume a director.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn results(&self) -> Result<Vec<(u64, GameResult)>, CatalogueError> {
        let games = self.games()?;
        Ok(games.iter().filter_map(|game| Some((game.game.number, game.result()?))).collect())
    }

    /// The rulings, in the order in which they were made; the last ruling on a game counts.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn rulings(&self) -> Result<Vec<Ruling>, CatalogueError> {
        self.read(|db| {
            let mut rulings =
                db.prepare("SELECT game, kind, winner, reason, made FROM ruling ORDER BY id")?;
            let rulings = rulings.query_map([], |row| {
                let kind: String = row.get(1)?;
                let winner = row.get(2)?;
                let kind = if kind == "annul" { RulingKind::Annul } else { RulingKind::Award { winner } };
                Ok(Ruling { game: row.get(0)?, kind, reason: row.get(3)?, made: row.get(4)? })
            });
            rulings?.collect()
        })
    }

    /// The log, in order.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn events(&self) -> Result<Vec<Event>, CatalogueError> {
        self.read(|db| {
            let mut events = db.prepare("SELECT at, kind, text FROM event ORDER BY id")?;
            let events = events
                .query_map([], |row| Ok(Event { at: row.get(0)?, kind: row.get(1)?, text: row.get(2)? }));
            events?.collect()
        })
    }

    /// A number that grows with each result, ruling, event and round, also with those that are taken out; if it is equal,
    /// nothing was written.
    ///
    /// # Errors
    /// If an SQLite operation fails.
    pub fn revision(&self) -> Result<u64, CatalogueError> {
        let removed = match self.knows_workers()? {
            true => "(SELECT coalesce(sum(removed + 1), 0) FROM set_aside)",
            false => "0",
        };
        self.read(|db| {
            let counts = "SELECT (SELECT count(*) FROM result) + (SELECT count(*) FROM ruling) \
                          + (SELECT count(*) FROM event) + (SELECT count(*) FROM round)";
            db.query_row(&format!("{counts} + {removed}"), [], |row| row.get(0))
        })
    }

    /// Whether the file has what version 2 added. One of version 1 that is only read stays as it is.
    pub(super) fn knows_workers(&self) -> Result<bool, CatalogueError> {
        Ok(self.version()? >= 2)
    }

    /// The recording of a game in the format of `.replay.zst`; `None` if the game was not played, or never began.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn recording(&self, number: u64) -> Result<Option<Vec<u8>>, CatalogueError> {
        let found = self.packed(number)?;
        found.map(|(at, _)| packs::read(&self.path, at)).transpose()
    }

    /// The inputs that replay a real-time game, compressed by zstd; `None` if the game has none.
    ///
    /// # Errors
    /// If they can't be read.
    pub fn inputs(&self, number: u64) -> Result<Option<Vec<u8>>, CatalogueError> {
        let Some((at, Some(bytes))) = self.packed(number)? else { return Ok(None) };
        let at = Packed { offset: at.offset + at.bytes, bytes, ..at };
        packs::read(&self.path, at).map(Some)
    }

    /// Location of the recording of a game's last attempt, and the size of the inputs that follow it.
    fn packed(&self, number: u64) -> Result<Option<(Packed, Option<u64>)>, CatalogueError> {
        self.read(|db| {
            let row = db.query_row(
                "SELECT pack, offset, bytes, inputs_bytes FROM result WHERE game = ?1 ORDER BY attempt DESC LIMIT 1",
                [number],
                |row| Ok((row.get::<_, Option<u32>>(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
            );
            let row = row.optional()?;
            Ok(row.and_then(|(pack, offset, bytes, inputs): (_, Option<u64>, Option<u64>, Option<u64>)| {
                Some((Packed { pack: pack?, offset: offset?, bytes: bytes? }, inputs))
            }))
        })
    }
}

fn scheduled(row: &Row<'_>) -> rusqlite::Result<ScheduledGame> {
    Ok(ScheduledGame {
        number: row.get(0)?,
        stage: row.get(1)?,
        round: row.get(2)?,
        encounter: row.get(3)?,
        pair: row.get(4)?,
        players: [PlayerIndex(row.get(5)?), PlayerIndex(row.get(6)?)],
        seed: parsed(row, 7, |text| text.parse().ok())?,
        map: row.get(8)?,
        opening: row.get(9)?,
    })
}

fn attempt(row: &Row<'_>) -> rusqlite::Result<ResultRecord> {
    let fault: Option<String> = row.get(11)?;
    let score: [Option<u64>; 2] = [row.get(15)?, row.get(16)?];
    let length: (Option<u64>, Option<String>) = (row.get(17)?, row.get(18)?);
    let digest: Option<String> = row.get(19)?;
    Ok(ResultRecord {
        attempt: row.get(10)?,
        fault: fault.and_then(|name| Fault::named(&name)),
        winner: row.get(12)?,
        termination: row.get(13)?,
        reason: row.get(14)?,
        score: score[0].zip(score[1]).map(|(first, second)| [first, second]),
        length: length.0.zip(length.1),
        digest: digest.and_then(|text| u64::from_str_radix(&text, 16).ok()),
        started: row.get(20)?,
        wall_ms: row.get(21)?,
        disturbed_ms: row.get(22)?,
        recording_bytes: row.get(23)?,
        inputs: row.get::<_, Option<u64>>(24)?.is_some(),
        worker: row.get(25)?,
        speed: row.get(26)?,
    })
}

/// A column that holds JSON.
fn json<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(in_sqlite)
}

/// A column with text that `parse` converts.
fn parsed<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| {
        let what = format!("{text:?} is no number");
        rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, what.into())
    })
}

//! TOML file of a tournament.

use std::collections::HashMap;
use std::path::Path;

use anyhow::Context as _;
use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use grandstand_rules::clock::TimeControl;
use grandstand_story::format::capitalised;
use grandstand_tournaments::{EntryKind, Points, TieBreak};
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use super::needs::Needs;
use super::players::{self, matching, name_of};
use super::stage::{Boards, StageTable, boards, stage};
use super::{Definition, DefinitionError, PlayerEntry, SeedChoice};
use crate::cli::play::turns::TurnArgs;

/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Keys of the file, described in `server/TOURNAMENTS.md`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: Option<String>,
    game: Spanned<String>,
    seed: Option<Spanned<Value>>,
    faults: Option<u32>,
    until: Option<Spanned<String>>,
    #[serde(default)]
    players: Vec<Spanned<String>>,
    settings: Option<Spanned<Map<String, Value>>>,
    clock: Option<Spanned<Clock>>,
    speed: Option<Spanned<f64>>,
    maps: Option<Vec<Spanned<String>>>,
    openings: Option<Spanned<String>>,
    points: Option<Points>,
    tie_breaks: Option<Vec<TieBreak>>,
    #[serde(default)]
    limits: Map<String, Value>,
    #[serde(default)]
    sandbox: Isolation,
    #[serde(default)]
    read: Vec<String>,
    #[serde(default)]
    player: Vec<Spanned<PlayerTable>>,
    #[serde(default)]
    stage: Vec<Spanned<StageTable>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Clock {
    time: Option<String>,
    increment: Option<String>,
    move_time: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerTable {
    name: Option<String>,
    play: String,
    #[serde(default = "entered")]
    kind: EntryKind,
    #[serde(default)]
    joins: u32,
    #[serde(default)]
    needs: Vec<String>,
}

fn entered() -> EntryKind {
    EntryKind::Entered
}

/// Reads the definition in the file at `path`. Paths in it are relative to the working directory.
///
/// # Errors
/// If the file can't be read, or the first error in it, with its place.
pub fn read(path: &Path) -> anyhow::Result<Definition> {
    use std::io::Read as _;

    let file = path.display().to_string();
    let mut text = String::new();
    let opened = std::fs::File::open(path).with_context(|| format!("can't read {file}"))?;
    opened.take(MAX_BYTES + 1).read_to_string(&mut text).with_context(|| format!("can't read {file}"))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(DefinitionError::new(format!("{file} has more than {MAX_BYTES} bytes")).into());
    }
    Ok(parse(&file, &text)?)
}

/// Parses the definition in `text`, the content of the file `file`.
///
/// # Errors
/// The first error, with its place.
pub(crate) fn parse(file: &str, text: &str) -> Result<Definition, DefinitionError> {
    let keys: Keys = toml::from_str(text).map_err(|error| {
        let what = error.message().replace('\n', "; ");
        DefinitionError::at(file, text, error.span().unwrap_or(0..0), what)
    })?;
    Reading { file, text }.definition(keys)
}

struct Reading<'a> {
    file: &'a str,
    text: &'a str,
}

impl Reading<'_> {
    fn at(&self, span: std::ops::Range<usize>) -> impl Fn(String) -> DefinitionError {
        move |what| DefinitionError::at(self.file, self.text, span.clone(), what)
    }

    fn definition(&self, keys: Keys) -> Result<Definition, DefinitionError> {
        let game: Game =
            keys.game.get_ref().parse().map_err(|error| self.at(keys.game.span())(format!("{error}")))?;
        let mut settings = Map::new();
        if let Some(table) = &keys.settings {
            settings = table.get_ref().clone();
        }
        if let Some(clock) = &keys.clock {
            let control = clock.get_ref().control().map_err(self.at(clock.span()))?;
            settings.insert("TIME".to_owned(), control.to_string().into());
        }
        let names = |maps: &Option<Vec<Spanned<String>>>| -> Option<Vec<(String, std::ops::Range<usize>)>> {
            Some(maps.as_ref()?.iter().map(|map| (map.get_ref().clone(), map.span())).collect())
        };
        let usual = Boards {
            maps: names(&keys.maps),
            openings: keys.openings.as_ref().map(|openings| (openings.get_ref().clone(), openings.span())),
        };
        let points = keys.points.unwrap_or_default();
        let tie_breaks = keys.tie_breaks.unwrap_or_else(|| TieBreak::DEFAULT.to_vec());
        if keys.stage.is_empty() {
            let what = "there is no [[stage]]: at least one says what is played";
            return Err(self.at(0..0)(what.to_owned()));
        }
        let mut stages = Vec::new();
        for (number, table) in keys.stage.iter().enumerate() {
            let wrong =
                |span: Option<std::ops::Range<usize>>, what| self.at(span.unwrap_or(table.span()))(what);
            let mut read = stage(number, table.get_ref(), points, &tie_breaks, &wrong)?;
            let own = Boards {
                maps: names(&table.get_ref().maps).or_else(|| usual.maps.clone()),
                openings: table
                    .get_ref()
                    .openings
                    .as_ref()
                    .map(|openings| (openings.get_ref().clone(), openings.span()))
                    .or_else(|| usual.openings.clone()),
            };
            boards(game, &settings, &own, &mut read, &wrong)?;
            stages.push(read);
        }
        // From here on each stage has its own openings.
        if stages.iter().any(|stage| !stage.openings.is_empty()) {
            settings.remove("OPENING");
        }
        let definition = Definition {
            name: keys.name.unwrap_or_else(|| name_of_file(self.file)),
            game,
            seed: self.seed(keys.seed.as_ref())?,
            faults: keys.faults,
            until: keys.until.as_ref().map(|until| self.until(until)).transpose()?,
            settings,
            speed: keys.speed.as_ref().map(|speed| self.speed(game, speed)).transpose()?,
            limits: keys.limits.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect(),
            sandbox: keys.sandbox,
            readable: keys.read,
            players: self.players(game, &keys.players, &keys.player)?,
            stages,
        };
        definition.check().map_err(|(stage, error)| {
            let span = stage.and_then(|stage| keys.stage.get(stage)).map_or(0..0, Spanned::span);
            self.at(span)(error.to_string())
        })?;
        Ok(definition)
    }

    fn seed(&self, seed: Option<&Spanned<Value>>) -> Result<SeedChoice, DefinitionError> {
        let Some(seed) = seed else { return Ok(SeedChoice::Secret) };
        match seed.get_ref() {
            Value::String(text) if text == "secret" => Ok(SeedChoice::Secret),
            value => value.as_u64().map(SeedChoice::Given).ok_or_else(|| {
                self.at(seed.span())(format!(
                    "the seed is {value}; expected a whole number from 0, or \"secret\""
                ))
            }),
        }
    }

    fn until(&self, until: &Spanned<String>) -> Result<String, DefinitionError> {
        let text = until.get_ref();
        let parts =
            text.split_once(':').and_then(|(hour, minute)| Some((two_digits(hour)?, two_digits(minute)?)));
        match parts {
            Some((0..24, 0..60)) => Ok(text.clone()),
            _ => Err(self.at(until.span())(format!(
                "`until` is {text:?}; expected a time of day such as \"07:00\""
            ))),
        }
    }

    fn speed(&self, game: Game, speed: &Spanned<f64>) -> Result<f64, DefinitionError> {
        let value = *speed.get_ref();
        if game != Game::Fortress {
            return Err(self.at(speed.span())(
                "`speed` is for Steam Fortress, whose matches keep their own time".to_owned(),
            ));
        }
        if !(0.1..=100.0).contains(&value) {
            return Err(self.at(speed.span())(format!(
                "`speed` is {value}; expected a number from 0.1 to 100"
            )));
        }
        Ok(value)
    }

    fn players(
        &self,
        game: Game,
        patterns: &[Spanned<String>],
        tables: &[Spanned<PlayerTable>],
    ) -> Result<Vec<PlayerEntry>, DefinitionError> {
        let mut found: Vec<(PlayerEntry, std::ops::Range<usize>)> = Vec::new();
        for pattern in patterns {
            for play in matching(pattern.get_ref()).map_err(self.at(pattern.span()))? {
                let name = name_of(game, &play);
                found.push((
                    PlayerEntry { name, play, kind: EntryKind::Entered, joins: 0, needs: Vec::new() },
                    pattern.span(),
                ));
            }
        }
        for table in tables {
            let PlayerTable { name, play, kind, joins, needs } = table.get_ref();
            Needs::parse(needs).map_err(|what| self.at(table.span())(format!("`needs`: {what}")))?;
            let name = name.clone().unwrap_or_else(|| name_of(game, play));
            found.push((
                PlayerEntry { name, play: play.clone(), kind: *kind, joins: *joins, needs: needs.clone() },
                table.span(),
            ));
        }
        let mut names: HashMap<String, String> = HashMap::new();
        for (player, span) in &found {
            players::check_name(&player.name).map_err(self.at(span.clone()))?;
            if let Some(other) = names.insert(player.name.clone(), player.play.clone()) {
                let what = format!(
                    "two players are called {:?}: {other} and {}; give one of them a [[player]] with another name",
                    player.name, player.play
                );
                return Err(self.at(span.clone())(what));
            }
        }
        Ok(found.into_iter().map(|(player, _)| player).collect())
    }
}

impl Clock {
    fn control(&self) -> Result<TimeControl, String> {
        TurnArgs::of(self.time.as_deref(), self.increment.as_deref(), self.move_time.as_deref())
            .time()
            .map_err(|error| format!("{error:#}"))?
            .ok_or_else(|| "[clock] is empty; expected time, increment or move_time".to_owned())
    }
}

/// The name of a tournament without one: the file's, as a title.
fn name_of_file(file: &str) -> String {
    capitalised(players::stem(file).replace(['-', '_'], " ").trim())
}

fn two_digits(text: &str) -> Option<u32> {
    (text.len() == 2).then(|| text.parse().ok()).flatten()
}

/// A value in the notation of the command line.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::name_of_file;

    #[test]
    fn a_tournament_without_a_name_is_called_as_its_file() {
        for (file, name) in
            [("cups/spring-cup_2026.toml", "Spring cup 2026"), ("cs312.toml", "cs312"), ("a.b.toml", "A.b")]
        {
            assert_eq!(name_of_file(file), name);
        }
    }
}

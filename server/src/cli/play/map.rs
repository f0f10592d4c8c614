//! The map that is asked for.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use grandstand_protocol::Game;
use grandstand_rules::map::MapFaults;
use grandstand_rules::{fortress, riskless, shark};
use serde_json::Value;

use crate::arena::title;

/// The map as the setting `MAP` holds it: a shipped one by its name, or the rows of a file.
pub(super) fn setting(game: Game, map: &str) -> anyhow::Result<Value> {
    let shipped: Vec<&str> = match game {
        Game::Shark => shark::maps::SHIPPED.iter().map(|(name, _)| *name).collect(),
        Game::Fortress => fortress::maps::SHIPPED.iter().map(|(name, _)| *name).collect(),
        Game::Riskless => riskless::maps::SHIPPED.iter().map(|(name, _)| *name).collect(),
        Game::Abalone | Game::Gomoku | Game::Pente | Game::Grid => {
            bail!("--map is for λ-Shark, Steam Fortress and Riskless; {} has no maps", title(game))
        }
    };
    if shipped.contains(&map) {
        return Ok(map.into());
    }
    if !Path::new(map).is_file() {
        bail!("--map {map}: there is no such file; the shipped maps are {}", shipped.join(", "));
    }
    let text = read(map).with_context(|| format!("can't read the map in {map}"))?;
    let check = |text: &[u8]| -> Result<(), MapFaults> {
        match game {
            Game::Fortress => fortress::Map::parse(text).map(drop),
            Game::Riskless => riskless::Map::parse(text).map(drop),
            _ => shark::Field::parse(text).map(drop),
        }
    };
    if let Err(faults) = check(&text) {
        bail!("the map in {map} can't be played on:\n{faults}");
    }
    Ok(String::from_utf8_lossy(&text).lines().map(str::trim_end).filter(|row| !row.is_empty()).collect())
}

/// A file's beginning: no map is as long.
fn read(file: &str) -> std::io::Result<Vec<u8>> {
    let longest = shark::MAP_MAX_BYTES.max(fortress::MAP_MAX_BYTES).max(riskless::MAP_MAX_BYTES);
    let mut text = Vec::new();
    File::open(file)?.take(longest as u64 + 1).read_to_end(&mut text)?;
    Ok(text)
}

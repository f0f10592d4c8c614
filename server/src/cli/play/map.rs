//! Map option of a match.

use std::path::Path;

use anyhow::{Context, bail};
use grandstand_matches::games::title;
use grandstand_matches::maps;
use grandstand_protocol::Game;
use grandstand_rules::map::MAP_MAX_BYTES;
use serde_json::Value;

use crate::cli::check_map::read;

/// The map as the setting `MAP`: the name of a shipped one, or the rows of a file.
pub(crate) fn setting(game: Game, map: &str) -> anyhow::Result<Value> {
    let Some(format) = maps::format(game) else {
        bail!("--map is for λ-Shark, Steam Fortress and Riskless; {} has no maps", title(game));
    };
    if format.shipped.iter().any(|(name, _)| *name == map) {
        return Ok(map.into());
    }
    if !Path::new(map).is_file() {
        bail!("--map {map}: there is no such file; the shipped maps are {}", format.names());
    }
    // One byte more than the maximum is enough to refuse the file.
    let text = read(Path::new(map), MAP_MAX_BYTES as u64 + 1)
        .with_context(|| format!("can't read the map in {map}"))?;
    if let Err(faults) = (format.check)(&text) {
        bail!("the map in {map} can't be played on:\n{faults}");
    }
    Ok(String::from_utf8_lossy(&text).lines().map(str::trim_end).filter(|row| !row.is_empty()).collect())
}

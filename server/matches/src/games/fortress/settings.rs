//! Settings of a match of Steam Fortress, and the part of its header that they make.

use grandstand_protocol::{Game, MatchHeader};
use grandstand_rules::fortress::{Map, Rules, maps};
use serde_json::{Map as Object, Value, json};

use super::outcome::SIDES;
use crate::drawn_by::drawn_by;
use crate::header;
use crate::map_format::names;
use crate::settings::{SettingsError, read_named, to_map};

/// Name of the header's rule that contains the map, which is no constant of the handout.
pub const MAP: &str = "MAP";

/// Reads the constants by their names, and the map under `MAP`: the name of a shipped one, or the rows of another.
/// Missing settings have their defaults.
///
/// # Errors
/// The first unknown or wrong setting.
pub fn read_settings(mut map: Object<String, Value>) -> Result<(Rules, Map), SettingsError> {
    let expected = format!("one of {}, or the rows of a map", names(&maps::SHIPPED));
    let field = match map.remove(MAP) {
        None => maps::by_name(maps::SHIPPED[0].0)
            .ok_or_else(|| SettingsError::Rules("there are no maps".into()))?,
        Some(Value::String(name)) => {
            maps::by_name(&name).ok_or_else(|| SettingsError::value(MAP, name, expected))?
        }
        Some(found) => {
            let Ok(rows) = serde_json::from_value::<Vec<String>>(found.clone()) else {
                return Err(SettingsError::value(MAP, found, expected));
            };
            Map::parse(rows.join("\n").as_bytes())
                .map_err(|faults| SettingsError::Rules(format!("MAP can't be played on:\n{faults}").into()))?
        }
    };
    Ok((read_named(map, &[MAP], Rules::validate)?, field))
}

/// Header of a match by these rules between players of these names, in real time or not.
pub fn header(rules: &Rules, map: &Map, names: [&str; 2], real: bool) -> MatchHeader {
    let mut rules = to_map(rules);
    rules.insert(MAP.to_owned(), json!(map.to_string().lines().collect::<Vec<_>>()));
    header::set_clock(&mut rules, real);
    header::header(SIDES, names, rules, drawn_by(Game::Fortress, None))
}

//! Names of the shipped maps, from the map in a header.

use serde_json::Value;

/// Shipped maps that a header contains row by row.
const MAPS: [(&str, &str); 10] = [
    ("forts", include_str!("../../../../maps/shark/forts.map")),
    ("kelp", include_str!("../../../../maps/shark/kelp.map")),
    ("lanes", include_str!("../../../../maps/shark/lanes.map")),
    ("reef", include_str!("../../../../maps/shark/reef.map")),
    ("strait", include_str!("../../../../maps/shark/strait.map")),
    ("canyon", include_str!("../../../../maps/fortress/canyon.map")),
    ("keeps", include_str!("../../../../maps/fortress/keeps.map")),
    ("meadow", include_str!("../../../../maps/fortress/meadow.map")),
    ("ridge", include_str!("../../../../maps/fortress/ridge.map")),
    ("warrens", include_str!("../../../../maps/fortress/warrens.map")),
];

/// Name of the map in these rules: the name in the rules, or that of the shipped map with the same rows.
pub(super) fn name(rules: Option<&Value>) -> Option<String> {
    match rules?.get("MAP")? {
        Value::String(name) if !name.is_empty() && name.len() <= 40 => Some(name.clone()),
        Value::Array(rows) => {
            let is_same = |map: &str| map.lines().map(Some).eq(rows.iter().map(Value::as_str));
            MAPS.iter().find(|(_, map)| is_same(map)).map(|(name, _)| (*name).to_owned())
        }
        _ => None,
    }
}

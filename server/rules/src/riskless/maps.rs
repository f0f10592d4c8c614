//! The shipped maps: the files in `maps/riskless/`.

use super::Map;
use crate::map::shipped_text;

/// Name and text of every shipped map; the first one is the default.
pub const SHIPPED: [(&str, &str); 4] = [
    ("earth", include_str!("../../../../maps/riskless/earth.toml")),
    ("europe", include_str!("../../../../maps/riskless/europe.toml")),
    ("islands", include_str!("../../../../maps/riskless/islands.toml")),
    ("trees", include_str!("../../../../maps/riskless/trees.toml")),
];

/// The map of that name, with or without `.toml`.
pub fn by_name(name: &str) -> Option<Map> {
    Map::parse(shipped_text(&SHIPPED, name, ".toml")?.as_bytes()).ok()
}

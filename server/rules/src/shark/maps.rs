//! The shipped maps: the files in `maps/shark/`.

use grandstand_protocol::shark::Map;

use crate::map::shipped_text;

/// Name and text of every shipped map; the first one is the default.
pub const SHIPPED: [(&str, &str); 5] = [
    ("reef", include_str!("../../../../maps/shark/reef.map")),
    ("lanes", include_str!("../../../../maps/shark/lanes.map")),
    ("forts", include_str!("../../../../maps/shark/forts.map")),
    ("strait", include_str!("../../../../maps/shark/strait.map")),
    ("kelp", include_str!("../../../../maps/shark/kelp.map")),
];

/// The map of that name, with or without `.map`.
pub fn by_name(name: &str) -> Option<Map> {
    Map::from_rows(shipped_text(&SHIPPED, name, ".map")?.lines()).ok()
}

/// The default map.
pub(super) fn default() -> Map {
    by_name(SHIPPED[0].0).unwrap_or_else(|| Map::new(|_| grandstand_protocol::shark::Ground::Empty))
}

/// The error message for an unknown name.
pub(super) fn unknown(name: &str) -> String {
    let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    let name: String = name.chars().take(40).flat_map(char::escape_debug).collect();
    format!("`{name}` is not a map; expected one of {}", names.join(", "))
}

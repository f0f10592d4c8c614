//! The shipped maps: the files in `maps/fortress/`.

use super::map::Map;
use crate::map::shipped_text;

/// Name and text of every shipped map; the first one is the default.
pub const SHIPPED: [(&str, &str); 5] = [
    ("meadow", include_str!("../../../../maps/fortress/meadow.map")),
    ("ridge", include_str!("../../../../maps/fortress/ridge.map")),
    ("canyon", include_str!("../../../../maps/fortress/canyon.map")),
    ("keeps", include_str!("../../../../maps/fortress/keeps.map")),
    ("warrens", include_str!("../../../../maps/fortress/warrens.map")),
];

/// The shipped map of that name, with or without `.map`.
pub fn by_name(name: &str) -> Option<Map> {
    Map::parse(shipped_text(&SHIPPED, name, ".map")?.as_bytes()).ok()
}

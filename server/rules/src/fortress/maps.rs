//! The shipped maps: the files in `maps/fortress/`.

use super::map::Map;
use crate::map::shipped_text;

/// Name and text of every shipped map; the first is the one that is played on when none is named.
pub const SHIPPED: [(&str, &str); 5] = [
    ("meadow", include_str!("../../../../maps/fortress/meadow.map")),
    ("ridge", include_str!("../../../../maps/fortress/ridge.map")),
    ("canyon", include_str!("../../../../maps/fortress/canyon.map")),
    ("keeps", include_str!("../../../../maps/fortress/keeps.map")),
    ("warrens", include_str!("../../../../maps/fortress/warrens.map")),
];

/// The shipped map of that name, with `.map` behind it or without.
pub fn by_name(name: &str) -> Option<Map> {
    Map::parse(shipped_text(&SHIPPED, name, ".map")?.as_bytes()).ok()
}

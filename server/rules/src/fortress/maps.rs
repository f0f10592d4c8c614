//! The shipped maps: the files in `maps/fortress/`.

use super::map::Map;

/// Name and text of every shipped map; the first is the one that is played on when none is named.
pub const SHIPPED: [(&str, &str); 5] = [
    ("meadow", include_str!("../../../../maps/fortress/meadow.map")),
    ("ridge", include_str!("../../../../maps/fortress/ridge.map")),
    ("canyon", include_str!("../../../../maps/fortress/canyon.map")),
    ("keeps", include_str!("../../../../maps/fortress/keeps.map")),
    ("warrens", include_str!("../../../../maps/fortress/warrens.map")),
];

/// The names of the shipped maps.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The text of the shipped map of that name, with `.map` behind it or without.
pub fn text(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".map").unwrap_or(name);
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

/// The shipped map of that name, with `.map` behind it or without.
pub fn by_name(name: &str) -> Option<Map> {
    Map::parse(text(name)?.as_bytes()).ok()
}

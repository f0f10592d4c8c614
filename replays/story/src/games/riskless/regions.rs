//! Continents of the maps that show the Earth.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use grandstand_protocol::riskless::{Scene, Team};

/// The list of a map's territories with their continents; `maps/README.md` describes the format.
const EARTH: &str = include_str!("../../../../../maps/land/earth.countries");

/// A continent and its territories, by their numbers in a match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub name: &'static str,
    pub territories: Vec<u8>,
}

impl Region {
    /// The continents of a match's map, in the order of their names; none if its territories are not those of the Earth.
    pub(super) fn all(scene: &Scene) -> Vec<Region> {
        static CONTINENTS: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
        let known = CONTINENTS.get_or_init(|| continents(EARTH));
        let mut regions: BTreeMap<&'static str, Vec<u8>> = BTreeMap::new();
        if scene.territories().len() != known.len() {
            return Vec::new();
        }
        for place in scene.territories() {
            let Some(name) = known.get(&*place.name) else { return Vec::new() };
            regions.entry(name).or_default().push(place.id);
        }
        regions.into_iter().map(|(name, territories)| Region { name, territories }).collect()
    }

    /// The team that holds all of it.
    pub(super) fn holder(&self, scene: &Scene) -> Option<Team> {
        let mut holders = self.territories.iter().map(|place| Some(scene.holding(*place)?.team));
        let first = holders.next()??;
        holders.all(|other| other == Some(first)).then_some(first)
    }
}

/// The continent of each territory of a list.
fn continents(list: &'static str) -> BTreeMap<&'static str, &'static str> {
    let of = |line: &'static str| {
        let (name, rest) = line.split_once(" / ")?;
        let continent = rest.split(['=', '@']).next()?.trim();
        (!name.starts_with(['#', '-'])).then_some((name, continent))
    };
    list.lines().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earth_has_six_continents_of_all_its_territories() {
        let known = continents(EARTH);
        let count = |name: &str| known.values().filter(|continent| **continent == name).count();
        let names = ["Africa", "Asia", "Europe", "North America", "Oceania", "South America"];
        assert_eq!(names.map(count), [8, 12, 9, 7, 2, 4]);
        assert_eq!(known.len(), 42);
    }
}

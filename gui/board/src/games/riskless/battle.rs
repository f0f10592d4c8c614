//! Plate with the numbers of a battle, beside the names and the signs around it.

use std::f32::consts::TAU;
use std::sync::Arc;

use egui::{Galley, Pos2, Rect, Vec2, vec2};

use super::atlas::Atlas;
use super::names::NamePlace;

/// Distances from the sign at which a place is looked for, in radii of a sign.
const FAR: [f32; 4] = [1.9, 2.6, 3.4, 4.4];
/// Number of directions.
const DIRECTIONS: u8 = 16;
/// Cost of a plate that lies wholly over names and signs; one radius farther off costs 1.
const COVERING: f32 = 12.0;

/// Rim of a name in which no letter stands, in points.
const AROUND_LETTERS: Vec2 = vec2(1.0, 3.0);

/// The plate of a battle.
#[derive(Debug)]
pub(super) struct Plate {
    pub area: Rect,
    pub texts: Vec<Arc<Galley>>,
}

impl Plate {
    /// The plate of the battle at the sign `at`, beside these names.
    pub(super) fn of(atlas: &Atlas, names: &[NamePlace], at: Pos2, texts: Vec<Arc<Galley>>) -> Plate {
        let width: f32 = texts.iter().map(|text| text.size().x + 4.0).sum();
        let height = texts.first().map_or(0.0, |text| text.size().y);
        let names: Vec<Rect> = names.iter().map(|name| name.area).collect();
        Plate { area: place(atlas, &names, at, vec2(width + 10.0, height + 4.0)), texts }
    }

    /// The territories whose names it would cover in part. They are not shown as long as it stands: half a name can't be read.
    pub(super) fn hides<'a>(&self, names: &'a [NamePlace]) -> impl Iterator<Item = u8> + use<'a> {
        let area = self.area;
        let covered = move |name: &&NamePlace| name.area.shrink2(AROUND_LETTERS).intersects(area);
        names.iter().filter(covered).map(|name| name.territory)
    }
}

/// The place of a plate of this size near the sign at `at`: above it, or where it covers less.
fn place(atlas: &Atlas, names: &[Rect], at: Pos2, size: Vec2) -> Rect {
    let within = atlas.map.shrink(4.0);
    let sign = Vec2::splat(2.0 * atlas.radius);
    let signs = atlas.places().iter().map(|(_, sign_at)| Rect::from_center_size(*sign_at, sign));
    let taken: Vec<Rect> = names.iter().copied().chain(signs).collect();
    let candidates = FAR.into_iter().flat_map(|far| (0..DIRECTIONS).map(move |n| (far, n)));
    let places = candidates.map(|(far, n)| {
        let way = Vec2::angled(TAU * (f32::from(n) / f32::from(DIRECTIONS) - 0.25));
        let area = Rect::from_center_size(at + way * (atlas.radius * far + size.y / 2.0), size);
        // A plate beside the sign is placed by its nearer end.
        let area = area.translate(Vec2::new(way.x * (size.x - size.y) / 2.0, 0.0));
        let aside = f32::from(n.min(DIRECTIONS - n)) / f32::from(DIRECTIONS);
        let outside = if within.contains_rect(area) { 0.0 } else { 100.0 };
        (area, far + aside + COVERING * covered(&taken, area) + outside)
    });
    let best = places.min_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map_or(Rect::from_center_size(at, size), |(area, _)| area)
}

/// The part of an area that lies over others.
fn covered(taken: &[Rect], area: Rect) -> f32 {
    let over = taken.iter().map(|other| other.intersect(area)).filter(|over| over.is_positive());
    over.map(|over| over.area()).sum::<f32>() / area.area()
}

#[cfg(test)]
mod tests {
    use super::super::names::tests::{earth, named};
    use super::*;

    /// The plate beside each sign of a map of this size, with the map and its names.
    fn plates(size: (f32, f32)) -> (Atlas, Vec<NamePlace>, Vec<(u8, Pos2, Plate)>) {
        let (atlas, names) = named(&earth(), size);
        let text = (atlas.radius * 0.8).clamp(12.0, 24.0);
        let areas: Vec<Rect> = names.iter().map(|name| name.area).collect();
        let plate =
            |at| Plate { area: place(&atlas, &areas, at, vec2(text * 3.2, text * 1.5)), texts: Vec::new() };
        let plates = atlas.places().iter().map(|(id, at)| (*id, *at, plate(*at))).collect();
        (atlas, names, plates)
    }

    #[test]
    fn the_numbers_of_a_battle_lie_beside_names_and_signs() {
        for size in [(480.0, 253.0), (776.0, 404.0), (974.0, 560.0), (1483.0, 715.0), (1860.0, 830.0)] {
            let (atlas, names, plates) = plates(size);
            for (id, at, plate) in plates {
                assert!(atlas.map.contains_rect(plate.area), "{id} in {size:?}");
                assert!(plate.area.distance_to_pos(at) < atlas.radius * 6.0, "{id} in {size:?}: {plate:?}");
                // Half a name can't be read: all of it goes, of few names.
                let hidden: Vec<u8> = plate.hides(&names).collect();
                assert!(hidden.len() <= 2, "{id} in {size:?}: {hidden:?}");
                let shown: Vec<Rect> = names
                    .iter()
                    .filter(|name| !hidden.contains(&name.territory))
                    .map(|name| name.area.shrink2(AROUND_LETTERS))
                    .collect();
                assert_eq!(covered(&shown, plate.area), 0.0, "{id} in {size:?}");
            }
        }
    }
}

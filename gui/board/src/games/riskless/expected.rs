//! Expected moves: thin arrows, each with its number on a tag.
//!
//! An arrow leads beside the signs where the way between them is too short to be seen. Its tag covers no sign, no name and
//! no other tag. The first move is always shown; a later one is left out where there is no room for it.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use grandstand_protocol::riskless::Team;
use grandstand_story::games::turns::latest_thought;

use super::atlas::Atlas;
use super::paint::{Canvas, WORDS_FROM};
use crate::cached_mesh::bits;
use crate::theme::{ink_on, semibold};

/// Number of expected moves shown, and on a small map.
const EXPECTED: (usize, usize) = (6, 2);
/// How far an arrow bends from the straight way, in radii of a sign.
const BOWS: [f32; 7] = [0.0, 0.9, -0.9, 1.7, -1.7, 2.6, -2.6];
/// Parts of the visible way at which its tag may stand, and how far beside it, in heights of a tag.
const TAG_AT: [f32; 5] = [0.45, 0.3, 0.6, 0.15, 0.75];
const TAG_ASIDE: [f32; 3] = [0.0, 0.95, -0.95];
/// Number of straight pieces of a bent arrow.
const PIECES: u8 = 40;
/// Length of an arrow that is seen besides its tag, and distance of the tag from its tip, in points.
const SEEN: f32 = 16.0;
const HEAD: f32 = 7.0;
/// Cost of a tag that covers something, and of an arrow too short to be seen: a later move is left out instead.
const NO_ROOM: f32 = 100.0;

/// An expected move on the map.
#[derive(Debug)]
pub(super) struct Expected {
    pub number: u8,
    pub team: Team,
    /// The visible part of its way.
    pub way: Vec<Pos2>,
    /// Place of its number; `None` where there is no room for it.
    pub tag: Option<Rect>,
}

impl Expected {
    /// Whether the tag points to the right.
    fn is_rightward(&self) -> bool {
        matches!((self.way.first(), self.way.last()), (Some(from), Some(to)) if to.x >= from.x)
    }
}

/// The expected moves that were shown last, with the hash of what they were found for.
pub(super) type Known = RefCell<(u64, Rc<[Expected]>)>;

/// Size of the letters on a tag.
fn letters(atlas: &Atlas) -> f32 {
    (atlas.radius * 0.6).clamp(10.0, 15.0)
}

/// Finds ways and tags that leave signs, names and each other free.
pub(super) struct Finder<'a> {
    pub atlas: &'a Atlas,
    /// What no tag may cover: names and the numbers of a battle.
    pub taken: Vec<Rect>,
    /// Radius of a territory's sign, as it is painted.
    pub sign: &'a dyn Fn(u8) -> f32,
}

impl Finder<'_> {
    /// Way and tag of a move, and their cost.
    pub(super) fn find(&self, from: u8, to: u8) -> Option<(f32, Vec<Pos2>, Option<Rect>)> {
        let size = letters(self.atlas);
        let tag = vec2(size * 1.35, size * 1.2);
        let lines = self.atlas.way(from, to);
        // A way around the Earth is straight.
        let bows = if lines.len() == 1 { &BOWS[..] } else { &BOWS[..1] };
        let ends = [(from, lines.first()?[0]), (to, lines.last()?[1])];
        let mut best: Option<(f32, Vec<Pos2>, Option<Rect>)> = None;
        for line in &lines {
            for bow in bows {
                let way = self.visible(bent(*line, bow * self.atlas.radius), ends);
                let long: f32 = way.windows(2).map(|piece| piece[0].distance(piece[1])).sum();
                let hidden = self.hidden(&way, [from, to]);
                for part in TAG_AT {
                    for aside in TAG_ASIDE {
                        let Some(at) = along(&way, part, long) else { continue };
                        let area = Rect::from_center_size(at.0 + at.1.rot90() * aside * tag.y, tag);
                        let is_free = self.is_free(area);
                        let is_seen = way.last().is_some_and(|tip| area.distance_to_pos(*tip) >= HEAD)
                            && long >= SEEN + if aside == 0.0 { tag.x } else { 0.0 };
                        let lacks = [is_free, is_seen].into_iter().filter(|has| !has).count();
                        let cost = bow.abs() * 0.5
                            + hidden
                            + (part - 0.45).abs()
                            + aside.abs() * 0.4
                            + NO_ROOM * lacks as f32;
                        if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                            best = Some((cost, way.clone(), is_free.then_some(area)));
                        }
                    }
                }
            }
        }
        best
    }

    /// The part of a way that lies outside of the signs at its ends.
    fn visible(&self, way: Vec<Pos2>, ends: [(u8, Pos2); 2]) -> Vec<Pos2> {
        let outside = |at: &Pos2| {
            ends.iter().all(|(id, end)| at.distance(*end) > (self.sign)(*id) + 1.5)
                && self.atlas.map.contains(*at)
        };
        way.into_iter().filter(outside).collect()
    }

    /// Cost of what a way hides: signs of other territories, and of what hides it: names.
    fn hidden(&self, way: &[Pos2], ends: [u8; 2]) -> f32 {
        let others = || self.atlas.places().iter().filter(|(id, _)| !ends.contains(id));
        let over = |at: &Pos2| {
            let sign = others().any(|(id, sign)| sign.distance(*at) < (self.sign)(*id) + 2.0);
            let name = self.taken.iter().any(|area| area.contains(*at));
            (if sign { 1.5 } else { 0.0 }) + (if name { 0.25 } else { 0.0 })
        };
        way.iter().map(over).sum()
    }

    fn is_free(&self, area: Rect) -> bool {
        let near = area.expand(1.0);
        self.atlas.map.contains_rect(near)
            && !self.taken.iter().any(|other| other.intersects(near))
            && self.atlas.places().iter().all(|(id, at)| near.distance_to_pos(*at) > (self.sign)(*id))
    }
}

/// The moves that are shown: the first, and those with room.
fn found(mut finder: Finder<'_>, steps: &[(Team, u8, u8)]) -> Vec<Expected> {
    let mut shown = Vec::new();
    for (number, (team, from, to)) in (1_u8..).zip(steps) {
        let Some((cost, way, tag)) = finder.find(*from, *to) else { continue };
        if number > 1 && cost >= NO_ROOM {
            continue;
        }
        finder.taken.extend(tag);
        shown.push(Expected { number, team: *team, way, tag });
    }
    shown
}

/// Points of a way that bends to one side.
fn bent([from, to]: [Pos2; 2], bow: f32) -> Vec<Pos2> {
    let middle = from.lerp(to, 0.5) + (to - from).normalized().rot90() * bow * 2.0;
    let at = |n: u8| {
        let part = f32::from(n) / f32::from(PIECES);
        from.lerp(middle, part).lerp(middle.lerp(to, part), part)
    };
    (0..=PIECES).map(at).collect()
}

/// Point at a part of a way of this length, and the direction there.
fn along(way: &[Pos2], part: f32, long: f32) -> Option<(Pos2, Vec2)> {
    let mut left = part * long;
    for piece in way.windows(2) {
        let step = piece[1] - piece[0];
        if step.length() >= left && step.length() > 0.0 {
            return Some((piece[0] + step.normalized() * left, step.normalized()));
        }
        left -= step.length();
    }
    way.last().map(|at| (*at, Vec2::RIGHT))
}

impl Canvas<'_> {
    /// Expected moves of the latest thought that have not been played. `taken`: what no number may cover.
    pub(super) fn expected(&self, taken: Vec<Rect>, known: &Known) -> Rc<[Expected]> {
        let table = self.scene.table();
        let Some(line) = latest_thought(table).filter(|_| table.winner().is_none()) else {
            return Rc::default();
        };
        let teams = [line.thought.team, line.thought.team.opponent()];
        let most = if self.atlas.map.width() < WORDS_FROM { EXPECTED.1 } else { EXPECTED.0 };
        let steps: Vec<(Team, u8, u8)> =
            line.to_come().take(most).map(|(at, step)| (teams[at % 2], step.from, step.to)).collect();
        let held = |id: u8| self.scene.holding(id).is_some();
        let mut hasher = DefaultHasher::new();
        let moves: Vec<_> = steps.iter().map(|(team, from, to)| (team.index(), from, to)).collect();
        let signs: Vec<bool> = self.atlas.places().iter().map(|(id, _)| held(*id)).collect();
        let areas: Vec<_> = taken.iter().map(|area| bits(*area)).collect();
        (bits(self.atlas.map), moves, signs, areas).hash(&mut hasher);
        let key = hasher.finish();
        if let (last, shown) = &*known.borrow()
            && *last == key
        {
            return Rc::clone(shown);
        }
        let radius = self.atlas.radius;
        let sign = |id: u8| if held(id) { radius } else { radius * 0.3 };
        let shown: Rc<[Expected]> = found(Finder { atlas: &self.atlas, taken, sign: &sign }, &steps).into();
        *known.borrow_mut() = (key, Rc::clone(&shown));
        shown
    }

    /// The arrow of an expected move, thinner than that of a move that was played. The first one stands out.
    pub(super) fn bowed(&self, expected: &Expected) -> Vec<Shape> {
        let [.., before, tip] = expected.way[..] else { return Vec::new() };
        let radius = self.atlas.radius;
        let width = (radius * 0.2).clamp(2.4, 5.0);
        let strength = if expected.number == 1 { 1.0 } else { 0.85 };
        let ink = self.accent(expected.team).gamma_multiply(strength);
        let dark = Color32::from_black_alpha(150).gamma_multiply(strength);
        // The head is as long as the way allows.
        let long = (width * 3.2).min(expected.way[0].distance(tip) * 0.8);
        let cut = expected.way.iter().rposition(|at| at.distance(tip) >= long).unwrap_or(0);
        let neck = expected.way.get(cut).copied().unwrap_or(before);
        let way = (tip - neck).normalized();
        let side = way.rot90() * width * 1.7;
        let line: Vec<Pos2> = expected.way[..=cut].to_vec();
        let head = vec![tip, neck + side, neck - side];
        vec![
            Shape::line(line.clone(), Stroke::new(width + 2.0, dark)),
            Shape::line(line, Stroke::new(width, ink)),
            Shape::convex_polygon(head, ink, Stroke::new(1.2, dark)),
        ]
    }

    /// The number of an expected move, on a tag that points the way.
    pub(super) fn tag(&self, expected: &Expected) {
        let Some(area) = expected.tag else { return };
        let accent = self.accent(expected.team);
        let (fill, ink, rim) = match expected.number {
            1 => (accent, ink_on(accent), self.palette.panel),
            _ => (self.palette.panel, self.palette.text, accent),
        };
        let point = area.width() * 0.3;
        let corners = if expected.is_rightward() {
            let neck = area.right() - point;
            vec![
                area.left_top(),
                pos2(neck, area.top()),
                area.right_center(),
                pos2(neck, area.bottom()),
                area.left_bottom(),
            ]
        } else {
            let neck = area.left() + point;
            vec![
                pos2(neck, area.top()),
                area.right_top(),
                area.right_bottom(),
                pos2(neck, area.bottom()),
                area.left_center(),
            ]
        };
        self.painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.2, rim)));
        let aside = if expected.is_rightward() { -point * 0.4 } else { point * 0.4 };
        let font = FontId::new(letters(&self.atlas), semibold());
        let at = area.center() + vec2(aside, 0.0);
        self.painter.text(at, Align2::CENTER_CENTER, expected.number, font, ink);
    }
}

#[cfg(test)]
mod tests {
    use egui::Rect;

    use super::super::land::Land;
    use super::super::names::{places, tests::earth};
    use super::*;

    #[test]
    fn tags_of_expected_moves_are_small_and_cover_nothing_and_their_arrows_are_seen() {
        let earth = earth();
        for (width, height) in [(354.0, 353.0), (448.0, 331.0), (974.0, 560.0), (1860.0, 830.0)] {
            let map = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
            let atlas = Atlas::fit(map, Rc::new(Land::of(&earth)), false);
            let size = super::super::names::letters(&atlas);
            let wide = |id: u8| {
                let letters = earth.territory(id).map_or(0, |place| place.name.chars().count());
                vec2(letters as f32 * size * 0.55, size * 1.25)
            };
            let named: Vec<Rect> =
                places(&atlas, true, |_| 0, wide).into_iter().map(|name| name.area).collect();
            let sign = |_: u8| atlas.radius;
            let steps: Vec<_> = earth.roads().iter().map(|road| (Team::Maxie, road.a, road.b)).collect();
            let mut tagged = 0;
            for step in &steps {
                let finder = Finder { atlas: &atlas, taken: named.clone(), sign: &sign };
                let shown = found(finder, &[*step, *step]);
                assert_eq!(shown[0].number, 1, "the first one is always shown");
                for Expected { tag, way, number, .. } in &shown {
                    let Some(tag) = tag else { continue };
                    tagged += 1;
                    assert!(tag.size().max_elem() < 1.8 * atlas.radius, "{tag} of {}", atlas.radius);
                    assert!(named.iter().all(|name| !name.intersects(*tag)), "{step:?}: {tag}");
                    let signs = atlas.places().iter();
                    assert!(signs.into_iter().all(|(_, at)| tag.distance_to_pos(*at) >= atlas.radius));
                    let long: f32 = way.windows(2).map(|piece| piece[0].distance(piece[1])).sum();
                    assert!(*number == 1 || long >= SEEN, "{step:?}: {long}");
                }
                if let [Expected { tag: Some(one), .. }, Expected { tag: Some(other), .. }] = &shown[..] {
                    assert!(!one.intersects(*other), "{step:?}");
                }
            }
            assert!(tagged > steps.len() / 2, "{width} × {height}: {tagged} of {}", steps.len());
        }
    }
}

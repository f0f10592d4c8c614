//! Painter of the Riskless map: sea, land, roads, armies, the last move and its result.

use std::cell::Cell;
use std::rc::Rc;

use egui::{
    Color32, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};
use grandstand_protocol::Place;
use grandstand_protocol::riskless::{self, Battle, Name, Scene, Step, Team, Territory};
use grandstand_protocol::team::RedBlue;
use grandstand_story::games::riskless::{squad, text};

use super::atlas::{Atlas, Way};
use super::land::Land;
use super::names::{self, NamePlace};
use super::terrain::{Colors, DAY, NIGHT};
use super::{CachedMeshes, Fitted, KnownLand, March, battle};
use crate::angle::angled;
use crate::cached_mesh::bits;
use crate::piece_numbers::Numbers;
use crate::step::ease;
use crate::theme::{Palette, SMALL, mix, rgb, semibold};
use crate::view::is_touched;
use crate::{BoardInput, BoardOptions, node, overlay, place_labels, team_marks};

/// Width of the rim around a name, in points.
const HALO: f32 = 1.3;
/// Width of a board below which the totals are numbers without a word, in points.
pub(super) const WORDS_FROM: f32 = 480.0;
/// Width of the map below which signs with numbers, and names, would hide it, in points: the colours of the land say who
/// holds it.
const SIGNS_FROM: f32 = 240.0;
/// Width of a map from which all names have room, in points.
const ROOMY: f32 = 700.0;
/// Radius of the army under way on a small map, in radii of a sign.
const MARCHING: f32 = 0.55;
/// Number of territories that count as those with the most armies.
const IMPORTANT: usize = 8;
/// Length of such a bar with its margins below which it has no number beside it, in points.
const LEAST_BAR: f32 = 54.0;
/// Share of the text's colour in the track of the bars with the totals.
const TRACK: f32 = 0.16;
/// Radius of the dot of a territory without a sign, and half the side of the square around it, in radii of a sign.
const DOT: (f32, f32) = (0.3, 0.65);
/// Strength of the name of a territory that nobody holds.
const NOBODYS: f32 = 0.72;
/// The bar with the totals, and the map's part of the rectangle.
pub(super) fn parts(rect: Rect) -> (Rect, Rect) {
    // On a small tile of a wall the map gets nearly all of it: the bars have no numbers.
    let most = if rect.width() < SIGNS_FROM { 11.0 } else { 20.0 };
    let least = (rect.height() * 0.12).min(most);
    rect.split_top_bottom_at_y(rect.top() + (rect.height() * 0.05).clamp(least, 34.0))
}

/// The atlas for `rect`, of one of several maps or of one alone; the cached one if nothing has changed.
pub(super) fn atlas(rect: Rect, scene: &Scene, is_tile: bool, cached_meshes: &CachedMeshes) -> Rc<Atlas> {
    let mut known = cached_meshes.land.borrow_mut();
    let mut last = cached_meshes.atlas.borrow_mut();
    let same =
        |(a, b): (&(u8, u16, u16, Name), &Territory)| (a.0, a.1, a.2, &a.3) == (b.id, b.x, b.y, &b.name);
    let is_known = known.places.len() == scene.territories().len()
        && known.places.iter().zip(scene.territories()).all(same)
        && known.roads == scene.roads();
    if !is_known {
        let places = scene.territories().map(|place| (place.id, place.x, place.y, place.name.clone()));
        let land = Rc::new(Land::of(scene));
        *known = KnownLand { places: places.collect(), roads: scene.roads().to_vec(), land };
        *last = None;
    }
    if let Some(last) = last.as_ref().filter(|last| last.rect == rect && last.atlas.is_tile == is_tile) {
        return Rc::clone(&last.atlas);
    }
    let atlas = Rc::new(Atlas::fit(parts(rect).1, Rc::clone(&known.land), is_tile));
    *last = Some(Fitted { rect, atlas: Rc::clone(&atlas) });
    atlas
}

/// Shows the map in `rect`; returns the viewer's move. `source` is the territory from which the viewer is going to
/// move.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    scene: &Scene,
    (march, cached_meshes): (&March, &CachedMeshes),
    (source, aim): (&Cell<Option<u8>>, &Cell<Option<u8>>),
    picture: &BoardInput<'_>,
    options: BoardOptions,
) -> Option<Step> {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter_at(rect.intersect(ui.clip_rect()));
    let mover = picture.may_move.map(|side| Team::ALL[side.min(1)]);
    let sense = if mover.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with("board"), sense);
    let (bar, _) = parts(rect);
    let atlas = atlas(rect, scene, options.is_tile, cached_meshes);
    // A tap that began and ended within one frame leaves no pointer behind.
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let by_key = match picture.cursor {
        Some(Place::Territory(number)) => Some(number),
        _ => None,
    };
    let pointed = by_key.or_else(|| pointer.and_then(|at| atlas.territory_at(at)));
    let colors = if palette.is_dark { &NIGHT } else { &DAY };
    let canvas = Canvas {
        painter: painter.with_clip_rect(atlas.map.intersect(painter.clip_rect())),
        palette,
        colors,
        scene,
        atlas,
    };

    let look = (palette.is_dark, options.is_tile);
    let map = (bits(rect), look, &scene.territories().collect::<Vec<_>>(), scene.roads());
    let held = |place: &Territory| scene.holding(place.id).map(|held| (held.team.index(), held.armies));
    let holdings: Vec<Option<(usize, u32)>> = scene.territories().map(held).collect();
    let holders: Vec<Option<usize>> = holdings.iter().map(|held| held.map(|(team, _)| team)).collect();
    let importance = importance(scene, canvas.atlas.map.width());
    cached_meshes.sea.paint(&canvas.painter, map, || canvas.sea());
    cached_meshes.ground.paint(&canvas.painter, (map, holders), || canvas.ground());
    cached_meshes.borders.paint(&canvas.painter, map, || canvas.borders());
    // Frames of land and what moves lie below signs and names: nothing runs through a number.
    cached_meshes.below_pieces.keep(&canvas.painter);
    let rings = canvas.painter.add(Shape::Noop);
    cached_meshes.below_signs.keep(&canvas.painter);
    let moves = canvas.painter.add(Shape::Noop);
    let arriving = scene.last().filter(|_| march.progress(picture.now).is_some()).map(|march| march.to);
    let signs = shown_signs(&canvas.atlas, scene, picture.marked);
    cached_meshes.signs.paint(&canvas.painter, (map, holdings, arriving, &signs), || {
        canvas.signs(arriving, &signs, &cached_meshes.digits);
    });
    let seen = ui.clip_rect().size();
    let is_whole = rect.width() <= seen.x + 1.0 && rect.height() <= seen.y + 1.0;
    cached_meshes.names.paint(&canvas.painter, (map, is_whole, &importance), || {
        *cached_meshes.named.borrow_mut() = canvas.names(is_whole, &importance);
    });
    let mut below = canvas.last();
    below.extend(canvas.burst());
    canvas.on_its_way(march.progress(picture.now));
    let plate = canvas.battle(&cached_meshes.named.borrow(), &cached_meshes.plate, &mut below);
    cached_meshes.plated.set(plate);
    if options.thoughts {
        let named = cached_meshes.named.borrow();
        let taken: Vec<Rect> = named.iter().copied().chain(plate).collect();
        for expected in canvas.expected(taken, &cached_meshes.expected).iter() {
            below.extend(canvas.bowed(expected));
            canvas.tag(expected);
        }
    }
    canvas.painter.set(moves, Shape::Vec(below));
    if options.labels {
        let places = scene.territories().filter_map(|place| Some((place.id, canvas.atlas.area(place.id)?)));
        place_labels::paint(&canvas.painter, palette, "255", places);
    }
    let place = |name: &str| canvas.atlas.at(name.parse().ok()?);
    overlay::paint(&canvas.painter, palette, picture, options, canvas.atlas.radius * 2.4, place);
    totals(&painter, palette, scene, Rect::from_x_y_ranges(canvas.atlas.map.x_range(), bar.y_range()));
    let clicked = response.clicked() || picture.pressed;
    let touched = is_touched(ui) && !picture.pressed;
    let chosen = canvas.choose(mover, (source, aim), pointed, (clicked, touched), rings);
    if let Some(step) = picture.pending.and_then(|text| text.parse::<Step>().ok()) {
        let team = scene.table().turn().unwrap_or(Team::Maxie);
        canvas.painter.extend(canvas.arrow(step.from, step.to, canvas.accent(team), 0.8));
    }

    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, text::summary(scene)));
    canvas.describe(ui);
    chosen
}

/// How important the names of the territories are on a map of this width: those that are fought over come first, then those with the
/// most armies, and then all others that somebody holds. A wide map has room for all names: there they stay where they are.
fn importance(scene: &Scene, width: f32) -> Vec<(u8, u8)> {
    let armies = |place: &Territory| scene.holding(place.id).map(|held| held.armies);
    // The armies that only so many territories have at least: asked in every frame, and so not by sorting.
    let mut most: Vec<u32> = scene.territories().filter_map(armies).collect();
    let many = match most.len() >= IMPORTANT && width < ROOMY {
        true => *most.select_nth_unstable_by(IMPORTANT - 1, |a, b| b.cmp(a)).1,
        false => 1,
    };
    let is_fought = |id: u8| scene.last().is_some_and(|march| march.from == id || march.to == id);
    let rank = |place: &Territory| match armies(place) {
        None => 0,
        Some(_) if width >= ROOMY => 1,
        Some(_) if is_fought(place.id) => 3,
        Some(armies) if armies >= many => 2,
        Some(_) => 1,
    };
    scene.territories().map(|place| (place.id, rank(place))).collect()
}

/// Armies of both teams and the goal: as numbers, and as bars from both sides towards the middle.
fn totals(painter: &Painter, palette: &Palette, scene: &Scene, line: Rect) {
    // Before the map is set up there is nothing to count.
    let Some(goal) = scene.map().map(|map| map.goal.max(1)) else { return };
    let font = FontId::new(SMALL, semibold());
    let what = if line.width() < WORDS_FROM { "" } else { " armies" };
    let totals = Team::ALL.map(|team| {
        let armies = scene.armies(team);
        let words = format!("{armies} of {goal}{what}");
        (team, armies, painter.layout_no_wrap(words, font.clone(), palette.weak))
    });
    // On a small tile of a wall there are only bars, for both teams.
    let widest = totals.iter().map(|(.., words)| words.size().x).fold(0.0, f32::max);
    let has_room = line.height() > SMALL && line.width() / 2.0 - widest > LEAST_BAR;
    for (team, armies, words) in totals {
        // Both bars are of one length, so that they compare.
        let room = if has_room { widest + 10.0 } else { 0.0 };
        let height = (line.height() * 0.36).max(7.0).min(line.height() - 2.0);
        let half = line.width() / 2.0 - room - 8.0;
        let (outside, from, way) = match team {
            Team::Maxie => (line.left() + 4.0, line.left() + room + 4.0, 1.0),
            Team::Minnie => (line.right() - 4.0 - words.size().x, line.right() - room - 4.0, -1.0),
        };
        let top = line.center().y - height / 2.0;
        let bar =
            |long: f32| Rect::from_two_pos(pos2(from, top), pos2(from + way * half * long, top + height));
        // `raised` can't be seen on a light ground.
        painter.rect_filled(bar(1.0), 3.0, mix(palette.ground, palette.text, TRACK));
        painter.rect_filled(
            bar((armies as f32 / goal as f32).min(1.0)),
            3.0,
            palette.squad(squad(team)).accent,
        );
        if room > 0.0 {
            painter.galley(pos2(outside, line.center().y - words.size().y / 2.0), words, palette.weak);
        }
    }
}

/// Territories whose signs are shown: all that somebody holds, and on a small one of several maps those that have room beside
/// others. There the ends of the last move always have theirs; then come those that are marked, and then those with more
/// armies. The colour of its land tells the holder of any. The first lies above the others.
fn shown_signs(atlas: &Atlas, scene: &Scene, marked: &[Place]) -> Vec<u8> {
    let held = scene
        .territories()
        .filter_map(|place| Some((place.id, atlas.at(place.id)?, scene.holding(place.id)?.armies)));
    let mut held: Vec<(u8, Pos2, u32)> = held.collect();
    if !(atlas.is_tile && atlas.is_small) {
        return held.into_iter().map(|(id, ..)| id).collect();
    }
    let rank = |id: u8| match scene.last() {
        Some(march) if march.to == id => 0,
        Some(march) if march.from == id => 1,
        _ if marked.contains(&Place::Territory(id)) => 2,
        _ => 3,
    };
    held.sort_by_key(|(id, _, armies)| (rank(*id), std::cmp::Reverse(*armies), *id));
    let mut shown: Vec<(u8, Pos2)> = Vec::new();
    for (id, at, _) in held {
        if rank(id) < 2 || shown.iter().all(|(_, other)| other.distance(at) >= atlas.radius * 2.0) {
            shown.push((id, at));
        }
    }
    shown.into_iter().map(|(id, _)| id).collect()
}

/// Square around what is painted for a territory: its sign, or on a small one of several maps the dot of one that has none.
pub(super) fn area_of(atlas: &Atlas, scene: &Scene, marked: &[Place], territory: u8) -> Option<Rect> {
    let is_dot = atlas.is_tile && atlas.is_small && !shown_signs(atlas, scene, marked).contains(&territory);
    match is_dot {
        true => Some(Rect::from_center_size(atlas.seat(territory)?, Vec2::splat(2.0 * DOT.1 * atlas.radius))),
        false => atlas.area(territory),
    }
}

pub(super) struct Canvas<'a> {
    pub painter: Painter,
    pub palette: &'static Palette,
    pub colors: &'static Colors,
    pub scene: &'a Scene,
    pub atlas: Rc<Atlas>,
}

impl Canvas<'_> {
    pub(super) fn accent(&self, team: Team) -> Color32 {
        self.palette.squad(squad(team)).accent
    }

    pub(super) fn piece(&self, team: Team) -> Color32 {
        self.palette.squad(squad(team)).piece
    }

    /// Signs of the territories: the holder by colour and shape, and the number of armies.
    fn signs(&self, arriving: Option<u8>, shown: &[u8], digits: &Numbers) {
        if self.atlas.map.width() < SIGNS_FROM {
            return;
        }
        let radius = self.atlas.radius;
        for place in self.scene.territories() {
            let (Some(seat), Some(at)) = (self.atlas.seat(place.id), self.atlas.at(place.id)) else {
                continue;
            };
            let held = self.scene.holding(place.id);
            if let Some(held) = held.filter(|_| !shown.contains(&place.id)) {
                let colors = self.palette.squad(squad(held.team));
                self.painter.circle(seat, radius * DOT.0, colors.piece, Stroke::new(1.0, colors.accent));
            } else if held.is_none() {
                // It needs no room beside the numbers around it.
                let rim = Stroke::new(1.2, self.colors.name);
                self.painter.circle(seat, radius * 0.24, self.colors.halo, rim);
            } else if seat.distance(at) > radius * 1.1 {
                self.painter.line_segment([seat, at], Stroke::new(1.2, self.colors.name));
                self.painter.circle_filled(seat, 2.2, self.colors.name);
            }
        }
        for id in shown.iter().rev().copied() {
            let Some(at) = self.atlas.at(id) else { continue };
            let Some(held) = self.scene.holding(id) else { continue };
            let colors = self.palette.squad(squad(held.team));
            let alpha = if arriving == Some(id) { 0.55 } else { 1.0 };
            let fade = |color: Color32| color.gamma_multiply(alpha);
            let rim = Stroke::new((radius * 0.13).max(1.2), fade(colors.accent));
            let size = if held.armies == 0 { radius * 0.72 } else { radius };
            team_marks::paint_token(&self.painter, at, size, squad(held.team), fade(colors.piece), rim);
            let letters = match held.armies {
                0..10 => 1.2,
                10..100 => 1.05,
                100..1_000 => 0.85,
                _ => 0.66,
            };
            digits.write(&self.painter, at, held.armies, (size * letters).max(9.0), fade(colors.mark));
        }
    }

    /// Paints the names of the map, or of the part of it that is seen; returns where they are.
    fn names(&self, is_whole: bool, importance: &[(u8, u8)]) -> Vec<Rect> {
        if self.atlas.map.width() < SIGNS_FROM {
            return Vec::new();
        }
        let font = FontId::new(names::letters(&self.atlas), semibold());
        let galley = |id: u8| {
            let name = self.scene.territory(id).map_or("", |place| &*place.name);
            self.painter.layout_no_wrap(name.to_owned(), font.clone(), self.colors.name)
        };
        let importance = |id: u8| importance.iter().find(|(of, _)| *of == id).map_or(0, |(_, much)| *much);
        let places = names::places(&self.atlas, is_whole, importance, |id| galley(id).size());
        for NamePlace { territory, area, leader } in &places {
            let (area, territory) = (*area, *territory);
            if let Some(leader) = *leader {
                for (width, color) in [(3.4, self.colors.halo), (1.5, self.colors.name)] {
                    self.painter.line_segment(leader, Stroke::new(width, color));
                }
            }
            // A rim around the letters instead of a plate, which would hide coasts and borders.
            let galley = galley(territory);
            for way in 0..8_u8 {
                let way = angled(std::f32::consts::TAU * f32::from(way) / 8.0) * HALO;
                self.painter.galley_with_override_text_color(
                    area.min + way,
                    galley.clone(),
                    self.colors.halo,
                );
            }
            // The names of what somebody holds stand out.
            let ink = match self.scene.holding(territory) {
                Some(_) => self.colors.name,
                None => mix(self.colors.halo, self.colors.name, NOBODYS),
            };
            self.painter.galley_with_override_text_color(area.min, galley, ink);
        }
        places.into_iter().map(|place| place.area).collect()
    }

    /// Arrow of the last move.
    fn last(&self) -> Vec<Shape> {
        let Some(march) = self.scene.last() else { return Vec::new() };
        let mut shapes = self.arrow(march.from, march.to, self.accent(march.team), 1.0);
        shapes.extend(self.end(march));
        shapes
    }

    /// A frame around the sign where the last move ended without a battle: names may lie over its arrow. On a map without signs it is small.
    fn end(&self, march: riskless::March) -> Option<Shape> {
        let has_signs = self.atlas.map.width() >= SIGNS_FROM;
        let radius = self.atlas.radius * if has_signs { 1.0 } else { MARCHING };
        let at = self.atlas.at(march.to).filter(|_| self.scene.battle().is_none())?;
        let pen = Stroke::new((radius * 0.2).max(2.0), self.accent(march.team));
        let is_square = self.scene.holding(march.to).is_some_and(|held| squad(held.team) == RedBlue::Red);
        Some(match is_square {
            true => {
                let frame = Rect::from_center_size(at, Vec2::splat(2.5 * radius));
                Shape::rect_stroke(frame, radius * 0.35, pen, StrokeKind::Middle)
            }
            false => Shape::circle_stroke(at, radius * 1.35, pen),
        })
    }

    /// An arrow between the signs of two territories.
    pub(super) fn arrow(&self, from: u8, to: u8, color: Color32, alpha: f32) -> Vec<Shape> {
        let radius = self.atlas.radius;
        let mut shapes = Vec::new();
        for [start, end] in self.atlas.way(from, to) {
            let way = (end - start).normalized();
            let (start, tip) = (start + way * radius * 0.9, end - way * radius * 1.12);
            if (tip - start).dot(way) < 2.0 {
                continue;
            }
            let width = (radius * 0.34).max(2.5);
            let side = vec2(-way.y, way.x) * width * 1.5;
            let neck = tip - way * (width * 2.4).min((tip - start).length());
            let dark = Color32::from_black_alpha(110).gamma_multiply(alpha);
            let ink = color.gamma_multiply(alpha);
            shapes.push(Shape::line_segment([start, neck], Stroke::new(width + 2.5, dark)));
            shapes.push(Shape::line_segment([start, neck], Stroke::new(width, ink)));
            let head = vec![tip, neck + side, neck - side];
            shapes.push(Shape::convex_polygon(head, ink, Stroke::new(1.2, dark)));
        }
        shapes
    }

    /// Armies of the last move under way.
    fn on_its_way(&self, moving: Option<f32>) {
        let (Some(progress), Some(march)) = (moving, self.scene.last()) else { return };
        let colors = self.palette.squad(squad(march.team));
        for [start, end] in self.atlas.way(march.from, march.to) {
            let at = start + (end - start) * ease(progress);
            let rim = Stroke::new((self.atlas.radius * 0.13).max(1.2), colors.accent);
            // A sign has its number to show, and is large on a small map; the army under way has none.
            let radius = if self.atlas.is_small { MARCHING } else { 1.0 } * self.atlas.radius;
            team_marks::paint_token(&self.painter, at, radius, squad(march.team), colors.piece, rim);
        }
    }

    /// Battle of the last move, its place, and the team that attacked.
    fn last_battle(&self) -> Option<(Battle, Pos2, Team)> {
        let battle = self.scene.battle().filter(|_| self.atlas.map.width() >= SIGNS_FROM)?;
        Some((battle, self.atlas.at(battle.territory)?, self.scene.last()?.team))
    }

    /// Burst around the sign where the last move met an enemy.
    fn burst(&self) -> Vec<Shape> {
        let Some((_, at, _)) = self.last_battle() else { return Vec::new() };
        let radius = self.atlas.radius;
        let spark = if self.palette.is_dark { rgb(0xffd166) } else { rgb(0xb97a00) };
        let ray = |n: u8| {
            let way = angled(std::f32::consts::TAU * (f32::from(n) + 0.5) / 12.0);
            let long = if n.is_multiple_of(2) { 1.75 } else { 1.5 };
            let pen = Stroke::new((radius * 0.12).max(1.5), spark);
            Shape::line_segment([at + way * radius * 1.22, at + way * radius * long], pen)
        };
        (0..12).map(ray).collect()
    }

    /// Numbers of both sides of the last move's battle, and what is left; returns where they are. `below` gets the line to them, which lies below
    /// the signs.
    fn battle(&self, names: &[Rect], known: &battle::Known, below: &mut Vec<Shape>) -> Option<Rect> {
        let (battle, at, team) = self.last_battle()?;
        let is_narrow = self.atlas.map.width() < WORDS_FROM;
        if is_narrow && self.atlas.is_tile {
            return None;
        }
        let size = if is_narrow { SMALL } else { (self.atlas.radius * 0.8).clamp(SMALL, 24.0) };
        let font = FontId::new(size, semibold());
        let texts = battle::account(self.scene, battle, team, !is_narrow).into_iter();
        let texts =
            texts.map(|(text, team)| (text, team.map_or(self.palette.text, |team| self.accent(team))));
        let galleys: Vec<_> =
            texts.map(|(text, ink)| self.painter.layout_no_wrap(text, font.clone(), ink)).collect();
        let (gap, margin) = if is_narrow { (2.0, vec2(4.0, 1.0)) } else { (4.0, vec2(7.0, 2.0)) };
        let width: f32 = galleys.iter().map(|galley| galley.size().x + gap).sum::<f32>() - gap;
        let size = vec2(width, galleys[0].size().y) + margin * 2.0;
        let plate = battle::place_once(known, &self.atlas, names, (battle.territory, at), size);
        if let Some(ends) = battle::line(&self.atlas, at, plate) {
            for (width, color) in [(3.5, self.colors.halo), (1.5, self.colors.name)] {
                below.push(Shape::line_segment(ends, Stroke::new(width, color)));
            }
        }
        self.painter.rect_filled(plate, 4.0, self.palette.panel);
        let mut x = plate.left() + margin.x;
        for galley in galleys {
            let ink = self.palette.text;
            let wide = galley.size().x;
            self.painter.galley(pos2(x, plate.top() + margin.y), galley, ink);
            x += wide + gap;
        }
        Some(plate)
    }

    /// Adds an accessibility node for each territory, if the tree is in use.
    fn describe(&self, ui: &Ui) {
        if !node::are_read(ui) {
            return;
        }
        for place in self.scene.territories() {
            let Some(area) = self.atlas.area(place.id) else { continue };
            node::show(ui, area, ("territory", place.id), Role::Image, text::describe(self.scene, place.id));
        }
    }
}

/// Three territories and their roads.
pub(super) fn paint_thumbnail(painter: &Painter, palette: &Palette, square: Rect) {
    let colors = if palette.is_dark { &NIGHT } else { &DAY };
    painter.rect_filled(square, square.width() * 0.16, colors.sea[0]);
    let at = |x: f32, y: f32| square.min + vec2(x, y) * square.width();
    let places =
        [(at(0.25, 0.32), RedBlue::Red), (at(0.75, 0.28), RedBlue::Blue), (at(0.54, 0.75), RedBlue::Red)];
    let road: Way = vec![[places[0].0, places[1].0], [places[1].0, places[2].0], [places[0].0, places[2].0]];
    for line in road {
        painter.line_segment(line, Stroke::new((square.width() / 30.0).max(1.0), colors.road));
    }
    for (place, squad) in places {
        team_marks::paint_badge(painter, palette, place, square.width() * 0.15, squad);
    }
}

#[cfg(test)]
mod tests {
    use super::super::names::tests::earth;
    use super::*;

    #[test]
    fn one_of_several_maps_has_the_signs_that_have_room_on_their_land() {
        let earth = earth();
        let map = Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 200.0));
        let land = Rc::new(Land::of(&earth));
        let held = earth.territories().filter(|place| earth.holding(place.id).is_some()).count();
        assert_eq!(shown_signs(&Atlas::fit(map, Rc::clone(&land), false), &earth, &[]).len(), held);
        let atlas = Atlas::fit(map, land, true);
        let shown = shown_signs(&atlas, &earth, &[]);
        assert!(shown.len() < held && shown.len() * 2 > held, "{} of {held}", shown.len());
        for (n, one) in shown.iter().enumerate() {
            let (at, seat) = (atlas.at(*one).expect("a sign"), atlas.seat(*one).expect("a seat"));
            assert_eq!(at, seat);
            // The ends of the last move are shown in any case.
            let march = earth.last().expect("a move");
            let is_end = |id: u8| id == march.from || id == march.to;
            let others = shown[n + 1..].iter().filter(|other| !(is_end(*one) && is_end(**other)));
            let others = others.filter_map(|other| atlas.at(*other));
            assert!(others.into_iter().all(|other| at.distance(other) >= 2.0 * atlas.radius), "{one}");
        }
    }

    #[test]
    fn on_a_small_map_the_last_move_and_what_is_marked_have_their_signs_first() {
        let earth = earth();
        let map = Rect::from_min_size(pos2(0.0, 0.0), vec2(300.0, 200.0));
        let atlas = Atlas::fit(map, Rc::new(Land::of(&earth)), true);
        let march = earth.last().expect("a move");
        let usual = shown_signs(&atlas, &earth, &[]);
        let is_held = |id: &u8| earth.holding(*id).is_some();
        assert!([march.from, march.to].iter().filter(|id| is_held(id)).all(|id| usual.contains(id)));
        let hidden = earth.territories().map(|place| place.id).filter(|id| !usual.contains(id));
        let ends = [march.from, march.to].map(|id| atlas.at(id).expect("a sign"));
        let is_free = |id: &u8| {
            let at = atlas.at(*id).expect("a sign");
            ends.iter().all(|end| end.distance(at) >= 2.0 * atlas.radius)
        };
        let mut count = 0;
        for id in hidden.filter(is_held).filter(is_free) {
            count += 1;
            assert!(shown_signs(&atlas, &earth, &[Place::Territory(id)]).contains(&id), "{id}");
            // A frame is around what is painted.
            let [dot, sign] = [&[][..], &[Place::Territory(id)]]
                .map(|marked| area_of(&atlas, &earth, marked, id).expect("an area"));
            assert!(dot.width() < sign.width() * 0.7, "{dot} {sign}");
        }
        assert!(count > 0);
    }

    #[test]
    fn the_track_of_the_totals_is_seen_on_a_light_ground_and_on_a_dark_one() {
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            let ctx = egui::Context::default();
            ctx.set_theme(theme);
            let palette = Palette::of(&ctx);
            assert_eq!(palette.is_dark, theme == egui::Theme::Dark);
            let track = mix(palette.ground, palette.text, TRACK);
            let far = track.to_array().into_iter().zip(palette.ground.to_array());
            let far = far.map(|(a, b)| a.abs_diff(b)).max();
            assert!(far > Some(24), "{far:?}");
        }
    }
}

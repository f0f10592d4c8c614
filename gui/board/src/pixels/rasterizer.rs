//! Rasterizer: draws a picture into pixels on the processor, with the same result everywhere.
//!
//! tiny-skia fills outlines with one colour in integer arithmetic. Gradients and the emboldening of letters are done
//! here, in integers too.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};
use std::sync::OnceLock;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::atomic::{AtomicUsize, Ordering};

use egui::{Color32, Mesh};
use tiny_skia::{Color, FillRule, Mask, Paint, Path, PathBuilder, Pixmap, Rect, Transform};

use super::Size;
use super::paths::{path, stroke};
use super::shapes::{Clip, Item, Outline, Point, STEPS, ShapeList, Vertex};

/// Pixels, row by row: red, green and blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Width and height.
    pub size: Size,
    /// Three bytes for each pixel.
    pub rgb: Vec<u8>,
}

/// Width and height of a tile. A tile's pixels depend only on the shapes that touch it. So tiles without a change are
/// kept, and several can be drawn in parallel with the same result.
const TILE: (u32, u32) = (256, 64);
/// Tiles drawn in one step by a processor: a window or a page is blocked for that long. For fewer tiles a thread is not
/// worth its cost.
const WORTH: usize = if cfg!(target_arch = "wasm32") { 1 } else { 4 };

/// A picture that is drawn tile by tile from top to bottom, and then the next one over it.
#[derive(Debug)]
pub struct Drawing {
    /// The pixels so far.
    pub pixels: Pixels,
    picture: ShapeList,
    /// Bounds of each shape.
    bounds: Vec<Clip>,
    paths: Vec<OnceLock<Paths>>,
    /// Hash of all shapes that touch each tile.
    sums: Vec<u64>,
    /// Tiles that are not drawn yet, the next one last.
    left: Vec<usize>,
    /// Bounds of the tiles of this picture that are drawn again.
    pub fresh: Clip,
}

impl Drawing {
    /// A drawing without a picture.
    pub fn blank(size: Size) -> Drawing {
        let rgb = vec![0; size.width as usize * size.height as usize * 3];
        let picture = ShapeList { size, ground: Color32::BLACK, items: Vec::new() };
        let fresh = picture.area();
        let (pixels, bounds, paths) = (Pixels { size, rgb }, Vec::new(), Vec::new());
        Drawing { pixels, picture, bounds, paths, sums: Vec::new(), left: Vec::new(), fresh }
    }

    /// Begins with a picture of the same size; returns `false` if it equals the last one.
    pub fn begin(&mut self, picture: ShapeList) -> bool {
        let area = picture.area();
        let seen = |item: &Item| {
            let bounds = item.outline.bounds(item.pen.map_or(0, |pen| pen.width));
            bounds.within(item.clip.unwrap_or(area)).within(area)
        };
        self.bounds = picture.items.iter().map(seen).collect();
        let mut tiles = vec![DefaultHasher::new(); self.tiles()];
        let columns = self.columns() as i32;
        for (item, bounds) in picture.items.iter().zip(&self.bounds) {
            if bounds.is_empty() {
                continue;
            }
            let sum = BuildHasherDefault::<DefaultHasher>::default().hash_one(item);
            let (width, height) = (TILE.0 as i32, TILE.1 as i32);
            for row in bounds.top / height..=(bounds.bottom - 1) / height {
                for column in bounds.left / width..=(bounds.right - 1) / width {
                    tiles[(row * columns + column) as usize].write_u64(sum);
                }
            }
        }
        let sums: Vec<u64> = tiles.iter().map(Hasher::finish).collect();
        let changed = |tile: &usize| self.sums.get(*tile) != Some(&sums[*tile]);
        self.left = (0..sums.len()).rev().filter(changed).collect();
        self.paths = picture.items.iter().map(|_| OnceLock::new()).collect();
        (self.sums, self.picture) = (sums, picture);
        let mut fresh: Option<Clip> = None;
        for tile in &self.left {
            let area = self.area_of(*tile);
            fresh = Some(fresh.map_or(area, |fresh| fresh.around(area)));
        }
        self.fresh = fresh.unwrap_or(self.fresh);
        fresh.is_some()
    }

    /// Draws some tiles; `is_done` tells whether all are drawn.
    pub fn step(&mut self) {
        let now = self.left.split_off(self.left.len().saturating_sub(processors() * WORTH));
        let drawn = self.draw(&now);
        for (tile, rgb) in now.iter().zip(drawn) {
            let area = self.area_of(*tile);
            let line = (area.right - area.left) as usize * 3;
            for (y, row) in (area.top as usize..).zip(rgb.chunks_exact(line)) {
                let at = (y * self.picture.size.width as usize + area.left as usize) * 3;
                self.pixels.rgb[at..at + line].copy_from_slice(row);
            }
        }
    }

    /// Number of complete rows from the top.
    pub fn rows(&self) -> u32 {
        self.left.last().map_or(self.picture.size.height, |tile| self.area_of(*tile).top as u32)
    }

    /// Whether all tiles are drawn.
    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    fn columns(&self) -> usize {
        self.picture.size.width.div_ceil(TILE.0) as usize
    }

    fn tiles(&self) -> usize {
        self.columns() * self.picture.size.height.div_ceil(TILE.1) as usize
    }

    fn area_of(&self, tile: usize) -> Clip {
        let (column, row) = ((tile % self.columns()) as u32, (tile / self.columns()) as u32);
        let (left, top) = ((column * TILE.0) as i32, (row * TILE.1) as i32);
        Clip { left, top, right: left + TILE.0 as i32, bottom: top + TILE.1 as i32 }
            .within(self.picture.area())
    }

    /// Pixels of some tiles, drawn on all processors.
    #[cfg(not(target_arch = "wasm32"))]
    fn draw(&self, tiles: &[usize]) -> Vec<Vec<u8>> {
        let threads = processors().min(tiles.len() / WORTH).max(1);
        if threads == 1 {
            return tiles.iter().map(|tile| self.tile(*tile)).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mine = std::iter::from_fn(|| {
                let number = next.fetch_add(1, Ordering::Relaxed);
                tiles.get(number).map(|tile| (number, self.tile(*tile)))
            });
            mine.collect::<Vec<_>>()
        };
        let mut drawn = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut drawn = work();
            for other in others {
                match other.join() {
                    Ok(more) => drawn.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            drawn
        });
        drawn.sort_unstable_by_key(|(number, _)| *number);
        drawn.into_iter().map(|(_, rgb)| rgb).collect()
    }

    #[cfg(target_arch = "wasm32")]
    fn draw(&self, tiles: &[usize]) -> Vec<Vec<u8>> {
        tiles.iter().map(|tile| self.tile(*tile)).collect()
    }

    fn tile(&self, tile: usize) -> Vec<u8> {
        let area = self.area_of(tile);
        let (width, height) = ((area.right - area.left) as u32, (area.bottom - area.top) as u32);
        let Some(pixels) = Pixmap::new(width, height) else { return Vec::new() };
        let mut canvas = Canvas { pixels, area, mask: None };
        canvas.pixels.fill(opaque(self.picture.ground));
        for ((item, bounds), paths) in self.picture.items.iter().zip(&self.bounds).zip(&self.paths) {
            let seen = bounds.within(area);
            if !seen.is_empty() {
                canvas.item(item, seen, paths.get_or_init(|| Paths::of(item)));
            }
        }
        canvas.pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }
}

/// Number of processors to use; a page has one.
fn processors() -> usize {
    if cfg!(target_arch = "wasm32") { 1 } else { std::thread::available_parallelism().map_or(1, usize::from) }
}

/// Draws triangles on a transparent ground, with `scale` pixels in a point: the same as a window's graphics card does.
pub fn stamp<'a>(
    meshes: impl Iterator<Item = &'a Mesh>,
    scale: f32,
    [width, height]: [usize; 2],
) -> Vec<Color32> {
    let area = Clip { left: 0, top: 0, right: width as i32, bottom: height as i32 };
    let Some(pixels) = Pixmap::new(width as u32, height as u32) else { return Vec::new() };
    let mut canvas = Canvas { pixels, area, mask: None };
    for mesh in meshes {
        let vertex = |index: u32| {
            let vertex = mesh.vertices.get(index as usize)?;
            Some(Vertex { at: Point::at(vertex.pos * scale), color: vertex.color })
        };
        for triangle in mesh.indices.chunks_exact(3) {
            if let [Some(a), Some(b), Some(c)] = [triangle[0], triangle[1], triangle[2]].map(vertex) {
                canvas.triangle(&[a, b, c], area);
            }
        }
    }
    let color = |pixel: &[u8]| Color32::from_rgba_premultiplied(pixel[0], pixel[1], pixel[2], pixel[3]);
    canvas.pixels.data().chunks_exact(4).map(color).collect()
}

/// Paths of a shape, built once for all tiles that it touches.
#[derive(Debug)]
struct Paths {
    fill: Option<Path>,
    stroke: Option<(Path, FillRule)>,
}

impl Paths {
    fn of(item: &Item) -> Paths {
        let fill = (item.fill != Color32::TRANSPARENT).then(|| path(&item.outline)).flatten();
        Paths { fill, stroke: item.pen.and_then(|pen| stroke(&item.outline, pen)) }
    }
}

/// A tile of a picture.
struct Canvas {
    pixels: Pixmap,
    area: Clip,
    /// The last clip, and its mask.
    mask: Option<(Clip, Mask)>,
}

impl Canvas {
    /// Draws the visible part of a shape.
    fn item(&mut self, item: &Item, seen: Clip, paths: &Paths) {
        match &item.outline {
            Outline::Triangles(triangles) => {
                triangles.iter().for_each(|triangle| self.triangle(triangle, seen));
                return;
            }
            Outline::Text(_) => {
                if let Some(path) = &paths.fill {
                    self.letters(path, item.fill, seen);
                }
                return;
            }
            _ => {}
        }
        if let Some(path) = &paths.fill {
            self.fill(path, FillRule::Winding, item.fill, item.clip);
        }
        if let (Some((path, rule)), Some(pen)) = (&paths.stroke, item.pen) {
            self.fill(path, *rule, pen.color, item.clip);
        }
    }

    fn fill(&mut self, path: &Path, rule: FillRule, color: Color32, clip: Option<Clip>) {
        let mut paint = Paint::default();
        let [r, g, b, a] = color.to_srgba_unmultiplied();
        paint.set_color_rgba8(r, g, b, a);
        paint.anti_alias = true;
        let shift = Transform::from_translate(-self.area.left as f32, -self.area.top as f32);
        let Some(clip) = clip.filter(|clip| !clip.holds(self.area)) else {
            self.pixels.fill_path(path, &paint, rule, shift, None);
            return;
        };
        if self.mask.as_ref().is_none_or(|(last, _)| *last != clip) {
            self.mask = mask(self.area, clip).map(|mask| (clip, mask));
        }
        let mask = self.mask.as_ref().map(|(_, mask)| mask);
        self.pixels.fill_path(path, &paint, rule, shift, mask);
    }

    /// Draws letters a little bolder than their outlines, as in a window, where light text on a dark ground needs it.
    fn letters(&mut self, path: &Path, color: Color32, area: Clip) {
        let (width, height) =
            ((area.right - area.left).max(0) as u32, (area.bottom - area.top).max(0) as u32);
        let Some(mut mask) = Mask::new(width, height) else { return };
        let shift = Transform::from_translate(-area.left as f32, -area.top as f32);
        mask.fill_path(path, FillRule::Winding, true, shift);
        for (y, row) in (area.top..).zip(mask.data().chunks_exact(width as usize)) {
            for (x, covered) in (area.left..).zip(row) {
                if *covered > 0 {
                    let c = u32::from(*covered);
                    self.blend(x, y, color, (2 * c * 255 - c * c + 127) / 255);
                }
            }
        }
    }

    /// Fills the pixels whose centres lie in the triangle. A pixel on a common edge of two triangles belongs to one of
    /// them.
    fn triangle(&mut self, corners: &[Vertex; 3], clip: Clip) {
        let [a, mut b, mut c] = *corners;
        let cross = |a: Point, b: Point, x: i64, y: i64| {
            let (ax, ay) = (i64::from(a.x), i64::from(a.y));
            (i64::from(b.x) - ax) * (y - ay) - (i64::from(b.y) - ay) * (x - ax)
        };
        let mut area = cross(a.at, b.at, i64::from(c.at.x), i64::from(c.at.y));
        if area < 0 {
            (b, c, area) = (c, b, -area);
        }
        if area == 0 {
            return;
        }
        let plain = a.color == b.color && b.color == c.color;
        // A pixel on an edge belongs to the triangle for which that is an upper or left edge.
        let owns = |a: Point, b: Point| i64::from(!(b.y < a.y || b.y == a.y && b.x > a.x));
        let edges = [(b.at, c.at), (c.at, a.at), (a.at, b.at)].map(|(from, to)| (from, to, owns(from, to)));
        let bounds = Outline::Triangles(vec![[a, b, c]]).bounds(0).within(clip);
        let colors = [a, b, c].map(|corner| corner.color.to_array().map(i64::from));
        for y in bounds.top..bounds.bottom {
            for x in bounds.left..bounds.right {
                let (at_x, at_y) = (i64::from(x * STEPS + STEPS / 2), i64::from(y * STEPS + STEPS / 2));
                let parts = edges.map(|(from, to, _)| cross(from, to, at_x, at_y));
                if parts.iter().zip(edges).any(|(part, (_, _, owned))| *part < owned) {
                    continue;
                }
                let color = if plain {
                    a.color
                } else {
                    let [r, g, b, a] = std::array::from_fn(|n| {
                        let sum: i64 = parts.iter().zip(colors).map(|(part, color)| part * color[n]).sum();
                        ((sum + area / 2) / area).clamp(0, 255) as u8
                    });
                    Color32::from_rgba_premultiplied(r, g, b, a)
                };
                self.blend(x, y, color, 255);
            }
        }
    }

    /// Blends a colour over a pixel with a coverage from 0 to 255.
    fn blend(&mut self, x: i32, y: i32, color: Color32, covered: u32) {
        let width = (self.area.right - self.area.left) as usize;
        let index = ((y - self.area.top) as usize * width + (x - self.area.left) as usize) * 4;
        let Some(pixel) = self.pixels.data_mut().get_mut(index..index + 4) else { return };
        let part = |value: u8, of: u32| (u32::from(value) * of + 127) / 255;
        let rest = 255 - part(color.a(), covered);
        for (under, over) in pixel.iter_mut().zip(color.to_array()) {
            *under = (part(over, covered) + part(*under, rest)).min(255) as u8;
        }
    }
}

fn opaque(color: Color32) -> Color {
    let [r, g, b, _] = color.to_array();
    Color::from_rgba8(r, g, b, 255)
}

fn mask(area: Clip, clip: Clip) -> Option<Mask> {
    let mut mask = Mask::new((area.right - area.left) as u32, (area.bottom - area.top) as u32)?;
    let edges = [clip.left - area.left, clip.top - area.top, clip.right - area.left, clip.bottom - area.top];
    let [left, top, right, bottom] = edges.map(|edge| edge as f32);
    let rect = Rect::from_ltrb(left, top, right, bottom)?;
    mask.fill_path(&PathBuilder::from_rect(rect), FillRule::Winding, false, Transform::identity());
    Some(mask)
}

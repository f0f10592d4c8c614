//! Outlines of texts: the same letters at the same places as egui sets them.
//!
//! egui's own glyph images come from a renderer whose results differ between machines. So texts are shaped again here,
//! with the same fonts in the same order, and their outlines are drawn like all other shapes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use egui::epaint::text::{ByteRangeExt, FontData, FontTweak, Galley, LayoutJob, Row};
use egui::{Color32, FontFamily, FontId, epaint::TextShape};
use harfrust::{BufferFlags, ShaperData, UnicodeBuffer};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, HintingInstance, OutlinePen, Target};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use unicode_segmentation::UnicodeSegmentation;

use super::shapes::{Point, Verb, steps};
use crate::theme;

/// Number of outlines kept at most; then all are dropped.
const REMEMBERED: usize = 4_096;

/// The interface's fonts, with cached outlines.
pub struct TextOutlines {
    faces: Vec<Face>,
    /// Faces of each family, in the order of preference.
    families: BTreeMap<FontFamily, Vec<usize>>,
    /// Outlines by face, glyph and bits of the size in pixels.
    outlines: BTreeMap<(usize, u32, u32), Arc<Vec<Part>>>,
    buffer: Option<UnicodeBuffer>,
}

impl fmt::Debug for TextOutlines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextOutlines").field("faces", &self.faces.len()).finish_non_exhaustive()
    }
}

struct Face {
    data: Arc<FontData>,
    shaper: ShaperData,
    /// Hinting instance for the size `fitted`.
    fitting: Option<HintingInstance>,
    fitted: f32,
    /// Known characters and whether the face has them.
    has: BTreeMap<char, bool>,
}

/// A part of a glyph's outline, in pixels from its origin on the base line.
#[derive(Debug, Clone, Copy)]
enum Part {
    Move(f32, f32),
    Line(f32, f32),
    Quad([f32; 4]),
    Cubic([f32; 6]),
    Close,
}

/// A glyph chosen by the shaper.
struct Shaped {
    face: usize,
    glyph: GlyphId,
    /// Index of its first character in the text.
    character: usize,
    /// Pixels to the right of the line's start, and below the base line.
    x: f32,
    y: f32,
}

impl Face {
    fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.data.bytes(), self.data.index).ok()
    }

    fn tweak(&self) -> &FontTweak {
        &self.data.tweak
    }

    fn has(&mut self, character: char) -> bool {
        if let Some(has) = self.has.get(&character) {
            return *has;
        }
        let glyph = self.font().and_then(|font| font.charmap().map(character));
        let has = glyph.is_some_and(|glyph| glyph != GlyphId::NOTDEF);
        self.has.insert(character, has);
        has
    }

    /// Outline of a glyph with a size of `size` pixels.
    fn outline(&mut self, glyph: GlyphId, size: f32) -> Vec<Part> {
        let mut pen = Parts(Vec::new());
        let data = Arc::clone(&self.data);
        let Ok(font) = FontRef::from_index(data.bytes(), data.index) else { return pen.0 };
        let outlines = font.outline_glyphs();
        let Some(outline) = outlines.get(glyph) else { return pen.0 };
        let (at, here) = (Size::new(size), LocationRef::default());
        let target: Target = data.tweak.hinting_target.into();
        let wants = data.tweak.hinting.unwrap_or(true);
        if wants && (self.fitting.is_none() || self.fitted != size) {
            self.fitting = HintingInstance::new(&outlines, at, here, target).ok();
            self.fitted = size;
        }
        let drawn = match self.fitting.as_ref().filter(|_| wants) {
            Some(fitting) => outline.draw(DrawSettings::hinted(fitting, false), &mut pen),
            None => outline.draw(DrawSettings::unhinted(at, here), &mut pen),
        };
        if drawn.is_err() {
            pen.0.clear();
        }
        pen.0
    }
}

impl Default for TextOutlines {
    fn default() -> TextOutlines {
        TextOutlines::new()
    }
}

impl TextOutlines {
    /// Outlines for the interface's fonts.
    pub fn new() -> TextOutlines {
        let fonts = theme::fonts();
        let mut numbers = BTreeMap::new();
        let mut faces = Vec::new();
        for (name, data) in fonts.font_data {
            let Ok(font) = FontRef::from_index(data.bytes(), data.index) else { continue };
            let shaper = ShaperData::new(&font);
            numbers.insert(name, faces.len());
            faces.push(Face { data, shaper, fitting: None, fitted: 0.0, has: BTreeMap::new() });
        }
        let chain = |names: Vec<String>| names.iter().filter_map(|name| numbers.get(name).copied()).collect();
        let families = fonts.families.into_iter().map(|(family, names)| (family, chain(names))).collect();
        TextOutlines { faces, families, outlines: BTreeMap::new(), buffer: None }
    }

    /// Outlines of a text, one for each of its colours. `scale` is the number of pixels in a point.
    pub fn outlines(&mut self, text: &TextShape, scale: f32) -> Vec<(Color32, Vec<Verb>)> {
        let mut found: Vec<(Color32, Vec<Verb>)> = Vec::new();
        if text.opacity_factor <= 0.0 {
            return found;
        }
        let round = |points: f32| (points * scale).round();
        let galley = &text.galley;
        let turn = (text.angle != 0.0).then(|| (libm::cosf(text.angle), libm::sinf(text.angle)));
        let corner = (round(text.pos.x), round(text.pos.y));
        let shaped = self.shape(galley, scale);
        let mut letters = shaped.iter().peekable();
        let mut index = 0;
        for row in &galley.rows {
            for (number, glyph) in row.glyphs.iter().enumerate() {
                while letters.peek().is_some_and(|letter| letter.character < index) {
                    letters.next();
                }
                let color = color_of(text, &row.row, number);
                let size = font_at(&galley.job, index).size;
                // The character that replaces the end of a cut text is not in the text itself.
                let replaced = galley.elided
                    && Some(glyph.chr) == galley.job.wrap.overflow_character
                    && galley.job.text.chars().nth(index) != Some(glyph.chr);
                let own;
                let of_glyph: &[Shaped] = if replaced {
                    own = self.single(galley, index, glyph.chr, scale);
                    &own
                } else {
                    &[]
                };
                let mut base = None;
                let mut place = |letters: &mut TextOutlines, letter: &Shaped| {
                    // A combining mark keeps the shaper's distance from its letter.
                    let base = *base.get_or_insert(letter.x);
                    let bin = bin(base, glyph.chr) + (letter.x - base);
                    let x = corner.0 + round(row.pos.x + glyph.pos.x) + bin;
                    let face = &letters.faces[letter.face];
                    let down =
                        face.tweak().y_offset_factor * size * face.tweak().scale + face.tweak().y_offset;
                    let y = corner.1 + round(row.pos.y + glyph.pos.y + down) + letter.y.round();
                    let outline = letters.outline(letter.face, letter.glyph, size * scale);
                    let verbs = match found.last_mut() {
                        Some((last, verbs)) if *last == color => verbs,
                        _ => &mut found.push_mut((color, Vec::new())).1,
                    };
                    put(verbs, &outline, |dx, dy| {
                        let (x, y) = (x + dx, y + dy);
                        match turn {
                            None => (x, y),
                            Some((cos, sin)) => {
                                let (dx, dy) = (x - corner.0, y - corner.1);
                                (corner.0 + dx * cos - dy * sin, corner.1 + dx * sin + dy * cos)
                            }
                        }
                    });
                };
                for letter in of_glyph {
                    place(self, letter);
                }
                while let Some(letter) = letters.next_if(|letter| letter.character == index) {
                    if !replaced {
                        place(self, letter);
                    }
                }
                index += 1;
            }
            index += usize::from(row.ends_with_newline);
        }
        found.retain(|(_, verbs)| !verbs.is_empty());
        found
    }

    /// Shaped glyphs of a text.
    fn shape(&mut self, galley: &Galley, scale: f32) -> Vec<Shaped> {
        let job = &galley.job;
        let mut shaped = Vec::new();
        let mut x = 0.0;
        for section in &job.sections {
            let bytes = section.byte_range.as_usize();
            let Some(text) = job.text.get(bytes.clone()) else { continue };
            let before = job.text[..bytes.start].chars().count();
            x += section.leading_space * scale;
            let font = &section.format.font_id;
            let spacing = section.format.extra_letter_spacing * scale;
            let mut start = 0;
            for line in text.split_inclusive('\n') {
                let bare = line.strip_suffix('\n').unwrap_or(line);
                let first = before + text[..start].chars().count();
                x = self.shape_line(bare, font, scale, (first, x, spacing), &mut shaped);
                start += line.len();
                if bare.len() < line.len() {
                    x = 0.0;
                }
            }
        }
        shaped
    }

    /// Shapes a text without line feeds; returns the x position after it.
    fn shape_line(
        &mut self,
        text: &str,
        font: &FontId,
        scale: f32,
        (first, mut x, spacing): (usize, f32, f32),
        shaped: &mut Vec<Shaped>,
    ) -> f32 {
        let runs = self.runs(text, &font.family);
        let last = runs.len().saturating_sub(1);
        for (number, (index, range)) in runs.iter().enumerate() {
            let run = &text[range.clone()];
            let face = &self.faces[*index];
            let Some(font_ref) = face.font() else { continue };
            let units = f32::from(font_ref.metrics(Size::unscaled(), LocationRef::default()).units_per_em);
            let pixels = font.size * face.tweak().scale * scale / units;
            let space = font_ref.charmap().map(' ').and_then(|space| {
                font_ref.glyph_metrics(Size::unscaled(), LocationRef::default()).advance_width(space)
            });
            let mut flags = BufferFlags::empty();
            if number == 0 {
                flags |= BufferFlags::BEGINNING_OF_TEXT;
            }
            if number == last {
                flags |= BufferFlags::END_OF_TEXT;
            }
            let mut buffer = self.buffer.take().unwrap_or_default();
            buffer.set_flags(flags);
            buffer.push_str(run);
            buffer.guess_segment_properties();
            let shaper = face.shaper.shaper(&font_ref).build();
            let glyphs = shaper.shape(buffer, harfrust::ShapeOptions::new());
            let mut cluster = None;
            for (info, position) in glyphs.glyph_infos().iter().zip(glyphs.glyph_positions()) {
                let at = info.cluster as usize;
                let character =
                    run.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER);
                if cluster.is_some_and(|last| last != info.cluster) || cluster.is_none() && !shaped.is_empty()
                {
                    x += spacing;
                }
                cluster = Some(info.cluster);
                let width = match character {
                    '\t' => face.tweak().tab_size * space.unwrap_or_default(),
                    '\u{2009}' | '\u{202f}' => face.tweak().thin_space_width * space.unwrap_or_default(),
                    _ => position.x_advance as f32,
                };
                let blank = matches!(character, '\t' | '\u{2009}' | '\u{202f}');
                if !blank {
                    shaped.push(Shaped {
                        face: *index,
                        glyph: GlyphId::new(info.glyph_id),
                        character: first + text[..range.start + at].chars().count(),
                        x: x + position.x_offset as f32 * pixels,
                        y: -(position.y_offset as f32 * pixels),
                    });
                }
                x += width * pixels;
            }
            self.buffer = Some(glyphs.clear());
        }
        x
    }

    /// Assigns parts of a text to faces: the family's first one with the part's first character, else the family's
    /// first.
    fn runs(&mut self, text: &str, family: &FontFamily) -> Vec<(usize, std::ops::Range<usize>)> {
        let chain = self.families.get(family).cloned().unwrap_or_default();
        let mut runs: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
        for (start, cluster) in text.grapheme_indices(true) {
            let base = cluster.chars().next().unwrap_or(' ');
            // These characters are set as spaces.
            let base = if matches!(base, '\t' | '\u{2009}' | '\u{202f}') { ' ' } else { base };
            let owner = chain.iter().copied().find(|face| self.faces[*face].has(base));
            let Some(face) = owner.or(chain.first().copied()) else { continue };
            let end = start + cluster.len();
            match runs.last_mut() {
                Some((last, range)) if *last == face => range.end = end,
                _ => runs.push((face, start..end)),
            }
        }
        runs
    }

    /// One character that is not in the text, shaped in the font at `index`.
    fn single(&mut self, galley: &Galley, index: usize, character: char, scale: f32) -> Vec<Shaped> {
        let font = font_at(&galley.job, index);
        let mut shaped = Vec::new();
        let text = character.to_string();
        self.shape_line(&text, &font, scale, (index, 0.0, 0.0), &mut shaped);
        shaped
    }

    fn outline(&mut self, face: usize, glyph: GlyphId, size: f32) -> Arc<Vec<Part>> {
        let size = size * self.faces[face].tweak().scale;
        let key = (face, glyph.to_u32(), size.to_bits());
        if let Some(outline) = self.outlines.get(&key) {
            return Arc::clone(outline);
        }
        if self.outlines.len() >= REMEMBERED {
            self.outlines.clear();
        }
        let outline = Arc::new(self.faces[face].outline(glyph, size));
        self.outlines.insert(key, Arc::clone(&outline));
        outline
    }
}

/// Subpixel offset of a glyph: a multiple of a quarter of a pixel; none for Chinese and Japanese characters.
fn bin(x: f32, character: char) -> f32 {
    let wide = matches!(u32::from(character), 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0x2b740..=0x2b81f);
    if wide { 0.0 } else { ((x - x.floor()) * 4.0).round() % 4.0 / 4.0 }
}

/// Font at a character of a text; after the end, that of the last section.
fn font_at(job: &LayoutJob, index: usize) -> FontId {
    let byte = job.text.char_indices().nth(index).map_or(job.text.len(), |(byte, _)| byte);
    let section = job.sections.iter().find(|section| section.byte_range.as_usize().contains(&byte));
    section.or(job.sections.last()).map(|section| section.format.font_id.clone()).unwrap_or_default()
}

/// Visible colour of a glyph.
fn color_of(text: &TextShape, row: &Row, number: usize) -> Color32 {
    let vertex = row.glyphs.get(number).map(|glyph| glyph.first_vertex as usize);
    let own = vertex.and_then(|vertex| row.visuals.mesh.vertices.get(vertex)).map(|vertex| vertex.color);
    let color = match (text.override_text_color, own) {
        (Some(color), _) => color,
        (None, Some(color)) if color != Color32::PLACEHOLDER => color,
        _ => text.fallback_color,
    };
    if text.opacity_factor < 1.0 { color.gamma_multiply(text.opacity_factor) } else { color }
}

/// Adds an outline; `place` maps its points to pixels.
fn put(verbs: &mut Vec<Verb>, outline: &[Part], place: impl Fn(f32, f32) -> (f32, f32)) {
    let point = |x: f32, y: f32| {
        let (x, y) = place(x, y);
        Point { x: steps(x), y: steps(y) }
    };
    for part in outline {
        verbs.push(match *part {
            Part::Move(x, y) => Verb::Move(point(x, y)),
            Part::Line(x, y) => Verb::Line(point(x, y)),
            Part::Quad([a, b, x, y]) => Verb::Quad(point(a, b), point(x, y)),
            Part::Cubic([a, b, c, d, x, y]) => Verb::Cubic(point(a, b), point(c, d), point(x, y)),
            Part::Close => Verb::Close,
        });
    }
}

/// Collects an outline from a font, whose y axis points up.
struct Parts(Vec<Part>);

impl OutlinePen for Parts {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Part::Move(x, -y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Part::Line(x, -y));
    }

    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        self.0.push(Part::Quad([a, -b, x, -y]));
    }

    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        self.0.push(Part::Cubic([a, -b, c, -d, x, -y]));
    }

    fn close(&mut self) {
        self.0.push(Part::Close);
    }
}

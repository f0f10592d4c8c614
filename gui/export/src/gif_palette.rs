//! The palette of a GIF: one set of 255 colours for all frames, so that nothing flickers.

use std::collections::BTreeMap;

/// The number of colours in the palette. One number is left for "as before".
const COLORS: usize = 255;
/// The number of most frequent colours that are kept exactly: backgrounds, cells and pieces.
const EXACT: usize = 120;
/// The maximum number of different colours that are counted. Any more could not be distinguished in the palette anyway.
const COUNTED: usize = 100_000;
/// The number of slots for recent look-ups.
const SLOTS: usize = 1 << 14;

type Rgb = [u8; 3];

/// How often each colour occurs in some frames.
#[derive(Debug, Default)]
pub(super) struct ColorCounts(BTreeMap<Rgb, u64>);

impl ColorCounts {
    /// Counts the colours of some pixels.
    pub(super) fn add(&mut self, rgb: &[u8]) {
        let mut rest = rgb.as_chunks::<3>().0;
        while let Some(color) = rest.first() {
            let run = rest.iter().take_while(|next| *next == color).count();
            if self.0.len() < COUNTED || self.0.contains_key(color) {
                *self.0.entry(*color).or_default() += run as u64;
            }
            rest = &rest[run..];
        }
    }

    /// Chooses the palette that represents the counted colours best.
    pub(super) fn palette(self) -> GifPalette {
        let mut counted: Vec<(Rgb, u64)> = self.0.into_iter().collect();
        counted.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
        let rest = counted.split_off(counted.len().min(EXACT));
        let mut colors: Vec<Rgb> = counted.into_iter().map(|(color, _)| color).collect();
        colors.extend(cut(rest, COLORS - EXACT));
        if colors.is_empty() {
            colors.push([0; 3]);
        }
        GifPalette { colors, slots: vec![None; SLOTS] }
    }
}

/// Divides a set of colours at its widest channel, until there are `wanted` sets. Returns the average of each.
fn cut(colors: Vec<(Rgb, u64)>, wanted: usize) -> Vec<Rgb> {
    // The spread of a set grows with its width and with its number of pixels. The set with the largest spread is divided first.
    let spread = |set: &Vec<(Rgb, u64)>| {
        let (_, width) = widest(set);
        let weight: u64 = set.iter().map(|(_, count)| count).sum();
        u64::from(width) * u64::from(width) * u64::from(weight.max(1).ilog2().max(1))
    };
    let mut sets = vec![(spread(&colors), colors)];
    sets.retain(|(_, set)| !set.is_empty());
    while sets.len() < wanted {
        let most =
            sets.iter().enumerate().max_by_key(|(index, (spread, _))| (*spread, std::cmp::Reverse(*index)));
        let Some(index) = most.filter(|(_, (_, set))| set.len() > 1).map(|(index, _)| index) else { break };
        let (_, mut set) = sets.swap_remove(index);
        let (channel, _) = widest(&set);
        set.sort_by_key(|(color, _)| (color[channel], *color));
        let (low, high) = (set[0].0[channel], set[set.len() - 1].0[channel]);
        let middle = u8::midpoint(low, high);
        let at = set.partition_point(|(color, _)| color[channel] <= middle).clamp(1, set.len() - 1);
        let upper = set.split_off(at);
        sets.extend([set, upper].map(|set| (spread(&set), set)));
    }
    let middle = |set: &Vec<(Rgb, u64)>| -> Rgb {
        let weight: u64 = set.iter().map(|(_, count)| count).sum::<u64>().max(1);
        std::array::from_fn(|n| {
            let sum: u64 = set.iter().map(|(color, count)| u64::from(color[n]) * count).sum();
            ((sum + weight / 2) / weight) as u8
        })
    };
    sets.iter().map(|(_, set)| middle(set)).collect()
}

/// The channel in which the colours differ most, and the size of the difference.
fn widest(set: &[(Rgb, u64)]) -> (usize, u8) {
    let width = |n: usize| {
        let values = || set.iter().map(|(color, _)| color[n]);
        values().max().unwrap_or(0) - values().min().unwrap_or(0)
    };
    (0..3).map(|n| (n, width(n))).max_by_key(|(n, width)| (*width, std::cmp::Reverse(*n))).unwrap_or((0, 0))
}

/// A palette: a set of colours with their numbers.
#[derive(Debug)]
pub(super) struct GifPalette {
    colors: Vec<Rgb>,
    /// The recent look-ups.
    slots: Vec<Option<(Rgb, u8)>>,
}

impl GifPalette {
    /// The number that stands for no colour: the pixel of the frame before stays.
    pub(super) const AS_BEFORE: u8 = COLORS as u8;

    /// The colours, three bytes each, and one more for [`AS_BEFORE`](Self::AS_BEFORE).
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.concat();
        bytes.resize((COLORS + 1) * 3, 0);
        bytes
    }

    /// Adds pixels as the numbers of their colours.
    pub(super) fn add_numbers(&mut self, rgb: &[u8], pixels: &mut Vec<u8>) {
        let mut last = None;
        pixels.extend(rgb.as_chunks::<3>().0.iter().map(|color| match last {
            Some((known, number)) if known == *color => number,
            _ => {
                let number = self.number(*color);
                last = Some((*color, number));
                number
            }
        }));
    }

    fn number(&mut self, color: Rgb) -> u8 {
        let [r, g, b] = color.map(usize::from);
        let slot = (r * 7_919 + g * 104_729 + b * 1_299_709) % SLOTS;
        if let Some((known, number)) = self.slots[slot]
            && known == color
        {
            return number;
        }
        let apart = |other: &Rgb| -> u32 {
            let parts = color.iter().zip(other).zip([3, 6, 1]);
            parts.map(|((a, b), weight)| u32::from(a.abs_diff(*b)).pow(2) * weight).sum()
        };
        let nearest = (0..).zip(&self.colors).min_by_key(|(_, other)| apart(other));
        let number = nearest.map_or(0, |(number, _)| number);
        self.slots[slot] = Some((color, number));
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of these colours in the palette made of them, and the bytes of that palette.
    fn numbered(colors: &[Rgb]) -> (Vec<u8>, Vec<u8>) {
        let mut census = ColorCounts::default();
        census.add(&colors.concat());
        let (mut palette, mut numbers) = (census.palette(), Vec::new());
        palette.add_numbers(&colors.concat(), &mut numbers);
        (numbers, palette.bytes())
    }

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let colors: Vec<Rgb> = (0..200).map(|n| [n, 255 - n, n / 2]).collect();
        let (numbers, bytes) = numbered(&colors);
        for (color, number) in colors.iter().zip(numbers) {
            assert_eq!(&bytes[usize::from(number) * 3..][..3], color);
        }
        assert_eq!(bytes.len(), 768);
    }

    #[test]
    fn of_many_colours_each_has_one_that_is_near() {
        let colors: Vec<Rgb> = (0..40_000_u32)
            .map(|n| [(n % 32 * 8) as u8, (n / 32 % 32 * 8) as u8, (n / 1024 * 6) as u8])
            .collect();
        let (numbers, bytes) = numbered(&colors);
        for (color, number) in colors.iter().zip(numbers) {
            assert!(number < GifPalette::AS_BEFORE);
            let near = &bytes[usize::from(number) * 3..][..3];
            assert!(color.iter().zip(near).all(|(a, b)| a.abs_diff(*b) <= 64), "{color:?} {near:?}");
        }
    }
}

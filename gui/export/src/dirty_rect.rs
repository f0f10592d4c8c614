//! The rectangle in which two frames differ, for the animated formats.

use grandstand_board::pixels::shapes::Clip;

/// A part of a frame, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DirtyRect {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// The smallest rectangle that contains all differences between two frames. `width` is the width of the frames, `depth` the number
/// of bytes in a pixel. The result is `None` when the frames are equal.
pub(super) fn changed(before: &[u8], now: &[u8], width: u32, depth: usize) -> Option<DirtyRect> {
    let line = width as usize * depth;
    let height = (now.len() / line) as u32;
    let rows = || before.chunks_exact(line).zip(now.chunks_exact(line));
    let top = rows().position(|(a, b)| a != b)? as u32;
    let bottom = height - rows().rev().position(|(a, b)| a != b)? as u32;
    let (mut left, mut right) = (line, 0);
    for (a, b) in rows().skip(top as usize).take((bottom - top) as usize) {
        let pairs = || a.iter().zip(b);
        if let Some(first) = pairs().position(|(a, b)| a != b) {
            left = left.min(first);
        }
        if let Some(last) = pairs().rev().position(|(a, b)| a != b) {
            right = right.max(line - last);
        }
    }
    let (left, right) = ((left / depth) as u32, right.div_ceil(depth) as u32);
    Some(DirtyRect { left, top, width: right - left, height: bottom - top })
}

impl From<Clip> for DirtyRect {
    /// The part of the clip that lies within a frame. Its right and bottom edges must be within the frame.
    fn from(clip: Clip) -> DirtyRect {
        let [left, top] = [clip.left, clip.top].map(|edge| edge.max(0) as u32);
        DirtyRect { left, top, width: clip.right as u32 - left, height: clip.bottom as u32 - top }
    }
}

impl DirtyRect {
    /// Cuts this part out of a frame with the given width and number of bytes in a pixel.
    pub(super) fn cut(self, frame: &[u8], width: u32, depth: usize) -> Vec<u8> {
        let line = width as usize * depth;
        let (from, to) = (self.left as usize * depth, (self.left + self.width) as usize * depth);
        let mut cut = Vec::with_capacity(self.height as usize * (to - from));
        for row in frame.chunks_exact(line).skip(self.top as usize).take(self.height as usize) {
            cut.extend_from_slice(&row[from..to]);
        }
        cut
    }

    /// The smallest rectangle that contains both.
    pub(super) fn around(self, other: DirtyRect) -> DirtyRect {
        let (left, top) = (self.left.min(other.left), self.top.min(other.top));
        let right = (self.left + self.width).max(other.left + other.width);
        let bottom = (self.top + self.height).max(other.top + other.height);
        DirtyRect { left, top, width: right - left, height: bottom - top }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_the_smallest_rectangle_around_it() {
        let before = [0; 5 * 4 * 3];
        assert_eq!(changed(&before, &before, 5, 3), None);
        // The green of (3, 1) and the blue of (1, 2).
        let mut now = before;
        (now[(5 + 3) * 3 + 1], now[(2 * 5 + 1) * 3 + 2]) = (1, 2);
        let rect = DirtyRect { left: 1, top: 1, width: 3, height: 2 };
        assert_eq!(changed(&before, &now, 5, 3), Some(rect));
        assert_eq!(rect.cut(&now, 5, 3), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
        let other = DirtyRect { left: 0, top: 2, width: 2, height: 2 };
        assert_eq!(rect.around(other), DirtyRect { left: 0, top: 1, width: 4, height: 3 });
    }
}

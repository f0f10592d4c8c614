//! What of a frame is not as it was: a rectangle, as the formats of moving pictures want it.

use super::shapes::Clip;

/// A part of a frame, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// The smallest rectangle in which two frames differ that are so wide, and whose pixels have so many bytes; `None` when they
/// are equal.
fn changed(before: &[u8], now: &[u8], width: u32, depth: usize) -> Option<Rect> {
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
    Some(Rect { left, top, width: right - left, height: bottom - top })
}

/// The frame that is seen, and what a new one changes of it.
#[derive(Debug)]
pub(super) struct Screen {
    pub bytes: Vec<u8>,
    width: u32,
    /// Bytes of a pixel.
    depth: usize,
}

/// What changes: where, what stands there now, and what stood there before, nothing at first.
pub(super) struct Change {
    pub rect: Rect,
    pub now: Vec<u8>,
    pub before: Vec<u8>,
}

impl Screen {
    pub(super) fn new(width: u32, depth: usize) -> Screen {
        Screen { bytes: Vec::new(), width, depth }
    }

    /// Takes a part of a frame, outside of which nothing changes; at first all of it. `None` when nothing changes there either.
    pub(super) fn take(&mut self, part: Rect, bytes: Vec<u8>) -> Option<Change> {
        if self.bytes.is_empty() {
            self.bytes.clone_from(&bytes);
            return Some(Change { rect: part, now: bytes, before: Vec::new() });
        }
        let before = part.cut(&self.bytes, self.width, self.depth);
        let inner = changed(&before, &bytes, part.width, self.depth)?;
        let (now, before) =
            (inner.cut(&bytes, part.width, self.depth), inner.cut(&before, part.width, self.depth));
        let rect = Rect { left: part.left + inner.left, top: part.top + inner.top, ..inner };
        let line = rect.width as usize * self.depth;
        for (y, row) in (rect.top as usize..).zip(now.chunks_exact(line)) {
            let at = (y * self.width as usize + rect.left as usize) * self.depth;
            self.bytes[at..at + line].copy_from_slice(row);
        }
        Some(Change { rect, now, before })
    }
}

impl From<Clip> for Rect {
    /// Of what lies within a frame.
    fn from(clip: Clip) -> Rect {
        let [left, top] = [clip.left, clip.top].map(|edge| edge.max(0) as u32);
        Rect { left, top, width: clip.right as u32 - left, height: clip.bottom as u32 - top }
    }
}

impl Rect {
    /// This part of a frame that is so wide and whose pixels have so many bytes.
    pub(super) fn cut(self, frame: &[u8], width: u32, depth: usize) -> Vec<u8> {
        let line = width as usize * depth;
        let (from, to) = (self.left as usize * depth, (self.left + self.width) as usize * depth);
        let rows = frame.chunks_exact(line).skip(self.top as usize).take(self.height as usize);
        rows.flat_map(|row| &row[from..to]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_in_it() {
        let all = Rect { left: 0, top: 0, width: 5, height: 4 };
        let mut screen = Screen::new(5, 3);
        let first = screen.take(all, vec![0; 5 * 4 * 3]).expect("all of it");
        assert_eq!((first.rect, first.before.len()), (all, 0));
        assert!(screen.take(all, vec![0; 5 * 4 * 3]).is_none());
        // The green of (3, 1) and the blue of (1, 2), in a part from (1, 1) on.
        let part = Rect { left: 1, top: 1, width: 4, height: 3 };
        let mut now = vec![0; 4 * 3 * 3];
        (now[2 * 3 + 1], now[4 * 3 + 2]) = (1, 2);
        let change = screen.take(part, now).expect("a change");
        assert_eq!(change.rect, Rect { left: 1, top: 1, width: 3, height: 2 });
        assert_eq!(change.now, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(change.before, [0; 18]);
        assert_eq!((screen.bytes[(5 + 3) * 3 + 1], screen.bytes[(2 * 5 + 1) * 3 + 2]), (1, 2));
    }
}

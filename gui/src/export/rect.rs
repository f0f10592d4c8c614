//! What of a frame is not as it was: a rectangle, as the formats of moving pictures want it.

/// A part of a frame, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// The smallest rectangle in which two frames differ, whose pixels have so many bytes; `None` when they are equal. From a frame
/// that is not there, everything differs.
pub(super) fn changed(before: &[u8], now: &[u8], width: u32, depth: usize) -> Option<Rect> {
    let line = width as usize * depth;
    let height = (now.len() / line) as u32;
    if before.len() != now.len() {
        return Some(Rect { left: 0, top: 0, width, height });
    }
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
        let before = vec![0; 5 * 4 * 3];
        assert_eq!(changed(&before, &before, 5, 3), None);
        assert_eq!(changed(&[], &before, 5, 3), Some(Rect { left: 0, top: 0, width: 5, height: 4 }));
        let mut now = before.clone();
        // The green of (3, 1) and the blue of (1, 2).
        (now[(5 + 3) * 3 + 1], now[(2 * 5 + 1) * 3 + 2]) = (1, 2);
        let rect = changed(&before, &now, 5, 3).expect("a change");
        assert_eq!(rect, Rect { left: 1, top: 1, width: 3, height: 2 });
        let cut = rect.cut(&now, 5, 3);
        assert_eq!(cut, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0]);
    }
}

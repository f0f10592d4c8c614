//! Size of a picture, in pixels.

use std::fmt;
use std::str::FromStr;

/// Least width and height of a picture, in pixels.
pub const SIDE_MIN: u32 = 64;
/// Largest width and height of a picture of a moment, in pixels.
pub const SIDE_MAX: u32 = 4_096;

/// A text that is not a size, or a size beyond the limits.
#[derive(Debug, thiserror::Error)]
#[error("size `{0}`: expected WIDTHxHEIGHT in pixels, each from {SIDE_MIN} to {SIDE_MAX}: 1280x720")]
pub struct SizeError(String);

/// Size of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}

impl Size {
    /// A size within the limits.
    ///
    /// # Errors
    /// [`SizeError`] if a side is less than [`SIDE_MIN`] or more than [`SIDE_MAX`].
    pub fn new(width: u32, height: u32) -> Result<Size, SizeError> {
        let fits = |side| (SIDE_MIN..=SIDE_MAX).contains(&side);
        let size = Size { width, height };
        if fits(width) && fits(height) { Ok(size) } else { Err(SizeError(size.to_string())) }
    }
}

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let error = || SizeError(text.chars().take(40).collect());
        let (width, height) = text.trim().split_once(['x', 'X', '×']).ok_or_else(error)?;
        let side = |text: &str| text.parse::<u32>().ok().ok_or_else(error);
        Size::new(side(width)?, side(height)?).ok().ok_or_else(error)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

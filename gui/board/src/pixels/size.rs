//! Size of a picture, in pixels.

use std::fmt;
use std::str::FromStr;

/// The smallest picture, in pixels each way: on a smaller one nothing is told apart.
pub const SIDE_MIN: u32 = 64;
/// The largest picture of a moment, in pixels each way.
pub const SIDE_MAX: u32 = 4_096;

/// A size that is none, or one that is not made.
#[derive(Debug, thiserror::Error)]
#[error("size `{0}`: expected WIDTHxHEIGHT in pixels, each from {SIDE_MIN} to {SIDE_MAX}: 1280x720")]
pub struct SizeError(String);

/// How large a picture is, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How many columns it has.
    pub width: u32,
    /// How many rows it has.
    pub height: u32,
}

impl Size {
    /// A picture of so many pixels.
    ///
    /// # Errors
    /// [`SizeError`] when that is less than [`SIDE_MIN`] or more than [`SIDE_MAX`] either way.
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

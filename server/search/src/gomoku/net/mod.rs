//! A small net that corrects the evaluation in freestyle.
//!
//! For each empty point and direction the four cells on either side are a window ([`windows`]), and each window has [`CHANNELS`] numbers.
//! The numbers of a point's four windows are added, clipped between 0 and 1 and summed over the board, once as black sees the
//! windows and once as white does ([`accumulator`]). Both sums, the threat flags and the evaluation go through two layers of clipped
//! neurons ([`layers`]). A mirrored or rotated position therefore has the same value.
//!
//! `benches/tune` fits the weights (`net`).

pub(super) mod accumulator;
pub(super) mod layers;
#[cfg(test)]
mod tests;
pub(super) mod windows;

use std::sync::OnceLock;

use self::layers::Layers;
use self::windows::{REACH, WINDOWS};

/// The numbers of a window.
pub(super) const CHANNELS: usize = 16;
/// The numbers of a window in both colours' views.
const BOTH: usize = 2 * CHANNELS;
/// The value 1 in the numbers of a window.
pub(super) const ONE: i16 = 127;
/// The first bytes of a file of weights; the digit is its version.
const MAGIC: &[u8; 8] = b"windows1";

/// The numbers of a window or point as black sees it, then as white does; one line of a processor's cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Row([i16; BOTH]);

impl Default for Row {
    fn default() -> Row {
        Row([0; BOTH])
    }
}

/// The weights of a net.
#[derive(Debug)]
pub(super) struct Net {
    /// The numbers of each window, in units of 1 / [`ONE`].
    rows: Vec<Row>,
    layers: Layers,
}

/// A fault of a file of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NetError {
    /// It doesn't begin as such a file does.
    #[error("not a file of weights of this version")]
    Magic,
    /// It is too short or too long.
    #[error("{found} bytes of weights instead of {expected}")]
    Length { expected: usize, found: usize },
}

impl Net {
    /// The net for freestyle; read once.
    pub(super) fn freestyle() -> &'static Net {
        static NET: OnceLock<Net> = OnceLock::new();
        NET.get_or_init(|| {
            Net::parse(include_bytes!("../fitted/freestyle.net"))
                .expect("the weights that belong to this program")
        })
    }

    /// Reads a file of weights: [`MAGIC`], the numbers of the windows as signed bytes, then the layers as signed 16-bit
    /// integers, the lower byte first.
    ///
    /// # Errors
    /// [`NetError`]: these are no weights of this form.
    pub(super) fn parse(bytes: &[u8]) -> Result<Net, NetError> {
        let bytes = bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?;
        let expected = WINDOWS * CHANNELS + Layers::BYTES;
        if bytes.len() != expected {
            return Err(NetError::Length { expected, found: bytes.len() });
        }
        let (windows, layers) = bytes.split_at(WINDOWS * CHANNELS);
        let (windows, _) = windows.as_chunks::<CHANNELS>();
        let numbers = windows::numbers();
        let row = |[black, white]: [u64; 2]| {
            let index = windows::index(black, white, REACH);
            let views = [index, windows::exchanged(index)].map(|seen| windows[usize::from(numbers[seen])]);
            Row(std::array::from_fn(|number| i16::from(views.as_flattened()[number] as i8)))
        };
        let rows = windows::all().map(row).collect();
        let (layers, _) = layers.as_chunks::<2>();
        let mut numbers = layers.iter().map(|&pair| i16::from_le_bytes(pair));
        Ok(Net { rows, layers: Layers::read(&mut || numbers.next().unwrap_or(0)) })
    }
}

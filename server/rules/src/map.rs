//! Faults of a map, and their locations.

use std::fmt;

/// One fault of a map. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct MapFault {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// The fault, and what was expected.
    pub reason: String,
}

/// The text of the shipped map of that name, with or without the extension.
pub(crate) fn shipped_text(
    shipped: &[(&str, &'static str)],
    name: &str,
    extension: &str,
) -> Option<&'static str> {
    let name = name.strip_suffix(extension).unwrap_or(name);
    shipped.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

/// The maximal size of a map's text in bytes.
pub const MAP_MAX_BYTES: usize = 65_536;

/// The most faults of a map that are kept; further ones are only counted.
pub const FAULTS_MAX: usize = 20;

/// All faults of a map, in the order of their discovery. As text it is one line for each fault.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapFaults {
    faults: Vec<MapFault>,
    more: usize,
}

impl MapFaults {
    /// The faults, at most [`FAULTS_MAX`] of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &MapFault> {
        self.faults.iter()
    }

    /// The number of further faults.
    pub fn more(&self) -> usize {
        self.more
    }

    /// Whether there are no faults.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    pub(crate) fn push(&mut self, line: usize, column: usize, reason: impl Into<String>) {
        if self.faults.len() < FAULTS_MAX {
            self.faults.push(MapFault { line, column, reason: reason.into() });
        } else {
            self.more += 1;
        }
    }
}

impl FromIterator<MapFault> for MapFaults {
    fn from_iter<I: IntoIterator<Item = MapFault>>(faults: I) -> Self {
        let mut all = Self::default();
        faults.into_iter().for_each(|fault| all.push(fault.line, fault.column, fault.reason));
        all
    }
}

impl fmt::Display for MapFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let end = if index > 0 { "\n" } else { "" };
            write!(f, "{end}{fault}")?;
        }
        if self.more > 0 { write!(f, "\nand {} more", self.more) } else { Ok(()) }
    }
}

impl std::error::Error for MapFaults {}

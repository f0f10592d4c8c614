//! The boards: one module a game, each a painter that looks at nothing but a scene.

pub(crate) mod abalone;
pub(crate) mod grid;
pub(crate) mod motion;

/// What the viewer has chosen to see on boards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Row letters and diagonals.
    pub coordinates: bool,
}

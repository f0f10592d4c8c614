//! Markers and overlays: what a game server may say about its match besides drawing it.

use serde::{Deserialize, Serialize};

use crate::color::Color;
use crate::game::Game;
use crate::text::Label;

/// A named moment of a match, for the timeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Marker {
    /// What the timeline shows.
    pub label: Label,
    /// What sort of moment it is, as a word that a spectator may filter by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Label>,
    /// The team that it concerns, by the dialect's name for it (`black`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Label>,
}

/// How many marks one overlay may have.
pub const MARKS_MAX: usize = 64;

/// What one author draws over the board: plans, targets, threats. A new overlay of the same team and author replaces
/// the old one; one without marks clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Overlay {
    /// The team, by the dialect's name for it (`black`); empty when it is nobody's.
    pub team: Label,
    /// Which bot of the team, in whatever way the game tells them apart; empty for the team as a whole.
    pub by: Label,
    marks: Vec<Mark>,
}

/// One thing that an overlay draws. Places are written as the game writes them (`B-2`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "lowercase")]
pub enum Mark {
    /// A spot.
    Dot {
        /// Where.
        at: Label,
        /// Its colour; without one the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
    /// An arrow.
    Arrow {
        /// Where it begins.
        from: Label,
        /// Where it points.
        to: Label,
        /// Its colour; without one the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
    /// A few words.
    Text {
        /// Where.
        at: Label,
        /// The words.
        text: Label,
        /// Their colour; without one the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
}

impl Mark {
    /// The names of its places.
    pub fn places(&self) -> impl Iterator<Item = &Label> {
        let places = match self {
            Mark::Dot { at, .. } | Mark::Text { at, .. } => [Some(at), None],
            Mark::Arrow { from, to, .. } => [Some(from), Some(to)],
        };
        places.into_iter().flatten()
    }
}

/// More than [`MARKS_MAX`] marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an overlay has at most {MARKS_MAX} marks, this one has {0}")]
pub struct OverlayError(usize);

impl Overlay {
    /// An overlay with these marks.
    ///
    /// # Errors
    /// [`OverlayError`] for more than [`MARKS_MAX`] marks.
    pub fn new(
        team: impl Into<Label>,
        by: impl Into<Label>,
        marks: Vec<Mark>,
    ) -> Result<Overlay, OverlayError> {
        let (team, by) = (team.into(), by.into());
        if marks.len() > MARKS_MAX { Err(OverlayError(marks.len())) } else { Ok(Overlay { team, by, marks }) }
    }

    /// What it draws, in order.
    #[must_use]
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Every place must be one of the game's; the error says which is not.
    pub(crate) fn check_places(&self, game: Game) -> Result<(), String> {
        match self.marks.iter().flat_map(Mark::places).find(|place| !game.is_place(place)) {
            Some(place) => Err(format!("an overlay whose places are on {game}'s board, not `{place}`")),
            None => Ok(()),
        }
    }
}

#[derive(Deserialize)]
struct Raw {
    #[serde(default)]
    team: Label,
    #[serde(default)]
    by: Label,
    marks: Vec<Mark>,
}

impl TryFrom<Raw> for Overlay {
    type Error = OverlayError;

    fn try_from(raw: Raw) -> Result<Overlay, OverlayError> {
        Overlay::new(raw.team, raw.by, raw.marks)
    }
}

//! Markers and overlays: a game server's notes about its match besides the drawing, and the overlays of a scene.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::color::Color;
use crate::text::Label;

/// A named moment of a match, for the timeline.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Marker {
    /// The text on the timeline.
    pub label: Label,
    /// The kind of moment, as a word that a spectator may filter by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Label>,
    /// The team of the moment, by the dialect's name for it (`black`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<Label>,
}

/// The most marks that one overlay may have.
pub const MARKS_MAX: usize = 64;

/// One author's drawing over the board: plans, targets, threats. A new overlay of the same team and author replaces
/// the old one; an overlay without marks clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Overlay {
    /// The team, by the dialect's name for it (`black`); empty for an overlay of no team.
    pub team: Label,
    /// The bot of the team, by the game's own way to tell bots apart; empty for the team as a whole.
    pub by: Label,
    marks: Vec<Mark>,
}

/// One mark of an overlay. Places are written in the game's notation (`B-2`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "mark", rename_all = "lowercase")]
pub enum Mark {
    /// A spot.
    Dot {
        /// The place.
        at: Label,
        /// The colour; `None` for the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
    /// An arrow.
    Arrow {
        /// The place where the arrow begins.
        from: Label,
        /// The place where the arrow points.
        to: Label,
        /// The colour; `None` for the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
    /// A few words.
    Text {
        /// The place.
        at: Label,
        /// The words.
        text: Label,
        /// The colour; `None` for the team's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color: Option<Color>,
    },
}

impl Mark {
    /// The names of the mark's places.
    pub fn places(&self) -> impl Iterator<Item = &Label> {
        let places = match self {
            Mark::Dot { at, .. } | Mark::Text { at, .. } => [Some(at), None],
            Mark::Arrow { from, to, .. } => [Some(from), Some(to)],
        };
        places.into_iter().flatten()
    }
}

/// An overlay with more than [`MARKS_MAX`] marks.
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

    /// The marks, in the order of drawing.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
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

/// The most overlays that a scene keeps; a further one replaces the oldest.
pub const OVERLAYS_MAX: usize = 32;

/// The overlays of a scene, oldest first: at most one for each team and author, at most [`OVERLAYS_MAX`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Overlays(Vec<Arc<Overlay>>);

impl Overlays {
    /// The overlays, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Overlay> + ExactSizeIterator {
        self.0.iter().map(|overlay| &**overlay)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Approximate size of the overlays in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let places = self.iter().flat_map(Overlay::marks).flat_map(Mark::places);
        places.map(|place| place.len() + 64).sum()
    }

    /// Replaces the overlay of the same team and author; an empty overlay only removes it.
    pub(crate) fn put(&mut self, overlay: &Arc<Overlay>) {
        self.0.retain(|old| (&old.team, &old.by) != (&overlay.team, &overlay.by));
        if !overlay.marks().is_empty() {
            if self.0.len() >= OVERLAYS_MAX {
                self.0.remove(0);
            }
            self.0.push(Arc::clone(overlay));
        }
    }
}

impl<'de> Deserialize<'de> for Overlays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Overlays, D::Error> {
        let mut overlays = Overlays::default();
        for overlay in Vec::deserialize(deserializer)? {
            overlays.put(&overlay);
        }
        Ok(overlays)
    }
}

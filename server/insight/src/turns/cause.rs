//! Causes of bad moves.

use std::fmt;

/// The kind of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A win was there and was not played.
    MissedWin,
    /// A threat that was on the board was not answered.
    Threat,
    /// The move made a win of the other side possible.
    WinAllowed,
    /// Pente: the other side captures.
    Capture,
    /// Pente: a capture was not made.
    CaptureMissed,
    /// Riskless: an attack that could not succeed.
    AttackFailed,
    /// Riskless: an attack that would have succeeded was not made.
    AttackMissed,
    /// Riskless: a threatened territory got no reinforcement.
    NotReinforced,
    /// Riskless: the territory that the armies left is taken.
    LeftOpen,
    /// Riskless: an empty territory was not taken.
    LandMissed,
    /// Riskless: armies were not brought together.
    ArmiesIdle,
    /// None of these: the position is worse.
    Worse,
}

impl Kind {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissedWin => "missed-win",
            Self::Threat => "threat-not-answered",
            Self::WinAllowed => "win-allowed",
            Self::Capture => "capture",
            Self::CaptureMissed => "capture-missed",
            Self::AttackFailed => "attack-failed",
            Self::AttackMissed => "attack-missed",
            Self::NotReinforced => "not-reinforced",
            Self::LeftOpen => "left-open",
            Self::LandMissed => "land-missed",
            Self::ArmiesIdle => "armies-idle",
            Self::Worse => "worse",
        }
    }

    /// The kind in words, for many moves of it.
    pub fn words(self) -> &'static str {
        match self {
            Self::MissedWin => "a win was missed",
            Self::Threat => "a threat was not answered",
            Self::WinAllowed => "a move let the other side win",
            Self::Capture => "a move let the other side capture",
            Self::CaptureMissed => "a capture was missed",
            Self::AttackFailed => "an attack failed",
            Self::AttackMissed => "an attack was missed",
            Self::NotReinforced => "a threatened territory got no reinforcement",
            Self::LeftOpen => "a territory was left open",
            Self::LandMissed => "an empty territory was not taken",
            Self::ArmiesIdle => "armies were not brought together",
            Self::Worse => "the position got worse",
        }
    }
}

/// Why a move was bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The kind.
    pub kind: Kind,
    /// A sentence without its full stop: `black had a win by fours from h8: h8 h9 k8`.
    pub text: String,
}

impl Cause {
    pub(super) fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

//! Causes of bad moves.

use std::fmt;

/// Kind of a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A possible win was not played.
    MissedWin,
    /// A threat on the board was not answered.
    Threat,
    /// The move allowed a win of the other side.
    WinAllowed,
    /// Pente: the move allowed a capture.
    Capture,
    /// Pente: a possible capture was not made.
    CaptureMissed,
    /// Riskless: the attack could not succeed.
    AttackFailed,
    /// Riskless: a possible attack was not made.
    AttackMissed,
    /// Riskless: a threatened territory was not reinforced.
    NotReinforced,
    /// Riskless: the armies left a territory that is then taken.
    LeftOpen,
    /// Riskless: an empty territory was not taken.
    LandMissed,
    /// Riskless: armies were not united.
    ArmiesIdle,
    /// No other kind: the position became worse.
    Worse,
}

impl Kind {
    /// Name in JSON.
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

    /// The kind in words, for several moves.
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

/// Cause of a bad move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// Kind.
    pub kind: Kind,
    /// Sentence without its full stop: `black had a win by fours from h8: h8 h9 k8`.
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

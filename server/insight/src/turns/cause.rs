//! Causes of bad moves.

use std::fmt;

use grandstand_protocol::words;

words! {
    /// Kind of a cause, by its name in JSON.
    Kind {
        /// A possible win was not played.
        MissedWin = "missed-win",
        /// A threat on the board was not answered.
        Threat = "threat-not-answered",
        /// The move allowed a win of the other side.
        WinAllowed = "win-allowed",
        /// Pente: the move allowed a capture.
        Capture = "capture",
        /// Pente: a possible capture was not made.
        CaptureMissed = "capture-missed",
        /// Riskless: the attack could not succeed.
        AttackFailed = "attack-failed",
        /// Riskless: a possible attack was not made.
        AttackMissed = "attack-missed",
        /// Riskless: a threatened territory was not reinforced.
        NotReinforced = "not-reinforced",
        /// Riskless: the armies left a territory that is then taken.
        LeftOpen = "left-open",
        /// Riskless: an empty territory was not taken.
        LandMissed = "land-missed",
        /// Riskless: armies were not united.
        ArmiesIdle = "armies-idle",
        /// No other kind: the position became worse.
        Worse = "worse",
    }
}

impl Kind {
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

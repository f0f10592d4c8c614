//! Key of the card's words: what they depend on, and the words.

use grandstand_protocol::MatchResult;
use grandstand_protocol::message::MatchState;
use grandstand_story::Side;
use grandstand_story::summary::{Ended, Summary};

use crate::session::Session;

/// What the card's words depend on: as long as it is the same they are.
#[derive(Debug, PartialEq)]
pub(super) struct SummaryKey {
    seq: u64,
    /// So many commands are known, and so many have been looked at.
    last: u64,
    noted: u64,
    end_secs: f64,
    state: Option<MatchState>,
    result: Option<MatchResult>,
    sides: Vec<Side>,
}

impl SummaryKey {
    pub(super) fn of(session: &Session, sides: &[Side]) -> SummaryKey {
        SummaryKey {
            seq: session.seq(),
            last: session.log().last_seq(),
            noted: session.events.noted(),
            end_secs: session.end_secs(),
            state: session.about.state,
            result: session.result().cloned(),
            sides: sides.to_vec(),
        }
    }
}

/// What the card says.
pub(super) fn summary(session: &Session, sides: &[Side]) -> Summary {
    Summary::of(&Ended {
        log: session.log(),
        scene: session.scene(),
        sides,
        findings: session.events.findings(),
        state: session.about.state,
        result: session.result(),
        secs: session.end_secs(),
    })
}

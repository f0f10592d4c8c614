//! Cache key of the card's summary.

use grandstand_protocol::MatchResult;
use grandstand_protocol::message::MatchState;
use grandstand_story::Side;
use grandstand_story::summary::{FinishedMatch, ResultSummary};

use crate::session::Session;

/// Inputs of the summary.
#[derive(Debug, PartialEq)]
pub(super) struct SummaryKey {
    seq: u64,
    /// Number of commands known, and number of commands that the events have taken in.
    last: u64,
    noted: u64,
    /// Whether the evaluations are those of an engine that has judged all moves.
    is_reviewed: bool,
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
            is_reviewed: session.review.is_complete(),
            end_secs: session.end_secs(),
            state: session.about.state,
            result: session.result().cloned(),
            sides: sides.to_vec(),
        }
    }
}

/// The summary of a match.
pub(super) fn summary(session: &Session, sides: &[Side]) -> ResultSummary {
    ResultSummary::of(&FinishedMatch {
        log: session.log(),
        scene: session.scene(),
        sides,
        findings: session.events.findings(),
        state: session.about.state,
        result: session.result(),
        secs: session.end_secs(),
    })
}

//! Terminations in words, for a sentence and for a table.

use Reason::{Fault, Plain};

/// Reason of an end in a sentence.
#[derive(Clone, Copy)]
pub(crate) enum Reason {
    /// Stands after the winner: `Black wins by score`.
    Plain(&'static str),
    /// What the loser did: `Black wins because the other crashed`.
    Fault(&'static str),
}

/// Name, reason in a sentence, cause in a table.
const TERMINATIONS: [(&str, Reason, &str); 24] = [
    ("score", Plain("by score"), "score"),
    ("pieces", Plain("with pieces left"), "no pieces left"),
    ("robots", Plain("last robots standing"), "no robots left"),
    ("points", Plain("with all control points"), "all control points"),
    ("length", Plain("on time"), "full length"),
    ("time", Plain("on time"), "time"),
    ("five", Plain("with five in a row"), "five in a row"),
    ("captures", Plain("with five captured pairs"), "five captured pairs"),
    ("full-board", Plain("on a full board"), "full board"),
    ("no-moves", Plain("without a move left"), "no move left"),
    ("elimination", Plain("by conquest"), "conquest"),
    ("goal", Plain("by army goal"), "army goal"),
    ("plies", Plain("no goal reached by the last move"), "last move"),
    ("resigned", Plain("by resignation"), "resignation"),
    ("illegal", Fault("made an illegal move"), "illegal move"),
    ("crash", Fault("crashed"), "crash"),
    ("startup", Fault("did not start"), "failed start"),
    ("memory", Fault("took too much memory"), "too much memory"),
    ("rubbish", Fault("sent invalid data"), "rubbish"),
    ("flood", Fault("sent too much"), "too much output"),
    ("processes", Fault("started too many programs"), "too many programs"),
    ("left", Fault("left"), "left"),
    ("hang", Fault("stopped answering"), "no answer"),
    ("machine", Plain("(machine)"), "fault of the machine"),
];

/// The reason of an end; `None` for an unknown termination.
pub(crate) fn reason(termination: &str) -> Option<Reason> {
    find(termination).map(|(_, reason, _)| *reason)
}

/// Whether a move of the winner is such an end: the last move is the one that won.
pub fn is_by_move(termination: &str) -> bool {
    matches!(termination, "five" | "captures" | "elimination" | "goal")
}

/// The cause of an end in a table, as in `won by …` or `lost by …`: `conquest`, `illegal move`. The text of an unknown
/// termination is shown as it is.
pub fn ended_by(termination: &str) -> String {
    find(termination).map_or_else(|| termination.replace('-', " "), |(_, _, cause)| (*cause).to_owned())
}

/// A report's sentence with the cause of the end in plain words: `, by robots.` becomes `: no robots left.`, and `ended by resigned`
/// becomes `ended by resignation`.
pub fn in_plain_words(report: &str) -> String {
    // A name that is its own cause is plain: `by score`.
    let named = TERMINATIONS.iter().filter(|(name, _, cause)| name != cause);
    named.fold(report.to_owned(), |text, (name, _, cause)| {
        let text = text.replace(&format!(", by {name}."), &format!(": {cause}."));
        text.replace(&format!("ended by {name} "), &format!("ended by {cause} "))
    })
}

fn find(termination: &str) -> Option<&'static (&'static str, Reason, &'static str)> {
    TERMINATIONS.iter().find(|(name, _, _)| *name == termination)
}

//! Comparison: two matches side by side, as an address names them: `?match=ID&with=ID&seq=N`.

use std::borrow::Cow;

use grandstand_protocol::message::MatchId;
use grandstand_replays::diff::Lock;

use super::{Base, Target};
use crate::address::bookmarks::Bookmarks;

/// Two matches or recordings side by side. The moment and the bookmarks of the first one are part of its own target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The two targets, the left one first.
    pub pair: [Target; 2],
    /// The criterion by which their moments correspond; `None` for the viewer's usual one in this game.
    pub lock: Option<Lock>,
    /// The command at which the second one begins; `None` for the moment that corresponds to the first one's.
    pub with_seq: Option<u64>,
}

impl From<[Target; 2]> for Target {
    fn from(pair: [Target; 2]) -> Target {
        Target::Compare(Box::new(Comparison { pair, lock: None, with_seq: None }))
    }
}

/// The window's name of the criterion by commands.
const LINE: &str = "line";

/// Parses a criterion, as in addresses and on the command line: `command` (or `line`, as the window calls it), `turn` or `time`.
///
/// # Errors
/// A message for any other word.
pub fn lock(word: &str) -> Result<Lock, String> {
    let word = if word == LINE { Lock::Command.name() } else { word };
    Lock::named(word).ok_or_else(|| format!("lock is `{word}`; expected command, turn or time"))
}

impl Comparison {
    /// The second target's form in the address: its id if both are matches of one server, else its address. `None` for a
    /// local file, and for a target that is no match.
    pub fn with(first: &Target, second: &Target) -> Option<String> {
        match (first, second) {
            (Target::Match { base, .. }, Target::Match { base: same, id, .. }) if base == same => {
                Some(id.to_string())
            }
            (_, Target::Match { base, id, .. }) => Some(format!("{base}?match={id}")),
            (_, Target::Recording { url, .. }) => Some(url.clone()),
            _ => None,
        }
    }

    /// Parses the second target's form in the address of the first.
    ///
    /// # Errors
    /// A message if it is not a target.
    pub(super) fn second(base: &Base, first: &Target, word: Cow<'_, str>) -> Result<Target, String> {
        let marks = Bookmarks::default();
        let whole = word.contains("://");
        if whole && let Ok(target @ Target::Match { .. }) = word.parse() {
            return Ok(target);
        }
        match first {
            Target::Match { .. } if !whole => {
                let id = word.parse::<MatchId>().map_err(|error| error.to_string())?;
                Ok(Target::Match { base: base.clone(), id, seq: None, marks })
            }
            _ => Ok(Target::Recording { url: base.resolve(&word)?, seq: None, marks }),
        }
    }

    /// The members of the address for the second target: `&with=…`, and all values that are known.
    pub fn members(with: &str, lock: Option<Lock>, with_seq: Option<u64>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("with", with);
        query.extend_pairs(with_seq.map(|seq| ("withseq", seq.to_string())));
        query.extend_pairs(lock.map(|lock| ("lock", lock.name())));
        format!("&{}", query.finish())
    }
}

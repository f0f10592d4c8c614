//! Two matches side by side, as an address names them: `?match=ID&with=ID&seq=N`.

use std::borrow::Cow;

use grandstand_protocol::message::MatchId;
use grandstand_replays::diff::Lock;

use super::{Base, Target};
use crate::address::bookmarks::Bookmarks;

/// Two matches or recordings, side by side. The first one's moment and bookmarks are those of its own target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The two, the first on the left.
    pub pair: [Target; 2],
    /// Which of their moments belong together.
    pub lock: Lock,
    /// The command at which the second begins; without one the moment that belongs to the first one's.
    pub with_seq: Option<u64>,
}

impl From<[Target; 2]> for Target {
    fn from(pair: [Target; 2]) -> Target {
        Target::Compare(Box::new(Comparison { pair, lock: Lock::default(), with_seq: None }))
    }
}

/// What moments belong together, as addresses and the command line say it: `command`, `turn` or `time`.
///
/// # Errors
/// In words, for any other.
pub fn lock(word: &str) -> Result<Lock, String> {
    Lock::named(word).ok_or_else(|| format!("lock is `{word}`; expected command, turn or time"))
}

impl Comparison {
    /// What the address says of the second: its id, where both are matches of one server, else its address. `None` for a
    /// file of this machine, and for what is no match.
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

    /// The second, as the address of the first says it.
    ///
    /// # Errors
    /// In words, when it is nothing to watch.
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

    /// What its address says besides the first: `&with=…`, and what is not as it is without being said.
    pub fn members(with: &str, lock: Lock, with_seq: Option<u64>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair("with", with);
        query.extend_pairs(with_seq.map(|seq| ("withseq", seq.to_string())));
        query.extend_pairs((lock != Lock::default()).then(|| ("lock", lock.name())));
        format!("&{}", query.finish())
    }
}

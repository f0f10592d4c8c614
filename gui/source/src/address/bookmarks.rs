//! Bookmarks: a viewer's own markers of a match, and their form in a link.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use grandstand_protocol::Micros;
use grandstand_replays::Log;
use grandstand_story::markers::{BOOKMARKS_MAX, Marker, Origin};

/// The most characters of a bookmark's name.
pub const LABEL_MAX: usize = 60;

/// The bookmarks of one match, in the order of its commands.
///
/// As text they are `SEQ:LABEL,SEQ:LABEL`; a comma or a backslash within a label is escaped by a backslash. In an address this
/// is the value of `marks`, percent-encoded like any other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bookmarks {
    list: Vec<Marker>,
    /// The commands of the recording that are bookmarks saved by another viewer, and were taken over.
    read: Vec<u64>,
    /// The number of changes so far.
    version: u64,
}

/// The reason why a text is not a list of bookmarks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BookmarksError {
    /// A bookmark does not begin with the number of a command.
    #[error("mark {place} is `{text}`; expected SEQ:LABEL with the number of a command")]
    Number {
        /// The bookmark's number, counted from 1.
        place: usize,
        /// The first characters of its text.
        text: String,
    },
    /// There are more than [`BOOKMARKS_MAX`] bookmarks.
    #[error("more than {BOOKMARKS_MAX} marks")]
    TooMany,
}

impl Bookmarks {
    /// All bookmarks.
    pub fn list(&self) -> &[Marker] {
        &self.list
    }

    /// A number that changes with every change of the bookmarks.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether there are no bookmarks.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether there is a bookmark at this command.
    pub fn has(&self, seq: u64) -> bool {
        self.find(seq).is_ok()
    }

    /// The command of the last bookmark; 0 if there is none.
    pub fn last_seq(&self) -> u64 {
        self.list.last().map_or(0, |mark| mark.seq)
    }

    fn find(&self, seq: u64) -> Result<usize, usize> {
        self.list.binary_search_by_key(&seq, |mark| mark.seq)
    }

    /// Sets or renames a bookmark; returns `false` if there are too many.
    pub fn set(&mut self, seq: u64, t: Micros, label: &str) -> bool {
        self.version += 1;
        let what = clean(label);
        match self.find(seq) {
            Ok(at) => self.list[at].what = what,
            Err(_) if self.list.len() >= BOOKMARKS_MAX => return false,
            Err(at) => {
                let mark = Marker {
                    seq,
                    t,
                    kind: 0,
                    side: None,
                    origin: Origin::Viewer,
                    major: true,
                    topic: None,
                    what,
                };
                self.list.insert(at, mark);
            }
        }
        true
    }

    /// Removes the bookmark at a command, if there is one.
    pub fn remove(&mut self, seq: u64) {
        if let Ok(at) = self.find(seq) {
            self.list.remove(at);
            self.version += 1;
        }
    }

    /// Takes over a bookmark of the recording, once per command: it may then be renamed and removed like any other.
    pub fn take_over(&mut self, seq: u64, t: Micros, label: &str) {
        if !self.read.contains(&seq) && (self.has(seq) || self.set(seq, t, label)) {
            self.read.push(seq);
        }
    }

    /// The commands of the recording whose bookmarks were taken over, including those removed since.
    pub fn taken_over(&self) -> &[u64] {
        &self.read
    }

    /// A name that no bookmark has.
    pub fn fresh_name(&self) -> String {
        let name = |n: usize| format!("Bookmark {n}");
        let is_free = |name: &String| self.list.iter().all(|mark| mark.what != *name);
        (1..).map(name).find(is_free).unwrap_or_default()
    }

    /// The member of an address for the bookmarks: `&marks=…`, or an empty text if there are none.
    pub fn member(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut member = form_urlencoded::Serializer::new(String::new());
        format!("&{}", member.append_pair("marks", &self.to_string()).finish())
    }

    /// Sets the times of bookmarks that came from a link, which contains only command numbers.
    pub fn take_times(&mut self, log: &Log) {
        for mark in &mut self.list {
            if mark.t == Micros(0) && mark.seq <= log.last_seq() {
                mark.t = log.time_of(mark.seq);
            }
        }
    }
}

/// A displayable name of limited length.
fn clean(label: &str) -> Cow<'static, str> {
    let label = grandstand_protocol::clean_text(label);
    let label: String = label.trim().chars().take(LABEL_MAX).collect();
    label.trim_end().to_owned().into()
}

impl fmt::Display for Bookmarks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mark) in self.list.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let label = mark.what.replace('\\', "\\\\").replace(',', "\\,");
            write!(f, "{comma}{}:{label}", mark.seq)?;
        }
        Ok(())
    }
}

impl FromStr for Bookmarks {
    type Err = BookmarksError;

    fn from_str(text: &str) -> Result<Bookmarks, BookmarksError> {
        let mut marks = Bookmarks::default();
        if text.is_empty() {
            return Ok(marks);
        }
        for (index, item) in items(text).enumerate() {
            let (number, label) = item.split_once(':').unwrap_or((&item, ""));
            let wrong = || {
                let text = item.chars().take(40).collect();
                BookmarksError::Number { place: index + 1, text }
            };
            let Ok(seq) = number.trim().parse() else { return Err(wrong()) };
            if !marks.set(seq, Micros(0), label) {
                return Err(BookmarksError::TooMany);
            }
        }
        marks.version = 0;
        Ok(marks)
    }
}

/// The items of a list separated by unescaped commas.
fn items(text: &str) -> impl Iterator<Item = String> {
    let mut chars = text.chars();
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let mut item = String::new();
        loop {
            match chars.next() {
                Some('\\') => item.extend(chars.next()),
                Some(',') => return Some(item),
                Some(c) => item.push(c),
                None => {
                    done = true;
                    return Some(item);
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_are_set_renamed_and_removed() {
        let mut marks = Bookmarks::default();
        assert_eq!(marks.fresh_name(), "Bookmark 1");
        marks.set(9, Micros(9), "Bookmark 1");
        marks.set(4, Micros(4), " a\tb ");
        assert_eq!(
            (marks.to_string().as_str(), marks.fresh_name().as_str()),
            ("4:a b,9:Bookmark 1", "Bookmark 2")
        );
        marks.set(9, Micros(9), "x");
        marks.remove(4);
        assert_eq!(marks.to_string(), "9:x");
    }

    #[test]
    fn what_is_no_list_of_bookmarks_says_where() {
        let parse = |text: &str| text.parse::<Bookmarks>().map(|marks| marks.to_string());
        assert_eq!(parse("3:a,7"), Ok("3:a,7:".to_owned()));
        assert_eq!(parse(""), Ok(String::new()));
        let wrong = parse("3:a,x:b").unwrap_err().to_string();
        assert_eq!(wrong, "mark 2 is `x:b`; expected SEQ:LABEL with the number of a command");
        let many: Vec<String> = (0..=BOOKMARKS_MAX).map(|n| n.to_string()).collect();
        assert_eq!(parse(&many.join(",")), Err(BookmarksError::TooMany));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused_and_a_list_reads_back(text in "[0-9:,\\\\a é\u{7}]{0,40}", labels in proptest::collection::vec(".{0,80}", 0..6)) {
            if let Ok(marks) = text.parse::<Bookmarks>() {
                proptest::prop_assert_eq!(marks.to_string().parse::<Bookmarks>().map(|m| m.to_string()), Ok(marks.to_string()));
            }
            let mut marks = Bookmarks::default();
            for (seq, label) in (1..).zip(&labels) {
                marks.set(seq, Micros(0), label);
            }
            let read = marks.to_string().parse::<Bookmarks>();
            proptest::prop_assert_eq!(read.map(|read| read.list), Ok(marks.list));
        }
    }
}

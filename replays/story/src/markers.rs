//! Markers: moments of a match from commands, the game server and the viewer.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use grandstand_protocol::extension::TEAMS_MAX;
use grandstand_protocol::{MatchResult, Micros};

use crate::format::{self, capitalised};
use crate::sides::Side;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal, $title:literal;)+) => {
        /// Kinds of markers that the spectator makes itself. A game server's markers have their own.
        pub mod kind {
            $($(#[$doc])* pub const $kind: &str = $word;)+
        }

        /// Title of a kind.
        pub fn title(kind: &str) -> String {
            match kind {
                $($word => $title.to_owned(),)+
                other => capitalised(&other.replace('-', " ")),
            }
        }
    };
}

kinds! {
    /// Bookmark of the viewer.
    BOOKMARK = "bookmark", "Bookmarks";
    /// A point.
    SCORE = "score", "Points";
    /// A piece was lost.
    LOSS = "loss", "Losses";
    /// A bot died.
    DEATH = "death", "Deaths";
    /// The thread of a bot ended, and with it the bot. Game servers say so.
    THREAD_END = "thread-end", "Ended programs";
    /// A flag was taken or came back.
    FLAG = "flag", "Flags";
    /// A control point changed hands.
    CONTROL = "control", "Control points";
    /// Stones were captured.
    CAPTURE = "capture", "Captures";
    /// Armies met.
    BATTLE = "battle", "Battles";
    /// A territory was taken.
    CONQUEST = "conquest", "Territories taken";
    /// The lead changed, or became much larger.
    LEAD = "lead", "Lead";
    /// All of a part of the map was taken, or some of it was lost.
    REGION = "region", "Parts of the map";
    /// A player saw that one side wins by force.
    FORCED = "forced", "Forced wins";
    /// The evaluations of both players went over to the other side.
    AHEAD = "ahead", "Evaluations";
    /// A row of stones.
    ROW = "row", "Rows";
    /// A turn much longer than usual.
    LONG_THINK = "long-think", "Long thinks";
    /// Move that an engine judged bad.
    MISTAKE = "mistake", "Mistakes";
    /// Marker of the game server without a kind.
    MARKER = "marker", "Markers of the server";
    /// A line that was not understood.
    UNKNOWN = "unknown", "Not understood";
}

/// Number of bookmarks of a match at most.
pub const BOOKMARKS_MAX: usize = 100;
/// Number of markers at most. Above it, every second marker of the most common kind is removed.
pub const MARKERS_MAX: usize = 20_000;
/// Number of kinds at most; further kinds of a server count as [`kind::MARKER`].
const KINDS_MAX: usize = 40;
/// Number of characters of a server's kind at most.
const KIND_CHARS: usize = 24;

/// Normalized kind of a server: small letters without blanks.
pub fn word(kind: &str) -> String {
    let small = kind.chars().flat_map(char::to_lowercase).take(KIND_CHARS);
    let word: String = small.map(|c| if c.is_whitespace() || c == '_' { '-' } else { c }).collect();
    let word = word.trim_matches('-');
    if word.is_empty() { kind::MARKER.to_owned() } else { word.to_owned() }
}

/// Source of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The game's commands. These are its events.
    Game,
    /// A long turn.
    Clock,
    /// A line that was not understood.
    Line,
    /// The game server.
    Server,
    /// The viewer.
    Viewer,
    /// An engine that reviewed the match.
    Engine,
    /// The result of the match.
    Result,
}

/// A marked moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// Number of the command.
    pub seq: u64,
    /// Time.
    pub t: Micros,
    /// Index of the kind in [`Markers`].
    pub kind: u8,
    /// Index of the team in [`Markers`].
    pub side: Option<u8>,
    /// Source.
    pub origin: Origin,
    /// Whether the event belongs to the game's goal.
    pub major: bool,
    /// What it is the turning point of; `None` of all other markers.
    pub topic: Option<u8>,
    /// Text. A side's name may follow: `Point for`.
    pub what: Cow<'static, str>,
}

/// Contents of a new marker.
#[derive(Debug)]
pub struct NewMarker {
    /// One of [`kind`], or a server's word.
    pub kind: Cow<'static, str>,
    /// Index of the team.
    pub side: Option<usize>,
    /// Source.
    pub origin: Origin,
    /// Whether the event belongs to the game's goal.
    pub major: bool,
    /// Text; a side's name may follow.
    pub what: Cow<'static, str>,
}

impl Marker {
    /// Text with the name of the side.
    pub fn words(&self, cast: &MarkerSides<'_>) -> String {
        match (self.origin, cast.side(self)) {
            (Origin::Game | Origin::Clock | Origin::Engine, Some((_, side))) => {
                format!("{} {}", self.what, side.name)
            }
            _ => self.what.to_string(),
        }
    }
}

/// Sides of the teams of markers. Sides may come later than teams, and in another order.
#[derive(Debug)]
pub struct MarkerSides<'a> {
    sides: &'a [Side],
    places: Vec<Option<usize>>,
}

impl<'a> MarkerSides<'a> {
    /// Side of a marker, with its index.
    pub fn side(&self, marker: &Marker) -> Option<(usize, &'a Side)> {
        let place = (*self.places.get(usize::from(marker.side?))?)?;
        Some((place, &self.sides[place]))
    }
}

/// Kind of which there is a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Normalized kind.
    pub word: Cow<'static, str>,
    /// Number of markers, with the removed ones.
    pub count: u64,
}

/// All markers, in the order of the commands.
#[derive(Debug)]
pub struct Markers {
    list: Vec<Marker>,
    /// The first kind is that of bookmarks, which the viewer's session keeps.
    kinds: Vec<Kind>,
    /// Names of the teams in the dialect.
    teams: Vec<String>,
    /// Grows with every change of the markers.
    version: u64,
    /// The last command that changed each topic, with or without a turning point.
    turned: BTreeMap<u8, u64>,
}

impl Markers {
    /// Creates an empty list for a match between these teams. Further teams may follow.
    pub fn between(teams: impl Iterator<Item = String>) -> Markers {
        let kinds = vec![Kind { word: kind::BOOKMARK.into(), count: 0 }];
        Markers { list: Vec::new(), kinds, teams: teams.collect(), version: 0, turned: BTreeMap::new() }
    }

    /// Index of a team, which is added if needed; `None` if there are too many.
    pub fn team(&mut self, key: &str) -> Option<usize> {
        let known = self.teams.iter().position(|team| team == key);
        known.or_else(|| {
            (self.teams.len() < TEAMS_MAX).then(|| {
                self.teams.push(key.to_owned());
                self.teams.len() - 1
            })
        })
    }

    /// The marker of the result of a match that ended with command `seq` at `t`. It is in no list of markers: a result stands beside the commands.
    pub fn of_result(&self, result: &MatchResult, sides: &[Side], (seq, t): (u64, Micros)) -> Marker {
        let winner = result.winner.as_deref();
        let side = winner.and_then(|winner| self.teams.iter().position(|team| team == winner));
        let side = side.and_then(|side| u8::try_from(side).ok());
        let what = format::result_sentence(result, sides).into();
        Marker { seq, t, kind: u8::MAX, side, origin: Origin::Result, major: true, topic: None, what }
    }

    /// Sides of the teams.
    pub fn cast<'a>(&self, sides: &'a [Side]) -> MarkerSides<'a> {
        let place = |team: &String| sides.iter().position(|side| side.key == *team);
        MarkerSides { sides, places: self.teams.iter().map(place).collect() }
    }

    /// All markers, in the order of the commands.
    pub fn list(&self) -> &[Marker] {
        &self.list
    }

    /// All kinds of which there was a marker.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Kind of a marker.
    pub fn kind(&self, marker: &Marker) -> &str {
        self.kinds.get(usize::from(marker.kind)).map_or(kind::MARKER, |kind| &kind.word)
    }

    /// Changes with every change of the markers.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Inserts a marker in order.
    pub fn put(&mut self, seq: u64, t: Micros, said: NewMarker) {
        self.put_about(None, (seq, t), said);
    }

    /// Sets the turning point of a topic, such as who leads, to what command `seq` did. It takes the place of the one before, which came to
    /// nothing: a topic has one at most, the last. With `None` it has none.
    pub fn turn(&mut self, topic: u8, (seq, t): (u64, Micros), said: Option<NewMarker>) {
        if let Some(before) = self.turned.insert(topic, seq) {
            self.remove(topic, before);
        }
        if let Some(said) = said {
            self.put_about(Some(topic), (seq, t), said);
        }
    }

    /// The turning point of a topic, if it has one.
    pub fn turning_point(&self, topic: u8) -> Option<&Marker> {
        let seq = *self.turned.get(&topic)?;
        let from = self.list.partition_point(|marker| marker.seq < seq);
        let of_command = self.list[from..].iter().take_while(|marker| marker.seq == seq);
        of_command.into_iter().find(|marker| marker.topic == Some(topic))
    }

    fn put_about(&mut self, topic: Option<u8>, (seq, t): (u64, Micros), said: NewMarker) {
        let kind = self.index(said.kind);
        self.kinds[usize::from(kind)].count += 1;
        let side = said.side.and_then(|side| u8::try_from(side).ok());
        let NewMarker { origin, major, what, .. } = said;
        self.insert(Marker { seq, t, kind, side, origin, major, topic, what });
    }

    /// Removes the turning point of a topic that command `seq` made, if it made one.
    fn remove(&mut self, topic: u8, seq: u64) {
        self.take(seq, |marker| marker.topic == Some(topic));
    }

    /// Removes these of the markers of a command.
    fn take(&mut self, seq: u64, is_one: impl Fn(&Marker) -> bool) {
        let from = self.list.partition_point(|marker| marker.seq < seq);
        let to = from + self.list[from..].partition_point(|marker| marker.seq == seq);
        for at in (from..to).rev().filter(|at| is_one(&self.list[*at])).collect::<Vec<_>>() {
            let marker = self.list.remove(at);
            self.kinds[usize::from(marker.kind)].count -= 1;
            self.version += 1;
        }
    }

    /// Adds the markers of commands that were missing before.
    pub fn splice(&mut self, other: Markers) {
        let kinds: Vec<u8> = other.kinds.iter().map(|kind| self.index(kind.word.clone())).collect();
        let teams: Vec<Option<u8>> =
            other.teams.iter().map(|team| self.team(team).and_then(|at| u8::try_from(at).ok())).collect();
        for (kind, index) in other.kinds.iter().zip(&kinds) {
            self.kinds[usize::from(*index)].count += kind.count;
        }
        for marker in other.list {
            let side = marker.side.and_then(|side| teams.get(usize::from(side)).copied().flatten());
            self.insert(Marker { kind: kinds[usize::from(marker.kind)], side, ..marker });
        }
        for (topic, seq) in other.turned {
            // The last one counts.
            let (last, earlier) = match self.turned.get(&topic) {
                Some(own) => (seq.max(*own), Some(seq.min(*own))),
                None => (seq, None),
            };
            earlier.into_iter().for_each(|seq| self.remove(topic, seq));
            self.turned.insert(topic, last);
        }
    }

    /// Removes the markers of this kind of a command.
    pub(crate) fn take_back(&mut self, seq: u64, kind: &str) {
        let kind = self.kinds.iter().position(|known| known.word == kind);
        self.take(seq, |marker| Some(usize::from(marker.kind)) == kind);
    }

    /// Removes all markers of this kind.
    pub(crate) fn take_all(&mut self, kind: &str) {
        let Some(kind) = self.kinds.iter().position(|known| known.word == kind) else { return };
        self.list.retain(|marker| usize::from(marker.kind) != kind);
        self.kinds[kind].count = 0;
        self.version += 1;
    }

    fn insert(&mut self, marker: Marker) {
        self.version += 1;
        let at = self.list.partition_point(|other| other.seq <= marker.seq);
        self.list.insert(at, marker);
        if self.list.len() > MARKERS_MAX {
            self.thin_out();
        }
    }

    fn index(&mut self, word: Cow<'static, str>) -> u8 {
        let known = |kinds: &[Kind], word: &str| kinds.iter().position(|kind| kind.word == word);
        let index = known(&self.kinds, &word).unwrap_or_else(|| {
            if self.kinds.len() < KINDS_MAX {
                self.kinds.push(Kind { word, count: 0 });
                return self.kinds.len() - 1;
            }
            known(&self.kinds, kind::MARKER).unwrap_or(self.kinds.len() - 1)
        });
        index as u8
    }

    fn thin_out(&mut self) {
        let mut counts = [0_usize; 256];
        self.list.iter().for_each(|marker| counts[usize::from(marker.kind)] += 1);
        let commonest = (0..=u8::MAX).max_by_key(|kind| counts[usize::from(*kind)]).unwrap_or(0);
        let mut keep = false;
        self.list.retain(|marker| {
            keep = !keep;
            marker.kind != commonest || keep
        });
    }
}

/// Choice of the markers that the viewer wants to see and go to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    hidden: BTreeSet<String>,
    /// Team whose markers are shown, by its name in the dialect; without it, those of all teams and of none.
    pub side: Option<String>,
}

impl Filter {
    /// Whether a kind is shown.
    pub fn shows(&self, kind: &str) -> bool {
        !self.hidden.contains(kind)
    }

    /// Shows or hides a kind.
    pub fn show(&mut self, kind: &str, shown: bool) {
        if shown {
            self.hidden.remove(kind);
        } else {
            self.hidden.insert(kind.to_owned());
        }
    }

    /// Whether any markers are hidden.
    pub fn is_active(&self) -> bool {
        self.side.is_some() || !self.hidden.is_empty()
    }

    /// A fast form of the filter for these markers up to command `until`.
    pub fn of(&self, markers: &Markers, until: u64) -> Visible {
        let kinds = markers.kinds.iter().map(|kind| self.shows(&kind.word)).collect();
        // A team without markers hides all of them.
        let place = |key: &String| markers.teams.iter().position(|team| team == key).unwrap_or(usize::MAX);
        let side = self.side.as_ref().map(|key| u8::try_from(place(key)).unwrap_or(u8::MAX));
        Visible { kinds, side, until }
    }
}

/// Visible markers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    kinds: Vec<bool>,
    side: Option<u8>,
    until: u64,
}

impl Visible {
    /// Whether a marker is visible.
    pub fn has(&self, marker: &Marker) -> bool {
        let ours = marker.origin == Origin::Viewer || self.side.is_none() || marker.side == self.side;
        let kind = self.kinds.get(usize::from(marker.kind)).copied().unwrap_or(true);
        marker.seq <= self.until && ours && kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_teams() -> Markers {
        Markers::between(["black", "white"].map(str::to_owned).into_iter())
    }

    fn said(kind: &'static str, side: Option<usize>) -> NewMarker {
        NewMarker { kind: kind.into(), side, origin: Origin::Game, major: false, what: "It".into() }
    }

    #[test]
    fn markers_are_counted_by_kind_and_filtered_by_kind_and_side() {
        let mut markers = two_teams();
        for (seq, kind, side) in
            [(5, kind::LOSS, Some(1)), (2, kind::SCORE, Some(0)), (9, kind::UNKNOWN, None)]
        {
            markers.put(seq, Micros(seq), said(kind, side));
        }
        let seqs = |filter: &Filter, until| {
            let visible = filter.of(&markers, until);
            let list = markers.list().iter().filter(|marker| visible.has(marker));
            list.map(|marker| marker.seq).collect::<Vec<_>>()
        };
        let mut filter = Filter::default();
        assert_eq!((seqs(&filter, u64::MAX), seqs(&filter, 5)), (vec![2, 5, 9], vec![2, 5]));
        filter.show(kind::LOSS, false);
        assert_eq!(seqs(&filter, u64::MAX), [2, 9]);
        filter.side = Some("white".to_owned());
        assert!(seqs(&filter, u64::MAX).is_empty());
        filter.show(kind::LOSS, true);
        assert_eq!(seqs(&filter, u64::MAX), [5]);
    }

    #[test]
    fn a_flood_of_one_kind_is_thinned_out_alone() {
        let mut markers = two_teams();
        for seq in 1..=100_000_u64 {
            let kind = if seq % 1000 == 0 { kind::SCORE } else { kind::UNKNOWN };
            markers.put(seq, Micros(seq), said(kind, None));
        }
        assert!(markers.list().len() <= MARKERS_MAX);
        let scores = markers.list().iter().filter(|marker| markers.kind(marker) == kind::SCORE).count();
        assert_eq!(scores, 100);
        let count = |word| markers.kinds().iter().find(|kind| kind.word == word).map(|kind| kind.count);
        assert_eq!((count(kind::UNKNOWN), count(kind::SCORE)), (Some(99_900), Some(100)));
        assert!(markers.list().is_sorted_by_key(|marker| marker.seq));
    }

    #[test]
    fn kinds_of_servers_are_words_and_not_without_end() {
        assert_eq!(
            (word(" First  Blood"), word("OVER_TIME"), word("- ")),
            ("first--blood".into(), "over-time".into(), kind::MARKER.into())
        );
        let mut markers = two_teams();
        for n in 0..1000 {
            let kind = Cow::from(format!("kind-{n}"));
            markers.put(n, Micros(n), NewMarker { kind, ..said("", None) });
        }
        assert!(markers.kinds().len() <= KINDS_MAX);
    }
}

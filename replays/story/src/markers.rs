//! Moments of a match that are worth going to: what the commands mean, what the game server marks, what the viewer marks.

use std::borrow::Cow;
use std::collections::BTreeSet;

use grandstand_protocol::Micros;
use grandstand_protocol::extension::TEAMS_MAX;

use crate::sides::{Side, capitalised};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $word:literal, $title:literal;)+) => {
        /// What sort of moment a marker is, as a word: those that the spectator makes itself. A game server's marker has its own.
        pub mod kind {
            $($(#[$doc])* pub const $kind: &str = $word;)+
        }

        /// The name of a kind for people.
        pub fn title(kind: &str) -> String {
            match kind {
                $($word => $title.to_owned(),)+
                other => capitalised(&other.replace('-', " ")),
            }
        }
    };
}

kinds! {
    /// The viewer's own.
    BOOKMARK = "bookmark", "Bookmarks";
    /// A point.
    SCORE = "score", "Points";
    /// A piece was lost.
    LOSS = "loss", "Losses";
    /// A bot died.
    DEATH = "death", "Bots that died";
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
    /// Stones in a row.
    ROW = "row", "Rows";
    /// A turn that took long beside what is usual.
    LONG_THINK = "long-think", "Long thinks";
    /// A game server's own.
    MARKER = "marker", "Markers of the server";
    /// A line that was not understood.
    UNKNOWN = "unknown", "Not understood";
}

/// So many bookmarks of a viewer a match can have.
pub const BOOKMARKS_MAX: usize = 100;
/// More markers than this are thinned out: every second one of the commonest kind goes.
pub const MARKERS_MAX: usize = 20_000;
/// So many kinds are told apart; a server's further ones count as [`kind::MARKER`].
const KINDS_MAX: usize = 40;
/// So many characters of a server's kind count.
const KIND_CHARS: usize = 24;

/// A server's word for a kind, as it is compared: small letters, without blanks.
pub fn word(kind: &str) -> String {
    let small = kind.chars().flat_map(char::to_lowercase).take(KIND_CHARS);
    let word: String = small.map(|c| if c.is_whitespace() || c == '_' { '-' } else { c }).collect();
    let word = word.trim_matches('-');
    if word.is_empty() { kind::MARKER.to_owned() } else { word.to_owned() }
}

/// Who says that there is something to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The game: the commands mean it. These are its events.
    Game,
    /// The time that something took.
    Clock,
    /// A line that was not understood.
    Line,
    /// The game server.
    Server,
    /// The viewer.
    Viewer,
}

/// One moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// The command.
    pub seq: u64,
    /// When.
    pub t: Micros,
    /// Its place among the kinds of [`Markers`].
    pub kind: u8,
    /// The team that it is about, by its place among the teams of [`Markers`].
    pub side: Option<u8>,
    /// Who says so.
    pub origin: Origin,
    /// Whether it is what the game is about.
    pub major: bool,
    /// What it was. A side's name may follow: `Point for`.
    pub what: Cow<'static, str>,
}

/// What a new marker says.
#[derive(Debug)]
pub struct Said {
    /// One of [`kind`], or a server's word.
    pub kind: Cow<'static, str>,
    /// The team that it is about, by its number.
    pub side: Option<usize>,
    /// Who says so.
    pub origin: Origin,
    /// Whether it is what the game is about.
    pub major: bool,
    /// What it was; a side's name may follow.
    pub what: Cow<'static, str>,
}

impl Marker {
    /// What it was, with the name of its side.
    pub fn words(&self, cast: &Cast<'_>) -> String {
        match (self.origin, cast.side(self)) {
            (Origin::Game | Origin::Clock, Some((_, side))) => format!("{} {}", self.what, side.name),
            _ => self.what.to_string(),
        }
    }
}

/// Which sides the teams of markers are: sides may come late, and in another order.
#[derive(Debug)]
pub struct Cast<'a> {
    sides: &'a [Side],
    places: Vec<Option<usize>>,
}

impl<'a> Cast<'a> {
    /// The side that a marker is about, with its number.
    pub fn side(&self, marker: &Marker) -> Option<(usize, &'a Side)> {
        let place = (*self.places.get(usize::from(marker.side?))?)?;
        Some((place, &self.sides[place]))
    }
}

/// A kind of which there is a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The kind, as it is compared.
    pub word: Cow<'static, str>,
    /// How many there were, with those that were thinned out.
    pub count: u64,
}

/// All moments, in the order of the commands.
#[derive(Debug)]
pub struct Markers {
    list: Vec<Marker>,
    /// The first one is that of bookmarks, which the viewer's session keeps.
    kinds: Vec<Kind>,
    /// The teams as the dialect names them.
    teams: Vec<String>,
    /// Grows when there are others than before.
    version: u64,
}

impl Markers {
    /// None yet, of a match between these teams and whoever else appears.
    pub fn between(teams: impl Iterator<Item = String>) -> Markers {
        let kinds = vec![Kind { word: kind::BOOKMARK.into(), count: 0 }];
        Markers { list: Vec::new(), kinds, teams: teams.collect(), version: 0 }
    }

    /// A team's place; `None` when there are too many.
    pub fn team(&mut self, key: &str) -> Option<usize> {
        let known = self.teams.iter().position(|team| team == key);
        known.or_else(|| {
            (self.teams.len() < TEAMS_MAX).then(|| {
                self.teams.push(key.to_owned());
                self.teams.len() - 1
            })
        })
    }

    /// Which of these sides its teams are.
    pub fn cast<'a>(&self, sides: &'a [Side]) -> Cast<'a> {
        let place = |team: &String| sides.iter().position(|side| side.key == *team);
        Cast { sides, places: self.teams.iter().map(place).collect() }
    }

    /// All of them, in the order of the commands.
    pub fn list(&self) -> &[Marker] {
        &self.list
    }

    /// Every kind of which there was one.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind of a marker.
    pub fn kind(&self, marker: &Marker) -> &str {
        self.kinds.get(usize::from(marker.kind)).map_or(kind::MARKER, |kind| &kind.word)
    }

    /// Changes whenever there are others than before.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Puts one in at its place.
    pub fn put(&mut self, seq: u64, t: Micros, said: Said) {
        let kind = self.index(said.kind);
        self.kinds[usize::from(kind)].count += 1;
        let side = said.side.and_then(|side| u8::try_from(side).ok());
        let marker = Marker { seq, t, kind, side, origin: said.origin, major: said.major, what: said.what };
        self.insert(marker);
    }

    /// Takes in those of another reading of the match.
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

/// Which markers the viewer wants to see and to go to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    hidden: BTreeSet<String>,
    /// The one team whose markers are shown, as the dialect names it; without it, everybody's and nobody's.
    pub side: Option<String>,
}

impl Filter {
    /// Whether a kind is shown.
    pub fn shows(&self, kind: &str) -> bool {
        !self.hidden.contains(kind)
    }

    /// Shows a kind, or hides it.
    pub fn show(&mut self, kind: &str, shown: bool) {
        if shown {
            self.hidden.remove(kind);
        } else {
            self.hidden.insert(kind.to_owned());
        }
    }

    /// Whether it leaves something out.
    pub fn is_active(&self) -> bool {
        self.side.is_some() || !self.hidden.is_empty()
    }

    /// The same for these markers up to command `until`, as something that is quickly asked.
    pub fn of(&self, markers: &Markers, until: u64) -> Visible {
        let kinds = markers.kinds.iter().map(|kind| self.shows(&kind.word)).collect();
        // A team that no marker is about hides them all.
        let place = |key: &String| markers.teams.iter().position(|team| team == key).unwrap_or(usize::MAX);
        let side = self.side.as_ref().map(|key| u8::try_from(place(key)).unwrap_or(u8::MAX));
        Visible { kinds, side, until }
    }
}

/// Which markers are seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    kinds: Vec<bool>,
    side: Option<u8>,
    until: u64,
}

impl Visible {
    /// Whether a moment is seen.
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

    fn said(kind: &'static str, side: Option<usize>) -> Said {
        Said { kind: kind.into(), side, origin: Origin::Game, major: false, what: "It".into() }
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
            markers.put(n, Micros(n), Said { kind, ..said("", None) });
        }
        assert!(markers.kinds().len() <= KINDS_MAX);
    }
}

//! Part of a tournament, as in an address: `?tournament=games.player-3.lost`.
//!
//! The text consists of words separated by dots, in any order: the part, and its filters and sort order. Numbers count from 1, as on the
//! server's pages.

use std::fmt;
use std::str::FromStr;

/// A part of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The kind of part.
    pub tab: Tab,
    /// The stage; `None` for the latest one that has begun, or for the games of all stages.
    pub stage: Option<u32>,
    /// The player whose page or games are shown, or whose line is highlighted.
    pub player: Option<u32>,
    /// The opponent in the games.
    pub opponent: Option<u32>,
    /// The result of the games.
    pub outcome: Option<Outcome>,
    /// The sort order of the table.
    pub sort: Sort,
    /// The index of the first listed game.
    pub from: u64,
}

/// The error for a text that is no part of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a tournament: expected words such as games.stage-2.player-3.lost")]
pub struct PlaceError(String);

/// Defines an enumeration whose values have names for addresses.
macro_rules! named {
    ($(#[$doc:meta])* $kind:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$value_doc])* $value,)*
        }

        impl $kind {
            /// All values, in the order in which they are offered.
            pub const ALL: &[$kind] = &[$($kind::$value),*];

            /// The value's name in an address.
            pub fn name(self) -> &'static str {
                match self {
                    $($kind::$value => $name,)*
                }
            }

            fn named(name: &str) -> Option<$kind> {
                $kind::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}

named! {
    /// A kind of part of a tournament.
    #[derive(Default)]
    Tab {
        /// The table of a stage, and the overall ranking.
        #[default]
        Standings = "standings",
        /// The results of all pairs of players.
        Crosstable = "crosstable",
        /// The bracket of an elimination.
        Bracket = "bracket",
        /// The encounters, round by round.
        Rounds = "rounds",
        /// The ratings over time.
        Ratings = "ratings",
        /// The games, filtered by player, stage and result.
        Games = "games",
        /// The current or most recent games, as boards.
        Now = "now",
        /// One player.
        Player = "player",
    }
}

named! {
    /// A result, as a filter of games.
    Outcome {
        /// Won by the player.
        Won = "won",
        /// Lost by the player.
        Lost = "lost",
        /// A draw.
        Drawn = "drawn",
        /// Ended by a player's own fault.
        Fault = "fault",
    }
}

named! {
    /// A sort order of a table.
    #[derive(Default)]
    Sort {
        /// By rank, according to the tournament's rules.
        #[default]
        Rank = "rank",
        /// By name.
        Name = "name",
        /// By rating, best first.
        Rating = "rating",
        /// By games won, most first.
        Wins = "wins",
        /// By games lost by one's own fault, most first.
        Forfeits = "forfeits",
    }
}

impl Place {
    /// A part without filters, for a stage.
    pub fn of(tab: Tab, stage: Option<u32>) -> Place {
        Place { tab, stage, ..Place::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tab.name())?;
        for (name, number) in [("stage", self.stage), ("player", self.player), ("opponent", self.opponent)] {
            number.iter().try_for_each(|number| write!(f, ".{name}-{number}"))?;
        }
        self.outcome.iter().try_for_each(|outcome| write!(f, ".{}", outcome.name()))?;
        if self.sort != Sort::default() {
            write!(f, ".by-{}", self.sort.name())?;
        }
        if self.from > 0 {
            write!(f, ".from-{}", self.from)?;
        }
        Ok(())
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Place, PlaceError> {
        let mut place = Place::default();
        for word in text.split('.').filter(|word| !word.is_empty()) {
            let wrong = || PlaceError(word.to_owned());
            let number = |text: &str| text.parse().ok().filter(|number| *number > 0).ok_or_else(wrong);
            if let Some(tab) = Tab::named(word) {
                place.tab = tab;
            } else if let Some(outcome) = Outcome::named(word) {
                place.outcome = Some(outcome);
            } else {
                match word.split_once('-').ok_or_else(wrong)? {
                    ("stage", text) => place.stage = Some(number(text)?),
                    ("player", text) => place.player = Some(number(text)?),
                    ("opponent", text) => place.opponent = Some(number(text)?),
                    ("by", name) => place.sort = Sort::named(name).ok_or_else(wrong)?,
                    ("from", text) => place.from = text.parse().ok().ok_or_else(wrong)?,
                    _ => return Err(wrong()),
                }
            }
        }
        Ok(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_in_any_order_and_wrong_words_are_named() {
        let place: Place =
            "lost.player-3.games.stage-2.opponent-4.by-wins.from-200".parse().expect("a place");
        assert_eq!(place.to_string(), "games.stage-2.player-3.opponent-4.lost.by-wins.from-200");
        assert_eq!("".parse(), Ok(Place::default()));
        assert_eq!(Place::default().to_string(), "standings");
        for wrong in ["game", "stage-0", "stage-x", "by-luck", "player-0", "from--1", "stage-2-3"] {
            let error = wrong.parse::<Place>().expect_err(wrong);
            assert!(error.to_string().starts_with(&format!("`{wrong}`")), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_place_that_reads_back_or_an_error(text in "[a-z0-9.-]{0,40}") {
            if let Ok(place) = text.parse::<Place>() {
                proptest::prop_assert_eq!(place.to_string().parse(), Ok(place));
            }
        }
    }
}

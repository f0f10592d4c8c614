//! Part of a tournament that is shown, as an address has it: `?tournament=games.player-3.lost`.
//!
//! Words with dots between them, in any order: what is shown, and by what it is chosen and sorted. Numbers count from 1, as on the
//! server's pages.

use std::fmt;
use std::str::FromStr;

/// What is shown of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which part.
    pub tab: Tab,
    /// The stage; without one the latest that has begun, and of games all.
    pub stage: Option<u32>,
    /// The player whose page or games these are, or whose line stands out.
    pub player: Option<u32>,
    /// The opponent against whom the games were.
    pub opponent: Option<u32>,
    /// The result that the games have.
    pub outcome: Option<Outcome>,
    /// What the table is sorted by.
    pub sort: Sort,
    /// The first game that is listed.
    pub from: u64,
}

/// Why a text is no place in a tournament.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a tournament: expected words such as games.stage-2.player-3.lost")]
pub struct PlaceError(String);

/// Names for the values of an enumeration, as addresses have them.
macro_rules! named {
    ($(#[$doc:meta])* $kind:ident { $($(#[$value_doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $kind {
            $($(#[$value_doc])* $value,)*
        }

        impl $kind {
            /// Every value, in the order in which they are offered.
            pub const ALL: &[$kind] = &[$($kind::$value),*];

            /// Its name in an address.
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
    /// A part of a tournament.
    #[derive(Default)]
    Tab {
        /// The table of a stage, and the ranking over all.
        #[default]
        Standings = "standings",
        /// Who had what against whom.
        Crosstable = "crosstable",
        /// An elimination.
        Bracket = "bracket",
        /// Who meets whom, round by round.
        Rounds = "rounds",
        /// Ratings over time.
        Ratings = "ratings",
        /// Games, chosen by player, stage and result.
        Games = "games",
        /// What is played now, or was last, as boards.
        Now = "now",
        /// One player.
        Player = "player",
    }
}

named! {
    /// A result by which games are chosen.
    Outcome {
        /// Won by the player.
        Won = "won",
        /// Lost by the player.
        Lost = "lost",
        /// Nobody won.
        Drawn = "drawn",
        /// Somebody's own fault ended it.
        Fault = "fault",
    }
}

named! {
    /// What a table is sorted by.
    #[derive(Default)]
    Sort {
        /// As the tournament's rules have it.
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
    /// The whole of a part, of the same stage.
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

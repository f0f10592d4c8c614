//! Part of a tournament, as in an address: `?tournament=games.player-3.lost`.
//!
//! The text consists of words separated by dots, in any order: the part, and its filters and sort order. Numbers count from 1, as on the
//! server's pages.

use std::fmt;
use std::str::FromStr;

use grandstand_protocol::tournament::{OutcomeFilter, StandingsOrder};
use grandstand_protocol::words;

/// A part of a tournament.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct TournamentView {
    /// The kind of part.
    pub tab: Tab,
    /// The stage; `None` for the latest one that has begun, or for the games of all stages.
    pub stage: Option<u32>,
    /// The player whose page or games are shown, or whose line is highlighted.
    pub player: Option<u32>,
    /// The opponent in the games.
    pub opponent: Option<u32>,
    /// The result of the games.
    pub outcome: Option<OutcomeFilter>,
    /// The sort order of the table.
    pub sort: StandingsOrder,
    /// The index of the first listed game.
    pub from: u64,
}

/// The error for a text that is no part of a tournament.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no part of a tournament: expected words such as games.stage-2.player-3.lost")]
pub struct TournamentViewError(String);

words! {
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

impl TournamentView {
    /// A part without filters, for a stage.
    pub fn of(tab: Tab, stage: Option<u32>) -> TournamentView {
        TournamentView { tab, stage, ..TournamentView::default() }
    }

    /// The games of two players, by their numbers, in a stage or all of them.
    pub fn games_between([player, opponent]: [Option<u32>; 2], stage: Option<u32>) -> TournamentView {
        TournamentView { player, opponent, ..TournamentView::of(Tab::Games, stage) }
    }
}

impl fmt::Display for TournamentView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tab.name())?;
        for (name, number) in [("stage", self.stage), ("player", self.player), ("opponent", self.opponent)] {
            number.iter().try_for_each(|number| write!(f, ".{name}-{number}"))?;
        }
        self.outcome.iter().try_for_each(|outcome| write!(f, ".{}", outcome.name()))?;
        if self.sort != StandingsOrder::default() {
            write!(f, ".by-{}", self.sort.name())?;
        }
        if self.from > 0 {
            write!(f, ".from-{}", self.from)?;
        }
        Ok(())
    }
}

impl FromStr for TournamentView {
    type Err = TournamentViewError;

    fn from_str(text: &str) -> Result<TournamentView, TournamentViewError> {
        let mut place = TournamentView::default();
        for word in text.split('.').filter(|word| !word.is_empty()) {
            let wrong = || TournamentViewError(word.to_owned());
            let number = |text: &str| text.parse().ok().filter(|number| *number > 0).ok_or_else(wrong);
            if let Some(tab) = Tab::named(word) {
                place.tab = tab;
            } else if let Some(outcome) = OutcomeFilter::named(word) {
                place.outcome = Some(outcome);
            } else {
                match word.split_once('-').ok_or_else(wrong)? {
                    ("stage", text) => place.stage = Some(number(text)?),
                    ("player", text) => place.player = Some(number(text)?),
                    ("opponent", text) => place.opponent = Some(number(text)?),
                    ("by", name) => place.sort = StandingsOrder::named(name).ok_or_else(wrong)?,
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
        let place: TournamentView =
            "lost.player-3.games.stage-2.opponent-4.by-wins.from-200".parse().expect("a place");
        assert_eq!(place.to_string(), "games.stage-2.player-3.opponent-4.lost.by-wins.from-200");
        assert_eq!("".parse(), Ok(TournamentView::default()));
        assert_eq!(TournamentView::default().to_string(), "standings");
        for wrong in ["game", "stage-0", "stage-x", "by-luck", "player-0", "from--1", "stage-2-3"] {
            let error = wrong.parse::<TournamentView>().expect_err(wrong);
            assert!(error.to_string().starts_with(&format!("`{wrong}`")), "{error}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_place_that_reads_back_or_an_error(text in "[a-z0-9.-]{0,40}") {
            if let Ok(place) = text.parse::<TournamentView>() {
                proptest::prop_assert_eq!(place.to_string().parse(), Ok(place));
            }
        }
    }
}

//! Choices of a reader of a tournament, by their names in addresses: results of games, and the order of a table.

use std::cmp::Reverse;

use super::StandingLine;
use crate::words;

words! {
    /// A result, as a filter of games.
    OutcomeFilter {
        /// Won by the player of the filter.
        Won = "won",
        /// Lost by the player of the filter.
        Lost = "lost",
        /// A draw.
        Drawn = "drawn",
        /// Ended by a player's own fault.
        Fault = "fault",
    }
}

impl OutcomeFilter {
    /// The choice in words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Won => "won by the player",
            Self::Lost => "lost by the player",
            Self::Drawn => "drawn",
            Self::Fault => "by a fault",
        }
    }

    /// Whether it refers to a player, so that the filter needs one.
    pub fn is_of_a_player(self) -> bool {
        matches!(self, Self::Won | Self::Lost)
    }
}

words! {
    /// The sort order of a table.
    #[derive(Default)]
    StandingsOrder {
        /// By rank, according to the tournament's rules.
        #[default]
        Rank = "rank",
        /// By name.
        Name = "name",
        /// By rating, best first; players without one are last.
        Rating = "rating",
        /// By games won, most first.
        Wins = "wins",
        /// By games lost by one's own fault, most first.
        Forfeits = "forfeits",
    }
}

impl StandingsOrder {
    /// Lines of a table, which are by rank, in this order.
    pub fn sorted(self, lines: &[StandingLine]) -> Vec<&StandingLine> {
        let elo = |line: &StandingLine| line.rating.as_ref().map_or(f64::NEG_INFINITY, |rating| rating.elo);
        let mut lines: Vec<&StandingLine> = lines.iter().collect();
        match self {
            Self::Rank => {}
            Self::Name => lines.sort_by_key(|line| line.player.to_lowercase()),
            Self::Rating => lines.sort_by(|a, b| elo(b).total_cmp(&elo(a))),
            Self::Wins => lines.sort_by_key(|line| Reverse(line.wins)),
            Self::Forfeits => lines.sort_by_key(|line| Reverse(line.forfeits)),
        }
        lines
    }
}

//! Report of one stage: table, crosstable, rounds, test of strength.

use std::fmt;

use crate::words;
use serde::{Deserialize, Serialize, Serializer};

/// Points of a table: halves in most games, and never more exact than thousandths.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Deserialize)]
#[serde(transparent)]
pub struct Points(pub f64);

/// Decimal text without trailing zeros: `3`, `2.5`.
impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// A number; whole points have no fraction.
impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// Report of a stage at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StageReport {
    /// Display name.
    pub name: String,
    /// The format, by its name in a tournament file.
    pub format: String,
    /// Whether the stage has begun.
    pub begun: bool,
    /// Number of players that advance; `None` for all.
    pub advance: Option<u32>,
    /// The table, best first.
    pub standings: Vec<StandingLine>,
    /// The crosstable, in the order of the table.
    pub crosstable: Vec<CrossRow>,
    /// The rounds drawn so far.
    pub rounds: Vec<RoundLine>,
    /// The test of strength, in a stage with that format.
    pub sprt: Option<SprtLine>,
    /// Advantage of the first side in Elo, if there are ratings.
    pub side_advantage: Option<f64>,
}

/// A line of the standings.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StandingLine {
    /// Rank, from 1; `None` for house and staff players, and for players that left the table.
    pub rank: Option<u32>,
    /// The player's name.
    pub player: String,
    /// Points.
    pub points: Points,
    /// Number of games that count.
    pub games: u32,
    /// Number of games won.
    pub wins: u32,
    /// Number of games drawn.
    pub draws: u32,
    /// Number of games lost.
    pub losses: u32,
    /// Number of games lost by the player's own fault.
    pub forfeits: u32,
    /// Number of rounds without an opponent that scored.
    pub byes: u32,
    /// Values of the tie-breaks, in their order.
    pub tie_breaks: Vec<TieBreakLine>,
    /// Criterion that puts the player above the next line.
    pub above_next: Option<String>,
    /// Whether the player was retired for its faults.
    pub retired: bool,
    /// Whether the player left the table.
    pub left_table: bool,
    /// The player's rating; `None` without a rated game.
    pub rating: Option<RatingLine>,
}

impl StageReport {
    /// The first round with an encounter that is not over, or the last one, from 1.
    pub fn current_round(&self) -> Option<u32> {
        let goes_on = |round: &&RoundLine| round.encounters.iter().any(|encounter| !encounter.over);
        self.rounds.iter().find(goes_on).or(self.rounds.last()).map(|round| round.round)
    }

    /// The tie-breaks that put a player above another one, each with its index in `tie_breaks`.
    pub fn deciding_tie_breaks(&self) -> impl Iterator<Item = (usize, &str)> {
        let all = self.standings.first().map_or(&[][..], |line| &line.tie_breaks);
        let decided = |name: &str| self.standings.iter().any(|line| line.above_next.as_deref() == Some(name));
        all.iter().map(|tie_break| tie_break.name.as_str()).enumerate().filter(move |(_, name)| decided(name))
    }

    /// Number of lines of the table down to the last player that advances; `None` if all do.
    pub fn last_to_advance(&self) -> Option<usize> {
        let advance = self.advance?;
        let ranked = |line: &StandingLine| line.rank.is_some_and(|rank| rank <= advance);
        let last = self.standings.iter().rposition(ranked)?;
        Some(last + 1).filter(|count| *count < self.standings.len())
    }
}

impl StandingLine {
    /// The consequence of the player's faults, if there is one.
    pub fn remark(&self) -> Option<&'static str> {
        match (self.left_table, self.retired) {
            (true, _) => Some("left the table by its faults"),
            (false, true) => Some("retired by its faults"),
            (false, false) => None,
        }
    }
}

/// A tie-break's value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TieBreakLine {
    /// Name of the tie-break.
    pub name: String,
    /// Value; `None` if it was not needed, or could not be used.
    pub value: Option<Points>,
}

/// A rating with its interval.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RatingLine {
    /// Elo, relative to the mean of the comparable players.
    pub elo: f64,
    /// The 95 % interval; `None` with a single pair.
    pub interval: Option<[f64; 2]>,
    /// Number of rated games.
    pub games: u32,
    /// Whether these are enough for a reliable interval.
    pub reliable: bool,
    /// Group, from 0. Ratings of different groups can't be compared: no chain of games joins them.
    pub group: u32,
}

/// A row of the crosstable.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrossRow {
    /// The player's name.
    pub player: String,
    /// Cells in the order of the rows; the diagonal is null.
    pub cells: Vec<Option<CrossCell>>,
}

/// Results of one player against another.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CrossCell {
    /// Points of the row's player.
    pub points: Points,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Numbers of the games between the two.
    pub games: Vec<u64>,
    /// Whether one of the two left the table.
    pub left_out: bool,
}

/// A round of a stage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RoundLine {
    /// Number of the round, from 1.
    pub round: u32,
    /// Number of the cycle, from 1.
    pub cycle: u32,
    /// The pairings.
    pub encounters: Vec<EncounterLine>,
    /// Names of the players without an opponent.
    pub byes: Vec<String>,
}

/// An encounter of a round.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EncounterLine {
    /// Id, unique in the tournament.
    pub id: u32,
    /// Names of the two players.
    pub players: [String; 2],
    /// Position in a bracket.
    pub bracket: Option<BracketPlace>,
    /// Points of the two players, once it is over.
    pub points: Option<[Points; 2]>,
    /// The winner, 0 or 1, once it is over; `None` for a level result.
    pub winner: Option<u8>,
    /// Whether it stayed level, so that the better seed advances.
    pub by_seed: bool,
    /// Whether it is over.
    pub over: bool,
    /// Numbers of the games that were played.
    pub games: Vec<u64>,
    /// Number of the first game; the others follow.
    pub first_game: u64,
    /// Maximum number of games: the size of its range of numbers.
    pub most_games: u32,
}

/// A position in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BracketPlace {
    /// The bracket.
    pub bracket: Bracket,
    /// The round in the bracket, from 0.
    pub round: u32,
    /// The position in the round, from 0 at the top.
    pub position: u32,
}

words! {
    /// The brackets of an elimination, in the order in which they are shown.
    Bracket {
        /// The players without a loss.
        Winners = "winners",
        /// The players with one loss.
        Losers = "losers",
        /// The match between the winners of both brackets.
        GrandFinal = "grand-final",
        /// The match between the losers of the semi-finals.
        ThirdPlace = "third-place",
    }
}

impl Bracket {
    /// The title, in a single or a double elimination.
    pub fn title(self, double: bool) -> &'static str {
        match self {
            Self::Winners if double => "Winners’ bracket",
            Self::Winners => "Bracket",
            Self::Losers => "Losers’ bracket",
            Self::GrandFinal => "Grand final",
            Self::ThirdPlace => "Third place",
        }
    }

    /// Title of a round, from 0, where the first round has room for so many encounters.
    pub fn round_title(self, round: u32, slots: u64) -> String {
        match (self, slots >> round.min(63)) {
            (Self::Winners, 1) if round > 0 => "Final".to_owned(),
            (Self::Winners, 2) => "Semi-finals".to_owned(),
            (Self::Winners, 4) => "Quarter-finals".to_owned(),
            (Self::GrandFinal, _) if round == 1 => "Second encounter".to_owned(),
            _ => format!("Round {}", round + 1),
        }
    }

    /// Number of rounds before this one that halved the number of encounters.
    pub fn halvings(self, round: u32) -> u32 {
        match self {
            Self::Winners => round,
            // Every other round takes in the losers of the winners' bracket.
            Self::Losers => round / 2,
            Self::GrandFinal | Self::ThirdPlace => 0,
        }
    }
}

impl BracketPlace {
    /// Number of encounters for which the first round of a bracket with these places has room: with byes, more than there are.
    pub fn slots(places: impl IntoIterator<Item = Self>) -> u64 {
        let room =
            |place: Self| (u64::from(place.position) + 1) << place.bracket.halvings(place.round).min(30);
        places.into_iter().map(room).max().unwrap_or(1).next_power_of_two()
    }
}

/// State of a test of strength.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SprtLine {
    /// Number of pairs by the points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
    /// Number of single games lost, drawn and won by the first player.
    pub games: [u64; 3],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Bounds at which `elo0` and `elo1` are accepted.
    pub bounds: [f64; 2],
    /// The two hypotheses.
    pub elo: [f64; 2],
    /// The verdict in words.
    pub verdict: String,
}

impl SprtLine {
    /// The verdict and the difference of strength that the results speak for, in a sentence.
    pub fn sentence(&self) -> String {
        let [elo0, elo1] = self.elo;
        match self.verdict.as_str() {
            "elo0 accepted" => {
                format!("the results fit a difference of {elo0} Elo, not of {elo1} (elo0 accepted)")
            }
            "elo1 accepted" => {
                format!("the results fit a difference of {elo1} Elo, not of {elo0} (elo1 accepted)")
            }
            other => other.to_owned(),
        }
        .replace('-', "−")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_to_advance_is_the_last_line_with_a_rank_that_goes_on() {
        let line = |rank| StandingLine { rank, ..StandingLine::default() };
        // A house player among them has no rank, and takes no place.
        let standings = vec![line(Some(1)), line(None), line(Some(2)), line(Some(3)), line(None)];
        let advancing =
            |advance| StageReport { advance, standings: standings.clone(), ..StageReport::default() };
        assert_eq!(advancing(Some(2)).last_to_advance(), Some(3));
        assert_eq!(advancing(Some(1)).last_to_advance(), Some(1));
        assert_eq!(advancing(None).last_to_advance(), None);
        let all = StageReport { standings: vec![line(Some(1)), line(Some(2))], ..advancing(Some(2)) };
        assert_eq!(all.last_to_advance(), None, "nobody is left behind");
    }

    #[test]
    fn rounds_of_a_bracket_with_byes_are_named_by_their_room() {
        let place = |round, position| BracketPlace { bracket: Bracket::Winners, round, position };
        // Six players: the first and the last pair of the first round have byes.
        let slots = BracketPlace::slots([place(0, 1), place(0, 2)]);
        let titles = [0, 1, 2].map(|round| Bracket::Winners.round_title(round, slots));
        assert_eq!(titles, ["Quarter-finals", "Semi-finals", "Final"]);
        assert_eq!(BracketPlace::slots([place(1, 1)]), 4, "nobody plays in the first round");
        assert_eq!(Bracket::Losers.round_title(1, slots), "Round 2");
        assert_eq!(Bracket::GrandFinal.round_title(1, 1), "Second encounter");
    }

    #[test]
    fn a_verdict_says_which_difference_the_results_fit() {
        let of = |verdict: &str| SprtLine {
            elo: [-5.0, 10.0],
            verdict: verdict.to_owned(),
            ..SprtLine::default()
        };
        assert_eq!(
            of("elo0 accepted").sentence(),
            "the results fit a difference of −5 Elo, not of 10 (elo0 accepted)"
        );
        assert_eq!(
            of("elo1 accepted").sentence(),
            "the results fit a difference of 10 Elo, not of −5 (elo1 accepted)"
        );
        assert_eq!(of("undecided").sentence(), "undecided");
    }
}

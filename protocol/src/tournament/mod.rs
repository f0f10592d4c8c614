//! Documents of a tournament, as a server's HTTP interface answers with them (`server/HTTP.md`): the report, games, a player, ratings
//! over time.
//!
//! One definition serves both sides. A reader ignores unknown members of a newer server; members that an older one leaves out are
//! empty.

mod choices;
mod stage;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use crate::words;

pub use choices::{OutcomeFilter, StandingsOrder};
pub use stage::{
    Bracket, BracketPlace, CrossCell, CrossRow, EncounterLine, Points, RatingLine, RoundLine, SprtLine,
    StageReport, StandingLine, TieBreakLine,
};

/// Report of a tournament at one moment, without its single games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The revision, which grows with every event; only in a server's answer.
    #[serde(skip_serializing)]
    pub revision: u64,
    /// Display name.
    pub name: String,
    /// The game.
    pub game: String,
    /// Start time in RFC 3339. Together with `seed_sha256` it identifies the tournament.
    pub created: String,
    /// Whether all games were played.
    pub over: bool,
    /// Number of games that count.
    pub counted: u64,
    /// Number of remaining games in the rounds drawn so far; a maximum in eliminations and tests.
    pub remaining: u64,
    /// The seed of all draws, once it is public.
    pub seed: Option<String>,
    /// The SHA-256 of `grandstand tournament seed N`.
    pub seed_sha256: String,
    /// Total duration of all games, in milliseconds.
    pub wall_ms: u64,
    /// Number of faults of the machine.
    pub machine_faults: usize,
    /// Number of games that ended by a fault of the machine and were not played again: they are annulled, or somebody ruled.
    pub machine_left: usize,
    /// Longest delay in milliseconds with which the machine woke a thread during a game with clocks.
    pub disturbed_ms: Option<u64>,
    /// The players, best seed first.
    pub players: Vec<PlayerLine>,
    /// The stages, in order.
    pub stages: Vec<StageReport>,
    /// The places over all stages that have begun.
    pub ranking: Vec<PlaceLine>,
    /// Notices for people.
    pub notices: Vec<NoticeLine>,
    /// All rulings, in the order in which they were made.
    pub rulings: Vec<RulingLine>,
}

impl Report {
    /// The notices that neither tables nor rounds nor brackets show.
    pub fn notes(&self) -> impl Iterator<Item = &NoticeLine> {
        let shown_elsewhere = ["bye", "by-seed", "sprt", "stage-over"];
        self.notices.iter().filter(move |notice| !shown_elsewhere.contains(&notice.kind.as_str()))
    }

    /// The latest stage that has begun.
    pub fn current(&self) -> Option<&StageReport> {
        self.stages.iter().rfind(|stage| stage.begun)
    }

    /// Number of all games, once it is known: all were played, or no pairing follows from results.
    pub fn planned(&self) -> Option<u64> {
        let fixed = |stage: &StageReport| matches!(stage.format.as_str(), "round-robin" | "gauntlet");
        let known = self.over || matches!(&self.stages[..], [stage] if fixed(stage));
        known.then_some(self.counted + self.remaining)
    }

    /// Who has won the tournament, or leads the table of its current stage; `None` where several do, and during an
    /// elimination, which has no table that tells it.
    pub fn leader(&self) -> Option<&str> {
        let first: Vec<&str> = if self.over {
            let first = self.ranking.iter().filter(|line| line.place == Some(1));
            first.map(|line| line.player.as_str()).collect()
        } else {
            let stage = self.current().filter(|stage| !stage.format.contains("elimination"))?;
            let first = stage.standings.iter().filter(|line| line.rank == Some(1) && line.games > 0);
            first.map(|line| line.player.as_str()).collect()
        };
        match first[..] {
            [leader] => Some(leader),
            _ => None,
        }
    }
}

/// A player with its latest version.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerLine {
    /// Position among the players, from 0.
    pub player: u32,
    /// The player's name.
    pub name: String,
    /// The player's specification, as in `grandstand play`.
    pub play: String,
    /// The content hash of the latest version.
    pub sha256: String,
    /// Number of versions so far.
    pub versions: u32,
}

/// A place over all stages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlaceLine {
    /// Place, from 1; `None` for house and staff players, and for players that left a table.
    pub place: Option<u32>,
    /// The player's name.
    pub player: String,
    /// The last stage in which the player played.
    pub stage: String,
}

/// A notice in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoticeLine {
    /// Kind of the notice, in one word.
    pub kind: String,
    /// The message.
    pub text: String,
}

/// A ruling on a game, with its reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RulingLine {
    /// The number of the game.
    pub game: u64,
    /// The decision; `None` if it is of a kind that this version does not know.
    #[serde(flatten)]
    pub kind: Option<RulingKind>,
    /// The reason.
    pub reason: String,
    /// Time of the ruling in RFC 3339.
    pub made: String,
}

/// A decision about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum RulingKind {
    /// The game does not count.
    Annul,
    /// The game is awarded to a side, or is a draw.
    Award {
        /// The winning side; `None` for a draw.
        winner: Option<u8>,
    },
}

/// A game as a line of a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameLine {
    /// Number in the schedule.
    pub number: u64,
    /// The stage's name.
    pub stage: String,
    /// The round within the stage, from 1.
    pub round: u32,
    /// The encounter's id.
    pub encounter: u32,
    /// The pair within the encounter, from 1.
    pub pair: u32,
    /// Names by side.
    pub players: [String; 2],
    /// The map, if the stage has maps.
    pub map: Option<String>,
    /// The number of the opening, from 1, if the stage has openings.
    pub opening: Option<u32>,
    /// The seed of the match; a text, since it has 64 bits.
    pub seed: String,
    /// `1-0`, `0-1`, `½-½`, `0-0` or `annulled`; `None` while the game is to be replayed.
    pub result: Option<String>,
    /// The winning side, 0 or 1.
    pub winner: Option<u8>,
    /// Party whose fault ended the game outside the rules; `None` also for a party that this version does not know.
    #[serde(deserialize_with = "known")]
    pub fault: Option<Fault>,
    /// Termination, one of the words of `docs/RESULTS.md`.
    pub termination: String,
    /// Details in words.
    pub reason: Option<String>,
    /// Score by side, in games that have one.
    pub score: Option<[u64; 2]>,
    /// Its length.
    pub length: Option<u64>,
    /// Unit of the length.
    pub unit: Option<String>,
    /// Start time in RFC 3339.
    pub started: String,
    /// Duration in milliseconds.
    pub wall_ms: u64,
    /// Longest delay in milliseconds with which the machine woke a thread during the game; only for games with clocks.
    pub disturbed_ms: Option<u64>,
    /// Name of the worker that played the game; `None` for the machine of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The worker's measured speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<u32>,
    /// Number of attempts.
    pub attempts: usize,
    /// Whether the game counts already: all earlier games have results.
    pub counts: bool,
    /// The first game with identical commands.
    pub same_as: Option<u64>,
    /// The reason of the ruling on the game.
    pub ruling: Option<String>,
    /// Whether a recording exists.
    pub recorded: bool,
}

words! {
    /// Party whose fault ended a game outside the rules.
    Fault {
        /// The first side.
        First = "first",
        /// The second side.
        Second = "second",
        /// Both sides.
        Both = "both",
        /// No player: the machine was suspended, was full, or had no memory.
        Machine = "machine",
    }
}

fn known<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Fault>, D::Error> {
    let name = Option::<String>::deserialize(deserializer)?;
    Ok(name.and_then(|name| Fault::named(&name)))
}

/// Report of one player.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerReport {
    /// The player.
    pub player: PlayerLine,
    /// Results over all games.
    pub total: Opposition,
    /// Results by opponent, in the order of the plan.
    pub opponents: Vec<Opposition>,
    /// Results by side.
    pub sides: Vec<Opposition>,
    /// Results by map, if there are maps.
    pub maps: Vec<Opposition>,
    /// Terminations, most frequent first: won, drawn or lost, the termination, and the count.
    pub endings: Vec<(String, String, u32)>,
    /// The player's own faults, by termination.
    pub faults: BTreeMap<String, u32>,
    /// The shortest losses, shortest first.
    pub worst_losses: Vec<GameLine>,
}

/// Results of a player against an opponent, on a map, or on a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Opposition {
    /// Name of the opponent, the map or the side.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Opposition {
    /// Total number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// History of the ratings of a stage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RatingHistory {
    /// The stage, from 1.
    pub stage: usize,
    /// The stage's name.
    pub name: String,
    /// Names of the players with a rating at the end, best first.
    pub players: Vec<String>,
    /// Points in order of games; the last is the current one.
    pub points: Vec<HistoryPoint>,
}

impl RatingHistory {
    /// The lowest and the highest value of an axis for all ratings, and the step between about `lines` lines: 1, 2 or 5
    /// times a power of ten. Both ends are multiples of the step, and 0 lies between them.
    pub fn axis(&self, lines: f64) -> (f64, f64, f64) {
        let all = self.points.iter().flat_map(|point| point.elo.iter().flatten());
        let (low, high) = all.fold((0.0_f64, 0.0_f64), |(low, high), elo| (low.min(*elo), high.max(*elo)));
        let least = (high - low).max(20.0) / lines;
        let power = 10.0_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| *step >= least).unwrap_or(least);
        let low = (low / step).floor() * step;
        (low, ((high / step).ceil() * step).max(low + step), step)
    }
}

/// The ratings after a number of games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HistoryPoint {
    /// Number of rated games of the stage, in the order of the schedule.
    pub games: usize,
    /// Elo of each player, in the order of `players`; null for a player without a rated game so far.
    pub elo: Vec<Option<f64>>,
}

/// Revision and progress of a tournament, as a poll for changes is answered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// The current revision.
    pub revision: u64,
    /// Whether no more games will be played.
    pub over: bool,
    /// The name of the tournament.
    pub name: String,
    /// The game.
    pub game: String,
    /// Number of players.
    pub players: usize,
    /// Number of games that count.
    pub counted: u64,
    /// Number of all games; `None` where it follows from results, and from servers that don't tell it.
    pub planned: Option<u64>,
    /// The current stage's name; empty in a tournament of one stage.
    pub stage: String,
    /// The current round of that stage, from 1; `None` before the first.
    pub round: Option<u32>,
    /// Who leads the table of the current stage, or has won the tournament; `None` where several do.
    pub leader: Option<String>,
}

impl Change {
    /// The revision and progress of a report.
    pub fn of(report: &Report) -> Change {
        let stage = report.current();
        Change {
            revision: report.revision,
            over: report.over,
            name: report.name.clone(),
            game: report.game.clone(),
            players: report.players.len(),
            counted: report.counted,
            planned: report.planned(),
            stage: stage
                .filter(|_| report.stages.len() > 1)
                .map(|stage| stage.name.clone())
                .unwrap_or_default(),
            round: stage.and_then(StageReport::current_round),
            leader: report.leader().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(format: &str, ranks: [u32; 2]) -> Report {
        let line = |rank: u32, player: &str| json!({"rank": rank, "player": player, "games": 3});
        let report = json!({"name": "Cup", "counted": 34, "remaining": 86, "players": [{}, {}], "stages": [{
            "name": "Stage 1", "format": format, "begun": true, "standings": [line(ranks[0], "ada"), line(ranks[1], "bob")],
            "rounds": [{"round": 1, "encounters": [{"over": true}]}, {"round": 2, "encounters": [{"over": false}]},
                {"round": 3, "encounters": [{"over": false}]}],
        }, {"name": "Finals"}], "ranking": [{"place": 1, "player": "bob"}, {"place": 2, "player": "ada"}]});
        serde_json::from_value(report).expect("a report")
    }

    #[test]
    fn a_change_tells_how_far_the_tournament_is_and_who_leads() {
        let two = report("swiss", [1, 2]);
        let told = Change::of(&two);
        assert_eq!((told.counted, told.planned, told.players), (34, None, 2));
        assert_eq!(
            (told.stage.as_str(), told.round, told.leader.as_deref()),
            ("Stage 1", Some(2), Some("ada"))
        );
        let mut one = report("round-robin", [1, 1]);
        one.stages.truncate(1);
        let told = Change::of(&one);
        assert_eq!((told.planned, told.stage.as_str(), told.leader), (Some(120), "", None));
        // The table of an elimination says nothing of who is still in.
        assert_eq!(report("single-elimination", [1, 2]).leader(), None);
        let over = Report { over: true, remaining: 0, ..two };
        assert_eq!((over.leader(), over.planned()), (Some("bob"), Some(34)));
    }
}

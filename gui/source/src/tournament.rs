//! Tournament of a server, as its HTTP interface tells it (`server/HTTP.md`): the report, games, a player, ratings over time.
//!
//! All figures are the server's. What a newer server tells besides is left out; what an older one does not tell is empty.

use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use serde::Deserialize;

use crate::Control;
use crate::errors::Trouble;

#[cfg(not(target_arch = "wasm32"))]
pub use crate::native::watch_tournament;
#[cfg(target_arch = "wasm32")]
pub use crate::web::watch_tournament;

/// The report of a tournament, again whenever something changed. Dropping it ends that.
#[derive(Debug)]
pub struct Reports {
    /// Each report that came, or why none did.
    pub updates: Receiver<Result<Box<Report>, Trouble>>,
    pub(crate) control: Control,
}

impl Reports {
    /// Ends the pause before the next attempt.
    pub fn refresh(&self) {
        self.control.hurry();
    }
}

/// A tournament at one moment.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Report {
    /// Grows with everything that happens.
    pub revision: u64,
    /// For people.
    pub name: String,
    /// The game, by its name.
    pub game: String,
    /// When it began.
    pub created: String,
    /// With `created`, what tells this tournament from every other.
    pub seed_sha256: String,
    /// Whether all of it was played.
    pub over: bool,
    /// Games that count.
    pub counted: u64,
    /// Games that the rounds drawn so far still have.
    pub remaining: u64,
    /// Who plays, best seed first.
    pub players: Vec<Player>,
    /// Stage by stage.
    pub stages: Vec<Stage>,
    /// The places over all stages.
    pub ranking: Vec<PlaceLine>,
    /// What happened that somebody should know.
    pub notices: Vec<Notice>,
    /// All rulings.
    pub rulings: Vec<Ruling>,
}

/// A player.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Player {
    /// What it is called.
    pub name: String,
    /// What plays.
    pub play: String,
}

/// A place over all stages.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct PlaceLine {
    /// From 1; none: it takes no place.
    pub place: Option<u32>,
    /// Who.
    pub player: String,
    /// The last stage that it played in.
    pub stage: String,
}

/// Something that happened, in words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Notice {
    /// What.
    pub text: String,
}

/// A ruling.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Ruling {
    /// On which game.
    pub game: u64,
    /// Why.
    pub reason: String,
}

/// A stage.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Stage {
    /// For people.
    pub name: String,
    /// The format, by its name in a tournament's file.
    pub format: String,
    /// Whether it has begun.
    pub begun: bool,
    /// How many go on; none: everybody.
    pub advance: Option<u32>,
    /// The table, best first.
    pub standings: Vec<Standing>,
    /// Who had what against whom, in the order of the table.
    pub crosstable: Vec<CrossRow>,
    /// The rounds drawn so far.
    pub rounds: Vec<Round>,
    /// The test, in a stage that is one.
    pub sprt: Option<Sprt>,
}

/// A line of a table.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// From 1; none: it takes no place.
    pub rank: Option<u32>,
    /// Who.
    pub player: String,
    /// Points.
    pub points: f64,
    /// Games that count.
    pub games: u32,
    /// Of these.
    pub wins: u32,
    /// Of these.
    pub draws: u32,
    /// Of these.
    pub losses: u32,
    /// Games lost by its own fault.
    pub forfeits: u32,
    /// It was retired for its faults.
    pub retired: bool,
    /// It left the table.
    pub left_table: bool,
    /// Its rating, where it has one.
    pub rating: Option<Rating>,
}

/// A rating with its interval.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Rating {
    /// Elo.
    pub elo: f64,
    /// Between which the true one lies with 95 %.
    pub interval: Option<[f64; 2]>,
    /// Whether the interval is more than a hint.
    pub reliable: bool,
    /// From 0; players of different groups can't be compared.
    pub group: u32,
}

/// A row of the crosstable.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CrossRow {
    /// Whose.
    pub player: String,
    /// In the order of the rows; the diagonal is none.
    pub cells: Vec<Option<CrossCell>>,
}

/// What one had against another.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CrossCell {
    /// Its points.
    pub points: f64,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The numbers of their games.
    pub games: Vec<u64>,
    /// One of both left the table.
    pub left_out: bool,
}

/// A round.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Round {
    /// From 1.
    pub round: u32,
    /// Who meets whom.
    pub encounters: Vec<Encounter>,
    /// Who has no opponent.
    pub byes: Vec<String>,
}

/// An encounter.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Encounter {
    /// Who meets.
    pub players: [String; 2],
    /// Where it stands in a bracket.
    pub bracket: Option<BracketPlace>,
    /// Points of the two, once it is over.
    pub points: Option<[f64; 2]>,
    /// Who won, 0 or 1, once it is over; none where it is level.
    pub winner: Option<u8>,
    /// It was level, and the better seed goes on.
    pub by_seed: bool,
    /// Whether it is over.
    pub over: bool,
    /// The numbers of its games that were played.
    pub games: Vec<u64>,
    /// The number of its first game.
    pub first_game: u64,
    /// The most games that it can have, from that number on.
    pub most_games: u32,
}

/// A place in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct BracketPlace {
    /// Which bracket.
    pub bracket: Bracket,
    /// The round in it, from 0.
    pub round: u32,
    /// From the top, from 0.
    pub position: u32,
}

/// The parts of an elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bracket {
    /// Who did not lose yet.
    Winners,
    /// Who lost once.
    Losers,
    /// Between the winners of both.
    GrandFinal,
    /// Between the losers of the semi-finals.
    ThirdPlace,
}

/// How a test of strength stands.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Sprt {
    /// Games lost, drawn and won by the first player.
    pub games: [u64; 3],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// Where it accepts one and the other hypothesis.
    pub bounds: [f64; 2],
    /// The two hypotheses.
    pub elo: [f64; 2],
    /// In words.
    pub verdict: String,
}

/// A game that was tried.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct GameLine {
    /// Its place in the schedule.
    pub number: u64,
    /// The stage's name.
    pub stage: String,
    /// The round in the stage, from 1.
    pub round: u32,
    /// By side.
    pub players: [String; 2],
    /// The map, where there are some.
    pub map: Option<String>,
    /// `1-0`, `0-1`, `½-½`, `0-0`, `annulled`; none while it is to be played again.
    pub result: Option<String>,
    /// The side that won, 0 or 1.
    pub winner: Option<u8>,
    /// Why it was over, by one of the words of `docs/RESULTS.md`.
    pub termination: String,
    /// What happened, in words.
    pub reason: Option<String>,
    /// Its length.
    pub length: Option<u64>,
    /// The unit of that.
    pub unit: Option<String>,
    /// The first game that was the same.
    pub same_as: Option<u64>,
    /// The ruling on it.
    pub ruling: Option<String>,
    /// Whether it counts already.
    pub counts: bool,
    /// Whether there is a recording.
    pub recorded: bool,
}

/// All about one player.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct PlayerReport {
    /// Over all.
    pub total: Opposition,
    /// By opponent.
    pub opponents: Vec<Opposition>,
    /// By side.
    pub sides: Vec<Opposition>,
    /// By map, where there are some.
    pub maps: Vec<Opposition>,
    /// How its games ended: won, drawn or lost, by which termination, how often.
    pub endings: Vec<(String, String, u32)>,
    /// Its own faults, by termination.
    pub faults: BTreeMap<String, u32>,
    /// The losses that took it the shortest time.
    pub worst_losses: Vec<GameLine>,
}

/// What a player had against somebody, on a map, or on a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Opposition {
    /// Against whom, or where.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// How the ratings of a stage became what they are.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RatingHistory {
    /// The stage, from 1.
    pub stage: u32,
    /// Who has a rating at the end, best first.
    pub players: Vec<String>,
    /// After so many games, fewest first.
    pub points: Vec<HistoryPoint>,
}

/// The ratings after so many games.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct HistoryPoint {
    /// Rated games of the stage.
    pub games: u64,
    /// Elo of each of the players; none of who had no rated game yet.
    pub elo: Vec<Option<f64>>,
}

/// Where a server has its report, under its address.
pub(crate) const REPORT: &str = "api/tournament";

/// How long after an answer a server is asked again that does not wait for changes.
pub(crate) const REPORT_EVERY: Duration = Duration::from_secs(5);

/// What a server tells of changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Change {
    /// The revision.
    pub revision: u64,
    /// Whether nothing more will be played.
    pub over: bool,
    /// What the tournament is called.
    pub name: String,
}

/// Where a server tells of changes after a revision.
pub(crate) fn changes(revision: u64) -> String {
    format!("{REPORT}/changes?after={revision}")
}

/// Where the recording of a game is, under a server's address.
pub fn recording(game: u64) -> String {
    format!("tournament/recordings/{game}.replay")
}

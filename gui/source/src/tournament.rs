//! Tournament of a server, from its HTTP interface (`server/HTTP.md`): the report, games, a player, ratings over time.
//!
//! All figures come from the server. Unknown members from a newer server are ignored; members missing from an older one are empty.

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

/// The reports of a tournament, one after every change. Dropping it ends the polling.
#[derive(Debug)]
pub struct Reports {
    /// Each received report, or the failure.
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
    /// The revision, which grows with every event.
    pub revision: u64,
    /// The name for people.
    pub name: String,
    /// The name of the game.
    pub game: String,
    /// The time of its creation.
    pub created: String,
    /// Together with `created`, an identification of the tournament.
    pub seed_sha256: String,
    /// Whether all games were played.
    pub over: bool,
    /// The number of games that count.
    pub counted: u64,
    /// The number of games still to play in the rounds drawn so far.
    pub remaining: u64,
    /// The players, best seed first.
    pub players: Vec<Player>,
    /// The stages, in order.
    pub stages: Vec<Stage>,
    /// The overall ranking.
    pub ranking: Vec<PlaceLine>,
    /// Important events.
    pub notices: Vec<Notice>,
    /// All rulings.
    pub rulings: Vec<Ruling>,
}

/// A player.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Player {
    /// The player's name.
    pub name: String,
    /// The program or engine that plays.
    pub play: String,
}

/// A place in the overall ranking.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct PlaceLine {
    /// The place, from 1; `None` for a player without a place.
    pub place: Option<u32>,
    /// The player.
    pub player: String,
    /// The last stage in which the player took part.
    pub stage: String,
}

/// An event, in words.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Notice {
    /// The text.
    pub text: String,
}

/// A ruling on a game.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Ruling {
    /// The number of the game.
    pub game: u64,
    /// The reason.
    pub reason: String,
}

/// A stage.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Stage {
    /// The name for people.
    pub name: String,
    /// The name of the format, as in a tournament's file.
    pub format: String,
    /// Whether the stage has begun.
    pub begun: bool,
    /// The number of players that advance; `None` for all.
    pub advance: Option<u32>,
    /// The table, best first.
    pub standings: Vec<Standing>,
    /// The results of all pairs of players, in the order of the table.
    pub crosstable: Vec<CrossRow>,
    /// The rounds drawn so far.
    pub rounds: Vec<Round>,
    /// The strength test, in a stage that is one.
    pub sprt: Option<Sprt>,
}

/// A line of a table.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// The rank, from 1; `None` for a player without a rank.
    pub rank: Option<u32>,
    /// The player.
    pub player: String,
    /// The points.
    pub points: f64,
    /// The number of games that count.
    pub games: u32,
    /// The number of wins.
    pub wins: u32,
    /// The number of draws.
    pub draws: u32,
    /// The number of losses.
    pub losses: u32,
    /// The number of games lost by the player's own fault.
    pub forfeits: u32,
    /// Whether the player was retired because of faults.
    pub retired: bool,
    /// Whether the player has left the table.
    pub left_table: bool,
    /// The rating, if there is one.
    pub rating: Option<Rating>,
}

/// A rating with its interval.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Rating {
    /// The Elo value.
    pub elo: f64,
    /// The 95 % confidence interval.
    pub interval: Option<[f64; 2]>,
    /// Whether the interval is reliable.
    pub reliable: bool,
    /// The group, from 0; players of different groups can't be compared.
    pub group: u32,
}

/// A row of the crosstable.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CrossRow {
    /// The player of the row.
    pub player: String,
    /// The cells, in the order of the rows; the diagonal is `None`.
    pub cells: Vec<Option<CrossCell>>,
}

/// The results of a player against another.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CrossCell {
    /// The player's points.
    pub points: f64,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// The numbers of the games.
    pub games: Vec<u64>,
    /// Whether one of the two has left the table.
    pub left_out: bool,
}

/// A round.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Round {
    /// The number of the round, from 1.
    pub round: u32,
    /// The encounters.
    pub encounters: Vec<Encounter>,
    /// The players without an opponent.
    pub byes: Vec<String>,
}

/// An encounter.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Encounter {
    /// The two players.
    pub players: [String; 2],
    /// The place in a bracket.
    pub bracket: Option<BracketPlace>,
    /// The points of the two, once the encounter is over.
    pub points: Option<[f64; 2]>,
    /// The winner, 0 or 1, once the encounter is over; `None` for a tie.
    pub winner: Option<u8>,
    /// Whether the encounter was a tie and the better seed advances.
    pub by_seed: bool,
    /// Whether the encounter is over.
    pub over: bool,
    /// The numbers of the games that were played.
    pub games: Vec<u64>,
    /// The number of the first game.
    pub first_game: u64,
    /// The most games of the encounter, from that number on.
    pub most_games: u32,
}

/// A place in a bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct BracketPlace {
    /// The bracket.
    pub bracket: Bracket,
    /// The round in the bracket, from 0.
    pub round: u32,
    /// The position from the top, from 0.
    pub position: u32,
}

/// The brackets of an elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bracket {
    /// The players without a loss.
    Winners,
    /// The players with one loss.
    Losers,
    /// The match between the winners of both brackets.
    GrandFinal,
    /// The match between the losers of the semi-finals.
    ThirdPlace,
}

/// The state of a strength test.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Sprt {
    /// Games lost, drawn and won by the first player.
    pub games: [u64; 3],
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    /// The bounds at which the test accepts one or the other hypothesis.
    pub bounds: [f64; 2],
    /// The two hypotheses.
    pub elo: [f64; 2],
    /// The verdict, in words.
    pub verdict: String,
}

/// A game that was attempted.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct GameLine {
    /// The game's number in the schedule.
    pub number: u64,
    /// The stage's name.
    pub stage: String,
    /// The round in the stage, from 1.
    pub round: u32,
    /// The players, by side.
    pub players: [String; 2],
    /// The map, if the game has maps.
    pub map: Option<String>,
    /// `1-0`, `0-1`, `½-½`, `0-0`, `annulled`; `None` for a game that is to be replayed.
    pub result: Option<String>,
    /// The winning side, 0 or 1.
    pub winner: Option<u8>,
    /// The termination: one of the words in `docs/RESULTS.md`.
    pub termination: String,
    /// The reason of the result, in words.
    pub reason: Option<String>,
    /// The length of the game.
    pub length: Option<u64>,
    /// The unit of the length.
    pub unit: Option<String>,
    /// The number of the first identical game.
    pub same_as: Option<u64>,
    /// The ruling on the game.
    pub ruling: Option<String>,
    /// Whether the game already counts.
    pub counts: bool,
    /// Whether there is a recording.
    pub recorded: bool,
}

/// The full statistics of one player.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct PlayerReport {
    /// The total.
    pub total: Opposition,
    /// The figures by opponent.
    pub opponents: Vec<Opposition>,
    /// The figures by side.
    pub sides: Vec<Opposition>,
    /// The figures by map, if the game has maps.
    pub maps: Vec<Opposition>,
    /// The endings of the games: won, drawn or lost, the termination, and the number of games.
    pub endings: Vec<(String, String, u32)>,
    /// The numbers of the player's own faults, by termination.
    pub faults: BTreeMap<String, u32>,
    /// The quickest losses.
    pub worst_losses: Vec<GameLine>,
}

/// A player's results against an opponent, on a map, or on a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Opposition {
    /// The opponent, map or side.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

/// The development of the ratings in a stage.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct RatingHistory {
    /// The stage, from 1.
    pub stage: u32,
    /// The players with a final rating, best first.
    pub players: Vec<String>,
    /// The ratings after increasing numbers of games.
    pub points: Vec<HistoryPoint>,
}

/// The ratings after a number of games.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct HistoryPoint {
    /// The number of rated games of the stage.
    pub games: u64,
    /// The Elo value of each player; `None` before the first rated game.
    pub elo: Vec<Option<f64>>,
}

/// The path of the report on a server.
pub(crate) const REPORT: &str = "api/tournament";

/// The interval between requests to a server that does not wait for changes.
pub(crate) const REPORT_EVERY: Duration = Duration::from_secs(5);

/// A server's report of changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Change {
    /// The current revision.
    pub revision: u64,
    /// Whether no more games will be played.
    pub over: bool,
    /// The name of the tournament.
    pub name: String,
}

/// The path of the report of changes after a revision.
pub(crate) fn changes(revision: u64) -> String {
    format!("{REPORT}/changes?after={revision}")
}

/// The path of the recording of a game.
pub fn recording(game: u64) -> String {
    format!("tournament/recordings/{game}.replay")
}

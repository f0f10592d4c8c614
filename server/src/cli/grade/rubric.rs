//! Rubric of a grade: house bots to beat, number of matches, and points.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};
use grandstand_protocol::Game;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Maximum number of matches of one test.
const MOST_GAMES: u32 = 100_000;

/// A rubric. Unknown keys are refused, with their place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rubric {
    /// The game.
    #[serde(deserialize_with = "game")]
    pub(super) game: Game,
    /// The seed of the first match of each test; each further match has one more.
    #[serde(default)]
    pub(super) seed: u64,
    /// Settings of the game by their names.
    #[serde(default)]
    pub(super) settings: Map<String, Value>,
    /// The tests.
    #[serde(rename = "test")]
    pub(super) tests: Vec<Test>,
}

/// Matches against one house bot.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Test {
    /// Name in the grade; default `beats NAME`.
    pub(super) name: Option<String>,
    /// The house bot: a shipped program by its name, or a file.
    pub(super) beats: String,
    /// Required share of the points, above 0 and at most 1; a draw is half a point.
    #[serde(deserialize_with = "share")]
    pub(super) score: f64,
    /// Number of matches, half of them on each side.
    #[serde(deserialize_with = "games")]
    pub(super) games: u32,
    /// Points for the test.
    #[serde(deserialize_with = "points")]
    pub(super) points: f64,
    /// Whether a bot below the required share gets a part of the points.
    #[serde(default)]
    pub(super) partial: bool,
    /// Names of the maps; all shipped ones by default.
    pub(super) maps: Option<Vec<String>>,
}

impl Test {
    /// The name in the grade.
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("beats {}", self.beats))
    }
}

impl Rubric {
    /// Reads a rubric.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("can't read the rubric {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("the rubric {}", path.display()))
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let rubric: Self = toml::from_str(text)?;
        if rubric.tests.is_empty() {
            bail!("there is no `[[test]]`");
        }
        Ok(rubric)
    }
}

/// Body of a fuzz target: any text is a rubric that can be played, or is refused with a reason.
pub(crate) fn fuzz(text: &str) {
    match Rubric::parse(text) {
        Ok(rubric) => {
            assert!(!rubric.tests.is_empty());
            for test in &rubric.tests {
                assert!(test.score > 0.0 && test.score <= 1.0 && test.points.is_finite());
                assert!(test.games >= 2 && test.games.is_multiple_of(2) && test.games <= MOST_GAMES);
            }
        }
        Err(error) => assert!(!format!("{error:#}").is_empty()),
    }
}

fn game<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
    let name = String::deserialize(deserializer)?;
    match name.as_str() {
        "abalone" => Ok(Game::Abalone),
        "shark" => Ok(Game::Shark),
        _ => Err(serde::de::Error::custom(format!(
            "`{name}` can't be graded; expected abalone or shark, whose matches are the same each time"
        ))),
    }
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    let error = || serde::de::Error::custom(format!("score is {share}; expected a share above 0, at most 1"));
    if share > 0.0 && share <= 1.0 { Ok(share) } else { Err(error()) }
}

fn games<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let games = i64::deserialize(deserializer)?;
    let fits = |games: &u32| (2..=MOST_GAMES).contains(games) && games.is_multiple_of(2);
    u32::try_from(games).ok().filter(fits).ok_or_else(|| {
        let expected = format!("an even number from 2 to {MOST_GAMES}, half for each side");
        serde::de::Error::custom(format!("games is {games}; expected {expected}"))
    })
}

fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let points = f64::deserialize(deserializer)?;
    let fits = points.is_finite() && (0.0..=1e6).contains(&points);
    if fits {
        Ok(points)
    } else {
        Err(serde::de::Error::custom(format!("points is {points}; expected 0 to 1000000")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "[[test]]\nbeats = \"idle\"\nscore = 0.6\ngames = 20\npoints = 20\n";

    fn error(text: &str) -> String {
        format!("{:#}", Rubric::parse(text).unwrap_err())
    }

    #[test]
    fn a_rubric_has_defaults_for_what_it_leaves_out() {
        let rubric = Rubric::parse(&format!("game = \"abalone\"\n{TEST}")).unwrap();
        assert_eq!((rubric.game, rubric.seed, rubric.settings.len()), (Game::Abalone, 0, 0));
        let test = &rubric.tests[0];
        assert_eq!((test.title(), test.partial, &test.maps), ("beats idle".to_owned(), false, &None));
    }

    #[test]
    fn mistakes_are_told_with_line_and_column() {
        for (text, place, reason) in [
            (format!("game = \"abalone\"\nseeds = 3\n{TEST}"), "line 2, column 1", "unknown field `seeds`"),
            (format!("game = \"abalone\"\n{TEST}gamez = 3\n"), "line 7, column 1", "unknown field `gamez`"),
            (format!("game = \"gomoku\"\n{TEST}"), "line 1, column 8", "`gomoku` can't be graded"),
            (
                format!("game = \"abalone\"\n{}", TEST.replace("0.6", "1.6")),
                "line 4, column 9",
                "score is 1.6",
            ),
            (
                format!("game = \"abalone\"\n{}", TEST.replace("= 20\npoints", "= 21\npoints")),
                "line 5, column 9",
                "games is 21",
            ),
            (
                format!("game = \"abalone\"\n{}", TEST.replace("points = 20", "points = -1.0")),
                "line 6, column 10",
                "points is -1",
            ),
            ("game = \n".to_owned(), "line 1, column", ""),
        ] {
            let error = error(&text);
            assert!(error.contains(place) && error.contains(reason), "{error}");
        }
        assert!(error("game = \"abalone\"\n").contains("missing field `test`"));
        assert_eq!(error("game = \"abalone\"\ntest = []\n"), "there is no `[[test]]`");
    }
}

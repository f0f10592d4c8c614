//! Interest of a match: why it is worth watching now.

use grandstand_protocol::{Scene, TeamInfo};
use serde_json::Value;

use crate::games::{sides, story};

/// A match that has gone on for so long is a long one, in seconds.
const LONG_SECS: f64 = 600.0;
/// So much of the goal is nearly all of it.
const NEARLY: f64 = 0.9;
/// Scores that differ by no more than this part of the higher one are close.
const CLOSE: f64 = 0.1;

/// Kind of interest; a later one is more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum InterestKind {
    /// The match has gone on for long.
    Long,
    /// Both sides have nearly the same score.
    Close,
    /// Somebody is about to win.
    Decisive,
}

/// Why a match is worth watching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interest {
    /// What kind of interest it is.
    pub kind: InterestKind,
    /// The reason in a few words: `Close: 3–2`.
    pub words: String,
}

/// The strongest interest in a match that stands as `scene` after `secs` seconds; `None` if there is nothing special, or somebody
/// has won.
pub fn interest(scene: &Scene, teams: &[TeamInfo], rules: Option<&Value>, secs: f64) -> Option<Interest> {
    let story = story(scene);
    if story.verdict().is_some() {
        return None;
    }
    let sides = sides(scene, teams);
    let scores: Vec<i32> =
        if story.scores().is_empty() { Vec::new() } else { sides.iter().map(|side| side.score).collect() };
    let found = |kind, words| Some(Interest { kind, words });
    if let [first, second] = scores[..] {
        let (high, low) = (first.max(second), first.min(second));
        let leader = if first > second { &sides[0] } else { &sides[1] };
        if let Some(goal) = story.winning_score(rules).filter(|goal| *goal > high && high > 0) {
            let left = goal - high;
            if left == 1 || f64::from(high) >= NEARLY * f64::from(goal) {
                let (one, several) = story.score_unit();
                let missing = if left == 1 { format!("1 {one}") } else { format!("{left} {several}") };
                let words = match first == second {
                    true => format!("Both need {missing}"),
                    false => format!("{} needs {missing}", leader.short()),
                };
                return found(InterestKind::Decisive, words);
            }
        }
        let apart = f64::from(high - low);
        if low > 0 && (apart <= 1.0 || apart <= CLOSE * f64::from(high)) {
            return found(InterestKind::Close, format!("Close: {first}–{second}"));
        }
    }
    let minutes = (secs / 60.0) as u64;
    (secs >= LONG_SECS).then(|| Interest { kind: InterestKind::Long, words: format!("Long: {minutes} min") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Game, Micros};
    use serde_json::json;

    fn abalone(black: i32, white: i32, secs: f64) -> Option<(InterestKind, String)> {
        let mut scene = Scene::new(Game::Abalone);
        for (seq, line) in (1..).zip([format!("bscore {black}"), format!("wscore {white}")]) {
            scene.apply(seq, Micros(0), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        let rules = json!({"WINNING_SCORE": 6});
        interest(&scene, &[], Some(&rules), secs).map(|interest| (interest.kind, interest.words))
    }

    #[test]
    fn who_is_about_to_win_comes_before_a_close_score_and_that_before_a_long_match() {
        assert_eq!(abalone(5, 4, 900.0), Some((InterestKind::Decisive, "Black needs 1 point".to_owned())));
        assert_eq!(abalone(5, 5, 60.0), Some((InterestKind::Decisive, "Both need 1 point".to_owned())));
        assert_eq!(abalone(3, 2, 900.0), Some((InterestKind::Close, "Close: 3–2".to_owned())));
        assert_eq!(abalone(3, 0, 900.0), Some((InterestKind::Long, "Long: 15 min".to_owned())));
        assert_eq!(abalone(3, 0, 60.0), None);
        assert_eq!(abalone(0, 0, 60.0), None);
    }

    #[test]
    fn a_match_that_is_won_is_over() {
        let mut scene = Scene::new(Game::Gomoku);
        scene.apply(1, Micros(0), &Command::parse(Game::Gomoku, b"win black"));
        assert_eq!(interest(&scene, &[], None, 9_000.0), None);
    }
}

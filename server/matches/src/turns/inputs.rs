//! Files of a match's inputs from outside, by which it can be played again.
//!
//! The first line is an object with the game, its settings and the players' names. Each further line is an input, as
//! [`Stamped::to_line`](super::referee::Stamped::to_line) writes it. Played again, the inputs give the same commands
//! byte for byte.

use grandstand_protocol::{Game, MatchHeader};
use serde_json::{Value, json};

use super::game::TurnGame;
use super::outcome::{Presentation, ending};
use super::referee::{Conditions, Referee, Stamped};
use super::settings::{Settings, conditions, read_settings};
use crate::drawn_by::drawn_by;
use crate::header::take_clock;
use crate::inputs::{InputsError, Replayed, VERSION, VERSION_FIELD, first_line, game_of, input_lines};

/// The first line of a file of inputs.
pub fn header(game: Game, of: &MatchHeader) -> String {
    json!({ VERSION_FIELD: VERSION, "game": game, "match": of }).to_string()
}

/// Plays a file of inputs.
///
/// # Errors
/// The first line that is wrong, or does not fit the state of the match.
pub fn replay<G: TurnGame>(text: &str) -> Result<Replayed, InputsError> {
    let Start { header, game, real, conditions } =
        read_header::<G>(first_line(text)?).map_err(|reason| InputsError::new(1, reason))?;
    let mut referee = Referee::new(conditions).map_err(|wrong| InputsError::new(1, wrong.to_string()))?;
    for (number, line) in input_lines(text) {
        let stamped =
            Stamped::parse(line, referee.position()).map_err(|reason| InputsError::new(number, reason))?;
        referee.apply(&stamped).map_err(|reason| InputsError::new(number, reason))?;
    }
    let presentation = Presentation { sides: game.sides(), score: G::score, real };
    let ending = referee.verdict().map(|verdict| ending(&referee, &presentation, verdict));
    Ok(Replayed { header, commands: referee.drain_commands(), ending })
}

/// Content of a file's first line.
struct Start<G: TurnGame> {
    header: MatchHeader,
    game: G,
    real: bool,
    conditions: Conditions<G::Position>,
}

fn read_header<G: TurnGame>(line: &str) -> Result<Start<G>, String> {
    let mut value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if value[VERSION_FIELD].as_u64() != Some(VERSION) {
        return Err(format!("expected inputs of version {VERSION}"));
    }
    let game = game_of(line).ok_or("`game` is missing, or no game")?;
    let header: MatchHeader = match value.get_mut("match") {
        Some(header) => serde_json::from_value(header.take()).map_err(|error| error.to_string())?,
        None => return Err("`match` is missing".to_owned()),
    };
    let mut rules = match header.rules.clone() {
        Some(Value::Object(rules)) => rules,
        _ => return Err("the match's rules are missing".to_owned()),
    };
    let real = take_clock(&mut rules);
    let Settings { game, time, show_thoughts } =
        read_settings::<G>(game, rules).map_err(|wrong| wrong.to_string())?;
    let [first, second] = &header.teams[..] else {
        return Err(format!("{} teams; expected two", header.teams.len()));
    };
    let names = [first, second].map(|team| team.name.to_string());
    let conditions = Conditions {
        show_thoughts: show_thoughts.unwrap_or(true),
        ..conditions(&game, time.unwrap_or_default(), names)
    };
    // This version draws the match, which may have been drawn by another one.
    let header = MatchHeader { by: drawn_by(game.game(), None), ..header };
    Ok(Start { header, game, real, conditions })
}

//! Files of what happened to a match from outside, from which it can be played again.
//!
//! The first line is an object: the game, its settings, what the players are called. Each further line is an input, as
//! [`Stamped::to_line`](super::referee::Stamped::to_line) writes it. Played again, the inputs give the same commands byte for
//! byte.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use grandstand_protocol::{By, Game, MatchHeader};
use serde_json::{Value, json};
use thiserror::Error;

use super::contest::{Frame, ending};
use super::fixture::{CLOCK, Settings, conditions, read_settings};
use super::game::TurnGame;
use super::referee::{Conditions, Referee, Stamped};
use crate::arena::{Ending, StampedCommand, by};

/// The version of the format.
pub const VERSION: u64 = 1;

/// Writes a file of inputs, as the match goes on.
#[derive(Debug)]
pub struct InputWriter {
    file: BufWriter<File>,
    failed: Option<io::Error>,
}

impl InputWriter {
    /// Begins the file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn create(path: &Path, header: &str) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(file, "{header}")?;
        Ok(Self { file, failed: None })
    }

    /// Adds an input. What goes wrong is told in the end.
    pub fn write(&mut self, line: &str) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.file, "{line}")
        {
            self.failed = Some(error);
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If it is not complete.
    pub fn finish(mut self) -> io::Result<()> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.file.flush(),
        }
    }
}

/// Why a file of inputs can't be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct InputsError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// The first line of a file of inputs.
pub fn header(game: Game, of: &MatchHeader) -> String {
    json!({ "grandstand-inputs": VERSION, "game": game, "match": of }).to_string()
}

/// The game that a file's first line names, if it is such a line.
pub fn game_of(line: &str) -> Option<Game> {
    let value: Value = serde_json::from_str(line).ok()?;
    serde_json::from_value(value.get("game")?.clone()).ok()
}

/// What drew the match of a file's first line, if it says so.
pub fn by_of(line: &str) -> Option<By> {
    let value: Value = serde_json::from_str(line).ok()?;
    let by = value.get("by").or_else(|| value.get("match")?.get("by"))?;
    serde_json::from_value(by.clone()).ok()
}

/// A match that was played again from its inputs.
#[derive(Debug)]
pub struct Replayed {
    /// What its recording begins with.
    pub header: MatchHeader,
    /// All that was drawn.
    pub commands: Vec<StampedCommand>,
    /// How it ended, if the inputs go that far.
    pub ending: Option<Ending>,
}

/// Plays a file of inputs.
///
/// # Errors
/// The first line that is wrong, or does not fit how the match stands.
pub fn replay<G: TurnGame>(text: &str) -> Result<Replayed, InputsError> {
    let error = |line: usize, reason: String| InputsError { line, reason };
    let mut lines = (1..).zip(text.lines());
    let (_, first) =
        lines.next().ok_or_else(|| error(1, "expected the object that begins a file".to_owned()))?;
    let Start { header, game, real, conditions } =
        read_header::<G>(first).map_err(|reason| error(1, reason))?;
    let mut referee = Referee::new(conditions).map_err(|wrong| error(1, wrong.to_string()))?;
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let stamped = Stamped::parse(line, referee.position()).map_err(|reason| error(number, reason))?;
        referee.apply(&stamped).map_err(|reason| error(number, reason.to_owned()))?;
    }
    let frame = Frame { sides: game.sides(), score: G::score, real, quiet: true };
    let ending = referee.verdict().map(|verdict| ending(&referee, &frame, verdict));
    Ok(Replayed { header, commands: referee.drain_commands(), ending })
}

/// What a file's first line says.
struct Start<G: TurnGame> {
    header: MatchHeader,
    game: G,
    real: bool,
    conditions: Conditions<G::Position>,
}

fn read_header<G: TurnGame>(line: &str) -> Result<Start<G>, String> {
    let mut value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if value["grandstand-inputs"].as_u64() != Some(VERSION) {
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
    let real = rules.remove(CLOCK).is_none_or(|clock| clock != "virtual");
    let Settings { game, time } = read_settings::<G>(game, rules).map_err(|wrong| wrong.to_string())?;
    let [first, second] = &header.teams[..] else {
        return Err(format!("{} teams; expected two", header.teams.len()));
    };
    let names = [first, second].map(|team| team.name.to_string());
    let conditions = conditions(&game, time.unwrap_or_default(), names);
    // It is drawn here and now.
    let header = MatchHeader { by: by(game.game()), ..header };
    Ok(Start { header, game, real, conditions })
}

//! Files of what happened to a match from outside, from which it can be played again.
//!
//! The first line is an object: the settings, the map, the secrets of the seats. Each further line is an input, as
//! [`Stamped::to_line`] writes it. Played again, the inputs give the same commands byte for byte. Such a file is the
//! operator's own: it holds every word of both teams, and their secrets.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use grandstand_protocol::Game;
use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};
use serde_json::{Value, json};
use thiserror::Error;

use super::referee::{Conditions, Referee, Seat, Stamped};
use crate::arena::by;

/// The version of the format.
const VERSION: u64 = 1;

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
    pub fn create(path: &Path, conditions: &Conditions) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        writeln!(file, "{}", header(conditions))?;
        Ok(Self { file, failed: None })
    }

    /// Adds an input. What goes wrong is told in the end.
    pub fn write(&mut self, stamped: &Stamped) {
        if self.failed.is_none()
            && let Err(error) = writeln!(self.file, "{}", stamped.to_line())
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

/// The first line of a file of inputs.
pub fn header(conditions: &Conditions) -> String {
    let Conditions { rules, map, seats, speed, errors, rejoins } = conditions;
    let seat = |seat: &Seat| json!({"secret": seat.secret, "open": seat.open});
    json!({
        "grandstand-inputs": VERSION,
        "game": "fortress",
        "by": by(Game::Fortress),
        "rules": rules,
        "map": map.to_string().lines().collect::<Vec<_>>(),
        "seats": {"red": seat(&seats[Team::Red]), "blue": seat(&seats[Team::Blue])},
        "speed": speed,
        "errors": errors,
        "rejoins": rejoins,
    })
    .to_string()
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

/// Plays a file of inputs: the referee as it was in the end, with all that was drawn.
///
/// # Errors
/// The first line that is wrong.
pub fn replay(text: &str) -> Result<Referee, InputsError> {
    let mut lines = (1..).zip(text.lines());
    let error = |line: usize, reason: String| InputsError { line, reason };
    let (number, first) =
        lines.next().ok_or_else(|| error(1, "expected the object that begins a file".to_owned()))?;
    let conditions = read_header(first).map_err(|reason| error(number, reason))?;
    let mut referee = Referee::new(conditions).map_err(|wrong| error(number, wrong.to_string()))?;
    let mut last = 0;
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let stamped = Stamped::parse(line).map_err(|reason| error(number, reason))?;
        if stamped.millis < last {
            return Err(error(number, format!("time goes back from {last} to {}", stamped.millis)));
        }
        last = stamped.millis;
        referee.apply(&stamped);
        // Nobody is there to be told.
        referee.drain_outputs();
    }
    Ok(referee)
}

fn read_header(line: &str) -> Result<Conditions, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let field = |name: &str| value.get(name).ok_or_else(|| format!("`{name}` is missing"));
    if field("grandstand-inputs")?.as_u64() != Some(VERSION) || field("game")?.as_str() != Some("fortress") {
        return Err(format!("expected inputs of fortress, of version {VERSION}"));
    }
    let rules: Rules = serde_json::from_value(field("rules")?.clone()).map_err(|error| error.to_string())?;
    let rows: Vec<String> =
        serde_json::from_value(field("map")?.clone()).map_err(|error| error.to_string())?;
    let map = Map::parse(rows.join("\n").as_bytes()).map_err(|faults| faults.to_string())?;
    let seat = |team: Team| -> Result<Seat, String> {
        let seat =
            field("seats")?.get(team.name()).ok_or_else(|| format!("the seat of {team} is missing"))?;
        let secret = seat.get("secret").and_then(Value::as_str).ok_or("a seat without a secret")?;
        let open = seat.get("open").and_then(Value::as_bool).ok_or("a seat that is neither open nor not")?;
        Ok(Seat { secret: secret.to_owned(), open })
    };
    let number = |name: &str| -> Result<u32, String> {
        let number = field(name)?.as_u64().and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| format!("`{name}` is not a number"))
    };
    Ok(Conditions {
        rules,
        map,
        seats: ByTeam::new(seat(Team::Red)?, seat(Team::Blue)?),
        speed: field("speed")?.as_f64().ok_or("`speed` is not a number")?,
        errors: number("errors")?,
        rejoins: number("rejoins")?,
    })
}

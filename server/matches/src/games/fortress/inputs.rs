//! Files of a match's inputs from outside, by which it can be played again.
//!
//! The first line is an object with the settings, the map and the secrets of the seats. Each further line is an input,
//! as [`Stamped::to_line`] writes it. Played again, the inputs give the same commands byte for byte. Such a file is for
//! the operator only: it contains every message of both teams, and their secrets.

use grandstand_protocol::Game;
use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};
use serde_json::{Value, json};

use super::referee::{Conditions, Referee, Seat, Stamped};
use crate::drawn_by::drawn_by;
use crate::inputs::{InputsError, VERSION, VERSION_FIELD, first_line, input_lines};

/// The first line of a file of inputs.
pub fn header(conditions: &Conditions) -> String {
    let Conditions { rules, map, seats, speed, errors, rejoins } = conditions;
    let seat = |seat: &Seat| json!({"secret": seat.secret, "open": seat.open});
    json!({
        VERSION_FIELD: VERSION,
        "game": "fortress",
        "by": drawn_by(Game::Fortress, None),
        "rules": rules,
        "map": map.to_string().lines().collect::<Vec<_>>(),
        "seats": {"red": seat(&seats[Team::Red]), "blue": seat(&seats[Team::Blue])},
        "speed": speed,
        "errors": errors,
        "rejoins": rejoins,
    })
    .to_string()
}

/// Plays a file of inputs; returns the referee in its final state, with all commands.
///
/// # Errors
/// The first line that is wrong.
pub fn replay(text: &str) -> Result<Referee, InputsError> {
    replay_with(text, |_| {})
}

/// Plays a file of inputs as [`replay`] does; `watch` is called with the referee before the first input and after each,
/// and may drain it.
///
/// # Errors
/// The first line that is wrong.
pub fn replay_with(text: &str, mut watch: impl FnMut(&mut Referee)) -> Result<Referee, InputsError> {
    let conditions = read_header(first_line(text)?).map_err(|reason| InputsError::new(1, reason))?;
    let mut referee = Referee::new(conditions).map_err(|wrong| InputsError::new(1, wrong.to_string()))?;
    let mut last = 0;
    watch(&mut referee);
    for (number, line) in input_lines(text) {
        let stamped = Stamped::parse(line).map_err(|reason| InputsError::new(number, reason))?;
        if stamped.millis < last {
            return Err(InputsError::new(
                number,
                format!("time goes back from {last} to {}", stamped.millis),
            ));
        }
        last = stamped.millis;
        referee.apply(&stamped);
        // No connection exists that could receive the outputs.
        referee.drain_outputs();
        watch(&mut referee);
    }
    Ok(referee)
}

fn read_header(line: &str) -> Result<Conditions, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let field = |name: &str| value.get(name).ok_or_else(|| format!("`{name}` is missing"));
    if field(VERSION_FIELD)?.as_u64() != Some(VERSION) || field("game")?.as_str() != Some("fortress") {
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

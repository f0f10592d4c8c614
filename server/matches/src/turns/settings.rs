//! Settings of a match of a turn game: those of the game, and those of time and thoughts.

use grandstand_protocol::{Game, MatchHeader};
use grandstand_rules::clock::TimeControl;
use serde_json::{Map, Value};

use super::game::{Beginning, TurnGame};
use super::referee::Conditions;
use crate::drawn_by::drawn_by;
use crate::header;
use crate::settings::SettingsError;

/// Name of the header's rule that contains the time control.
pub const TIME: &str = "TIME";

/// Name of the header's rule that tells whether thoughts are drawn at once, or only at the end.
pub const SHOW_THOUGHTS: &str = "SHOW_THOUGHTS";

/// Kind of time of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// Virtual time: a move is a tick, and there are no clocks. For players whose answers do not depend on time.
    Virtual,
    /// Real time, with these clocks.
    Real(TimeControl),
}

impl Timing {
    /// The time control.
    pub fn control(self) -> TimeControl {
        match self {
            Timing::Virtual => TimeControl::NONE,
            Timing::Real(control) => control,
        }
    }
}

/// Settings of a match, as read by [`read_settings`].
#[derive(Debug, Clone)]
pub struct Settings<G> {
    /// Settings of the game.
    pub game: G,
    /// Time control, if one is set.
    pub time: Option<TimeControl>,
    /// Whether thoughts are drawn at once, if that is set.
    pub show_thoughts: Option<bool>,
}

/// Reads the settings of a match by their names: those of the game, `TIME`, such as `"5m+3s"`, and `SHOW_THOUGHTS`,
/// true or false.
///
/// # Errors
/// The first unknown or wrong setting.
pub fn read_settings<G: TurnGame>(game: Game, map: Map<String, Value>) -> Result<Settings<G>, SettingsError> {
    read_settings_with(map, |map| G::read(game, map))
}

/// Reads the settings like [`read_settings`], with `read` for those of the game.
///
/// # Errors
/// The first unknown or wrong setting.
pub fn read_settings_with<G>(
    mut map: Map<String, Value>,
    read: impl FnOnce(Map<String, Value>) -> Result<G, SettingsError>,
) -> Result<Settings<G>, SettingsError> {
    let time = match map.remove(TIME) {
        None => None,
        Some(Value::String(text)) => {
            let time: Result<TimeControl, _> = text.parse();
            Some(time.map_err(|error| SettingsError::Rules(format!("{TIME}: {error}").into()))?)
        }
        Some(other) => {
            let expected = "a text such as \"5m\", \"5m+3s/30s\" or \"none\"";
            return Err(SettingsError::value(TIME, other, expected));
        }
    };
    let show_thoughts = match map.remove(SHOW_THOUGHTS) {
        None => None,
        Some(Value::Bool(show)) => Some(show),
        Some(other) => return Err(SettingsError::value(SHOW_THOUGHTS, other, "true or false")),
    };
    Ok(Settings { game: read(map)?, time, show_thoughts })
}

/// Conditions of a match of this game; thoughts are drawn at once, and players may give themselves names.
pub fn conditions<G: TurnGame>(game: &G, time: TimeControl, names: [String; 2]) -> Conditions<G::Position> {
    let Beginning { position, moves, drawing, swap2 } = game.beginning();
    Conditions {
        start: position,
        moves,
        drawing,
        swap2,
        time,
        names,
        keeps_names: false,
        show_thoughts: true,
    }
}

/// The header of a match between players of these names, without seed, programs and start.
pub fn header<G: TurnGame>(game: &G, timing: Timing, names: [&str; 2]) -> MatchHeader {
    let mut rules = game.settings();
    rules.insert(TIME.to_owned(), timing.control().to_string().into());
    header::set_clock(&mut rules, timing != Timing::Virtual);
    header::header(game.sides(), names, rules, drawn_by(game.game(), None))
}

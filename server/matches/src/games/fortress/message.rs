//! Messages between teams and the server (section 3 of the handout), one JSON object a line.
//!
//! `server/FORTRESS-PROTOCOL.md` describes each of them, with an example that a test parses by this module.

use grandstand_protocol::text::shorten;
use grandstand_rules::fortress::{Action, ActionResult, Hand, Position, Team};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

/// Characters of a text that an error quotes.
const QUOTED: usize = 60;

/// Message of a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// A team asks for a game.
    GameRequest {
        /// Secret of the team; an open seat needs none.
        secret: Option<String>,
        /// Name that the team wants.
        name: Option<String>,
    },
    /// A unit requests an action.
    Action {
        /// Id of the unit.
        id: u32,
        /// Secret of its team; required in the first message of a connection.
        secret: Option<String>,
        /// The action.
        action: Action,
    },
}

/// Message of the server. In JSON it is an object with the variant as its `type`; a result has that of its
/// [`ActionResult`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Response {
    /// Answer to `GameRequest`.
    Units {
        /// Side of the team.
        team: Team,
        /// Ids of its units.
        ids: Vec<u32>,
        /// Secret of the team.
        secret: String,
        /// Rows of the map, as in its file.
        map: Vec<String>,
        /// Constants in force, by name.
        rules: Value,
    },
    /// The match begins, or goes on for a connection that comes later.
    GameStart {
        /// Unit of the connection; `None` for the team's own connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
        /// Milliseconds until the time limit.
        remaining: u64,
        /// Speed: milliseconds of the match that pass in one real millisecond.
        speed: f64,
    },
    /// The match is over.
    GameEnd {
        /// Unit of the connection; `None` for the team's own connection.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
        /// Whether the team has won; `None` for a draw.
        #[serde(rename = "outcome", with = "outcome")]
        won: Option<bool>,
        /// Termination: a word of `FORTRESS.md`.
        reason: String,
    },
    /// The message was invalid, or its sender may not send it. It had no effect.
    Error {
        /// Unit of the connection, if that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<u32>,
        /// The cause.
        reason: String,
    },
    /// Result of an action.
    #[serde(untagged)]
    Result {
        /// Id of the unit.
        id: u32,
        /// Name of the action.
        #[serde(deserialize_with = "known_action")]
        action: ActionName,
        /// The result.
        #[serde(flatten)]
        result: ActionResult,
    },
}

/// Reason for which a line is no message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MessageError {
    /// The line is not JSON.
    #[error("not a JSON object: {0}")]
    Json(String),
    /// The value is not an object with a known type.
    #[error("expected an object with a `type`, one of {expected}; found {found}", expected = names().join(", "))]
    Type {
        /// The type or value found.
        found: String,
    },
    /// A field is missing, or has a wrong value.
    #[error("{message}: `{field}` is {found}; expected {expected}")]
    Field {
        /// Type of the message.
        message: String,
        /// Name of the field.
        field: &'static str,
        /// Value found, shortened.
        found: String,
        /// Description of the allowed values.
        expected: &'static str,
    },
    /// The message has no field of this name.
    #[error("{message} has no field `{field}`; its fields are {expected}")]
    Unknown {
        /// Type of the message.
        message: String,
        /// Name of the field.
        field: String,
        /// Names of the message's fields.
        expected: String,
    },
}

/// Messages of teams, each with its fields besides `type`.
const REQUESTS: [(&str, &[&str]); 11] = [
    ("GameRequest", &["secret", "name"]),
    ("Move", &["id", "secret", "hand"]),
    ("Turn", &["id", "secret", "hand"]),
    ("PrimaryAbility", &["id", "secret", "position"]),
    ("SecondaryAbility", &["id", "secret", "position"]),
    ("Scan", &["id", "secret", "range"]),
    ("Inspect", &["id", "secret", "position"]),
    ("MyStatus", &["id", "secret"]),
    ("GameStatus", &["id", "secret"]),
    ("Respawn", &["id", "secret", "class"]),
    ("Talk", &["id", "secret", "text"]),
];

fn names() -> Vec<&'static str> {
    REQUESTS.iter().map(|(name, _)| *name).collect()
}

/// Position off every board: the target of an ability without a position.
const NOWHERE: Position = Position { x: i64::MAX, y: i64::MAX };

impl Request {
    /// Parses a line.
    ///
    /// # Errors
    /// The mistake in the line.
    pub fn parse(line: &str) -> Result<Self, MessageError> {
        let value: Value =
            serde_json::from_str(line).map_err(|error| MessageError::Json(error.to_string()))?;
        let kind = value.get("type").and_then(Value::as_str);
        let known = REQUESTS.into_iter().find(|(name, _)| Some(*name) == kind);
        let (Some((message, fields)), Value::Object(object)) = (known, &value) else {
            let found = value.get("type").unwrap_or(&value);
            return Err(MessageError::Type { found: short(found) });
        };
        let unknown = object.keys().find(|key| *key != "type" && !fields.contains(&key.as_str()));
        if let Some(field) = unknown {
            let expected = fields.join(", ");
            let field = shorten(field, QUOTED);
            return Err(MessageError::Unknown { message: message.to_owned(), field, expected });
        }
        Fields { message, object }.request()
    }

    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        let value = match self {
            Self::GameRequest { secret, name } => with(
                json!({"type": "GameRequest"}),
                [("secret", secret.as_deref()), ("name", name.as_deref())],
            ),
            Self::Action { id, secret, action } => {
                let mut value = action_value(action);
                value["id"] = json!(id);
                with(value, [("secret", secret.as_deref())])
            }
        };
        value.to_string()
    }
}

/// An action as its message, without the sender.
pub(super) fn action_value(action: &Action) -> Value {
    let mut value = json!({"type": action_name(action)});
    let argument = match action {
        Action::Move(hand) => hand.map(|hand| ("hand", hand.name().into())),
        Action::Turn(hand) => Some(("hand", hand.name().into())),
        Action::PrimaryAbility(position) | Action::SecondaryAbility(position) => {
            (*position != NOWHERE).then(|| ("position", json!([position.x, position.y])))
        }
        Action::Scan(range) => Some(("range", json!(range))),
        Action::Inspect(position) => Some(("position", json!([position.x, position.y]))),
        Action::MyStatus | Action::GameStatus => None,
        Action::Respawn(class) => Some(("class", class.name().into())),
        Action::Talk(text) => Some(("text", text.as_str().into())),
    };
    if let Some((name, argument)) = argument {
        value[name] = argument;
    }
    value
}

fn with<const N: usize>(mut value: Value, fields: [(&str, Option<&str>); N]) -> Value {
    for (name, text) in fields {
        if let Some(text) = text {
            value[name] = text.into();
        }
    }
    value
}

/// Name of an action's message.
pub type ActionName = &'static str;

/// Name of an action.
pub fn action_name(action: &Action) -> ActionName {
    match action {
        Action::Move(_) => "Move",
        Action::Turn(_) => "Turn",
        Action::PrimaryAbility(_) => "PrimaryAbility",
        Action::SecondaryAbility(_) => "SecondaryAbility",
        Action::Scan(_) => "Scan",
        Action::Inspect(_) => "Inspect",
        Action::MyStatus => "MyStatus",
        Action::GameStatus => "GameStatus",
        Action::Respawn(_) => "Respawn",
        Action::Talk(_) => "Talk",
    }
}

/// Fields of a message with a known type.
struct Fields<'a> {
    message: &'static str,
    object: &'a Map<String, Value>,
}

impl Fields<'_> {
    fn request(&self) -> Result<Request, MessageError> {
        let secret = self.optional("secret", "a text", |value| value.as_str().map(str::to_owned))?;
        if self.message == "GameRequest" {
            let name = self.optional("name", "a text", |value| value.as_str().map(str::to_owned))?;
            return Ok(Request::GameRequest { secret, name });
        }
        let number = |value: &Value| value.as_u64().and_then(|id| u32::try_from(id).ok());
        let id = self.required("id", "the number of a unit", number)?;
        let action = match self.message {
            "Move" => Action::Move(self.optional("hand", "`left`, `right` or null", hand)?),
            "Turn" => Action::Turn(self.required("hand", "`left` or `right`", hand)?),
            "PrimaryAbility" => Action::PrimaryAbility(self.target()?),
            "SecondaryAbility" => Action::SecondaryAbility(self.target()?),
            "Scan" => Action::Scan(self.required("range", "a whole number", Value::as_i64)?),
            "Inspect" => Action::Inspect(self.required("position", POSITION, position)?),
            "MyStatus" => Action::MyStatus,
            "GameStatus" => Action::GameStatus,
            "Respawn" => {
                let class = |value: &Value| value.as_str().and_then(|name| name.parse().ok());
                Action::Respawn(self.required("class", "`medic`, `pyro` or `soldier`", class)?)
            }
            _ => Action::Talk(self.required("text", "a text", |value| value.as_str().map(str::to_owned))?),
        };
        Ok(Request::Action { id, secret, action })
    }

    fn target(&self) -> Result<Position, MessageError> {
        Ok(self.optional("position", POSITION, position)?.unwrap_or(NOWHERE))
    }

    fn required<T>(
        &self,
        field: &'static str,
        expected: &'static str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<T, MessageError> {
        let found = self.object.get(field);
        found.and_then(read).ok_or_else(|| MessageError::Field {
            message: self.message.to_owned(),
            field,
            found: found.map_or_else(|| "missing".to_owned(), short),
            expected,
        })
    }

    /// A field that may be missing, or null.
    fn optional<T>(
        &self,
        field: &'static str,
        expected: &'static str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<T>, MessageError> {
        match self.object.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => self.required(field, expected, read).map(Some),
        }
    }
}

const POSITION: &str = "two whole numbers, [x, y]";

fn hand(value: &Value) -> Option<Hand> {
    Hand::named(value.as_str()?)
}

fn position(value: &Value) -> Option<Position> {
    match value.as_array()?.as_slice() {
        [x, y] => Some(Position { x: x.as_i64()?, y: y.as_i64()? }),
        _ => None,
    }
}

/// A value as it is quoted in an error.
fn short(value: &Value) -> String {
    shorten(&value.to_string(), QUOTED)
}

impl Response {
    /// The message as a line, without its end.
    pub fn to_line(&self) -> String {
        // Converted to a value first, whose fields are sorted.
        serde_json::to_value(self).unwrap_or_default().to_string()
    }

    /// Parses a line of the server, for a team written in Rust.
    ///
    /// # Errors
    /// A message about the mistake.
    pub fn parse(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let response = serde_json::from_value(value).ok();
        response.ok_or_else(|| format!("not a message of the server: {}", shorten(line, QUOTED)))
    }
}

/// Serialization of a team's outcome as a word.
mod outcome {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    const WORDS: [(Option<bool>, &str); 3] = [(Some(true), "won"), (Some(false), "lost"), (None, "draw")];

    pub(super) fn serialize<S: Serializer>(won: &Option<bool>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(WORDS.into_iter().find(|(of, _)| of == won).map_or("", |(_, word)| word))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
        let found = String::deserialize(deserializer)?;
        let won = WORDS.into_iter().find(|(_, word)| *word == found);
        won.map(|(won, _)| won).ok_or_else(|| D::Error::custom("expected won, lost or draw"))
    }
}

/// Parses the name of a known action.
fn known_action<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ActionName, D::Error> {
    let found = String::deserialize(deserializer)?;
    names().into_iter().find(|name| *name == found).ok_or_else(|| D::Error::custom("there is no such action"))
}

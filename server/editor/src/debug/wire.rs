//! Messages of the debug adapter protocol.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Received request.
#[derive(Debug, Deserialize)]
pub(super) struct Request {
    pub(super) seq: i64,
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

/// Parses a message; `None` if it is a response or an event, which need no answer.
///
/// # Errors
/// A message that says why this is no valid request.
pub(super) fn parse(body: &[u8]) -> Result<Option<Request>, String> {
    let message: Value = serde_json::from_slice(body).map_err(|error| format!("no JSON: {error}"))?;
    match message["type"].as_str() {
        Some("request") => serde_json::from_value(message).map(Some).map_err(|error| error.to_string()),
        Some("response" | "event") => Ok(None),
        _ => Err("a message has a type, which is `request`, `response` or `event`".to_owned()),
    }
}

/// Parses the arguments of a request.
///
/// # Errors
/// A message that says which argument is wrong.
pub(super) fn read<T: DeserializeOwned>(arguments: Value) -> Result<T, String> {
    // Missing arguments count as an empty object.
    let arguments = if arguments.is_null() { json!({}) } else { arguments };
    serde_json::from_value(arguments).map_err(|error| error.to_string())
}

/// Numbered outgoing messages.
#[derive(Debug, Default)]
pub(super) struct Out {
    seq: u64,
    messages: Vec<String>,
}

impl Out {
    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        self.messages.push(message.to_string());
    }

    pub(super) fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    /// Sends a text to the editor's console.
    pub(super) fn say(&mut self, category: &str, text: &str) {
        self.event("output", json!({ "category": category, "output": format!("{text}\n") }));
    }

    pub(super) fn answer(&mut self, seq: i64, command: &str, result: Result<Value, String>) {
        let message = json!({ "type": "response", "request_seq": seq, "command": command });
        self.send(match result {
            Ok(body) => with(message, json!({ "success": true, "body": body })),
            Err(problem) => {
                let error = json!({ "id": 1, "format": problem, "showUser": true });
                with(message, json!({ "success": false, "message": problem, "body": { "error": error } }))
            }
        });
    }

    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }
}

fn with(mut message: Value, more: Value) -> Value {
    if let (Value::Object(message), Value::Object(more)) = (&mut message, more) {
        message.extend(more);
    }
    message
}

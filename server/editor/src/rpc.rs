//! Messages of JSON-RPC 2.0 in the form of the language server protocol.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Received message.
#[derive(Debug)]
pub(crate) enum Incoming {
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// Response; ignored, because the server sends no requests.
    Response,
}

/// Error of a request.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) const PARSE: i64 = -32700;
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    pub(crate) const UNKNOWN_METHOD: i64 = -32601;
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    pub(crate) const NOT_INITIALIZED: i64 = -32002;
    pub(crate) const INTERNAL: i64 = -32603;
    pub(crate) const CANCELLED: i64 = -32800;

    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Parses a message. An error is the answer to the request with that id, or with `null`.
pub(crate) fn parse(body: &[u8]) -> Result<Incoming, (Value, Failure)> {
    let message: Value = serde_json::from_slice(body)
        .map_err(|error| (Value::Null, Failure::new(Failure::PARSE, format!("no JSON: {error}"))))?;
    let Value::Object(mut message) = message else {
        return Err((Value::Null, Failure::new(Failure::INVALID_REQUEST, "a message is an object")));
    };
    let id = message.remove("id");
    let params = message.remove("params").unwrap_or_default();
    match (message.remove("method"), id) {
        (Some(Value::String(method)), None) => Ok(Incoming::Notification { method, params }),
        (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
            Ok(Incoming::Request { id, method, params })
        }
        (None, Some(_)) => Ok(Incoming::Response),
        (_, id) => {
            let problem = "a request has a method and an id, which is a number or a text";
            Err((id.unwrap_or_default(), Failure::new(Failure::INVALID_REQUEST, problem)))
        }
    }
}

/// Parses the parameters of a method.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, Failure> {
    serde_json::from_value(params).map_err(|error| Failure::new(Failure::INVALID_PARAMS, error.to_string()))
}

/// Response to a request, as text. A result is written as it is: outlines and completions are large.
pub(crate) fn response<T: Serialize>(id: &Value, result: Result<T, Failure>) -> String {
    #[derive(Serialize)]
    struct Response<'a, T> {
        jsonrpc: &'static str,
        id: &'a Value,
        result: T,
    }
    let failure = match result {
        Ok(result) => match serde_json::to_string(&Response { jsonrpc: "2.0", id, result }) {
            Ok(text) => return text,
            Err(error) => Failure::new(Failure::INTERNAL, error.to_string()),
        },
        Err(failure) => failure,
    };
    let Failure { code, message } = failure;
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
}

/// Notification, as text.
pub(crate) fn notification(method: &str, params: Value) -> String {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    // `json!` would copy them.
    message["params"] = params;
    message.to_string()
}

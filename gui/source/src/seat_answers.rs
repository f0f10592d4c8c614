//! Answers of a server to a viewer at a seat.

use serde_json::Value;

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The HTTP status; `None` if there was no answer.
    pub status: Option<u16>,
    /// The reason, in words.
    pub words: String,
}

impl Refused {
    /// A request without an answer.
    pub fn silent(why: &str) -> Refused {
        Refused { status: None, words: format!("No answer from the server: {why}") }
    }
}

/// Interprets an answer of the server.
pub(crate) fn parse_answer(status: u16, text: &str) -> Result<Value, Refused> {
    let body: Option<Value> = serde_json::from_str(text).ok();
    match body {
        Some(body) if status == 200 => Ok(body),
        body => {
            let said = body.as_ref().and_then(|body| body["error"].as_str());
            let words = said.map_or_else(|| format!("the server answers {status}"), str::to_owned);
            Err(Refused { status: Some(status), words })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_words_are_told_and_without_any_its_status() {
        assert_eq!(parse_answer(200, r#"{"ok":true}"#).unwrap()["ok"], true);
        let words = |status, text| parse_answer(status, text).unwrap_err().words;
        assert_eq!(words(409, r#"{"error":"h8 is not empty"}"#), "h8 is not empty");
        assert_eq!(words(502, "<html>"), "the server answers 502");
        assert_eq!(words(200, "<html>"), "the server answers 200");
    }
}

//! Query parameters: the part of an address after the `?`.

use hyper::{StatusCode, Uri};

use super::refusal::Refusal;

/// The number after `name=` in a query; `Ok(None)` if the parameter is absent.
pub(crate) fn query_number(uri: &Uri, name: &str) -> Result<Option<u64>, Refusal> {
    let mut found = None;
    for (key, value) in pairs(uri) {
        if key != name {
            continue;
        }
        let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        let number = value.parse().ok().filter(|_| digits && found.is_none());
        let wrong = || {
            Refusal::new(StatusCode::BAD_REQUEST, format!("{name} must be given once and be a whole number"))
        };
        found = Some(number.ok_or_else(wrong)?);
    }
    Ok(found)
}

/// The text after `name=` in a query; `None` if it is absent or empty.
pub(super) fn query_text(uri: &Uri, name: &str) -> Option<String> {
    pairs(uri).find(|(key, value)| *key == name && !value.is_empty()).map(|(_, value)| value.to_owned())
}

/// Names and values of a query; a name without `=` has an empty value.
fn pairs(uri: &Uri) -> impl Iterator<Item = (&str, &str)> {
    uri.query().unwrap_or_default().split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_query() {
        let number =
            |query: &str| query_number(&format!("/x{query}").parse().unwrap(), "since").map_err(|r| r.status);
        assert_eq!(number(""), Ok(None));
        assert_eq!(number("?other=3"), Ok(None));
        assert_eq!(number("?a=b&since=0012"), Ok(Some(12)));
        for wrong in [
            "?since=",
            "?since",
            "?since=-1",
            "?since=+1",
            "?since=x",
            "?since=1&since=2",
            "?since=99999999999999999999",
        ] {
            assert_eq!(number(wrong), Err(StatusCode::BAD_REQUEST), "{wrong}");
        }
    }
}

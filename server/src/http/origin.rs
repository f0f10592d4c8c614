//! Check of `Origin`: the pages that may open websockets and play.

use hyper::header::{HOST, HeaderMap, ORIGIN};

/// Whether a browser's page of this origin may open a websocket here. Programs other than browsers send no origin.
pub(crate) fn origin_allowed(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(HOST).and_then(|h| h.to_str().ok());
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    let same = matches!((authority, host), (Some(a), Some(h)) if a.eq_ignore_ascii_case(h));
    same || allowed.iter().any(|a| a.trim_end_matches('/').eq_ignore_ascii_case(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins() {
        let allowed = ["https://wall.example/".to_owned()];
        let check = |origin: Option<&str>, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, host.parse().unwrap());
            if let Some(origin) = origin {
                headers.insert(ORIGIN, origin.parse().unwrap());
            }
            origin_allowed(&headers, &allowed)
        };
        assert!(check(None, "localhost:8126"));
        assert!(check(Some("http://LOCALHOST:8126"), "localhost:8126"));
        assert!(check(Some("https://wall.example"), "localhost:8126"));
        for bad in [
            "null",
            "http://localhost",
            "http://localhost:81260",
            "https://evil.example",
            "https://wall.example.evil",
        ] {
            assert!(!check(Some(bad), "localhost:8126"), "{bad}");
        }
    }
}

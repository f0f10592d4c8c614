//! Host names of this server, and the check of `Host` against them.
//!
//! The check stops DNS rebinding: an attacker can let a name resolve to this machine, and a visitor's browser then
//! takes this server for a part of the attacker's page. The browser puts the name into `Host`, and no page can change
//! that.

use std::net::IpAddr;

use hyper::header::HOST;
use hyper::http::uri::Authority;
use hyper::{Method, Request, StatusCode, Version};

use super::paths::match_of;
use super::refusal::Refusal;

/// Names of this server, in lower case.
#[derive(Debug)]
pub(crate) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The machine's own names, `names`, and the hosts of `origins`.
    pub(crate) fn new(names: &[String], origins: &[String]) -> Self {
        let origins = origins.iter().filter_map(|origin| Some(origin.split_once("://")?.1));
        let given = names.iter().map(String::as_str).chain(origins).map(|name| name.trim_end_matches('/'));
        let mut all: Vec<String> =
            given.map(|name| host(name).unwrap_or_else(|| name.to_lowercase())).collect();
        all.push("localhost".to_owned());
        if let Some(machine) = machine() {
            let short = machine.split('.').next().unwrap_or_default();
            all.push(format!("{short}.local"));
            all.push(short.to_owned());
            all.push(machine);
        }
        all.retain(|name| !name.is_empty());
        Self(all)
    }

    /// Checks whether a request may be answered. A request without a name can't come from a browser; it may read by
    /// HTTP/1.0.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        let wrong = |words: &str| Err(Refusal::new(StatusCode::BAD_REQUEST, words));
        let mut headers = request.headers().get_all(HOST).iter();
        let header = headers.next().filter(|value| !value.is_empty());
        if headers.next().is_some() {
            return wrong("a request has one Host");
        }
        let target = request.uri().authority().map(Authority::as_str);
        if header.is_none() && target.is_none() {
            let reads = matches!(*request.method(), Method::GET | Method::HEAD);
            let harmless = request.version() <= Version::HTTP_10 && reads;
            return match harmless && match_of(request.uri().path()).is_none() {
                true => Ok(()),
                false => wrong("this request needs a Host"),
            };
        }
        let header = header.map(|value| String::from_utf8_lossy(value.as_bytes()));
        match header.as_deref().into_iter().chain(target).find(|name| !self.admits(name)) {
            None => Ok(()),
            Some(name) => {
                let name = name.chars().take(100).collect::<String>();
                let words = format!(
                    "this server does not go by the name `{name}`; `serve --allow-host NAME` lets it, as do an \
                     address in numbers, localhost, and the machine's own name"
                );
                Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, words))
            }
        }
    }

    fn admits(&self, authority: &str) -> bool {
        let Some(host) = host(authority) else { return false };
        let number = host.trim_start_matches('[').trim_end_matches(']');
        number.parse::<IpAddr>().is_ok() || self.0.contains(&host)
    }
}

/// The host of `HOST` or `HOST:PORT`, in lower case and without a final dot.
fn host(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok().filter(|_| !authority.contains('@'))?;
    let host = authority.host();
    Some(host.strip_suffix('.').unwrap_or(host).to_lowercase())
}

/// The machine's own name, if it has one.
fn machine() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_str().ok().map(str::to_lowercase);
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok().map(|name| name.to_lowercase());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(head: &str) -> u16 {
        let hosts = AllowedHosts::new(
            &["wall.example".to_owned(), "Other.Example:8126".to_owned()],
            &["https://page.example:444/".to_owned()],
        );
        let mut headers = [httparse::EMPTY_HEADER; 8];
        let mut parsed = httparse::Request::new(&mut headers);
        parsed.parse(head.as_bytes()).unwrap();
        let version = if parsed.version == Some(0) { Version::HTTP_10 } else { Version::HTTP_11 };
        let mut request =
            Request::builder().version(version).method(parsed.method.unwrap()).uri(parsed.path.unwrap());
        for header in parsed.headers {
            request = request.header(header.name, header.value);
        }
        hosts.check(&request.body(()).unwrap()).map_or_else(|refusal| refusal.status.as_u16(), |()| 200)
    }

    #[test]
    fn names_of_this_server_and_no_others() {
        let machine = machine().unwrap();
        let local = format!("{}.local:8126", machine.split('.').next().unwrap());
        for name in [
            "127.0.0.1:8126",
            "192.0.2.7",
            "[::1]:8126",
            "[2001:db8::1]",
            "localhost",
            "LOCALHOST.:8126",
            "wall.example",
            "WALL.example:80",
            "other.example",
            "page.example",
            &machine,
            &local,
        ] {
            assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: {name}\r\n\r\n")), 200, "{name}");
        }
        for name in [
            "evil.example",
            "localhost.evil.example",
            "evil.example:8126",
            "127.0.0.1.evil.example",
            "127.0.0.1@evil.example",
            "evil.example@127.0.0.1",
            "1",
            "2130706433",
            "::1",
            "[::1",
            ".",
            "a b",
        ] {
            assert_eq!(status(&format!("GET / HTTP/1.1\r\nHost: {name}\r\n\r\n")), 421, "{name}");
        }
        // The name in the request target counts as well.
        assert_eq!(status("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), 421);
        assert_eq!(status("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n"), 200);
    }

    #[test]
    fn who_says_no_name_may_read_by_the_old_protocol_alone() {
        assert_eq!(status("GET /healthz HTTP/1.0\r\n\r\n"), 200);
        assert_eq!(status("HEAD / HTTP/1.0\r\nHost:\r\n\r\n"), 200);
        assert_eq!(status("GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n"), 421);
        for head in [
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost:\r\n\r\n",
            "POST /api/matches/x/seats HTTP/1.0\r\n\r\n",
            "GET /api/matches/x/live HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        ] {
            assert_eq!(status(head), 400, "{head}");
        }
    }
}

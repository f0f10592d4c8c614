//! Base URL of a server.

use std::fmt;

/// The base URL of a server's pages: `http://localhost:8126/`, with a path behind a proxy.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Base {
    secure: bool,
    /// The host and the port.
    authority: String,
    /// The path, with a slash at its beginning and its end.
    path: String,
}

/// The server on this machine, at its default port: [`DEFAULT_SERVER`](super::DEFAULT_SERVER).
impl Default for Base {
    fn default() -> Self {
        Base { secure: false, authority: "localhost:8126".to_owned(), path: "/".to_owned() }
    }
}

impl Base {
    /// The URL of a resource of the server. `path` does not begin with a slash.
    pub fn http(&self, path: &str) -> String {
        format!("{}://{}{}{path}", if self.secure { "https" } else { "http" }, self.authority, self.path)
    }

    /// The URL of a websocket of the server.
    pub fn websocket(&self, path: &str) -> String {
        format!("{}://{}{}{path}", if self.secure { "wss" } else { "ws" }, self.authority, self.path)
    }

    /// The host and the port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The host without its port; an address of IPv6 in brackets.
    pub fn host(&self) -> &str {
        let name = self.authority.rsplit_once('@').map_or(&*self.authority, |(_, name)| name);
        match name.rfind(':') {
            Some(colon) if !name[colon..].contains(']') => &name[..colon],
            _ => name,
        }
    }

    /// Whether the connection is encrypted.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Resolves the address of a recording on a page of this server: an absolute or a relative URL.
    ///
    /// # Errors
    /// A message if the address can't be fetched.
    pub fn resolve(&self, url: &str) -> Result<String, String> {
        let own_scheme = if self.secure { "https" } else { "http" };
        let is_scheme = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_alphabetic())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        match url.split_once(':') {
            Some(("http" | "https", rest)) if rest.starts_with("//") && rest.len() > 2 => Ok(url.to_owned()),
            Some((scheme, _)) if is_scheme(scheme) => {
                Err(format!("`{url}` is not the address of a recording: expected http:// or https://"))
            }
            _ if url.starts_with("//") => Ok(format!("{own_scheme}:{url}")),
            _ if url.starts_with('/') => Ok(format!("{own_scheme}://{}{url}", self.authority)),
            _ => Ok(self.http(url)),
        }
    }

    /// The server of an address without its scheme, at `/`, and the address's path. `None` if there is no host.
    pub(super) fn from_parts(secure: bool, rest: &str) -> Option<(Self, String)> {
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, "/"),
        };
        if authority.is_empty() || authority.starts_with(':') || authority.contains(char::is_whitespace) {
            return None;
        }
        Some((Self { secure, authority: authority.to_owned(), path: "/".to_owned() }, path.to_owned()))
    }

    /// The same server at another path, which begins and ends with a slash.
    pub(super) fn at(self, path: &str) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.http(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_default_server() {
        assert_eq!(Base::default().to_string(), super::super::DEFAULT_SERVER);
    }

    #[test]
    fn a_path_prefix_stays_in_the_addresses_of_its_server() {
        let (base, path) = Base::from_parts(true, "club.example/arena/").expect("a host");
        let base = base.at(&path);
        assert_eq!(base.host(), "club.example");
        assert_eq!(base.http("api/matches"), "https://club.example/arena/api/matches");
        assert_eq!(base.websocket("api/matches/m/live"), "wss://club.example/arena/api/matches/m/live");
    }

    #[test]
    fn a_host_has_no_port() {
        for (address, host) in
            [("localhost:8126/", "localhost"), ("[::1]:8126/", "[::1]"), ("[::1]/", "[::1]")]
        {
            assert_eq!(Base::from_parts(false, address).expect("a host").0.host(), host);
        }
    }
}

//! Owners of programs: a token discloses the source of a program, and what its bots asked for.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, HeaderMap};
use sha2::{Digest, Sha256};

use super::refusal::Refusal;
use crate::recordings::disclosure::Disclosure;

/// Minimum number of characters of a token.
const TOKEN_MIN: usize = 16;
/// The name that stands for all teams.
const EVERY_TEAM: &str = "*";

/// The owners of programs. Only the hash of a token is kept.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    /// The names of the teams, by the SHA-256 of the token.
    teams: BTreeMap<[u8; 32], Vec<String>>,
}

impl Owners {
    /// Reads a file with a line for each owner: the team's name, or `*` for every team, and the token as the last
    /// word. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If the file can't be read, or a line is invalid; the message has the line's number, and never the token.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let mut owners = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let number = index + 1;
            let Some((team, token)) = line.rsplit_once(char::is_whitespace) else {
                bail!("line {number}: expected the name of a team, and a token");
            };
            let is_sound = token.len() >= TOKEN_MIN && token.bytes().all(|byte| byte.is_ascii_graphic());
            ensure!(
                is_sound,
                "line {number}: a token has at least {TOKEN_MIN} characters, letters, digits and signs of ASCII"
            );
            owners.teams.entry(hash(token)).or_default().push(team.trim_end().to_owned());
        }
        Ok(owners)
    }

    /// The disclosure for a request. The header is ignored by a server without owners, and with schemes other than
    /// `Bearer`, which a proxy may have added.
    ///
    /// # Errors
    /// 403 for an unknown token.
    pub(super) fn disclosure(&self, headers: &HeaderMap) -> Result<Disclosure, Refusal> {
        let Some(token) = bearer(headers).filter(|_| !self.teams.is_empty()) else {
            return Ok(Disclosure::Nothing);
        };
        match self.teams.get(&hash(token)) {
            Some(teams) if teams.iter().any(|team| team == EVERY_TEAM) => Ok(Disclosure::Everything),
            Some(teams) => Ok(Disclosure::Teams(teams.clone())),
            None => Err(Refusal::new(StatusCode::FORBIDDEN, "no owner of a program has this token")),
        }
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token).into()
}

/// The token of an `Authorization: Bearer TOKEN`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())])
    }

    #[test]
    fn a_token_opens_the_programs_of_its_teams() {
        let text = "# staff\n*  0123456789abcdef!\n\nThe Ravens ravens-0123456789\nGulls ravens-0123456789\n";
        let owners = Owners::parse(text).unwrap();
        let told = |value: &str| owners.disclosure(&headers(value));
        assert_eq!(told("Bearer 0123456789abcdef!"), Ok(Disclosure::Everything));
        let both = Disclosure::Teams(vec!["The Ravens".to_owned(), "Gulls".to_owned()]);
        assert_eq!(told("bearer  ravens-0123456789 "), Ok(both));
        for other in ["Basic YTpi", "Bearer", "ravens-0123456789"] {
            assert_eq!(told(other), Ok(Disclosure::Nothing), "{other}");
        }
        assert_eq!(told("Bearer ravens-012345678").unwrap_err().status, StatusCode::FORBIDDEN);
        assert_eq!(owners.disclosure(&HeaderMap::new()), Ok(Disclosure::Nothing));
        assert_eq!(Owners::default().disclosure(&headers("Bearer anything")), Ok(Disclosure::Nothing));
    }

    #[test]
    fn a_line_that_is_none_is_refused_without_its_token() {
        for (text, words) in [
            ("0123456789abcdef", "line 1: expected the name of a team"),
            ("\nRavens short", "line 2: a token has at least 16 characters"),
            ("Ravens 0123456789abcdéf", "line 1: a token"),
        ] {
            let error = Owners::parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
            assert!(!error.contains("0123") && !error.contains("short"), "{error}");
        }
    }
}

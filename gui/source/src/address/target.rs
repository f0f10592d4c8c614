//! Target of a viewer: a server, one of its matches, or a recording.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use grandstand_protocol::message::MatchId;
use grandstand_story::Sample;

use super::base_url::Base;
use super::comparison::{self, Comparison};
use crate::address::bookmarks::{Bookmarks, BookmarksError};
use crate::address::tournament::{TournamentView, TournamentViewError};
use crate::samples;

/// The server used if none is named: that of the local machine.
pub const DEFAULT_SERVER: &str = "http://localhost:8126/";

/// A target: something that a viewer can open.
///
/// ```
/// use grandstand_source::address::Target;
///
/// let target: Target = "http://localhost:8126/?match=m1&seq=40".parse()?;
/// assert_eq!(target.to_string(), "http://localhost:8126/?match=m1&seq=40");
/// assert!(matches!("ws://localhost:8126/api/matches/m1/live".parse()?, Target::Match { .. }));
/// assert!(matches!("game.replay.zst".parse()?, Target::File(_)));
/// # Ok::<(), grandstand_source::address::TargetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The list of a server's matches.
    Server(Base),
    /// A match of a server, live or over.
    Match {
        /// The server.
        base: Base,
        /// The match.
        id: MatchId,
        /// The initial command; `None` for the present of a live match, or the start of one that is over.
        seq: Option<u64>,
        /// The initial bookmarks.
        marks: Bookmarks,
    },
    /// A recording on this machine.
    File(PathBuf),
    /// The recordings in a folder of this machine.
    Folder(PathBuf),
    /// A recording built into the program.
    Sample(Sample),
    /// A recording at an address.
    Recording {
        /// The URL.
        url: String,
        /// The initial command; `None` for the start.
        seq: Option<u64>,
        /// The initial bookmarks.
        marks: Bookmarks,
    },
    /// The tournament of a server.
    Tournament {
        /// The server.
        base: Base,
        /// The shown part.
        place: TournamentView,
    },
    /// Many boards at once. A [server](Target::Server) in it stands for its live matches, as they come and go.
    Wall(Vec<Target>),
    /// Two matches or recordings side by side.
    Compare(Box<Comparison>),
}

/// The reason why a text is no target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is empty.
    #[error("nothing to open: expected an address such as http://localhost:8126/ or a .replay file")]
    Empty,
    /// The address has an unsupported scheme.
    #[error("`{0}` is not an address of a server: expected http://, https://, ws:// or wss://")]
    Scheme(String),
    /// The address has no host.
    #[error("`{0}` has no host: expected an address such as http://localhost:8126/")]
    NoHost(String),
    /// There are more than two targets to compare.
    #[error("two matches can be compared, not {0}: `--wall` shows more of them side by side")]
    TooMany(usize),
    /// The match, the recording or the moment in the address is malformed.
    #[error("`{address}`: {reason}")]
    Query {
        /// The address.
        address: String,
        /// The fault.
        reason: String,
    },
}

impl Target {
    /// A match of a server, from its present or its start on.
    pub fn of_match(base: Base, id: MatchId) -> Target {
        Target::Match { base, id, seq: None, marks: Bookmarks::default() }
    }

    /// Its shortest name: the last part of a file or an address.
    pub fn last_part(&self) -> String {
        let text = match self {
            Target::Match { id, .. } => return id.to_string(),
            other => other.to_string(),
        };
        let end = text.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next();
        end.filter(|name| !name.is_empty()).unwrap_or(&text).to_owned()
    }

    /// The same without the ending of a recording.
    pub fn stem(&self) -> String {
        let name = self.last_part();
        let stem = name.strip_suffix(".zst").unwrap_or(&name);
        stem.strip_suffix(".replay").unwrap_or(stem).to_owned()
    }

    /// Whether it is one match, which has one board.
    pub fn has_board(&self) -> bool {
        match self {
            Target::Match { .. } | Target::File(_) | Target::Sample(_) | Target::Recording { .. } => true,
            Target::Server(_)
            | Target::Folder(_)
            | Target::Tournament { .. }
            | Target::Wall(_)
            | Target::Compare(_) => false,
        }
    }

    /// The initial command, if one is given.
    pub fn moment(&self) -> Option<u64> {
        match self {
            Target::Match { seq, .. } | Target::Recording { seq, .. } => *seq,
            _ => None,
        }
    }

    /// The initial bookmarks.
    pub fn bookmarks(&self) -> Bookmarks {
        match self {
            Target::Match { marks, .. } | Target::Recording { marks, .. } => marks.clone(),
            _ => Bookmarks::default(),
        }
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(TargetError::Empty);
        }
        if let Some(sample) = samples::named(text) {
            return Ok(Target::Sample(sample));
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            return match scheme {
                "http" | "ws" => address(false, rest, text),
                "https" | "wss" => address(true, rest, text),
                "file" if rest.ends_with('/') => Ok(Target::Folder(PathBuf::from(rest))),
                "file" => Ok(Target::File(PathBuf::from(rest))),
                _ => Err(TargetError::Scheme(text.to_owned())),
            };
        }
        if is_recording(text) || text.contains(std::path::MAIN_SEPARATOR) || !names_a_host(text) {
            return Ok(Target::File(PathBuf::from(text)));
        }
        address(false, text, text)
    }
}

/// Whether a text is `host:port`, `localhost` or an IPv4 address.
fn names_a_host(text: &str) -> bool {
    let host = text.split(['/', '?']).next().unwrap_or(text);
    match host.rsplit_once(':') {
        Some((name, port)) => !name.is_empty() && port.parse::<u16>().is_ok(),
        None => host == "localhost" || host.parse::<std::net::Ipv4Addr>().is_ok(),
    }
}

fn is_recording(path: &str) -> bool {
    path.ends_with(".replay") || path.ends_with(".replay.zst")
}

fn address(secure: bool, rest: &str, text: &str) -> Result<Target, TargetError> {
    let rest = rest.split('#').next().unwrap_or(rest);
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let no_host = || TargetError::NoHost(text.to_owned());
    let (base, path) = Base::from_parts(secure, place).ok_or_else(no_host)?;
    let bad = |reason: String| TargetError::Query { address: text.to_owned(), reason };
    let id = |word: &str| word.parse::<MatchId>().map_err(|error| bad(error.to_string()));
    // The page's script parses queries in the same way: `%2F` is a slash, `+` a blank, and of repeated members the first counts.
    let member = |name: &str| {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        pairs.find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value)
    };
    if let Some((prefix, api)) = path.split_once("/api/matches/") {
        let base = base.at(&format!("{prefix}/"));
        return match api.split_once('/') {
            Some((match_id, "replay")) => {
                let url = base.http(&format!("api/matches/{match_id}/replay"));
                Ok(Target::Recording { url, seq: None, marks: Bookmarks::default() })
            }
            Some((match_id, "live")) => Ok(Target::of_match(base, id(match_id)?)),
            None => Ok(Target::of_match(base, id(api)?)),
            Some(_) => Err(bad("expected /api/matches/ID, …/live or …/replay".to_owned())),
        };
    }
    if is_recording(&path) {
        let url = format!("{}://{rest}", if secure { "https" } else { "http" });
        return Ok(Target::Recording { url, seq: None, marks: Bookmarks::default() });
    }
    let base = base.at(path.rfind('/').map_or("/", |slash| &path[..=slash]));
    let number = |name: &str| match member(name) {
        None => Ok(None),
        Some(number) => number.parse().map(Some).map_err(|error: std::num::ParseIntError| {
            bad(format!("{name} is `{number}` ({error}); expected the number of a command, 0 or more"))
        }),
    };
    let seq = number("seq")?;
    // `?wall` without a value is a wall of all live matches.
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    if let Some((_, ids)) = pairs.find(|(key, _)| key == "wall") {
        let ids = ids.split(',').filter(|word| !word.is_empty());
        let chosen = ids.map(|word| {
            let marks = Bookmarks::default();
            Ok(Target::Match { base: base.clone(), id: id(word)?, seq: None, marks })
        });
        let chosen: Vec<Target> = chosen.collect::<Result<_, TargetError>>()?;
        return Ok(Target::Wall(if chosen.is_empty() { vec![Target::Server(base)] } else { chosen }));
    }
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    if let Some((_, place)) = pairs.find(|(key, _)| key == "tournament") {
        let place = place.parse().map_err(|error: TournamentViewError| bad(error.to_string()))?;
        return Ok(Target::Tournament { base, place });
    }
    let marks: Bookmarks =
        member("marks").unwrap_or_default().parse().map_err(|e: BookmarksError| bad(e.to_string()))?;
    let first = match (member("match"), member("replay")) {
        (Some(word), _) => Target::Match { id: id(&word)?, base: base.clone(), seq, marks },
        (None, Some(url)) => Target::Recording { url: base.resolve(&url).map_err(bad)?, seq, marks },
        (None, None) => {
            return Ok(match tournament_page(&path) {
                Some((prefix, place)) => Target::Tournament { base: base.at(&format!("{prefix}/")), place },
                None => Target::Server(base),
            });
        }
    };
    let Some(with) = member("with") else { return Ok(first) };
    let second = Comparison::second(&base, &first, with).map_err(bad)?;
    let with_seq = number("withseq")?;
    let lock = member("lock").map(|word| comparison::lock(&word)).transpose().map_err(bad)?;
    Ok(Target::Compare(Box::new(Comparison { pair: [first, second], lock, with_seq })))
}

/// The part of a tournament that a page without script shows at this path, and the path of its server.
fn tournament_page(path: &str) -> Option<(&str, TournamentView)> {
    let (prefix, page) = match path.strip_suffix("/tournament") {
        Some(prefix) => (prefix, ""),
        None => path.rsplit_once("/tournament/")?,
    };
    let place = match page.strip_suffix(".html") {
        Some(player) if player.starts_with("player-") => format!("player.{player}").parse().ok()?,
        Some(part) => part.parse().ok()?,
        None => Some(TournamentView::default()).filter(|_| page.is_empty())?,
    };
    Some((prefix, place))
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Server(base) => base.fmt(f),
            Target::Match { base, id, seq, marks } => {
                write!(f, "{base}?match={id}")?;
                seq.iter().try_for_each(|seq| write!(f, "&seq={seq}"))?;
                write!(f, "{}", marks.member())
            }
            Target::File(path) | Target::Folder(path) => path.display().fmt(f),
            Target::Sample(sample) => write!(f, "{}{}", samples::PREFIX, sample.game.name()),
            Target::Tournament { base, place } => write!(f, "{base}?tournament={place}"),
            Target::Recording { url, .. } => f.write_str(url),
            Target::Compare(comparison) => {
                let Comparison { pair: [first, second], lock, with_seq } = &**comparison;
                match Comparison::with(first, second) {
                    Some(with) if matches!(first, Target::Match { .. }) => {
                        write!(f, "{first}{}", Comparison::members(&with, *lock, *with_seq))
                    }
                    _ => write!(f, "{first} and {second}"),
                }
            }
            Target::Wall(targets) => match wall_address(targets) {
                Some(address) => f.write_str(&address),
                None => write!(f, "a wall of {}", targets.len()),
            },
        }
    }
}

/// The address of a wall of one server's matches.
fn wall_address(targets: &[Target]) -> Option<String> {
    let ids = targets.iter().map(|target| match target {
        Target::Match { base, id, seq: None, .. } => Some((base, id.as_str())),
        _ => None,
    });
    match targets {
        [Target::Server(base)] => Some(format!("{base}?wall")),
        [Target::Match { base, .. }, ..] => {
            let ids: Vec<(&Base, &str)> = ids.collect::<Option<_>>()?;
            let same = ids.iter().all(|(other, _)| *other == base);
            let words: Vec<&str> = ids.iter().map(|(_, id)| *id).collect();
            same.then(|| format!("{base}?wall={}", words.join(",")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        match text.parse::<Target>() {
            Ok(Target::Server(base)) => format!("server {base}"),
            Ok(target @ Target::Match { .. }) => format!("match {target}"),
            Ok(target @ Target::Wall(_)) => format!("wall {target}"),
            Ok(target @ Target::Compare(_)) => format!("compare {target}"),
            Ok(target @ Target::Tournament { .. }) => format!("tournament {target}"),
            Ok(Target::File(path)) => format!("file {}", path.display()),
            Ok(Target::Folder(path)) => format!("folder {}", path.display()),
            Ok(target @ Target::Sample(_)) => format!("sample {target}"),
            Ok(Target::Recording { url, seq: None, .. }) => format!("recording {url}"),
            Ok(Target::Recording { url, seq: Some(seq), .. }) => format!("recording {url} at {seq}"),
            Err(error) => format!("error {error}"),
        }
    }

    #[test]
    fn addresses_files_and_matches_are_told_apart() {
        for (text, expected) in [
            ("http://localhost:8126", "server http://localhost:8126/"),
            (" http://localhost:8126/ ", "server http://localhost:8126/"),
            ("localhost:8126", "server http://localhost:8126/"),
            ("192.168.1.7", "server http://192.168.1.7/"),
            ("https://club.example/arena/", "server https://club.example/arena/"),
            ("http://h:1/?match=m-1", "match http://h:1/?match=m-1"),
            ("http://h:1/a/?match=m_1&seq=0", "match http://h:1/a/?match=m_1&seq=0"),
            ("ws://h:1/api/matches/m1/live?since=4", "match http://h:1/?match=m1"),
            ("http://h:1/x/api/matches/m1", "match http://h:1/x/?match=m1"),
            ("http://h:1/api/matches/m1/replay", "recording http://h:1/api/matches/m1/replay"),
            ("http://h:1/games/a.replay.zst", "recording http://h:1/games/a.replay.zst"),
            ("http://h:1/games/a.replay?key=x%2Fy#t", "recording http://h:1/games/a.replay?key=x%2Fy"),
            ("http://h:1/?replay=http://o/b.replay", "recording http://o/b.replay"),
            ("http://h:1/?replay=http%3A%2F%2Fo%2Fb.replay&seq=17", "recording http://o/b.replay at 17"),
            ("http://h:1/?replay=http%3A%2F%2Fo%2Fc%3Fa%3D1%26b%3D2", "recording http://o/c?a=1&b=2"),
            ("http://h:1/a/?embed=1&replay=my%20game.replay", "recording http://h:1/a/my game.replay"),
            ("http://h:1/a/?replay=api/matches/m1/replay", "recording http://h:1/a/api/matches/m1/replay"),
            ("https://h/a/?replay=%2Fkept%2Fb.replay", "recording https://h/kept/b.replay"),
            ("http://h:1/?match=m%2D1&seq=%34", "match http://h:1/?match=m-1&seq=4"),
            ("http://h:1/?wall", "wall http://h:1/?wall"),
            ("http://h:1/a/?x=1&wall=", "wall http://h:1/a/?wall"),
            ("http://h:1/?wall=m1,m-2", "wall http://h:1/?wall=m1,m-2"),
            (
                "http://h:1/?match=m&seq=4&marks=4:First+blood%2C9:a%5C%2Cb",
                "match http://h:1/?match=m&seq=4&marks=4%3AFirst+blood%2C9%3Aa%5C%2Cb",
            ),
            ("http://h:1/?match=m&marks=7", "match http://h:1/?match=m&marks=7%3A"),
            ("http://h:1/?match=m1&with=m2&seq=4", "compare http://h:1/?match=m1&seq=4&with=m2"),
            ("http://h:1/?match=m1&with=m2&lock=line", "compare http://h:1/?match=m1&with=m2&lock=command"),
            (
                "http://h:1/?match=m1&lock=turn&with=m2&withseq=7",
                "compare http://h:1/?match=m1&with=m2&withseq=7&lock=turn",
            ),
            (
                "http://h:1/?match=m1&with=http://o:2/?match=m2",
                "compare http://h:1/?match=m1&with=http%3A%2F%2Fo%3A2%2F%3Fmatch%3Dm2",
            ),
            (
                "http://h:1/?match=m1&with=http://o:2/b.replay",
                "compare http://h:1/?match=m1&with=http%3A%2F%2Fo%3A2%2Fb.replay",
            ),
            ("http://h:1/?with=m2", "server http://h:1/"),
            ("http://h:1/a/?tournament", "tournament http://h:1/a/?tournament=standings"),
            ("http://h:1/?tournament=player-3.games", "tournament http://h:1/?tournament=games.player-3"),
            ("http://h:1/tournament/", "tournament http://h:1/?tournament=standings"),
            ("http://h:1/a/tournament?sort=name", "tournament http://h:1/a/?tournament=standings"),
            ("http://h:1/tournament/player-3.html", "tournament http://h:1/?tournament=player.player-3"),
            ("http://h:1/tournament/games.html", "tournament http://h:1/?tournament=games"),
            ("http://h:1/tournament/notes.txt", "server http://h:1/tournament/"),
            ("a.replay", "file a.replay"),
            ("a:1.replay.zst", "file a:1.replay.zst"),
            ("/tmp/some file", "file /tmp/some file"),
            ("notes.txt", "file notes.txt"),
            ("file:///tmp/a.replay", "file /tmp/a.replay"),
            ("file:///tmp/games/", "folder /tmp/games/"),
            ("sample:gomoku", "sample sample:gomoku"),
            ("sample:chess", "file sample:chess"),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[test]
    fn what_can_not_be_opened_says_why() {
        for (text, part) in [
            ("", "nothing to open"),
            ("ftp://h/", "expected http://"),
            ("http://", "has no host"),
            ("http://:80/", "has no host"),
            ("http://h/?match=a b", "not the id of a match"),
            ("http://h/?wall=a,b c", "not the id of a match"),
            ("http://h/?match=a&with=b c", "not the id of a match"),
            ("http://h/?match=a&with=b&lock=move", "expected command, turn or time"),
            ("http://h/?match=a&with=b&withseq=x", "withseq is `x`"),
            ("http://h/?match=a%2Fb", "not the id of a match"),
            ("http://h/?replay=ftp%3A%2F%2Fo%2Fb.replay", "not the address of a recording"),
            ("http://h/?replay=http%3A%2F%2F", "not the address of a recording"),
            ("http://h/?replay=data:,x", "not the address of a recording"),
            ("http://h/?replay=a.replay&seq=-1", "expected the number of a command"),
            ("http://h/?match=a&seq=x", "expected the number of a command"),
            ("http://h/?tournament=luck", "`luck` is no part of a tournament"),
            ("http://h/?match=a&marks=4:b,c", "mark 2 is `c`; expected SEQ:LABEL"),
            ("http://h/api/matches/a/moves", "expected /api/matches/ID"),
        ] {
            assert!(
                parsed(text).starts_with("error") && parsed(text).contains(part),
                "{text}: {}",
                parsed(text)
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_a_target_or_an_error_and_a_target_reads_back(text in "(http://|ws://)?[ -~é]{0,40}") {
            if let Ok(target) = text.parse::<Target>()
                && !matches!(
                    target,
                    Target::File(_) | Target::Folder(_) | Target::Recording { .. } | Target::Compare(_)
                )
            {
                proptest::prop_assert_eq!(target.to_string().parse::<Target>(), Ok(target));
            }
        }

        #[test]
        fn any_recording_name_survives_a_page_address(path in "[ -~é]{0,30}", seq: u64) {
            let url = format!("http://o/{path}");
            let query = form_urlencoded::Serializer::new(String::new())
                .append_pair("replay", &url)
                .append_pair("seq", &seq.to_string())
                .finish();
            let expected = Target::Recording { url, seq: Some(seq), marks: Bookmarks::default() };
            proptest::prop_assert_eq!(format!("http://h:1/?{query}").parse::<Target>(), Ok(expected));
        }
    }
}

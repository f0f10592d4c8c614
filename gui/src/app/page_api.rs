//! Interface for the page around the spectator: requests and status as JSON. `gui/WEB.md` documents it for authors of
//! pages.

use eframe::egui::Context;
use grandstand_protocol::message::MatchState;
use grandstand_replays::Growth;
use grandstand_story::format;
use grandstand_story::narration::{self, Narration};
use grandstand_story::story;
use serde::{Deserialize, Serialize};

use crate::address::bookmarks::Bookmarks;
use crate::address::{Base, Comparison, Target, TargetError};
use crate::app::App;
use crate::errors::SourceError;
use crate::panels::seat_bar;
use crate::panels::wall::Wall;
use crate::session::{Session, Stage};
use crate::source::Connection;
use crate::tournament::Tournament;

/// A request of the page: `"play"`, `{"seek": 120}`, `{"open": {"match": "ID", "seq": 120}}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Starts playback; at the end of a recording, from its start.
    Play,
    /// Stops playback; a live match goes on behind it.
    Pause,
    /// Goes to the present of a live match, or to the end of a finished one.
    Live,
    /// Goes to the picture after this command and stays there.
    Seek(u64),
    /// Opens a match, a recording, a wall or a tournament.
    Open(Opening),
    /// Goes back to the list of matches.
    Matches,
    /// Shows results, lengths and the future (`true`), or hides them.
    Spoilers(bool),
}

/// Target of [`Request::Open`]. Exactly one of `match`, `replay`, `wall` and `tournament` is given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Id of a match of the page's server.
    pub r#match: Option<String>,
    /// Address of a recording.
    pub replay: Option<String>,
    /// The second match of a comparison: an id, if `match` is given, or else the address of a recording or a match.
    pub with: Option<String>,
    /// Command of the second match that belongs to the first picture.
    pub withseq: Option<u64>,
    /// Lock of the two matches: `command`, `turn` or `time`.
    pub lock: Option<String>,
    /// A wall: ids of matches, separated by commas; all live matches if it is empty.
    pub wall: Option<String>,
    /// A view of the server's tournament, as in an address; the standings if it is empty.
    pub tournament: Option<String>,
    /// Command of the first picture.
    pub seq: Option<u64>,
    /// Bookmarks: `SEQ:LABEL,SEQ:LABEL`.
    pub marks: Option<String>,
}

/// State of the spectator or of the open match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Nothing is open; the list of matches is shown.
    Matches,
    /// A wall of boards is shown.
    Wall,
    /// A tournament is shown.
    Tournament,
    /// A match is being opened.
    Opening,
    /// The match is live.
    Live,
    /// The match came to its end.
    Finished,
    /// The match stopped before its end.
    Interrupted,
    /// The match could not be opened.
    Failed,
}

/// The open target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A match of the page's server, by its id.
    Match(String),
    /// A recording, by its address.
    Replay(String),
    /// A file that was dropped or handed over, by its name.
    File(String),
    /// A wall, as in [`Opening::wall`].
    Wall(String),
    /// A view of the server's tournament, as in an address.
    Tournament(String),
}

/// The shown moments of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Moments {
    /// Last command of the first picture.
    pub seq: u64,
    /// Last command of the second picture.
    pub withseq: u64,
    /// Lock of the two matches: `command`, `turn` or `time`.
    pub lock: &'static str,
}

/// Status of the spectator.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Status {
    /// The open target.
    pub source: Option<Source>,
    /// The second match of a comparison: its id or address.
    pub with: Option<String>,
    /// The shown moments of a comparison.
    pub pair: Option<Moments>,
    /// Title of the match; empty if it has none.
    pub title: String,
    /// The game, its variant, the event and the round of a match; empty if none is open.
    pub identity: String,
    /// The state.
    pub state: State,
    /// Whether a live match is connected; false while the connection is being restored.
    pub connected: bool,
    /// Last command of the picture.
    pub seq: u64,
    /// Last known command.
    pub end: u64,
    /// Time of the picture, in seconds since the start.
    pub seconds: f64,
    /// Time of the known end, in seconds since the start.
    pub duration: f64,
    /// Whether playback runs.
    pub playing: bool,
    /// Whether the picture is the present of a live match.
    pub following: bool,
    /// The viewer's bookmarks, `SEQ:LABEL,SEQ:LABEL`; empty without any.
    pub marks: String,
    /// A trouble in words; `None` without one.
    pub problem: Option<String>,
    /// Text for a viewer with a seat: whose move it is, and why the last one was refused; `None` without a seat.
    pub seat: Option<String>,
    /// The status as a short sentence that changes seldom.
    pub summary: String,
}

impl App {
    /// Executes a request of the page. `base` is the page's server.
    ///
    /// # Errors
    /// A text, if the request needs an open match and none is open. A target that can't be opened is not an error here:
    /// it is shown, and reported by the status.
    pub fn request(&mut self, ctx: &Context, base: &Base, request: Request) -> Result<(), String> {
        ctx.request_repaint();
        match request {
            Request::Open(opening) => {
                self.open_asked(ctx, base, opening);
                return Ok(());
            }
            Request::Matches => {
                self.open(ctx, Target::Server(base.clone()));
                return Ok(());
            }
            Request::Spoilers(shown) => {
                self.settings.spoiler_free = !shown;
                return Ok(());
            }
            _ => {}
        }
        let session = self.session.as_mut().filter(|session| matches!(session.stage, Stage::Open));
        let session = session.ok_or("nothing is open: load a match or a replay first")?;
        match request {
            Request::Play if !session.is_running() => session.play_or_pause(),
            Request::Pause if session.is_running() => session.play_or_pause(),
            Request::Live => session.go_to_end(),
            Request::Seek(seq) => session.seek_seq(seq),
            Request::Play | Request::Pause | Request::Open(_) | Request::Matches | Request::Spoilers(_) => {}
        }
        Ok(())
    }

    fn open_asked(&mut self, ctx: &Context, base: &Base, opening: Opening) {
        let seq = opening.seq;
        // Unreadable bookmarks are ignored.
        let members = [
            ("match", opening.r#match.as_deref()),
            ("replay", opening.replay.as_deref()),
            ("wall", opening.wall.as_deref()),
            ("tournament", opening.tournament.as_deref()),
            ("with", opening.with.as_deref()),
            ("lock", opening.lock.as_deref()),
            ("marks", opening.marks.as_deref().filter(|marks| marks.parse::<Bookmarks>().is_ok())),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in members {
            query.extend_pairs(value.map(|value| (name, value)));
        }
        for (name, number) in [("seq", seq), ("withseq", opening.withseq)] {
            query.extend_pairs(number.map(|number| (name, number.to_string())));
        }
        let target = match members[..4].iter().filter(|(_, value)| value.is_some()).count() {
            1 => format!("{base}?{}", query.finish()).parse().map_err(|error: TargetError| error.to_string()),
            _ => Err("one match, one replay, one wall or one tournament is opened".to_owned()),
        };
        let target = target.and_then(|target| match target {
            Target::Server(_) => Err("it has no name".to_owned()),
            target => Ok(target),
        });
        match target {
            Ok(target) => self.open(ctx, target),
            Err(reason) => {
                let asked = opening
                    .r#match
                    .or(opening.replay)
                    .or(opening.wall)
                    .or(opening.tournament)
                    .unwrap_or_default();
                let advice = "The list shows the matches that there are.";
                let trouble = SourceError::new("Nothing to open there", format!("{reason}."), advice);
                let target = Target::Recording { url: asked, seq, marks: Bookmarks::default() };
                self.show_session(Session::failed(target, trouble));
            }
        }
    }

    /// Shows only the board and the timeline, for a frame in another page.
    pub fn show_board_alone(&mut self) {
        self.embedded = true;
    }

    /// Events on the board since the last call, in words.
    pub fn tell(&mut self) -> Option<Narration> {
        match &self.session {
            Some(session) => {
                let key = session.target.to_string();
                self.narrator.tell(&session.shown(&key))
            }
            None => self.narrator.stop(),
        }
    }

    /// The status, for the page.
    #[must_use]
    pub fn status(&self) -> Status {
        let Some(session) = &self.session else {
            let tournament = self.tournament.as_deref().filter(|_| self.wall.is_none());
            let wall = self.wall.as_ref().and_then(Wall::ids).map(Source::Wall);
            let of = tournament.map(|tournament| Source::Tournament(tournament.place().to_string()));
            let problem = tournament.and_then(Tournament::trouble).map(ToString::to_string);
            let title = tournament.map_or("", Tournament::name).to_owned();
            let (state, summary) = match (&self.wall, tournament) {
                (Some(wall), _) => (
                    State::Wall,
                    format!("A wall of {}.", format::count(wall.len() as u64, "board", "boards")),
                ),
                (None, Some(tournament)) if tournament.is_open() => {
                    (State::Tournament, format!("The tournament {title}: {}.", tournament.place().tab.name()))
                }
                (None, Some(_)) => match &problem {
                    Some(problem) => (State::Failed, problem.clone()),
                    None => (State::Opening, "Opening the tournament.".to_owned()),
                },
                (None, None) => (State::Matches, "The list of matches.".to_owned()),
            };
            return Status {
                source: wall.or(of),
                with: None,
                pair: None,
                title,
                identity: String::new(),
                state,
                connected: false,
                seq: 0,
                end: 0,
                seconds: 0.0,
                duration: 0.0,
                playing: false,
                following: false,
                marks: String::new(),
                problem,
                seat: None,
                summary,
            };
        };
        let log = session.log();
        let problem = match (&session.stage, &session.damage, &session.connection) {
            (Stage::Failed(trouble), ..) => Some(trouble.to_string()),
            (_, Some(damage), _) => Some(damage.clone()),
            (_, None, Some((Connection::Waiting { trouble, .. }, _))) => Some(trouble.to_string()),
            _ => None,
        };
        let pair = self.compare.as_ref().map(|compare| compare.pair(session));
        Status {
            with: pair.and_then(|[first, second]| Comparison::with(&first.target, &second.target)),
            pair: self.compare.as_ref().zip(pair).map(|(compare, [first, second])| Moments {
                seq: first.seq(),
                withseq: second.seq(),
                lock: compare.lock.name(),
            }),
            source: Some(match &pair.map_or(session, |[first, _]| first).target {
                Target::Match { id, .. } => Source::Match(id.to_string()),
                Target::Recording { url, .. } => Source::Replay(url.clone()),
                Target::Server(_)
                | Target::Folder(_)
                | Target::Tournament { .. }
                | Target::Wall(_)
                | Target::Compare(_) => Source::Wall(String::new()),
                target @ Target::Sample(_) => Source::File(target.to_string()),
                Target::File(path) => Source::File(path.display().to_string()),
            }),
            title: session.title(),
            identity: if matches!(session.stage, Stage::Open) { session.identity() } else { String::new() },
            state: state(session),
            connected: matches!(session.connection, Some((Connection::Connected, _))),
            seq: session.seq(),
            end: log.last_seq(),
            seconds: (session.secs() * 10.0).round() / 10.0,
            duration: (session.end_secs() * 10.0).round() / 10.0,
            playing: session.is_running() && !session.is_at_end() && matches!(session.stage, Stage::Open),
            following: session.is_following(),
            marks: session.bookmarks().to_string(),
            summary: self
                .board_inspector
                .cursor_words(session)
                .unwrap_or_else(|| summary(session, problem.as_deref())),
            seat: seat_bar::told(session),
            problem,
        }
    }
}

fn state(session: &Session) -> State {
    match session.stage {
        Stage::Opening => State::Opening,
        Stage::Failed(_) => State::Failed,
        Stage::Open if session.awaits_moment() || session.is_arriving() => State::Opening,
        Stage::Open if session.is_live() => State::Live,
        Stage::Open => match (session.log().growth(), session.about.state) {
            (_, Some(MatchState::Interrupted)) if !session.hides_future() => State::Interrupted,
            (Growth::Complete, None) if session.result().is_none() => State::Interrupted,
            _ => State::Finished,
        },
    }
}

/// The status for screen readers. It changes with actions of the viewer and with the connection, not with every move.
fn summary(session: &Session, problem: Option<&str>) -> String {
    let title = Some(session.title()).filter(|title| !title.is_empty());
    let title = title.unwrap_or_else(|| session.target.to_string());
    let state = match state(session) {
        State::Opening => return problem.map_or_else(|| format!("Opening {title}."), str::to_owned),
        State::Failed => return problem.unwrap_or_default().to_owned(),
        _ if problem.is_some() => return problem.unwrap_or_default().to_owned(),
        State::Live => "live",
        State::Interrupted => "interrupted",
        State::Finished | State::Matches | State::Wall | State::Tournament => "finished",
    };
    if session.is_running() && !session.is_at_end() {
        let how = if session.is_following() { "" } else { ", replaying" };
        let seat = seat_bar::told(session).map_or_else(String::new, |told| format!(" {told}"));
        return format!("{title}: {state}{how}.{seat}");
    }
    let at = format::clock(session.secs());
    let moment = format::uncapitalised(&story(session.scene()).progress_text());
    format!("{title}: {state}. Stopped at {at}, {moment}: {}.", narration::scores(session.scene()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_nonsense_is_refused() {
        let read = |text: &str| serde_json::from_str::<Request>(text);
        assert_eq!(read("\"play\"").unwrap(), Request::Play);
        assert_eq!(read("{\"seek\": 12}").unwrap(), Request::Seek(12));
        let open = Opening {
            r#match: Some("A".into()),
            replay: None,
            with: None,
            withseq: None,
            lock: None,
            wall: None,
            tournament: None,
            seq: Some(3),
            marks: None,
        };
        assert_eq!(read("{\"open\": {\"match\": \"A\", \"seq\": 3}}").unwrap(), Request::Open(open));
        for nonsense in
            ["", "\"stop\"", "{\"seek\": -1}", "{\"seek\": 1.5}", "{\"open\": {\"url\": \"x\"}}", "[]"]
        {
            assert!(read(nonsense).is_err(), "{nonsense}");
        }
    }
}

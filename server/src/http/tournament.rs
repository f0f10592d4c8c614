//! Routes of a tournament: pages, JSON, recordings of its games. The catalogue is opened read-only.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grandstand_protocol::tournament::Change;
use grandstand_tournaments::PlayerIndex;
use hyper::header::{CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode, Uri};

use super::body::Body;
use super::query::{query_number, query_text};
use super::refusal::{Refusal, nothing, unreadable};
use super::response::respond;
use super::state::AppState;
use super::streamed::{Replay, held, streamed};
use super::web;
use crate::limits::client::Client;
use crate::recordings::disclosure::Disclosure;
use crate::recordings::download::ReplayFile;
use crate::tournament::pages::{self, GAMES as GAMES_PAGE, INDEX, Site};
use crate::tournament::report::{GameFilter, OutcomeFilter, RatingHistory, SnapshotError, StandingsOrder};
use crate::tournament::shown::{FRESH, Moment, ShownTournament};

/// Maximum time that a request waits for a change.
const WAIT: Duration = Duration::from_secs(25);
/// Default and maximum number of games in a response.
const GAMES: u64 = 100;
const GAMES_MAX: u64 = 1_000;
/// Refresh interval of the pages, in seconds.
const REFRESH: u32 = 10;
/// Content security policy: no script, inline style, and images of this server.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/// Handles a path below `tournament/`.
pub(super) async fn page(
    state: &Arc<AppState>,
    path: &[&str],
    uri: &Uri,
    headers: &HeaderMap,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let shown = shown(state)?;
    if let ["recordings", name] = path {
        let number =
            name.strip_suffix(".replay").and_then(|number| number.parse().ok()).ok_or_else(nothing)?;
        return recording(state, shown, number, state.disclosure(headers)?, client).await;
    }
    let [name] = path else { return Err(nothing()) };
    let order = match query_text(uri, "sort") {
        None => StandingsOrder::default(),
        Some(name) => StandingsOrder::named(&name).ok_or_else(|| {
            let names = StandingsOrder::ALL.map(StandingsOrder::name).join(", ");
            Refusal::new(StatusCode::BAD_REQUEST, format!("sort is one of: {names}"))
        })?,
    };
    let name = (*name).to_owned();
    let hides = hides_results(uri)?;
    let rounds = query_number(uri, "rounds")?.unwrap_or(0);
    let from = query_number(uri, "from")?.unwrap_or(0);
    let asked = AskedGames::of(uri)?;
    let page = move || -> Result<Option<String>, SnapshotError> {
        let now = shown.now()?;
        let site = Site {
            recordings: Some("replay"),
            pictures: false,
            spectator: web::is_built_in().then_some("../"),
            queries: true,
            refresh: Some(REFRESH),
        };
        if hides {
            let player = pages::player_of_page(&name);
            let known = player.map_or(name.is_empty() || name == INDEX || name == GAMES_PAGE, |index| {
                index < now.report.players.len()
            });
            return Ok(known.then(|| pages::schedule(&now.snapshot.schedule(rounds), &site, player)));
        }
        if name == GAMES_PAGE {
            return Ok(asked
                .filter(&now)
                .map(|filter| pages::games(&now.report, &site, &filter, from, &now.games)));
        }
        if name.is_empty() || name == INDEX {
            return Ok(Some(pages::index(&now.report, now.histories(), &site, order)));
        }
        let player = pages::player_of_page(&name).and_then(|index| now.report.players.get(index));
        let report = player.and_then(|player| now.snapshot.player(PlayerIndex(player.player)));
        Ok(report.map(|report| pages::player(&now.report, &site, &report, &now.games)))
    };
    let page = state.live.read_turns().read(client, page).await.map_err(unreadable)?;
    let page = page.map_err(broken)?.ok_or_else(nothing)?;
    let body = held(state, page.into_bytes().into())?;
    let mut response = respond(StatusCode::OK, "text/html; charset=utf-8", body.into());
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// Function that makes the JSON of a response; `None` if nothing is at the address.
type Part = dyn FnOnce(&Moment) -> Option<serde_json::Value> + Send;

/// Handles a path below `api/tournament`.
pub(super) async fn api(
    state: &Arc<AppState>,
    path: &[&str],
    uri: &Uri,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let shown = match shown(state) {
        // Spectators ask every server for a tournament, so its absence is not an error.
        Err(_) if path == ["changes"] => {
            return Ok(respond(StatusCode::NO_CONTENT, "application/json", Body::Whole(None)));
        }
        shown => shown?,
    };
    let hides = hides_results(uri)?;
    let work: Box<Part> = match path {
        [] if hides => {
            let rounds = query_number(uri, "rounds")?.unwrap_or(0);
            Box::new(move |now| Some(serde_json::json!(now.snapshot.schedule(rounds))))
        }
        _ if hides => return Err(nothing_without_results()),
        [] => Box::new(|now| {
            let mut value = serde_json::json!(now.report);
            value["revision"] = now.revision.into();
            Some(value)
        }),
        ["games"] => {
            let from = query_number(uri, "from")?.unwrap_or(0);
            let limit = query_number(uri, "limit")?.unwrap_or(GAMES).min(GAMES_MAX) as usize;
            let asked = AskedGames::of(uri)?;
            if asked.outcome.is_some_and(OutcomeFilter::is_of_a_player) && asked.player.is_none() {
                let words = "won and lost are a player's: name one with player=N";
                return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
            }
            Box::new(move |now| {
                let filter = asked.filter(now)?;
                let first = now.games.partition_point(|game| game.number < from);
                let wanted = now.games[first..].iter().filter(|line| filter.takes(line));
                Some(serde_json::json!(wanted.take(limit).collect::<Vec<_>>()))
            })
        }
        ["ratings"] => {
            let stage = query_number(uri, "stage")?;
            Box::new(move |now| {
                let of = |history: &&RatingHistory| stage.is_none_or(|stage| history.stage as u64 == stage);
                Some(serde_json::json!(now.histories().iter().filter(of).collect::<Vec<_>>()))
            })
        }
        ["players", number] => {
            let number: usize = number.parse().ok().ok_or_else(nothing)?;
            Box::new(move |now| {
                let player = now.report.players.get(number.checked_sub(1)?)?;
                Some(serde_json::json!(now.snapshot.player(PlayerIndex(player.player))?))
            })
        }
        ["changes"] => {
            changes(state, &shown, query_number(uri, "after")?.unwrap_or(0), client).await?;
            Box::new(|now| {
                Some(serde_json::json!(Change { revision: now.revision, ..Change::of(&now.report) }))
            })
        }
        _ => return Err(nothing()),
    };
    let made = move || -> Result<Option<Vec<u8>>, SnapshotError> {
        let now = shown.now()?;
        Ok(work(&now).map(|value| value.to_string().into_bytes()))
    };
    let made = state.live.read_turns().read(client, made).await.map_err(unreadable)?;
    let json = made.map_err(broken)?.ok_or_else(nothing)?;
    Ok(respond(StatusCode::OK, "application/json", held(state, json.into())?.into()))
}

/// Filter of a request for games. Players and stages are numbered from 1.
#[derive(Debug, Default)]
struct AskedGames {
    player: Option<u64>,
    opponent: Option<u64>,
    stage: Option<u64>,
    outcome: Option<OutcomeFilter>,
    numbers: Vec<u64>,
}

impl AskedGames {
    fn of(uri: &Uri) -> Result<Self, Refusal> {
        let bad = |words: String| Refusal::new(StatusCode::BAD_REQUEST, words);
        // A form sends an unset field as an empty text.
        let number = |name: &str| query_text(uri, name).map_or(Ok(None), |_| query_number(uri, name));
        let outcome = match query_text(uri, "result") {
            None => None,
            Some(name) => Some(OutcomeFilter::named(&name).ok_or_else(|| {
                bad(format!("result is one of: {}", OutcomeFilter::ALL.map(OutcomeFilter::name).join(", ")))
            })?),
        };
        let numbers = query_text(uri, "numbers").unwrap_or_default();
        let numbers = numbers.split(',').filter(|number| !number.is_empty()).map(str::parse::<u64>);
        let numbers: Vec<u64> = numbers
            .collect::<Result<_, _>>()
            .map_err(|error| bad(format!("numbers are whole numbers with commas between them: {error}")))?;
        Ok(Self {
            player: number("player")?,
            opponent: number("opponent")?,
            stage: number("stage")?,
            outcome,
            numbers,
        })
    }

    /// The filter; `None` if the player or the stage does not exist.
    fn filter(&self, now: &Moment) -> Option<GameFilter> {
        let index = |number: u64| usize::try_from(number).ok()?.checked_sub(1);
        let player = |number: Option<u64>| match number {
            None => Some(None),
            Some(number) => Some(Some(now.report.players.get(index(number)?)?.name.clone())),
        };
        let stage = match self.stage {
            None => None,
            Some(number) => Some(now.report.stages.get(index(number)?)?.name.clone()),
        };
        Some(GameFilter {
            player: player(self.player)?,
            opponent: player(self.opponent)?,
            stage,
            outcome: self.outcome,
            numbers: self.numbers.clone(),
        })
    }
}

/// Whether the request hides results.
fn hides_results(uri: &Uri) -> Result<bool, Refusal> {
    match query_text(uri, "spoilers").as_deref() {
        None | Some("show") => Ok(false),
        Some("hide") => Ok(true),
        Some(_) => Err(Refusal::new(StatusCode::BAD_REQUEST, "spoilers is hide or show")),
    }
}

fn nothing_without_results() -> Refusal {
    let words =
        "with spoilers=hide nothing of this address is left: api/tournament?spoilers=hide is the schedule";
    Refusal::new(StatusCode::BAD_REQUEST, words)
}

/// Waits until the revision differs from `after` or the tournament is over, at most [`WAIT`].
async fn changes(
    state: &AppState,
    shown: &Arc<ShownTournament>,
    after: u64,
    client: Client,
) -> Result<(), Refusal> {
    let until = Instant::now() + WAIT;
    loop {
        let looked = shown.clone();
        let now = state
            .live
            .read_turns()
            .read(client, move || looked.now().map(|now| (now.revision, now.report.over)));
        let (revision, over) = now.await.map_err(unreadable)?.map_err(broken)?;
        if revision != after || over || Instant::now() >= until {
            return Ok(());
        }
        tokio::time::sleep(FRESH).await;
    }
}

/// The recording of a game, with the disclosed part of its programs.
async fn recording(
    state: &Arc<AppState>,
    shown: Arc<ShownTournament>,
    number: u64,
    disclosure: Disclosure,
    client: Client,
) -> Result<Response<Body>, Refusal> {
    let open = move || -> io::Result<Option<ReplayFile>> {
        let bytes = shown.recording(number).map_err(io::Error::other)?;
        bytes.map(|bytes| ReplayFile::of_compressed(bytes, &disclosure)).transpose()
    };
    let file =
        state.live.read_turns().read(client, open).await.and_then(|opened| opened).map_err(unreadable)?;
    let file = file.ok_or_else(|| Refusal::new(StatusCode::NOT_FOUND, "this game has no recording"))?;
    streamed(state, "application/x-ndjson; charset=utf-8", client, Replay(file)).await
}

fn shown(state: &AppState) -> Result<Arc<ShownTournament>, Refusal> {
    let none = || {
        Refusal::new(
            StatusCode::NOT_FOUND,
            "no tournament is shown here: grandstand serve --tournament FILE.db",
        )
    };
    state.tournament.clone().ok_or_else(none)
}

fn broken(error: SnapshotError) -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

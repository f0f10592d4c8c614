//! Next match after the end of one: another live one, else the one played after it; for files the next later one in the
//! folder.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use eframe::egui::Context;
use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{MatchSummary, TeamInfo};

use crate::address::{Base, Target};
use crate::panels::match_list;
use crate::session::Session;
use crate::source::{self, Refused};

/// Intervals between requests of somebody who has played, in seconds: until there is a rematch; and while it is
/// offered, because its host gives up a seat that nobody takes, or after a request that failed.
const ASK_AGAIN: f64 = 1.0;
const LOOK_AGAIN: f64 = 3.0;

/// The next match, as far as it is known, and the progress of the search for it.
#[derive(Debug, Default)]
pub(super) struct NextMatch {
    /// The match and its title, if there is one.
    found: Option<(Target, String)>,
    search: Search,
}

/// Progress of a search.
#[derive(Debug, Default)]
enum Search {
    /// Not begun.
    #[default]
    Unasked,
    /// The server's list is on its way.
    Asked(Receiver<Result<String, Refused>>),
    /// It is repeated at this time of egui's clock, in seconds, for somebody who has played.
    Again(f64),
    /// It is over.
    Done,
}

impl NextMatch {
    /// The next match, once it is known. The search is made once, and again and again for somebody who has played.
    pub(super) fn after(&mut self, ctx: &Context, session: &Session) -> Option<(Target, String)> {
        let now = ctx.input(|input| input.time);
        if let Search::Again(at) = self.search {
            if now >= at {
                self.search = Search::Unasked;
            } else {
                ctx.request_repaint_after(Duration::from_secs_f64(at - now));
            }
        }
        match (&self.search, &session.target) {
            (Search::Unasked, Target::Match { base, .. }) => {
                self.search = Search::Asked(source::get(base, "api/matches"));
            }
            #[cfg(not(target_arch = "wasm32"))]
            (Search::Unasked, Target::File(path)) => {
                (self.found, self.search) = (file_after(path), Search::Done);
            }
            (Search::Unasked, _) => self.search = Search::Done,
            _ => {}
        }
        if let (Search::Asked(answer), Target::Match { base, id, .. }) = (&self.search, &session.target) {
            match answer.try_recv() {
                Err(TryRecvError::Empty) => ctx.request_repaint_after(Duration::from_millis(100)),
                // Without a list there is no next match. A request may fail once, and somebody who has played waits.
                Err(TryRecvError::Disconnected) | Ok(Err(_)) => {
                    let search = match session.seat_client.has_played {
                        true => Search::Again(now + LOOK_AGAIN),
                        false => Search::Done,
                    };
                    (self.found, self.search) = (None, search);
                    ctx.request_repaint();
                }
                Ok(Ok(text)) => {
                    let list: Vec<MatchSummary> = serde_json::from_str(&text).unwrap_or_default();
                    // A rematch begins a little later.
                    (self.found, self.search) = if session.seat_client.has_played {
                        let found = rematch_of(base, session, id, &list);
                        let wait = if found.is_some() { LOOK_AGAIN } else { ASK_AGAIN };
                        ctx.request_repaint();
                        (found, Search::Again(now + wait))
                    } else {
                        (match_after(base, id, list), Search::Done)
                    };
                }
            }
        }
        self.found.clone()
    }
}

/// The next match in a server's list, which has the newest match first: another live one, else the next newer one.
fn match_after(base: &Base, id: &MatchId, list: Vec<MatchSummary>) -> Option<(Target, String)> {
    let live = list.iter().find(|summary| summary.state == MatchState::Live && summary.id != *id);
    let newer = || {
        let place = list.iter().position(|summary| summary.id == *id)?;
        list.get(place.checked_sub(1)?)
    };
    let found = live.or_else(newer)?;
    Some((Target::of_match(base.clone(), found.id.clone()), match_list::title(found)))
}

/// The match that the host of a seat begins after the one that was played: a later live one of the same game and event
/// with a free seat, and the same teams unless the viewer has chosen other settings. Of several it is the first.
fn rematch_of(
    base: &Base,
    session: &Session,
    id: &MatchId,
    list: &[MatchSummary],
) -> Option<(Target, String)> {
    let (about, game) = (&session.about, session.whole_log().game());
    let names = |teams: &[TeamInfo]| {
        let mut names: Vec<String> = teams.iter().map(|team| team.name.to_string()).collect();
        names.sort_unstable();
        names
    };
    let follows = |summary: &&MatchSummary| {
        summary.state == MatchState::Live
            && summary.id > *id
            && summary.game == game
            && summary.event.as_deref().unwrap_or_default() == about.event
            && (session.seat_client.replaced || names(&summary.teams) == names(&about.teams))
            && summary.seats.iter().any(|seat| !seat.taken)
    };
    let found = list.iter().filter(follows).min_by(|a, b| a.id.cmp(&b.id))?;
    Some((Target::of_match(base.clone(), found.id.clone()), match_list::title(found)))
}

/// The next later recording in the folder.
#[cfg(not(target_arch = "wasm32"))]
fn file_after(path: &std::path::Path) -> Option<(Target, String)> {
    let file = source::recording_after(path)?;
    let name = file.file_name()?.to_string_lossy().into_owned();
    Some((Target::File(file), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_match_comes_first_else_the_next_newer_one() {
        let Ok(Target::Server(base)) = "http://localhost:8126/".parse() else { panic!("a server") };
        let after = |id: &str, states: &[(&str, &str)]| {
            let list = states.iter().map(|(id, state)| {
                format!(r#"{{"id":"{id}","game":"abalone","title":"","teams":[],"state":"{state}","started":"","seq":1,"spectators":0,"result":null}}"#)
            });
            let list = format!("[{}]", list.collect::<Vec<_>>().join(","));
            let list = serde_json::from_str(&list).expect("a list");
            match match_after(&base, &id.parse().expect("an id"), list)?.0 {
                Target::Match { id, .. } => Some(id.to_string()),
                _ => None,
            }
        };
        let played = [("c", "finished"), ("b", "interrupted"), ("a", "finished")];
        assert_eq!(after("a", &played).as_deref(), Some("b"));
        assert_eq!(after("b", &played).as_deref(), Some("c"));
        assert_eq!((after("c", &played), after("x", &played), after("x", &[])), (None, None, None));
        let goes_on = [("c", "finished"), ("b", "finished"), ("a", "live")];
        assert_eq!(after("c", &goes_on).as_deref(), Some("a"));
        assert_eq!(after("a", &goes_on).as_deref(), Some("b"));
    }
}

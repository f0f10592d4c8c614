//! A match as a few lines of text, for a standard output that is no terminal.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use grandstand_protocol::message::MatchState;
use grandstand_replays::Growth;
use grandstand_source::address::Target;
use grandstand_source::errors::SourceError;
use grandstand_source::recordings::{FolderUpdate, Recorded};
use grandstand_source::{Connection, open, watch_folder, watch_list};
use grandstand_story::format::uncapitalised;
use grandstand_story::narration::scores;
use grandstand_story::{format, sides, story};

use crate::panels::moments::told;
use crate::session::{Session, Stage};

/// The maximum time in which a server must answer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Describes a match: the players, the score or the result, and what decided it. For a server, lists its matches, and for a
/// folder its recordings, one per line.
///
/// # Errors
/// When the target can't be opened.
pub fn describe(target: Target) -> Result<String, SourceError> {
    let (sender, woken) = channel();
    // A receiver that stopped waiting needs no call.
    let wake = std::sync::Arc::new(move || {
        let _ = sender.send(());
    });
    let late = || {
        SourceError::new(
            "Nothing came",
            format!("{target} has not answered for {} s.", PATIENCE.as_secs()),
            "Try again.",
        )
    };
    let began = Instant::now();
    if let Target::Server(base) = &target {
        let listing = watch_list(base.clone(), wake);
        let matches = listing.updates.recv_timeout(PATIENCE).map_err(|_closed| late())??;
        let lines = matches.iter().map(|summary| {
            let teams = sides(&grandstand_protocol::Scene::new(summary.game), &summary.teams);
            let state = if summary.state == MatchState::Live { "live" } else { "over" };
            format!(
                "{base}?match={}  {}, {}, {state}\n",
                summary.id,
                summary.game.title(),
                format::match_name(&summary.title, &teams)
            )
        });
        let lines: String = lines.collect();
        return Ok(if lines.is_empty() { format!("There is no match at {base} yet.\n") } else { lines });
    }
    if let Target::Folder(path) = &target {
        return folder(path, wake);
    }
    let mut session = Session::new(target.clone(), open(&target, wake), Some(u64::MAX));
    loop {
        let next = session.update(began.elapsed().as_secs_f64() + 1.0);
        match (&session.stage, &session.connection) {
            (Stage::Failed(trouble), _)
            | (Stage::Opening, Some((Connection::Waiting { trouble, .. }, _))) => {
                return Err(trouble.clone());
            }
            _ => {}
        }
        let is_read = next != Some(0.0);
        let is_whole = session.whole_log().growth() == Growth::Complete || session.is_present();
        if is_read && is_whole && matches!(session.stage, Stage::Open) {
            return Ok(text(&mut session));
        }
        if began.elapsed() > PATIENCE && session.whole_log().growth() == Growth::Live {
            return Err(late());
        }
        // It looks again after any wake-up.
        let _ = woken.recv_timeout(Duration::from_secs_f64(next.unwrap_or(0.1).min(0.1)));
    }
}

/// The recordings of a folder, a line each, the newest first.
fn folder(path: &std::path::Path, wake: grandstand_source::Wake) -> Result<String, SourceError> {
    let feed = watch_folder(path.to_owned(), wake);
    let (mut files, mut text) = (Vec::new(), String::new());
    for update in feed.updates {
        match update {
            FolderUpdate::Contents(folder) => files = folder.recordings,
            FolderUpdate::Failed(trouble) => return Err(trouble),
            FolderUpdate::Recording(number, told) => {
                let file = files.get(number).and_then(|file| file.file_name()).unwrap_or_default();
                let words = told.map_or_else(|why| uncapitalised(&why), |recorded| row(&recorded));
                text += &format!("{}  {words}\n", file.to_string_lossy());
            }
        }
    }
    if text.is_empty() {
        text = format!("There is no recording in {}.\n", path.display());
    }
    Ok(text)
}

/// What a list says of a recording.
fn row(recorded: &Recorded) -> String {
    let Recorded { scan, scene } = recorded;
    let (game, about) = (scan.header.game, &scan.header.about);
    let empty = grandstand_protocol::Scene::new(game);
    let teams = sides(scene.as_deref().unwrap_or(&empty), &about.teams);
    let outcome = match &scan.result {
        Some(result) => format::result_sentence(result, &teams),
        None => "no result".to_owned(),
    };
    let name = format::match_name(&about.title, &teams);
    format!("{}, {name}, {outcome}, {}", game.title(), format::minutes(scan.end.as_secs_f64()))
}

fn text(session: &mut Session) -> String {
    session.go_to_end();
    let teams = session.sides();
    let scene = session.scene();
    let mut text =
        format!("{}, {}\n", scene.game().title(), format::match_name(&session.about.title, &teams));
    if session.is_live() {
        let facts = [story(scene).progress_text(), scores(scene)];
        let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        text += &format!("It goes on: {}.\n", facts.join(", "));
        return text;
    }
    let summary = told(session, &teams);
    text += &format!("{}\n", summary.told());
    for moment in &summary.moments {
        text += &format!("{} {}\n", format::clock(moment.t.as_secs_f64()), moment.what);
    }
    if let Some(damage) = &session.damage {
        text += &format!("{damage}\n");
    }
    text
}

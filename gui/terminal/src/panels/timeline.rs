//! The line with the time, the position in the match and the speed. Below it are the keys, or a problem.

use grandstand_replays::playback::State;
use grandstand_replays::{Growth, Speed};
use grandstand_source::Connection;
use grandstand_story::format;
use grandstand_story::markers::Origin;

use crate::canvas::{Canvas, bold, columns, ink, shortened};
use crate::input::HINTS;
use crate::look::{ACCENT, LINE, LIVE, TEXT, WARNING, WEAK};
use crate::session::Session;

/// Paints both lines, or only the upper one in an area of one line. `notice` is the reason why the last key had no effect.
pub(crate) fn paint(canvas: &mut Canvas<'_>, session: &Session, notice: Option<&str>, now: f64) {
    paint_time(canvas, session);
    match notice.map(str::to_owned).or_else(|| wrong(session, now)) {
        Some(words) => {
            let words = shortened(&words, canvas.width() - 2, canvas.look);
            canvas.text(1, 1, &words, ink(WARNING));
        }
        None => paint_keys(canvas),
    }
}

fn paint_time(canvas: &mut Canvas<'_>, session: &Session) {
    let (look, width) = (canvas.look, canvas.width());
    let state = match session.playback.state() {
        _ if session.is_at_end() => look.sign("■", "end"),
        State::Paused => look.sign("‖", "||"),
        State::Playing | State::Following => look.sign("▶", ">"),
    };
    let mut x = canvas.text(1, 0, state, bold(ACCENT)) + 1;
    if session.is_following() {
        x = canvas.text(x, 0, "LIVE", bold(LIVE)) + 1;
        if let Some(late) = session.late_secs() {
            x = canvas.text(x, 0, &format!("{} late", format::span(late)), ink(WARNING)) + 1;
        }
    } else if session.playback.speed() != Speed::X1 || session.playback.state() == State::Playing {
        x = canvas.text(x, 0, &session.playback.speed().to_string(), ink(TEXT)) + 1;
    }
    if session.playback.idle_max().is_some() {
        x = canvas.text(x, 0, "skips", ink(WEAK)) + 1;
    }
    x = canvas.text(x, 0, &format::clock(session.secs()), bold(TEXT)) + 1;
    let end = format!(
        "{}{}",
        if session.whole_log().growth() == Growth::Loading { "reading " } else { "" },
        format::clock(session.end_secs())
    );
    let bar = width - x - columns(&end) - 2;
    canvas.text_to(width - 1, 0, &end, ink(WEAK));
    if bar < 4 {
        return;
    }
    let whole = session.end_secs().max(1e-6);
    let place = |secs: f64| x + ((secs / whole).clamp(0.0, 1.0) * f64::from(bar - 1)).round() as i32;
    let here = place(session.secs());
    for column in x..x + bar {
        let (sign, color) =
            if column <= here { (look.sign('━', '='), ACCENT) } else { (look.sign('─', '-'), LINE) };
        canvas.sign(column, 0, sign, ink(color));
    }
    let markers = session.events.findings().markers.list().iter();
    for marker in markers.filter(|marker| marker.major && marker.origin == Origin::Game) {
        canvas.sign(place(marker.t.as_secs_f64()), 0, look.sign('┿', '+'), ink(WARNING));
    }
    canvas.sign(here, 0, look.sign('●', '#'), bold(TEXT));
}

/// Paints as many keys as fit.
fn paint_keys(canvas: &mut Canvas<'_>) {
    let (look, width) = (canvas.look, canvas.width());
    let mut words: Vec<_> = HINTS.iter().map(|(key, ascii, word)| (look.sign(*key, *ascii), *word)).collect();
    let room = |words: &[(&str, &str)]| {
        words.iter().map(|(key, word)| columns(key) + columns(word) + 3).sum::<i32>()
    };
    // The keys before the last two are left out first, since `?` shows all keys.
    while room(&words) > width && words.len() > 2 {
        words.remove(words.len() - 3);
    }
    let mut x = 1;
    for (key, word) in words {
        x = canvas.text(x, 1, key, ink(ACCENT)) + 1;
        x = canvas.text(x, 1, word, ink(WEAK)) + 2;
    }
}

/// The problem with the connection or the file.
fn wrong(session: &Session, now: f64) -> Option<String> {
    if let Some((Connection::Waiting { trouble, .. }, due)) = &session.connection {
        return Some(format!("{} Again in {}; r: now", trouble.detail, format::span((due - now).max(0.0))));
    }
    session.damage.clone()
}

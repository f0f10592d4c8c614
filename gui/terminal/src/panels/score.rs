//! The lines above the board: the players, their scores and clocks, the game, and the progress or the result of the match.

use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_story::{Badge, Side, format, story};
use ratatui_core::style::{Modifier, Style};

use crate::canvas::{Canvas, bold, columns, ink, shortened};
use crate::games::board;
use crate::look::{self, Look, TEXT, WEAK};
use crate::session::Session;

/// Paints the lines.
pub(crate) fn paint(canvas: &mut Canvas<'_>, session: &Session) {
    let sides = session.sides();
    let width = canvas.width();
    let (above, below) = middle(session, &sides, width * 2 / 5);
    let [left, right] = &sides[..] else { return paint_row(canvas, &sides, &above) };
    let over = if canvas.height() > 1 || below.is_empty() { &above } else { &below };
    canvas.text((width - columns(over)) / 2, 0, over, bold(TEXT));
    canvas.text((width - columns(&below)) / 2, 1, &below, ink(WEAK));
    let mover = story(session.scene()).mover().filter(|_| !session.is_at_end());
    for (index, side) in [left, right].into_iter().enumerate() {
        // The teams get the space to both sides of the middle.
        let rooms = [columns(over), columns(&below)].map(|told| ((width - told) / 2 - 2).max(0));
        paint_side(canvas, session, side, index, rooms, mover == Some(index));
    }
}

/// The text in the middle: the game with the progress, and the side to move; at the end the result, and the game with the
/// reason. `room` is what the game and what stands beside it may take, in columns.
fn middle(session: &Session, sides: &[Side], room: i32) -> (String, String) {
    let story = story(session.scene());
    // With its variant and the event where there is room, else the game alone, else nothing.
    let with_game = |words: String| {
        let names = [session.identity(), session.scene().game().title().to_owned()];
        let whole = names.iter().map(|name| match words.as_str() {
            "" => name.clone(),
            words => format!("{name} · {words}"),
        });
        whole.into_iter().find(|text| columns(text) <= room).unwrap_or(words.clone())
    };
    let moment = story.progress_text();
    if let Some(result) = session.result().filter(|_| session.is_at_end()) {
        let (who, why) = format::who_and_why(result, sides);
        return (who, with_game(why));
    }
    if let Some(verdict) = story.verdict() {
        return (verdict.words(sides), with_game(moment));
    }
    let mover = story.mover().and_then(|index| sides.get(index));
    let below = if session.is_at_end() {
        "No result".to_owned()
    } else {
        mover.map_or_else(String::new, |side| format!("{} to move", side.name))
    };
    (with_game(moment), below)
}

/// One of two teams. The second one is on the right.
fn paint_side(
    canvas: &mut Canvas<'_>,
    session: &Session,
    side: &Side,
    index: usize,
    [room, figures_room]: [i32; 2],
    moves: bool,
) {
    let look = canvas.look;
    let counts = !story(session.scene()).scores().is_empty();
    let score = if counts { side.score.to_string() } else { String::new() };
    let name_room = room - columns(&score) - 5;
    let name = if columns(&side.name) <= name_room { side.name.as_str() } else { side.short() };
    let name = shortened(name, name_room, look);
    let style = bold(look::side(side));
    let style = if moves { style.add_modifier(Modifier::UNDERLINED) } else { style };
    let mut figures = board(session.scene()).figures(index, session.time(), look);
    // Figures that do not fit are left out, the last one first.
    let join = |figures: &[String]| figures.join(look.sign(" · ", " | "));
    while figures.len() > 1 && columns(&join(&figures)) > figures_room {
        figures.pop();
    }
    let figures = shortened(&join(&figures), figures_room, look);
    let badge = badge(side, look);
    if index == 0 {
        let x = canvas.text(1, 0, badge, ink(look::side(side)));
        let x = canvas.text(x + 1, 0, &name, style);
        canvas.text(x + 2, 0, &score, bold(TEXT));
        canvas.text(1, 1, &figures, ink(WEAK));
    } else {
        let width = canvas.width();
        canvas.text_to(width - 1, 0, badge, ink(look::side(side)));
        let x = width - 2 - columns(badge);
        canvas.text_to(x, 0, &name, style);
        canvas.text_to(x - columns(&name) - 2, 0, &score, bold(TEXT));
        canvas.text_to(width - 1, 1, &figures, ink(WEAK));
    }
}

/// A sign that distinguishes a team from the others, in addition to its colour.
fn badge(side: &Side, look: Look) -> &'static str {
    match side.badge {
        Badge::Piece(BlackWhite::Black) => look.sign("●", "b"),
        Badge::Piece(BlackWhite::White) => look.sign("○", "w"),
        Badge::Stone(BlackWhite::Black) => look.sign("●", "X"),
        Badge::Stone(BlackWhite::White) => look.sign("○", "O"),
        Badge::Squad(RedBlue::Red) => look.sign("■", "#"),
        Badge::Squad(RedBlue::Blue) => look.sign("◆", "*"),
        Badge::Color(_) => look.sign("■", "#"),
    }
}

/// Any number of teams in a row.
fn paint_row(canvas: &mut Canvas<'_>, sides: &[Side], moment: &str) {
    let mut x = canvas.text(1, 0, moment, bold(TEXT)) + 3;
    for side in sides {
        x = canvas.text(x, 0, &side.name, bold(look::side(side)));
        x = canvas.text(x + 1, 0, &side.score.to_string(), Style::new().fg(TEXT)) + 3;
    }
}

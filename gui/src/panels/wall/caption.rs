//! Captions of a tile: the teams with their scores, the moment and the clock, or the result. A text without enough room becomes
//! smaller, and is then left out; texts never overlap.

use std::sync::Arc;

use eframe::egui::{Align2, Color32, FontId, Galley, Painter, Rect, Ui, Vec2, pos2, vec2};
use grandstand_board::badge::team_badge;
use grandstand_board::text::{fitting, without_common_start};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_story::format;
use grandstand_story::game::SceneResult;
use grandstand_story::sides::Side;
use grandstand_story::story;
use unicode_segmentation::UnicodeSegmentation;

use super::game_name::{chip_width, game_line, paint_chip};
use super::tiling::{BETWEEN, COLUMN, Names, WIDEST_COLUMN, Words, least};
use crate::icons::{self, Icon};
use crate::session::MatchView;

/// Height of a line of a name in a column. All sizes here are multiples of the text size.
const NAME: f32 = 1.15;
/// Heights of the badge above the name and of the score below it.
const BADGE: f32 = 1.35;
const SCORE: f32 = 2.05;
/// Height of the moment and the clock at the bottom of the columns.
const FOOT: f32 = 1.5;
/// Width of a row besides the name and the score: the badge and the gaps.
const ROW: f32 = 2.05;
/// Gap between what a row says of its team and what stands at its end.
const BESIDE: f32 = 0.4;
/// Gap between the badge and the name.
const BADGE_GAP: f32 = 0.5;
/// Gap between the game's name and a note.
const NOTE_GAP: f32 = 0.7;
/// Size of the letters of a name in a row that is broken into two lines.
const IN_TWO: f32 = 0.6;
/// Room below which a name that does not fit is left out.
const NAME_ROOM: f32 = 2.2;

/// A team in a caption.
struct Team<'a> {
    side: &'a Side,
    /// Its name where the whole one has no room: it tells the team from the other one.
    cut: String,
    /// Whether it has won; `None` while nobody has.
    won: Option<bool>,
}

impl Team<'_> {
    /// The teams of a match, with its winner.
    fn all(sides: &[Side], winner: Option<usize>) -> Vec<Team<'_>> {
        let short = |side: &Side| side.short().to_owned();
        let cut = match sides {
            [first, second] => without_common_start([short(first), short(second)]).into(),
            _ => sides.iter().map(short).collect::<Vec<_>>(),
        };
        let won = |index: usize| winner.map(|winner| winner == index);
        let teams = sides.iter().zip(cut).enumerate();
        teams.map(|(index, (side, cut))| Team { side, cut, won: won(index) }).collect()
    }

    /// The ink of its name and its score: that of a loser is weak.
    fn ink(&self, palette: &Palette) -> Color32 {
        if self.won == Some(false) { palette.weak } else { palette.text }
    }

    fn name(&self) -> &str {
        self.side.short()
    }
}

/// Whether the game has scores.
pub(super) fn counts(session: &MatchView) -> bool {
    !story(session.scene()).scores().is_empty()
}

/// The side that has won at the shown moment, by index.
fn winner(session: &MatchView, sides: &[Side]) -> Option<usize> {
    if let Some(SceneResult::Won(winner)) = story(session.scene()).verdict() {
        return Some(winner);
    }
    let key = session.result().filter(|_| session.is_at_end())?.winner.as_deref()?;
    sides.iter().position(|side| *side.key == *key)
}

/// What a tile says in the place of the moment and the clock: the result, say.
#[derive(Debug)]
pub(super) struct Note {
    /// The text, and shorter ones for where it does not fit.
    pub texts: Vec<String>,
    pub ink: Color32,
}

impl Note {
    /// The first text that fits into this width, in points; the last one otherwise.
    pub(super) fn fitting(&self, painter: &Painter, width: f32, size: f32) -> Option<Arc<Galley>> {
        let layout = |text: &String| {
            let font = FontId::new(size, semibold());
            fitting(painter, text, font, self.ink, width, (SMALL / size).clamp(0.58, 1.0))
        };
        let (last, texts) = self.texts.split_last()?;
        texts.iter().map(layout).find(|galley| !galley.elided).or_else(|| Some(layout(last)))
    }
}

/// Width that the names need.
pub(super) fn names(painter: &Painter, session: &MatchView, sides: &[Side], size: f32) -> Names {
    let counts = counts(session);
    let width = |word: &str| name_width(painter, word, size) * least(size).max(0.85) + size * 0.45;
    let words = sides.iter().flat_map(|side| side.short().split(' '));
    let words = words.map(|word| match (width(word), halves(word)) {
        (whole, Some((first, second))) if whole > WIDEST_COLUMN * size => width(first).max(width(second)),
        (whole, _) => whole,
    });
    let widest = words.fold(0.0, f32::max);
    let column = widest.clamp(COLUMN * size, WIDEST_COLUMN * size);
    let rows = sides.iter().take(2).map(|side| row_width(painter, side, counts, size));
    Names { column, rows: rows.sum(), is_cut: widest > column }
}

/// Width of a name at this text size, in points.
fn name_width(painter: &Painter, name: &str, size: f32) -> f32 {
    let font = FontId::new(size, semibold());
    painter.layout_no_wrap(name.to_owned(), font, Color32::WHITE).size().x
}

/// Least width of a row with a team's badge, name and score, in points.
fn row_width(painter: &Painter, side: &Side, counts: bool, size: f32) -> f32 {
    let score = if counts { name_width(painter, &side.score.to_string(), size) } else { 0.0 };
    name_width(painter, side.short(), size) * least(size) + score + size * ROW
}

/// Paints the captions that fit. Above a board the note takes the place of the moment and the clock.
pub(super) fn paint(
    ui: &Ui,
    place: &Words,
    (session, sides, called): (&MatchView, &[Side], &[String; 2]),
    note: Option<&Note>,
    size: f32,
) {
    let counts = counts(session);
    let teams = &Team::all(sides, winner(session, sides))[..];
    let moment = story(session.scene()).progress_text();
    let clock = format::minutes(session.secs());
    match place {
        Words::Above(lines) => {
            if let Some((last, lines)) = lines.split_last() {
                teams_above(ui, lines, teams, counts, size);
                last_line(ui, *last, (session, called), (&moment, &clock, note), size);
            }
        }
        Words::Stacked(lines) => {
            let used = teams_in_rows(ui, *lines, lines.map(|line| line.width()), teams, counts, size);
            // The names, the scores and the cup come first.
            let rest = |index: usize| {
                let line: Rect = lines[index];
                line.with_min_x((line.left() + used[index] + size * BESIDE).min(line.right()))
            };
            match sides {
                [_, _] => {
                    let winner = session.result().and_then(|result| result.winner.as_deref());
                    let winner = winner.and_then(|winner| sides.iter().position(|side| *side.key == *winner));
                    let note = note.map(|note| (note, winner));
                    let about = (session, called);
                    beside_rows(ui, about, [rest(0), rest(1)], (&moment, &clock, note), size);
                }
                _ => clock_line(ui, session, lines[1], &clock, size),
            }
        }
        Words::Beside { left, right, taken } => {
            let mut free = size * FOOT;
            for (index, (column, taken)) in [(*left, 0.0), (*right, *taken)].into_iter().enumerate() {
                let column = column.shrink2(vec2(size * 0.2, 0.0));
                let rest = teams_in_column(ui, (column, taken), teams, (index, counts), size);
                free = if index == 0 { rest } else { free };
            }
            let foot = |column: Rect| {
                let column = column.shrink2(vec2(size * 0.25, 0.0));
                Rect::from_min_max(pos2(column.left(), column.bottom() - size * FOOT), column.max)
            };
            game_line(ui, left.shrink2(vec2(size * 0.45, 0.0)), (session, called), size, free);
            // The note lies between the two columns, at the same height.
            if note.is_none() {
                moment_line(ui, foot(*left), &moment, size, free);
                clock_line(ui, session, foot(*right), &clock, size);
            }
        }
    }
}

/// Teams in one line, or in a line each.
fn teams_above(ui: &Ui, lines: &[Rect], teams: &[Team<'_>], counts: bool, size: f32) {
    let (first, second, room) = match lines {
        [] => return,
        [line] => {
            let needs = |team: Option<&Team<'_>>| {
                team.map_or(0.0, |team| row_width(ui.painter(), team.side, counts, size))
            };
            let needs = [teams.first(), teams.get(1)].map(needs);
            (line, line, shares(line.width() - size * BETWEEN, needs))
        }
        [first, second, ..] => (first, second, [first.width(), second.width()]),
    };
    teams_in_rows(ui, [*first, *second], room, teams, counts, size);
}

/// At the right of two teams in a line each: the game's sign and name, and below them the result, or the moment or the clock.
/// What does not fit is left out; of a result there is at least `wins` in the winner's line.
fn beside_rows(
    ui: &Ui,
    (session, called): (&MatchView, &[String; 2]),
    [above, below]: [Rect; 2],
    (moment, clock, note): (&str, &str, Option<(&Note, Option<usize>)>),
    size: f32,
) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let whole = |text: &str, font: FontId, ink: Color32| {
        let galley = painter.layout_no_wrap(text.to_owned(), font, ink);
        (galley.size().x <= below.width() - size).then_some(galley)
    };
    let layout = |text: &str| whole(text, FontId::proportional(size), palette.weak);
    let told = note.and_then(|(note, _)| {
        let texts = note.texts.len().saturating_sub(1);
        note.texts[..texts].iter().find_map(|text| whole(text, FontId::new(size, semibold()), note.ink))
    });
    if let (None, Some((note, Some(winner)))) = (&told, note) {
        let line = [above, below][winner.min(1)];
        let font = FontId::new(size, semibold());
        let words = fitting(painter, "wins", font, note.ink, line.width(), least(size));
        let at = pos2(line.right() - words.size().x, line.center().y - words.size().y / 2.0);
        if !words.elided {
            painter.galley(at, words, note.ink);
        }
        // The name stands in the other line.
        return chip_in(ui, session, [below, above][winner.min(1)], called, size);
    }
    chip_in(ui, session, above, called, size);
    let words = match note {
        Some((note, _)) => {
            told.or_else(|| note.fitting(painter, below.width(), size)).map(|words| (words, note.ink))
        }
        None => [moment, clock]
            .into_iter()
            .filter(|text| !text.is_empty())
            .find_map(layout)
            .map(|words| (words, palette.weak)),
    };
    let Some((words, ink)) = words.filter(|(words, _)| words.size().x <= below.width()) else { return };
    let left = below.right() - words.size().x;
    if session.is_live() && note.is_none() {
        painter.circle_filled(pos2(left - size * 0.6, below.center().y), size * 0.26, palette.live);
    }
    painter.galley(pos2(left, below.center().y - words.size().y / 2.0), words, ink);
}

/// The longest name that fits, or the sign alone, in a chip at the right of a line.
fn chip_in(ui: &Ui, session: &MatchView, line: Rect, called: &[String; 2], size: f32) {
    let mut chip = called.iter().map(String::as_str).chain([""]);
    let fits = |name: &&str| chip_width(ui.painter(), name, size) <= line.width();
    if let Some(name) = chip.find(fits) {
        let left = line.right() - chip_width(ui.painter(), name, size);
        paint_chip(ui, session, pos2(left, line.center().y), name, size);
    }
}

/// The last line above a board: the game in a chip at the left, and at the right the note, or the moment and the clock. What
/// has no room is left out.
fn last_line(
    ui: &Ui,
    area: Rect,
    (session, called): (&MatchView, &[String; 2]),
    (moment, clock, note): (&str, &str, Option<&Note>),
    size: f32,
) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let (font, ink) = match note {
        Some(note) => (FontId::new(size, semibold()), note.ink),
        None => (FontId::proportional(size), palette.weak),
    };
    let both = [moment, clock].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
    let short = if moment.is_empty() { clock } else { moment };
    let times = [both, short.to_owned()];
    // The shortest note says least: it comes after the game's name.
    let (texts, shortest) = match note.and_then(|note| note.texts.split_last()) {
        Some((last, [])) => (std::slice::from_ref(last), None),
        Some((last, texts)) => (texts, Some(last)),
        None => (&times[..], None),
    };
    let dot = if session.is_live() && note.is_none() { size } else { 0.0 };
    let layout = |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), ink);
    // The names stay as they are while moments and clocks become longer.
    let grows = |text: &str| if note.is_none() { layout(&grown(text)).size().x } else { 0.0 };
    let room = area.width() - dot - size * NOTE_GAP;
    let [long, name] = called.each_ref().map(String::as_str);
    // What stands beside the game's name, such as that of the map, stays there at the end; the sign tells the game.
    let moment = painter.layout_no_wrap(grown(&times[0]), FontId::proportional(size), ink);
    let stays = chip_width(painter, long, size) + moment.size().x <= room + 0.5;
    let about = long.strip_prefix(name).map_or("", |about| about.trim_start_matches(" · "));
    let about = Some(about).filter(|about| note.is_some() && stays && !about.is_empty());
    let kept = about.into_iter().flat_map(|about| {
        let with = |name| texts.iter().map(move |text| (name, text));
        with(long).chain(with(about))
    });
    let first = kept.chain(texts.iter().take(1).flat_map(|text| [(long, text), (name, text)]));
    let rest = texts.iter().skip(1).map(|text| (name, text));
    let signed = texts.iter().map(|text| ("", text));
    let shortest = shortest.into_iter().flat_map(|text| [(name, text), ("", text)]);
    let small = texts.iter().map(|text| {
        let room = room - chip_width(painter, name, size);
        (name, fitting(painter, text, font.clone(), ink, room, least(size)))
    });
    // The name of the game is worth smaller letters.
    let laid = |(name, text): (_, &String)| (name, layout(text), grows(text));
    let whole = first.chain(rest).map(laid).chain(small.map(|(name, text)| (name, text, 0.0)));
    let all = whole.chain(signed.chain(shortest).map(laid));
    let fits = |name: &str, text: &Galley, width: f32| {
        !text.elided && chip_width(painter, name, size) + text.size().x.max(width) <= room + 0.5
    };
    let found = all.into_iter().find(|(name, text, width)| fits(name, text, *width));
    let found = found.map(|(name, text, _)| (name, text));
    let (name, words) = found.unwrap_or_else(|| {
        let room = room - chip_width(painter, "", size);
        let small = || fitting(painter, short, font.clone(), ink, room, least(size));
        ("", note.and_then(|note| note.fitting(painter, room, size)).unwrap_or_else(small))
    });
    let y = area.center().y;
    paint_chip(ui, session, pos2(area.left(), y), name, size);
    let left = area.right() - words.size().x;
    if dot > 0.0 {
        painter.circle_filled(pos2(left - size * 0.6, y), size * 0.26, palette.live);
    }
    painter.galley(pos2(left, y - words.size().y / 2.0), words, ink);
}

/// A moment or a clock as wide as it becomes in a usual match: numbers have three digits, and two before a colon.
fn grown(text: &str) -> String {
    let mut grown = String::new();
    let mut digits = 0;
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_digit() {
            digits += 1;
        } else if digits > 0 {
            grown.extend(std::iter::repeat_n('0', if letter == ':' { 2 } else { 3 }.max(digits) - digits));
            digits = 0;
        }
        grown.push(letter);
    }
    grown.trim_end().to_owned()
}

/// Widths of two teams that share a line: halves, if both names fit; otherwise the longer one gets what the shorter one
/// leaves free.
fn shares(width: f32, [left, right]: [f32; 2]) -> [f32; 2] {
    let half = width / 2.0;
    let first = match left <= half {
        true => left.max(width - right).min(half),
        false => left.min((width - right).max(half)),
    };
    [first, width - first]
}

/// Two teams at the left and the right of a line, or one below the other. More than two are one text in the first line. Returns
/// how much of its line each of two takes, in points.
fn teams_in_rows(
    ui: &Ui,
    lines: [Rect; 2],
    room: [f32; 2],
    teams: &[Team<'_>],
    counts: bool,
    size: f32,
) -> [f32; 2] {
    let [left, right] = teams else {
        let name = |Team { side, .. }: &Team<'_>| format!("{} {}", side.name, side.score);
        let names: Vec<String> = teams.iter().map(name).collect();
        line(ui, lines[0], &names.join("   "), size);
        return [lines[0].width(), 0.0];
    };
    let mirrored = lines[0] == lines[1];
    let [first, second] = [0, 1].map(|index| vec2(room[index], lines[index].height()));
    let first = team_in_row(ui, Rect::from_min_size(lines[0].min, first), (left, counts), false, size);
    let min = pos2(lines[1].right() - room[1], lines[1].top());
    let second = team_in_row(ui, Rect::from_min_size(min, second), (right, counts), mirrored, size);
    [first, second]
}

/// The moment at the bottom of a column. It takes two lines if it is too wide for one and `free` points above it are
/// free.
fn moment_line(ui: &Ui, area: Rect, text: &str, size: f32, free: f32) {
    let palette = Palette::of(ui.ctx());
    let font = || FontId::proportional(size);
    let put = |text: &str, up: f32| {
        let galley = fitting(ui.painter(), text, font(), palette.weak, area.width(), least(size));
        let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), area).min;
        ui.painter().galley(at - vec2(0.0, up), galley, palette.weak);
    };
    let whole = ui.painter().layout_no_wrap(text.to_owned(), font(), palette.weak);
    if whole.size().x * least(size) <= area.width() {
        return put(text, 0.0);
    }
    if let Some((first, rest)) = text.split_once(' ').filter(|_| free >= size * (FOOT + 1.2)) {
        put(rest, 0.0);
        put(first, size * 1.2);
    }
}

/// The clock in the middle of a line, with a dot before it if the match is live.
fn clock_line(ui: &Ui, session: &MatchView, area: Rect, clock: &str, size: f32) {
    let palette = Palette::of(ui.ctx());
    let dot = if session.is_live() { size } else { 0.0 };
    let font = FontId::proportional(size);
    let galley = fitting(ui.painter(), clock, font, palette.weak, area.width() - dot, least(size));
    let left = area.center().x - (galley.size().x + dot) / 2.0;
    if session.is_live() {
        let at = pos2(left + size * 0.3, area.center().y);
        ui.painter().circle_filled(at, size * 0.26, palette.live);
    }
    let at = pos2(left + dot, area.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, palette.weak);
}

fn line(ui: &Ui, area: Rect, text: &str, size: f32) {
    let palette = Palette::of(ui.ctx());
    let font = FontId::new(size, semibold());
    let galley = fitting(ui.painter(), text, font, palette.text, area.width(), least(size));
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), area).min;
    ui.painter().galley(at, galley, palette.text);
}

/// Badge, name, score and cup in a row; mirrored at the right. Returns how much of the row they take, in points.
fn team_in_row(ui: &Ui, area: Rect, (team, counts): (&Team<'_>, bool), mirrored: bool, size: f32) -> f32 {
    let side = team.side;
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let font = FontId::new(size, semibold());
    let score = if counts { side.score.to_string() } else { String::new() };
    let ink = team.ink(palette);
    let score = painter.layout_no_wrap(score, font.clone(), ink);
    let radius = size * 0.5;
    let room = area.width() - score.size().x - size * ROW;
    let flip = |x: f32| if mirrored { area.right() - x } else { area.left() + x };
    let place = |x: f32, width: f32| if mirrored { flip(x + width) } else { flip(x) };
    let y = area.center().y;
    team_badge(ui, side, pos2(flip(radius + 1.0), y), radius);
    let mut at = 2.0 * radius + size * BADGE_GAP;
    let is_short = name_width(painter, side.short(), size) * least(size) <= room + 0.5;
    if is_short || room >= NAME_ROOM * size {
        let name = row_name(painter, team, ink, room, size);
        let height: f32 = name.iter().map(|line| line.size().y).sum();
        let mut top = y - height / 2.0;
        for line in &name {
            painter.galley(pos2(place(at, line.size().x), top), line.clone(), ink);
            top += line.size().y;
        }
        at += name.iter().map(|line| line.size().x).fold(0.0, f32::max) + size * 0.4;
    }
    let score_size = score.size();
    painter.galley(pos2(place(at, score_size.x), y - score_size.y / 2.0), score, ink);
    at += if score_size.x > 0.0 { score_size.x + size * 0.4 } else { 0.0 };
    if team.won == Some(true) && at + size <= area.width() {
        let sign = Rect::from_min_size(pos2(place(at, size), y - size / 2.0), Vec2::splat(size));
        icons::paint(painter, Icon::Cup, sign, palette.side(side));
        at += size;
    }
    at
}

/// A name in a row: smaller if there is little room, in two lines of small letters if it would be cut and they stay readable,
/// and else without what both names begin with.
fn row_name(painter: &Painter, team: &Team<'_>, ink: Color32, room: f32, size: f32) -> Vec<Arc<Galley>> {
    let small = (SMALL / size).clamp(IN_TWO, 1.0);
    let line = |text: &str, size: f32, least: f32| {
        fitting(painter, text, FontId::new(size, semibold()), ink, room, least)
    };
    let whole = line(team.name(), size, small);
    if !whole.elided {
        return vec![whole];
    }
    let halves = halves(team.name()).filter(|_| size * IN_TWO >= SMALL);
    let halves = halves.map(|(first, second)| [first, second].map(|half| line(half, size * IN_TWO, 1.0)));
    match halves.filter(|halves| halves.iter().all(|half| !half.elided)) {
        Some(halves) => halves.into(),
        None => vec![line(&team.cut, size, small)],
    }
}

/// The teams of one column, in its middle or as near to it as the bottom line and what is `taken` at the top allow. Returns the
/// free room below them, in points.
fn teams_in_column(
    ui: &Ui,
    (column, taken): (Rect, f32),
    teams: &[Team<'_>],
    (index, counts): (usize, bool),
    size: f32,
) -> f32 {
    // With more than two teams, each column has several.
    let each: Vec<&Team<'_>> = teams.iter().skip(index).step_by(2).collect();
    let names = each.iter().map(|team| name_lines(ui, team, column.width(), size));
    let names: Vec<Vec<Arc<Galley>>> = names.collect();
    let room = column.height() - taken - size * FOOT;
    let score = if counts { SCORE } else { 0.0 };
    let tall = |lines: usize| size * (BADGE + NAME * lines as f32 + score);
    let lines = names.first().map_or(1, Vec::len);
    let (block, lines) = match each.len() {
        0 | 1 if tall(lines) <= room => (tall(lines), lines),
        0 | 1 if tall(1) <= room => (tall(1), 1),
        _ => (size * (NAME + 1.35), 0),
    };
    let all = block * each.len() as f32;
    let lowest = column.bottom() - size * FOOT - all;
    let mut y = (column.center().y - all / 2.0).min(lowest).max(column.top() + taken);
    for (team, name) in each.iter().zip(&names) {
        let area = Rect::from_min_size(pos2(column.left(), y), vec2(column.width(), block));
        let first = || vec![whole_or_cut(ui, team, column.width(), size)];
        match lines {
            0 => team_in_little(ui, area, (team, counts), &first()[0], size),
            1 if name.len() > 1 => team_in_column(ui, area, (team, counts), &first(), size),
            _ => team_in_column(ui, area, (team, counts), name, size),
        }
        y += block;
    }
    column.bottom() - y
}

fn one_line(ui: &Ui, text: &str, width: f32, size: f32) -> Arc<Galley> {
    let ink = Palette::of(ui.ctx()).text;
    fitting(ui.painter(), text, FontId::new(size, semibold()), ink, width, least(size))
}

/// A name in one line, without what both names begin with if it would be cut.
fn whole_or_cut(ui: &Ui, team: &Team<'_>, width: f32, size: f32) -> Arc<Galley> {
    let whole = one_line(ui, team.name(), width, size);
    if whole.elided { one_line(ui, &team.cut, width, size) } else { whole }
}

/// A name in one line; in two lines if it would be small or cut in one.
fn name_lines(ui: &Ui, team: &Team<'_>, width: f32, size: f32) -> Vec<Arc<Galley>> {
    let (name, ink) = (team.name(), Palette::of(ui.ctx()).text);
    let whole = ui.painter().layout_no_wrap(name.to_owned(), FontId::new(size, semibold()), ink).size().x;
    let parts = match name.rsplit_once(' ') {
        Some(words) if whole * 0.85 > width => Some(words),
        // A single word is broken only if it would be cut.
        None if whole * least(size) > width => halves(name),
        _ => None,
    };
    let lines = parts.map(|(first, second)| [first, second].map(|part| one_line(ui, part, width, size)));
    match lines.filter(|lines| lines.iter().all(|line| !line.elided)) {
        Some(lines) => lines.into(),
        None => vec![whole_or_cut(ui, team, width, size)],
    }
}

/// Breaks a word in two near its middle, preferably at a boundary of its parts: `deep-blue`, `deep_blue`, `DeepBlue`,
/// `deepblue2`.
fn halves(word: &str) -> Option<(&str, &str)> {
    let middle = word.len() as f32 / 2.0;
    let seam = |(before, after): (char, char)| {
        !before.is_alphanumeric()
            || (before.is_lowercase() && after.is_uppercase())
            || (before.is_numeric() != after.is_numeric())
    };
    let places = word.grapheme_indices(true).skip(1).map(|(at, after)| {
        let seam = word[..at].chars().next_back().zip(after.chars().next()).is_some_and(seam);
        (at, seam)
    });
    let best = places.min_by(|(one, seam), (other, other_seam)| {
        // A boundary far from the middle would leave a part that is cut as well.
        let away = |at: usize, seam: bool| {
            let away = (at as f32 - middle).abs();
            if seam && away <= middle / 2.0 { away - word.len() as f32 } else { away }
        };
        away(*one, *seam).total_cmp(&away(*other, *other_seam))
    });
    best.map(|(at, _)| word.split_at(at))
}

/// Badge, name and a large score, one below the other.
fn team_in_column(ui: &Ui, area: Rect, (team, counts): (&Team<'_>, bool), name: &[Arc<Galley>], size: f32) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let (side, ink) = (team.side, team.ink(palette));
    let x = area.center().x;
    let radius = size * 0.6;
    team_badge(ui, side, pos2(x, area.top() + radius), radius);
    if team.won == Some(true) && area.width() >= size * 4.0 {
        let sign =
            Rect::from_center_size(pos2(x + radius + size * 0.8, area.top() + radius), Vec2::splat(size));
        icons::paint(painter, Icon::Cup, sign, palette.side(side));
    }
    let mut y = area.top() + size * BADGE;
    for galley in name {
        let middle = y + size * NAME / 2.0;
        let at = pos2(x - galley.size().x / 2.0, middle - galley.size().y / 2.0);
        painter.galley_with_override_text_color(at, galley.clone(), ink);
        y += size * NAME;
    }
    if counts {
        let font = FontId::new(size * 1.7, semibold());
        let text = side.score.to_string();
        let score = fitting(painter, &text, font, ink, area.width(), 0.5);
        let middle = y + size * SCORE / 2.0;
        painter.galley(pos2(x - score.size().x / 2.0, middle - score.size().y / 2.0), score, ink);
    }
}

/// A team in little room: the name, and below it the badge with the score.
fn team_in_little(ui: &Ui, area: Rect, (team, counts): (&Team<'_>, bool), name: &Arc<Galley>, size: f32) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let (side, ink) = (team.side, team.ink(palette));
    let x = area.center().x;
    let first = area.top() + size * NAME / 2.0;
    let at = pos2(x - name.size().x / 2.0, first - name.size().y / 2.0);
    painter.galley_with_override_text_color(at, name.clone(), ink);
    let second = first + size * 1.25;
    let font = FontId::new(size, semibold());
    let text = if counts { side.score.to_string() } else { String::new() };
    let score = painter.layout_no_wrap(text, font, ink);
    let (radius, gap) = (size * 0.45, if counts { size * 0.35 } else { 0.0 });
    let left = x - (2.0 * radius + gap + score.size().x) / 2.0;
    team_badge(ui, side, pos2(left + radius, second), radius);
    let at = pos2(left + 2.0 * radius + gap, second - score.size().y / 2.0);
    painter.galley(at, score, ink);
}

#[cfg(test)]
mod tests {
    use super::{halves, shares};

    #[test]
    fn two_teams_share_a_line_by_what_they_need() {
        for (needs, shared) in [
            ([30.0, 40.0], [50.0, 50.0]),
            ([30.0, 65.0], [35.0, 65.0]),
            ([80.0, 15.0], [80.0, 20.0]),
            // Not enough room for both: the shorter name is whole.
            ([30.0, 90.0], [30.0, 70.0]),
            ([99.0, 20.0], [80.0, 20.0]),
            ([70.0, 80.0], [50.0, 50.0]),
        ] {
            assert_eq!(shares(100.0, needs), shared, "{needs:?}");
        }
    }

    #[test]
    fn a_word_is_broken_at_its_seam_or_in_its_middle() {
        for (word, parts) in [
            ("negamax-reference", ("negamax-", "reference")),
            ("deep_blue", ("deep_", "blue")),
            ("StrongPlayer", ("Strong", "Player")),
            ("stupidbot2013", ("stupidbot", "2013")),
            ("a-verylongword", ("a-veryl", "ongword")),
            ("größenwahn", ("größ", "enwahn")),
            ("👩🏽‍🚀👩🏽‍🚀", ("👩🏽‍🚀", "👩🏽‍🚀")),
        ] {
            assert_eq!(halves(word), Some(parts), "{word}");
        }
        assert_eq!(halves("x"), None);
        assert_eq!(halves(""), None);
    }
}

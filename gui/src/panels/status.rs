//! Status of a match: title, chips, troubles, and the screen while it is being opened.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Color32, FontId, Label, Layout, Pos2, Rect, RichText, Role, Sense, Ui, UiBuilder, Vec2,
    WidgetInfo, pos2, vec2,
};
use grandstand_board as board;
use grandstand_board::node;
use grandstand_board::text::fitted;
use grandstand_board::theme::{BODY, Palette, SMALL, mix, semibold};
use grandstand_protocol::message::MatchState;
use grandstand_story::format;
use grandstand_story::sides::Side;

use crate::icons::{self, Icon};
use crate::session::{Session, Stage};
use crate::source::Connection;
use crate::widgets::{chip, chip_width};

/// Text and tooltip of the chip for spoiler mode.
pub(crate) const NO_SPOILERS: &str = "No spoilers";
pub(crate) const NO_SPOILERS_TIP: &str = "Results, lengths and what comes are hidden. S shows them.";

/// Time after which the opening screen says how long it has waited, in seconds.
const SLOW: f64 = 4.0;
/// Delay above which the chip of a live match names it, in seconds.
const NOTEWORTHY_DELAY: f64 = 2.0;
/// Width of what a chip has beside the game's name, with the gap after it, in points.
const ICON: f32 = 40.0;
/// Rows of the trouble's text at most; the tooltip has all of it.
const ROWS: usize = 3;

/// Title of a match, with its chips.
pub(crate) fn title(ui: &mut Ui, session: &Session) {
    let palette = Palette::of(ui.ctx());
    let sides = session.sides();
    let text = match session.title() {
        title if !title.is_empty() => title,
        _ if matches!(session.stage, Stage::Open) => format::match_name("", &sides),
        _ => session.target.to_string(),
    };
    let is_wide = ui.available_width() > 560.0;
    let states = states(session, palette, is_wide);
    let gap = ui.spacing().item_spacing.x;
    let chips: f32 =
        6.0 + states.iter().map(|(text, _, dot, _)| chip_width(ui, text, *dot) + gap).sum::<f32>();
    let font = FontId::new(BODY + 1.0, semibold());
    let fit = |ui: &Ui, room: f32| fitted(ui.painter(), &text, font.clone(), palette.text, room.max(60.0));
    let mut is_named = true;
    if matches!(session.stage, Stage::Open) {
        let room = ui.available_width() - chips;
        // On a phone names, which stand beside the score too, give way to what game it is.
        let names = sides.iter().map(Side::short).collect::<Vec<_>>().join(" – ");
        is_named = is_wide || text != names;
        let game = session.scene().game().title();
        let words = match () {
            () if !is_named => room - ICON,
            // The name of an event may be long.
            () if is_wide => ui.available_width() * 0.42,
            // A title has what the game's name leaves.
            () => (room - fit(ui, room).size().x - ICON).max(words_width(ui, game)),
        };
        let identity = session.identity();
        let shown = if is_wide || words_width(ui, &identity) <= words { &identity } else { game };
        identity_chip(ui, session, shown, words);
    }
    if is_named {
        let galley = fit(ui, ui.available_width() - chips);
        ui.add(Label::new(galley));
    }
    ui.add_space(6.0);
    for (text, ink, dot, tip) in states {
        let response = chip(ui, &text, ink, dot);
        if !tip.is_empty() {
            response.on_hover_text(tip);
        }
    }
}

/// Width of words in the chip with the game's icon.
fn words_width(ui: &Ui, words: &str) -> f32 {
    let font = FontId::new(SMALL, semibold());
    ui.painter().layout_no_wrap(words.to_owned(), font, Color32::WHITE).size().x.ceil()
}

/// Chip with the game's icon and `shown`: its name, and as far as there is room map or variant, event and round.
fn identity_chip(ui: &mut Ui, session: &Session, shown: &str, room: f32) {
    let palette = Palette::of(ui.ctx());
    let words = session.identity();
    let font = FontId::new(SMALL, semibold());
    let galley = fitted(ui.painter(), shown, font, palette.text, room);
    let is_cut = galley.elided || shown != words;
    let width = galley.size().x + 36.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    ui.painter().rect_filled(rect, 6.0, palette.raised);
    let square = Rect::from_center_size(pos2(rect.left() + 12.0, rect.center().y), Vec2::splat(18.0));
    board::view(session.scene()).thumbnail(ui.painter(), palette, square);
    let at = pos2(rect.left() + 27.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, palette.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    if is_cut {
        response.on_hover_text(words);
    }
    ui.add_space(4.0);
}

/// State chips beside the title: text, colour, dot, tooltip. With `wide` they are longer.
fn states(session: &Session, palette: &Palette, wide: bool) -> Vec<(String, Color32, bool, String)> {
    let mut chips = Vec::new();
    if !matches!(session.stage, Stage::Open) {
        return chips;
    }
    match &session.connection {
        Some((Connection::Connecting, _)) => {
            chips.push(("Connecting…".to_owned(), palette.warning, false, String::new()));
        }
        Some((Connection::Waiting { trouble, .. }, _)) => {
            chips.push(("Reconnecting".to_owned(), palette.warning, false, trouble.to_string()));
        }
        Some((Connection::Connected, _)) if session.is_live() => {
            let watching = session.about.spectators.unwrap_or(0);
            let mut tip = format!("{} watching", format::count(watching, "is", "are"));
            let mut text = "Live".to_owned();
            if wide {
                text += &format!(" · {} watching", format::number(watching));
            }
            if let Some(secs) = session.delay_secs() {
                let delay = if secs < 9.95 { format!("{secs:.1} s") } else { format::span(secs) };
                tip += &format!(". The last line came {delay} after it was drawn.");
                if wide && secs > NOTEWORTHY_DELAY {
                    text += &format!(" · {delay} late");
                }
            }
            chips.push((text, palette.live, true, tip));
        }
        _ if session.is_arriving() => {
            chips.push(("Loading…".to_owned(), palette.weak, false, String::new()));
        }
        _ => {
            let (text, ink) = match session.about.state {
                Some(MatchState::Interrupted) if !session.hides_future() => ("Interrupted", palette.warning),
                Some(_) if !session.hides_future() => ("Finished", palette.weak),
                _ => ("Replay", palette.weak),
            };
            // On a phone the title and the game need the room of what is usual.
            if wide || ink == palette.warning {
                chips.push((text.to_owned(), ink, false, String::new()));
            }
        }
    }
    if session.is_spoiler_free() {
        chips.push((NO_SPOILERS.to_owned(), palette.accent, false, NO_SPOILERS_TIP.to_owned()));
    }
    if session.is_fetching() {
        let tip = "The server is asked for this moment.";
        chips.push(("Fetching…".to_owned(), palette.weak, false, tip.to_owned()));
    }
    if session.loaded > 0.0 && session.loaded < 1.0 {
        chips.push((format!("Loading {:.0} %", session.loaded * 100.0), palette.weak, false, String::new()));
    }
    chips
}

/// A line below the score about a trouble, if there is one. Returns the y where the board begins.
pub(crate) fn banner(ui: &mut Ui, session: &Session, at: Pos2, width: f32) -> f32 {
    let warning = Palette::of(ui.ctx()).warning;
    let text = match (&session.damage, &session.connection) {
        (Some(damage), _) => format!("This recording is good up to here: {damage}"),
        (None, Some((Connection::Waiting { trouble, .. }, due))) => {
            let left = (due - ui.input(|input| input.time)).max(0.0);
            format!("{}: {} Next attempt in {left:.0} s (R: now).", trouble.title, trouble.detail)
        }
        _ => return at.y,
    };
    line(ui, at, width, &text, warning, Some(Icon::Warning))
}

/// Says on the empty board of a match without a line what it waits for. It lies over the board, whose place is the same
/// before and after the first line.
pub(crate) fn empty_match(ui: &mut Ui, session: &Session, area: Rect) {
    let is_troubled =
        session.damage.is_some() || matches!(session.connection, Some((Connection::Waiting { .. }, _)));
    if session.log().last_seq() > 0 || is_troubled {
        return;
    }
    let text = match () {
        () if session.is_live() => "The match has not begun: waiting for its first line.",
        () if session.is_over() => "This match is empty: it ended before its first line.",
        () => return,
    };
    line(ui, area.left_top(), area.width(), text, Palette::of(ui.ctx()).weak, None);
}

/// A text on a plate of the whole width. Returns the y below it.
fn line(ui: &mut Ui, at: Pos2, width: f32, text: &str, ink: Color32, icon: Option<Icon>) -> f32 {
    let palette = Palette::of(ui.ctx());
    let lead = if icon.is_some() { 30.0 } else { 12.0 };
    let room = width - 24.0 - lead - 10.0;
    let font = FontId::proportional(SMALL + 0.5);
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, ink));
    job.wrap = TextWrapping { max_width: room.max(0.0), max_rows: ROWS, ..TextWrapping::default() };
    let galley = ui.painter().layout_job(job);
    let rect = Rect::from_min_size(at, vec2(width, galley.size().y + 14.0)).shrink2(vec2(12.0, 2.0));
    ui.painter().rect_filled(rect, 7.0, mix(palette.ground, ink, 0.14));
    if let Some(icon) = icon {
        let square = icons::square(rect.left_center() + vec2(16.0, 0.0), 14.0);
        icons::paint(ui.painter(), icon, square, ink);
    }
    ui.painter().galley(rect.left_center() + vec2(lead, -galley.size().y / 2.0), galley, ink);
    node::show(ui, rect, "banner", Role::Status, text).on_hover_text(text);
    rect.bottom() + 2.0
}

/// The screen before anything has arrived; returns whether the viewer wants to go back.
pub(crate) fn opening(ui: &mut Ui, session: &Session) -> bool {
    let whole = ui.available_rect_before_wrap();
    // Limits the width: long lines are hard to read.
    let width = whole.width().min(560.0);
    let top = whole.top() + whole.height() * 0.35;
    let area = Rect::from_min_max(
        pos2(whole.center().x - width / 2.0, top),
        pos2(whole.center().x + width / 2.0, whole.bottom()),
    );
    let layout = Layout::top_down(Align::Center);
    let mut back = false;
    ui.scope_builder(UiBuilder::new().max_rect(area).layout(layout), |ui| {
        match &session.connection {
            Some((Connection::Waiting { trouble, .. }, due)) => {
                let left = (due - ui.input(|input| input.time)).max(0.0);
                ui.label(RichText::new(&trouble.title).family(semibold()).size(BODY + 3.0));
                ui.label(&trouble.detail);
                ui.weak(&trouble.advice);
                ui.weak(format!("Next attempt in {left:.0} s. Press R to try now."));
            }
            _ => {
                ui.spinner();
                ui.label(RichText::new(format!("Opening {}", session.target)).size(BODY + 1.0));
                let silent = session.opening_secs(ui.input(|input| input.time));
                if silent >= SLOW {
                    ui.weak(format!("No answer for {}.", format::span(silent.floor())));
                }
            }
        }
        ui.add_space(8.0);
        back = ui.button("Back to the list").clicked();
    });
    back
}

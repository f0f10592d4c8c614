//! Row of a review: the button that begins it, its progress, and what it found.

use eframe::egui::text::{LayoutJob, TextFormat, TextWrapping};
use eframe::egui::{
    Align, Button, CursorIcon, FontId, Id, Label, Layout, ProgressBar, RichText, Role, Sense, Ui, WidgetInfo,
    vec2,
};
use grandstand_board::theme::{Palette, SMALL};
use grandstand_story::format::capitalised;
use grandstand_story::judgements::Judgement;
use grandstand_story::moves::Move;
use grandstand_story::sides::Side;

use crate::actions::Action;
use crate::session::Session;
use crate::session::review::ReviewState;

/// Request of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReviewRequest {
    /// Begin the review, or stop it.
    Toggle,
    /// Go to the move that lost.
    Seq(u64),
}

/// Words of the button that begins it: of a draw no move is the one that lost.
pub(crate) fn offer(session: &Session) -> &'static str {
    match session.result() {
        Some(result) if result.winner.is_none() => "Find the mistakes",
        _ => Action::FindMistakes.name(),
    }
}

/// Whether nothing has shown the review in this pass: where the card at the end has it, the list of moves does not.
pub(crate) fn is_first(ui: &Ui) -> bool {
    let pass = ui.ctx().cumulative_pass_nr();
    let shown = ui
        .data_mut(|data| data.get_temp_mut_or_default::<Option<u64>>(Id::unique("review row")).replace(pass));
    shown != Some(pass)
}

/// Shows the row, with buttons of this height; nothing for a match that no engine can review, or a second time in a pass.
pub(crate) fn show(ui: &mut Ui, (session, sides): (&Session, &[Side]), height: f32) -> Option<ReviewRequest> {
    if !session.can_be_reviewed() || !is_first(ui) {
        return None;
    }
    contents(ui, (session, sides), height)
}

/// The row in two lines, without the buttons that begin a review: its progress, or what it found as far as that has room.
pub(crate) fn lines(
    ui: &mut Ui,
    (session, sides): (&Session, &[Side]),
    height: f32,
) -> Option<ReviewRequest> {
    let (told, seq) = match session.review.state() {
        ReviewState::Off => return None,
        ReviewState::Running(..) => return contents(ui, (session, sides), height),
        ReviewState::Failed(words) => (format!("The match can't be reviewed: {words}."), None),
        ReviewState::Over { words, subject, forced, complete } => {
            (over(words, *complete), end_of(session, subject.as_ref(), *forced))
        }
    };
    finding(ui, &told, seq, 2)
}

/// The move that a command made.
fn made(session: &Session, seq: u64) -> Option<&Move> {
    let moves = &session.events.findings().moves;
    moves.list().get(moves.at(seq)?)
}

/// The command that completes the move that the review is about.
fn end_of(session: &Session, judged: Option<&Judgement>, forced: Option<u64>) -> Option<u64> {
    let seq = judged.map(|judged| judged.seq).or(forced)?;
    Some(session.whole_move(made(session, seq)?))
}

/// The text with chances that no line breaks: `35 % → 24 %`.
fn unbroken(text: &str) -> String {
    text.replace(" %", "\u{a0}%").replace("% → ", "%\u{a0}→\u{a0}")
}

/// What a review found.
fn over(words: &str, complete: bool) -> String {
    if complete { words.to_owned() } else { format!("Stopped. {words}") }
}

/// A text of so many lines at most that leads to a move, if there is one.
fn finding(ui: &mut Ui, told: &str, seq: Option<u64>, lines: usize) -> Option<ReviewRequest> {
    let told = &unbroken(told);
    let palette = Palette::of(ui.ctx());
    let color = if seq.is_some() { palette.accent } else { ui.visuals().text_color() };
    let format = TextFormat::simple(FontId::proportional(SMALL + 1.0), color);
    let mut job = LayoutJob::single_section(told.to_owned(), format);
    job.wrap = TextWrapping { max_width: ui.available_width(), max_rows: lines, ..TextWrapping::default() };
    let label = Label::new(ui.fonts_mut(|fonts| fonts.layout_job(job)));
    let Some(seq) = seq else {
        ui.add(label);
        return None;
    };
    let link = ui.add(label.sense(Sense::click()));
    link.widget_info(|| WidgetInfo::labeled(Role::Link, true, told));
    let link = link.on_hover_cursor(CursorIcon::PointingHand).on_hover_text("Shows this move");
    link.clicked().then_some(ReviewRequest::Seq(seq))
}

/// The contents of the row.
pub(crate) fn contents(
    ui: &mut Ui,
    (session, sides): (&Session, &[Side]),
    height: f32,
) -> Option<ReviewRequest> {
    let mut wish = None;
    let mut button = |ui: &mut Ui, text: &str, name: &str| {
        let shown = ui.add(Button::new(text).min_size(vec2(0.0, height)));
        shown.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        if shown.on_hover_text(Action::FindMistakes.tooltip_with(name)).clicked() {
            wish = Some(ReviewRequest::Toggle);
        }
    };
    match session.review.state() {
        ReviewState::Off => {
            let offer = offer(session);
            button(ui, offer, offer);
            return wish;
        }
        ReviewState::Running(done, all) => {
            ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    button(ui, "Stop", "Stop the search");
                    let part = *done as f32 / (*all).max(1) as f32;
                    let text = if *all == 0 {
                        "Starting the engine…".to_owned()
                    } else {
                        format!("Reviewing the moves: {done} of {all}")
                    };
                    let width = ui.available_width();
                    ui.add(ProgressBar::new(part).desired_width(width).text(RichText::new(text).size(SMALL)));
                });
            });
            return wish;
        }
        ReviewState::Failed(words) => {
            ui.label(RichText::new(format!("The match can't be reviewed: {words}.")).size(SMALL + 1.0));
            return wish;
        }
        ReviewState::Over { complete: false, .. } => {
            button(ui, "Search again", "Search for the move that lost again")
        }
        ReviewState::Over { .. } => {}
    }
    let ReviewState::Over { words, subject, forced, complete } = session.review.state() else { return wish };
    let told = over(words, *complete);
    wish = finding(ui, &told, end_of(session, subject.as_ref(), *forced), usize::MAX).or(wish);
    let of_move =
        subject.as_ref().and_then(|judged| Some((judged, sides.get(made(session, judged.seq)?.side)?)));
    if let Some((judged, side)) = of_move {
        let correction =
            RichText::new(unbroken(&capitalised(judged.correction(side).whole()))).size(SMALL + 1.0);
        ui.add(Label::new(correction.color(Palette::of(ui.ctx()).weak)).wrap());
    }
    wish
}

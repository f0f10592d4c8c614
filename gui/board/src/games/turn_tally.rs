//! Clocks and evaluations of two players of a turn game, beside their names.

use egui::{Align2, FontId, Painter, Rect, Stroke, StrokeKind};
use grandstand_protocol::Micros;
use grandstand_protocol::team::TwoTeams;
use grandstand_protocol::turn::{Thought, TurnScene};
use grandstand_story::GameStory;
use grandstand_story::format;
use grandstand_story::games::turns::clock_text;
use serde_json::Value;

use crate::SideFigure;
use crate::theme::{Palette, semibold};

/// Time left below which a clock is red, in milliseconds, and the part of all the time below which it is.
const LATE: i64 = 10_000;
const LATE_PART: i64 = 5;

/// The time left below which a clock is red, in milliseconds, with these settings in force. A clock that gives a second for each move
/// would be red from the first one on.
fn late(rules: Option<&Value>) -> i64 {
    let time = rules.and_then(|rules| rules.get("TIME")?.as_str()).unwrap_or_default();
    // `5m+3s/30s`, or of a move alone `/500ms`.
    let all = time.split(['+', '/']).find(|part| !part.is_empty()).and_then(|part| {
        let number = part.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match &part[number.len()..] {
            "h" => 3_600_000.0,
            "m" => 60_000.0,
            "s" | "" => 1000.0,
            "ms" => 1.0,
            _ => return None,
        };
        Some((number.parse::<f64>().ok()? * unit) as i64)
    });
    all.map_or(LATE, |all| LATE.min(all / LATE_PART))
}

/// A team's clock at the time `secs`, in seconds since the start of the match, with the settings in force.
pub(super) fn clock<T: TwoTeams, M: Clone>(
    table: &TurnScene<T, M>,
    team: T,
    (secs, rules): (f64, Option<&Value>),
) -> Option<SideFigure> {
    let clock = table.clock(team)?;
    let late = late(rules);
    let t = Micros::from_secs_f64(secs.max(0.0)).unwrap_or(Micros::MAX);
    let ticks = clock.running && table.winner().is_none();
    let left = if ticks { clock.left(t) } else { i64::from(clock.millis) };
    let text = clock_text(left);
    let words = format!("clock {text}{}", if ticks { ", running" } else { "" });
    let width = 0.5 * text.chars().count() as f32 + 0.35;
    let paint = move |painter: &Painter, palette: &Palette, rect: Rect| {
        let (ink, ground) = match (ticks, left < late) {
            (true, true) => (palette.panel, palette.live),
            (true, false) => (palette.panel, palette.text),
            (false, true) => (palette.error, palette.raised),
            (false, false) => (palette.text, palette.raised),
        };
        painter.rect_filled(rect, 4.0, ground);
        if !ticks {
            // The plate of a clock that rests is near to the ground.
            painter.rect_stroke(rect, 4.0, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        }
        let font = FontId::new(rect.height() * 0.78, semibold());
        painter.text(rect.center(), Align2::CENTER_CENTER, &text, font, ink);
    };
    Some(SideFigure::Drawn { width, paint: Box::new(paint), words })
}

/// A team's evaluation. A forced end that has come, or one in words (*winning*), says nothing beside the result.
pub(super) fn thought<T: TwoTeams, M: Clone>(
    game: &dyn GameStory,
    table: &TurnScene<T, M>,
    team: T,
) -> Option<SideFigure> {
    let Thought { score, depth, nodes, line, .. } = &table.thought(team)?.thought;
    // Nothing was searched: the only move, or the first one.
    let is_guess = *depth == 0 && (*score == 0 || *nodes == 0 && line.len() <= 1);
    let is_forced = game.forced_in(*score).is_some();
    let score = game.score_text(*score);
    let is_decided = is_forced || !score.contains(|letter: char| letter.is_ascii_digit());
    if is_guess || is_decided && table.winner().is_some() {
        return None;
    }
    let words = format!("evaluation {score}, depth {depth}, {} positions", format::number(*nodes));
    let long = if is_decided || *depth == 0 { score.clone() } else { format!("{score} depth {depth}") };
    Some(SideFigure::Text { texts: [long, score], words })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::late;

    #[test]
    fn a_clock_is_late_below_ten_seconds_and_below_a_fifth_of_its_time() {
        for (time, expected) in [
            ("5m", 10_000),
            ("20s+1s", 4_000),
            ("/1s", 200),
            ("/500ms", 100),
            ("1.5s/1s", 300),
            ("2h/30s", 10_000),
            ("none", 10_000),
            ("soon", 10_000),
            ("", 10_000),
        ] {
            assert_eq!(late(Some(&json!({ "TIME": time }))), expected, "{time}");
        }
        assert_eq!(late(None), 10_000);
    }
}

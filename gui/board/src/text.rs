//! Texts of one line that fit into a width.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, FontId, Galley, Painter, Pos2, vec2};

/// A text of one line, cut with `…` if it doesn't fit.
pub fn fitted(painter: &Painter, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, color));
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    painter.layout_job(job)
}

/// A text of one line that is shrunk to fit, down to `least` of its size, and cut if that is not enough.
pub fn fitting(
    painter: &Painter,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
    least: f32,
) -> Arc<Galley> {
    let whole = painter.layout_no_wrap(text.to_owned(), font.clone(), color);
    if whole.size().x <= width {
        return whole;
    }
    let part = (width / whole.size().x.max(1.0) * 0.98).clamp(least, 1.0);
    // Few sizes, so that the font texture stays small.
    let part = ((part * 20.0).floor() / 20.0).max(least);
    fitted(painter, text, FontId { size: font.size * part, ..font }, color, width)
}

/// Paints a text of one line with its left middle at `at`, cut after `room`; returns its width.
pub fn paint_left(painter: &Painter, at: Pos2, text: &str, font: FontId, color: Color32, room: f32) -> f32 {
    let galley = fitted(painter, text, font, color, room);
    let width = galley.size().x;
    painter.galley(at - vec2(0.0, galley.size().y / 2.0), galley, color);
    width
}

/// The width to which texts of these widths are cut so that all of them have `room` together: what short ones leave is for the long ones.
/// Infinite if all fit.
pub fn common_limit(widths: &[f32], room: f32) -> f32 {
    let mut ordered = widths.to_vec();
    ordered.sort_by(f32::total_cmp);
    let mut left = room.max(0.0);
    for (index, width) in ordered.iter().enumerate() {
        let most = left / (ordered.len() - index) as f32;
        if *width > most {
            return most;
        }
        left -= width;
    }
    f32::INFINITY
}

/// Both names from the first word on that differs, where they begin alike and have no room: `…depth=2`.
pub fn without_common_start(names: [String; 2]) -> [String; 2] {
    let [a, b] = &names;
    let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b);
    let starts = same.filter(|((_, c), _)| [' ', ':', '/', '-', '_'].contains(c)).map(|((at, _), _)| at + 1);
    match starts.last() {
        Some(at) if at > 1 && a.len() > at && b.len() > at => names.map(|name| format!("…{}", &name[at..])),
        _ => names,
    }
}

#[cfg(test)]
mod tests {
    use super::{common_limit, without_common_start};

    #[test]
    fn a_short_text_leaves_its_room_to_a_long_one() {
        assert_eq!(common_limit(&[40.0, 300.0], 240.0), 200.0);
        assert_eq!(common_limit(&[300.0, 300.0], 240.0), 120.0);
        assert!(common_limit(&[40.0, 190.0], 240.0) > 190.0);
        assert_eq!(common_limit(&[40.0], -3.0), 0.0);
    }

    #[test]
    fn long_names_that_begin_alike_are_told_from_where_they_differ() {
        for (a, b, expected) in [
            ("search:depth=3 – search:depth=2", "search:depth=3 – search:depth=4", ["…depth=2", "…depth=4"]),
            ("Final · monday.replay", "Final · tuesday.replay", ["…monday.replay", "…tuesday.replay"]),
            ("my_first_bot", "my_first_try", ["…bot", "…try"]),
            ("one", "two", ["one", "two"]),
            ("same", "same", ["same", "same"]),
            ("cup 1", "cup 1 again", ["…1", "…1 again"]),
        ] {
            assert_eq!(without_common_start([a, b].map(str::to_owned)), expected);
        }
    }
}

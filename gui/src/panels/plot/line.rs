//! Line styles of the sides: each side has a dash pattern besides its colour, in plots and in legends.

use eframe::egui::{FontId, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use grandstand_board::text::paint_left;
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_story::sides::Side;

/// Dashes and gaps in points, for the second, third and fourth side; later sides repeat them.
const FORMS: [(&[f32], &[f32]); 3] = [(&[7.0], &[4.0]), (&[2.0], &[3.0]), (&[9.0, 2.0], &[3.0, 3.0])];
/// Ratio of length to width from which a line fills an area and is drawn without dashes, which would not be seen.
const TANGLE: f32 = 12.0;
/// Length of the piece of line in the legend, in points.
const SAMPLE: f32 = 18.0;

/// Shapes of a side's line; side 0 has a solid one.
pub(super) fn shapes(path: &[Pos2], stroke: Stroke, side: usize) -> Vec<Shape> {
    let form = side.checked_sub(1).map(|after| FORMS[after % FORMS.len()]);
    let length: f32 = path.windows(2).map(|two| two[0].distance(two[1])).sum();
    let width = path.last().map_or(0.0, |last| last.x) - path.first().map_or(0.0, |first| first.x);
    match form {
        Some((dashes, gaps)) if length <= TANGLE * width.max(SAMPLE) => {
            Shape::dashed_line_with_offset(path, stroke, dashes, gaps, 0.0)
        }
        _ => vec![Shape::line(path.to_vec(), stroke)],
    }
}

/// A piece of a side's line and its name, starting at `at`, the left middle. Returns the width, which is `room` at
/// most.
pub(super) fn legend(ui: &Ui, at: Pos2, (side, value): (&Side, &str), number: usize, room: f32) -> f32 {
    let palette = Palette::of(ui.ctx());
    let end = pos2(at.x + SAMPLE, at.y);
    ui.painter().extend(shapes(&[at, end], Stroke::new(2.0, palette.side(side)), number));
    let font = FontId::proportional(SMALL);
    let (at, room) = (end + vec2(5.0, 0.0), room - SAMPLE - 5.0);
    // The name gives way to the value.
    let bold = FontId::new(SMALL, semibold());
    let value = ui.painter().layout_no_wrap(value.to_owned(), bold, palette.text);
    let wide = value.size().x + 5.0;
    let name = paint_left(ui.painter(), at, &side.name, font, palette.weak, room - wide);
    ui.painter().galley(at + vec2(name + 5.0, -value.size().y / 2.0), value, palette.text);
    SAMPLE + 5.0 + name + wide
}

/// The legend of the sides in a row, as many as fit.
pub(super) fn legend_row(ui: &Ui, row: Rect, sides: &[Side], value: impl Fn(&Side) -> String) {
    let gap = 14.0;
    let each = (row.width() + gap) / sides.len().max(1) as f32 - gap;
    let mut x = row.left();
    for (number, side) in sides.iter().enumerate() {
        let room = if number + 1 == sides.len() { row.right() - x } else { each.max(SAMPLE + 30.0) };
        if room < SAMPLE + 20.0 {
            break;
        }
        x += legend(ui, pos2(x, row.center().y), (side, &value(side)), number, room) + gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::Color32;

    #[test]
    fn sides_have_lines_of_other_forms_and_a_tangle_is_not_cut_up() {
        let straight = [pos2(0.0, 0.0), pos2(100.0, 0.0)];
        let stroke = Stroke::new(1.0, Color32::WHITE);
        let counts: Vec<usize> = [0, 1, 2, 3, 4].map(|side| shapes(&straight, stroke, side).len()).into();
        assert_eq!(counts[0], 1);
        assert!(counts[1] > 5 && counts[2] > counts[1] && counts[3] > 5, "{counts:?}");
        assert!(counts[3] != counts[1] && counts[4] == counts[1], "{counts:?}");
        let tangle: Vec<Pos2> = (0..4000).map(|n| pos2(n as f32 / 40.0, (n % 2) as f32 * 90.0)).collect();
        assert_eq!(shapes(&tangle, stroke, 1).len(), 1);
        assert!(shapes(&[], stroke, 1).len() <= 1);
    }
}

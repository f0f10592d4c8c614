//! Line styles of the sides: each side has a dash pattern besides its colour, in plots and in legends.

use eframe::egui::{FontId, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use grandstand_board::text::{common_limit, paint_left};
use grandstand_board::theme::{Palette, SMALL, semibold};
use grandstand_story::format::capitalised;
use grandstand_story::plots::PlotKind;
use grandstand_story::sides::Side;

use crate::session::Session;

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

/// Room of a piece of line with the gap after it, in points.
const LEAD: f32 = SAMPLE + 5.0;
/// Room that a name leaves to its value, in points: that of the longest one of all plots of the match, so that a side has one name in
/// them. With evaluations that is one of those (`loses in 13`).
const VALUE: f32 = 26.0;
const EVALUATION: f32 = 68.0;
/// Gap between the entries of a legend, and between a name and its value, in points.
const BETWEEN: f32 = 14.0;
const BEFORE_VALUE: f32 = 5.0;

/// The legend of the sides in a row, as many as fit: a piece of each side's line, the name and the value.
///
/// Equal names, told apart by their colours, give way to the colours alone before anything is cut.
pub(super) fn legend_row(
    ui: &Ui,
    row: Rect,
    (session, sides): (&Session, &[Side]),
    value: impl Fn(&Side) -> String,
) {
    let palette = Palette::of(ui.ctx());
    let painter = ui.painter();
    let bold = || FontId::new(SMALL, semibold());
    let values: Vec<_> =
        sides.iter().map(|side| painter.layout_no_wrap(value(side), bold(), palette.text)).collect();
    let wide = |names: &[String]| -> Vec<f32> {
        let name = |name: &String| {
            painter.layout_no_wrap(name.clone(), FontId::proportional(SMALL), palette.weak).size().x
        };
        names.iter().zip(&values).map(|(of, value)| LEAD + name(of) + BEFORE_VALUE + value.size().x).collect()
    };
    let whole: Vec<String> = sides.iter().map(|side| side.name.clone()).collect();
    let brief: Vec<String> = sides.iter().map(brief).collect();
    let room = row.width() - BETWEEN * sides.len().saturating_sub(1) as f32;
    // Names that are cut tell nobody apart, least of all two versions of one program. What they are called does not change with the values.
    let words: Vec<String> = sides.iter().map(|side| capitalised(side.word())).collect();
    let evaluates = session.events.findings().plots.iter().any(|plot| plot.kind == PlotKind::Balance);
    let longest = if evaluates { EVALUATION } else { VALUE };
    let spare: f32 = values.iter().map(|value| (longest - value.size().x).max(0.0)).sum();
    let fits = |names: &Vec<String>| wide(names).iter().sum::<f32>() + spare <= room;
    let names = [whole, brief].into_iter().find(fits).unwrap_or(words);
    let widths = shares(&wide(&names), room, LEAD + 2.0 * BEFORE_VALUE);
    let mut x = row.left();
    for (number, ((side, name), (value, width))) in
        sides.iter().zip(&names).zip(values.into_iter().zip(widths)).enumerate()
    {
        if x + width > row.right() + 0.5 {
            break;
        }
        let (at, end) = (pos2(x, row.center().y), pos2(x + SAMPLE, row.center().y));
        painter.extend(shapes(&[at, end], Stroke::new(2.0, palette.side(side)), number));
        // The name gives way to the value.
        let room = width - LEAD - BEFORE_VALUE - value.size().x;
        let at = pos2(x + LEAD, row.center().y);
        let name = paint_left(painter, at, name, FontId::proportional(SMALL), palette.weak, room);
        let at = at + vec2(name + BEFORE_VALUE, -value.size().y / 2.0);
        painter.galley(at, value, palette.text);
        x += width + BETWEEN;
    }
}

/// Name of a side without what it shares with the others: `White` for `team (white)`.
fn brief(side: &Side) -> String {
    if side.short() == side.name { side.name.clone() } else { capitalised(side.word()) }
}

/// Widths of entries that want these widths: those that want less than an equal share leave the rest to the others. None is
/// narrower than `least`.
fn shares(wanted: &[f32], room: f32, least: f32) -> Vec<f32> {
    let most = common_limit(wanted, room);
    wanted.iter().map(|width| width.min(most).max(least)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::Color32;

    #[test]
    fn short_names_leave_their_room_to_long_ones() {
        assert_eq!(shares(&[50.0, 90.0], 150.0, 10.0), [50.0, 90.0]);
        assert_eq!(shares(&[90.0, 50.0], 120.0, 10.0), [70.0, 50.0]);
        assert_eq!(shares(&[90.0, 80.0], 120.0, 10.0), [60.0, 60.0]);
        assert_eq!(shares(&[90.0, 80.0], 4.0, 10.0), [10.0, 10.0]);
        assert!(shares(&[], 4.0, 10.0).is_empty());
    }

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

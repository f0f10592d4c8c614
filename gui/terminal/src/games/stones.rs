//! Gomoku and Pente: points two columns apart, or four or more where there is room. A small screen shows the points around
//! the last move.

use grandstand_protocol::Micros;
use grandstand_protocol::stones::{Point, Scene, Stone, Team};
use grandstand_story::games::stones::text;
use ratatui_core::style::{Color, Modifier, Style};

use super::turns;
use super::{Size, TextBoard};
use crate::canvas::{Canvas, bold, ink};
use crate::look::{Look, WEAK, rgb};

/// The width of the row numbers on the left.
const NAMES: i32 = 4;
/// The largest magnification: two columns and one line for each step.
const LARGEST: i32 = 3;
const WOOD: Color = rgb(0xb98f58);
const LINE: Color = rgb(0x6b4f2b);
const LAST: Color = rgb(0xe8452f);
const BLACK: Color = rgb(0x101317);
const WHITE: Color = rgb(0xffffff);

impl TextBoard for Scene {
    fn size(&self, room: Size, _: Look) -> Size {
        let size = i32::from(self.size().get());
        let n = magnification(size, room);
        Size {
            width: (NAMES + 2 * n * size).min(room.width.max(0)),
            height: (n * size + 1).min(room.height.max(0)),
        }
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        let size = i32::from(self.size().get());
        let n = magnification(size, Size { width: canvas.width(), height: canvas.height() });
        if n > 1 {
            return paint_large(self, canvas, size, n);
        }
        let columns = ((canvas.width() - NAMES) / 2).clamp(0, size);
        let rows = (canvas.height() - 1).clamp(0, size);
        let middle = self.last().unwrap_or_else(|| self.size().centre());
        let first = |at: u16, shown: i32| (i32::from(at) - shown / 2).clamp(0, size - shown);
        let (left, bottom) = (first(middle.x(), columns), first(middle.y(), rows));
        for row in 0..rows {
            let y = rows - 1 - row;
            canvas.text_to(NAMES - 1, y, &(bottom + row + 1).to_string(), ink(WEAK));
            for column in 0..columns {
                let Some(point) = Point::new((left + column) as u16, (bottom + row) as u16) else { continue };
                paint_point(self, canvas, NAMES + 2 * column, y, point);
            }
        }
        for column in 0..columns {
            let name = Point::column((left + column) as u16);
            // Where names are wider than a place, only every second name is shown.
            if name.len() == 1 || column % 2 == 0 {
                canvas.text(NAMES + 2 * column, rows, &name, ink(WEAK));
            }
        }
    }

    fn figures(&self, side: usize, t: Micros, _: Look) -> Vec<String> {
        let team = Team::ALL[side.min(1)];
        let mut figures = turns::figures(self, self.table(), team, t);
        figures.extend(text::captures(self, team));
        figures
    }
}

/// The largest magnification with which the whole board fits; 1 where none does.
fn magnification(size: i32, room: Size) -> i32 {
    let fits = ((room.width - NAMES) / (2 * size)).min((room.height - 1) / size);
    fits.clamp(1, LARGEST)
}

/// Paints the whole board with `2 * n` columns and `n` lines for each point, which lies in their middle.
fn paint_large(scene: &Scene, canvas: &mut Canvas<'_>, size: i32, n: i32) {
    let (beside, above) = (n - 1, n / 2);
    for row in 0..size {
        let y = (size - 1 - row) * n + above;
        canvas.text_to(NAMES - 1, y, &(row + 1).to_string(), ink(WEAK));
        for column in 0..size {
            let Some(point) = Point::new(column as u16, row as u16) else { continue };
            let x = NAMES + 2 * n * column + beside;
            paint_lines(canvas, (x, y), (column, row), size - 1, n);
            paint_point(scene, canvas, x, y, point);
        }
    }
    // Stones cover the lines of the places beside them.
    for row in 0..size {
        for column in 0..size {
            let Some(point) = Point::new(column as u16, row as u16) else { continue };
            if let Some(Stone { team, .. }) = scene.stone(point) {
                let at = (NAMES + 2 * n * column + beside, (size - 1 - row) * n + above);
                paint_large_stone(scene, canvas, at, n, (point, team));
            }
        }
    }
    for column in 0..size {
        let x = NAMES + 2 * n * column + beside;
        canvas.text(x, n * size, &Point::column(column as u16), ink(WEAK));
    }
}

/// Paints the wood around a point, and the lines that lead from it to the next points.
fn paint_lines(canvas: &mut Canvas<'_>, (x, y): (i32, i32), (column, row): (i32, i32), rim: i32, n: i32) {
    let (line, look) = (ink(LINE).bg(WOOD), canvas.look);
    for dy in -(n / 2)..n - n / 2 {
        canvas.fill(x - (n - 1), y + dy, 2 * n, ' ', line);
        if dy < 0 && row < rim || dy > 0 && row > 0 {
            canvas.sign(x, y + dy, look.sign('│', '.'), line);
        }
    }
    for dx in -(n - 1)..=n {
        if dx < 0 && column > 0 || dx > 0 && column < rim {
            canvas.sign(x + dx, y, look.sign('─', '.'), line);
        }
    }
}

/// Paints a stone of several places, with a sign in its middle if it is the last one or lies in the winning row.
fn paint_large_stone(
    scene: &Scene,
    canvas: &mut Canvas<'_>,
    (x, y): (i32, i32),
    n: i32,
    (point, team): (Point, Team),
) {
    let look = canvas.look;
    let (last, wins) = (scene.last() == Some(point), in_five(scene, point));
    if !look.unicode || !look.has_color() {
        let (sign, style) = stone(team, look);
        let style = if last { style.add_modifier(Modifier::REVERSED) } else { style };
        let style = if wins { style.add_modifier(Modifier::UNDERLINED) } else { style };
        canvas.text(x - 1, y, &format!("({sign})"), style);
        return;
    }
    let color = if team == Team::Black { BLACK } else { WHITE };
    let style = ink(color).bg(WOOD);
    if n == 2 {
        canvas.text(x - 1, y, "▐█▌", style);
    } else {
        canvas.text(x - 1, y - 1, "▄▄▄", style);
        canvas.text(x - 2, y, "▐███▌", style);
        canvas.text(x - 1, y + 1, "▀▀▀", style);
    }
    if last || wins {
        canvas.sign(x, y, if wins { '◆' } else { '●' }, bold(LAST).bg(color));
    }
}

fn paint_point(scene: &Scene, canvas: &mut Canvas<'_>, x: i32, y: i32, point: Point) {
    let look = canvas.look;
    let line = ink(LINE).bg(WOOD);
    let rim = i32::from(scene.size().get()) - 1;
    if look.unicode {
        canvas.sign(x, y, crossing(i32::from(point.x()), i32::from(point.y()), rim), line);
        canvas.sign(x + 1, y, if i32::from(point.x()) < rim { '─' } else { ' ' }, line);
    } else {
        canvas.sign(x, y, '.', line);
        canvas.sign(x + 1, y, ' ', line);
    }
    if scene.forbidden().contains(&point) {
        canvas.sign(x, y, look.sign('×', 'x'), ink(rgb(0x8f1d12)).bg(WOOD));
    }
    if let Some(Stone { team, .. }) = scene.stone(point) {
        let (sign, style) = stone(team, look);
        let last = scene.last() == Some(point);
        let style = match (last, look.has_color()) {
            (true, true) => style.bg(LAST),
            (true, false) => style.add_modifier(Modifier::REVERSED),
            (false, _) => style,
        };
        canvas.sign(
            x,
            y,
            sign,
            if in_five(scene, point) { style.add_modifier(Modifier::UNDERLINED) } else { style },
        );
    }
}

fn stone(team: Team, look: Look) -> (char, Style) {
    match (team, look.has_color() && look.unicode) {
        (Team::Black, true) => ('●', bold(BLACK).bg(WOOD)),
        (Team::White, true) => ('●', bold(WHITE).bg(WOOD)),
        (Team::Black, false) => (look.sign('●', 'X'), bold(BLACK).bg(WOOD)),
        (Team::White, false) => (look.sign('○', 'O'), bold(WHITE).bg(WOOD)),
    }
}

/// The crossing of two lines. `rim` is the last column and row. Rows are counted from below.
fn crossing(x: i32, y: i32, rim: i32) -> char {
    match (x == 0, x == rim, y == 0, y == rim) {
        (true, _, true, _) => '└',
        (true, _, _, true) => '┌',
        (true, ..) => '├',
        (_, true, true, _) => '┘',
        (_, true, _, true) => '┐',
        (_, true, ..) => '┤',
        (_, _, true, _) => '┴',
        (_, _, _, true) => '┬',
        _ => '┼',
    }
}

/// Whether a point lies in the winning row.
fn in_five(scene: &Scene, point: Point) -> bool {
    let Some(ends) = scene.five() else { return false };
    let [[ax, ay], [bx, by], [x, y]] =
        [ends[0], ends[1], point].map(|point| [i32::from(point.x()), i32::from(point.y())]);
    let between = (ax.min(bx)..=ax.max(bx)).contains(&x) && (ay.min(by)..=ay.max(by)).contains(&y);
    between && (x - ax) * (by - ay) == (y - ay) * (bx - ax)
}

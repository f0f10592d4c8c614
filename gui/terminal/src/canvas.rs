//! A part of the screen to paint on. Everything that is written or filled goes through it.
//!
//! Positions are relative to its upper left corner. They may lie outside the part, where nothing is painted. Texts of others are
//! made safe for a terminal here ([`terminal::line`]), so painters need not do that.

use grandstand_protocol::terminal;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier, Style};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::look::Look;

/// A part of a terminal picture, and the capabilities of the terminal.
#[derive(Debug)]
pub(crate) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    pub look: Look,
}

/// A style with a colour of text.
pub(crate) fn ink(color: Color) -> Style {
    Style::new().fg(color)
}

/// The same in bold.
pub(crate) fn bold(color: Color) -> Style {
    ink(color).add_modifier(Modifier::BOLD)
}

/// The number of columns that a text takes.
pub(crate) fn columns(text: &str) -> i32 {
    i32::try_from(terminal::line(text).width()).unwrap_or(i32::MAX)
}

/// The beginning of a text that fits into `room` columns, with a sign if something was cut off.
pub(crate) fn shortened(text: &str, room: i32, look: Look) -> String {
    let text = terminal::line(text).replace('\t', " ");
    if columns(&text) <= room {
        return text;
    }
    let more = look.sign("…", "~");
    let (mut short, mut used) = (String::new(), 1);
    for c in text.chars() {
        let width = c.width().unwrap_or(0) as i32;
        if used + width > room {
            break;
        }
        used += width;
        short.push(c);
    }
    if room > 0 { short + more } else { String::new() }
}

/// A text in lines of at most `room` columns, broken between words where possible.
pub(crate) fn wrapped(text: &str, room: i32) -> Vec<String> {
    let text = terminal::line(text).replace('\t', " ");
    let room = room.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let blank = i32::from(!line.is_empty());
        if columns(&line) + blank + columns(word) <= room {
            if blank > 0 {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            if columns(&line) + c.width().unwrap_or(0) as i32 > room {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

impl<'a> Canvas<'a> {
    /// A canvas of a whole buffer.
    pub(crate) fn new(buffer: &'a mut Buffer, look: Look) -> Canvas<'a> {
        let area = buffer.area;
        Canvas { buffer, area, look }
    }

    /// The part of this canvas with the given corner and size, as far as it lies inside.
    pub(crate) fn part(&mut self, x: i32, y: i32, width: i32, height: i32) -> Canvas<'_> {
        let (left, top) = (x.clamp(0, self.width()), y.clamp(0, self.height()));
        let right = x.saturating_add(width).clamp(left, self.width());
        let bottom = y.saturating_add(height).clamp(top, self.height());
        let area = Rect {
            x: self.area.x + left as u16,
            y: self.area.y + top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
        };
        Canvas { buffer: &mut *self.buffer, area, look: self.look }
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> i32 {
        i32::from(self.area.width)
    }

    /// The number of lines.
    pub(crate) fn height(&self) -> i32 {
        i32::from(self.area.height)
    }

    /// The position on the screen; `None` outside the canvas.
    fn at(&self, x: i32, y: i32) -> Option<(u16, u16)> {
        let is_in = (0..self.width()).contains(&x) && (0..self.height()).contains(&y);
        is_in.then(|| (self.area.x + x as u16, self.area.y + y as u16))
    }

    /// Whether the place holds nothing but a dot. Places outside the canvas count as open.
    pub(crate) fn is_open(&self, x: i32, y: i32) -> bool {
        self.at(x, y).is_none_or(|at| matches!(self.buffer[at].symbol(), " " | "·" | "."))
    }

    /// Gives every place a style and removes its sign.
    pub(crate) fn clear(&mut self, style: Style) {
        for y in 0..self.height() {
            self.fill(0, y, self.width(), ' ', style);
        }
    }

    /// Writes a sign `count` times, starting at this place.
    pub(crate) fn fill(&mut self, x: i32, y: i32, count: i32, sign: char, style: Style) {
        for x in x.max(0)..x.saturating_add(count).min(self.width()) {
            self.sign(x, y, sign, style);
        }
    }

    /// Writes one sign that takes one column. Any other sign becomes `?`.
    pub(crate) fn sign(&mut self, x: i32, y: i32, sign: char, style: Style) {
        if let Some(at) = self.at(x, y) {
            let is_narrow = sign.width() == Some(1)
                && terminal::line(sign.encode_utf8(&mut [0; 4])).len() == sign.len_utf8();
            let sign = if is_narrow && (self.look.unicode || sign.is_ascii()) { sign } else { '?' };
            let cell = &mut self.buffer[at];
            cell.set_char(sign);
            cell.set_style(style);
        }
    }

    /// Writes as much of a text as fits, starting at this place. Returns the column after it.
    pub(crate) fn text(&mut self, x: i32, y: i32, text: &str, style: Style) -> i32 {
        let text = terminal::line(text);
        let mut x = x;
        for c in text.chars() {
            let c = if c == '\t' { ' ' } else { c };
            let (sign, width) = match c.width().unwrap_or(0) {
                // Marks that combine with the letter before are left out, because terminals differ in whether they take a column.
                0 => continue,
                1 if self.look.unicode || c.is_ascii() => (c, 1),
                2 if self.look.unicode && x + 1 < self.width() => (c, 2),
                _ => (ascii(c), 1),
            };
            if width == 1 {
                self.sign(x, y, sign, style);
            } else if let (Some(at), Some(next)) = (self.at(x, y), self.at(x + 1, y)) {
                self.buffer[next].reset();
                self.buffer[next].set_style(style);
                let cell = &mut self.buffer[at];
                cell.set_char(sign);
                cell.set_style(style);
            }
            x += width;
        }
        x
    }

    /// Writes a text that ends before column `x`.
    pub(crate) fn text_to(&mut self, x: i32, y: i32, text: &str, style: Style) {
        self.text(x - columns(text), y, text, style);
    }

    /// Changes the style of a part of a line.
    pub(crate) fn restyle(&mut self, x: i32, y: i32, count: i32, style: Style) {
        for x in x.max(0)..x.saturating_add(count).min(self.width()) {
            if let Some(at) = self.at(x, y) {
                self.buffer[at].set_style(style);
            }
        }
    }

    /// Fills the upper or lower half of a place. Each line has two halves, so the place is in line `half / 2`.
    pub(crate) fn half(&mut self, x: i32, half: i32, color: Color) {
        let Some(at) = self.at(x, half.div_euclid(2)) else { return };
        let cell = &mut self.buffer[at];
        let upper = if cell.symbol() == "▀" { cell.fg } else { cell.bg };
        let lower = cell.bg;
        let (upper, lower) = if half.rem_euclid(2) == 0 { (color, lower) } else { (upper, color) };
        cell.set_char('▀');
        cell.set_style(Style::new().fg(upper).bg(lower));
    }
}

/// The replacement for a sign that a terminal without Unicode can't show.
fn ascii(c: char) -> char {
    match c {
        '–' | '—' | '−' => '-',
        '…' => '~',
        '·' | '•' => '.',
        '×' => 'x',
        'λ' => 'l',
        '→' => '>',
        '←' => '<',
        '↑' => '^',
        '↓' => 'v',
        '¼' | '½' => '/',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        _ => '?',
    }
}

/// Replaces every colour of a buffer by one that the terminal supports.
pub(crate) fn fit_colors(buffer: &mut Buffer, look: Look) {
    for cell in &mut buffer.content {
        (cell.fg, cell.bg) = (look.color(cell.fg), look.color(cell.bg));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Depth;

    const LOOK: Look = Look { unicode: true, depth: Depth::True };

    fn painted(look: Look, paint: impl Fn(&mut Canvas<'_>)) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        paint(&mut Canvas::new(&mut buffer, look));
        buffer.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn what_a_terminal_obeys_is_never_painted() {
        let text = |look, text: &str| {
            painted(look, |canvas| {
                canvas.text(0, 0, text, Style::new());
            })
        };
        assert_eq!(text(LOOK, "\x1b[2Ja"), r"\u{1b}[2Ja");
        assert_eq!(text(LOOK, "a\tb\u{301}c"), "a bc");
        assert_eq!(text(Look { unicode: false, ..LOOK }, "λ–狐…"), "l-?~");
        for sign in ['\u{202e}', '\x1b', '狐', '\u{301}', '\u{9b}'] {
            assert_eq!(painted(LOOK, |canvas| canvas.sign(0, 0, sign, Style::new())), "?");
        }
    }

    #[test]
    fn texts_are_cut_and_broken_by_their_columns() {
        assert_eq!(shortened("abcdef", 4, LOOK), "abc…");
        assert_eq!(shortened("狐狐狐", 4, LOOK), "狐…");
        assert_eq!(shortened("abc", 3, LOOK), "abc");
        assert_eq!(shortened("abc", 0, LOOK), "");
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert!(wrapped("", 3).is_empty());
    }

    #[test]
    fn halves_of_a_place_have_two_colours() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
        let mut canvas = Canvas::new(&mut buffer, LOOK);
        canvas.half(0, 1, Color::Red);
        canvas.half(0, 0, Color::Blue);
        canvas.half(0, 2, Color::Green);
        assert_eq!((buffer[(0, 0)].fg, buffer[(0, 0)].bg), (Color::Blue, Color::Red));
    }
}

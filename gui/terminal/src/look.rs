//! The capabilities of a terminal, and the colours and signs chosen accordingly.

use grandstand_protocol::Color as Named;
use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_story::{Badge, Side};
use ratatui_core::style::Color;

/// The number of colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// No colours: letters distinguish the teams.
    Mono,
    /// The sixteen colours of every colour terminal.
    Sixteen,
    /// The palette of xterm.
    Palette,
    /// Any colour.
    True,
}

/// The capabilities of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Whether it shows more than ASCII: half blocks, arrows, boxes.
    pub unicode: bool,
    /// The number of colours.
    pub depth: Depth,
}

/// A colour from its number, `0xrrggbb`.
pub(crate) const fn rgb(hex: u32) -> Color {
    Color::Rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The background.
pub(crate) const GROUND: Color = rgb(0x11151b);
/// Important text.
pub(crate) const TEXT: Color = rgb(0xe4e9f0);
/// Explanatory text.
pub(crate) const WEAK: Color = rgb(0x98a5b5);
/// Lines between elements.
pub(crate) const LINE: Color = rgb(0x4a5666);
/// The element with the focus.
pub(crate) const ACCENT: Color = rgb(0x7cb3ff);
/// Something that is happening now.
pub(crate) const LIVE: Color = rgb(0xff6b6b);
/// A possible problem.
pub(crate) const WARNING: Color = rgb(0xf0b866);

/// The colours of a team: its lines, its piece, and the mark on the piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TeamColors {
    /// The colour of the name and lines.
    pub accent: Color,
    /// The colour of a piece.
    pub piece: Color,
    /// The colour of the mark on a piece.
    pub mark: Color,
}

/// The colours of black and white.
pub(crate) fn piece(team: BlackWhite) -> TeamColors {
    match team {
        BlackWhite::Black => TeamColors { accent: rgb(0x5aa9ff), piece: rgb(0x14304f), mark: rgb(0xa8d2ff) },
        BlackWhite::White => TeamColors { accent: rgb(0xf5b24a), piece: rgb(0xf2eee4), mark: rgb(0x3a2c10) },
    }
}

/// The colours of red and blue.
pub(crate) fn squad(team: RedBlue) -> TeamColors {
    match team {
        RedBlue::Red => TeamColors { accent: rgb(0xff8a70), piece: rgb(0xc8382a), mark: rgb(0xfff6f2) },
        RedBlue::Blue => TeamColors { accent: rgb(0x78b8ff), piece: rgb(0x1d5cc0), mark: rgb(0xf2f8ff) },
    }
}

/// A colour of the protocol, adjusted to a dark background.
pub(crate) fn named(color: Named) -> Color {
    match color {
        Named::Black => rgb(0x5aa9ff),
        Named::White => rgb(0xf2eee4),
        Named::Gray => rgb(0xa0a0a0),
        Named::Red => rgb(0xff5a4a),
        Named::Orange => rgb(0xea7d00),
        Named::Yellow => rgb(0xffce00),
        Named::Green => rgb(0x2da95d),
        Named::Cyan => rgb(0x00d6fc),
        Named::Blue => rgb(0x3d9bff),
        Named::Purple => rgb(0xb069e0),
        Named::Pink => rgb(0xd871c1),
        Named::Brown => rgb(0xb0703f),
    }
}

/// The colour of a side's name and lines.
pub(crate) fn side(side: &Side) -> Color {
    match side.badge {
        Badge::Piece(team) | Badge::Stone(team) => piece(team).accent,
        Badge::Squad(team) => squad(team).accent,
        Badge::Color(color) => named(color),
    }
}

impl Look {
    /// Reads the capabilities from the environment: `TERM`, `COLORTERM`, `NO_COLOR` and the locale. The result is `None` for terminals
    /// that can't position text, so that only plain lines are possible.
    pub fn of(environment: impl Fn(&str) -> Option<String>) -> Option<Look> {
        let set = |name: &str| environment(name).filter(|value| !value.is_empty());
        let term = set("TERM");
        if cfg!(windows) && term.is_none() {
            return Some(Look { unicode: true, depth: Depth::True });
        }
        let term = term.filter(|term| term != "dumb")?;
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        let many = set("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        let depth = if set("NO_COLOR").is_some() || term.starts_with("vt") || term.ends_with("-m") {
            Depth::Mono
        } else if many || term.ends_with("-direct") {
            Depth::True
        } else if term.contains("256color") {
            Depth::Palette
        } else {
            Depth::Sixteen
        };
        Some(Look { unicode: locale.contains("utf-8") || locale.contains("utf8"), depth })
    }

    /// Whether it has colours.
    pub(crate) fn has_color(self) -> bool {
        self.depth != Depth::Mono
    }

    /// Chooses the first sign where Unicode is available, and the second one otherwise.
    pub(crate) fn sign<T>(self, unicode: T, ascii: T) -> T {
        if self.unicode { unicode } else { ascii }
    }

    /// The nearest colour of this terminal.
    pub(crate) fn color(self, color: Color) -> Color {
        let Color::Rgb(r, g, b) = color else { return color };
        match self.depth {
            Depth::True => color,
            Depth::Mono => Color::Reset,
            Depth::Palette => Color::Indexed(nearest_of_palette([r, g, b])),
            Depth::Sixteen => nearest_of_sixteen([r, g, b]),
        }
    }
}

/// The distance of two colours. The eye is most sensitive to green and least sensitive to blue.
fn apart(a: [u8; 3], b: [u8; 3]) -> u32 {
    let [r, g, b] = [0, 1, 2].map(|n| u32::from(a[n].abs_diff(b[n])).pow(2));
    3 * r + 4 * g + 2 * b
}

/// The number in xterm's palette: from its cube with six levels per channel, or from its 24 greys.
fn nearest_of_palette(color: [u8; 3]) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |value: u8| (0..6).min_by_key(|n| LEVELS[*n].abs_diff(value)).unwrap_or(0);
    let cube = color.map(level);
    let grey = |n: u8| [8 + 10 * n; 3];
    let mean = color.iter().map(|value| u32::from(*value)).sum::<u32>() / 3;
    let step = (mean.saturating_sub(3) / 10).min(23) as u8;
    if apart(grey(step), color) < apart(cube.map(|n| LEVELS[n]), color) {
        232 + step
    } else {
        16 + (36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    }
}

fn nearest_of_sixteen(color: [u8; 3]) -> Color {
    const SIXTEEN: [(Color, [u8; 3]); 16] = [
        (Color::Black, [0, 0, 0]),
        (Color::Red, [205, 0, 0]),
        (Color::Green, [0, 205, 0]),
        (Color::Yellow, [205, 205, 0]),
        (Color::Blue, [0, 0, 238]),
        (Color::Magenta, [205, 0, 205]),
        (Color::Cyan, [0, 205, 205]),
        (Color::Gray, [229, 229, 229]),
        (Color::DarkGray, [127, 127, 127]),
        (Color::LightRed, [255, 0, 0]),
        (Color::LightGreen, [0, 255, 0]),
        (Color::LightYellow, [255, 255, 0]),
        (Color::LightBlue, [92, 92, 255]),
        (Color::LightMagenta, [255, 0, 255]),
        (Color::LightCyan, [0, 255, 255]),
        (Color::White, [255, 255, 255]),
    ];
    SIXTEEN.into_iter().min_by_key(|(_, value)| apart(*value, color)).map_or(Color::Reset, |(color, _)| color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(variables: &[(&str, &str)]) -> Option<Look> {
        Look::of(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_says_what_a_terminal_shows() {
        let utf8 = ("LANG", "en_US.UTF-8");
        for (variables, expected) in [
            (&[("TERM", "xterm-256color"), utf8][..], Some((true, Depth::Palette))),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), utf8], Some((true, Depth::True))),
            (&[("TERM", "xterm"), ("LC_ALL", "C"), utf8], Some((false, Depth::Sixteen))),
            (&[("TERM", "xterm"), ("NO_COLOR", "1"), utf8], Some((true, Depth::Mono))),
            (
                &[("TERM", "xterm"), ("NO_COLOR", ""), ("LC_CTYPE", "de_DE.utf8")],
                Some((true, Depth::Sixteen)),
            ),
            (&[("TERM", "vt220")], Some((false, Depth::Mono))),
            (&[("TERM", "dumb"), utf8], None),
            (&[utf8], None),
        ] {
            let expected = expected.map(|(unicode, depth)| Look { unicode, depth });
            assert_eq!(look(variables), expected, "{variables:?}");
        }
    }

    #[test]
    fn colours_become_the_nearest_that_there_are() {
        let at = |depth| Look { unicode: true, depth };
        for (hex, palette, sixteen) in [
            (0x000000, 16, Color::Black),
            (0xffffff, 231, Color::White),
            (0xff0000, 196, Color::LightRed),
            (0x808080, 244, Color::DarkGray),
        ] {
            assert_eq!(at(Depth::True).color(rgb(hex)), rgb(hex));
            assert_eq!(at(Depth::Palette).color(rgb(hex)), Color::Indexed(palette));
            assert_eq!(at(Depth::Sixteen).color(rgb(hex)), sixteen);
            assert_eq!(at(Depth::Mono).color(rgb(hex)), Color::Reset);
        }
    }
}

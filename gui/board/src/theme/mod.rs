//! Theme: colours, fonts and spacing, dark and light.
//!
//! The two teams' colours are a pair that every common kind of colour blindness can tell apart (azure and amber,
//! vermilion and blue); the tests in `vision` compute it. No distinction depends on colour alone:
//! black and white pieces differ in lightness and in the shape of their mark; red is angular with filled marks, blue is
//! round with open ones.

use std::sync::Arc;

use egui::{
    self, Color32, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin, Stroke, Style,
    TextStyle, Theme, Vec2, Visuals,
};
use grandstand_protocol::Color;
use grandstand_protocol::team::{BlackWhite, RedBlue};
use grandstand_story::{Badge, Side};

/// Font family of headings and important numbers.
pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

/// Colours of a theme. Text has a contrast of at least 4.5 : 1 to its ground.
#[derive(Debug, Clone, Copy)]
pub struct Palette {
    /// Ground behind the board.
    pub ground: Color32,
    /// Bars and side panels.
    pub panel: Color32,
    /// Cards, chips and fields on a panel.
    pub raised: Color32,
    /// Thin lines.
    pub line: Color32,
    /// Main text.
    pub text: Color32,
    /// Secondary text.
    pub weak: Color32,
    /// Things that can be pressed, and the focus.
    pub accent: Color32,
    /// Live state.
    pub live: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Errors.
    pub error: Color32,
    /// Success.
    pub good: Color32,
    /// Tray below the hexes.
    pub tray: Color32,
    /// Rim of the tray.
    pub tray_rim: Color32,
    /// A place of a board.
    pub cell: Color32,
    /// Rim of a place.
    pub cell_rim: Color32,
    /// Coordinates.
    pub coordinate: Color32,
    /// Colours of the black and the white team.
    pub teams: [TeamColors; 2],
    /// Colours of the red and the blue team.
    pub squads: [TeamColors; 2],
    /// Whether this is the dark theme.
    pub is_dark: bool,
}

/// Colours of a team.
#[derive(Debug, Clone, Copy)]
pub struct TeamColors {
    /// Plot lines, edges of chat messages, rims of pieces.
    pub accent: Color32,
    /// Face of a piece.
    pub piece: Color32,
    /// Lit part of a piece's face.
    pub shine: Color32,
    /// Mark on a piece.
    pub mark: Color32,
}

pub(crate) const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

const DARK: Palette = Palette {
    ground: rgb(0x11151b),
    panel: rgb(0x171c24),
    raised: rgb(0x202731),
    line: rgb(0x2b3440),
    text: rgb(0xe4e9f0),
    weak: rgb(0x98a5b5),
    accent: rgb(0x7cb3ff),
    live: rgb(0xff6b6b),
    warning: rgb(0xf0b866),
    error: rgb(0xff8a80),
    good: rgb(0x6fcf97),
    tray: rgb(0x1e252f),
    tray_rim: rgb(0x333e4c),
    cell: rgb(0x3a4655),
    cell_rim: rgb(0x465466),
    coordinate: rgb(0x93a1b3),
    teams: [
        TeamColors { accent: rgb(0x5aa9ff), piece: rgb(0x0d1015), shine: rgb(0x2a323d), mark: rgb(0xe8f1fb) },
        TeamColors { accent: rgb(0xf5b24a), piece: rgb(0xe9e4d8), shine: rgb(0xffffff), mark: rgb(0x2a2419) },
    ],
    squads: [
        TeamColors { accent: rgb(0xff8a70), piece: rgb(0xc8382a), shine: rgb(0xef6a55), mark: rgb(0xfff6f2) },
        TeamColors { accent: rgb(0x78b8ff), piece: rgb(0x1d5cc0), shine: rgb(0x4f90f0), mark: rgb(0xf2f8ff) },
    ],
    is_dark: true,
};

const LIGHT: Palette = Palette {
    ground: rgb(0xf1f3f6),
    panel: rgb(0xfbfcfd),
    raised: rgb(0xeef1f5),
    line: rgb(0xd8dee6),
    text: rgb(0x1c232d),
    weak: rgb(0x556274),
    accent: rgb(0x1b63c4),
    live: rgb(0xcf2e3a),
    warning: rgb(0x8f5b00),
    error: rgb(0xb3261e),
    good: rgb(0x1c7a45),
    tray: rgb(0xdfe4eb),
    tray_rim: rgb(0xc6ced9),
    cell: rgb(0xc3ccd8),
    cell_rim: rgb(0xb2bdcb),
    coordinate: rgb(0x566377),
    teams: [
        TeamColors { accent: rgb(0x1f6fd6), piece: rgb(0x171c23), shine: rgb(0x3a4554), mark: rgb(0xf2f7fd) },
        TeamColors { accent: rgb(0xc77700), piece: rgb(0xf6f3ec), shine: rgb(0xffffff), mark: rgb(0x3a2c10) },
    ],
    squads: [
        TeamColors { accent: rgb(0xb92c1b), piece: rgb(0xd0402d), shine: rgb(0xee7460), mark: rgb(0xfffaf8) },
        TeamColors { accent: rgb(0x1a5fc0), piece: rgb(0x2669cc), shine: rgb(0x5f9df2), mark: rgb(0xf8fbff) },
    ],
    is_dark: false,
};

impl Palette {
    /// Palette of the current theme.
    pub fn of(ctx: &egui::Context) -> &'static Palette {
        match ctx.theme() {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
        }
    }

    /// Colours of the black or the white team.
    pub fn team(&self, team: BlackWhite) -> &TeamColors {
        &self.teams[team.index()]
    }

    /// Colours of the red or the blue team.
    pub fn squad(&self, squad: RedBlue) -> &TeamColors {
        &self.squads[squad.index()]
    }

    /// Colour of a side's lines and edges.
    pub fn side(&self, side: &Side) -> Color32 {
        match side.badge {
            Badge::Piece(team) | Badge::Stone(team) => self.team(team).accent,
            Badge::Squad(squad) => self.squad(squad).accent,
            Badge::Color(color) => self.color(color),
        }
    }

    /// A protocol colour as painted on a board's cells. Any two differ for every common kind of colour blindness; a
    /// test measures it.
    pub fn color(&self, color: Color) -> Color32 {
        match color {
            Color::Black => self.teams[0].piece,
            Color::White => self.teams[1].piece,
            Color::Gray => rgb(0x828281),
            Color::Red => rgb(0xce2519),
            Color::Orange => rgb(0xea7d00),
            Color::Yellow => rgb(0xffce00),
            Color::Green => rgb(0x2da95d),
            Color::Cyan => rgb(0x00d6fc),
            Color::Blue => rgb(0x007cfa),
            Color::Purple => rgb(0x5f0099),
            Color::Pink => rgb(0xd871c1),
            Color::Brown => rgb(0x633622),
        }
    }
}

/// Black or white, whichever reads better on `ground`.
pub fn ink_on(ground: Color32) -> Color32 {
    let [r, g, b, _] = ground.to_array().map(f32::from);
    if 0.299 * r + 0.587 * g + 0.114 * b > 140.0 { rgb(0x14181e) } else { rgb(0xf4f7fb) }
}

/// Mixture of two colours: 0 is `from`, 1 is `to`.
pub fn mix(from: Color32, to: Color32, amount: f32) -> Color32 {
    from.lerp_to_gamma(to, amount.clamp(0.0, 1.0))
}

/// Size of the smallest texts, in points.
pub const SMALL: f32 = 12.0;
/// Size of most texts, in points.
pub const BODY: f32 = 14.0;
/// Size of monospace texts, in points.
pub const MONO: f32 = 12.5;
/// Size of headings, in points.
pub const HEADING: f32 = 20.0;
/// Height of buttons, fields and check boxes under a pointer, in points.
pub const CONTROL: f32 = 28.0;

/// Sets fonts, spacing and both themes; called once at the start.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| apply(style, theme));
    }
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

/// The fonts: Inter for texts, Hack for lines and programs, and each for the letters that the other doesn't have.
pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let faces: [(&str, &'static [u8]); 3] = [
        ("inter", include_bytes!("../../fonts/Inter-Regular.otf")),
        ("inter-semibold", include_bytes!("../../fonts/Inter-SemiBold.otf")),
        ("hack", include_bytes!("../../fonts/Hack-Regular.ttf")),
    ];
    for (name, bytes) in faces {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    for (family, names) in [
        (FontFamily::Proportional, ["inter", "hack"]),
        (semibold(), ["inter-semibold", "hack"]),
        (FontFamily::Monospace, ["hack", "inter"]),
    ] {
        fonts.families.insert(family, names.map(str::to_owned).to_vec());
    }
    fonts
}

fn apply(style: &mut Style, theme: Theme) {
    let (palette, mut visuals) = match theme {
        Theme::Dark => (&DARK, Visuals::dark()),
        Theme::Light => (&LIGHT, Visuals::light()),
    };
    style.text_styles = [
        (TextStyle::Small, FontId::proportional(SMALL)),
        (TextStyle::Body, FontId::proportional(BODY)),
        (TextStyle::Button, FontId::proportional(BODY)),
        (TextStyle::Heading, FontId::new(HEADING, semibold())),
        (TextStyle::Monospace, FontId::monospace(MONO)),
    ]
    .into();
    style.spacing.item_spacing = Vec2::new(8.0, 6.0);
    style.spacing.button_padding = Vec2::new(10.0, 5.0);
    style.spacing.interact_size.y = CONTROL;
    style.spacing.window_margin = Margin::same(16);
    style.spacing.menu_margin = Margin::same(6);
    style.spacing.scroll = egui::style::ScrollStyle::thin();
    style.interaction.selectable_labels = false;
    style.interaction.tooltip_delay = 0.4;
    style.animation_time = 0.12;

    visuals.panel_fill = palette.panel;
    visuals.window_fill = palette.panel;
    visuals.extreme_bg_color = palette.ground;
    visuals.text_edit_bg_color = Some(palette.raised);
    visuals.faint_bg_color = palette.raised;
    visuals.code_bg_color = palette.raised;
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(palette.weak);
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.warning;
    visuals.error_fg_color = palette.error;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(10);
    visuals.menu_corner_radius = CornerRadius::same(8);
    visuals.selection.bg_fill = mix(palette.panel, palette.accent, 0.30);
    visuals.selection.stroke = Stroke::new(1.5, palette.accent);
    let radius = CornerRadius::same(6);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = radius;
        widget.expansion = 0.0;
        // As wide as a tick needs to be seen in its box.
        widget.fg_stroke = Stroke::new(2.0, palette.text);
        widget.bg_stroke = Stroke::NONE;
    }
    let lift = |amount| mix(palette.raised, palette.text, amount);
    widgets.noninteractive.bg_fill = palette.panel;
    widgets.noninteractive.weak_bg_fill = palette.panel;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
    // The first is that of boxes to tick, circles to choose and rails, which are seen by their ground alone.
    (widgets.inactive.bg_fill, widgets.inactive.weak_bg_fill) = (lift(0.22), palette.raised);
    (widgets.hovered.bg_fill, widgets.hovered.weak_bg_fill) = (lift(0.30), lift(0.08));
    (widgets.active.bg_fill, widgets.active.weak_bg_fill) = (lift(0.36), lift(0.14));
    widgets.active.bg_stroke = Stroke::new(1.5, palette.accent);
    (widgets.open.bg_fill, widgets.open.weak_bg_fill) = (lift(0.22), lift(0.08));
    style.visuals = visuals;
}

/// Zoom for a window of `size` points; large windows are viewed from further away.
pub fn zoom_for(size: Vec2) -> f32 {
    let fits = (size.x / 1600.0).min(size.y / 920.0);
    ((fits * 4.0).floor() / 4.0).clamp(1.0, 4.0)
}

/// Zoom for a projector: the smallest text is as large as a heading in an ordinary window.
pub fn zoom_far(size: Vec2) -> f32 {
    zoom_for(size).max(size.y / 600.0).min(4.0)
}

#[cfg(test)]
mod glyphs;
#[cfg(test)]
mod vision;

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of two colours as defined by WCAG 2.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |color: Color32| {
            let [r, g, b, _] = color.to_array().map(|channel| {
                let c = f32::from(channel) / 255.0;
                if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_stands_out_from_its_ground_in_both_themes() {
        for palette in [DARK, LIGHT] {
            let texts =
                [palette.text, palette.weak, palette.error, palette.warning, palette.good, palette.accent];
            for ground in [palette.ground, palette.panel, palette.raised] {
                for text in texts {
                    assert!(contrast(text, ground) >= 4.5, "{text:?} on {ground:?}");
                }
            }
            assert!(contrast(palette.coordinate, palette.ground) >= 4.5);
        }
    }

    #[test]
    fn the_teams_differ_in_lightness_and_stand_out_from_the_cells() {
        for palette in [DARK, LIGHT] {
            let [black, white] = palette.teams;
            assert!(contrast(black.piece, white.piece) >= 7.0);
            for squad in palette.squads {
                assert!(contrast(squad.piece, squad.mark) >= 4.5, "{squad:?}");
                assert!(contrast(squad.accent, palette.ground) >= 4.5, "{squad:?}");
            }
            assert!(contrast(black.piece, black.mark) >= 7.0);
            assert!(contrast(white.piece, white.mark) >= 7.0);
            for team in palette.teams {
                let rim = contrast(team.accent, palette.cell).max(contrast(team.piece, palette.cell));
                assert!(rim >= 1.5, "{team:?}");
            }
        }
    }

    #[test]
    fn large_windows_are_enlarged_and_small_ones_never_shrunk() {
        assert_eq!(zoom_for(Vec2::new(800.0, 600.0)), 1.0);
        assert_eq!(zoom_for(Vec2::new(1920.0, 1080.0)), 1.0);
        assert_eq!(zoom_for(Vec2::new(3840.0, 2160.0)), 2.25);
        // The smallest capitals on a projector are at least a seventieth of its height.
        let size = Vec2::new(1920.0, 1080.0);
        assert!(zoom_far(size) * SMALL * 0.727 > size.y / 70.0);
        assert_eq!(zoom_far(Vec2::new(800.0, 600.0)), 1.0);
    }
}

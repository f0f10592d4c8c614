//! Tests of the colours with simulated colour blindness, in both themes.

use egui::Color32;
use grandstand_protocol::Color;

use super::{DARK, LIGHT, Palette, TeamColors};

/// Kinds of vision, each a matrix over linear red, green and blue. From Machado, Oliveira and Fernandes, A
/// Physiologically-based Model for Simulation of Color Vision Deficiency, 2009, for the complete loss of one kind of
/// cone.
const VISIONS: [(&str, [[f32; 3]; 3]); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    ),
    (
        "deuteranopia",
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    ),
    (
        "tritanopia",
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ),
];

/// A colour in CIELAB, as seen with a kind of vision.
fn seen(color: Color32, vision: &[[f32; 3]; 3]) -> [f32; 3] {
    let [r, g, b, _] = color.to_array().map(|channel| {
        let c = f32::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    let [r, g, b] = vision.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0));
    let f = |t: f32| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
    let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
    let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// Smallest distance of two colours over all kinds of vision, in CIELAB: about 2 is just visible side by side, 20 at a
/// glance.
fn apart(a: Color32, b: Color32) -> (f32, &'static str) {
    let distances = VISIONS.iter().map(|(name, vision)| {
        let (a, b) = (seen(a, vision), seen(b, vision));
        let square = |i: usize| (a[i] - b[i]).powi(2);
        ((square(0) + square(1) + square(2)).sqrt(), *name)
    });
    distances.min_by(|a, b| a.0.total_cmp(&b.0)).expect("somebody looks")
}

#[track_caller]
fn differ(what: &str, a: Color32, b: Color32, least: f32) {
    let (distance, vision) = apart(a, b);
    assert!(
        distance >= least,
        "{what}: {a:?} and {b:?} are {distance:.0} apart with {vision}, less than {least}"
    );
}

fn themes() -> [(&'static str, Palette); 2] {
    [("dark", DARK), ("light", LIGHT)]
}

#[test]
fn the_simulation_knows_what_is_confused() {
    let (red, green) = (Color32::from_rgb(0xb0, 0x50, 0x10), Color32::from_rgb(0x60, 0x78, 0x00));
    let (distance, vision) = apart(red, green);
    assert!(distance < 15.0 && vision.ends_with("anopia"), "{distance} with {vision}");
    assert!(apart(Color32::BLACK, Color32::WHITE).0 > 99.0);
}

#[test]
fn two_teams_are_told_apart_at_a_glance_by_everybody() {
    for (theme, palette) in themes() {
        for [one, other] in [palette.teams, palette.squads] {
            differ(theme, one.accent, other.accent, 60.0);
            differ(theme, one.piece, other.piece, 60.0);
        }
    }
}

#[test]
fn teams_stand_out_from_what_they_are_drawn_on() {
    for (theme, palette) in themes() {
        for team in palette.teams.iter().chain(&palette.squads) {
            for ground in [palette.ground, palette.panel, palette.raised] {
                differ(theme, team.accent, ground, 40.0);
            }
        }
        // A piece has a rim in its team's accent: one of the two colours must stand out.
        let stands_out =
            |team: &TeamColors| apart(team.piece, palette.cell).0.max(apart(team.accent, palette.cell).0);
        for team in palette.teams.iter().chain(&palette.squads) {
            assert!(stands_out(team) >= 40.0, "{theme}: {team:?} on {:?}", palette.cell);
        }
    }
}

#[test]
fn the_colours_of_the_protocol_differ_for_everybody() {
    const COLORS: [Color; 12] = [
        Color::Black,
        Color::White,
        Color::Gray,
        Color::Red,
        Color::Orange,
        Color::Yellow,
        Color::Green,
        Color::Cyan,
        Color::Blue,
        Color::Purple,
        Color::Pink,
        Color::Brown,
    ];
    for (theme, palette) in themes() {
        for (index, one) in COLORS.into_iter().enumerate() {
            for other in &COLORS[..index] {
                let what = format!("{theme}, {one:?} and {other:?}");
                differ(&what, palette.color(one), palette.color(*other), 19.0);
            }
            differ(&format!("{theme}, {one:?} on a cell"), palette.color(one), palette.cell, 15.0);
        }
    }
}

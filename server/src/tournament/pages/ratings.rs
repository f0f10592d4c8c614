//! Ratings over time as an SVG picture: a line for each player, with names for the best.

use std::fmt::Write as _;

use grandstand_protocol::text::shorten;

use super::super::report::RatingHistory;
use super::super::report::text::signed;
use crate::html::escaped;

/// Size of the picture and margins around the lines, in SVG units.
const SIZE: [f64; 2] = [760.0, 300.0];
const LEFT: f64 = 52.0;
const RIGHT: f64 = 170.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 40.0;
/// Maximum number of lines with a colour and a name; more are not distinguishable.
const NAMED: usize = 8;
/// Maximum number of characters of a name in the margin.
const NAME_CHARS: usize = 16;
/// Line height of a name.
const NAME: f64 = 15.0;

/// The picture in a collapsed section; empty if lines would have a single point.
pub(super) fn ratings(history: &RatingHistory) -> String {
    let Some(last) = history.points.last().filter(|_| history.points.len() > 1) else {
        return String::new();
    };
    let (low, high, step) = history.axis(5.0);
    let [width, height] = SIZE;
    let x = |games: usize| LEFT + (width - LEFT - RIGHT) * games as f64 / last.games as f64;
    let y = |elo: f64| TOP + (height - TOP - BOTTOM) * (high - elo) / (high - low);
    let best: Vec<&str> = history.players.iter().take(NAMED).map(String::as_str).collect();
    let mut html = format!(
        "<details><summary>Ratings over time</summary>\n<div class=\"wide\"><svg class=\"ratings\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"Elo over the rated games of {}, at the end best first: {}\">\n",
        escaped(&history.name),
        escaped(&best.join(", "))
    );
    let mut elo = low;
    while elo <= high + 1e-6 {
        // Writing to a string can't fail.
        let _ = writeln!(
            html,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{2:.1}\" y2=\"{2:.1}\"/><text x=\"{3:.1}\" y=\"{4:.1}\" class=\"end\">{1}</text>",
            width - RIGHT,
            signed(elo),
            y(elo),
            LEFT - 6.0,
            y(elo) + 4.0
        );
        elo += step;
    }
    for games in [0, last.games / 2, last.games] {
        let _ = writeln!(
            html,
            "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">{games}</text>",
            x(games),
            height - 22.0
        );
    }
    let _ = writeln!(
        html,
        "<text x=\"{:.1}\" y=\"{:.1}\" class=\"middle\">rated games of the stage</text><text x=\"{:.1}\" y=\"13\" class=\"end\">Elo</text>",
        f64::midpoint(LEFT, width - RIGHT),
        height - 6.0,
        LEFT - 6.0
    );
    // The best players are drawn last, on top.
    for index in (0..history.players.len()).rev() {
        let points = history.points.iter().filter_map(|point| Some((point.games, (*point.elo.get(index)?)?)));
        let points: Vec<String> =
            points.map(|(games, elo)| format!("{:.1},{:.1}", x(games), y(elo))).collect();
        let class = if index < NAMED { format!("line-{}", index + 1) } else { "other".to_owned() };
        let _ = writeln!(html, "<polyline class=\"{class}\" points=\"{}\"/>", points.join(" "));
    }
    let mut free = TOP;
    for (index, name) in history.players.iter().take(NAMED).enumerate() {
        let Some(Some(elo)) = last.elo.get(index).copied() else { continue };
        let at = (y(elo) + 4.0).max(free + NAME).min(height - (NAMED - index) as f64 * NAME + NAME);
        free = at;
        let _ = writeln!(
            html,
            "<text x=\"{:.1}\" y=\"{at:.1}\" class=\"name-{}\">{} {}</text>",
            width - RIGHT + 8.0,
            index + 1,
            escaped(&shorten(name, NAME_CHARS)),
            signed(elo)
        );
    }
    html.push_str("</svg></div></details>\n");
    html
}

//! Riskless: the armies of the territories at their places on the map, the roads between them, and names where there is room.

use std::collections::BTreeMap;

use grandstand_protocol::Micros;
use grandstand_protocol::riskless::{MILLE, Scene, Team};
use grandstand_story::format;
use grandstand_story::games::riskless::squad as squad_of;
use ratatui_core::style::{Color, Modifier, Style};

use super::turns;
use super::{Size, TextBoard};
use crate::canvas::{Canvas, bold, columns, ink, shortened};
use crate::look::{Look, WEAK, rgb, squad};

/// The largest map. A wider one would only have more empty space.
const LARGEST: Size = Size { width: 150, height: 48 };
/// The lengths of a name that has neither room nor initials, in columns.
const NAMES: [i32; 4] = [12, 8, 6, 4];
/// Columns between a name and what is not its own, at least; its own sign is one column away. Less is for places that
/// somebody holds, which would have no name otherwise.
const FAR: [i32; 3] = [3, 2, 1];
/// Letters of a name that stand in its sign, where there is room for nothing else.
const LETTERS: i32 = 3;
/// The largest part of the map's width that a drawn road spans, as a divisor. Longer roads go around the Earth and are not drawn.
const AROUND: i32 = 2;
const SEA: Color = rgb(0x101c28);
const ROAD: Color = rgb(0x3d4d5f);
const NOBODY: Color = rgb(0x39434f);
const LAST: Color = rgb(0xffe08a);

impl TextBoard for Scene {
    fn size(&self, room: Size, _: Look) -> Size {
        Size { width: LARGEST.width.min(room.width.max(0)), height: LARGEST.height.min(room.height.max(0)) }
    }

    fn paint(&self, canvas: &mut Canvas<'_>) {
        canvas.clear(ink(WEAK).bg(SEA));
        let places = places(self, canvas);
        for road in self.roads() {
            if let (Some(from), Some(to)) = (places.get(&road.a), places.get(&road.b)) {
                let last = self.last().is_some_and(|last| {
                    [(last.from, last.to), (last.to, last.from)].contains(&(road.a, road.b))
                });
                paint_road(canvas, *from, *to, last);
            }
        }
        for (id, at) in &places {
            paint_sign(canvas, self, *id, *at);
        }
        // Places that somebody holds have their names first.
        for is_held in [true, false] {
            for (id, at) in places.iter().filter(|(id, _)| self.holding(**id).is_some() == is_held) {
                let Some(territory) = self.territory(*id) else { continue };
                let sign = sign_columns(self, *id);
                if !paint_name(canvas, &territory.name, *at, sign, is_held) && is_held {
                    let (_, style) = sign_of(self, *id, canvas.look);
                    paint_letters(canvas, &territory.name, *at, sign, style);
                }
            }
        }
    }

    fn figures(&self, side: usize, t: Micros, _: Look) -> Vec<String> {
        let team = Team::ALL[side.min(1)];
        let mut figures = turns::figures(self, self.table(), team, t);
        figures.push(format::count(self.held(team) as u64, "territory", "territories"));
        figures
    }
}

/// The column and line of each territory. No two signs overlap as long as there is room.
fn places(scene: &Scene, canvas: &Canvas<'_>) -> BTreeMap<u8, (i32, i32)> {
    let mille = i32::from(MILLE);
    let (width, height) = ((canvas.width() - 6).max(0), (canvas.height() - 1).max(0));
    let mut places = BTreeMap::new();
    let mut taken: Vec<(i32, i32)> = Vec::new();
    for territory in scene.territories() {
        let wish = (3 + i32::from(territory.x) * width / mille, i32::from(territory.y) * height / mille);
        let is_free = |(x, y): (i32, i32)| {
            (2..canvas.width() - 2).contains(&x)
                && (0..canvas.height()).contains(&y)
                && taken.iter().all(|(other, line)| *line != y || (other - x).abs() > 4)
        };
        let at = around(wish).find(|at| is_free(*at)).unwrap_or(wish);
        taken.push(at);
        places.insert(territory.id, at);
    }
    places
}

/// A place and the places around it, the nearest first.
fn around((x, y): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let mut steps: Vec<(i32, i32)> = (-3..=3).flat_map(|dy| (-8..=8).map(move |dx| (dx, dy))).collect();
    // A line is about twice as high as a column is wide.
    steps.sort_by_key(|(dx, dy)| dx * dx + 4 * dy * dy);
    steps.into_iter().map(move |(dx, dy)| (x + dx, y + dy))
}

/// The number of columns that the sign of a territory takes.
fn sign_columns(scene: &Scene, id: u8) -> i32 {
    2 + scene.holding(id).map_or(1, |held| columns(&held.armies.to_string()))
}

fn paint_sign(canvas: &mut Canvas<'_>, scene: &Scene, id: u8, (x, y): (i32, i32)) {
    let (text, style) = sign_of(scene, id, canvas.look);
    canvas.text(x - columns(&text) / 2, y, &text, style);
}

/// The sign of a territory: its armies on the colour of who holds it.
fn sign_of(scene: &Scene, id: u8, look: Look) -> (String, Style) {
    let entered = scene.last().is_some_and(|last| last.to == id);
    let (text, style) = match scene.holding(id) {
        Some(held) if look.has_color() => {
            let colors = squad(squad_of(held.team));
            (format!(" {} ", held.armies), bold(colors.mark).bg(colors.piece))
        }
        Some(held) => {
            let (left, right) = if held.team == Team::ALL[0] { ('[', ']') } else { ('(', ')') };
            (format!("{left}{}{right}", held.armies), Style::new().add_modifier(Modifier::BOLD))
        }
        None => (look.sign(" ∘ ", " o ").to_owned(), ink(WEAK).bg(NOBODY)),
    };
    let style = match (entered, look.has_color()) {
        (true, true) => style.add_modifier(Modifier::UNDERLINED).fg(LAST),
        (true, false) => style.add_modifier(Modifier::REVERSED),
        (false, _) => style,
    };
    (text, style)
}

/// Paints dots from one place to the other.
fn paint_road(canvas: &mut Canvas<'_>, from: (i32, i32), to: (i32, i32), last: bool) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if dx.abs() > canvas.width() / AROUND {
        return;
    }
    let steps = (dx.abs() / 2).max(dy.abs()).max(1);
    let dot = canvas.look.sign('·', '.');
    let style = if last { bold(LAST) } else { ink(ROAD) };
    for step in 1..steps {
        let at = (from.0 + dx * step / steps, from.1 + dy * step / steps);
        canvas.sign(at.0, at.1, dot, style.bg(SEA));
    }
}

/// Paints the name of a territory beside, below or above its sign, where the place is free: whole, else with its first words as
/// initials, else its beginning. No name stands as near to another sign as to its own. Returns whether there was room.
fn paint_name(canvas: &mut Canvas<'_>, name: &str, (x, y): (i32, i32), sign: i32, is_held: bool) -> bool {
    let look = canvas.look;
    let forms = [name.to_owned(), with_initials(name)].into_iter();
    let forms: Vec<String> = forms.chain(NAMES.map(|room| shortened(name, room, look))).collect();
    let most = if is_held { FAR.len() } else { 1 };
    for (far, name) in FAR[..most].iter().flat_map(|far| forms.iter().map(move |name| (far, name))) {
        let width = columns(name);
        let (before, after) = (x - sign / 2 - 1 - width, x - sign / 2 + sign + 1);
        let beside =
            [(after, y, after - 1, after + width + far), (before, y, before - far, before + width + 1)];
        // In the middle below or above, else flush with the sign.
        let at = [x - width / 2, x - sign / 2, x - sign / 2 + sign - width];
        let near = at.into_iter().take(if is_held { 3 } else { 1 });
        let near = near.flat_map(|at| [y + 1, y - 1].map(|y| (at, y, at - far, at + width + far)));
        let found = beside.into_iter().chain(near).find(|(left, line, from, to)| {
            *left >= 0 && left + width <= canvas.width() && (*from..*to).all(|x| canvas.is_open(x, *line))
        });
        if let Some((left, line, ..)) = found {
            canvas.text(left, line, name, ink(WEAK).bg(SEA));
            return true;
        }
    }
    false
}

/// Paints the first letters of a name as a part of the sign, where three columns beside it are free.
fn paint_letters(canvas: &mut Canvas<'_>, name: &str, (x, y): (i32, i32), sign: i32, style: Style) {
    let letters: String = name.chars().take(LETTERS as usize).collect();
    let begin = x - sign / 2;
    let free = |left: &i32| (*left..left + LETTERS).all(|x| canvas.is_open(x, y));
    let found = [begin + sign, begin - LETTERS].into_iter().find(free);
    if let Some(left) = found.filter(|_| columns(&letters) == LETTERS) {
        canvas.text(left, y, &letters, style);
    }
}

/// A name of several words with the first letters of all but the last: `W. Canada`.
fn with_initials(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    let Some((last, first)) = words.split_last() else { return name.to_owned() };
    let initials = first.iter().filter_map(|word| word.chars().next()).map(|letter| format!("{letter}. "));
    initials.chain([(*last).to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_has_initials() {
        for (name, short) in [
            ("Western Canada", "W. Canada"),
            ("Papua New Guinea", "P. N. Guinea"),
            ("Kazakhstan", "Kazakhstan"),
            (" Öland  Nord ", "Ö. Nord"),
            ("", ""),
        ] {
            assert_eq!(with_initials(name), short);
        }
    }
}

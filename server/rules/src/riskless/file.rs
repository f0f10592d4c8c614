//! Map files: TOML, with the position of every fault.

use std::collections::HashMap;
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::map::{ARMIES_MAX, Map, NAME_MAX_CHARS, PLIES_MAX, TERRITORIES_MAX, Territory, side_name};
use super::{Graph, notation};
use crate::map::{MAP_MAX_BYTES, MapFaults};
use crate::turn::Side;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Spanned<String>,
    cap: Spanned<i64>,
    goal: Spanned<i64>,
    draw_plies: Spanned<i64>,
    territories: Spanned<Vec<Spanned<Line>>>,
    roads: Vec<Spanned<(Spanned<String>, Spanned<String>)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: Spanned<String>,
    x: Spanned<i64>,
    y: Spanned<i64>,
    maxie: Option<Spanned<i64>>,
    minnie: Option<Spanned<i64>>,
}

/// Faults with their positions in the text.
struct Faults<'a> {
    text: &'a str,
    found: MapFaults,
}

impl Faults<'_> {
    fn push(&mut self, at: Range<usize>, reason: impl Into<String>) {
        let (line, column) = line_and_column(self.text, at.start);
        self.found.push(line, column, reason);
    }

    /// The number, if it is in the range; otherwise reports a fault.
    fn number<T: TryFrom<i64>>(&mut self, what: &str, number: &Spanned<i64>, range: Range<i64>) -> Option<T> {
        let value = *number.get_ref();
        let fits = range.contains(&value).then(|| T::try_from(value).ok()).flatten();
        if fits.is_none() {
            let reason =
                format!("{what} is {value}; expected a number from {} to {}", range.start, range.end - 1);
            self.push(number.span(), reason);
        }
        fits
    }

    fn name(&mut self, what: &str, name: &Spanned<String>) {
        let text = name.get_ref();
        let reason = if text.trim().is_empty() {
            format!("{what} has no name")
        } else if text.chars().count() > NAME_MAX_CHARS {
            format!("the name of {what} has more than {NAME_MAX_CHARS} characters")
        } else if text.trim() != text || text.chars().any(char::is_control) {
            format!("the name of {what} begins or ends with a blank, or has a control character in it")
        } else if text.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("`{text}` can't be a name: it reads as a number")
        } else {
            return;
        };
        self.push(name.span(), reason);
    }
}

fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before: String = text.get(..offset).unwrap_or(text).to_owned();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

impl Map {
    /// Reads a map file (`server/rules/RISKLESS.md`) and checks it.
    ///
    /// # Errors
    /// All faults of the map; for a text that is no TOML or has the wrong keys, only the first one.
    pub fn parse(text: &[u8]) -> Result<Self, MapFaults> {
        let mut one = MapFaults::default();
        if text.len() > MAP_MAX_BYTES {
            one.push(1, 1, format!("the file has more than {MAP_MAX_BYTES} bytes"));
            return Err(one);
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let good = String::from_utf8_lossy(&text[..error.valid_up_to()]).into_owned();
                let (line, column) = line_and_column(&good, good.len());
                one.push(line, column, "this byte is not UTF-8");
                return Err(one);
            }
        };
        match toml::from_str::<File>(text) {
            Ok(file) => file.check(text),
            Err(error) => {
                let (line, column) = line_and_column(text, error.span().map_or(0, |span| span.start));
                one.push(line, column, error.message().lines().collect::<Vec<_>>().join("; "));
                Err(one)
            }
        }
    }
}

impl File {
    fn check(self, text: &str) -> Result<Map, MapFaults> {
        let mut faults = Faults { text, found: MapFaults::default() };
        faults.name("the map", &self.title);
        let cap: Option<u8> = faults.number("cap", &self.cap, 1..i64::from(ARMIES_MAX) + 1);
        let most = i64::from(ARMIES_MAX) * TERRITORIES_MAX as i64;
        let goal: Option<u16> = faults.number("goal", &self.goal, 1..most + 1);
        let draw_plies = faults.number("draw_plies", &self.draw_plies, 1..i64::from(PLIES_MAX) + 1);
        let count = self.territories.get_ref().len();
        if !(2..=TERRITORIES_MAX).contains(&count) {
            let reason = format!("{count} territories; expected 2 to {TERRITORIES_MAX}");
            faults.push(self.territories.span(), reason);
            return Err(faults.found);
        }
        let mut numbers = HashMap::new();
        let mut territories = Vec::with_capacity(count);
        for (number, line) in (0_u8..).zip(self.territories.get_ref()) {
            let line = line.get_ref();
            faults.name("a territory", &line.name);
            if let Some(before) = numbers.insert(notation::folded(line.name.get_ref()), number) {
                let reason =
                    format!("`{}` is there twice: it is territory {before} too", line.name.get_ref());
                faults.push(line.name.span(), reason);
            }
            territories.push(line.check(&mut faults, cap.unwrap_or(ARMIES_MAX)));
        }
        let roads = self.check_roads(&mut faults, &numbers);
        let edges: Vec<(usize, usize)> =
            roads.iter().flat_map(|&(a, b)| [(a.into(), b.into()), (b.into(), a.into())]).collect();
        let graph = Graph::from_edges(&edges, count).unwrap_or_default();
        let names = self.territories.get_ref();
        for cut_off in graph.cut_off() {
            let (name, first) = (&names[cut_off].get_ref().name, names[0].get_ref().name.get_ref());
            let reason = format!("no roads lead from `{first}` to `{}`", name.get_ref());
            faults.push(name.span(), reason);
        }
        let neighbours = (0..count)
            .map(|from| graph.neighbours(from).unwrap_or_default().iter().map(|&to| to as u8).collect())
            .collect();
        let (Some(cap), Some(goal), Some(draw_plies)) = (cap, goal, draw_plies) else {
            return Err(faults.found);
        };
        let title = self.title.get_ref().clone();
        let map = Map { title, cap, goal, draw_plies, territories, roads, graph, neighbours };
        if faults.found.is_empty() {
            check_start(&map, &mut faults, &self);
        }
        if faults.found.is_empty() { Ok(map) } else { Err(faults.found) }
    }

    fn check_roads(&self, faults: &mut Faults<'_>, numbers: &HashMap<String, u8>) -> Vec<(u8, u8)> {
        let mut seen: HashMap<(u8, u8), usize> = HashMap::new();
        let mut roads = Vec::new();
        for road in &self.roads {
            let (from, to) = road.get_ref();
            let [a, b] = [from, to].map(|name| {
                let number = numbers.get(&notation::folded(name.get_ref())).copied();
                if number.is_none() {
                    faults.push(name.span(), format!("there is no territory `{}`", name.get_ref()));
                }
                number
            });
            let (Some(a), Some(b)) = (a, b) else { continue };
            let (line, _) = line_and_column(faults.text, road.span().start);
            if a == b {
                faults.push(road.span(), format!("this road leads from `{}` to itself", from.get_ref()));
            } else if let Some(before) = seen.insert((a.min(b), a.max(b)), line) {
                let reason = format!(
                    "a second road between `{}` and `{}`, after the one in line {before}; roads lead both ways",
                    from.get_ref(),
                    to.get_ref()
                );
                faults.push(road.span(), reason);
            } else {
                roads.push((a, b));
            }
        }
        roads
    }
}

impl Line {
    fn check(&self, faults: &mut Faults<'_>, cap: u8) -> Territory {
        let name = self.name.get_ref().clone();
        let x = faults.number("x, in thousandths of the map's width,", &self.x, 0..1_001);
        let y = faults.number("y, in thousandths of the map's height,", &self.y, 0..1_001);
        if let (Some(_), Some(minnie)) = (&self.maxie, &self.minnie) {
            faults.push(minnie.span(), format!("`{name}` can't be both Maxie's and Minnie's"));
        }
        let mut holding = |side: Side, armies: Option<&Spanned<i64>>| {
            let what = format!("{}, the armies on `{name}` (cap {cap}),", side_name(side));
            faults.number(&what, armies?, 1..i64::from(cap) + 1).map(|armies| (side, armies))
        };
        let maxie = holding(Side::First, self.maxie.as_ref());
        let start = holding(Side::Second, self.minnie.as_ref()).or(maxie);
        Territory { name, x: x.unwrap_or_default(), y: y.unwrap_or_default(), start }
    }
}

/// Checks the start: both sides have territories, Minnie has one army more, and nobody has won.
fn check_start(map: &Map, faults: &mut Faults<'_>, file: &File) {
    let [maxie, minnie] = Side::ALL.map(|side| map.start_of(side));
    for (name, (_, held)) in [("Maxie", maxie), ("Minnie", minnie)] {
        if held == 0 {
            faults.push(file.territories.span(), format!("{name} has no territory to start from"));
        }
    }
    if maxie.1 > 0 && minnie.1 > 0 && minnie.0 != maxie.0 + 1 {
        let reason = format!(
            "Maxie starts with {} armies and Minnie with {}; expected one more for Minnie",
            maxie.0, minnie.0
        );
        faults.push(file.territories.span(), reason);
    }
    if u32::from(map.goal) <= maxie.0.max(minnie.0) {
        let reason = format!("a goal of {} is reached before the first move", map.goal);
        faults.push(file.goal.span(), reason);
    }
}

impl Map {
    /// Warnings about a playable map; `text` is its source.
    ///
    /// Reported are a goal that nobody can reach, that both can pass at once, or that is reached without a conquest; a draw before
    /// the goal can be reached; an unequal number of territories at the start; and territories so close that their pictures overlap.
    pub fn warnings(&self, text: &[u8]) -> MapFaults {
        let text = std::str::from_utf8(text).unwrap_or_default();
        let Ok(file) = toml::from_str::<File>(text) else { return MapFaults::default() };
        let mut odd = Faults { text, found: MapFaults::default() };
        let (cap, goal, count) = (u32::from(self.cap), u32::from(self.goal), self.territories.len() as u32);
        let needed = goal.div_ceil(cap);
        if needed > count - 1 {
            let reason = format!(
                "a goal of {goal} takes {needed} full territories of {count}: nobody reaches it before the opponent has none, and \
                 most matches will last until ply {}",
                self.draw_plies
            );
            odd.push(file.goal.span(), reason);
        } else if 2 * needed <= count {
            let reason = format!(
                "both can pass a goal of {goal} at once, which is a draw: {count} territories can hold {} armies",
                count * cap
            );
            odd.push(file.goal.span(), reason);
        }
        let starts = Side::ALL.map(|side| self.start_of(side));
        for (name, (_, held)) in [("Maxie", starts[0]), ("Minnie", starts[1])] {
            if held * cap >= goal {
                let reason = format!("{name} reaches a goal of {goal} without taking a territory");
                odd.push(file.goal.span(), reason);
            }
        }
        if needed < count && !starts.into_iter().any(|(armies, held)| self.can_grow(armies, held)) {
            let reason = format!(
                "nobody can have {goal} armies by ply {}: nearly every match is a draw",
                self.draw_plies
            );
            odd.push(file.draw_plies.span(), reason);
        }
        if cap == 1 {
            odd.push(file.cap.span(), "with a cap of 1 every attack wins");
        }
        if starts[0].1 != starts[1].1 {
            let reason = format!("Maxie starts on {} territories and Minnie on {}", starts[0].1, starts[1].1);
            odd.push(file.territories.span(), reason);
        }
        for (index, line) in file.territories.get_ref().iter().enumerate() {
            let here = &self.territories[index];
            let close = |there: &&Territory| here.x.abs_diff(there.x) < 15 && here.y.abs_diff(there.y) < 15;
            if let Some(there) = self.territories[..index].iter().find(close) {
                let reason =
                    format!("`{}` is so close to `{}` that one hides the other", here.name, there.name);
                odd.push(line.span(), reason);
            }
        }
        odd.found
    }

    /// Whether a side with these armies and territories can reach the goal before the draw, assuming that each of its moves takes
    /// a territory and without the cap.
    fn can_grow(&self, mut armies: u32, mut held: u32) -> bool {
        for ply in 0..self.draw_plies {
            held += u32::from(ply % 2 == 0 && held < self.territories.len() as u32);
            armies += held;
            if armies >= u32::from(self.goal) {
                return true;
            }
        }
        false
    }
}

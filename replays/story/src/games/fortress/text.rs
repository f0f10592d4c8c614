//! Words for a Steam Fortress match.

use grandstand_protocol::fortress::{Elevation, Fallen, Scene, Square, Team, Unit, UnitClass};
use grandstand_protocol::team::Outcome;
use serde_json::Value;

use super::changes::Change;
use crate::format::{self, capitalised};
use crate::game::Line;

/// Lines for the changes of a group. The units of a new board are counted.
pub(super) fn tell(changes: &[(u64, Change)]) -> Vec<Line> {
    let is_new = changes.iter().any(|(_, change)| matches!(change, Change::Init));
    let count = |team| {
        let is_there = |change: &Change| matches!(change, Change::Spawned { unit, .. } if unit.team == team);
        changes.iter().filter(|(_, change)| is_there(change)).count()
    };
    let mut lines = Vec::new();
    for (seq, change) in changes {
        let text = match change {
            Change::Init => {
                let [first, second] = Team::ALL.map(|team| format!("{} {team}", count(team)));
                format!("The board is set up: {first} and {second} units.")
            }
            Change::Spawned { .. } if is_new => continue,
            _ => sentence(change),
        };
        lines.push(Line { is_outcome: matches!(change, Change::Over(_)), ..Line::new(*seq, text) });
    }
    lines
}

/// Sentence for a change.
pub(super) fn sentence(change: &Change) -> String {
    match change {
        Change::Init => "The board is set up.".to_owned(),
        Change::Control { point, owner: Some(owner), .. } => {
            format!("{} takes point {point}.", capitalised(owner.name()))
        }
        Change::Control { point, owner: None, .. } => format!("Point {point} is neutral again."),
        Change::Capture { point, team } => {
            format!("{} begins to capture point {point}.", capitalised(team.name()))
        }
        Change::Broken { point, team } => {
            format!("{} no longer captures point {point}.", capitalised(team.name()))
        }
        Change::Fallen { unit, by } => {
            let by = by.map_or_else(String::new, |by| format!(", by {}", name(by.team, by.class, by.id)));
            let name = capitalised(&name(unit.team, unit.class, unit.id));
            format!("{name} dies at {}{by}.", place(unit.at))
        }
        Change::Spawned { unit, at } => {
            format!("{} appears at {}.", capitalised(&name(unit.team, unit.class, unit.id)), place(*at))
        }
        Change::Over(Outcome::Draw) => "The game is a draw.".to_owned(),
        Change::Over(verdict) => format!("{} wins.", capitalised(verdict.name())),
    }
}

/// `red soldier 3`
pub(super) fn name(team: Team, class: UnitClass, id: u32) -> String {
    format!("{team} {class} {id}")
}

/// `4,−2`, as the board's labels have it.
pub fn place(at: Square) -> String {
    let number = |n: i8| if n < 0 { format!("−{}", -i16::from(n)) } else { n.to_string() };
    format!("{},{}", number(at.x()), number(at.y()))
}

/// `2:05`, rounded up: `0:00` only at the end.
pub fn minutes(millis: u32) -> String {
    let secs = millis.div_ceil(1000);
    format!("{}:{:02}", secs / 60, secs % 60)
}

/// Description of a square: what stands there first, and the ground last.
pub fn describe(scene: &Scene, at: Square) -> String {
    let ground = match scene.elevation().get(at) {
        Elevation::Low => "low ground",
        Elevation::Ramp => "ramp",
        Elevation::High => "high ground",
    };
    let units: Vec<&Unit> = scene.units().iter().filter(|unit| unit.at == at).collect();
    let joined =
        |words: fn(&Unit) -> String| units.iter().map(|unit| words(unit)).collect::<Vec<_>>().join(" and ");
    // A few words have the first line: all units are in it.
    let units = [joined(unit_health), joined(|unit| format!("facing {}", unit.facing))];
    let units = units.into_iter().filter(|words| !words.is_empty());
    let lines: Vec<String> = units.chain(points(scene, at)).chain([ground.to_owned()]).collect();
    format!("{}: {}", place(at), lines.join("\n"))
}

/// What stands on a square: `red soldier 3, facing east, health 700 of 1,000`, or nobody.
pub fn contents(scene: &Scene, at: Square) -> String {
    let units = scene.units().iter().filter(|unit| unit.at == at).map(describe_unit);
    let standing: Vec<String> = units.chain(points(scene, at)).collect();
    if standing.is_empty() { "nobody here".to_owned() } else { standing.join("; ") }
}

/// Control points near a square.
fn points(scene: &Scene, at: Square) -> impl Iterator<Item = String> {
    let near = scene.points().iter().filter(move |point| point.at.steps_apart(at) <= 1);
    near.map(move |point| {
        let owner = point.owner.map_or_else(|| "nobody's".to_owned(), |owner| format!("{owner}'s"));
        let capture = point.capture.map_or_else(String::new, |capture| {
            format!(", {} captures it in {:.1} s", capture.team, f64::from(capture.millis) / 1000.0)
        });
        let near = if point.at == at { "" } else { "within reach of " };
        format!("{near}control point {}, {owner}{capture}", point.point)
    })
}

/// Respawn time in milliseconds, unless the rules in the header give another (section 2.7 of the handout).
const RESPAWN_MILLIS: f64 = 10_000.0;

/// The wait of a fallen unit, in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wait {
    /// What is left of it.
    pub left: f64,
    /// All of it.
    pub whole: f64,
}

impl Wait {
    /// The wait of a unit at the time `secs`, by the rules in the header.
    #[must_use]
    pub fn of(unit: &Fallen, secs: f64, rules: Option<&Value>) -> Wait {
        let millis = rules.and_then(|rules| rules.get("cRESPAWN_TIME")?.as_f64()).unwrap_or(RESPAWN_MILLIS);
        let whole = millis / 1000.0;
        Wait { left: (whole - (secs - unit.t.as_secs_f64())).clamp(0.0, whole.max(0.0)), whole }
    }

    /// The seconds that are told: the last one is 1, and 0 says that the unit is due.
    #[must_use]
    pub fn secs(self) -> f64 {
        self.left.ceil()
    }

    /// The part that is left, from 1 to 0.
    #[must_use]
    pub fn part(self) -> f64 {
        self.left / self.whole.max(0.001)
    }
}

/// `red soldier 3, facing east, health 700 of 1,000`
pub fn describe_unit(unit: &Unit) -> String {
    let name = name(unit.team, unit.class, unit.id);
    format!("{name}, facing {}, {}", unit.facing, health(unit))
}

/// `red soldier 3, health 700 of 1,000`
fn unit_health(unit: &Unit) -> String {
    format!("{}, {}", name(unit.team, unit.class, unit.id), health(unit))
}

/// `health 700 of 1,000`
pub fn health(unit: &Unit) -> String {
    let [left, most] = [unit.health, unit.max].map(|amount| format::number(amount.max(0) as u64));
    format!("health {left} of {most}")
}

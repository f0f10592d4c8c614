//! Steam Fortress: events, figures and words.

mod changes;
pub mod text;

use grandstand_protocol::fortress::{Command as Drawing, Scene, Team, Unit, UnitClass};
use grandstand_protocol::{Command, Game, Micros, Place, Scene as AnyScene, TeamInfo};
use serde_json::Value;

use self::changes::{Change, changes};
use super::maps;
use crate::findings::Findings;
use crate::format::capitalised;
use crate::game::{
    ChatLine, EventNames, GameStory, Group, Line, Sample, SceneResult, event_names, recording,
};
use crate::markers::kind;
use crate::plots::Plot;
use crate::sides::{Badge, Side, two_sides};
use crate::units::UnitStat;

/// Indices of the plots, and rows of the second one.
const HELD: usize = 0;
const DEEDS: usize = 1;
const HEALING: &str = "Healing";
const ROWS: [&str; 4] = ["Soldier", "Pyro", "Medic", HEALING];

impl GameStory for Scene {
    /// The score is the number of control points of a team.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Team| (team.color(), team.name(), Badge::Squad(team), self.held(team) as i32);
        two_sides(teams, Team::ALL.map(own))
    }

    fn talk(&self) -> Vec<ChatLine<'_>> {
        ChatLine::all(self.talk())
    }

    fn verdict(&self) -> Option<SceneResult> {
        Some(self.winner()?.winner().map(Team::index).into())
    }

    fn progress_text(&self) -> String {
        match self.time() {
            Some(millis) => format!("{} left", text::minutes(millis)),
            None => "Start".to_owned(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Team::ALL.map(|team| (capitalised(team.name()), self.held(team) as i32)).into()
    }

    /// All control points.
    fn winning_score(&self, _: Option<&Value>) -> Option<i32> {
        Some(grandstand_protocol::fortress::POINTS.into())
    }

    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        maps::name(rules).into_iter().collect()
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Team::ALL.map(Team::name);
        vec![
            Plot::steps("Control points", &teams).that_wins(),
            Plot::bars("Damage and healing", &ROWS, &teams),
        ]
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let team = Team::ALL.into_iter().find(|other| other.name() == team)?;
        (plot == HELD).then(|| self.held(team) as i32)
    }

    fn events(&self) -> &'static EventNames {
        event_names!("control point or fallen unit")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let AnyScene::Fortress(after) = group.after else { return };
        let end = (group.seq(), group.t());
        for team in Team::ALL {
            findings.put(HELD, team.name(), end, after.held(team) as i32);
        }
        for (seq, t, command) in group.commands {
            let at = (*seq, *t);
            if let Command::Fortress(
                Drawing::Shot { id, .. } | Drawing::Cone { id, .. } | Drawing::Axe { id, .. },
            ) = command
            {
                findings.unit_stat(*id, UnitStat::Shots, at, 1);
            }
            let Command::Fortress(Drawing::Hit { by, on, amount }) = command else { continue };
            if *amount < 0 {
                findings.unit_stat(*by, UnitStat::Healing, at, amount.unsigned_abs());
            } else {
                findings.unit_stat(*by, UnitStat::Damage, at, amount.unsigned_abs());
                findings.unit_stat(*on, UnitStat::Suffered, at, amount.unsigned_abs());
            }
            let Some((team, class)) = who(self, after, *by) else { continue };
            let row = if *amount < 0 { HEALING } else { class_name(class) };
            let friend = who(self, after, *on).is_some_and(|(on, _)| on == team);
            if friend == (*amount < 0) {
                findings.add(DEEDS, team.name(), row, at, amount.saturating_abs());
            }
        }
        for (seq, change) in changes(self, group) {
            match change {
                Change::Control { point, owner: Some(team), .. } => {
                    let taken =
                        after.points().iter().find(|known| known.point == point).map(|known| known.at);
                    let near = |unit: &&Unit| taken.is_some_and(|at| at.steps_apart(unit.at) <= 1);
                    for unit in after.units().iter().filter(near).filter(|unit| unit.team == team) {
                        findings.unit_stat(unit.id, UnitStat::Captures, (seq, group.t()), 1);
                    }
                    let what = format!("Point {point} taken by");
                    findings.event((seq, group.t()), kind::CONTROL, team.index(), what, true);
                }
                Change::Control { point, owner: None, before: Some(team) } => {
                    let what = format!("Point {point} lost by");
                    findings.event((seq, group.t()), kind::CONTROL, team.index(), what, false);
                }
                Change::Fallen { unit, by } => {
                    let who = by.map(|by| text::name(by.team, by.class, by.id));
                    findings.unit_fell(unit.id, (seq, group.t()), who);
                    if let Some(by) = by {
                        findings.unit_stat(by.id, UnitStat::Kills, (seq, group.t()), 1);
                    }
                    let what = format!("{} {} died:", class_name(unit.class), unit.id);
                    findings.event((seq, group.t()), kind::DEATH, unit.team.index(), what, false);
                }
                _ => {}
            }
        }
    }

    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        text::tell(&changes(self, group))
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Square(at) = place else { return None };
        Some(text::describe(self, at))
    }

    fn contents(&self, place: Place) -> Option<String> {
        let Place::Square(at) = place else { return None };
        Some(text::contents(self, at))
    }

    fn is_event(&self, _: &Command) -> bool {
        true
    }

    fn has_units(&self) -> bool {
        true
    }

    fn units_at(&self, place: Place) -> Vec<u32> {
        let Place::Square(at) = place else { return Vec::new() };
        self.units().iter().filter(|unit| unit.at == at).map(|unit| unit.id).collect()
    }

    fn unit(&self, id: u32) -> Option<(Place, String)> {
        let unit = Scene::unit(self, id)?;
        Some((Place::Square(unit.at), text::name(unit.team, unit.class, unit.id)))
    }

    fn unit_state(&self, id: u32) -> Option<String> {
        let unit = Scene::unit(self, id)?;
        Some(text::health(unit))
    }

    fn unit_returns(&self, id: u32, secs: f64, rules: Option<&Value>) -> Option<f64> {
        let fallen = self.fallen().iter().find(|unit| unit.id == id)?;
        Some(text::Wait::of(fallen, secs, rules).secs())
    }

    fn terrain(&self, place: Place) -> Option<u8> {
        let Place::Square(at) = place else { return None };
        Some(self.elevation().get(at) as u8)
    }

    fn widest_place(&self) -> Option<Place> {
        "-25,-12".parse().ok().map(Place::Square)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Fortress(Drawing::Say { team, text }) = command else { return None };
        Some((capitalised(team.name()), text.to_string()))
    }

    /// A moment of the game has one time; network delays are small.
    fn group_window(&self) -> Micros {
        Micros(1_000)
    }

    fn sample(&self) -> Option<Sample> {
        let recording = recording!("fortress-strong-strong.replay.zst");
        Some(Sample { game: Game::Fortress, recording, poster: 40 })
    }
}

/// Team and class of a unit, also of one that is no longer on the board.
fn who(before: &Scene, after: &Scene, id: u32) -> Option<(Team, UnitClass)> {
    let standing = before.unit(id).or_else(|| after.unit(id)).map(|unit| (unit.team, unit.class));
    let fallen = || before.fallen().iter().find(|unit| unit.id == id).map(|unit| (unit.team, unit.class));
    standing.or_else(fallen)
}

fn class_name(class: UnitClass) -> &'static str {
    match class {
        UnitClass::Medic => "Medic",
        UnitClass::Pyro => "Pyro",
        UnitClass::Soldier => "Soldier",
    }
}

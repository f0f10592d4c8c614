//! Steam Fortress in the spectator: how it is told, what its plots and its timeline show, and what moves on its board.

mod changes;
mod effects;
mod paint;
mod terrain;
mod unit;
mod words;

use eframe::egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::fortress::{Command as Drawing, Direction, Place, Scene, Squad, Unit, UnitClass};
use grandstand_protocol::{Command, Micros, Place as AnyPlace, Scene as AnyScene, TeamInfo};
use serde_json::Value;

use self::changes::{Change, changes};
use super::still::Still;
use super::tiles::{Movers, Token};
use super::{
    Board, Circumstances, Distance, EventWords, GameView, Group, Intent, Options, Picture, Said, Step, Tally,
    Verdict, distance,
};
use crate::annals::{Plot, Records};
use crate::markers::kind;
use crate::narration::Line;
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::theme::Palette;

/// How many commands a change of the picture may take and still be seen as moves.
const COMMANDS_MAX: u64 = 400;
/// How long a shot, a cone or a blow is seen, in seconds.
const EFFECT_SECS: f64 = 0.7;
/// The plots, by their numbers, and the rows of the second.
const HELD: usize = 0;
const DEEDS: usize = 1;
const HEALING: &str = "Healing";
const ROWS: [&str; 4] = ["Soldier", "Pyro", "Medic", HEALING];

impl GameView for Scene {
    fn name(&self) -> &'static str {
        "Steam Fortress"
    }

    fn shape(&self) -> f32 {
        2.0
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(FortressBoard::default())
    }

    /// The score is the number of control points that a team holds.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Squad| (team.color(), team.name(), Badge::Squad(team), self.held(team) as i32);
        two_sides(teams, Squad::ALL.map(own))
    }

    fn talk(&self) -> Vec<Said<'_>> {
        let lines = self.talk().iter();
        lines
            .map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text })
            .collect()
    }

    fn verdict(&self) -> Option<Verdict> {
        Some(self.winner()?.winner().map(Squad::index).into())
    }

    fn moment(&self) -> String {
        match self.time() {
            Some(millis) => format!("{} left", words::minutes(millis)),
            None => "Start".to_owned(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Squad::ALL.map(|team| (capitalised(team.name()), self.held(team) as i32)).into()
    }

    /// All of the control points.
    fn goal(&self, _: Option<&Value>) -> Option<i32> {
        Some(grandstand_protocol::fortress::POINTS.into())
    }

    /// The units of the team: class and health of those on the board, and how long the others wait.
    fn tally(&self, side: usize, about: &Circumstances<'_>) -> Vec<Tally> {
        words::roster(self, Squad::ALL[side.min(1)], about)
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Squad::ALL.map(Squad::name);
        vec![
            Plot::steps("Control points", &teams).that_wins(),
            Plot::bars("Damage and healing", &ROWS, &teams),
        ]
    }

    fn events(&self) -> &'static EventWords {
        &EventWords {
            next: "Next control point or fallen unit",
            previous: "Previous control point or fallen unit",
            none_after: "No control point changes and no unit falls after this",
            none_before: "No control point changed and no unit fell before this",
        }
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let AnyScene::Fortress(after) = group.after else { return };
        for team in Squad::ALL {
            records.put(HELD, team.name(), group.t(), after.held(team) as i32);
        }
        for (_, t, command) in group.commands {
            let Command::Fortress(Drawing::Hit { by, on, amount }) = command else { continue };
            let Some((team, class)) = who(self, after, *by) else { continue };
            let row = if *amount < 0 { HEALING } else { class_name(class) };
            let friend = who(self, after, *on).is_some_and(|(on, _)| on == team);
            if friend == (*amount < 0) {
                records.add(DEEDS, team.name(), row, *t, amount.saturating_abs());
            }
        }
        for (seq, change) in changes(self, group) {
            match change {
                Change::Control { point, owner: Some(team), .. } => {
                    let what = format!("Point {point} taken by");
                    records.event((seq, group.t()), kind::CONTROL, team.index(), what, true);
                }
                Change::Control { point, owner: None, before: Some(team) } => {
                    let what = format!("Point {point} lost by");
                    records.event((seq, group.t()), kind::CONTROL, team.index(), what, false);
                }
                Change::Fallen { unit, .. } => {
                    let what = format!("{} lost by", class_name(unit.class));
                    records.event((seq, group.t()), kind::DEATH, unit.team.index(), what, false);
                }
                _ => {}
            }
        }
    }

    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        let told = changes(self, group).into_iter();
        told.map(|(seq, change)| Line { seq, text: words::sentence(&change) }).collect()
    }

    /// The score follows from the control points, which are told.
    fn describe(&self, place: AnyPlace) -> Option<String> {
        let AnyPlace::Square(at) = place else { return None };
        Some(words::describe(self, at))
    }

    fn distance(&self, from: AnyPlace, to: AnyPlace) -> Option<Distance> {
        let (AnyPlace::Square(from), AnyPlace::Square(to)) = (from, to) else { return None };
        Some(distance::squares(
            [AnyPlace::Square(from), AnyPlace::Square(to)],
            from.x().abs_diff(to.x()).into(),
            from.y().abs_diff(to.y()).into(),
        ))
    }

    fn widest(&self) -> Option<AnyPlace> {
        "-25,-12".parse().ok().map(AnyPlace::Square)
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Fortress(Drawing::Say { team, text }) => {
                Some((capitalised(team.name()), text.to_string()))
            }
            _ => None,
        }
    }

    /// A moment of the game is one; what the network makes of it is little.
    fn together(&self) -> Micros {
        Micros(1_000)
    }
}

/// A unit's team and class, whether it is still on the board or not.
fn who(before: &Scene, after: &Scene, id: u32) -> Option<(Squad, UnitClass)> {
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

/// The column and the row of a square, counted from the north-west.
fn tile(at: Place) -> (u8, u8) {
    ((at.x() + Place::X_MAX) as u8, (Place::Y_MAX - at.y()) as u8)
}

fn quarter(direction: Direction) -> u8 {
    match direction {
        Direction::East => 0,
        Direction::South => 1,
        Direction::West => 2,
        Direction::North => 3,
    }
}

/// A unit, as it moves over the tiles.
fn token(unit: &Unit) -> Token {
    let (column, row) = tile(unit.at);
    Token { id: Some(unit.id), team: unit.team.index(), column, row, quarter: quarter(unit.facing) }
}

fn tokens(scene: &Scene) -> Vec<Token> {
    scene.units().iter().map(token).collect()
}

/// When a capture's progress was last said, so that it goes on between two such words.
#[derive(Debug, Clone, Copy)]
struct Heard {
    point: u8,
    millis: u32,
    /// The time of the match, in seconds.
    secs: f64,
}

/// The board, with the units that are on their way.
#[derive(Debug, Default)]
struct FortressBoard {
    /// What of it stands still.
    ground: Still,
    labels: Still,
    movers: Movers,
    captures: Vec<Heard>,
}

impl Board for FortressBoard {
    fn advance(&mut self, step: &Step<'_>) {
        let (AnyScene::Fortress(before), AnyScene::Fortress(after)) = (step.before, step.after) else {
            return;
        };
        let secs = step.secs_of_moves(COMMANDS_MAX);
        self.movers.advance(step.now, secs, step.plays, &tokens(before), &tokens(after));
        let known = std::mem::take(&mut self.captures);
        let secs = step.log.time_of(step.to).as_secs_f64();
        self.captures = after
            .points()
            .iter()
            .filter_map(|point| {
                let millis = point.capture?.millis;
                let same = |heard: &&Heard| heard.point == point.point && heard.millis == millis;
                let fresh = Heard { point: point.point, millis, secs };
                Some(known.iter().find(same).filter(|_| step.to > step.from).copied().unwrap_or(fresh))
            })
            .collect();
    }

    fn settle(&mut self) {
        self.movers.settle();
    }

    fn is_moving(&self, picture: &Picture<'_>) -> bool {
        let AnyScene::Fortress(scene) = picture.scene else { return false };
        let effects = || scene.effects().rev().any(|effect| picture.age(effect.t, EFFECT_SECS).is_some());
        let runs = picture.pace > 0.0;
        self.movers.is_moving(picture.now) || runs && (!self.captures.is_empty() || effects())
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<Intent> {
        if let AnyScene::Fortress(scene) = picture.scene {
            paint::show(ui, rect, scene, self, picture, options);
        }
        None
    }

    fn place_at(&self, rect: Rect, picture: &Picture<'_>, options: Options, at: Pos2) -> Option<AnyPlace> {
        let (tiles, _) = paint::tiles(rect, picture, options);
        paint::place_at(&tiles, at).map(AnyPlace::Square)
    }

    fn area_of(&self, rect: Rect, picture: &Picture<'_>, options: Options, place: AnyPlace) -> Option<Rect> {
        let AnyPlace::Square(at) = place else { return None };
        let (column, row) = tile(at);
        Some(paint::tiles(rect, picture, options).0.tile(column, row))
    }
}

//! Riskless in the spectator: how it is told, what its plots and its timeline show, and the map.

mod atlas;
mod paint;
mod words;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use eframe::egui::{Painter, Pos2, Rect, Ui};
use grandstand_protocol::riskless::{self, Duelist, Scene};
use grandstand_protocol::team::Squad;
use grandstand_protocol::turn::Mover;
use grandstand_protocol::{Command, Micros, Place, Scene as AnyScene, TeamInfo};
use serde_json::Value;

use self::atlas::Atlas;
use super::numbers::Numbers;
use super::still::Still;
use super::{
    Board, Circumstances, Distance, EventWords, GameView, Group, Intent, Options, Picture, Said, Step, Tally,
    Verdict, distance, turns,
};
use crate::annals::{Plot, Records};
use crate::markers::kind;
use crate::narration::Line;
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::theme::Palette;
use crate::words as write;

/// How many commands a change of the picture may take and still be seen as a move.
const COMMANDS_MAX: u64 = 300;
/// The plots, by their numbers.
const THINKING: usize = 0;
const EVALUATION: usize = 1;
const ARMIES: usize = 2;
const TERRITORIES: usize = 3;

/// Maxie and Minnie look as red and blue do everywhere.
fn squad(team: Duelist) -> Squad {
    match team {
        Duelist::Maxie => Squad::Red,
        Duelist::Minnie => Squad::Blue,
    }
}

fn armies(scene: &Scene, team: Duelist) -> i32 {
    i32::try_from(scene.armies(team)).unwrap_or(i32::MAX)
}

impl GameView for Scene {
    fn name(&self) -> &'static str {
        "Riskless"
    }

    fn shape(&self) -> f32 {
        1.9
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(RisklessBoard::default())
    }

    /// The names that were sent to the board, else the header's.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Duelist| (team.color(), team.name(), Badge::Squad(squad(team)), armies(self, team));
        let mut sides = two_sides(teams, Duelist::ALL.map(own));
        turns::name_sides(self.table(), &mut sides);
        sides
    }

    fn talk(&self) -> Vec<Said<'_>> {
        turns::talk(self.table())
    }

    fn moment(&self) -> String {
        turns::moment(self.ply())
    }

    fn verdict(&self) -> Option<Verdict> {
        turns::verdict(self.table())
    }

    fn mover(&self) -> Option<usize> {
        turns::mover(self.table())
    }

    fn ply(&self) -> u32 {
        self.ply()
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Duelist::ALL.map(|team| (capitalised(team.name()), armies(self, team))).into()
    }

    fn counted(&self) -> (&'static str, &'static str) {
        ("army", "armies")
    }

    fn is_ticking(&self) -> bool {
        turns::is_ticking(self.table())
    }

    fn goal(&self, _: Option<&Value>) -> Option<i32> {
        i32::try_from(self.map()?.goal).ok()
    }

    fn tally(&self, side: usize, about: &Circumstances<'_>) -> Vec<Tally> {
        let team = Duelist::ALL[side.min(1)];
        let own = [turns::clock(self.table(), team, about), turns::thought(self.table(), team)];
        let mut tally: Vec<Tally> = own.into_iter().flatten().collect();
        tally.push(Tally::Words(write::count(self.held(team) as u64, "territory", "territories")));
        tally
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Duelist::ALL.map(Duelist::name);
        let mut plots = turns::plots(&teams);
        plots.push(Plot::steps("Armies", &teams).that_wins());
        plots.push(Plot::steps("Territories", &teams));
        plots
    }

    fn events(&self) -> &'static EventWords {
        &EventWords {
            next: "Next battle or long thought",
            previous: "Previous battle or long thought",
            none_after: "No battle or long thought after this",
            none_before: "No battle or long thought before this",
        }
    }

    fn record(&self, group: &Group<'_>, records: &mut Records) {
        let AnyScene::Riskless(after) = group.after else { return };
        let t = group.t();
        for (seq, t, command) in group.commands {
            let Command::Riskless(command) = command else { continue };
            match command {
                riskless::Command::Move(march) => {
                    turns::record_move(self.table(), march.team, *seq, *t, records, THINKING);
                }
                riskless::Command::Thought(thought) => {
                    turns::record_thought(thought, *t, records, EVALUATION);
                }
                riskless::Command::Battle(battle) => {
                    let Some(march) = after.last() else { continue };
                    let won = battle.attackers >= battle.defenders;
                    let team = if won { march.team } else { march.team.opponent() };
                    let (kind, what) = match after.territory(march.to) {
                        Some(taken) if won => (kind::CONQUEST, format!("{} taken by", taken.name)),
                        _ => (kind::BATTLE, "Battle won by".to_owned()),
                    };
                    records.event((*seq, *t), kind, team.index(), what, won);
                }
                _ => {}
            }
        }
        for team in Duelist::ALL {
            records.put(ARMIES, team.name(), t, armies(after, team));
            records.put(TERRITORIES, team.name(), t, after.held(team) as i32);
        }
    }

    fn tell(&self, group: &Group<'_>) -> Vec<Line> {
        words::tell(self, group)
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Territory(number) = place else { return None };
        self.territory(number).map(|_| words::describe(self, number))
    }

    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        let (Place::Territory(from), Place::Territory(to)) = (from, to) else { return None };
        Some(distance::roads(self, from, to))
    }

    fn widest(&self) -> Option<Place> {
        self.territories().map(|place| place.id).max().map(Place::Territory)
    }

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Riskless(riskless::Command::Say { team, text }) => {
                Some((capitalised(team.name()), text.to_string()))
            }
            _ => None,
        }
    }

    fn together(&self) -> Micros {
        turns::TOGETHER
    }
}

/// When the armies of the last move set out, in the interface's time, and how long they take, in seconds.
#[derive(Debug, Default)]
struct March {
    began: f64,
    secs: f64,
}

impl March {
    /// How far they have come, from 0 to 1; `None` when they are there.
    fn progress(&self, now: f64) -> Option<f32> {
        let progress = (now - self.began) / self.secs.max(1e-6);
        (self.secs > 0.0 && progress < 1.0).then_some(progress.max(0.0) as f32)
    }
}

/// Where the territories are, in which rectangle, and the places on the map by which that was found.
#[derive(Debug)]
struct Fitted {
    rect: Rect,
    places: Vec<(u8, u16, u16)>,
    atlas: Rc<Atlas>,
}

/// What of the map stands still.
#[derive(Debug, Default)]
struct Stills {
    ground: Still,
    signs: Still,
    names: Still,
    digits: Numbers,
    atlas: RefCell<Option<Fitted>>,
}

/// The map, with the armies that are on their way.
#[derive(Debug, Default)]
struct RisklessBoard {
    march: March,
    stills: Stills,
    /// The territory that the viewer is going to move from.
    source: Cell<Option<u8>>,
}

impl Board for RisklessBoard {
    fn advance(&mut self, step: &Step<'_>) {
        self.march = March::default();
        let (AnyScene::Riskless(before), AnyScene::Riskless(after)) = (step.before, step.after) else {
            return;
        };
        if after.ply() == before.ply().wrapping_add(1)
            && let Some(secs) = step.secs_of_moves(COMMANDS_MAX)
        {
            self.march = March { began: step.now, secs: secs * 1.6 };
        }
    }

    fn settle(&mut self) {
        self.march = March::default();
    }

    fn replay(&mut self, now: f64, secs: f64) {
        self.march = March { began: now, secs };
    }

    fn is_moving(&self, picture: &Picture<'_>) -> bool {
        self.march.progress(picture.now).is_some()
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, options: Options) -> Option<Intent> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        let step = paint::show(ui, rect, scene, (&self.march, &self.stills), &self.source, picture, options)?;
        Some(Intent { text: step.to_string() })
    }

    fn place_at(&self, rect: Rect, picture: &Picture<'_>, _: Options, at: Pos2) -> Option<Place> {
        let AnyScene::Riskless(scene) = picture.scene else { return None };
        paint::atlas(rect, scene, &self.stills).territory_at(at).map(Place::Territory)
    }

    fn area_of(&self, rect: Rect, picture: &Picture<'_>, _: Options, place: Place) -> Option<Rect> {
        let (AnyScene::Riskless(scene), Place::Territory(number)) = (picture.scene, place) else {
            return None;
        };
        paint::atlas(rect, scene, &self.stills).area(number)
    }
}

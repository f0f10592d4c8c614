//! Riskless in the spectator.

mod paint;

use eframe::egui::{Painter, Rect, Ui};
use grandstand_protocol::riskless::{self, Duelist, Scene};
use grandstand_protocol::team::Squad;
use grandstand_protocol::{Command, Scene as AnyScene, TeamInfo};

use super::{Board, EventWords, GameView, Group, Intent, Options, Picture, Said, Step, turns};
use crate::annals::Records;
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::theme::Palette;
use crate::words as write;

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
        1.8
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(RisklessBoard)
    }

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
        if self.ply() == 0 {
            "Start".to_owned()
        } else {
            format!("Move {}", write::number(self.ply().into()))
        }
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

    fn events(&self) -> &'static EventWords {
        &EventWords::POINTS
    }

    fn record(&self, _: &Group<'_>, _: &mut Records) {}

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Riskless(riskless::Command::Say { team, text }) => {
                Some((capitalised(team.name()), text.to_string()))
            }
            _ => None,
        }
    }
}

/// The map.
#[derive(Debug)]
struct RisklessBoard;

impl Board for RisklessBoard {
    fn advance(&mut self, _: &Step<'_>) {}

    fn settle(&mut self) {}

    fn is_moving(&self, _: &Picture<'_>) -> bool {
        false
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, _: Options) -> Option<Intent> {
        if let AnyScene::Riskless(scene) = picture.scene {
            paint::show(ui, rect, scene);
        }
        None
    }
}

//! Gomoku and Pente in the spectator.

mod paint;

pub(crate) use self::paint::paint_stone;

use eframe::egui::{Painter, Rect, Ui};
use grandstand_protocol::stones::{self, Scene, Team};
use grandstand_protocol::{Command, Game, Scene as AnyScene, TeamInfo};

use super::{Board, EventWords, GameView, Group, Intent, Options, Picture, Said, Step, turns};
use crate::annals::Records;
use crate::sides::{Badge, Side, capitalised, two_sides};
use crate::theme::Palette;
use crate::words as write;

impl GameView for Scene {
    fn name(&self) -> &'static str {
        match self.game() {
            Game::Pente => "Pente",
            _ => "Gomoku",
        }
    }

    fn thumbnail(&self, painter: &Painter, palette: &Palette, square: Rect) {
        paint::paint_thumbnail(painter, palette, square);
    }

    fn board(&self) -> Box<dyn Board> {
        Box::new(StonesBoard)
    }

    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let score = |team| i32::try_from(self.captures(team)).unwrap_or(i32::MAX);
        let own = |team: Team| (team.color(), team.name(), Badge::Stone(team), score(team));
        let mut sides = two_sides(teams, Team::ALL.map(own));
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
        if self.game() != Game::Pente {
            return Vec::new();
        }
        let score = |team| i32::try_from(self.captures(team)).unwrap_or(i32::MAX);
        Team::ALL.map(|team| (capitalised(team.name()), score(team))).into()
    }

    fn events(&self) -> &'static EventWords {
        &EventWords::POINTS
    }

    fn record(&self, _: &Group<'_>, _: &mut Records) {}

    fn said(&self, command: &Command) -> Option<(String, String)> {
        match command {
            Command::Stones(stones::Command::Say { team, text }) => {
                Some((capitalised(team.name()), text.to_string()))
            }
            _ => None,
        }
    }
}

/// The board.
#[derive(Debug)]
struct StonesBoard;

impl Board for StonesBoard {
    fn advance(&mut self, _: &Step<'_>) {}

    fn settle(&mut self) {}

    fn is_moving(&self, _: &Picture<'_>) -> bool {
        false
    }

    fn show(&self, ui: &mut Ui, rect: Rect, picture: &Picture<'_>, _: Options) -> Option<Intent> {
        if let AnyScene::Stones(scene) = picture.scene {
            return paint::show(ui, rect, scene, picture);
        }
        None
    }
}

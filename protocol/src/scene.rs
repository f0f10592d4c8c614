//! Scene of any game: a fold over commands by [`Scene::apply`]. No other code knows how commands change a board.

use serde::{Deserialize, Deserializer, Serialize};

use crate::command::Command;
use crate::dialect::{Dialect as _, MarkKind};
use crate::games::Game;
use crate::games::{abalone, by_scene_and_command, fortress, grid, riskless, shark, stones};
use crate::overlay::Overlays;
use crate::place::Place;
use crate::time::Micros;

/// The whole visible state of a match, of bounded size. In JSON the member `game` names the game.
///
/// A clone is cheap: the large parts are shared until one of the two changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "game", rename_all = "lowercase")]
pub enum Scene {
    /// Abalone's board.
    Abalone(abalone::Scene),
    /// λ-Shark's board.
    Shark(shark::Scene),
    /// Steam Fortress' board.
    Fortress(fortress::Scene),
    /// Riskless' map.
    Riskless(riskless::Scene),
    /// A grid of characters.
    Grid(grid::Scene),
    /// The board of Gomoku or Pente; the scene itself knows the game.
    #[serde(untagged)]
    Stones(stones::Scene),
}

/// Evaluates an expression for the game's scene in a [`Scene`]. Other crates use it to select their code for each game.
#[macro_export]
macro_rules! by_scene {
    ($value:expr, $scene:ident => $do:expr) => {
        match $value {
            $crate::Scene::Abalone($scene) => $do,
            $crate::Scene::Shark($scene) => $do,
            $crate::Scene::Fortress($scene) => $do,
            $crate::Scene::Stones($scene) => $do,
            $crate::Scene::Riskless($scene) => $do,
            $crate::Scene::Grid($scene) => $do,
        }
    };
}

impl Scene {
    /// The scene before the first command.
    pub fn new(game: Game) -> Scene {
        match game {
            Game::Abalone => Scene::Abalone(abalone::Scene::default()),
            Game::Shark => Scene::Shark(shark::Scene::default()),
            Game::Fortress => Scene::Fortress(fortress::Scene::default()),
            Game::Gomoku | Game::Pente => Scene::Stones(stones::Scene::new(game)),
            Game::Riskless => Scene::Riskless(riskless::Scene::default()),
            Game::Grid => Scene::Grid(grid::Scene::default()),
        }
    }

    /// Applies a command, which is number `seq` of the match, at time `t` after its start. Markers, unknown lines and
    /// commands of another game change nothing.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        by_scene_and_command! { self, command, scene, command => scene.apply(seq, t, command),
            (scene, Command::Overlay(overlay)) => scene.overlays_mut().put(overlay),
            _ => {}
        }
    }

    /// Shows a late thought, sent by command number `seq` at `t`, as if it had been sent in time, if its position has been
    /// reached. Other commands change nothing. Call it in the order of the positions: the newest one last.
    pub fn recall(&mut self, seq: u64, t: Micros, command: &Command) {
        match (self, command) {
            (Scene::Stones(scene), Command::Stones(command)) => scene.recall(seq, t, command),
            (Scene::Riskless(scene), Command::Riskless(command)) => scene.recall(seq, t, command),
            _ => {}
        }
    }

    /// The game of the scene.
    pub fn game(&self) -> Game {
        match self {
            Scene::Abalone(_) => Game::Abalone,
            Scene::Shark(_) => Game::Shark,
            Scene::Fortress(_) => Game::Fortress,
            Scene::Stones(scene) => scene.game(),
            Scene::Riskless(_) => Game::Riskless,
            Scene::Grid(_) => Game::Grid,
        }
    }

    /// Every place of the board that can hold something; on an unbounded board, the occupied places.
    pub fn board_places(&self) -> Vec<Place> {
        by_scene!(self, scene => scene.board_places())
    }

    /// Approximate size in bytes, in memory and as JSON alike.
    pub fn bytes(&self) -> usize {
        /// The size of an almost empty scene.
        const LITTLE: usize = 8 << 10;
        LITTLE + by_scene!(self, scene => scene.varying_bytes()) + self.overlays().bytes()
    }

    /// Approximate number of bytes of memory that the scene does not share with an earlier scene of the match, when
    /// everything in it has changed.
    pub fn own_bytes(&self) -> usize {
        /// The size of the parts that are never shared.
        const FIXED: usize = 512;
        FIXED + by_scene!(self, scene => scene.own_bytes())
    }

    /// The overlays of bots over the board.
    pub fn overlays(&self) -> &Overlays {
        by_scene!(self, scene => &scene.overlays)
    }

    fn overlays_mut(&mut self) -> &mut Overlays {
        by_scene!(self, scene => &mut scene.overlays)
    }

    /// The team that the command is about when it follows this scene: the team that it [names](Command::team), or the team of
    /// the unit that it gives by number.
    pub fn team_of<'a>(&self, command: &'a Command) -> Option<&'a str> {
        by_scene_and_command!(self, command, scene, command => scene.team_of(command), _ => command.team())
    }

    /// The places that the command changes when it follows this scene: those that it [names](Command::places), and in Steam
    /// Fortress those of units and control points given by number, including the place that a unit leaves.
    pub fn places<'a>(&'a self, command: &'a Command) -> impl Iterator<Item = Place> + 'a {
        let touched =
            by_scene_and_command!(self, command, scene, command => scene.touched(command), _ => [None; 2]);
        touched.into_iter().flatten().chain(command.places(self.game()))
    }

    /// Start and end of a shot, a march, a unit's step or a row of stones that the command means when it follows this scene.
    pub fn movement(&self, command: &Command) -> Option<[Place; 2]> {
        by_scene_and_command!(self, command, scene, command => scene.movement(command), _ => None)
    }

    /// The kind of timeline mark of the command when it follows this scene; `None` for a command that only draws.
    pub fn mark(&self, command: &Command) -> Option<MarkKind> {
        by_scene_and_command! { self, command, scene, command => scene.mark(command),
            (_, Command::Marker(_)) => Some(MarkKind::Marker),
            (_, Command::Unknown(_)) => Some(MarkKind::Unknown),
            _ => None
        }
    }
}

impl<'de> Deserialize<'de> for Scene {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scene, D::Error> {
        #[derive(Deserialize)]
        #[serde(tag = "game", rename_all = "lowercase")]
        enum Tagged {
            Abalone(abalone::Scene),
            Shark(shark::Scene),
            Fortress(fortress::Scene),
            Gomoku(stones::Scene),
            Pente(stones::Scene),
            Riskless(riskless::Scene),
            Grid(grid::Scene),
        }
        Ok(match Tagged::deserialize(deserializer)? {
            Tagged::Abalone(scene) => Scene::Abalone(scene),
            Tagged::Shark(scene) => Scene::Shark(scene),
            Tagged::Fortress(scene) => Scene::Fortress(scene),
            Tagged::Gomoku(scene) => Scene::Stones(scene.of(Game::Gomoku)),
            Tagged::Pente(scene) => Scene::Stones(scene.of(Game::Pente)),
            Tagged::Riskless(scene) => Scene::Riskless(scene),
            Tagged::Grid(scene) => Scene::Grid(scene),
        })
    }
}

//! A scene is a fold over commands: [`Scene::apply`], and nothing else knows what a board looks like.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::command::Command;
use crate::extension::{Mark, Overlay};
use crate::game::Game;
use crate::time::Micros;
use crate::{abalone, fortress, grid, riskless, shark, stones};

/// The whole visible state of a match, of bounded size. In JSON the member `game` says which.
///
/// A clone is cheap: what may be large is shared until one of the two changes.
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
    /// The board of Gomoku or of Pente: the scene itself says which.
    #[serde(untagged)]
    Stones(stones::Scene),
}

impl Scene {
    /// The scene before the first command.
    #[must_use]
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

    /// Draws a command: number `seq` of the match, `t` after its start. Markers, lines that were not understood and
    /// commands of another game change nothing.
    pub fn apply(&mut self, seq: u64, t: Micros, command: &Command) {
        match (self, command) {
            (Scene::Abalone(scene), Command::Abalone(command)) => scene.apply(seq, t, command),
            (Scene::Shark(scene), Command::Shark(command)) => scene.apply(seq, t, command),
            (Scene::Fortress(scene), Command::Fortress(command)) => scene.apply(seq, t, command),
            (Scene::Stones(scene), Command::Stones(command)) => scene.apply(seq, t, command),
            (Scene::Riskless(scene), Command::Riskless(command)) => scene.apply(seq, t, command),
            (Scene::Grid(scene), Command::Grid(command)) => scene.apply(seq, t, command),
            (scene, Command::Overlay(overlay)) => scene.overlays_mut().put(overlay),
            _ => {}
        }
    }

    /// Which game it shows.
    #[must_use]
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

    /// About how many bytes it takes, in memory and as JSON alike.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// What a scene takes that has little in it, and what a cell of a board takes.
        const LITTLE: usize = 8 << 10;
        const CELL: usize = 40;
        let (cells, talk) = match self {
            Scene::Abalone(scene) => (0, scene.talk().bytes()),
            Scene::Shark(scene) => (0, scene.talk().bytes()),
            Scene::Fortress(scene) => (0, scene.talk().bytes()),
            Scene::Stones(scene) => (scene.stones().len(), scene.table().talk().bytes()),
            Scene::Riskless(scene) => (0, scene.table().talk().bytes()),
            Scene::Grid(scene) => (scene.cells().count(), scene.talk().bytes()),
        };
        LITTLE + CELL * cells + talk + self.overlays().bytes()
    }

    /// What bots have drawn over the board.
    #[must_use]
    pub fn overlays(&self) -> &Overlays {
        match self {
            Scene::Abalone(scene) => &scene.overlays,
            Scene::Shark(scene) => &scene.overlays,
            Scene::Fortress(scene) => &scene.overlays,
            Scene::Stones(scene) => &scene.overlays,
            Scene::Riskless(scene) => &scene.overlays,
            Scene::Grid(scene) => &scene.overlays,
        }
    }

    fn overlays_mut(&mut self) -> &mut Overlays {
        match self {
            Scene::Abalone(scene) => &mut scene.overlays,
            Scene::Shark(scene) => &mut scene.overlays,
            Scene::Fortress(scene) => &mut scene.overlays,
            Scene::Stones(scene) => &mut scene.overlays,
            Scene::Riskless(scene) => &mut scene.overlays,
            Scene::Grid(scene) => &mut scene.overlays,
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

/// How many overlays a scene keeps; when one more comes, the oldest goes.
pub const OVERLAYS_MAX: usize = 32;

/// The overlays of a scene, oldest first: at most one for each team and author, at most [`OVERLAYS_MAX`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Overlays(Vec<Arc<Overlay>>);

impl Overlays {
    /// The overlays, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Overlay> + ExactSizeIterator {
        self.0.iter().map(|overlay| &**overlay)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// About how many bytes they take.
    fn bytes(&self) -> usize {
        let places = self.iter().flat_map(Overlay::marks).flat_map(Mark::places);
        places.map(|place| place.len() + 64).sum()
    }

    /// The overlay replaces the one of the same team and author; an empty one only removes it.
    fn put(&mut self, overlay: &Arc<Overlay>) {
        self.0.retain(|old| (&old.team, &old.by) != (&overlay.team, &overlay.by));
        if !overlay.marks().is_empty() {
            if self.0.len() >= OVERLAYS_MAX {
                self.0.remove(0);
            }
            self.0.push(Arc::clone(overlay));
        }
    }
}

impl<'de> Deserialize<'de> for Overlays {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Overlays, D::Error> {
        let mut overlays = Overlays::default();
        for overlay in Vec::deserialize(deserializer)? {
            overlays.put(&overlay);
        }
        Ok(overlays)
    }
}

//! A scene is a fold over commands: [`Scene::apply`], and nothing else knows what a board looks like.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use crate::command::Command;
use crate::extension::Overlay;
use crate::game::Game;
use crate::time::Micros;
use crate::{abalone, fortress, grid, shark};

/// The whole visible state of a match, of bounded size. In JSON the member `game` says which.
///
/// A clone is cheap: what may be large is shared until one of the two changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "game", rename_all = "lowercase")]
pub enum Scene {
    /// Abalone's board.
    Abalone(abalone::Scene),
    /// λ-Shark's board.
    Shark(shark::Scene),
    /// Steam Fortress' board.
    Fortress(fortress::Scene),
    /// A grid of characters.
    Grid(grid::Scene),
}

impl Scene {
    /// The scene before the first command.
    #[must_use]
    pub fn new(game: Game) -> Scene {
        match game {
            Game::Abalone => Scene::Abalone(abalone::Scene::default()),
            Game::Shark => Scene::Shark(shark::Scene::default()),
            Game::Fortress => Scene::Fortress(fortress::Scene::default()),
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
            (Scene::Grid(scene), Command::Grid(command)) => scene.apply(seq, t, command),
            (scene, Command::Overlay(overlay)) => scene.overlays_mut().put(overlay),
            (Scene::Abalone(_) | Scene::Shark(_) | Scene::Fortress(_) | Scene::Grid(_), _) => {}
        }
    }

    /// Which game it shows.
    #[must_use]
    pub fn game(&self) -> Game {
        match self {
            Scene::Abalone(_) => Game::Abalone,
            Scene::Shark(_) => Game::Shark,
            Scene::Fortress(_) => Game::Fortress,
            Scene::Grid(_) => Game::Grid,
        }
    }

    /// What bots have drawn over the board.
    #[must_use]
    pub fn overlays(&self) -> &Overlays {
        match self {
            Scene::Abalone(scene) => &scene.overlays,
            Scene::Shark(scene) => &scene.overlays,
            Scene::Fortress(scene) => &scene.overlays,
            Scene::Grid(scene) => &scene.overlays,
        }
    }

    fn overlays_mut(&mut self) -> &mut Overlays {
        match self {
            Scene::Abalone(scene) => &mut scene.overlays,
            Scene::Shark(scene) => &mut scene.overlays,
            Scene::Fortress(scene) => &mut scene.overlays,
            Scene::Grid(scene) => &mut scene.overlays,
        }
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

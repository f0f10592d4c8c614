//! Position in a log together with its scene.

use grandstand_protocol::{Game, Scene};

use super::Log;

/// A position in a log and the scene there. A small step forward costs a few commands; any other move costs a stored scene
/// and a few commands.
#[derive(Debug, Clone)]
pub struct Cursor {
    seq: u64,
    scene: Scene,
    /// The number of late thoughts in the log at the last move.
    thoughts: usize,
}

impl Cursor {
    /// A cursor before the first command.
    pub fn new(log: &Log) -> Cursor {
        Cursor::before(log.game())
    }

    fn before(game: Game) -> Cursor {
        Cursor { seq: 0, scene: Scene::new(game), thoughts: 0 }
    }

    /// The number of the last command in the scene.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Moves to the scene after command `seq`, or after the last known command before it. The log must be the same one at every
    /// call; it may have grown.
    pub fn move_to(&mut self, log: &Log, seq: u64) {
        let seq = log.known(seq);
        if seq == self.seq && self.thoughts == log.thoughts.len() {
            return;
        }
        let (keyframe, scene) = log.keyframe(seq);
        // Across missing commands, the stored scene after them is always the nearer one.
        if self.seq > seq || self.seq < keyframe {
            (self.seq, self.scene) = (keyframe, scene);
        }
        log.play(self.seq, seq, &mut self.scene);
        log.recall(&mut self.scene);
        (self.seq, self.thoughts) = (seq, log.thoughts.len());
    }
}

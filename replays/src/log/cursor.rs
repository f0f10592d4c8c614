//! A picture that moves along a log.

use grandstand_protocol::{Game, Scene};

use super::Log;

/// A place in a log and the picture there. Moving on a little costs a few commands, moving anywhere else a stored scene
/// and a few commands.
#[derive(Debug, Clone)]
pub struct Cursor {
    seq: u64,
    scene: Scene,
    /// How many late thoughts the log had.
    thoughts: usize,
}

impl Cursor {
    /// A cursor before the first command.
    #[must_use]
    pub fn new(log: &Log) -> Cursor {
        Cursor::before(log.game())
    }

    fn before(game: Game) -> Cursor {
        Cursor { seq: 0, scene: Scene::new(game), thoughts: 0 }
    }

    /// The number of the command that the picture shows last.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The picture.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Moves to the picture after command `seq`, or after the last known one before it. The log must be the one that
    /// the cursor moved along before; it may have grown.
    pub fn move_to(&mut self, log: &Log, seq: u64) {
        let seq = log.known(seq);
        if seq == self.seq && self.thoughts == log.thoughts.len() {
            return;
        }
        let (keyframe, scene) = log.keyframe(seq);
        // Where commands are missing the stored scene after them is always nearer.
        if self.seq > seq || self.seq < keyframe {
            (self.seq, self.scene) = (keyframe, scene);
        }
        log.play(self.seq, seq, &mut self.scene);
        log.recall(&mut self.scene);
        (self.seq, self.thoughts) = (seq, log.thoughts.len());
    }
}

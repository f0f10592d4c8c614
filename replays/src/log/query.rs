//! Queries of a log: times, lines, scenes, marks.

use std::ops::RangeInclusive;

use grandstand_protocol::{Command, Micros, Scene};

use super::Log;
use super::chunk::Chunk;
use super::mark::Mark;
use grandstand_protocol::MarkKind;

/// Time after the start of a match until which its set-up begins.
const SET_UP: Micros = Micros(100_000);

impl Log {
    /// The number of the last command; 0 before the first.
    pub fn last_seq(&self) -> u64 {
        self.segments.last().map_or(0, |segment| segment.last().last_seq())
    }

    /// The time of the last command.
    pub fn duration(&self) -> Micros {
        self.segments.last().map_or(Micros(0), |segment| segment.last().last_t())
    }

    /// The time of the end if it is known, else of the last command.
    pub fn end_time(&self) -> Micros {
        self.end().map_or(Micros(0), |end| end.t).max(self.duration())
    }

    /// Whether the log has no commands and no later scene.
    pub fn is_empty(&self) -> bool {
        self.last_seq() == 0
    }

    /// Whether the scene after command `seq` is known.
    pub fn knows(&self, seq: u64) -> bool {
        self.known(seq) == seq
    }

    /// The number of the last command at or before `seq` whose scene is known.
    pub fn known(&self, seq: u64) -> u64 {
        self.segments[self.segment_at(seq)].last().last_seq().min(seq)
    }

    /// The number of the first command after `seq` whose scene is known.
    pub fn known_after(&self, seq: u64) -> Option<u64> {
        let index = self.segment_at(seq);
        if self.segments[index].last().last_seq() > seq {
            return Some(seq + 1);
        }
        self.segments.get(index + 1).map(|segment| segment.first().base_seq)
    }

    /// The first run of known commands in a range, up to the next missing one; `None` if all are missing.
    pub fn first_known(&self, among: &RangeInclusive<u64>) -> Option<RangeInclusive<u64>> {
        let mut before = among.start().saturating_sub(1);
        while self.line(before + 1).is_none() {
            // There may be single scenes among missing commands.
            before = self.known_after(before).filter(|next| next < among.end())?;
        }
        Some(before + 1..=(*self.stretch(before + 1).end()).min(*among.end()))
    }

    /// The scenes that are known without a gap around the last known one at or before `seq`. The command of the first
    /// of them is missing.
    pub fn stretch(&self, seq: u64) -> RangeInclusive<u64> {
        let segment = &self.segments[self.segment_at(seq)];
        segment.first().base_seq..=segment.last().last_seq()
    }

    /// The last command at or before `t` if that is known for certain.
    ///
    /// # Errors
    /// The estimated number of the missing command at `t`, on the assumption that the missing commands are evenly spaced.
    pub fn place_at(&self, t: Micros) -> Result<u64, u64> {
        let known = self.seq_at(t);
        let (end, end_t) = (*self.stretch(known).end(), self.time_of(*self.stretch(known).end()));
        match self.known_after(end) {
            Some(next) if known == end && t >= end_t => {
                let (next_t, missing) = (self.time_of(next), next - end);
                let part = t.since(end_t).0 as f64 / next_t.since(end_t).0.max(1) as f64;
                Err(end + 1 + ((missing - 1) as f64 * part) as u64)
            }
            _ => Ok(known),
        }
    }

    /// The time of command `seq`; for a missing one, the time of the last known one before it. The time of 0 is the start.
    pub fn time_of(&self, seq: u64) -> Micros {
        let seq = self.known(seq);
        match self.chunk_of(seq) {
            Some(chunk) => chunk.time_of(seq),
            // The scene after the command is known, the command itself is not.
            None => self.segments[self.segment_at(seq)].first().start_t,
        }
    }

    /// The number of the last command at or before `t`, which is the last in the scene at that time. 0 if there is
    /// none.
    pub fn seq_at(&self, t: Micros) -> u64 {
        let segment = self.segments.partition_point(|segment| segment.first().start_t <= t).saturating_sub(1);
        let chunks = &self.segments[segment].chunks;
        chunks[chunks.partition_point(|chunk| chunk.start_t <= t).saturating_sub(1)].seq_at(t)
    }

    /// The line of command `seq`, without its ending; `None` if it is missing.
    pub fn line(&self, seq: u64) -> Option<&[u8]> {
        self.chunk_of(seq)?.line(seq)
    }

    /// Command `seq`; `None` if it is missing.
    pub fn command(&self, seq: u64) -> Option<Command> {
        Some(Command::parse(self.game, self.line(seq)?))
    }

    /// The scene after command `seq`; for a missing one, after the last known one before it. 0 is the scene
    /// before the first command. A [`Cursor`](super::Cursor) is cheaper for moving from one scene to another.
    pub fn scene_at(&self, seq: u64) -> Scene {
        let mut scene = self.drawn_at(seq);
        self.recall(&mut scene);
        scene
    }

    /// Like [`Log::scene_at`], without late thoughts.
    pub(super) fn drawn_at(&self, seq: u64) -> Scene {
        let seq = self.known(seq);
        let (from, mut scene) = self.keyframe(seq);
        self.play(from, seq, &mut scene);
        scene
    }

    /// Shows late thoughts in a scene, as if they had been sent in time.
    pub(super) fn recall(&self, scene: &mut Scene) {
        for (seq, t, command) in &self.thoughts {
            scene.recall(*seq, *t, command);
        }
    }

    /// The marks after command `after` and up to command `to`, in order.
    pub fn marks(&self, after: u64, to: u64) -> impl Iterator<Item = Mark> {
        self.chunks_between(after, to).flat_map(move |chunk| marks_of(chunk, after, to))
    }

    /// The first mark of a wanted kind after command `seq`.
    pub fn next_mark(&self, seq: u64, wanted: impl Fn(MarkKind) -> bool) -> Option<Mark> {
        self.marks(seq, u64::MAX).find(|mark| wanted(mark.kind))
    }

    /// The marks up to command `to`, the last one first: for the latest talk, for instance.
    pub fn marks_back(&self, to: u64) -> impl Iterator<Item = Mark> {
        let chunks = self.segments.iter().rev().flat_map(|segment| segment.chunks.iter().rev());
        let chunks = chunks.skip_while(move |chunk| chunk.base_seq >= to);
        chunks.flat_map(move |chunk| marks_of(chunk, 0, to).rev())
    }

    /// The last command of the set-up: all commands with the time of the first one, up to the first move of a game of
    /// moves, the second turn, or talk. The scene after it is the first one with a whole board. 0 if the first commands
    /// are missing, or come later.
    pub fn opening(&self) -> u64 {
        let known = self.stretch(0);
        // What comes later is not there at the start.
        if *known.start() > 0 || *known.end() == 0 || self.time_of(1) > SET_UP {
            return 0;
        }
        let end = self.seq_at(self.time_of(1)).min(*known.end());
        let names_place =
            |seq: u64| self.command(seq).is_some_and(|command| command.places(self.game).next().is_some());
        let mut turns = 0;
        let begins_play = |mark: &Mark| match mark.kind {
            MarkKind::Talk => true,
            MarkKind::Turn => {
                turns += 1;
                turns > 1 || names_place(mark.seq)
            }
            MarkKind::Score | MarkKind::ScoreRise | MarkKind::Marker | MarkKind::Unknown => false,
        };
        let first_move = self.marks(0, end).find(begins_play);
        first_move.map_or(end, |mark| mark.seq - 1)
    }

    /// The end of the turn that command `seq` belongs to or that comes next: the target of a step to the
    /// next turn. A turn ends with the command that sets the turn number, and with the commands after it that have the same
    /// time; in a game by moves a turn is a move and what came with it. `None` after the last turn.
    pub fn next_turn(&self, seq: u64) -> Option<u64> {
        let turns = self.marks(seq, u64::MAX).filter(|mark| mark.kind == MarkKind::Turn);
        turns.map(|mark| self.end_of_turn(mark)).find(|&end| end > seq)
    }

    /// The target of a step to the previous turn; `None` before the first turn.
    pub fn previous_turn(&self, seq: u64) -> Option<u64> {
        let turns = self.marks_back(seq.checked_sub(1)?).filter(|mark| mark.kind == MarkKind::Turn);
        turns.map(|mark| self.end_of_turn(mark)).find(|&end| end < seq)
    }

    fn end_of_turn(&self, turn: Mark) -> u64 {
        let end = self.known(self.seq_at(turn.t)).max(turn.seq);
        // Several turns may have the same time; each is still a turn, which a move begins, and a number ends.
        let another = self.marks(turn.seq, end).find(|mark| mark.kind == MarkKind::Turn);
        another.map_or(end, |next| if self.game.goes_by_moves() { next.seq - 1 } else { turn.seq })
    }

    /// The nearest stored scene at or before `seq`, which must be known, and its number.
    pub(super) fn keyframe(&self, seq: u64) -> (u64, Scene) {
        let segment = &self.segments[self.segment_at(seq)];
        let last = segment.chunks.partition_point(|chunk| chunk.base_seq <= seq);
        let mut before = segment.chunks[..last].iter().rev();
        let found = before.find_map(|chunk| Some((chunk.base_seq, chunk.keyframe.clone()?)));
        found.unwrap_or_else(|| (0, Scene::new(self.game)))
    }

    /// Applies the commands after `from` and up to `to`, all of which must be known.
    pub(super) fn play(&self, from: u64, to: u64, scene: &mut Scene) {
        for chunk in self.chunks_between(from, to) {
            for seq in from.max(chunk.base_seq) + 1..=to.min(chunk.last_seq()) {
                if let Some(line) = chunk.line(seq) {
                    scene.apply(seq, chunk.time_of(seq), &Command::parse(self.game, line));
                }
            }
        }
    }

    /// The chunk that contains command `seq`.
    fn chunk_of(&self, seq: u64) -> Option<&Chunk> {
        let segment =
            self.segments.partition_point(|segment| segment.first().base_seq < seq).checked_sub(1)?;
        let chunks = &self.segments[segment].chunks;
        let chunk = &chunks[chunks.partition_point(|chunk| chunk.base_seq < seq).checked_sub(1)?];
        (chunk.last_seq() >= seq).then_some(&**chunk)
    }

    /// The chunks that contain commands after `after` and up to `to`.
    fn chunks_between(&self, after: u64, to: u64) -> impl Iterator<Item = &Chunk> {
        let segments = self.segments[self.segment_at(after)..].iter();
        let chunks = segments.flat_map(move |segment| {
            let from = segment.chunks.partition_point(|chunk| chunk.last_seq() <= after);
            segment.chunks[from..].iter()
        });
        chunks.map(|chunk| &**chunk).take_while(move |chunk| chunk.base_seq < to)
    }
}

fn marks_of(chunk: &Chunk, after: u64, to: u64) -> impl DoubleEndedIterator<Item = Mark> {
    chunk.marks(after, to).iter().map(|&(index, kind)| {
        let seq = chunk.base_seq + 1 + u64::from(index);
        Mark { seq, t: chunk.time_of(seq), kind }
    })
}

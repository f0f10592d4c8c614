//! Log: a match's commands with their times, growing or complete, live or recorded.

mod chunk;
mod cursor;
mod mark;
mod query;
mod trim;
mod until;

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;

use grandstand_protocol::turn::LATE_THOUGHTS_MAX;
use grandstand_protocol::{Command, Game, MatchResult, Micros, Scene};

use chunk::Chunk;
pub use cursor::Cursor;
pub use mark::Mark;

/// Whether more commands will come, and their source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Growth {
    /// The match is live; its end is the present.
    Live,
    /// A file is still being read.
    Loading,
    /// No more commands will come.
    Complete,
}

/// The end of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// The time since the match began.
    pub t: Micros,
    /// The result; `None` if the game server sent none.
    pub result: Option<MatchResult>,
}

/// The effect of an [insertion](Log::insert).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// The command was added.
    Added,
    /// The log already has a command of that number; nothing changed.
    Known,
    /// The command before it is not known, so it was refused: [`Log::gaps`] lists what is missing.
    Detached,
}

/// The commands of one match, numbered from 1, with their times and with stored scenes (keyframes) in between, so that the
/// scene after any command is a stored scene and a few commands.
///
/// A spectator keeps the same kind of log for a live match and for a recorded one. A [`Loader`](crate::Loader) fills a
/// recording's log from its file. A live log begins with the scene that the server sends first, [`Log::rebase`]s when the server
/// skips to a later scene, and may later [`insert`](Log::insert) what was missed: whatever [`Log::gaps`] lists, each gap in
/// ascending order, from a known scene on. For matches of a week or more, a log can be
/// [trimmed](Log::trim): it drops commands, which are missing from then on and may be inserted again.
///
/// A command takes about 20 bytes of memory in addition to its line. A clone shares everything but the last chunk, so that one
/// thread can fill a log and hand clones to another.
///
/// ```
/// use grandstand_protocol::{Command, Game, MarkKind, Micros};
/// use grandstand_replays::{Cursor, Inserted, Log};
///
/// let mut log = Log::live(Game::Abalone);
/// for (seq, line) in ["turns 1", "set B~2 w4", "wscore 1"].iter().enumerate() {
///     let command = Command::parse(Game::Abalone, line.as_bytes());
///     assert_eq!(log.insert(seq as u64 + 1, Micros(seq as u64 * 300_000), &command), Inserted::Added);
/// }
/// assert_eq!(log.last_seq(), 3);
/// assert_eq!(log.seq_at(Micros(400_000)), 2);
/// assert_eq!(log.line(2), Some(&b"set B~2 w4"[..]));
///
/// let mut cursor = Cursor::new(&log);
/// cursor.move_to(&log, 2);
/// assert_eq!(cursor.scene(), &log.scene_at(2));
/// let rise = log.next_mark(0, |kind| kind == MarkKind::ScoreRise).map(|mark| mark.seq);
/// assert_eq!(rise, Some(3));
/// ```
#[derive(Debug, Clone)]
pub struct Log {
    game: Game,
    growth: Growth,
    end: Option<End>,
    /// The segments in the order of their numbers; never empty. Between two of them commands are missing; the first begins at 0.
    segments: Vec<Segment>,
    /// Late thoughts, each with the number and the time of its command, in the order of the positions that they are about.
    thoughts: Vec<(u64, Micros, Command)>,
    fetched: bool,
    late: u64,
}

/// Consecutive commands after a known scene.
#[derive(Debug, Clone)]
struct Segment {
    /// Never empty. Each chunk begins where the one before it ends; the first has a keyframe.
    chunks: Vec<Arc<Chunk>>,
    /// The scene after the last command.
    head: Scene,
    /// The length of the text since the last keyframe, in bytes.
    since_keyframe: usize,
}

impl Segment {
    fn new(seq: u64, t: Micros, scene: Scene) -> Segment {
        let chunk = Chunk::new(seq, t, Some(scene.clone()));
        Segment { chunks: vec![Arc::new(chunk)], head: scene, since_keyframe: 0 }
    }

    fn first(&self) -> &Chunk {
        &self.chunks[0]
    }

    fn last(&self) -> &Chunk {
        &self.chunks[self.chunks.len() - 1]
    }

    /// Whether the segment is a single scene without commands.
    fn is_picture(&self) -> bool {
        self.last().last_seq() == self.first().base_seq
    }

    /// Appends the segment that follows directly.
    fn join(&mut self, next: Segment) {
        // A segment without commands contains only the scene after the last command here.
        if !next.is_picture() {
            let index = self.chunks.len() - 1;
            Arc::make_mut(&mut self.chunks[index]).seal();
            self.chunks.extend(next.chunks);
            (self.head, self.since_keyframe) = (next.head, next.since_keyframe);
        }
    }

    fn append(&mut self, t: Micros, line: &[u8], command: &Command) {
        let (last_seq, last_t) = (self.last().last_seq(), self.last().last_t());
        let t = t.max(last_t);
        let kind = self.head.mark(command);
        let index = self.chunks.len() - 1;
        if !Arc::make_mut(&mut self.chunks[index]).push(t, line, kind) {
            let full = Arc::make_mut(&mut self.chunks[index]);
            full.seal();
            self.since_keyframe += full.text_bytes();
            // Stored scenes must not take much more memory than the text of their commands.
            let due = 2 * self.since_keyframe >= self.head.own_bytes();
            if due {
                self.since_keyframe = 0;
            }
            let mut chunk = Chunk::new(last_seq, last_t, due.then(|| self.head.clone()));
            let pushed = chunk.push(t, line, kind);
            debug_assert!(pushed, "an empty chunk takes any line");
            self.chunks.push(Arc::new(chunk));
        }
        self.head.apply(last_seq + 1, t, command);
    }
}

impl Log {
    /// An empty log of a live match. The first insertion may be the first command or a later scene.
    pub fn live(game: Game) -> Log {
        Log::new(game, Growth::Live)
    }

    pub(crate) fn loading(game: Game) -> Log {
        Log::new(game, Growth::Loading)
    }

    fn new(game: Game, growth: Growth) -> Log {
        let segments = vec![Segment::new(0, Micros(0), Scene::new(game))];
        Log { game, growth, end: None, segments, thoughts: Vec::new(), fetched: false, late: 0 }
    }

    /// Inserts command number `seq`, which came at `t` after the match began: the next one, or a missing one
    /// directly after a known one. A time before that of the command before it counts as the same time.
    ///
    /// Insertion works in a log that is closed, too.
    pub fn insert(&mut self, seq: u64, t: Micros, command: &Command) -> Inserted {
        let mut line = Vec::new();
        command.write_bytes(&mut line);
        let Some(before) = seq.checked_sub(1) else { return Inserted::Known };
        let index = self.segment_at(before);
        match before.cmp(&self.segments[index].last().last_seq()) {
            Ordering::Less => Inserted::Known,
            Ordering::Greater => Inserted::Detached,
            Ordering::Equal => {
                let next =
                    self.segments.get(index + 1).map(|next| (next.first().base_seq, next.first().start_t));
                let latest = next.map_or(Micros::MAX, |(_, t)| t);
                self.segments[index].append(t.min(latest), &line, command);
                self.late += u64::from(next.is_some());
                self.keep_thought(seq, t, command);
                if next.is_some_and(|(begin, _)| begin == seq) {
                    let next = self.segments.remove(index + 1);
                    self.segments[index].join(next);
                }
                Inserted::Added
            }
        }
    }

    /// Appends a command at the end of the log, with its line as in a file.
    pub(crate) fn append(&mut self, t: Micros, line: &[u8], command: &Command) {
        let index = self.segments.len() - 1;
        self.segments[index].append(t, line, command);
        self.keep_thought(self.segments[index].last().last_seq(), t, command);
    }

    fn keep_thought(&mut self, seq: u64, t: Micros, command: &Command) {
        if let Some(ply) = command.late_ply()
            && self.thoughts.len() < LATE_THOUGHTS_MAX
        {
            let place =
                |(told, _, thought): &(u64, Micros, Command)| (thought.late_ply(), *told) < (Some(ply), seq);
            let at = self.thoughts.partition_point(place);
            self.thoughts.insert(at, (seq, t, command.clone()));
        }
    }

    /// Inserts a scene: the one after command `seq`, which came at `t`. Commands after it may then be
    /// [inserted](Log::insert); the commands before it are missing, unless they are there. A scene that is already known
    /// changes nothing.
    pub fn rebase(&mut self, seq: u64, t: Micros, scene: Scene) {
        if self.knows(seq) || scene.game() != self.game {
            return;
        }
        let index = self.segment_at(seq) + 1;
        let latest = self.segments.get(index).map_or(Micros::MAX, |next| next.first().start_t);
        let t = t.min(latest).max(self.segments[index - 1].last().last_t());
        self.segments.insert(index, Segment::new(seq, t, scene));
    }

    /// Closes the log at the end of the match or of the file: no further command will be appended.
    pub fn close(&mut self, end: Option<End>) {
        self.growth = Growth::Complete;
        self.end = end;
    }

    pub(crate) fn set_end(&mut self, end: End) {
        self.end = Some(end);
    }

    pub(crate) fn set_complete(&mut self) {
        self.growth = Growth::Complete;
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Whether more commands will come.
    pub fn growth(&self) -> Growth {
        self.growth
    }

    /// The end of the match; `None` for a live match, and if it is not known.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The commands that are missing below [`last_seq`](Log::last_seq), in ascending order. In a live log that began with
    /// a later scene, the commands before that scene are missing.
    pub fn gaps(&self) -> Vec<RangeInclusive<u64>> {
        let pairs = self.segments.iter().zip(&self.segments[1..]);
        pairs.map(|(a, b)| a.last().last_seq() + 1..=b.first().base_seq).collect()
    }

    /// The number of commands inserted before others that were already there. It grows when missing
    /// commands are inserted.
    pub fn late(&self) -> u64 {
        self.late
    }

    /// Whether missing commands are fetched on demand: then [playback](crate::Playback) waits for them, and otherwise
    /// it skips them.
    pub fn is_fetched(&self) -> bool {
        self.fetched
    }

    /// Sets whether missing commands [are fetched](Log::is_fetched).
    pub fn set_fetched(&mut self, fetched: bool) {
        self.fetched = fetched;
    }

    /// The last segment that begins at or before command `seq`.
    fn segment_at(&self, seq: u64) -> usize {
        self.segments.partition_point(|segment| segment.first().base_seq <= seq).saturating_sub(1)
    }
}

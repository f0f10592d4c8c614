//! Copy of a match with additional markers: a viewer's bookmarks.

use grandstand_protocol::{Command, Marker};

use crate::header::Header;
use crate::log::Log;
use crate::writer::Encoder;

/// Copies a match as a replay with additional markers: each directly after its command, at
/// the same time. The numbers of the commands after it grow by one.
///
/// The copy is made in parts, so that a page stays responsive meanwhile.
///
/// ```
/// use grandstand_protocol::{Command, Game, Marker, MatchHeader, Micros};
/// use grandstand_replays::{Header, Log, Marked};
///
/// let mut log = Log::live(Game::Abalone);
/// for (seq, line) in [(1, "turns 1"), (2, "bscore 1")] {
///     let _ = log.insert(seq, Micros(seq * 500_000), &Command::parse(Game::Abalone, line.as_bytes()));
/// }
/// let header = Header::new(Game::Abalone, MatchHeader::default());
/// let marker = Marker { label: "here".into(), ..Marker::default() };
/// let mut copy = Marked::new(&header, vec![(1, marker)]);
/// while !copy.copy(&log, 1000)? {}
/// let file = String::from_utf8(copy.into_file())?;
/// assert!(file.ends_with("[0.5,\"c\",\"turns 1\"]\n[0,\"m\",\"here\"]\n[0.5,\"c\",\"bscore 1\"]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Marked {
    /// The markers still to be inserted, the last one first.
    marks: Vec<(u64, Marker)>,
    /// The commands to omit, the last one first.
    without: Vec<u64>,
    next: u64,
    encoder: Encoder,
    file: Vec<u8>,
}

/// A command that the log lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("command {0} is missing")]
pub struct Missing(pub u64);

impl Marked {
    /// A copy that begins with this header and will have these markers. Each is paired with the command that it follows; 0 is
    /// before the first.
    pub fn new(header: &Header, mut marks: Vec<(u64, Marker)>) -> Marked {
        marks.sort_by_key(|(seq, _)| *seq);
        marks.reverse();
        let mut file = Vec::new();
        header.write_line(&mut file);
        Marked { marks, without: Vec::new(), next: 0, encoder: Encoder::new(), file }
    }

    /// Omits these commands: markers of the match that other markers replace, or that are removed.
    #[must_use]
    pub fn without(mut self, mut commands: Vec<u64>) -> Marked {
        commands.sort_unstable_by(|a, b| b.cmp(a));
        self.without = commands;
        self
    }

    /// Copies at most `commands` further commands of the log. Returns whether the copy is complete.
    ///
    /// # Errors
    /// [`Missing`] if the log lacks one of them.
    pub fn copy(&mut self, log: &Log, commands: u64) -> Result<bool, Missing> {
        let last = log.last_seq();
        let to = last.min(self.next.saturating_add(commands));
        while self.next <= to {
            if self.next > 0 {
                let command = log.command(self.next).ok_or(Missing(self.next))?;
                if self.without.pop_if(|seq| *seq <= self.next) != Some(self.next) {
                    self.encoder.command(log.time_of(self.next), &command, &mut self.file);
                }
            }
            while let Some((_, marker)) = self.marks.pop_if(|(seq, _)| *seq <= self.next) {
                let t = log.time_of(self.next);
                self.encoder.command(t, &Command::from(marker), &mut self.file);
            }
            self.next += 1;
        }
        if to < last {
            return Ok(false);
        }
        if let Some((t, result)) = log.end().and_then(|end| Some((end.t, end.result.as_ref()?))) {
            self.encoder.result(t, result, &mut self.file);
        }
        Ok(true)
    }

    /// The number of commands copied, and the number of commands in the log.
    pub fn progress(&self, log: &Log) -> (u64, u64) {
        (self.next.saturating_sub(1), log.last_seq())
    }

    /// The file, once the copy is complete.
    pub fn into_file(self) -> Vec<u8> {
        self.file
    }
}

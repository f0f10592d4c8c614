//! Open recording.

use std::sync::Arc;

use grandstand_protocol::{Command, MatchResult};

use crate::error::{Damage, Limits, OpenError};
use crate::feed::Feed;
use crate::header::Header;
use crate::log::{End, Log};
use crate::reader::{Content, ReadError, Reader};

/// A recorded match: its header and its commands, up to the first damage of the file.
#[derive(Debug, Clone)]
pub struct Replay {
    header: Header,
    log: Log,
    skipped: u64,
    damage: Option<Damage>,
    asked: Arc<[String]>,
}

impl Replay {
    /// Opens a whole file, compressed or not.
    ///
    /// # Errors
    /// [`OpenError`] if nothing of the file can be shown; later damage is in [`damage`](Replay::damage).
    pub fn open(file: &[u8], limits: Limits) -> Result<Replay, OpenError> {
        let mut loader = Loader::new(limits);
        for chunk in file.chunks(64 << 10) {
            loader.push(chunk)?;
        }
        loader.finish()
    }

    /// The first line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The commands.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The commands, without the rest of the recording.
    pub fn into_log(self) -> Log {
        self.log
    }

    /// The result of the match, if the recording contains it.
    pub fn result(&self) -> Option<&MatchResult> {
        self.log.end()?.result.as_ref()
    }

    /// The damage; `None` for a file that is intact or still being read.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// The number of lines with codes that are unknown to this version.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What bots asked for, line by line as JSON (code `q`), once the recording has been read to its end.
    pub fn bot_requests(&self) -> &Arc<[String]> {
        &self.asked
    }

    /// Moves all entries of the reader to the log, and what bots asked for to `asked`.
    fn fill(&mut self, reader: &mut Reader, asked: &mut Vec<String>) -> Result<(), ReadError> {
        while let Some(entry) = reader.next()? {
            match entry.content {
                Content::Command(line) => {
                    let command = Command::parse(self.header.game, &line);
                    self.log.append(entry.t, &line, &command);
                }
                Content::Result(result) => self.log.set_end(End { t: entry.t, result: Some(*result) }),
                Content::Asked(data) => asked.push(data.to_owned()),
                Content::Skipped => self.skipped += 1,
            }
        }
        Ok(())
    }
}

/// Opens a recording while its bytes arrive, compressed or not. The caller passes bytes in any pieces to
/// [`push`](Loader::push), and can show [`replay`](Loader::replay) as soon as the first line is complete. The first 64 KiB
/// contain a few thousand commands, and pushing them takes a few milliseconds.
///
/// ```
/// use grandstand_replays::{Growth, Limits, Loader};
///
/// let mut loader = Loader::new(Limits::default());
/// loader.push(b"{\"grandstand\":1,\"game\":\"abalone\"}\n[0.5,\"c\",\"set B~2 w4\"]\n[0.2,\"c\",\"set")?;
/// let replay = loader.replay().ok_or("the header is there")?;
/// assert_eq!((replay.log().last_seq(), replay.log().growth()), (1, Growth::Loading));
///
/// loader.push(b" B~2 e\"]\n")?;
/// let replay = loader.finish()?;
/// assert_eq!((replay.log().last_seq(), replay.log().growth()), (2, Growth::Complete));
/// assert!(replay.damage().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Loader {
    feed: Feed,
    replay: Option<Replay>,
    /// The lines of code `q`: the recording has them at its end, so that clones of it stay cheap.
    asked: Vec<String>,
    over: bool,
}

impl Loader {
    /// A loader for a new file.
    pub fn new(limits: Limits) -> Loader {
        Loader { feed: Feed::new(limits), replay: None, asked: Vec::new(), over: false }
    }

    /// Takes the next bytes of the file. After damage they are ignored.
    ///
    /// # Errors
    /// [`OpenError`] if the file can't be opened; the loader is then of no further use.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), OpenError> {
        if self.over {
            return Ok(());
        }
        self.feed.push(bytes);
        self.drain()
    }

    /// The open part of the recording; `None` until the first line is complete. A [clone](Replay) of it is cheap.
    pub fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    /// Whether the file is damaged, so that further bytes are ignored.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Ends the input and returns the recording.
    ///
    /// # Errors
    /// [`OpenError`] if the file can't be opened.
    pub fn finish(mut self) -> Result<Replay, OpenError> {
        if !self.over {
            self.feed.finish();
            self.drain()?;
        }
        let mut replay = self.replay.ok_or(OpenError::Empty)?;
        replay.log.set_complete();
        replay.asked = self.asked.into();
        Ok(replay)
    }

    /// Processes all input that is complete.
    fn drain(&mut self) -> Result<(), OpenError> {
        let error = loop {
            if let Err(error) = self.take() {
                break error;
            }
            match self.feed.pump() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) => break error,
            }
        };
        self.over = true;
        match (error, &mut self.replay) {
            (ReadError::Damage(damage), Some(replay)) => {
                replay.damage = Some(damage);
                Ok(())
            }
            (ReadError::Open(error), _) => Err(error),
            // Damage can only come after the header.
            (ReadError::Damage(damage), None) => Err(OpenError::Header(damage.to_string())),
        }
    }

    fn take(&mut self) -> Result<(), ReadError> {
        let reader = &mut self.feed.reader;
        reader.read_header()?;
        if self.replay.is_none()
            && let Some(header) = reader.header()
        {
            let log = Log::loading(header.game);
            self.replay =
                Some(Replay { header: header.clone(), log, skipped: 0, damage: None, asked: Arc::default() });
        }
        match &mut self.replay {
            Some(replay) => replay.fill(reader, &mut self.asked),
            None => Ok(()),
        }
    }
}

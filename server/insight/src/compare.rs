//! What is drawn when a match is played again, compared with its recording, line by line.

use grandstand_matches::StampedCommand;
use grandstand_protocol::Command;
use grandstand_replays::Log;

/// How far a match that is played again is the one of the recording.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// How many commands were drawn and recorded alike.
    pub same: u64,
    /// The first that was not, if there is one. Nothing is played after it.
    pub difference: Option<Difference>,
    /// The cycle from which on the recording has nothing more, though the match goes on: it was cut.
    pub cut: Option<u64>,
}

/// Where a match that is played again parts from its recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the command in the recording.
    pub seq: u64,
    /// The cycle.
    pub cycle: u64,
    /// What the recording has; `None` when it has nothing more.
    pub recorded: Option<String>,
    /// What was drawn; `None` when the match was over.
    pub drawn: Option<String>,
    /// The versions that differ, where the recording says which drew it.
    pub versions: Option<String>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seq, cycle, recorded, drawn, versions } = self;
        let quoted =
            |line: &Option<String>| line.as_ref().map_or("nothing".to_owned(), |line| format!("`{line}`"));
        write!(
            f,
            "the match parts from its recording in cycle {cycle}: command {seq} is {} there, and {} was drawn",
            quoted(recorded),
            quoted(drawn)
        )?;
        match versions {
            Some(versions) => write!(f, " ({versions})"),
            None => f.write_str(" (nothing in the recording says that another version drew it)"),
        }
    }
}

/// A recording that commands are compared with.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// `None` where there is none.
    log: Option<Log>,
    /// Whether the recording has the end of its match.
    whole: bool,
    versions: Option<String>,
    /// The last command that was looked at.
    seq: u64,
    /// The cycle of each command of the recording that was looked at.
    cycles: Vec<u64>,
    pub(crate) compared: Compared,
}

/// Markers, overlays and lines that nobody understood may come from others than the match.
fn is_compared(command: &Command) -> bool {
    !matches!(command, Command::Marker(_) | Command::Overlay(_) | Command::Unknown(_))
}

impl Comparison {
    pub(crate) fn new(log: Option<Log>, whole: bool, versions: Option<String>) -> Self {
        Self { log, whole, versions, seq: 0, cycles: Vec::new(), compared: Compared::default() }
    }

    /// The next command of the recording that counts: its number and its line.
    fn next(&mut self, cycle: u64) -> Option<(u64, String)> {
        let log = self.log.as_ref()?;
        while self.seq < log.last_seq() {
            self.seq += 1;
            self.cycles.push(cycle);
            if let (Some(command), Some(line)) = (log.command(self.seq), log.line(self.seq))
                && is_compared(&command)
            {
                return Some((self.seq, String::from_utf8_lossy(line).into_owned()));
            }
        }
        None
    }

    /// Compares what was drawn next.
    pub(crate) fn take(&mut self, commands: &[StampedCommand]) {
        if self.log.is_none() {
            return;
        }
        for StampedCommand { tick, command } in commands {
            if self.compared.difference.is_some() || self.compared.cut.is_some() {
                return;
            }
            if !is_compared(command) {
                continue;
            }
            let drawn = command.to_line();
            match self.next(*tick) {
                Some((_, line)) if line == drawn => self.compared.same += 1,
                Some((seq, line)) => self.differs(seq, *tick, Some(line), Some(drawn)),
                None if self.whole => self.differs(self.seq + 1, *tick, None, Some(drawn)),
                None => self.compared.cut = Some(*tick),
            }
        }
    }

    /// The match is over: the recording must be too.
    pub(crate) fn finish(&mut self, cycle: u64) {
        if self.compared.difference.is_none()
            && self.compared.cut.is_none()
            && let Some((seq, line)) = self.next(cycle)
        {
            self.differs(seq, cycle, Some(line), None);
        }
    }

    fn differs(&mut self, seq: u64, cycle: u64, recorded: Option<String>, drawn: Option<String>) {
        let versions = self.versions.clone();
        self.compared.difference = Some(Difference { seq, cycle, recorded, drawn, versions });
    }

    /// How much of the recording has been looked at, from 0 to 1; 0 where there is none.
    pub(crate) fn progress(&self) -> f32 {
        let last = self.log.as_ref().map_or(0, Log::last_seq);
        self.seq as f32 / last.max(1) as f32
    }

    /// The cycle in which a command of the recording was drawn, as far as has been played.
    pub(crate) fn cycle_of(&self, seq: u64) -> Option<u64> {
        match seq {
            0 => Some(0),
            _ => self.cycles.get(usize::try_from(seq - 1).ok()?).copied(),
        }
    }

    /// The last command of the recording that was drawn by the end of a cycle.
    pub(crate) fn seq_at(&self, cycle: u64) -> u64 {
        self.cycles.partition_point(|&drawn| drawn <= cycle) as u64
    }
}

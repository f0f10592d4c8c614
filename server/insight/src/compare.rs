//! Comparison of a replayed match with its recording, line by line.

use grandstand_matches::StampedCommand;
use grandstand_replays::Log;

/// Result of the comparison so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compared {
    /// Number of commands that are equal.
    pub same: u64,
    /// The first difference. Nothing is played after it.
    pub difference: Option<Difference>,
    /// Cycle at which the recording breaks off while the match goes on.
    pub cut: Option<u64>,
}

/// The first difference between a replayed match and its recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Number of the command in the recording.
    pub seq: u64,
    /// Cycle in which it was drawn.
    pub cycle: u64,
    /// The recorded line; `None` if the recording has no more.
    pub recorded: Option<String>,
    /// The drawn line; `None` if the match was over.
    pub drawn: Option<String>,
    /// The versions that differ, if the recording names the one that drew it.
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

/// The recording, and the state of its comparison.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// `None` for a match without a recording.
    log: Option<Log>,
    /// Whether the recording contains the end of its match.
    whole: bool,
    versions: Option<String>,
    /// Number of the last command that was compared.
    seq: u64,
    /// Cycle of each compared command.
    cycles: Vec<u64>,
    pub(crate) compared: Compared,
}

impl Comparison {
    pub(crate) fn new(log: Option<Log>, whole: bool, versions: Option<String>) -> Self {
        Self { log, whole, versions, seq: 0, cycles: Vec::new(), compared: Compared::default() }
    }

    /// The next recorded command that is compared: its number and its line.
    fn next(&mut self, cycle: u64) -> Option<(u64, String)> {
        let log = self.log.as_ref()?;
        while self.seq < log.last_seq() {
            self.seq += 1;
            self.cycles.push(cycle);
            if let (Some(command), Some(line)) = (log.command(self.seq), log.line(self.seq))
                && command.is_dialect()
            {
                return Some((self.seq, String::from_utf8_lossy(line).into_owned()));
            }
        }
        None
    }

    /// Compares the next drawn commands.
    pub(crate) fn take(&mut self, commands: &[StampedCommand]) {
        if self.log.is_none() {
            return;
        }
        for StampedCommand { tick, command } in commands {
            if self.compared.difference.is_some() || self.compared.cut.is_some() {
                return;
            }
            if !command.is_dialect() {
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

    /// Checks that the recording ends with the match.
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

    /// Compared share of the recording, from 0 to 1; 0 without a recording.
    pub(crate) fn progress(&self) -> f32 {
        let last = self.log.as_ref().map_or(0, Log::last_seq);
        self.seq as f32 / last.max(1) as f32
    }

    /// Cycle in which a recorded command was drawn, if it has been played.
    pub(crate) fn cycle_of(&self, seq: u64) -> Option<u64> {
        match seq {
            0 => Some(0),
            _ => self.cycles.get(usize::try_from(seq - 1).ok()?).copied(),
        }
    }

    /// Number of the last recorded command drawn by the end of a cycle.
    pub(crate) fn seq_at(&self, cycle: u64) -> u64 {
        self.cycles.partition_point(|&drawn| drawn <= cycle) as u64
    }
}

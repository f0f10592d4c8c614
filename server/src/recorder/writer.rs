//! Writer thread of the recorder.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use grandstand_protocol::Micros;
use grandstand_protocol::message::{MatchId, MatchState};

use super::open_file::OpenFile;
use super::quota::{Quota, WriteRequest};
use super::write_queue::{FinalState, Position, Waiting, WorkList, WorkListState, WriteQueue};
use super::{OnDone, RecordingOutcome};
use crate::config::HistoryLimits;
use crate::locked::Locked as _;
use crate::metrics::Metrics;
use crate::recordings::directory::Directory;
use crate::recordings::{CutReason, RecordingEnd, Recordings};

/// Time for which lines are collected, so that a fast match costs a few hundred writes a second at most.
const PAUSE: Duration = Duration::from_millis(4);
/// Empty rounds before the thread parks: waking it costs the game's thread more than the rounds cost this one.
const IDLE_ROUNDS: u32 = 100;
/// Interval of the checks whether the directory still exists.
const LOOK: Duration = Duration::from_secs(1);

pub(super) struct Writer {
    recordings: Arc<Recordings>,
    work: Arc<WorkList>,
    metrics: Arc<Metrics>,
    on_done: OnDone,
    quota: Quota,
    files: HashMap<MatchId, OpenFile>,
    looked: Instant,
    /// The directory is gone.
    gone: bool,
    /// The last logged reason for which nothing is recorded.
    said: Option<CutReason>,
}

impl Writer {
    pub(super) fn new(
        recordings: Arc<Recordings>,
        limits: HistoryLimits,
        work: Arc<WorkList>,
        metrics: Arc<Metrics>,
        on_done: OnDone,
    ) -> Self {
        let (quota, files, looked) = (Quota::new(limits), HashMap::new(), Instant::now());
        Self { recordings, work, metrics, on_done, quota, files, looked, gone: false, said: None }
    }

    pub(super) fn run(mut self) {
        let recordings = self.recordings.clone();
        let Some(directory) = recordings.directory() else { return };
        self.measure(directory);
        let mut idle = 0;
        loop {
            let (dirty, stop) = self.take(idle >= IDLE_ROUNDS);
            if dirty.is_empty() && stop {
                return;
            }
            self.look(directory);
            idle = if dirty.is_empty() { idle + 1 } else { 0 };
            for queue in dirty {
                self.serve(&queue, directory);
            }
            self.say(directory);
            if !stop {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// The queues with work, and whether to stop. With `park`, waits a while for either.
    fn take(&self, park: bool) -> (Vec<Arc<WriteQueue>>, bool) {
        let mut state = self.work.state.locked();
        if park {
            state.parked = true;
            let nothing = |s: &mut WorkListState| s.dirty.is_empty() && !s.stop;
            let waited = self.work.wake.wait_timeout_while(state, LOOK, nothing);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.parked = false;
        }
        (std::mem::take(&mut state.dirty), state.stop)
    }

    fn measure(&self, directory: &Directory) {
        if let Err(error) = directory.measure() {
            tracing::warn!(directory = %directory.path().display(), %error, "the recordings can't be added up");
        }
    }

    /// Checks at intervals whether the directory is gone or back.
    fn look(&mut self, directory: &Directory) {
        if !directory.is_ours() || self.looked.elapsed() < LOOK {
            return;
        }
        self.looked = Instant::now();
        if self.gone {
            if directory.is_back() && self.reopen(directory) {
                self.gone = false;
            }
        } else if !directory.is_there() {
            self.gone = true;
            // The open files are gone or were moved: their recordings end.
            let recorded = self.files.values().filter(|open| open.cut.is_none());
            let queues: Vec<_> = recorded.map(|open| open.queue.clone()).collect();
            queues.iter().for_each(|queue| self.cut(queue, CutReason::Directory, directory));
        }
    }

    fn reopen(&self, directory: &Directory) -> bool {
        match self.recordings.reopen() {
            Ok(()) => {
                self.measure(directory);
                directory.is_ours()
            }
            Err(error) => {
                tracing::debug!(%error, "the data directory is back and can't be used");
                false
            }
        }
    }

    /// Logs each change of the reason for which nothing is recorded.
    fn say(&mut self, directory: &Directory) {
        let why = if self.gone { Some(CutReason::Directory) } else { self.quota.is_full() };
        self.metrics.recording.set(u64::from(why.is_none() && directory.is_ours()));
        self.metrics.data_bytes.set(directory.used());
        if why == self.said {
            return;
        }
        let path = directory.path().display();
        match why {
            None => tracing::info!(directory = %path, "matches are recorded again"),
            Some(CutReason::Directory) => {
                tracing::error!(directory = %path, "the data directory is gone: nothing is recorded until it is back");
            }
            Some(cut) => {
                let limit = cut.name();
                tracing::error!(directory = %path, used = directory.used(), limit, "the data directory is full: nothing is recorded until there is room");
            }
        }
        self.said = why;
    }

    /// Writes the queue of one match.
    fn serve(&mut self, queue: &Arc<WriteQueue>, directory: &Directory) {
        let taken = {
            let mut waiting = queue.waiting.locked();
            let position = waiting.position.clone();
            std::mem::replace(&mut *waiting, Waiting { position, ..Waiting::default() })
        };
        let size = taken.bytes.len() as u64;
        let cut = if taken.slow { Err(CutReason::Slow) } else { self.write(queue, &taken, directory) };
        if let Err(cut) = cut {
            self.cut(queue, cut, directory);
        }
        if let Some(end) = taken.end {
            self.end(queue, &end);
        }
        self.work.unwritten.fetch_sub(size, Ordering::Relaxed);
    }

    /// Writes lines, within the quotas.
    fn write(
        &mut self,
        queue: &Arc<WriteQueue>,
        taken: &Waiting,
        directory: &Directory,
    ) -> Result<(), CutReason> {
        let Waiting { bytes, position, restart, .. } = taken;
        if bytes.is_empty() || queue.failed() {
            return Ok(());
        }
        if self.gone {
            return Err(CutReason::Directory);
        }
        let opened = self.files.get(&queue.id);
        let (new, size) = (opened.is_none(), bytes.len() as u64);
        let held = opened.map_or(0, |open| open.len);
        let (held, replaced) = if *restart { (0, held) } else { (held, 0) };
        directory.shrank(replaced);
        let wanted = WriteRequest { peer: queue.peer, bytes: size, held, new };
        if let Err(cut) = self.quota.take(wanted, directory, Instant::now()) {
            // The file stays as it is.
            directory.grew(replaced);
            return Err(cut);
        }
        self.write_file(queue, bytes, position, *restart, directory).map_err(|error| {
            let path = directory.path().display();
            tracing::error!(id = %queue.id, directory = %path, %error, "can't record: the match goes on without");
            CutReason::Disk
        })?;
        queue.written.store(position.encoder.seq() + 1, Ordering::Release);
        self.metrics.recorder_bytes.add(size);
        self.metrics.recorder_writes.add(1);
        Ok(())
    }

    fn write_file(
        &mut self,
        queue: &Arc<WriteQueue>,
        bytes: &[u8],
        position: &Position,
        restart: bool,
        directory: &Directory,
    ) -> io::Result<()> {
        let open = match self.files.entry(queue.id.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => place.insert(OpenFile::create(queue.clone(), directory)?),
        };
        if restart {
            open.restart()?;
        }
        open.write(bytes)?;
        open.position = position.clone();
        Ok(())
    }

    /// Ends a recording early: its file gets no more commands, and a line with the reason. A file without a line is removed.
    fn cut(&mut self, queue: &WriteQueue, cut: CutReason, directory: &Directory) {
        let mut commands = 0;
        if let Some(open) = self.files.get_mut(&queue.id).filter(|open| open.len > 0) {
            commands = open.position.encoder.seq();
            open.cut = Some(cut);
            let mut line = Vec::new();
            RecordingEnd { state: MatchState::Interrupted, seq: commands, cut: open.cut }
                .write_line(Micros(0), &mut line);
            // If this write fails too, the failure of the disk was logged already.
            let _ = open.write(&line);
        } else if self.files.remove(&queue.id).is_some() && !self.gone {
            // If this fails too, readers say that the file is empty.
            let _ = fs::remove_file(directory.file(&queue.id, ".replay"));
        }
        self.metrics.recordings_cut[cut as usize].add(1);
        if matches!(cut, CutReason::Slow | CutReason::Disk | CutReason::Directory) {
            self.metrics.recorder_failures.add(1);
        }
        queue.failed.store(true, Ordering::Release);
        tracing::warn!(id = %queue.id, reason = cut.name(), commands, "a match goes on and is recorded no further");
    }

    /// Ends the file of a match that is over.
    fn end(&mut self, queue: &WriteQueue, end: &FinalState) {
        let outcome = match self.files.remove(&queue.id) {
            None => RecordingOutcome::Lost,
            Some(mut open) => {
                let commands = open.position.encoder.seq();
                match (open.end(end), open.cut) {
                    (Ok(()), None) => RecordingOutcome::Whole,
                    (_, Some(CutReason::Directory)) => RecordingOutcome::Lost,
                    (Ok(()), Some(_)) => RecordingOutcome::Cut(commands),
                    (Err(error), _) => {
                        self.metrics.recorder_failures.add(1);
                        tracing::error!(id = %queue.id, %error, "a recording stays without its end");
                        RecordingOutcome::Cut(commands)
                    }
                }
            }
        };
        if outcome != RecordingOutcome::Whole {
            queue.failed.store(true, Ordering::Release);
        }
        (self.on_done)(&queue.id, outcome);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::{Arc, Mutex, mpsc};
    use std::time::{Duration, Instant};

    use grandstand_protocol::message::{MatchId, MatchState};
    use grandstand_protocol::{Command, Game, MatchHeader, Micros};
    use tempfile::TempDir;

    use crate::config::HistoryLimits;
    use crate::limits::memory::MemoryBudget;
    use crate::locked::Locked as _;
    use crate::metrics::Metrics;
    use crate::recorder::{Recorder, RecordingOutcome};
    use crate::recordings::Recordings;

    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// A recorder, and the receiver of its outcomes.
    fn recorder(
        directory: &TempDir,
        limits: HistoryLimits,
        metrics: &Arc<Metrics>,
    ) -> (Recorder, mpsc::Receiver<(String, RecordingOutcome)>) {
        let (sender, done) = mpsc::channel();
        let sender = Mutex::new(sender);
        let on_done = Box::new(move |id: &MatchId, outcome| {
            let told = sender.lock().map(|sender| sender.send((id.to_string(), outcome)));
            told.expect("the test's lock").expect("the test listens");
        });
        let recordings =
            Recordings::open(Some(directory.path()), &limits, MemoryBudget::new(1 << 20), metrics.clone())
                .expect("a library");
        let recorder = Recorder::start(Arc::new(recordings), limits, metrics.clone(), on_done);
        (recorder.expect("a thread"), done)
    }

    fn commands(count: usize) -> Vec<Command> {
        vec![Command::parse(Game::Abalone, b"turns 1"); count]
    }

    #[test]
    fn a_full_disk_ends_one_recording_and_not_the_others() {
        let directory = tempfile::tempdir().unwrap();
        // Every write to this file fails for lack of space.
        std::os::unix::fs::symlink("/dev/full", directory.path().join("full.replay")).unwrap();
        let metrics = Arc::new(Metrics::default());
        let (recorder, done) = recorder(&directory, HistoryLimits::default(), &metrics);
        let mut queues = Vec::new();
        for id in ["full", "good"] {
            let mut recording = recorder.record(id.parse().unwrap(), HERE);
            recording.header(Game::Abalone, &MatchHeader::default());
            recording.append(Micros(5), &commands(1));
            queues.push(recording.queue().clone());
            recording.finish(Micros(9), MatchState::Finished, None);
        }
        recorder.stop();
        let mut ends: Vec<(String, RecordingOutcome)> = done.try_iter().collect();
        ends.sort_by(|(a, _), (b, _)| a.cmp(b));
        assert_eq!(
            ends,
            [("full".to_owned(), RecordingOutcome::Lost), ("good".to_owned(), RecordingOutcome::Whole)]
        );
        assert!(queues[0].failed() && !queues[1].failed() && queues[1].has(1) && !queues[1].has(2));
        assert_eq!(metrics.recorder_failures.get(), 1);
        // No file without a line stays.
        assert!(!directory.path().join("full.replay").is_symlink());
        let text = std::fs::read_to_string(directory.path().join("good.replay")).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            ["[0.000005,\"c\",\"turns 1\"]", "[0.000004,\"e\",{\"state\":\"finished\",\"seq\":1}]"]
        );
    }

    #[test]
    fn a_file_that_may_not_be_restarted_counts_as_it_is() {
        let path = tempfile::tempdir().unwrap();
        let limits = HistoryLimits { recording: 300, ..HistoryLimits::default() };
        let recordings =
            Recordings::open(Some(path.path()), &limits, MemoryBudget::new(1 << 20), Arc::default());
        let recordings = Arc::new(recordings.unwrap());
        let recorder =
            Recorder::start(recordings.clone(), limits, Arc::default(), Box::new(|_, _| {})).unwrap();
        let mut recording = recorder.record("long".parse().unwrap(), HERE);
        let title =
            |length| MatchHeader { title: "\u{1f0a1}".repeat(length).into(), ..MatchHeader::default() };
        recording.header(Game::Abalone, &title(10));
        wait_until(|| recorder.unwritten() == 0);
        let directory = recordings.directory().unwrap();
        let used = directory.used();
        recording.header(Game::Abalone, &title(100));
        wait_until(|| recording.queue().failed());
        recorder.stop();
        assert!(directory.used() >= used, "{} of {used}", directory.used());
    }

    #[test]
    fn a_disk_that_is_too_slow_is_given_up_and_the_file_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let limits = HistoryLimits { unwritten_bytes: 1000, ..HistoryLimits::default() };
        let (recorder, done) = recorder(&directory, limits, &Arc::default());
        let mut recording = recorder.record("slow".parse().unwrap(), HERE);
        recording.header(Game::Abalone, &MatchHeader::default());
        recording.append(Micros(5), &commands(1));
        wait_until(|| recording.queue().has(1));
        recording.append(Micros(7), &commands(100));
        assert!(recording.queue().failed());
        recording.append(Micros(8), &commands(1));
        recording.finish(Micros(9), MatchState::Finished, None);
        recorder.stop();
        assert_eq!(done.try_iter().collect::<Vec<_>>(), [("slow".to_owned(), RecordingOutcome::Cut(1))]);
        assert_eq!(recorder.unwritten(), 0);
        let text = std::fs::read_to_string(directory.path().join("slow.replay")).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "[0.000005,\"c\",\"turns 1\"]",
                "[0,\"e\",{\"state\":\"interrupted\",\"seq\":1,\"cut\":\"unwritten-bytes\"}]",
                "[0.000004,\"e\",{\"state\":\"finished\",\"seq\":1,\"cut\":\"unwritten-bytes\"}]"
            ]
        );
    }

    #[test]
    fn when_much_waits_altogether_those_that_have_little_are_spared() {
        let directory = tempfile::tempdir().unwrap();
        let limits = HistoryLimits { unwritten_total: 300 * 1024, ..HistoryLimits::default() };
        let (recorder, _done) = recorder(&directory, limits, &Arc::default());
        // The thread is held up by a lock that this test holds.
        let [mut first, mut second, mut small] = ["a", "b", "c"].map(|id| {
            let mut recording = recorder.record(id.parse().unwrap(), HERE);
            recording.header(Game::Abalone, &MatchHeader::default());
            recording
        });
        let blocking = recorder.record("blocking".parse().unwrap(), HERE);
        let queue = blocking.queue().clone();
        let held = queue.waiting.locked();
        recorder.work.add(&queue);
        wait_until(|| recorder.work.state.locked().dirty.is_empty());
        first.append(Micros(1), &commands(20_000));
        assert!(recorder.unwritten() > 300 * 1024 && !first.queue().failed());
        small.append(Micros(1), &commands(10));
        second.append(Micros(1), &commands(10_000));
        assert!(second.queue().failed() && !small.queue().failed() && !first.queue().failed());
        drop(held);
        recorder.stop();
        assert!(small.queue().has(10) && first.queue().has(20_000));
    }

    fn wait_until(condition: impl Fn() -> bool) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !condition() {
            assert!(Instant::now() < deadline, "it does not come true");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

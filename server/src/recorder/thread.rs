//! The thread that writes.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::Duration;

use grandstand_protocol::message::MatchId;

use super::{OnDone, Queue, Tape};
use crate::metrics::Metrics;

/// How long lines wait for company, so that a fast match costs a few hundred writes a second at most.
const PAUSE: Duration = Duration::from_millis(4);
/// Pauses without a line before the thread has itself woken: waking it costs the game's thread more than the pauses
/// cost this one.
const IDLE_ROUNDS: u32 = 100;

pub(super) struct Worker {
    directory: PathBuf,
    queue: Arc<Queue>,
    metrics: Arc<Metrics>,
    on_done: OnDone,
    files: HashMap<MatchId, Open>,
}

struct Open {
    file: File,
    /// Bytes that are whole lines.
    len: u64,
}

impl Worker {
    pub(super) fn new(directory: PathBuf, queue: Arc<Queue>, metrics: Arc<Metrics>, on_done: OnDone) -> Self {
        Self { directory, queue, metrics, on_done, files: HashMap::new() }
    }

    pub(super) fn run(mut self) {
        let mut idle = 0;
        loop {
            let (dirty, stop) = self.take(idle >= IDLE_ROUNDS);
            if dirty.is_empty() && stop {
                return;
            }
            idle = if dirty.is_empty() { idle + 1 } else { 0 };
            for tape in dirty {
                self.write(&tape);
            }
            if !stop {
                std::thread::sleep(PAUSE);
            }
        }
    }

    /// What there is to write, and whether to stop. With `park`, waits for the one or the other.
    fn take(&self, park: bool) -> (Vec<Arc<Tape>>, bool) {
        let mut state = self.queue.lock();
        if park {
            state.parked = true;
            let nothing = |s: &mut super::QueueState| s.dirty.is_empty() && !s.stop;
            state = self.queue.wake.wait_while(state, nothing).unwrap_or_else(PoisonError::into_inner);
            state.parked = false;
        }
        (std::mem::take(&mut state.dirty), state.stop)
    }

    fn write(&mut self, tape: &Tape) {
        let (bytes, seq, anew, done) = {
            let mut waiting = tape.lock();
            waiting.queued = false;
            let anew = std::mem::replace(&mut waiting.anew, false);
            (std::mem::take(&mut waiting.bytes), waiting.seq, anew, waiting.done)
        };
        if !tape.failed() {
            match self.write_file(&tape.id, &bytes, anew, done) {
                Ok(()) => {
                    tape.written.store(seq + 1, Ordering::Release);
                    self.metrics.recorder_bytes.add(bytes.len() as u64);
                    self.metrics.recorder_writes.add(1);
                }
                Err(error) => {
                    tape.failed.store(true, Ordering::Release);
                    self.metrics.recorder_failures.add(1);
                    tracing::error!(
                        id = %tape.id, directory = %self.directory.display(), %error,
                        "can't record: the match goes on without"
                    );
                }
            }
        }
        if tape.failed() {
            self.files.remove(&tape.id);
        }
        if done {
            self.files.remove(&tape.id);
            (self.on_done)(&tape.id, !tape.failed());
        }
    }

    fn write_file(&mut self, id: &MatchId, bytes: &[u8], anew: bool, done: bool) -> io::Result<()> {
        if !self.files.contains_key(id) {
            let path = self.directory.join(format!("{id}.replay"));
            let file = OpenOptions::new().create(true).truncate(true).write(true).open(path)?;
            self.files.insert(id.clone(), Open { file, len: 0 });
        }
        let Some(open) = self.files.get_mut(id) else { return Ok(()) };
        if anew {
            open.file.set_len(0)?;
            open.file.seek(SeekFrom::Start(0))?;
            open.len = 0;
        }
        if let Err(error) = open.file.write_all(bytes) {
            // A full disk may have taken part of a line: what is there is to end with a whole one.
            let _ = open.file.set_len(open.len);
            return Err(error);
        }
        open.len += bytes.len() as u64;
        if done {
            open.file.sync_data()?;
        }
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, mpsc};

    use grandstand_protocol::message::{MatchId, MatchState};
    use grandstand_protocol::{Command, Game, MatchHeader, Micros};

    use crate::config::HistoryLimits;
    use crate::metrics::Metrics;
    use crate::recorder::Recorder;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("grandstand-recorder-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a directory for the test");
        path
    }

    #[test]
    fn a_full_disk_ends_one_recording_and_not_the_others() {
        let directory = directory("full");
        // Whatever is written to this file finds no space.
        std::os::unix::fs::symlink("/dev/full", directory.join("full.replay")).unwrap();
        let (sender, done) = mpsc::channel();
        let sender = Mutex::new(sender);
        let metrics = Arc::new(Metrics::default());
        let on_done = Box::new(move |id: &MatchId, whole| {
            sender.lock().unwrap().send((id.to_string(), whole)).unwrap()
        });
        let recorder =
            Recorder::start(&directory, HistoryLimits::default(), metrics.clone(), on_done).unwrap();
        let mut tapes = Vec::new();
        for id in ["full", "good"] {
            let mut recording = recorder.record(id.parse().unwrap());
            recording.header(Game::Abalone, &MatchHeader::default());
            recording.append(Micros(5), &[Command::parse(Game::Abalone, b"turns 1")]);
            tapes.push(recording.tape().clone());
            recording.finish(Micros(9), 1, MatchState::Finished, None);
        }
        recorder.stop();
        let mut ends: Vec<(String, bool)> = done.try_iter().collect();
        ends.sort();
        assert_eq!(ends, [("full".to_owned(), false), ("good".to_owned(), true)]);
        assert!(tapes[0].failed() && !tapes[1].failed() && tapes[1].has(1) && !tapes[1].has(2));
        assert_eq!(metrics.recorder_failures.get(), 1);
        let text = std::fs::read_to_string(directory.join("good.replay")).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            ["[0.000005,\"c\",\"turns 1\"]", "[0.000004,\"e\",{\"state\":\"finished\",\"seq\":1}]"]
        );
        std::fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn a_disk_that_is_too_slow_is_given_up() {
        let directory = directory("slow");
        let limits = HistoryLimits { unwritten_bytes: 1000, ..HistoryLimits::default() };
        let recorder = Recorder::start(&directory, limits, Arc::default(), Box::new(|_, _| {})).unwrap();
        let mut recording = recorder.record("slow".parse().unwrap());
        let commands = vec![Command::parse(Game::Abalone, b"turns 1"); 100];
        recording.append(Micros(5), &commands);
        assert!(recording.tape().failed());
        assert!(!recording.finish(Micros(9), 100, MatchState::Finished, None));
        recorder.stop();
        std::fs::remove_dir_all(directory).unwrap();
    }
}

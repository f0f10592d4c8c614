//! Tones on a desktop, played by another program that nearly every desktop has. So neither the build nor the start of
//! the spectator needs the system's sound library.
//!
//! A thread starts a program for each tone and writes bare samples to it: some versions of these programs can't read a
//! file header from a pipe.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

use super::{Player, State, Tone};

/// Programs in order of preference, with their arguments for 16-bit samples, one channel, [`RATE`] a second.
///
/// [`RATE`]: super::tone::RATE
const PROGRAMS: [(&str, &[&str]); 3] = [
    ("paplay", &["--raw", "--format=s16le", "--rate=44100", "--channels=1"]),
    ("pw-play", &["--format=s16", "--rate=44100", "--channels=1", "-"]),
    ("aplay", &["-q", "-t", "raw", "-f", "S16_LE", "-r", "44100", "-c", "1", "-"]),
];

/// Number of tones heard at once at most.
const AT_ONCE: usize = 4;
/// Number of tones that wait for the thread at most.
const WAITING: usize = 4;
/// Time after which a program is killed.
const LONGEST: Duration = Duration::from_secs(4);
/// Interval of checks on running programs.
const LOOK: Duration = Duration::from_millis(100);

/// The programs of this machine that play tones.
#[derive(Debug)]
pub(super) struct Programs {
    tones: Option<SyncSender<Vec<u8>>>,
    troubles: Receiver<String>,
    trouble: Option<String>,
}

impl Programs {
    /// Searches the folders of a `PATH`.
    pub(super) fn find(path: Option<&OsStr>) -> Programs {
        let folders: Vec<PathBuf> =
            path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
        let found: VecDeque<Program> = PROGRAMS
            .into_iter()
            .filter_map(|(name, arguments)| {
                let file = folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())?;
                Some(Program { name, file, arguments })
            })
            .collect();
        let (troubled, troubles) = channel();
        let mut programs = Programs { tones: None, troubles, trouble: None };
        if found.is_empty() {
            programs.trouble = Some(format!("no player found ({})", names(PROGRAMS.map(|(name, _)| name))));
            return programs;
        }
        let (tones, queue) = sync_channel(WAITING);
        let work = move || Desk { programs: found, playing: Vec::new(), troubled }.serve(&queue);
        match std::thread::Builder::new().name("sound".to_owned()).spawn(work) {
            Ok(_) => programs.tones = Some(tones),
            Err(error) => programs.trouble = Some(format!("no thread for it ({error})")),
        }
        programs
    }
}

impl Player for Programs {
    fn play(&mut self, tone: Tone, loudness: f32) {
        let Some(tones) = &self.tones else { return };
        let samples = tone.samples(loudness).into_iter();
        let bytes = samples.flat_map(|sample| ((sample * f32::from(i16::MAX)) as i16).to_le_bytes());
        // A tone is dropped if the programs don't keep up.
        let _ = tones.try_send(bytes.collect());
    }

    fn state(&mut self) -> State {
        if let Ok(trouble) = self.troubles.try_recv() {
            (self.trouble, self.tones) = (Some(trouble), None);
        }
        self.trouble.clone().map_or(State::Ready, State::Failed)
    }
}

/// `a, b or c`
fn names<const N: usize>(names: [&str; N]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[derive(Debug)]
struct Program {
    name: &'static str,
    file: PathBuf,
    arguments: &'static [&'static str],
}

/// State of the thread.
#[derive(Debug)]
struct Desk {
    /// Programs that have not failed.
    programs: VecDeque<Program>,
    playing: Vec<(Child, Instant)>,
    troubled: Sender<String>,
}

impl Desk {
    /// Plays tones until the sender is dropped.
    fn serve(mut self, queue: &Receiver<Vec<u8>>) {
        let mut tried = Vec::new();
        loop {
            let pause = if self.playing.is_empty() { Duration::from_secs(3600) } else { LOOK };
            match queue.recv_timeout(pause) {
                Ok(samples) if self.playing.len() < AT_ONCE => self.start(samples, &mut tried),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            self.look_after(&mut tried);
            if self.programs.is_empty() {
                let _ = self.troubled.send(format!("{} can't play here", tried.join(" and ")));
                return;
            }
        }
    }

    fn start(&mut self, samples: Vec<u8>, tried: &mut Vec<&'static str>) {
        while let Some(program) = self.programs.front() {
            let child = Command::new(&program.file)
                .args(program.arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn();
            if let Ok(mut child) = child {
                // A pipe's buffer may be smaller than a tone, and a program may not read. So a thread writes; it ends
                // with the program at the latest. The exit status shows a program that ended early.
                if let Some(mut pipe) = child.stdin.take() {
                    let feed = move || drop(pipe.write_all(&samples));
                    let _ = std::thread::Builder::new().name("tone".to_owned()).spawn(feed);
                }
                self.playing.push((child, Instant::now()));
                return;
            }
            self.give_up(tried);
        }
    }

    /// Drops the program in use after a failure; the next one is used from now on.
    fn give_up(&mut self, tried: &mut Vec<&'static str>) {
        if let Some(program) = self.programs.pop_front() {
            tried.push(program.name);
        }
    }

    /// Removes the programs that have ended, and kills those that take too long.
    fn look_after(&mut self, tried: &mut Vec<&'static str>) {
        let mut failed = false;
        self.playing.retain_mut(|(child, began)| match child.try_wait() {
            Ok(None) if began.elapsed() < LONGEST => true,
            Ok(None) => {
                end(child);
                failed = true;
                false
            }
            Ok(Some(status)) => {
                failed |= !status.success();
                false
            }
            Err(_) => false,
        });
        if failed {
            // The others were started by the same program.
            self.end_all();
            self.give_up(tried);
        }
    }

    fn end_all(&mut self) {
        self.playing.drain(..).for_each(|(mut child, _)| end(&mut child));
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        self.end_all();
    }
}

fn end(child: &mut Child) {
    // Errors mean that it has ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;
    use crate::sound::Kind;

    /// A temporary folder with programs.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, programs: &[(&str, &str)]) -> Folder {
            let path = std::env::temp_dir().join(format!("grandstand-sound-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a folder");
            for (name, script) in programs {
                let file = path.join(name);
                std::fs::write(&file, format!("#!/bin/sh\ncd '{}'\n{script}\n", path.display()))
                    .expect("a file");
                std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("permissions");
            }
            Folder(path)
        }

        fn programs(&self) -> Programs {
            Programs::find(Some(self.0.as_os_str()))
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const TONE: Tone = Tone { kind: Kind::Score, side: Some(1) };

    fn wait_for<T>(mut found: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = found() {
                return found;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "it never came");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn read(path: &Path) -> Option<Vec<u8>> {
        std::fs::read(path).ok().filter(|bytes| !bytes.is_empty())
    }

    #[test]
    fn nothing_found_is_said_and_harmless() {
        let folder = Folder::new("none", &[]);
        for path in [None, Some(OsStr::new("")), Some(folder.0.as_os_str())] {
            let mut programs = Programs::find(path);
            programs.play(TONE, 1.0);
            let said = State::Failed("no player found (paplay, pw-play or aplay)".to_owned());
            assert_eq!(programs.state(), said);
        }
    }

    #[test]
    fn a_program_gets_the_samples_and_nobody_waits_for_it() {
        let folder = Folder::new("one", &[("aplay", "echo \"$@\" >arguments; cat >part; mv part samples")]);
        let mut programs = folder.programs();
        programs.play(TONE, 1.0);
        let samples = wait_for(|| read(&folder.0.join("samples")));
        assert_eq!(samples.len(), 2 * TONE.samples(1.0).len());
        assert!(samples.iter().any(|byte| *byte != 0));
        let arguments = String::from_utf8(read(&folder.0.join("arguments")).expect("arguments"));
        assert_eq!(arguments.as_deref(), Ok("-q -t raw -f S16_LE -r 44100 -c 1 -\n"));
        assert_eq!(programs.state(), State::Ready);
    }

    #[test]
    fn one_that_never_reads_is_ended_and_holds_nobody_up() {
        let folder = Folder::new(
            "deaf",
            &[("paplay", "exec sleep 600"), ("aplay", "cat >part.$$; mv part.$$ samples")],
        );
        let (tones, queue) = sync_channel(1);
        let (troubled, troubles) = channel();
        let program = |name| Program { name, file: folder.0.join(name), arguments: &[] };
        let programs = VecDeque::from(["paplay", "aplay"].map(program));
        let desk = std::thread::spawn(move || Desk { programs, playing: Vec::new(), troubled }.serve(&queue));
        // More than a pipe's buffer.
        let tone = || vec![1_u8; 1 << 20];
        let samples = wait_for(|| {
            let _ = tones.try_send(tone());
            read(&folder.0.join("samples"))
        });
        assert_eq!(samples.len(), 1 << 20);
        assert!(troubles.try_recv().is_err());
        drop(tones);
        desk.join().expect("the thread ends");
    }

    #[test]
    fn one_that_fails_gives_way_to_the_next_until_none_is_left() {
        let folder = Folder::new("two", &[("paplay", "exit 1"), ("pw-play", "cat >>samples")]);
        let mut programs = folder.programs();
        wait_for(|| {
            programs.play(TONE, 1.0);
            read(&folder.0.join("samples"))
        });
        assert_eq!(programs.state(), State::Ready);
        let folder = Folder::new("broken", &[("paplay", "exit 1"), ("aplay", "exit 2")]);
        let mut programs = folder.programs();
        let said = wait_for(|| {
            programs.play(TONE, 1.0);
            Some(programs.state()).filter(|state| *state != State::Ready)
        });
        assert_eq!(said, State::Failed("paplay and aplay can't play here".to_owned()));
    }
}

//! Speed of tournaments, including catalogue and recordings: matches of Abalone, moves of players in this process,
//! moves of engines that answer at once.
//!
//! `cargo bench -p grandstand --no-default-features --bench tournament` plays a thousand games a row with a job for
//! each core; `… -- 200 engines` plays two hundred of each row that matches all of these words. In `clocked` the same
//! engines have 50 ms a move, and the row tells how many games ended by a fault. The files are in the
//! system's temporary directory.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nobody to report to"
)]

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use grandstand::tournament::catalogue::{Catalogue, NewResult, version_of};
use grandstand::tournament::definition;
use grandstand::tournament::report::{NoticeLine, Snapshot};
use grandstand::tournament::runner::{self, Progress, RunEnd, RunOptions, RunState, Watcher};

/// Default number of games per row.
const GAMES: u32 = 1_000;
/// Argument with which this program is an engine.
const ENGINE: &str = "--engine";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match words.first().map(String::as_str) {
        // The sandbox starts this program again, as it does the server.
        #[cfg(target_os = "linux")]
        Some("sandbox-warden") => return grandstand_players::sandbox::warden(),
        #[cfg(target_os = "linux")]
        Some("sandbox-init") => return grandstand_players::sandbox::init(),
        Some(ENGINE) => {
            engine();
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let games = words.iter().find_map(|word| word.parse().ok()).unwrap_or(GAMES);
    let engine = format!("engine:{} {ENGINE}", std::env::current_exe().unwrap().display());
    println!(
        "{:<22} {:>6} {:>8} {:>12} {:>14} {:>12}",
        "", "games", "seconds", "games/min", "lengths/s", "KB a game"
    );
    for (name, game, play, settings) in [
        ("abalone team", "abalone", "team", ""),
        ("gomoku random", "gomoku", "random", ""),
        ("gomoku engines", "gomoku", &*engine, "[settings]\nOPENING = \"free\"\n[clock]\ntime = \"5m\"\n"),
        (
            "gomoku clocked",
            "gomoku",
            &*engine,
            "[settings]\nOPENING = \"free\"\n[clock]\nmove_time = \"50ms\"\n",
        ),
    ] {
        let wanted = words.iter().filter(|word| word.parse::<u32>().is_err());
        if wanted.into_iter().all(|word| name.contains(word.as_str())) {
            row(name, game, play, settings, games);
        }
    }
    ExitCode::SUCCESS
}

fn row(name: &str, game: &str, play: &str, settings: &str, games: u32) {
    let folder = tempfile::tempdir().unwrap();
    let player = |name: &str| format!("[[player]]\nname = \"{name}\"\nplay = \"{play}\"\n");
    // An encounter has a thousand games at most.
    let (cycles, games) = (games.div_ceil(1_000), games.min(1_000));
    let file = folder.path().join("bench.toml");
    let stage =
        format!("[[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = {games}\ncycles = {cycles}\n");
    let text = format!("game = \"{game}\"\nseed = 1\n{settings}{}{}{stage}", player("one"), player("two"));
    std::fs::write(&file, text).unwrap();
    let definition = definition::read(&file).unwrap();
    let versions = [(); 2].map(|()| version_of(definition.game, play).unwrap());
    let db = folder.path().join("bench.db");
    let mut catalogue = Catalogue::create(&db, &definition, folder.path(), &versions).unwrap();
    let began = Instant::now();
    let end = runner::run(&mut catalogue, &RunOptions::default(), &AtomicBool::new(false), &mut Silent);
    let seconds = began.elapsed().as_secs_f64();
    assert_eq!(end.unwrap(), RunEnd::Over);
    let lines = Snapshot::read(&catalogue).unwrap().game_lines();
    let lengths: u64 = lines.iter().filter_map(|line| line.length).sum();
    let faults: Vec<_> = lines.iter().filter(|line| line.fault.is_some()).collect();
    let bytes = size(folder.path());
    let count = lines.len() as f64;
    println!(
        "{name:<22} {count:>6} {seconds:>8.2} {:>12.0} {:>14.0} {:>12.2}{}",
        count / seconds * 60.0,
        lengths as f64 / seconds,
        bytes as f64 / count / 1024.0,
        faults.first().map_or_else(String::new, |first| {
            let why = first.reason.as_deref().unwrap_or(&first.termination);
            format!("   {} ended by a fault, the first: {why}", faults.len())
        }),
    );
}

/// Size of all files below a folder, in bytes.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { size(&path) } else { path.metadata().unwrap().len() }).sum()
}

/// An observer that ignores events.
struct Silent;

impl Watcher for Silent {
    fn game(&mut self, _: &RunState<'_>, _: &NewResult) {}
    fn notice(&mut self, _: &NoticeLine) {}
    fn progress(&mut self, _: &RunState<'_>, _: &Progress) {}
    fn trouble(&mut self, what: &str) {
        println!("{what}");
    }
}

/// A Gomocup engine that answers at once, with the first free point.
fn engine() {
    let (mut size, mut taken) = (15, BTreeSet::new());
    let (mut stones, mut out) = (false, io::stdout().lock());
    let point = |text: &str| -> Option<(u32, u32)> {
        let mut numbers = text.split(',').map(|number| number.trim().parse().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let moves = match word {
            "START" => {
                (size, stones) = (rest.trim().parse().unwrap_or(15), false);
                taken.clear();
                writeln!(out, "OK").unwrap();
                false
            }
            "RESTART" => {
                taken.clear();
                writeln!(out, "OK").unwrap();
                false
            }
            "BEGIN" => true,
            "TURN" => {
                taken.extend(point(rest));
                true
            }
            "BOARD" => {
                stones = true;
                taken.clear();
                false
            }
            "DONE" => std::mem::replace(&mut stones, false),
            "ABOUT" => {
                writeln!(out, "name=\"instant\"").unwrap();
                false
            }
            "END" => return,
            _ if stones => {
                taken.extend(point(&line));
                false
            }
            _ => false,
        };
        let mut free = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        if moves && let Some(point) = free.find(|point| !taken.contains(point)) {
            taken.insert(point);
            writeln!(out, "{},{}", point.0, point.1).unwrap();
        }
        out.flush().unwrap();
    }
}

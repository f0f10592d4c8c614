//! Speed of a tournament that workers play, beside one that one machine plays: a director and workers as processes, over HTTP
//! and, where `nats-server` is installed, over NATS on this machine.
//!
//! `cargo bench -p grandstand --no-default-features --bench workers` plays 400 games a row, of about a tenth of a second each,
//! that only the seed decides; `… -- 100 nodes=20000` plays a hundred longer ones. With two cores the second worker shares one
//! with the director, on whose core nats-server is too. The column `times` is the speed beside that of one worker; `more` is the time of a game beside that on
//! one machine; `director` its processor time for each game. Nothing is compared (`--compare 0`).
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nobody to report to"
)]

#[path = "fanout/cores.rs"]
mod cores;

use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_grandstand");
/// Argument with which this program becomes another on one core.
const PINNED: &str = "--pinned";
/// Default number of games per row, and of nodes per move: with these a game takes about 0.1 s.
const GAMES: u32 = 400;
const NODES: u32 = 1_500;
/// Longer than a process takes to get ready.
const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [first, core, program, rest @ ..] = &words[..]
        && first == PINNED
    {
        cores::pin_to(core.parse().unwrap());
        let error = Command::new(program).args(rest).exec();
        eprintln!("{program}: {error}");
        return ExitCode::FAILURE;
    }
    // `cargo test` runs benchmarks too, only to check that they work.
    let smoke = words.iter().any(|word| word == "--test");
    let games = words.iter().find_map(|word| word.parse().ok()).unwrap_or(if smoke { 4 } else { GAMES });
    let nodes = words.iter().find_map(|word| word.strip_prefix("nodes=")?.parse().ok()).unwrap_or(NODES);
    let nodes = if smoke { 20 } else { nodes };
    println!(
        "{:<34} {:>6} {:>9} {:>11} {:>7} {:>8} {:>14}",
        "", "games", "seconds", "games/min", "times", "more", "director ms"
    );
    let alone = row("one machine, --jobs 1", &alone(games, nodes, &[1]), None, None);
    row("one machine, --jobs 2", &self::alone(games, nodes, &[0, 1]), Some(alone), None);
    for way in [Way::Http, Way::Nats] {
        if way == Way::Nats
            && Command::new("nats-server").arg("--version").stdout(Stdio::null()).status().is_err()
        {
            println!("nats-server is not installed, so what needs it is not measured");
            continue;
        }
        let name = |workers: &str| format!("{}, {workers}", way.title());
        let one = row(&name("one worker"), &handed_out(way, games, nodes, &[1]), Some(alone), None);
        row(&name("two workers"), &handed_out(way, games, nodes, &[1, 0]), Some(alone), Some(one));
    }
    ExitCode::SUCCESS
}

/// The way between a director and its workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Http,
    Nats,
}

impl Way {
    fn title(self) -> &'static str {
        match self {
            Self::Http => "director",
            Self::Nats => "director, over NATS",
        }
    }
}

/// Measurements of a tournament.
struct Measured {
    games: u32,
    seconds: f64,
    /// Number of games that are played at a time.
    places: usize,
    /// CPU time of the director in seconds, if there is one.
    director: Option<f64>,
}

/// Prints a row; the time of a game.
fn row(name: &str, of: &Measured, alone: Option<f64>, one: Option<f64>) -> f64 {
    let a_game = of.seconds / f64::from(of.games);
    let times = one.map_or_else(String::new, |one| format!("{:.2}", one / a_game));
    let more = alone.filter(|_| of.director.is_some() && of.places == 1);
    let more = more.map_or_else(String::new, |alone| format!("{:+.1} %", (a_game / alone - 1.0) * 100.0));
    let director =
        of.director.map_or_else(String::new, |secs| format!("{:.2}", secs * 1e3 / f64::from(of.games)));
    println!(
        "{name:<34} {:>6} {:>9.2} {:>11.0} {times:>7} {more:>8} {director:>14}",
        of.games,
        of.seconds,
        60.0 / a_game
    );
    a_game
}

/// Writes a tournament of so many games.
fn tournament(folder: &Path, games: u32, nodes: u32) {
    let text = format!(
        "name = \"bench\"\ngame = \"gomoku\"\nseed = 1\nplayers = [\"search:nodes={nodes}\", \"search:nodes={}\"]\n\
         [settings]\nOPENING = \"balanced\"\n[[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = {games}\n",
        nodes + 1
    );
    std::fs::write(folder.join("cup.toml"), text).unwrap();
}

/// A process on one core, killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The program, on this core, or on all for `None`.
fn program(folder: &Path, core: Option<usize>, args: &[&str]) -> Command {
    let mut command = match core {
        Some(core) => pinned(folder, core, PROGRAM),
        None => Command::new(PROGRAM),
    };
    command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A program on one core.
fn pinned(folder: &Path, core: usize, program: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([PINNED, &core.to_string(), program]).current_dir(folder);
    command
}

/// An address that nobody has.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

fn until_it_listens(address: SocketAddr, what: &str) {
    let began = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(began.elapsed() < PATIENCE, "{what} does not listen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts nats-server on core 0; its URL.
fn nats(folder: &Path) -> (Process, String) {
    let address = free();
    let mut command = pinned(folder, 0, "nats-server");
    command.args(["-js", "-a", "127.0.0.1", "-p", &address.port().to_string(), "-sd", "nats"]);
    let server = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    until_it_listens(address, "nats-server");
    (server, format!("nats://{address}"))
}

/// Plays a tournament on this machine, with a job for each of these cores.
fn alone(games: u32, nodes: u32, on: &[usize]) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), games, nodes);
    let core = if let [core] = on { Some(*core) } else { None };
    let jobs = on.len().to_string();
    let mut command = program(folder.path(), core, &["tournament", "run", "cup.toml", "--jobs", &jobs]);
    let began = Instant::now();
    assert!(command.status().unwrap().success());
    Measured { games, seconds: began.elapsed().as_secs_f64(), places: on.len(), director: None }
}

/// Plays a tournament by a director on core 0, and workers on these.
fn handed_out(way: Way, games: u32, nodes: u32, on: &[usize]) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), games, nodes);
    let nats = (way == Way::Nats).then(|| nats(folder.path()));
    let listens = free();
    let address = listens.to_string();
    let mut args = vec!["tournament", "run", "cup.toml", "--compare", "0", "--workers", &address];
    args.extend(nats.iter().flat_map(|(_, url)| ["--nats", url]));
    let director = Process(program(folder.path(), Some(0), &args).spawn().unwrap());
    until_it_listens(listens, "the director");
    let to = format!("http://{address}");
    let way = match &nats {
        Some((_, url)) => vec!["--nats", url],
        None => vec!["--to", &to, "--token", "cup.db.token"],
    };
    let workers: Vec<(Process, Receiver<String>)> = on
        .iter()
        .enumerate()
        .map(|(number, core)| {
            let name = format!("worker-{number}");
            let mut command =
                program(folder.path(), Some(*core), &["worker", "--jobs", "1", "--once", "--name", &name]);
            let mut child = command.args(&way).stderr(Stdio::piped()).spawn().unwrap();
            let lines = BufReader::new(child.stderr.take().unwrap()).lines();
            let (tell, hear) = mpsc::channel();
            std::thread::spawn(move || {
                for line in lines.map_while(Result::ok) {
                    // Nobody listens any more once all is measured.
                    let _ = tell.send(line);
                }
            });
            (Process(child), hear)
        })
        .collect();
    let says = |hear: &Receiver<String>, text: &str, look: &mut dyn FnMut()| loop {
        match hear.recv_timeout(Duration::from_millis(20)) {
            Ok(line) if line.contains(text) => return,
            Ok(_) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => look(),
            Err(mpsc::RecvTimeoutError::Disconnected) => panic!("a worker ended before it said `{text}`"),
        }
    };
    for (_, hear) in &workers {
        says(hear, "taking part", &mut || {});
    }
    let began = Instant::now();
    let (before, mut used) = (cores::cpu_secs(director.0.id()).unwrap(), 0.0);
    says(&workers[0].1, "the tournament is over", &mut || {
        used = cores::cpu_secs(director.0.id()).unwrap_or(used);
    });
    let seconds = began.elapsed().as_secs_f64();
    Measured { games, seconds, places: on.len(), director: Some((used - before).max(0.0)) }
}

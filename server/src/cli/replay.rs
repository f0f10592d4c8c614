//! `grandstand replay`: sends a recording to an old GUI.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use grandstand_protocol::{Event, Micros};
use grandstand_replays::{Limits, Loader, Replay};

use super::play::report::Report;
use super::print;
use crate::peer::{Peer, PeerLimits, match_line};

/// Play a recording into an old GUI, or into anything else that speaks the text protocol.
///
/// Only lines of the game's handout are sent, at the pace of the recording. Status 1 if the GUI disconnects or
/// stalls, or the recording is damaged (it is played up to the damage).
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The recording: .replay or .replay.zst.
    file: PathBuf,
    /// Address on which the GUI listens.
    #[arg(long, value_name = "HOST:PORT")]
    to: String,
    /// Play faster by this factor.
    #[arg(long, value_name = "X", default_value = "1", value_parser = parse_speed)]
    speed: f64,
    /// Longest idle time played, in seconds.
    #[arg(long, value_name = "SECONDS")]
    idle_max: Option<Micros>,
    /// Send Grandstand's own lines and additions too: the header, markers, overlays, the result, what `+` marks in
    /// protocol/PROTOCOL.md, and lines that are not understood.
    #[arg(long)]
    extensions: bool,
    /// Seconds for which connecting is tried.
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    wait: Micros,
}

/// Sends the recording.
///
/// # Errors
/// If the recording can't be read, or the GUI can't be reached; the message is for the terminal.
pub fn run(args: &ReplayArgs) -> anyhow::Result<ExitCode> {
    let report = Report::new();
    let replay = load(&args.file)?;
    let log = replay.log();
    if let Some(damage) = replay.damage() {
        report.say(&format!("{} is damaged and is played up to there: {damage}", args.file.display()));
    }
    let limits = PeerLimits { connect: Duration::from_micros(args.wait.0), ..PeerLimits::default() };
    let (teller, address) = (report.clone(), args.to.clone());
    let waiting = move |cause: &str| teller.say(&format!("waiting for {address}: {cause}"));
    let peer = Peer::open(&args.to, limits.clone(), waiting)?;
    peer.wait_open().with_context(|| args.to.clone())?;
    report.say(&format!(
        "playing {} commands, {}, to {}",
        log.last_seq(),
        minutes(log.end_time()),
        peer.address()
    ));
    let mut playback = Playback { peer: &peer, limits, lines: Vec::new(), count: 0, left_out: 0 };
    let began = Instant::now();
    let played = playback.play(&replay, args, &report);
    let (count, left_out) = (playback.count, playback.left_out);
    let ended = played.and_then(|()| peer.finish().map_err(Into::into));
    report.clear();
    if let Err(error) = &ended {
        report.say(&format!("{} was dropped: {error:#}", args.to));
    }
    let seconds = began.elapsed().as_secs_f32();
    print(&format!("{count} lines sent in {seconds:.1} s, {left_out} left out"))?;
    let well = ended.is_ok() && replay.damage().is_none();
    Ok(ExitCode::from(u8::from(!well)))
}

/// Opens a recording, compressed or not. The caller reports damage.
pub(super) fn load(path: &Path) -> anyhow::Result<Replay> {
    let name = || path.display().to_string();
    let mut file = File::open(path).with_context(name)?;
    let mut loader = Loader::new(Limits::default());
    let mut chunk = vec![0; 256 << 10];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return loader.finish().with_context(name),
            Ok(length) => loader.push(&chunk[..length]).with_context(name)?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error).with_context(name),
        }
    }
}

/// A time in minutes and seconds.
pub(super) fn minutes(t: Micros) -> String {
    let secs = t.0 / 1_000_000;
    format!("{}:{:02} minutes", secs / 60, secs % 60)
}

struct Playback<'a> {
    peer: &'a Peer,
    limits: PeerLimits,
    /// Lines of the current time, sent together.
    lines: Vec<u8>,
    count: u64,
    left_out: u64,
}

impl Playback<'_> {
    fn play(&mut self, replay: &Replay, args: &ReplayArgs, report: &Report) -> anyhow::Result<()> {
        let log = replay.log();
        if args.extensions {
            self.announce(replay);
        }
        let mut due = Instant::now();
        let mut last = Micros(0);
        for seq in 1..=log.last_seq() {
            let t = log.time_of(seq);
            if t > last {
                self.send()?;
                let pause = args.idle_max.map_or(t.since(last), |most| t.since(last).min(most));
                due += Duration::from_secs_f64(pause.as_secs_f64() / args.speed);
                last = t;
                thread::sleep(due.saturating_duration_since(Instant::now()));
                report.progress(|| format!("command {seq} of {}, {}", log.last_seq(), minutes(t)));
            }
            let (Some(line), Some(command)) = (log.line(seq), log.command(seq)) else { continue };
            match command.without_extensions() {
                _ if args.extensions => self.push(line),
                Some(plain) => self.push(plain.to_line().as_bytes()),
                None => self.left_out += 1,
            }
        }
        if let Some(result) = replay.result() {
            if args.extensions {
                self.push(Event::Result(Box::new(result.clone())).to_line().as_bytes());
            } else {
                self.left_out += 1;
            }
        }
        self.send()
    }

    /// Queues the header's lines.
    fn announce(&mut self, replay: &Replay) {
        self.push(Event::Game(replay.header().game).to_line().as_bytes());
        self.push(match_line(replay.header().about.clone()).as_bytes());
    }

    fn push(&mut self, line: &[u8]) {
        self.lines.extend_from_slice(line);
        self.lines.push(b'\n');
        self.count += 1;
    }

    fn send(&mut self) -> anyhow::Result<()> {
        if !self.lines.is_empty() {
            let lines: Arc<[u8]> = std::mem::take(&mut self.lines).into();
            self.peer.send(&lines, self.limits.stall)?;
        }
        Ok(())
    }
}

fn parse_speed(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(speed) if (0.01..=1_000_000.0).contains(&speed) => Ok(speed),
        _ => Err("expected a number from 0.01 to 1000000".to_owned()),
    }
}

//! `grandstand convert`: conversion between raw text logs, replays and compressed replays, and to pictures.

mod picture;

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use grandstand_matches::games;
use grandstand_matches::inputs::{self, Replayed};
use grandstand_protocol::{Game, MatchHeader, Micros};
use grandstand_replays::rawlog::{self, Stamps, export, import};
use grandstand_replays::{Header, Limits, Scan, Writer, scan, zst};

use self::picture::PictureArgs;
use super::print;
use super::replay::{load, minutes};
use crate::file_names::beside;

/// Convert a raw text log into a replay and back, replays into compressed ones and back, the inputs of a match into
/// its replay, and a replay into pictures.
///
/// The name of a file determines its kind: .replay, .replay.zst, .inputs (recorded by `play --inputs`), and .log or
/// .txt for a raw log: the lines of a connection, each with or without its arrival time in front. OUT can also be a
/// picture of a moment, .png or .svg, or of a range, .gif or .apng. An existing OUT is replaced. Status 1 if IN is
/// damaged: the part before the damage is converted.
#[derive(Debug, clap::Args)]
pub struct ConvertArgs {
    /// The file to read.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Form of the times in a raw log: none, seconds, clock or rfc3339. By default it is detected in the first lines
    /// of IN, and is seconds for OUT.
    #[arg(long, value_name = "FORM")]
    timestamps: Option<Stamps>,
    /// The game of a raw log that does not name its game [default: abalone].
    #[arg(long, value_name = "GAME")]
    game: Option<Game>,
    /// Seconds per turn of a raw log without times [default: 0.3].
    #[arg(long, value_name = "SECONDS")]
    pace: Option<Micros>,
    /// Write only lines that an old GUI understands into a raw log.
    #[arg(long)]
    plain: bool,
    /// Keep the source of only this team's program in a replay. The match can still be explained, from the recorded
    /// requests of the other bots.
    #[arg(long, value_name = "TEAM")]
    only_program: Option<String>,
    #[command(flatten)]
    pictures: PictureArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Replay,
    Compressed,
    Log,
    /// Only valid as IN.
    Inputs,
    /// Only valid as OUT.
    Picture,
}

impl Kind {
    fn is_replay(self) -> bool {
        matches!(self, Self::Replay | Self::Compressed)
    }
}

/// Converts the file.
///
/// # Errors
/// If something can't be read, converted or written; the message is for the terminal.
pub fn run(args: &ConvertArgs) -> anyhow::Result<ExitCode> {
    let (from, to) = (kind_of(&args.input)?, kind_of(&args.output)?);
    match (from == Kind::Log, to == Kind::Log) {
        _ if from == Kind::Picture => bail!("pictures are made of replays, not converted into anything"),
        _ if to == Kind::Picture && (from == Kind::Inputs || from == Kind::Log) => {
            bail!("pictures are made of replays: convert IN into one first")
        }
        _ if to == Kind::Picture && (args.timestamps.is_some() || args.game.is_some()) => {
            bail!("--timestamps and --game are for raw logs")
        }
        _ if to != Kind::Picture && args.pictures.is_used() => {
            bail!("{} are for pictures: .png, .svg, .gif or .apng", PictureArgs::NAMES)
        }
        _ if to == Kind::Inputs => bail!("inputs are recorded, not converted into"),
        (false, true) if from == Kind::Inputs => bail!("inputs become a replay; and that becomes a raw log"),
        (true, true) => bail!("both files are raw logs: one of them must be a replay"),
        (false, false) if args.timestamps.is_some() => bail!("--timestamps is for raw logs"),
        (false, _) if args.game.is_some() || args.pace.is_some() => {
            bail!("--game and --pace are for raw logs that become replays")
        }
        _ if args.only_program.is_some() && [from, to].iter().any(|kind| !kind.is_replay()) => {
            bail!("--only-program is for replays that become replays")
        }
        (_, false) if args.plain => bail!("--plain is for replays that become raw logs"),
        _ => {}
    }
    if let (Ok(input), Ok(output)) = (fs::canonicalize(&args.input), fs::canonicalize(&args.output))
        && input == output
    {
        bail!("IN and OUT are the same file");
    }
    let mut part = Part::new(&args.output);
    if to == Kind::Picture {
        let well = picture::write(&args.input, &args.output, &args.pictures, &part)?;
        part.keep()?;
        let bytes = fs::metadata(&args.output).map_or(0, |file| file.len());
        print(&format!("{}: {} KB", args.output.display(), bytes.div_ceil(1000)))?;
        return Ok(ExitCode::from(u8::from(!well)));
    }
    let (words, well) = match (from, to) {
        (Kind::Inputs, to) => from_inputs(args, to, &mut part)?,
        (Kind::Log, to) => from_log(args, to, &mut part)?,
        (_, Kind::Log) => to_log(args, &part)?,
        (from, to) => recode(args, from, to, &part)?,
    };
    part.keep()?;
    print(&format!("{}: {words}", args.output.display()))?;
    Ok(ExitCode::from(u8::from(!well)))
}

fn kind_of(path: &Path) -> anyhow::Result<Kind> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    match () {
        () if name.ends_with(".replay") => Ok(Kind::Replay),
        () if name.ends_with(".replay.zst") => Ok(Kind::Compressed),
        () if name.ends_with(".inputs") => Ok(Kind::Inputs),
        () if [".png", ".svg", ".gif", ".apng"].iter().any(|end| name.ends_with(end)) => Ok(Kind::Picture),
        () if name.ends_with(".log") || name.ends_with(".txt") => Ok(Kind::Log),
        () => bail!(
            "{}: the name does not say what it is: expected .replay, .replay.zst, .inputs, .log or .txt for a raw \
             log, or .png, .svg, .gif or .apng for a picture",
            path.display()
        ),
    }
}

/// Converts a raw log into a replay.
fn from_log(args: &ConvertArgs, to: Kind, part: &mut Part) -> anyhow::Result<(String, bool)> {
    let name = || args.input.display().to_string();
    let mut options = rawlog::Options { stamps: args.timestamps, ..rawlog::Options::default() };
    options.game = args.game.unwrap_or(options.game);
    options.pace = args.pace.unwrap_or(options.pace);
    let source = File::open(&args.input).with_context(name)?;
    let mut sink = BufWriter::new(part.create()?);
    let done = import(source, &mut sink, &options).with_context(name)?;
    sink.flush().with_context(|| part.name())?;
    drop(sink);
    if to == Kind::Compressed {
        part.compress()?;
    }
    let mut words = format!("{} commands, {}", done.commands, minutes(done.end));
    if done.unknown > 0 {
        words += &format!(", {} lines not understood", done.unknown);
    }
    if done.misfits > 0 {
        words += &format!(", {} lines without a time or with one too early", done.misfits);
    }
    if done.stamps == Stamps::None {
        words += &format!("; the log has no times: {} s a turn", options.pace);
    }
    if let Some(damage) = &done.damage {
        tell!("grandstand: {} is damaged and is converted up to there: {damage}", name());
    }
    Ok((words, done.damage.is_none()))
}

/// Converts the inputs of a match into its replay, by playing it again.
fn from_inputs(args: &ConvertArgs, to: Kind, part: &mut Part) -> anyhow::Result<(String, bool)> {
    let name = || args.input.display().to_string();
    let text = fs::read_to_string(&args.input).with_context(name)?;
    let (game, Replayed { header, commands, ending }) = play_inputs(&text).with_context(name)?;
    let recorded = MatchHeader { by: text.lines().next().and_then(inputs::by_of), ..MatchHeader::default() };
    if let Some(changed) = games::changed(game, &recorded) {
        tell!("grandstand: {}: {changed}", name());
    }
    let mut writer = Writer::new(BufWriter::new(part.create()?), &Header::new(game, header))?;
    let time = |millis: u64| Micros(millis.saturating_mul(1_000).min(Micros::MAX.0));
    for command in &commands {
        writer.command(time(command.tick), &command.command).with_context(|| part.name())?;
    }
    if let Some(ending) = &ending {
        writer.result(time(ending.tick), &ending.result()).with_context(|| part.name())?;
    } else {
        tell!("grandstand: {} ends before its match does", name());
    }
    writer.flush().with_context(|| part.name())?;
    drop(writer);
    if to == Kind::Compressed {
        part.compress()?;
    }
    let end = commands.last().map_or(0, |command| command.tick);
    Ok((format!("{} commands, {}", commands.len(), minutes(time(end))), ending.is_some()))
}

/// Converts a replay into a raw log.
fn to_log(args: &ConvertArgs, part: &Part) -> anyhow::Result<(String, bool)> {
    let replay = load(&args.input)?;
    let mut sink = BufWriter::new(part.create()?);
    let done = export(&replay, &mut sink, args.timestamps.unwrap_or(Stamps::Seconds), !args.plain)?;
    sink.flush().with_context(|| part.name())?;
    let mut words = format!("{} lines, {}", done.lines, minutes(replay.log().end_time()));
    if done.left_out > 0 {
        words += &format!(", {} left out", done.left_out);
    }
    if let Some(damage) = replay.damage() {
        tell_damage(&args.input, damage);
    }
    Ok((words, replay.damage().is_none()))
}

/// Converts a replay into a replay with the same text, up to the first damage.
fn recode(args: &ConvertArgs, from: Kind, to: Kind, part: &Part) -> anyhow::Result<(String, bool)> {
    let name = || args.input.display().to_string();
    let limits = Limits::default();
    let file = || File::open(&args.input).map(BufReader::new).with_context(name);
    let found: Scan = scan(file()?, limits).with_context(name)?;
    let text: Box<dyn Read> = match from {
        Kind::Compressed => Box::new(zst::Text::new(file()?, limits.window_bytes)),
        Kind::Replay | Kind::Log | Kind::Inputs | Kind::Picture => Box::new(file()?),
    };
    let newline: &[u8] = if found.ends_with_newline { b"" } else { b"\n" };
    let mut good: Box<dyn Read> = Box::new(text.take(found.good_bytes).chain(newline));
    if let Some(team) = &args.only_program {
        good = only_program(good, team).with_context(name)?;
    }
    let mut sink = BufWriter::new(part.create()?);
    match to {
        Kind::Compressed => zst::compress(good, &mut sink).with_context(|| part.name())?,
        Kind::Replay | Kind::Log | Kind::Inputs | Kind::Picture => {
            io::copy(&mut good, &mut sink).with_context(|| part.name())?;
        }
    }
    sink.flush().with_context(|| part.name())?;
    if let Some(damage) = &found.damage {
        tell_damage(&args.input, damage);
    }
    Ok((format!("{} commands, {}", found.commands, minutes(found.end)), found.damage.is_none()))
}

/// The text of a replay with the source of one team's program only.
fn only_program(text: Box<dyn Read>, team: &str) -> anyhow::Result<Box<dyn Read>> {
    let mut text = BufReader::new(text);
    let mut first = Vec::new();
    text.read_until(b'\n', &mut first)?;
    let mut header = Header::parse(first.trim_ascii_end())?;
    let programs = &mut header.about.programs;
    if !programs.iter().any(|program| *program.team == *team) {
        let teams: Vec<&str> = programs.iter().map(|program| &*program.team).collect();
        bail!("no program of a team {team} is in it; there are those of {}", teams.join(", "));
    }
    programs.iter_mut().filter(|program| *program.team != *team).for_each(|program| program.source = None);
    let mut line = Vec::new();
    header.write_line(&mut line);
    Ok(Box::new(io::Cursor::new(line).chain(text)))
}

fn tell_damage(path: &Path, damage: &grandstand_replays::Damage) {
    tell!("grandstand: {} is damaged and is converted up to there: {damage}", path.display());
}

/// Replays the inputs of a match, of the game that their first line names.
fn play_inputs(text: &str) -> anyhow::Result<(Game, Replayed)> {
    let game = text.lines().next().and_then(inputs::game_of);
    let replay = |game| Some((game, games::of(game)?.replay_inputs?(text)));
    // Any other file is treated as Steam Fortress inputs, for their error message.
    match game.and_then(replay).or_else(|| replay(Game::Fortress)) {
        Some((game, replayed)) => Ok((game, replayed?)),
        None => bail!("no game has inputs"),
    }
}

/// Incomplete output: a temporary file beside the target, which replaces the target at the end or is removed.
struct Part {
    target: PathBuf,
    path: PathBuf,
}

impl Part {
    fn new(target: &Path) -> Self {
        Self { target: target.to_owned(), path: beside(target, ".part") }
    }

    fn name(&self) -> String {
        self.target.display().to_string()
    }

    fn create(&self) -> anyhow::Result<File> {
        File::create(&self.path).with_context(|| self.name())
    }

    /// Replaces the plain file by a compressed one.
    fn compress(&mut self) -> anyhow::Result<()> {
        let plain = std::mem::replace(&mut self.path, beside(&self.target, ".zst.part"));
        let compressed = self
            .create()
            .and_then(|file| zst::compress(File::open(&plain)?, file).with_context(|| self.name()));
        // The file has been read; if it can't be removed, it is only a leftover.
        let _ = fs::remove_file(plain);
        compressed
    }

    fn keep(&self) -> anyhow::Result<()> {
        fs::rename(&self.path, &self.target).with_context(|| self.name())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After `keep` the file no longer exists.
        let _ = fs::remove_file(&self.path);
    }
}

//! Still or moving picture of a replay: command-line arguments and progress bar.

use std::path::Path;

use super::Part;

/// Options that apply to pictures only.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pictures")]
pub(super) struct PictureArgs {
    /// The moment that a .png or .svg shows [default: end]: a command's number (120), a time (1:05.5 or 65.5s), start
    /// (the match's set-up) or end.
    #[arg(long, value_name = "MOMENT")]
    at: Option<String>,
    /// The moment at which a .gif or .apng begins [default: start]. With --from or --to a .png is animated.
    #[arg(long, value_name = "MOMENT")]
    from: Option<String>,
    /// The moment at which a .gif or .apng ends [default: end].
    #[arg(long, value_name = "MOMENT")]
    to: Option<String>,
    /// Size in pixels [default: 1280x720; of a .gif or .apng 640x480].
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<String>,
    /// Frames per second, 1 to 50 [default: 20].
    #[arg(long, value_name = "N")]
    fps: Option<u32>,
    /// Playback speed: 0.25, 0.5, 1, 2, 4 … 64 [default: 1].
    #[arg(long, value_name = "X")]
    speed: Option<String>,
    /// Longest idle time shown, in seconds [default: 2]; `none` shows all of it.
    #[arg(long, value_name = "SECONDS", alias = "idle")]
    idle_max: Option<String>,
    /// The colours: dark or light [default: dark].
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
    /// Write the name of every place on it, where the picture is large enough.
    #[arg(long)]
    labels: bool,
    /// Write the numbers of moves on the stones.
    #[arg(long)]
    numbers: bool,
    /// Leave out the names of rows and columns.
    #[arg(long)]
    no_coordinates: bool,
    /// Leave out the moves that players expect.
    #[arg(long)]
    no_thoughts: bool,
    /// Leave out what bots draw over the board.
    #[arg(long)]
    no_overlays: bool,
}

impl PictureArgs {
    /// The names of the options.
    pub(super) const NAMES: &str = "--at, --from, --to, --size, --fps, --speed, --idle-max, --theme, \
        --labels, --numbers, --no-coordinates, --no-thoughts and --no-overlays";

    /// Whether any of the options is given.
    pub(super) fn is_used(&self) -> bool {
        let PictureArgs { at, from, to, size, fps, speed, idle_max, theme, .. } = self;
        let PictureArgs { labels, numbers, no_coordinates, no_thoughts, no_overlays, .. } = *self;
        let shown = labels || numbers || no_coordinates || no_thoughts || no_overlays;
        shown
            || fps.is_some()
            || [at, from, to, size, speed, idle_max, theme].into_iter().any(Option::is_some)
    }
}

/// Writes the picture; `false` if the replay is damaged, so that the picture ends there.
#[cfg(not(feature = "export"))]
pub(super) fn write(_: &Path, _: &Path, _: &PictureArgs, _: &Part) -> anyhow::Result<bool> {
    anyhow::bail!("this grandstand was built without what draws pictures: build it with --features export")
}

/// Writes the picture; `false` if the replay is damaged, so that the picture ends there.
#[cfg(feature = "export")]
pub(super) fn write(input: &Path, output: &Path, args: &PictureArgs, part: &Part) -> anyhow::Result<bool> {
    use std::io::BufWriter;

    use anyhow::Context;
    use grandstand_export::{Job, Match};

    let plan = with_export::plan(args, output)?;
    let replay = super::load(input)?;
    if let Some(damage) = replay.damage() {
        super::tell_damage(input, damage);
    }
    let of = Match::of(&replay);
    let mut job =
        Job::new(of, plan, BufWriter::new(part.create()?)).with_context(|| input.display().to_string())?;
    let mut bar = with_export::Bar::new();
    while !job.is_done() {
        job.step(of).with_context(|| part.name())?;
        bar.show(job.progress());
    }
    bar.clear();
    job.finish().with_context(|| part.name())?;
    Ok(replay.damage().is_none())
}

#[cfg(feature = "export")]
mod with_export {
    use std::io::{self, IsTerminal, Write};
    use std::path::Path;
    use std::time::{Duration, Instant};

    use anyhow::{bail, ensure};
    use grandstand_export::{Extra, Format, Look, Moment, Plan, Progress, Range, Size, What};
    use grandstand_protocol::Micros;

    use super::PictureArgs;

    /// Validates the options.
    pub(super) fn plan(args: &PictureArgs, output: &Path) -> anyhow::Result<Plan> {
        let PictureArgs { at, from, to, size, fps, speed, idle_max, theme, .. } = args;
        let moment = |text: &Option<String>, or: Moment| -> anyhow::Result<Moment> {
            Ok(text.as_deref().map(str::parse).transpose()?.unwrap_or(or))
        };
        let format = match Format::of_name(output) {
            Some(Format::Png) if from.is_some() || to.is_some() => Format::Apng,
            Some(format) => format,
            None => bail!("{}: expected .png, .svg, .gif or .apng", output.display()),
        };
        if format.moves() {
            ensure!(at.is_none(), "--at is for .png and .svg: a range has --from and --to");
        } else {
            let of_range = [from, to, speed, idle_max].into_iter().any(Option::is_some) || fps.is_some();
            ensure!(!of_range, "--from, --to, --fps, --speed and --idle-max are for ranges: .gif or .apng");
        }
        let usual = Range::default();
        let range = Range {
            from: moment(from, usual.from)?,
            to: moment(to, usual.to)?,
            fps: fps.unwrap_or(usual.fps),
            speed: speed.as_deref().map(grandstand_export::speed).transpose()?.unwrap_or(usual.speed),
            idle: match idle_max.as_deref() {
                None => usual.idle,
                Some("none") => None,
                Some(secs) => match secs.parse::<Micros>() {
                    Ok(secs) => Some(secs),
                    Err(_) => bail!("--idle-max `{secs}`: expected seconds (1.5) or none"),
                },
            },
        };
        let what = match format {
            Format::Png => What::Png(moment(at, Moment::End)?),
            Format::Svg => What::Svg(moment(at, Moment::End)?),
            Format::Gif => What::Gif(range),
            Format::Apng => What::Apng(range),
        };
        let usual = if format.moves() { "640x480" } else { "1280x720" };
        let size: Size = size.as_deref().unwrap_or(usual).parse()?;
        let look = match theme.as_deref() {
            None | Some("dark") => Look::dark(),
            Some("light") => Look::light(),
            Some(other) => bail!("--theme `{other}`: expected dark or light"),
        };
        let look = look
            .with(Extra::Labels, args.labels)
            .with(Extra::Numbers, args.numbers)
            .with(Extra::Coordinates, !args.no_coordinates)
            .with(Extra::Thoughts, !args.no_thoughts)
            .with(Extra::Overlays, !args.no_overlays);
        Ok(Plan { what, size, look })
    }

    /// Interval between two updates of the bar.
    const REDRAW: Duration = Duration::from_millis(100);
    /// Width of the bar in characters.
    const WIDTH: usize = 40;

    /// Progress bar on standard error, if that is a terminal.
    pub(super) struct Bar {
        is_seen: bool,
        shown: Option<Instant>,
        began: Instant,
    }

    impl Bar {
        pub(super) fn new() -> Bar {
            Bar { is_seen: io::stderr().is_terminal(), shown: None, began: Instant::now() }
        }

        pub(super) fn show(&mut self, progress: Progress) {
            let fresh = self.shown.unwrap_or(self.began).elapsed() < REDRAW;
            if !self.is_seen || fresh {
                return;
            }
            self.shown = Some(Instant::now());
            let filled = (progress.part() * WIDTH as f32) as usize;
            let percent = (progress.part() * 100.0) as u32;
            let bar = format!("{}{}", "█".repeat(filled), "░".repeat(WIDTH - filled.min(WIDTH)));
            // Standard error may be closed.
            let _ = write!(io::stderr(), "\r{bar} {percent:>3} %");
        }

        pub(super) fn clear(&mut self) {
            if self.shown.is_some() {
                let _ = write!(io::stderr(), "\r{}\r", " ".repeat(WIDTH + 6));
            }
        }
    }
}

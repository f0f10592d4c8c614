//! One match: drawing, recording, logging and summary.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use grandstand_matches::{MatchSpec, StampedCommand};

use super::args::PlayArgs;
use super::audience::{Audience, Invited, Kind, Lines};
use super::diagnostics::Diagnostics;
use super::pace::Pace;
use super::profile::ProfileFile;
use super::recording::Recording;
use super::rematch::RematchOffer;
use super::report::Report;
use super::summary::PlayedMatch;
use crate::cli::{print, print_json};
use crate::peer::PeerLimits;
use crate::timestamp::rfc3339;

/// Maximum distance of commands that are sent together.
const TOGETHER_MICROS: u64 = 5_000;

/// Outcome of one match for the command.
pub(super) struct Played {
    /// Exit status.
    pub(super) status: ExitCode,
    /// Whether both players stayed to the end.
    pub(super) to_its_end: bool,
}

/// Plays a match, and draws it over `bridge` too, if there is one. The match ends early if `abandoned` is set, or if
/// the holder of a seat accepts the `offer` of other settings.
pub(super) fn run(
    args: &PlayArgs,
    players: [&str; 2],
    spec: &dyn MatchSpec,
    bridge: Option<&str>,
    abandoned: &AtomicBool,
    offer: Option<&RematchOffer>,
) -> anyhow::Result<Played> {
    let report = Report::new();
    let mut running = spec.start()?;
    let profile = args.profile.as_deref().map(ProfileFile::create).transpose()?;
    let mut diagnostics = Diagnostics::open(args, spec, &report)?;
    if let Some(tracing) = diagnostics.tracing() {
        running.trace(tracing);
    }
    if args.seed.is_none() && !args.json {
        report.say(&format!("seed {}", spec.seed()));
    }
    let mut invited = invited(args);
    invited.extend(bridge.map(bridged));
    let (game, tempo) = (spec.game(), spec.tempo());
    let mut header = spec.header(Some(&rfc3339(SystemTime::now())));
    let recording = args.record.as_deref().map(|file| Recording::create(file, game, &header));
    let mut recording = recording.transpose()?;
    if recording.is_some() && !args.no_asked {
        running.keep_bot_requests();
    }
    let watched = !invited.is_empty() && !tempo.keeps_time;
    let pace = args.pace.unwrap_or(if watched { tempo.watchable } else { Duration::ZERO });
    let limits = PeerLimits { connect: args.connect_wait, ..PeerLimits::default() };
    let paced = !pace.is_zero() || tempo.keeps_time;
    let seats = running.seats().map(|seats| match offer {
        Some(offer) => offer.at(seats),
        None => seats,
    });
    let mut audience = Audience::gather(&invited, &limits, paced, seats, &report)?;
    header.setup = offer.map(|offer| offer.setup().to_vec()).unwrap_or_default();
    audience.announce(game, &header);

    let clock = Pace::new(if pace.is_zero() { tempo.watchable } else { pace }, tempo.ticks);
    let mut pacer = (!pace.is_zero()).then(|| Pace::new(pace, tempo.ticks));
    let mut broken = false;
    let began = Instant::now();
    let ending = loop {
        let commands = running.drain_commands();
        if let Some(file) = &mut recording {
            let asked = running.drain_bot_requests().map_or(Ok(()), |asked| file.bot_requests(&asked));
            let written = asked.and_then(|()| {
                commands.iter().try_for_each(|c| file.command(clock.time_of(c.tick), &c.command))
            });
            if let Err(error) = written.and_then(|()| file.flush()) {
                report.say(&format!("{error:#}"));
                (recording, broken) = (None, true);
            }
        }
        draw(&commands, &mut audience, pacer.as_mut());
        diagnostics.take(&running.drain_log_lines());
        if let Some(ending) = running.ending() {
            if let Some(pace) = pacer.as_mut().filter(|_| !audience.has_gone()) {
                pace.wait_for(ending.tick);
            }
            break ending;
        }
        audience.tell_seats();
        if abandoned.load(Ordering::Relaxed) {
            report.clear();
            return Ok(Played { status: ExitCode::SUCCESS, to_its_end: false });
        }
        if offer.is_some_and(RematchOffer::is_accepted) {
            report.clear();
            audience.close();
            return Ok(Played { status: ExitCode::SUCCESS, to_its_end: false });
        }
        report.progress(|| running.progress());
        running.advance();
    };
    let wall = began.elapsed();
    broken |= diagnostics.finish(&ending);
    report.clear();

    let result = ending.result();
    audience.finish(&result);
    if let Some(file) = recording
        && let Err(error) = file.finish(clock.time_of(ending.tick), &result)
    {
        report.say(&format!("{error:#}"));
        broken = true;
    }
    if let Some(profile) = profile
        && let Err(error) = profile.write(spec)
    {
        report.say(&format!("{error:#}"));
        broken = true;
    }
    let summary = PlayedMatch { spec, players, ending: &ending, wall };
    if args.json {
        print_json(&summary.json().to_string())?
    } else {
        print(&summary.words())?;
        print_costs(&summary, &running.costs())?;
    }
    let status = if broken { ExitCode::from(2) } else { ExitCode::SUCCESS };
    Ok(Played { status, to_its_end: &*result.termination != "left" })
}

/// Prints the costliest mistakes of the loser; after a draw, of both sides.
fn print_costs(summary: &PlayedMatch<'_>, costs: &[Vec<String>; 2]) -> anyhow::Result<()> {
    let lost = |side: &usize| summary.ending.winner != Some(*side) && !costs[*side].is_empty();
    for side in [0, 1].into_iter().filter(lost) {
        let (name, player) = (summary.ending.sides[side].name, summary.players_by_side()[side]);
        print(&format!(
            "what cost {name} ({player}) most, in moves of one bot:\n{}",
            costs[side].join("\n")
        ))?;
    }
    Ok(())
}

fn invited(args: &PlayArgs) -> Vec<Invited> {
    let kind = if args.extensions { Kind::Extended } else { Kind::Plain };
    let gui = |address: &String| Invited { kind, address: address.clone(), needed: !args.gui_optional };
    args.bridge.iter().map(|address| bridged(address)).chain(args.gui.iter().map(gui)).collect()
}

fn bridged(address: &str) -> Invited {
    Invited { kind: Kind::Extended, address: address.to_owned(), needed: false }
}

/// Shows the commands, each at its time; returns early once all peers are gone.
fn draw(commands: &[StampedCommand], audience: &mut Audience, mut pacer: Option<&mut Pace>) {
    let Some(mut first) = commands.first().map(|command| command.tick) else { return };
    let mut lines = Lines::default();
    for stamped in commands {
        if audience.has_gone() {
            return;
        }
        if let Some(pace) = &mut pacer
            && pace.time_of(stamped.tick).since(pace.time_of(first)).0 > TOGETHER_MICROS
        {
            pace.wait_for(first);
            audience.show(std::mem::take(&mut lines));
            first = stamped.tick;
        }
        lines.push(&stamped.command);
    }
    if let Some(pace) = pacer.filter(|_| !audience.has_gone()) {
        pace.wait_for(first);
    }
    audience.show(lines);
}

//! Matches and units of Fortress in words.

use std::fmt::Write as _;

use grandstand_protocol::fortress::Team;
use grandstand_story::format::capitalised;

use super::account::{Idle, IdleKind, Loss, Report, UnitReport};
use super::clock;
use super::known_answers::UnitView;

/// Number of listed losses of a side at most.
const LOSSES: usize = 12;
/// Number of listed kinds of failures of a unit at most.
const FAILURES: usize = 3;
/// Number of listed idle times of a unit at most.
const IDLES: usize = 3;

/// Loser and turning point.
pub(super) fn headline(report: &Report) -> String {
    let player = |side: usize| format!("{} ({})", Team::ALL[side], report.players[side]);
    let [red, blue] = report.score;
    let ended = report.termination.map_or_else(String::new, |word| format!(", by {word}"));
    let Some(winner) = report.winner else {
        return match report.termination {
            Some(_) => format!("{} and {} drew {red}–{blue}{ended}.", player(0), player(1)),
            None => {
                format!("{} against {}, {red}–{blue} after {}.", player(0), player(1), clock(report.millis))
            }
        };
    };
    let loser = 1 - winner;
    let score = [report.score[loser], report.score[winner]];
    let mut text =
        format!("{} lost {}–{} against {}{ended}.", player(loser), score[0], score[1], player(winner));
    if let Some((millis, words)) = &report.turned {
        let _ = write!(text, " It turned at second {}: {words}.", millis / 1_000);
    }
    if is_idle(report, loser) {
        let _ = write!(text, " {} did nothing in the whole match.", capitalised(Team::ALL[loser].name()));
    }
    text
}

/// Whether no unit of a side ever acted.
fn is_idle(report: &Report, side: usize) -> bool {
    report.units.iter().filter(|unit| unit.side == side).all(|unit| unit.done == 0)
}

pub(super) fn report(report: &Report) -> String {
    let mut text = String::new();
    for remark in &report.remarks {
        let _ = writeln!(text, "Note: {remark}.");
    }
    let _ = writeln!(text, "{}", headline(report));
    let loser = report.winner.map_or(0, |winner| 1 - winner);
    for side in [loser, 1 - loser] {
        text.push('\n');
        side_words(report, side, &mut text);
    }
    text.trim_end().to_owned()
}

fn side_words(report: &Report, side: usize, text: &mut String) {
    let _ = writeln!(text, "{} ({})", Team::ALL[side], report.players[side]);
    let lost = &report.lost[side];
    let _ = writeln!(
        text,
        "  lost {} unit{}{}",
        lost.len(),
        if lost.len() == 1 { "" } else { "s" },
        if lost.is_empty() { "" } else { ":" }
    );
    for loss in lost.iter().take(LOSSES) {
        let _ = writeln!(text, "    second {:>3}  {}", loss.millis / 1_000, how(loss));
    }
    if lost.len() > LOSSES {
        let _ = writeln!(text, "    and {} more, which --json lists", lost.len() - LOSSES);
    }
    for unit in report.units.iter().filter(|unit| unit.side == side) {
        unit_words(unit, text);
    }
}

fn unit_words(unit: &UnitReport, text: &mut String) {
    if unit.sent == 0 {
        let _ = writeln!(text, "  unit {} sent nothing", unit.unit);
        return;
    }
    let failures: u64 = unit.failed.iter().map(|(_, times)| times).sum();
    let _ = write!(
        text,
        "  unit {} sent {} messages: {} steps, turns and abilities done, {failures} failed",
        unit.unit, unit.sent, unit.done
    );
    let most: Vec<String> =
        unit.failed.iter().take(FAILURES).map(|(why, times)| format!("{times} × {why}")).collect();
    let _ = writeln!(text, "{}{}", if most.is_empty() { "" } else { ": " }, most.join("; "));
    let mut idle: Vec<&Idle> = unit.idle.iter().collect();
    idle.sort_by_key(|idle| std::cmp::Reverse(idle.to - idle.from));
    for idle in idle.into_iter().take(IDLES) {
        let _ = writeln!(
            text,
            "    idle from second {} to {}: {}",
            idle.from / 1_000,
            idle.to / 1_000,
            idle_kind(&idle.kind)
        );
    }
}

/// Reason of an idle time, in words.
pub(super) fn idle_kind(kind: &IdleKind) -> String {
    match kind {
        IdleKind::Silent => "it sent nothing".to_owned(),
        IdleKind::Asked => "it only asked".to_owned(),
        IdleKind::Failed(why) => format!("all that it tried failed, most often {why}"),
    }
}

/// Cause of a loss, in words.
pub(super) fn how(loss: &Loss) -> String {
    let mut text = format!("unit {} ({}) was destroyed at {}", loss.unit, loss.class, loss.at.label());
    match loss.by.split_first() {
        None => {}
        Some((&(unit, amount), others)) => {
            let _ = write!(text, " by unit {unit} ({amount})");
            if !others.is_empty() {
                let others: Vec<String> =
                    others.iter().map(|(unit, amount)| format!("{unit} ({amount})")).collect();
                let _ = write!(text, " after hits of {}", others.join(", "));
            }
        }
    }
    match &loss.last {
        Some((millis, last)) => {
            let ago = loss.millis.saturating_sub(*millis);
            let _ = write!(text, "; the last that it tried was {last}, {} before", clock(ago));
        }
        None => text += "; it had tried nothing",
    }
    text
}

/// View of a unit, in words.
pub(super) fn view(view: &UnitView) -> String {
    let team = Team::ALL[view.side];
    let mut text = match &view.stood {
        Some(unit) => format!(
            "second {}, millisecond {}: {team} unit {} ({}) at {} with {} of health looks {}\n",
            view.millis / 1_000,
            view.millis,
            view.unit,
            unit.class,
            unit.at.label(),
            unit.health,
            unit.facing
        ),
        None => format!(
            "second {}, millisecond {}: {team} unit {} is destroyed\n",
            view.millis / 1_000,
            view.millis,
            view.unit
        ),
    };
    if view.past_actions.is_empty() {
        text += "\nit had sent nothing\n";
    } else {
        text += "\nwhat it did last:\n";
        for action in &view.past_actions {
            let _ = writeln!(text, "  {:>10}  {}", clock(action.millis), action.text);
        }
    }
    if view.told.is_empty() {
        text += "\nits team had been told nothing\n";
    } else {
        text += "\nwhat its team had been told:\n";
        for (millis, unit, words, _) in &view.told {
            let _ = writeln!(text, "  {:>10}  unit {unit}: {words}", clock(*millis));
        }
    }
    if let Some(fate) = &view.fate {
        let _ = write!(text, "\nand then:\n  {fate}");
    }
    text.trim_end().to_owned()
}

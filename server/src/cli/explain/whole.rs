//! Explanation of a whole match as text.

use std::fmt::Write as _;

use grandstand_insight::{Insight, Loss, Report};
use grandstand_matches::machine::Account;

/// Maximum number of mistakes listed per side.
const TOLD: usize = 10;
/// Minimum cost of a listed mistake, in moves of one bot.
const LEAST: f64 = 0.1;

/// The explanation of the match.
pub(super) fn words(insight: &Insight, report: &Report) -> String {
    let mut text = String::new();
    for remark in &report.remarks {
        let _ = writeln!(text, "Note: {remark}.");
    }
    let _ = writeln!(text, "{}", outcome(insight, report));
    let loser = report.winner.map_or(0, |winner| 1 - winner);
    for side in [loser, 1 - loser] {
        text.push('\n');
        text += &side_words(insight, report, side);
    }
    text.trim_end().to_owned()
}

/// Result, such as `black (mybot) lost 3–6. It turned at turn 41: bot 17 was pushed off while …`.
fn outcome(insight: &Insight, report: &Report) -> String {
    let player = |side: usize| format!("{} ({})", report.players[side].0, report.players[side].1);
    let score =
        |side: usize| report.score_of(side).map(|[own, other]| format!(" {own}–{other}")).unwrap_or_default();
    let ended = report.termination.map_or(String::new(), |word| format!(", by {word}"));
    let Some(winner) = report.winner else {
        return match report.termination {
            Some(_) => format!("{} and {} drew{}{ended}.", player(0), player(1), score(0)),
            None => format!("{} against {}, up to cycle {}.", player(0), player(1), insight.cycle()),
        };
    };
    let loser = 1 - winner;
    let mut text = format!("{} lost{} against {}{ended}.", player(loser), score(loser), player(winner));
    if let Some(turned) = &report.turned {
        let _ = write!(text, " It turned at {} {}", insight.tempo().beat, turned.turn);
        match &turned.loss {
            Some(loss) => {
                let _ = write!(text, ": {}.", loss_words(insight, loss));
            }
            None => {
                let _ = write!(text, ": from there on {} led.", report.players[winner].0);
            }
        }
    }
    text
}

/// A loss, such as `bot 17 was pushed off while it waited …`.
fn loss_words(insight: &Insight, loss: &Loss) -> String {
    let how = loss.how.strip_prefix("it ").map_or_else(|| format!(": {}", loss.how), |how| format!(" {how}"));
    let doing = if loss.doing.is_empty() { String::new() } else { format!(" {}", loss.doing) };
    format!("{} {}{how}{doing}", insight.bot_word(), loss.bot)
}

fn side_words(insight: &Insight, report: &Report, side: usize) -> String {
    let (name, player) = &report.players[side];
    let mut text = format!("{name} ({player})\n");
    let (lost, beat) = (&report.lost[side], insight.tempo().beat);
    let bots = insight.bots().iter().filter(|bot| bot.side == side).count();
    let _ = writeln!(
        text,
        "  lost {}{} {}s{}",
        lost.len(),
        // The number of bots is unknown for a side without its program.
        if bots == 0 { String::new() } else { format!(" of {bots}") },
        insight.bot_word(),
        if lost.is_empty() { "" } else { ":" }
    );
    for loss in lost {
        let _ = writeln!(text, "    {beat} {:>3}  {}", loss.turn, loss_words(insight, loss));
    }
    for (cycle, circle) in &report.deadlocks[side] {
        let _ = writeln!(text, "  a deadlock at {beat} {}:", insight.turn_of(*cycle));
        for wait in circle {
            let _ = writeln!(text, "    {wait}");
        }
    }
    let accounts: Vec<&Account> =
        report.accounts[side].iter().filter(|account| account.moves >= LEAST).collect();
    if accounts.is_empty() {
        text += "  no mistake that cost anything was found\n";
        return text;
    }
    text += "  what cost it most, in moves of one bot:\n";
    for Account { moves, words, .. } in accounts.iter().take(TOLD) {
        let _ = writeln!(text, "  {moves:>8.1}  {words}");
    }
    if accounts.len() > TOLD {
        let _ = writeln!(text, "            and {} more, which --json lists", accounts.len() - TOLD);
    }
    text
}

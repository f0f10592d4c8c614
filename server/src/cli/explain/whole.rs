//! Explanation of a whole match as text.

use std::fmt::Write as _;

use grandstand_insight::{Insight, LEAST_COST, Report};
use grandstand_matches::machine::Account;

/// Maximum number of mistakes listed per side.
const TOLD: usize = 10;

/// The explanation of the match.
pub(super) fn words(insight: &Insight, report: &Report) -> String {
    let mut text = String::new();
    for remark in &report.remarks {
        let _ = writeln!(text, "Note: {remark}.");
    }
    let _ = writeln!(text, "{}", report.summary(insight));
    let loser = report.winner.map_or(0, |winner| 1 - winner);
    for side in [loser, 1 - loser] {
        text.push('\n');
        text += &side_words(insight, report, side);
    }
    text.trim_end().to_owned()
}

fn side_words(insight: &Insight, report: &Report, side: usize) -> String {
    let (name, player) = &report.players[side];
    let mut text = format!("{name} ({player})\n");
    let lost = &report.lost[side];
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
        let _ = writeln!(text, "    {:<8}  {}", insight.moment_words(loss.cycle), loss.words(insight));
    }
    for (cycle, circle) in &report.deadlocks[side] {
        let _ = writeln!(text, "  a deadlock at {}:", insight.moment_words(*cycle));
        for wait in circle {
            let _ = writeln!(text, "    {wait}");
        }
    }
    let accounts: Vec<&Account> =
        report.accounts[side].iter().filter(|account| account.moves >= LEAST_COST).collect();
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

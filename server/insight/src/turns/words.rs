//! A review in words.

use std::fmt::Write as _;

use super::{MoveReview, Review};

/// Least chance of a position that is not bad yet.
pub(super) const NOT_BAD: f64 = 0.35;
/// Chance from which on a move that gave up most of it has turned the match, and not lost it yet.
const OPEN: f64 = 0.2;
/// Number of listed mistakes at most.
const LISTED: usize = 10;
/// Number of moves of a line at most.
const LINE: usize = 8;

/// Loser and losing move.
pub(super) fn headline(review: &Review) -> String {
    let player = |side: usize| format!("{} ({})", review.players[side].0, review.players[side].1);
    let moves = count(review.length);
    let ended = review.termination.as_deref().map_or_else(String::new, |word| format!(", by {word}"));
    let outcome = match (review.winner, &review.termination) {
        (Some(winner), _) => {
            format!("{} lost in {moves} against {}{ended}.", player(1 - winner), player(winner))
        }
        (None, Some(_)) => format!("{} and {} drew in {moves}{ended}.", player(0), player(1)),
        (None, None) => format!("{} against {}, {moves} without an end.", player(0), player(1)),
    };
    format!("{outcome} {}", verdict(review)).trim_end().to_owned()
}

/// Sentence about the losing move; empty for a match without a loser and without mistakes.
pub(super) fn verdict(review: &Review) -> String {
    match (review.winner.map(|winner| 1 - winner), subject(review), undecided(review)) {
        (None, None, _) => String::new(),
        (None, Some(made), _) => format!("Most was given up by {}.", told(made, "")),
        (Some(loser), _, Some(chance)) => format!(
            "No move lost it: it ended by {} when {} had a chance of {}.",
            review.termination.as_deref().unwrap_or_default(),
            review.players[loser].0,
            percent(chance)
        ),
        (Some(_), Some(made), None) => {
            let verb = if made.chances[1] < OPEN { " lost" } else { " turned the match" };
            format!("M{}.", &told(made, verb)[1..])
        }
        (Some(_), None, None) if review.is_complete() => {
            let forced = forced(review)
                .map(|made| format!(", and after move {} {} the win was forced", made.number, made.text));
            format!("No single move lost it: each gave up little{}.", forced.unwrap_or_default())
        }
        (Some(_), None, None) => "No move that lost it was found so far.".to_owned(),
    }
}

/// The move of the verdict: the one that lost, or in a match without a loser the one that gave up most.
pub(super) fn subject(review: &Review) -> Option<&MoveReview> {
    match review.winner {
        None => review.mistakes().first().copied(),
        Some(_) if undecided(review).is_some() => None,
        Some(_) => review.decisive(),
    }
}

/// Where no single move lost a match that is reviewed to the end, the first one after which the loser never again had a chance.
pub(super) fn forced(review: &Review) -> Option<&MoveReview> {
    let loser = 1 - review.winner?;
    if !review.is_complete() || review.decisive().is_some() || undecided(review).is_some() {
        return None;
    }
    let is_over = |made: &&MoveReview| made.chances[1] == if made.side == loser { 0.0 } else { 1.0 };
    let open = review.moves.iter().rposition(|made| !is_over(&made));
    review.moves.get(open.map_or(0, |at| at + 1))
}

/// The loser's chance in the last position, where a clock or a forfeit ended a match that was not lost yet.
fn undecided(review: &Review) -> Option<f64> {
    let loser = 1 - review.winner?;
    let chance = review.last.map(|chance| if review.length % 2 == loser { chance } else { 1.0 - chance });
    chance.filter(|chance| !review.by_rules && *chance >= NOT_BAD)
}

/// `move 31 k9 lost: white's open three was not answered …; better was n10`
fn told(made: &MoveReview, verb: &str) -> String {
    let cause = made.cause.as_ref().map_or_else(String::new, |cause| format!(": {cause}"));
    let better = match made.better.first() {
        Some(better) if !cause.contains(&format!("{better} was better")) => format!("; better was {better}"),
        _ => String::new(),
    };
    format!("move {} {}{verb}{cause}{better}", made.number, made.text)
}

/// The whole review.
pub(super) fn whole(review: &Review) -> String {
    let mut text = String::new();
    for remark in &review.remarks {
        let _ = writeln!(text, "Note: {remark}.");
    }
    let (done, all) = review.progress;
    if done < all {
        let _ = writeln!(text, "Note: stopped after {done} of {all} positions, counted from the end.");
    }
    let _ = writeln!(text, "{}", headline(review));
    let mistakes = review.mistakes();
    if mistakes.is_empty() && done < all {
        return text.trim_end().to_owned();
    }
    if mistakes.is_empty() {
        let _ = writeln!(text, "\nNo mistakes: no move gave up 10 % of the chance to win.");
        return text.trim_end().to_owned();
    }
    let nodes = review.nodes;
    let _ = writeln!(
        text,
        "\nThe moves that gave up most, with the chance of who moved before and after (engine: {nodes} nodes a position):"
    );
    let listed: Vec<&MoveReview> = mistakes.iter().take(LISTED).copied().collect();
    let width = listed.iter().map(|made| made.marked().chars().count()).max().unwrap_or(0);
    for made in listed {
        let _ = writeln!(
            text,
            "  move {:>3}  {:<6} {:<width$}  {:>5} → {:>5}  {}",
            made.number,
            review.players[made.side].0,
            made.marked(),
            percent(made.chances[0]),
            percent(made.chances[1]),
            made.cause.as_ref().map_or_else(String::new, ToString::to_string)
        );
        if !made.better.is_empty() {
            let _ = writeln!(text, "            better:   {}", line(&made.better));
        }
        if !made.reply.is_empty() {
            let _ = writeln!(text, "            answered: {}", line(&made.reply));
        }
    }
    if mistakes.len() > LISTED {
        let _ = writeln!(text, "  and {} more, which --json lists", mistakes.len() - LISTED);
    }
    text.trim_end().to_owned()
}

/// First moves of a line.
fn line(moves: &[String]) -> String {
    let separator = if moves.iter().any(|made| made.contains(' ')) { ", " } else { " " };
    let shown = moves.iter().take(LINE).cloned().collect::<Vec<_>>().join(separator);
    if moves.len() > LINE { format!("{shown} …") } else { shown }
}

fn count(moves: usize) -> String {
    if moves == 1 { "1 move".to_owned() } else { format!("{moves} moves") }
}

/// `41 %`
fn percent(chance: f64) -> String {
    format!("{:.0} %", chance * 100.0)
}

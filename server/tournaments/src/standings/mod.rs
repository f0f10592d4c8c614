//! Tables: standings and crosstable of a stage, and places over all stages.

mod crosstable;
mod order;
mod ranking;
mod tally;

use serde::{Deserialize, Serialize};

pub use crosstable::{Cell, Crosstable};
pub use ranking::FinalPlace;
pub(crate) use tally::{StageResults, tallies};

use crate::formats::elimination::Plan;
use crate::{EntryKind, Format, PlayerIndex, Score, TieBreak, TournamentState};

/// One line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Rank, from 1; `None` for house and staff players, and for those who left the table. In an elimination, players
    /// who went out in the same round share a rank.
    pub rank: Option<u32>,
    /// The player.
    pub player: PlayerIndex,
    /// Points of all games that count, and of byes.
    pub points: Score,
    /// Games that count.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games lost by its own fault.
    pub forfeits: u32,
    /// Rounds without an opponent that scored.
    pub byes: u32,
    /// Tie-breaks in their order. `None` if one was not needed, or not applicable (head-to-head among players who did
    /// not all meet).
    pub tie_breaks: Vec<(TieBreak, Option<Score>)>,
    /// Criterion that puts the player above the next line; `None` in the last line.
    pub above_next: Option<OrderedBy>,
    /// Whether the player was retired for its faults.
    pub retired: bool,
    /// Whether it was retired before half of its encounters. In a round robin and a gauntlet its games then count for
    /// nobody.
    pub left_table: bool,
}

/// Reason for which one player stands above another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderedBy {
    /// More points.
    Points,
    /// The same points, and a difference in this tie-break but in none before it.
    TieBreak(TieBreak),
    /// The player went further in the elimination.
    Round,
    /// Both went out in the same round: they share a place, the better seed first.
    Shared,
    /// The lower player takes no place.
    NoPlace,
}

impl OrderedBy {
    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Points => "points",
            Self::TieBreak(tie_break) => tie_break.name(),
            Self::Round => "went further",
            Self::Shared => "shared place",
            Self::NoPlace => "takes no place",
        }
    }
}

impl TournamentState {
    /// The table of a stage, best first; empty before it began.
    pub fn standings(&self, stage: usize) -> Vec<Standing> {
        table(self, stage)
    }
}

/// The table of a stage.
fn table(tournament: &TournamentState, stage: usize) -> Vec<Standing> {
    let Some(plan) = tournament.plan().stages.get(stage) else { return Vec::new() };
    let field = tournament.field(stage);
    if field.is_empty() {
        return Vec::new();
    }
    let tallies = tallies(tournament, stage, field);
    let players = || tallies.iter().map(|tally| tally.player);
    let (placed, without): (Vec<_>, Vec<_>) = players().partition(|&player| {
        tournament.kind(player) == EntryKind::Entered && !tournament.left_table(player, stage)
    });
    let levels = order::levels(plan);
    let scores = order::Scores::new(tournament.plan().seed, stage, &levels, &tallies, plan);
    let line = |player: PlayerIndex, rank| {
        let tally = &tallies[scores.position(player)];
        Standing {
            rank,
            player,
            points: tally.points,
            games: tally.wins + tally.draws + tally.losses,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            forfeits: tally.forfeits,
            byes: tally.byes,
            tie_breaks: levels.iter().map(|&level| (level, scores.value(player, level))).collect(),
            above_next: None,
            retired: tournament.is_retired(player),
            left_table: tournament.left_table(player, stage),
        }
    };
    if let Format::Elimination { double, third_place, .. } = plan.format {
        let reaches = Plan::new(field.len(), double, third_place).reaches(field, &tournament.bracket(stage));
        let mut order: Vec<usize> = (0..field.len()).collect();
        order.sort_by_key(|&seed| (std::cmp::Reverse(reaches[seed]), seed));
        let rank = |seed: usize| 1 + reaches.iter().filter(|&&reach| reach > reaches[seed]).count() as u32;
        let mut lines: Vec<Standing> =
            order.iter().map(|&seed| line(field[seed], Some(rank(seed)))).collect();
        for upper in 1..lines.len() {
            let shared = lines[upper - 1].rank == lines[upper].rank;
            lines[upper - 1].above_next = Some(if shared { OrderedBy::Shared } else { OrderedBy::Round });
        }
        return lines;
    }
    let mut lines: Vec<Standing> = Vec::new();
    for (rank, (player, above_next, head_to_head)) in (1..).zip(order::order(&scores, &placed, &levels)) {
        let mut standing = line(player, Some(rank));
        standing.above_next = above_next;
        for (tie_break, value) in &mut standing.tie_breaks {
            if *tie_break == TieBreak::HeadToHead {
                *value = head_to_head;
            }
        }
        lines.push(standing);
    }
    if !without.is_empty()
        && let Some(last) = lines.last_mut()
    {
        last.above_next = Some(OrderedBy::NoPlace);
    }
    // Players without a place stand below, those who left the table last.
    let mut without: Vec<Standing> = without.into_iter().map(|player| line(player, None)).collect();
    without.sort_by_key(|standing| (standing.left_table, -standing.points, standing.player));
    lines.extend(without);
    lines
}

//! Report of one player: results by opponent, map and side, terminations, worst losses.

use std::collections::BTreeMap;

use grandstand_tournaments::PlayerIndex;
use serde::Serialize;

use super::super::catalogue::{Fault, PlayerRecord};
use super::{GameLine, Snapshot};

/// Number of worst losses in the report.
const WORST: usize = 5;

/// Report of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerReport {
    /// The player.
    pub player: PlayerRecord,
    /// Results over all games.
    pub total: Opposition,
    /// Results by opponent, in the order of the plan.
    pub opponents: Vec<Opposition>,
    /// Results by side.
    pub sides: Vec<Opposition>,
    /// Results by map, if there are maps.
    pub maps: Vec<Opposition>,
    /// Terminations, most frequent first: won, drawn or lost, the termination, and the count.
    pub endings: Vec<(&'static str, String, u32)>,
    /// The player's own faults, by termination.
    pub faults: BTreeMap<String, u32>,
    /// The shortest losses, shortest first.
    pub worst_losses: Vec<GameLine>,
}

/// Results of a player against an opponent, on a map, or on a side.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Opposition {
    /// Name of the opponent, the map or the side.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Opposition {
    /// Total number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn add(&mut self, won: &str) {
        match won {
            "won" => self.wins += 1,
            "drawn" => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

impl Snapshot {
    /// The report of a player, over the games that count.
    pub fn player(&self, player: PlayerIndex) -> Option<PlayerReport> {
        let record = self.players.get(player.index())?.clone();
        let mut report = PlayerReport {
            player: record,
            total: Opposition { name: "all".to_owned(), ..Opposition::default() },
            opponents: Vec::new(),
            sides: ["first", "second"]
                .map(|name| Opposition { name: name.to_owned(), ..Opposition::default() })
                .into(),
            maps: Vec::new(),
            endings: Vec::new(),
            faults: BTreeMap::new(),
            worst_losses: Vec::new(),
        };
        let mut opponents: BTreeMap<PlayerIndex, Opposition> = BTreeMap::new();
        let mut maps: BTreeMap<String, Opposition> = BTreeMap::new();
        let mut endings: BTreeMap<(&'static str, String), u32> = BTreeMap::new();
        for record in &self.games {
            let Some(side) = record.game.players.iter().position(|of| *of == player) else { continue };
            let Some(line) = self.game_line(record).filter(|line| line.counts) else { continue };
            let won = match (line.result, line.winner) {
                (None | Some("annulled"), _) => continue,
                (Some("0-0"), _) => "lost",
                (_, None) => "drawn",
                (_, Some(winner)) if usize::from(winner) == side => "won",
                _ => "lost",
            };
            let opponent = record.game.players[1 - side];
            opponents.entry(opponent).or_default().add(won);
            report.total.add(won);
            report.sides[side].add(won);
            if let Some(map) = &line.map {
                maps.entry(map.clone()).or_default().add(won);
            }
            *endings.entry((won, line.termination.clone())).or_default() += 1;
            let own = if side == 0 { Fault::First } else { Fault::Second };
            if line.fault.is_some_and(|fault| fault == own || fault == Fault::Both) {
                *report.faults.entry(line.termination.clone()).or_default() += 1;
            }
            if won == "lost" {
                report.worst_losses.push(line);
            }
        }
        report.opponents = opponents
            .into_iter()
            .map(|(of, had)| Opposition { name: self.name(of).to_owned(), ..had })
            .collect();
        report.maps = maps.into_iter().map(|(name, had)| Opposition { name, ..had }).collect();
        report.endings = endings.into_iter().map(|((won, by), count)| (won, by, count)).collect();
        report.endings.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        report.worst_losses.sort_by_key(|line| (line.length, line.number));
        report.worst_losses.truncate(WORST);
        Some(report)
    }
}

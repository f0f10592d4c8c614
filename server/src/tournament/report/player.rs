//! Report of one player: results by opponent, map and side, terminations, worst losses.

use std::collections::BTreeMap;

use grandstand_tournaments::PlayerIndex;

use super::super::catalogue::Fault;
use super::{Opposition, PlayerReport, Snapshot, player_line};

/// Number of worst losses in the report.
const WORST: usize = 5;

fn add(results: &mut Opposition, won: &str) {
    match won {
        "won" => results.wins += 1,
        "drawn" => results.draws += 1,
        _ => results.losses += 1,
    }
}

impl Snapshot {
    /// The report of a player, over the games that count.
    pub fn player(&self, player: PlayerIndex) -> Option<PlayerReport> {
        let record = player_line(self.players.get(player.index())?);
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
            let won = match (line.result.as_deref(), line.winner) {
                (None | Some("annulled"), _) => continue,
                (Some("0-0"), _) => "lost",
                (_, None) => "drawn",
                (_, Some(winner)) if usize::from(winner) == side => "won",
                _ => "lost",
            };
            let opponent = record.game.players[1 - side];
            add(opponents.entry(opponent).or_default(), won);
            add(&mut report.total, won);
            add(&mut report.sides[side], won);
            if let Some(map) = &line.map {
                add(maps.entry(map.clone()).or_default(), won);
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
        report.endings = endings.into_iter().map(|((won, by), count)| (won.to_owned(), by, count)).collect();
        report.endings.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        report.worst_losses.sort_by_key(|line| (line.length, line.number));
        report.worst_losses.truncate(WORST);
        Some(report)
    }
}

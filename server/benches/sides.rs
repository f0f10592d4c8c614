//! Balance of the two sides: on every map the same team plays itself, each match with a seed of its own, and the first
//! side's share of the decided matches is printed with its 95 % interval.
//!
//! `cargo bench -p grandstand --no-default-features --bench sides` plays 200 matches a row, `… -- 1000 shark lanes` a
//! thousand of each row that matches all of these words.
//!
//! If a map is symmetric and the rules favour no side, the share is a half except for chance and for habits of the
//! team, which may be better on one side. In Abalone and Riskless one side moves first, which is part of the share.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nobody to report to"
)]

mod series;

use std::time::Instant;

use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::turns::settings::read_settings;
use grandstand_matches::{Frequency, MatchSpec};
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::Game;
use grandstand_rules::{fortress, riskless, shark};
use serde_json::json;

/// Default number of matches per row.
const MATCHES: u64 = 200;

/// A team against itself, on a map.
struct Row {
    game: Game,
    map: &'static str,
    team: &'static str,
    fixture: Box<dyn MatchSpec>,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for team in ["team", "simple_bot"] {
        rows.push(Row { game: Game::Abalone, map: "hexagon", team, fixture: series::abalone([team; 2]) });
    }
    for (map, _) in shark::maps::SHIPPED {
        for team in ["shark", "stupidbot"] {
            rows.push(Row { game: Game::Shark, map, team, fixture: series::shark(map, [team; 2]) });
        }
    }
    for (map, _) in fortress::maps::SHIPPED {
        for team in ["strong", "weak"] {
            rows.push(Row { game: Game::Fortress, map, team, fixture: series::fortress(map, [team; 2]) });
        }
    }
    for (map, _) in riskless::maps::SHIPPED {
        let team = "search:depth=3";
        // Without random opening moves every match would be the same.
        let settings = json!({"MAP": map, "OPENING_PLIES": 4}).as_object().unwrap().clone();
        let settings = read_settings::<Riskless>(Game::Riskless, settings).unwrap();
        let setup = TurnMatch::new(settings, [team; 2], 0).unwrap();
        rows.push(Row { game: Game::Riskless, map, team, fixture: Box::new(setup) });
    }
    rows
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let matches = words.iter().find_map(|word| word.parse().ok()).unwrap_or(MATCHES);
    let wanted: Vec<&String> = words.iter().filter(|word| word.parse::<u64>().is_err()).collect();
    println!(
        "game     map     team            first  second  draws  first's share of the decided, 95 %     secs"
    );
    for Row { game, map, team, fixture } in rows() {
        let label = format!("{:8} {map:7} {team:14}", game.name());
        if !wanted.iter().all(|word| label.contains(word.as_str())) {
            continue;
        }
        let began = Instant::now();
        let tally = series::play(&*fixture, matches, false);
        let ([first, second], draws) = (tally.with_first_as(0), tally.draws().count);
        let Frequency { share, interval: (low, high), .. } = Frequency::of(first, first + second);
        println!(
            "{label} {first:6}  {second:6} {draws:6}  {:6.1} % ({:.1} to {:.1}) {:22.1}",
            100.0 * share,
            100.0 * low,
            100.0 * high,
            began.elapsed().as_secs_f64()
        );
    }
}

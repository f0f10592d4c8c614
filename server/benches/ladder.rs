//! Ladder of the sparring bots: each one against the one below, and the strongest one against all others. The share is
//! that of the stronger one in the decided matches, with its 95 % interval.
//!
//! `cargo bench -p grandstand --no-default-features --bench ladder` plays 100 matches a row, spread over all maps of the game, with both sides;
//! `… -- 400 shark` plays 400 a row, of that game only.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and has nobody to report to"
)]

mod series;

use std::time::Instant;

use grandstand_matches::{Frequency, MatchSpec};
use grandstand_protocol::Game;
use grandstand_rules::{fortress, shark};

/// Default number of matches per row.
const MATCHES: u64 = 100;

/// Prefix of the names of sparring bots; a number follows.
const NAME: &str = "sparring-";

/// The games and the number of bots in their ladders.
const LADDERS: [(Game, usize); 3] = [(Game::Abalone, 6), (Game::Shark, 6), (Game::Fortress, 3)];

/// A match of these two on each map of the game.
fn fixtures(game: Game, players: [&str; 2]) -> Vec<Box<dyn MatchSpec>> {
    match game {
        Game::Shark => shark::maps::SHIPPED.iter().map(|(map, _)| series::shark(map, players)).collect(),
        Game::Fortress => {
            fortress::maps::SHIPPED.iter().map(|(map, _)| series::fortress(map, players)).collect()
        }
        _ => vec![series::abalone(players)],
    }
}

fn row(game: Game, matches: u64, stronger: usize, weaker: usize) {
    let names = [stronger, weaker].map(|step| format!("{NAME}{step}"));
    let fixtures = fixtures(game, names.each_ref().map(String::as_str));
    let began = Instant::now();
    let (mut wins, mut draws) = ([0, 0], 0);
    for fixture in &fixtures {
        let tally = series::play(&**fixture, matches.div_ceil(fixtures.len() as u64), true);
        wins[0] += tally.first().count;
        wins[1] += tally.second().count;
        draws += tally.draws().count;
    }
    let [won, lost] = wins;
    let Frequency { share, interval: (low, high), .. } = Frequency::of(won, won + lost);
    println!(
        "{:8} {} - {}   {won:6} {lost:6} {draws:6}  {:6.1} % ({:.1} to {:.1}) {:10.1}",
        game.name(),
        names[0],
        names[1],
        100.0 * share,
        100.0 * low,
        100.0 * high,
        began.elapsed().as_secs_f64()
    );
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let matches = words.iter().find_map(|word| word.parse().ok()).unwrap_or(MATCHES);
    let wanted: Vec<&String> = words.iter().filter(|word| word.parse::<u64>().is_err()).collect();
    println!("game     stronger - weaker            won   lost  draws   share of the decided, 95 %   secs");
    for (game, top) in LADDERS {
        if !wanted.is_empty() && !wanted.iter().any(|word| *word == game.name()) {
            continue;
        }
        for step in 2..=top {
            row(game, matches, step, step - 1);
        }
        // The neighbour was played above.
        for step in (1..top - 1).rev() {
            row(game, matches, top, step);
        }
    }
}

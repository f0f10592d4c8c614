//! Simulation of tournaments from known strengths, and of tests from known differences, to check the numbers.
//!
//! `cargo bench -p grandstand-tournaments --bench simulation -- [tournaments=1000] [tests=1000]` prints the
//! percentage of 95 % intervals that contain the true value, the error rates of the test of strength, and the time to
//! draw a round of a Swiss with 200 players.
#![allow(clippy::print_stdout, reason = "prints its tables")]

use std::time::Instant;

use grandstand_tournaments::ratings::{Options, RatedGame, fit};
use grandstand_tournaments::sprt::{Model, SprtCounts, SprtDecision, SprtPlan};
use grandstand_tournaments::*;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to below 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
}

/// Origin of the true chances.
#[derive(Clone, Copy, PartialEq)]
enum World {
    /// Strengths, draws and the advantage of a side: the model itself.
    Model,
    /// Each pair's opening favours one side, so that its two games depend on each other.
    Correlated,
    /// Each player is also good or bad against certain others, as in rock, paper, scissors.
    Cyclic,
}

/// Standard deviation of an opening's value to the first side, in Elo, in the world [`World::Correlated`].
const OPENING: f64 = 200.0;
/// Additional strength of a player against certain others, in Elo, in the world [`World::Cyclic`].
const CYCLE: f64 = 150.0;

struct Truth {
    world: World,
    strengths: Vec<f64>,
}

impl Truth {
    fn new(world: World, players: u32, random: &mut Random) -> Self {
        Self { world, strengths: (0..players).map(|_| 150.0 * random.normal()).collect() }
    }

    /// Chances of the first side, given the value of the opening.
    fn chances(&self, [one, other]: [PlayerIndex; 2], opening: f64) -> [f64; 3] {
        let cycle = match (self.world, (one.0 + 3 - other.0 % 3) % 3) {
            (World::Cyclic, 1) => CYCLE,
            (World::Cyclic, 2) => -CYCLE,
            _ => 0.0,
        };
        let lead = self.strengths[one.index()] - self.strengths[other.index()] + 30.0 + cycle + opening;
        let half = 10_f64.powf(lead / 800.0);
        let sum = half + 0.6 + 1.0 / half;
        [half / sum, 0.6 / sum, 1.0 / half / sum]
    }

    /// The chances over all openings.
    fn mean_chances(&self, players: [PlayerIndex; 2]) -> [f64; 3] {
        if self.world != World::Correlated {
            return self.chances(players, 0.0);
        }
        let mut mean = [0.0; 3];
        let mut weights = 0.0;
        for step in -40..=40 {
            let deviation = f64::from(step) / 10.0;
            let weight = (-0.5 * deviation * deviation).exp();
            let chances = self.chances(players, OPENING * deviation);
            weights += weight;
            mean.iter_mut().zip(chances).for_each(|(mean, chance)| *mean += weight * chance);
        }
        mean.map(|sum| sum / weights)
    }

    /// The ratings that the same schedule would give if it were played thousands of times: the values that intervals
    /// should contain.
    fn ratings(&self, games: &[RatedGame], players: usize) -> Vec<f64> {
        const TIMES: f64 = 400.0;
        let mut expected = Vec::new();
        for game in games {
            let mut sum = 0.0;
            for (winner, chance) in [Some(0), None, Some(1)].into_iter().zip(self.mean_chances(game.players))
            {
                let begin = (sum * TIMES).round() as u32;
                sum += chance;
                let end = (sum * TIMES).round() as u32;
                expected.extend((begin..end).map(|_| RatedGame { winner, ..*game }));
            }
        }
        let ratings = fit(&expected, Options { resamples: 0, ..Options::default() });
        let mut truth = vec![f64::NAN; players];
        for rating in ratings.players {
            truth[rating.player.index()] = rating.elo;
        }
        truth
    }
}

fn plan(players: u32, format: Format, seed: u64) -> Plan {
    let players = (0..players)
        .map(|index| Entry { name: index.to_string(), kind: EntryKind::Entered, joins: 0 })
        .collect();
    let stage = StagePlan {
        name: String::new(),
        format,
        advance: None,
        games: 2,
        maps: 0,
        openings: 0,
        points: Points::default(),
        tie_breaks: TieBreak::DEFAULT.into(),
    };
    Plan { seed, players, stages: vec![stage], faults: None }
}

/// Plays a tournament; returns the rated games.
fn play(plan: Plan, truth: &Truth) -> Vec<RatedGame> {
    let mut tournament = TournamentState::new(plan).expect("the plans here can be played");
    while let Some(game) = tournament.next_game() {
        // Both games of a pair have one seed, and so one opening.
        let opening = match truth.world {
            World::Correlated => OPENING * Random(game.seed).normal(),
            _ => 0.0,
        };
        let chances = truth.chances(game.players, opening);
        let lot = Random(game.seed ^ (1 + game.number % 2)).unit();
        let winner = match lot {
            lot if lot < chances[0] => Some(0),
            lot if lot < chances[0] + chances[1] => None,
            _ => Some(1),
        };
        let result = GameResult::Played { winner, digest: Some(game.number) };
        tournament.record(game.number, result).expect("each game is recorded once");
    }
    tournament.rated_games(0)
}

/// Counts how often intervals contain the true value.
fn coverage(tournaments: u64) {
    let shapes: [(&str, u32, Format); 5] = [
        ("Swiss, 7 rounds of 20: 14 games", 20, Format::Swiss { rounds: 7 }),
        ("round robin of 16: 30 games", 16, Format::RoundRobin { cycles: 1 }),
        ("round robin of 8, 3 cycles: 42 games", 8, Format::RoundRobin { cycles: 3 }),
        ("Swiss, 15 rounds of 24: 30 games", 24, Format::Swiss { rounds: 15 }),
        ("round robin of 4, 25 cycles: 150 games", 4, Format::RoundRobin { cycles: 25 }),
    ];
    let worlds = [
        ("model", World::Model),
        ("correlated pairs", World::Correlated),
        ("cyclic strengths", World::Cyclic),
    ];
    println!(
        "{tournaments} tournaments; of 100 intervals hold the truth (the mean half width in Elo, and what to multiply it by for 95)"
    );
    println!("{:<42}{:>20}{:>20}{:>20}", "", worlds[0].0, worlds[1].0, worlds[2].0);
    let each = tournaments.div_ceil((shapes.len() * worlds.len()) as u64);
    for (name, players, format) in shapes {
        print!("{name:<42}");
        for (_, world) in worlds {
            let (mut held, mut width, mut ratios) = (0_u32, 0.0, Vec::new());
            let paired_by_results = plan(players, format.clone(), 0).stages[0].pairs_by_results();
            for seed in 0..each {
                let mut random = Random(seed * 7919 + u64::from(players));
                let truth = Truth::new(world, players, &mut random);
                let games = play(plan(players, format.clone(), random.next()), &truth);
                let true_ratings = truth.ratings(&games, players as usize);
                for rating in fit(&games, Options { resamples: 400, seed, paired_by_results }).players {
                    let Some((low, high)) = rating.interval else { continue };
                    let true_rating = true_ratings[rating.player.index()];
                    held += u32::from(low <= true_rating && true_rating <= high);
                    width += (high - low) / 2.0;
                    ratios.push((true_rating - rating.elo).abs() / ((high - low) / 2.0));
                }
            }
            let all = ratios.len() as f64;
            ratios.sort_by(f64::total_cmp);
            let needed = ratios[ratios.len() * 95 / 100];
            let share = 100.0 * f64::from(held) / all;
            print!("{:>20}", format!("{share:.1} (±{:.0}, {needed:.2})", width / all));
        }
        println!();
    }
}

/// A distribution of a pair's points for which A is `elo` stronger by the model.
fn pairs_of(elo: f64, model: Model, shape: [f64; 5]) -> [f64; 5] {
    let (mut low, mut high) = (-20.0, 20.0);
    let tilted = |tilt: f64| {
        let shares: [f64; 5] = std::array::from_fn(|index| shape[index] * (tilt * index as f64 / 4.0).exp());
        let sum: f64 = shares.iter().sum();
        shares.map(|share| share / sum)
    };
    let strength = |shares: [f64; 5]| {
        let mean: f64 = (0..5).map(|index| shares[index] * index as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|index| shares[index] * (index as f64 / 4.0 - mean).powi(2)).sum();
        match model {
            Model::Logistic => -400.0 * (1.0 / mean - 1.0).log10(),
            // A pair's mean has half of the variance of a game.
            Model::Normalized => (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / std::f64::consts::LN_10,
        }
    };
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if strength(tilted(middle)) < elo { low = middle } else { high = middle }
    }
    tilted(low)
}

/// Counts how often the test accepts a false hypothesis.
fn errors(tests: u64) {
    let shapes: [(&str, [f64; 5]); 3] = [
        ("independent games, 30 % draws", [0.1225, 0.21, 0.335, 0.21, 0.1225]),
        ("correlated pairs, 30 % draws", [0.05, 0.21, 0.48, 0.21, 0.05]),
        ("no draws, correlated", [0.15, 0.0, 0.7, 0.0, 0.15]),
    ];
    println!(
        "\n{tests} tests each, alpha = beta = 5 %: elo1 accepted at elo0, elo0 accepted at elo1 (mean pairs)"
    );
    for (elo0, elo1) in [(0.0, 20.0), (-30.0, 30.0), (0.0, 100.0)] {
        for model in [Model::Normalized, Model::Logistic] {
            for (name, shape) in shapes {
                let plan = SprtPlan { elo0, elo1, alpha: 0.05, beta: 0.05, model, max_games: 1_000_000 };
                let mut line = String::new();
                for (truth, wrong) in [(elo0, SprtDecision::Elo1), (elo1, SprtDecision::Elo0)] {
                    let shares = pairs_of(truth, model, shape);
                    let (mut accepted, mut pairs) = (0, 0_u64);
                    for seed in 0..tests {
                        // Each row has a stream of its own, so that all rows do not err together.
                        let row = truth.to_bits()
                            ^ shape[0].to_bits().rotate_left(17)
                            ^ (model as u64) << 7
                            ^ elo1.to_bits() >> 3;
                        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_1234_5677) ^ row);
                        let mut tally = SprtCounts::default();
                        let verdict = loop {
                            let mut lot = random.unit();
                            let points = shares.iter().position(|share| {
                                lot -= share;
                                lot < 0.0
                            });
                            let points = points.unwrap_or(4) as u8;
                            tally.add(Some(points.min(2)));
                            tally.add(Some(points - points.min(2)));
                            pairs += 1;
                            let verdict = plan.verdict(&tally);
                            if verdict != SprtDecision::Open {
                                break verdict;
                            }
                        };
                        accepted += u32::from(verdict == wrong);
                    }
                    let share = 100.0 * f64::from(accepted) / tests as f64;
                    line += &format!("{:>16}", format!("{share:.1} % ({})", pairs / tests));
                }
                println!("{:<60}{line}", format!("{elo0} to {elo1}, {model:?}, {name}"));
            }
        }
    }
}

/// Measures the time to draw the rounds of a large Swiss.
fn drawing() {
    let truth = Truth::new(World::Model, 200, &mut Random(1));
    let mut tournament =
        TournamentState::new(plan(200, Format::Swiss { rounds: 11 }, 1)).expect("the plan can be played");
    let mut longest = 0.0_f64;
    while let Some(game) = tournament.next_game() {
        let winner = u8::from(Random(game.seed).unit() > truth.chances(game.players, 0.0)[0]);
        let begin = Instant::now();
        let result = GameResult::Played { winner: Some(winner), digest: Some(game.number) };
        tournament.record(game.number, result).expect("each game is recorded once");
        longest = longest.max(begin.elapsed().as_secs_f64());
    }
    println!(
        "\nSwiss of 200 players, 11 rounds: the longest drawing of a round takes {:.0} ms",
        1000.0 * longest
    );
}

fn main() {
    let setting = |name: &str, default: u64| {
        let given = std::env::args().find_map(|argument| argument.strip_prefix(name)?.parse().ok());
        given.unwrap_or(default)
    };
    coverage(setting("tournaments=", 1000));
    errors(setting("tests=", 1000));
    drawing();
}

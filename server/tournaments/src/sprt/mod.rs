//! Sequential probability ratio test: is A stronger than B by `elo1`, or only by `elo0`?
//!
//! This is the generalised test of Van den Bergh ("Comments on normalized Elo", and "The generalized maximum likelihood
//! ratio for the expectation value of a distribution"): the likelihoods are those of the best fitting distributions of
//! a pair's points under either hypothesis. Pairs are counted as a whole, because the two games of a pair have the same
//! opening and so depend on each other.

mod likelihood;

use serde::{Deserialize, Serialize};

pub use likelihood::{llr, llr_trinomial};

/// Minimum number of pairs before a test is decided: with fewer, the estimate of a pair's variance is so poor that both
/// errors are more frequent than intended.
pub const LEAST_PAIRS: u64 = 32;

/// Hypotheses and error rates of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    /// Lower hypothesis: strength of A over B, in Elo of the model.
    pub elo0: f64,
    /// Higher hypothesis.
    pub elo1: f64,
    /// Maximum probability of accepting `elo1` although `elo0` is true.
    pub alpha: f64,
    /// Maximum probability of accepting `elo0` although `elo1` is true.
    pub beta: f64,
    /// Definition of Elo.
    pub model: Model,
    /// Number of games after which the test ends undecided; even.
    pub max_games: u32,
}

/// Definition of Elo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Expected points over the standard deviation of one game: it measures how fast a difference shows, whatever the
    /// share of draws.
    Normalized,
    /// Logistic in the expected points: 400 Elo are odds of ten to one.
    Logistic,
}

/// Number of pairs by the points of A: 0, ½, 1, 1½ and 2, where a win is one point.
pub type PairCounts = [u64; 5];

/// State of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// The test is undecided.
    Open,
    /// `elo0` is accepted.
    Elo0,
    /// `elo1` is accepted.
    Elo1,
    /// The test was not decided within its games.
    OutOfGames,
}

impl SprtPlan {
    /// Bounds of the logarithm of the likelihood ratio, at which `elo0` and `elo1` are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Decision by the logarithm of the likelihood ratio, after at least [`LEAST_PAIRS`] pairs.
    pub fn decide(&self, llr: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            SprtDecision::Elo1
        } else if llr <= lower {
            SprtDecision::Elo0
        } else {
            SprtDecision::Open
        }
    }

    /// Decision by results, after any number of games below [`Self::max_games`].
    pub fn verdict(&self, tally: &SprtCounts) -> SprtDecision {
        let pairs = tally.pairs.iter().sum::<u64>() + tally.incomplete;
        // A test with a lower maximum is decided at its last pair at the earliest.
        if pairs < LEAST_PAIRS.min(u64::from(self.max_games) / 2) {
            SprtDecision::Open
        } else {
            self.decide(tally.llr(self))
        }
    }

    /// Checks the plan.
    pub(crate) fn check(&self) -> Result<(), &'static str> {
        let chance = |p: f64| p > 0.0 && p < 0.5;
        let elo = |elo: f64| elo.abs() <= 1000.0;
        if !elo(self.elo0) || !elo(self.elo1) || self.elo1 - self.elo0 < 1e-3 {
            Err("`elo0` is less than `elo1`, and both are between -1000 and 1000")
        } else if !chance(self.alpha) || !chance(self.beta) {
            Err("`alpha` and `beta` are between 0 and 0.5")
        } else if self.max_games < 2
            || self.max_games % 2 == 1
            || self.max_games > crate::plan::MAX_SPRT_GAMES
        {
            Err("`max_games` is an even number from 2 to 10000000")
        } else {
            Ok(())
        }
    }
}

/// Results of a test so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SprtCounts {
    /// Complete pairs by the points of A.
    pub pairs: PairCounts,
    /// Single games: lost, drawn, won by A.
    pub games: [u64; 3],
    /// Number of pairs with a game that does not count.
    pub incomplete: u64,
    /// First game of a pair whose second is missing: half points of A, or `None` if it does not count.
    half: Option<Option<u8>>,
}

impl SprtCounts {
    /// Adds the next game: half points of A (0, 1, 2), or `None` for a game that does not count. True after the second
    /// game of a pair.
    pub fn add(&mut self, half_points: Option<u8>) -> bool {
        if let Some(half_points) = half_points {
            self.games[usize::from(half_points.min(2))] += 1;
        }
        let Some(first) = self.half.take() else {
            self.half = Some(half_points);
            return false;
        };
        match (first, half_points) {
            (Some(first), Some(second)) => self.pairs[usize::from((first + second).min(4))] += 1,
            _ => self.incomplete += 1,
        }
        true
    }

    /// Logarithm of the likelihood ratio: by pairs, or by single games once a pair is incomplete.
    pub fn llr(&self, plan: &SprtPlan) -> f64 {
        if self.incomplete == 0 { llr(self.pairs, plan) } else { llr_trinomial(self.games, plan) }
    }
}

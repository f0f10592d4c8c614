//! Logarithm of the likelihood ratio of two strengths, given counts of results.

use super::{Model, PairCounts, SprtPlan};

/// Elo per unit of normalized strength: 800 / ln 10.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;
/// Replacement for a count of 0: without it the likelihood has no maximum for strengths that exclude an unseen result.
const UNSEEN: f64 = 1e-3;
/// Tolerance of the fitted distribution: the iteration ends when no share changes by as much.
const FITTED: f64 = 1e-4;

/// Logarithm of the likelihood ratio of `elo1` to `elo0`, by pairs.
pub fn llr(pairs: PairCounts, plan: &SprtPlan) -> f64 {
    // The variance of a pair's mean is half of a game's.
    ratio([0.0, 0.25, 0.5, 0.75, 1.0], pairs, plan, std::f64::consts::SQRT_2)
}

/// Logarithm of the likelihood ratio by single games (lost, drawn, won by A), for incomplete pairs.
pub fn llr_trinomial(games: [u64; 3], plan: &SprtPlan) -> f64 {
    ratio([0.0, 0.5, 1.0], games, plan, 1.0)
}

/// Ratio for results with the values `scores`; `scale` is the square root of the number of games that one of them
/// averages.
fn ratio<const N: usize>(scores: [f64; N], counts: [u64; N], plan: &SprtPlan, scale: f64) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
    let total: f64 = counts.iter().sum();
    let seen = counts.map(|count| count / total);
    let fit = |elo: f64| match plan.model {
        Model::Logistic => fit_mean(&scores, &seen, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0))),
        Model::Normalized => fit_normalized(&scores, &seen, scale * elo / NORMALIZED),
    };
    let (at0, at1) = (fit(plan.elo0), fit(plan.elo1));
    total * (0..N).map(|i| seen[i] * (at1[i].ln() - at0[i].ln())).sum::<f64>()
}

/// Most likely distribution with the mean `mean` (proposition 1.1 of the paper).
fn fit_mean<const N: usize>(scores: &[f64; N], seen: &[f64; N], mean: f64) -> [f64; N] {
    tilt(seen, &scores.map(|score| score - mean), 1e-3)
}

/// Most likely distribution whose mean is `strength` standard deviations above ½ (section 4.1 of the paper).
///
/// The condition isn't linear: each step fits its tangent at the last distribution.
fn fit_normalized<const N: usize>(scores: &[f64; N], seen: &[f64; N], strength: f64) -> [f64; N] {
    let mut shares = [1.0 / N as f64; N];
    for _ in 0..1000 {
        let mean: f64 = (0..N).map(|i| shares[i] * scores[i]).sum();
        let variance: f64 = (0..N).map(|i| shares[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = scores.map(|score| {
            score - 0.5 - 0.5 * strength * deviation * (1.0 + ((score - mean) / deviation).powi(2))
        });
        let next = tilt(seen, &tangent, 1e-7);
        let moved = (0..N).map(|i| (next[i] - shares[i]).abs()).fold(0.0, f64::max);
        shares = next;
        if moved < FITTED {
            break;
        }
    }
    shares
}

/// Most likely distribution under which `values` have the mean 0: each share over `1 + θ · value`, for the only θ that
/// satisfies this.
///
/// θ is found by the method of Oliveira and Takahashi (2020), to within `close`. The tolerances here and above are
/// those of fastchess: near a pole, where only one result was seen, the ratio depends on them.
fn tilt<const N: usize>(seen: &[f64; N], values: &[f64; N], close: f64) -> [f64; N] {
    let most = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    if most <= 0.0 || least >= 0.0 {
        return *seen; // No distribution has that mean.
    }
    let slope = |theta: f64| (0..N).map(|i| seen[i] * values[i] / (1.0 + theta * values[i])).sum::<f64>();
    // The slope falls from +∞ to -∞ between the two poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let (mut at_low, mut at_high) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..500 {
        if high - low <= 2.0 * close {
            break;
        }
        let middle = 0.5 * (low + high);
        let mut theta = middle;
        if at_low.is_finite() && at_high.is_finite() {
            // The zero of the secant, moved a little towards the middle.
            let secant = (at_high * low - at_low * high) / (at_high - at_low);
            let little = 0.1 * (high - low).powi(2);
            if (middle - secant).abs() >= little {
                theta = secant + little.copysign(middle - secant);
            }
        }
        let at_theta = slope(theta);
        if at_theta == 0.0 {
            (low, high) = (theta, theta);
        } else if at_theta > 0.0 {
            (low, at_low) = (theta, at_theta);
        } else {
            (high, at_high) = (theta, at_theta);
        }
    }
    let theta = 0.5 * (low + high);
    std::array::from_fn(|i| seen[i] / (1.0 + theta * values[i]))
}

//! Resampling of pairs.
//!
//! Pairs of the same two players are resampled among each other, so that one player's special strength against another
//! is not mistaken for chance. A pair that is alone between its players has no others to be drawn from; its weight
//! varies instead, and its deviation from the model stands for its chance.

use std::collections::BTreeMap;

use super::model::{Data, Fitted, STRENGTH_PRIOR};
use super::{Options, RELIABLE_GAMES};
use crate::random::Random;

/// 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;
/// Factor by which the deviations of the pairs' weights from 1 are scaled in a resampled tournament (Fay's method): no
/// pair is ever left out, so that a player's rating can't run away because its only loss was not drawn. The spread is
/// divided by this factor.
///
/// The smaller it is, the nearer is the spread to that of a linear model. The larger one is for pairings that
/// followed results: lucky players met each other, which the games among them do not show.
const FAY: f64 = 0.1;
const FAY_BY_RESULTS: f64 = 0.5;

/// Pairs of the same two players.
type Stratum = Vec<usize>;

/// Pairs by their players: the strata of players with several pairs, and the pairs that are alone.
fn strata(data: &Data) -> (Vec<Stratum>, Stratum) {
    let mut by_players: BTreeMap<[usize; 2], Stratum> = BTreeMap::new();
    for pair in 0..data.pairs() {
        let [one, other] = data.players_of(pair);
        by_players.entry([one.min(other), one.max(other)]).or_default().push(pair);
    }
    let (several, single): (Vec<_>, Vec<_>) = by_players.into_values().partition(|pairs| pairs.len() > 1);
    (several, single.concat())
}

/// Half the width of each player's 95 % interval, in the logarithm of the strength; `None` if there is nothing to
/// resample.
pub(super) fn spreads(data: &Data, fitted: &Fitted, options: Options) -> Vec<Option<f64>> {
    if options.resamples < 2 || data.pairs() == 0 {
        return vec![None; data.players()];
    }
    let (strata, single) = strata(data);
    let chance = Chance::new(data, fitted, &strata, &single);
    let fay = if options.paired_by_results { FAY_BY_RESULTS } else { FAY };
    let mut random = Random(options.seed);
    // Sums of deviations from the fitted strengths, and of their squares.
    let mut sums = vec![[0.0_f64; 2]; data.players()];
    let mut weights = vec![1.0_f64; data.pairs()];
    for _ in 0..options.resamples {
        for stratum in &strata {
            // One draw fewer than there are pairs, each with more weight, has the variance of as many new pairs (Rao
            // and Wu 1988).
            let fewer = stratum.len() - 1;
            let weight = fay * stratum.len() as f64 / fewer as f64;
            stratum.iter().for_each(|&pair| weights[pair] = 1.0 - fay);
            (0..fewer).for_each(|_| weights[stratum[random.below(stratum.len())]] += weight);
        }
        for &pair in &single {
            weights[pair] = if random.below(2) == 0 { 1.0 - fay } else { 1.0 + fay };
        }
        let at = fitted.refit(&data.with_weights(&weights));
        for (sums, (value, centre)) in sums.iter_mut().zip(at.iter().zip(fitted.strengths())) {
            sums[0] += value - centre;
            sums[1] += (value - centre).powi(2);
        }
    }
    let resamples = f64::from(options.resamples);
    sums.iter()
        .enumerate()
        .map(|(player, &[sum, squares])| {
            let OfPlayer { pairs, correction, least, freedom } = chance.of_player(player);
            let variance = (squares - sum * sum / resamples) / (resamples - 1.0) / (fay * fay);
            let spread = (variance * correction).max(least).sqrt() * student(freedom);
            // Two pairs contain little information, but more than the prior alone.
            (pairs > 1).then(|| spread.min(NORMAL * STRENGTH_PRIOR))
        })
        .collect()
}

/// Effect of chance on ratings, as far as they are linear in each pair's contribution to the gradient.
struct Chance<'a> {
    data: &'a Data,
    strata: &'a [Stratum],
    single: &'a [usize],
    /// Rows of the inverse curvature, which map a gradient to strengths.
    inverse: Vec<Vec<f64>>,
    /// Contributions to the gradient, by pair.
    gradients: Vec<Vec<(usize, f64)>>,
    /// Variances of the points under the model if the games were independent, by pair.
    variances: Vec<f64>,
    /// Kurtosis of the pairs' deviations from the model: 3 for a normal distribution.
    kurtosis: f64,
    /// Factor on a single pair's squared deviation that keeps the total within what the model expects.
    bound: f64,
}

/// Effect of chance on one player's rating.
struct OfPlayer {
    pairs: usize,
    /// Factor on the variance of resampled ratings.
    correction: f64,
    /// Lower bound of the variance.
    least: f64,
    /// Degrees of freedom of the variance.
    freedom: f64,
}

impl<'a> Chance<'a> {
    fn new(data: &'a Data, fitted: &Fitted, strata: &'a [Stratum], single: &'a [usize]) -> Self {
        let inverse: Vec<Vec<f64>> = (0..data.players()).map(|player| fitted.inverse_row(player)).collect();
        let pairs: Vec<(Vec<(usize, f64)>, f64)> =
            (0..data.pairs()).map(|pair| data.pair_gradient(pair, fitted)).collect();
        let (gradients, variances): (Vec<_>, Vec<f64>) = pairs.into_iter().unzip();
        let mut this =
            Self { data, strata, single, inverse, gradients, variances, kurtosis: 3.0, bound: 1.0 };
        let (mut squares, mut fourth, mut count) = (0.0, 0.0, 0.0);
        for pair in 0..data.pairs() {
            let square =
                this.square(pair) * this.correction(pair) / this.variances[pair].max(f64::MIN_POSITIVE);
            (squares, fourth, count) = (squares + square, fourth + square * square, count + 1.0);
        }
        if squares > 0.0 {
            this.kurtosis = (count * fourth / (squares * squares)).clamp(1.0, 3.0);
        }
        let seen: f64 = single.iter().map(|&pair| this.square(pair) * this.correction(pair)).sum();
        let modelled: f64 = single.iter().map(|&pair| this.variances[pair]).sum();
        if seen > modelled {
            this.bound = modelled / seen;
        }
        this
    }

    /// Squared deviation of a pair's points from the model.
    fn square(&self, pair: usize) -> f64 {
        let [one, _] = self.data.players_of(pair);
        let of_one = self.gradients[pair].iter().filter(|(parameter, _)| *parameter == one);
        of_one.map(|(_, by)| by).sum::<f64>().powi(2)
    }

    /// Correction factor for the pull of a pair on the fitted model: the pair lies nearer to it than an independent one
    /// would.
    fn correction(&self, pair: usize) -> f64 {
        let [one, other] = self.data.players_of(pair);
        let own = self.inverse[one][one] - 2.0 * self.inverse[one][other] + self.inverse[other][other];
        1.0 / (1.0 - self.variances[pair] * own).max(0.1)
    }

    /// Effect of a pair on a player's strength.
    fn influence(&self, player: usize, pair: usize) -> f64 {
        self.gradients[pair].iter().map(|&(parameter, by)| self.inverse[player][parameter] * by).sum()
    }

    /// Effect of one more point in a pair on a player's strength.
    fn slope(&self, player: usize, pair: usize) -> f64 {
        let [one, other] = self.data.players_of(pair);
        self.inverse[player][one] - self.inverse[player][other]
    }

    fn of_player(&self, player: usize) -> OfPlayer {
        // The variance as resampled, as corrected and under the model, and the weighted sum of the squares of the
        // latter's parts.
        let (mut resampled, mut corrected, mut modelled, mut parts) = (0.0, 0.0, 0.0, 0.0);
        let model = |pair: usize| self.slope(player, pair).powi(2) * self.variances[pair];
        for &pair in self.single {
            let square = self.influence(player, pair).powi(2);
            resampled += square;
            corrected += square * self.correction(pair) * self.bound;
            modelled += model(pair);
            parts += model(pair).powi(2) * (self.kurtosis - 1.0);
        }
        for stratum in self.strata {
            let pairs = stratum.len() as f64;
            let influences: Vec<f64> = stratum.iter().map(|&pair| self.influence(player, pair)).collect();
            let mean = influences.iter().sum::<f64>() / pairs;
            let spread: f64 = influences.iter().map(|by| (by - mean).powi(2)).sum();
            resampled += spread * pairs / (pairs - 1.0);
            corrected += spread * pairs / (pairs - 1.0);
            let of_model: f64 = stratum.iter().map(|&pair| model(pair)).sum();
            modelled += of_model;
            parts += of_model.powi(2) * (self.kurtosis - (pairs - 3.0) / (pairs - 1.0)) / pairs;
        }
        let mine = |pair: &usize| self.data.players_of(*pair).contains(&player);
        let pairs = (0..self.data.pairs()).filter(mine).count();
        // As if one more pair had differed from the others by a point: an unseen result is not impossible.
        let rare = (pairs as f64 + 1.0) / (pairs as f64 + 2.0).powi(2);
        let least = (0..self.data.pairs()).map(|pair| self.slope(player, pair).powi(2)).sum::<f64>() * rare;
        let mut correction = if resampled > 0.0 { corrected / resampled } else { 1.0 };
        let mut freedom = if parts > 0.0 { 2.0 * modelled * modelled / parts } else { f64::INFINITY };
        if pairs > 1 && pairs < RELIABLE_GAMES as usize / 2 {
            // With so few pairs, only their own information counts.
            let others = pairs as f64 - 1.0;
            correction *= pairs as f64 / others;
            freedom = freedom.min(others);
        }
        OfPlayer { pairs, correction, least, freedom }
    }
}

/// 97.5 % quantile of Student's distribution: exact for one and two degrees of freedom, otherwise by its expansion
/// (Abramowitz and Stegun, 26.7.5).
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706;
    }
    if freedom < 2.5 {
        return 4.303;
    }
    let z = NORMAL;
    let terms = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
            / 92_160.0,
    ];
    z + (1..).zip(terms).map(|(power, term)| term / freedom.powi(power)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (6.0, 2.447),
            (14.0, 2.145),
            (30.0, 2.042),
            (1000.0, 1.962),
        ] {
            assert!((student(freedom) - quantile).abs() < 0.02, "{freedom}: {}", student(freedom));
        }
    }
}

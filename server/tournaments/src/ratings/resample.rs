//! Resampling of pairs.

use std::collections::BTreeMap;

use super::Options;
use super::model::{Data, Fitted};
use crate::random::Random;

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Pairs that are drawn from each other: those of the same two players, so that what one player is worth against a certain other is
/// not taken for chance. Players who have a single pair between them share one stratum with all others of that sort.
fn strata(data: &Data) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut by_players: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for pair in 0..data.pairs() {
        let [one, other] = data.players_of(pair);
        by_players.entry([one.min(other), one.max(other)]).or_default().push(pair);
    }
    let (several, single): (Vec<_>, Vec<_>) = by_players.into_values().partition(|pairs| pairs.len() > 1);
    (several, single.concat())
}

/// By player: half the width of its 95 % interval, in the logarithm of the strength; none where there is nothing to resample.
pub(super) fn spreads(data: &Data, fitted: &Fitted, options: Options) -> Vec<Option<f64>> {
    if options.resamples < 2 || data.pairs() == 0 {
        return vec![None; data.players()];
    }
    let (mut strata, single) = strata(data);
    // By player: pairs, those of them that are alone between their players, and degrees of freedom.
    let mut counts = vec![(0_u32, 0_u32, 0_u32); data.players()];
    for (pairs, alone) in strata.iter().map(|stratum| (stratum, false)).chain([(&single, true)]) {
        for &pair in pairs {
            for player in data.players_of(pair) {
                counts[player].0 += 1;
                counts[player].1 += u32::from(alone);
            }
        }
    }
    for stratum in &strata {
        for player in data.players_of(stratum[0]) {
            counts[player].2 += stratum.len() as u32 - 1;
        }
    }
    if single.len() > 1 {
        strata.push(single);
    }
    let mut random = Random(options.seed);
    // Sums of deviations from the fitted strengths, and of their squares.
    let mut sums = vec![[0.0_f64; 2]; data.players()];
    let mut drawn = Vec::with_capacity(data.pairs());
    for _ in 0..options.resamples {
        drawn.clear();
        for stratum in &strata {
            // One pair fewer, each with more weight: that has the variance of as many new pairs (Rao and Wu 1988).
            let fewer = stratum.len() - 1;
            let weight = stratum.len() as f64 / fewer as f64;
            drawn.extend((0..fewer).map(|_| (stratum[random.below(stratum.len())], weight)));
        }
        let at = fitted.refit(&data.with_pairs(&drawn));
        for (sums, (value, centre)) in sums.iter_mut().zip(at.iter().zip(fitted.strengths())) {
            sums[0] += value - centre;
            sums[1] += (value - centre).powi(2);
        }
    }
    let resamples = f64::from(options.resamples);
    sums.iter()
        .zip(counts)
        .map(|(&[sum, squares], (pairs, alone, within))| {
            let freedom = within + alone.saturating_sub(1);
            if pairs < 2 || freedom == 0 {
                return None;
            }
            let variance = (squares - sum * sum / resamples) / (resamples - 1.0);
            // Pairs of different players spread around the player's own mean, which takes up one of them.
            let taken = if alone > 0 { f64::from(pairs) / f64::from(pairs - 1) } else { 1.0 };
            Some((variance * taken).sqrt() * student(f64::from(freedom)))
        })
        .collect()
}

/// The 97.5 % quantile of Student's distribution: exact for one and two degrees of freedom, else by its expansion (Abramowitz and
/// Stegun, 26.7.5).
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

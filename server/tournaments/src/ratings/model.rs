//! Likelihood of the model, and its maximum.

/// Standard deviations of the prior: of a strength (600 Elo), of the advantage (400 Elo), and of the logarithm of ν.
const PRIOR: [f64; 3] = [STRENGTH_PRIOR, 2.3, 3.0];
/// Standard deviation of the prior of a strength.
pub(super) const STRENGTH_PRIOR: f64 = 3.45;
/// Step length in the logarithm of a strength below which a search ends: 0.002 Elo.
const CLOSE: f64 = 1e-5;

/// Results by first and second player.
#[derive(Debug, Clone, Copy)]
struct Cell {
    players: [usize; 2],
    /// Games won, drawn and lost by the first side.
    counts: [f64; 3],
}

/// All results.
#[derive(Debug)]
pub(super) struct Data {
    players: usize,
    cells: Vec<Cell>,
    /// Cell and result (an index of its counts) of each game, by pair.
    pairs: Vec<Vec<(usize, usize)>>,
}

impl Data {
    /// Collects games, given by their players' indices, winning side and pair, and sorted by pair.
    pub(super) fn new(
        players: usize,
        games: impl Iterator<Item = ([usize; 2], Option<u8>, (u32, u32))>,
    ) -> Self {
        let mut cell_of = std::collections::BTreeMap::new();
        let mut data = Self { players, cells: Vec::new(), pairs: Vec::new() };
        let mut last = None;
        for (players, winner, pair) in games {
            let cell = *cell_of.entry(players).or_insert_with(|| {
                data.cells.push(Cell { players, counts: [0.0; 3] });
                data.cells.len() - 1
            });
            let result = match winner {
                Some(0) => 0,
                None => 1,
                Some(_) => 2,
            };
            data.cells[cell].counts[result] += 1.0;
            if last != Some(pair) {
                data.pairs.push(Vec::new());
                last = Some(pair);
            }
            if let Some(games) = data.pairs.last_mut() {
                games.push((cell, result));
            }
        }
        data
    }

    pub(super) fn players(&self) -> usize {
        self.players
    }

    /// Number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The two players of a pair.
    pub(super) fn players_of(&self, pair: usize) -> [usize; 2] {
        self.cells[self.pairs[pair][0].0].players
    }

    /// Players of each cell, by side.
    pub(super) fn opponents(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.cells.iter().map(|cell| cell.players)
    }

    /// The same results, with a weight for each pair.
    pub(super) fn with_weights(&self, weights: &[f64]) -> Self {
        let mut cells = self.cells.clone();
        for cell in &mut cells {
            cell.counts = [0.0; 3];
        }
        for (pair, weight) in self.pairs.iter().zip(weights) {
            for &(cell, result) in pair {
                cells[cell].counts[result] += weight;
            }
        }
        Self { players: self.players, cells, pairs: Vec::new() }
    }

    /// Contribution of a pair to the gradient at the maximum, by parameter, and the variance of its points under the
    /// model.
    pub(super) fn pair_gradient(&self, pair: usize, fitted: &Fitted) -> (Vec<(usize, f64)>, f64) {
        let (h, draw) = (self.players, self.players + 1);
        let [one, other] = self.players_of(pair);
        let (mut points, mut advantage, mut draws, mut variance) = (0.0, 0.0, 0.0, 0.0);
        for &(cell, result) in &self.pairs[pair] {
            let [first, second] = self.cells[cell].players;
            let at = &fitted.at;
            let [win, drawn, _] = chances(at[first] + at[h] - at[second], at[draw]);
            let mean = win + 0.5 * drawn;
            let above = [1.0, 0.5, 0.0][result] - mean;
            points += if first == one { above } else { -above };
            advantage += above;
            draws += f64::from(u8::from(result == 1)) - drawn;
            variance += win + 0.25 * drawn - mean * mean;
        }
        (vec![(one, points), (other, -points), (h, advantage), (draw, draws)], variance)
    }

    /// Gradient of the log-posterior; the parameters are the logarithms of the strengths, of the advantage and of ν.
    fn gradient(&self, at: &[f64]) -> Vec<f64> {
        let (h, draw) = (self.players, self.players + 1);
        let mut gradient: Vec<f64> =
            at.iter().enumerate().map(|(index, value)| -value / self.deviation(index).powi(2)).collect();
        for cell in &self.cells {
            let games: f64 = cell.counts.iter().sum();
            if games == 0.0 {
                continue;
            }
            let [one, other] = cell.players;
            let chances = chances(at[one] + at[h] - at[other], at[draw]);
            let above = cell.counts[0] + 0.5 * cell.counts[1] - games * (chances[0] + 0.5 * chances[1]);
            gradient[one] += above;
            gradient[other] -= above;
            gradient[h] += above;
            gradient[draw] += cell.counts[1] - games * chances[1];
        }
        gradient
    }

    /// Negative second derivatives of the log-posterior, by two parameters.
    fn curvature(&self, at: &[f64]) -> Vec<f64> {
        let size = at.len();
        let (h, draw) = (self.players, self.players + 1);
        let mut matrix = vec![0.0; size * size];
        for index in 0..size {
            matrix[index * size + index] = self.deviation(index).powi(-2);
        }
        for cell in &self.cells {
            let games: f64 = cell.counts.iter().sum();
            let [one, other] = cell.players;
            let [win, drawn, _] = chances(at[one] + at[h] - at[other], at[draw]);
            let mean = win + 0.5 * drawn;
            let spread = games * (win + 0.25 * drawn - mean * mean);
            let of_draws = games * drawn * (1.0 - drawn);
            let both = games * (0.5 * drawn - mean * drawn);
            let signs = [(one, 1.0), (other, -1.0), (h, 1.0)];
            for (a, sign_a) in signs {
                for (b, sign_b) in signs {
                    matrix[a * size + b] += sign_a * sign_b * spread;
                }
                matrix[a * size + draw] += sign_a * both;
                matrix[draw * size + a] += sign_a * both;
            }
            matrix[draw * size + draw] += of_draws;
        }
        matrix
    }

    fn deviation(&self, parameter: usize) -> f64 {
        PRIOR[parameter.saturating_sub(self.players.saturating_sub(1)).min(2)]
    }
}

/// Chances of the first side to win, draw and lose with the lead `lead`.
fn chances(lead: f64, draw: f64) -> [f64; 3] {
    let terms = [0.5 * lead, draw, -0.5 * lead];
    let most = terms.iter().copied().fold(f64::MIN, f64::max);
    let terms = terms.map(|term| (term - most).exp());
    let sum: f64 = terms.iter().sum();
    terms.map(|term| term / sum)
}

/// Maximum of the posterior, with the Cholesky factor of its curvature there.
#[derive(Debug)]
pub(super) struct Fitted {
    at: Vec<f64>,
    factor: Vec<f64>,
}

impl Fitted {
    /// The maximum for all results.
    pub(super) fn new(data: &Data) -> Self {
        Self::newton(data, vec![0.0; data.players + 2])
    }

    /// Maximizes by Newton's method.
    fn newton(data: &Data, mut at: Vec<f64>) -> Self {
        let mut factor = cholesky(data.curvature(&at), at.len());
        for _ in 0..100 {
            let mut step = solve(&factor, data.gradient(&at));
            let longest = step.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            // Far from the maximum a full step can overshoot it.
            if longest > 1.0 {
                step.iter_mut().for_each(|value| *value /= longest);
            }
            at.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
            factor = cholesky(data.curvature(&at), at.len());
            if longest < CLOSE {
                break;
            }
        }
        Self { at, factor }
    }

    /// The maximum for other results of the same players: from this maximum and with its curvature, as long as that
    /// converges fast.
    pub(super) fn refit(&self, data: &Data) -> Vec<f64> {
        let mut at = self.at.clone();
        let mut last = f64::INFINITY;
        for _ in 0..30 {
            let step = solve(&self.factor, data.gradient(&at));
            let longest = step.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            if longest > 0.7 * last {
                break;
            }
            at.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
            last = longest;
            if longest < 1e-3 {
                return at;
            }
        }
        Self::newton(data, self.at.clone()).at
    }

    /// Row of the inverse curvature: the change of a parameter per change of the gradient.
    pub(super) fn inverse_row(&self, parameter: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.at.len()];
        unit[parameter] = 1.0;
        solve(&self.factor, unit)
    }

    /// Logarithms of the strengths; the prior makes their mean 0 in each group.
    pub(super) fn strengths(&self) -> &[f64] {
        &self.at[..self.at.len() - 2]
    }

    pub(super) fn advantage(&self) -> f64 {
        self.at[self.at.len() - 2]
    }

    pub(super) fn draws_of_equals(&self) -> f64 {
        chances(0.0, self.at[self.at.len() - 1])[1]
    }
}

/// Lower Cholesky factor of a positive definite matrix, by rows.
fn cholesky(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let (a, b) = (row * size, column * size);
            let inner: f64 = (0..column).map(|k| matrix[a + k] * matrix[b + k]).sum();
            let rest = matrix[a + column] - inner;
            matrix[a + column] =
                if row == column { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[b + column] };
        }
    }
    matrix
}

/// Solves a linear system by its Cholesky factor.
fn solve(factor: &[f64], mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        let inner: f64 = (0..row).map(|k| factor[row * size + k] * right[k]).sum();
        right[row] = (right[row] - inner) / factor[row * size + row];
    }
    for row in (0..size).rev() {
        right[row] /= factor[row * size + row];
        let value = right[row];
        let (above, _) = right.split_at_mut(row);
        above.iter_mut().zip(&factor[row * size..]).for_each(|(right, factor)| *right -= factor * value);
    }
    right
}

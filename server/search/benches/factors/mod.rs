//! Many settings in one gauntlet: for each pair chance says which of the two players has each of them.

use std::fmt::Write as _;

/// A setting by name and value, and what pairs said of it.
pub(crate) struct Factor {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Whether A has it in the pair that is played, otherwise B.
    pub(crate) with_a: bool,
    sum: f64,
    squares: f64,
}

impl Factor {
    pub(crate) fn new(name: &str, value: &str) -> Factor {
        Factor { name: name.to_owned(), value: value.to_owned(), with_a: false, sum: 0.0, squares: 0.0 }
    }

    /// Takes in a pair: A's share of its points.
    pub(crate) fn count(&mut self, share: f64) {
        let own = if self.with_a { share } else { 1.0 - share };
        self.sum += own;
        self.squares += own * own;
    }
}

/// The score of the player with each setting against the one without it, with the 95 % error of the pairs.
pub(crate) fn summary(factors: &[Factor], pairs: u64) -> String {
    let n = pairs as f64;
    let mut text = String::new();
    for factor in factors {
        let mean = factor.sum / n;
        let variance = (factor.squares - n * mean * mean).max(0.0) / (n - 1.0).max(1.0);
        let error = 1.96 * (variance / n).sqrt();
        let (name, value) = (&factor.name, &factor.value);
        let _ = write!(text, "  {name}={value} {:.1} % ± {:.1}", 100.0 * mean, 100.0 * error);
    }
    text
}

//! Record of a refusal by the rules.

use grandstand_rules::Refusal;

/// Refusal by the rules, with its cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Name of the rule.
    pub rule: &'static str,
    /// Cause in words.
    pub words: String,
}

impl Refused {
    /// Refusal of an operand of `do` that is no action, with its cause.
    pub(super) fn request(words: &str) -> Self {
        Self { rule: "request", words: words.to_owned() }
    }
}

impl<R: Refusal> From<&R> for Refused {
    fn from(refusal: &R) -> Self {
        Self { rule: refusal.rule(), words: refusal.to_string() }
    }
}

//! A refusal of the rules, taken down.

use grandstand_rules::Refusal;

/// What the rules refused, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The rule's name.
    pub rule: &'static str,
    /// The reason in words.
    pub words: String,
}

impl Refused {
    /// The operand of `do` means no action: the reason says why.
    pub(super) fn request(words: &str) -> Self {
        Self { rule: "request", words: words.to_owned() }
    }
}

impl<R: Refusal> From<&R> for Refused {
    fn from(refusal: &R) -> Self {
        Self { rule: refusal.rule(), words: refusal.to_string() }
    }
}

//! Findings of `grandstand doctor`: severity and sentence.

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Health {
    /// As it should be.
    Good,
    /// It works, or may be meant so.
    Doubtful,
    /// Something does not work.
    Bad,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// How much it matters.
    pub(crate) health: Health,
    /// What it is, in a sentence.
    pub(crate) text: String,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    pub(crate) fn add(&mut self, health: Health, text: impl Into<String>) {
        self.0.push(Finding { health, text: text.into() });
    }

    pub(crate) fn good(&mut self, text: impl Into<String>) {
        self.add(Health::Good, text);
    }

    pub(crate) fn doubtful(&mut self, text: impl Into<String>) {
        self.add(Health::Doubtful, text);
    }

    pub(crate) fn bad(&mut self, text: impl Into<String>) {
        self.add(Health::Bad, text);
    }
}

//! Requirements of a player on its machine, as words: labels such as `avx2` or `x86_64`, and `memory=MIB`.

use std::collections::BTreeSet;

/// Longest label in bytes.
const LABEL_BYTES: usize = 32;
/// Largest memory that can be asked for, in MiB.
const MOST_MIB: u64 = 1 << 24;

/// Requirements of a game on a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needs {
    labels: BTreeSet<String>,
    /// Memory for one game, in MiB.
    memory_mib: u64,
}

impl Needs {
    /// Reads words.
    ///
    /// # Errors
    /// The fault of a word.
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let mut needs = Self::default();
        for word in words {
            match word.strip_prefix("memory=") {
                Some(mib) => {
                    let mib = mib.parse().ok().filter(|mib| (1..=MOST_MIB).contains(mib));
                    needs.memory_mib = mib.ok_or_else(|| {
                        format!("{word:?}: expected a number of MiB, such as \"memory=4096\"")
                    })?;
                }
                None => {
                    check_label(word)?;
                    needs.labels.insert(word.clone());
                }
            }
        }
        Ok(needs)
    }

    /// Requirements of both players of a game.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.labels.extend(other.labels.iter().cloned());
        self.memory_mib += other.memory_mib;
        self
    }

    /// Missing requirements, in words, on a machine with these labels and so much memory for one game (unknown: `None`);
    /// `None` if it has all.
    pub(crate) fn lacking(&self, labels: &BTreeSet<String>, memory_mib: Option<u64>) -> Option<String> {
        let mut lacking: Vec<String> = self.labels.difference(labels).cloned().collect();
        if self.memory_mib > memory_mib.unwrap_or(0) {
            lacking.push(format!("{} MiB of memory a game", self.memory_mib));
        }
        (!lacking.is_empty()).then(|| lacking.join(", "))
    }
}

/// Checks a label.
///
/// # Errors
/// The fault.
pub(crate) fn check_label(label: &str) -> Result<(), String> {
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._+-".contains(&byte);
    if label.is_empty() || label.len() > LABEL_BYTES || !label.bytes().all(known) {
        return Err(format!(
            "{label:?} is no label: expected 1 to {LABEL_BYTES} of a to z, 0 to 9, '.', '_', '+' and '-', such as \"avx2\""
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(words: &[&str]) -> Result<Needs, String> {
        Needs::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_game_needs_what_both_players_need() {
        let both = needs(&["avx2", "memory=100"]).unwrap().and(&needs(&["x86_64", "memory=50"]).unwrap());
        let labels = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(both.lacking(&labels(&["x86_64", "avx2", "cuda"]), Some(150)), None);
        let lacking = both.lacking(&labels(&["x86_64"]), Some(149)).unwrap();
        assert_eq!(lacking, "avx2, 150 MiB of memory a game");
        assert_eq!(both.lacking(&labels(&["x86_64", "avx2"]), None).unwrap(), "150 MiB of memory a game");
        assert_eq!(Needs::default().lacking(&BTreeSet::new(), None), None);
    }

    #[test]
    fn wrong_words_are_quoted() {
        for word in
            ["", "AVX2", "a b", "memory=", "memory=0", "memory=-1", "memory=99999999999", &"x".repeat(33)]
        {
            let error = needs(&[word]).unwrap_err();
            assert!(error.starts_with(&format!("{word:?}")), "{error}");
        }
    }
}

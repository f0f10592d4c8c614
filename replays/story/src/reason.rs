//! Reasons in words, for places with more and less room.

/// Why a moment mattered, in words: the whole text, then what of it is said where there is less room.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reason(pub(crate) Vec<String>);

impl Reason {
    /// A reason that is said in one way.
    pub fn plain(text: String) -> Reason {
        Reason(vec![text])
    }

    /// The whole text.
    pub fn whole(&self) -> &str {
        self.0.first().map_or("", String::as_str)
    }

    /// The longest text that has room.
    pub fn fitting(&self, has_room: impl Fn(&str) -> bool) -> Option<&str> {
        self.0.iter().map(String::as_str).find(|text| has_room(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_less_room_a_reason_is_shorter_whatever_a_team_is_called() {
        let reason = Reason(vec!["He leads by far leads 2 : 1".to_owned(), "2 : 1".to_owned()]);
        let within = |length: usize| reason.fitting(|text| text.chars().count() <= length);
        assert_eq!(within(40), Some("He leads by far leads 2 : 1"));
        assert_eq!((within(10), within(3)), (Some("2 : 1"), None));
        assert_eq!(reason.whole(), "He leads by far leads 2 : 1");
    }
}

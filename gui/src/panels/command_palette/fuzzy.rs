//! Fuzzy score of a text for a few typed letters.

/// Score of a letter at the start of a word, right after the previous letter, and elsewhere.
const AT_START: i32 = 8;
const IN_A_ROW: i32 = 6;
const ANYWHERE: i32 = 1;
/// Number of letters of a text that are examined.
const LONGEST: usize = 200;

/// Score of `text` for `typed`: the text must contain each word's letters in their order; otherwise `None`. Higher is
/// better. Case is ignored.
pub(super) fn fit(typed: &str, text: &str) -> Option<i32> {
    let letters: Vec<char> = text.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let words = typed.split_whitespace().take(8);
    let sum = words.map(|word| fit_word(word, &letters)).sum::<Option<i32>>()?;
    // Of two equal fits, the shorter text is better.
    Some(sum * 8 - (letters.len() as i32 / 8))
}

/// Whether each typed word is the beginning of a word of `text`. Case is ignored.
pub(super) fn begins_words(typed: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let typed = typed.to_lowercase();
    let is_between = |letter: char| !letter.is_alphanumeric();
    let mut parts = typed.split(is_between).filter(|part| !part.is_empty()).peekable();
    let words: Vec<&str> = text.split(is_between).collect();
    // Signs alone are no words.
    parts.peek().is_some() && parts.all(|part| words.iter().any(|word| word.starts_with(part)))
}

/// Best score for the letters of one word in `text`.
fn fit_word(word: &str, text: &[char]) -> Option<i32> {
    let starts = |at: usize| at == 0 || !text[at - 1].is_alphanumeric();
    // Best score of the letters so far that ends at each position.
    let mut ends: Option<Vec<Option<i32>>> = None;
    for letter in word.chars().take(64).flat_map(char::to_lowercase) {
        let mut best_before: Option<i32> = None;
        let mut now = Vec::with_capacity(text.len());
        for (at, _) in text.iter().enumerate() {
            let before = match &ends {
                None => Some(0),
                Some(_) => best_before,
            };
            let right_before = ends.as_ref().and_then(|ends| ends[at.checked_sub(1)?]);
            if let Some(ends) = &ends {
                best_before = best_before.max(ends[at]);
            }
            let gain = if starts(at) { AT_START } else { ANYWHERE };
            let loose = before.map(|score| score + gain);
            let tight = right_before.map(|score| score + gain.max(IN_A_ROW));
            now.push(loose.max(tight).filter(|_| text[at] == letter));
        }
        ends = Some(now);
    }
    ends.map_or(Some(0), |ends| ends.into_iter().flatten().max())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best<'a>(typed: &str, texts: &[&'a str]) -> Option<&'a str> {
        let fits = texts.iter().filter_map(|text| Some((fit(typed, text)?, *text)));
        fits.max_by_key(|(score, _)| *score).map(|(_, text)| text)
    }

    #[test]
    fn letters_in_their_order_and_starts_of_words_count() {
        assert!(fit("nt", "Next turn").is_some());
        assert!(fit("tn", "Next turn").is_some_and(|score| score < fit("nt", "Next turn").expect("a fit")));
        assert_eq!(fit("x y", "Next turn"), None);
        assert_eq!(fit("turns", "Next turn"), None);
        assert_eq!(
            best("nt", &["Normal speed again tomorrow", "Next turn", "Protocol inspector text"]),
            Some("Next turn")
        );
        assert_eq!(best("full", &["Filter the inspector, unused lines", "Full screen"]), Some("Full screen"));
        assert_eq!(best("screen full", &["Full screen", "Screen"]), Some("Full screen"));
        assert_eq!(
            best("size", &["Interface: normal size", "Resize the panels"]),
            Some("Interface: normal size")
        );
        assert_eq!(best("ÉTÉ", &["l'été", "ete"]), Some("l'été"));
    }

    #[test]
    fn words_are_found_by_their_beginnings() {
        assert!(begins_words("exp pic", "Export a picture") && begins_words("EXPORT", "Export a picture"));
        assert!(begins_words("team", "replays/team-team.replay"));
        assert!(
            begins_words("team-team.rep", "replays/team-team.replay") && !begins_words("–", "team – team")
        );
        assert!(
            !begins_words("port", "Export a picture") && !begins_words("export", "Expected moves on or off")
        );
    }

    #[test]
    fn nothing_typed_fits_everything() {
        assert!(fit("", "Next turn").is_some() && fit("  ", "").is_some());
        assert_eq!(fit("a", ""), None);
    }

    proptest::proptest! {
        #[test]
        fn a_name_fits_itself_and_any_text_is_borne(text in ".{0,300}", typed in ".{0,300}") {
            let _ = fit(&typed, &text);
            let start: String = text.chars().take(40).collect();
            proptest::prop_assert!(fit(&start, &text).is_some() || start.chars().any(|c| c.to_lowercase().count() > 1));
        }
    }
}

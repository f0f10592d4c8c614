//! Parser of an engine's lines.

/// Coordinates as written in a line; they need not be on the board.
pub type Pair = (i64, i64);

/// Answer of an engine: one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// `OK`, whatever follows it.
    Ok,
    /// `ERROR`, and the reason.
    Error(String),
    /// `UNKNOWN`, and the text after it.
    Unknown(String),
    /// `MESSAGE`: text for people.
    Message(String),
    /// `DEBUG`: text for the engine's developers.
    Debug(String),
    /// `SUGGEST x,y`: a move that the manager has to order.
    Suggest(Pair),
    /// `SWAP`: takes the other side, in an opening.
    Swap,
    /// Points: one for a move, up to three in an opening.
    Points(Vec<Pair>),
    /// `name="…"` and more about the engine: its name and version.
    About(String),
    /// Any other line.
    Other(String),
}

/// Maximum number of points in an answer.
const POINTS_MAX: usize = 3;

impl Answer {
    /// Parses a line: keywords in any case, whitespace anywhere.
    pub fn parse(line: &str) -> Self {
        let line = line.trim();
        let letters = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
        let (word, rest) = line.split_at(letters);
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ':').to_owned();
        match word.to_ascii_uppercase().as_str() {
            "OK" => Self::Ok,
            "ERROR" => Self::Error(rest),
            "UNKNOWN" => Self::Unknown(rest),
            "MESSAGE" => Self::Message(rest),
            "DEBUG" => Self::Debug(rest),
            "SWAP" if rest.is_empty() => Self::Swap,
            "SUGGEST" => match points(&rest).as_deref() {
                Some([point]) => Self::Suggest(*point),
                _ => Self::Other(line.to_owned()),
            },
            _ => match points(line) {
                Some(points) => Self::Points(points),
                None => about(line).map_or_else(|| Self::Other(line.to_owned()), Self::About),
            },
        }
    }
}

/// Points `x,y`, at most three, with whitespace anywhere and nothing else.
pub(super) fn points(text: &str) -> Option<Vec<Pair>> {
    let mut points = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (x, after) = number(rest)?;
        let (y, after) = number(after.trim_start().strip_prefix(',')?)?;
        if points.len() == POINTS_MAX || after.starts_with(|c: char| !c.is_whitespace()) {
            return None;
        }
        points.push((x, y));
        rest = after.trim_start();
    }
    (!points.is_empty()).then_some(points)
}

/// Whole number at the beginning of a text, and the rest of the text. A number that overflows is replaced by the
/// largest or smallest `i64`.
pub(super) fn number(text: &str) -> Option<(i64, &str)> {
    let text = text.trim_start();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if end == 0 {
        return None;
    }
    let (value, rest) = text.split_at(text.len() - digits.len() + end);
    let huge = if value.starts_with('-') { i64::MIN } else { i64::MAX };
    Some((value.trim_start_matches('+').parse().unwrap_or(huge), rest))
}

/// Name of an engine, with its version if there is one, from what it says about itself.
fn about(line: &str) -> Option<String> {
    let value = |key: &str| {
        let at = line.to_ascii_lowercase().find(&format!("{key}=\""))?;
        let value = line.get(at + key.len() + 2..)?;
        Some(value[..value.find('"')?].trim()).filter(|value| !value.is_empty())
    };
    let name = value("name")?;
    Some(match value("version") {
        Some(version) => format!("{name} {version}"),
        None => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_engines_are_read_leniently() {
        for (line, answer) in [
            ("OK", Answer::Ok),
            ("ok - everything is good", Answer::Ok),
            ("ERROR unsupported size", Answer::Error("unsupported size".to_owned())),
            ("UNKNOWN", Answer::Unknown(String::new())),
            ("Message: depth 3", Answer::Message("depth 3".to_owned())),
            ("DEBUG x", Answer::Debug("x".to_owned())),
            ("SUGGEST 7,8", Answer::Suggest((7, 8))),
            ("swap", Answer::Swap),
            ("7,8", Answer::Points(vec![(7, 8)])),
            (" 7 , 8 ", Answer::Points(vec![(7, 8)])),
            ("7,7 8,7 9,9", Answer::Points(vec![(7, 7), (8, 7), (9, 9)])),
            ("99,-1", Answer::Points(vec![(99, -1)])),
            ("99999999999999999999,1", Answer::Points(vec![(i64::MAX, 1)])),
            (
                "name=\"Some Brain\", version=\"1.0\", author=\"Nymand\"",
                Answer::About("Some Brain 1.0".to_owned()),
            ),
        ] {
            assert_eq!(Answer::parse(line), answer, "{line}");
        }
        let others = [
            "hello",
            "7",
            "7,",
            "7;8",
            "7,8,1",
            "7,8 x",
            "1,1 2,2 3,3 4,4",
            "OKAY",
            "SWAP 1",
            "SUGGEST",
            "h8",
            "name=\"\"",
        ];
        for other in others {
            assert_eq!(Answer::parse(other), Answer::Other(other.to_owned()));
        }
    }
}

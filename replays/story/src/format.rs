//! Times, numbers and results in words.

use grandstand_protocol::{MatchResult, TeamInfo};

use crate::sides::{Side, YOU};
use crate::terminations::{self, Reason};
pub use crate::terminations::{ended_by, in_plain_words, is_by_move};

/// `0:07.3`, `12:05.0`, `1:02:33`: minutes and tenths, or hours without tenths.
pub fn clock(secs: f64) -> String {
    let tenths = (secs.max(0.0) * 10.0 + 1e-6).floor() as u64;
    let (minutes, rest) = (tenths / 600, tenths % 600);
    if minutes < 60 {
        format!("{minutes}:{:02}.{}", rest / 10, rest % 10)
    } else {
        format!("{}:{:02}:{:02}", minutes / 60, minutes % 60, rest / 10)
    }
}

/// `0:07`, `12:05`, `1:02:33`: without tenths.
pub fn minutes(secs: f64) -> String {
    let text = clock(secs);
    text.split_once('.').map_or(text.clone(), |(whole, _)| whole.to_owned())
}

/// `3.2 s`, `45 s`, `2 min 5 s`: a duration.
pub fn span(secs: f64) -> String {
    let secs = secs.max(0.0);
    if secs < 10.0 {
        format!("{secs:.1} s")
    } else if secs < 120.0 {
        format!("{secs:.0} s")
    } else {
        let whole = secs as u64;
        if whole < 7200 {
            format!("{} min {} s", whole / 60, whole % 60)
        } else {
            format!("{} h {} min", whole / 3600, whole % 3600 / 60)
        }
    }
}

/// How long a move took: `5 ms`, `0.1 s`, `12 s`. Below a tenth of a second it is in milliseconds.
pub fn thinking(millis: i32) -> String {
    match millis.max(0) {
        millis @ 0..100 => format!("{millis} ms"),
        millis => span(f64::from(millis) / 1000.0),
    }
}

/// A moment of a match that programs play, as its game tells it: `turn 41`; where no turns are counted, as in λ-Shark,
/// `step 204,999`. `beat` is the game's word for a beat, `turn` the beat and `cycle` the cycle.
pub fn moment(beat: &str, turn: u64, cycle: u64) -> String {
    match beat {
        "turn" => format!("turn {turn}"),
        _ => format!("step {}", number(cycle)),
    }
}

/// `1,234,567`
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 line`, `2 lines`
pub fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// The words with a capital first letter. A first word with a digit is a place or a name, such as `c8`, and stays as it is.
pub fn capitalised(word: &str) -> String {
    if word.split_whitespace().next().is_some_and(|first| first.contains(|c: char| c.is_ascii_digit())) {
        return word.to_owned();
    }
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The words with a small first letter, for use inside a sentence.
pub fn uncapitalised(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

/// Winner and reason: `Black wins by score`, `Draw: a team has no robots left`.
pub fn result_sentence(result: &MatchResult, sides: &[Side]) -> String {
    let (who, why) = who_and_why(result, sides);
    with_reason(&who, result, &why)
}

/// Who wins, in any words, with the reason of [`who_and_why`].
pub fn with_reason(who: &str, result: &MatchResult, why: &str) -> String {
    // Reasons that are no adverbs.
    let link = if ["robots", "plies"].contains(&&*result.termination) { ":" } else { "" };
    format!("{who}{link} {why}").trim_end().to_owned()
}

/// Winner and reason in two parts: `Black wins` and `by score`. A draw that a fault has ended is a fault of both; the text of
/// an unknown termination is in brackets.
pub fn who_and_why(result: &MatchResult, sides: &[Side]) -> (String, String) {
    let winner = result.winner.as_deref();
    let why = match (&*result.termination, terminations::reason(&result.termination)) {
        ("robots", _) if winner.is_none() => "a team has no robots left".to_owned(),
        ("score", _) if winner.is_none() => "with equal scores".to_owned(),
        (_, Some(Reason::Plain(words))) => words.to_owned(),
        (_, Some(Reason::Fault(fault))) => {
            format!("because {} {fault}", if winner.is_none() { "both" } else { "the other" })
        }
        ("", None) => String::new(),
        (unknown, None) => format!("({})", unknown.replace('-', " ")),
    };
    let Some(winner) = winner else { return ("Draw".to_owned(), why) };
    let side = sides.iter().find(|side| *side.key == *winner);
    (wins(side.map_or(winner, |side| side.name.as_str())), why)
}

/// That somebody of a name wins: `Reds wins`, `You win`.
pub fn wins(name: &str) -> String {
    format!("{name} {}", if name == YOU { "win" } else { "wins" })
}

/// Two scores side by side, as everywhere in the interface: `6 : 2`; `None` without two.
pub fn score(scores: &[i64]) -> Option<String> {
    let [first, second] = scores else { return None };
    Some(format!("{first} : {second}"))
}

/// The score that a result tells of two sides; `None` where it tells none.
pub fn result_score(result: &MatchResult, sides: &[Side]) -> Option<String> {
    let told = result.detail.get("score")?;
    let scores: Option<Vec<i64>> = sides.iter().map(|side| told.get(&side.key)?.as_i64()).collect();
    score(&scores?)
}

/// The plan of a tournament's stage: `Swiss, the first 8 go on`.
pub fn stage_plan(format: &str, advance: Option<u32>) -> String {
    let format = match format {
        "swiss" => "Swiss".to_owned(),
        "sprt" => "sequential test (SPRT)".to_owned(),
        format => format.replace('-', " "),
    };
    match advance {
        Some(1) => format!("{format}, the first goes on"),
        Some(count) => format!("{format}, the first {count} go on"),
        None => format,
    }
}

/// Name of a match: its title, or its players.
pub fn match_name(title: &str, sides: &[Side]) -> String {
    if !title.trim().is_empty() {
        return title.to_owned();
    }
    sides.iter().map(|side| side.name.as_str()).collect::<Vec<_>>().join(" – ")
}

/// The title of a match that is shown. A title that is made of the header's names has the names as they are now: the
/// people who have sat down, after a change of sides.
pub fn match_title(title: &str, teams: &[TeamInfo], sides: &[Side]) -> String {
    let header = teams.iter().map(|team| team.name.trim()).collect::<Vec<_>>().join(" – ");
    if title.trim() == header && teams.len() == sides.len() {
        return sides.iter().map(Side::short).collect::<Vec<_>>().join(" – ");
    }
    match_name(title, sides)
}

/// `2026-04-11 12:05` from a time in RFC 3339; any other text is unchanged.
pub fn started(rfc3339: &str) -> String {
    match (rfc3339.get(0..10), rfc3339.get(11..16)) {
        (Some(date), Some(time)) => format!("{date} {time}"),
        _ => rfc3339.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_the_end_in_plain_words() {
        let of = |report: &str| in_plain_words(report);
        assert_eq!(
            of("red (a) lost 0–2 against blue (b), by robots. It turned at step 9."),
            "red (a) lost 0–2 against blue (b): no robots left. It turned at step 9."
        );
        assert_eq!(of("it ended by resigned when a had"), "it ended by resignation when a had");
        let plain = "red (a) lost 1–2 against blue (b), by score.";
        assert_eq!(of(plain), plain);
        assert_eq!(of("red (a) and blue (b) drew, by whim."), "red (a) and blue (b) drew, by whim.");
    }

    #[test]
    fn short_thoughts_are_not_nothing() {
        let of = [0, 1, 47, 99, 100, 2_500, 12_000].map(thinking);
        assert_eq!(of, ["0 ms", "1 ms", "47 ms", "99 ms", "0.1 s", "2.5 s", "12 s"]);
    }

    #[test]
    fn a_result_tells_the_score_of_both_sides() {
        let score = |json: &str| {
            let result: MatchResult = serde_json::from_str(json).expect("a result");
            let scene = grandstand_protocol::Scene::new(grandstand_protocol::Game::Abalone);
            result_score(&result, &crate::sides(&scene, &[]))
        };
        let told = r#"{"winner":"black","termination":"score","score":{"white":2,"black":6}}"#;
        assert_eq!(score(told).as_deref(), Some("6 : 2"));
        for json in [
            r#"{"winner":null,"termination":"left"}"#,
            r#"{"winner":null,"termination":"x","score":{"black":1}}"#,
        ] {
            assert_eq!(score(json), None, "{json}");
        }
    }

    #[test]
    fn times_are_written_as_people_do() {
        assert_eq!(clock(7.34), "0:07.3");
        assert_eq!(clock(725.0), "12:05.0");
        assert_eq!(clock(3753.9), "1:02:33");
        assert_eq!(clock(-1.0), "0:00.0");
        assert_eq!((minutes(7.34), minutes(3753.9)), ("0:07".into(), "1:02:33".into()));
        assert_eq!(
            (span(3.21), span(45.4), span(125.0)),
            ("3.2 s".into(), "45 s".into(), "2 min 5 s".into())
        );
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!((number(0), number(999), number(1000)), ("0".into(), "999".into(), "1,000".into()));
        assert_eq!(started("2026-04-11T12:05:07Z"), "2026-04-11 12:05");
        assert_eq!(started("soon"), "soon");
    }

    #[test]
    fn a_draw_has_reasons_of_its_own() {
        let ended = |winner: Option<&str>, termination: &str| {
            let result = MatchResult {
                winner: winner.map(Into::into),
                termination: termination.into(),
                ..MatchResult::default()
            };
            result_sentence(&result, &[])
        };
        assert_eq!(ended(Some("red"), "robots"), "red wins: last robots standing");
        assert_eq!(ended(None, "robots"), "Draw: a team has no robots left");
        assert_eq!(ended(Some("black"), "score"), "black wins by score");
        assert_eq!(ended(None, "score"), "Draw with equal scores");
        assert_eq!(ended(None, "full-board"), "Draw on a full board");
        assert_eq!(ended(Some("blue"), "crash"), "blue wins because the other crashed");
        assert_eq!(ended(None, "crash"), "Draw because both crashed");
        assert_eq!(ended(None, "by-agreement"), "Draw (by agreement)");
        assert_eq!(ended(None, ""), "Draw");
    }

    #[test]
    fn a_sentence_begins_with_a_capital_letter_but_not_a_place() {
        assert_eq!(capitalised("black to move"), "Black to move");
        assert_eq!(capitalised("c8 is not the centre"), "c8 is not the centre");
        assert_eq!(capitalised("it takes 3 moves"), "It takes 3 moves");
        assert_eq!(capitalised(""), "");
    }

    #[test]
    fn an_end_in_a_table_is_a_cause() {
        let cases = [
            ("elimination", "conquest"),
            ("illegal", "illegal move"),
            ("hang", "no answer"),
            ("time", "time"),
            ("too-many-errors", "too many errors"),
        ];
        for (termination, words) in cases {
            assert_eq!(ended_by(termination), words);
        }
    }

    #[test]
    fn a_plan_of_a_stage_is_its_format_and_who_goes_on() {
        assert_eq!(stage_plan("round-robin", None), "round robin");
        assert_eq!(stage_plan("swiss", Some(8)), "Swiss, the first 8 go on");
        assert_eq!(stage_plan("swiss", Some(1)), "Swiss, the first goes on");
    }
}

//! Parser of evaluations in the `MESSAGE` lines of engines. The protocol defines no form; this one reads the usual
//! ones.

use grandstand_search::gomoku::Thought;

use super::answer::number;

/// Score of a forced win.
pub const WIN: i32 = 30_000;
/// Maximum number of moves of a line that are kept.
const LINE_MAX: usize = 64;

/// Evaluation in a message, from the engine's own view: a depth and a score under their usual names, in any order, with
/// the node count and the line if there are any. `None` for any other message.
pub fn read(message: &str) -> Option<Thought> {
    let words: Vec<&str> = message
        .split(|c: char| c.is_whitespace() || "|:=;".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let (mut depth, mut score, mut nodes, mut line) = (None, None, None, Vec::new());
    let mut rest = words.iter().copied().peekable();
    while let Some(word) = rest.next() {
        match word.to_ascii_lowercase().as_str() {
            "depth" | "d" => depth = depth.or_else(|| u32::try_from(number(rest.next()?)?.0).ok()),
            "ev" | "eval" | "val" | "value" | "score" => score = score.or_else(|| score_of(rest.next()?)),
            "n" | "node" | "nodes" => nodes = nodes.or_else(|| count_of(rest.next()?)),
            "pv" | "bestline" | "best" => {
                while let Some(point) = rest.peek().copied().and_then(point_of) {
                    rest.next();
                    line.push(point);
                }
                line.truncate(LINE_MAX);
            }
            _ => {}
        }
    }
    if line.is_empty() {
        // Some engines append the moves to the end of the message, without a name.
        line.extend(words.iter().rev().map_while(|word| point_of(word)).take(LINE_MAX));
        line.reverse();
    }
    Some(Thought { score: score?, depth: depth?, nodes: nodes.unwrap_or(0), line })
}

/// A score: a number, or `M` or `#` with the number of moves until a forced win.
fn score_of(word: &str) -> Option<i32> {
    let mate = word.trim_start_matches(['+', '-']).starts_with(['M', 'm', '#']);
    if mate {
        return Some(if word.starts_with('-') { -WIN } else { WIN });
    }
    let (score, rest) = number(word)?;
    let whole = rest.is_empty() || rest.starts_with(['.', ',', '(', '%']);
    whole.then(|| score.clamp(-i64::from(WIN), i64::from(WIN)) as i32)
}

/// A count, with an optional unit: thousands, millions or billions.
fn count_of(word: &str) -> Option<u64> {
    let (count, rest) = number(word)?;
    let unit: u64 = match rest.chars().next().map(|c| c.to_ascii_uppercase()) {
        None => 1,
        Some('K') => 1_000,
        Some('M') => 1_000_000,
        Some('G' | 'B') => 1_000_000_000,
        Some(_) => return None,
    };
    u64::try_from(count).ok()?.checked_mul(unit)
}

/// A point, as `h8` or as `7,7`, with or without brackets.
fn point_of(word: &str) -> Option<(u16, u16)> {
    let word = word.trim_matches(['[', ']', '(', ')']);
    if let Some((x, y)) = word.split_once(',') {
        return Some((x.parse().ok()?, y.parse().ok()?));
    }
    let letters = word.find(|c: char| !c.is_ascii_alphabetic())?;
    let (column, row) = word.split_at(letters);
    let row: u16 = row.parse().ok()?;
    let column = column.bytes().take(4).fold(0, |n, c| n * 26 + u32::from(c.to_ascii_lowercase() - b'a') + 1);
    Some((u16::try_from(column.checked_sub(1)?).ok()?, row.checked_sub(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_messages_are_read() {
        let full = read("depth 12-24 multipv 1 ev 45 n 1234K n/ms 500 tm 1200 pv H8 I9 J10").unwrap();
        assert_eq!((full.score, full.depth, full.nodes), (45, 12, 1_234_000));
        assert_eq!(full.line, [(7, 7), (8, 8), (9, 9)]);
        let bars = read("Speed 512K | Depth 11-19 | Eval -M8 | Node 3M | Time 1000ms").unwrap();
        assert_eq!((bars.score, bars.depth, bars.nodes, bars.line.len()), (-WIN, 11, 3_000_000, 0));
        let bare = read("Depth 9-15 | Eval -12 | Time 431ms | H8 aa10").unwrap();
        assert_eq!((bare.score, bare.depth, bare.line), (-12, 9, vec![(7, 7), (26, 9)]));
        let colons = read("Depth:7-12 Val:-103 Time:20ms Node:0M [7,7]").unwrap();
        assert_eq!((colons.score, colons.depth, colons.line), (-103, 7, vec![(7, 7)]));
        let comma = read("depth 3 score 99999999 pv 7,7 [8,7] then").unwrap();
        assert_eq!((comma.score, comma.line), (WIN, vec![(7, 7), (8, 7)]));
    }

    #[test]
    fn a_line_may_stand_before_the_score() {
        let read = read("depth 9 pv h8 i9 ev 45").unwrap();
        assert_eq!((read.score, read.depth, read.line), (45, 9, vec![(7, 7), (8, 8)]));
    }

    #[test]
    fn other_messages_are_not() {
        for message in [
            "",
            "hello",
            "depth",
            "depth 3",
            "ev 45",
            "depth x ev 3",
            "depth 3 ev x",
            "INFO MAX_THREAD_NUM 256",
        ] {
            assert_eq!(read(message), None, "{message}");
        }
    }
}

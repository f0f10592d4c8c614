//! A match in words: one line for each move and event, for people who don't see the board.
//!
//! The page keeps these lines in its log for screen readers. They follow the board: line by line as it goes on; after a
//! jump, the last lines before it replace the log.

use grandstand_protocol::MarkKind;
use grandstand_protocol::{Command, MatchResult, Scene, TeamInfo};
use grandstand_replays::{Cursor, Log};
use serde::Serialize;

use crate::format;
pub use crate::game::Line;
use crate::games::{sides, story};
use crate::groups::Groups;

/// A change by more commands than this is a jump.
const JUMP: u64 = 2_000;
/// Number of commands before the end of a jump that are read for lines.
const LOOK_BACK: u64 = 1_500;
/// Number of lines after a jump.
const FRESH: usize = 40;

/// New lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Narration {
    /// Whether these lines replace all earlier ones.
    pub fresh: bool,
    /// Lines in order.
    pub lines: Vec<Line>,
}

/// State of the narration.
#[derive(Debug, Default)]
pub struct Narrator {
    /// Last command with a line.
    told: u64,
    /// Match, whether its recent commands were known, and number of jumps.
    about: Option<(String, bool, u64)>,
    /// Whether the end has a line.
    ended: bool,
    /// Scene after the last line, or an earlier one.
    cursor: Option<Cursor>,
}

/// State of the viewer's match.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Key of the match. Another key replaces the lines.
    pub key: &'a str,
    /// Commands.
    pub log: &'a Log,
    /// Teams of the header.
    pub teams: &'a [TeamInfo],
    /// Last shown command.
    pub seq: u64,
    /// Scene after that command.
    pub scene: &'a Scene,
    /// Number of seeks so far.
    pub jumps: u64,
    /// First command after the viewer came; 0 unless the viewer follows a live match.
    pub history_before: u64,
    /// Seconds since the last command; infinite if none will follow.
    pub quiet: f64,
    /// Whether the match is over and its last scene is shown.
    pub is_at_end: bool,
    /// Result, if it is known.
    pub result: Option<&'a MatchResult>,
}

impl Narrator {
    /// New lines since the last call, if any.
    pub fn tell(&mut self, shown: &Shown<'_>) -> Option<Narration> {
        let (log, to) = (shown.log, shown.seq);
        let is_known = *log.stretch(to).start() <= to.saturating_sub(LOOK_BACK);
        let about = (shown.key.to_owned(), is_known, shown.jumps);
        let jumped =
            to < self.told || to - self.told > JUMP || to > self.told && self.told < shown.history_before;
        let fresh = self.about.as_ref() != Some(&about) || jumped;
        if fresh {
            self.about = Some(about);
            self.told = to.saturating_sub(LOOK_BACK);
            self.ended = false;
            self.cursor = None;
        }
        let cursor = self.cursor.get_or_insert_with(|| Cursor::new(log));
        let (mut lines, told) = lines(log, cursor, self.told, to, shown.quiet);
        self.told = told;
        if shown.is_at_end && !self.ended && self.told == to {
            self.ended = true;
            if shown.result.is_some() {
                lines.retain(|line| !line.is_outcome);
            }
            lines.push(Line::new(to, ending(shown)));
        }
        if fresh {
            lines.drain(..lines.len().saturating_sub(FRESH));
        }
        (fresh || !lines.is_empty()).then_some(Narration { fresh, lines })
    }

    /// Removes all lines after the match is closed.
    pub fn stop(&mut self) -> Option<Narration> {
        let was = std::mem::take(self);
        was.about.map(|_| Narration { fresh: true, lines: Vec::new() })
    }
}

fn ending(shown: &Shown<'_>) -> String {
    match shown.result {
        Some(result) => format!("{}.", format::result_sentence(result, &sides(shown.scene, shown.teams))),
        None => "The match was interrupted, or its server did not say how it ended.".to_owned(),
    }
}

/// Lines for the commands after `from` up to `to`, and the last command with a line. `cursor` moves along. A last group
/// that may be incomplete is left for the next call, depending on `quiet`.
fn lines(log: &Log, cursor: &mut Cursor, from: u64, to: u64, quiet: f64) -> (Vec<Line>, u64) {
    // There are no lines before a gap.
    let from = log.known(from).max((*log.stretch(to).start()).min(to));
    if from == to {
        return (Vec::new(), to);
    }
    cursor.move_to(log, from);
    let mut groups = Groups::new(cursor.scene().clone());
    let mut lines = Vec::new();
    let mut events = Vec::new();
    let mut told = from;
    let mut marks = log.marks(from, to).peekable();
    let mut close = |groups: &mut Groups, events: &mut Vec<Line>| {
        // Event lines precede the score and marker lines that they cause.
        groups.close(|before, group| drop(events.splice(0..0, story(before).narrate(group))));
        events.sort_by_key(|line| line.seq);
        lines.append(events);
    };
    for seq in from + 1..=to {
        let Some(command) = log.command(seq) else { continue };
        let t = log.time_of(seq);
        if groups.is_before(t, &command) {
            close(&mut groups, &mut events);
            told = seq - 1;
        }
        groups.add(seq, t, command.clone());
        if let Some(mark) = marks.next_if(|mark| mark.seq == seq)
            && let Some(text) = event(groups.scene(), mark.kind, &command)
        {
            events.push(Line::new(seq, text));
        }
    }
    if groups.is_whole(quiet) {
        close(&mut groups, &mut events);
        told = to;
    }
    (lines, told)
}

/// Line for a command that is more than drawing. Turns are in the lines of their moves.
fn event(scene: &Scene, kind: MarkKind, command: &Command) -> Option<String> {
    let text = match (kind, command) {
        (MarkKind::Talk, _) => {
            let (team, text) = story(scene).chat_message(command)?;
            format!("{team} says: {text}")
        }
        // The moves of turn games say what they capture.
        (MarkKind::ScoreRise, _) if story(scene).turns().is_some() => return None,
        (MarkKind::ScoreRise, _) => format!("Score: {}.", scores(scene)),
        (MarkKind::Marker, Command::Marker(marker)) => {
            format!("{}.", format::capitalised(&story(scene).label(&marker.label)))
        }
        (MarkKind::Unknown, Command::Unknown(unknown)) => {
            format!("A line was not understood: {}", unknown.text())
        }
        _ => return None,
    };
    Some(text)
}

/// `Black 3, White 0`
pub fn scores(scene: &Scene) -> String {
    let scores = story(scene).scores();
    scores.iter().map(|(team, score)| format!("{team} {score}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Game, Micros};

    fn log(lines: &[(u64, &str)]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, (millis, line)) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(millis * 1000), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    fn told(log: &Log, from: u64, to: u64, settled: bool) -> (Vec<String>, u64) {
        let quiet = if settled { f64::INFINITY } else { 0.0 };
        let (lines, told) = lines(log, &mut Cursor::new(log), from, to, quiet);
        (lines.into_iter().map(|line| format!("{} {}", line.seq, line.text)).collect(), told)
    }

    #[test]
    fn a_push_that_the_server_tells_is_told_once() {
        let push = |marker: &'static str| {
            log(&[
                (0, "set I3 b0"),
                (0, "set I4 w0"),
                (900, marker),
                (900, "bscore 1"),
                (900, "set I4 b0"),
                (900, "set I3 e"),
                (900, "turns 4"),
            ])
        };
        let marked = push(r##"#gs marker {"label":"black pushes white off at I4","kind":"push-off"}"##);
        assert_eq!(
            told(&marked, 2, 7, true).0,
            ["3 Black pushes white off at I4.", "4 Score: Black 1, White 0.", "7 Turn 4: Black I3 to I4.",]
        );
        let other = push(r##"#gs marker {"label":"black is at I3","kind":"note"}"##);
        assert_eq!(
            told(&other, 2, 7, true).0[2],
            "7 Turn 4: Black I3 to I4; a white piece is pushed off at I4."
        );
    }

    #[test]
    fn pieces_that_come_in_together_are_counted() {
        let lines = ["E0", "E1", "E2", "F0"].map(|hex| format!("set {hex} b0"));
        let mut lines: Vec<(u64, &str)> = lines.iter().map(|line| (5, line.as_str())).collect();
        lines.extend([(5, "set A0 w0"), (5, "turns 1")]);
        assert_eq!(told(&log(&lines), 0, 6, true).0, ["6 Turn 1: 4 black and 1 white pieces come in."]);
    }

    #[test]
    fn the_winner_is_told_once_with_the_reason() {
        let tell = |game, lines: &[&str], result: Option<&str>| {
            let mut log = Log::live(game);
            for (seq, line) in (1..).zip(lines) {
                let _ = log.insert(seq, Micros(5), &Command::parse(game, line.as_bytes()));
            }
            let result = result.map(|json| serde_json::from_str(json).expect("a result"));
            log.close(Some(grandstand_replays::End { t: Micros(5), result }));
            let mut cursor = Cursor::new(&log);
            cursor.move_to(&log, log.last_seq());
            let shown = Shown {
                key: "",
                log: &log,
                teams: &[],
                seq: log.last_seq(),
                scene: cursor.scene(),
                jumps: 0,
                history_before: 0,
                quiet: f64::INFINITY,
                is_at_end: true,
                result: log.end().and_then(|end| end.result.as_ref()),
            };
            let lines = Narrator::default().tell(&shown).expect("lines").lines;
            lines.into_iter().rev().take(2).map(|line| line.text).collect::<Vec<_>>()
        };
        let five = r#"{"winner":"black","termination":"five"}"#;
        let stones = ["board 15", "move black h8", "win black"];
        assert_eq!(tell(Game::Gomoku, &stones, Some(five)), ["Black wins with five in a row.", "Black h8."]);
        assert_eq!(tell(Game::Gomoku, &stones, None)[1], "Black wins.");
        let over = r#"{"winner":"blue","termination":"points"}"#;
        let units = ["init", "point 2 0 0 none", "control 2 blue", "over blue"];
        let told = tell(Game::Fortress, &units, Some(over));
        assert_eq!(told, ["Blue wins with all control points.", "Score: Red 0, Blue 1."]);
    }

    #[test]
    fn a_new_board_is_one_sentence() {
        let mut log = Log::live(Game::Fortress);
        let lines = [
            "init",
            "point 2 0 0 none",
            "spawn 1 red ~1 0 east 1000 soldier",
            "spawn 2 red ~2 0 east 1000 medic",
            "spawn 7 blue 5 ~2 west 1000 medic",
        ];
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(5), &Command::parse(Game::Fortress, line.as_bytes()));
        }
        let found = told(&log, 0, 5, true).0;
        assert_eq!(found, ["1 The board is set up: 2 red and 1 blue units."]);
    }

    #[test]
    fn moves_talk_scores_and_strange_lines_are_told_in_order() {
        let log = log(&[
            (0, "set E0 b1"),
            (0, "set E1 b1"),
            (500, "set E0 e"),
            (500, "set E2 b0"),
            (501, "turns 4"),
            (900, "bsay onwards"),
            (950, "bscore 1"),
            (990, "dance"),
        ]);
        let (lines, _) = told(&log, 2, 8, true);
        assert_eq!(
            lines,
            [
                "5 Turn 4: Black 2 in line, E0 to E2.",
                "6 Black says: onwards",
                "7 Score: Black 1, White 0.",
                "8 A line was not understood: dance",
            ]
        );
    }

    #[test]
    fn moves_that_may_not_be_whole_wait_for_the_rest() {
        let log = log(&[(0, "set A~1 w0"), (400, "set A~1 e"), (401, "set A0 w0"), (900, "turns 1")]);
        assert_eq!(told(&log, 1, 2, false), (vec![], 1));
        assert_eq!(told(&log, 1, 3, false), (vec![], 1));
        assert_eq!(told(&log, 1, 4, false), (vec!["3 White A−1 to A0.".to_owned()], 3));
        assert_eq!(told(&log, 1, 3, true), (vec!["3 White A−1 to A0.".to_owned()], 3));
    }

    #[test]
    fn markers_are_told_with_the_places_of_the_board() {
        let log =
            log(&[(0, "set A~2 w0"), (400, r##"#gs marker {"label":"white pushes black off at H~1"}"##)]);
        assert_eq!(told(&log, 1, 2, true).0, ["2 White pushes black off at H−1."]);
    }

    #[test]
    fn negative_diagonals_are_written_so_that_they_can_be_read_out() {
        let log = log(&[(0, "set A~2 w0"), (400, "set A~2 e")]);
        assert_eq!(told(&log, 1, 2, true).0, ["2 A white piece is gone from A−2."]);
    }
}

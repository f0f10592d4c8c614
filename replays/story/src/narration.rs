//! A match in words: the moves and events that the picture has shown, one line each, for those who don't see it.
//!
//! The page keeps these lines in its log for screen readers. They are told in step with the picture: as it goes on, line
//! by line; after a jump, the last ones before it afresh.

use grandstand_protocol::MarkKind;
use grandstand_protocol::{Command, MatchResult, Scene, TeamInfo};
use grandstand_replays::{Cursor, Log};
use serde::Serialize;

use crate::format;
pub use crate::game::Line;
use crate::games::{sides, story};
use crate::groups::Groups;

/// A picture that has gone on by more commands than this has jumped.
const JUMP: u64 = 2_000;
/// How many commands are looked at for the lines before a jump's end.
const LOOK_BACK: u64 = 1_500;
/// How many lines are told afresh after a jump.
const FRESH: usize = 40;

/// What there is to tell since the last time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Telling {
    /// Whether these lines stand in place of all before.
    pub fresh: bool,
    /// In the order in which they happened.
    pub lines: Vec<Line>,
}

/// Remembers what has been told.
#[derive(Debug, Default)]
pub struct Narrator {
    /// Everything up to this command has been told.
    told: u64,
    /// The match that this was about, whether what was lately was known, and how often the picture had jumped.
    about: Option<(String, bool, u64)>,
    /// Whether its end has been told.
    ended: bool,
    /// The picture after what was told, or one before it.
    cursor: Option<Cursor>,
}

/// What of a match a viewer sees now.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Which match it is: another one is told afresh.
    pub key: &'a str,
    /// Its commands.
    pub log: &'a Log,
    /// What the header says of the teams.
    pub teams: &'a [TeamInfo],
    /// The command that the picture shows last, and the picture.
    pub seq: u64,
    /// The picture after that command.
    pub scene: &'a Scene,
    /// How often the picture was put somewhere else, instead of going on.
    pub jumps: u64,
    /// Commands before this one were there before the viewer came; 0 where the viewer does not follow a live match.
    pub history_before: u64,
    /// For how many seconds nothing has come; infinite when nothing will.
    pub quiet: f64,
    /// Whether the picture is the last one of a match that is over.
    pub is_at_end: bool,
    /// How it ended, if that is known.
    pub result: Option<&'a MatchResult>,
}

impl Narrator {
    /// What the picture shows and has not been told, if there is anything.
    pub fn tell(&mut self, shown: &Shown<'_>) -> Option<Telling> {
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
            lines.push(Line { seq: to, text: ending(shown) });
        }
        if fresh {
            lines.drain(..lines.len().saturating_sub(FRESH));
        }
        (fresh || !lines.is_empty()).then_some(Telling { fresh, lines })
    }

    /// Nothing is open any more: the lines go.
    pub fn stop(&mut self) -> Option<Telling> {
        let was = std::mem::take(self);
        was.about.map(|_| Telling { fresh: true, lines: Vec::new() })
    }
}

fn ending(shown: &Shown<'_>) -> String {
    match shown.result {
        Some(result) => format!("{}.", format::outcome(result, &sides(shown.scene, shown.teams))),
        None => "The match was interrupted, or its server did not say how it ended.".to_owned(),
    }
}

/// The lines of the commands after `from`, up to `to`, and how far that is; `cursor` comes along. Changes that may not be whole yet are left
/// for the next time, unless for so many seconds nothing has come.
fn lines(log: &Log, cursor: &mut Cursor, from: u64, to: u64, quiet: f64) -> (Vec<Line>, u64) {
    // Before a gap there is nothing that this goes on from.
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
        groups.close(|before, group| events.extend(story(before).tell(group)));
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
            events.push(Line { seq, text });
        }
    }
    if groups.is_whole(quiet) {
        close(&mut groups, &mut events);
        told = to;
    }
    (lines, told)
}

/// What a command that is more than drawing says. Turns are told with their moves.
fn event(scene: &Scene, kind: MarkKind, command: &Command) -> Option<String> {
    let text = match (kind, command) {
        (MarkKind::Talk, _) => {
            let (team, text) = story(scene).said(command)?;
            format!("{team} says: {text}")
        }
        (MarkKind::ScoreRise, _) => format!("Score: {}.", scores(scene)),
        (MarkKind::Marker, Command::Marker(marker)) => format!("{}.", marker.label),
        (MarkKind::Unknown, Command::Unknown(unknown)) => {
            format!("A line was not understood: {}", unknown.text())
        }
        _ => return None,
    };
    Some(text)
}

/// `Black 3, White 0`.
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
    fn negative_diagonals_are_written_so_that_they_can_be_read_out() {
        let log = log(&[(0, "set A~2 w0"), (400, "set A~2 e")]);
        assert_eq!(told(&log, 1, 2, true).0, ["2 a white piece is gone from A−2."]);
    }
}

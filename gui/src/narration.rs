//! A match in words: the moves and events that the picture has shown, one line each, for those who don't see it.
//!
//! The page keeps these lines in its log for screen readers. They are told in step with the picture: as it goes on, line
//! by line; after a jump, the last ones before it afresh.

use grandstand_protocol::abalone::{Hex, Team};
use grandstand_protocol::{Command, Micros, Scene, abalone, grid};
use grandstand_replays::{Log, MarkKind};
use serde::Serialize;

use crate::board::motion::{self, Motion};
use crate::session::Session;
use crate::words;

/// Sets that came within this time of each other belong to the same moves.
const SAME_MOVES: Micros = Micros(20_000);
/// After this much of the match without a command, moves are known to be whole, in seconds.
const SETTLED_SECS: f64 = 0.1;
/// A picture that has gone on by more commands than this has jumped.
const JUMP: u64 = 2_000;
/// How many commands are looked at for the lines before a jump's end.
const LOOK_BACK: u64 = 1_500;
/// How many lines are told afresh after a jump.
const FRESH: usize = 40;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The command that shows it whole.
    pub seq: u64,
    /// What happened, as a sentence.
    pub text: String,
}

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
pub(crate) struct Narrator {
    /// Everything up to this command has been told.
    told: u64,
    /// The match that this was about, and how much of it was not known then.
    about: Option<(String, usize)>,
    /// Whether its end has been told.
    ended: bool,
}

impl Narrator {
    /// What the picture shows and has not been told, if there is anything.
    pub(crate) fn tell(&mut self, session: &Session) -> Option<Telling> {
        let log = session.log();
        let about = (session.target.to_string(), log.gaps().len());
        let to = session.seq();
        let fresh = self.about.as_ref() != Some(&about) || to < self.told || to - self.told > JUMP;
        if fresh {
            self.about = Some(about);
            self.told = to.saturating_sub(LOOK_BACK);
            self.ended = false;
        }
        let settled = !session.is_running() || session.secs() - log.time_of(to).as_secs_f64() > SETTLED_SECS;
        let (mut lines, told) = lines(log, self.told, to, settled);
        self.told = told;
        if session.is_at_end() && !self.ended && self.told == to {
            self.ended = true;
            lines.push(Line { seq: to, text: ending(session) });
        }
        if fresh {
            lines.drain(..lines.len().saturating_sub(FRESH));
        }
        (fresh || !lines.is_empty()).then_some(Telling { fresh, lines })
    }

    /// Nothing is open any more: the lines go.
    pub(crate) fn stop(&mut self) -> Option<Telling> {
        let was = std::mem::take(self);
        was.about.map(|_| Telling { fresh: true, lines: Vec::new() })
    }
}

fn ending(session: &Session) -> String {
    let sides = crate::sides::sides(session.scene(), &session.about.teams);
    match session.result() {
        Some(result) => format!("{}.", words::outcome(result, &sides)),
        None => "The match was interrupted, or its server did not say how it ended.".to_owned(),
    }
}

/// The lines of the commands after `from`, up to `to`, and how far that is: moves that may not be whole yet are left
/// for the next time, unless everything has `settled`.
fn lines(log: &Log, from: u64, to: u64, settled: bool) -> (Vec<Line>, u64) {
    let from = log.known(from);
    let mut group = Group::new(log.scene_at(from));
    let mut lines = Vec::new();
    let mut told = from;
    let mut marks = log.marks(from, to).peekable();
    for seq in from + 1..=to {
        let Some(command) = log.command(seq) else { continue };
        let t = log.time_of(seq);
        if group.last.is_some_and(|last| t.since(last) > SAME_MOVES) {
            lines.extend(group.close());
            told = seq - 1;
        }
        let mark = marks.next_if(|mark| mark.seq == seq);
        group.add(seq, t, &command);
        if let Some(mark) = mark
            && let Some(text) = event(&group.scene, mark.kind, &command)
        {
            group.events.push(Line { seq, text });
        }
    }
    if settled {
        lines.extend(group.close());
        told = to;
    }
    (lines, told)
}

/// Commands that came together.
struct Group {
    before: Scene,
    scene: Scene,
    sets: Vec<abalone::Command>,
    events: Vec<Line>,
    seq: u64,
    last: Option<Micros>,
}

impl Group {
    fn new(scene: Scene) -> Group {
        Group { before: scene.clone(), scene, sets: Vec::new(), events: Vec::new(), seq: 0, last: None }
    }

    fn add(&mut self, seq: u64, t: Micros, command: &Command) {
        self.scene.apply(seq, t, command);
        if let Command::Abalone(set @ abalone::Command::Set { .. }) = command {
            self.sets.push(set.clone());
        }
        (self.seq, self.last) = (seq, Some(t));
    }

    /// The lines of the group: its moves, where they are whole, and what happened besides.
    fn close(&mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        if let (Scene::Abalone(before), Scene::Abalone(after)) = (&self.before, &self.scene) {
            let motions = motion::while_drawing(before, &self.sets);
            // A board that is set up is not a move of every piece.
            if self.sets.len() >= Hex::all().count() {
                let count =
                    |team| Hex::all().filter(|hex| after.get(*hex).is_some_and(|p| p.team == team)).count();
                let (black, white) = (count(Team::Black), count(Team::White));
                let text = format!("The board is set: {black} black and {white} white.");
                lines.push(Line { seq: self.seq, text });
            } else if !motions.is_empty() {
                let turn =
                    if after.turns() > 0 { format!("Turn {}: ", after.turns()) } else { String::new() };
                lines.push(Line { seq: self.seq, text: format!("{turn}{}.", moves(&motions)) });
            }
        }
        lines.append(&mut self.events);
        lines.sort_by_key(|line| line.seq);
        self.sets.clear();
        self.before = self.scene.clone();
        lines
    }
}

/// What a command that is more than drawing says. Turns are told with their moves.
fn event(scene: &Scene, kind: MarkKind, command: &Command) -> Option<String> {
    let text = match (kind, command) {
        (MarkKind::Talk, Command::Abalone(abalone::Command::Say { team, text })) => {
            format!("{} says: {}", name(*team), text)
        }
        (MarkKind::Talk, Command::Grid(grid::Command::Say { team, text })) => format!("{team} says: {text}"),
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
pub(crate) fn scores(scene: &Scene) -> String {
    let parts: Vec<String> = match scene {
        Scene::Abalone(scene) => {
            Team::ALL.iter().map(|team| format!("{} {}", name(*team), scene.score(*team))).collect()
        }
        Scene::Grid(scene) => scene.scores().map(|(team, score)| format!("{team} {score}")).collect(),
    };
    parts.join(", ")
}

fn name(team: Team) -> &'static str {
    match team {
        Team::Black => "Black",
        Team::White => "White",
    }
}

/// A hex as it is read out: `B−2`.
fn place(hex: Hex) -> String {
    hex.to_string().replace('~', "−")
}

/// `Black 3 in line, A1 to D1; White E5 to E4; a white piece is pushed off at I5`.
fn moves(motions: &[Motion]) -> String {
    let mut parts = Vec::new();
    for team in Team::ALL {
        let steps: Vec<(Hex, Hex)> = motions
            .iter()
            .filter_map(|motion| match *motion {
                Motion::Step { piece, from, to } if piece.team == team => Some((from, to)),
                _ => None,
            })
            .collect();
        let chains: Vec<String> = chains(&steps)
            .into_iter()
            .map(|(from, to, length)| {
                let line = if length > 1 { format!("{length} in line, ") } else { String::new() };
                format!("{line}{} to {}", place(from), place(to))
            })
            .collect();
        if !chains.is_empty() {
            parts.push(format!("{} {}", name(team), chains.join(", ")));
        }
    }
    for motion in motions {
        let (piece, what) = match *motion {
            Motion::Step { .. } => continue,
            Motion::PushedOff { piece, last, .. } => (piece, format!("is pushed off at {}", place(last))),
            Motion::Vanished { piece, from } => (piece, format!("is gone from {}", place(from))),
            Motion::Appeared { piece, at } => (piece, format!("comes in at {}", place(at))),
        };
        parts.push(format!("a {} piece {what}", piece.team.name()));
    }
    parts.join("; ")
}

/// Steps that follow each other as one: where the last piece came from, where the first one went, how many they are.
fn chains(steps: &[(Hex, Hex)]) -> Vec<(Hex, Hex, usize)> {
    let tails = steps.iter().filter(|(from, _)| steps.iter().all(|(_, to)| to != from));
    let mut chains: Vec<_> = tails
        .map(|&(start, mut end)| {
            let mut length = 1;
            while let Some((_, next)) = steps.iter().find(|(from, _)| *from == end) {
                // A ring has no tail, so this ends.
                (end, length) = (*next, length + 1);
            }
            (start, end, length)
        })
        .collect();
    if chains.is_empty() {
        chains.extend(steps.iter().map(|&(from, to)| (from, to, 1)));
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Game;

    fn log(lines: &[(u64, &str)]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, (millis, line)) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(millis * 1000), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    fn told(log: &Log, from: u64, to: u64, settled: bool) -> (Vec<String>, u64) {
        let (lines, told) = lines(log, from, to, settled);
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

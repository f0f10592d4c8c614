//! Index of the events of a match for the plots and the timeline, built from its log as it grows.
//!
//! The game decides what is an event or a figure (see [`GameStory::record`]). The index reads the log once, a part in
//! each frame.
//!
//! [`GameStory::record`]: crate::game::GameStory::record

use std::ops::RangeInclusive;

use grandstand_protocol::MarkKind;
use grandstand_protocol::{Game, Micros, Scene};
use grandstand_replays::Log;

use crate::findings::Findings;
use crate::games::story;
use crate::judgements::Judgement;
use crate::lanes::Bins;
use crate::log_reader::LogReader;
use crate::markers::{Marker, NewMarker, Origin, kind};
use crate::plots::{PlotKind, Point};

/// The last command of a marker's group, which shows the event completely. `scene` is any scene of the match.
pub fn last_of(marker: &Marker, log: &Log, scene: &Scene) -> u64 {
    if matches!(marker.origin, Origin::Line | Origin::Viewer) {
        return marker.seq;
    }
    end_of((marker.seq, marker.t), log, scene)
}

/// The last command that came together with command `seq` at `t` and belongs to the same turn.
pub fn end_of((seq, t): (u64, Micros), log: &Log, scene: &Scene) -> u64 {
    let end = log.seq_at(Micros(t.0 + story(scene).group_window().0));
    // A game of moves marks the line of each move, which begins the turn; another game the line that ends it.
    let begins = u64::from(scene.game().goes_by_moves());
    let turn = log.next_mark(seq, |kind| kind == MarkKind::Turn).map(|mark| mark.seq - begins);
    turn.map_or(end, |turn| turn.min(end)).max(seq)
}

/// Findings of the part of a log that has been read. They stay when the log drops commands.
#[derive(Debug)]
pub struct EventIndex {
    findings: Findings,
    /// Reader at the end of the log.
    head: LogReader,
    /// Commands that were missing when the reader came to them.
    unread: Vec<RangeInclusive<u64>>,
    /// Gaps of the log at the last check. A change means that missing commands may have come.
    gaps: Vec<RangeInclusive<u64>>,
    /// The last found part of `unread`. It is read when it no longer grows.
    found: Option<(u64, u64)>,
    /// Reader of commands that were missing and have come.
    late: Option<(LogReader, Findings)>,
}

/// Empty findings for the scene's game.
fn findings(scene: &Scene) -> Findings {
    let story = story(scene);
    Findings::new(story.plots(), story.sides(&[]).into_iter().map(|side| side.key))
}

impl EventIndex {
    /// Creates an empty index for a match of this game.
    pub fn new(game: Game) -> EventIndex {
        let scene = Scene::new(game);
        EventIndex {
            findings: findings(&scene),
            head: LogReader::new(scene, 0, u64::MAX),
            unread: Vec::new(),
            gaps: Vec::new(),
            found: None,
            late: None,
        }
    }

    /// The findings so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Last command whose group is recorded.
    pub fn noted(&self) -> u64 {
        self.head.noted
    }

    /// Takes the bookmarks that were found in the match since the last call.
    pub fn take_bookmarks(&mut self) -> Vec<(u64, Micros, String)> {
        std::mem::take(&mut self.findings.bookmarks)
    }

    /// Takes in judgements of an engine about moves. Those of moves that are not known change nothing; a later one of
    /// a move replaces the earlier one. Bad moves become moments of [`kind::MISTAKE`].
    pub fn judge(&mut self, judgements: Vec<Judgement>) {
        for judgement in judgements {
            let findings = &mut self.findings;
            let made = findings.moves.at(judgement.seq).and_then(|at| findings.moves.list().get(at));
            let Some(made) = made.filter(|made| made.seq == judgement.seq) else { continue };
            let (seq, t, side) = (made.seq, made.t, made.side);
            let mark = judgement.mark;
            let what = format!("{} {mark} by", made.text);
            if !findings.judgements.put(judgement, side, t) {
                continue;
            }
            findings.markers.take_back(seq, kind::MISTAKE);
            if !mark.is_empty() {
                let said = NewMarker {
                    kind: kind::MISTAKE.into(),
                    side: Some(side),
                    origin: Origin::Engine,
                    major: mark == "??",
                    what: what.into(),
                };
                findings.markers.put(seq, t, said);
            }
        }
    }

    /// Takes the judgements of an engine that has judged all moves for the evaluations, in place of what the players said: the plot, the
    /// lane, the moves' scores and the moments of a forced win and of who is ahead tell one story then.
    pub fn take_judged_evaluations(&mut self) {
        let findings = &mut self.findings;
        let judged: Vec<(usize, Point)> = findings.judgements.evaluations().collect();
        // One engine has one view: the lines of both sides are the same.
        let points: Vec<Point> = judged.iter().map(|(_, point)| *point).collect();
        for plot in findings.plots.iter_mut().filter(|plot| plot.kind == PlotKind::Balance) {
            plot.series.iter_mut().for_each(|series| series.points.clone_from(&points));
        }
        findings.lanes.evaluation = Bins::default();
        for (side, point) in judged {
            findings.lanes.evaluation.put(point.t, Some(point.value));
            findings.moves.judge(point.seq, if side == 0 { point.value } else { -point.value });
        }
        findings.markers.take_all(kind::FORCED);
        findings.markers.take_all(kind::AHEAD);
        // A mistake that lost the match is a moment of its own.
        let forced = findings.judgements.forced().filter(|(_, judged, _)| !judged.is_mistake());
        if let Some((winner, judged, t)) = forced {
            let what = "Win forced for".into();
            let said = NewMarker {
                kind: kind::FORCED.into(),
                side: Some(winner),
                origin: Origin::Game,
                major: true,
                what,
            };
            findings.markers.put(judged.seq, t, said);
        }
    }

    /// Last command that has been read.
    pub fn read_to(&self) -> u64 {
        self.head.seen
    }

    /// Reads new commands of the log; `true` if more remain than fit into this frame. `quiet` is the number of seconds
    /// since the last command, or infinite if none will follow. It decides whether the last group is complete.
    pub fn update(&mut self, log: &Log, quiet: f64, mut may_go_on: impl FnMut() -> bool) -> bool {
        let mut more = self.head.read(log, &mut self.findings, Some(&mut self.unread), &mut may_go_on);
        if !more && self.head.groups.is_whole(quiet) {
            self.head.close(&mut self.findings);
        }
        if self.late.is_none() {
            more |= self.find_late(log);
        }
        if let Some((reading, findings)) = &mut self.late {
            if reading.read(log, findings, None, &mut may_go_on) {
                return true;
            }
            reading.close(findings);
            if let Some((_, findings)) = self.late.take() {
                self.findings.splice(findings);
            }
            // There may be a further part.
            self.gaps.clear();
            more |= !self.unread.is_empty();
        }
        more
    }

    /// Looks for a part of `unread` that has come; `true` if there is one, even if it may still grow.
    fn find_late(&mut self, log: &Log) -> bool {
        if self.unread.is_empty() {
            return false;
        }
        let gaps = log.gaps();
        if gaps == self.gaps && self.found.is_none() {
            return false;
        }
        self.gaps = gaps;
        let found =
            self.unread.iter().enumerate().find_map(|(index, gap)| Some((index, log.first_known(gap)?)));
        let Some((index, came)) = found else {
            self.found = None;
            return false;
        };
        let (before, end) = (came.start() - 1, *came.end());
        let gap = self.unread[index].clone();
        if end < *gap.end() && self.found != Some((before, end)) {
            self.found = Some((before, end));
            return true;
        }
        self.found = None;
        let rest = [*gap.start()..=before, end + 1..=*gap.end()];
        self.unread.splice(index..=index, rest.into_iter().filter(|range| !range.is_empty()));
        let scene = log.scene_at(before);
        self.late = Some((LogReader::new(scene.clone(), before, end), findings(&scene)));
        true
    }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::Command;

    use super::*;
    use crate::plots::{POINTS_MAX, Point};

    fn log(lines: &[&str]) -> Log {
        log_of(Game::Abalone, lines)
    }

    fn log_of(game: Game, lines: &[&str]) -> Log {
        let mut log = Log::live(game);
        for (seq, line) in (1..).zip(lines) {
            let t = Micros(seq * 100_000);
            let _ = log.insert(seq, t, &Command::parse(game, line.as_bytes()));
        }
        log
    }

    /// The moves of a match of these lines: notation, and whether each captures.
    fn moves_of(game: Game, lines: &[&str]) -> Vec<(u32, String, bool)> {
        let mut index = EventIndex::new(game);
        while index.update(&log_of(game, lines), f64::INFINITY, || true) {}
        let moves = index.findings().moves.list();
        moves.iter().map(|made| (made.number, made.text.clone(), made.takes)).collect()
    }

    #[test]
    fn a_move_that_the_board_ignores_is_no_move() {
        let lines =
            ["board 9", "move black a1", "move white k11", "move white b2", "board 5", "move black e5"];
        let expected =
            [(1, "a1"), (2, "b2"), (1, "e5")].map(|(number, text)| (number, text.to_owned(), false));
        assert_eq!(moves_of(Game::Gomoku, &lines), expected);
    }

    #[test]
    fn a_capture_by_a_move_beyond_the_list_marks_no_other_move() {
        let mut lines = vec!["board 19".to_owned()];
        lines.extend((0..4_100).map(|n| {
            let column = char::from(b'a' + (n % 19) as u8);
            format!("move {} {column}{}", ["black", "white"][n % 2], n / 19 % 19 + 1)
        }));
        lines.push("captures white 1".to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let moves = moves_of(Game::Pente, &lines);
        assert!(moves.len() < 4_100 && moves.iter().all(|(.., takes)| !takes));
        let moves =
            moves_of(Game::Pente, &["board 19", "move black a1", "captures black 1", "move white c3"]);
        assert_eq!(moves.iter().map(|(.., takes)| *takes).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn a_moment_ends_before_the_next_move_of_its_millisecond() {
        let lines = ["board 19", "move black a1", "captures black 1", "turn white", "move white c3"];
        let mut log = Log::live(Game::Pente);
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(0), &Command::parse(Game::Pente, line.as_bytes()));
        }
        let end = |seq| end_of((seq, Micros(0)), &log, &Scene::new(Game::Pente));
        assert_eq!([2, 3, 5].map(end), [4, 4, 5]);
    }

    /// Markers: numbers, kinds and sides.
    fn marks(index: &EventIndex) -> Vec<(u64, &str, Option<u8>)> {
        let markers = &index.findings().markers;
        markers.list().iter().map(|marker| (marker.seq, markers.kind(marker), marker.side)).collect()
    }

    #[test]
    fn points_and_moments_are_taken_in_once_each() {
        let lines = ["bscore 0", "set E0 b0", "bscore 1", "what", "turns 2"];
        let mut index = EventIndex::new(Game::Abalone);
        for count in 1..=lines.len() {
            assert!(!index.update(
                &log(&lines[..count]),
                if count % 2 == 0 { f64::INFINITY } else { 0.0 },
                || true
            ));
        }
        assert!(!index.update(&log(&lines), f64::INFINITY, || true));
        let point = |seq: u64, value| Point { seq, t: Micros(seq * 100_000), value };
        let points = vec![point(1, 0), point(3, 1)];
        let plot = &index.findings().plots[0];
        let found: Vec<_> = plot.series.iter().map(|series| (&*series.key, series.points.clone())).collect();
        assert_eq!(found, [("black", points), ("white", vec![])]);
        assert_eq!(plot.highest(), 1);
        assert_eq!(marks(&index), [(3, kind::SCORE, Some(0)), (4, kind::UNKNOWN, None)]);
    }

    #[test]
    fn moves_of_one_time_have_their_own_points() {
        let lines = [
            "map 8 40 Islands",
            "territory 0 10 10 Heron",
            "territory 1 20 10 Midway",
            "road 0 1",
            "set 0 minnie 5",
            "set 1 maxie 6",
            "turn maxie",
            "move maxie 1 0",
            "set 0 minnie 3",
            "set 1 maxie 4",
            "thought minnie 70 2 9 0-1",
            "move minnie 0 1",
            "set 0 minnie 4",
            "set 1 maxie 1",
        ];
        let mut log = Log::live(Game::Riskless);
        for (seq, line) in (1..).zip(lines) {
            let t = Micros(if seq < 8 { 0 } else { 700_000 });
            let _ = log.insert(seq, t, &Command::parse(Game::Riskless, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Riskless);
        while index.update(&log, f64::INFINITY, || true) {}
        let of = |title: &str, team: &str| -> Vec<(u64, i32)> {
            let plot = index.findings().plots.iter().find(|plot| plot.title == title).unwrap();
            let series = plot.series.iter().find(|series| series.key == team).unwrap();
            series.points.iter().map(|point| (point.seq, point.value)).collect()
        };
        assert_eq!(of("Armies", "maxie"), [(7, 6), (11, 4), (14, 1)]);
        assert_eq!(of("Armies", "minnie"), [(7, 5), (11, 3), (14, 4)]);
        assert_eq!(of("Evaluation", "minnie"), [(11, -70)]);
        let armies = index.findings().score_plot().unwrap();
        let until = |seq: u64| armies.series[0].until(seq).map(|point| point.value);
        assert_eq!([until(6), until(7), until(11), until(99)], [None, Some(6), Some(4), Some(1)]);
    }

    #[test]
    fn what_was_missing_is_read_when_it_has_come() {
        let lines = ["bscore 1", "turns 1", "bscore 2", "bscore 3"];
        let whole = log(&lines);
        let mut late = Log::live(Game::Abalone);
        late.rebase(2, whole.time_of(2), whole.scene_at(2));
        let put = |log: &mut Log, seq: u64| {
            let command = Command::parse(Game::Abalone, lines[seq as usize - 1].as_bytes());
            let _ = log.insert(seq, whole.time_of(seq), &command);
        };
        put(&mut late, 3);
        let mut index = EventIndex::new(Game::Abalone);
        while index.update(&late, f64::INFINITY, || true) {}
        assert_eq!(marks(&index).iter().map(|mark| mark.0).collect::<Vec<_>>(), [3]);
        put(&mut late, 1);
        put(&mut late, 2);
        put(&mut late, 4);
        while index.update(&late, f64::INFINITY, || true) {}
        assert_eq!(marks(&index).iter().map(|mark| mark.0).collect::<Vec<_>>(), [1, 3, 4]);
        let points = &index.findings().plots[0].series[0].points;
        assert_eq!(points.iter().map(|point| point.value).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(index.findings().lanes.activity.all().iter().sum::<u32>(), 4);
    }

    #[test]
    fn events_outlive_the_log_and_come_once() {
        let lines: Vec<String> = (1..=20_000)
            .map(
                |seq| if seq % 1000 == 0 { format!("bscore {}", seq / 1000) } else { format!("turns {seq}") },
            )
            .collect();
        let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
        let whole = log(&lines);
        let mut dropping = whole.clone();
        let mut index = EventIndex::new(Game::Abalone);
        while index.update(&dropping, f64::INFINITY, || true) {}
        let before = marks(&index).len();
        assert_eq!(before, 20);
        assert!(dropping.trim(100_000, &[20_000]));
        while index.update(&dropping, f64::INFINITY, || true) {}
        let gaps = dropping.gaps();
        let gap = gaps.first().expect("a gap").clone();
        for seq in gap {
            let command = whole.command(seq).expect("a command");
            let _ = dropping.insert(seq, whole.time_of(seq), &command);
        }
        while index.update(&dropping, f64::INFINITY, || true) {}
        assert_eq!(marks(&index).len(), before);
        // A log with the commands in another order has the same findings.
        let mut late = Log::live(Game::Abalone);
        late.rebase(15_000, whole.time_of(15_000), whole.scene_at(15_000));
        let mut index = EventIndex::new(Game::Abalone);
        for seq in (15_001..=20_000).chain(1..=15_000) {
            let command = whole.command(seq).expect("a command");
            let _ = late.insert(seq, whole.time_of(seq), &command);
            if seq % 700 == 0 {
                index.update(&late, f64::INFINITY, || true);
            }
        }
        while index.update(&late, f64::INFINITY, || true) {}
        assert_eq!(marks(&index).len(), before);
        assert_eq!(index.noted(), 20_000);
    }

    #[test]
    fn servers_markers_have_their_own_kind_and_side() {
        let lines = [
            "turns 1",
            r##"#gs marker {"label":"First blood","kind":"First Blood","team":"white"}"##,
            r##"#gs marker {"label":"Halftime"}"##,
        ];
        let mut index = EventIndex::new(Game::Abalone);
        index.update(&log(&lines), f64::INFINITY, || true);
        assert_eq!(marks(&index), [(2, "first-blood", Some(1)), (3, kind::MARKER, None)]);
        assert_eq!(index.findings().markers.list()[0].what, "First blood");
    }

    #[test]
    fn a_long_turn_is_noted_with_its_side() {
        let mut log = Log::live(Game::Abalone);
        let mut t = 0;
        for turn in 1..=12_u64 {
            t += if turn == 11 { 4_000_000 } else { 300_000 };
            let line = format!("turns {turn}");
            let _ = log.insert(turn, Micros(t), &Command::parse(Game::Abalone, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Abalone);
        index.update(&log, f64::INFINITY, || true);
        assert_eq!(marks(&index), [(11, kind::LONG_THINK, Some(1))], "White thinks after turn 10 is drawn");
        let marker = &index.findings().markers.list()[0];
        assert_eq!(marker.what, "4.0 s by");
    }

    #[test]
    fn a_figure_of_a_week_takes_no_more_room_than_one_of_a_day() {
        let mut findings = EventIndex::new(Game::Abalone).findings;
        for n in 0..200_000_u64 {
            let peak = if n == 77_777 { 900 } else { 0 };
            findings.put(0, "black", (n, Micros(n * 3_000_000)), (n % 5) as i32 + peak);
        }
        let points = &findings.plots[0].series[0].points;
        assert!((POINTS_MAX / 4..=POINTS_MAX).contains(&points.len()), "{}", points.len());
        assert_eq!(findings.plots[0].highest(), 902, "what stands out stays");
        assert_eq!(points.last().map(|point| point.value), Some(4));
        let early = points.iter().filter(|point| point.t < Micros(100_000 * 3_000_000)).count();
        assert!(early > points.len() / 5, "{early} of {}", points.len());
    }
}

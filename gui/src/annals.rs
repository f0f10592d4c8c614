//! What the plots and the timeline show of a match, gathered from its log as it comes.
//!
//! What is worth a line of a plot or a mark on the timeline is for the game to say (see [`GameView::record`]); here its
//! log is read once, a little in each frame.
//!
//! [`GameView::record`]: crate::board::GameView::record

mod figures;

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::time::Duration;

use grandstand_protocol::extension::TEAMS_MAX;
use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_replays::Log;
use web_time::Instant;

use crate::board::{self, groups::Groups};
use crate::bookmarks::BOOKMARKS_MAX;
use crate::lanes::{Lanes, Lead, Thinking};
use crate::markers::{Markers, Origin, Said, kind, word};
use crate::pace::Pace;
use crate::words;

pub(crate) use figures::{Form, Plot, Point, Series};

/// How long one frame may spend on reading.
const BUDGET: Duration = Duration::from_millis(3);
/// How many commands are read between two looks at the clock.
const STRETCH: u64 = 256;

/// What has been gathered.
#[derive(Debug)]
pub(crate) struct Records {
    pub plots: Vec<Plot>,
    pub markers: Markers,
    pub lanes: Lanes,
    /// What sides usually take for a turn; the last is for turns that are nobody's.
    paces: [Pace; 3],
    /// When the last turn began.
    turn: Option<Micros>,
    /// Who led when the score was last looked at.
    lead: Option<Lead>,
    /// Markers that somebody set who saved the match, until the viewer takes them over.
    bookmarks: Vec<(u64, Micros, String)>,
}

impl Records {
    fn new(scene: &Scene) -> Records {
        Records {
            plots: board::view(scene).plots(),
            markers: Markers::between(board::view(scene).sides(&[]).into_iter().map(|side| side.key)),
            lanes: Lanes::default(),
            paces: Default::default(),
            turn: None,
            lead: None,
            bookmarks: Vec::new(),
        }
    }

    /// Notes that a team's figure in a plot becomes `value`, and says which of the plot's it is; `None` when there are
    /// too many already.
    pub(crate) fn put(&mut self, plot: usize, team: &str, t: Micros, value: i32) -> Option<usize> {
        let series = &mut self.plots.get_mut(plot)?.series;
        let known = series.iter().position(|series| series.key == team);
        let index = known.or_else(|| {
            (series.len() < TEAMS_MAX).then(|| {
                series.push(Series::new(team, ""));
                series.len() - 1
            })
        })?;
        series[index].put(t, value);
        Some(index)
    }

    /// Notes a figure of a team that stands for itself, however the one before it was.
    pub(crate) fn push(&mut self, plot: usize, team: &str, t: Micros, value: i32) {
        let series = self.plots.get_mut(plot).map(|plot| &mut plot.series);
        if let Some(series) = series.and_then(|all| all.iter_mut().find(|series| series.key == team)) {
            series.push(Point { t, value });
        }
    }

    /// Notes that a team's figure in a row of a plot grows by `amount`.
    pub(crate) fn add(&mut self, plot: usize, team: &str, row: &str, t: Micros, amount: i32) {
        let series = self.plots.get_mut(plot).map(|plot| &mut plot.series);
        let series =
            series.and_then(|all| all.iter_mut().find(|series| series.key == team && series.row == row));
        if let Some(series) = series {
            let value = series.points.last().map_or(0, |last| last.value);
            series.put(t, value.saturating_add(amount));
        }
    }

    /// Notes something that the viewer may want to go to: its kind, the side that it is about, by its number, and what it
    /// was, so that the side's name may follow (`Point for`). Some are what the game is about.
    pub(crate) fn event(
        &mut self,
        (seq, t): (u64, Micros),
        kind: &'static str,
        side: usize,
        what: impl Into<Cow<'static, str>>,
        major: bool,
    ) {
        let said =
            Said { kind: kind.into(), side: Some(side), origin: Origin::Game, major, what: what.into() };
        self.markers.put(seq, t, said);
    }

    /// Keeps a bookmark for the viewer; `false` when there are too many.
    fn take_bookmark(&mut self, seq: u64, t: Micros, label: &str) -> bool {
        let room = self.bookmarks.len() < BOOKMARKS_MAX;
        if room {
            self.bookmarks.push((seq, t, label.to_owned()));
        }
        room
    }

    /// A turn ends, of a side where it is somebody's. The time since the turn before is what it took.
    pub(crate) fn turn(&mut self, seq: u64, t: Micros, side: Option<usize>) {
        let Some(began) = self.turn.replace(t) else { return };
        self.took((seq, t), began, side, Origin::Clock);
    }

    /// A side, or nobody in particular, took the time since `began` for something, and is done.
    pub(crate) fn took(
        &mut self,
        (seq, t): (u64, Micros),
        began: Micros,
        side: Option<usize>,
        origin: Origin,
    ) {
        let millis = u32::try_from(t.since(began).0 / 1000).unwrap_or(u32::MAX);
        let who = side.filter(|side| *side < 2).unwrap_or(2);
        let mut thinking = Thinking::default();
        thinking.0[who] = millis;
        self.lanes.thinking.fill(began, t, thinking);
        if self.paces[who].took(millis) {
            let span = words::span(f64::from(millis) / 1000.0);
            let what = if side.is_some() { format!("{span} by") } else { format!("A turn of {span}") };
            let kind = kind::LONG_THINK.into();
            self.markers.put(seq, t, Said { kind, side, origin, major: false, what: what.into() });
        }
    }

    /// Looks at the score after a group of commands.
    fn score(&mut self, t: Micros) {
        let Some(plot) = self.score_plot().filter(|plot| !plot.is_empty()) else { return };
        let last = |series: &Series| series.points.last().map_or(0, |point| point.value);
        let lead = Some(Lead::of(plot.series.iter().map(last)));
        if lead != self.lead {
            self.lead = lead;
            self.lanes.score.put(t, lead);
        }
    }

    /// The plot of what is counted: the first one over time.
    pub(crate) fn score_plot(&self) -> Option<&Plot> {
        self.plots.iter().find(|plot| plot.form == Form::Steps)
    }

    /// Takes in what another reading found in a time that was missing here.
    fn splice(&mut self, other: Records) {
        self.markers.splice(other.markers);
        self.bookmarks.extend(other.bookmarks);
        self.lanes.splice(&other.lanes);
        for (plot, found) in self.plots.iter_mut().zip(other.plots) {
            for series in found.series {
                let known = |own: &Series| own.key == series.key && own.row == series.row;
                match plot.series.iter().position(known) {
                    Some(at) => {
                        plot.series[at].splice(series.points, matches!(plot.form, Form::Bars(_)));
                    }
                    None if plot.series.len() < TEAMS_MAX => plot.series.push(series),
                    None => {}
                }
            }
        }
    }
}

/// Everything that is noted of a log, as far as it has been read. What the log drops afterwards stays noted.
#[derive(Debug)]
pub(crate) struct Annals {
    records: Records,
    /// Reads what comes at the end.
    head: Reading,
    /// Which commands were missing when their turn came.
    unread: Vec<RangeInclusive<u64>>,
    /// What was missing in the log when it was last looked at: when that changes, some of it may have come.
    gaps: Vec<RangeInclusive<u64>>,
    /// The stretch that was found last of what was unread: it is read when it has stopped growing.
    found: Option<(u64, u64)>,
    /// Reads what was missing and has come.
    late: Option<(Reading, Records)>,
}

/// A reader of a log, at some place.
#[derive(Debug)]
struct Reading {
    groups: Groups,
    /// Everything up to this command has been taken.
    seen: u64,
    /// Everything up to this command is noted.
    noted: u64,
    /// The last command to be read.
    end: u64,
}

impl Annals {
    pub(crate) fn new(game: Game) -> Annals {
        let scene = Scene::new(game);
        Annals {
            records: Records::new(&scene),
            head: Reading::new(scene, 0, u64::MAX),
            unread: Vec::new(),
            gaps: Vec::new(),
            found: None,
            late: None,
        }
    }

    /// What has been gathered so far.
    pub(crate) fn records(&self) -> &Records {
        &self.records
    }

    /// The last command of which everything is noted.
    pub(crate) fn noted(&self) -> u64 {
        self.head.noted
    }

    /// The bookmarks that were found in the match since this was last asked.
    pub(crate) fn take_bookmarks(&mut self) -> Vec<(u64, Micros, String)> {
        std::mem::take(&mut self.records.bookmarks)
    }

    /// The last command that has been read.
    pub(crate) fn read_to(&self) -> u64 {
        self.head.seen
    }

    /// Takes in what the log has gained; `true` when there is more than one frame has time for. Whether everything that
    /// belongs together has come can be told by how many seconds nothing has: `quiet`, which is infinite when nothing will.
    pub(crate) fn update(&mut self, log: &Log, quiet: f64) -> bool {
        let began = Instant::now();
        let mut more = self.head.read(log, &mut self.records, Some(&mut self.unread), began);
        if !more && self.head.groups.is_whole(quiet) {
            self.head.close(&mut self.records);
        }
        if self.late.is_none() {
            more |= self.find_late(log);
        }
        if let Some((reading, records)) = &mut self.late {
            if reading.read(log, records, None, began) {
                return true;
            }
            reading.close(records);
            if let Some((_, records)) = self.late.take() {
                self.records.splice(records);
            }
            // There may be another stretch.
            self.gaps.clear();
            more |= !self.unread.is_empty();
        }
        more
    }

    /// Looks for something that was unread and has come; `true` when there is, and it may still be growing.
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
        self.late = Some((Reading::new(scene.clone(), before, end), Records::new(&scene)));
        true
    }
}

impl Reading {
    fn new(scene: Scene, seen: u64, end: u64) -> Reading {
        Reading { groups: Groups::new(scene), seen, noted: seen, end }
    }

    /// Reads on to the end of what there is; `true` when there was no time for all of it. `unread` gets what is missing;
    /// where there is nothing to get it, the reading ends there.
    fn read(
        &mut self,
        log: &Log,
        records: &mut Records,
        mut unread: Option<&mut Vec<RangeInclusive<u64>>>,
        began: Instant,
    ) -> bool {
        let last = log.last_seq().min(self.end);
        while self.seen < last {
            let stretch = (self.seen + STRETCH).min(last);
            while self.seen < stretch {
                self.next(log, records, unread.as_deref_mut());
            }
            if self.seen < last && began.elapsed() > BUDGET {
                return true;
            }
        }
        false
    }

    fn next(&mut self, log: &Log, records: &mut Records, unread: Option<&mut Vec<RangeInclusive<u64>>>) {
        let seq = self.seen + 1;
        let Some(command) = log.command(seq) else {
            // Commands are missing; the scene after them is known.
            let known = log.known_after(self.seen).unwrap_or(seq);
            self.close(records);
            if let Some(unread) = unread {
                match unread.last_mut() {
                    // Pictures may stand alone in what is missing.
                    Some(gap) if *gap.end() == self.seen => *gap = *gap.start()..=known,
                    _ => unread.push(seq..=known),
                }
            }
            self.groups = Groups::new(log.scene_at(known));
            (self.seen, self.noted) = (known, known);
            records.turn = None;
            return;
        };
        let t = log.time_of(seq);
        if self.groups.is_before(t, &command) {
            self.close(records);
        }
        records.lanes.activity.put(t, 1);
        match &command {
            Command::Marker(marker) => {
                let side = marker.team.as_ref().and_then(|team| records.markers.team(team));
                let kind = marker.kind.as_ref().map_or(Cow::Borrowed(kind::MARKER), |kind| word(kind).into());
                let what = Cow::Owned(marker.label.to_string());
                if kind != kind::BOOKMARK || !records.take_bookmark(seq, t, &what) {
                    let said = Said { kind, side, origin: Origin::Server, major: true, what };
                    records.markers.put(seq, t, said);
                }
            }
            Command::Unknown(_) => {
                let (kind, what) = (kind::UNKNOWN.into(), "A line that was not understood".into());
                let said = Said { kind, side: None, origin: Origin::Line, major: false, what };
                records.markers.put(seq, t, said);
            }
            _ => {}
        }
        self.groups.add(seq, t, command);
        self.seen = seq;
    }

    fn close(&mut self, records: &mut Records) {
        self.groups.close(|scene, group| {
            board::view(scene).record(group, records);
            records.score(group.t());
        });
        self.noted = self.seen;
    }
}

#[cfg(test)]
mod tests {
    use super::figures::POINTS_MAX;
    use super::*;

    fn log(lines: &[&str]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, line) in (1..).zip(lines) {
            let t = Micros(seq * 100_000);
            let _ = log.insert(seq, t, &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    /// The markers: their numbers, kinds and sides.
    fn marks(annals: &Annals) -> Vec<(u64, &str, Option<u8>)> {
        let markers = &annals.records().markers;
        markers.list().iter().map(|marker| (marker.seq, markers.kind(marker), marker.side)).collect()
    }

    #[test]
    fn points_and_moments_are_taken_in_once_each() {
        let lines = ["bscore 0", "set E0 b0", "bscore 1", "what", "turns 2"];
        let mut annals = Annals::new(Game::Abalone);
        for count in 1..=lines.len() {
            assert!(!annals.update(&log(&lines[..count]), if count % 2 == 0 { f64::INFINITY } else { 0.0 }));
        }
        assert!(!annals.update(&log(&lines), f64::INFINITY));
        let points = vec![Point { t: Micros(100_000), value: 0 }, Point { t: Micros(300_000), value: 1 }];
        let plot = &annals.records().plots[0];
        let found: Vec<_> = plot.series.iter().map(|series| (&*series.key, series.points.clone())).collect();
        assert_eq!(found, [("black", points), ("white", vec![])]);
        assert_eq!(plot.highest(), 1);
        assert_eq!(marks(&annals), [(3, kind::SCORE, Some(0)), (4, kind::UNKNOWN, None)]);
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
        let mut annals = Annals::new(Game::Abalone);
        while annals.update(&late, f64::INFINITY) {}
        assert_eq!(marks(&annals).iter().map(|mark| mark.0).collect::<Vec<_>>(), [3]);
        put(&mut late, 1);
        put(&mut late, 2);
        put(&mut late, 4);
        while annals.update(&late, f64::INFINITY) {}
        assert_eq!(marks(&annals).iter().map(|mark| mark.0).collect::<Vec<_>>(), [1, 3, 4]);
        let points = &annals.records().plots[0].series[0].points;
        assert_eq!(points.iter().map(|point| point.value).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(annals.records().lanes.activity.all().iter().sum::<u32>(), 4);
    }

    #[test]
    fn what_was_read_stays_when_the_log_drops_it_and_comes_back_once() {
        let lines: Vec<String> = (1..=20_000)
            .map(
                |seq| if seq % 1000 == 0 { format!("bscore {}", seq / 1000) } else { format!("turns {seq}") },
            )
            .collect();
        let lines: Vec<&str> = lines.iter().map(|line| &**line).collect();
        let whole = log(&lines);
        let mut dropping = whole.clone();
        let mut annals = Annals::new(Game::Abalone);
        while annals.update(&dropping, f64::INFINITY) {}
        let before = marks(&annals).len();
        assert_eq!(before, 20);
        assert!(dropping.trim(100_000, &[20_000]));
        while annals.update(&dropping, f64::INFINITY) {}
        let gaps = dropping.gaps();
        let gap = gaps.first().expect("a gap").clone();
        for seq in gap {
            let command = whole.command(seq).expect("a command");
            let _ = dropping.insert(seq, whole.time_of(seq), &command);
        }
        while annals.update(&dropping, f64::INFINITY) {}
        assert_eq!(marks(&annals).len(), before);
        // Who comes late and is given the rest in pieces knows the same.
        let mut late = Log::live(Game::Abalone);
        late.rebase(15_000, whole.time_of(15_000), whole.scene_at(15_000));
        let mut annals = Annals::new(Game::Abalone);
        for seq in (15_001..=20_000).chain(1..=15_000) {
            let command = whole.command(seq).expect("a command");
            let _ = late.insert(seq, whole.time_of(seq), &command);
            if seq % 700 == 0 {
                annals.update(&late, f64::INFINITY);
            }
        }
        while annals.update(&late, f64::INFINITY) {}
        assert_eq!(marks(&annals).len(), before);
        assert_eq!(annals.noted(), 20_000);
    }

    #[test]
    fn servers_markers_have_their_own_kind_and_side() {
        let lines = [
            "turns 1",
            r##"#gs marker {"label":"First blood","kind":"First Blood","team":"white"}"##,
            r##"#gs marker {"label":"Halftime"}"##,
        ];
        let mut annals = Annals::new(Game::Abalone);
        annals.update(&log(&lines), f64::INFINITY);
        assert_eq!(marks(&annals), [(2, "first-blood", Some(1)), (3, kind::MARKER, None)]);
        assert_eq!(annals.records().markers.list()[0].what, "First blood");
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
        let mut annals = Annals::new(Game::Abalone);
        annals.update(&log, f64::INFINITY);
        assert_eq!(marks(&annals), [(11, kind::LONG_THINK, Some(1))], "White thinks after turn 10 is drawn");
        let marker = &annals.records().markers.list()[0];
        assert_eq!(marker.what, "4.0 s by");
    }

    #[test]
    fn a_figure_of_a_week_takes_no_more_room_than_one_of_a_day() {
        let mut records = Annals::new(Game::Abalone).records;
        for n in 0..200_000_u64 {
            let peak = if n == 77_777 { 900 } else { 0 };
            records.put(0, "black", Micros(n * 3_000_000), (n % 5) as i32 + peak);
        }
        let points = &records.plots[0].series[0].points;
        assert!((POINTS_MAX / 4..=POINTS_MAX).contains(&points.len()), "{}", points.len());
        assert_eq!(records.plots[0].highest(), 902, "what stands out stays");
        assert_eq!(points.last().map(|point| point.value), Some(4));
        let early = points.iter().filter(|point| point.t < Micros(100_000 * 3_000_000)).count();
        assert!(early > points.len() / 5, "{early} of {}", points.len());
    }
}

//! What the plots and the timeline show of a match, gathered from its log as it comes.
//!
//! What is worth a line of a plot or a mark on the timeline is for the game to say (see [`GameView::record`]); here its
//! log is read once, a little in each frame.
//!
//! [`GameView::record`]: crate::board::GameView::record

use std::borrow::Cow;
use std::time::Duration;

use grandstand_protocol::extension::TEAMS_MAX;
use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_replays::Log;
use web_time::Instant;

use crate::board::{self, groups::Groups};

/// How long one frame may spend on reading.
const BUDGET: Duration = Duration::from_millis(3);
/// How many commands are read between two looks at the clock.
const STRETCH: u64 = 256;
/// How many figures of a team are kept over time, so that a match of a week takes no more memory than one of an hour.
const POINTS_MAX: usize = 2048;
/// How many moments are kept.
const TICKS_MAX: usize = 4096;

/// A figure from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Point {
    pub t: Micros,
    pub value: i32,
}

/// A figure over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Series {
    /// Whose it is, as the dialect names the team.
    pub key: String,
    /// Which of the team's it is, where it has several.
    pub row: &'static str,
    pub points: Vec<Point>,
}

/// Figures that are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plot {
    pub title: &'static str,
    pub form: Form,
    /// Whether so many of what it shows win.
    pub wins: bool,
    pub series: Vec<Series>,
}

/// How figures are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Over time, as steps.
    Steps,
    /// As they are at the moment, as bars; these are their rows.
    Bars(&'static [&'static str]),
    /// The milliseconds that moves took, a bar for each.
    Moves,
    /// Scores of the position over time, for the first team above the middle and for the second below.
    Balance,
}

impl Plot {
    /// A figure of these teams over time, and of others as they come.
    pub(crate) fn steps(title: &'static str, teams: &[&str]) -> Plot {
        let series = teams.iter().map(|team| Series::new(team, ""));
        Plot { title, form: Form::Steps, wins: false, series: series.collect() }
    }

    /// How long the moves of these teams took.
    pub(crate) fn moves(title: &'static str, teams: &[&str]) -> Plot {
        Plot { form: Form::Moves, ..Plot::steps(title, teams) }
    }

    /// What these teams think of the position.
    pub(crate) fn balance(title: &'static str, teams: &[&str]) -> Plot {
        Plot { form: Form::Balance, ..Plot::steps(title, teams) }
    }

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// Whether it has a place: not every player says what it thinks.
    pub(crate) fn is_shown(&self) -> bool {
        self.form != Form::Balance || !self.is_empty()
    }

    /// The same, of which so many win.
    pub(crate) fn that_wins(mut self) -> Plot {
        self.wins = true;
        self
    }

    /// Several figures of these teams.
    pub(crate) fn bars(title: &'static str, rows: &'static [&'static str], teams: &[&str]) -> Plot {
        let series = rows.iter().flat_map(|row| teams.iter().map(|team| Series::new(team, row)));
        Plot { title, form: Form::Bars(rows), wins: false, series: series.collect() }
    }

    /// The greatest figure so far.
    pub(crate) fn highest(&self) -> i32 {
        let values = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.value));
        values.max().unwrap_or(0)
    }
}

impl Series {
    fn new(team: &str, row: &'static str) -> Series {
        Series { key: team.to_owned(), row, points: Vec::new() }
    }

    /// The figure at a time in seconds; 0 before the first.
    pub(crate) fn at(&self, secs: f64) -> i32 {
        let after = self.points.partition_point(|point| point.t.as_secs_f64() <= secs);
        after.checked_sub(1).map_or(0, |index| self.points[index].value)
    }

    fn put(&mut self, t: Micros, value: i32) {
        if self.points.last().is_none_or(|last| last.value != value) {
            self.push(Point { t, value });
        }
    }

    fn push(&mut self, point: Point) {
        self.points.push(point);
        if self.points.len() >= POINTS_MAX {
            self.thin_out();
        }
    }

    /// Keeps about half of the points, evenly over the time: of each part of it the lowest and the highest, which the eye
    /// would miss.
    fn thin_out(&mut self) {
        let part = parts(
            self.points.first().map(|point| point.t),
            self.points.last().map(|point| point.t),
            POINTS_MAX / 4,
        );
        let mut kept = Vec::with_capacity(POINTS_MAX);
        for together in self.points.chunk_by(|a, b| part(a.t) == part(b.t)) {
            let by = |index: &usize| together[*index].value;
            let all = 0..together.len();
            let (Some(lowest), Some(highest)) = (all.clone().min_by_key(by), all.rev().max_by_key(by)) else {
                continue;
            };
            kept.push(together[lowest.min(highest)]);
            if lowest != highest {
                kept.push(together[lowest.max(highest)]);
            }
        }
        // The last one is what goes on.
        if let Some(last) = self.points.last().filter(|last| kept.last() != Some(last)) {
            kept.push(*last);
        }
        self.points = kept;
    }
}

/// In which of so many equal parts of the time between the first and the last moment another one lies.
fn parts(first: Option<Micros>, last: Option<Micros>, count: usize) -> impl Fn(Micros) -> u64 {
    let first = first.unwrap_or_default();
    let each = last.unwrap_or_default().since(first).0 / count.max(1) as u64 + 1;
    move |t| t.since(first).0 / each
}

/// A moment that the timeline shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tick {
    pub seq: u64,
    pub t: Micros,
    pub kind: TickKind,
}

/// What happened at a tick.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TickKind {
    /// Something that the viewer may want to go to; the side that it is about, by its number, and what it was, so that
    /// the side's name may follow: `Point for`. Some are what the game is about.
    Event { side: usize, what: Cow<'static, str>, major: bool },
    /// The game server said that something happened.
    Marker,
    /// A line was not understood.
    Unknown,
}

/// What has been gathered.
#[derive(Debug)]
pub(crate) struct Records {
    pub plots: Vec<Plot>,
    /// In the order of the commands.
    pub ticks: Vec<Tick>,
}

impl Records {
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

    /// Notes something that the viewer may want to go to.
    pub(crate) fn event(
        &mut self,
        seq: u64,
        t: Micros,
        side: usize,
        what: impl Into<Cow<'static, str>>,
        major: bool,
    ) {
        self.ticks.push(Tick { seq, t, kind: TickKind::Event { side, what: what.into(), major } });
    }
}

impl Records {
    /// Takes in what was noted of commands before some that had been read already.
    fn merge(&mut self, part: Records) {
        let at =
            part.ticks.first().map_or(0, |first| self.ticks.partition_point(|tick| tick.seq < first.seq));
        self.ticks.splice(at..at, part.ticks);
        self.thin_ticks();
        for (plot, part) in self.plots.iter_mut().zip(part.plots) {
            let counts = matches!(plot.form, Form::Bars(_));
            for part in part.series {
                let same = |series: &&mut Series| series.key == part.key && series.row == part.row;
                let Some(series) = plot.series.iter_mut().find(same) else {
                    if plot.series.len() < TEAMS_MAX {
                        plot.series.push(part);
                    }
                    continue;
                };
                let (Some(first), Some(last)) = (part.points.first(), part.points.last()) else { continue };
                let at = series.points.partition_point(|point| point.t <= first.t);
                let before = at.checked_sub(1).map_or(0, |index| series.points[index].value);
                if counts {
                    // What is counted goes on from what had been counted before.
                    series.points[at..].iter_mut().for_each(|point| point.value += last.value);
                }
                let points = part.points.into_iter();
                let points = points
                    .map(|point| Point { value: point.value + if counts { before } else { 0 }, ..point });
                series.points.splice(at..at, points);
                while series.points.len() >= POINTS_MAX {
                    series.thin_out();
                }
            }
        }
    }

    /// Keeps the number of moments within bounds: of what matters least half goes, evenly over the time.
    fn thin_ticks(&mut self) {
        let mut rank = 0;
        while self.ticks.len() >= TICKS_MAX {
            let before = self.ticks.len();
            let all = self.ticks.iter().filter(|tick| tick.kind.rank() == rank);
            let times = || self.ticks.iter().filter(|tick| tick.kind.rank() == rank).map(|tick| tick.t);
            let part = parts(times().next(), times().next_back(), all.count() / 2);
            let mut last = None;
            self.ticks
                .retain(|tick| tick.kind.rank() != rank || last.replace(part(tick.t)) != Some(part(tick.t)));
            // When there are few of a kind the next one has to give way.
            if before - self.ticks.len() < TICKS_MAX / 8 {
                rank = (rank + 1) % RANKS;
            }
        }
    }
}

/// How many [ranks](TickKind::rank) there are.
const RANKS: u8 = 4;

impl TickKind {
    /// How much a moment of this kind matters.
    fn rank(&self) -> u8 {
        match self {
            TickKind::Unknown => 0,
            TickKind::Event { major: false, .. } => 1,
            TickKind::Marker => 2,
            TickKind::Event { major: true, .. } => 3,
        }
    }
}

/// Everything that is noted of a log, as far as it has been read. What the log has dropped since stays noted.
#[derive(Debug)]
pub(crate) struct Annals {
    /// Reads what comes at the end.
    shown: Reading,
    /// Reads commands that were missing when what comes after them was read.
    late: Option<Reading>,
    /// Which commands have been read: those after the first of each pair and up to the second, in order.
    read: Vec<(u64, u64)>,
    /// How many commands had come late when those were looked for last.
    looked: u64,
}

/// A reading of a log, in order.
#[derive(Debug)]
struct Reading {
    records: Records,
    groups: Groups,
    /// It began after this command, or after the last gap.
    from: u64,
    /// Everything up to this command is in.
    seen: u64,
    /// It ends with this command.
    to: u64,
}

impl Annals {
    pub(crate) fn new(game: Game) -> Annals {
        let shown = Reading::new(Scene::new(game), 0, u64::MAX);
        Annals { shown, late: None, read: Vec::new(), looked: 0 }
    }

    /// What has been gathered so far.
    pub(crate) fn records(&self) -> &Records {
        &self.shown.records
    }

    /// Takes in what the log has gained; `true` when there is more than one frame has time for. When everything that
    /// belongs together has come, it is `settled`.
    pub(crate) fn update(&mut self, log: &Log, settled: bool) -> bool {
        let began = Instant::now();
        if self.shown.read(log, began, |from, to| note(&mut self.read, from, to)) {
            return true;
        }
        if settled {
            self.shown.close();
        }
        self.shown.records.thin_ticks();
        while self.late.is_some() || self.looked != log.late() {
            let found =
                || unread(log, &self.read).map(|(from, to)| Reading::new(log.scene_at(from), from, to));
            let Some(mut late) = self.late.take().or_else(found) else {
                self.looked = log.late();
                break;
            };
            if late.read(log, began, |from, to| note(&mut self.read, from, to)) {
                self.late = Some(late);
                return true;
            }
            late.close();
            self.shown.records.merge(late.records);
        }
        false
    }
}

/// Notes that the commands after `from` and up to `to` have been read.
fn note(read: &mut Vec<(u64, u64)>, from: u64, to: u64) {
    if from >= to {
        return;
    }
    let at = read.partition_point(|&(_, end)| end < from);
    let end = at + read[at..].partition_point(|&(begin, _)| begin <= to);
    let joined = read[at..end].iter().fold((from, to), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    read.splice(at..end, [joined]);
}

/// Commands that are known and have not been read, without a gap: after the first and up to the second.
fn unread(log: &Log, read: &[(u64, u64)]) -> Option<(u64, u64)> {
    let mut at = 0;
    loop {
        let known = log.stretch(at);
        let begin = at.max(*known.start());
        let next = read.partition_point(|&(_, end)| end <= begin);
        match read.get(next) {
            // It has been read from before here, as far as that.
            Some(&(from, to)) if from <= begin => at = to.min(*known.end()),
            found => {
                let end = found.map_or(u64::MAX, |&(from, _)| from).min(*known.end());
                if begin < end {
                    return Some((begin, end));
                }
                at = end;
            }
        }
        if at >= *known.end() {
            at = log.known_after(*known.end())?;
        }
    }
}

impl Reading {
    /// Of what comes after the scene, the one after command `from`, up to command `to`.
    fn new(scene: Scene, from: u64, to: u64) -> Reading {
        let records = Records { plots: board::view(&scene).plots(), ticks: Vec::new() };
        Reading { records, groups: Groups::new(scene), from, seen: from, to }
    }

    /// Reads on, and tells from where to where; `true` when there is more than there is time for since it `began`.
    fn read(&mut self, log: &Log, began: Instant, mut tell: impl FnMut(u64, u64)) -> bool {
        while self.seen < log.last_seq().min(self.to) {
            let stretch = (self.seen + STRETCH).min(log.last_seq()).min(self.to);
            while self.seen < stretch && self.next(log) {}
            tell(self.from, self.seen);
            if self.seen < stretch {
                self.pass_over(log);
            }
            if self.seen < log.last_seq().min(self.to) && began.elapsed() > BUDGET {
                return true;
            }
        }
        false
    }

    /// What comes next is missing.
    fn pass_over(&mut self, log: &Log) {
        if self.to < u64::MAX {
            // It was dropped again; it is read when it is there.
            self.to = self.seen;
            return;
        }
        // The scene after it is known.
        let known = log.known_after(self.seen).unwrap_or(self.seen + 1);
        self.close();
        self.groups = Groups::new(log.scene_at(known));
        (self.from, self.seen) = (known, known);
    }

    /// Takes in the next command; `false` when it is missing.
    fn next(&mut self, log: &Log) -> bool {
        let seq = self.seen + 1;
        let Some(command) = log.command(seq) else { return false };
        let t = log.time_of(seq);
        if self.groups.is_before(t) {
            self.close();
        }
        let kind = match &command {
            Command::Marker(_) => Some(TickKind::Marker),
            Command::Unknown(_) => Some(TickKind::Unknown),
            _ => None,
        };
        self.groups.add(seq, t, command);
        self.records.ticks.extend(kind.map(|kind| Tick { seq, t, kind }));
        self.seen = seq;
        true
    }

    fn close(&mut self) {
        let Reading { groups, records, .. } = self;
        let before = records.ticks.len();
        groups.close(|scene, group| board::view(scene).record(group, records));
        // Markers of the group may be there already.
        if records.ticks.len() > before {
            let first = records.ticks.partition_point(|tick| tick.seq < records.ticks[before].seq);
            records.ticks[first.min(before)..].sort_by_key(|tick| tick.seq);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: &[&str]) -> Log {
        let mut log = Log::live(Game::Abalone);
        for (seq, line) in (1..).zip(lines) {
            let t = Micros(seq * 100_000);
            let _ = log.insert(seq, t, &Command::parse(Game::Abalone, line.as_bytes()));
        }
        log
    }

    fn ticks(annals: &Annals) -> Vec<(u64, TickKind)> {
        annals.records().ticks.iter().map(|tick| (tick.seq, tick.kind.clone())).collect()
    }

    #[test]
    fn points_and_moments_are_taken_in_once_each() {
        let lines = ["bscore 0", "set E0 b0", "bscore 1", "what", "turns 2"];
        let mut annals = Annals::new(Game::Abalone);
        for count in 1..=lines.len() {
            assert!(!annals.update(&log(&lines[..count]), count % 2 == 0));
        }
        assert!(!annals.update(&log(&lines), true));
        let points = vec![Point { t: Micros(100_000), value: 0 }, Point { t: Micros(300_000), value: 1 }];
        let plot = &annals.records().plots[0];
        let found: Vec<_> = plot.series.iter().map(|series| (&*series.key, series.points.clone())).collect();
        assert_eq!(found, [("black", points), ("white", vec![])]);
        assert_eq!(plot.highest(), 1);
        let point = TickKind::Event { side: 0, what: "Point for".into(), major: true };
        assert_eq!(ticks(&annals), [(3, point), (4, TickKind::Unknown)]);
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
        annals.update(&late, true);
        assert_eq!(ticks(&annals).iter().map(|tick| tick.0).collect::<Vec<_>>(), [3]);
        put(&mut late, 1);
        put(&mut late, 2);
        put(&mut late, 4);
        annals.update(&late, true);
        assert_eq!(ticks(&annals).iter().map(|tick| tick.0).collect::<Vec<_>>(), [1, 3, 4]);
    }

    #[test]
    fn what_is_noted_stays_when_the_log_drops_it_and_is_noted_once() {
        let count = 60_000;
        let command = |seq: u64| {
            let line = match seq % 1000 {
                0 => format!("bscore {}", seq / 1000),
                500 => "what".to_owned(),
                _ => format!("set A0 b{}", seq % 7),
            };
            Command::parse(Game::Abalone, line.as_bytes())
        };
        let mut whole = Log::live(Game::Abalone);
        for seq in 1..=count {
            let _ = whole.insert(seq, Micros(seq * 20_000), &command(seq));
        }
        let read = |annals: &mut Annals, log: &Log| while annals.update(log, true) {};
        let mut expected = Annals::new(Game::Abalone);
        read(&mut expected, &whole);
        // A spectator that comes late, keeps little, and fetches what was before, backwards.
        let mut log = Log::live(Game::Abalone);
        let mut annals = Annals::new(Game::Abalone);
        log.rebase(40_000, whole.time_of(40_000), whole.scene_at(40_000));
        for seq in 40_001..=count {
            let _ = log.insert(seq, whole.time_of(seq), &command(seq));
            if seq.is_multiple_of(512) {
                read(&mut annals, &log);
                log.trim(60_000, &[seq]);
            }
        }
        read(&mut annals, &log);
        assert!(log.gaps().len() > 2);
        for from in (0..20).rev().map(|part| part * 2_000) {
            log.rebase(from, whole.time_of(from), whole.scene_at(from));
            for seq in from + 1..=from + 2_000 {
                let _ = log.insert(seq, whole.time_of(seq), &command(seq));
            }
            read(&mut annals, &log);
            log.trim(60_000, &[from]);
        }
        assert_eq!(annals.records().plots, expected.records().plots);
        assert_eq!(ticks(&annals), ticks(&expected));
        assert_eq!(annals.read, [(0, count)]);
    }

    #[test]
    fn a_match_of_a_week_takes_no_more_room_than_one_of_a_day() {
        let mut records = Annals::new(Game::Abalone).shown.records;
        for n in 0..200_000_u64 {
            let t = Micros(n * 3_000_000);
            let peak = if n == 77_777 { 900 } else { 0 };
            records.put(0, "black", t, (n % 5) as i32 + peak);
            let kind = if n.is_multiple_of(1000) { TickKind::Marker } else { TickKind::Unknown };
            records.ticks.push(Tick { seq: n, t, kind });
            records.thin_ticks();
        }
        let points = &records.plots[0].series[0].points;
        assert!((POINTS_MAX / 4..=POINTS_MAX).contains(&points.len()), "{}", points.len());
        assert_eq!(records.plots[0].highest(), 902, "what stands out stays");
        assert_eq!(points.last().map(|point| point.value), Some(4));
        let early = points.iter().filter(|point| point.t < Micros(100_000 * 3_000_000)).count();
        assert!(early > points.len() / 5, "{early} of {}", points.len());
        assert!((TICKS_MAX / 4..=TICKS_MAX).contains(&records.ticks.len()));
        assert!(records.ticks.is_sorted_by_key(|tick| tick.seq));
        let markers = records.ticks.iter().filter(|tick| tick.kind == TickKind::Marker).count();
        assert_eq!(markers, 200, "lines that were not understood give way first");
    }
}

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
            self.points.push(Point { t, value });
        }
    }
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
            series.points.push(Point { t, value });
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

/// Everything that is noted of a log, as far as it has been read.
#[derive(Debug)]
pub(crate) struct Annals {
    shown: Reading,
    /// When commands that were missing have come, everything is read again; until that is done, the reading before it
    /// is shown.
    next: Option<Reading>,
    /// How many commands were missing when it was read.
    missing: u64,
}

/// One reading of a log.
#[derive(Debug)]
struct Reading {
    records: Records,
    groups: Groups,
    /// Everything up to this command is in.
    seen: u64,
}

impl Annals {
    pub(crate) fn new(game: Game) -> Annals {
        Annals { shown: Reading::new(game), next: None, missing: 0 }
    }

    /// What has been gathered so far.
    pub(crate) fn records(&self) -> &Records {
        &self.shown.records
    }

    /// Takes in what the log has gained; `true` when there is more than one frame has time for. When everything that
    /// belongs together has come, it is `settled`.
    pub(crate) fn update(&mut self, log: &Log, settled: bool) -> bool {
        let missing = log.gaps().iter().map(|gap| gap.end() - gap.start() + 1).sum();
        if missing < self.missing {
            self.next = Some(Reading::new(log.game()));
        }
        self.missing = missing;
        let reading = self.next.as_mut().unwrap_or(&mut self.shown);
        let more = reading.read(log, settled);
        if !more && let Some(next) = self.next.take() {
            self.shown = next;
        }
        more
    }
}

impl Reading {
    fn new(game: Game) -> Reading {
        let scene = Scene::new(game);
        let records = Records { plots: board::view(&scene).plots(), ticks: Vec::new() };
        Reading { records, groups: Groups::new(scene), seen: 0 }
    }

    fn read(&mut self, log: &Log, settled: bool) -> bool {
        let began = Instant::now();
        let last = log.last_seq();
        while self.seen < last {
            let stretch = (self.seen + STRETCH).min(last);
            while self.seen < stretch {
                self.next(log);
            }
            if self.seen < last && began.elapsed() > BUDGET {
                return true;
            }
        }
        if settled {
            self.close();
        }
        false
    }

    fn next(&mut self, log: &Log) {
        let seq = self.seen + 1;
        let Some(command) = log.command(seq) else {
            // Commands are missing; the scene after them is known.
            let known = log.known_after(self.seen).unwrap_or(seq);
            self.close();
            self.groups = Groups::new(log.scene_at(known));
            self.seen = known;
            return;
        };
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
}

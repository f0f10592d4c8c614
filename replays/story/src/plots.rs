//! Figures over time for the plots, in bounded memory.

use grandstand_protocol::Micros;

/// Number of points of a series at most, so that a match of a week takes no more memory than one of an hour.
pub(crate) const POINTS_MAX: usize = 2048;

/// Figure from a command on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Number of the command. Several moves of fast players have one time; their commands tell them apart.
    pub seq: u64,
    /// Its time.
    pub t: Micros,
    /// Value.
    pub value: i32,
}

/// Figure over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Name of the team in the dialect.
    pub key: String,
    /// Row, if the team has several.
    pub row: &'static str,
    /// Points in the order of their commands.
    pub points: Vec<Point>,
}

/// Figures that are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// Title.
    pub title: &'static str,
    /// Form.
    pub kind: PlotKind,
    /// Whether a number of them wins.
    pub wins: bool,
    /// One series for each team and row.
    pub series: Vec<Series>,
}

/// Forms of plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlotKind {
    /// Over time, as steps.
    Steps,
    /// Current values as bars in these rows.
    Bars(&'static [&'static str]),
    /// Times of moves in milliseconds, one bar each.
    Moves,
    /// Evaluations over time, above the middle for the first team and below it for the second.
    Balance,
}

impl Plot {
    /// A plot of a figure over time for these teams; further teams may follow.
    pub fn steps(title: &'static str, teams: &[&str]) -> Plot {
        let series = teams.iter().map(|team| Series::new(team, ""));
        Plot { title, kind: PlotKind::Steps, wins: false, series: series.collect() }
    }

    /// A plot of the times of moves.
    pub fn moves(title: &'static str, teams: &[&str]) -> Plot {
        Plot { kind: PlotKind::Moves, ..Plot::steps(title, teams) }
    }

    /// A plot of evaluations.
    pub fn balance(title: &'static str, teams: &[&str]) -> Plot {
        Plot { kind: PlotKind::Balance, ..Plot::steps(title, teams) }
    }

    /// Whether all series are empty.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// Marks the plot as one whose figure wins.
    pub fn that_wins(mut self) -> Plot {
        self.wins = true;
        self
    }

    /// A plot with several figures of these teams.
    pub fn bars(title: &'static str, rows: &'static [&'static str], teams: &[&str]) -> Plot {
        let series = rows.iter().flat_map(|row| teams.iter().map(|team| Series::new(team, row)));
        Plot { title, kind: PlotKind::Bars(rows), wins: false, series: series.collect() }
    }

    /// Greatest value so far.
    pub fn highest(&self) -> i32 {
        let values = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.value));
        values.max().unwrap_or(0)
    }
}

impl Series {
    pub(crate) fn new(team: &str, row: &'static str) -> Series {
        Series { key: team.to_owned(), row, points: Vec::new() }
    }

    /// Value at a time in seconds; 0 before the first point.
    pub fn at(&self, secs: f64) -> i32 {
        let after = self.points.partition_point(|point| point.t.as_secs_f64() <= secs);
        after.checked_sub(1).map_or(0, |index| self.points[index].value)
    }

    /// Last point up to command `seq`.
    pub fn until(&self, seq: u64) -> Option<&Point> {
        self.points[..self.points.partition_point(|point| point.seq <= seq)].last()
    }

    /// Inserts points from a period without points. `sums` continue from the value before it.
    pub(crate) fn splice(&mut self, mut points: Vec<Point>, sums: bool) {
        let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else { return };
        let at = self.points.partition_point(|point| point.seq <= first.seq);
        if sums {
            let before = at.checked_sub(1).map_or(0, |index| self.points[index].value);
            points.iter_mut().for_each(|point| point.value = point.value.saturating_add(before));
            self.points[at..]
                .iter_mut()
                .for_each(|point| point.value = point.value.saturating_add(last.value));
        }
        self.points.splice(at..at, points);
        while self.points.len() >= POINTS_MAX {
            self.thin_out();
        }
    }

    pub(crate) fn put(&mut self, (seq, t): (u64, Micros), value: i32) {
        if self.points.last().is_none_or(|last| last.value != value) {
            self.push(Point { seq, t, value });
        }
    }

    pub(crate) fn push(&mut self, point: Point) {
        self.points.push(point);
        if self.points.len() >= POINTS_MAX {
            self.thin_out();
        }
    }

    /// Keeps about half of the points, evenly over the time: the lowest and the highest of each part, so that extremes
    /// stay.
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
        // The last point is the current value.
        if let Some(last) = self.points.last().filter(|last| kept.last() != Some(last)) {
            kept.push(*last);
        }
        self.points = kept;
    }
}

/// Index of a moment's part, if the time between the first and the last moment is divided into equal parts.
fn parts(first: Option<Micros>, last: Option<Micros>, count: usize) -> impl Fn(Micros) -> u64 {
    let first = first.unwrap_or_default();
    let each = last.unwrap_or_default().since(first).0 / count.max(1) as u64 + 1;
    move |t| t.since(first).0 / each
}

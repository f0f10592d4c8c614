//! Figures over time, for the plots: bounded, however long a match goes on.

use grandstand_protocol::Micros;

/// How many figures of a team are kept over time, so that a match of a week takes no more memory than one of an hour.
pub(crate) const POINTS_MAX: usize = 2048;

/// A figure from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The moment.
    pub t: Micros,
    /// What it is then.
    pub value: i32,
}

/// A figure over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Whose it is, as the dialect names the team.
    pub key: String,
    /// Which of the team's it is, where it has several.
    pub row: &'static str,
    /// In the order of time.
    pub points: Vec<Point>,
}

/// Figures that are shown together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plot {
    /// What it shows, for people.
    pub title: &'static str,
    /// How it is shown.
    pub form: Form,
    /// Whether so many of what it shows win.
    pub wins: bool,
    /// One for each team and row.
    pub series: Vec<Series>,
}

/// How figures are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
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
    pub fn steps(title: &'static str, teams: &[&str]) -> Plot {
        let series = teams.iter().map(|team| Series::new(team, ""));
        Plot { title, form: Form::Steps, wins: false, series: series.collect() }
    }

    /// How long the moves of these teams took.
    pub fn moves(title: &'static str, teams: &[&str]) -> Plot {
        Plot { form: Form::Moves, ..Plot::steps(title, teams) }
    }

    /// What these teams think of the position.
    pub fn balance(title: &'static str, teams: &[&str]) -> Plot {
        Plot { form: Form::Balance, ..Plot::steps(title, teams) }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.points.is_empty())
    }

    /// The same, of which so many win.
    pub fn that_wins(mut self) -> Plot {
        self.wins = true;
        self
    }

    /// Several figures of these teams.
    pub fn bars(title: &'static str, rows: &'static [&'static str], teams: &[&str]) -> Plot {
        let series = rows.iter().flat_map(|row| teams.iter().map(|team| Series::new(team, row)));
        Plot { title, form: Form::Bars(rows), wins: false, series: series.collect() }
    }

    /// The greatest figure so far.
    pub fn highest(&self) -> i32 {
        let values = self.series.iter().flat_map(|series| series.points.iter().map(|point| point.value));
        values.max().unwrap_or(0)
    }
}

impl Series {
    pub(crate) fn new(team: &str, row: &'static str) -> Series {
        Series { key: team.to_owned(), row, points: Vec::new() }
    }

    /// The figure at a time in seconds; 0 before the first.
    pub fn at(&self, secs: f64) -> i32 {
        let after = self.points.partition_point(|point| point.t.as_secs_f64() <= secs);
        after.checked_sub(1).map_or(0, |index| self.points[index].value)
    }

    /// Takes in points from a time in which it has none; `sums` grow from what came before.
    pub(crate) fn splice(&mut self, mut points: Vec<Point>, sums: bool) {
        let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) else { return };
        let at = self.points.partition_point(|point| point.t <= first.t);
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

    pub(crate) fn put(&mut self, t: Micros, value: i32) {
        if self.points.last().is_none_or(|last| last.value != value) {
            self.push(Point { t, value });
        }
    }

    pub(crate) fn push(&mut self, point: Point) {
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

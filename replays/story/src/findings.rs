//! Findings of a match: markers, moves, plots and lanes.

use std::borrow::Cow;

use grandstand_protocol::Micros;
use grandstand_protocol::extension::TEAMS_MAX;

use crate::format;
use crate::judgements::Judgements;
use crate::lanes::{Lanes, Lead, Thinking};
use crate::markers::{BOOKMARKS_MAX, Markers, NewMarker, Origin, kind};
use crate::moves::MoveList;
use crate::plots::{Plot, PlotKind, Point, Series};
use crate::turn_times::TurnTimes;
use crate::units::{Fall, UnitStat, Units};

/// Findings of a match.
#[derive(Debug)]
pub struct Findings {
    /// Figures over time.
    pub plots: Vec<Plot>,
    /// Moments for the timeline.
    pub markers: Markers,
    /// Moves of turn games.
    pub moves: MoveList,
    /// Judgements of an engine about the moves.
    pub judgements: Judgements,
    /// Figures over the whole match.
    pub lanes: Lanes,
    /// What units have done, where they are told apart.
    pub units: Units,
    /// Usual thinking times of the sides; the last entry is for turns of no side.
    turn_times: [TurnTimes; 3],
    /// Start of the current turn.
    pub(crate) turn: Option<Micros>,
    /// Last recorded lead.
    lead: Option<Lead>,
    /// Bookmarks that the file contains, until the viewer takes them over.
    pub(crate) bookmarks: Vec<(u64, Micros, String)>,
}

impl Findings {
    /// Creates empty findings of a game with these plots and teams. Further teams may follow.
    pub(crate) fn new(plots: Vec<Plot>, teams: impl Iterator<Item = String>) -> Findings {
        Findings {
            plots,
            markers: Markers::between(teams),
            moves: MoveList::default(),
            judgements: Judgements::default(),
            lanes: Lanes::default(),
            units: Units::default(),
            turn_times: Default::default(),
            turn: None,
            lead: None,
            bookmarks: Vec::new(),
        }
    }

    /// Sets a team's figure in a plot to `value` with a command and its time, and returns the index of the series; `None` if there are too many.
    pub fn put(&mut self, plot: usize, team: &str, at: (u64, Micros), value: i32) -> Option<usize> {
        let series = &mut self.plots.get_mut(plot)?.series;
        let known = series.iter().position(|series| series.key == team);
        let index = known.or_else(|| {
            (series.len() < TEAMS_MAX).then(|| {
                series.push(Series::new(team, ""));
                series.len() - 1
            })
        })?;
        series[index].put(at, value);
        Some(index)
    }

    /// Adds a figure of a team to a plot, even if it equals the previous one.
    pub fn push(&mut self, plot: usize, team: &str, (seq, t): (u64, Micros), value: i32) {
        let series = self.plots.get_mut(plot).map(|plot| &mut plot.series);
        if let Some(series) = series.and_then(|all| all.iter_mut().find(|series| series.key == team)) {
            series.push(Point { seq, t, value });
        }
    }

    /// Adds `amount` to a team's figure in a row of a plot.
    pub fn add(&mut self, plot: usize, team: &str, row: &str, at: (u64, Micros), amount: i32) {
        let series = self.plots.get_mut(plot).map(|plot| &mut plot.series);
        let series =
            series.and_then(|all| all.iter_mut().find(|series| series.key == team && series.row == row));
        if let Some(series) = series {
            let value = series.points.last().map_or(0, |last| last.value);
            series.put(at, value.saturating_add(amount));
        }
    }

    /// Adds an event: its kind, the index of its side, and a text that the side's name may follow (`Point for`).
    /// `major` marks the events of the game's goal.
    pub fn event(
        &mut self,
        (seq, t): (u64, Micros),
        kind: &'static str,
        side: usize,
        what: impl Into<Cow<'static, str>>,
        major: bool,
    ) {
        let said =
            NewMarker { kind: kind.into(), side: Some(side), origin: Origin::Game, major, what: what.into() };
        self.markers.put(seq, t, said);
    }

    /// Sets the turning point of a topic to an event of the game's goal, or removes it: see [`Markers::turn`].
    pub fn turning_point(
        &mut self,
        topic: u8,
        at: (u64, Micros),
        event: Option<(&'static str, usize, String)>,
    ) {
        let said = event.map(|(kind, side, what)| {
            let (kind, side, origin) = (kind.into(), Some(side), Origin::Game);
            NewMarker { kind, side, origin, major: true, what: what.into() }
        });
        self.markers.turn(topic, at, said);
    }

    /// Notes what a unit did or suffered with a command and its time.
    pub fn unit_stat(&mut self, id: u32, stat: UnitStat, at: (u64, Micros), amount: u32) {
        self.units.add(id, stat, at, amount);
    }

    /// Notes that a unit fell with a command and its time, and by whom.
    pub fn unit_fell(&mut self, id: u32, at: (u64, Micros), by: Option<String>) {
        self.units.add(id, UnitStat::Deaths, at, 1);
        self.units.fall(id, Fall { t: at.1, by: by.map(String::into_boxed_str) });
    }

    /// Keeps a bookmark for the viewer; `false` if there are too many.
    pub(crate) fn take_bookmark(&mut self, seq: u64, t: Micros, label: &str) -> bool {
        let room = self.bookmarks.len() < BOOKMARKS_MAX;
        if room {
            self.bookmarks.push((seq, t, label.to_owned()));
        }
        room
    }

    /// Ends a turn, of a side if it has one. Its time is that since the previous turn.
    pub fn turn(&mut self, seq: u64, t: Micros, side: Option<usize>) {
        let Some(began) = self.turn.replace(t) else { return };
        self.took((seq, t), began, side, Origin::Clock);
    }

    /// Records the time since `began` as the thinking time of a side, or of no side.
    pub fn took(&mut self, (seq, t): (u64, Micros), began: Micros, side: Option<usize>, origin: Origin) {
        let millis = u32::try_from(t.since(began).0 / 1000).unwrap_or(u32::MAX);
        let who = side.filter(|side| *side < 2).unwrap_or(2);
        let mut thinking = Thinking::default();
        thinking.0[who] = millis;
        self.lanes.thinking.fill(began, t, thinking);
        if self.turn_times[who].took(millis) {
            let span = format::span(f64::from(millis) / 1000.0);
            let what = if side.is_some() { format!("{span} by") } else { format!("A turn of {span}") };
            let kind = kind::LONG_THINK.into();
            self.markers.put(seq, t, NewMarker { kind, side, origin, major: false, what: what.into() });
        }
    }

    /// Records the lead after a group at `t`.
    pub(crate) fn score(&mut self, t: Micros) {
        let Some(plot) = self.score_plot().filter(|plot| !plot.is_empty()) else { return };
        let last = |series: &Series| series.points.last().map_or(0, |point| point.value);
        let lead = Some(Lead::of(plot.series.iter().map(last)));
        if lead != self.lead {
            self.lead = lead;
            self.lanes.score.put(t, lead);
        }
    }

    /// The plot of the score: the first one over time.
    pub fn score_plot(&self) -> Option<&Plot> {
        self.plots.iter().find(|plot| plot.kind == PlotKind::Steps)
    }

    /// Adds the findings of commands that were missing before.
    pub(crate) fn splice(&mut self, other: Findings) {
        self.markers.splice(other.markers);
        self.bookmarks.extend(other.bookmarks);
        self.moves.splice(other.moves);
        self.lanes.splice(&other.lanes);
        self.units.splice(other.units);
        for (plot, found) in self.plots.iter_mut().zip(other.plots) {
            for series in found.series {
                let known = |own: &Series| own.key == series.key && own.row == series.row;
                match plot.series.iter().position(known) {
                    Some(at) => {
                        plot.series[at].splice(series.points, matches!(plot.kind, PlotKind::Bars(_)));
                    }
                    None if plot.series.len() < TEAMS_MAX => plot.series.push(series),
                    None => {}
                }
            }
        }
    }
}

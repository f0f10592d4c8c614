//! Findings of a match: moments to go to, figures over time, figures over the whole match.

use std::borrow::Cow;

use grandstand_protocol::Micros;
use grandstand_protocol::extension::TEAMS_MAX;

use crate::format;
use crate::lanes::{Lanes, Lead, Thinking};
use crate::markers::{BOOKMARKS_MAX, Markers, Origin, Said, kind};
use crate::moves::MoveList;
use crate::plots::{Form, Plot, Point, Series};
use crate::turn_times::TurnTimes;

/// What has been gathered.
#[derive(Debug)]
pub struct Findings {
    /// Figures over time.
    pub plots: Vec<Plot>,
    /// Moments to go to.
    pub markers: Markers,
    /// Moves, where two teams move by turns.
    pub moves: MoveList,
    /// Figures over the whole match.
    pub lanes: Lanes,
    /// What sides usually take for a turn; the last is for turns that are nobody's.
    turn_times: [TurnTimes; 3],
    /// When the last turn began.
    pub(crate) turn: Option<Micros>,
    /// Who led when the score was last looked at.
    lead: Option<Lead>,
    /// Markers that somebody set who saved the match, until the viewer takes them over.
    pub(crate) bookmarks: Vec<(u64, Micros, String)>,
}

impl Findings {
    /// Nothing yet, of a game with these plots, between these teams and whoever else appears.
    pub(crate) fn new(plots: Vec<Plot>, teams: impl Iterator<Item = String>) -> Findings {
        Findings {
            plots,
            markers: Markers::between(teams),
            moves: MoveList::default(),
            lanes: Lanes::default(),
            turn_times: Default::default(),
            turn: None,
            lead: None,
            bookmarks: Vec::new(),
        }
    }

    /// Notes that a team's figure in a plot becomes `value`, and says which of the plot's it is; `None` when there are
    /// too many already.
    pub fn put(&mut self, plot: usize, team: &str, t: Micros, value: i32) -> Option<usize> {
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
    pub fn push(&mut self, plot: usize, team: &str, t: Micros, value: i32) {
        let series = self.plots.get_mut(plot).map(|plot| &mut plot.series);
        if let Some(series) = series.and_then(|all| all.iter_mut().find(|series| series.key == team)) {
            series.push(Point { t, value });
        }
    }

    /// Notes that a team's figure in a row of a plot grows by `amount`.
    pub fn add(&mut self, plot: usize, team: &str, row: &str, t: Micros, amount: i32) {
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
    pub fn event(
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
    pub(crate) fn take_bookmark(&mut self, seq: u64, t: Micros, label: &str) -> bool {
        let room = self.bookmarks.len() < BOOKMARKS_MAX;
        if room {
            self.bookmarks.push((seq, t, label.to_owned()));
        }
        room
    }

    /// A turn ends, of a side where it is somebody's. The time since the turn before is what it took.
    pub fn turn(&mut self, seq: u64, t: Micros, side: Option<usize>) {
        let Some(began) = self.turn.replace(t) else { return };
        self.took((seq, t), began, side, Origin::Clock);
    }

    /// A side, or nobody in particular, took the time since `began` for something, and is done.
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
            self.markers.put(seq, t, Said { kind, side, origin, major: false, what: what.into() });
        }
    }

    /// Looks at the score after a group of commands.
    pub(crate) fn score(&mut self, t: Micros) {
        let Some(plot) = self.score_plot().filter(|plot| !plot.is_empty()) else { return };
        let last = |series: &Series| series.points.last().map_or(0, |point| point.value);
        let lead = Some(Lead::of(plot.series.iter().map(last)));
        if lead != self.lead {
            self.lead = lead;
            self.lanes.score.put(t, lead);
        }
    }

    /// The plot of what is counted: the first one over time.
    pub fn score_plot(&self) -> Option<&Plot> {
        self.plots.iter().find(|plot| plot.form == Form::Steps)
    }

    /// Takes in what another reading found in a time that was missing here.
    pub(crate) fn splice(&mut self, other: Findings) {
        self.markers.splice(other.markers);
        self.bookmarks.extend(other.bookmarks);
        self.moves.splice(other.moves);
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

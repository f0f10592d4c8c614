//! What the card says: the outcome, the bare facts, and the moments that decided the match.

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{MatchResult, Micros};

use crate::annals::{Form, Plot, Records};
use crate::board::{self, Verdict};
use crate::markers::{Marker, Origin};
use crate::session::Session;
use crate::sides::Side;
use crate::words;

/// So many moments are named, at most.
const MOMENTS: usize = 3;
/// In so much of the match, at its beginning, nothing is decided.
const EARLY: f64 = 0.05;
/// How far an evaluation must swing to be worth naming: of the way from one forced win to the other.
const SWING: f32 = 0.25;

/// What is said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Summary {
    /// Who won and how, in the words of the game.
    pub outcome: String,
    /// The side that won, by its number.
    pub winner: Option<usize>,
    /// The final score, and how long it took.
    pub facts: Vec<String>,
    /// What decided it, in the order in which it happened.
    pub moments: Vec<Moment>,
}

/// A moment that decided the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moment {
    pub seq: u64,
    pub t: Micros,
    pub what: String,
}

/// What the card's words depend on: as long as it is the same they are.
#[derive(Debug, PartialEq)]
pub(super) struct Grounds {
    seq: u64,
    /// So many commands are known, and so many have been looked at.
    last: u64,
    noted: u64,
    end_secs: f64,
    state: Option<MatchState>,
    result: Option<MatchResult>,
    sides: Vec<Side>,
}

impl Grounds {
    pub(super) fn of(session: &Session, sides: &[Side]) -> Grounds {
        Grounds {
            seq: session.seq(),
            last: session.log().last_seq(),
            noted: session.annals.noted(),
            end_secs: session.end_secs(),
            state: session.about.state,
            result: session.result().cloned(),
            sides: sides.to_vec(),
        }
    }
}

impl Summary {
    pub(super) fn of(session: &Session, sides: &[Side]) -> Summary {
        let view = board::view(session.scene());
        let verdict = view.verdict();
        let outcome = match (session.result(), &verdict) {
            (Some(result), _) => words::outcome(result, sides),
            (None, Some(verdict)) => verdict.words(sides),
            (None, None) => ended_how(session).to_owned(),
        };
        let winner = match (session.result(), verdict) {
            (Some(_), _) => session.winner(),
            (None, Some(Verdict::Won(side))) => Some(side),
            (None, _) => None,
        };
        let scores: Vec<String> = view.scores().iter().map(|(_, score)| score.to_string()).collect();
        let scores = if scores.len() > 1 { scores.join(" : ") } else { String::new() };
        let facts = [scores, words::span(session.end_secs()), view.moment()];
        Summary {
            outcome,
            winner,
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect(),
            moments: decisive(session, sides),
        }
    }

    /// All of it in one piece, as it is read out.
    pub(super) fn told(&self) -> String {
        format!("{}. {}.", self.outcome, self.facts.join(", "))
    }
}

/// How a match without a result came to its end.
fn ended_how(session: &Session) -> &'static str {
    match session.about.state {
        Some(MatchState::Interrupted) => "Broken off, without a result",
        Some(_) => "Over; nobody told the result",
        // It was stopped, or it still went on.
        None => "The recording ends without a result",
    }
}

/// The last change of the lead, the farthest swing of what a player thought, and the last thing that the game is about.
fn decisive(session: &Session, sides: &[Side]) -> Vec<Moment> {
    let records = session.annals.records();
    let at = |t: Micros, what: String| Moment { seq: session.log().seq_at(t), t, what };
    let mut moments = Vec::new();
    // Who leads with the first points has decided nothing.
    let early = session.end_secs() * EARLY;
    if let Some((t, leader)) = records.score_plot().and_then(last_lead)
        && t.as_secs_f64() > early
        && let Some(side) = sides.iter().find(|side| side.key == leader)
    {
        moments.push(at(t, format!("{} took the lead", side.name)));
    }
    if let Some(plot) = records.plots.iter().find(|plot| plot.form == Form::Balance)
        && let Some((t, team, [from, to])) = crate::plot::swing(plot, SWING)
        && let Some(side) = sides.get(team)
    {
        moments.push(at(t, format!("{}: {from} → {to}", side.name)));
    }
    moments.extend(last_major(session, records, sides));
    moments.sort_by_key(|moment| moment.seq);
    moments.dedup_by_key(|moment| moment.seq);
    moments.truncate(MOMENTS);
    moments
}

/// When who leads at the end came to lead; `None` where nobody does, or they led from the beginning.
fn last_lead(plot: &Plot) -> Option<(Micros, String)> {
    let ends: Vec<i32> =
        plot.series.iter().map(|series| series.points.last().map_or(0, |point| point.value)).collect();
    let most = *ends.iter().max()?;
    let mut leaders = (0..ends.len()).filter(|index| ends[*index] == most);
    let leader = leaders.next().filter(|_| leaders.next().is_none() && plot.series.len() > 1)?;
    let mut times: Vec<Micros> =
        plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.t)).collect();
    times.sort_unstable();
    times.dedup();
    let leads = |t: &Micros| {
        let value = |index: usize| {
            let points = &plot.series[index].points;
            points.partition_point(|point| point.t <= *t).checked_sub(1).map_or(0, |at| points[at].value)
        };
        (0..ends.len()).all(|index| index == leader || value(index) < value(leader))
    };
    // The first of the last moments in which they do.
    let after = times.iter().rposition(|t| !leads(t)).map_or(0, |index| index + 1);
    let first = *times.get(after)?;
    (first > Micros(0)).then(|| (first, plot.series[leader].key.clone()))
}

/// The last of what the game is about.
fn last_major(session: &Session, records: &Records, sides: &[Side]) -> Option<Moment> {
    let cast = records.markers.cast(sides);
    let is_one = |marker: &&Marker| marker.major && marker.origin == Origin::Game;
    let marker = records.markers.list().iter().rev().find(is_one)?;
    Some(Moment { seq: session.whole(marker), t: marker.t, what: marker.words(&cast) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annals::Point;

    fn plot(points: [&[(u64, i32)]; 2]) -> Plot {
        let mut plot = Plot::steps("Score", &["red", "blue"]);
        for (series, points) in plot.series.iter_mut().zip(points) {
            series.points = points.iter().map(|(t, value)| Point { t: Micros(*t), value: *value }).collect();
        }
        plot
    }

    #[test]
    fn the_lead_that_counts_is_the_last_one_that_was_taken() {
        let lead = |points| last_lead(&plot(points));
        assert_eq!(lead([&[(5, 1), (30, 2)], &[(10, 1)]]), Some((Micros(30), "red".to_owned())));
        assert_eq!(lead([&[(5, 3)], &[(10, 1), (20, 5)]]), Some((Micros(20), "blue".to_owned())));
        assert_eq!(lead([&[(5, 3)], &[(10, 1)]]), Some((Micros(5), "red".to_owned())));
        // Even at the end, ahead from the beginning, or nothing at all.
        assert_eq!(lead([&[(5, 3)], &[(10, 3)]]), None);
        assert_eq!(lead([&[(0, 3), (9, 4)], &[(0, 1)]]), None);
        assert_eq!(lead([&[], &[]]), None);
    }
}

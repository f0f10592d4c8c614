//! Summary of a match: how it ended and what decided it.

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{MatchResult, Micros, Scene};
use grandstand_replays::Log;

use crate::evaluation::swing;
use crate::event_index::last_of;
use crate::findings::Findings;
use crate::format;
use crate::game::Verdict;
use crate::games::story;
use crate::markers::{Marker, Origin};
use crate::plots::{Form, Plot, Series};
use crate::sides::Side;

/// So many moments are named, at most.
const MOMENTS: usize = 3;
/// In so much of the match, at its beginning, nothing is decided.
const EARLY: f64 = 0.05;
/// How far an evaluation must swing to be worth naming: of the way from one forced win to the other.
const SWING: f32 = 0.25;

/// A match at its end, as far as it is known.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// Its commands.
    pub log: &'a Log,
    /// The last picture.
    pub scene: &'a Scene,
    /// Its teams.
    pub sides: &'a [Side],
    /// What was found in it.
    pub findings: &'a Findings,
    /// How it came to its end, where a server says it.
    pub state: Option<MatchState>,
    /// How it ended, if that is known.
    pub result: Option<&'a MatchResult>,
    /// How long it took, in seconds.
    pub secs: f64,
}

/// What is said of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Whether it is known how the match ended.
    pub ended: bool,
    /// Who won and how, in the words of the game.
    pub outcome: String,
    /// The side that won, by its number.
    pub winner: Option<usize>,
    /// The final score, the winner's first, and how long it took.
    pub facts: Vec<String>,
    /// What decided it, as a sentence; `None` where nothing stands out, and where nobody won.
    pub decided: Option<Moment>,
    /// What decided it, or stands out of what there is, in the order in which it happened.
    pub moments: Vec<Moment>,
}

/// A moment that decided the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The command that shows it whole.
    pub seq: u64,
    /// When.
    pub t: Micros,
    /// What happened.
    pub what: String,
}

impl Summary {
    /// The summary of a match.
    pub fn of(ended: &Ended<'_>) -> Summary {
        let story = story(ended.scene);
        let verdict = story.verdict();
        let outcome = match (ended.result, &verdict) {
            (Some(result), _) => format::outcome(result, ended.sides),
            (None, Some(verdict)) => verdict.words(ended.sides),
            (None, None) => ended_how(ended.state).to_owned(),
        };
        let verdict_known = verdict.is_some();
        let winner = match (ended.result, verdict) {
            (Some(result), _) => {
                let winner = result.winner.as_ref();
                winner.and_then(|winner| ended.sides.iter().position(|side| side.key == **winner))
            }
            (None, Some(Verdict::Won(side))) => Some(side),
            (None, _) => None,
        };
        let mut scores: Vec<String> = story.scores().iter().map(|(_, score)| score.to_string()).collect();
        if winner == Some(1) && scores.len() == 2 {
            scores.reverse();
        }
        let scores = if scores.len() > 1 { scores.join(" : ") } else { String::new() };
        let facts = [scores, format::span(ended.secs), story.moment()];
        Summary {
            ended: ended.result.is_some() || verdict_known,
            outcome,
            winner,
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect(),
            decided: winner.and_then(|winner| decided(ended, winner)),
            moments: decisive(ended),
        }
    }

    /// All of it in one piece, as it is read out.
    pub fn told(&self) -> String {
        format!("{}. {}.", self.outcome, self.facts.join(", "))
    }
}

/// How a match without a result came to its end.
fn ended_how(state: Option<MatchState>) -> &'static str {
    match state {
        Some(MatchState::Interrupted) => "Broken off, without a result",
        Some(_) => "Over; nobody told the result",
        // It was stopped, or it still went on.
        None => "The recording ends without a result",
    }
}

/// When the winner came to lead for good, or else the farthest swing of what a player thought.
fn decided(ended: &Ended<'_>, winner: usize) -> Option<Moment> {
    let name = &ended.sides.get(winner)?.name;
    let key = &ended.sides.get(winner)?.key;
    let clock = |t: Micros| format::minutes(t.as_secs_f64());
    if let Some(plot) = ended.findings.score_plot().filter(|plot| leads(plot, key)) {
        let (t, what) = match last_lead(plot) {
            Some((t, _)) if t.as_secs_f64() > ended.secs * EARLY => {
                (t, format!("{name} took the lead at {} and kept it.", clock(t)))
            }
            _ => (Micros(0), format!("{name} led from the start.")),
        };
        return Some(Moment { seq: ended.log.seq_at(t), t, what });
    }
    let plot = ended.findings.plots.iter().find(|plot| plot.form == Form::Balance)?;
    let (t, team, [from, to]) = swing(plot, SWING)?;
    let side = ended.sides.get(team)?;
    let [from, to] = [from, to].map(|score| match &*score {
        "wins" => "a forced win".to_owned(),
        "loses" => "a forced loss".to_owned(),
        _ => score,
    });
    let what = format!("It turned at {}: {}’s evaluation went from {from} to {to}.", clock(t), side.name);
    Some(Moment { seq: ended.log.seq_at(t), t, what })
}

/// Whether the team has the most at the end.
fn leads(plot: &Plot, key: &str) -> bool {
    let last = |series: &Series| series.points.last().map_or(0, |point| point.value);
    let (own, others): (Vec<&Series>, Vec<&Series>) =
        plot.series.iter().partition(|series| series.key == key);
    let most = others.into_iter().map(last).max().unwrap_or(0);
    own.into_iter().any(|series| last(series) > most)
}

/// The last change of the lead, the farthest swing of what a player thought, and the last thing that the game is about.
fn decisive(ended: &Ended<'_>) -> Vec<Moment> {
    let at = |t: Micros, what: String| Moment { seq: ended.log.seq_at(t), t, what };
    let mut moments = Vec::new();
    // Who leads with the first points has decided nothing.
    let early = ended.secs * EARLY;
    if let Some((t, leader)) = ended.findings.score_plot().and_then(last_lead)
        && t.as_secs_f64() > early
        && let Some(side) = ended.sides.iter().find(|side| side.key == leader)
    {
        moments.push(at(t, format!("{} took the lead", side.name)));
    }
    if let Some(plot) = ended.findings.plots.iter().find(|plot| plot.form == Form::Balance)
        && let Some((t, team, [from, to])) = swing(plot, SWING)
        && let Some(side) = ended.sides.get(team)
    {
        moments.push(at(t, format!("{}: {from} → {to}", side.name)));
    }
    moments.extend(last_major(ended));
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
fn last_major(ended: &Ended<'_>) -> Option<Moment> {
    let cast = ended.findings.markers.cast(ended.sides);
    let is_one = |marker: &&Marker| marker.major && marker.origin == Origin::Game;
    let marker = ended.findings.markers.list().iter().rev().find(is_one)?;
    let seq = last_of(marker, ended.log, ended.scene);
    Some(Moment { seq, t: marker.t, what: marker.words(&cast) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventIndex;
    use crate::plots::Point;
    use grandstand_protocol::{Command, Game};

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

    /// A match of this game between one and two, as it ended for these lines.
    fn summary(game: Game, lines: &[(u64, &str)], winner: &str) -> Summary {
        let mut log = Log::live(game);
        for (seq, (secs, line)) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(secs * 1_000_000), &Command::parse(game, line.as_bytes()));
        }
        let mut index = EventIndex::new(game);
        while index.update(&log, f64::INFINITY, || true) {}
        let scene = log.scene_at(log.last_seq());
        let result = format!(r#"{{"winner":"{winner}","termination":"score"}}"#);
        let result: MatchResult = serde_json::from_str(&result).expect("a result");
        Summary::of(&Ended {
            log: &log,
            scene: &scene,
            sides: &crate::sides(&scene, &[]),
            findings: index.findings(),
            state: None,
            result: Some(&result),
            secs: 60.0,
        })
    }

    #[test]
    fn what_decided_it_is_a_sentence_and_the_winners_score_stands_first() {
        let lines = [(5, "bscore 1"), (30, "wscore 1"), (45, "wscore 2")];
        let found = summary(Game::Abalone, &lines, "white");
        assert_eq!(
            found.decided.map(|moment| moment.what).as_deref(),
            Some("White took the lead at 0:45 and kept it.")
        );
        assert_eq!(found.facts[0], "2 : 1");
        let found = summary(Game::Abalone, &[(0, "bscore 0"), (1, "bscore 2"), (50, "wscore 1")], "black");
        assert_eq!(found.decided.map(|moment| moment.what).as_deref(), Some("Black led from the start."));
        let thoughts =
            [(0, "board 15"), (10, "thought white 40 2 9 h8"), (40, "thought white -30000 2 9 h8")];
        let found = summary(Game::Gomoku, &thoughts, "black");
        let words = "It turned at 0:40: White’s evaluation went from +40 to a forced loss.";
        assert_eq!(found.decided.map(|moment| moment.what).as_deref(), Some(words));
        // Who won otherwise was not ahead.
        assert_eq!(summary(Game::Abalone, &lines, "black").decided, None);
    }
}

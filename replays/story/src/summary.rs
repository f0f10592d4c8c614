//! Summary of a match: its end and the decisive moments.

use grandstand_protocol::message::MatchState;
use grandstand_protocol::{MatchResult, Micros, Scene};
use grandstand_replays::Log;

use crate::evaluation::{Swing, at_moves, height, scale, swing};
use crate::event_index::{end_of, last_of};
use crate::findings::Findings;
use crate::format;
use crate::game::SceneResult;
use crate::games::story;
use crate::markers::{Marker, Origin, kind};
use crate::moves::Move;
use crate::plots::{Plot, PlotKind, Series};
use crate::sides::Side;

/// Number of moments at most.
const MOMENTS: usize = 3;
/// Share of the match at its beginning that decides nothing.
const EARLY: f64 = 0.05;
/// Share of the match after which it is at its very end.
const LATE: f64 = 0.98;
/// Time before the end within which a moment came with it, in seconds.
const WITH_END: f64 = 0.5;
/// Least change of an evaluation for a moment, as a part of the range between both forced wins.
const SWING: f32 = 0.25;
/// The evaluation, as a part of that range above its middle, from which the winner was clearly ahead.
const AHEAD: f32 = 0.25;

/// A match at its end.
#[derive(Debug, Clone, Copy)]
pub struct FinishedMatch<'a> {
    /// Commands.
    pub log: &'a Log,
    /// Last scene.
    pub scene: &'a Scene,
    /// Teams.
    pub sides: &'a [Side],
    /// Findings.
    pub findings: &'a Findings,
    /// State from the server, if any.
    pub state: Option<MatchState>,
    /// Result, if it is known.
    pub result: Option<&'a MatchResult>,
    /// Length in seconds.
    pub secs: f64,
}

/// Summary of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultSummary {
    /// Whether the end is known.
    pub ended: bool,
    /// Winner and reason in words.
    pub outcome: String,
    /// Index of the winner.
    pub winner: Option<usize>,
    /// The final score (the winner's first), the length, and the progress.
    pub facts: Vec<String>,
    /// The decisive moment as a sentence; `None` without a winner or without such a moment.
    pub decided: Option<Moment>,
    /// Notable moments in order.
    pub moments: Vec<Moment>,
}

/// Notable moment of the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Last command of the event.
    pub seq: u64,
    /// Time.
    pub t: Micros,
    /// Text.
    pub what: String,
}

impl ResultSummary {
    /// Creates the summary of a match.
    pub fn of(ended: &FinishedMatch<'_>) -> ResultSummary {
        let story = story(ended.scene);
        let verdict = story.verdict();
        let outcome = match (ended.result, &verdict) {
            (Some(result), _) => format::result_sentence(result, ended.sides),
            (None, Some(verdict)) => verdict.words(ended.sides),
            (None, None) => ended_how(ended.state).to_owned(),
        };
        let verdict_known = verdict.is_some();
        let winner = match (ended.result, verdict) {
            (Some(result), _) => {
                let winner = result.winner.as_ref();
                winner.and_then(|winner| ended.sides.iter().position(|side| side.key == **winner))
            }
            (None, Some(SceneResult::Won(side))) => Some(side),
            (None, _) => None,
        };
        let mut scores: Vec<String> = story.scores().iter().map(|(_, score)| score.to_string()).collect();
        if winner == Some(1) && scores.len() == 2 {
            scores.reverse();
        }
        let scores = if scores.len() > 1 { scores.join(" : ") } else { String::new() };
        let facts = [scores, format::minutes(ended.secs), story.length_text()];
        ResultSummary {
            ended: ended.result.is_some() || verdict_known,
            outcome,
            winner,
            facts: facts.into_iter().filter(|fact| !fact.is_empty()).collect(),
            decided: winner.and_then(|winner| decided(ended, winner)),
            moments: decisive(ended, winner),
        }
    }

    /// The summary in one text, for the words.
    pub fn told(&self) -> String {
        format!("{}. {}.", self.outcome, self.facts.join(", "))
    }
}

/// End of a match without a result.
fn ended_how(state: Option<MatchState>) -> &'static str {
    match state {
        Some(MatchState::Interrupted) => "Interrupted, without a result",
        Some(_) => "Finished; the result is unknown",
        // It was stopped, or is still running.
        None => "The recording ends without a result",
    }
}

/// The winner's last change of the lead; or else, and where that came with the end, what the evaluations say: the largest change of one, or
/// since when the winner was ahead if that was so before it.
fn decided(ended: &FinishedMatch<'_>, winner: usize) -> Option<Moment> {
    let name = &ended.sides.get(winner)?.name;
    let key = &ended.sides.get(winner)?.key;
    let clock = |t: Micros| format::minutes(t.as_secs_f64());
    // What was drawn before the first move was nobody's doing.
    if story(ended.scene).turns().is_some() && ended.findings.moves.list().is_empty() {
        return None;
    }
    if let Some(plot) = ended.findings.score_plot().filter(|plot| leads(plot, key)) {
        // The moments name the turn too.
        let turn_at = |seq: u64| {
            let turn = story(&ended.log.scene_at(seq)).turn_counter();
            let turn = turn.filter(|(_, number)| *number > 0);
            turn.map(|(word, number)| format!("{} {}", word.to_lowercase(), format::number(number)))
        };
        let lead = last_lead(ended, plot);
        if lead.as_ref().is_some_and(|lead| lead.part > LATE)
            && let Some(told) = by_evaluation(ended, winner)
        {
            return Some(told);
        }
        let (seq, t, what) = match lead {
            Some(Lead { seq, t, part, .. }) if part > EARLY => {
                let at = match turn_at(seq) {
                    Some(turn) => format!("in {turn} ({})", clock(t)),
                    None => format!("at {}", clock(t)),
                };
                let what = match part > LATE {
                    true => format!("{name} took the lead at the very end, {at}."),
                    false => format!("{name} took the lead {at} and kept it."),
                };
                (seq, t, what)
            }
            // Before the first turns somebody else may have been ahead.
            early => {
                let since = early.and_then(|lead| turn_at(lead.seq)).map(|turn| format!("from {turn} on"));
                let what = format!("{name} led {}.", since.as_deref().unwrap_or("from the start"));
                (ended.log.seq_at(Micros(0)), Micros(0), what)
            }
        };
        return Some(Moment { seq, t, what });
    }
    by_evaluation(ended, winner)
}

/// What the evaluations say of the winner's way.
fn by_evaluation(ended: &FinishedMatch<'_>, winner: usize) -> Option<Moment> {
    let game = story(ended.scene);
    let clock = |t: Micros| format::minutes(t.as_secs_f64());
    let swing = turn(ended, Some(winner))?;
    let Swing { t, team, scores, .. } = swing;
    let side = ended.sides.get(team)?;
    let before = if team == winner { scores[0] } else { scores[0].saturating_neg() };
    let plot = ended.findings.plots.iter().find(|plot| plot.kind == PlotKind::Balance)?;
    let since = (height(before, scale(plot)) > AHEAD).then(|| ahead(ended, winner, swing)).flatten();
    if since.is_some() {
        return since;
    }
    let [from, to] = scores.map(|score| match game.forced_in(score) {
        Some(_) => format!("a forced {}", if score > 0 { "win" } else { "loss" }),
        None => game.score_text(score),
    });
    let at =
        led_to(ended, swing).map_or_else(|| clock(t), |made| format!("move {} ({})", made.number, clock(t)));
    let way = if team == winner { "rose" } else { "fell" };
    let what = format!("It turned at {at}: {} evaluation {way} from {from} to {to}.", side.whose());
    Some(Moment { seq: end_of_swing(ended, swing), t, what })
}

/// Since when the winner was ahead in the evaluations of both, and by which move its win was forced; `None` where both never agreed.
fn ahead(ended: &FinishedMatch<'_>, winner: usize, swing: Swing) -> Option<Moment> {
    let markers = &ended.findings.markers;
    let cast = markers.cast(ended.sides);
    let mut all = markers.list().iter().rev();
    let since = all.find(|marker| markers.kind(marker) == kind::AHEAD)?;
    let side = cast.side(since).filter(|(side, _)| *side == winner)?.1;
    let moves = ended.findings.moves.list();
    let made = &moves[moves.partition_point(|made| made.seq < since.seq).min(moves.len().checked_sub(1)?)];
    let at = |made: &Move| format!("move {} ({})", made.number, format::minutes(made.t.as_secs_f64()));
    let is_forced = story(ended.scene).forced_in(swing.scores[1]).is_some();
    let next = led_to(ended, swing).and_then(|next| moves.iter().position(|made| made.seq == next.seq));
    // What the loser sees before its move, the move before that has done.
    let forcing =
        next.and_then(|next| moves.get(if swing.team == winner { next } else { next.checked_sub(1)? }));
    let forced = forcing.filter(|forcing| is_forced && forcing.seq > made.seq);
    let forced = forced.map(|made| format!("; the win was forced by {}", at(made))).unwrap_or_default();
    let what = format!("{} was ahead in both evaluations from {} on{forced}.", side.name, at(made));
    Some(Moment { seq: end_of((made.seq, made.t), ended.log, ended.scene), t: made.t, what })
}

/// The change of an evaluation with which the match turned.
fn turn(ended: &FinishedMatch<'_>, winner: Option<usize>) -> Option<Swing> {
    let plot = ended.findings.plots.iter().find(|plot| plot.kind == PlotKind::Balance)?;
    let plot = at_moves(plot, ended.findings.moves.list());
    swing(&plot, SWING, winner, |score| story(ended.scene).forced_in(score).is_some())
}

/// The move that an evaluation led to.
fn led_to<'a>(ended: &'a FinishedMatch<'_>, swing: Swing) -> Option<&'a Move> {
    let mut moves = ended.findings.moves.list().iter();
    moves.find(|made| made.side == swing.team && made.seq >= swing.seq)
}

/// The command that completes the move that an evaluation led to.
fn end_of_swing(ended: &FinishedMatch<'_>, swing: Swing) -> u64 {
    let made = led_to(ended, swing).map_or((swing.seq, swing.t), |made| (made.seq, made.t));
    end_of(made, ended.log, ended.scene)
}

/// Whether the team has the most points at the end.
fn leads(plot: &Plot, key: &str) -> bool {
    let last = |series: &Series| series.points.last().map_or(0, |point| point.value);
    let (own, others): (Vec<&Series>, Vec<&Series>) =
        plot.series.iter().partition(|series| series.key == key);
    let most = others.into_iter().map(last).max().unwrap_or(0);
    own.into_iter().any(|series| last(series) > most)
}

/// The last change of the lead, the largest change of an evaluation, and the last major event.
fn decisive(ended: &FinishedMatch<'_>, winner: Option<usize>) -> Vec<Moment> {
    let mut moments = Vec::new();
    // The first points decide nothing.
    if let Some(lead) = ended.findings.score_plot().and_then(|plot| last_lead(ended, plot))
        && lead.part > EARLY
        && let Some(side) = ended.sides.iter().find(|side| side.key == lead.key)
    {
        moments.push(Moment { seq: lead.seq, t: lead.t, what: format!("{} took the lead", side.name) });
    }
    if let Some(swing) = turn(ended, winner)
        && let Some(side) = ended.sides.get(swing.team)
    {
        let [from, to] = swing.scores.map(|score| story(ended.scene).score_text(score));
        let what = format!("{}: {from} → {to}", side.name);
        moments.push(Moment { seq: end_of_swing(ended, swing), t: swing.t, what });
    }
    moments.extend(last_major(ended, winner));
    // The result tells what came with the end.
    moments.retain(|moment| moment.t.as_secs_f64() < ended.secs - WITH_END);
    moments.sort_by_key(|moment| moment.seq);
    moments.dedup_by_key(|moment| moment.seq);
    moments.truncate(MOMENTS);
    moments
}

/// The last change of the lead.
#[derive(Debug, Clone, PartialEq)]
struct Lead {
    /// The command that completes it, and its time.
    seq: u64,
    t: Micros,
    /// The part of the match before it, from 0 to 1.
    part: f64,
    /// The team that leads since then.
    key: String,
}

/// The last change of the lead to the team with the most points at the end; `None` if it led from the start. Where the match goes by moves
/// that is a move: programs make many at one time.
fn last_lead(ended: &FinishedMatch<'_>, plot: &Plot) -> Option<Lead> {
    let moves = ended.findings.moves.list();
    if moves.is_empty() {
        let (t, key) = last_lead_in_time(plot)?;
        let part = t.as_secs_f64() / ended.secs.max(f64::MIN_POSITIVE);
        return Some(Lead { seq: ended.log.seq_at(t), t, part, key });
    }
    let leader = leader(plot)?;
    let leads_before = |seq: u64| {
        let value = |series: &Series| series.until(seq.saturating_sub(1)).map_or(0, |point| point.value);
        let own = value(&plot.series[leader]);
        plot.series.iter().enumerate().all(|(index, series)| index == leader || value(series) < own)
    };
    // Of each move, the command after all that came with it.
    let next = |at: usize| moves.get(at + 1).map_or(u64::MAX, |made| made.seq);
    let after = match moves.iter().enumerate().rposition(|(at, _)| !leads_before(next(at))) {
        Some(at) => at + 1,
        None if leads_before(moves[0].seq) => return None,
        None => 0,
    };
    let made = moves.get(after)?;
    let seq = end_of((made.seq, made.t), ended.log, ended.scene);
    let is_last = after > 0 && after + 1 == moves.len();
    let part = if is_last { 1.0 } else { after as f64 / moves.len() as f64 };
    Some(Lead { seq, t: made.t, part, key: plot.series[leader].key.clone() })
}

/// The series of the team that has the most points at the end; `None` if several have.
fn leader(plot: &Plot) -> Option<usize> {
    let ends: Vec<i32> =
        plot.series.iter().map(|series| series.points.last().map_or(0, |point| point.value)).collect();
    let most = *ends.iter().max()?;
    let mut leaders = (0..ends.len()).filter(|index| ends[*index] == most);
    leaders.next().filter(|_| leaders.next().is_none() && plot.series.len() > 1)
}

/// The time of the last change of the lead, and the team that leads since then.
fn last_lead_in_time(plot: &Plot) -> Option<(Micros, String)> {
    let leader = leader(plot)?;
    let mut times: Vec<Micros> =
        plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.t)).collect();
    times.sort_unstable();
    times.dedup();
    let leads = |t: &Micros| {
        let value = |index: usize| {
            let points = &plot.series[index].points;
            points.partition_point(|point| point.t <= *t).checked_sub(1).map_or(0, |at| points[at].value)
        };
        (0..plot.series.len()).all(|index| index == leader || value(index) < value(leader))
    };
    // The first moment after the last one without this lead.
    let after = times.iter().rposition(|t| !leads(t)).map_or(0, |index| index + 1);
    let first = *times.get(after)?;
    (first > Micros(0)).then(|| (first, plot.series[leader].key.clone()))
}

/// The last major event of the winner, or of anybody in a match without one.
fn last_major(ended: &FinishedMatch<'_>, winner: Option<usize>) -> Option<Moment> {
    let cast = ended.findings.markers.cast(ended.sides);
    let is_one = |marker: &&Marker| {
        let of_winner = winner.is_none_or(|winner| cast.side(marker).is_none_or(|(side, _)| side == winner));
        marker.major && marker.origin == Origin::Game && of_winner
    };
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
            let point = |(t, value): &(u64, i32)| Point { seq: *t, t: Micros(*t), value: *value };
            series.points = points.iter().map(point).collect();
        }
        plot
    }

    #[test]
    fn the_lead_that_counts_is_the_last_one_that_was_taken() {
        let lead = |points| last_lead_in_time(&plot(points));
        assert_eq!(lead([&[(5, 1), (30, 2)], &[(10, 1)]]), Some((Micros(30), "red".to_owned())));
        assert_eq!(lead([&[(5, 3)], &[(10, 1), (20, 5)]]), Some((Micros(20), "blue".to_owned())));
        assert_eq!(lead([&[(5, 3)], &[(10, 1)]]), Some((Micros(5), "red".to_owned())));
        // Level at the end, ahead from the beginning, or no points.
        assert_eq!(lead([&[(5, 3)], &[(10, 3)]]), None);
        assert_eq!(lead([&[(0, 3), (9, 4)], &[(0, 1)]]), None);
        assert_eq!(lead([&[], &[]]), None);
    }

    #[test]
    fn of_moves_at_one_time_the_one_that_took_the_lead_is_named() {
        let lines = [
            (0, "board 19"),
            (3, "move black a1"),
            (3, "move white b1"),
            (3, "move white c1"),
            (3, "move black d1"),
            (3, "captures black 1"),
            (3, "move white a9"),
            (3, "move black b9"),
        ];
        let found = summary(Game::Pente, &lines, "black");
        assert_eq!(
            found.decided.map(|moment| moment.what).as_deref(),
            Some("Black took the lead in move 4 (0:03) and kept it.")
        );
    }

    /// Summary of a match of this game with these lines and this winner.
    fn summary(game: Game, lines: &[(u64, &str)], winner: &str) -> ResultSummary {
        let mut log = Log::live(game);
        for (seq, (secs, line)) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(secs * 1_000_000), &Command::parse(game, line.as_bytes()));
        }
        let mut index = EventIndex::new(game);
        while index.update(&log, f64::INFINITY, || true) {}
        let scene = log.scene_at(log.last_seq());
        let result = format!(r#"{{"winner":"{winner}","termination":"score"}}"#);
        let result: MatchResult = serde_json::from_str(&result).expect("a result");
        ResultSummary::of(&FinishedMatch {
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
        let in_turns = [(5, "turns 3"), (6, "bscore 1"), (30, "wscore 1"), (44, "turns 9"), (45, "wscore 2")];
        assert_eq!(
            summary(Game::Abalone, &in_turns, "white").decided.map(|moment| moment.what).as_deref(),
            Some("White took the lead in turn 9 (0:45) and kept it.")
        );
        let found = summary(Game::Abalone, &[(0, "bscore 0"), (1, "bscore 2"), (50, "wscore 1")], "black");
        assert_eq!(found.decided.map(|moment| moment.what).as_deref(), Some("Black led from the start."));
        let early = [(0, "turns 1"), (1, "bscore 2"), (50, "wscore 1")];
        let found = summary(Game::Abalone, &early, "black");
        assert_eq!(found.decided.map(|moment| moment.what).as_deref(), Some("Black led from turn 1 on."));
        let at_one_time = [
            (0, "map 10 60 Small"),
            (0, "territory 1 9 9 North"),
            (0, "set 1 maxie 4"),
            (0, "territory 2 900 900 South"),
            (0, "set 2 minnie 5"),
            (0, "road 1 2"),
            (0, "move maxie 1 1"),
            (0, "set 1 maxie 6"),
            (9, "turn minnie"),
        ];
        let found = summary(Game::Riskless, &at_one_time, "maxie");
        let told = found.decided.map(|moment| moment.what);
        assert!(told.as_deref().is_some_and(|told| told.ends_with(" led from move 1 on.")), "{told:?}");
        let given_up =
            [(0, "map 10 60 Small"), (0, "territory 1 9 9 North"), (0, "set 1 maxie 4"), (9, "win maxie")];
        assert_eq!(summary(Game::Riskless, &given_up, "maxie").decided, None, "nobody moved");
        let thoughts = [
            (0, "board 15"),
            (10, "thought white 40 2 9 h8"),
            (11, "move white h8"),
            (40, "thought white -30000 2 9 h9"),
            (41, "move white h9"),
        ];
        let found = summary(Game::Gomoku, &thoughts, "black");
        let words = "It turned at move 2 (0:40): White’s evaluation fell from +40 to a forced loss.";
        assert_eq!(found.decided.map(|moment| moment.what).as_deref(), Some(words));
        // A match that went its way step by step turned at no single move.
        let step_by_step = [
            (0, "board 15"),
            (10, "thought black 10 2 9 h8"),
            (11, "move black h8"),
            (20, "thought white 10 2 9 a1"),
            (21, "move white a1"),
            (30, "thought black 60 2 9 h9"),
            (31, "move black h9"),
            (40, "thought white ~80 2 9 b1"),
            (41, "move white b1"),
            (50, "thought black 30000 2 9 h7"),
            (51, "move black h7"),
        ];
        let found = summary(Game::Gomoku, &step_by_step, "black");
        let words =
            "Black was ahead in both evaluations from move 4 (0:41) on; the win was forced by move 5 (0:51).";
        let decided = found.decided.expect("a moment");
        assert_eq!((decided.what.as_str(), decided.seq), (words, 9));
        // A winner without the lead.
        assert_eq!(summary(Game::Abalone, &lines, "black").decided, None);
        let at_the_end = [(5, "bscore 1"), (30, "wscore 1"), (59, "turns 76"), (60, "wscore 2")];
        assert_eq!(
            summary(Game::Abalone, &at_the_end, "white").decided.map(|moment| moment.what).as_deref(),
            Some("White took the lead at the very end, in turn 76 (1:00).")
        );
    }
}

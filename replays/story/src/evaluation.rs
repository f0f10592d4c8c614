//! Evaluations of a match by its players.

use grandstand_protocol::Micros;
use grandstand_protocol::turn::FORCED;

use crate::moves::Move;
use crate::plots::{Plot, Point};

/// Number of plies below which a score of an engine that counts tells in how many the end is forced.
pub(crate) const COUNTED_PLIES: u32 = 1000;

/// `+120`, `−35`, `wins`, or `wins in 13` with the number of the team's own moves. `forced_in`: the plies to a forced end, 0 if
/// they are not counted.
pub(crate) fn score_text(score: i32, forced_in: Option<u32>) -> String {
    let end = if score > 0 { "wins" } else { "loses" };
    match forced_in {
        Some(0) => end.to_owned(),
        Some(plies) => format!("{end} in {}", plies.div_ceil(2)),
        None if score == 0 => "0".to_owned(),
        None => format!("{}{}", if score > 0 { "+" } else { "−" }, score.unsigned_abs()),
    }
}

/// Shipped players that never tell an evaluation, by their names.
const SILENT: [&str; 3] = ["random", "stupid", "person"];

/// Whether a player of this name tells no evaluation, whatever happens.
pub fn is_silent(name: &str) -> bool {
    SILENT.contains(&name)
}

/// Whether a line of a game by turns tells an evaluation, also one of an earlier move.
pub fn is_thought(line: &[u8]) -> bool {
    line.starts_with(b"thought ") || line.starts_with(b"thought@")
}

/// Change of a team's evaluation between two of its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swing {
    /// Command of the second evaluation.
    pub seq: u64,
    /// Its time.
    pub t: Micros,
    /// Index of the team.
    pub team: usize,
    /// Evaluations before and after, from the team's own point of view.
    pub scores: [i32; 2],
}

/// Of each team the last evaluation before each of its moves, in place of all that its search went through.
pub fn at_moves(plot: &Plot, moves: &[Move]) -> Plot {
    let mut plot = plot.clone();
    for (team, series) in plot.series.iter_mut().enumerate() {
        let own: Vec<u64> = moves.iter().filter(|made| made.side == team).map(|made| made.seq).collect();
        let led_to = |point: &Point| own.partition_point(|seq| *seq < point.seq);
        let mut last: Vec<Point> = Vec::new();
        for point in &series.points {
            if last.last().is_some_and(|before| led_to(before) == led_to(point)) {
                last.pop();
            }
            last.push(*point);
        }
        series.points = last;
    }
    plot
}

/// The largest change of an evaluation, if it exceeds `least` of the range between both forced wins. With a winner it is one in the
/// winner's favour after which the same team never again saw the winner behind, and no later than the first of these that ends at
/// a forced win (`is_forced` tells of a score): what the other team sees afterwards is late insight. Where none is so large, it is
/// the one to that win.
pub fn swing(
    plot: &Plot,
    least: f32,
    winner: Option<usize>,
    is_forced: impl Fn(i32) -> bool,
) -> Option<Swing> {
    let scale = scale(plot);
    // What is good for the winner, in the first team's values.
    let sign = winner.map(|winner| if winner == 0 { 1 } else { -1 });
    let swings = plot.series.iter().enumerate().flat_map(|(team, series)| {
        // The changes up to the last time at which the winner was behind did not last.
        let behind = |point: &Point| sign.is_some_and(|sign| point.value.signum() == -sign);
        let lasting = series.points.iter().rposition(behind).unwrap_or(0);
        series.points[lasting..].windows(2).map(move |two| (team, [&two[0], &two[1]]))
    });
    let swings: Vec<(usize, [&Point; 2])> = swings.collect();
    let change = |&(_, two): &(usize, [&Point; 2])| {
        let [from, to] = two.map(|point| height(point.value, scale));
        sign.map_or((to - from).abs(), |sign| (to - from) * sign as f32)
    };
    // A score at which the winner wins by force.
    let is_sure = |value: i32| sign.is_some_and(|sign| value.signum() == sign && is_forced(value));
    let sure = swings.iter().map(|(_, two)| two[1]).filter(|to| is_sure(to.value)).map(|to| to.seq).min();
    let in_time = swings.iter().filter(|(_, two)| sure.is_none_or(|sure| two[1].seq <= sure));
    let large = in_time.filter(|swing| change(swing) / 2.0 > least);
    let found = large.max_by(|a, b| change(a).total_cmp(&change(b)));
    let &(team, two) = found.or_else(|| swings.iter().find(|(_, two)| Some(two[1].seq) == sure))?;
    let own = if team == 0 { 1 } else { -1 };
    let scores = two.map(|point| point.value.saturating_mul(own));
    Some(Swing { seq: two[1].seq, t: two[1].t, team, scores })
}

/// The last evaluation up to command `seq`: the team, and the score from the first team's point of view.
pub fn latest(plot: &Plot, seq: u64) -> Option<(usize, i32)> {
    let known = plot.series.iter().enumerate().filter_map(|(team, series)| Some((team, series.until(seq)?)));
    known.max_by_key(|(_, point)| point.seq).map(|(team, point)| (team, point.value))
}

/// The score halfway between 0 and a forced win. It depends on the unit of the player's scores.
pub fn scale(plot: &Plot) -> f32 {
    scale_of(plot.series.iter().flat_map(|series| series.points.iter().map(|point| point.value)))
}

/// The same for any scores. Scores close to a forced win are ignored.
pub fn scale_of(scores: impl Iterator<Item = i32>) -> f32 {
    let scores = scores.map(|score| score.saturating_abs());
    let mut scores: Vec<i32> = scores.filter(|score| (1..FORCED / 10 * 9).contains(score)).collect();
    scores.sort_unstable();
    scores.get(scores.len() * 3 / 4).map_or(100.0, |score| *score as f32)
}

/// Maps a score to −1 … 1. `scale` is the score halfway between 0 and a forced win.
pub fn height(score: i32, scale: f32) -> f32 {
    if score.abs() >= FORCED { score.signum() as f32 } else { (score as f32 / scale).atan() / 1.9 }
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Game, Scene};

    use super::*;
    use crate::moves::MoveList;
    use crate::story;

    fn plot(points: &[&[(u64, i32)]]) -> Plot {
        let mut plot = Plot::balance("Evaluation", &["black", "white"]);
        for (series, points) in plot.series.iter_mut().zip(points) {
            let point = |(seq, value): &(u64, i32)| Point { seq: *seq, t: Micros(*seq), value: *value };
            series.points = points.iter().map(point).collect();
        }
        plot
    }

    fn is_forced(score: i32) -> bool {
        story(&Scene::new(Game::Gomoku)).forced_in(score).is_some()
    }

    #[test]
    fn the_farthest_swing_has_the_scores_of_its_own_side() {
        let calm: &[(u64, i32)] = &[(1, 10), (3, 12), (5, 9)];
        assert_eq!(swing(&plot(&[calm, &[]]), 0.25, None, is_forced), None);
        let white: &[(u64, i32)] = &[(2, -10), (4, -30), (6, 30_000)];
        let found = swing(&plot(&[calm, white]), 0.25, None, is_forced);
        assert_eq!(found, Some(Swing { seq: 6, t: Micros(6), team: 1, scores: [30, -30_000] }));
        assert_eq!(swing(&plot(&[&[], &[]]), 0.25, None, is_forced), None);
    }

    #[test]
    fn of_what_a_search_went_through_the_last_evaluation_before_each_move_counts() {
        let black: &[(u64, i32)] =
            &[(1, 10), (2, 620), (6, 300), (7, 973), (8, 29_957), (12, 500), (13, 29_959)];
        let mut moves = MoveList::default();
        for (seq, side) in [(3, 0), (5, 1), (9, 0), (11, 1), (14, 0)] {
            moves.put((seq, Micros(seq)), 1, side, "h8".to_owned());
        }
        let seen = at_moves(&plot(&[black, &[]]), moves.list());
        let values: Vec<i32> = seen.series[0].points.iter().map(|point| point.value).collect();
        assert_eq!(values, [620, 29_957, 29_959]);
        let found = swing(&seen, 0.1, Some(0), is_forced).expect("a swing");
        assert_eq!((found.seq, found.scores), (8, [620, 29_957]));
    }

    #[test]
    fn a_match_turns_towards_its_winner_and_stays_there() {
        // The loser hopes once more, and the winner sees the win only later.
        let black: &[(u64, i32)] = &[(1, 0), (3, 100), (5, -150), (7, 90), (9, 400)];
        let white: &[(u64, i32)] = &[(2, 100), (4, 30_000), (6, -200), (8, -180), (10, 30_000)];
        let plot = plot(&[black, white]);
        let turned =
            |winner| swing(&plot, 0.1, winner, is_forced).map(|swing| (swing.t, swing.team, swing.scores));
        assert_eq!(turned(Some(0)), Some((Micros(10), 1, [180, -30_000])));
        assert_eq!(turned(Some(1)), None, "nothing stays in white's favour");
        assert_eq!(turned(None), Some((Micros(6), 1, [-30_000, 200])));
    }

    #[test]
    fn a_match_turns_where_the_winner_first_sees_a_forced_win() {
        // Black, who loses, still hopes while white counts down, and sees it with a larger change.
        let black: &[(u64, i32)] = &[(1, 0), (3, 80), (5, 90), (7, -29_996)];
        let white: &[(u64, i32)] = &[(2, 0), (4, -60), (6, -29_993), (8, -29_995)];
        let plot = plot(&[black, white]);
        assert_eq!(
            swing(&plot, 0.1, Some(1), is_forced).map(|swing| (swing.seq, swing.team, swing.scores)),
            Some((6, 1, [60, 29_993]))
        );
        assert_eq!(swing(&plot, 0.1, None, is_forced).map(|swing| swing.seq), Some(7));
        // However small the step to it was.
        assert_eq!(swing(&plot, 0.9, Some(1), is_forced).map(|swing| swing.seq), Some(6));
        assert_eq!(swing(&plot, 0.9, None, is_forced), None);
    }

    #[test]
    fn the_latest_thought_is_whoever_had_it() {
        let mut plot = plot(&[&[(1, 10), (3, 12)], &[(2, -5)]]);
        // Also where all came at one time.
        plot.series.iter_mut().flat_map(|series| &mut series.points).for_each(|point| point.t = Micros(7));
        let found = [0, 1, 2, 9].map(|seq| latest(&plot, seq));
        assert_eq!(found, [None, Some((0, 10)), Some((1, -5)), Some((0, 12))]);
    }

    #[test]
    fn a_win_that_is_nearly_forced_does_not_flatten_the_rest() {
        assert_eq!(scale_of([200, -220, 240, 29_965, -29_900, 30_000].into_iter()), 240.0);
    }

    #[test]
    fn a_forced_win_is_higher_than_any_score() {
        for unit in [1, 100] {
            let plot = plot(&[&[(1, 10 * unit), (2, 40 * unit), (3, -30_000)], &[]]);
            let scale = scale(&plot);
            assert!(height(40 * unit, scale) > 0.3 && height(29_999, scale) < 1.0);
            assert_eq!((height(30_000, scale), height(-30_000, scale), height(0, scale)), (1.0, -1.0, 0.0));
        }
    }

    #[test]
    fn scores_say_when_the_game_is_decided() {
        let of = |game: Game| {
            let scene = Scene::new(game);
            [120, 0, -35, 30_000, i32::MIN, 29_975, -29_974, 29_999, 29_000]
                .map(|score| story(&scene).score_text(score))
        };
        let counted = of(Game::Gomoku);
        assert_eq!(counted[..5], ["+120", "0", "−35", "wins", "loses"]);
        assert_eq!(counted[5..], ["wins in 13", "loses in 13", "wins in 1", "+29000"]);
        // A guess is no proof, however large: the largest says no number.
        let plain = of(Game::Riskless);
        assert_eq!(
            (&plain[..5], &plain[5..]),
            (&counted[..5], &["+29975", "−29974", "winning", "+29000"].map(str::to_owned)[..])
        );
        assert_eq!(story(&Scene::new(Game::Riskless)).score_text(-29_999), "losing");
    }
}

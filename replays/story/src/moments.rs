//! Moments of a match as rows of a list. Markers of one event share a row.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use grandstand_protocol::Micros;

use crate::findings::Findings;
use crate::format::capitalised;
use crate::markers::{Marker, Origin, Visible, kind};
use crate::reason::Reason;
use crate::sides::{Side, YOU};

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MomentRow {
    /// Index of the list that contains the marker.
    pub list: u8,
    /// Index of the marker in that list.
    pub at: u32,
    /// Whether it is a key moment: an event of the game's goal, a marker of a person or server, or a mistake that an engine found.
    pub key: bool,
    /// Whether the score changed.
    pub scored: bool,
    /// What else happened to the score at the same time.
    pub beside: Beside,
}

/// Rows of one time in which the score changed: those of the side of a row, and those of the other sides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// All of them, with the row itself.
    all: [u8; 2],
    /// Those after the row.
    later: [u8; 2],
}

/// Rows of the visible markers of all lists, in the order of the commands. Markers within `together` of each other may
/// belong to one event: the row of a point contains the game's other markers, and the row of a server's marker contains
/// the point of its team.
pub fn rows(findings: &Findings, lists: &[&[Marker]], visible: &Visible, together: Micros) -> Vec<MomentRow> {
    let mut order: Vec<(u8, u32, &Marker)> = Vec::new();
    for (list, markers) in (0..).zip(lists) {
        let seen = (0..).zip(*markers).filter(|(_, marker)| visible.has(marker));
        order.extend(seen.map(|(at, marker)| (list, at, marker)));
    }
    order.sort_by_key(|(list, _, marker)| (marker.seq, *list));
    let mut rows = Vec::new();
    let mut rest = order.as_slice();
    while let Some((_, _, first)) = rest.first() {
        let count = rest.iter().take_while(|(_, _, marker)| marker.t.since(first.t) <= together).count();
        let (cluster, after) = rest.split_at(count);
        rest = after;
        let event = Together::of(findings, cluster.iter().map(|(.., marker)| *marker));
        let begun = rows.len();
        let mut teams = Vec::new();
        let has_result = cluster.iter().any(|(.., marker)| marker.origin == Origin::Result);
        for (list, at, marker) in cluster {
            // The result tells which row won.
            if has_result && findings.markers.kind(marker) == kind::ROW {
                continue;
            }
            if !event.has_in_another_row(marker, findings) {
                let is_game = marker.origin == Origin::Game;
                let kind = findings.markers.kind(marker);
                let key = marker.major || matches!(marker.origin, Origin::Viewer | Origin::Engine);
                let has_others = event.row_has_others(marker, findings);
                let scored = has_others || is_game && counts(kind);
                rows.push(MomentRow { list: *list, at: *at, key, scored, beside: Beside::default() });
                teams.push(marker.side.filter(|_| has_others || is_game && adds_points(kind)));
            }
        }
        if teams.iter().flatten().count() > 1 {
            for (index, row) in rows[begun..].iter_mut().enumerate() {
                row.beside = Beside::of(&teams, index);
            }
        }
    }
    rows
}

/// Whether markers of this kind change the score.
fn counts(of: &str) -> bool {
    adds_points(of) || matches!(of, kind::CONQUEST | kind::LEAD | kind::REGION)
}

/// Whether each marker of this kind is one point.
fn adds_points(of: &str) -> bool {
    matches!(of, kind::SCORE | kind::CAPTURE | kind::CONTROL)
}

/// Markers of one time, by what decides which row contains which: the row of a point contains the game's minor markers;
/// the row of a server's marker with a side contains the points of that side and the losses of the others, and that of the end of a
/// bot's thread the loss of the bot.
#[derive(Debug, Default)]
struct Together {
    has_point: bool,
    has_minor: bool,
    /// Sides of points, of losses, and of the server's markers.
    points: BTreeSet<Option<u8>>,
    losses: BTreeSet<Option<u8>>,
    servers: BTreeSet<Option<u8>>,
    /// Numbers of lost pieces and of ended threads, by their sides.
    lost: BTreeMap<Option<u8>, usize>,
    ended: BTreeMap<Option<u8>, usize>,
}

impl Together {
    fn of<'m>(findings: &Findings, markers: impl Iterator<Item = &'m Marker>) -> Together {
        let mut together = Together::default();
        for marker in markers {
            match marker.origin {
                Origin::Game => {
                    together.has_minor |= !marker.major;
                    if is_point(marker, findings) {
                        together.has_point = true;
                        together.points.insert(marker.side);
                    }
                    if is_loss(marker, findings) {
                        together.losses.insert(marker.side);
                    }
                    if is_fall(marker, findings) {
                        *together.lost.entry(marker.side).or_default() += 1;
                    }
                }
                Origin::Server if findings.markers.kind(marker) == kind::THREAD_END => {
                    *together.ended.entry(marker.side).or_default() += 1;
                }
                Origin::Server if marker.side.is_some() => {
                    together.servers.insert(marker.side);
                }
                _ => {}
            }
        }
        together
    }

    /// Whether the row of another marker contains this one.
    fn has_in_another_row(&self, marker: &Marker, findings: &Findings) -> bool {
        marker.origin == Origin::Game
            && (self.has_point && !marker.major
                || is_point(marker, findings) && self.servers.contains(&marker.side)
                || is_loss(marker, findings) && self.servers.iter().any(|side| *side != marker.side)
                // Where more are lost than ended, nothing tells which of them did.
                || is_fall(marker, findings) && self.lost.get(&marker.side) <= self.ended.get(&marker.side))
    }

    /// Whether the row of this marker contains other markers.
    fn row_has_others(&self, marker: &Marker, findings: &Findings) -> bool {
        match marker.origin {
            Origin::Game => self.has_minor && is_point(marker, findings),
            Origin::Server if marker.side.is_some() => {
                self.points.contains(&marker.side) || self.losses.iter().any(|side| *side != marker.side)
            }
            _ => false,
        }
    }
}

fn is_point(marker: &Marker, findings: &Findings) -> bool {
    marker.origin == Origin::Game && findings.markers.kind(marker) == kind::SCORE
}

fn is_loss(marker: &Marker, findings: &Findings) -> bool {
    !marker.major && is_fall(marker, findings)
}

/// Whether a piece or a bot was lost.
fn is_fall(marker: &Marker, findings: &Findings) -> bool {
    matches!(findings.markers.kind(marker), kind::LOSS | kind::DEATH)
}

impl Beside {
    /// Of the rows with these teams, for the one at `index`. Rows that changed no score have no team.
    fn of(teams: &[Option<u8>], index: usize) -> Beside {
        let Some(own) = teams[index] else { return Beside::default() };
        let count = |rows: &[Option<u8>]| {
            let own = rows.iter().flatten().filter(|team| **team == own).count();
            let others = rows.iter().flatten().count() - own;
            [own, others].map(|rows| u8::try_from(rows).unwrap_or(u8::MAX))
        };
        Beside { all: count(teams), later: count(&teams[index + 1..]) }
    }
}

/// Score after a moment of a side that changed it, which has a command and a time: `Blues leads 3 : 2`,
/// `level at 2 : 2`; in less room with the side's colour. Its own score stands first, as in a result. `None` without a change, or unless there are two sides. Of several points at one time each has the score after it.
pub fn standing(
    findings: &Findings,
    sides: &[Side],
    ((seq, t), side): ((u64, Micros), Option<usize>),
    together: Micros,
    beside: Beside,
) -> Option<Reason> {
    let plot = findings.score_plot()?;
    let [first, second] = sides else { return None };
    let turn = findings.moves.turn_of(seq);
    let around = |side: &Side| {
        let Some(series) = plot.series.iter().find(|series| series.key == side.key) else { return [0; 2] };
        match &turn {
            Some(turn) => {
                [turn.start() - 1, *turn.end()].map(|seq| series.until(seq).map_or(0, |point| point.value))
            }
            // The score before the moment is that of one microsecond earlier.
            None => [-together.as_secs_f64() - 1e-6, together.as_secs_f64()]
                .map(|apart| series.at(t.as_secs_f64() + apart)),
        }
    };
    let ([first_before, first_after], [second_before, second_after]) = (around(first), around(second));
    let (before, mut after) = ([first_before, second_before], [first_after, second_after]);
    if after == before {
        return None;
    }
    if let Some(own @ 0..2) = side {
        let gained = [own, 1 - own].map(|side| after[side].saturating_sub(before[side]));
        // Where each row is one point.
        if gained == beside.all.map(i32::from) {
            for (side, later) in [own, 1 - own].into_iter().zip(beside.later) {
                after[side] -= i32::from(later);
            }
        }
    }
    let [a, b] = after;
    let leads = |side: &Side| {
        let names = [side.name.clone(), capitalised(side.word())];
        let verb = if side.name == YOU { "lead" } else { "leads" };
        Reason(names.map(|name| format!("{name} {verb} {} : {}", a.max(b), a.min(b))).into())
    };
    Some(match a.cmp(&b) {
        Ordering::Equal => Reason(vec![format!("level at {a} : {b}")]),
        Ordering::Greater => leads(first),
        Ordering::Less => leads(second),
    })
}

#[cfg(test)]
mod tests {
    use grandstand_protocol::{Command, Game};
    use grandstand_replays::Log;

    use super::*;
    use crate::EventIndex;
    use crate::markers::Filter;

    /// Rows of these lines of Abalone: key moment, text, score.
    fn told(lines: &[(u64, &str)]) -> Vec<String> {
        told_of(Game::Abalone, lines)
    }

    fn told_of(game: Game, lines: &[(u64, &str)]) -> Vec<String> {
        let mut log = Log::live(game);
        for (seq, (millis, line)) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(millis * 1_000), &Command::parse(game, line.as_bytes()));
        }
        let mut index = EventIndex::new(game);
        while index.update(&log, f64::INFINITY, || true) {}
        let scene = log.scene_at(log.last_seq());
        let (findings, sides) = (index.findings(), crate::sides(&scene, &[]));
        let visible = Filter::default().of(&findings.markers, u64::MAX);
        let together = crate::story(&scene).group_window();
        let cast = findings.markers.cast(&sides);
        let lists = [findings.markers.list(), &[]];
        let rows = rows(findings, &lists, &visible, together).into_iter();
        rows.map(|row| {
            let marker = &lists[0][row.at as usize];
            let of = ((marker.seq, marker.t), cast.side(marker).map(|(place, _)| place));
            let why = row.scored.then(|| standing(findings, &sides, of, together, row.beside)).flatten();
            let why = why.map(|why| why.whole().to_owned());
            format!("{}{} {}", if row.key { "* " } else { "" }, marker.words(&cast), why.unwrap_or_default())
        })
        .collect()
    }

    #[test]
    fn points_at_one_time_have_the_score_after_each() {
        let push = |team: &str| {
            format!(r##"#gs marker {{"label":"{team} pushes off","kind":"push-off","team":"{team}"}}"##)
        };
        let (white, black) = (push("white"), push("black"));
        let lines = [
            (0, "bscore 2"),
            (900, "wscore 1"),
            (900, white.as_str()),
            (900, "wscore 2"),
            (900, white.as_str()),
            (2000, "wscore 3"),
            (2000, white.as_str()),
            (2000, "bscore 3"),
            (2000, black.as_str()),
        ];
        let told = told(&lines);
        let scores = ["Black leads 2 : 1", "level at 2 : 2", "White leads 3 : 2", "level at 3 : 3"];
        assert_eq!(told.len(), 5, "{told:?}");
        for (row, score) in told[1..].iter().zip(scores) {
            assert!(row.ends_with(&format!("off {score}")), "{told:?}");
        }
    }

    #[test]
    fn scores_at_the_bounds_have_a_standing() {
        let lines = [(0, "bscore 0"), (0, "wscore ~2"), (900, "bscore 2147483647")];
        assert_eq!(told(&lines), ["* Point for Black Black leads 2147483647 : -2"]);
    }

    #[test]
    fn a_point_that_is_taken_says_how_many_each_team_holds() {
        let lines = [
            (0, "point 0 ~10 0 red"),
            (0, "point 1 0 0 none"),
            (0, "point 2 10 0 blue"),
            (5_000, "control 1 blue"),
            (9_000, "control 1 red"),
        ];
        let found = told_of(Game::Fortress, &lines);
        assert!(found.iter().any(|row| row.contains("taken by Blue Blue leads 2 : 1")), "{found:?}");
        assert!(found.iter().any(|row| row.contains("taken by Red Red leads 2 : 1")), "{found:?}");
    }

    #[test]
    fn captures_of_moves_at_one_time_have_the_score_after_each() {
        let lines = [
            (0, "board 19"),
            (700, "move black k10"),
            (700, "captures black 1"),
            (700, "turn white"),
            (700, "move white a1"),
            (700, "captures white 1"),
            (700, "turn black"),
            (700, "move black c3"),
            (700, "captures black 2"),
        ];
        let found = told_of(Game::Pente, &lines);
        let scores = ["Black leads 1 : 0", "level at 1 : 1", "Black leads 2 : 1"];
        assert_eq!(found.len(), 3, "{found:?}");
        for (row, score) in found.iter().zip(scores) {
            assert!(row.ends_with(score), "{found:?}");
        }
    }

    #[test]
    fn a_territory_is_taken_by_who_moved_there_also_where_the_answer_comes_at_once() {
        let lines = [
            (0, "map 8 40 Islands"),
            (0, "territory 0 10 10 Heron"),
            (0, "territory 1 20 10 Midway"),
            (0, "road 0 1"),
            (0, "set 0 minnie 5"),
            (0, "set 1 maxie 6"),
            (900, "move maxie 1 0"),
            (900, "battle 0 6 5"),
            (900, "set 0 maxie 2"),
            (900, "set 1 minnie 3"),
            (900, "move minnie 1 0"),
            (900, "battle 0 3 2"),
            (900, "set 0 minnie 1"),
            (2_000, "move maxie 1 0"),
            (2_000, "battle 0 1 4"),
        ];
        let found = told_of(Game::Riskless, &lines);
        let battles =
            found.iter().filter(|row| !row.starts_with("* Lead") && !row.starts_with("* Breakthrough"));
        let who: Vec<&str> = battles.filter_map(|row| row.split(" by ").nth(1)).collect();
        let first = |row: &&str| row.split(' ').next().map(str::to_owned);
        let who: Vec<String> = who.iter().filter_map(first).collect();
        assert_eq!(who, ["Red", "Blue", "Blue"], "{found:?}");
        assert!(found.last().is_some_and(|row| row.starts_with("Battle won")), "{found:?}");
    }

    /// Rows of a match of Riskless between two territories, of which each side holds one with these armies at first and after each move.
    fn told_of_armies(armies: &[[u32; 2]]) -> Vec<String> {
        let mut lines = ["map 20 440 Islands", "territory 0 1 1 Heron", "territory 1 2 1 Midway", "road 0 1"]
            .map(|line| (0, line.to_owned()))
            .to_vec();
        for (t, [maxie, minnie]) in (0..).map(|n| n * 1_000).zip(armies) {
            if t > 0 {
                lines.push((t, "move maxie 0 1".to_owned()));
            }
            lines.push((t, format!("set 0 maxie {maxie}")));
            lines.push((t, format!("set 1 minnie {minnie}")));
        }
        told_lines(&lines)
    }

    fn told_lines(lines: &[(u64, String)]) -> Vec<String> {
        let lines: Vec<(u64, &str)> = lines.iter().map(|(t, line)| (*t, &**line)).collect();
        told_of(Game::Riskless, &lines)
    }

    #[test]
    fn of_a_lead_that_goes_to_and_fro_the_last_change_is_key() {
        let kept = told_of_armies(&[[99, 90], [95, 90], [80, 90], [70, 90]]);
        assert_eq!(kept, ["* Lead taken by Blue Blue leads 90 : 80"]);
        let to_and_fro = told_of_armies(&[[99, 90], [80, 90], [95, 90], [80, 90], [95, 90], [90, 90]]);
        assert_eq!(to_and_fro, ["* Lead taken by Red Red leads 95 : 90"]);
        assert!(told_of_armies(&[[99, 90], [95, 90], [94, 90]]).is_empty());
    }

    #[test]
    fn a_large_lead_that_was_lost_again_is_told_where_it_was_largest() {
        let found = told_of_armies(&[[99, 90], [110, 90], [130, 90], [120, 90], [90, 90], [100, 140]]);
        assert_eq!(
            found,
            ["* Largest lead of Red Red leads 130 : 90", "* Lead taken by Blue Blue leads 140 : 100"]
        );
        // The winner's own is what the others tell.
        assert_eq!(
            told_of_armies(&[[99, 90], [90, 99], [90, 130]]),
            ["* Lead taken by Blue Blue leads 99 : 90"]
        );
    }

    #[test]
    fn three_armies_against_two_are_a_breakthrough_unless_it_comes_to_nothing() {
        let found = told_of_armies(&[[99, 90], [105, 90], [140, 90], [160, 90]]);
        assert_eq!(found, ["* Breakthrough by Red Red leads 140 : 90"]);
        assert!(told_of_armies(&[[99, 90], [140, 90], [110, 90]]).is_empty());
    }

    /// Lines that set the Earth up: its territories in the order of its continents, without roads, and who holds how many of the first
    /// ones.
    fn earth(held: [usize; 2]) -> Vec<(u64, String)> {
        let list = include_str!("../../../maps/land/earth.countries").lines();
        let names = list.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" / "));
        let mut lines = vec![(0, "map 20 440 Earth".to_owned())];
        lines.extend((0..).zip(names).map(|(n, (name, _))| (0, format!("territory {n} 1 1 {name}"))));
        let [maxie, minnie] = held;
        lines.extend((0..maxie).map(|n| (0, format!("set {n} maxie 5"))));
        lines.extend((maxie..maxie + minnie).map(|n| (0, format!("set {n} minnie 5"))));
        lines
    }

    /// A battle at a territory that a side takes with all the armies it needs.
    fn taken(t: u64, team: &str, from: usize, to: usize) -> Vec<(u64, String)> {
        let lines =
            [format!("move {team} {from} {to}"), format!("battle {to} 6 5"), format!("set {to} {team} 5")];
        lines.map(|line| (t, line)).to_vec()
    }

    #[test]
    fn a_continent_is_told_as_it_is_taken_for_good_and_as_it_is_lost() {
        // The first seven territories are North America, the next four South America.
        let mut lines = earth([10, 20]);
        lines.extend(taken(1_000, "maxie", 9, 10));
        lines.extend(taken(2_000, "minnie", 11, 10));
        lines.extend(taken(3_000, "maxie", 9, 10));
        lines.extend(taken(4_000, "minnie", 11, 0));
        let found = told_lines(&lines);
        let of_regions: Vec<&String> =
            found.iter().filter(|row| row.contains("falls") || row.contains("completes")).collect();
        assert_eq!(
            of_regions,
            [
                "* Argentina completes South America for Red Blue leads 95 : 55",
                "* Alaska falls: North America lost by Red Blue leads 100 : 50"
            ],
            "{found:?}"
        );
        assert!(
            found.iter().filter(|row| row.contains("taken by")).all(|row| !row.starts_with('*')),
            "{found:?}"
        );
    }

    #[test]
    fn land_is_told_as_a_side_has_the_most_twice_as_much_and_all_of_it() {
        let mut lines = earth([20, 21]);
        lines.push((1_000, "move minnie 22 41".to_owned()));
        lines.push((1_000, "set 41 minnie 5".to_owned()));
        let found = told_lines(&lines);
        assert_eq!(found[0], "* Last free territory taken by Blue Blue leads 110 : 100", "{found:?}");
        let mut lines = earth([20, 22]);
        (20..28).for_each(|n| lines.extend(taken(n as u64 * 1_000, "maxie", 1, n)));
        let found = told_lines(&lines);
        let most = "* Lead in land taken (22 : 20) by Red Red leads 110 : 100";
        let twice = "* Twice the land held (28 : 14) by Red Red leads 140 : 70";
        assert!(found.iter().any(|row| row == most) && found.iter().any(|row| row == twice), "{found:?}");
    }

    #[test]
    fn the_battle_for_the_last_territory_is_key() {
        let mut lines = earth([41, 1]);
        lines.extend(taken(1_000, "maxie", 40, 41));
        let found = told_lines(&lines);
        assert_eq!(found[0], "* Australia taken by Red Red leads 210 : 0", "{found:?}");
    }

    #[test]
    fn thousands_of_markers_at_one_time_are_rows_at_once() {
        // A comparison of each with each would take minutes.
        let lines: Vec<(u64, &str)> = (0..40_000).map(|_| (5, "#gs marker {\"label\":\"x\"}")).collect();
        assert!(told(&lines).len() > 10_000);
    }

    const BEFORE: [(u64, &str); 4] = [(0, "bscore 0"), (0, "set I3 b0"), (0, "set I4 w0"), (0, "turns 1")];

    #[test]
    fn a_push_that_costs_a_piece_is_one_row() {
        let push = [(900, "set I4 b0"), (900, "set I3 e"), (900, "bscore 1")];
        let lines = [&BEFORE[..], &push].concat();
        assert_eq!(told(&lines), ["* Point for Black Black leads 1 : 0"]);
        // With the server's own marker.
        let lines = [
            &lines[..],
            &[(900, r##"#gs marker {"label":"black pushes white off","kind":"push-off","team":"black"}"##)],
        ]
        .concat();
        assert_eq!(told(&lines), ["* black pushes white off Black leads 1 : 0"], "{lines:?}");
    }

    #[test]
    fn what_is_of_somebody_else_has_its_own_row() {
        let push =
            [(900, "bscore 1"), (900, r##"#gs marker {"label":"Halftime"}"##), (2_000, "what is this")];
        let lines = [&BEFORE[..], &push].concat();
        let found = told(&lines);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[2].starts_with("A line that was not understood"), "{found:?}");
    }
}

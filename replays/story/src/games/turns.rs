//! Turn games: names, clocks, evaluations and thinking times.

use grandstand_protocol::Micros;
use grandstand_protocol::team::TwoTeams;
use grandstand_protocol::turn::{Command, FORCED, LateThought, Thought, ThoughtLine, TurnScene};

use crate::findings::Findings;
use crate::format;
use crate::format::capitalised;
use crate::game::{ChatLine, SceneResult, TurnState};
use crate::markers::Origin;
use crate::plots::{Plot, Point};
use crate::sides::Side;

/// A clock below this shows tenths, in milliseconds.
const TENTHS: i64 = 20_000;

/// Names from commands take precedence over those of the header, because players may change sides. A name that is also
/// in the header is written as there.
pub fn name_sides<T: TwoTeams, M: Clone>(table: &TurnScene<T, M>, sides: &mut [Side]) {
    let header: Vec<String> = sides.iter().map(|side| side.name.clone()).collect();
    for (side, team) in sides.iter_mut().zip(T::ALL) {
        if let Some(name) = table.name(team) {
            let known = header.iter().find(|known| known.replace(' ', "_") == **name);
            side.name = known.cloned().unwrap_or_else(|| name.replace('_', " "));
        }
    }
    crate::sides::tell_apart(sides);
}

impl<T: TwoTeams, M: Clone> TurnState for TurnScene<T, M> {
    fn mover(&self) -> Option<usize> {
        self.turn().filter(|_| self.winner().is_none()).map(TwoTeams::index)
    }

    fn verdict(&self) -> Option<SceneResult> {
        Some(self.winner()?.winner().map(TwoTeams::index).into())
    }

    fn is_ticking(&self) -> bool {
        let runs = |team| self.clock(team).is_some_and(|clock| clock.running);
        self.winner().is_none() && T::ALL.into_iter().any(runs)
    }

    fn ticking_clock(&self, side: usize, t: Micros) -> Option<i64> {
        let clock = self.clock(*T::ALL.get(side)?)?;
        (clock.running && self.winner().is_none()).then(|| clock.left(t))
    }

    fn talk(&self) -> Vec<ChatLine<'_>> {
        ChatLine::all(self.talk())
    }
}

/// `Move 12`
pub fn moment(ply: u32) -> String {
    if ply == 0 { "Start".to_owned() } else { format!("Move {}", format::number(ply.into())) }
}

/// The latest evaluation of either team.
pub fn latest_thought<T: TwoTeams, M: Clone>(table: &TurnScene<T, M>) -> Option<&ThoughtLine<T, M>> {
    T::ALL.into_iter().filter_map(|team| table.thought(team)).max_by_key(|line| line.seq)
}

/// `4:51`, `0:07.3`, `1:02:33`: the time left, with tenths below 20 seconds; a negative time is `−0:01.0`.
pub fn clock_text(left: i64) -> String {
    let (sign, left) = if left < 0 { ("−", -left) } else { ("", left) };
    if left < TENTHS {
        let tenths = left / 100;
        return format!("{sign}{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10);
    }
    let secs = left / 1000;
    if secs < 3600 {
        format!("{sign}{}:{:02}", secs / 60, secs % 60)
    } else {
        format!("{sign}{}:{:02}:{:02}", secs / 3600, secs / 60 % 60, secs % 60)
    }
}

/// Plots of turn games: thinking times and evaluations.
pub fn plots(teams: &[&str]) -> Vec<Plot> {
    vec![Plot::moves("Thinking time", teams), Plot::balance("Evaluation", teams)]
}

/// Records the thinking time of a move at `t`. `table` is the state before it.
pub fn record_move<T: TwoTeams, M: Clone>(
    table: &TurnScene<T, M>,
    team: T,
    seq: u64,
    t: Micros,
    findings: &mut Findings,
    plot: usize,
) {
    let Some(shown) = findings.plots.get(plot) else { return };
    let clock = table.clock(team).filter(|clock| clock.running).map(|clock| clock.t);
    let last = shown.series.iter().filter_map(|series| series.points.last()).map(|point| point.t).max();
    // Since the start of its clock, or since the previous move. A clock that did not run before the first move was
    // started with it: what was waited for before is nobody's thinking.
    let at_first = if table.clock(team).is_some() { t } else { Micros(0) };
    let since = clock.max(last).unwrap_or(at_first);
    let millis = i32::try_from(t.since(since).0 / 1000).unwrap_or(i32::MAX);
    findings.took((seq, t), since, Some(team.index()), Origin::Game);
    findings.push(plot, team.name(), (seq, t), millis);
}

/// Records an evaluation, from the point of view of the first team.
pub fn record_thought<T: TwoTeams, M>(
    thought: &Thought<T, M>,
    (seq, t): (u64, Micros),
    findings: &mut Findings,
    plot: usize,
) {
    let score = thought.score.clamp(-FORCED, FORCED);
    if !findings.moves.is_searched(thought.team.index(), thought.depth) {
        return;
    }
    findings.moves.thought(thought.team.index(), score);
    let score = if thought.team == T::ALL[0] { score } else { -score };
    findings.lanes.evaluation.put(t, Some(score));
    findings.put(plot, thought.team.name(), (seq, t), score);
}

/// Records an evaluation of an earlier position that came with a command and its time, at the move that it led to.
pub fn record_late_thought<T: TwoTeams, M>(
    late: &LateThought<T, M>,
    at: (u64, Micros),
    findings: &mut Findings,
    plot: usize,
) {
    let thought = &late.thought;
    if !findings.moves.is_searched(thought.team.index(), thought.depth) {
        return;
    }
    let (seq, t) = findings.moves.place_after(late.ply).unwrap_or(at);
    let score = thought.score.clamp(-FORCED, FORCED);
    findings.moves.late_thought(late.ply, thought.team.index(), score);
    let value = if thought.team == T::ALL[0] { score } else { -score };
    findings.lanes.evaluation.put(t, Some(value));
    let series = findings.plots.get_mut(plot).map(|plot| &mut plot.series);
    if let Some(series) = series.and_then(|all| all.iter_mut().find(|one| one.key == thought.team.name())) {
        series.splice(vec![Point { seq, t, value }], false);
    }
}

/// Whether a command says who has won.
pub fn is_outcome<T: TwoTeams, M>(command: &Command<T, M>) -> bool {
    matches!(command, Command::Win { .. })
}

/// The end of a match as a sentence; `None` for other commands.
pub fn sentence<T: TwoTeams, M>(command: &Command<T, M>) -> Option<String> {
    let Command::Win { winner } = command else { return None };
    Some(match winner.winner() {
        Some(team) => format!("{} wins.", capitalised(team.color().name())),
        None => "The game is a draw.".to_owned(),
    })
}

/// The team and the text of a line of talk; `None` for other commands.
pub fn said<T: TwoTeams, M>(command: &Command<T, M>) -> Option<(String, String)> {
    let Command::Say { team, text } = command else { return None };
    Some((capitalised(team.color().name()), text.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::Game;

    #[test]
    fn clocks_show_tenths_when_little_is_left() {
        for (left, text) in [
            (300_000, "5:00"),
            (299_999, "4:59"),
            (20_000, "0:20"),
            (19_999, "0:19.9"),
            (0, "0:00.0"),
            (-1_040, "−0:01.0"),
            (3_753_000, "1:02:33"),
        ] {
            assert_eq!(clock_text(left), text);
        }
    }

    /// The first thinking time of a match that waits 42 seconds for a player.
    fn first_think(lines: &[(u64, &str)]) -> i32 {
        let mut log = grandstand_replays::Log::live(Game::Gomoku);
        for (seq, (millis, line)) in (1..).zip(lines) {
            let command = grandstand_protocol::Command::parse(Game::Gomoku, line.as_bytes());
            let _ = log.insert(seq, Micros(millis * 1_000), &command);
        }
        let mut index = crate::EventIndex::new(Game::Gomoku);
        index.update(&log, f64::INFINITY, || true);
        let plots = &index.findings().plots;
        let plot = plots.iter().find(|plot| plot.title == "Thinking time").expect("a plot");
        plot.series[0].points[0].value
    }

    #[test]
    fn waiting_for_a_player_is_no_thinking() {
        let set_up = [(0, "board 15"), (0, "turn black"), (0, "clock black 300000 stopped")];
        let at_once = [(42_000, "clock black 300000 running"), (42_000, "clock black 299999 stopped")];
        let moves = |t| [(t, "move black h8"), (t, "turn white")];
        assert_eq!(first_think(&[&set_up[..], &at_once, &moves(42_000)].concat()), 0);
        let later = [(42_000, "clock black 300000 running"), (43_500, "clock black 298500 stopped")];
        assert_eq!(first_think(&[&set_up[..], &later, &moves(43_500)].concat()), 1_500);
        // Without clocks the match begins with its first line.
        assert_eq!(first_think(&[&set_up[..2], &moves(2_000)].concat()), 2_000);
    }
}

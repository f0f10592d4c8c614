//! Gomoku and Pente: events, figures and words.

pub mod text;

use grandstand_protocol::stones::{self, Point, Scene, Team};
use grandstand_protocol::turn::Command as Common;
use grandstand_protocol::turn::FORCED;
use grandstand_protocol::{Command, Game, Micros, Place, Scene as AnyScene, TeamInfo};
use serde_json::Value;

use super::turns;
use crate::evaluation::COUNTED_PLIES;
use crate::findings::Findings;
use crate::format::capitalised;
use crate::game::{EventNames, GameStory, Group, Line, MoveForm, Sample, TurnState, event_names, recording};
use crate::markers::kind;
use crate::plots::Plot;
use crate::sides::{Badge, Side, two_sides};

/// Indices of the plots.
const THINKING: usize = 0;
const EVALUATION: usize = 1;
const CAPTURES: usize = 2;
/// Number of captured pairs that win.
pub const PAIRS: u32 = 5;

fn pairs(scene: &Scene, team: Team) -> i32 {
    i32::try_from(scene.captures(team)).unwrap_or(i32::MAX)
}

/// What the rules ask of the next stone.
enum Demand {
    /// The centre.
    Centre,
    /// [`FAR`] points from the centre at least.
    Far,
}

/// Distance from the centre that the second black stone has by the tournament rule, in points.
const FAR: u16 = 3;

fn demand(scene: &Scene, rules: Option<&Value>) -> Option<Demand> {
    let rules = rules?;
    match scene.ply() {
        0 if rules["OPENING"] == "centre" => Some(Demand::Centre),
        2 if rules["TOURNAMENT"] == true => Some(Demand::Far),
        _ => None,
    }
}

/// The only point where the next stone may go, by the rule of the opening.
pub fn only_point(scene: &Scene, rules: Option<&Value>) -> Option<Point> {
    matches!(demand(scene, rules), Some(Demand::Centre)).then(|| scene.size().centre())
}

/// Reason why the next stone can't go to a point, as far as the scene and the rules show it.
pub fn refusal(scene: &Scene, rules: Option<&Value>, point: Point) -> Option<String> {
    let centre = scene.size().centre();
    let far = point.x().abs_diff(centre.x()).max(point.y().abs_diff(centre.y()));
    match (scene.stone(point), demand(scene, rules)) {
        (Some(stone), _) => Some(format!("A {} stone is here", stone.team.name())),
        (None, _) if scene.forbidden().contains(&point) => Some("Forbidden for black".to_owned()),
        (None, Some(Demand::Centre)) if point != centre => Some(format!("Not the centre, {centre}")),
        (None, Some(Demand::Far)) if far < FAR => Some(format!("Too near the centre, {centre}")),
        _ => None,
    }
}

/// Records that a player moves with a forced end in sight, by the last thought before the move. It stays what the player saw first, also
/// where a shorter search no longer finds it, until a thought speaks for the other side: then that end did not come.
fn record_forced(scene: &Scene, team: Team, at: (u64, Micros), findings: &mut Findings) {
    // Each player is a topic.
    let topic = u8::from(team != Team::ALL[0]);
    let own = if team == Team::ALL[0] { 1 } else { -1 };
    let series =
        findings.plots.get(EVALUATION).and_then(|plot| plot.series.iter().find(|one| one.key == team.name()));
    let seen = |until| series.and_then(|series| series.until(until));
    let mut moves = findings.moves.list().iter().rev();
    let moved = moves.find(|made| made.side == team.index() && made.seq < at.0).map_or(0, |made| made.seq);
    let Some(now) = seen(at.0).filter(|thought| thought.seq > moved) else { return };
    let score = now.value.saturating_mul(own);
    let known = findings.markers.turning_point(topic).and_then(|marker| seen(marker.seq));
    let known = known.map_or(0, |thought| thought.value.saturating_mul(own).signum());
    let event = match scene.forced_in(score) {
        Some(_) if score.signum() == known => return,
        Some(plies) => {
            let end = if score > 0 { "win" } else { "loss" };
            let what = match plies.div_ceil(2) {
                0 => format!("Forced {end} seen by"),
                moves => format!("{} in {moves} seen by", capitalised(end)),
            };
            Some((kind::FORCED, team.index(), what))
        }
        None if known != 0 && score.signum() == -known => None,
        None => return,
    };
    findings.turning_point(topic, at, event);
}

/// Topic of [`Findings::turning_point`] beside those of the players: who is ahead as both see it.
const AHEAD: u8 = 2;

/// Records since when the last thoughts of both players speak for the same one.
fn record_ahead(at: (u64, Micros), findings: &mut Findings) {
    let Some(plot) = findings.plots.get(EVALUATION) else { return };
    let thoughts =
        plot.series.iter().map(|series| series.until(at.0).map_or(0, |point| point.value.signum()));
    let ahead: Option<u8> = match thoughts.collect::<Vec<_>>()[..] {
        [1, 1] => Some(0),
        [-1, -1] => Some(1),
        _ => None,
    };
    let known = findings.markers.turning_point(AHEAD).and_then(|marker| marker.side);
    if known != ahead {
        let event = |side: u8| (kind::AHEAD, side.into(), "Ahead in both evaluations:".to_owned());
        findings.turning_point(AHEAD, at, ahead.map(event));
    }
}

impl GameStory for Scene {
    fn forced_in(&self, score: i32) -> Option<u32> {
        let plies = FORCED.unsigned_abs().saturating_sub(score.unsigned_abs());
        (plies < COUNTED_PLIES).then_some(plies)
    }

    /// Names from commands take precedence over those of the header.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Team| (team.color(), team.name(), Badge::Stone(team), pairs(self, team));
        let mut sides = two_sides(teams, Team::ALL.map(own));
        turns::name_sides(self.table(), &mut sides);
        sides
    }

    fn turns(&self) -> Option<&dyn TurnState> {
        Some(self.table())
    }

    fn progress_text(&self) -> String {
        turns::moment(self.ply())
    }

    fn how_to_move(&self) -> Option<&'static str> {
        Some("click a point")
    }

    fn demand(&self, rules: Option<&Value>) -> Option<String> {
        let centre = self.size().centre();
        Some(match demand(self, rules)? {
            Demand::Centre => format!("The first stone goes on the centre, {centre}"),
            Demand::Far => format!("At least three points from the centre, {centre}"),
        })
    }

    fn ply(&self) -> u32 {
        self.ply()
    }

    fn move_form(&self) -> MoveForm {
        MoveForm { hint: "move", example: format!("A point, such as {}", self.size().centre()) }
    }

    /// Gomoku has no score.
    fn scores(&self) -> Vec<(String, i32)> {
        if self.game() != Game::Pente {
            return Vec::new();
        }
        Team::ALL.map(|team| (capitalised(team.name()), pairs(self, team))).into()
    }

    fn score_unit(&self) -> (&'static str, &'static str) {
        ("captured pair", "captured pairs")
    }

    fn winning_score(&self, _: Option<&Value>) -> Option<i32> {
        (self.game() == Game::Pente).then_some(PAIRS as i32)
    }

    /// The size, and the opening and the rule if they are not the default.
    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        let size = rules.and_then(|rules| rules.get("SIZE")?.as_u64()).unwrap_or(self.size().get().into());
        let mut parts = vec![format!("{size}×{size}")];
        let named = |name: &str| rules.and_then(|rules| rules.get(name)?.as_str());
        let unusual = [
            named("RULE").filter(|rule| !matches!(*rule, "freestyle" | "pente")),
            named("OPENING").filter(|opening| *opening != "centre"),
        ];
        parts.extend(
            unusual
                .into_iter()
                .flatten()
                .filter(|word| !word.is_empty() && word.len() <= 20)
                .map(str::to_owned),
        );
        parts
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Team::ALL.map(Team::name);
        let mut plots = turns::plots(&teams);
        if self.game() == Game::Pente {
            plots.push(Plot::steps("Captured pairs", &teams).that_wins());
        }
        plots
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let team = Team::ALL.into_iter().find(|other| other.name() == team)?;
        (plot == CAPTURES).then(|| i32::try_from(self.captures(team)).unwrap_or(i32::MAX))
    }

    fn events(&self) -> &'static EventNames {
        event_names!("capture, row, forced win or long thought")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let AnyScene::Stones(after) = group.after else { return };
        let (mut ply, mut size) = (self.ply(), self.size());
        for (seq, t, command) in group.commands {
            let Command::Stones(command) = command else { continue };
            match command {
                stones::Command::Board { size: drawn } => (ply, size) = (0, *drawn),
                // The scene ignores a move off the board.
                stones::Command::Move { team, point } if size.has(*point) => {
                    ply = ply.saturating_add(1);
                    record_forced(self, *team, (*seq, *t), findings);
                    record_ahead((*seq, *t), findings);
                    findings.moves.put((*seq, *t), ply, team.index(), point.to_string());
                    turns::record_move(self.table(), *team, *seq, *t, findings, THINKING);
                }
                stones::Command::Common(Common::LateThought(late)) => {
                    let at = findings.moves.place_after(late.ply).unwrap_or((*seq, *t));
                    turns::record_late_thought(late, (*seq, *t), findings, EVALUATION);
                    record_forced(self, late.thought.team, at, findings);
                    record_ahead(at, findings);
                }
                stones::Command::Common(Common::Thought(thought)) => {
                    turns::record_thought(thought, (*seq, *t), findings, EVALUATION)
                }
                stones::Command::Captures { team, pairs } => {
                    let value = i32::try_from(*pairs).unwrap_or(i32::MAX);
                    findings.put(CAPTURES, team.name(), (*seq, *t), value);
                    if *pairs > self.captures(*team) {
                        findings.event((*seq, *t), kind::CAPTURE, team.index(), "Capture by", true);
                        findings.moves.takes();
                    }
                }
                stones::Command::Five { from, .. } => {
                    let side = after.stone(*from).map_or(0, |stone| stone.team.index());
                    findings.event((*seq, *t), kind::ROW, side, "Five in a row:", true);
                }
                _ => {}
            }
        }
    }

    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        text::tell(self, group)
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Point(point) = place else { return None };
        self.size().has(point).then(|| text::describe(self, point))
    }

    fn became(&self, place: Place, now: &str) -> String {
        let captured = |point: Point| {
            let (taken, last) = (self.stone(point)?, self.last()?);
            let by = self.stone(last).filter(|by| by.team != taken.team)?;
            Some(format!("Captured by {}’s move {} ({last}).", by.team, by.number?))
        };
        let point = match place {
            Place::Point(point) if self.game() == Game::Pente => Some(point),
            _ => None,
        };
        point.and_then(captured).unwrap_or_else(|| format!("{}.", capitalised(now)))
    }

    fn is_event(&self, command: &Command) -> bool {
        !matches!(command, Command::Stones(stones::Command::Set { .. }))
    }

    fn widest_place(&self) -> Option<Place> {
        let last = self.size().get() - 1;
        Point::new(last, last).map(Place::Point)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Stones(stones::Command::Common(common)) = command else { return None };
        turns::said(common)
    }

    fn sample(&self) -> Option<Sample> {
        let recording: &[u8] = match self.game() {
            Game::Pente => recording!("pente-stupid-stupid.replay"),
            _ => recording!("gomoku-stupid-stupid.replay"),
        };
        Some(Sample { game: self.game(), recording, poster: 85 })
    }
}

#[cfg(test)]
mod tests {
    use grandstand_replays::Log;
    use serde_json::json;

    use super::*;
    use crate::EventIndex;

    #[test]
    fn a_forced_end_is_a_moment_where_its_player_saw_it_first_for_good() {
        let mut log = Log::live(Game::Gomoku);
        let lines = [
            "board 15",
            "thought black 29991 9 900 h8",
            "move black h8",
            "thought white 40 4 900 i9",
            "move white i9",
            "thought black 120 9 900 a1",
            "move black a1",
            "thought white 29987 9 900 i10",
            "move white i10",
            "thought black -40 9 900 a2",
            "move black a2",
            // Another one speaks for it, but does not find it.
            "thought white 50 1 9 e1",
            "thought white 389 5 90 e1",
            "move white e1",
            "thought black -40 9 900 e2",
            "move black e2",
            // A search finds the win again that it has seen, after depths that don't.
            "thought white 50 1 9 i11",
            "thought white 700 5 90 i11",
            "thought white 29989 9 900 i11",
            "move white i11",
            "thought black -29990 9 900 a3",
            "move black a3",
        ];
        for (seq, line) in (1..).zip(lines) {
            let _ = log.insert(seq, Micros(seq * 1_000_000), &Command::parse(Game::Gomoku, line.as_bytes()));
        }
        let mut index = EventIndex::new(Game::Gomoku);
        while index.update(&log, f64::INFINITY, || true) {}
        let markers = &index.findings().markers;
        let forced = markers.list().iter().filter(|marker| markers.kind(marker) == kind::FORCED);
        let told: Vec<_> =
            forced.map(|marker| (marker.seq, &*marker.what, marker.side, marker.major)).collect();
        assert_eq!(told, [(9, "Win in 7 seen by", Some(1), true), (22, "Loss in 5 seen by", Some(0), true)]);
    }

    #[test]
    fn a_moment_tells_since_when_one_is_ahead_as_both_see_it() {
        let signed = |score: i32| if score < 0 { format!("~{}", -score) } else { score.to_string() };
        let told = |thoughts: &[(&str, i32)]| {
            let mut log = Log::live(Game::Gomoku);
            let lines = thoughts.iter().zip(1_u8..).flat_map(|((team, score), column)| {
                let at = format!("{}1", char::from(b'a' + column));
                [format!("thought {team} {} 5 90 {at}", signed(*score)), format!("move {team} {at}")]
            });
            for (seq, line) in (1..).zip(["board 15".to_owned()].into_iter().chain(lines)) {
                let command = Command::parse(Game::Gomoku, line.as_bytes());
                let _ = log.insert(seq, Micros(seq * 1_000_000), &command);
            }
            let mut index = EventIndex::new(Game::Gomoku);
            while index.update(&log, f64::INFINITY, || true) {}
            let markers = index.findings().markers.list().iter();
            markers.map(|marker| (marker.seq, marker.what.to_string(), marker.side)).collect::<Vec<_>>()
        };
        let ahead = |seq, side| vec![(seq, "Ahead in both evaluations:".to_owned(), Some(side))];
        // White speaks for black at command 5.
        let first = [("black", 30), ("white", -20), ("black", 40)];
        assert_eq!(told(&first), ahead(5, 0));
        // They disagree; then both speak for white, and that stays.
        let second = [("white", 10), ("black", 5), ("white", 60), ("black", -30), ("white", 70)];
        assert_eq!(told(&[&first[..], &second[..1]].concat()), []);
        assert_eq!(told(&[&first[..], &second[..]].concat()), ahead(15, 1));
    }

    #[test]
    fn a_guess_beside_the_only_move_is_no_evaluation_of_a_player_that_searches() {
        let evaluations = |lines: &[&str]| {
            let mut log = Log::live(Game::Pente);
            for (seq, line) in (1..).zip(lines) {
                let _ = log.insert(seq, Micros(seq * 1_000), &Command::parse(Game::Pente, line.as_bytes()));
            }
            let mut index = EventIndex::new(Game::Pente);
            while index.update(&log, f64::INFINITY, || true) {}
            let found: Vec<Option<i32>> =
                index.findings().moves.list().iter().map(|made| made.score).collect();
            found
        };
        let searches = [
            "board 19",
            "thought black 29970 12 900 h8",
            "move black h8",
            "thought white ~40 4 900 i9",
            "move white i9",
            "thought black 117 0 1 a1",
            "move black a1",
        ];
        assert_eq!(evaluations(&searches), [Some(29_970), Some(-40), None]);
        let tells_no_depth = ["board 19", "thought black 20 0 0 h8", "move black h8"];
        assert_eq!(evaluations(&tells_no_depth), [Some(20)]);
    }

    #[test]
    fn the_first_stone_has_one_point_where_the_rule_says_so() {
        let mut scene = AnyScene::new(Game::Gomoku);
        scene.apply(1, Micros(0), &Command::parse(Game::Gomoku, b"board 15"));
        let only = |scene: &AnyScene, rules: Value| {
            let AnyScene::Stones(scene) = scene else { return None };
            only_point(scene, Some(&rules)).map(|point| point.to_string())
        };
        assert_eq!(only(&scene, json!({"OPENING": "centre"})).as_deref(), Some("h8"));
        assert_eq!(only(&scene, json!({"OPENING": "free"})), None);
        scene.apply(2, Micros(0), &Command::parse(Game::Gomoku, b"move black h8"));
        assert_eq!(only(&scene, json!({"OPENING": "centre"})), None);
    }
}

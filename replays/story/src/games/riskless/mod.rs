//! Riskless: events, figures and words.

mod regions;
pub mod text;
mod turning_points;

use grandstand_protocol::riskless::{self, Scene, Team};
use grandstand_protocol::team::RedBlue;
use grandstand_protocol::turn::{Command as Common, FORCED};
use grandstand_protocol::{Command, Game, Place, Scene as AnyScene, TeamInfo};
use serde_json::Value;

use super::{maps, turns};
use crate::distance::{self, Distance};
use crate::evaluation;
use crate::findings::Findings;
use crate::format::capitalised;
use crate::game::{EventNames, GameStory, Group, Line, MoveForm, Sample, TurnState, event_names, recording};
use crate::markers::kind;
use crate::plots::Plot;
use crate::sides::{Badge, Side, two_sides};

/// Indices of the plots.
const THINKING: usize = 0;
const EVALUATION: usize = 1;
const ARMIES: usize = 2;
const TERRITORIES: usize = 3;

/// Maxie and Minnie have the emblems of red and blue.
pub fn squad(team: Team) -> RedBlue {
    match team {
        Team::Maxie => RedBlue::Red,
        Team::Minnie => RedBlue::Blue,
    }
}

fn armies(scene: &Scene, team: Team) -> i32 {
    i32::try_from(scene.armies(team)).unwrap_or(i32::MAX)
}

impl GameStory for Scene {
    /// Names from commands take precedence over those of the header.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Team| (team.color(), team.name(), Badge::Squad(squad(team)), armies(self, team));
        let mut sides = two_sides(teams, Team::ALL.map(own));
        turns::name_sides(self.table(), &mut sides);
        sides
    }

    fn turns(&self) -> Option<&dyn TurnState> {
        Some(self.table())
    }

    /// The shipped players cut a guess off below a forced win: the largest one is no number.
    fn score_text(&self, score: i32) -> String {
        match score {
            _ if score == FORCED - 1 => "winning".to_owned(),
            _ if score == 1 - FORCED => "losing".to_owned(),
            _ => evaluation::score_text(score, self.forced_in(score)),
        }
    }

    fn progress_text(&self) -> String {
        turns::moment(self.ply())
    }

    fn how_to_move(&self) -> Option<&'static str> {
        Some("click a territory of yours, then its target")
    }

    fn ply(&self) -> u32 {
        self.ply()
    }

    /// The example is a road of the map, from a territory of the side to move if there is one.
    fn move_form(&self) -> MoveForm {
        let own = |place: u8| self.holding(place).is_some_and(|held| Some(held.team) == self.table().turn());
        let roads = || self.roads().iter().flat_map(|road| [(road.a, road.b), (road.b, road.a)]);
        let road = roads().find(|(from, _)| own(*from)).or(roads().next());
        let such_as = road.and_then(|(from, to)| {
            let [start, end] =
                [self.territory(from)?, self.territory(to)?].map(|place| place.name.to_string());
            Some(format!(", such as {from}-{to} for {start} to {end}"))
        });
        let example = format!("Two territories by number or name{}", such_as.unwrap_or_default());
        MoveForm { hint: "from-to", example }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Team::ALL.map(|team| (capitalised(squad(team).name()), armies(self, team))).into()
    }

    fn score_unit(&self) -> (&'static str, &'static str) {
        ("army", "armies")
    }

    fn winning_score(&self, _: Option<&Value>) -> Option<i32> {
        i32::try_from(self.map()?.goal).ok()
    }

    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        let drawn = || self.map().map(|map| map.title.to_string()).filter(|title| !title.is_empty());
        maps::name(rules).or_else(drawn).into_iter().collect()
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Team::ALL.map(Team::name);
        let mut plots = turns::plots(&teams);
        plots.push(Plot::steps("Armies", &teams).that_wins());
        plots.push(Plot::steps("Territories", &teams));
        plots
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let team = Team::ALL.into_iter().find(|other| other.name() == team)?;
        match plot {
            ARMIES => Some(armies(self, team)),
            TERRITORIES => Some(self.held(team) as i32),
            _ => None,
        }
    }

    fn events(&self) -> &'static EventNames {
        event_names!("battle or long thought")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let AnyScene::Riskless(after) = group.after else { return };
        let at = (group.seq(), group.t());
        let mut ply = self.ply();
        // The answer to a move may come at the same time as the move.
        let mut last = self.last();
        for (seq, t, command) in group.commands {
            let Command::Riskless(command) = command else { continue };
            match command {
                // The scene ignores a move between territories that there are not.
                riskless::Command::Move(march)
                    if [march.from, march.to].iter().all(|place| after.territory(*place).is_some()) =>
                {
                    ply = ply.saturating_add(1);
                    last = Some(*march);
                    let (from, to) = (text::name(after, march.from), text::name(after, march.to));
                    findings.moves.put((*seq, *t), ply, march.team.index(), format!("{from} → {to}"));
                    turns::record_move(self.table(), march.team, *seq, *t, findings, THINKING);
                }
                riskless::Command::Common(Common::LateThought(late)) => {
                    turns::record_late_thought(late, (*seq, *t), findings, EVALUATION);
                }
                riskless::Command::Common(Common::Thought(thought)) => {
                    turns::record_thought(thought, (*seq, *t), findings, EVALUATION);
                }
                riskless::Command::Battle(battle) => {
                    let Some(march) = last else { continue };
                    let won = battle.attackers >= battle.defenders;
                    let team = if won { march.team } else { march.team.opponent() };
                    let (kind, what) = match after.territory(march.to) {
                        Some(taken) if won => (kind::CONQUEST, format!("{} taken by", taken.name)),
                        _ => (kind::BATTLE, "Battle won by".to_owned()),
                    };
                    let loser = team.opponent();
                    let is_last = self.held(loser) > 0 && after.held(loser) == 0;
                    findings.event((*seq, *t), kind, team.index(), what, is_last);
                    if won {
                        findings.moves.takes();
                    }
                }
                _ => {}
            }
        }
        if let Some(march) = last.filter(|_| ply > self.ply()) {
            turning_points::record([self, after], march, at, findings);
        }
        for team in Team::ALL {
            for plot in [ARMIES, TERRITORIES] {
                findings.put(plot, team.name(), at, after.figure(plot, team.name()).unwrap_or(0));
            }
        }
    }

    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        text::tell(self, group)
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Territory(number) = place else { return None };
        self.territory(number).map(|_| text::describe(self, number))
    }

    fn contents(&self, place: Place) -> Option<String> {
        let Place::Territory(number) = place else { return None };
        self.territory(number).map(|_| text::contents(self, number))
    }

    fn is_event(&self, command: &Command) -> bool {
        !matches!(command, Command::Riskless(riskless::Command::Set { .. }))
    }

    fn distance(&self, from: Place, to: Place) -> Option<Distance> {
        let (Place::Territory(from), Place::Territory(to)) = (from, to) else { return None };
        Some(distance::roads(self, from, to))
    }

    fn widest_place(&self) -> Option<Place> {
        self.territories().map(|place| place.id).max().map(Place::Territory)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Riskless(riskless::Command::Common(common)) = command else { return None };
        turns::said(common)
    }

    fn sample(&self) -> Option<Sample> {
        let recording = recording!("riskless-alphabeta-random.replay");
        Some(Sample { game: Game::Riskless, recording, poster: 70 })
    }
}

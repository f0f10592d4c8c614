//! λ-Shark: events, figures and words.

mod changes;
pub mod text;

use grandstand_protocol::shark::{Bot, Scene, Sprite, Team};
use grandstand_protocol::{Command, Game, Micros, Place, Scene as AnyScene, TeamInfo, shark};

use self::changes::{Change, changes};
use serde_json::Value;

use super::maps;
use crate::findings::Findings;
use crate::format::capitalised;
use crate::format::count;
use crate::game::{
    ChatLine, EventNames, GameStory, Group, Line, Redraw, Sample, SceneResult, event_names, recording,
};
use crate::markers::kind;
use crate::plots::Plot;
use crate::sides::{Badge, Side, two_sides};
use crate::units::UnitStat;

/// Indices of the plots.
const FLAGS: usize = 0;
const ROBOTS: usize = 1;

impl GameStory for Scene {
    /// Names of the header take precedence over those from commands.
    fn sides(&self, teams: &[TeamInfo]) -> Vec<Side> {
        let own = |team: Team| (team.color(), team.name(), Badge::Squad(team), self.score(team));
        let mut sides = two_sides(teams, Team::ALL.map(own));
        for (side, team) in sides.iter_mut().zip(Team::ALL) {
            if let Some(name) = self.name(team)
                && side.name == capitalised(team.name())
            {
                side.name = name.replace('_', " ");
            }
        }
        sides
    }

    fn talk(&self) -> Vec<ChatLine<'_>> {
        ChatLine::all(self.talk())
    }

    fn verdict(&self) -> Option<SceneResult> {
        match self.winner() {
            Some(verdict) => Some(verdict.winner().map(Team::index).into()),
            None => self.won().map(|words| SceneResult::Said(words.to_string())),
        }
    }

    fn progress_text(&self) -> String {
        match self.steps() {
            Some(steps) => count(steps, "step", "steps"),
            None if self.time().is_empty() => "Start".to_owned(),
            None => self.time().to_string(),
        }
    }

    fn scores(&self) -> Vec<(String, i32)> {
        Team::ALL.map(|team| (capitalised(team.name()), self.score(team))).into()
    }

    fn variant(&self, rules: Option<&Value>) -> Vec<String> {
        maps::name(rules).into_iter().collect()
    }

    fn plots(&self) -> Vec<Plot> {
        let teams = Team::ALL.map(Team::name);
        vec![Plot::steps("Flags", &teams), Plot::steps("Robots", &teams)]
    }

    fn figure(&self, plot: usize, team: &str) -> Option<i32> {
        let team = Team::ALL.into_iter().find(|other| other.name() == team)?;
        match plot {
            FLAGS => Some(self.score(team)),
            ROBOTS => Some(robots(self)[team.index()] as i32),
            _ => None,
        }
    }

    fn events(&self) -> &'static EventNames {
        event_names!("flag, point or death")
    }

    fn record(&self, group: &Group<'_>, findings: &mut Findings) {
        let AnyScene::Shark(after) = group.after else { return };
        let end = (group.seq(), group.t());
        for team in Team::ALL {
            for plot in [FLAGS, ROBOTS] {
                findings.put(plot, team.name(), end, after.figure(plot, team.name()).unwrap_or(0));
            }
        }
        let mut beams = Vec::new();
        for (seq, t, command) in group.commands {
            let Command::Shark(shark::Command::Shot(shot)) = command else { continue };
            let by = pid_at(self, shot.from()).or_else(|| pid_at(after, shot.from()));
            if let Some(by) = by {
                findings.unit_stat(by, UnitStat::Shots, (*seq, *t), 1);
                beams.push((shot.to(), by));
            }
        }
        for (seq, change) in changes(self, group) {
            let at = (seq, group.t());
            // The robot that shot another one.
            let mut shot_by = None;
            match &change {
                Change::Lost { bot, at: place } => {
                    let by = beams.iter().find(|(to, _)| to == place).map(|(_, by)| *by);
                    if let Some(who) = bot.who {
                        let by = by.and_then(|by| GameStory::unit(self, by).or_else(|| after.unit(by)));
                        findings.unit_fell(who.pid, at, by.map(|(_, name)| name));
                    }
                    if let Some(by) = by {
                        findings.unit_stat(by, UnitStat::Kills, at, 1);
                    }
                    shot_by = by;
                }
                Change::Taken { by: Some(Bot { who: Some(who), .. }), .. } => {
                    findings.unit_stat(who.pid, UnitStat::Flags, at, 1);
                }
                Change::Point(team) => {
                    // Who carried the flag until now brought it home.
                    let carrier = self.sprites().find_map(|(_, sprite)| match sprite {
                        Sprite::Bot(bot) if bot.flag && bot.team == *team => bot.who,
                        _ => None,
                    });
                    if let Some(who) = carrier {
                        findings.unit_stat(who.pid, UnitStat::Points, at, 1);
                    }
                }
                _ => {}
            }
            match change {
                Change::Point(team) => findings.event(at, kind::SCORE, team.index(), "Point for", true),
                Change::Taken { flag, .. } => {
                    findings.event(at, kind::FLAG, flag.opponent().index(), "Flag taken by", true);
                }
                Change::Returned(flag) => {
                    findings.event(at, kind::FLAG, flag.index(), "Flag back with", false)
                }
                Change::Lost { bot, .. } => {
                    // Without its last robot a team has lost.
                    let was_last = robots(after)[bot.team.index()] == 0;
                    let number = bot.who.map_or_else(String::new, |who| format!(" {}", who.pid));
                    let what = match shot_by {
                        Some(by) => format!("Robot {by} shoots robot{number} of"),
                        None => format!("Robot{number} died:"),
                    };
                    findings.event(at, kind::DEATH, bot.team.index(), what, was_last)
                }
                _ => {}
            }
        }
    }

    fn narrate(&self, group: &Group<'_>) -> Vec<Line> {
        text::tell(&changes(self, group), |at| group.is_marked(&at.to_string()))
    }

    fn describe(&self, place: Place) -> Option<String> {
        let Place::Tile(at) = place else { return None };
        Some(text::describe(self, at))
    }

    fn has_units(&self) -> bool {
        true
    }

    fn units_at(&self, place: Place) -> Vec<u32> {
        let Place::Tile(at) = place else { return Vec::new() };
        pid_at(self, at).into_iter().collect()
    }

    fn unit(&self, id: u32) -> Option<(Place, String)> {
        let found = self.sprites().find_map(|(at, sprite)| match sprite {
            Sprite::Bot(bot) if bot.who.is_some_and(|who| who.pid == id) => Some((at, text::name(&bot))),
            _ => None,
        });
        found.map(|(at, name)| (Place::Tile(at), name))
    }

    fn unit_state(&self, id: u32) -> Option<String> {
        let bots = self.sprites().filter_map(|(_, sprite)| match sprite {
            Sprite::Bot(bot) => Some(bot),
            Sprite::Wall | Sprite::Powerup => None,
        });
        let bot = bots.into_iter().find(|bot| bot.who.is_some_and(|who| who.pid == id))?;
        Some(text::state(&bot))
    }

    fn terrain(&self, place: Place) -> Option<u8> {
        let Place::Tile(at) = place else { return None };
        self.map().map(|map| map.get(at).letter() as u8)
    }

    fn widest_place(&self) -> Option<Place> {
        "31,15".parse().ok().map(Place::Tile)
    }

    fn chat_message(&self, command: &Command) -> Option<(String, String)> {
        let Command::Shark(shark::Command::Say { team, text }) = command else { return None };
        Some((capitalised(team.name()), text.to_string()))
    }

    /// A step of the game has one time; network delays are small.
    fn group_window(&self) -> Micros {
        Micros(1_000)
    }

    /// Old servers erase a robot and draw it again in lines that may be far apart.
    fn redraw(&self, command: &Command) -> Redraw {
        let robot = |sprite: Sprite| match sprite {
            // Numbers above all pids: robots without a pid are identified by their team only.
            Sprite::Bot(bot) => {
                Some(bot.who.map_or(u64::MAX - bot.team.index() as u64, |who| u64::from(who.pid)))
            }
            Sprite::Wall | Sprite::Powerup => None,
        };
        let Command::Shark(command) = command else { return Redraw::None };
        match command {
            shark::Command::Erase(at) => self.get(*at).and_then(robot).map_or(Redraw::None, Redraw::Erased),
            shark::Command::Draw(draw) => robot(draw.sprite).map_or(Redraw::None, Redraw::Drawn),
            shark::Command::Map { .. } | shark::Command::Time { .. } | shark::Command::Win(_) => {
                Redraw::Boundary
            }
            _ => Redraw::None,
        }
    }

    fn sample(&self) -> Option<Sample> {
        let recording = recording!("shark-shark-stupidbot.replay.zst");
        Some(Sample { game: Game::Shark, recording, poster: 50 })
    }
}

/// Numbers of robots of the teams.
pub fn robots(scene: &Scene) -> [u32; 2] {
    let mut count = [0; 2];
    for (_, sprite) in scene.sprites() {
        if let Sprite::Bot(bot) = sprite {
            count[bot.team.index()] += 1;
        }
    }
    count
}
/// The robot on a tile, where the game server says which it is.
fn pid_at(scene: &Scene, at: shark::Tile) -> Option<u32> {
    match scene.get(at) {
        Some(Sprite::Bot(bot)) => bot.who.map(|who| who.pid),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use grandstand_replays::Log;

    use super::*;
    use crate::EventIndex;
    use crate::markers::Filter;
    use crate::moments::rows;

    #[test]
    fn a_death_names_who_shot_and_a_program_that_ends_is_one_moment() {
        let lines = [
            (0, "draw RED_UP 3 4 17 1"),
            (0, "draw RED_UP 9 9 19 1"),
            (0, "draw BLUE_LEFT 6 4 18 3"),
            (1, "shot 6 4 3 4"),
            (1, "erase 3 4"),
            (
                2,
                r##"#gs marker {"label":"red robot 19 at 9,9: its program ended","kind":"thread-end","team":"red"}"##,
            ),
            (2, "erase 9 9"),
        ];
        let mut log = Log::live(Game::Shark);
        for (seq, (secs, line)) in (1..).zip(lines) {
            let command = Command::parse(Game::Shark, line.as_bytes());
            let _ = log.insert(seq, Micros(secs * 1_000_000), &command);
        }
        let mut index = EventIndex::new(Game::Shark);
        while index.update(&log, f64::INFINITY, || true) {}
        let scene = log.scene_at(log.last_seq());
        let (findings, sides) = (index.findings(), crate::sides(&scene, &[]));
        let list = findings.markers.list();
        let visible = Filter::default().of(&findings.markers, u64::MAX);
        let cast = findings.markers.cast(&sides);
        let rows = rows(findings, &[list], &visible, crate::story(&scene).group_window()).into_iter();
        let told: Vec<String> = rows.map(|row| list[row.at as usize].words(&cast)).collect();
        assert_eq!(told, ["Robot 18 shoots robot 17 of Red", "red robot 19 at 9,9: its program ended"]);
    }
}

//! Words for a match of Riskless.

use grandstand_protocol::Command as AnyCommand;
use grandstand_protocol::riskless::{Battle, Command, Scene, Team};

use super::super::turns;
use super::squad;
use crate::format;
use crate::format::capitalised;
use crate::game::{Group, Line};

/// Name of a territory, or its number.
pub fn name(scene: &Scene, territory: u8) -> String {
    match scene.territory(territory) {
        Some(place) if !place.name.is_empty() => place.name.to_string(),
        _ => format!("territory {territory}"),
    }
}

/// Lines for a group.
pub fn tell(before: &Scene, group: &Group<'_>) -> Vec<Line> {
    let mut scene = before.clone();
    let mut lines = Vec::new();
    for (seq, t, command) in group.commands {
        let AnyCommand::Riskless(command) = command else { continue };
        scene.apply(*seq, *t, command);
        if let Some(text) = sentence(&scene, command) {
            let is_outcome = matches!(command, Command::Common(common) if turns::is_outcome(common));
            lines.push(Line { is_outcome, ..Line::new(*seq, text) });
        }
    }
    lines
}

/// Sentence for a command. `scene` is the position after it.
fn sentence(scene: &Scene, command: &Command) -> Option<String> {
    Some(match command {
        Command::Map(map) if map.title.is_empty() => "The map is set up.".to_owned(),
        Command::Map(map) => format!("The map is set up: {}.", map.title),
        Command::Move(march) => {
            let (from, to) = (name(scene, march.from), name(scene, march.to));
            format!("{}: {from} to {to}.", capitalised(squad(march.team).name()))
        }
        Command::Battle(battle) => {
            let at = name(scene, battle.territory);
            let attacker = scene.last()?.team;
            let (team, what) = match battle.attackers >= battle.defenders {
                true => (attacker, "takes"),
                false => (attacker.opponent(), "holds"),
            };
            let numbers = format!("{} against {}", battle.attackers, battle.defenders);
            format!("Battle at {at}, {numbers}: {} {what} it.", capitalised(squad(team).name()))
        }
        Command::Common(common) => return turns::sentence(common),
        _ => return None,
    })
}

/// Name of the map in the accessibility tree.
pub fn summary(scene: &Scene) -> String {
    let of = |team: Team| {
        let armies = format::count(scene.armies(team), "army", "armies");
        let held = format::count(scene.held(team) as u64, "territory", "territories");
        format!("{} {armies} on {held}", squad(team))
    };
    let last = match scene.last() {
        Some(march) => {
            format!(", last {} {} to {}", squad(march.team), name(scene, march.from), name(scene, march.to))
        }
        None => String::new(),
    };
    format!("Riskless map: {}, {}{last}", of(Team::Maxie), of(Team::Minnie))
}

/// `red, 4 armies`
pub fn contents(scene: &Scene, territory: u8) -> String {
    match scene.holding(territory) {
        Some(held) => {
            format!("{}, {}", squad(held.team), format::count(held.armies.into(), "army", "armies"))
        }
        None => "empty".to_owned(),
    }
}

/// `Alaska (no. 0): red, 4 armies; roads to Kamchatka, Western Canada`
pub fn describe(scene: &Scene, territory: u8) -> String {
    let held = contents(scene, territory);
    let roads = scene.roads().iter().filter_map(|road| match territory {
        t if t == road.a => Some(name(scene, road.b)),
        t if t == road.b => Some(name(scene, road.a)),
        _ => None,
    });
    let mut words = format!("{} (no. {territory}): {held}", name(scene, territory));
    for (index, end) in roads.enumerate() {
        words += if index == 0 { "; roads to " } else { ", " };
        words += &end;
    }
    if let Some(battle) = battle(scene, territory) {
        words += &format!("\n{battle}");
    }
    words
}

/// The battle of the last move, if it was for this territory: `battle: 6 against 2, 4 left; 1 more came`.
fn battle(scene: &Scene, territory: u8) -> Option<String> {
    let battle = scene.battle().filter(|battle| battle.territory == territory)?;
    let Aftermath { left, came, .. } = aftermath(scene, battle, scene.last()?.team);
    let more = if came > 0 { format!("; {came} more came") } else { String::new() };
    Some(format!("battle: {} against {}, {left} left{more}", battle.attackers, battle.defenders))
}

/// What a battle led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aftermath {
    /// The team that holds the territory.
    pub winner: Team,
    /// The armies that it has left of those that fought.
    pub left: u32,
    /// The armies that came to the territory after the battle.
    pub came: u32,
}

/// What a battle led to in which `attacker` attacked.
pub fn aftermath(scene: &Scene, battle: Battle, attacker: Team) -> Aftermath {
    let left = battle.attackers.abs_diff(battle.defenders);
    let winner = if battle.attackers >= battle.defenders { attacker } else { attacker.opponent() };
    let held = scene.holding(battle.territory).filter(|held| held.team == winner);
    Aftermath { winner, left, came: held.map_or(0, |held| held.armies.saturating_sub(left)) }
}

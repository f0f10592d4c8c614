//! Changes by the commands of a group in Steam Fortress.

use std::collections::{BTreeMap, BTreeSet};

use grandstand_protocol::fortress::{Command, Scene, Square, Team, Unit};
use grandstand_protocol::team::Outcome;
use grandstand_protocol::{Command as AnyCommand, Scene as AnyScene};

use crate::game::Group;

/// Change for the words and the events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The board was cleared for a match.
    Init,
    /// A control point has a new owner.
    Control { point: u8, owner: Option<Team>, before: Option<Team> },
    /// A team begins to capture a control point.
    Capture { point: u8, team: Team },
    /// A capture ended without success.
    Broken { point: u8, team: Team },
    /// A unit was destroyed, by `by` if the commands say so.
    Fallen { unit: Unit, by: Option<Unit> },
    /// A unit appears.
    Spawned { unit: Unit, at: Square },
    /// The game is over.
    Over(Outcome<Team>),
}

/// Changes of a group with the numbers of their commands, in order.
pub(super) fn changes(before: &Scene, group: &Group<'_>) -> Vec<(u64, Change)> {
    let AnyScene::Fortress(after) = group.after else { return Vec::new() };
    let mut changes = Vec::new();
    // Who hit a unit last, and the units that have fallen since they appeared.
    let (mut hits, mut fallen) = (BTreeMap::new(), BTreeSet::new());
    let point = |scene: &Scene, n: u8| scene.points().iter().find(|point| point.point == n).copied();
    for (seq, _, command) in group.commands {
        let AnyCommand::Fortress(command) = command else { continue };
        let change = match command {
            Command::Init => {
                changes.clear();
                Some(Change::Init)
            }
            Command::Control { point: n, owner } => {
                let owner_before = point(before, *n).and_then(|point| point.owner);
                let change = Change::Control { point: *n, owner: *owner, before: owner_before };
                (owner_before != *owner).then_some(change)
            }
            Command::Capture { point: n, team, .. } => {
                let was = point(before, *n).and_then(|point| point.capture).map(|capture| capture.team);
                let changed =
                    point(after, *n).map(|point| point.owner) != point(before, *n).map(|point| point.owner);
                match (was, team) {
                    (was, Some(team)) if was != Some(*team) => {
                        Some(Change::Capture { point: *n, team: *team })
                    }
                    // A successful capture is a change of the owner.
                    (Some(was), None) if !changed => Some(Change::Broken { point: *n, team: was }),
                    _ => None,
                }
            }
            Command::Hit { by, on, amount } if *amount > 0 => {
                hits.extend(before.unit(*by).map(|by| (*on, *by)));
                None
            }
            Command::Remove { id } => before
                .unit(*id)
                .filter(|_| fallen.insert(*id))
                .map(|unit| Change::Fallen { unit: *unit, by: hits.get(id).copied() }),
            Command::Spawn { id, at, .. } => {
                fallen.remove(id);
                after.unit(*id).map(|unit| Change::Spawned { unit: *unit, at: *at })
            }
            Command::Over { winner } => Some(Change::Over(*winner)),
            _ => None,
        };
        changes.extend(change.map(|change| (*seq, change)));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::super::text::sentence;
    use super::*;
    use crate::groups::Groups;
    use grandstand_protocol::{Game, Micros};

    /// Sentences for the last group of a match.
    fn told(before: &str, lines: &str) -> Vec<String> {
        let mut groups = Groups::new(AnyScene::new(Game::Fortress));
        let command = |line: &str| match AnyCommand::parse(Game::Fortress, line.as_bytes()) {
            AnyCommand::Unknown(unknown) => panic!("{line}: {:?}", unknown.problem()),
            command => command,
        };
        for (seq, line) in (1..).zip(before.split(", ")) {
            groups.add(seq, Micros(0), command(line));
        }
        groups.close(|_, _| {});
        for (seq, line) in (11..).zip(lines.split(", ")) {
            groups.add(seq, Micros(9), command(line));
        }
        let mut told = Vec::new();
        groups.close(|before, group| {
            let AnyScene::Fortress(before) = before else { return };
            let changes = changes(before, group);
            told.extend(changes.iter().map(|(seq, change)| format!("{seq} {}", sentence(change))));
        });
        told
    }

    const BOARD: &str = "init, point 2 0 0 none, point 3 10 0 blue, \
         spawn 1 red ~1 0 east 1000 soldier, spawn 7 blue 5 ~2 west 1000 medic";

    #[test]
    fn units_fall_by_somebody_and_come_back() {
        let fall = "shot 1 rocket 5 ~2 5 ~2, hit 1 7 400, update 7 5 ~2 west 0, remove 7";
        assert_eq!(told(BOARD, fall), ["14 Blue medic 7 dies at 5,−2, by red soldier 1."]);
        assert_eq!(told(BOARD, "remove 7"), ["11 Blue medic 7 dies at 5,−2."]);
        assert_eq!(told(BOARD, "remove 7, remove 7, remove 7").len(), 1);
        let back = "spawn 7 blue 11 0 west 1000 pyro";
        assert_eq!(told(&format!("{BOARD}, remove 7"), back), ["11 Blue pyro 7 appears at 11,0."]);
        assert_eq!(told(BOARD, "update 1 0 0 north 900"), Vec::<String>::new());
    }

    #[test]
    fn a_capture_begins_breaks_or_changes_the_owner() {
        assert_eq!(told(BOARD, "capture 2 red 5000"), ["11 Red begins to capture point 2."]);
        let before = format!("{BOARD}, capture 2 red 5000");
        assert_eq!(told(&before, "capture 2 red 4500"), Vec::<String>::new());
        assert_eq!(told(&before, "capture 2 none 0"), ["11 Red no longer captures point 2."]);
        let done = "control 2 red, capture 2 none 0";
        assert_eq!(told(&before, done), ["11 Red takes point 2."]);
        assert_eq!(told(BOARD, "control 3 none"), ["11 Point 3 is neutral again."]);
    }

    #[test]
    fn the_end_is_told() {
        assert_eq!(told(BOARD, "over blue"), ["11 Blue wins."]);
        assert_eq!(told(BOARD, "over draw"), ["11 The game is a draw."]);
    }
}

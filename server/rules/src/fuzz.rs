//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant does not hold.

use grandstand_protocol::fortress::Scene;
use grandstand_protocol::{Command, Micros};

use crate::fortress::{
    Action, ActionResult, Hand, Map, Position, Reply, Rules, Setup, Square, Team, Unit, UnitClass, UnitId,
    World, forward, maps,
};
pub use crate::riskless::fuzz::{riskless_map, riskless_play};
pub use crate::shark::fuzz::{shark_map, shark_play};
pub use crate::stones::fuzz::{stones_move, stones_openings, stones_play};

/// Any bytes as a map of Steam Fortress: it is refused with at least one reason, or it is written as it was read.
pub fn fortress_map(data: &[u8]) {
    match Map::parse(data) {
        Ok(map) => {
            let text = map.to_string();
            assert_eq!(Map::parse(text.as_bytes()), Ok(map), "a map reads what it wrote");
            assert_eq!(text.trim_end(), String::from_utf8_lossy(data).replace('\r', "").trim_end());
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            assert!(
                faults.iter().all(|fault| (1..=26).contains(&fault.line) && fault.column >= 1),
                "{faults}"
            );
        }
    }
}

/// Any bytes as actions of ten units: after each action the drawn scene is the projected one, and no two units are on the
/// same square.
pub fn fortress_play(data: &[u8]) {
    let mut world = small_match().expect("the small match is a position");
    let mut scene = Scene::default();
    let mut waiting = 0_usize;
    let mut now = 0;
    for bytes in data.chunks_exact(4) {
        let &[what, unit, x, y] = bytes else { continue };
        // The time jumps occasionally, and often enough for a match to end.
        now += if what & 0x80 == 0 { u64::from(what >> 4) } else { u64::from(y) * 20 };
        let position = Position { x: i64::from(x as i8), y: i64::from(y as i8) / 4 };
        let hand = Hand::ALL[usize::from(x % 2)];
        let action = match what % 12 {
            0..=2 => Action::Move(None),
            3 => Action::Move(Some(hand)),
            4 => Action::Turn(hand),
            5 | 6 => Action::PrimaryAbility(position),
            7 => Action::SecondaryAbility(position),
            8 => Action::Respawn(UnitClass::ALL[usize::from(x % 3)]),
            9 => Action::Scan(i64::from(x as i8)),
            10 => Action::Inspect(position),
            _ => Action::Talk(String::from_utf8_lossy(bytes).into_owned()),
        };
        match world.act(now, UnitId(u32::from(unit % 11)), action) {
            Reply::Later => waiting += 1,
            Reply::Now(ActionResult::ScanData { units: seen }) => assert!(seen.len() <= 10),
            Reply::Now(_) => {}
        }
        waiting -= world.drain_answers().len();
        draw(&mut scene, &mut world);
    }
    world.handle_time(u64::MAX);
    waiting -= world.drain_answers().len();
    draw(&mut scene, &mut world);
    assert!(world.finish().is_some() && waiting == 0, "a match ends, and everybody is answered");
}

/// Ten units close together in the middle of a map, for a short match.
fn small_match() -> Option<World> {
    let rules = Rules {
        time_limit: 20_000,
        point_capture_time: 700,
        respawn_time: 300,
        rocket_cooldown: 1_000,
        ..Rules::default()
    };
    let mut units = Vec::new();
    for id in 0..10_u8 {
        let team = Team::ALL[usize::from(id / 5)];
        let class = UnitClass::ALL[usize::from(id % 3)];
        let at = Square::new(i64::from(id) - 5, i64::from(id % 3) - 1)?;
        units.push(Unit::new(UnitId(id.into()), team, class, at, forward(team), rules.health(class)));
    }
    let owners = [Some(Team::Red), Some(Team::Red), None, Some(Team::Blue), Some(Team::Blue)];
    World::from_setup(&Setup { rules, map: maps::by_name("meadow")?, units, owners }).ok()
}

fn draw(scene: &mut Scene, world: &mut World) {
    for (millis, command) in world.drain_commands() {
        if let Command::Fortress(command) = command {
            scene.apply(0, Micros(millis * 1_000), &command);
        }
    }
    let projected = world.scene();
    assert_eq!(scene.units(), projected.units());
    assert_eq!(scene.fallen(), projected.fallen());
    assert_eq!(scene.points(), projected.points());
    assert_eq!((scene.time(), scene.winner()), (projected.time(), projected.winner()));
    for unit in world.units().iter().filter(|unit| unit.is_living()) {
        assert_eq!(world.unit_at(unit.at), Some(unit));
    }
}

//! Bodies of the fuzz targets of λ-Shark.

use grandstand_protocol::shark::{Heading, Scene, Team};
use grandstand_protocol::{Command, Micros};

use super::{Action, Object, PlayableMap, Rules, World, direction};
use crate::Pid;

/// Any bytes as a map of λ-Shark: it is refused with at least one reason, or it is written as it was read.
pub fn shark_map(data: &[u8]) {
    match PlayableMap::parse(data) {
        Ok(field) => {
            let text = field.map().to_string();
            assert_eq!(PlayableMap::parse(text.as_bytes()), Ok(field.clone()), "a map reads what it wrote");
            assert_eq!(text.trim_end(), String::from_utf8_lossy(data).replace('\r', "").trim_end());
            field.warnings();
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            assert!(
                faults.iter().all(|fault| (1..=17).contains(&fault.line) && (1..=33).contains(&fault.column))
            );
        }
    }
}

/// Any bytes as actions of the robots of a match: after each action the drawn scene is the projected one, and the match
/// ends.
pub fn shark_play(data: &[u8]) {
    let rules = Rules {
        game_length: 5_000,
        health: 2,
        spawn_credits: 9,
        item_delay: 40,
        at_move: 2,
        at_face: 0,
        at_shoot: 5,
        ..Rules::default()
    };
    let Ok(mut world) = World::new(rules, 1, Pid(1), Pid(2)) else { return };
    let mut scene = Scene::default();
    let (mut step, mut next_pid) = (1, 3);
    for bytes in data.chunks_exact(4) {
        let &[what, who, x, y] = bytes else { continue };
        let (x_code, y_code) = (i64::from(x as i8), i64::from(y as i8));
        let index = usize::from(who) % world.bots().len().max(1);
        let pid = world.bots().get(index).map_or(Pid(u32::from(who)), |bot| bot.pid);
        let heading = direction(1 + i64::from(x % 4)).unwrap_or(Heading::Up);
        let action = match what % 16 {
            0..=3 => Action::Move,
            4 | 5 => Action::Face(heading),
            6 => Action::Shoot,
            7 => Action::Inspect { x: x_code, y: y_code },
            8 => Action::Look(heading),
            9 => Action::Nearest(Object::from_code(x_code).unwrap_or(Object::Spawn)),
            10 => Action::MyStats,
            11 => Action::TeamStats,
            12 => Action::Talk(String::from_utf8_lossy(bytes).into_owned()),
            13 => {
                next_pid += u32::from(world.spawn(step, pid, Pid(next_pid)).is_ok());
                continue;
            }
            14 if x == 0 => {
                world.ended(step, pid);
                continue;
            }
            _ => {
                world.end_step(step);
                step += 1 + u64::from(y / 16);
                continue;
            }
        };
        // The result does not matter: the robot may be waiting, or the match over.
        let _ = world.act(step, pid, action);
        assert!(
            world.drain_kills().iter().all(|kill| kill.by.pid == pid && world.bot(kill.bot.pid).is_none())
        );
        draw(&mut scene, &mut world);
    }
    world.end_step(u64::MAX);
    draw(&mut scene, &mut world);
    assert!(world.finish().is_some(), "a match ends");
}

fn draw(scene: &mut Scene, world: &mut World) {
    for (_, command) in world.drain_commands() {
        if let Command::Shark(command) = command {
            scene.apply(0, Micros(0), &command);
        }
    }
    let projected = world.scene();
    assert!(scene.sprites().eq(projected.sprites()), "what is drawn is what is there");
    for team in Team::ALL {
        let figures = |scene: &Scene| (scene.is_full(team), scene.credits(team), scene.score(team));
        assert_eq!(figures(scene), figures(&projected));
    }
    assert_eq!((scene.time(), scene.winner()), (projected.time(), projected.winner()));
}

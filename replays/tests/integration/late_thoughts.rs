//! Thoughts that are told at the end stand at the positions that they belong to.

use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_replays::{Cursor, Inserted};

use crate::log::live;

/// A person plays a bot, which tells at the end what it thought.
#[test]
fn a_late_thought_stands_at_its_position() {
    let lines = [
        "board 15",
        "move black h8",
        "move white h9",
        "move black i8",
        "move white a1",
        "thought@ 0 black 5 2 9 h8 h9 j8",
        "thought@ 2 black 30 3 9 i8 j8",
        "win white",
    ];
    let commands: Vec<(Micros, Command)> =
        lines.iter().map(|line| (Micros(1), Command::parse(Game::Gomoku, line.as_bytes()))).collect();
    let log = live(Game::Gomoku, &commands);
    let shown = |scene: &Scene| {
        let Scene::Stones(scene) = scene else { panic!("stones") };
        let line = scene.table().thought(grandstand_protocol::stones::Team::Black)?;
        let to_come: Vec<String> = line.to_come().map(|(_, point)| point.to_string()).collect();
        Some((line.thought.score, to_come.join(" ")))
    };
    let expected =
        [(1, 5, "h8 h9 j8"), (2, 5, "h9 j8"), (3, 30, "i8 j8"), (4, 30, "j8"), (5, 30, ""), (8, 30, "")];
    for (seq, score, line) in expected {
        assert_eq!(shown(&log.scene_at(seq)), Some((score, line.to_owned())), "{seq}");
        for from in 0..=8 {
            let mut cursor = Cursor::new(&log);
            cursor.move_to(&log, from);
            cursor.move_to(&log, seq);
            assert_eq!(cursor.scene(), &log.scene_at(seq), "from {from} to {seq}");
        }
    }
    // Who watches live learns of it when it is told, and not before.
    let mut live_log = live(Game::Gomoku, &commands[..5]);
    let mut cursor = Cursor::new(&live_log);
    cursor.move_to(&live_log, 2);
    assert_eq!(shown(cursor.scene()), None);
    assert_eq!(live_log.insert(6, Micros(1), &commands[5].1), Inserted::Added);
    cursor.move_to(&live_log, 2);
    assert_eq!(shown(cursor.scene()), Some((5, "h9 j8".to_owned())));
    assert_eq!(shown(&log.until(5).scene_at(2)), None);
}

//! Tests of λ-Shark and Steam Fortress: boards, panels and moments.

use eframe::egui::{Key, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_gui::Target;
use grandstand_testing::{Folder, recording};

use crate::support::{Window, rewind, shows, wait_for, window};

/// Short match: a red robot takes the flag, is hit, brings the flag home, and destroys the last blue robot.
const SHARK: &[(f64, &str)] = &[
    (0.0, "names Jaws Great_White"),
    (0.0, "spawn 3 2"),
    (0.0, "draw RED_RIGHT 12 7 17 3"),
    (0.0, "draw BLUE_LEFT 20 7 18 1"),
    (0.0, "draw POWERUP_SPAWN 5 5"),
    (0.0, "time 0"),
    (1.0, "erase 12 7"),
    (1.0, "draw RED_RIGHT 13 7 17 3"),
    (2.0, "stand blue empty"),
    (2.0, "draw RED_RIGHT_FLAG 13 7 17 3"),
    (3.0, "shot 20 7 13 7"),
    (3.0, "draw RED_RIGHT_FLAG 13 7 17 2"),
    (4.0, "draw RED_RIGHT 13 7 17 2"),
    (4.0, "stand blue full"),
    (4.0, "score 1 0"),
    (4.0, "say red One for us"),
    (5.0, "shot 13 7 20 7"),
    (5.0, "erase 20 7"),
    (5.0, "time 250000"),
    (5.5, "win red"),
];

/// Two soldiers and a medic: damage, healing, a rocket, a captured point.
const FORTRESS: &[(f64, &str)] = &[
    (0.0, "init"),
    (0.0, "elevation 2 3 high"),
    (0.0, "elevation 2 2 ramp"),
    (0.0, "point 1 ~11 0 red"),
    (0.0, "point 2 0 0 none"),
    (0.0, "point 3 11 0 blue"),
    (0.0, "spawn 1 red ~1 0 east 1000 soldier"),
    (0.0, "spawn 2 red ~2 0 east 1000 medic"),
    (0.0, "spawn 7 blue 5 0 west 1000 soldier"),
    (0.0, "time 300000"),
    (0.0, "capture 2 red 5000"),
    (1.0, "shot 7 rifle ~1 0 ~1 0"),
    (1.0, "hit 7 1 100"),
    (1.0, "update 1 ~1 0 east 900"),
    (1.0, "time 299000"),
    (2.0, "shot 2 medigun ~1 0 ~1 0"),
    (2.0, "hit 2 1 ~100"),
    (2.0, "update 1 ~1 0 east 1000"),
    (3.0, "shot 1 rocket 5 0 5 0"),
    (3.0, "hit 1 7 400"),
    (3.0, "update 7 5 0 west 600"),
    (4.0, "hit 1 7 600"),
    (4.0, "remove 7"),
    (5.0, "control 2 red"),
    (5.0, "capture 2 none 0"),
    (5.0, "time 295000"),
    (6.0, "over red"),
];

/// A window with a match, paused before its first command.
fn open(folder: &Folder, game: &str, lines: &[(f64, &str)]) -> Window {
    let mut map = "map".to_owned();
    for row in 0..16 {
        let middle =
            if row == 7 { "..R.............B..............." } else { "*..r..i.....b..................." };
        map += &format!(" {middle}");
    }
    let mut lines: Vec<(f64, &str)> = lines.to_vec();
    if game == "shark" {
        lines.insert(0, (0.0, &map));
    }
    let path = folder.file("match.replay", recording(game, &lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    rewind(&mut app);
    app.run();
    app
}

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run();
}

#[test]
fn the_shark_board_says_who_is_where_and_how_they_are() {
    let folder = Folder::new();
    let mut app = open(&folder, "shark", SHARK);
    app.key_press_modifiers(eframe::egui::Modifiers::SHIFT, Key::ArrowRight);
    app.run();
    assert!(shows(&app, "λ-Shark board: 1 red and 1 blue robots"), "{app:?}");
    assert!(shows(&app, "12,7: red robot 17, facing right, health 3 of 3"));
    assert!(shows(&app, "16,7: blue flag stand, the flag is here"));
    assert!(shows(&app, "Reds: 0 points, 1 robot, 3 spawn credits"));
    assert!(shows(&app, "Blues: 0 points, 1 robot, 2 spawn credits"));
    assert!(shows(&app, "0 steps"));
}

#[test]
fn the_next_moment_of_a_shark_match_is_a_flag_a_point_or_a_loss() {
    let folder = Folder::new();
    let mut app = open(&folder, "shark", SHARK);
    press(&mut app, Key::N);
    assert!(shows(&app, "the blue flag is away") && shows(&app, "carries the blue flag"));
    // The stop says what happened, also where the list leaves it out.
    assert!(shows(&app, "Flag taken by Reds"), "{app:?}");
    press(&mut app, Key::N);
    assert!(shows(&app, "Reds: 1 point") && shows(&app, "Flags over time: Reds 1, Blues 0"));
    assert!(shows(&app, "Reds: One for us"));
    press(&mut app, Key::N);
    assert!(shows(&app, "1 red and 0 blue robots") && shows(&app, "Robots over time: Reds 1, Blues 0"));
    press(&mut app, Key::N);
    assert!(shows(&app, "No flag, point or death after this"));
    press(&mut app, Key::P);
    press(&mut app, Key::P);
    assert!(shows(&app, "carries the blue flag"));
    press(&mut app, Key::End);
    assert!(shows(&app, "Reds wins"));
}

#[test]
fn a_shark_match_is_told_in_words() {
    let folder = Folder::new();
    let mut app = open(&folder, "shark", SHARK);
    press(&mut app, Key::End);
    for line in [
        "Red 17 takes the blue flag.",
        "Red 17 is hit at 13,7: health 2.",
        "Score: Red 1, Blue 0.",
        "Red says: One for us",
        "Blue 18 dies at 20,7.",
    ] {
        assert!(shows(&app, line), "{line}\n{app:?}");
    }
    assert!(!shows(&app, "Red 17 appears at 13,7."), "a robot that moves does not appear");
}

#[test]
fn a_robot_is_seen_on_its_way() {
    let folder = Folder::new();
    let mut app = open(&folder, "shark", SHARK);
    app.key_press(Key::Space);
    // The move begins after one second; during it the window requests further frames.
    app.run_steps(65);
    assert!(app.ctx.has_requested_repaint());
    app.key_press(Key::Space);
    app.run_steps(3);
    assert!(shows(&app, "13,7: red robot 17"));
    app.run_ok().expect("nothing moves while the match stands still");
}

#[test]
fn the_fortress_board_says_who_is_where_and_how_they_are() {
    let folder = Folder::new();
    let mut app = open(&folder, "fortress", FORTRESS);
    app.key_press_modifiers(eframe::egui::Modifiers::SHIFT, Key::ArrowRight);
    app.run();
    assert!(
        shows(&app, "Steam Fortress board: 2 red and 1 blue units, red holds 1 point, blue 1"),
        "{app:?}"
    );
    assert!(shows(&app, "−1,0: red soldier 1, facing east, health 1,000 of 1,000"));
    assert!(shows(&app, "0,0: control point 2, nobody, red captures it"));
    assert!(shows(&app, "5:00 left"));
    assert!(shows(&app, "Reds: 1 point, soldier 1 health 1,000, medic 2 health 1,000"));
}

#[test]
fn damage_healing_and_points_are_counted_up_to_the_moment_shown() {
    let folder = Folder::new();
    let mut app = open(&folder, "fortress", FORTRESS);
    let nothing =
        "Soldier: Reds 0, Blues 0; Pyro: Reds 0, Blues 0; Medic: Reds 0, Blues 0; Healing: Reds 0, Blues 0";
    assert!(shows(&app, nothing));
    press(&mut app, Key::N);
    assert!(shows(&app, "Soldier: Reds 1000, Blues 100") && shows(&app, "Healing: Reds 100, Blues 0"));
    assert!(shows(&app, "soldier 7 back in 10 seconds"));
    press(&mut app, Key::N);
    assert!(shows(&app, "Control points over time: Reds 2, Blues 1"));
    press(&mut app, Key::N);
    assert!(shows(&app, "No control point or fallen unit after this"));
}

#[test]
fn a_fortress_match_is_told_in_words() {
    let folder = Folder::new();
    let mut app = open(&folder, "fortress", FORTRESS);
    press(&mut app, Key::End);
    for line in [
        "Red begins to capture point 2.",
        "Blue soldier 7 dies at 5,0, by red soldier 1.",
        "Red takes point 2.",
    ] {
        assert!(shows(&app, line), "{line}");
    }
}

#[test]
fn tiles_say_what_is_on_them_when_they_are_pointed_at() {
    let folder = Folder::new();
    let mut app = open(&folder, "fortress", FORTRESS);
    press(&mut app, Key::End);
    let unit = app.get_by_label_contains("−1,0: red soldier 1").rect().center();
    app.hover_at(unit);
    app.run_steps(60);
    assert!(shows(&app, "within reach of control point 2, red's"), "{app:?}");
}

#[test]
fn both_boards_fit_into_small_and_huge_windows() {
    let folder = Folder::new();
    for (game, lines, label) in
        [("shark", SHARK, "λ-Shark board"), ("fortress", FORTRESS, "Steam Fortress board")]
    {
        let path = folder.file(&format!("{game}.replay"), recording(game, lines));
        for size in [Vec2::new(480.0, 400.0), Vec2::new(800.0, 600.0), Vec2::new(3840.0, 2160.0)] {
            let mut app = window(Some(Target::File(path.clone())), size);
            wait_for(&mut app, label);
            app.run_steps(30);
            assert!(shows(&app, "Timeline"));
        }
    }
}

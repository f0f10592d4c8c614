//! Tests of the first screen without a server, and of folders with recordings.

use std::process::{Command, Stdio};

use eframe::egui::{Key, Shape, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::{App, Target};
use grandstand_protocol::{Command as Line, Game, Message, Micros, Scene};
use grandstand_testing::{FakeServer, Folder, replay, respond, summary};

use crate::support::{Window, painted, shows, wait_for, window};

const SIZES: [Vec2; 3] = [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0)];

/// Folder with two different matches and two other files.
fn games() -> Folder {
    let folder = Folder::new();
    folder.file("final.replay", replay());
    folder.file("friendly.replay", replay().replacen("Final", "Friendly", 1));
    folder.file("notes.replay", "some notes");
    folder.file("cut.replay", &replay()[..replay().len() / 2]);
    folder
}

#[test]
fn the_first_start_offers_samples_of_all_games_and_says_nothing_in_red() {
    for size in SIZES {
        let mut app = window(None, size);
        wait_for(&mut app, "Sample: Gomoku");
        for game in ["Robot Abalone", "λ-Shark", "Steam Fortress", "Gomoku", "Pente", "Riskless"] {
            wait_for(&mut app, &format!("Sample: {game}, "));
        }
        assert!(!shows(&app, "No server there"), "{app:?}");
        app.get_by_label_contains("Sample: Gomoku").click();
        wait_for(&mut app, "Pause");
        app.key_press(Key::Escape);
        app.run_steps(4);
        wait_for(&mut app, "Sample: Pente");
    }
}

#[test]
fn a_folder_without_recordings_says_so() {
    let folder = Folder::new();
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[0]);
    wait_for(&mut app, "There are no recordings in this folder.");
    folder.file("final.replay", replay());
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[0]);
    wait_for(&mut app, "Reds");
    assert!(!shows(&app, "no recordings"), "{app:?}");
}

#[test]
fn rows_are_as_wide_as_the_field_above_them_with_a_bar_and_without() {
    let folder = games();
    for (size, target) in SIZES
        .into_iter()
        .flat_map(|size| [(size, None), (size, Some(Target::Folder(folder.path().to_owned())))])
    {
        let label = if target.is_some() { "Final, Finished, Robot Abalone" } else { "Sample: Riskless" };
        let mut app = window(target, size);
        wait_for(&mut app, label);
        app.run_steps(4);
        let left = app.get_by_label("Address or file").rect().left();
        let right = app.get_by_label("Open").rect().right();
        let row = app.get_by_label_contains(label).rect();
        let is_row = label.starts_with("Final");
        assert!((row.right() - right).abs() <= 0.5, "{size}: {row} ends at {right}");
        assert!(!is_row || (row.left() - left).abs() <= 0.5, "{size}: {row} begins at {left}");
        let beside = (size.x - 920.0).max(0.0) / 2.0 + 16.0;
        assert!((left - beside).abs() <= 1.0 && (size.x - right - beside).abs() <= 1.0, "{left}, {right}");
    }
}

#[test]
fn a_folder_is_a_list_with_game_players_result_and_length() {
    let folder = games();
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[1]);
    wait_for(&mut app, "Final, Finished, Robot Abalone");
    wait_for(&mut app, "Friendly, Finished, Robot Abalone");
    wait_for(&mut app, "notes.replay, Not a replay");
    wait_for(&mut app, "No result");
    let told = app.get_by_label_contains("Final, Finished").accesskit_node().label().expect("a label");
    assert!(told.contains("wins") && told.contains("0:"), "{told}");
    assert!(!shows(&app, "Sample: "), "{app:?}");
    app.get_by_label_contains("Friendly, Finished").click();
    wait_for(&mut app, "Pause");
    app.key_press(Key::Escape);
    wait_for(&mut app, "Final, Finished, Robot Abalone");
}

#[test]
fn a_list_is_filtered_by_what_is_typed() {
    let folder = games();
    folder.file("more.replay", replay().replacen("Final", "More", 1));
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[2]);
    wait_for(&mut app, "More, Finished");
    wait_for(&mut app, "Final, Finished");
    let field = app.get_by_label("Filter by players, event, title or file");
    field.focus();
    app.run_steps(2);
    app.get_by_label("Filter by players, event, title or file").type_text("friend");
    app.run_steps(4);
    assert!(shows(&app, "Friendly, Finished") && !shows(&app, "Final, Finished"), "{app:?}");
}

#[test]
fn a_filter_says_how_many_of_all_are_shown_and_takes_no_middle_of_a_games_name() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    let mut app = window(Some(Target::Folder(samples)), SIZES[2]);
    wait_for(&mut app, "Steam Fortress");
    wait_for(&mut app, "λ-Shark");
    let count = |app: &Window| {
        painted(app).into_iter().map(|(text, _)| text).find(|text| text == "11" || text.ends_with(" of 11"))
    };
    assert_eq!(count(&app).as_deref(), Some("11"), "{app:?}");
    app.get_by_label_contains("Filter by players").focus();
    app.run_steps(2);
    app.get_by_label_contains("Filter by players").type_text("team");
    app.run_steps(4);
    // Those of the player `team`; Steam Fortress is none.
    assert_eq!(count(&app).as_deref(), Some("3 of 11"), "{app:?}");
    assert!(!shows(&app, "strong, Finished"), "{app:?}");
}

#[test]
fn in_spoiler_mode_a_list_tells_no_result_and_no_length() {
    let folder = games();
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[1]);
    wait_for(&mut app, "Final, Finished, Robot Abalone");
    app.key_press(Key::S);
    app.run_steps(4);
    let words: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    let told: Vec<String> = app
        .query_all_by_label_contains("Final, Finished")
        .filter_map(|row| row.accesskit_node().label())
        .collect();
    // The row of the damaged match shows no less than the other.
    assert_eq!(told.len(), 2);
    for word in ["wins", "0:0", "Turn", "No result", "Longest"] {
        assert!(!told.iter().chain(&words).any(|text| text.contains(word)), "{word}: {told:?} {words:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_and_a_bomb_in_a_folder_keep_nobody_waiting() {
    let folder = games();
    let pipe = folder.join("pipe.replay");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let line = "[0,\"c\",\"set E0 b1\"]\n".repeat(1 << 16);
    let mut bomb = replay().lines().next().expect("a header").to_owned() + "\n";
    (0..80).for_each(|_| bomb += &line);
    folder.file("bomb.replay", bomb);
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), SIZES[1]);
    wait_for(&mut app, "Friendly, Finished, Robot Abalone");
    wait_for(&mut app, "notes.replay, Not a replay");
    assert!(!shows(&app, "pipe.replay"), "{app:?}");
}

#[test]
fn help_and_version_are_printed_without_a_window() {
    for (option, part) in [("--help", "Usage: grandstand-gui"), ("--version", env!("CARGO_PKG_VERSION"))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grandstand-gui"));
        let output =
            command.arg(option).env_remove("DISPLAY").stdin(Stdio::null()).output().expect("a program");
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains(part));
    }
}

#[test]
fn a_servers_list_tells_how_a_match_stands_but_not_in_spoiler_mode() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, path, stream| {
        if path.contains("/commands?from=3&to=3&scene=1") {
            let commands = vec![Line::parse(Game::Abalone, b"turns 7")];
            let messages = [
                Message::Scene { seq: 2, t: Micros(1_000_000), scene: Scene::new(Game::Abalone) },
                Message::Commands { seq: 3, t: Micros(31_000_000), commands },
            ];
            return respond(stream, "200 OK", &format!("[{}]", messages.map(|one| one.to_json()).join(",")));
        }
        respond(stream, "200 OK", &format!("[{}]", summary("m1", "live", "Derby")));
    });
    let mut app = window(Some(url.parse().expect("a server")), SIZES[1]);
    wait_for(&mut app, "Derby, Live, Robot Abalone, 0 : 0, Turn 7, 0:31");
    app.key_press(Key::S);
    app.run_steps(4);
    assert!(shows(&app, "Derby, Live") && !shows(&app, "Turn 7") && !shows(&app, "0:31"), "{app:?}");
}

#[test]
fn a_local_server_that_ends_leaves_the_samples_and_no_list() {
    let server = FakeServer::new();
    let url = server.url();
    let is_there = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let answers = std::sync::Arc::clone(&is_there);
    let _paths = server.run(move |_, _, stream| {
        if answers.load(std::sync::atomic::Ordering::Relaxed) {
            respond(stream, "200 OK", &format!("[{}]", summary("m1", "live", "Derby")));
        }
    });
    let Target::Server(local) = url.parse().expect("a server") else { panic!("no server: {url}") };
    let harness = Harness::builder().with_size(SIZES[1]).with_max_steps(20_000);
    let mut app = harness.build_eframe(|cc| App::with_local_server(cc, None, local));
    wait_for(&mut app, "Derby, Live");
    is_there.store(false, std::sync::atomic::Ordering::Relaxed);
    app.key_press(Key::R);
    wait_for(&mut app, "Sample: Gomoku");
    assert!(!shows(&app, "Derby, Live") && shows(&app, "No server at "), "{app:?}");
}

#[test]
fn while_a_chosen_server_is_asked_nothing_stands_where_its_list_will() {
    let server = FakeServer::new();
    let url = server.url();
    let (go, held) = std::sync::mpsc::channel::<()>();
    let _paths = server.run(move |_, _, stream| {
        let _ = held.recv();
        respond(stream, "200 OK", &format!("[{}]", summary("m1", "live", "Derby")));
    });
    let target = url.parse().expect("a server");
    // A window is stepped until it rests, and this one does not before the server has answered.
    let harness = Harness::builder().with_size(SIZES[1]).with_max_steps(4);
    let mut app = harness.build_eframe(|cc| App::new(cc, Some(target)));
    assert!(shows(&app, "for its matches…") && !shows(&app, "Sample: "), "{app:?}");
    drop(go);
    wait_for(&mut app, "Derby, Live");
    assert!(!shows(&app, "Sample: "), "{app:?}");
}

#[test]
fn letters_belong_to_a_list_that_has_dropped_down_and_it_shows_all_games() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    let mut app = window(Some(Target::Folder(samples)), Vec2::new(1440.0, 900.0));
    wait_for(&mut app, "Riskless · earth, ");
    wait_for(&mut app, "Pente · 19×19, ");
    app.run_steps(4);
    app.get_by_label("Game: All games").click();
    app.run_steps(6);
    let shapes = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => {
            Some((text.galley.text().to_owned(), clipped.clip_rect, text.visual_bounding_rect()))
        }
        _ => None,
    });
    let whole: Vec<_> =
        shapes.filter(|(_, clip, rect)| clip.contains_rect(*rect)).map(|(text, ..)| text).collect();
    for game in ["Robot Abalone", "λ-Shark", "Steam Fortress", "Gomoku", "Pente", "Riskless"] {
        assert!(whole.iter().any(|text| text == game), "{game}: {whole:?}");
    }
    let theme = app.ctx.theme();
    for key in [Key::T, Key::T, Key::S, Key::M] {
        app.key_press(key);
        app.run_steps(3);
        assert_eq!(app.ctx.theme(), theme, "{key:?}");
    }
    assert!(!shows(&app, "No spoilers") && app.query_all_by_label("Pente").next().is_some(), "{app:?}");
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert!(app.query_all_by_label("Pente").next().is_none(), "{app:?}");
}

#[test]
fn the_file_of_a_row_stands_in_the_row_and_covers_no_other() {
    let folder = games();
    for size in SIZES {
        let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
        wait_for(&mut app, "Friendly, Finished");
        app.run_steps(2);
        let row = app.get_by_label_contains("Final, Finished").rect();
        app.get_by_label_contains("Final, Finished").hover();
        app.run_steps(60);
        let shapes = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text().contains("final.replay") => {
                Some(text.visual_bounding_rect())
            }
            _ => None,
        });
        let told: Vec<_> = shapes.collect();
        assert!(told.iter().all(|rect| row.contains_rect(*rect)), "{size}: {told:?} {row}");
        assert_eq!(told.len(), 1, "{size}");
    }
}

#[test]
fn nothing_is_selected_where_there_are_samples_alone() {
    let mut app = window(None, SIZES[2]);
    wait_for(&mut app, "Sample: Gomoku");
    app.run_steps(2);
    assert!(!shows(&app, "Select…"), "{app:?}");
}

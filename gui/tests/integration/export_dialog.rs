//! The dialog of exports.

use std::collections::HashSet;
use std::path::PathBuf;

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, Shape, TextureId, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_export::{Extra, Look, Moment};
use grandstand_gui::Target;
use grandstand_replays::{Limits, Replay};
use grandstand_testing::Folder;

use crate::export::{decoded, png};
use crate::support;

/// Path of the saved file in the dialog.
fn saved(app: &support::Window) -> PathBuf {
    let saved = app.get_by_label_contains("Saved: ");
    let node = saved.accesskit_node();
    let text = node.label().or(node.value()).expect("a text");
    PathBuf::from(text.lines().next().unwrap_or_default().trim_start_matches("Saved: "))
}

#[test]
fn the_window_exports_the_moment_that_it_shows() {
    let folder = grandstand_testing::Folder::new();
    let mut app = support::open_replay(&folder);
    app.key_press(Key::End);
    app.run();
    app.key_press(Key::E);
    app.run();
    assert!(support::shows(&app, "Export a picture"), "{app:?}");
    assert!(!support::shows(&app, "The whole board"), "the window shows all of it");
    // Below the preview stands which moment it is.
    assert!(support::shows(&app, "Turn 3 · 0:03.5"), "{:?}", support::painted(&app));
    // The dialog takes the keys: the match does not move.
    app.key_press(Key::Home);
    app.key_press(Key::ArrowLeft);
    app.run();
    assert!(support::shows(&app, "Line 16 of 16"), "{app:?}");
    app.get_by_label("320×240").click();
    app.run();
    app.get_by_label("Export").click();
    support::wait_for(&mut app, "Saved: ");
    // By default the file is saved next to the recording.
    let path = saved(&app);
    assert_eq!(path, folder.join("Final turn 3.png"));
    let file = std::fs::read(&path).expect("the file");
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    assert!(
        file == png(&replay, Moment::End, "320x240", Look::dark()),
        "the window's export is that of the command line"
    );
    // The second export gets another name, with a message.
    app.run();
    app.get_by_label("Export another").click();
    app.run();
    app.get_by_label("Export").click();
    support::wait_for(&mut app, "Saved: ");
    assert_eq!(saved(&app), folder.join("Final turn 3-2.png"));
    assert!(support::shows(&app, "The older file of that name was kept"), "{app:?}");
    app.run();
    app.get_by_label("Close").click();
    app.run();
    assert!(!support::shows(&app, "Export a picture"), "{app:?}");
}

#[test]
fn enter_exports_and_the_name_is_that_of_the_file() {
    let folder = grandstand_testing::Folder::new();
    let path = folder.file("final.replay", grandstand_testing::replay().replace("Final", "A – B: 1/2"));
    let mut app =
        support::window(Some(grandstand_gui::Target::File(path)), eframe::egui::vec2(1280.0, 800.0));
    support::wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::End);
    app.run();
    // The key that chooses the command in the palette does not export yet.
    app.key_press_modifiers(Modifiers::COMMAND, Key::K);
    app.run_steps(2);
    app.event(Event::Text("export".to_owned()));
    app.run_steps(2);
    app.key_press(Key::Enter);
    app.run();
    let name = app.get_by_role_and_label(Role::TextInput, "Name").accesskit_node().value();
    assert_eq!(name.as_deref(), Some("A - B- 1-2 turn 3"));
    app.get_by_label("320×240").click();
    app.run();
    app.key_press(Key::Enter);
    support::wait_for(&mut app, "Saved: ");
    assert_eq!(saved(&app), folder.join("A - B- 1-2 turn 3.png"));
    app.run();
    app.get_by_label("Export another").click();
    app.run();
    write(&mut app, "Name", "x:y");
    assert!(support::shows(&app, "Saved as x-y.png"), "{app:?}");
}

#[test]
fn the_caption_names_the_turn_of_the_picture() {
    // Line 430 has the time of the twelfth turn and belongs to the eleventh.
    let mut app = support::sample("abalone", eframe::egui::vec2(1440.0, 900.0));
    app.state_mut().want(430);
    app.run_steps(30);
    assert_eq!(support::line(&app), 430);
    for key in [(Modifiers::NONE, Key::E), (Modifiers::SHIFT, Key::L)] {
        app.key_press_modifiers(key.0, key.1);
        app.run_steps(6);
        let told: Vec<String> = support::painted(&app).into_iter().map(|(text, _)| text).collect();
        let has = |words: &str| told.iter().any(|text| text.contains(words));
        assert!(has("Turn 11 · 0:03.3") && !has("Turn 12"), "{told:?}");
        app.key_press(Key::Escape);
        app.run_steps(4);
    }
}

/// Replaces the text of a field of the dialog.
fn write(app: &mut support::Window, field: &str, text: &str) {
    app.get_by_role_and_label(Role::TextInput, field).focus();
    app.run();
    app.key_press_modifiers(Modifiers::COMMAND, Key::A);
    app.get_by_role_and_label(Role::TextInput, field).type_text(text);
    app.run();
}

#[test]
fn the_export_folder_is_remembered_and_checked() {
    let folder = grandstand_testing::Folder::new();
    let pictures = folder.join("pictures");
    std::fs::create_dir_all(&pictures).expect("a folder");
    let mut app = support::open_replay(&folder);
    app.key_press(Key::E);
    app.run();
    app.get_by_label("SVG").click();
    write(&mut app, "Folder", "/nowhere/at all");
    app.get_by_label("Export").click();
    app.run();
    assert!(support::shows(&app, "There is no folder /nowhere/at all"), "{app:?}");
    write(&mut app, "Folder", &pictures.display().to_string());
    write(&mut app, "Name", "../../up");
    app.key_press(Key::Enter);
    support::wait_for(&mut app, "Saved: ");
    assert_eq!(saved(&app), pictures.join("-..-up.svg"));
    app.key_press(Key::Escape);
    app.run();
    app.key_press(Key::E);
    app.run();
    let field = app.get_by_role_and_label(Role::TextInput, "Folder");
    assert_eq!(field.accesskit_node().value(), Some(pictures.display().to_string()));
}

#[test]
fn an_export_is_the_part_that_is_shown() {
    let folder = grandstand_testing::Folder::new();
    let mut app = support::open_replay(&folder);
    app.key_press(Key::End);
    app.run();
    let board = app.get_by_label_contains("Abalone board").rect();
    app.event(Event::PointerMoved(board.center() + board.size() * 0.1));
    app.event(Event::Zoom(2.5));
    app.run();
    // The names at the edges are off, too.
    app.key_press(Key::C);
    app.key_press(Key::C);
    app.run();
    let mut export = |choice: Option<&str>| {
        app.key_press(Key::E);
        app.run();
        assert!(support::shows(&app, "What the window shows"), "{app:?}");
        app.get_by_label("320×240").click();
        if let Some(choice) = choice {
            app.get_by_label(choice).click();
        }
        app.run();
        app.get_by_label("Export").click();
        support::wait_for(&mut app, "Saved: ");
        let file = std::fs::read(saved(&app)).expect("the file");
        app.key_press(Key::Escape);
        app.run();
        decoded(&file)
    };
    let (part, whole) = (export(None), export(Some("The whole board")));
    let replay = Replay::open(grandstand_testing::replay().as_bytes(), Limits::default()).expect("a replay");
    let bare = Look::dark().with(Extra::Coordinates, false);
    assert!(whole == decoded(&png(&replay, Moment::End, "320x240", bare)), "the options are the window's");
    assert!(part != whole, "the part is enlarged");
}

#[test]
fn the_window_says_what_it_can_not_export_and_stops_when_told() {
    let folder = grandstand_testing::Folder::new();
    let mut app = support::open_replay(&folder);
    app.key_press(Key::E);
    app.run();
    app.get_by_label("GIF").click();
    app.run();
    // A range that ends before it begins.
    for (field, text) in [("From", "9"), ("To", "3")] {
        write(&mut app, field, text);
    }
    app.get_by_label("Export").click();
    app.run();
    assert!(support::shows(&app, "before it begins"), "{app:?}");
    // The button cancels the export of a range; the fields keep their values.
    for (field, text) in [("From", "start"), ("To", "end"), ("Size", "2560x1440")] {
        write(&mut app, field, text);
    }
    app.get_by_label("Export").click();
    // The dialog is smaller now and moves to the middle.
    app.run_steps(4);
    assert!(support::shows(&app, "Drawing Final 0.gif"), "{app:?}");
    app.get_by_label("Cancel").click();
    app.run_steps(3);
    assert!(support::shows(&app, "An animation of a range"), "{app:?}");
    app.key_press(Key::Escape);
    app.run();
    app.key_press(Key::Escape);
    app.run();
    assert!(!support::shows(&app, "Export a picture"), "{app:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder").filter_map(Result::ok).collect();
    assert_eq!(left.len(), 1, "nothing was written: {left:?}");
}

#[test]
fn an_animation_is_played_before_it_is_made_and_its_size_is_told() {
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0)] {
        let folder = Folder::new();
        let file = folder.file("final.replay", grandstand_testing::replay());
        let mut app = support::window(Some(Target::File(file)), size);
        support::wait_for(&mut app, "Pause");
        app.key_press(Key::End);
        app.run();
        app.key_press(Key::E);
        app.run();
        assert!(!support::shows(&app, "frames"), "{app:?}");
        app.get_by_label("GIF").click();
        app.run();
        app.get_by_label("320×240").click();
        app.run();
        support::wait_for(&mut app, "about ");
        let told = support::painted(&app).into_iter().map(|(text, _)| text);
        let told = told.filter(|text| text.contains(" frames · about ")).collect::<Vec<_>>();
        assert!(told.len() == 1 && told[0].ends_with(" KB"), "{told:?}");
        // Its pictures are seen one after the other until a click holds it.
        let mut shown = || {
            app.step();
            app.output().shapes.iter().rev().find_map(|clipped| match &clipped.shape {
                Shape::Rect(rect) => rect.brush.as_ref().map(|brush| brush.fill_texture_id),
                Shape::Mesh(mesh) if mesh.texture_id != TextureId::default() => Some(mesh.texture_id),
                _ => None,
            })
        };
        let seen: HashSet<_> = (0..300).filter_map(|_| shown()).collect();
        assert!(seen.len() > 3, "{seen:?}");
        app.get_by_label("Pause the preview").click();
        app.run_steps(3);
        assert!(support::shows(&app, "Play the preview"), "{app:?}");
    }
}

#[test]
fn both_ends_of_a_range_have_the_same_unit() {
    // Line 430 has the time of lines after it, so a time would not name its picture.
    for (line, is_time) in [(430, false), (2000, true)] {
        let mut app = support::sample("abalone", vec2(1440.0, 900.0));
        match is_time {
            true => app.key_press(Key::End),
            false => app.state_mut().want(line),
        }
        app.run_steps(30);
        app.key_press(Key::E);
        app.run_steps(6);
        app.get_by_label("GIF").click();
        app.run_steps(6);
        for field in ["From", "To"] {
            let value = app.get_by_role_and_label(Role::TextInput, field).accesskit_node().value();
            let value = value.expect("a text");
            assert_eq!(value.contains(':'), is_time, "{field}: {value}");
        }
        let speed = app.get_by_role_and_label(Role::ComboBox, "Speed").rect();
        let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) if text.galley.text() == "Speed" => Some(text.visual_bounding_rect()),
            _ => None,
        });
        assert!(texts.map(|rect| rect.right()).any(|right| right <= speed.left()), "{speed}");
    }
}

#[test]
fn the_caption_of_an_animation_names_the_range_of_the_fields() {
    let mut app = support::sample("abalone", vec2(1440.0, 900.0));
    app.run_steps(10);
    app.key_press(Key::E);
    app.run_steps(6);
    app.get_by_label("GIF").click();
    app.run_steps(6);
    // No command has these times.
    write(&mut app, "From", "0:00.9");
    write(&mut app, "To", "0:03.1");
    app.run_steps(6);
    let told: Vec<String> = support::painted(&app).into_iter().map(|(text, _)| text).collect();
    let names_both = |text: &String| {
        text.split_once(" to ").is_some_and(|(from, to)| from.ends_with("0:00.9") && to.ends_with("0:03.1"))
    };
    assert!(told.iter().any(names_both), "{told:?}");
}

//! Tests of the table of actions: keys, menu and command palette.

use eframe::egui::accesskit::{Role, Toggled};
use eframe::egui::{Event, Key, Modifiers, OutputCommand, PointerButton, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{FakeServer, Folder, commands, hello, replay, respond, send, summary, upgrade};

use crate::support::{Window, line, open_replay, painted, sample, shows, wait_for, window};

fn find(app: &mut Window, typed: &str) {
    app.key_press_modifiers(Modifiers::COMMAND, Key::K);
    app.run_steps(2);
    assert!(shows(app, "Find a command"), "{app:?}");
    app.event(Event::Text(typed.to_owned()));
    app.run_steps(2);
}

fn is_item(role: Role) -> bool {
    matches!(role, Role::MenuItem | Role::MenuItemCheckBox)
}

fn enter(app: &mut Window) {
    app.key_press(Key::Enter);
    app.run_steps(3);
    assert!(!shows(app, "Find a command"), "{app:?}");
}

/// Names in the palette's list, and the selected one.
fn listed(app: &Window) -> (Vec<String>, Option<String>) {
    let lines: Vec<_> = app.query_all_by_role(Role::ListBoxOption).collect();
    let name = |line: &egui_kittest::Node<'_>| line.accesskit_node().label().expect("a name");
    let at = lines.iter().find(|line| {
        line.accesskit_node().is_selected() == Some(true)
            || line.accesskit_node().toggled() == Some(Toggled::True)
    });
    (lines.iter().map(name).collect(), at.map(name))
}

#[test]
fn a_few_letters_find_a_command_and_enter_does_it() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    find(&mut app, "proto");
    let (lines, at) = listed(&app);
    assert_eq!((lines[0].as_str(), at.as_deref()), ("Protocol inspector", Some("Protocol inspector")));
    enter(&mut app);
    assert!(shows(&app, "Filter lines"), "{app:?}");
    // A number is a line; `0:01` is a time.
    find(&mut app, "14");
    enter(&mut app);
    assert!(shows(&app, "Line 14 of 16"), "{app:?}");
    find(&mut app, "0:01");
    enter(&mut app);
    assert!(shows(&app, "Line 9 of 16"), "{app:?}");
}

#[test]
fn what_is_not_possible_now_stands_last_with_the_reason() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    find(&mut app, "loop");
    let (lines, _) = listed(&app);
    assert_eq!(lines.last().map(String::as_str), Some("Loop the range: No range is set"), "{lines:?}");
    enter(&mut app);
    assert!(shows(&app, "No range is set"), "{app:?}");
    find(&mut app, "moves");
    let (lines, _) = listed(&app);
    let first_vain = lines.iter().position(|line| line.contains(": This game has no list of moves"));
    let first_vain = first_vain.expect("the list of moves");
    assert!(lines[first_vain..].iter().all(|line| line.contains(": ")), "{lines:?}");
    app.key_press(Key::Escape);
    app.run_steps(3);
    app.key_press_modifiers(Modifiers::SHIFT, Key::B);
    app.run_steps(3);
    find(&mut app, "loop");
    assert!(listed(&app).0.contains(&"Loop the range".to_owned()), "{app:?}");
}

#[test]
fn the_reason_of_what_is_not_possible_is_whole_and_its_row_is_disabled() {
    let folder = Folder::new();
    for size in [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0)] {
        let path = folder.file("game.replay", replay());
        let mut app = window(Some(Target::File(path)), size);
        wait_for(&mut app, "Pause");
        let vain = |app: &Window| -> Vec<(String, String)> {
            let rows = app.query_all_by_role(Role::ListBoxOption);
            let rows = rows.filter(|row| row.accesskit_node().is_disabled());
            let label = |row: egui_kittest::Node<'_>| row.accesskit_node().label().expect("a name");
            let halves =
                |row: String| row.split_once(": ").map(|(name, why)| (name.to_owned(), why.to_owned()));
            rows.filter_map(|row| halves(label(row))).collect()
        };
        find(&mut app, "loop");
        let all = vain(&app);
        assert!(
            all.iter().any(|(name, why)| name == "Loop the range" && why == "No range is set"),
            "{all:?}"
        );
        assert!(all.iter().all(|(name, _)| name != "Next event"));
        app.key_press(Key::Escape);
        app.run_steps(3);
        let mut seen = 0;
        for typed in
            ["loop", "moves", "program", "seat", "chat", "event", "wall", "mark", "live", "copy", "find"]
        {
            find(&mut app, typed);
            for (name, why) in vain(&app) {
                let cut =
                    painted(&app).into_iter().find(|(text, cut)| *cut && (*text == why || *text == name));
                assert_eq!(cut, None, "{size} {typed}: {name}: {why}");
                seen += 1;
            }
            app.key_press(Key::Escape);
            app.run_steps(3);
        }
        assert!(seen > 5, "{seen}");
    }
}

#[test]
fn arrows_choose_letters_type_and_escape_closes() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    find(&mut app, "turn");
    let (lines, at) = listed(&app);
    assert!(lines.contains(&"Next turn".to_owned()) && at.as_ref() == Some(&lines[0]), "{lines:?}");
    app.key_press(Key::ArrowDown);
    app.run_steps(2);
    assert_eq!(listed(&app).1.as_ref(), Some(&lines[1]));
    for key in [Key::M, Key::N, Key::Space, Key::End] {
        app.key_press(key);
    }
    app.run_steps(2);
    assert!(shows(&app, "Line 0 of 16") && shows(&app, "Find a command"), "{app:?}");
    app.key_press(Key::Escape);
    app.run_steps(2);
    assert!(!shows(&app, "Find a command") && shows(&app, "Line 0 of 16"), "{app:?}");
    find(&mut app, "qqqq");
    assert!(shows(&app, "No matching command"), "{app:?}");
}

#[test]
fn a_list_that_was_short_is_long_again() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    find(&mut app, "measu");
    assert!(listed(&app).0.len() < 4, "{:?}", listed(&app));
    for _ in 0..5 {
        app.key_press(Key::Backspace);
    }
    app.run_steps(6);
    let (name, at) = {
        let lines: Vec<_> = app.query_all_by_role(Role::ListBoxOption).collect();
        assert!(lines.len() > 12);
        (lines[10].accesskit_node().label().expect("a name"), lines[10].rect().center())
    };
    // The eleventh line is visible: a click reaches it.
    for pressed in [true, false] {
        app.event(Event::PointerMoved(at));
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        app.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    app.run_steps(3);
    assert!(!shows(&app, "Find a command"), "{name} was not reached");
    assert_eq!(name, "Slower");
    assert!(shows(&app, "Speed ½×"), "{app:?}");
}

#[test]
fn a_match_and_a_file_of_before_are_found_by_their_names() {
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| {
        respond(stream, "200 OK", &format!("[{}]", summary("m1", "finished", "The great final")));
    });
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "The great final");
    // Without a match, its actions are not offered.
    app.get_by_label("Menu").click();
    app.run_steps(3);
    assert!(app.query_by_role_and_label(Role::MenuItem, "Play or pause").is_none(), "the groups are folded");
    app.key_press(Key::Escape);
    app.run_steps(2);
    find(&mut app, "play or pause");
    assert!(!listed(&app).0.contains(&"Play or pause".to_owned()), "{app:?}");
    app.key_press(Key::Escape);
    app.run_steps(2);
    find(&mut app, "gr fin");
    assert_eq!(listed(&app).1.as_deref(), Some("The great final"));
    let folder = Folder::new();
    let path = folder.file("other.replay", replay());
    app.key_press(Key::Escape);
    app.run_steps(2);
    find(&mut app, path.to_str().expect("a path"));
    enter(&mut app);
    wait_for(&mut app, "Line ");
    // In the list, the file appears among the recent ones with its match's title.
    app.key_press(Key::M);
    wait_for(&mut app, "Recent");
    find(&mut app, "other.replay");
    assert_eq!(listed(&app).1.as_deref(), Some("Final"));
    enter(&mut app);
    wait_for(&mut app, "Line ");
}

#[test]
fn recordings_of_a_folder_are_found_by_game_title_and_file() {
    let folder = Folder::new();
    folder.file("one.replay", replay());
    folder.file("two.replay", replay().replace("Final", "Semifinal"));
    let size = Vec2::new(800.0, 600.0);
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), size);
    wait_for(&mut app, "Semifinal");
    for (typed, expected) in [("abalone", 2), ("semifinal", 1), ("one.replay", 1), ("reds", 2)] {
        find(&mut app, typed);
        let (lines, _) = listed(&app);
        let found = lines.iter().filter(|line| ["Final", "Semifinal"].contains(&line.as_str())).count();
        assert_eq!(found, expected, "{typed}: {lines:?}");
        app.key_press(Key::Escape);
        app.run_steps(2);
    }
    find(&mut app, "two");
    enter(&mut app);
    wait_for(&mut app, "Line ");
    assert!(shows(&app, "Semifinal"), "{app:?}");
}

#[test]
fn moments_and_turns_are_found_and_lead_there() {
    let mut app = sample("abalone", Vec2::new(1440.0, 900.0));
    app.run_steps(30);
    find(&mut app, "pushes");
    let (lines, at) = listed(&app);
    assert!(lines.len() >= 5 && lines.iter().all(|line| line.contains("pushes")), "{lines:?}");
    assert_eq!(at.as_deref(), Some("black pushes white off at H4"));
    enter(&mut app);
    assert!(line(&app) > 100, "{}", line(&app));
    for typed in ["turn 12", "12"] {
        find(&mut app, typed);
        let (lines, _) = listed(&app);
        assert!(lines.contains(&"Go to turn 12".to_owned()), "{lines:?}");
        app.key_press(Key::Escape);
        app.run_steps(2);
    }
    find(&mut app, "turn 12");
    assert_eq!(listed(&app).1.as_deref(), Some("Go to turn 12"));
    enter(&mut app);
    assert_eq!(line(&app), 439);
    // What lies ahead is not found in spoiler mode.
    let mut app = sample("abalone", Vec2::new(1440.0, 900.0));
    app.key_press(Key::S);
    app.run_steps(30);
    find(&mut app, "pushes");
    assert!(!listed(&app).0.iter().any(|line| line.contains("pushes")), "{app:?}");
    app.key_press(Key::Escape);
    app.run_steps(2);
    find(&mut app, "turn 60");
    assert!(!listed(&app).0.contains(&"Go to turn 60".to_owned()), "{app:?}");
}

#[test]
fn the_palette_says_what_it_finds() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    let hint = |app: &mut Window| {
        find(app, "");
        painted(app).into_iter().map(|(text, _)| text).find(|text| text.starts_with("A command"))
    };
    assert_eq!(hint(&mut app).as_deref(), Some("A command, a match, a moment or a turn"));
    app.key_press(Key::Escape);
    app.run_steps(2);
    app.key_press(Key::M);
    app.run_steps(3);
    assert_eq!(hint(&mut app).as_deref(), Some("A command, a match or a file"));
}

#[test]
fn the_menu_has_every_action_and_greys_what_can_not_be_done() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.get_by_label("Menu").click();
    app.run_steps(3);
    let item = |app: &Window, name: &str| {
        let found = app.query_all_by(|node| is_item(node.role()));
        let items: Vec<_> = found
            .map(|node| {
                let node = node.accesskit_node();
                (node.label().unwrap_or_default(), node.is_disabled(), node.toggled())
            })
            .collect();
        let item = items.iter().find(|item| item.0 == name).unwrap_or_else(|| panic!("{name} in {items:?}"));
        (item.1, item.2)
    };
    // What is looked for most needs no group.
    for name in
        ["Share: link, embed code, picture", "Export a picture or animation", "Sound on or off", "Faster"]
    {
        assert!(!item(&app, name).0, "{name}");
    }
    app.get_by_label("Playing and seeking").click();
    // The heading moves up, so that its actions are seen.
    app.run_steps(40);
    // A recording has no live moment.
    assert!(item(&app, "Back to live").0);
    assert!(!item(&app, "To the end").0);
    app.get_by_role_and_label(Role::MenuItem, "To the end").click();
    app.run_steps(3);
    assert!(shows(&app, "Line 16 of 16"), "{app:?}");
    assert!(app.query_by_role(Role::DisclosureTriangle).is_none(), "the menu is closed");
    for on in [true, false] {
        app.get_by_label("Menu").click();
        app.run_steps(3);
        // Whatever was open before, what is looked for most is seen first.
        assert!(app.get_by_label("Find a command").rect().top() < 80.0, "{app:?}");
        assert!(app.query_by_role_and_label(Role::MenuItemCheckBox, "Bot drawings on or off").is_none());
        app.get_by_label("What is shown").click();
        app.run_steps(40);
        assert_eq!(item(&app, "Bot drawings on or off").1, Some(Toggled::from(on)));
        app.get_by_role_and_label(Role::MenuItemCheckBox, "Bot drawings on or off").click();
        app.run_steps(3);
    }
}

#[test]
fn the_menu_is_as_high_as_what_it_shows() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.get_by_label("Menu").click();
    app.run_steps(4);
    // The lower edge of the lowest row; a little below it there is no menu.
    let end = |app: &Window| {
        let rows = app.query_all_by(|node| is_item(node.role()) || node.role() == Role::DisclosureTriangle);
        let rows: Vec<_> = rows.map(|row| row.rect()).collect();
        let lowest = rows.iter().copied().max_by(|a, b| a.bottom().total_cmp(&b.bottom())).expect("a row");
        let layer = |down: f32| app.ctx.layer_id_at(lowest.center_bottom() + vec2(0.0, down));
        assert_eq!(layer(-8.0), app.ctx.layer_id_at(rows[0].center()), "{rows:?}");
        assert_ne!(layer(-8.0), layer(20.0), "rows to {}", lowest.bottom());
        lowest.bottom()
    };
    let folded = end(&app);
    app.get_by_label("Matches and the window").click();
    app.run_steps(40);
    let shown = app.ctx.content_rect();
    let last = app.get_by_role_and_label(Role::MenuItem, "Open an address or a file").rect();
    assert!(shown.contains_rect(last), "{last:?}: the group that was opened is seen");
    app.get_by_label("Matches and the window").click();
    app.run_steps(40);
    assert!((end(&app) - folded).abs() < 1.0);
}

/// Text that the copy key puts on the clipboard.
fn copied(app: &mut Window) -> Option<String> {
    let modifiers = Modifiers::COMMAND;
    app.event(Event::Key { key: Key::L, physical_key: None, pressed: true, repeat: false, modifiers });
    app.step();
    let found = app.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    app.run_steps(2);
    found
}

#[test]
fn one_key_copies_what_leads_to_the_same_moment() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    for _ in 0..9 {
        app.key_press(Key::ArrowRight);
    }
    app.run();
    let command = copied(&mut app).expect("a text");
    let path = folder.join("final.replay");
    assert_eq!(command, format!("grandstand watch '{}' --seq 9", path.display()));
    assert!(shows(&app, "copied the command that opens this moment"), "{app:?}");

    // For a match of a server, the copied link opens the same moment.
    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        for (from, to) in [(1, 4), (5, 9), (10, 10), (11, 16)] {
            send(&mut socket, &commands(from, to));
        }
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(30));
            drop(socket);
        });
    });
    let open = |text: &str| window(Some(text.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    let mut app = open(&format!("{url}?match=m1"));
    wait_for(&mut app, "Line 16 of 16");
    app.key_press(Key::Space);
    for _ in 0..6 {
        app.key_press(Key::ArrowLeft);
    }
    app.run_steps(3);
    let link = copied(&mut app).expect("a text");
    assert_eq!(link, format!("{url}?match=m1&seq=10"));
    assert!(shows(&app, "Link to this moment copied"), "{app:?}");
    drop(app);
    let mut app = open(&link);
    wait_for(&mut app, "Line 10 of 16");
}

#[test]
fn a_recording_is_opened_at_the_moment_that_was_asked_for() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    let mut app = egui_kittest::Harness::builder().with_max_steps(20_000).build_eframe(move |cc| {
        let mut app = grandstand_gui::App::new(cc, Some(grandstand_gui::Target::File(path)));
        app.want(12);
        app
    });
    wait_for(&mut app, "Line 12 of 16");
    app.run();
    assert!(shows(&app, "Line 12 of 16"), "it stands still");
}

#[test]
fn on_a_phone_the_menu_and_the_palette_fit_and_fingers_hit_them() {
    let folder = Folder::new();
    let path = folder.file("final.replay", replay());
    for size in [Vec2::new(390.0, 844.0), Vec2::new(844.0, 390.0)] {
        let mut app = window(Some(grandstand_gui::Target::File(path.clone())), size);
        wait_for(&mut app, "Pause");
        let button = app.get_by_label("Menu").rect();
        assert!(button.height() >= 36.0 && button.right() <= size.x, "{button:?}");
        app.get_by_label("Menu").click();
        app.run_steps(3);
        for role in [Role::MenuItem, Role::DisclosureTriangle] {
            let rows: Vec<_> = app.query_all_by_role(role).map(|row| row.rect()).collect();
            assert!(!rows.is_empty());
            for row in rows {
                assert!(row.height() >= 40.0 && row.left() >= 0.0 && row.right() <= size.x, "{row:?}");
            }
        }
        app.key_press(Key::Escape);
        app.run_steps(2);
        find(&mut app, "");
        let field = app.get_by_label("Find a command").rect();
        assert!(field.height() >= 38.0 && field.left() >= 0.0 && field.right() <= size.x, "{field:?}");
        for row in app.query_all_by_role(Role::ListBoxOption) {
            assert!(row.rect().height() >= 40.0 && row.rect().right() <= size.x, "{:?}", row.rect());
        }
    }
}

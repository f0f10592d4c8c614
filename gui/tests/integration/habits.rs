//! Tests of saved settings, recent matches and bookmarks.

use std::collections::HashMap;

use eframe::egui::accesskit::{Role, Toggled};
use eframe::egui::{Color32, Key, Modifiers, Shape, ThemePreference, Vec2};
use eframe::{App as _, Storage};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::{App, Target};
use grandstand_testing::{FakeServer, Folder, replay, respond, summary};

use crate::support::{Window, sample, shows, wait_for, window};

/// Storage in memory.
#[derive(Debug, Clone, Default)]
struct Memory(HashMap<String, String>);

impl Memory {
    fn settings(text: &str) -> Memory {
        Memory(HashMap::from([("settings".to_owned(), text.to_owned())]))
    }
}

impl Storage for Memory {
    fn get_string(&self, key: &str) -> Option<String> {
        self.0.get(key).cloned()
    }
    fn set_string(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), value);
    }
    fn remove_string(&mut self, key: &str) {
        self.0.remove(key);
    }
    fn flush(&mut self) {}
}

/// A window with this storage.
fn started(memory: &Memory, target: Target) -> Window {
    started_in(memory, target).0
}

/// Also returns the theme of the program, because the harness sets another one afterwards.
fn started_in(memory: &Memory, target: Target) -> (Window, ThemePreference) {
    let memory: &'static Memory = Box::leak(Box::new(memory.clone()));
    let mut theme = ThemePreference::System;
    let chosen = &mut theme;
    let window = Harness::builder()
        .with_size(Vec2::new(1280.0, 800.0))
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(20_000)
        .build_eframe(|cc| {
            cc.storage = Some(memory);
            let app = App::new(cc, Some(target));
            *chosen = cc.egui_ctx.options(|options| options.theme_preference);
            app
        });
    (window, theme)
}

/// Storage after the program ends.
fn ended(mut app: Window) -> Memory {
    let mut memory = Memory::default();
    app.state_mut().save(&mut memory);
    memory
}

fn recording(folder: &Folder) -> Target {
    Target::File(folder.file("final.replay", replay()))
}

#[test]
fn what_was_set_is_set_at_the_next_start() {
    let folder = Folder::new();
    let mut app = started(&Memory::default(), recording(&folder));
    wait_for(&mut app, "Pause");
    assert!(shows(&app, "1×"), "{app:?}");
    app.key_press(Key::T);
    app.run();
    let theme = app.ctx.options(|options| options.theme_preference);
    assert_ne!(theme, ThemePreference::System);
    for key in [Key::Num3, Key::CloseBracket, Key::CloseBracket, Key::I] {
        app.key_press(key);
    }
    app.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    app.run_steps(3);
    assert!(shows(&app, "Filter lines"), "{app:?}");
    let zoom = app.ctx.zoom_factor();
    assert!(zoom > 1.05);
    let memory = ended(app);

    let (mut app, chosen) = started_in(&memory, recording(&folder));
    wait_for(&mut app, "Pause");
    app.run_steps(3);
    assert_eq!((chosen, app.ctx.zoom_factor()), (theme, zoom));
    assert!(memory.0["settings"].contains("\"speed\":\"X4\""), "{memory:?}");
    assert!(shows(&app, "Filter lines"), "{memory:?}");
    assert!(shows(&app, "4×"), "{app:?}");
    app.key_press(Key::I);
    app.run_steps(2);
    assert!(shows(&app, "Idle time is played"), "{app:?}");
}

#[test]
fn a_server_that_ends_with_the_program_is_not_among_the_recent_ones() {
    let list = |_: usize, _: &str, stream| {
        respond(stream, "200 OK", &format!("[{}]", summary("m1", "live", "Derby")))
    };
    let remembered = |passing: bool| {
        let server = FakeServer::new();
        let url = server.url();
        let _paths = server.run(list);
        let target: Target = url.parse().expect("a server");
        let mut app = Harness::builder().build_eframe(|cc| {
            let mut app = App::new(cc, Some(target.clone()));
            if let (Target::Server(base), true) = (target, passing) {
                app.server_is_passing(base);
            }
            app
        });
        wait_for(&mut app, "Derby, Live");
        app.run_steps(3);
        let memory = ended(app);
        (memory.0["settings"].contains(&url), memory)
    };
    for passing in [false, true] {
        let (is_there, memory) = remembered(passing);
        assert_ne!(is_there, passing, "{memory:?}");
    }
}

/// Fills and texts of the picture that have the colours of panels and texts in the dark and in the light theme.
fn colors_of_themes(app: &Window) -> [usize; 2] {
    let themes = [(0x17, 0x1c, 0x24), (0xe4, 0xe9, 0xf0), (0xfb, 0xfc, 0xfd), (0x1c, 0x23, 0x2d)];
    let [dark_panel, dark_text, light_panel, light_text] = themes.map(|(r, g, b)| Color32::from_rgb(r, g, b));
    let colors: Vec<Color32> = app
        .output()
        .shapes
        .iter()
        .filter_map(|clipped| match &clipped.shape {
            Shape::Rect(rect) => Some(rect.fill),
            Shape::Text(text) => Some(text.override_text_color.unwrap_or(text.fallback_color)),
            _ => None,
        })
        .collect();
    let count = |of: [Color32; 2]| colors.iter().filter(|color| of.contains(color)).count();
    [count([dark_panel, dark_text]), count([light_panel, light_text])]
}

#[test]
fn no_frame_has_colours_of_two_themes() {
    let folder = Folder::new();
    let mut app = started(&Memory::default(), recording(&folder));
    wait_for(&mut app, "Pause");
    for _ in 0..3 {
        app.key_press(Key::T);
        for _ in 0..4 {
            app.step();
            let [dark, light] = colors_of_themes(&app);
            assert!(dark + light > 4 && dark * light == 0, "{dark} dark and {light} light");
        }
    }
}

#[test]
fn tabs_have_one_name_and_stand_in_the_order_of_their_keys() {
    let folder = Folder::new();
    for (width, height) in [(800.0, 600.0), (1280.0, 800.0), (1440.0, 900.0), (390.0, 844.0)] {
        let mut app = window(Some(recording(&folder)), Vec2::new(width, height));
        wait_for(&mut app, "Pause");
        app.key_press(Key::Space);
        let tabs = ["Match", "Moments", "Protocol", "Talk"];
        let mut before = None;
        for (tab, key) in tabs.into_iter().zip([Key::Num1, Key::Num2, Key::Num3, Key::Num6]) {
            app.key_press(key);
            app.run_steps(5);
            // Where there is room, the talk stands below the plots.
            let Some(shown) = app.query_by_role_and_label(Role::Button, tab) else {
                assert!(tab == "Talk" && shows(&app, "Here we come"), "{width}: {app:?}");
                continue;
            };
            let at = shown.rect();
            let place = (at.top(), at.left());
            assert_eq!(shown.accesskit_node().toggled(), Some(Toggled::True), "{tab} at {width}");
            assert!(before.is_none_or(|before| before < place), "{tab} at {width}");
            before = Some(place);
        }
    }
}

#[test]
fn tabs_stand_in_one_row_in_the_smallest_usual_window() {
    for game in ["abalone", "fortress", "gomoku", "riskless", "shark"] {
        let app = sample(game, Vec2::new(800.0, 600.0));
        let tabs = ["Match", "Moments", "Protocol", "Moves", "Program", "Talk"];
        let shown = tabs.iter().filter_map(|tab| app.query_by_role_and_label(Role::Button, tab));
        let tops: Vec<f32> = shown.map(|tab| tab.rect().top()).collect();
        assert!(tops.len() >= 3 && tops.iter().all(|top| *top == tops[0]), "{game}: {tops:?}");
    }
}

#[test]
fn below_the_plots_of_a_recording_without_talk_are_its_moments() {
    let mut app = sample("fortress", Vec2::new(1440.0, 900.0));
    app.key_press(Key::Num1);
    app.run_steps(5);
    assert!(shows(&app, "Control points over time") && !shows(&app, "Nobody has said anything yet."));
    assert!(app.query_all_by_label_contains("Point 2 taken by").next().is_some(), "{app:?}");
    // They are pressed as those in the tab are.
    let row = app.query_all_by_role(Role::ListItem).next().expect("a moment").rect();
    app.drag_at(row.center());
    app.drop_at(row.center());
    app.run_steps(5);
    assert!(!shows(&app, "Line 0 of"), "{app:?}");
}

#[test]
fn a_broken_store_costs_what_is_broken_and_says_so() {
    let folder = Folder::new();
    for broken in ["", "{", "[]", "{\"theme\":7,\"zoom\":\"x\",\"recent\":{},\"panel\":null}"] {
        let mut app = started(&Memory::settings(broken), recording(&folder));
        wait_for(&mut app, "Some settings could not be read");
        wait_for(&mut app, "Pause");
        assert_eq!(app.ctx.zoom_factor(), 1.0);
    }
    let half = "{\"theme\":\"Light\",\"zoom\":-3}";
    let (mut app, theme) = started_in(&Memory::settings(half), recording(&folder));
    wait_for(&mut app, "Some settings could not be read");
    assert_eq!((theme, app.ctx.zoom_factor()), (ThemePreference::Light, 1.0));
}

#[test]
fn what_was_open_is_listed_until_it_is_taken_off() {
    let folder = Folder::new();
    let mut app = started(&Memory::default(), recording(&folder));
    wait_for(&mut app, "Pause");
    app.step();
    let memory = ended(app);

    let server = FakeServer::new();
    let url = server.url();
    let _paths = server.run(|_, _, stream| {
        respond(stream, "200 OK", &format!("[{}]", summary("m1", "finished", "Old one")));
    });
    let mut app = started(&memory, url.parse().expect("a target"));
    wait_for(&mut app, "Recent");
    wait_for(&mut app, "Old one");
    app.step();
    // What the server has comes first.
    let top = |label: &str| app.get_by_label_contains(label).rect().top();
    assert!(top("Old one") < top("final.replay"), "{app:?}");
    // The file is listed with its match's title and its path; the current server is not listed.
    app.get_by_label_contains("final.replay").click();
    wait_for(&mut app, "Pause");
    let memory = ended(app);
    assert!(memory.0["settings"].contains(&url), "{memory:?}");

    let mut app = started(&memory, url.parse().expect("a target"));
    wait_for(&mut app, "Recent");
    app.get_by_label_contains("Remove Final from this list").click();
    app.run_steps(3);
    assert!(!shows(&app, "Recent"), "{app:?}");
    assert!(!ended(app).0["settings"].contains("final.replay"));
}

#[test]
fn a_bookmark_is_there_when_the_match_is_opened_again() {
    let folder = Folder::new();
    let mut app = started(&Memory::default(), recording(&folder));
    wait_for(&mut app, "Pause");
    for key in [Key::Space, Key::End, Key::A, Key::Escape] {
        app.key_press(key);
        app.run_steps(3);
    }
    let memory = ended(app);
    let mut app = started(&memory, recording(&folder));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Num2);
    app.run_steps(5);
    assert!(shows(&app, ": Bookmark 1"), "{app:?}");
}

#[test]
fn what_aligns_two_matches_is_remembered_for_games_with_turns_and_others() {
    let folder = Folder::new();
    let pair = |game: &str| {
        let lines: &[(f64, &str)] = if game == "grid" { &[(0.0, "size 4 4")] } else { &[(0.0, "board 15")] };
        let file = folder.file(&format!("{game}.replay"), grandstand_testing::recording(game, lines));
        Target::from([Target::File(file.clone()), Target::File(file)])
    };
    let aligned = |app: &Window, name: &str| {
        let label = format!("Align by {name}");
        let button = app.get_by_label(&label);
        button.accesskit_node().toggled() == Some(Toggled::True)
    };
    let mut app = started(&Memory::default(), pair("gomoku"));
    wait_for(&mut app, "Every board is the same");
    assert!(aligned(&app, "Move"), "{app:?}");
    app.get_by_label("Align by Line").click();
    app.run_steps(3);
    let memory = ended(app);
    let mut app = started(&memory, pair("gomoku"));
    wait_for(&mut app, "Every board is the same");
    assert!(aligned(&app, "Line"), "{app:?}");
    let mut app = started(&memory, pair("grid"));
    wait_for(&mut app, "Every board is the same");
    assert!(aligned(&app, "Time"), "{app:?}");
}

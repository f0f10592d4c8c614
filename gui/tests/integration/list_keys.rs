//! Tests of the keys that lead through lists and tables.

use eframe::egui::{Event, Key, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{Folder, replay};

use crate::support::{Window, painted, shows, wait_for, window};

/// A window with a folder of sixty recordings, called `Match 0` to `Match 59`.
fn open_folder(folder: &Folder) -> Window {
    for number in 0..60 {
        let text = replay().replacen("Final", &format!("Match {number}"), 1);
        folder.file(&format!("{number:02}.replay"), text);
    }
    let mut app = window(Some(Target::Folder(folder.path().to_owned())), Vec2::new(1000.0, 600.0));
    // The newest one is read last.
    wait_for(&mut app, "Match 59");
    app.run_steps(20);
    app
}

/// The row with the focus, which is in view.
fn chosen(app: &Window) -> Option<String> {
    let node = app.root().children_recursive().find(|node| node.accesskit_node().is_focused())?;
    let place = node.rect();
    assert!(place.top() >= 0.0 && place.bottom() <= 600.0, "{place}");
    let label = node.accesskit_node().label()?;
    Some(label.split(',').next().unwrap_or_default().to_owned())
}

fn press(app: &mut Window, key: Key) -> Option<String> {
    app.key_press(key);
    app.run_steps(12);
    chosen(app)
}

#[test]
fn keys_lead_from_row_to_row_and_enter_opens_one() {
    let folder = Folder::new();
    let mut app = open_folder(&folder);
    assert_eq!(chosen(&app), None);
    let first = press(&mut app, Key::ArrowDown).expect("a row");
    let second = press(&mut app, Key::ArrowDown).expect("a row");
    assert!(first.starts_with("Match ") && second.starts_with("Match ") && first != second);
    assert_eq!(press(&mut app, Key::ArrowUp).as_ref(), Some(&first));
    // Beyond the first row there is nothing.
    assert_eq!(press(&mut app, Key::ArrowUp).as_ref(), Some(&first));
    let last = press(&mut app, Key::End).expect("a row");
    assert!(!shows(&app, &format!("{first}, Finished")), "the list is scrolled to its end");
    assert_eq!(press(&mut app, Key::ArrowDown).as_ref(), Some(&last));
    let above = press(&mut app, Key::PageUp).expect("a row");
    assert!(above != last);
    press(&mut app, Key::PageDown);
    assert_eq!(press(&mut app, Key::PageDown).as_ref(), Some(&last));
    assert_eq!(press(&mut app, Key::Home).as_ref(), Some(&first));
    // All rows come one after the other.
    let mut seen = vec![first];
    for _ in 1..60 {
        seen.push(press(&mut app, Key::ArrowDown).expect("a row"));
    }
    let mut all = seen.clone();
    all.sort();
    all.dedup();
    assert_eq!((all.len(), seen.last()), (60, Some(&last)));
    app.key_press(Key::Enter);
    wait_for(&mut app, "Pause");
    assert!(shows(&app, &last));
}

#[test]
fn the_filter_keeps_its_keys() {
    let folder = Folder::new();
    let mut app = open_folder(&folder);
    let field = "Filter by players, event, title or file";
    app.get_by_label(field).focus();
    app.run_steps(2);
    for key in [Key::Home, Key::End, Key::ArrowUp, Key::PageDown] {
        app.key_press(key);
        app.run_steps(4);
        assert!(app.get_by_label(field).is_focused(), "{key:?}");
    }
}

#[test]
fn from_the_filter_the_down_key_leads_to_the_first_row_and_enter_opens_it() {
    let folder = Folder::new();
    let field = "Filter by players, event, title or file";
    for opens in [false, true] {
        let mut app = open_folder(&folder);
        // The rows are scrolled away from the first one.
        press(&mut app, Key::End);
        app.key_press(Key::Slash);
        app.run_steps(2);
        app.get_by_label(field).type_text("match 4");
        app.run_steps(4);
        let rows = app.query_all_by_label_contains(", Finished");
        let rows = rows.map(|node| (node.rect().top(), node.accesskit_node().label().unwrap_or_default()));
        let top = rows.min_by(|a, b| a.0.total_cmp(&b.0)).expect("rows").1;
        let top = top.split(',').next().unwrap_or_default().to_owned();
        assert!(top.contains('4'), "{top}");
        if opens {
            app.key_press(Key::Enter);
            wait_for(&mut app, "Pause");
            assert!(painted(&app).iter().any(|(text, _)| text.starts_with(&top)), "{app:?}");
            continue;
        }
        let first = press(&mut app, Key::ArrowDown).expect("a row");
        assert_eq!(first, top);
        assert_ne!(press(&mut app, Key::ArrowDown), Some(first));
        // Where nothing fits the field keeps its keys.
        app.key_press(Key::Slash);
        app.run_steps(2);
        app.get_by_label(field).type_text("nobody");
        for key in [Key::ArrowDown, Key::Enter] {
            app.key_press(key);
            app.run_steps(4);
            assert!(app.get_by_label(field).is_focused(), "{key:?}");
        }
    }
}

#[test]
fn escape_empties_the_filter_and_then_leaves_it() {
    let folder = Folder::new();
    let mut app = open_folder(&folder);
    let field = "Filter by players, event, title or file";
    app.key_press(Key::Slash);
    app.run_steps(2);
    app.get_by_label(field).type_text("match 4");
    app.run_steps(4);
    app.key_press(Key::Escape);
    app.run_steps(4);
    assert!(app.get_by_label(field).is_focused());
    assert_eq!(app.get_by_label(field).value().as_deref().unwrap_or_default(), "");
    assert!(shows(&app, "Match 59, Finished"), "all rows are back");
    app.key_press(Key::Escape);
    app.run_steps(4);
    assert!(!app.get_by_label(field).is_focused());
    assert!(shows(&app, "Match 59, Finished"));
}

#[test]
fn a_slash_leads_to_the_filter_and_what_follows_is_typed_there() {
    let folder = Folder::new();
    let mut app = open_folder(&folder);
    let theme = app.ctx.options(|options| options.theme_preference);
    for (key, text) in [(Key::Slash, "/"), (Key::T, "t"), (Key::Num4, "4")] {
        // A press and its text come in one frame.
        let modifiers = eframe::egui::Modifiers::NONE;
        let pressed = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        app.input_mut().events.extend([pressed, Event::Text(text.to_owned())]);
        app.step();
    }
    app.run_steps(4);
    assert_eq!(app.ctx.options(|options| options.theme_preference), theme);
    let field = app.get_by_label("Filter by players, event, title or file");
    assert_eq!(field.value().as_deref(), Some("t4"));
}

#[test]
fn a_match_leads_back_to_its_row() {
    let folder = Folder::new();
    let mut app = open_folder(&folder);
    press(&mut app, Key::ArrowDown);
    press(&mut app, Key::PageDown);
    let row = press(&mut app, Key::PageDown).expect("a row");
    // A mouse leaves no focus behind.
    let at = app.get_by_label_contains(&format!("{row},")).rect().center();
    app.ctx.memory_mut(|memory| memory.stop_text_input());
    app.hover_at(at);
    app.step();
    app.drag_at(at);
    app.step();
    app.drop_at(at);
    wait_for(&mut app, "Pause");
    app.key_press(Key::M);
    app.run_steps(20);
    assert_eq!(chosen(&app), Some(row.clone()));
    // From there the keys go on.
    let next = press(&mut app, Key::ArrowDown).expect("a row");
    assert_ne!(next, row);
}

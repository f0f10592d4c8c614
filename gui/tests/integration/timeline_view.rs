//! View of the timeline: zoom, the range, chapters, the picture of the moment that is pointed at, the live edge.

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, PointerButton, Pos2, Rect, Shape, TouchDeviceId,
    TouchId, TouchPhase, Vec2, vec2,
};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_testing::{Folder, recording};

use crate::support::{Window, line, live_match, painted, shows, wait_for, window};
use crate::timeline::open_file;

const SIZE: Vec2 = Vec2::new(1280.0, 800.0);

/// The end of the match, in seconds.
const END: f32 = 40.5;

/// A match of a turn a second, from 1 to 40.
fn turns() -> String {
    let mut lines = vec![(0.0, "size 4 3".to_owned())];
    lines.extend((1..=40).map(|n| (f64::from(n), format!("step {n}"))));
    let lines: Vec<(f64, &str)> = lines.iter().map(|(t, line)| (*t, line.as_str())).collect();
    recording("grid", &lines)
}

fn open(folder: &Folder, size: Vec2) -> Window {
    open_file(folder.file("turns.replay", turns()), size)
}

/// A place of the track, as a part of its length.
fn at(app: &Window, part: f32) -> Pos2 {
    let rect = app.get_by_label("Timeline").rect();
    let inner = rect.shrink2(vec2(16.0, 0.0));
    Pos2::new(inner.left() + inner.width() * part, rect.center().y)
}

fn click(app: &mut Window, part: f32) {
    let at = at(app, part);
    app.drag_at(at);
    app.drop_at(at);
    app.run();
}

fn press(app: &mut Window, modifiers: Modifiers, key: Key) {
    app.key_press_modifiers(modifiers, key);
    app.run();
}

fn shift_drag(app: &mut Window, from: f32, to: f32) {
    let (from, to) = (at(app, from), at(app, to));
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::SHIFT,
    };
    app.event(Event::ModifiersChanged(Modifiers::SHIFT));
    for event in [Event::PointerMoved(from), button(from, true)] {
        app.event(event);
        app.step();
    }
    for part in [0.1, 0.5, 1.0] {
        app.event(Event::PointerMoved(from.lerp(to, part)));
        app.step();
    }
    app.event(button(to, false));
    app.step();
    app.event(Event::ModifiersChanged(Modifiers::NONE));
    app.run();
}

fn said(app: &Window, part: &str) -> String {
    let node = app.query_all_by_label_contains(part).next().unwrap_or_else(|| panic!("{part}"));
    let node = node.accesskit_node();
    node.label().or(node.value()).unwrap_or_default()
}

#[test]
fn the_wheel_zooms_where_the_pointer_is_and_keys_where_the_picture_is() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    click(&mut app, 0.5);
    assert_eq!(line(&app), 21, "turn 20, at 20 s of 40");
    let pointer = at(&app, 0.25);
    app.hover_at(pointer);
    app.step();
    let wheel = |modifiers, delta| Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta,
        phase: TouchPhase::Move,
        source: MouseWheelSource::Wheel,
        modifiers,
    };
    for _ in 0..12 {
        app.event_modifiers(wheel(Modifiers::COMMAND, vec2(0.0, 3.0)), Modifiers::COMMAND);
        app.run_steps(6);
    }
    app.run_steps(30);
    // What the pointer was at is still there, and little else.
    click(&mut app, 0.25);
    assert_eq!(line(&app), 11, "10 s");
    click(&mut app, 1.0);
    assert!(line(&app) < 31, "{}", line(&app));
    press(&mut app, Modifiers::SHIFT, Key::Home);
    click(&mut app, 1.0);
    assert_eq!(line(&app), 41, "all of it again");
    // By keys, around the picture.
    click(&mut app, 0.5);
    (0..3).for_each(|_| press(&mut app, Modifiers::SHIFT, Key::ArrowUp));
    click(&mut app, 0.0);
    assert_eq!(line(&app), 18, "17.5 s");
    press(&mut app, Modifiers::SHIFT, Key::ArrowDown);
    click(&mut app, 1.0);
    assert!((24..=29).contains(&line(&app)), "{}", line(&app));
    // The part that is seen goes on with the picture.
    press(&mut app, Modifiers::NONE, Key::End);
    click(&mut app, 1.0);
    assert_eq!(line(&app), 41);
    // The buttons do the same.
    app.get_by_label("Timeline: whole match, or the range").click();
    app.run();
    click(&mut app, 0.0);
    assert_eq!(line(&app), 1);
}

#[test]
fn an_arrow_leads_back_to_the_picture_that_a_near_view_has_left() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    click(&mut app, 0.5);
    (0..3).for_each(|_| press(&mut app, Modifiers::SHIFT, Key::ArrowUp));
    assert!(!shows(&app, "Show the current moment"), "it is in view");
    // The other button drags what is seen; the picture stays.
    for (from, to, part) in [(0.2, 0.95, 1.0), (0.9, 0.1, 0.0)] {
        for _ in 0..3 {
            let (from, to) = (at(&app, from), at(&app, to));
            let button = |pos, pressed| Event::PointerButton {
                pos,
                button: PointerButton::Secondary,
                pressed,
                modifiers: Modifiers::NONE,
            };
            for event in
                [Event::PointerMoved(from), button(from, true), Event::PointerMoved(to), button(to, false)]
            {
                app.event(event);
                app.step();
            }
        }
        assert_eq!(line(&app), 21);
        let arrow = app.get_by_label_contains("Show the current moment, 0:20").rect();
        assert!((arrow.center().x - at(&app, part).x).abs() < 1.0, "{arrow}");
        app.get_by_label_contains("Show the current moment").click();
        app.run();
        assert!(!shows(&app, "Show the current moment"), "it is in view again");
        assert_eq!(line(&app), 21);
    }
}

#[test]
fn a_range_is_chosen_played_again_and_again_exported_and_removed() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    shift_drag(&mut app, 10.04 / END, 12.04 / END);
    assert_eq!(said(&app, "Range 0:10"), "Range 0:10.0 – 0:12.0, 2.0 s");
    assert_eq!(line(&app), 11, "the picture goes to its start");
    let mut seen = std::collections::BTreeSet::new();
    app.key_press(Key::Space);
    for _ in 0..400 {
        app.step();
        seen.insert(line(&app));
    }
    assert!(seen.into_iter().eq(11..=13), "it begins again after 12 s");
    assert!(shows(&app, "Pause"), "and goes on");
    // Once only, it goes on behind its end.
    app.key_press_modifiers(Modifiers::SHIFT, Key::O);
    app.run_steps(200);
    assert!(line(&app) > 13, "{}", line(&app));
    press(&mut app, Modifiers::NONE, Key::Space);
    app.get_by_label("Export the range").click();
    app.run();
    let value = |app: &Window, label: &str| {
        let fields = app.query_all_by_label(label);
        fields.filter_map(|node| node.accesskit_node().value()).next().unwrap_or_default()
    };
    let (from, to) = (value(&app, "From"), value(&app, "To"));
    assert!(from.starts_with("0:10.0") && to.starts_with("0:12.0"), "{from} {to}");
    press(&mut app, Modifiers::NONE, Key::Escape);
    assert!(shows(&app, "Range 0:10"), "the dialog is closed first");
    press(&mut app, Modifiers::NONE, Key::Escape);
    assert!(!shows(&app, "Range 0:10") && shows(&app, "Timeline"));
}

#[test]
fn spoiler_mode_keeps_what_was_seen_of_a_range_and_says_what_of_it_went() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    // Seen up to 11 s.
    shift_drag(&mut app, 10.04 / END, 14.04 / END);
    press(&mut app, Modifiers::NONE, Key::ArrowRight);
    press(&mut app, Modifiers::NONE, Key::S);
    assert!(shows(&app, "Range 0:10.0 – 0:11.0: the rest comes as you see it"), "{app:?}");
    assert_eq!(said(&app, "Range 0:10"), "Range 0:10.0 – 0:11.0, 1.0 s");
    // It is played on to its end, and then again.
    let mut seen = std::collections::BTreeSet::new();
    app.key_press(Key::Space);
    for _ in 0..600 {
        app.step();
        seen.insert(line(&app));
    }
    assert!(seen.iter().copied().eq(11..=15), "{seen:?}");
    assert_eq!(said(&app, "Range 0:10"), "Range 0:10.0 – 0:14.0, 4.0 s");

    let mut app = open(&folder, SIZE);
    shift_drag(&mut app, 10.04 / END, 12.04 / END);
    press(&mut app, Modifiers::NONE, Key::S);
    assert!(shows(&app, "The range comes as you see it"), "{app:?}");
}

#[test]
fn a_range_is_set_by_keys_and_its_edges_are_dragged() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    click(&mut app, 10.04 / END);
    press(&mut app, Modifiers::SHIFT, Key::B);
    assert!(shows(&app, "Range 0:10.0 – 0:40.5"));
    click(&mut app, 20.04 / END);
    press(&mut app, Modifiers::SHIFT, Key::N);
    assert_eq!(said(&app, "Range 0:10"), "Range 0:10.0 – 0:20.0, 10 s");
    let edge = app.get_by_label("Range end: 0:20.0").rect().center();
    let to = at(&app, 30.04 / END);
    for event in [Event::PointerMoved(edge), Event::PointerMoved(edge)] {
        app.event(event);
        app.step();
    }
    app.drag_at(edge);
    app.step();
    app.event(Event::PointerMoved(Pos2::new(to.x, edge.y)));
    app.step();
    app.drop_at(Pos2::new(to.x, edge.y));
    app.run();
    assert!(shows(&app, "Range end: 0:30.0"));
    // What the range shows is zoomed to.
    press(&mut app, Modifiers::SHIFT, Key::Home);
    click(&mut app, 0.0);
    assert_eq!(line(&app), 9, "8 s: a twentieth of the range before it");
    app.get_by_label("Remove the range").click();
    app.run();
    assert!(!shows(&app, "Range end"));
    press(&mut app, Modifiers::NONE, Key::Home);
    press(&mut app, Modifiers::SHIFT, Key::N);
    assert!(shows(&app, "The match starts here"));
}

fn labels_of_the_axis(app: &Window) -> Vec<u64> {
    let texts = painted(app).into_iter().map(|(text, _)| text);
    texts.filter_map(|text| text.strip_prefix("Turn ").unwrap_or(&text).parse().ok()).collect()
}

#[test]
fn chapters_are_turns_that_thin_out_with_the_width() {
    let folder = Folder::new();
    let wide = labels_of_the_axis(&open(&folder, SIZE));
    for turn in [1, 10, 20, 40] {
        assert!(wide.contains(&turn), "{wide:?}");
    }
    let narrow = labels_of_the_axis(&open(&folder, vec2(390.0, 844.0)));
    assert!(narrow.contains(&20) && narrow.len() < wide.len(), "{narrow:?} {wide:?}");
}

#[test]
fn the_moment_that_is_pointed_at_is_shown_with_its_turn() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    app.hover_at(at(&app, 20.04 / END));
    app.run();
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    assert!(texts.iter().any(|text| text == "Turn 20 · 0:20.0"), "{texts:?}");
    assert_eq!(line(&app), 0, "the match stays where it is");
    // A screen reader is not told of a moment that only the pointer is at.
    assert!(!shows(&app, "Turn 20"));
}

#[test]
fn what_the_pointer_has_pressed_is_on_the_board_and_not_shown_again_until_the_pointer_moves() {
    let previews = |app: &Window| {
        painted(app)
            .into_iter()
            .filter(|(text, _)| text.starts_with("Turn ") && text.contains(" · 0:"))
            .count()
    };
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    let pointer = at(&app, 20.04 / END);
    app.hover_at(pointer);
    app.run();
    assert_eq!(previews(&app), 1, "{app:?}");
    click(&mut app, 20.04 / END);
    assert!(line(&app) > 0 && previews(&app) == 0, "{app:?}");
    app.hover_at(pointer + vec2(40.0, 0.0));
    app.run();
    assert_eq!(previews(&app), 1, "{app:?}");
}

#[test]
fn behind_a_live_match_the_pill_says_by_how_much() {
    let (target, _server) = live_match("", &[(1, 15)]);
    let mut app = window(Some(target), SIZE);
    wait_for(&mut app, "of 15");
    assert!(app.query_by_label("Live").is_some());
    app.key_press(Key::Space);
    app.run_steps(3);
    app.key_press(Key::Home);
    app.run_steps(3);
    assert!(said(&app, "Back to live").ends_with(" behind"));
    assert!(painted(&app).iter().any(|(text, _)| text.ends_with(" s behind")));
    app.key_press(Key::L);
    app.run_steps(3);
    assert!(app.query_by_label("Live").is_some() && !shows(&app, "Back to live"));
}

#[test]
fn two_fingers_zoom_the_timeline_and_seek_nothing() {
    let folder = Folder::new();
    let mut app = open(&folder, vec2(390.0, 844.0));
    click(&mut app, 0.5);
    let (before, middle) = (line(&app), at(&app, 0.5));
    app.hover_at(middle);
    app.step();
    let spread = |app: &mut Window, phase, apart: f32| {
        for (id, way) in [(1, -1.0), (2, 1.0)] {
            let pos = middle + vec2(way * apart, 0.0);
            let device_id = TouchDeviceId(0);
            app.event(Event::Touch { device_id, id: TouchId(id), phase, pos, force: None });
        }
        app.step();
    };
    spread(&mut app, TouchPhase::Start, 20.0);
    for apart in [30.0, 45.0, 60.0, 80.0] {
        spread(&mut app, TouchPhase::Move, apart);
    }
    spread(&mut app, TouchPhase::End, 80.0);
    app.run();
    assert_eq!(line(&app), before);
    click(&mut app, 0.0);
    assert!((10..20).contains(&line(&app)), "a part of the match is seen: {}", line(&app));
}

#[test]
fn a_step_that_becomes_disabled_keeps_the_focus_until_tab_leads_on() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    press(&mut app, Modifiers::NONE, Key::End);
    press(&mut app, Modifiers::SHIFT, Key::ArrowLeft);
    let button = |app: &Window, name: &str| app.get_by_role_and_label(Role::Button, name).is_focused();
    app.get_by_role_and_label(Role::Button, "Next turn").focus();
    app.run();
    assert!(button(&app, "Next turn"));
    press(&mut app, Modifiers::NONE, Key::Enter);
    assert!(shows(&app, "Line 41 of 41"), "{app:?}");
    app.run_steps(10);
    assert!(app.get_by_role_and_label(Role::Button, "Next turn").accesskit_node().is_disabled());
    assert!(button(&app, "Next turn"), "{app:?}");
    // The other steps forward are disabled too: before it comes play, after it what is at the right.
    press(&mut app, Modifiers::SHIFT, Key::Tab);
    assert!(button(&app, "Play"), "{app:?}");
    press(&mut app, Modifiers::NONE, Key::Tab);
    assert!(button(&app, "Skip idle time"), "{app:?}");
}

/// Places of the handles of the range.
fn grips(app: &Window) -> Vec<Rect> {
    let shapes = app.output().shapes.iter();
    let rects = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Rect(shape) => Some(shape.rect),
        _ => None,
    });
    rects.filter(|rect| (rect.size() - vec2(7.0, 10.0)).length() < 0.1).collect()
}

/// Place of the label of a mark.
fn label(app: &Window, words: &str) -> Option<Rect> {
    let track = app.get_by_label("Timeline").rect();
    app.output().shapes.iter().find_map(|clipped| match &clipped.shape {
        Shape::Text(text) if text.galley.text().starts_with(words) => {
            Some(text.visual_bounding_rect()).filter(|place| track.intersects(*place))
        }
        _ => None,
    })
}

#[test]
fn labels_of_marks_give_way_to_the_handles_of_the_range() {
    let folder = Folder::new();
    for size in [SIZE, vec2(800.0, 600.0)] {
        let mut app = open(&folder, size);
        click(&mut app, 10.04 / END);
        press(&mut app, Modifiers::NONE, Key::A);
        let alone = label(&app, "Bookmark 1").expect("a label");
        for (from, to) in [(9.5, 30.0), (10.04, 30.0), (11.0, 30.0), (11.5, 30.0), (11.0, 12.0), (2.0, 11.3)]
        {
            shift_drag(&mut app, from / END, to / END);
            let grips = grips(&app);
            assert_eq!(grips.len(), 2, "{size}: {from} {to}");
            let label = label(&app, "Bookmark 1").expect("a label");
            assert!((label.size() - alone.size()).length() < 0.1, "it is whole");
            for grip in grips {
                assert!(!grip.expand(1.0).intersects(label), "{size}: {from} to {to}: {grip} on {label}");
            }
        }
    }
}

#[test]
fn a_handle_on_a_mark_is_dragged() {
    let folder = Folder::new();
    let mut app = open(&folder, SIZE);
    click(&mut app, 10.04 / END);
    press(&mut app, Modifiers::NONE, Key::A);
    press(&mut app, Modifiers::SHIFT, Key::B);
    let edge = app.get_by_label("Range start: 0:10.0").rect().center_top() + vec2(0.0, 6.0);
    let to = at(&app, 5.04 / END);
    for event in [Event::PointerMoved(edge), Event::PointerMoved(edge)] {
        app.event(event);
        app.step();
    }
    app.drag_at(edge);
    app.step();
    app.event(Event::PointerMoved(Pos2::new(to.x, edge.y)));
    app.step();
    app.drop_at(Pos2::new(to.x, edge.y));
    app.run();
    assert!(shows(&app, "Range start: 0:05"), "{app:?}");
}

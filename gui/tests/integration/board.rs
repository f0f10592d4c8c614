//! Tests of zooming and dragging the board.

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Pos2, Rect, Vec2};
use egui_kittest::kittest::Queryable;
use grandstand_testing::Folder;

use crate::support::{Window, open_replay};

/// Rectangle of a hex with a piece.
fn hex(app: &Window, label: &str) -> Rect {
    app.get_by_role_and_label(Role::Image, label).rect()
}

/// Drags with the mouse.
fn drag(app: &mut Window, from: Pos2, by: Vec2) {
    app.drag_at(from);
    app.step();
    app.hover_at(from + by);
    app.run_steps(2);
    app.drop_at(from + by);
    app.run_steps(2);
}

#[test]
fn a_pinch_a_drag_and_a_double_click_move_the_view() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.key_press(Key::End);
    app.run();
    let whole = hex(&app, "E4: black");
    // A board that is entirely visible does not move.
    drag(&mut app, whole.center() - Vec2::new(60.0, 60.0), Vec2::new(80.0, 30.0));
    assert_eq!(hex(&app, "E4: black"), whole);

    // The place under the pointer stays there.
    app.hover_at(whole.center());
    app.step();
    app.event(Event::Zoom(2.0));
    app.run_steps(30);
    let large = hex(&app, "E4: black");
    assert!(large.width() > 1.5 * whole.width(), "{large} was {whole}");
    assert!(large.center().distance(whole.center()) < 2.0, "{large} was {whole}");

    drag(&mut app, whole.center(), Vec2::new(-40.0, 25.0));
    let moved = hex(&app, "E4: black");
    assert!((moved.center() - large.center() - Vec2::new(-40.0, 25.0)).length() < 2.0, "{moved} was {large}");

    for _ in 0..2 {
        app.drag_at(whole.center());
        app.step();
        app.drop_at(whole.center());
        app.step();
    }
    app.run_steps(2);
    assert_eq!(hex(&app, "E4: black"), whole);
}

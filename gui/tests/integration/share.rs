//! The dialog for sharing.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, OutputCommand, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::Folder;

use crate::support::{self, open_replay, shows};

/// Value of the field of the dialog.
fn command(app: &support::Window) -> String {
    let field = app.get_by_role_and_label(Role::MultilineTextInput, "Command that opens it");
    field.accesskit_node().value().expect("a text")
}

#[test]
fn what_is_shared_is_the_moment_of_the_opening_though_the_match_plays_on() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.key_press(Key::Space);
    app.run_steps(70);
    app.key_press_modifiers(Modifiers::SHIFT, Key::L);
    app.run_steps(3);
    let before = command(&app);
    let line = support::line(&app);
    assert!(before.contains(&format!("--seq {line}")), "{before}");
    app.run_steps(3 * 60);
    assert!(support::line(&app) > line, "the match plays on");
    assert_eq!(command(&app), before);
    // The picture is of that moment too, and the dialog says which it is.
    assert!(shows(&app, "Preview of the picture") && shows(&app, "Robot Abalone · Turn "), "{app:?}");
    app.get_by_label("Copy").click();
    app.step();
    let copied = app
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| matches!(command, OutputCommand::CopyText(text) if *text == before));
    assert!(copied, "{:?}", app.output().platform_output.commands);
}

#[test]
fn the_dialog_fits_into_every_window() {
    for size in [vec2(390.0, 844.0), vec2(844.0, 390.0), vec2(800.0, 600.0), vec2(1920.0, 1080.0)] {
        let mut app = support::sample("gomoku", size);
        app.key_press_modifiers(Modifiers::SHIFT, Key::L);
        app.run_steps(6);
        for button in ["Copy picture", "Export…", "Close"] {
            let rect = app.get_by_label(button).rect();
            assert!(
                rect.top() > 0.0 && rect.bottom() < size.y && rect.right() < size.x,
                "{button} {size}: {rect}"
            );
        }
    }
}

#[test]
fn an_embedded_match_shows_a_sign_until_a_press_or_enter_starts_it() {
    for by_key in [false, true] {
        let (target, _go_on) = support::live_match("&seq=3", &[(1, 16)]);
        let mut app = support::window(None, vec2(640.0, 520.0));
        app.state_mut().show_board_alone();
        let ctx = app.ctx.clone();
        app.state_mut().open(&ctx, target);
        support::wait_for(&mut app, "Line 3");
        app.run_steps(4);
        let sign = app.get_by_role_and_label(Role::Button, "Play the match");
        // The press may be anywhere on the board.
        let board = app.query_all_by_label_contains("Abalone board").next().expect("a board").rect();
        assert!(sign.rect().width() > 200.0 && board.contains(sign.rect().center()), "{:?}", sign.rect());
        if by_key {
            app.key_press(Key::Enter);
        } else {
            sign.click();
        }
        app.run_steps(4);
        assert!(app.query_by_label("Play the match").is_none(), "{app:?}");
        assert!(support::shows(&app, "Pause"), "{app:?}");
        // Who pauses it later has the buttons.
        app.key_press(Key::Space);
        app.run_steps(4);
        assert!(app.query_by_label("Play the match").is_none(), "{app:?}");
    }
}

#[test]
fn of_a_comparison_the_link_to_both_is_shared() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples");
    let files = ["team-team.replay", "team-simple_bot.replay"].map(|name| Target::File(samples.join(name)));
    for size in [vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = support::window(Some(Target::from(files.clone())), size);
        support::wait_for(&mut app, "First difference");
        app.key_press_modifiers(Modifiers::SHIFT, Key::L);
        app.run_steps(6);
        let field = app.get_by_role_and_label(Role::MultilineTextInput, "Command that opens both");
        let text = field.accesskit_node().value().expect("a text");
        assert!(text.contains("team-team.replay") && text.contains("team-simple_bot.replay"), "{text}");
        assert!(app.query_by_label("Copy picture").is_none(), "{app:?}");
        app.get_by_label("Copy").click();
        app.run_steps(2);
        assert!(shows(&app, "Command that opens both copied"), "{app:?}");
    }
}

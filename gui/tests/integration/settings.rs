//! The dialog with all settings.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Theme, Vec2};
use egui_kittest::kittest::Queryable;

use crate::support::{Window, painted, sample, shows, window};

const SIZES: [Vec2; 4] =
    [Vec2::new(390.0, 844.0), Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0), Vec2::new(1920.0, 1080.0)];

fn open(app: &mut Window) {
    app.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    app.run_steps(4);
    assert!(shows(app, "Appearance"), "{app:?}");
}

#[test]
fn all_settings_stand_in_one_dialog_that_fits_every_window() {
    for size in SIZES {
        let mut app = window(None, size);
        open(&mut app);
        let window = eframe::egui::Rect::from_min_size(Default::default(), app.ctx.content_rect().size());
        for name in ["Close", "Reset settings"] {
            assert!(window.contains_rect(app.get_by_label(name).rect()), "{size}: {name}");
        }
        let names = [
            "Theme",
            "Size",
            "Coordinates",
            "Move numbers",
            "Expected moves",
            "Bot drawings",
            "Speed",
            "Idle time",
            "Stop at every moment",
            "Lanes",
            "Spoiler mode",
            "Sound",
            "Align turns by",
            "Your name",
            "Export folder",
        ];
        for name in names {
            assert!(app.query_all_by_label(name).next().is_some(), "{size}: {name}");
        }
        let texts: Vec<_> = painted(&app).into_iter().skip_while(|(text, _)| text != "Settings").collect();
        assert!(texts.iter().all(|(_, cut)| !cut), "{size}: {texts:?}");
    }
}

#[test]
fn what_is_chosen_holds_at_once_and_in_the_open_match() {
    let mut app = sample("gomoku", Vec2::new(1440.0, 900.0));
    open(&mut app);
    for (choice, theme) in [("Theme: dark", Theme::Dark), ("Theme: light", Theme::Light)] {
        app.get_by_label(choice).click();
        app.run_steps(4);
        assert_eq!(app.ctx.theme(), theme);
    }
    app.get_by_label("Speed: 4×").click();
    app.get_by_role_and_label(Role::CheckBox, "Spoiler mode").click();
    app.run_steps(4);
    app.key_press(Key::Escape);
    app.run_steps(4);
    assert!(!shows(&app, "Appearance"), "{app:?}");
    assert!(shows(&app, "Speed 4×") && shows(&app, "No spoilers"), "{app:?}");
    open(&mut app);
    app.get_by_label("Reset settings").click();
    app.run_steps(4);
    app.get_by_label("Close").click();
    app.run_steps(4);
    assert!(shows(&app, "Speed 1×") && !shows(&app, "No spoilers"), "{app:?}");
}

#[test]
fn the_menu_of_the_timeline_leads_to_all_settings() {
    let mut app = sample("gomoku", Vec2::new(1440.0, 900.0));
    app.get_by_label("Moments and lanes").click();
    app.run_steps(4);
    app.get_by_label("All settings…").click();
    app.run_steps(4);
    assert!(shows(&app, "Appearance"), "{app:?}");
}

#[test]
fn choices_of_a_setting_stand_in_one_row_and_each_setting_has_a_sentence_of_its_own() {
    for size in [Vec2::new(800.0, 600.0), Vec2::new(1440.0, 900.0)] {
        let mut app = window(None, size);
        open(&mut app);
        for (setting, choices) in
            [("Speed", ["¼×", "64×"].as_slice()), ("Idle time", ["all", "at most 0.3 s"].as_slice())]
        {
            let tops: Vec<_> = choices
                .iter()
                .map(|choice| app.get_by_label(&format!("{setting}: {choice}")).rect().top())
                .collect();
            assert_eq!(tops[0], tops[1], "{size}: {setting}");
        }
        let texts: Vec<_> = painted(&app).into_iter().skip_while(|(text, _)| text != "Settings").collect();
        let sentences = texts.iter().map(|(text, _)| text).filter(|text| text.ends_with('.'));
        let mut seen = std::collections::HashSet::new();
        for sentence in sentences {
            assert!(seen.insert(sentence), "{sentence}");
        }
        app.get_by_label("Close the settings").click();
        app.run_steps(4);
        assert!(!shows(&app, "Appearance"), "{app:?}");
    }
}

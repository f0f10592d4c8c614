//! View of the board: enlarged, turned around, with one unit in the middle; and the sizes of the panels beside it.

use eframe::egui::{Event, Key, Modifiers, Pos2, Rect, Shape, Vec2, accesskit::Role};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_gui::actions::{ACTIONS, Action, Entry};

use crate::support::{self, Window, shows, wait_for, window};

const SIZE: Vec2 = Vec2::new(1280.0, 800.0);

fn sample(name: &str, size: Vec2) -> Window {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/").to_owned() + name;
    let mut app = window(Some(Target::File(path.into())), size);
    // A long match may be over by the time that it is looked at.
    wait_for(&mut app, "Timeline");
    if shows(&app, "Pause") {
        app.key_press(Key::Space);
        app.run();
    }
    app
}

fn press(app: &mut Window, modifiers: Modifiers, key: Key) {
    app.key_press_modifiers(modifiers, key);
    app.run();
}

/// Where something is that the board tells of in its words.
fn rect(app: &Window, label: &str) -> Rect {
    let found = app.query_all_by_label_contains(label).next();
    found.unwrap_or_else(|| panic!("{label}")).rect()
}

fn board(app: &Window) -> Rect {
    rect(app, "Abalone board: ")
}

#[test]
fn the_evaluation_bar_stands_beside_a_map_that_fills_its_place() {
    for size in [(800.0, 600.0), (1440.0, 900.0), (1920.0, 1080.0)] {
        let mut app = sample("riskless-alphabeta-random.replay", Vec2::new(size.0, size.1));
        for panel in ["open", "closed"] {
            let map = app.get_by_label_contains("Riskless map").rect();
            let bar = app.get_by_role(Role::Meter).rect();
            assert!(bar.right() <= map.left() + 0.5, "{size:?}, panel {panel}: {bar} on {map}");
            app.key_press(Key::B);
            app.run_steps(6);
        }
    }
}

#[test]
fn a_map_on_a_phone_is_higher_than_its_shape_and_its_buttons_stand_below_it() {
    let mut app = sample("riskless-alphabeta-random.replay", Vec2::new(390.0, 844.0));
    app.run_steps(4);
    let map = app.get_by_label_contains("Riskless map").rect();
    let shape = map.width() / map.height();
    assert!((1.05..1.3).contains(&shape), "{map}");
    // Without the panel below it.
    app.get_by_label("Close the panel").click();
    app.run_steps(4);
    let map = app.get_by_label_contains("Riskless map").rect();
    assert!(app.get_by_label("Board: zoom in").rect().top() >= map.bottom(), "{map}");
}

#[test]
fn the_board_is_turned_around_and_the_next_match_is_not() {
    let mut app = sample("team-team.replay", SIZE);
    press(&mut app, Modifiers::NONE, Key::End);
    // The first piece that the board tells of, in row A or near to it.
    let mut pieces =
        app.query_all_by_label_contains(": black").filter_map(|node| node.accesskit_node().label());
    let piece = pieces.find(|words| !words.starts_with("Go to")).expect("a piece");
    drop(pieces);
    let before = rect(&app, &piece).center();
    press(&mut app, Modifiers::SHIFT, Key::R);
    let after = rect(&app, &piece).center();
    let middle = board(&app).center();
    assert!((before.x - middle.x + after.x - middle.x).abs() < 1.0, "{before} {after} {middle}");
    assert!((before.y - after.y).abs() > 40.0, "{before} {after}");
    app.get_by_label("Board: flip").click();
    app.run();
    assert_eq!(rect(&app, &piece).center(), before);
    // Where there is no other side there is no button.
    let app = sample("riskless-alphabeta-random.replay", SIZE);
    assert!(app.query_by_label("Board: flip").is_none());
}

#[test]
fn buttons_and_keys_enlarge_the_board_and_show_all_of_it() {
    let mut app = sample("team-team.replay", SIZE);
    press(&mut app, Modifiers::NONE, Key::Home);
    press(&mut app, Modifiers::SHIFT, Key::ArrowRight);
    let whole = board(&app);
    app.get_by_label("Board: zoom in").click();
    app.run();
    assert!((board(&app).width() / whole.width() - 1.5).abs() < 0.01);
    press(&mut app, Modifiers::NONE, Key::Minus);
    assert_eq!(board(&app), whole);
    press(&mut app, Modifiers::NONE, Key::Plus);
    press(&mut app, Modifiers::NONE, Key::Num9);
    assert_eq!(board(&app), whole);
    // The buttons hide nothing of the board.
    for label in ["Board: zoom in", "Board: zoom out", "Board: fit", "Board: flip"] {
        let button = app.get_by_label(label).rect();
        let side = whole.height().min(whole.width());
        assert!(
            button.left() > whole.center().x + side / 2.0 || button.top() > whole.center().y + side / 2.0,
            "{label}"
        );
    }
}

fn panel_width(app: &Window) -> f32 {
    let label = app.query_all_by_label_contains("Width of the side panel: ").next().expect("an edge");
    let label = label.accesskit_node().label().expect("words");
    let words = label.split_whitespace().nth_back(1).expect("a number");
    words.parse().expect("points")
}

#[test]
fn a_panel_is_resized_at_its_edge_and_gets_its_usual_size_back() {
    let mut app = sample("team-team.replay", SIZE);
    let usual = panel_width(&app);
    let edge = rect(&app, "Width of the side panel: ").center();
    app.event(Event::PointerMoved(edge));
    app.step();
    app.drag_at(edge);
    app.step();
    let to = Pos2::new(edge.x - 100.0, edge.y);
    app.event(Event::PointerMoved(to));
    app.step();
    app.drop_at(to);
    app.run();
    assert!((panel_width(&app) - usual - 100.0).abs() < 3.0, "{} {usual}", panel_width(&app));
    // It is kept while the panel is closed.
    let wide = panel_width(&app);
    press(&mut app, Modifiers::NONE, Key::B);
    press(&mut app, Modifiers::NONE, Key::B);
    assert_eq!(panel_width(&app), wide);
    // By the keyboard.
    let words = format!("Width of the side panel: {wide:.0} px");
    let edge = app.get_by_role_and_label(Role::Splitter, &words);
    edge.focus();
    app.run();
    press(&mut app, Modifiers::NONE, Key::ArrowRight);
    assert!((wide - panel_width(&app) - 24.0).abs() < 3.0, "{} {wide}", panel_width(&app));
    let edge = rect(&app, "Width of the side panel: ").center();
    app.event(Event::PointerMoved(edge));
    app.step();
    for _ in 0..2 {
        app.drag_at(edge);
        app.step();
        app.drop_at(edge);
        app.step();
    }
    app.run();
    assert_eq!(panel_width(&app), usual);
}

#[test]
fn one_unit_is_followed_with_what_it_has_done() {
    let mut app = sample("fortress-strong-strong.replay.zst", SIZE);
    press(&mut app, Modifiers::NONE, Key::End);
    let unit = rect(&app, "red soldier ");
    app.hover_at(unit.center());
    app.run();
    press(&mut app, Modifiers::SHIFT, Key::U);
    app.run_steps(120);
    assert!(shows(&app, "Following red soldier ") && shows(&app, "Shots"), "{app:?}");
    // Its present state comes first.
    let told = app
        .query_all_by_label_contains("Following red")
        .next_back()
        .and_then(|card| card.accesskit_node().label());
    assert!(told.is_some_and(|words| words.contains(": Health ")), "{app:?}");
    // The board is enlarged, and the unit as near to its middle as there is board.
    assert!(rect(&app, "red soldier ").width() > 1.9 * unit.width());
    press(&mut app, Modifiers::NONE, Key::Escape);
    assert!(!shows(&app, "Following red soldier") && shows(&app, "Timeline"));
    // On a phone, whose sheet leaves the board little room, one line says who it is and how it is.
    let mut app = sample("fortress-strong-strong.replay.zst", Vec2::new(390.0, 844.0));
    press(&mut app, Modifiers::NONE, Key::End);
    press(&mut app, Modifiers::NONE, Key::B);
    let unit = rect(&app, "red soldier ");
    app.hover_at(unit.center());
    app.run();
    press(&mut app, Modifiers::SHIFT, Key::U);
    app.run_steps(60);
    let card = rect(&app, "Following red soldier ");
    assert!(card.height() < 50.0 && shows(&app, ": Health "), "{card}");
    // A tap shows what it has done, another one folds that.
    app.get_by_label("Unfold the unit's figures").click();
    app.run_steps(8);
    let told = || crate::support::painted(&app).into_iter().map(|(text, _)| text.replace('\u{a0}', " "));
    assert!(told().any(|text| text.contains("Kills ") && text.contains("Damage taken ")), "{app:?}");
    let whole = rect(&app, "Following red soldier ");
    assert!(whole.height() > card.height() + 10.0 && whole.height() < 120.0, "{whole}");
    app.get_by_label("Fold the unit's figures").click();
    app.run_steps(8);
    assert_eq!(rect(&app, "Following red soldier ").height(), card.height());
    // In a small window with its panel it is a line away from the unit too.
    let mut app = sample("fortress-strong-strong.replay.zst", Vec2::new(800.0, 600.0));
    press(&mut app, Modifiers::NONE, Key::End);
    let unit = rect(&app, "red soldier ");
    app.hover_at(unit.center());
    app.run();
    press(&mut app, Modifiers::SHIFT, Key::U);
    app.run_steps(60);
    let (card, unit) = (rect(&app, "Following red soldier "), rect(&app, "red soldier "));
    assert!(card.height() < 40.0 && !card.intersects(unit.expand(unit.width())), "{card} {unit}");
    // A game without units has nobody to follow.
    let mut app = sample("team-team.replay", SIZE);
    press(&mut app, Modifiers::SHIFT, Key::U);
    assert!(!shows(&app, "Following"));
}

/// Painted texts that are seen whole, with their places.
fn seen_texts(app: &Window) -> Vec<(String, Rect)> {
    let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => {
            let place = text.visual_bounding_rect();
            clipped.clip_rect.contains_rect(place).then(|| (text.galley.text().to_owned(), place))
        }
        _ => None,
    });
    texts.collect()
}

#[test]
fn the_card_of_a_followed_unit_lies_on_no_coordinates_of_the_whole_board() {
    let mut app = sample("fortress-strong-strong.replay.zst", Vec2::new(1440.0, 900.0));
    press(&mut app, Modifiers::NONE, Key::End);
    let unit = rect(&app, "red soldier ");
    app.hover_at(unit.center());
    app.run();
    let board = rect(&app, "Places of the board");
    let mut names = seen_texts(&app);
    names.retain(|(text, place)| {
        text.replace('−', "-").parse::<i32>().is_ok_and(|name| name.abs() < 30) && board.contains_rect(*place)
    });
    assert!(names.len() > 30, "{names:?}");
    press(&mut app, Modifiers::SHIFT, Key::U);
    press(&mut app, Modifiers::NONE, Key::Num9);
    app.run_steps(60);
    let card = rect(&app, "Following red soldier ");
    let hidden: Vec<_> = names.iter().filter(|(_, place)| place.intersects(card)).collect();
    assert!(hidden.is_empty(), "{card}: {hidden:?}");
}

#[test]
fn without_a_unit_to_follow_the_board_stays_as_it_is() {
    let mut app = sample("fortress-strong-strong.replay.zst", SIZE);
    press(&mut app, Modifiers::NONE, Key::End);
    press(&mut app, Modifiers::NONE, Key::Plus);
    app.run_steps(10);
    let unit = rect(&app, "red soldier ");
    press(&mut app, Modifiers::SHIFT, Key::U);
    assert!(shows(&app, "Point at a unit, or pin one, first"), "{app:?}");
    app.run_steps(10);
    assert_eq!(rect(&app, "red soldier "), unit);
}

#[test]
fn the_help_shows_every_row_whole_in_a_usual_window() {
    // Gomoku has a use for most of them, and nobody speaks in it.
    let mut app = sample("gomoku-stupid-stupid.replay", Vec2::new(1440.0, 900.0));
    press(&mut app, Modifiers::NONE, Key::Questionmark);
    app.run_steps(5);
    let has_row = |entry: &&Entry| {
        !entry.keys.is_empty()
            && ![Action::FollowUnit, Action::BoardFight, Action::ShowTalk].contains(&entry.action)
    };
    for entry in ACTIONS.iter().filter(has_row) {
        let seen = app.output().shapes.iter().any(|clipped| match &clipped.shape {
            Shape::Text(text) => {
                let whole = clipped.clip_rect.expand(1.0).contains_rect(text.visual_bounding_rect());
                text.galley.text() == entry.action.name_with(Some("Move")) && whole
            }
            _ => false,
        });
        assert!(seen, "{}", entry.name);
    }
}

/// Where units of Steam Fortress are seen.
fn units(app: &Window) -> Vec<Rect> {
    let is_unit = |label: &str| label.contains(", health ") && label.contains(" of ");
    let found = app.query_all_by_role(Role::Image);
    let found = found.filter(|node| node.accesskit_node().label().is_some_and(|label| is_unit(&label)));
    found.map(|node| node.rect()).collect()
}

#[test]
fn a_key_and_a_button_zoom_to_the_fight_stay_with_it_and_show_the_whole_board_again() {
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0)] {
        let mut app = sample("fortress-strong-strong.replay.zst", size);
        let board = |app: &Window| rect(app, "Steam Fortress board: ");
        let press = |app: &mut Window, key: Key| {
            app.key_press(key);
            app.run_steps(10);
        };
        press(&mut app, Key::Home);
        press(&mut app, Key::N);
        let whole = board(&app);
        press(&mut app, Key::Num8);
        let close = board(&app);
        assert!(close.width() > 1.4 * whole.width(), "{size}: {close} of {whole}");
        let seen = units(&app).into_iter().filter(|unit| whole.contains(unit.center())).count();
        assert!(seen >= 2, "{size}: {seen} in {whole}");
        // The fight goes elsewhere, and the view with it.
        press(&mut app, Key::End);
        let later = board(&app);
        assert!(later != close && later.width() > 1.2 * whole.width(), "{size}: {later}");
        press(&mut app, Key::Num8);
        assert_eq!(board(&app), whole, "{size}");
        app.get_by_label("Board: zoom to the fight").click();
        app.run_steps(10);
        assert!(board(&app).width() > 1.2 * whole.width(), "{size}");
        press(&mut app, Key::Escape);
        assert_eq!(board(&app), whole, "{size}");
    }
    // A game without fights has no button.
    let app = sample("team-team.replay", SIZE);
    assert!(app.query_by_label("Board: zoom to the fight").is_none());
}

#[test]
fn keys_enlarge_a_board_around_its_fight() {
    let (small, phone) = (Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0));
    for (size, rests) in [(small, false), (phone, false), (small, true)] {
        let mut app = sample("fortress-strong-strong.replay.zst", size);
        let press = |app: &mut Window, key: Key| {
            app.key_press(key);
            app.run_steps(10);
        };
        // Where nobody is in the middle of the board.
        press(&mut app, Key::End);
        let whole = rect(&app, "Steam Fortress board: ");
        if rests {
            // A pointer that was left in a corner points at nothing.
            app.hover_at(whole.left_top() + Vec2::splat(12.0));
            app.run_steps(4 * 60);
        }
        press(&mut app, Key::Plus);
        press(&mut app, Key::Plus);
        let close = rect(&app, "Steam Fortress board: ");
        assert!(close.width() > 1.4 * whole.width(), "{size}: {close} of {whole}");
        let seen = units(&app).into_iter().filter(|unit| whole.contains(unit.center())).count();
        assert!(seen >= 2, "{size}: {seen} in {whole}");
    }
}

/// Texts of the line with the scores, with their places.
fn header(app: &Window) -> Vec<(String, bool, Pos2)> {
    let texts = app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => Some((text.galley.text().to_owned(), text.galley.elided, text.pos)),
        _ => None,
    });
    texts.filter(|(_, _, at)| (44.0..112.0).contains(&at.y)).collect()
}

#[test]
fn names_beside_the_scores_are_whole_and_stay_in_their_places_from_the_first_moment_to_the_end() {
    for (game, names) in [
        ("abalone", ["team (black)", "team (white)"]),
        ("fortress", ["strong (red)", "strong (blue)"]),
        ("gomoku", ["stupid (black)", "stupid (white)"]),
        ("riskless", ["alphabeta:depth=2", "random"]),
        ("shark", ["shark", "stupidbot"]),
    ] {
        for has_panel in [true, false] {
            let mut app = support::sample(game, Vec2::new(800.0, 600.0));
            if !has_panel {
                app.key_press(Key::B);
                app.run_steps(8);
            }
            let mut first = None;
            for moment in [Key::Home, Key::ArrowRight, Key::Num0, Key::End] {
                match moment {
                    Key::Num0 => {
                        let at = app.get_by_label("Timeline").rect().center();
                        app.drag_at(at);
                        app.step();
                        app.drop_at(at);
                    }
                    key => app.key_press(key),
                }
                app.hover_at(Pos2::new(4.0, 596.0));
                app.run_steps(12);
                let shown = header(&app);
                let place = |name: &str| {
                    let found = shown.iter().find(|(text, cut, _)| text == name && !cut);
                    let found = found.unwrap_or_else(|| panic!("{game} {moment:?}, {name}: {shown:?}"));
                    found.2.round()
                };
                let places = names.map(place);
                assert_eq!(*first.get_or_insert(places), places, "{game} {has_panel} {moment:?}: {shown:?}");
            }
        }
    }
}

#[test]
fn seconds_of_a_fallen_unit_are_no_number_of_a_unit() {
    let mut app = support::sample("fortress", Vec2::new(1440.0, 900.0));
    app.key_press(Key::End);
    app.run_steps(12);
    let shown = header(&app);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit());
    let seconds = shown.iter().filter(|(text, ..)| text.strip_suffix('s').is_some_and(is_number));
    assert!(seconds.count() >= 1, "{shown:?}");
    // The scores are the only other numbers.
    assert_eq!(shown.iter().filter(|(text, ..)| is_number(text)).count(), 2, "{shown:?}");
}

#[test]
fn health_of_all_units_stands_in_numbers_below_a_board_and_over_an_enlarged_one() {
    for (width, height, enlarges) in [(1440.0, 900.0, true), (800.0, 600.0, false), (1440.0, 900.0, false)] {
        let mut app = support::sample("fortress", Vec2::new(width, height));
        if enlarges {
            app.key_press(Key::Num8);
        }
        app.run_steps(30);
        let full = support::painted(&app).into_iter().filter(|(text, cut)| text == "1000" && !cut);
        assert!(full.count() >= 4, "{width} {enlarges}: {:?}", support::painted(&app));
    }
}

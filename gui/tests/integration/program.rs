//! Tests of the program panel, through the accessibility tree.

use std::fs;
use std::path::Path;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Shape, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::Folder;

use crate::support::{Window, painted, shows, wait_for, window};

/// Recording of the shipped teams, with their programs.
fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name);
    fs::read(path).expect("a sample")
}

/// A window with a recording, paused at its start, with the program panel.
fn open(folder: &Folder, name: &str, bytes: Vec<u8>) -> Window {
    open_in(folder, name, bytes, Vec2::new(1440.0, 900.0))
}

fn open_in(folder: &Folder, name: &str, bytes: Vec<u8>, size: Vec2) -> Window {
    let path = folder.file(name, bytes);
    let mut app = window(Some(Target::File(path)), size);
    // On a slow machine an animated board may have played to its end during the first frames.
    wait_until(&mut app, "the recording", |app| shows(app, "Pause") || shows(app, "Watch again"));
    if shows(&app, "Pause") {
        press(&mut app, Key::Space);
    }
    press(&mut app, Key::Home);
    press(&mut app, Key::Num5);
    app
}

fn abalone(folder: &Folder) -> Window {
    let mut app = open(folder, "match.replay", sample("team-simple_bot.replay"));
    wait_for(&mut app, ", here: ");
    wait_until(&mut app, "the end of the match", |app| !shows(app, "The match is played again"));
    app
}

fn press(app: &mut Window, key: Key) {
    app.key_press(key);
    app.run_steps(4);
}

fn click(app: &mut Window, label: &str) {
    app.get_by_label(label).click();
    app.run_steps(3);
}

/// Labels with this prefix.
fn labels(app: &Window, begin: &str) -> Vec<String> {
    let nodes = app.query_all_by_label_contains(begin);
    let labels = nodes.filter_map(|node| node.accesskit_node().label().or(node.value()));
    labels.filter(|label| label.starts_with(begin)).collect()
}

/// Number of the current source line, if it is in view.
fn here(app: &Window) -> Option<u32> {
    let labels = labels(app, "Line ");
    let label = labels.iter().find(|label| label.contains(", here: "))?;
    label["Line ".len()..].split(',').next()?.parse().ok()
}

/// Current command of the board. Source lines have labels of a similar form.
fn command(app: &Window) -> u64 {
    let labels = labels(app, "Line ");
    let label = labels.iter().find(|label| label.contains(" of ") && !label.contains(':'));
    let number = label.and_then(|label| label.split_whitespace().nth(1)).expect("the line that is shown");
    number.replace(',', "").parse().expect("a number")
}

fn wait_until(app: &mut Window, what: &str, is_so: impl Fn(&Window) -> bool) {
    let began = std::time::Instant::now();
    while !is_so(app) {
        assert!(
            began.elapsed() < grandstand_testing::PATIENCE,
            "{what} never came; there is {:?}",
            painted(app)
        );
        app.step();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // The board follows in the next frame.
    app.run_steps(3);
}

fn type_into(app: &mut Window, field: &str, text: &str) {
    app.get_by_label(field).click();
    app.run_steps(2);
    app.key_press_modifiers(eframe::egui::Modifiers::COMMAND, Key::A);
    app.run_steps(2);
    app.get_by_label(field).type_text(text);
    app.run_steps(2);
}

#[test]
fn a_step_moves_line_and_board_and_a_seek_moves_the_line() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    let first = here(&app);
    click(&mut app, "Forward by line");
    wait_until(&mut app, "another line", |app| here(app).is_some() && here(app) != first);
    click(&mut app, "turn");
    let before = command(&app);
    click(&mut app, "Forward by turn");
    wait_until(&mut app, "the end of the turn", |app| shows(app, "in turn 1 · cycle 1,999"));
    assert!(command(&app) > before, "the board went along");
    let there = command(&app);
    click(&mut app, "Forward by turn");
    wait_until(&mut app, "the next turn", |app| shows(app, "in turn 2 · cycle 3,999"));
    click(&mut app, "Back by turn");
    wait_until(&mut app, "the turn before", |app| shows(app, "in turn 1 · cycle 1,999"));
    assert_eq!(command(&app), there);
    press(&mut app, Key::End);
    // The bot is lost by then, and a message says so.
    wait_for(&mut app, "Show its last moment");
    press(&mut app, Key::Home);
    click(&mut app, "Back by turn");
    wait_for(&mut app, "No further step that way.");
}

#[test]
fn a_bot_that_is_lost_has_a_way_to_its_last_moment() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    press(&mut app, Key::End);
    wait_for(&mut app, "Show its last moment");
    assert!(labels(&app, "Bot: ").iter().all(|bot| !bot.contains(" at ")), "it is nowhere on this board");
    click(&mut app, "State");
    app.get_by_label("It is not in the match at this moment, and has no state.");
    let end = command(&app);
    click(&mut app, "Show its last moment");
    wait_for(&mut app, "and then: ");
    // The board and the marked line follow the words by a frame.
    wait_until(&mut app, "its last moment on the board", |app| command(app) < end && here(app).is_some());
}

/// Presses a row, which may be out of sight.
fn press_row(app: &mut Window, label: &str) {
    app.get_by_label(label).click_accesskit();
    app.run_steps(3);
}

/// The tabs of the sections below the source.
fn tabs(app: &Window) -> Vec<eframe::egui::Rect> {
    ["Why", "State", "Find", "Print", "Heat"].map(|tab| app.get_by_label(tab).rect()).to_vec()
}

#[test]
fn sections_have_their_tabs_in_one_place() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    let before = tabs(&app);
    for section in ["Find", "Print", "Heat"] {
        click(&mut app, section);
        assert_eq!(tabs(&app), before, "{section}");
    }
}

#[test]
fn in_a_small_window_the_result_leaves_room_for_the_program() {
    let folder = Folder::new();
    let bytes = sample("team-simple_bot.replay");
    let mut app = open_in(&folder, "match.replay", bytes, Vec2::new(800.0, 600.0));
    wait_for(&mut app, ", here: ");
    press(&mut app, Key::End);
    wait_for(&mut app, "The match is over. ");
    app.run_steps(5);
    let card = app.get_by_label_contains("The match is over. ").rect();
    for tab in tabs(&app) {
        assert!(tab.bottom() <= card.top(), "{tab:?} is above {card:?}");
    }
}

#[test]
fn a_click_on_a_piece_chooses_its_bot() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    click(&mut app, "turn");
    click(&mut app, "Forward by turn");
    wait_until(&mut app, "the end of the turn", |app| shows(app, "in turn 1 · cycle 1,999"));
    let white = labels(&app, "G1: white");
    assert_eq!(white.len(), 1, "{app:?}");
    let at = app.get_by_label(&white[0]).rect().center();
    app.hover_at(at);
    app.run_steps(2);
    app.drag_at(at);
    app.step();
    app.drop_at(at);
    wait_for(&mut app, "Bot: white bot");
    assert!(shows(&app, "simple_bot.cl"));
}

#[test]
fn a_line_is_found_from_the_gutter_and_under_a_condition() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    let lit = here(&app).unwrap();
    let other = labels(&app, "Gutter of line ");
    let other: Vec<u32> =
        other.iter().map(|label| label["Gutter of line ".len()..].parse().unwrap()).collect();
    assert!(other.contains(&lit), "{other:?}");
    click(&mut app, "turn");
    click(&mut app, "Forward by turn");
    wait_until(&mut app, "the end of the turn", |app| shows(app, "in turn 1 · cycle 1,999"));
    click(&mut app, "Find");
    type_into(&mut app, "Line to find", "team.cl:64");
    type_into(&mut app, "Condition", "number > 3");
    click(&mut app, "Next line");
    wait_until(&mut app, "the line", |app| here(app) == Some(64) || shows(app, "Nothing found that way."));
    type_into(&mut app, "Condition", "number < 0 - 5");
    click(&mut app, "Next line");
    wait_for(&mut app, "Nothing found that way.");
    type_into(&mut app, "Condition", "number <");
    click(&mut app, "Next line");
    wait_for(&mut app, "expression:1:");
    type_into(&mut app, "Line to find", "nowhere");
    click(&mut app, "Next line");
    wait_for(&mut app, "A line is meant as FILE:LINE");
}

#[test]
fn values_are_printed_and_lead_to_their_moments() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    click(&mut app, "Print");
    type_into(&mut app, "Line to print at", "simple_bot.cl:52");
    type_into(&mut app, "Expression", "(here, 7)");
    click(&mut app, "Print the expression");
    wait_for(&mut app, ", 7)");
    let rows: Vec<String> = labels(&app, "turn ").into_iter().filter(|row| row.contains(": ((")).collect();
    assert!(rows.len() > 3, "{rows:?}");
    app.get_by_label(&rows[2]).click();
    wait_until(&mut app, "the moment", |app| {
        shows(app, "Bot: white bot") && here(app).is_some_and(|line| line <= 52)
    });
    type_into(&mut app, "Expression", "nobody +");
    click(&mut app, "Print the expression");
    wait_for(&mut app, "expression:1:");
}

#[test]
fn reductions_are_counted_by_line_bot_and_turn() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    click(&mut app, "Heat");
    click(&mut app, "Count steps");
    wait_for(&mut app, "The hottest lines");
    assert!(shows(&app, "Steps of "));
    let hot: Vec<String> = labels(&app, "team.cl:").into_iter().filter(|line| line.contains('%')).collect();
    assert!(hot.len() > 3, "{hot:?}");
    // A line that is out of view so far: it comes into view, and stays there.
    let at = here(&app).unwrap();
    let number = |line: &String| line["team.cl:".len()..].split(':').next()?.parse::<u32>().ok();
    let far = hot.iter().find(|line| number(line).is_some_and(|line| line.abs_diff(at) > 30)).unwrap();
    let far_number = number(far).unwrap();
    app.get_by_label(far).click();
    app.run_steps(12);
    assert_eq!(labels(&app, &format!("Gutter of line {far_number}")).len(), 1, "{far}");
    app.get_by_label(&hot[0]).click();
    let place = hot[0].split(": ").next().unwrap();
    wait_for(&mut app, &format!("{place}, by bot and turn"));
    click(&mut app, "Show all lines");
    wait_for(&mut app, "All lines, by bot and turn");
}

#[test]
fn the_panel_says_why_the_match_was_lost_and_leads_there() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    wait_for(
        &mut app,
        "white (simple_bot) lost 2–6 against black (team), by score. It turned at turn 9: bot 13 was pushed off",
    );
    assert!(shows(&app, "6 bots lost") && shows(&app, "What cost most, in moves of one bot"), "{app:?}");
    // Places are called as on the board.
    assert!(shows(&app, "D−4–E−3 UR") && !shows(&app, "D~4"), "{app:?}");
    click(&mut app, "Show where it turned");
    wait_until(&mut app, "the turning point", |app| shows(app, "Bot: white bot 13 at"));
    assert!(shows(&app, "6 bots lost"), "the report stays");
    let lost = labels(&app, "end of turn 15: bot 8 was pushed off");
    press_row(&mut app, &lost[0]);
    wait_until(&mut app, "the loss", |app| shows(app, "Bot: white bot 8 at") && shows(app, "and then: "));
    // The first of its mistakes: right before the moves are made.
    let mistake = labels(&app, "32.0: 21 times a move failed");
    press_row(&mut app, &mistake[0]);
    wait_until(&mut app, "the mistake", |app| !shows(app, "Bot: white bot 8 at") && shows(app, "in turn "));
    click(&mut app, "team (black)");
    assert!(shows(&app, "2 bots lost"), "{app:?}");
    // Who turns to one bot is shown its state.
    click(&mut app, "Forward by line");
    wait_for(&mut app, "Names");
    assert!(!shows(&app, "2 bots lost"));
}

#[test]
fn on_a_phone_the_reasons_come_first_and_the_source_has_room() {
    let folder = Folder::new();
    let bytes = sample("team-simple_bot.replay");
    let mut app = open_in(&folder, "match.replay", bytes, Vec2::new(390.0, 844.0));
    wait_for(&mut app, "white (simple_bot) lost 2–6");
    app.run_steps(4);
    let timeline = app.get_by_label("Play").rect();
    let reason = app.get_by_label_contains("white (simple_bot) lost 2–6").rect();
    assert!(reason.bottom() < timeline.top(), "{reason:?} {timeline:?}");
    click(&mut app, "State");
    wait_for(&mut app, ", here: ");
    let gutter = labels(&app, "Gutter of line ");
    assert!(gutter.len() >= 3, "{gutter:?}");
}

#[test]
fn a_match_of_shark_has_its_programs_too() {
    let folder = Folder::new();
    let mut app = open(&folder, "match.replay.zst", sample("shark-shark-stupidbot.replay.zst"));
    wait_for(&mut app, ", here: ");
    click(&mut app, "action");
    click(&mut app, "Forward by action");
    wait_until(&mut app, "an action", |app| {
        labels(app, "Line ").iter().any(|line| line.contains(", here: ") && line.contains("do "))
    });
}

#[test]
fn reasons_of_a_match_of_shark_tell_the_time_in_steps() {
    let folder = Folder::new();
    let mut app = open(&folder, "match.replay.zst", sample("shark-shark-stupidbot.replay.zst"));
    wait_for(&mut app, "It turned at step ");
    assert!(!labels(&app, "step ").is_empty() && labels(&app, "move ").is_empty(), "{app:?}");
}

#[test]
fn in_a_small_window_the_line_of_a_step_is_in_view() {
    let folder = Folder::new();
    let bytes = sample("shark-shark-stupidbot.replay.zst");
    let mut app = open_in(&folder, "match.replay.zst", bytes, Vec2::new(800.0, 600.0));
    wait_for(&mut app, ", here: ");
    // The next action is in another file. A line out of view has no label.
    choose_unit(&mut app, "action");
    click(&mut app, "Forward by action");
    wait_until(&mut app, "the line of the action, in view", |app| {
        labels(app, "Line ").iter().any(|line| line.contains(", here: ") && line.contains("do "))
    });
    // Lines begin at their start, in several rows if they are long.
    let lines = labels(&app, "Line ").into_iter().filter(|line| line.contains(": "));
    let lines: Vec<String> = lines.filter_map(|line| Some(line.split_once(": ")?.1.to_owned())).collect();
    assert!(lines.len() >= 6, "{lines:?}");
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    // The uppermost one may have begun above.
    for line in lines.iter().skip(1).filter(|line| !line.trim().is_empty()) {
        let begins = |text: &String| text.len() > 9 && line.starts_with(text.as_str()) || text == line;
        assert!(texts.iter().any(begins), "{line}: {texts:?}");
    }
}

/// Chooses the length of a step where it drops down.
fn choose_unit(app: &mut Window, unit: &str) {
    app.get_by_label_contains("Length of a step: ").click();
    app.run_steps(3);
    click(app, unit);
}

#[test]
fn a_moment_in_another_file_has_its_line_in_view() {
    let folder = Folder::new();
    let mut app = open(&folder, "match.replay.zst", sample("shark-shark-stupidbot.replay.zst"));
    wait_for(&mut app, "It turned at step ");
    click(&mut app, "Show where it turned");
    wait_until(&mut app, "the turning point", |app| here(app).is_some_and(|line| line != 149));
    let lost = labels(&app, "step 488,961: robot 5 was rammed");
    for _ in 0..2 {
        press_row(&mut app, &lost[0]);
        wait_until(&mut app, "the loss", |app| shows(app, "and then: ") && here(app) == Some(149));
        // The view has been seen to move away again.
        app.run_steps(60);
        assert_eq!(here(&app), Some(149));
        let turned = labels(&app, "step 272,530: ");
        press_row(&mut app, &turned[0]);
        wait_until(&mut app, "another loss", |app| here(app) == Some(154));
    }
}

#[test]
fn on_a_phone_a_tab_shows_its_own_first_and_the_source_below() {
    let folder = Folder::new();
    let bytes = sample("shark-shark-stupidbot.replay.zst");
    let mut app = open_in(&folder, "match.replay.zst", bytes, Vec2::new(390.0, 844.0));
    wait_for(&mut app, "It turned at step ");
    for (tab, own) in
        [("State", "scope"), ("Find", "Line to find"), ("Print", "Line to print at"), ("Heat", "Count steps")]
    {
        click(&mut app, tab);
        let first = app.query_all_by_label_contains(own).next().unwrap_or_else(|| panic!("{tab}: {app:?}"));
        let bot = app.get_by_label_contains("Bot: ").rect();
        assert!(first.rect().top() < bot.top(), "{tab}: {:?} {bot:?}", first.rect());
        assert!(bot.top() < app.get_by_label("Play").rect().top(), "{tab}: {bot:?}");
        assert!(!labels(&app, "Gutter of line ").is_empty(), "{tab}");
    }
}

#[test]
fn on_a_phone_the_running_line_is_in_view_in_every_tab_and_the_source_has_one() {
    let folder = Folder::new();
    let bytes = sample("team-simple_bot.replay");
    let mut app = open_in(&folder, "match.replay", bytes, Vec2::new(390.0, 844.0));
    wait_for(&mut app, "white (simple_bot) lost 2–6");
    app.run_steps(4);
    let line_in_view = |app: &Window| {
        let timeline = app.get_by_label("Timeline").rect();
        let line = app.query_all_by_label_contains(", here: ").next().map(|line| line.rect());
        line.is_some_and(|line| line.bottom() <= timeline.top())
    };
    for tab in ["State", "Find", "Print", "Heat"] {
        click(&mut app, tab);
        app.run_steps(3);
        assert!(line_in_view(&app), "{tab}: {app:?}");
    }
    let few = labels(&app, "Line ").len();
    click(&mut app, "All of the source");
    app.run_steps(3);
    assert!(line_in_view(&app) && labels(&app, "Line ").len() > few + 3, "{app:?}");
    click(&mut app, "State");
    app.run_steps(3);
    assert_eq!(labels(&app, "Line ").len(), few);
    click(&mut app, "Source");
    app.run_steps(3);
    assert!(line_in_view(&app) && labels(&app, "Line ").len() > few + 3, "{app:?}");
}

#[test]
fn in_a_small_window_the_turning_point_and_the_first_loss_are_read_without_scrolling() {
    let folder = Folder::new();
    for size in [Vec2::new(800.0, 600.0), Vec2::new(390.0, 844.0)] {
        let bytes = sample("team-simple_bot.replay");
        let mut app = open_in(&folder, "match.replay", bytes, size);
        wait_for(&mut app, "white (simple_bot) lost 2–6");
        app.run_steps(6);
        let end = app.get_by_label("Timeline").rect().top();
        let lost = labels(&app, "end of turn ").into_iter().find(|row| row.contains("was pushed off"));
        let lost = lost.expect("a loss");
        for label in ["white (simple_bot) lost 2–6", "Show where it turned", &lost] {
            let rect = app.query_all_by_label_contains(label).next().expect(label).rect();
            assert!(rect.bottom() <= end, "{size}: {label} at {rect}, over {end}");
        }
        let seen = |label: &str| {
            app.output().shapes.iter().any(|clipped| match &clipped.shape {
                Shape::Text(text) if text.galley.text().len() > 9 && label.ends_with(text.galley.text()) => {
                    clipped.clip_rect.contains_rect(text.visual_bounding_rect())
                }
                _ => false,
            })
        };
        assert!(seen(&lost), "{size}: {lost}");
    }
}

#[test]
fn the_table_of_a_print_follows_the_shown_moment() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    click(&mut app, "Print");
    type_into(&mut app, "Line to print at", "simple_bot.cl:52");
    type_into(&mut app, "Expression", "(here, 7)");
    click(&mut app, "Print the expression");
    wait_for(&mut app, ", 7)");
    app.run_steps(6);
    // A row out of view has no label.
    let rows = |app: &Window| -> Vec<String> {
        labels(app, "turn ").into_iter().filter(|row| row.contains(": ((")).collect()
    };
    let first = rows(&app)[0].clone();
    press(&mut app, Key::End);
    wait_until(&mut app, "later rows", |app| rows(app).len() > 3 && !rows(app).contains(&first));
    press(&mut app, Key::Home);
    wait_until(&mut app, "the first row", |app| rows(app).contains(&first));
}

#[test]
fn recordings_that_can_not_be_asked_say_why() {
    let text = String::from_utf8(sample("team-simple_bot.replay")).unwrap();
    let folder = Folder::new();
    let at = text.find("\"sha256\":\"").unwrap() + "\"sha256\":\"".len();
    let changed = format!("{}0123{}", &text[..at], &text[at + 4..]);
    let mut app = open(&folder, "changed.replay", changed.into_bytes());
    wait_for(&mut app, "is not the one that played");
    let cut = &text[..text.len() * 3 / 4];
    let mut app = open(&folder, "cut.replay", cut.as_bytes().to_vec());
    wait_for(&mut app, "the recording was cut in cycle");
    assert!(app.query_all_by_role(Role::Button).count() > 5);
    let seed = text.find("\"seed\":").unwrap() + "\"seed\":".len();
    let other = format!("{}9{}", &text[..seed], &text[seed..]);
    let mut app = open(&folder, "other.replay", other.into_bytes());
    wait_for(&mut app, "the match parts from its recording in cycle");
}

#[test]
fn spoiler_mode_hides_the_programs() {
    let folder = Folder::new();
    let mut app = abalone(&folder);
    press(&mut app, Key::S);
    wait_for(&mut app, "Hidden in spoiler mode: the program shows what comes next.");
    assert!(labels(&app, "Gutter").is_empty());
}

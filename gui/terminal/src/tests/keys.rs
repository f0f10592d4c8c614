//! The keys, in a match and in the list.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui_core::layout::Rect;

use super::*;
use crate::app::{App, LoopRequest};
use crate::input::Action;

fn app(file: &str) -> App {
    App::showing(session(sample(file)), BEST, Arc::new(|| {}))
}

fn seq(app: &App) -> u64 {
    app.session().map_or(0, |session| session.seq())
}

#[test]
fn steps_go_forward_and_back_by_commands_and_by_turns() {
    let mut app = app("team-team.replay");
    app.act(Action::Tenths(5));
    let middle = seq(&app);
    app.act(Action::NextCommand);
    assert_eq!(seq(&app), middle + 1);
    app.act(Action::PreviousCommand);
    assert_eq!(seq(&app), middle);
    app.act(Action::NextTurn);
    let turn = seq(&app);
    assert!(turn > middle);
    app.act(Action::NextTurn);
    app.act(Action::PreviousTurn);
    assert_eq!(seq(&app), turn);
}

#[test]
fn seeking_reaches_the_start_the_end_and_every_tenth() {
    let mut app = app("team-team.replay");
    app.act(Action::End);
    let last = seq(&app);
    assert!(app.session().is_some_and(|session| session.is_at_end()));
    let mut before = 0;
    for tenths in 1..=9 {
        app.act(Action::Tenths(tenths));
        assert!(seq(&app) > before && seq(&app) < last, "{tenths}");
        before = seq(&app);
    }
    app.act(Action::Forward);
    assert!(seq(&app) > before);
    app.act(Action::Back);
    assert_eq!(seq(&app), before);
    app.act(Action::Start);
    assert_eq!(seq(&app), 64, "the set-up, not an empty board");
}

#[test]
fn playing_goes_on_by_itself_and_faster_when_asked() {
    let mut app = app("team-team.replay");
    app.act(Action::Start);
    assert_eq!(app.update(2.0), None, "nothing moves");
    app.act(Action::PlayPause);
    let advance = |app: &mut App, from: f64| {
        let before = app.session().map_or(0.0, |session| session.secs());
        for n in 1..=4 {
            assert!(app.update(from + 0.25 * f64::from(n)).is_some(), "it goes on");
        }
        app.session().map_or(0.0, |session| session.secs()) - before
    };
    let normal = advance(&mut app, 2.0);
    assert!((normal - 1.0).abs() < 0.01, "{normal}");
    app.act(Action::Faster);
    app.act(Action::Faster);
    let fast = advance(&mut app, 3.0);
    assert!((fast - 4.0).abs() < 0.01, "{fast}");
    app.act(Action::PlayPause);
    assert_eq!(app.update(5.0), None);
}

#[test]
fn events_are_gone_to_and_their_end_is_said() {
    let mut app = app("team-team.replay");
    app.act(Action::Start);
    let points =
        |app: &App| app.session().map_or(0, |session| session.sides().iter().map(|side| side.score).sum());
    let mut seen = vec![points(&app)];
    loop {
        let before = seq(&app);
        app.act(Action::NextEvent);
        if seq(&app) == before {
            break;
        }
        seen.push(points(&app));
    }
    assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
    assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&11)), "5 : 6");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    app.paint(&mut buffer);
    let told = app.session().map(|session| grandstand_story::story(session.scene()).events().none_after);
    assert!(lines(&buffer).join("\n").contains(told.expect("a match")), "{told:?}");
}

#[test]
fn escape_closes_help_first_and_then_everything() {
    let mut app = app("team-team.replay");
    let painted = |app: &App| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        app.paint(&mut buffer);
        lines(&buffer).join("\n")
    };
    app.act(Action::Help);
    for words in ["play or pause", "next turn", "to 0 % … 90 % of the match", "quit"] {
        assert!(painted(&app).contains(words), "{words}: {}", painted(&app));
    }
    assert_eq!(app.act(Action::Leave), LoopRequest::None);
    assert!(!painted(&app).contains("play or pause"));
    assert_eq!(app.act(Action::List), LoopRequest::None);
    assert!(painted(&app).contains("comes from no server"));
    assert_eq!(app.act(Action::Leave), LoopRequest::Quit);
    assert_eq!(app.act(Action::Suspend), LoopRequest::Suspend);
}

#[test]
fn on_a_small_screen_the_help_leaves_nothing_of_the_match_beside_it() {
    let mut app = app("team-team.replay");
    let painted = |app: &App, width, height| {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        app.paint(&mut buffer);
        lines(&buffer).join("\n")
    };
    let board = "▀▀▀";
    assert!(painted(&app, 80, 24).contains(board));
    app.act(Action::Help);
    let shown = painted(&app, 80, 24);
    assert!(!shown.contains(board) && shown.contains('┌') && shown.contains('┘'), "{shown}");
    assert!(painted(&app, 160, 50).contains(board), "a large screen keeps the match around it");
}

/// The text of the screen.
fn painted(app: &App) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 24));
    app.paint(&mut buffer);
    lines(&buffer).join("\n")
}

/// Lets the app take what arrives until the screen has these words.
fn wait_for(app: &mut App, words: &[&str]) {
    let began = Instant::now();
    while !words.iter().all(|words| painted(app).contains(words)) {
        assert!(began.elapsed() < Duration::from_secs(60), "{words:?} never came:\n{}", painted(app));
        app.update(1.0);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_recordings_of_a_folder_are_a_list_to_choose_from() {
    let folder = std::env::temp_dir().join(format!("grandstand-terminal-list-{}", std::process::id()));
    fs::create_dir_all(folder.join("older")).expect("a folder");
    let samples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../replays/samples");
    for file in ["team-team.replay", "gomoku-stupid-stupid.replay"] {
        fs::copy(samples.join(file), folder.join(file)).expect("a copy");
    }
    let mut app = App::new(Target::Folder(folder.clone()), None, BEST, Arc::new(|| {}));
    // Score, game, result, turn and length of each, and the folders.
    let abalone = "5 : 6  Robot Abalone · team (white) wins by score · Turn 76 · 0:22";
    wait_for(&mut app, &["Recordings in", "team – team", abalone, "Gomoku · ", "older", ".."]);
    // Up to the first row, and down to the last one, which is the folder above.
    for _ in 0..9 {
        app.act(Action::Faster);
    }
    app.act(Action::Choose);
    wait_for(&mut app, &["to move"]);
    assert!(app.session().is_some());
    app.act(Action::List);
    wait_for(&mut app, &["Recordings in", abalone]);
    app.act(Action::Slower);
    app.act(Action::Slower);
    app.act(Action::Choose);
    wait_for(&mut app, &["/older"]);
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn the_newest_recordings_of_a_folder_stand_first() {
    let folder = std::env::temp_dir().join(format!("grandstand-terminal-newest-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    for (name, title, started) in [
        ("b", "Second", "2026-03-02T10:00:00Z"),
        ("c", "Third", "2026-03-01T10:00:00Z"),
        ("a", "First", "2026-03-03T10:00:00Z"),
    ] {
        let header = format!(r#"{{"grandstand":1,"game":"gomoku","title":"{title}","started":"{started}"}}"#);
        fs::write(folder.join(format!("{name}.replay")), header).expect("a file");
    }
    let mut app = App::new(Target::Folder(folder.clone()), None, BEST, Arc::new(|| {}));
    wait_for(&mut app, &["First", "Second", "Third"]);
    let shown = painted(&app);
    let at = |title: &str| shown.find(title);
    assert!(at("First") < at("Second") && at("Second") < at("Third"), "{shown}");
    fs::remove_dir_all(&folder).expect("removed");
}

//! Tests of the match in words, in the accessibility tree.

use std::sync::mpsc::channel;

use eframe::egui::accesskit::{Live, Role};
use eframe::egui::{Key, Vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_testing::{FakeServer, Folder, commands, hello, send, upgrade};

use crate::support::{Window, open_replay, rewind, wait_for, window};

/// Lines of the log; the flag is set if the line is read out.
fn log(app: &Window) -> Vec<(String, bool)> {
    let Some(log) = app.query_by_role(Role::Log) else { return Vec::new() };
    assert_eq!(log.accesskit_node().label().as_deref(), Some("Moves and events"));
    assert_eq!(log.accesskit_node().live(), Live::Polite);
    log.accesskit_node()
        .children()
        .map(|line| {
            assert_eq!(line.role(), Role::ListItem);
            (line.label().expect("a text"), line.live() == Live::Polite)
        })
        .collect()
}

/// Lines of the log that are read out, or those that are not.
fn lines(app: &Window, aloud: bool) -> Vec<String> {
    log(app).into_iter().filter(|(_, is_aloud)| *is_aloud == aloud).map(|(text, _)| text).collect()
}

/// Text of the state.
fn state(app: &Window) -> String {
    let nodes: Vec<_> = app.query_all_by_role(Role::Status).collect();
    let [node] = nodes.as_slice() else { panic!("one node for the state:\n{app:?}") };
    assert_eq!(node.accesskit_node().live(), Live::Polite);
    node.accesskit_node().label().expect("a text")
}

#[test]
fn what_happens_is_told_as_the_picture_shows_it() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    assert_eq!(log(&app), []);
    assert_eq!(state(&app), "Final: finished. Stopped at 0:00.0, turn 0: Black 0, White 0.");
    app.key_press(Key::Space);
    app.run_steps(80);
    assert_eq!(state(&app), "Final: finished, replaying.");
    let first = [
        "Turn 1: a black piece comes in at E2; a black piece comes in at E3; a white piece comes in at E4.",
        "Black says: Here we come",
        "A line was not understood: sett E0 b1",
    ];
    assert_eq!(lines(&app, true), first);
    assert_eq!(lines(&app, false), [""; 0]);
    app.run_steps(200);
    let told = lines(&app, true);
    assert_eq!(told[..3], first);
    assert_eq!(
        told[3..],
        [
            "White says: Oh no",
            "Score: Black 1, White 0.",
            "Turn 3: Black 2 in line, E2 to E4; a white piece is pushed off at E4.",
            "White says: Well played",
            "Reds wins by score.",
        ]
    );
}

#[test]
fn lines_before_a_jump_stand_but_are_not_read_out() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    app.key_press(Key::End);
    app.run();
    assert_eq!(lines(&app, true), [""; 0]);
    assert_eq!(lines(&app, false).last().map(String::as_str), Some("Reds wins by score."));
    // Back to the moment before the push; later events are unknown there.
    for _ in 0..6 {
        app.key_press(Key::ArrowLeft);
    }
    app.run();
    assert_eq!(lines(&app, false).last().map(String::as_str), Some("White says: Oh no"));
    assert_eq!(state(&app), "Final: finished. Stopped at 0:01.5, turn 2: Black 0, White 0.");
    // Steps from there are read out again.
    app.key_press(Key::ArrowRight);
    app.run();
    assert_eq!(lines(&app, true), ["Score: Black 1, White 0."]);
    rewind(&mut app);
    app.run();
    assert_eq!(log(&app), []);
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert_eq!(state(&app), "The list of matches.");
}

#[test]
fn a_live_match_is_told_and_a_pause_holds_the_words() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let (next, wanted) = channel();
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        for (from, to) in [(1, 5), (6, 9), (10, 10), (11, 15), (16, 16)] {
            if from == 16 {
                let end =
                    r#"{"type":"end","seq":16,"t":3.5,"result":{"winner":"black","termination":"score"}}"#;
                send(&mut socket, &commands(from, to));
                return send(&mut socket, end);
            }
            send(&mut socket, &commands(from, to));
            wanted.recv().expect("the test goes on");
        }
    });
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    let go_on = |app: &mut Window, until: &str| {
        next.send(()).expect("the server is there");
        wait_for(app, until);
    };
    // Earlier lines are not read out to a new spectator; later ones are.
    wait_for(&mut app, "Black says: Here we come");
    assert_eq!((lines(&app, false).len(), lines(&app, true).len()), (2, 0));
    assert_eq!(state(&app), "Final: live.");
    go_on(&mut app, "A line was not understood: sett E0 b1");
    assert_eq!(lines(&app, true), ["A line was not understood: sett E0 b1"]);
    app.key_press(Key::Space);
    app.run_steps(3);
    let stopped = log(&app);
    go_on(&mut app, "Line 9 of 10");
    go_on(&mut app, "Line 9 of 15");
    assert_eq!(log(&app), stopped);
    assert!(state(&app).starts_with("Final: live. Stopped at "), "{}", state(&app));
    // Back in the present, the missed lines are listed.
    app.key_press(Key::L);
    wait_for(&mut app, "a white piece is pushed off at E4.");
    assert!(lines(&app, false).contains(&"White says: Oh no".to_owned()), "{app:?}");
    go_on(&mut app, "Reds wins by score.");
    app.run_steps(10);
    assert!(
        lines(&app, true)
            .ends_with(&["White says: Well played".to_owned(), "Reds wins by score.".to_owned()])
    );
    assert_eq!(state(&app), "Final: finished. Stopped at 0:03.5, turn 3: Black 1, White 0.");
}

//! Tests of sound, with a player that records the tones.

use std::sync::{Arc, Mutex};

use eframe::egui::{Key, Modifiers, Vec2};
use grandstand_gui::Target;
use grandstand_gui::sound::{Kind, Player, State, Tone};
use grandstand_testing::{FakeServer, Folder, commands, hello, recording, send, upgrade};

use crate::support::{Window, open_replay, shows, wait_for, window};

/// Player that records the tones.
#[derive(Debug, Clone, Default)]
struct Recorder {
    tones: Arc<Mutex<Vec<(Tone, f32)>>>,
    trouble: Option<State>,
    pressed: Arc<Mutex<u32>>,
}

impl Player for Recorder {
    fn play(&mut self, tone: Tone, loudness: f32) {
        self.tones.lock().expect("a list").push((tone, loudness));
    }

    fn state(&mut self) -> State {
        self.trouble.clone().unwrap_or(State::Ready)
    }

    fn pressed(&mut self) {
        *self.pressed.lock().expect("a number") += 1;
    }
}

impl Recorder {
    /// Tones since the last call.
    fn heard(&self) -> Vec<(Kind, Option<usize>)> {
        let tones = std::mem::take(&mut *self.tones.lock().expect("a list"));
        tones.into_iter().map(|(tone, _)| (tone.kind, tone.side)).collect()
    }
}

/// The short match at its start, with a recorder.
fn quiet(folder: &Folder) -> (Window, Recorder) {
    let mut app = open_replay(folder);
    let recorder = Recorder::default();
    app.state_mut().set_player(Box::new(recorder.clone()));
    (app, recorder)
}

/// The same with sound on.
fn listened(folder: &Folder) -> (Window, Recorder) {
    let (mut app, recorder) = quiet(folder);
    app.key_press(Key::Z);
    app.run();
    assert_eq!(recorder.heard(), [(Kind::Score, None)], "how it sounds");
    (app, recorder)
}

/// Plays the match to its end.
fn play(app: &mut Window) {
    app.key_press(Key::Space);
    app.run_steps(4 * 60);
    assert!(shows(app, "Line 16 of 16"), "{app:?}");
}

#[test]
fn nothing_is_heard_until_it_is_turned_on() {
    let folder = Folder::new();
    let (mut app, recorder) = quiet(&folder);
    play(&mut app);
    assert_eq!(recorder.heard(), []);
}

#[test]
fn a_match_is_heard_once_each_side_in_its_own_way() {
    let folder = Folder::new();
    let (mut app, recorder) = listened(&folder);
    assert!(shows(&app, "Sound is on"), "{app:?}");
    play(&mut app);
    let match_heard = [
        // A line that is not understood, a turn, the push with its point, and the end.
        (Kind::Note, None),
        (Kind::Move, Some(0)),
        (Kind::Score, Some(0)),
        (Kind::Loss, Some(1)),
        (Kind::End, Some(0)),
    ];
    assert_eq!(recorder.heard(), match_heard);
    app.run_steps(60);
    assert_eq!(recorder.heard(), []);
    // Again from the start.
    play(&mut app);
    assert_eq!(recorder.heard(), match_heard);
    app.key_press(Key::Z);
    app.run();
    assert!(shows(&app, "Sound is off"), "{app:?}");
    play(&mut app);
    assert_eq!(recorder.heard(), []);
}

#[test]
fn going_somewhere_is_not_heard() {
    let folder = Folder::new();
    let (mut app, recorder) = listened(&folder);
    for key in [Key::End, Key::Home, Key::N, Key::P, Key::J, Key::ArrowRight, Key::ArrowLeft] {
        app.key_press(key);
        app.run_steps(20);
    }
    app.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    app.run_steps(20);
    assert_eq!(recorder.heard(), []);
    // Events after the seek are heard, skipped ones are not.
    app.key_press(Key::Home);
    app.key_press(Key::N);
    app.run_steps(60);
    play(&mut app);
    assert_eq!(recorder.heard(), [(Kind::End, Some(0))]);
}

#[test]
fn what_is_played_too_fast_is_silent() {
    let folder = Folder::new();
    let (mut app, recorder) = listened(&folder);
    for _ in 0..2 {
        app.key_press(Key::CloseBracket);
    }
    app.run();
    play(&mut app);
    assert!(recorder.heard().contains(&(Kind::Score, Some(0))), "4×");
    app.key_press(Key::CloseBracket);
    app.run();
    play(&mut app);
    assert_eq!(recorder.heard(), [], "8×");
}

#[test]
fn many_things_at_once_are_not_more_than_two_tones() {
    let folder = Folder::new();
    let mut lines = vec![(0.0, "turns 1")];
    // 50 lines a second, alternately turns and lines that are not understood.
    lines.extend((0..100).map(|n| (1.0 + f64::from(n) / 50.0, if n % 2 == 0 { "what" } else { "turns 9" })));
    for n in 0..100 {
        if n % 2 == 1 {
            lines[n + 1].1 = ["turns 2", "turns 3"][n / 2 % 2];
        }
    }
    let path = folder.file("many.replay", recording("abalone", &lines));
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(Key::Space);
    app.key_press(Key::Home);
    app.run();
    let recorder = Recorder::default();
    app.state_mut().set_player(Box::new(recorder.clone()));
    app.key_press(Key::Z);
    app.run();
    app.key_press(Key::Space);
    app.run_steps(5 * 60);
    let heard = recorder.heard();
    assert!((6..=40).contains(&heard.len()), "{}: {heard:?}", heard.len());
}

#[test]
fn spoiler_mode_is_heard_as_far_as_it_is_seen() {
    let folder = Folder::new();
    let (mut app, recorder) = listened(&folder);
    app.key_press(Key::S);
    app.run_steps(10);
    app.key_press(Key::Space);
    // To 1.9 s: the point is at 2.0 s.
    app.run_steps(114);
    assert_eq!(recorder.heard(), [(Kind::Note, None), (Kind::Move, Some(0))]);
    app.run_steps(120);
    // The turn is heard at once, its effects as soon as they are known.
    let heard = recorder.heard();
    assert_eq!(heard[..1], [(Kind::Move, Some(1))]);
    assert_eq!(heard[1..], [(Kind::Score, Some(0)), (Kind::Loss, Some(1)), (Kind::End, Some(0))]);
}

#[test]
fn a_live_match_is_heard_from_when_somebody_came() {
    let server = FakeServer::new();
    let url = format!("{}?match=m1", server.url());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let _paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        // The summary says nine lines; the first nine are sent at once.
        send(&mut socket, &hello("live").replace("\"seq\":3", "\"seq\":9"));
        send(&mut socket, &commands(1, 9));
        let _ = wait.lock().expect("a word").recv();
        send(&mut socket, &commands(10, 15));
        std::mem::forget(socket);
    });
    let mut app = window(Some(url.parse().expect("a target")), Vec2::new(1280.0, 800.0));
    let recorder = Recorder::default();
    app.state_mut().set_player(Box::new(recorder.clone()));
    app.key_press(Key::Z);
    wait_for(&mut app, "Line 9 of 9");
    app.run_steps(20);
    assert_eq!(recorder.heard(), [(Kind::Score, None)], "nothing but how it sounds");
    go.send(()).expect("told");
    wait_for(&mut app, "Line 15 of 15");
    app.run_steps(20);
    let heard = recorder.heard();
    assert!(heard.contains(&(Kind::Score, Some(0))), "{heard:?}");
}

#[test]
fn where_nothing_plays_it_that_is_said_and_it_stays_off() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    let broken = Recorder {
        trouble: Some(State::Failed("no player found (paplay, pw-play or aplay)".to_owned())),
        ..Recorder::default()
    };
    app.state_mut().set_player(Box::new(broken.clone()));
    app.key_press(Key::Z);
    app.run_steps(3);
    assert!(shows(&app, "No sound: no player found (paplay, pw-play or aplay)"), "{app:?}");
    app.run_steps(400);
    play(&mut app);
    assert_eq!(broken.heard(), []);
}

#[test]
fn held_back_sound_is_asked_for_again() {
    let folder = Folder::new();
    let mut app = open_replay(&folder);
    let words = "the browser holds it back";
    let waiting = Recorder { trouble: Some(State::Waiting(words.to_owned())), ..Recorder::default() };
    app.state_mut().set_player(Box::new(waiting.clone()));
    app.key_press(Key::Z);
    app.run_steps(3);
    assert!(!shows(&app, words), "it may still come");
    app.key_press(Key::Space);
    app.run_steps(3 * 60);
    assert!(shows(&app, words), "{app:?}");
    assert!(*waiting.pressed.lock().expect("a number") >= 2);
}

#[test]
fn how_loud_it_is_is_chosen_and_heard_at_once() {
    let folder = Folder::new();
    let (mut app, recorder) = quiet(&folder);
    let mut loudness = Vec::new();
    for name in ["medium", "high", "low", "medium"] {
        app.key_press_modifiers(Modifiers::SHIFT, Key::Z);
        app.run();
        assert!(shows(&app, &format!("volume {name}")), "{app:?}");
        let tones = std::mem::take(&mut *recorder.tones.lock().expect("a list"));
        loudness.extend(tones.into_iter().map(|(_, loudness)| loudness));
    }
    let [medium, high, low, again] = loudness[..] else { panic!("{loudness:?}") };
    assert!(low < medium && medium < high && medium == again, "{loudness:?}");
}

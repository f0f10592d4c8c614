//! Test harness of the window.

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use eframe::egui::{Event, Modifiers, PointerButton, Pos2, Shape, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::{App, Target};
use grandstand_testing::{FakeServer, Folder, PATIENCE, commands, hello, replay, send, upgrade};

pub(crate) type Window = Harness<'static, App>;

/// A window without a local server: one that runs at the default port while tests run is not looked for.
pub(crate) fn window(target: Option<Target>, size: Vec2) -> Window {
    Harness::builder().with_size(size).with_step_dt(1.0 / 60.0).with_max_steps(20_000).build_eframe(
        move |cc| {
            // Nothing listens there.
            let Ok(Target::Server(local)) = "http://localhost:1/".parse() else { unreachable!("a server") };
            App::with_local_server(cc, target, local)
        },
    )
}

/// Goes to the moment before the first command.
pub(crate) fn rewind(app: &mut Window) {
    app.key_press(eframe::egui::Key::Home);
    app.run_steps(2);
    // The set-up has a few commands. In a game by moves single ones have Shift.
    for _ in 0..12 {
        app.key_press(eframe::egui::Key::ArrowLeft);
        app.key_press_modifiers(eframe::egui::Modifiers::SHIFT, eframe::egui::Key::ArrowLeft);
        app.run_steps(2);
    }
}

/// A window with the short match, paused before its first command.
pub(crate) fn open_replay(folder: &Folder) -> Window {
    let path = folder.file("final.replay", replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(eframe::egui::Key::Space);
    rewind(&mut app);
    app.run();
    app
}

/// A window with a sample recording of the game, paused near its start.
pub(crate) fn sample(game: &str, size: Vec2) -> Window {
    let name = match game {
        "abalone" => "team-team.replay",
        "fortress" => "fortress-strong-strong.replay.zst",
        "gomoku" => "gomoku-stupid-stupid.replay",
        "riskless" => "riskless-alphabeta-random.replay",
        "shark" => "shark-shark-stupidbot.replay.zst",
        _ => panic!("no sample of {game}"),
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name);
    // A window that is made with a recording may have played it before the first step.
    let mut app = window(None, size);
    let ctx = app.ctx.clone();
    app.state_mut().open(&ctx, Target::File(path));
    wait_for(&mut app, "Pause");
    app.key_press(eframe::egui::Key::Space);
    app.run_steps(8);
    app
}

/// Whether a label on the screen contains the text.
pub(crate) fn shows(app: &Window, label: &str) -> bool {
    app.query_all_by_label_contains(label).next().is_some()
}

/// Painted texts; the flag is set if the text is elided.
pub(crate) fn painted(app: &Window) -> Vec<(String, bool)> {
    let shapes = app.output().shapes.iter();
    let texts = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Text(shape) => Some((shape.galley.text().to_owned(), shape.galley.elided)),
        _ => None,
    });
    texts.collect()
}

/// Number of the current line.
pub(crate) fn line(app: &Window) -> u64 {
    let labels = app
        .query_all_by_label_contains("Line ")
        .map(|node| node.accesskit_node().label().or(node.value()).unwrap_or_default());
    // The details of a line contain its number too, with its time.
    let label = labels.rev().find(|label| !label.contains('·')).expect("the line that is shown");
    let number = label.split_whitespace().nth(1).expect("a number");
    number.replace(',', "").parse().expect("a number")
}

/// Runs frames until the label appears. Sources run in their own threads, so real time must pass too.
pub(crate) fn wait_for(app: &mut Window, label: &str) {
    let began = Instant::now();
    while !shows(app, label) {
        assert!(began.elapsed() < PATIENCE, "`{label}` never appeared:\n{:?}", painted(app));
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Clicks with the secondary button.
pub(crate) fn other_click(app: &mut Window, pos: Pos2) {
    for pressed in [true, false] {
        let button = PointerButton::Secondary;
        app.event(Event::PointerMoved(pos));
        app.event(Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE });
        app.step();
    }
    app.run();
}

/// Live match with lines `from` to `to` of the short match for each part. The first part comes at once, each other part
/// after a signal of the sender. `address` is appended to the link.
pub(crate) fn live_match(address: &str, parts: &'static [(usize, usize)]) -> (Target, Sender<()>) {
    let server = FakeServer::new();
    let url = format!("{}?match=m1{address}", server.url());
    let (go_on, gate) = channel();
    let paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        for (index, (from, to)) in parts.iter().enumerate() {
            if index > 0 && gate.recv().is_err() {
                break;
            }
            send(&mut socket, &commands(*from, *to));
        }
        std::mem::forget(socket);
    });
    std::mem::forget(paths);
    (url.parse().expect("a target"), go_on)
}

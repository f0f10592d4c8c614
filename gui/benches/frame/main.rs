//! Cost of a frame of the spectator: the whole interface, run headless through the harness of its tests, and its
//! shapes turned into triangles, as a window does with them before the graphics card draws. Printed is the time of the
//! processor that it took, apart from what else the machine does.
//!
//! `cargo bench -p grandstand-gui`, and after `--` parts of the names of those that are wanted.

#![allow(clippy::print_stdout, reason = "figures are what it is for")]

mod live;
mod matches;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use eframe::egui::{Event, Key, Modifiers, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use grandstand_gui::{App, Target};
use matches::Lively;

type Window = Harness<'static, App>;
/// A game's name, its match, and the keys that show all that there is.
type Crowded = (&'static str, fn() -> Lively, &'static [Key]);

const WINDOW: Vec2 = Vec2::new(1280.0, 800.0);
const HALL: Vec2 = Vec2::new(1920.0, 1080.0);
const LARGE: Vec2 = Vec2::new(3840.0, 2160.0);
/// So many frames of each are looked at.
const FRAMES: usize = 480;
/// How long a frame is shown.
const FRAME: Duration = Duration::from_micros(16_667);

fn main() {
    grandstand_gui::native::keep_freed_memory();
    let mut wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    wanted.dedup();
    println!("{:52} {:>8} {:>8} {:>8} {:>8}  {:>9}", "", "fastest", "median", "90 %", "slowest", "corners");
    let bench = |name: &str, run: &dyn Fn() -> Figures| {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(&**part)) {
            run().print(name);
        }
    };
    let abalone = matches::recorded_abalone;
    // Paused: board, score and talk.
    bench("Abalone, paused, 1280×800", &|| paused(abalone(), WINDOW, &[Key::N, Key::N]));
    bench("Abalone, playing, 1280×800", &|| playing(abalone(), WINDOW, &[Key::Home]));
    bench("Abalone, inspector, 1280×800", &|| paused(abalone(), WINDOW, &[Key::Num3, Key::N]));
    bench("Abalone, playing, 3840×2160", &|| playing(abalone(), LARGE, &[Key::Home]));
    for (name, game, keys) in boards() {
        for (size, words) in [(WINDOW, "1280×800"), (LARGE, "3840×2160")] {
            bench(&format!("{name}, playing, {words}"), &|| playing(game().recorded(), size, keys));
        }
    }
    for (size, words) in [(WINDOW, "1280×800"), (LARGE, "3840×2160")] {
        let fortress = || open(matches::fortress().recorded(), size, &[Key::B, Key::Home]);
        bench(&format!("Steam Fortress, three pins, {words}"), &|| {
            let mut app = fortress();
            (0..3).for_each(|n| on_unit(&mut app, n, (Modifiers::NONE, Key::Y)));
            measured(app)
        });
        bench(&format!("Steam Fortress, followed unit, two pins, {words}"), &|| {
            let mut app = fortress();
            (0..2).for_each(|n| on_unit(&mut app, n, (Modifiers::NONE, Key::Y)));
            on_unit(&mut app, 2, (Modifiers::SHIFT, Key::U));
            // Enlarged, the board goes with the unit.
            app.event(Event::Zoom(2.0));
            app.run_steps(2);
            measured(app)
        });
    }
    for count in [16, 32] {
        bench(&format!("wall of {count}, live, 1920×1080"), &|| wall(count, true));
        bench(&format!("wall of {count}, idle, 1920×1080"), &|| wall(count, false));
    }
    bench("nothing, 1280×800", &|| {
        let mut app = Harness::builder().with_size(WINDOW).build_ui(|_| {});
        Figures((0..FRAMES).map(|_| frame(&mut app)).collect())
    });
}

/// The games whose boards are crowded: all that is on them moves ten times a second.
fn boards() -> [Crowded; 4] {
    [
        ("λ-Shark, 30 robots", matches::shark, &[Key::Home]),
        ("Steam Fortress, 10 units", matches::fortress, &[Key::Home]),
        ("Gomoku, 217 stones with numbers", matches::stones, &[Key::Home, Key::D]),
        ("Riskless, 42 territories", matches::riskless, &[Key::Home]),
    ]
}

/// What frames cost, in seconds of the processor, and the corners of their triangles.
struct Figures(Vec<(f64, usize)>);

impl Figures {
    fn print(self, name: &str) {
        let mut millis: Vec<f64> = self.0.iter().map(|(secs, _)| secs * 1000.0).collect();
        millis.sort_by(f64::total_cmp);
        let at = |part: f64| millis[((millis.len() - 1) as f64 * part) as usize];
        let corners = self.0.iter().map(|(_, corners)| corners).max().copied().unwrap_or(0);
        println!("{name:52} {:8.2} {:8.2} {:8.2} {:8.2}  {corners:9}", at(0.0), at(0.5), at(0.9), at(1.0));
    }
}

/// Shows one frame; what it cost.
fn frame<State>(app: &mut Harness<'_, State>) -> (f64, usize) {
    let began = ThreadTime::now();
    app.step();
    let shown = began.elapsed();
    // A window gives its shapes away: it has no need of this copy.
    let (shapes, pixels) = (app.output().shapes.clone(), app.output().pixels_per_point);
    let began = ThreadTime::now();
    let meshes = app.ctx.tessellate(shapes, pixels);
    let secs = (shown + began.elapsed()).as_secs_f64();
    let corners = meshes.iter().map(|clipped| match &clipped.primitive {
        eframe::egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.len(),
        eframe::egui::epaint::Primitive::Callback(_) => 0,
    });
    (secs, corners.sum())
}

fn window(target: Target, size: Vec2) -> Window {
    Harness::builder()
        .with_size(size)
        .with_step_dt(FRAME.as_secs_f32())
        .with_accessibility_check(false)
        .build_eframe(move |cc| App::new(cc, Some(target)))
}

/// A match with all of its panels open.
fn open(path: PathBuf, size: Vec2, keys: &[Key]) -> Window {
    let mut app = window(Target::File(path), size);
    let began = Instant::now();
    while app.query_by_label("Pause").is_none() && began.elapsed() < Duration::from_secs(10) {
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    for key in keys {
        app.key_press(*key);
        app.run_steps(2);
    }
    // Until everything has been read that plots and timeline show.
    app.run_steps(200);
    // What was played meanwhile is wanted too; what keys turn on stays on.
    if keys.contains(&Key::Home) {
        app.key_press(Key::Home);
        app.run_steps(2);
    }
    app
}

fn paused(path: PathBuf, size: Vec2, keys: &[Key]) -> Figures {
    let mut app = open(path, size, keys);
    Figures((0..FRAMES).map(|_| frame(&mut app)).collect())
}

/// Points at a unit of the board and presses a key.
fn on_unit(app: &mut Window, id: u32, (modifiers, key): (Modifiers, Key)) {
    let unit = format!(" {id}, facing");
    let at = app.query_all_by_label_contains(&unit).next().expect("a unit").rect().center();
    app.hover_at(at);
    app.run_steps(2);
    app.key_press_modifiers(modifiers, key);
    app.run_steps(2);
}

fn playing(path: PathBuf, size: Vec2, keys: &[Key]) -> Figures {
    measured(open(path, size, keys))
}

/// Frames of a match that plays.
fn measured(mut app: Window) -> Figures {
    assert!(app.query_by_label("Pause").is_some(), "it plays");
    let figures = Figures((0..FRAMES).map(|_| frame(&mut app)).collect());
    assert!(app.query_by_label("Pause").is_some(), "it plays to the last frame");
    figures
}

/// A wall of so many live matches of all games. Each of them gets twenty commands a second, or none any more.
fn wall(count: usize, goes_on: bool) -> Figures {
    let games =
        [matches::abalone(), matches::shark(), matches::fortress(), matches::stones(), matches::riskless()];
    let server = live::Server::new(games, goes_on);
    let targets = (0..count).map(|n| server.url(n).parse().expect("a target"));
    let mut app = window(Target::Wall(targets.collect()), HALL);
    let began = Instant::now();
    let opens = |app: &Window| app.query_all_by_label_contains("Opening").next().is_some();
    while opens(&app) || began.elapsed() < Duration::from_secs(3) {
        assert!(began.elapsed() < Duration::from_secs(20), "every match opens");
        app.step();
        std::thread::sleep(FRAME);
    }
    // As fast as a screen shows them, as the matches go on by the clock.
    let shown = (0..FRAMES).map(|_| {
        let began = Instant::now();
        let figures = frame(&mut app);
        std::thread::sleep(FRAME.saturating_sub(began.elapsed()));
        figures
    });
    Figures(shown.collect())
}

//! What a frame of the spectator costs: the whole interface, run headless through the harness of its tests, and its
//! shapes turned into triangles, as a window does with them before the graphics card draws.
//!
//! `cargo bench -p grandstand-gui`

use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use divan::Bencher;
use eframe::egui::{Key, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use grandstand_gui::{App, Target};

fn main() {
    divan::main();
}

/// A match between shipped teams, with all of its panels open.
fn app(size: Vec2, keys: &[Key]) -> Harness<'static, App> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/team-team.replay"));
    let mut app = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_accessibility_check(false)
        .build_eframe(move |cc| App::new(cc, Some(Target::File(path))));
    let began = Instant::now();
    while app.query_by_label("Pause").is_none() && began.elapsed() < Duration::from_secs(10) {
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    for key in keys {
        app.key_press(*key);
        app.run_steps(2);
    }
    app.run_steps(30);
    app
}

fn frame(app: &mut Harness<'static, App>) -> usize {
    app.step();
    let output = app.output();
    app.ctx.tessellate(output.shapes.clone(), output.pixels_per_point).len()
}

fn bench(bencher: Bencher<'_, '_>, size: Vec2, keys: &[Key]) {
    let mut app = app(size, keys);
    bencher.bench_local(|| black_box(frame(&mut app)));
}

/// Board, score and talk, paused.
#[divan::bench(min_time = 1)]
fn paused_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, Vec2::new(1280.0, 800.0), &[Key::N, Key::N]);
}

/// The same while the match plays, with pieces on the move.
#[divan::bench(min_time = 1)]
fn playing_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, Vec2::new(1280.0, 800.0), &[Key::Home]);
}

/// Board and protocol inspector.
#[divan::bench(min_time = 1)]
fn inspector_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, Vec2::new(1280.0, 800.0), &[Key::Num2, Key::N]);
}

/// Everything at once in a large window, while the match plays.
#[divan::bench(min_time = 1)]
fn everything_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, Vec2::new(3840.0, 2160.0), &[Key::Home]);
}

/// A harness frame with nothing in it: what of the figures above is the harness itself.
#[divan::bench(min_time = 1)]
fn empty_1280x800(bencher: Bencher<'_, '_>) {
    let mut app = Harness::builder().with_size(Vec2::new(1280.0, 800.0)).build_ui(|_| {});
    bencher.bench_local(|| {
        app.step();
        black_box(app.output().shapes.len())
    });
}

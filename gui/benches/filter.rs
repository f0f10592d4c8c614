//! Frame cost while the protocol inspector looks through a million lines: the slowest one is what counts.
//!
//! `cargo bench -p grandstand-gui --bench filter`

use std::cell::RefCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use divan::Bencher;
use eframe::egui::{Event, Key, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use grandstand_gui::{App, Target};

fn main() {
    divan::main();
}

/// A recording of a million lines.
fn long() -> PathBuf {
    let mut text = r#"{"grandstand":1,"game":"abalone"}"#.to_owned();
    for n in 0..1_000_000_u32 {
        let letter = (b'A' + (n % 5) as u8) as char;
        let wrote = write!(text, "\n[0.0002,\"c\",\"set {letter}{} b{}\"]", n % 3, n % 7);
        wrote.expect("there is memory");
    }
    let path = std::env::temp_dir().join(format!("grandstand-bench-{}-long.replay", std::process::id()));
    std::fs::write(&path, text + "\n").expect("a file");
    path
}

#[divan::bench(sample_count = 400, sample_size = 1)]
fn filter_of_a_million_lines_1280x800(bencher: Bencher<'_, '_>) {
    let path = long();
    let mut app: Harness<'static, App> = Harness::builder()
        .with_size(Vec2::new(1280.0, 800.0))
        .with_step_dt(1.0 / 60.0)
        .with_accessibility_check(false)
        .build_eframe(move |cc| App::new(cc, Some(Target::File(path))));
    let began = Instant::now();
    let wait = |app: &mut Harness<'static, App>, label: &str| {
        while app.query_by_label(label).is_none() && began.elapsed() < Duration::from_secs(90) {
            app.step();
        }
    };
    wait(&mut app, "Pause");
    app.key_press(Key::Num3);
    wait(&mut app, "1,000,000 lines");
    app.key_press(Key::Slash);
    app.run_steps(5);
    let app = RefCell::new(app);
    let search = || {
        let mut app = app.borrow_mut();
        if app.query_by_label_contains("searching").is_none() {
            // One letter more or less: everything is looked at anew.
            match app.query_by_label_contains(" of 1,000,000").is_some() {
                true => app.key_press(Key::Backspace),
                false => app.event(Event::Text("b4".to_owned())),
            }
            app.run_steps(3);
        }
    };
    bencher.with_inputs(search).bench_local_values(|()| {
        let mut app = app.borrow_mut();
        app.step();
        let output = app.output();
        black_box(app.ctx.tessellate(output.shapes.clone(), output.pixels_per_point).len())
    });
}

//! What a frame of the spectator costs: the whole interface, run headless through the harness of its tests, and its
//! shapes turned into triangles, as a window does with them before the graphics card draws.
//!
//! `cargo bench -p grandstand-gui`

use std::cell::RefCell;
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

/// A match between shipped teams.
fn abalone() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/team-team.replay"))
}

/// A crowded match of another game, in a file of its own.
fn crowded(game: &str, set_up: &str, moment: impl Fn(u32) -> String) -> PathBuf {
    let mut text = format!("{{\"grandstand\":1,\"game\":\"{game}\"}}\n");
    let put = |text: &mut String, dt: f64, lines: &str| {
        for (index, line) in lines.lines().enumerate() {
            let dt = if index == 0 { dt } else { 0.0 };
            text.push_str(&format!("[{dt:.6},\"c\",\"{line}\"]\n"));
        }
    };
    put(&mut text, 0.0, set_up);
    // Ten moves a second, for longer than a benchmark lasts.
    (0..2_000).for_each(|n| put(&mut text, 0.1, &moment(n)));
    let path = std::env::temp_dir().join(format!("grandstand-bench-{}-{game}.replay", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path
}

/// Thirty robots that go round in circles and shoot.
fn shark() -> PathBuf {
    let row = "*..r..i..*...R....B...*..i..b..*";
    let map = format!("map{}\nspawn 3 3\nstand red empty", format!(" {row}").repeat(16));
    let ways = [(1, 0, "RIGHT"), (0, 1, "DOWN"), (-1, 0, "LEFT"), (0, -1, "UP")];
    let place = |bot: u32, n: u32| {
        let (mut x, mut y) = (1 + bot as i32 % 10 * 3, 1 + bot as i32 / 10 * 4);
        ways.iter().take(n as usize % 4).for_each(|(dx, dy, _)| (x, y) = (x + dx, y + dy));
        (x, y)
    };
    crowded("shark", &map, |n| {
        let moves = (0..30).map(|bot| {
            let ((x, y), (to_x, to_y)) = (place(bot, n), place(bot, n + 1));
            let team = ["RED", "BLUE"][bot as usize % 2];
            let way = ways[n as usize % 4].2;
            format!("erase {x} {y}\ndraw {team}_{way} {to_x} {to_y} {} {}\n", bot + 100, 1 + bot % 3)
        });
        moves.collect::<String>() + &format!("shot 2 {y} 12 {y}\ntime {n}000", y = n % 16)
    })
}

/// Ten units that go to and fro and fire.
fn fortress() -> PathBuf {
    let mut set_up = "init\n".to_owned();
    for x in -25..=25_i32 {
        for y in (-12..=12_i32).filter(|y| (x + y) % 7 > 2 || y % 5 == 0) {
            let elevation = if x % 6 == 0 { "ramp" } else { "high" };
            set_up.push_str(&format!("elevation {x} {y} {elevation}\n").replace('-', "~"));
        }
    }
    for n in 0..5 {
        set_up.push_str(&format!("point {n} {} 0 red\n", (n - 2) * 10).replace('-', "~"));
    }
    let classes = ["soldier", "pyro", "medic"];
    for id in 0..10 {
        let team = ["red", "blue"][id % 2];
        set_up.push_str(&format!("spawn {id} {team} {} {} east 1000 {}\n", id * 2, id, classes[id % 3]));
    }
    crowded("fortress", set_up.trim_end(), |n| {
        let moves = (0..10).map(|id| {
            let x = id * 2 + (n / 2 % 3);
            format!("update {id} {x} {id} {} {}\n", ["east", "west"][n as usize / 2 % 2], 400 + n % 600)
        });
        let by = n % 10;
        let shot = format!("shot {by} rifle {} {} 9 9\nhit {by} {} 100\n", by + 4, by, (by + 1) % 10);
        let capture = format!(
            "cone {} east\ncapture 2 blue {}\ntime {}",
            (n + 3) % 10,
            5000 - n % 50 * 100,
            900_000 - n
        );
        moves.collect::<String>() + &shot + &capture
    })
}

/// A board of 19 by 19 with more than half of its points taken, where stones come and go and both players think.
fn stones() -> PathBuf {
    let point = |n: u32| format!("{}{}", (b'a' + (n % 19) as u8) as char, n / 19 % 19 + 1);
    let mut set_up =
        "board 19\nturn black\nclock black 900000 running\nclock white 900000 stopped\n".to_owned();
    for n in (0..361).filter(|n| n % 5 < 3) {
        set_up.push_str(&format!("move {} {}\n", ["black", "white"][n as usize % 2], point(n)));
    }
    crowded("gomoku", set_up.trim_end(), |n| {
        let team = ["black", "white"][n as usize % 2];
        let at = point(n * 5 + 3);
        format!(
            "move {team} {at}\nset {at} e\nmove {team} {at}\nthought {team} {n} 9 1000 {} {}",
            point(n * 5 + 4),
            point(n * 5 + 9)
        )
    })
}

/// A map with 42 territories, all of them held, on which armies march.
fn riskless() -> PathBuf {
    let mut set_up = "map 10 900 Bench\n".to_owned();
    for n in 0..42 {
        let (x, y) = (n % 7 * 160 + n % 3 * 9, n / 7 * 190 + n % 2 * 30);
        set_up.push_str(&format!("territory {n} {} {} Territory {n}\n", x.min(1000), y.min(1000)));
    }
    for n in 0..41 {
        set_up.push_str(&format!("road {n} {}\nroad {n} {}\n", n + 1, (n + 7) % 42));
    }
    crowded("riskless", set_up.trim_end(), |n| {
        let team = |n: u32| ["maxie", "minnie"][n as usize % 2];
        let sets = (0..42).map(|id| format!("set {id} {} {}\n", team(id + n / 42), (id + n) % 10));
        let (from, to) = (n % 41, n % 41 + 1);
        sets.collect::<String>()
            + &format!("move {} {from} {to}\nbattle {to} 5 4\nthought maxie {n} 6 900 {from}-{to}", team(n))
    })
}

/// A match with all of its panels open.
fn app(path: PathBuf, size: Vec2, keys: &[Key]) -> Harness<'static, App> {
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
    // Until everything has been read that plots and timeline show.
    app.run_steps(200);
    for key in keys {
        app.key_press(*key);
        app.run_steps(2);
    }
    app
}

fn frame(app: &mut Harness<'static, App>) -> usize {
    app.step();
    let output = app.output();
    app.ctx.tessellate(output.shapes.clone(), output.pixels_per_point).len()
}

fn bench(bencher: Bencher<'_, '_>, path: PathBuf, size: Vec2, keys: &[Key]) {
    let mut app = app(path, size, keys);
    bencher.bench_local(|| black_box(frame(&mut app)));
}

/// Board, score and talk, paused.
#[divan::bench(min_time = 1)]
fn paused_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, abalone(), Vec2::new(1280.0, 800.0), &[Key::N, Key::N]);
}

/// The same while the match plays, with pieces on the move.
#[divan::bench(min_time = 1)]
fn playing_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, abalone(), Vec2::new(1280.0, 800.0), &[Key::Home]);
}

/// Board and protocol inspector.
#[divan::bench(min_time = 1)]
fn inspector_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, abalone(), Vec2::new(1280.0, 800.0), &[Key::Num2, Key::N]);
}

/// A million lines.
fn long() -> PathBuf {
    let line = |n: u32| format!("set {}{} b{}\n", (b'A' + (n % 5) as u8) as char, n % 3, n % 7);
    crowded("abalone", (0..2_000).map(line).collect::<String>().trim_end(), |n| {
        (0..499).map(|k| line(n + k)).collect::<String>().trim_end().to_owned()
    })
}

/// The protocol inspector while it looks through a million lines: the slowest frame is what counts.
#[divan::bench(sample_count = 400, sample_size = 1)]
fn filter_of_a_million_lines_1280x800(bencher: Bencher<'_, '_>) {
    let mut app = app(long(), Vec2::new(1280.0, 800.0), &[]);
    app.key_press(Key::Num2);
    let began = Instant::now();
    while app.query_by_label("1,000,000 lines").is_none() && began.elapsed() < Duration::from_secs(90) {
        app.step();
    }
    app.key_press(Key::Slash);
    app.run_steps(5);
    let app = RefCell::new(app);
    let search = || {
        let mut app = app.borrow_mut();
        if app.query_by_label_contains("searching").is_none() {
            // One letter more or less: everything is looked at anew.
            let key =
                if app.query_by_label_contains(" of 1,000,000").is_some() { Key::Backspace } else { Key::B };
            match key {
                Key::Backspace => app.key_press(key),
                _ => app.event(Event::Text("b4".to_owned())),
            }
            app.run_steps(3);
        }
    };
    bencher.with_inputs(search).bench_local_values(|()| black_box(frame(&mut app.borrow_mut())));
}

/// Everything at once in a large window, while the match plays.
#[divan::bench(min_time = 1)]
fn everything_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, abalone(), Vec2::new(3840.0, 2160.0), &[Key::Home]);
}

/// λ-Shark, playing, with thirty robots on the move.
#[divan::bench(min_time = 1)]
fn shark_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, shark(), Vec2::new(1280.0, 800.0), &[Key::Home]);
}

/// The same in a large window.
#[divan::bench(min_time = 1)]
fn shark_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, shark(), Vec2::new(3840.0, 2160.0), &[Key::Home]);
}

/// Steam Fortress, playing, with ten units that move and fire.
#[divan::bench(min_time = 1)]
fn fortress_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, fortress(), Vec2::new(1280.0, 800.0), &[Key::Home]);
}

/// The same in a large window.
#[divan::bench(min_time = 1)]
fn fortress_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, fortress(), Vec2::new(3840.0, 2160.0), &[Key::Home]);
}

/// Stones, playing, with the numbers of moves.
#[divan::bench(min_time = 1)]
fn stones_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, stones(), Vec2::new(1280.0, 800.0), &[Key::Home, Key::D, Key::D, Key::D]);
}

/// The same in a large window.
#[divan::bench(min_time = 1)]
fn stones_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, stones(), Vec2::new(3840.0, 2160.0), &[Key::Home, Key::D, Key::D, Key::D]);
}

/// Riskless, playing, with 42 territories.
#[divan::bench(min_time = 1)]
fn riskless_1280x800(bencher: Bencher<'_, '_>) {
    bench(bencher, riskless(), Vec2::new(1280.0, 800.0), &[Key::Home]);
}

/// The same in a large window.
#[divan::bench(min_time = 1)]
fn riskless_3840x2160(bencher: Bencher<'_, '_>) {
    bench(bencher, riskless(), Vec2::new(3840.0, 2160.0), &[Key::Home]);
}

/// A wall of so many matches of all games, every one of them playing.
fn wall(bencher: Bencher<'_, '_>, count: usize, size: Vec2) {
    let games = [abalone(), shark(), fortress(), stones(), riskless()];
    let targets = games.iter().cycle().take(count).map(|path| Target::File(path.clone()));
    let target = Target::Wall(targets.collect());
    let mut app = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_accessibility_check(false)
        .build_eframe(move |cc| App::new(cc, Some(target)));
    let began = Instant::now();
    while app.query_all_by_label_contains("Opening").next().is_some()
        && began.elapsed() < Duration::from_secs(10)
    {
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
    app.run_steps(60);
    bencher.bench_local(|| black_box(frame(&mut app)));
}

/// A wall of sixteen matches, all of them playing.
#[divan::bench(min_time = 1)]
fn wall_16(bencher: Bencher<'_, '_>) {
    wall(bencher, 16, Vec2::new(1920.0, 1080.0));
}

/// The largest wall.
#[divan::bench(min_time = 1)]
fn wall_32(bencher: Bencher<'_, '_>) {
    wall(bencher, 32, Vec2::new(1920.0, 1080.0));
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

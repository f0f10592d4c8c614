//! The parts of the benchmark, and their table.

use std::time::Duration;

use crate::load::{Load, is_own};
use crate::process::ServerProcess;

/// One part: figures of one server under one load.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    title: &'static str,
    figures: &'static [&'static str],
    /// Measurement with the server's kind and the size of the load; returns the figures, in order.
    measure: fn(&str, Size) -> Vec<f64>,
}

/// Size of the load, relative to the full one.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    spectators: usize,
    secs: f64,
}

impl Size {
    fn many(self, full: usize) -> usize {
        (full / self.spectators).max(2)
    }

    fn time(self, secs: f64) -> Duration {
        Duration::from_secs_f64(secs * self.secs)
    }
}

pub(crate) const PARTS: [Part; 9] = [
    Part {
        name: "one-to-one",
        title: "1 spectator, 1,000 lines a second",
        figures: &["p50 µs", "p99 µs"],
        measure: |kind, size| {
            let (_server, mut load) = start(kind, 1);
            load.publish_paced(1000, size.time(0.5));
            load.publish_paced(1000, size.time(4.0));
            vec![load.percentile(50.0), load.percentile(99.0)]
        },
    },
    Part {
        name: "flood",
        title: "1 spectator, 4,096 lines in flight",
        figures: &["million lines/s"],
        measure: |kind, size| {
            let (_server, mut load) = start(kind, 1);
            load.publish_window(4096, size.time(0.5));
            vec![load.publish_window(4096, size.time(3.0)) / 1e6]
        },
    },
    Part {
        name: "thousand",
        title: "1,000 spectators, 20 lines a second",
        figures: &["p50 ms", "p99 ms", "CPU s per million", "reads per wake-up"],
        measure: |kind, size| paced(kind, size.many(1000), size.time(5.0)),
    },
    Part {
        name: "ten-thousand",
        title: "10,000 spectators, 20 lines a second",
        figures: &["p50 ms", "p99 ms", "CPU s per million", "reads per wake-up"],
        measure: |kind, size| paced(kind, size.many(10_000), size.time(5.0)),
    },
    Part {
        name: "memory",
        title: "10,000 spectators joining",
        figures: &["joining s", "KB each", "KB each after 20 lines"],
        measure: |kind, size| {
            let server = ServerProcess::start(kind);
            drop(Load::start(&server, kind, 1));
            let before = server.memory();
            let spectators = size.many(10_000);
            let mut load = Load::start(&server, kind, spectators);
            load.rest(size.time(0.5));
            let each = (server.memory() - before) / spectators as f64 / 1024.0;
            load.publish_paced(20, size.time(1.0));
            let later = (server.memory() - before) / spectators as f64 / 1024.0;
            vec![load.joining.as_secs_f64(), each, later]
        },
    },
    Part {
        name: "window",
        title: "1,000 spectators, lines in flight",
        figures: &["16: M deliveries/s", "64: M deliveries/s"],
        measure: |kind, size| {
            let spectators = size.many(1000);
            let (_server, mut load) = start(kind, spectators);
            load.publish_window(16, size.time(0.5));
            let mut rate = |window| load.publish_window(window, size.time(3.0)) * spectators as f64 / 1e6;
            vec![rate(16), rate(64)]
        },
    },
    Part {
        name: "stalled",
        title: "200 spectators, 500 lines a second, one of them not reading",
        figures: &["p99 ms without", "p99 ms with", "MB more", "resyncs"],
        measure: |kind, size| {
            if kind != "grandstand" {
                return vec![f64::NAN; 4];
            }
            let (server, mut load) = start(kind, size.many(200));
            load.publish_paced(500, size.time(5.0));
            let without = load.percentile(99.0) / 1e3;
            let before = server.memory();
            load.stall_last();
            load.publish_paced(500, size.time(5.0));
            let with = load.percentile(99.0) / 1e3;
            let more = (server.memory() - before) / 1e6;
            // It is far enough behind to get a scene when it resumes.
            load.publish_window(100, size.time(2.0));
            load.wake_last();
            load.rest(size.time(0.5));
            vec![without, with, more, server.metric("grandstand_resyncs_total")]
        },
    },
    Part {
        name: "origin",
        title: "CPU of what takes the lines, in µs a command: 20 lines a second, with 2 spectators (also while something else uses half of the core and its caches) and with 10,000",
        figures: &["2 spectators", "2, core in use", "10,000", "times", "times of core in use"],
        measure: |kind, size| {
            if kind == "nats" || !is_own(kind) {
                return vec![f64::NAN; 5];
            }
            let a_command = |spectators: usize, busy: bool| {
                let _other = busy.then(|| ServerProcess::start("busy"));
                let (server, mut load) = start(kind, spectators);
                load.publish_paced(20, size.time(2.0));
                let (before, length) = (server.origin_cpu_secs(), size.time(10.0));
                load.publish_paced(20, length);
                let commands = (length.as_secs_f64() * 20.0).max(1.0);
                (server.origin_cpu_secs() - before) / commands * 1e6
            };
            let (few, busy, many) =
                (a_command(2, false), a_command(2, true), a_command(size.many(10_000), false));
            vec![few, busy, many, many / few, many / busy]
        },
    },
    Part {
        name: "crowd",
        title: "10,000 spectators join a match of a million commands within 10 s, while 100 watch 20 lines a second",
        figures: &[
            "first picture p50 ms",
            "p99 ms",
            "MB more",
            "CPU ms a join",
            "p99 ms of lines, before",
            "meanwhile",
            "afterwards",
        ],
        measure: |kind, size| {
            if !is_own(kind) {
                return vec![f64::NAN; 7];
            }
            let server = ServerProcess::start(kind);
            let commands = (1_000_000 / size.spectators) as u64;
            let mut load = Load::after(&server, kind, size.many(100), commands);
            load.publish_paced(20, size.time(5.0));
            let calm = load.percentile(99.0) / 1e3;
            let (before, crowd) = (server.memory(), size.many(10_000));
            let cpu = server.cpu_secs();
            let pictures = load.crowd(&server, crowd, 20, size.time(10.0));
            let more = (server.memory() - before) / 1e6;
            let (cpu, delivered) = (server.cpu_secs() - cpu, load.deliveries as f64);
            let meanwhile = load.percentile(99.0) / 1e3;
            // The same spectators, of whom nobody joins any more.
            let cpu_before = server.cpu_secs();
            load.publish_paced(20, size.time(5.0));
            let a_delivery = (server.cpu_secs() - cpu_before) / load.deliveries as f64;
            let joining = (cpu - delivered * a_delivery) / crowd as f64 * 1e3;
            let afterwards = load.percentile(99.0) / 1e3;
            let at = |percent: usize| pictures[(pictures.len() * percent / 100).min(pictures.len() - 1)];
            vec![at(50), at(99), more, joining, calm, meanwhile, afterwards]
        },
    },
];

fn start(kind: &str, spectators: usize) -> (ServerProcess, Load) {
    let server = ServerProcess::start(kind);
    let load = Load::start(&server, kind, spectators);
    (server, load)
}

fn paced(kind: &str, spectators: usize, length: Duration) -> Vec<f64> {
    let (server, mut load) = start(kind, spectators);
    load.publish_paced(20, length / 5);
    let before = server.cpu_secs();
    load.publish_paced(20, length);
    let cpu = server.cpu_secs() - before;
    vec![
        load.percentile(50.0) / 1e3,
        load.percentile(99.0) / 1e3,
        cpu / load.deliveries as f64 * 1e6,
        load.deliveries as f64 / load.polls as f64,
    ]
}

/// Measures and prints.
pub(crate) fn run(parts: &[&Part], kinds: &[&str], runs: usize, smoke: bool) {
    let size = if smoke { Size { spectators: 100, secs: 0.05 } } else { Size { spectators: 1, secs: 1.0 } };
    for part in parts {
        println!("\n{}", part.title);
        print!("  {:<12}", "");
        part.figures.iter().for_each(|figure| print!(" {figure:>24}"));
        println!();
        let mut all: Vec<Vec<Vec<f64>>> = vec![Vec::new(); kinds.len()];
        for _ in 0..runs {
            for (kind, figures) in kinds.iter().zip(&mut all) {
                figures.push((part.measure)(kind, size));
            }
        }
        for (kind, figures) in kinds.iter().zip(&all) {
            print!("  {kind:<12}");
            for index in 0..part.figures.len() {
                let mut values: Vec<f64> = figures.iter().map(|run| run[index]).collect();
                values.sort_unstable_by(f64::total_cmp);
                print!(" {:>24.3}", values[values.len() / 2]);
            }
            println!();
        }
    }
}

//! Fan-out benchmark: one publisher of text lines, many websockets.
//!
//! `cargo bench -p grandstand --bench fanout` starts each server as a process on core 0, loads it from this process on
//! core 1, and prints a table: Grandstand, the floor (bare writes to each socket and nothing else; with the lines as
//! they arrived, and with as many bytes as Grandstand's messages have), and tokio-tungstenite tuned (small buffers, one
//! write for all pending messages). Arguments choose parts and servers by name:
//!
//! ```text
//! cargo bench -p grandstand --bench fanout -- one-to-one thousand grandstand floor
//! ```
//!
//! `--runs N` repeats each measurement, with the servers taking turns, and prints medians.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails by panicking")]

mod load;
mod process;
mod servers;
mod table;

use self::table::{PARTS, Part};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [role, kind] = &arguments[..]
        && role == "--serve"
    {
        process::pin_to(0);
        return servers::serve(kind);
    }
    // `cargo test` runs benchmarks too, only to check that they work.
    let smoke = arguments.iter().any(|a| a == "--test");
    let mut runs = 1;
    let mut names = Vec::new();
    let mut rest = arguments.into_iter().filter(|a| a != "--test");
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--runs" => runs = rest.next().and_then(|n| n.parse().ok()).expect("--runs takes a number"),
            _ => names.push(argument),
        }
    }
    let chosen = |name: &str, all: &[&str]| {
        !names.iter().any(|n| all.contains(&n.as_str())) || names.iter().any(|n| n == name)
    };
    let part_names: Vec<&str> = PARTS.iter().map(|p| p.name).collect();
    let kinds: Vec<&str> = servers::KINDS.into_iter().filter(|k| chosen(k, &servers::KINDS)).collect();
    let parts: Vec<&Part> = PARTS.iter().filter(|p| chosen(p.name, &part_names)).collect();
    if let Some(unknown) =
        names.iter().find(|n| !servers::KINDS.contains(&n.as_str()) && !part_names.contains(&n.as_str()))
    {
        panic!("`{unknown}` is neither a server ({:?}) nor a part ({part_names:?})", servers::KINDS);
    }
    process::pin_to(1);
    grandstand::raise_open_files();
    table::run(&parts, &kinds, runs, smoke);
}

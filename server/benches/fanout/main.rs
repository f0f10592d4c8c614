//! Fan-out benchmark: one publisher of text lines, many websockets.
//!
//! `cargo bench -p grandstand --bench fanout` starts each server as a process on core 0, loads it from this process on
//! core 1, and prints a table: Grandstand, the same by TLS, one and two relays with their origin and NATS beside them on core 0, the
//! floor (bare writes to each socket and nothing else; with the lines as they arrived, and with as many bytes as
//! Grandstand's messages have), tokio-tungstenite tuned (small buffers, one write for all pending messages), and bare NATS,
//! whose spectators are subscribers. Arguments choose parts and servers by name:
//!
//! ```text
//! cargo bench -p grandstand --bench fanout -- one-to-one thousand grandstand floor
//! cargo bench -p grandstand --bench fanout -- thousand ten-thousand origin crowd grandstand tls relay relays nats
//! ```
//!
//! `--runs N` repeats each measurement, with the servers taking turns, and prints medians.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails by panicking")]

mod cores;
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
        cores::pin_to(0);
        let (kind, with) = kind.split_once('=').unwrap_or((kind, ""));
        return servers::serve(kind, with);
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
    let mut kinds: Vec<&str> = servers::KINDS.into_iter().filter(|k| chosen(k, &servers::KINDS)).collect();
    if !process::has_nats() {
        println!("nats-server is not installed, so what needs it is not measured");
        kinds.retain(|kind| !servers::WITH_NATS.contains(kind));
    }
    let parts: Vec<&Part> = PARTS.iter().filter(|p| chosen(p.name, &part_names)).collect();
    if let Some(unknown) =
        names.iter().find(|n| !servers::KINDS.contains(&n.as_str()) && !part_names.contains(&n.as_str()))
    {
        panic!("`{unknown}` is neither a server ({:?}) nor a part ({part_names:?})", servers::KINDS);
    }
    cores::pin_to(1);
    grandstand::raise_open_files();
    table::run(&parts, &kinds, runs, smoke);
}

//! `cargo xtask fuzz SECONDS [TARGET]…`: the fuzz targets under cargo-fuzz.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::cargo;

const TARGETS: &str = "fuzz/fuzz_targets";

/// Directories of the repository with input examples for a target. Further examples are in `fuzz/seeds/TARGET`.
const SEEDS: &[(&str, &[&str])] = &[
    ("cl_run", &["server/bots/abalone", "server/languages/tests/golden"]),
    ("cl_source", &["server/bots/abalone", "server/languages/tests/golden"]),
    ("fortress_map", &["maps/fortress"]),
    ("json", &["protocol/tests/golden"]),
    ("lines", &["protocol/tests/golden"]),
    ("program", &["server/bots/abalone"]),
    ("rawlog", &["replays/tests/rawlog"]),
    ("rcl_run", &["server/bots/shark", "server/languages/tests/golden"]),
    ("rcl_source", &["server/bots/shark", "server/languages/tests/golden"]),
    ("replay", &["replays/samples"]),
    ("riskless_map", &["maps/riskless"]),
    ("shark_map", &["maps/shark"]),
    ("stones_openings", &["maps/gomoku"]),
    ("zst", &["replays/samples"]),
];

/// An input that takes more than 10 s or 2 GiB, or causes a panic, is a find.
const OPTIONS: [&str; 4] = ["-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1"];

/// Runs the named targets, or all, one after another, for `SECONDS` each.
pub(crate) fn run(root: &Path, arguments: &[String]) -> anyhow::Result<()> {
    let Some((seconds, names)) = arguments.split_first() else {
        bail!("usage: cargo xtask fuzz SECONDS [TARGET]…");
    };
    let seconds: u32 = seconds.parse().context("how many seconds for each target")?;
    let all = targets(root)?;
    let names = if names.is_empty() { &all } else { names };
    let mut found = Vec::new();
    for name in names {
        if !all.contains(name) {
            bail!("`{name}` is no target: {}", all.join(", "));
        }
        if !fuzz(root, name, seconds)? {
            found.push(name.as_str());
        }
    }
    if !found.is_empty() {
        bail!("something was found by {}: the inputs are in fuzz/artifacts", found.join(", "));
    }
    Ok(())
}

fn targets(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(TARGETS)).context(TARGETS)? {
        let path = entry?.path();
        names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// Runs a target; `true` if nothing was found.
fn fuzz(root: &Path, name: &str, seconds: u32) -> anyhow::Result<bool> {
    let corpus = format!("fuzz/corpus/{name}");
    fs::create_dir_all(root.join(&corpus)).with_context(|| corpus.clone())?;
    let own = format!("fuzz/seeds/{name}");
    let shared = SEEDS.iter().filter(|(target, _)| *target == name).flat_map(|(_, seeds)| *seeds).copied();
    let seeds = shared.chain(root.join(&own).is_dir().then_some(own.as_str()));
    let mut command = Command::new(cargo());
    command.current_dir(root).args(["fuzz", "run", name, &corpus]).args(seeds);
    command.args(["--", &format!("-max_total_time={seconds}")]).args(OPTIONS);
    // The sanitizer's flags are unstable; this variable makes the stable compiler accept them.
    let status = command.env("RUSTC_BOOTSTRAP", "1").status();
    Ok(status.context("cargo did not start")?.success())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_target_with_seeds_is_found() {
        // Tests run in the folder of their crate, not in the workspace's.
        let targets = super::targets(crate::root()).unwrap();
        for (target, seeds) in super::SEEDS {
            assert!(targets.iter().any(|known| known == target), "{target}");
            assert!(seeds.iter().all(|seeds| crate::root().join(seeds).is_dir()), "{target}");
        }
    }
}

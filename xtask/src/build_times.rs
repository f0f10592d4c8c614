//! `cargo xtask build-times`: cost of the README's first command, and of a build after one changed line.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, bail};

/// Files that get an additional line, in the server and in the spectator.
const CHANGED: [(&str, &str); 2] =
    [("the server", "server/src/cli/mod.rs"), ("the spectator", "gui/src/lib.rs")];
/// The line. It is public, so that dependents of the crate are rebuilt too.
const LINE: &str = "\n/// For `cargo xtask build-times`.\npub const BUILT_AGAIN: u32 = 1;\n";

/// Builds everything from scratch in `target/build-times`, and again after each change, and prints the processor time
/// and the wall-clock time of each. The changed files are restored.
///
/// # Errors
///
/// If something does not compile, or a file can't be written.
pub(crate) fn print(root: &Path) -> anyhow::Result<()> {
    let target = root.join("target/build-times");
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| target.display().to_string())?;
    }
    build(root, &target, "cargo build --release, all of it")?;
    for (name, path) in CHANGED {
        let path = root.join(path);
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        fs::write(&path, format!("{text}{LINE}")).with_context(|| path.display().to_string())?;
        let built = build(root, &target, &format!("the same after a line more in {name}"));
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        built?;
    }
    fs::remove_dir_all(&target).with_context(|| target.display().to_string())
}

fn build(root: &Path, target: &Path, what: &str) -> anyhow::Result<()> {
    let (began, before) = (Instant::now(), children_ticks()?);
    let mut command = Command::new(crate::cargo());
    // As on a newcomer's machine: CI turns incremental compilation off.
    command.current_dir(root).env_remove("CARGO_INCREMENTAL").env("CARGO_TARGET_DIR", target);
    if !command.args(["build", "--quiet", "--release"]).status().context("cargo did not start")?.success() {
        bail!("it does not compile");
    }
    let seconds = (children_ticks()? - before) as f64 / TICKS_A_SECOND;
    eprintln!(
        "xtask build-times: {what}: {seconds:.0} s of processor time, {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Linux's `USER_HZ`, the same on all supported architectures.
const TICKS_A_SECOND: f64 = 100.0;

/// Processor time of all child processes that this process has waited for, and of their children.
fn children_ticks() -> anyhow::Result<u64> {
    let text = fs::read_to_string("/proc/self/stat").context("processor time is read from Linux's /proc")?;
    // The name is in brackets and may contain anything; the third and later fields follow it.
    let fields = text.rsplit_once(')').context("/proc/self/stat")?.1;
    let mut times = fields.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    match (times.next(), times.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok(user + system),
        _ => bail!("/proc/self/stat has no times"),
    }
}

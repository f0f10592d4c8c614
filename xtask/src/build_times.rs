//! `cargo xtask build-times`: cost of the README's first command, and of a build after one changed line.

use std::fs;
use std::path::{Path, PathBuf};
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
/// If a file still has the line of an interrupted call, something does not compile, or a file can't be written.
pub(crate) fn print(root: &Path) -> anyhow::Result<()> {
    let files: Vec<_> = CHANGED
        .into_iter()
        .map(|(name, path)| Ok((name, Unchanged::read(root.join(path))?)))
        .collect::<anyhow::Result<_>>()?;
    let target = root.join("target/build-times");
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| target.display().to_string())?;
    }
    build(root, &target, "cargo build --release, all of it")?;
    for (name, file) in files {
        let changed = file.change()?;
        build(root, &target, &format!("the same after a line more in {name}"))?;
        changed.restore()?;
    }
    fs::remove_dir_all(&target).with_context(|| target.display().to_string())
}

/// A file without the line.
struct Unchanged {
    path: PathBuf,
    text: String,
}

impl Unchanged {
    fn read(path: PathBuf) -> anyhow::Result<Self> {
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        // A signal leaves no time to restore.
        if text.contains(LINE) {
            bail!("{} has the line of an interrupted call at its end: delete it first", path.display());
        }
        Ok(Self { path, text })
    }

    fn change(self) -> anyhow::Result<Changed> {
        let changed = Changed(self);
        let Unchanged { path, text } = &changed.0;
        fs::write(path, format!("{text}{LINE}")).with_context(|| path.display().to_string())?;
        Ok(changed)
    }
}

/// A file with the line, restored on drop.
struct Changed(Unchanged);

impl Changed {
    fn restore(&self) -> anyhow::Result<()> {
        let Unchanged { path, text } = &self.0;
        fs::write(path, text).with_context(|| format!("{} is not restored", path.display()))
    }
}

impl Drop for Changed {
    fn drop(&mut self) {
        if let Err(error) = self.restore() {
            eprintln!("xtask build-times: {error:#}");
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_restored_and_one_that_was_not_is_refused() {
        let path = std::env::temp_dir().join(format!("grandstand-build-times-{}.rs", std::process::id()));
        fs::write(&path, "mod a;\n").unwrap();
        let changed = Unchanged::read(path.clone()).unwrap().change().unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with(LINE));
        assert!(Unchanged::read(path.clone()).is_err());
        drop(changed);
        assert_eq!(fs::read_to_string(&path).unwrap(), "mod a;\n");
        fs::remove_file(path).unwrap();
    }
}

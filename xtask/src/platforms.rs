//! `cargo xtask platforms`: checks that the workspace compiles for systems without tests.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// Targets that can be checked.
const TRIPLES: [&str; 4] =
    ["x86_64-pc-windows-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-apple-darwin"];

/// Checks the named platforms, or all, with the spectator; all warnings are errors.
///
/// Nothing is linked, and the C code of dependencies is skipped: their compiler is replaced by a program that does
/// nothing, so that neither a cross compiler nor Apple's SDK is needed.
///
/// # Errors
///
/// If a name is unknown, one does not compile, or its target is missing (`rustup target add`).
pub(crate) fn check(root: &Path, names: &[String]) -> anyhow::Result<()> {
    for name in names {
        ensure!(TRIPLES.contains(&name.as_str()), "no platform {name:?}; there are {}", TRIPLES.join(", "));
    }
    for triple in
        TRIPLES.into_iter().filter(|triple| names.is_empty() || names.iter().any(|name| name == triple))
    {
        eprintln!("xtask platforms: {triple}");
        let mut command = Command::new(crate::cargo());
        command.current_dir(root).args(["clippy", "--quiet", "--package", "grandstand", "--target", triple]);
        let suffix = triple.replace('-', "_");
        command.env(format!("CC_{suffix}"), "true").env(format!("AR_{suffix}"), "true").env("SDKROOT", "/");
        command.args(["--", "-D", "warnings"]);
        if !command.status().context("cargo did not start")?.success() {
            bail!("it does not compile for {triple}");
        }
    }
    Ok(())
}

//! `cargo xtask platforms`: whether the workspace compiles for systems that it is not tested on.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

/// Target, and the C compiler that a dependency's own code is compiled with; `zig` brings those of a system that is not at hand.
const PLATFORMS: [(&str, Option<&str>); 3] = [
    ("x86_64-pc-windows-gnu", None),
    ("aarch64-unknown-linux-gnu", None),
    ("aarch64-apple-darwin", Some("aarch64-macos")),
];

/// Checks every platform, with the spectator; all warnings are errors.
///
/// # Errors
///
/// When one does not compile, or a tool is missing: rustup's targets, Debian's `gcc-mingw-w64-x86-64` and `gcc-aarch64-linux-gnu`, and
/// Zig for macOS.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let scripts = root.join("target/dist");
    std::fs::create_dir_all(&scripts).with_context(|| scripts.display().to_string())?;
    for (triple, zig) in PLATFORMS {
        eprintln!("xtask platforms: {triple}");
        let mut command = Command::new(crate::cargo());
        command.current_dir(root).args(["clippy", "--package", "grandstand", "--target", triple]);
        if let Some(target) = zig {
            let (compiler, _) = crate::dist::zig::write(&scripts, triple, target)?;
            command.env(format!("CC_{}", triple.replace('-', "_")), compiler);
        }
        command.args(["--", "-D", "warnings"]);
        if !command.status().context("cargo did not start")?.success() {
            bail!("it does not compile for {triple}");
        }
    }
    Ok(())
}

//! External packages that the workspace is built from, as cargo lists them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

/// A package from outside the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The licence in its manifest, such as `MIT OR Apache-2.0`; empty if there is none.
    pub(crate) licence: String,
}

/// The packages that `cargo tree` lists with these arguments, sorted and unique.
///
/// # Errors
///
/// If cargo fails, or its output can't be parsed.
pub(crate) fn dependencies(root: &Path, arguments: &[&str]) -> anyhow::Result<Vec<Dependency>> {
    let mut command = Command::new(crate::cargo());
    command.current_dir(root).args(["tree", "--locked", "--prefix", "none", "--format", "{p}|{l}|"]);
    let output = command.args(arguments).output().context("cargo did not start")?;
    ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    let text = String::from_utf8(output.stdout).context("cargo tree")?;
    let found: anyhow::Result<BTreeSet<Dependency>> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| dependency(line).with_context(|| format!("cargo tree wrote {line:?}")))
        .filter_map(Result::transpose)
        .collect();
    Ok(found?.into_iter().collect())
}

/// Parses `name v1.2.3|licence|`. A remark after the version may be the folder of a workspace package; such a package
/// gives `None`.
fn dependency(line: &str) -> anyhow::Result<Option<Dependency>> {
    let (package, rest) = line.split_once('|').context("no licence")?;
    let (licence, _) = rest.split_once('|').context("no end")?;
    let (name, rest) = package.split_once(" v").context("no version")?;
    let (version, remark) = rest.split_once(' ').unwrap_or((rest, ""));
    if remark.contains("(/") || remark.contains(":\\") {
        return Ok(None);
    }
    let [name, version, licence] = [name, version, licence].map(str::to_owned);
    Ok(Some(Dependency { name, version, licence }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_others_are_told_from_ours() {
        let read = |line| dependency(line).unwrap().map(|found| (found.name, found.version, found.licence));
        let taken = |name: &str, version: &str| Some((name.to_owned(), version.to_owned(), "MIT".to_owned()));
        assert_eq!(read("syn v3.0.9|MIT|"), taken("syn", "3.0.9"));
        assert_eq!(read("syn v3.0.9|MIT| (*)"), taken("syn", "3.0.9"));
        assert_eq!(read("zbus_macros v5.19.0 (proc-macro)|MIT|"), taken("zbus_macros", "5.19.0"));
        assert_eq!(read("grandstand v0.1.0 (/home/somebody/grandstand/server)|MIT|"), None);
        assert!(dependency("syn v3.0.9").is_err());
        assert!(dependency("syn|MIT|").is_err());
    }
}

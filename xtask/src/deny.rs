//! `cargo xtask deny`: licences and sources of what we depend on, by the rules of `deny.toml`, without cargo-deny.
//!
//! `cargo deny check` reads the same file and finds advisories too; to compile it takes longer than all of these checks.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use crate::dependencies::dependencies;

/// The only place that packages come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks the licence of every package of every platform, the source of every package of `Cargo.lock`, and that no
/// manifest of ours takes any version of something.
///
/// # Errors
///
/// With everything that is wrong, or when cargo or a file can't be read.
pub(crate) fn check(root: &Path) -> anyhow::Result<()> {
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| name.to_owned());
    let allowed = allowed_licences(&read("deny.toml")?)?;
    let lock = read("Cargo.lock")?;
    let mut wrong = strange_sources(&lock);

    let found = dependencies(
        root,
        &["--workspace", "--all-features", "--target", "all", "--edges", "normal,build,dev"],
    )?;
    for package in &found {
        if !is_allowed(&package.licence, &allowed) {
            wrong.push(format!("{} {}: licence {:?}", package.name, package.version, package.licence));
        }
    }
    for manifest in manifests(root, &read("Cargo.toml")?)? {
        let text = read(&manifest)?;
        wrong.extend(wildcards(&text).map(|line| format!("{manifest}: any version will do in {line:?}")));
    }
    if !wrong.is_empty() {
        bail!("not allowed:\n  {}", wrong.join("\n  "));
    }
    eprintln!(
        "xtask deny: {} packages of others, each with an allowed licence, all of crates.io",
        found.len()
    );
    Ok(())
}

/// The list `allow` of the table `licenses`.
fn allowed_licences(deny: &str) -> anyhow::Result<Vec<String>> {
    let list = deny.split_once("[licenses]").and_then(|(_, rest)| rest.split_once("allow = ["));
    let (list, _) = list.and_then(|(_, rest)| rest.split_once(']')).context("deny.toml allows no licence")?;
    Ok(list.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// An SPDX expression: `AND` binds tighter than `OR`, and an old manifest's `/` is an `OR`. What is not understood is not allowed.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    /// What stands between two brackets: whether a part before the last `OR` is allowed, and whether the part behind it is.
    #[derive(Default)]
    struct Level {
        before: bool,
        last: Option<bool>,
    }
    let text = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut levels = vec![Level::default()];
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let value = match word {
            "(" => {
                levels.push(Level::default());
                continue;
            }
            "AND" => continue,
            "OR" => {
                let Some(level) = levels.last_mut() else { return false };
                let Some(last) = level.last.take() else { return false };
                level.before |= last;
                continue;
            }
            ")" => match levels.pop() {
                Some(Level { before, last: Some(last) }) => before || last,
                _ => return false,
            },
            name => match words.next_if_eq(&"WITH") {
                Some(_) => words
                    .next()
                    .is_some_and(|exception| allowed.contains(&format!("{name} WITH {exception}"))),
                None => allowed.iter().any(|licence| licence == name),
            },
        };
        let Some(level) = levels.last_mut() else { return false };
        level.last = Some(level.last.unwrap_or(true) && value);
    }
    matches!(levels.as_slice(), [Level { before, last: Some(last) }] if *before || *last)
}

/// Packages of `Cargo.lock` that come from anywhere else than the registry.
fn strange_sources(lock: &str) -> Vec<String> {
    let mut name = "";
    let mut strange = Vec::new();
    for line in lock.lines() {
        if let Some(value) = line.strip_prefix("name = ") {
            name = value.trim_matches('"');
        } else if let Some(source) = line.strip_prefix("source = ")
            && source.trim_matches('"') != REGISTRY
        {
            strange.push(format!("{name}: source {source}"));
        }
    }
    strange
}

/// The manifests of the workspace: its own, and those of its members.
fn manifests(root: &Path, manifest: &str) -> anyhow::Result<Vec<String>> {
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    let (list, _) = list.context("Cargo.toml has no members")?;
    let members = list.split('"').skip(1).step_by(2).map(|member| format!("{member}/Cargo.toml"));
    let all: Vec<String> = std::iter::once("Cargo.toml".to_owned()).chain(members).collect();
    match all.iter().find(|manifest| !root.join(manifest).is_file()) {
        Some(missing) => bail!("no {missing}"),
        None => Ok(all),
    }
}

/// Lines that ask for any version: `name = "*"`, `version = "*"`.
fn wildcards(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.lines().map(str::trim).filter(|line| {
        let dense: String = line.chars().filter(|letter| !letter.is_whitespace()).collect();
        !line.starts_with('#') && (dense.contains("=\"*\"") || dense.contains("='*'"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_licences_are_read_as_spdx_has_them() {
        let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
        for yes in [
            "MIT",
            "GPL-3.0-only OR MIT",
            "GPL-3.0-only/MIT",
            "MIT AND ISC",
            "(GPL-3.0-only OR MIT) AND ISC",
            "GPL-3.0-only OR MIT AND ISC",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0-only",
        ] {
            assert!(is_allowed(yes, &allowed), "{yes}");
        }
        for no in [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR ISC) AND GPL-3.0-only",
            "GPL-3.0-only OR MIT AND GPL-3.0-only",
            "Apache-2.0",
            "Apache-2.0 WITH",
            "MIT OR",
            "OR MIT",
            "(MIT",
            "MIT)",
            "()",
        ] {
            assert!(!is_allowed(no, &allowed), "{no}");
        }
    }

    #[test]
    fn the_list_is_that_of_licences() {
        let deny = "[graph]\nall-features = true\n[licenses]\nallow = [\n  \"MIT\", \"A WITH B\",\n]\n[bans]\nallow = [\"x\"]";
        assert_eq!(allowed_licences(deny).unwrap(), ["MIT", "A WITH B"]);
        assert!(allowed_licences("[bans]").is_err());
    }

    #[test]
    fn packages_from_elsewhere_are_named() {
        let lock = format!(
            "name = \"ours\"\nversion = \"1\"\n\nname = \"a\"\nsource = \"{REGISTRY}\"\n\nname = \"b\"\nsource = \"git+https://x.example/b\"\n"
        );
        assert_eq!(strange_sources(&lock), ["b: source \"git+https://x.example/b\""]);
    }

    #[test]
    fn any_version_is_found_wherever_it_stands() {
        let manifest =
            "a = \"1\"\nb=\"*\"\nc = { version = '*' }\n# d = \"*\"\n[profile.dev.package.\"*\"]\n";
        assert_eq!(wildcards(manifest).collect::<Vec<_>>(), ["b=\"*\"", "c = { version = '*' }"]);
    }
}

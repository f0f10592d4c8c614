//! Licences of the packages in the binary, as one text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use crate::dependencies::{Dependency, dependencies};

/// Prefixes of the names of licence files, in upper case.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];

/// The list of packages with their licences, then the text of each licence once, with the packages that have it.
///
/// # Errors
///
/// If cargo fails or the source of a package is missing.
pub(super) fn text(root: &Path, triple: &str) -> anyhow::Result<String> {
    let packages = dependencies(root, &["--package", "grandstand", "--edges", "normal", "--target", triple])?;
    let registry = registry()?;
    let mut text = String::from("Grandstand is made of these packages of https://crates.io:\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in &packages {
        writeln!(text, "{} {}: {}", package.name, package.version, package.licence)?;
        for found in licences_of(&registry, package)? {
            texts.entry(found).or_default().push(format!("{} {}", package.name, package.version));
        }
    }
    for (licence, packages) in texts {
        writeln!(text, "\n{}\n{}\n\n{}", "-".repeat(80), packages.join(", "), licence)?;
    }
    Ok(text)
}

/// Cargo's folder of package sources, with a folder for each registry.
fn registry() -> anyhow::Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).context("no home directory")?;
    Ok(home.join("registry/src"))
}

fn licences_of(registry: &Path, package: &Dependency) -> anyhow::Result<Vec<String>> {
    let name = format!("{}-{}", package.name, package.version);
    let mut found = Vec::new();
    let mut there = false;
    for folder in fs::read_dir(registry).with_context(|| registry.display().to_string())? {
        let folder = folder?.path().join(&name);
        if !folder.is_dir() {
            continue;
        }
        there = true;
        for file in fs::read_dir(&folder)? {
            let file = file?;
            let capitals = file.file_name().to_string_lossy().to_uppercase();
            if NAMES.iter().any(|name| capitals.starts_with(name)) && file.path().is_file() {
                let bytes = fs::read(file.path())?;
                found.push(String::from_utf8_lossy(&bytes).replace('\r', "").trim().to_owned());
            }
        }
    }
    ensure!(there, "no source of {name} in {}", registry.display());
    found.sort();
    found.dedup();
    Ok(found)
}

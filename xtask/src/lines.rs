//! `cargo xtask lines`: number of lines of code per crate.

#![expect(clippy::print_stdout, reason = "the figures are what it is for")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::source::sources;

/// Prints the number of lines that are neither blank, nor comments, nor compiled only for tests or benchmarks.
///
/// # Errors
///
/// If a file can't be read.
pub(crate) fn print(root: &Path) -> anyhow::Result<()> {
    let mut counts = BTreeMap::new();
    for source in sources(root)? {
        let lines = source.code.lines().filter(|line| !line.trim().is_empty()).count();
        *counts.entry(source.package.display().to_string()).or_insert(0) += lines;
    }
    for (package, lines) in &counts {
        println!("{lines:>7} {package}");
    }
    println!("{:>7} in all", counts.values().sum::<usize>());
    Ok(())
}

//! `grandstand extras`: shell completions and man pages, as files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

/// Write completions for shells and man pages into a folder
///
/// `completions/` has a file for bash, zsh, fish and PowerShell each, `man/` a page for every subcommand.
#[derive(Debug, clap::Args)]
pub struct ExtrasArgs {
    /// The folder; it is created if it is missing.
    folder: PathBuf,
}

const NAME: &str = "grandstand";

/// Runs the subcommand.
///
/// # Errors
/// If a file can't be written.
pub fn run(args: &ExtrasArgs) -> anyhow::Result<ExitCode> {
    let (completions, man) = (args.folder.join("completions"), args.folder.join("man"));
    for folder in [&completions, &man] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    write_completions(&completions)?;
    clap_mangen::generate_to(super::Cli::command(), &man).with_context(|| man.display().to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn write_completions(folder: &Path) -> anyhow::Result<()> {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut super::Cli::command(), NAME, folder)
            .with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_is_completed_and_has_a_page() {
        let folder = tempfile::tempdir().unwrap();
        run(&ExtrasArgs { folder: folder.path().join("new") }).unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join("new").join(name)).unwrap();
        let shells = ["grandstand.bash", "_grandstand", "grandstand.fish", "_grandstand.ps1"];
        let texts = shells.map(|name| read(&format!("completions/{name}")));
        for subcommand in super::super::Cli::command().get_subcommands().filter(|found| !found.is_hide_set())
        {
            let name = subcommand.get_name();
            assert!(texts.iter().all(|text| text.contains(name)), "{name}");
            assert!(read(&format!("man/grandstand-{name}.1")).contains(".SH SYNOPSIS"), "{name}");
        }
        assert!(read("man/grandstand.1").contains("grandstand"));
    }
}

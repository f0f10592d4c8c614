//! `grandstand lsp`: the language server over standard input and output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use grandstand_editor::{Disk, Server};
use grandstand_languages::FileError;
use grandstand_players::program_files::read_below;

use super::stdio;

/// Answers what an editor asks of programs in CL and RCL, over standard input and output.
///
/// An editor starts it by itself: docs/EDITORS.md says how VS Code, Neovim and Helix are told to. It speaks the language server protocol: diagnostics as one
/// types, hover, definitions and references through includes, completion, the outline of a file.
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Taken without effect: some editors say how they talk
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// Serves one editor. Status 0 after an orderly exit, else 1.
///
/// # Errors
/// If standard input is not a stream of messages, or standard output can't be written.
pub fn run(_: &LspArgs) -> anyhow::Result<ExitCode> {
    stdio::serve(&mut Server::new(Files))
}

/// The file system of this machine.
#[derive(Debug)]
pub(super) struct Files;

impl Disk for Files {
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError> {
        read_below(Path::new(directory), path)
    }

    /// Shipped files exist only in the binary; those that an editor opens are written to the user's cache.
    fn unpack(&self, path: &str, text: &str) -> Option<String> {
        let file = cache().join("grandstand").join("library").join(path);
        if fs::read_to_string(&file).ok().as_deref() != Some(text) {
            fs::create_dir_all(file.parent()?).ok()?;
            fs::write(&file, text).ok()?;
        }
        Some(file.to_str()?.to_owned())
    }
}

/// The user's cache directory.
fn cache() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || Some(variable("HOME")?.join(".cache"));
    variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(home)
        .filter(|cache| cache.is_absolute())
        .unwrap_or_else(std::env::temp_dir)
}

//! `grandstand lsp`: the language server over standard input and output.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use grandstand_editor::{Disk, Server};
use grandstand_languages::FileError;
use grandstand_players::program_files::read_below;

use super::stdio;

/// Language server for programs in CL and RCL, over standard input and output.
///
/// The editor starts it: docs/EDITORS.md describes the setup for VS Code, Neovim and Helix. It provides diagnostics
/// as one types, hover, definitions and references through includes, completion, and the outline of a file.
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Ignored: some editors pass it
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
        let file = cache(|name| std::env::var_os(name))?.join("grandstand").join("library").join(path);
        if fs::read_to_string(&file).ok().as_deref() != Some(text) {
            fs::create_dir_all(file.parent()?).ok()?;
            fs::write(&file, text).ok()?;
        }
        Some(file.to_str()?.to_owned())
    }
}

/// The user's cache directory, by the environment's variables; `None` if they name none. The directory for temporary
/// files is no substitute: others may have put links there.
fn cache(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    path("XDG_CACHE_HOME").or_else(|| path("LOCALAPPDATA")).or_else(|| Some(path("HOME")?.join(".cache")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_the_users_or_none() {
        let of = |set: &[(&str, &str)]| {
            cache(|name| set.iter().find(|(set, _)| *set == name).map(|(_, value)| OsString::from(value)))
        };
        let home = std::env::temp_dir().join("ann");
        let home = home.to_str().unwrap();
        assert_eq!(of(&[("HOME", home)]), Some(Path::new(home).join(".cache")));
        assert_eq!(of(&[("HOME", "/other"), ("XDG_CACHE_HOME", home)]), Some(PathBuf::from(home)));
        assert_eq!(of(&[("HOME", home), ("XDG_CACHE_HOME", "")]), Some(Path::new(home).join(".cache")));
        assert_eq!(of(&[("HOME", "ann")]), None);
        assert_eq!(of(&[]), None);
    }
}

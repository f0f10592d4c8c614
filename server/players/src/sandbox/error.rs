//! Failure to start a program.

use std::io;

use thiserror::Error;

/// Why a program can't be run in the box at all.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// There is no box on this system.
    #[error(
        "this system has no box for programs: `--sandbox off` starts it as you, with your files and your network"
    )]
    Unsupported,
    /// It does not run. Only without a box.
    #[error("it could not be started: {0}: {1}")]
    Program(String, #[source] io::Error),
    /// The process that watches over it can't be started.
    #[error("can't start the process that watches over the program: {0}")]
    Warden(#[source] io::Error),
}

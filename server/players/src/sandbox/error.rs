//! Failure to start a program.

use std::io;

use thiserror::Error;

/// Why a program can't be run in the box at all.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// There is no box on this system.
    #[error("programs can only be started on Linux: start the team by hand, and let the match wait for it")]
    Unsupported,
    /// The process that watches over it can't be started.
    #[error("can't start the process that watches over the program: {0}")]
    Warden(#[source] io::Error),
}

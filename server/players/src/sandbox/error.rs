//! Failure to start a program.

use std::io;

use thiserror::Error;

/// Reason for which a program can't be started at all.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The system has no sandbox.
    #[error(
        "this system has no box for programs: `--sandbox off` starts it as you, with your files and your network"
    )]
    Unsupported,
    /// The program can't be run. Only without a sandbox.
    #[error("it could not be started: {0}: {1}")]
    Program(String, #[source] io::Error),
    /// The warden can't be started.
    #[error("can't start the process that watches over the program: {0}")]
    Warden(#[source] io::Error),
}

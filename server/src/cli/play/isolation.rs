//! Options of programs that play: limits and sandbox.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use grandstand_players::named_limits::NamedLimits as _;
use grandstand_players::sandbox::{Isolation, Limits};

/// Heading of `play --help` over the options of programs.
pub(super) const PROGRAMS: &str =
    "Programs that play: teams of Steam Fortress and engines of Gomoku and Pente";

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// Keep the other output of the programs: a file for each team in this directory
    #[arg(long, value_name = "DIR")]
    pub(super) logs: Option<PathBuf>,
    /// Isolation of programs: as far as this system can enforce it (on), complete or no start (require), or none
    /// (off)
    #[arg(long, value_enum, default_value_t = Isolation::On, value_name = "MODE")]
    sandbox: Isolation,
    /// Start programs without a box, as --sandbox off
    #[arg(long, conflicts_with = "sandbox")]
    no_sandbox: bool,
    /// Let programs read this directory too; may be given several times
    #[arg(long, value_name = "DIR")]
    program_read: Vec<PathBuf>,
    /// Change a limit of programs, such as memory-mib=512; server/SANDBOX.md lists them
    #[arg(long, value_name = "NAME=VALUE")]
    program_limit: Vec<String>,
}

impl ProgramArgs {
    /// Options with these limits, sandbox mode and readable directories.
    pub(super) fn of(program_limit: Vec<String>, sandbox: Isolation, program_read: Vec<PathBuf>) -> Self {
        Self { logs: None, sandbox, no_sandbox: false, program_read, program_limit }
    }

    pub(super) fn isolation(&self) -> Isolation {
        if self.no_sandbox { Isolation::Off } else { self.sandbox }
    }

    /// The directories that programs may read besides their own.
    pub(super) fn readable(&self) -> anyhow::Result<Vec<PathBuf>> {
        let directories = self.program_read.iter().map(|directory| directory.canonicalize());
        directories.collect::<Result<_, _>>().context("a directory that programs may read")
    }

    /// The default limits, with the requested changes.
    pub(super) fn limits(&self, mut usual: Limits) -> anyhow::Result<Limits> {
        for limit in &self.program_limit {
            usual.set_limit(limit)?;
        }
        Ok(usual)
    }
}

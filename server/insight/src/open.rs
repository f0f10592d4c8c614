//! Errors of opening a recording.

use grandstand_matches::bundle::sha256;
use grandstand_matches::{HeaderError, StartError};
use grandstand_protocol::{Game, MatchHeader, Program};

/// Why the match of a recording can't be replayed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The game's players are not threads of programs.
    #[error("the bots of {0} are no threads of programs: only matches of Abalone and shark can be explained")]
    Game(Game),
    /// A program's source is missing.
    #[error(
        "the recording has no source of {team}'s program {file}: it was left out when the recording was handed over, or was too long; without it the match can't be \
         played again"
    )]
    Source {
        /// The team's name.
        team: String,
        /// The program's file.
        file: String,
    },
    /// A program is not the one that played.
    #[error(
        "{team}'s program {file} in the recording is not the one that played: its SHA-256 is {found}, and the recording says {said}"
    )]
    Hash {
        /// The team's name.
        team: String,
        /// The program's file.
        file: String,
        /// Hash of the source in the recording.
        found: String,
        /// Hash in the header.
        said: String,
    },
    /// The record of the bots' requests can't be read.
    #[error("what the bots asked for in the recording can't be read: {0}")]
    Asked(String),
    /// The header doesn't describe a match.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// The match can't begin.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Checks that the sources of all programs are there and have the hashes in the header.
///
/// With recorded requests, the source of one program may be missing.
pub(crate) fn check_sources(header: &MatchHeader, has_asked: bool) -> Result<(), OpenError> {
    let is_missing = |program: &&Program| program.source.is_none() && !program.sha256.is_empty();
    let may_be_missing = has_asked && header.programs.iter().filter(is_missing).count() == 1;
    for program in &header.programs {
        let (team, file) = (program.team.to_string(), program.file.to_string());
        match &program.source {
            Some(source) => {
                let found = sha256(source);
                if *found != *program.sha256 {
                    return Err(OpenError::Hash { team, file, found, said: program.sha256.to_string() });
                }
            }
            // A team written in Rust has no source.
            None if program.sha256.is_empty() || may_be_missing => {}
            None => return Err(OpenError::Source { team, file }),
        }
    }
    Ok(())
}

//! Recordings whose match can't be played again.

use grandstand_matches::bundle::sha256;
use grandstand_matches::{HeaderError, StartError};
use grandstand_protocol::{Game, MatchHeader, Program};

/// Why the match of a recording can't be asked.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Its players are not threads of programs.
    #[error("the bots of {0} are no threads of programs: only matches of Abalone and shark can be explained")]
    Game(Game),
    /// A program's source is not in it.
    #[error(
        "the recording has no source of {team}'s program {file}: it was left out when the recording was handed over, or was too long; without it the match can't be \
         played again"
    )]
    Source {
        /// Whose.
        team: String,
        /// Its file.
        file: String,
    },
    /// A program is not the one that played.
    #[error(
        "{team}'s program {file} in the recording is not the one that played: its SHA-256 is {found}, and the recording says {said}"
    )]
    Hash {
        /// Whose.
        team: String,
        /// Its file.
        file: String,
        /// What the source has.
        found: String,
        /// What the header says.
        said: String,
    },
    /// What bots asked for can't be read.
    #[error("what the bots asked for in the recording can't be read: {0}")]
    Asked(String),
    /// The header does not tell the match.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// It can't begin.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Checks that the sources of all programs are there and are those that played.
///
/// With what bots asked for, one of them may be missing.
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
            // A team written in Rust has none.
            None if program.sha256.is_empty() || may_be_missing => {}
            None => return Err(OpenError::Source { team, file }),
        }
    }
    Ok(())
}

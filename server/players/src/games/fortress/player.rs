//! Player of a side, as a person names it.

use std::path::{Path, PathBuf};

use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_rules::fortress::Team;
use thiserror::Error;

use crate::sandbox::{WordsError, split};

/// Player of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Player {
    /// A shipped team, in this process.
    Shipped(ShippedTeam),
    /// A program, with its command line split into words.
    Program(Vec<String>),
    /// A team that is started by hand.
    Wait {
        /// Secret that was agreed on; without it one is generated.
        secret: Option<String>,
    },
}

/// Reason for which a text names no player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// Unknown name.
    #[error(
        "`{name}` is not a player of Steam Fortress; expected {shipped}, team:COMMAND, wait or wait:SECRET",
        shipped = ShippedTeam::ALL.map(ShippedTeam::name).join(", ")
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The command can't be split into words.
    #[error("`{name}`: {error}")]
    Command {
        /// The name.
        name: String,
        /// The syntax error.
        error: WordsError,
    },
}

impl Player {
    /// Parses `strong`, `weak`, `team:COMMAND`, `wait` or `wait:SECRET`.
    ///
    /// # Errors
    /// If the text is no such name.
    pub fn parse(name: &str) -> Result<Self, PlayerError> {
        if let Some(command) = name.strip_prefix("team:") {
            let words =
                split(command).map_err(|error| PlayerError::Command { name: name.to_owned(), error })?;
            return Ok(Self::Program(words));
        }
        match name.split_once(':') {
            None if name == "wait" => Ok(Self::Wait { secret: None }),
            Some(("wait", secret)) if !secret.is_empty() => {
                Ok(Self::Wait { secret: Some(secret.to_owned()) })
            }
            _ => {
                let shipped = ShippedTeam::named(name).map(Self::Shipped);
                shipped.ok_or_else(|| PlayerError::Name { name: name.to_owned() })
            }
        }
    }

    /// Name of the player in titles.
    pub fn name(&self, team: Team) -> String {
        match self {
            Self::Shipped(team) => team.name().to_owned(),
            Self::Wait { .. } => team.name().to_owned(),
            Self::Program(command) => {
                let file = program_file(command);
                let stem = file.as_deref().and_then(|path| path.file_stem()?.to_str());
                stem.or(command.first().map(String::as_str)).unwrap_or_default().to_owned()
            }
        }
    }
}

/// File of a team: the last word of its command that is a file, as in `python3 -u team.py`.
pub(super) fn program_file(command: &[String]) -> Option<PathBuf> {
    command.iter().rev().map(Path::new).find(|path| path.is_file()).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_by_their_names() {
        assert_eq!(Player::parse("weak"), Ok(Player::Shipped(ShippedTeam::Weak)));
        let words = vec!["python3".to_owned(), "my team.py".to_owned()];
        assert_eq!(Player::parse("team:python3 'my team.py'"), Ok(Player::Program(words)));
        assert_eq!(Player::parse("wait"), Ok(Player::Wait { secret: None }));
        assert_eq!(Player::parse("wait:abc"), Ok(Player::Wait { secret: Some("abc".to_owned()) }));
        for wrong in ["", "stupid", "wait:", "team.py"] {
            let error = Player::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("expected strong, weak, sparring-1, sparring-2, sparring-3, team:COMMAND, wait or wait:SECRET"), "{error}");
        }
        assert!(Player::parse("team:").unwrap_err().to_string().contains("the command is empty"));
        assert!(Player::parse("team:a 'b").unwrap_err().to_string().contains("column 3"));
    }
}

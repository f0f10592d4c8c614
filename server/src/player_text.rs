//! Specification of a player, as in `grandstand play`: properties of its text, before anything is loaded.

use std::path::Path;

use grandstand_matches::games::language;
use grandstand_players::sandbox::{WordsError, split};
use grandstand_protocol::Game;

/// Whether `play` is the file of a program in the game's language, by its extension.
pub(crate) fn is_program_file(game: Game, play: &str) -> bool {
    let extension = Path::new(play).extension().and_then(|extension| extension.to_str());
    language(game).is_some_and(|language| extension == Some(language.extension()))
}

/// The words of the command in `engine:COMMAND` or `team:COMMAND`; none for other players.
///
/// # Errors
/// If the command can't be split into words.
pub(crate) fn command_words(play: &str) -> Result<Vec<String>, WordsError> {
    match play.split_once(':') {
        Some(("engine" | "team", command)) => split(command),
        _ => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_commands_are_told_by_their_text() {
        assert!(is_program_file(Game::Abalone, "bots/a.cl"));
        for (game, play) in [(Game::Abalone, "a.rcl"), (Game::Abalone, "team"), (Game::Gomoku, "a.cl")] {
            assert!(!is_program_file(game, play), "{game} {play}");
        }
        assert_eq!(command_words("engine:sh 'a b'").unwrap(), ["sh", "a b"]);
        assert_eq!(command_words("search:nodes=9").unwrap(), [""; 0]);
        assert!(command_words("team:'").is_err());
    }
}

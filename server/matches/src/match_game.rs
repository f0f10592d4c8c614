//! Entry of a game in the table of games.

use grandstand_languages::{Datum, Language};
use grandstand_protocol::Game;

use crate::inputs::{InputsError, Replayed};
use crate::map_format::MapFormat;

/// Description of an action, for authors of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionHelp {
    /// Name of the action in programs.
    pub name: &'static str,
    /// Example of its use in a program, with arguments.
    pub usage: &'static str,
    /// Effect of the action, in a sentence or two.
    pub does: &'static str,
    /// Answer to the action; text between backquotes is as programs have it.
    pub answer: &'static str,
}

/// Entry of a game in the table of games.
pub trait MatchGame: Sync {
    /// The game.
    fn game(&self) -> Game;

    /// Version of the rules: raised when the same match, with the same settings, seed and players, would be drawn
    /// differently. The drawing depends on the rules, their commands, and the players that are shipped with them.
    fn rules_version(&self) -> u32;

    /// Language of the programs whose threads are the game's bots; `None` if programs don't play it.
    fn language(&self) -> Option<Language> {
        None
    }

    /// Shipped programs and their include files: paths below `server/bots`, with their texts.
    fn program_files(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Descriptions of the actions of its programs, in the order of their numbers, which begin with 1.
    fn actions(&self) -> &'static [ActionHelp] {
        &[]
    }

    /// Why the operand of a program's `do` is no action in any match; `None` if it is one.
    fn refusal(&self, request: &Datum) -> Option<String> {
        let _ = request;
        None
    }

    /// Map format of the game, if it has maps.
    fn maps(&self) -> Option<&'static MapFormat> {
        None
    }

    /// Plays a file of inputs again; `None` if matches of the game have no inputs.
    fn replay_inputs(&self, text: &str) -> Option<Result<Replayed, InputsError>> {
        let _ = text;
        None
    }
}

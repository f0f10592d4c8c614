//! Entry of a game in the table of games.

use grandstand_languages::{Datum, Language};
use grandstand_protocol::Game;

use crate::inputs::{InputsError, Replayed};
use crate::map_format::MapFormat;

/// An action in words, for those who write programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActionHelp {
    /// Its name in programs.
    pub name: &'static str,
    /// How a program does it, with arguments for an example.
    pub usage: &'static str,
    /// What it does, in a sentence or two.
    pub does: &'static str,
    /// What it answers; text between backquotes is as programs have it.
    pub answer: &'static str,
}

/// A game as matches know it.
pub trait MatchGame: Sync {
    /// Which game.
    fn game(&self) -> Game;

    /// The version of its rules: raised when the same match, with the same settings, seed and players, would be drawn differently.
    /// What draws a match is the rules, how they are drawn, and the players that come with them.
    fn rules_version(&self) -> u32;

    /// The language of the programs whose threads are its bots, where these play it.
    fn language(&self) -> Option<Language> {
        None
    }

    /// Shipped programs and what they include: paths below `server/bots`, with their texts.
    fn program_files(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The actions of its programs in words, in the order of their numbers, which begin with 1.
    fn actions(&self) -> &'static [ActionHelp] {
        &[]
    }

    /// Why the operand of a program's `do` means no action, whatever the match is; `None` when it means one.
    fn refusal(&self, request: &Datum) -> Option<String> {
        let _ = request;
        None
    }

    /// What its maps are, where it is played on one.
    fn maps(&self) -> Option<&'static MapFormat> {
        None
    }

    /// Plays a file of inputs again; `None` where matches of the game have none.
    fn replay_inputs(&self, text: &str) -> Option<Result<Replayed, InputsError>> {
        let _ = text;
        None
    }
}

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

/// Replay of a file of inputs.
pub type ReplayInputs = fn(&str) -> Result<Replayed, InputsError>;

/// Entry of a game in the table of games.
#[derive(Debug)]
pub struct MatchGame {
    /// The game.
    pub game: Game,
    /// Version of the rules: raised when the same match, with the same settings, seed and players, would be drawn
    /// differently. The drawing depends on the rules, their commands, and the players that are shipped with them.
    pub rules_version: u32,
    /// Language of the programs whose threads are the game's bots; `None` if programs don't play it.
    pub language: Option<Language>,
    /// Shipped programs and their include files: paths below `server/bots`, with their texts.
    pub program_files: &'static [(&'static str, &'static str)],
    /// Descriptions of the actions of its programs, in the order of their numbers, which begin with 1.
    pub actions: &'static [ActionHelp],
    /// Reason for which the operand of a program's `do` is no action in any match; `None` if it is one.
    pub refusal: fn(&Datum) -> Option<String>,
    /// Map format of the game, if it has maps.
    pub maps: Option<MapFormat>,
    /// Plays a file of inputs again; `None` if matches of the game have no inputs.
    pub replay_inputs: Option<ReplayInputs>,
}

impl MatchGame {
    /// Entry of a game with the first version of its rules, and without programs, maps and inputs.
    pub(crate) const fn new(game: Game) -> Self {
        Self {
            game,
            rules_version: 1,
            language: None,
            program_files: &[],
            actions: &[],
            refusal: |_| None,
            maps: None,
            replay_inputs: None,
        }
    }
}

//! Steam Fortress between programs: its messages, its referee, and matches of teams in this process.
//!
//! - [`settings`]: settings and header of a match; [`spec`]: specification of a match between shipped teams;
//! - [`message`]: the messages, one JSON object a line; [`lines`]: decoder of lines from bytes;
//! - [`referee`]: the match with its connections; [`inputs`]: files of its inputs, and their replay;
//! - [`team`]: interface of a team written in Rust; [`teams`]: the shipped teams; [`local`]: a match of two of them in
//!   virtual time;
//! - [`outcome`]: progress and ending of a match; [`fuzz`]: the bodies of the fuzz targets.
//!
//! `server/FORTRESS-PROTOCOL.md` is for authors of teams.

pub mod fuzz;
pub mod inputs;
pub mod lines;
pub mod local;
pub mod message;
pub mod outcome;
pub mod referee;
pub mod settings;
pub mod spec;
pub mod team;
pub mod teams;
mod trace;

use grandstand_protocol::Game;
use grandstand_rules::fortress::{Map, maps};

use crate::inputs::{InputsError, Replayed};
use crate::map_format::MapFormat;
use crate::match_game::MatchGame;

/// Entry of Steam Fortress in the table of games.
pub static FORTRESS: MatchGame = MatchGame {
    program_files: &[("fortress/weak_team.py", include_str!("../../../../bots/fortress/weak_team.py"))],
    maps: Some(MapFormat {
        game: Game::Fortress,
        shipped: &maps::SHIPPED,
        extension: "map",
        letters: "lrh0123456789",
        check: |text| Map::parse(text).map(|map| map.warnings()),
    }),
    replay_inputs: Some(replay_inputs),
    ..MatchGame::new(Game::Fortress)
};

fn replay_inputs(text: &str) -> Result<Replayed, InputsError> {
    inputs::replay(text).map(|mut referee| Replayed {
        header: referee.header(),
        commands: referee.drain_commands(),
        ending: referee.ending(),
    })
}

//! Steam Fortress between programs: what is said, who may say it, and matches of teams in this process.
//!
//! - [`settings`]: settings and header of a match; [`spec`]: a match between shipped teams;
//! - [`message`]: the messages, one JSON object a line; [`lines`]: bytes cut into lines;
//! - [`referee`]: a match as those who are connected to it see it;
//!   [`inputs`]: what happened to it, in a file, and played again;
//! - [`team`]: a team written in Rust, and those that are shipped: [`teams`];
//!   [`local`]: a match of two of them in virtual time;
//! - [`outcome`]: how a match ended; [`fuzz`]: the bodies of the fuzz targets.
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
use grandstand_rules::fortress::{MAP_MAX_BYTES, Map, maps};

use crate::inputs::{InputsError, Replayed};
use crate::map_format::MapFormat;
use crate::match_game::MatchGame;

/// The game in the table of games.
#[derive(Debug)]
pub struct Fortress;

impl MatchGame for Fortress {
    fn game(&self) -> Game {
        Game::Fortress
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn program_files(&self) -> &'static [(&'static str, &'static str)] {
        &[("fortress/weak_team.py", include_str!("../../../../bots/fortress/weak_team.py"))]
    }

    fn maps(&self) -> Option<&'static MapFormat> {
        static MAPS: MapFormat = MapFormat {
            game: Game::Fortress,
            shipped: &maps::SHIPPED,
            extension: "map",
            letters: "lrh0123456789",
            max_bytes: MAP_MAX_BYTES,
            check: |text| Map::parse(text).map(|map| map.oddities()),
        };
        Some(&MAPS)
    }

    fn replay_inputs(&self, text: &str) -> Option<Result<Replayed, InputsError>> {
        Some(inputs::replay(text).map(|mut referee| Replayed {
            header: referee.header(),
            commands: referee.drain_commands(),
            ending: referee.ending(),
        }))
    }
}

//! Specification of a match of Steam Fortress in real time, between teams that connect by TCP.

use grandstand_matches::bundle::sha256;
use grandstand_matches::games::fortress::outcome::SIDES;
use grandstand_matches::games::fortress::{settings, spec};
use grandstand_matches::{MatchSpec, RunningMatch, Side, StartError, Tempo};
use grandstand_protocol::{Game, MatchHeader, Program};
use grandstand_rules::fortress::{ByTeam, Team};

use super::live::LiveMatch;
use super::options::LiveSpec;
use super::player::{Player, program_file};

/// Maximum size of a program file whose text goes into the header of a recording, in bytes.
const SOURCE_BYTES: usize = 256 * 1024;

impl MatchSpec for LiveSpec {
    fn game(&self) -> Game {
        Game::Fortress
    }

    fn sides(&self) -> [Side; 2] {
        SIDES
    }

    fn tempo(&self) -> Tempo {
        spec::tempo(true)
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = Team::ALL.map(|team| self.players[team].name(team));
        let programs = Team::ALL.into_iter().filter_map(|team| program(team, &self.players[team]));
        MatchHeader {
            started: started.map(Into::into),
            seed: Some(self.seed),
            programs: programs.collect(),
            ..settings::header(&self.rules, &self.map, names.each_ref().map(String::as_str), true)
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec> {
        let mut other = Self { seed, ..self.clone() };
        if swapped {
            let [red, blue] = other.players.into_array();
            other.players = ByTeam::new(blue, red);
        }
        Box::new(other)
    }

    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError> {
        Ok(Box::new(LiveMatch::start(self).map_err(StartError::new)?))
    }
}

/// Header entry for the player of a side: a shipped team, or a program's file.
fn program(team: Team, player: &Player) -> Option<Program> {
    match player {
        Player::Shipped(shipped) => Some(spec::program(team, *shipped)),
        Player::Wait { .. } => None,
        Player::Program(command) => {
            let text = program_file(command).and_then(|path| std::fs::read_to_string(path).ok());
            let text = text.filter(|text| text.len() <= SOURCE_BYTES);
            let sha256 = text.as_deref().map(sha256).unwrap_or_default();
            let file = player.name(team).as_str().into();
            Some(Program { team: team.name().into(), file, sha256: sha256.into(), source: text })
        }
    }
}

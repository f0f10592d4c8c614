//! Short form of a definition: one stage, by options of the command line.

use grandstand_matches::settings::read_setting;
use grandstand_protocol::Game;
use grandstand_story::format::stage_plan;
use serde_json::Value;

use super::{Definition, DefinitionError};

/// A tournament of one stage without a file.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Short form, without a file")]
pub struct ShortForm {
    /// The game: abalone, shark, fortress, gomoku, pente or riskless
    #[arg(long)]
    pub game: Option<Game>,
    /// The format: round-robin, gauntlet, swiss, single-elimination, double-elimination or sprt
    #[arg(long, requires = "game")]
    format: Option<String>,
    /// Games of an encounter, an even number
    #[arg(long, requires = "game", value_name = "N")]
    games: Option<u32>,
    /// Rounds of a Swiss
    #[arg(long, requires = "game", value_name = "N")]
    rounds: Option<u32>,
    /// Cycles of a round robin or a gauntlet
    #[arg(long, requires = "game", value_name = "N")]
    cycles: Option<u32>,
    /// Number of games that an encounter of an elimination is the best of
    #[arg(long, requires = "game", value_name = "N")]
    best_of: Option<u32>,
    /// The smaller strength that a test compares, in Elo
    #[arg(long, requires = "game", value_name = "ELO", allow_hyphen_values = true)]
    elo0: Option<f64>,
    /// The greater strength that a test compares, in Elo
    #[arg(long, requires = "game", value_name = "ELO", allow_hyphen_values = true)]
    elo1: Option<f64>,
    /// Seed of all draws [default: secret; only its hash is published]
    #[arg(long, requires = "game", value_name = "N")]
    seed: Option<u64>,
    /// Number of faults that retires a player
    #[arg(long, requires = "game", value_name = "N")]
    faults: Option<u32>,
    /// One setting of the game, as in a file of settings; may be given several times
    #[arg(long, requires = "game", value_name = "NAME=VALUE", value_parser = read_setting, allow_hyphen_values = true)]
    set: Vec<(String, Value)>,
    /// A map: a file or a shipped one; several are played in turn
    #[arg(long, requires = "game", value_name = "FILE|NAME")]
    map: Vec<String>,
    /// Openings that are played in turn: balanced, or a file
    #[arg(long, requires = "game", value_name = "FILE")]
    openings: Option<String>,
    /// Time of a side for a whole match, such as 5m or 5m+3s/30s
    #[arg(long, requires = "game", value_name = "TIME")]
    time: Option<String>,
    /// Time limit of one move, such as 50ms
    #[arg(long, requires = "game", value_name = "TIME")]
    move_time: Option<String>,
    /// Isolation of programs: on, require or off
    #[arg(long, requires = "game", value_name = "MODE")]
    sandbox: Option<String>,
}

impl ShortForm {
    /// The definition for the options and these players; `None` without a game.
    ///
    /// # Errors
    /// The first error in it.
    pub fn definition(&self, players: &[String]) -> Option<Result<Definition, DefinitionError>> {
        let game = self.game?;
        let text = self.as_toml(game, players);
        // Places would refer to a text that the user has not written.
        Some(super::file::parse("", &text).map_err(DefinitionError::without_place))
    }

    /// The options as the text of a tournament file.
    fn as_toml(&self, game: Game, players: &[String]) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                text += &format!("{key} = {value}\n");
            }
        };
        let number = |value: Option<u32>| value.map(|value| value.to_string());
        let real = |value: Option<f64>| value.map(|value| format!("{value:?}"));
        let quoted = |value: Option<&str>| value.map(|value| Value::from(value).to_string());
        let list = |values: &[String]| (!values.is_empty()).then(|| Value::from(values.to_vec()).to_string());
        let format = self.format.as_deref().unwrap_or("round-robin");
        line("name", quoted(Some(&format!("{} {}", game.title(), stage_plan(format, None)))));
        line("game", quoted(Some(game.name())));
        line("seed", self.seed.map(|seed| seed.to_string()));
        line("faults", number(self.faults));
        line("players", list(players));
        line("maps", list(&self.map));
        line("openings", quoted(self.openings.as_deref()));
        line("sandbox", quoted(self.sandbox.as_deref()));
        if self.time.is_some() || self.move_time.is_some() {
            line("clock.time", quoted(self.time.as_deref()));
            line("clock.move_time", quoted(self.move_time.as_deref()));
        }
        for (name, value) in &self.set {
            line(&format!("settings.{name}"), Some(value.to_string()));
        }
        line("[[stage]]\nformat", quoted(Some(format)));
        line("games", number(self.games));
        line("rounds", number(self.rounds));
        line("cycles", number(self.cycles));
        line("best_of", number(self.best_of));
        line("elo0", real(self.elo0));
        line("elo1", real(self.elo1));
        text
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        form: ShortForm,
    }

    #[test]
    fn a_tournament_without_a_file_is_named_in_words() {
        for (args, expected) in [
            (&["t", "--game", "gomoku"][..], "Gomoku round robin"),
            (&["t", "--game", "shark", "--format", "single-elimination"], "λ-Shark single elimination"),
        ] {
            let form = Args::try_parse_from(args).expect("options").form;
            let text = form.as_toml(form.game.expect("a game"), &[]);
            assert!(text.starts_with(&format!("name = \"{expected}\"\n")), "{text}");
        }
    }
}

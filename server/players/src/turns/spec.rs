//! Specification of a match of a turn game: players, rules, clocks.

use std::time::Duration;

use grandstand_matches::header::{self, HeaderError};
use grandstand_matches::turns::inputs;
use grandstand_matches::turns::outcome::Presentation;
use grandstand_matches::turns::referee::{Conditions, Referee};
use grandstand_matches::turns::settings::{self, SHOW_THOUGHTS, Settings, Timing, conditions, read_settings};
use grandstand_matches::{MatchSpec, RunningMatch, SeatChoices, Side, StartError, Tempo};
use grandstand_protocol::{Game, MatchHeader, Program};
use grandstand_rules::clock::TimeControl;
use serde_json::Value;

use super::live::LiveTurnMatch;
use super::player_factory::{PlayerFactory, PlayerSpecError, ProgramOptions, SeatedGame};
use crate::input_file::{InputFile, InputTarget};

/// Duration of a move for people who watch a match that takes no time.
const WATCHABLE: Duration = Duration::from_millis(700);

/// Everything that decides a match.
#[derive(Debug, Clone)]
pub struct TurnMatch<G: SeatedGame> {
    /// The game, with its settings.
    pub game: G,
    /// The players, the first side first.
    pub factories: [PlayerFactory<G::Position>; 2],
    /// Names that the players keep, the first side's first; without, those of their kinds, or which they give themselves.
    pub names: Option<[String; 2]>,
    /// Seed of all chance.
    pub seed: u64,
    /// Kind of time, with the time control.
    pub timing: Timing,
    /// Whether the players' thoughts are drawn at once. Default: unless a person plays, who would see them on the
    /// board.
    pub show_thoughts: Option<bool>,
    /// Destination of the record of the players' inputs.
    pub inputs: Option<InputTarget>,
    /// Options of players that are programs.
    pub programs: ProgramOptions,
}

impl<G: SeatedGame> TurnMatch<G> {
    /// A match between players of these names. Without a time control, exact players play as fast as they can, and
    /// others with five minutes a side.
    ///
    /// # Errors
    /// If the game has no such players.
    pub fn new(settings: Settings<G>, players: [&str; 2], seed: u64) -> Result<Self, PlayerSpecError> {
        let Settings { game, time, show_thoughts } = settings;
        let [first, second] = players.map(|spec| PlayerFactory::parse(&game, spec));
        let factories = [first?, second?];
        let timing = match time {
            Some(control) => Timing::Real(control),
            None if factories.iter().all(|factory| factory.deterministic) => Timing::Virtual,
            None => Timing::Real(TimeControl::default()),
        };
        let game = game.variation(seed, false);
        Ok(Self {
            game,
            factories,
            names: None,
            seed,
            timing,
            show_thoughts,
            inputs: None,
            programs: ProgramOptions::default(),
        })
    }

    /// The match that `header` describes, to be played again. Nothing in it may depend on time.
    ///
    /// # Errors
    /// If the match was of another kind, or the header is incomplete.
    pub fn from_header(game: Game, header: &MatchHeader) -> Result<Self, HeaderError> {
        let rules = header::virtual_rules(header)?;
        let Settings { game, show_thoughts, .. } = read_settings::<G>(game, rules)?;
        let factory = |side: Side| {
            let spec = &*header::player_of(header, side.name)?.file;
            let factory = PlayerFactory::parse(&game, spec).ok().filter(|factory| factory.deterministic);
            factory.ok_or(HeaderError::Missing("programs"))
        };
        let [first, second] = game.sides().map(factory);
        let factories = [first?, second?];
        let seed = header::seed(header)?;
        let names = match &header.teams[..] {
            [first, second] => Some([first, second].map(|team| team.name.to_string())),
            _ => None,
        };
        Ok(Self {
            game,
            factories,
            names,
            seed,
            timing: Timing::Virtual,
            show_thoughts,
            inputs: None,
            programs: ProgramOptions::default(),
        })
    }

    fn conditions(&self) -> Conditions<G::Position> {
        Conditions {
            keeps_names: self.names.is_some(),
            show_thoughts: self.shows_thoughts(),
            ..conditions(&self.game, self.timing.control(), self.names().map(str::to_owned))
        }
    }

    fn names(&self) -> [&str; 2] {
        match &self.names {
            Some(names) => names.each_ref().map(String::as_str),
            None => self.factories.each_ref().map(|factory| factory.name.as_str()),
        }
    }

    fn shows_thoughts(&self) -> bool {
        let person = self.factories.iter().any(|factory| factory.seat || factory.terminal);
        self.show_thoughts.unwrap_or(!person)
    }

    fn presentation(&self) -> Presentation<G::Position> {
        Presentation { sides: self.game.sides(), score: G::score, real: self.timing != Timing::Virtual }
    }
}

impl<G: SeatedGame> MatchSpec for TurnMatch<G> {
    fn game(&self) -> Game {
        self.game.game()
    }

    fn sides(&self) -> [Side; 2] {
        self.game.sides()
    }

    fn tempo(&self) -> Tempo {
        match self.timing {
            Timing::Virtual => Tempo { beat: "move", ticks: 1, watchable: WATCHABLE, keeps_time: false },
            Timing::Real(_) => {
                Tempo { beat: "second", ticks: 1_000, watchable: Duration::from_secs(1), keeps_time: true }
            }
        }
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn seat_choices(&self) -> Option<&'static SeatChoices> {
        Some(self.game.seat_choices())
    }

    /// Header with the settings, the clocks, the seed, and the players as they were named.
    fn header(&self, started: Option<&str>) -> MatchHeader {
        let programs = self.sides().into_iter().zip(&self.factories).map(|(side, factory)| Program {
            team: side.name.into(),
            file: factory.spec.as_str().into(),
            sha256: "".into(),
            source: None,
        });
        let mut header = settings::header(&self.game, self.timing, self.names());
        if let Some(Value::Object(rules)) = header.rules.as_mut().filter(|_| !self.shows_thoughts()) {
            rules.insert(SHOW_THOUGHTS.to_owned(), false.into());
        }
        MatchHeader {
            started: started.map(Into::into),
            seed: Some(self.seed),
            programs: programs.collect(),
            ..header
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn MatchSpec> {
        let mut other = Self { seed, game: self.game.variation(seed, swapped), ..self.clone() };
        if swapped {
            other.factories.reverse();
            other.names.iter_mut().for_each(|names| names.reverse());
        }
        Box::new(other)
    }

    fn name_players(&mut self, names: [&str; 2]) {
        self.names = Some(names.map(str::to_owned));
    }

    fn start(&self) -> Result<Box<dyn RunningMatch>, StartError> {
        let referee = Referee::new(self.conditions()).map_err(StartError::new)?;
        let inputs = self.inputs.as_ref().map(|target| {
            let inputs = InputFile::create(target, &inputs::header(self.game(), &self.header(None)));
            inputs.map_err(|error| StartError::new(format!("can't write {target}: {error}")))
        });
        let players = self.factories.each_ref().map(|factory| factory.player(&self.programs));
        let time = self.timing.control();
        let quiet = self.factories.iter().any(|factory| factory.terminal);
        let running = LiveTurnMatch::start(
            referee,
            self.presentation(),
            quiet,
            players,
            time,
            self.seed,
            inputs.transpose()?,
        );
        Ok(Box::new(running.map_err(StartError::new)?))
    }
}

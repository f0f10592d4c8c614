//! A match of turns before it is played: who, by which rules, on which clocks.

use std::path::PathBuf;

use grandstand_protocol::{Game, MatchHeader, Program, TeamInfo};
use grandstand_rules::clock::TimeControl;
use grandstand_rules::turn::Side;
use serde_json::{Map, Value};

use super::contest::{Frame, TurnContest};
use super::entrant::{Entrant, EntrantError, Programs};
use super::game::TurnGame;
use super::inputs::{self, InputWriter};
use super::referee::{Conditions, Referee};
use crate::arena::{self, AgainError, Contest, Fixture, SettingsError, StartError, Tempo};

/// Under which names the header's rules hold how long the players may think.
pub(crate) const TIME: &str = "TIME";
pub(super) const CLOCK: &str = "CLOCK";

/// What a move takes for people who watch a match that takes no time.
const WATCHABLE: std::time::Duration = std::time::Duration::from_millis(700);

/// All that decides a match.
#[derive(Debug, Clone)]
pub struct TurnMatch<G: TurnGame> {
    /// The game, by its settings.
    pub game: G,
    /// Who plays, the first side first.
    pub entrants: [Entrant<G::Position>; 2],
    /// What chance is drawn from.
    pub seed: u64,
    /// How time passes.
    pub timing: Timing,
    /// Where what the players do is recorded.
    pub inputs: Option<PathBuf>,
    /// How those of the players are run that are programs.
    pub programs: Programs,
}

/// How time passes in a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// Not at all: a move is a tick, and nobody has a clock. For players that are [exact](Entrant::exact).
    Virtual,
    /// By itself, on these clocks.
    Real(TimeControl),
}

impl Timing {
    /// The clocks.
    pub fn control(self) -> TimeControl {
        match self {
            Timing::Virtual => TimeControl::NONE,
            Timing::Real(control) => control,
        }
    }
}

/// The settings of a match, as [`read_settings`] reads them.
#[derive(Debug, Clone)]
pub struct Settings<G> {
    /// The game's.
    pub game: G,
    /// How long the players may think, where that is said.
    pub time: Option<TimeControl>,
}

/// Reads the settings of a match by their names: those of the game, and `TIME`, such as `"5m+3s"`.
///
/// # Errors
/// What is unknown or wrong.
pub fn read_settings<G: TurnGame>(game: Game, map: Map<String, Value>) -> Result<Settings<G>, SettingsError> {
    read_settings_with(map, |map| G::read(game, map))
}

/// The same, where something else reads those of the game.
///
/// # Errors
/// What is unknown or wrong.
pub fn read_settings_with<G>(
    mut map: Map<String, Value>,
    read: impl FnOnce(Map<String, Value>) -> Result<G, SettingsError>,
) -> Result<Settings<G>, SettingsError> {
    let time = match map.remove(TIME) {
        None => None,
        Some(Value::String(text)) => {
            let time: Result<TimeControl, _> = text.parse();
            Some(time.map_err(|error| SettingsError::Rules(format!("{TIME}: {error}").into()))?)
        }
        Some(other) => {
            let expected = "a text such as \"5m\", \"5m+3s/30s\" or \"none\"";
            return Err(SettingsError::value(TIME, other, expected));
        }
    };
    Ok(Settings { game: read(map)?, time })
}

/// Why there is no such match.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Nobody is called so.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
}

impl<G: TurnGame> TurnMatch<G> {
    /// The match between players of these names. Without clocks that were asked for, players that are exact play as fast as they
    /// can, and others on clocks of five minutes a side.
    ///
    /// # Errors
    /// If the game has no such players.
    pub fn new(settings: Settings<G>, players: [&str; 2], seed: u64) -> Result<Self, MatchError> {
        let Settings { game, time } = settings;
        let [first, second] = players.map(|spec| Entrant::parse(&game, spec));
        let entrants = [first?, second?];
        let timing = match time {
            Some(control) => Timing::Real(control),
            None if entrants.iter().all(|entrant| entrant.exact) => Timing::Virtual,
            None => Timing::Real(TimeControl::default()),
        };
        let game = game.variation(seed, false);
        Ok(Self { game, entrants, seed, timing, inputs: None, programs: Programs::default() })
    }

    /// The match that `header` describes, to be played again: one in which nothing depends on time.
    ///
    /// # Errors
    /// If it was another, or the header does not tell it whole.
    pub fn from_header(game: Game, header: &MatchHeader) -> Result<Self, AgainError> {
        let mut rules = match header.rules.clone() {
            Some(Value::Object(rules)) => rules,
            _ => return Err(AgainError::Missing("rules")),
        };
        if rules.remove(CLOCK).is_none_or(|clock| clock != "virtual") {
            return Err(AgainError::Inputs);
        }
        let Settings { game, .. } = read_settings::<G>(game, rules)?;
        let entrant = |side: arena::Side| {
            let found = header.programs.iter().find(|program| &*program.team == side.name);
            let spec = found.map(|program| &*program.file).ok_or(AgainError::Missing("programs"))?;
            let entrant = Entrant::parse(&game, spec).ok().filter(|entrant| entrant.exact);
            entrant.ok_or(AgainError::Missing("programs"))
        };
        let [first, second] = game.sides().map(entrant);
        let entrants = [first?, second?];
        let seed = header.seed.ok_or(AgainError::Missing("seed"))?;
        Ok(Self {
            game,
            entrants,
            seed,
            timing: Timing::Virtual,
            inputs: None,
            programs: Programs::default(),
        })
    }

    fn conditions(&self) -> Conditions<G::Position> {
        conditions(&self.game, self.timing.control(), self.entrants.each_ref().map(|e| e.name.clone()))
    }

    fn frame(&self) -> Frame<G::Position> {
        Frame {
            sides: self.game.sides(),
            score: G::score,
            real: self.timing != Timing::Virtual,
            quiet: self.entrants.iter().any(|entrant| entrant.terminal),
        }
    }
}

pub(super) fn conditions<G: TurnGame>(
    game: &G,
    time: TimeControl,
    names: [String; 2],
) -> Conditions<G::Position> {
    let super::game::Beginning { position, moves, drawing, swap2 } = game.beginning();
    Conditions { start: position, moves, drawing, swap2, time, names }
}

impl<G: TurnGame> Fixture for TurnMatch<G> {
    fn game(&self) -> Game {
        self.game.game()
    }

    fn sides(&self) -> [arena::Side; 2] {
        self.game.sides()
    }

    fn tempo(&self) -> Tempo {
        match self.timing {
            Timing::Virtual => Tempo { beat: "move", ticks: 1, watchable: WATCHABLE, keeps_time: false },
            Timing::Real(_) => Tempo {
                beat: "second",
                ticks: 1_000,
                watchable: std::time::Duration::from_secs(1),
                keeps_time: true,
            },
        }
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Its settings, its clocks, its seed, and the players as they were named.
    fn header(&self, started: Option<&str>) -> MatchHeader {
        let names = self.entrants.each_ref().map(|entrant| entrant.name.as_str());
        let mut rules = self.game.settings();
        rules.insert(TIME.to_owned(), self.timing.control().to_string().into());
        let clock = if self.timing == Timing::Virtual { "virtual" } else { "real" };
        rules.insert(CLOCK.to_owned(), clock.into());
        let sides = self.sides();
        let program = |side: Side| Program {
            team: sides[side.index()].name.into(),
            file: self.entrants[side.index()].spec.as_str().into(),
            sha256: "".into(),
            source: None,
        };
        let team =
            |side: Side| TeamInfo { name: names[side.index()].into(), color: sides[side.index()].color };
        MatchHeader {
            title: format!("{} – {}", names[0], names[1]).into(),
            teams: Side::ALL.map(team).into(),
            started: started.map(Into::into),
            rules: Some(Value::Object(rules)),
            seed: Some(self.seed),
            programs: Side::ALL.map(program).into(),
            by: arena::by(self.game()),
            ..MatchHeader::default()
        }
    }

    fn variation(&self, seed: u64, swapped: bool) -> Box<dyn Fixture> {
        let mut other = Self { seed, game: self.game.variation(seed, swapped), ..self.clone() };
        if swapped {
            other.entrants.reverse();
        }
        Box::new(other)
    }

    fn start(&self) -> Result<Box<dyn Contest>, StartError> {
        let referee = Referee::new(self.conditions()).map_err(StartError::new)?;
        let inputs = self.inputs.as_ref().map(|path| {
            let inputs = InputWriter::create(path, &inputs::header(self.game(), &self.header(None)));
            inputs.map_err(|error| StartError::new(format!("can't write {}: {error}", path.display())))
        });
        let players = self.entrants.each_ref().map(|entrant| entrant.player(&self.programs));
        let time = self.timing.control();
        let contest =
            TurnContest::start(referee, self.frame(), players, time, self.seed, inputs.transpose()?);
        Ok(Box::new(contest.map_err(StartError::new)?))
    }
}

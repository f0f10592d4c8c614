//! Match specifications for the games of a tournament.

use std::path::PathBuf;

use anyhow::Context as _;
use grandstand_matches::MatchSpec;
use grandstand_players::input_file::{InputBuffer, InputTarget};
use grandstand_players::sandbox::Isolation;
use grandstand_protocol::Game;
use serde_json::{Map, Value};

use crate::cli::play::description::{MatchArgs, MatchDescription, Programs};
use crate::games;

/// Maximum number of cached specifications; games of the same players follow each other.
const KEPT: usize = 8;

/// Settings that decide a match besides its seed.
#[derive(Debug, Clone)]
pub(crate) struct SetUp<'a> {
    pub(crate) game: Game,
    /// Specifications of the players as in `play`.
    pub(crate) players: [&'a str; 2],
    /// Settings of the game by name, with its map and its opening.
    pub(crate) settings: Map<String, Value>,
    /// Speed factor of a real-time match.
    pub(crate) speed: Option<f64>,
    /// Limits of programs, as `NAME=VALUE`.
    pub(crate) limits: &'a [String],
    pub(crate) sandbox: Isolation,
    /// Directories that programs may read besides their own.
    pub(crate) readable: &'a [String],
    /// Programs that are loaded already, by the specifications that name them.
    pub(crate) programs: &'a Programs,
}

/// The match specification of a set-up, with the seed 0.
///
/// # Errors
/// If a player does not load, or the settings are wrong.
pub(crate) fn describe(of: SetUp<'_>, inputs: Option<&InputTarget>) -> anyhow::Result<Box<dyn MatchSpec>> {
    let readable = of.readable.iter().map(PathBuf::from).collect();
    let args = MatchArgs::new(of.settings, of.limits.to_vec(), of.sandbox, readable, of.speed);
    let description = MatchDescription {
        game: of.game,
        players: of.players,
        programs: of.programs,
        seed: 0,
        inputs,
        paced: false,
        several: true,
        warn: false,
        chosen: &Map::new(),
        args: &args,
    };
    games::from_description(&description)
        .with_context(|| format!("no rules are known for the game {}", of.game))?
}

/// The same for a match that is recorded: one in real time writes the inputs that replay it to a buffer.
///
/// # Errors
/// As [`describe`].
pub(crate) fn describe_recorded(of: SetUp<'_>, inputs: &InputBuffer) -> anyhow::Result<Box<dyn MatchSpec>> {
    let spec = describe(of.clone(), None)?;
    if spec.tempo().keeps_time { describe(of, Some(&InputTarget::Memory(inputs.clone()))) } else { Ok(spec) }
}

/// Cache of match specifications, by what decides them.
pub(crate) struct Specs<K> {
    kept: Vec<(K, Box<dyn MatchSpec>)>,
}

impl<K: PartialEq> Specs<K> {
    pub(crate) fn new() -> Self {
        Self { kept: Vec::new() }
    }

    /// The specification for a key, with this seed and exchange of sides; it is loaded unless it is kept.
    ///
    /// # Errors
    /// The error of `load`.
    pub(crate) fn of(
        &mut self,
        key: K,
        (seed, swapped): (u64, bool),
        load: impl FnOnce(&K) -> anyhow::Result<Box<dyn MatchSpec>>,
    ) -> anyhow::Result<Box<dyn MatchSpec>> {
        let at = match self.kept.iter().position(|(kept, _)| *kept == key) {
            Some(at) => at,
            None => {
                // Dropping the specifications ends their engines: with clocks, nothing else may use the worker's cores.
                let clocks = self.kept.first().is_some_and(|(_, spec)| spec.tempo().keeps_time);
                self.kept.truncate(if clocks { 0 } else { KEPT - 1 });
                let spec = load(&key)?;
                self.kept.insert(0, (key, spec));
                0
            }
        };
        Ok(self.kept[at].1.variation(seed, swapped))
    }
}

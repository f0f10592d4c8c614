//! One stage of the file: its keys by format, and its boards.

use std::ops::Range;
use std::path::Path;

use grandstand_protocol::Game;
use grandstand_protocol::stones::Size;
use grandstand_rules::stones::Openings;
use grandstand_tournaments::sprt::{Model, SprtPlan};
use grandstand_tournaments::{Format, Points, StagePlan, TieBreak};
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

use super::{DefinitionError, NamedMap, Stage};

/// Keys of a `[[stage]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StageTable {
    pub(super) name: Option<String>,
    pub(super) format: Spanned<String>,
    pub(super) games: Option<u32>,
    pub(super) advance: Option<u32>,
    pub(super) rounds: Option<Spanned<u32>>,
    pub(super) cycles: Option<Spanned<u32>>,
    pub(super) challengers: Option<Spanned<u32>>,
    pub(super) best_of: Option<Spanned<u32>>,
    pub(super) third_place: Option<Spanned<bool>>,
    pub(super) elo0: Option<Spanned<f64>>,
    pub(super) elo1: Option<Spanned<f64>>,
    pub(super) alpha: Option<Spanned<f64>>,
    pub(super) beta: Option<Spanned<f64>>,
    pub(super) model: Option<Spanned<Model>>,
    pub(super) max_games: Option<Spanned<u32>>,
    pub(super) points: Option<Points>,
    pub(super) tie_breaks: Option<Vec<TieBreak>>,
    pub(super) maps: Option<Vec<Spanned<String>>>,
    pub(super) openings: Option<Spanned<String>>,
}

/// Names of the formats, with the keys that belong to each.
const FORMATS: [(&str, &[&str]); 6] = [
    ("round-robin", &["cycles"]),
    ("gauntlet", &["challengers", "cycles"]),
    ("swiss", &["rounds"]),
    ("single-elimination", &["best_of", "third_place"]),
    ("double-elimination", &["best_of"]),
    ("sprt", &["elo0", "elo1", "alpha", "beta", "model", "max_games"]),
];

/// Constructor of an error at a place in the stage, or for the whole stage.
pub(super) type Wrong<'a> = &'a dyn Fn(Option<Range<usize>>, String) -> DefinitionError;

/// Parses a stage, without its boards.
pub(super) fn stage(
    number: usize,
    table: &StageTable,
    points: Points,
    tie_breaks: &[TieBreak],
    wrong: Wrong<'_>,
) -> Result<Stage, DefinitionError> {
    let name = table.format.get_ref().as_str();
    let Some((_, own)) = FORMATS.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = FORMATS.iter().map(|(known, _)| *known).collect();
        let what = format!("there is no format {name:?}; expected one of {}", known.join(", "));
        return Err(wrong(Some(table.format.span()), what));
    };
    for (key, span) in table.format_keys() {
        if !own.contains(&key) {
            let what = format!("`{key}` is no key of the format {name}, which has {}", own.join(", "));
            return Err(wrong(Some(span), what));
        }
    }
    let whole =
        |value: &Option<Spanned<u32>>, usual: u32| value.as_ref().map_or(usual, |value| *value.get_ref());
    let real =
        |value: &Option<Spanned<f64>>, usual: f64| value.as_ref().map_or(usual, |value| *value.get_ref());
    let format = match name {
        "round-robin" => Format::RoundRobin { cycles: whole(&table.cycles, 1) },
        "gauntlet" => {
            Format::Gauntlet { challengers: whole(&table.challengers, 1), cycles: whole(&table.cycles, 1) }
        }
        "swiss" => {
            let what = "a Swiss needs `rounds`: about 7 for sixty players".to_owned();
            let rounds = table.rounds.as_ref().ok_or_else(|| wrong(None, what))?;
            Format::Swiss { rounds: *rounds.get_ref() }
        }
        "sprt" => {
            let needs =
                |key: &str| wrong(None, format!("a test needs `{key}`, such as elo0 = 0 and elo1 = 5"));
            Format::Sprt(SprtPlan {
                elo0: *table.elo0.as_ref().ok_or_else(|| needs("elo0"))?.get_ref(),
                elo1: *table.elo1.as_ref().ok_or_else(|| needs("elo1"))?.get_ref(),
                alpha: real(&table.alpha, 0.05),
                beta: real(&table.beta, 0.05),
                model: table.model.as_ref().map_or(Model::Normalized, |model| *model.get_ref()),
                max_games: whole(&table.max_games, 100_000),
            })
        }
        elimination => Format::Elimination {
            best_of: whole(&table.best_of, 1),
            double: elimination == "double-elimination",
            third_place: table.third_place.as_ref().is_some_and(|third| *third.get_ref()),
        },
    };
    let plan = StagePlan {
        name: table.name.clone().unwrap_or_else(|| format!("Stage {}", number + 1)),
        format,
        advance: table.advance,
        games: table.games.unwrap_or(2),
        maps: 0,
        openings: 0,
        points: table.points.unwrap_or(points),
        tie_breaks: table.tie_breaks.clone().unwrap_or_else(|| tie_breaks.to_vec()),
    };
    Ok(Stage { plan, maps: Vec::new(), openings: Vec::new() })
}

impl StageTable {
    /// The format-specific keys that are present, with their places.
    fn format_keys(&self) -> Vec<(&'static str, Range<usize>)> {
        fn span<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
            value.as_ref().map(Spanned::span)
        }
        let keys = [
            ("rounds", span(&self.rounds)),
            ("cycles", span(&self.cycles)),
            ("challengers", span(&self.challengers)),
            ("best_of", span(&self.best_of)),
            ("third_place", span(&self.third_place)),
            ("elo0", span(&self.elo0)),
            ("elo1", span(&self.elo1)),
            ("alpha", span(&self.alpha)),
            ("beta", span(&self.beta)),
            ("model", span(&self.model)),
            ("max_games", span(&self.max_games)),
        ];
        keys.into_iter().filter_map(|(key, span)| Some((key, span?))).collect()
    }
}

/// Requested maps and openings, with their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Boards {
    pub(super) maps: Option<Vec<(String, Range<usize>)>>,
    /// A file of openings, or `balanced` for the shipped ones.
    pub(super) openings: Option<(String, Range<usize>)>,
}

/// Reads the boards of a stage: the maps, and in Gomoku and Pente the openings.
pub(super) fn boards(
    game: Game,
    settings: &Map<String, Value>,
    asked: &Boards,
    stage: &mut Stage,
    wrong: Wrong<'_>,
) -> Result<(), DefinitionError> {
    for (name, span) in asked.maps.iter().flatten() {
        let setting = crate::cli::play::map::setting(game, name);
        let setting = setting.map_err(|error| wrong(Some(span.clone()), format!("{error:#}")))?;
        stage.maps.push(NamedMap { name: name.clone(), setting });
    }
    let balanced = settings.get("OPENING").is_some_and(|opening| opening == "balanced")
        && !settings.contains_key("START");
    let book = match &asked.openings {
        Some((name, span)) => Some((name.as_str(), Some(span.clone()))),
        None => balanced.then_some(("balanced", None)),
    };
    if let Some((name, span)) = book {
        if !matches!(game, Game::Gomoku | Game::Pente) {
            return Err(wrong(span, "`openings` is for Gomoku and Pente".to_owned()));
        }
        stage.openings = openings(game, name, settings).map_err(|what| wrong(span, what))?;
    }
    let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    (stage.plan.maps, stage.plan.openings) = (count(stage.maps.len()), count(stage.openings.len()));
    Ok(())
}

/// The openings in a file that fit on the board, each in the format of the setting `START`.
fn openings(game: Game, name: &str, settings: &Map<String, Value>) -> Result<Vec<String>, String> {
    let book = if name == "balanced" {
        Openings::shipped()
    } else {
        if !Path::new(name).is_file() {
            return Err(format!(
                "{name}: there is no such file; expected \"balanced\" or a file of openings"
            ));
        }
        let bytes =
            std::fs::read(name).map_err(|error| format!("can't read the openings in {name}: {error}"))?;
        Openings::parse(&bytes).map_err(|faults| format!("the openings in {name}:\n{faults}"))?
    };
    let usual = if game == Game::Pente { 19 } else { 15 };
    let size = settings.get("SIZE").and_then(Value::as_u64).unwrap_or(usual);
    let size =
        u16::try_from(size).ok().and_then(Size::new).ok_or_else(|| format!("no board has SIZE {size}"))?;
    let stones = (0..book.len()).filter_map(|index| book.stones(index, 0, size));
    let openings: Vec<String> =
        stones.map(|stones| stones.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect();
    if openings.is_empty() {
        return Err(format!("none of the openings fits on a board of SIZE {}", size.get()));
    }
    Ok(openings)
}

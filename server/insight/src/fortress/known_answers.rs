//! A unit at a moment: its last actions with their answers, and the knowledge of its team.

use std::collections::{BTreeMap, VecDeque};

use grandstand_matches::{LogLine, StampedCommand};
use grandstand_protocol::fortress::{Command, Scene, Team, Unit};
use grandstand_protocol::{Command as AnyCommand, Micros};
use serde_json::Value;

use super::{FortressError, Listener, Outcome, action_text, clock, unit_of};

/// Number of actions in a view.
const PAST_ACTIONS: usize = 12;

/// Moment of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// End of a millisecond.
    Millis(u64),
    /// First loss of the unit.
    Loss,
    /// First loss of the unit; the end if it was not lost.
    LossOrEnd,
}

/// An action with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastAction {
    /// Time in milliseconds.
    pub millis: u64,
    /// `Move left = Success`, `Scan 9: enemies around it: none; …`.
    pub text: String,
}

/// Last answers to a unit: about itself, of a scan, about the points.
#[derive(Debug, Clone, Default)]
struct KnownAnswers {
    own: Option<(u64, Value)>,
    scan: Option<(u64, Value)>,
    game: Option<(u64, Value)>,
    inspected: Option<(u64, Value)>,
}

/// A unit at a moment.
#[derive(Debug, Clone)]
pub struct UnitView {
    /// Number of the unit.
    pub unit: u32,
    /// Index of its team: 0 for red.
    pub side: usize,
    /// The moment, in milliseconds.
    pub millis: u64,
    /// The unit on the board; `None` if it is destroyed.
    pub stood: Option<Unit>,
    /// Last actions.
    pub past_actions: Vec<PastAction>,
    /// Last answers to its team, the newest first: time, unit, answer in words, answer.
    pub told: Vec<(u64, u32, String, Value)>,
    /// Loss of the unit at this moment, in words.
    pub fate: Option<String>,
}

/// Listener for one unit.
#[derive(Debug)]
pub(super) struct Watch {
    unit: u32,
    when: When,
    scene: Scene,
    sides: BTreeMap<u32, usize>,
    told: BTreeMap<u32, KnownAnswers>,
    past_actions: VecDeque<PastAction>,
    hits: VecDeque<(u64, u32, i32)>,
    millis: u64,
    fate: Option<String>,
    is_over: bool,
}

impl Watch {
    pub(super) fn new(unit: u32, when: When) -> Self {
        Self {
            unit,
            when,
            scene: Scene::default(),
            sides: BTreeMap::new(),
            told: BTreeMap::new(),
            past_actions: VecDeque::new(),
            hits: VecDeque::new(),
            millis: 0,
            fate: None,
            is_over: false,
        }
    }

    /// Whether the moment has passed.
    fn passes(&mut self, millis: u64) -> bool {
        self.is_over |= matches!(self.when, When::Millis(until) if millis > until);
        if !self.is_over {
            self.millis = self.millis.max(millis);
        }
        self.is_over
    }

    pub(super) fn into_view(self, outcome: &Outcome) -> Result<UnitView, FortressError> {
        let Some(&side) = self.sides.get(&self.unit) else {
            let of_side = |side: usize| {
                let own = self.sides.iter().filter(|(_, of)| **of == side).map(|(id, _)| id.to_string());
                format!("{} has {}", Team::ALL[side], own.collect::<Vec<_>>().join(", "))
            };
            let known = format!("{}; {}", of_side(0), of_side(1));
            return Err(FortressError::NoUnit { unit: self.unit, known });
        };
        if self.when == When::Loss && self.fate.is_none() {
            return Err(FortressError::NotLost(self.unit));
        }
        let millis = match self.when {
            When::Millis(until) => until.min(outcome.end.max(self.millis)),
            When::Loss | When::LossOrEnd => self.millis,
        };
        let mut told = Vec::new();
        for (&unit, known) in self.told.iter().filter(|(unit, _)| self.sides.get(unit) == Some(&side)) {
            for (at, answer) in [&known.own, &known.scan, &known.game, &known.inspected].into_iter().flatten()
            {
                told.push((*at, unit, in_words(answer), answer.clone()));
            }
        }
        // All units get the same points: the newest answer has them.
        let newest = told.iter().filter(|(.., answer)| is_game(answer)).map(|entry| (entry.0, entry.1)).max();
        told.retain(|entry| !is_game(&entry.3) || Some((entry.0, entry.1)) == newest);
        told.sort_by_key(|entry| (std::cmp::Reverse(entry.0), entry.1));
        Ok(UnitView {
            unit: self.unit,
            side,
            millis,
            stood: self.scene.unit(self.unit).cloned(),
            past_actions: self.past_actions.into(),
            told,
            fate: self.fate,
        })
    }
}

/// Whether an answer contains information.
fn is_told(answer: &Value) -> bool {
    matches!(answer["type"].as_str(), Some("MyData" | "ScanData" | "GameData" | "InspectData"))
}

fn is_game(answer: &Value) -> bool {
    answer["type"] == "GameData"
}

impl Listener for Watch {
    fn action(&mut self, millis: u64, mut entry: LogLine) {
        if self.passes(millis) {
            return;
        }
        let Some(trace) = &mut entry.trace else { return };
        let Some(unit) = unit_of(trace) else { return };
        if unit == self.unit {
            let mut text = action_text(&entry.text);
            if is_told(&trace["answer"])
                && let Some((asked, _)) = text.split_once(" = ")
            {
                text = format!("{asked}: {}", in_words(&trace["answer"]));
            }
            self.past_actions.push_back(PastAction { millis, text });
            if self.past_actions.len() > PAST_ACTIONS {
                self.past_actions.pop_front();
            }
        }
        let answer = trace["answer"].take();
        let told = self.told.entry(unit).or_default();
        let place = match answer["type"].as_str() {
            Some("MyData") => &mut told.own,
            Some("ScanData") => &mut told.scan,
            Some("GameData") => &mut told.game,
            Some("InspectData") => &mut told.inspected,
            _ => return,
        };
        *place = Some((millis, answer));
    }

    fn command(&mut self, stamped: &StampedCommand) {
        let StampedCommand { tick, command } = stamped;
        if self.passes(*tick) {
            return;
        }
        let AnyCommand::Fortress(command) = command else { return };
        match command {
            Command::Spawn { id, team, .. } => drop(self.sides.insert(*id, team.index())),
            Command::Hit { by, on, amount } if *on == self.unit => {
                self.hits.push_back((*tick, *by, *amount));
                if self.hits.len() > PAST_ACTIONS {
                    self.hits.pop_front();
                }
            }
            Command::Remove { id } if *id == self.unit => {
                let by = self.hits.back().map_or_else(String::new, |&(_, by, amount)| {
                    format!(" by unit {by}, which took {amount}")
                });
                let fate = format!("{}: it was destroyed{by}", clock(*tick));
                if self.when != When::Millis(*tick) && matches!(self.when, When::Millis(_)) {
                    self.fate = None;
                } else {
                    self.fate = Some(fate);
                }
                if !matches!(self.when, When::Millis(_)) {
                    // State right before the loss.
                    self.is_over = true;
                    return;
                }
            }
            _ => {}
        }
        self.scene.apply(0, Micros(tick.saturating_mul(1_000)), command);
    }

    fn listens(&self) -> bool {
        !self.is_over
    }
}

/// An answer in words: `2 enemies: soldier at (5, 3), 400 …`.
fn in_words(answer: &Value) -> String {
    let position = |value: &Value| match value["position"].as_array().map(Vec::as_slice) {
        Some([x, y]) => format!("({x}, {y})"),
        _ => "nowhere".to_owned(),
    };
    let owner = |point: &Value| match point["ours"].as_bool() {
        Some(true) => "ours",
        Some(false) => "theirs",
        None => "nobody's",
    };
    let unit = |unit: &Value| {
        format!("{} at {} with {}", unit["class"].as_str().unwrap_or("unit"), position(unit), unit["health"])
    };
    match answer["type"].as_str() {
        Some("MyData") => format!(
            "it is at {} with {} of health and looks {}",
            position(answer),
            answer["health"],
            answer["facing"].as_str().unwrap_or("nowhere")
        ),
        Some("ScanData") => {
            let units = answer["units"].as_array().map(Vec::as_slice).unwrap_or_default();
            let of = |ally: bool| {
                let of: Vec<String> = units.iter().filter(|seen| seen["ally"] == ally).map(unit).collect();
                if of.is_empty() { "none".to_owned() } else { of.join(", ") }
            };
            format!("enemies around it: {}; friends: {}", of(false), of(true))
        }
        Some("GameData") => {
            let points = answer["points"].as_array().map(Vec::as_slice).unwrap_or_default();
            let points: Vec<String> =
                points.iter().map(|point| format!("{} {}", point["point"], owner(point))).collect();
            format!("points: {}; {} ms are left", points.join(", "), answer["remaining"])
        }
        Some("InspectData") => {
            let there = if answer["unit"].is_null() {
                "nobody is there".to_owned()
            } else {
                format!("there is a {}", unit(&answer["unit"]))
            };
            format!(
                "the square that it looked at is {}: {there}",
                answer["elevation"].as_str().unwrap_or("ground")
            )
        }
        _ => answer.to_string(),
    }
}

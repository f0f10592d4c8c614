//! A team written in Rust: what decides for its units, whoever carries the messages.

use std::fmt::Debug;

use grandstand_rules::fortress::{Action, ActionResult, Map, Rules, Team, UnitClass};

/// What a team knows before the match begins.
#[derive(Debug, Clone)]
pub struct Briefing {
    /// Which side it has.
    pub team: Team,
    /// How many units it has. They are numbered from 0 here, whatever their ids.
    pub units: usize,
    /// Where it is played.
    pub map: Map,
    /// The constants in force.
    pub rules: Rules,
    /// What chance is to be drawn from.
    pub seed: u64,
}

/// What a unit does next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It sends this, and is asked again when the answer is there.
    Act(Action),
    /// It waits until this millisecond of the match.
    Wait(u64),
}

/// The answer to what a unit did last.
#[derive(Debug, Clone, Copy)]
pub struct News<'a> {
    /// What it did.
    pub action: &'a Action,
    /// What came of it.
    pub result: &'a ActionResult,
}

/// What decides for all units of a team: its fields are the memory that they share.
///
/// Each unit is a loop of its own: it is asked for a step when the match begins, when its last action is answered, and
/// when it has waited. The same code plays in this process, on a clock that takes no time, and over TCP.
pub trait TeamBot: Debug + Send {
    /// What a unit begins as.
    fn class(&mut self, unit: usize) -> UnitClass;

    /// What a unit does at millisecond `now` of the match. `news` is the answer to what it did last, the first time when
    /// it is asked after that.
    fn step(&mut self, unit: usize, now: u64, news: Option<News<'_>>) -> Step;
}

//! Interface of a team written in Rust: its decisions, without the transport of messages.

use std::fmt::Debug;

use grandstand_rules::fortress::{Action, ActionResult, Map, Rules, Team, UnitClass};

/// Information for a team before the match begins.
#[derive(Debug, Clone)]
pub struct Briefing {
    /// Side of the team.
    pub team: Team,
    /// Number of units. They are numbered from 0 here, independently of their ids.
    pub units: usize,
    /// The map.
    pub map: Map,
    /// The constants in force.
    pub rules: Rules,
    /// Seed of the team's chance.
    pub seed: u64,
}

/// Next step of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Sends this action; the unit is asked again when the answer arrives.
    Act(Action),
    /// Waits until this millisecond of the match.
    Wait(u64),
}

/// Answer to a unit's last action.
#[derive(Debug, Clone, Copy)]
pub struct LastAction<'a> {
    /// The action.
    pub action: &'a Action,
    /// Result of the action.
    pub result: &'a ActionResult,
}

/// Decisions for all units of a team; its fields are the memory that the units share.
///
/// Each unit is a loop of its own: it is asked for a step when the match begins, when its last action is answered, and
/// when it has waited. The same code plays in this process, in virtual time, and over TCP.
pub trait TeamBot: Debug + Send {
    /// Class with which a unit begins.
    fn class(&mut self, unit: usize) -> UnitClass;

    /// Step of a unit at millisecond `now` of the match. `news` is the answer to its last action, given once, in the
    /// first call after it.
    fn step(&mut self, unit: usize, now: u64, news: Option<LastAction<'_>>) -> Step;
}

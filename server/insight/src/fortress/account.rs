//! Losses, actions and idle times of the units.

use std::collections::{BTreeMap, VecDeque};

use grandstand_matches::{LogLine, StampedCommand};
use grandstand_protocol::fortress::{Command, Scene, Square, Team, UnitClass};
use grandstand_protocol::{Command as AnyCommand, Micros};

use super::{Fortress, Listener, Outcome, action_text, unit_of};

/// Time without an action after which a unit is idle, in milliseconds.
const IDLE: u64 = 10_000;
/// Time before a loss within which hits count for it, in milliseconds.
const HITS: u64 = 5_000;

/// Reason of an idle time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdleKind {
    /// No messages.
    Silent,
    /// Only queries.
    Asked,
    /// Only failed actions; with the most frequent failure.
    Failed(String),
}

/// A time in which a living unit did nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    /// Start, in milliseconds.
    pub from: u64,
    /// End, in milliseconds.
    pub to: u64,
    /// Reason.
    pub kind: IdleKind,
}

/// Loss of a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Time in milliseconds.
    pub millis: u64,
    /// Number of the unit.
    pub unit: u32,
    /// Its class.
    pub class: UnitClass,
    /// Square.
    pub at: Square,
    /// Units that hit it in the last seconds, with their damage, the latest first.
    pub by: Vec<(u32, i32)>,
    /// Its last step, turn or ability, with the time and the answer.
    pub last: Option<(u64, String)>,
}

/// Actions of a unit in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitReport {
    /// Number of the unit.
    pub unit: u32,
    /// Index of its team: 0 for red.
    pub side: usize,
    /// Number of its messages.
    pub sent: u64,
    /// Number of successful steps, turns and abilities.
    pub done: u64,
    /// Failures by action and reason, the most frequent first.
    pub failed: Vec<(String, u64)>,
    /// Idle times.
    pub idle: Vec<Idle>,
}

/// Report of a match.
#[derive(Debug, Clone)]
pub struct Report {
    /// Names of the players, red's first.
    pub players: [String; 2],
    /// Index of the winner.
    pub winner: Option<usize>,
    /// Reason of the end; `None` without an end.
    pub termination: Option<&'static str>,
    /// Control points of both teams.
    pub score: [usize; 2],
    /// Change of a control point from which on the winner led: time and words.
    pub turned: Option<(u64, String)>,
    /// Length in milliseconds.
    pub millis: u64,
    /// Losses of each side.
    pub lost: [Vec<Loss>; 2],
    /// All units.
    pub units: Vec<UnitReport>,
    /// Remarks about the recording.
    pub remarks: Vec<String>,
    /// Whether the replayed commands equal the recorded ones, as far as they were compared.
    pub agrees: bool,
}

#[derive(Debug, Default)]
struct Account {
    side: usize,
    sent: u64,
    done: u64,
    failed: BTreeMap<String, u64>,
    idle: Vec<Idle>,
    /// Start of the present idle time.
    since: Option<u64>,
    asked_since: u64,
    failed_since: BTreeMap<String, u64>,
    last: Option<(u64, String)>,
}

impl Account {
    /// Ends the idle time.
    fn close(&mut self, millis: u64) {
        if let Some(from) = self.since.take()
            && millis.saturating_sub(from) >= IDLE
        {
            let most = self.failed_since.iter().max_by_key(|(_, times)| **times).map(|(why, _)| why.clone());
            let kind = match (most, self.asked_since) {
                (Some(why), _) => IdleKind::Failed(why),
                (None, 0) => IdleKind::Silent,
                (None, _) => IdleKind::Asked,
            };
            self.idle.push(Idle { from, to: millis, kind });
        }
        self.asked_since = 0;
        self.failed_since.clear();
    }
}

/// Accounts of a match during a replay.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    scene: Scene,
    units: BTreeMap<u32, Account>,
    /// Recent hits: time, by, on, damage.
    hits: VecDeque<(u64, u32, u32, i32)>,
    lost: [Vec<Loss>; 2],
    /// Changes of control points: time, points of each side, words.
    held: Vec<(u64, [usize; 2], String)>,
}

impl Listener for Accounts {
    fn action(&mut self, millis: u64, entry: LogLine) {
        let Some(trace) = &entry.trace else { return };
        let Some(unit) = unit_of(trace) else { return };
        let Some(account) = self.units.get_mut(&unit) else { return };
        account.sent += 1;
        let name = trace["action"]["type"].as_str().unwrap_or("message");
        if is_action(name) {
            account.last = Some((millis, action_text(&entry.text)));
        }
        if let Some(reason) = trace["reason"].as_str() {
            let why = format!("{name}: {reason}");
            *account.failed.entry(why.clone()).or_default() += 1;
            *account.failed_since.entry(why).or_default() += 1;
        } else if is_action(name) {
            account.done += 1;
            account.close(millis);
            account.since = Some(millis);
        } else {
            account.asked_since += 1;
        }
    }

    fn command(&mut self, stamped: &StampedCommand) {
        let StampedCommand { tick, command } = stamped;
        let AnyCommand::Fortress(command) = command else { return };
        match command {
            Command::Spawn { id, team, .. } => {
                let account = self.units.entry(*id).or_default();
                account.side = team.index();
                account.since = Some(*tick);
            }
            Command::Hit { by, on, amount } => {
                self.hits.push_back((*tick, *by, *on, *amount));
                while self.hits.front().is_some_and(|hit| hit.0 + HITS < *tick) {
                    self.hits.pop_front();
                }
            }
            Command::Remove { id } => self.remove(*tick, *id),
            _ => {}
        }
        self.scene.apply(0, Micros(tick.saturating_mul(1_000)), command);
        if let Command::Control { point, owner } = command {
            let held = Team::ALL.map(|team| self.scene.held(team));
            let words = match owner {
                Some(team) => format!("{team} took point {point}"),
                None => format!("point {point} was taken from its team"),
            };
            self.held.push((*tick, held, words));
        }
    }
}

/// Whether an action is more than a query.
fn is_action(name: &str) -> bool {
    matches!(name, "Move" | "Turn" | "PrimaryAbility" | "SecondaryAbility")
}

impl Accounts {
    fn remove(&mut self, millis: u64, id: u32) {
        let Some(unit) = self.scene.unit(id) else { return };
        let mut by: Vec<(u32, i32)> = Vec::new();
        for &(at, who, _, amount) in self.hits.iter().rev().filter(|hit| hit.2 == id && hit.3 > 0) {
            if at + HITS < millis {
                break;
            }
            match by.iter_mut().find(|(known, _)| *known == who) {
                Some((_, sum)) => *sum += amount,
                None => by.push((who, amount)),
            }
        }
        let account = self.units.entry(id).or_default();
        account.close(millis);
        let last = account.last.clone();
        let loss = Loss { millis, unit: id, class: unit.class, at: unit.at, by, last };
        self.lost[unit.team.index()].push(loss);
    }

    pub(super) fn into_report(mut self, of: &Fortress, outcome: Outcome) -> Report {
        let end = outcome.end;
        self.units.values_mut().for_each(|account| account.close(end));
        let winner = outcome.ending.as_ref().and_then(|ending| ending.winner);
        let mut remarks = of.remarks.clone();
        if let Some(difference) = &outcome.difference {
            remarks.push(difference.to_string());
        }
        let units = self.units.into_iter().map(|(unit, account)| {
            let mut failed: Vec<_> = account.failed.into_iter().collect();
            failed.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
            let Account { side, sent, done, idle, .. } = account;
            UnitReport { unit, side, sent, done, failed, idle }
        });
        Report {
            players: of.players(),
            winner,
            termination: outcome.ending.as_ref().map(|ending| ending.termination),
            score: Team::ALL.map(|team| self.scene.held(team)),
            turned: winner.and_then(|winner| turned(&self.held, winner)),
            millis: end,
            lost: self.lost,
            units: units.collect(),
            remarks,
            agrees: outcome.difference.is_none(),
        }
    }
}

/// First change of the last period in which the winner led.
fn turned(held: &[(u64, [usize; 2], String)], winner: usize) -> Option<(u64, String)> {
    let leads = |held: &[usize; 2]| held[winner] > held[1 - winner];
    let stretch = held.iter().rev().take_while(|(_, held, _)| leads(held));
    stretch.last().map(|(millis, _, words)| (*millis, words.clone()))
}

//! What became of the units, and what they did.

use std::collections::{BTreeMap, VecDeque};

use grandstand_matches::{LogLine, StampedCommand};
use grandstand_protocol::fortress::{Command, Scene, Team, UnitClass};
use grandstand_protocol::{Command as AnyCommand, Micros};
use serde_json::{Value, json};

use super::{Fortress, Listener, Outcome, deed_text, unit_of};

/// A unit that did nothing for so long is idle, in milliseconds.
const IDLE: u64 = 10_000;
/// Hits before a loss belong to it for so long, in milliseconds.
const HITS: u64 = 5_000;

/// Why a unit was idle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdleKind {
    /// It sent nothing.
    Silent,
    /// It asked, and did nothing.
    Asked,
    /// All that it tried failed; most often this.
    Failed(String),
}

/// A time in which a living unit did nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idle {
    /// From this millisecond.
    pub from: u64,
    /// To this one.
    pub to: u64,
    /// Why.
    pub kind: IdleKind,
}

/// A unit that was destroyed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// When, in milliseconds.
    pub millis: u64,
    /// Which.
    pub unit: u32,
    /// Its class.
    pub class: UnitClass,
    /// Where.
    pub at: String,
    /// By whom: units with what they took in the last seconds, the one that struck last first.
    pub by: Vec<(u32, i32)>,
    /// The last step, turn or ability that it tried, with its answer and its time.
    pub last: Option<(u64, String)>,
}

/// What a unit did in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitReport {
    /// Which.
    pub unit: u32,
    /// Its team: 0 for red.
    pub side: usize,
    /// How many messages it sent.
    pub sent: u64,
    /// How many of them were deeds that succeeded: steps, turns, abilities.
    pub done: u64,
    /// Failures by action and reason, the most frequent first.
    pub failed: Vec<(String, u64)>,
    /// When it did nothing.
    pub idle: Vec<Idle>,
}

/// Why a match went as it did.
#[derive(Debug, Clone)]
pub struct Report {
    /// The names of the players, red's first.
    pub players: [String; 2],
    /// The side that won.
    pub winner: Option<usize>,
    /// Why it ended; `None` where it has no end.
    pub termination: Option<&'static str>,
    /// The points of both.
    pub score: [usize; 2],
    /// The change of a point from which on the winner led: when, and in words.
    pub turned: Option<(u64, String)>,
    /// The length in milliseconds.
    pub millis: u64,
    /// The units that each side lost.
    pub lost: [Vec<Loss>; 2],
    /// The units.
    pub units: Vec<UnitReport>,
    /// Remarks about the recording.
    pub remarks: Vec<String>,
    /// Whether what was drawn is what was recorded, as far as that goes.
    pub agrees: bool,
}

#[derive(Debug, Default)]
struct Account {
    side: usize,
    sent: u64,
    done: u64,
    failed: BTreeMap<String, u64>,
    idle: Vec<Idle>,
    /// Since when it lives and has done nothing.
    since: Option<u64>,
    asked_since: u64,
    failed_since: BTreeMap<String, u64>,
    last: Option<(u64, String)>,
}

impl Account {
    /// What follows is not idle any more.
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

/// The accounts of a match while it is played.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    scene: Scene,
    units: BTreeMap<u32, Account>,
    /// The last hits: when, by whom, on whom, how much.
    hits: VecDeque<(u64, u32, u32, i32)>,
    lost: [Vec<Loss>; 2],
    /// Changes of points: when, how many each side has, in words.
    held: Vec<(u64, [usize; 2], String)>,
}

impl Listener for Accounts {
    fn action(&mut self, millis: u64, entry: LogLine) {
        let Some(trace) = &entry.trace else { return };
        let Some(unit) = unit_of(trace) else { return };
        let Some(account) = self.units.get_mut(&unit) else { return };
        account.sent += 1;
        let name = trace["action"]["type"].as_str().unwrap_or("message");
        if is_deed(name) {
            account.last = Some((millis, deed_text(&entry.text)));
        }
        if let Some(reason) = trace["reason"].as_str() {
            let why = format!("{name}: {reason}");
            *account.failed.entry(why.clone()).or_default() += 1;
            *account.failed_since.entry(why).or_default() += 1;
        } else if is_deed(name) {
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

/// Whether an action does something, and does not only ask.
fn is_deed(name: &str) -> bool {
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
        let loss = Loss { millis, unit: id, class: unit.class, at: unit.at.to_string(), by, last };
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

/// The first change of the last stretch in which the winner led.
fn turned(held: &[(u64, [usize; 2], String)], winner: usize) -> Option<(u64, String)> {
    let leads = |held: &[usize; 2]| held[winner] > held[1 - winner];
    let stretch = held.iter().rev().take_while(|(_, held, _)| leads(held));
    stretch.last().map(|(millis, _, words)| (*millis, words.clone()))
}

impl Report {
    /// The report in words.
    pub fn words(&self) -> String {
        super::words::report(self)
    }

    /// The report as a JSON object: `server/INSIGHT.md` describes its fields.
    pub fn json(&self) -> Value {
        let team = |side: usize| Team::ALL[side].name();
        let loss = |loss: &Loss| {
            json!({
                "millis": loss.millis,
                "unit": loss.unit,
                "class": loss.class,
                "at": loss.at,
                "by": loss.by.iter().map(|(unit, amount)| json!({ "unit": unit, "amount": amount })).collect::<Vec<_>>(),
                "how": super::words::how(loss),
                "last": loss.last.as_ref().map(|(millis, text)| json!({ "millis": millis, "text": text })),
            })
        };
        let unit = |unit: &UnitReport| {
            json!({
                "unit": unit.unit,
                "sent": unit.sent,
                "done": unit.done,
                "failed": unit.failed.iter().map(|(why, times)| json!({ "why": why, "times": times })).collect::<Vec<_>>(),
                "idle": unit.idle.iter().map(|idle| json!({
                    "from": idle.from, "to": idle.to, "why": super::words::idle_kind(&idle.kind),
                })).collect::<Vec<_>>(),
            })
        };
        let side = |side: usize| {
            let units = self.units.iter().filter(|unit| unit.side == side);
            json!({
                "team": team(side),
                "player": self.players[side],
                "lost": self.lost[side].iter().map(loss).collect::<Vec<_>>(),
                "units": units.map(unit).collect::<Vec<_>>(),
            })
        };
        json!({
            "game": "fortress",
            "winner": self.winner.map(team),
            "score": self.score,
            "termination": self.termination,
            "millis": self.millis,
            "turned": self.turned.as_ref().map(|(millis, words)| json!({ "millis": millis, "how": words })),
            "summary": super::words::headline(self),
            "remarks": self.remarks,
            "sides": [side(0), side(1)],
        })
    }
}

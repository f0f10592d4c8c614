//! Teams and units of a match in the referee.

use std::collections::VecDeque;
use std::ops::{Index, IndexMut};

use grandstand_protocol::clean_text;
use grandstand_rules::fortress::{ByTeam, Setup, Team, UnitClass, UnitId};
use thiserror::Error;

use super::conditions::{Conditions, DEFAULT_CLASS};

/// Condition on which a team is admitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Secret of the team: whoever has it speaks for the team.
    pub secret: String,
    /// Whether the first team that asks without a secret gets the seat.
    pub open: bool,
}

/// Reason for which a team is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SeatError {
    /// The secret is wrong.
    #[error("`secret` is not that of a team of this match")]
    Wrong,
    /// There is no secret, and no seat that is open without one.
    #[error("no seat is free for a team without its `secret`")]
    None,
}

/// State of a team.
#[derive(Debug, Clone, Default)]
pub(super) struct Member {
    /// The team has asked for a game.
    pub(super) asked: bool,
    /// The team is absent and will not come.
    pub(super) absent: bool,
    pub(super) name: Option<String>,
    /// Time of its last message, or of the last answer that it waited for.
    pub(super) heard: u64,
}

/// State of a unit, before and during the match.
#[derive(Debug, Clone)]
pub(super) struct UnitState {
    pub(super) id: u32,
    pub(super) team: Team,
    /// Class with which the unit wants to begin.
    pub(super) class: Option<UnitClass>,
    pub(super) connection: Option<u32>,
    /// Number of connections that it has had.
    pub(super) joined: u32,
    /// Connections that wait for the answer to a `Respawn`, in order.
    pub(super) askers: VecDeque<u32>,
}

/// The units, red's first: their ids ascend from 1.
#[derive(Debug, Clone)]
pub(super) struct Units(Vec<UnitState>);

/// The team that asks with this secret, or without one.
pub(super) fn find(
    seats: &ByTeam<Team, Seat>,
    members: &ByTeam<Team, Member>,
    secret: Option<&str>,
) -> Result<Team, SeatError> {
    let (found, error) = match secret {
        Some(secret) => (Team::ALL.into_iter().find(|team| seats[*team].secret == secret), SeatError::Wrong),
        None => {
            let free = |team: &Team| seats[*team].open && !members[*team].asked;
            (Team::ALL.into_iter().find(free), SeatError::None)
        }
    };
    found.ok_or(error)
}

/// Name that a team wants, made fit for display.
pub(super) fn clean_name(name: &str) -> Option<String> {
    let name: String = clean_text(name).trim().chars().take(40).collect();
    (!name.is_empty()).then_some(name)
}

impl Units {
    pub(super) fn new(per_team: u32) -> Self {
        let teams = Team::ALL.into_iter().flat_map(|team| (0..per_team).map(move |_| team));
        let unit = |(id, team)| UnitState {
            id,
            team,
            class: None,
            connection: None,
            joined: 0,
            askers: VecDeque::new(),
        };
        Self((1..).zip(teams).map(unit).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &UnitState> {
        self.0.iter()
    }

    pub(super) fn of(&self, team: Team) -> impl Iterator<Item = &UnitState> {
        self.0.iter().filter(move |unit| unit.team == team)
    }

    pub(super) fn ids(&self, team: Team) -> Vec<u32> {
        self.of(team).map(|unit| unit.id).collect()
    }

    pub(super) fn find(&self, id: u32) -> Option<usize> {
        self.0.iter().position(|unit| unit.id == id)
    }

    /// Setup of the match with the classes that are known so far.
    pub(super) fn setup(&self, conditions: &Conditions) -> Setup {
        let team = |team| {
            self.of(team)
                .map(|unit| (UnitId(unit.id), unit.class.unwrap_or(DEFAULT_CLASS)))
                .collect::<Vec<_>>()
        };
        let teams = ByTeam::new(team(Team::Red), team(Team::Blue));
        Setup::start(conditions.rules.clone(), conditions.map.clone(), &teams)
    }
}

impl Index<usize> for Units {
    type Output = UnitState;

    fn index(&self, unit: usize) -> &UnitState {
        &self.0[unit]
    }
}

impl IndexMut<usize> for Units {
    fn index_mut(&mut self, unit: usize) -> &mut UnitState {
        &mut self.0[unit]
    }
}

//! Referee of Steam Fortress: a match with its connections.
//!
//! There is no socket and no clock in here. Connections are numbers; events of theirs are [`Input`]s with their
//! millisecond of the match; lines to be sent are [`Output`]s. The same inputs give the same commands and the same
//! outputs, byte for byte.

mod conditions;
mod input;
mod requests;
mod seats;

pub use conditions::{Conditions, DEFAULT_CLASS, ERRORS_MAX, REJOINS_MAX};
pub use input::{Cause, Input, Loss, Stamped};
pub use seats::{Seat, SeatError};

use std::collections::BTreeMap;

use grandstand_protocol::{Marker, MatchHeader};
use grandstand_rules::fortress::{ActionResult, ByTeam, Finish, Setup, SetupError, Team, World};

use self::seats::{Member, Units};
use super::message::Response;
use super::{outcome, settings};
use crate::spec::{Ending, LogLine, StampedCommand};

/// Maximum number of log lines about unidentified connections; further ones are only counted.
const STRANGERS: u64 = 100;

/// Order for a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Send this line.
    Send {
        /// Number of the connection.
        connection: u32,
        /// The line, without its end.
        line: String,
    },
    /// Close the connection once everything is sent; its input is ignored from now on.
    Close {
        /// Number of the connection.
        connection: u32,
    },
}

/// Owner of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Not known yet.
    Nobody,
    Team(Team),
    /// A unit, by its index.
    Unit(usize),
}

#[derive(Debug, Clone)]
struct Connection {
    role: Role,
    errors: u32,
}

/// State of a match with its connections. A clone is a snapshot.
#[derive(Debug, Clone)]
pub struct Referee {
    conditions: Conditions,
    members: ByTeam<Team, Member>,
    units: Units,
    connections: BTreeMap<u32, Connection>,
    /// The world, once the match has begun.
    world: Option<World>,
    /// Losses of the teams that lost by a fault of their own.
    losses: ByTeam<Team, Option<Loss>>,
    told_end: bool,
    strangers: u64,
    outputs: Vec<Output>,
    commands: Vec<StampedCommand>,
    log: Vec<String>,
    /// Actions of units, if they are recorded.
    actions: Option<Vec<LogLine>>,
}

impl Referee {
    /// A match that waits for its teams.
    ///
    /// # Errors
    /// If the settings are invalid.
    pub fn new(conditions: Conditions) -> Result<Self, SetupError> {
        let units = Units::new(conditions.rules.units_per_team);
        // The classes of the units do not matter: if this setup is valid, the later one is too.
        World::from_setup(&units.setup(&conditions))?;
        let members = ByTeam::new(Member::default(), Member::default());
        Ok(Self {
            conditions,
            members,
            units,
            connections: BTreeMap::new(),
            world: None,
            losses: ByTeam::new(None, None),
            told_end: false,
            strangers: 0,
            outputs: Vec::new(),
            commands: Vec::new(),
            log: Vec::new(),
            actions: None,
        })
    }

    /// Applies an input, after all that the rules bring about up to its millisecond.
    pub fn apply(&mut self, stamped: &Stamped) {
        let Stamped { millis, connection, input } = stamped;
        let (now, connection) = (*millis, *connection);
        self.advance(now);
        match input {
            Input::Open => {
                self.connections.insert(connection, Connection { role: Role::Nobody, errors: 0 });
            }
            Input::Line(line) => self.line(now, connection, line),
            Input::Close(reason) => self.gone(now, connection, reason),
            Input::Absent(team) => {
                self.members[*team].absent = true;
                self.begin_when_ready();
            }
            Input::Begin => self.begin(),
            Input::Lost(losses) => self.lose(now, losses),
            Input::Tick => {}
        }
        self.advance(now);
    }

    fn advance(&mut self, now: u64) {
        if let Some(world) = &mut self.world {
            world.handle_time(now);
            self.collect();
        }
    }

    /// Whether the match has begun, so that its clock runs.
    pub fn has_begun(&self) -> bool {
        self.world.is_some()
    }

    /// Whether every team that is admitted without a secret has come.
    pub fn is_full(&self) -> bool {
        Team::ALL.iter().all(|team| !self.conditions.seats[*team].open || self.members[*team].asked)
    }

    /// Whether none of the team's units has ever had a connection.
    pub fn has_no_unit(&self, team: Team) -> bool {
        self.units.of(team).all(|unit| unit.joined == 0)
    }

    /// Milliseconds of the match since the last message of the team. It is 0 while a unit of the team waits for its
    /// respawn, since the team need not send anything then.
    pub fn silence(&self, team: Team) -> u64 {
        let waits = self.units.of(team).any(|unit| !unit.askers.is_empty());
        let now = self.world.as_ref().filter(|_| !waits).map_or(0, World::now);
        now.saturating_sub(self.members[team].heard)
    }

    /// Whether the connection is known to belong to a team or a unit.
    pub fn is_known(&self, connection: u32) -> bool {
        self.team_of(connection).is_some()
    }

    /// Team that owns the connection itself or by a unit; `None` if the connection has not identified itself.
    pub fn team_of(&self, connection: u32) -> Option<Team> {
        match self.connections.get(&connection)?.role {
            Role::Nobody => None,
            Role::Team(team) => Some(team),
            Role::Unit(unit) => Some(self.units[unit].team),
        }
    }

    /// Whether no connection of the team is open.
    pub fn is_gone(&self, team: Team) -> bool {
        !self.connections.keys().any(|connection| self.team_of(*connection) == Some(team))
    }

    /// Whether the team is known to be absent and not to come.
    pub fn is_absent(&self, team: Team) -> bool {
        self.members[team].absent
    }

    /// The world, once the match has begun.
    pub fn world(&self) -> Option<&World> {
        self.world.as_ref()
    }

    /// Result of the match, once it is over.
    pub fn finish(&self) -> Option<&Finish> {
        self.world.as_ref()?.finish()
    }

    /// Header of the match: its settings, and the names that the teams want.
    pub fn header(&self) -> MatchHeader {
        let name = |team: Team| self.members[team].name.as_deref().unwrap_or(team.name());
        settings::header(&self.conditions.rules, &self.conditions.map, Team::ALL.map(name), true)
    }

    /// Ending of the match for the command line, once it is over.
    pub fn ending(&self) -> Option<Ending> {
        outcome::ending(self.world.as_ref()?, &self.losses)
    }

    /// Orders for connections since the last call, in order.
    pub fn drain_outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }

    /// Commands drawn since the last call, in order.
    pub fn drain_commands(&mut self) -> Vec<StampedCommand> {
        std::mem::take(&mut self.commands)
    }

    /// Log lines about teams and connections since the last call.
    pub fn drain_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    /// Makes the referee record units' actions and invalid messages from now on, for
    /// [`drain_actions`](Self::drain_actions).
    pub fn keep_actions(&mut self) {
        self.actions.get_or_insert_default();
    }

    /// Actions of units since the last call, with their answers; empty unless they are [recorded](Self::keep_actions).
    pub fn drain_actions(&mut self) -> Vec<LogLine> {
        self.actions.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn begin_when_ready(&mut self) {
        let ready = |team: &Team| {
            let member = &self.members[*team];
            member.absent || member.asked && self.units.of(*team).all(|unit| unit.class.is_some())
        };
        if self.world.is_none() && Team::ALL.iter().all(ready) {
            self.begin();
        }
    }

    /// Begins the match with the units that are present. Units without a connection stay idle.
    fn begin(&mut self) {
        if self.world.is_some() {
            return;
        }
        let setup: Setup = self.units.setup(&self.conditions);
        match World::from_setup(&setup) {
            Ok(world) => self.world = Some(world),
            // `new` has tried these settings already.
            Err(error) => return self.log.push(format!("the match can't begin: {error}")),
        }
        let idle: Vec<String> = self
            .units
            .iter()
            .filter(|unit| unit.connection.is_none())
            .map(|unit| unit.id.to_string())
            .collect();
        self.log.push(match idle.is_empty() {
            true => format!("{}: the match begins", clock(0)),
            false => format!("{}: the match begins without the units {}", clock(0), idle.join(", ")),
        });
        self.collect();
        for unit in 0..self.units.len() {
            let id = self.units[unit].id;
            while let Some(asker) = self.units[unit].askers.pop_front() {
                self.send(asker, &Response::Result { id, action: "Respawn", result: ActionResult::Success });
            }
        }
        for connection in self.known() {
            self.catch_up(connection);
        }
    }

    /// Ends the match by the loss of teams, if it is not over.
    fn lose(&mut self, now: u64, losses: &ByTeam<Team, Option<Loss>>) {
        self.begin();
        self.advance(now);
        let Some(world) = self.world.as_mut().filter(|world| world.finish().is_none()) else { return };
        for team in Team::ALL {
            let Some(Loss { cause, reason }) = &losses[team] else { continue };
            let label = format!("{team} lost by {}: {reason}", cause.name());
            self.log.push(format!("{}: {label}", clock(now)));
            let marker =
                Marker { label: label.into(), kind: Some("forfeit".into()), team: Some(team.name().into()) };
            self.commands.push(StampedCommand { tick: now, command: marker.into() });
        }
        self.losses = losses.clone();
        world.forfeit(now, &ByTeam::new(losses[Team::Red].is_some(), losses[Team::Blue].is_some()));
        self.collect();
    }

    /// Tells a connection that the match has begun, and that it has ended if it has.
    fn catch_up(&mut self, connection: u32) {
        let Some(world) = &self.world else { return };
        let (remaining, speed, finish) = (world.remaining(), self.conditions.speed, world.finish().copied());
        let id = self.id_of(connection);
        self.send(connection, &Response::GameStart { id, remaining, speed });
        if let Some(finish) = finish
            && self.told_end
        {
            self.tell_end(connection, &finish);
        }
    }

    fn tell_end(&mut self, connection: u32, finish: &Finish) {
        let Some(team) = self.team_of(connection) else { return };
        let won = finish.outcome.winner().map(|winner| winner == team);
        let (id, reason) = (self.id_of(connection), outcome::termination(finish, &self.losses).to_owned());
        self.send(connection, &Response::GameEnd { id, won, reason });
    }

    /// Takes the world's commands, answers and end.
    fn collect(&mut self) {
        let Some(world) = &mut self.world else { return };
        let commands = world.drain_commands();
        self.commands.extend(commands.into_iter().map(|(tick, command)| StampedCommand { tick, command }));
        let (answers, finish) = (world.drain_answers(), world.finish().copied());
        for answer in answers {
            let id = answer.unit.0;
            let Some(unit) = self.units.find(id) else { continue };
            self.members[self.units[unit].team].heard = answer.millis;
            if let Some(asker) = self.units[unit].askers.pop_front() {
                self.send(asker, &Response::Result { id, action: "Respawn", result: answer.result });
            }
        }
        if let Some(finish) = finish
            && !self.told_end
        {
            self.told_end = true;
            for connection in self.known() {
                self.tell_end(connection, &finish);
            }
        }
    }

    /// Handles the end of a connection.
    fn gone(&mut self, now: u64, connection: u32, reason: &str) {
        let Some(Connection { role, .. }) = self.connections.remove(&connection) else { return };
        let running = self.world.as_ref().is_some_and(|world| world.finish().is_none());
        let who = match role {
            Role::Nobody => {
                self.strangers += 1;
                if self.strangers <= STRANGERS {
                    self.log.push(format!("{}: a connection of nobody is closed: {reason}", clock(now)));
                }
                return;
            }
            Role::Team(team) => format!("{team}'s own connection"),
            Role::Unit(unit) => {
                let state = &mut self.units[unit];
                state.connection = None;
                format!("{} unit {}'s connection", state.team, state.id)
            }
        };
        if self.told_end {
            return;
        }
        self.log.push(format!("{}: {who} is closed: {reason}", clock(now)));
        if let (Role::Unit(unit), true) = (role, running) {
            let (team, id) = (self.units[unit].team, self.units[unit].id);
            let marker = Marker {
                label: format!("{team} unit {id} stands idle: {reason}").into(),
                kind: Some("connection".into()),
                team: Some(team.name().into()),
            };
            self.commands.push(StampedCommand { tick: now, command: marker.into() });
        }
    }

    fn known(&self) -> Vec<u32> {
        self.connections.keys().copied().filter(|connection| self.is_known(*connection)).collect()
    }

    fn id_of(&self, connection: u32) -> Option<u32> {
        match self.connections.get(&connection)?.role {
            Role::Unit(unit) => Some(self.units[unit].id),
            Role::Nobody | Role::Team(_) => None,
        }
    }

    fn send(&mut self, connection: u32, response: &Response) {
        if self.connections.contains_key(&connection) {
            self.outputs.push(Output::Send { connection, line: response.to_line() });
        }
    }
}

/// Text of a millisecond of the match.
pub(super) fn clock(millis: u64) -> String {
    format!("{}.{:03} s", millis / 1_000, millis % 1_000)
}

#[cfg(test)]
mod tests {
    use grandstand_rules::fortress::{Rules, Termination, maps};

    use super::*;

    #[test]
    fn a_loss_after_the_last_millisecond_does_not_change_the_end() {
        let seat = || Seat { secret: "a".to_owned(), open: true };
        let rules = Rules { time_limit: 2_000, ..Rules::default() };
        let map = maps::by_name("meadow").expect("a shipped map is right");
        let conditions = Conditions::new(rules, map, ByTeam::new(seat(), seat()));
        let mut referee = Referee::new(conditions).unwrap();
        let apply = |referee: &mut Referee, millis, input| {
            referee.apply(&Stamped { millis, connection: 0, input });
        };
        let loss = Loss { cause: Cause::Crash, reason: "it broke".to_owned() };
        apply(&mut referee, 0, Input::Begin);
        apply(&mut referee, 2_500, Input::Lost(ByTeam::new(Some(loss), None)));
        let finish = referee.world().and_then(World::finish).expect("the match is over");
        assert_eq!((finish.termination, finish.millis), (Termination::Time, 2_000));
        assert_eq!(referee.ending().map(|ending| ending.termination), Some("time"));
        assert!(referee.drain_commands().iter().all(|stamped| stamped.tick <= 2_000));
    }
}

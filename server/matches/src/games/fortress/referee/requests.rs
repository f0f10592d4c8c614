//! Requests of connections: the request for a game, and actions of units.

use grandstand_rules::fortress::{Action, ActionResult, Failure, Reply, Team, UnitId};
use serde_json::Value;

use super::super::message::{Request, Response, action_name};
use super::super::trace;
use super::{Conditions, Output, Referee, Role, clock, seats};

impl Referee {
    /// Handles a line of a connection.
    pub(super) fn line(&mut self, now: u64, connection: u32, line: &str) {
        let Some(role) = self.connections.get(&connection).map(|connection| connection.role) else { return };
        let done = match Request::parse(line) {
            Ok(Request::GameRequest { secret, name }) => {
                self.game_request(now, connection, role, secret.as_deref(), name.as_deref())
            }
            Ok(Request::Action { id, secret, action }) => self
                .unit_of(now, connection, role, id, secret.as_deref())
                .map(|unit| self.action(now, connection, unit, action)),
            Err(error) => Err(error.to_string()),
        };
        if let Some(team) = self.team_of(connection) {
            self.members[team].heard = now;
        }
        if let Err(reason) = done {
            self.error(now, connection, reason);
        }
    }

    /// Reports a mistake to a connection, and closes it after too many.
    fn error(&mut self, now: u64, connection: u32, reason: String) {
        let id = self.id_of(connection);
        if let Some(actions) = &mut self.actions {
            actions.push(trace::error(now, id, &reason));
        }
        self.send(connection, &Response::Error { id, reason });
        let Some(state) = self.connections.get_mut(&connection) else { return };
        state.errors += 1;
        if state.errors >= self.conditions.errors {
            let reason =
                format!("{} of its messages were in error, as many as may be", self.conditions.errors);
            self.send(
                connection,
                &Response::Error { id, reason: format!("this connection is closed: {reason}") },
            );
            self.outputs.push(Output::Close { connection });
            self.gone(now, connection, &reason);
        }
    }

    fn game_request(
        &mut self,
        now: u64,
        connection: u32,
        role: Role,
        secret: Option<&str>,
        name: Option<&str>,
    ) -> Result<(), String> {
        if let Role::Unit(unit) = role {
            return Err(format!(
                "this connection is unit {}'s: a team asks on one of its own",
                self.units[unit].id
            ));
        }
        let team =
            seats::find(&self.conditions.seats, &self.members, secret).map_err(|error| error.to_string())?;
        if matches!(role, Role::Team(other) if other != team) {
            return Err(format!("this connection is {}'s", team.opponent()));
        }
        let member = &mut self.members[team];
        if !member.asked {
            member.asked = true;
            member.name = name.and_then(seats::clean_name);
            let called = member.name.as_ref().map(|name| format!(", {name},")).unwrap_or_default();
            self.log.push(format!("{}: {team}{called} asks for a game", clock(now)));
        }
        if let Some(state) = self.connections.get_mut(&connection) {
            state.role = Role::Team(team);
        }
        let Conditions { rules, map, seats, .. } = &self.conditions;
        let units = Response::Units {
            team,
            ids: self.units.ids(team),
            secret: seats[team].secret.clone(),
            map: map.to_string().lines().map(str::to_owned).collect(),
            rules: serde_json::to_value(rules).unwrap_or(Value::Null),
        };
        self.send(connection, &units);
        self.catch_up(connection);
        self.begin_when_ready();
        Ok(())
    }

    /// Index of the unit that an action's message addresses. The unit belongs to the sending connection from now on.
    fn unit_of(
        &mut self,
        now: u64,
        connection: u32,
        role: Role,
        id: u32,
        secret: Option<&str>,
    ) -> Result<usize, String> {
        let unit = self.units.find(id).ok_or_else(|| format!("there is no unit {id}"))?;
        let team = self.units[unit].team;
        if secret.is_some_and(|secret| secret != self.conditions.seats[team].secret) {
            return Err(format!("`secret` is not that of unit {id}'s team"));
        }
        match role {
            Role::Unit(own) if own == unit => return Ok(unit),
            Role::Unit(own) => {
                return Err(format!(
                    "this connection is unit {}'s: it can't command unit {id}",
                    self.units[own].id
                ));
            }
            Role::Team(_) => {
                return Err("this connection is a team's: every unit opens one of its own".to_owned());
            }
            Role::Nobody => {}
        }
        if secret.is_none() {
            return Err("the first message of a unit's connection needs the team's `secret`".to_owned());
        }
        let state = &mut self.units[unit];
        if state.connection.is_some() {
            return Err(format!("unit {id} has a connection already"));
        }
        if state.joined >= self.conditions.rejoins {
            return Err(format!("unit {id} has had {} connections, as many as may be", state.joined));
        }
        state.joined += 1;
        state.connection = Some(connection);
        let again = state.joined > 1;
        if let Some(state) = self.connections.get_mut(&connection) {
            state.role = Role::Unit(unit);
        }
        if again {
            self.log.push(format!("{}: {team} unit {id} has a connection again", clock(now)));
        }
        self.catch_up(connection);
        Ok(unit)
    }

    /// Performs an action of a unit for its own connection: it is always answered, now or later.
    fn action(&mut self, now: u64, connection: u32, unit: usize, action: Action) {
        let name = action_name(&action);
        let (id, team) = (self.units[unit].id, self.units[unit].team);
        let kept = self.actions.is_some().then(|| action.clone());
        let result = match (&mut self.world, action) {
            (Some(world), action) => {
                let is_respawn = matches!(action, Action::Respawn(_));
                match world.act(now, UnitId(id), action) {
                    Reply::Now(result) => {
                        // This action may have failed an earlier one, whose answer comes first.
                        self.collect();
                        result
                    }
                    Reply::Later => {
                        debug_assert!(is_respawn, "nothing else is answered later");
                        // If this action replaces an earlier one, the earlier asker gets the answer to that.
                        self.collect();
                        self.units[unit].askers.push_back(connection);
                        self.keep(now, (team, id), kept.as_ref(), Ok(None));
                        return;
                    }
                }
            }
            (None, Action::Respawn(class)) => {
                self.units[unit].class = Some(class);
                let earlier = self.units[unit].askers.pop_front();
                self.units[unit].askers.push_back(connection);
                if let Some(earlier) = earlier {
                    self.send(earlier, &Response::Result { id, action: name, result: ActionResult::Failed });
                }
                self.keep(now, (team, id), kept.as_ref(), Ok(None));
                self.begin_when_ready();
                return;
            }
            (None, _) => ActionResult::Failed,
        };
        let failure = match &self.world {
            Some(world) => world.failure(),
            None => Some(Failure::NotBegun),
        };
        let answer = failure.filter(|_| result == ActionResult::Failed).map_or(Ok(Some(&result)), Err);
        self.keep(now, (team, id), kept.as_ref(), answer);
        self.send(connection, &Response::Result { id, action: name, result });
    }

    /// Records an action of a unit, if actions are recorded.
    fn keep(
        &mut self,
        now: u64,
        who: (Team, u32),
        action: Option<&Action>,
        answer: Result<Option<&ActionResult>, Failure>,
    ) {
        if let (Some(actions), Some(action)) = (&mut self.actions, action) {
            actions.push(trace::action(self.world.as_ref(), now, who, action, answer));
        }
    }
}

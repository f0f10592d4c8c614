//! Shipped team that plays over TCP: the other end of the port.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use grandstand_matches::games::fortress::lines::LineDecoder;
use grandstand_matches::games::fortress::message::{Request, Response};
use grandstand_matches::games::fortress::team::{Briefing, LastAction, Step, TeamBot};
use grandstand_matches::games::fortress::teams::ShippedTeam;
use grandstand_rules::fortress::{Action, ActionResult, Map};
use thiserror::Error;

/// Maximum length of a line of the server: one contains the map and the constants.
const LINE_BYTES: usize = 1 << 20;

/// Options of a client.
#[derive(Debug, Clone)]
pub struct Options {
    /// The shipped team.
    pub team: ShippedTeam,
    /// Address of the match.
    pub address: String,
    /// Secret of the team, if it has one.
    pub secret: Option<String>,
    /// Seed of the team.
    pub seed: u64,
}

/// Reason for which a team stopped before the end of the match.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The connection failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The server sent an error or an unexpected message.
    #[error("{0}")]
    Server(String),
}

/// Plays a match to its end. Returns whether the team has won; `None` for a draw.
///
/// # Errors
/// If the team stopped before the end of the match.
pub fn play(options: &Options) -> Result<Option<bool>, ClientError> {
    let mut main = Wire::connect(&options.address)?;
    main.send(&Request::GameRequest {
        secret: options.secret.clone(),
        name: Some(options.team.name().to_owned()),
    })?;
    let (ids, secret, briefing) = match main.receive(None)? {
        Some(Response::Units { team, ids, secret, map, rules }) => {
            let map = Map::parse(map.join("\n").as_bytes()).map_err(|faults| unexpected(&faults))?;
            let rules = serde_json::from_value(rules).map_err(|error| unexpected(&error))?;
            (ids.clone(), secret, Briefing { team, units: ids.len(), map, rules, seed: options.seed })
        }
        other => return Err(unexpected(&format!("{other:?}"))),
    };
    let limit = u64::from(briefing.rules.time_limit);
    let team = Arc::new(Mutex::new(options.team.bot(briefing)));
    let units: Vec<_> = ids
        .into_iter()
        .enumerate()
        .map(|(unit, id)| {
            let player = Unit {
                unit,
                id,
                limit,
                secret: secret.clone(),
                address: options.address.clone(),
                team: team.clone(),
            };
            thread::Builder::new().name(format!("unit {id}")).spawn(move || player.play())
        })
        .collect();
    let outcomes: Vec<_> = units
        .into_iter()
        .map(|unit| {
            // A panic in the team's code ends its unit.
            unit?.join().unwrap_or_else(|_| Err(ClientError::Server("a unit broke".to_owned())))
        })
        .collect();
    let none = Err(ClientError::Server("it has no units".to_owned()));
    outcomes.into_iter().reduce(Result::and).unwrap_or(none)
}

fn unexpected(found: &dyn std::fmt::Display) -> ClientError {
    ClientError::Server(format!("the server says: {found}"))
}

/// One unit and its connection.
struct Unit {
    /// Index of the unit in the team.
    unit: usize,
    id: u32,
    /// `cTIME_LIMIT`.
    limit: u64,
    secret: String,
    address: String,
    team: Arc<Mutex<Box<dyn TeamBot>>>,
}

/// Clock of the match, as this unit knows it.
struct Clock {
    began: Instant,
    at: u64,
    speed: f64,
}

impl Clock {
    fn now(&self) -> u64 {
        self.at + (self.began.elapsed().as_secs_f64() * 1_000.0 * self.speed) as u64
    }

    /// Real time from now until `millis` of the match.
    fn until(&self, millis: u64) -> Duration {
        let left = millis.saturating_sub(self.now()) as f64 / 1_000.0 / self.speed.max(1e-6);
        Duration::from_secs_f64(left)
    }
}

impl Unit {
    fn play(self) -> Result<Option<bool>, ClientError> {
        let mut wire = Wire::connect(&self.address)?;
        let class = self.team().class(self.unit);
        let request =
            |action: Action, secret: Option<String>| Request::Action { id: self.id, secret, action };
        wire.send(&request(Action::Respawn(class), Some(self.secret.clone())))?;
        let (mut clock, mut answered) = (None, false);
        while clock.is_none() || !answered {
            match wire.receive(None)? {
                Some(Response::GameStart { remaining, speed, .. }) => {
                    let at = self.limit.saturating_sub(remaining);
                    clock = Some(Clock { began: Instant::now(), at, speed });
                }
                Some(Response::Result { .. }) => answered = true,
                Some(Response::GameEnd { won, .. }) => return Ok(won),
                other => return Err(unexpected(&format!("{other:?}"))),
            }
        }
        let Some(clock) = clock else { return Ok(None) };
        let mut last: Option<(Action, ActionResult)> = None;
        loop {
            let news = last.as_ref().map(|(action, result)| LastAction { action, result });
            let step = self.team().step(self.unit, clock.now(), news);
            last = None;
            let action = match step {
                Step::Wait(until) => {
                    let wait = clock.until(until).max(Duration::from_millis(1));
                    match wire.receive(Some(wait))? {
                        None => continue,
                        Some(Response::GameEnd { won, .. }) => return Ok(won),
                        other => return Err(unexpected(&format!("{other:?}"))),
                    }
                }
                Step::Act(action) => action,
            };
            wire.send(&request(action.clone(), None))?;
            match wire.receive(None)? {
                Some(Response::Result { result, .. }) => last = Some((action, result)),
                Some(Response::GameEnd { won, .. }) => return Ok(won),
                other => return Err(unexpected(&format!("{other:?}"))),
            }
        }
    }

    fn team(&self) -> std::sync::MutexGuard<'_, Box<dyn TeamBot>> {
        self.team.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that carries messages.
struct Wire {
    stream: TcpStream,
    lines: LineDecoder,
    buffer: Vec<u8>,
}

impl Wire {
    fn connect(address: &str) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, lines: LineDecoder::new(LINE_BYTES), buffer: vec![0; 16 * 1024] })
    }

    fn send(&mut self, request: &Request) -> io::Result<()> {
        let mut line = request.to_line();
        line.push('\n');
        self.stream.write_all(line.as_bytes())
    }

    /// The next message; `None` if none arrives within `patience`.
    fn receive(&mut self, patience: Option<Duration>) -> Result<Option<Response>, ClientError> {
        let deadline = patience.map(|patience| Instant::now() + patience);
        loop {
            let line = self.lines.next_line().map_err(|error| ClientError::Server(error.to_string()))?;
            if let Some(line) = line {
                return match Response::parse(&line) {
                    Ok(Response::Error { reason, .. }) => Err(ClientError::Server(reason)),
                    Ok(response) => Ok(Some(response)),
                    Err(error) => Err(ClientError::Server(error)),
                };
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            self.stream.set_read_timeout(left)?;
            match self.stream.read(&mut self.buffer) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(n) => self.lines.push(&self.buffer[..n]),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {}
                    io::ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::net::TcpListener;

    use grandstand_rules::fortress::{Rules, Team, maps};
    use serde_json::json;

    use super::*;

    /// A server whose team has the units 1 and 2. It answers the first message of a unit with `answer`.
    fn server(answer: fn(u64) -> Response) -> Options {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for stream in listener.incoming().take(3) {
                let mut stream = stream.unwrap();
                thread::spawn(move || {
                    let mut line = String::new();
                    BufReader::new(stream.try_clone().unwrap()).read_line(&mut line).unwrap();
                    let request: serde_json::Value = serde_json::from_str(&line).unwrap();
                    let response = match request["id"].as_u64() {
                        Some(id) => answer(id),
                        None => Response::Units {
                            team: Team::Red,
                            ids: vec![1, 2],
                            secret: "s".to_owned(),
                            map: maps::SHIPPED[0].1.lines().map(str::to_owned).collect(),
                            rules: json!(Rules::default()),
                        },
                    };
                    writeln!(stream, "{}", response.to_line()).unwrap();
                    // The client closes the connection.
                    let _ = stream.read(&mut [0; 1]);
                });
            }
        });
        Options { team: ShippedTeam::Weak, address, secret: None, seed: 1 }
    }

    fn ended() -> Response {
        Response::GameEnd { id: None, won: Some(true), reason: "score".to_owned() }
    }

    #[test]
    fn an_error_of_any_unit_is_told() {
        assert_eq!(play(&server(|_| ended())).unwrap(), Some(true));
        let broken = |id| match id {
            1 => Response::Error { id: Some(1), reason: "no such unit".to_owned() },
            _ => ended(),
        };
        assert_eq!(play(&server(broken)).unwrap_err().to_string(), "no such unit");
    }
}

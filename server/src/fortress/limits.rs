//! Limits on those who connect to a match.

use std::time::Duration;

use thiserror::Error;

/// Limits on the port of a match. What happens past one is in the table of `server/FORTRESS-PROTOCOL.md`; it never costs
/// more than the connection, and the unit that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamLimits {
    /// Longest line in bytes without its end. Default 4,096.
    pub line_bytes: usize,
    /// Messages a second (of the match, where it runs faster) that a connection may send for long; above it the connection
    /// is read more slowly. Default 200.
    pub messages_per_second: u32,
    /// Bytes that may wait for a connection before it is read no further. Default 64 KiB.
    pub unread_bytes: usize,
    /// How long a connection may take nothing while something waits for it. Default 5 s.
    pub stall: Duration,
    /// How long a connection may stay without a message that says whose it is. Default 30 s.
    pub first_message: Duration,
    /// Messages of one connection that are none, or not its to send. Default 100.
    pub errors: u32,
    /// Connections that one unit may have after each other. Default 20.
    pub rejoins: u32,
    /// Open connections altogether. Default 256.
    pub connections: usize,
    /// How long a match waits for its teams, from the moment at which no seat is open any more. Default 60 s.
    pub join: Duration,
}

impl Default for TeamLimits {
    fn default() -> Self {
        Self {
            line_bytes: 4_096,
            messages_per_second: 200,
            unread_bytes: 64 * 1024,
            stall: Duration::from_secs(5),
            first_message: Duration::from_secs(30),
            errors: 100,
            rejoins: 20,
            connections: 256,
            join: Duration::from_secs(60),
        }
    }
}

/// A limit that was asked for by name can't be set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a limit of teams: expected NAME=VALUE, with a whole number above zero, for one of {names}", names = NAMES.join(", "))]
pub struct TeamLimitError(String);

/// The names that [`TeamLimits::set`] knows.
const NAMES: [&str; 9] = [
    "line-bytes",
    "messages-per-second",
    "unread-bytes",
    "stall-secs",
    "first-message-secs",
    "errors",
    "rejoins",
    "connections",
    "join-secs",
];

impl TeamLimits {
    /// Sets a limit from `NAME=VALUE`, as on the command line.
    ///
    /// # Errors
    /// [`TeamLimitError`] says what may stand there.
    pub fn set(&mut self, setting: &str) -> Result<(), TeamLimitError> {
        let wrong = || TeamLimitError(setting.to_owned());
        let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
        let value = value.parse::<u32>().ok().filter(|value| *value > 0).ok_or_else(wrong)?;
        let (size, time) = (value as usize, Duration::from_secs(value.into()));
        match name {
            "line-bytes" => self.line_bytes = size,
            "messages-per-second" => self.messages_per_second = value,
            "unread-bytes" => self.unread_bytes = size,
            "stall-secs" => self.stall = time,
            "first-message-secs" => self.first_message = time,
            "errors" => self.errors = value,
            "rejoins" => self.rejoins = value,
            "connections" => self.connections = size,
            "join-secs" => self.join = time,
            _ => return Err(wrong()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_limit_can_be_set() {
        for name in NAMES {
            let mut limits = TeamLimits::default();
            limits.set(&format!("{name}=7")).unwrap();
            assert_ne!(limits, TeamLimits::default(), "{name}");
        }
        for wrong in ["", "errors", "errors=0", "errors=-1", "colour=3", "join-secs=99999999999"] {
            assert!(
                TeamLimits::default().set(wrong).unwrap_err().to_string().contains("line-bytes"),
                "{wrong}"
            );
        }
    }
}

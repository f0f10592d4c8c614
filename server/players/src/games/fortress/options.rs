//! Settings of a match in real time: those that decide it, and those of its operation.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};

use super::limits::TeamLimits;
use super::player::Player;
use crate::input_file::InputTarget;
use crate::sandbox::{Isolation, Limits};

/// Everything that decides a match in real time, besides its teams' actions.
#[derive(Debug, Clone)]
pub struct LiveSpec {
    /// The settings in force.
    pub rules: Rules,
    /// The map.
    pub map: Map,
    /// The players.
    pub players: ByTeam<Team, Player>,
    /// Seed of the shipped teams.
    pub seed: u64,
    /// Settings of its operation.
    pub options: LiveOptions,
}

/// Settings of a match in real time that do not decide it.
#[derive(Clone)]
pub struct LiveOptions {
    /// Address that teams connect to; port 0 is any free port.
    pub listen: SocketAddr,
    /// Speed: seconds of the match that pass in one real second.
    pub speed: f64,
    /// Limits on connections.
    pub limits: TeamLimits,
    /// Limits on programs.
    pub program_limits: Limits,
    /// Isolation of the programs.
    pub isolation: Isolation,
    /// Paths that programs may read besides the directories of their files.
    pub readable: Vec<PathBuf>,
    /// Directory for the programs' output, with a file for each side.
    pub logs: Option<PathBuf>,
    /// Destination of the record of the match's inputs from outside.
    pub inputs: Option<InputTarget>,
    /// Path of the `grandstand` executable.
    pub grandstand: PathBuf,
    /// Receiver of messages for a person at the terminal.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
}

/// Default port of a match: that of the course whose handout defines the game.
pub const PORT: u16 = 3110;

impl LiveOptions {
    /// The defaults: port 3110 of this machine, real time, the sandbox as far as the system has it, messages discarded.
    pub fn new(grandstand: PathBuf) -> Self {
        Self {
            listen: SocketAddr::new(LOOPBACK, PORT),
            speed: 1.0,
            limits: TeamLimits::default(),
            program_limits: Limits::default(),
            isolation: Isolation::On,
            readable: Vec::new(),
            logs: None,
            inputs: None,
            grandstand,
            notice: Arc::new(|_| {}),
        }
    }
}

impl std::fmt::Debug for LiveOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveOptions").field("listen", &self.listen).finish_non_exhaustive()
    }
}

/// Address that a program on this machine connects to.
pub(super) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

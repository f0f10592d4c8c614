//! Settings of a match in real time: what decides it, and how it is held.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use grandstand_rules::fortress::{ByTeam, Map, Rules, Team};

use super::limits::TeamLimits;
use super::player::Player;
use crate::input_file::InputTarget;
use crate::sandbox::{Isolation, Limits};

/// All that decides a match in real time, besides what its teams do.
#[derive(Debug, Clone)]
pub struct LiveSpec {
    /// The settings in force.
    pub rules: Rules,
    /// Where it is played.
    pub map: Map,
    /// Who plays.
    pub players: ByTeam<Team, Player>,
    /// What shipped teams draw chance from.
    pub seed: u64,
    /// How it is held.
    pub options: LiveOptions,
}

/// What a match in real time needs besides what decides it.
#[derive(Clone)]
pub struct LiveOptions {
    /// Where teams connect to; port 0 is any.
    pub listen: SocketAddr,
    /// How many seconds of the match pass in one.
    pub speed: f64,
    /// Limits on who connects.
    pub limits: TeamLimits,
    /// Limits on programs.
    pub program_limits: Limits,
    /// How programs are kept in.
    pub isolation: Isolation,
    /// What programs may read besides the directories of their files.
    pub readable: Vec<PathBuf>,
    /// Where the programs' output is kept: a file for each side.
    pub logs: Option<PathBuf>,
    /// Where what happens from outside is recorded.
    pub inputs: Option<InputTarget>,
    /// This program's own file.
    pub grandstand: PathBuf,
    /// What a person at the terminal should know, in words.
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
}

/// The port that teams connect to: that of the course whose handout this is.
pub const PORT: u16 = 3110;

impl LiveOptions {
    /// The defaults: port 3110 of this machine, real time, everything kept in as far as it goes, nobody told anything.
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

/// What a program connects to on this machine.
pub(super) const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

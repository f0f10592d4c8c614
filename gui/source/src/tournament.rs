//! Tournament of a server: its report after every change, and the addresses of its documents.

use std::sync::mpsc::Receiver;

use grandstand_protocol::tournament::{Change, Report};

use crate::Control;
use crate::errors::SourceError;

/// The reports of a tournament, one after every change. Dropping it ends the polling.
#[derive(Debug)]
pub struct Reports {
    /// Each received report, or the failure.
    pub updates: Receiver<Result<Box<Report>, SourceError>>,
    pub(crate) control: Control,
}

impl Reports {
    /// Ends the pause before the next attempt.
    pub fn refresh(&self) {
        self.control.hurry();
    }
}

/// The progress of a tournament, after every change. Dropping it ends the polling.
#[derive(Debug)]
pub struct Progress {
    /// Each received state.
    pub updates: Receiver<Change>,
    pub(crate) control: Control,
}

impl Progress {
    /// Ends the pause before the next request.
    pub fn refresh(&self) {
        self.control.hurry();
    }
}

/// The path of the report on a server.
pub(crate) const REPORT: &str = "api/tournament";

/// The path of the report of changes after a revision.
pub(crate) fn changes(revision: u64) -> String {
    format!("{REPORT}/changes?after={revision}")
}

/// The path of the recording of a game.
pub fn recording(game: u64) -> String {
    format!("tournament/recordings/{game}.replay")
}

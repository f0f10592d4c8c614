//! Answers of the server that a view needs besides the report: games, a player, ratings over time.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use eframe::egui::Context;
use serde::de::DeserializeOwned;

use crate::address::Base;
use crate::source::{self, Refused};

/// Interval of polling for an answer.
const SOON: Duration = Duration::from_millis(60);

/// An answer, requested again when the tournament has changed.
#[derive(Debug)]
pub(super) struct Asked<T> {
    path: String,
    revision: u64,
    value: Option<T>,
    trouble: Option<String>,
    coming: Option<Receiver<Result<String, Refused>>>,
}

impl<T> Default for Asked<T> {
    fn default() -> Asked<T> {
        Asked { path: String::new(), revision: 0, value: None, trouble: None, coming: None }
    }
}

impl<T: DeserializeOwned> Asked<T> {
    /// The answer of `path` at this revision; until it arrives, the previous one of the same path. The error is a text.
    pub(super) fn want(
        &mut self,
        ctx: &Context,
        base: &Base,
        path: String,
        revision: u64,
    ) -> Result<Option<&T>, &str> {
        self.take();
        if self.path != path || (self.revision != revision && self.coming.is_none()) {
            if self.path != path {
                (self.value, self.trouble) = (None, None);
            }
            self.coming = Some(source::get(base, &path));
            (self.path, self.revision) = (path, revision);
        }
        if self.coming.is_some() {
            ctx.request_repaint_after(SOON);
        }
        match (&self.value, &self.trouble) {
            (None, Some(trouble)) => Err(trouble),
            (value, _) => Ok(value.as_ref()),
        }
    }

    fn take(&mut self) {
        let Some(coming) = &self.coming else { return };
        let answer = match coming.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err("the server was not asked".to_owned()),
            Ok(Err(refused)) => Err(refused.words),
            Ok(Ok(text)) => serde_json::from_str(&text).map_err(|error| error.to_string()),
        };
        self.coming = None;
        match answer {
            Ok(value) => (self.value, self.trouble) = (Some(value), None),
            Err(trouble) => self.trouble = Some(trouble),
        }
    }
}

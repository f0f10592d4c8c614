//! Answers of the server that a view needs besides the report: games, a player, ratings over time.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use eframe::egui::{Context, Ui};
use grandstand_board::theme::Palette;
use serde::de::DeserializeOwned;

use crate::address::Base;
use crate::source::{self, Refused};

/// Interval of polling for an answer.
const SOON: Duration = Duration::from_millis(60);
/// Time after a failure until the request is repeated.
const AGAIN: Duration = Duration::from_secs(5);

/// The value of an answer; shows the error, or that it is awaited, in the place of one.
pub(super) fn loaded<T>(ui: &mut Ui, answer: Result<Option<T>, &str>) -> Option<T> {
    match answer {
        Ok(Some(value)) => return Some(value),
        Ok(None) => drop(ui.spinner()),
        Err(trouble) => drop(ui.colored_label(Palette::of(ui.ctx()).error, trouble)),
    }
    None
}

/// An answer, requested again when the tournament has changed.
#[derive(Debug)]
pub(super) struct Asked<T> {
    path: String,
    revision: u64,
    value: Option<T>,
    trouble: Option<String>,
    /// Time of the last failure, in seconds of egui's clock.
    failed: Option<f64>,
    coming: Option<Receiver<Result<String, Refused>>>,
}

impl<T> Default for Asked<T> {
    fn default() -> Asked<T> {
        Asked { path: String::new(), revision: 0, value: None, trouble: None, failed: None, coming: None }
    }
}

impl<T: DeserializeOwned> Asked<T> {
    /// The answer of `path` at this revision; until it arrives, the previous one of the same path. The error is a text;
    /// the request is then repeated after a while.
    pub(super) fn want(
        &mut self,
        ctx: &Context,
        base: &Base,
        path: String,
        revision: u64,
    ) -> Result<Option<&T>, &str> {
        let now = ctx.input(|input| input.time);
        self.take(now);
        let wait = self.failed.map(|at| at + AGAIN.as_secs_f64() - now);
        let is_due =
            self.coming.is_none() && (self.revision != revision || wait.is_some_and(|wait| wait <= 0.0));
        if self.path != path || is_due {
            if self.path != path {
                (self.value, self.trouble) = (None, None);
            }
            (self.coming, self.failed) = (Some(source::get(base, &path)), None);
            (self.path, self.revision) = (path, revision);
        } else if let Some(wait) = wait {
            ctx.request_repaint_after(Duration::from_secs_f64(wait.max(0.0)));
        }
        if self.coming.is_some() {
            ctx.request_repaint_after(SOON);
        }
        match (&self.value, &self.trouble) {
            (None, Some(trouble)) => Err(trouble),
            (value, _) => Ok(value.as_ref()),
        }
    }

    fn take(&mut self, now: f64) {
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
            Err(trouble) => (self.trouble, self.failed) = (Some(trouble), Some(now)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::RawInput;
    use grandstand_testing::FakeServer;
    use std::io::Write as _;

    #[test]
    fn what_failed_is_asked_for_again_after_a_while() {
        let server = FakeServer::new();
        let url = server.url();
        let paths = server.run(|number, _, mut stream| {
            let status = if number == 0 { "503 Busy" } else { "200 OK" };
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: 1\r\nConnection: close\r\n\r\n7");
            let _ = stream.write_all(head.as_bytes());
        });
        let Ok(crate::address::Target::Server(base)) = url.parse() else { panic!("a server") };
        let (ctx, mut asked) = (Context::default(), Asked::<u32>::default());
        let mut at = |time: f64| {
            let mut answer = None;
            let mut shown = ctx.run_ui(RawInput { time: Some(time), ..RawInput::default() }, |ui| {
                answer = Some(
                    asked
                        .want(ui.ctx(), &base, "x".to_owned(), 1)
                        .map(|value| value.copied())
                        .map_err(str::to_owned),
                );
            });
            shown.textures_delta.clear();
            answer.expect("an answer")
        };
        while at(1.0) == Ok(None) {
            std::thread::yield_now();
        }
        assert!(at(2.0).is_err() && at(5.9).is_err());
        while at(6.1) != Ok(Some(7)) {
            std::thread::yield_now();
        }
        assert_eq!(paths.try_iter().count(), 2);
    }
}

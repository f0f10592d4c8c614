//! Requests to a server: documents and posts, once; the list of matches and the tournament, polled.
//!
//! Written once for both platforms: natively a [`Client`] is a thread that blocks within each call, in a browser it is a task of
//! the page.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

use grandstand_protocol::tournament::{Change, Report};
use serde_json::Value;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

use crate::address::Base;
#[cfg(not(target_arch = "wasm32"))]
use crate::native::{Client, call, spawn, text_of};
use crate::tournament::{Progress, REPORT, Reports, changes};
#[cfg(target_arch = "wasm32")]
use crate::web::{Client, call, spawn, text_of};
use crate::{Listing, PATIENCE, Refused, Wake};

/// The longest wait for a server's report of a change: longer than the servers' own limit.
const CHANGE: Duration = Duration::from_secs(40);
/// The interval between requests for the list of matches.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// The interval between requests to a server that does not wait for changes.
const REPORT_EVERY: Duration = Duration::from_secs(5);

/// Fetches a document of a server; the answer arrives on the channel, which is closed if there is none.
pub fn get(base: &Base, path: &str) -> Receiver<Result<String, Refused>> {
    ask(base, path, |answer, _| answer)
}

/// Fetches a document of a server, as [`get`], with the time that this took.
pub fn get_timed(base: &Base, path: &str) -> Receiver<(Result<String, Refused>, Duration)> {
    ask(base, path, |answer, took| (answer, took))
}

fn ask<T: Send + 'static>(
    base: &Base,
    path: &str,
    told: fn(Result<String, Refused>, Duration) -> T,
) -> Receiver<T> {
    let (sender, answers) = channel();
    let url = base.http(path);
    spawn("get", async move || {
        let began = Instant::now();
        let answer = text_of(&url).await;
        // The viewer may be gone.
        let _ = sender.send(told(answer, began.elapsed()));
    });
    answers
}

/// Posts a JSON body to the server; the answer arrives on the channel, which is closed if there is none.
pub fn post(base: &Base, path: &str, body: String, wake: Wake) -> Receiver<Result<Value, Refused>> {
    let (sender, answers) = channel();
    let url = base.http(path);
    spawn("post", async move || {
        // The viewer may be gone.
        let _ = sender.send(call(&url, &body).await);
        wake();
    });
    answers
}

/// Polls a server's list of matches every few seconds.
pub fn watch_list(base: Base, wake: Wake) -> Listing {
    let (sender, updates) = channel();
    let feed = Arc::new(AtomicU16::new(0));
    let told = Arc::clone(&feed);
    let control = Client::spawn("list", async move |client: Client| {
        loop {
            let answer = client.document_and_feed(&base, "api/matches", PATIENCE).await;
            if let Ok((_, port)) = &answer {
                told.store(port.unwrap_or(0), Ordering::Relaxed);
            }
            if sender.send(answer.map(|(list, _)| list)).is_err() {
                return;
            }
            wake();
            if !client.pause(LIST_EVERY).await {
                return;
            }
        }
    });
    Listing { updates, feed, control }
}

/// Reads the tournament of a server, and reads it again after every change.
pub fn watch_tournament(base: Base, wake: Wake) -> Reports {
    let (sender, updates) = channel();
    let control = Client::spawn("tournament", async move |client: Client| {
        while !client.stopped() {
            let report = client.document::<Box<Report>>(&base, REPORT, PATIENCE).await;
            let revision = report.as_ref().ok().map(|report| report.revision);
            if sender.send(report).is_err() {
                return;
            }
            wake();
            let goes_on = match revision {
                Some(revision) => changed(&client, &base, revision).await,
                None => client.pause(REPORT_EVERY).await,
            };
            if !goes_on {
                return;
            }
        }
    });
    Reports { updates, control }
}

/// Reads the progress of a server's tournament, and reads it again after every change; nothing of a server without one.
pub fn watch_progress(base: Base, wake: Wake) -> Progress {
    let (sender, updates) = channel();
    let control = Client::spawn("progress", async move |client: Client| {
        // A revision that never exists is answered at once.
        let mut known = None;
        while !client.stopped() {
            match client.document::<Change>(&base, &changes(known.unwrap_or(u64::MAX)), CHANGE).await {
                Ok(told) => {
                    let over = told.over;
                    if known.replace(told.revision) != Some(told.revision) && sender.send(told).is_err() {
                        return;
                    }
                    wake();
                    if over {
                        return;
                    }
                }
                Err(_) if known.is_none() => return,
                Err(_) => {}
            }
            if !client.pause(LIST_EVERY).await {
                return;
            }
        }
    });
    Progress { updates, control }
}

/// Waits until there is another revision, or the server fails; returns `false` to stop.
async fn changed(client: &Client, base: &Base, revision: u64) -> bool {
    while !client.stopped() {
        match client.document::<Change>(base, &changes(revision), CHANGE).await {
            Err(_) => return client.pause(REPORT_EVERY).await,
            Ok(told) if told.revision != revision => return true,
            // A server answers at once when everything is over.
            Ok(told) if told.over && !client.pause(REPORT_EVERY).await => return false,
            Ok(_) => {}
        }
    }
    false
}

//! HTTP requests: the list of matches, and recordings.

use std::io::Read;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use grandstand_protocol::Summary;
use grandstand_replays::{Limits, Loader, OpenError, Replay};
use serde::de::DeserializeOwned;
use ureq::Agent;

use super::file::load;
use super::live::reason;
use super::{Control, Shared, tls};
use crate::address::Base;
use crate::errors::Trouble;
use crate::tournament::{Change, REPORT, REPORT_EVERY, Report, Reports, changes};
use crate::{Feed, Listing, Refused, Update, Wake, parse_answer};

/// The interval between requests for the list of matches.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// The longest wait for a server's report of a change: longer than the servers' own limit.
const CHANGE: Duration = Duration::from_secs(40);
/// The maximal size of a list in bytes.
const LIST_BYTES: u64 = 16 << 20;
/// The maximal size of an answer in bytes, enough for the largest request of commands.
const ANSWER_BYTES: u64 = 64 << 20;
/// The maximal size of an error in bytes.
const ERROR_BYTES: u64 = 64 << 10;

fn agent() -> Agent {
    patient_agent(Duration::from_secs(10))
}

/// An HTTP agent with a timeout for the beginning of a response.
fn patient_agent(patience: Duration) -> Agent {
    let config = Agent::config_builder().timeout_connect(Some(Duration::from_secs(5)));
    config.timeout_recv_response(Some(patience)).tls_config(tls::config()).build().new_agent()
}

/// Polls a server's list of matches every few seconds.
pub fn watch_list(base: Base, wake: Wake) -> Listing {
    let (sender, updates) = channel();
    let control = Control::spawn("list", move |shared| {
        let agent = agent();
        loop {
            let list = list(&agent, &base);
            if sender.send(list).is_err() {
                return;
            }
            wake();
            if !shared.pause(LIST_EVERY) {
                return;
            }
        }
    });
    Listing { updates, control }
}

/// Reads the tournament of a server, and reads it again after every change.
pub fn watch_tournament(base: Base, wake: Wake) -> Reports {
    let (sender, updates) = channel();
    let control = Control::spawn("tournament", move |shared| {
        let (agent, patient) = (agent(), patient_agent(CHANGE));
        while !shared.stopped() {
            let report = answer::<Box<Report>>(&agent, &base, REPORT);
            let revision = report.as_ref().ok().map(|report| report.revision);
            if sender.send(report).is_err() {
                return;
            }
            wake();
            let goes_on = match revision {
                Some(revision) => changed(&patient, &base, revision, shared),
                None => shared.pause(REPORT_EVERY),
            };
            if !goes_on {
                return;
            }
        }
    });
    Reports { updates, control }
}

/// Waits until there is another revision, or the server fails; returns `false` to stop.
fn changed(agent: &Agent, base: &Base, revision: u64, shared: &Shared) -> bool {
    while !shared.stopped() {
        match answer::<Change>(agent, base, &changes(revision)) {
            Err(_) => return shared.pause(REPORT_EVERY),
            Ok(told) if told.revision != revision => return true,
            // A server answers at once when everything is over.
            Ok(told) if told.over && !shared.pause(REPORT_EVERY) => return false,
            Ok(_) => {}
        }
    }
    false
}

fn list(agent: &Agent, base: &Base) -> Result<Vec<Summary>, Trouble> {
    answer(agent, base, "api/matches")
}

/// Fetches a JSON document of the server.
fn answer<T: DeserializeOwned>(agent: &Agent, base: &Base, path: &str) -> Result<T, Trouble> {
    let failed = |error: ureq::Error| match error {
        ureq::Error::StatusCode(404) if path == REPORT => Trouble::no_tournament(base),
        ureq::Error::StatusCode(status) => Trouble::not_a_server(base, &format!("it answers {status}")),
        ureq::Error::Protocol(_) | ureq::Error::Http(_) => {
            Trouble::not_a_server(base, "it does not speak HTTP")
        }
        error => match distrust(&error) {
            Some(why) => Trouble::distrusted(&base.http(""), &why),
            None => Trouble::unreachable(base, &words(&error)),
        },
    };
    let mut response = agent.get(base.http(path)).call().map_err(failed)?;
    let text = response.body_mut().with_config().limit(LIST_BYTES).read_to_string().map_err(failed)?;
    serde_json::from_str(&text).map_err(|error| Trouble::not_a_server(base, &error.to_string()))
}

/// Fetches a document of a server; the answer arrives on the channel.
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
    let work = move || {
        let refused = |error: ureq::Error| match error {
            ureq::Error::StatusCode(status) => {
                Refused { status: Some(status), words: format!("the server answers {status}") }
            }
            error => Refused::silent(&words(&error)),
        };
        let call = || {
            let mut response = agent().get(&url).call().map_err(refused)?;
            response.body_mut().with_config().limit(ANSWER_BYTES).read_to_string().map_err(refused)
        };
        let began = Instant::now();
        let answer = call();
        // The viewer may be gone.
        let _ = sender.send(told(answer, began.elapsed()));
    };
    // If the thread can't start, the channel is closed at once, which counts as a failure.
    drop(std::thread::Builder::new().name("get".to_owned()).spawn(work));
    answers
}

/// Opens a recording at a URL.
pub fn open_recording(url: String, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn("fetch", move |shared: &Shared| {
        let failed = |trouble| {
            let _ = sender.send(Update::Failed(trouble));
            wake();
        };
        let response = match agent().get(&url).call() {
            Ok(response) => response,
            Err(error) => {
                return failed(match distrust(&error) {
                    Some(why) => Trouble::distrusted(&url, &why),
                    None => Trouble::not_fetched(&url, &words(&error)),
                });
            }
        };
        let length = response.body().content_length().unwrap_or(0);
        let mut reader = response.into_body().into_reader();
        load(shared, &sender, &wake, &url, length, |buffer| {
            reader.read(buffer).map_err(|error| Trouble::not_fetched(&url, &reason(&error)))
        });
    });
    Feed { updates, control }
}

/// Fetches a whole recording, with the token of a program's owner if one is given. Waits for it.
///
/// # Errors
/// A message, if the server does not hand it over, or it is no recording.
pub fn fetch_recording(url: &str, token: Option<&str>) -> Result<Replay, String> {
    let lost = |reason: &str| format!("The recording could not be fetched: {reason}.");
    let request = agent().get(url).config().http_status_as_error(false).build();
    let request = match token {
        Some(token) => request.header("authorization", format!("Bearer {token}")),
        None => request,
    };
    let mut response = request.call().map_err(|error| lost(&words(&error)))?;
    if !response.status().is_success() {
        let status = response.status().as_u16();
        let told = response.body_mut().with_config().limit(ERROR_BYTES).read_to_string().unwrap_or_default();
        let told = parse_answer(status, &told).err().map_or_else(String::new, |refused| refused.words);
        return Err(format!("The server does not hand over the recording: {told}."));
    }
    let mut reader = response.into_body().into_reader();
    let (mut loader, mut buffer) = (Loader::new(Limits::default()), vec![0; 64 << 10]);
    let none = |error: OpenError| format!("What came is no recording: {error}.");
    while !loader.is_over() {
        match reader.read(&mut buffer).map_err(|error| lost(&reason(&error)))? {
            0 => break,
            count => loader.push(&buffer[..count]).map_err(none)?,
        }
    }
    loader.finish().map_err(none)
}

/// The reason why the server is not trusted, if that is the error.
fn distrust(error: &ureq::Error) -> Option<String> {
    match error {
        ureq::Error::Io(error) => tls::distrust(error),
        ureq::Error::Rustls(error) => Some(error.to_string()),
        _ => None,
    }
}

/// Describes an error of the HTTP client in a few words.
pub(super) fn words(error: &ureq::Error) -> String {
    match error {
        ureq::Error::StatusCode(404) => "there is nothing at this address (404)".to_owned(),
        ureq::Error::StatusCode(status) => format!("the server answers {status}"),
        ureq::Error::Io(error) => reason(error),
        ureq::Error::Timeout(_) => "no answer".to_owned(),
        ureq::Error::HostNotFound => "the host's name is not known".to_owned(),
        ureq::Error::ConnectionFailed => "connection refused".to_owned(),
        other => other.to_string(),
    }
}

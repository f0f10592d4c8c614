//! HTTP requests: documents and recordings.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use grandstand_replays::{Limits, Loader, OpenError, Replay};
use serde::de::DeserializeOwned;
use ureq::Agent;

use super::file::load;
use super::live::reason;
use super::{Control, Shared, block_on, tls};
use crate::address::Base;
use crate::errors::SourceError;
use crate::tournament::REPORT;
use crate::{FEED_PORT, Feed, PATIENCE, Refused, Update, Wake, parse_answer};

/// The maximal size of a list in bytes.
const LIST_BYTES: u64 = 16 << 20;
/// The maximal size of an answer in bytes, enough for the largest request of commands.
const ANSWER_BYTES: u64 = 64 << 20;
/// The maximal size of an error in bytes.
const ERROR_BYTES: u64 = 64 << 10;

/// The longest silence within an answer.
const SILENCE: Duration = Duration::from_secs(30);

/// A client that gives up after a silence, also in the middle of a body.
fn agent(silence: Duration) -> Agent {
    let config = Agent::config_builder().timeout_connect(Some(Duration::from_secs(5)));
    let config = config.timeout_per_read(Some(silence)).timeout_per_write(Some(silence));
    config.timeout_recv_response(Some(PATIENCE)).tls_config(tls::config()).build().new_agent()
}

/// A thread that asks a server repeatedly.
pub(crate) struct Client {
    shared: Arc<Shared>,
    agent: Agent,
}

impl Client {
    /// Starts the thread.
    pub(crate) fn spawn(name: &str, work: impl AsyncFnOnce(Client) + Send + 'static) -> Control {
        Control::spawn(name, move |shared| {
            let agent = agent(SILENCE);
            if shared.waits_for(&agent) {
                block_on(work(Client { shared: Arc::clone(shared), agent }));
            }
        })
    }

    /// Whether the thread was stopped.
    pub(crate) fn stopped(&self) -> bool {
        self.shared.stopped()
    }

    /// Waits for the duration, or until hurried or stopped; returns `false` if the thread was stopped.
    pub(crate) async fn pause(&self, duration: Duration) -> bool {
        self.shared.pause(duration)
    }

    /// Fetches a JSON document of a server, whose response begins within `patience`.
    pub(crate) async fn document<T: DeserializeOwned>(
        &self,
        base: &Base,
        path: &str,
        patience: Duration,
    ) -> Result<T, SourceError> {
        self.document_and_feed(base, path, patience).await.map(|(document, _)| document)
    }

    /// A JSON document as by [`Client::document`], and the server's port for game servers if it says it.
    pub(crate) async fn document_and_feed<T: DeserializeOwned>(
        &self,
        base: &Base,
        path: &str,
        patience: Duration,
    ) -> Result<(T, Option<u16>), SourceError> {
        let failed = |error: ureq::Error| match error {
            ureq::Error::StatusCode(404) if path == REPORT => SourceError::no_tournament(base),
            ureq::Error::StatusCode(status) => {
                SourceError::not_a_server(base, &format!("it answers {status}"))
            }
            ureq::Error::Protocol(_) | ureq::Error::Http(_) => {
                SourceError::not_a_server(base, "it does not speak HTTP")
            }
            error => match distrust(&error) {
                Some(why) => SourceError::distrusted(&base.http(""), &why),
                None => SourceError::unreachable(base, &words(&error)),
            },
        };
        let config = self.agent.get(base.http(path)).config().timeout_recv_response(Some(patience));
        let request = config.timeout_per_read(Some(patience.max(SILENCE))).build();
        let mut response = request.call().map_err(failed)?;
        let text = response.body_mut().with_config().limit(LIST_BYTES).read_to_string().map_err(failed)?;
        let feed = response.headers().get(FEED_PORT).and_then(|port| port.to_str().ok()?.parse().ok());
        let document = serde_json::from_str(&text);
        let document = document.map_err(|error| SourceError::not_a_server(base, &error.to_string()))?;
        Ok((document, feed))
    }
}

/// Fetches the text of a document.
pub(crate) async fn text_of(url: &str) -> Result<String, Refused> {
    let refused = |error: ureq::Error| match error {
        ureq::Error::StatusCode(status) => {
            Refused { status: Some(status), words: format!("the server answers {status}") }
        }
        error => Refused::silent(&words(&error)),
    };
    let mut response = agent(SILENCE).get(url).call().map_err(refused)?;
    response.body_mut().with_config().limit(ANSWER_BYTES).read_to_string().map_err(refused)
}

/// Opens a recording at a URL.
pub fn open_recording(url: String, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn("fetch", move |shared| {
        let failed = |trouble| {
            let _ = sender.send(Update::Failed(trouble));
            wake();
        };
        let agent = agent(SILENCE);
        if !shared.waits_for(&agent) {
            return;
        }
        let response = match agent.get(&url).call() {
            Ok(response) => response,
            Err(error) => {
                return failed(match distrust(&error) {
                    Some(why) => SourceError::distrusted(&url, &why),
                    None => SourceError::not_fetched(&url, &words(&error)),
                });
            }
        };
        let length = response.body().content_length().unwrap_or(0);
        let mut reader = response.into_body().into_reader();
        load(shared, &sender, &wake, &url, length, |buffer| {
            reader.read(buffer).map_err(|error| SourceError::not_fetched(&url, &reason(&error)))
        });
    });
    Feed { updates, control }
}

/// Fetches a whole recording, with the token of a program's owner if one is given. Waits for it.
///
/// # Errors
/// A message, if the server does not hand it over, falls silent, or it is no recording.
pub fn fetch_recording(url: &str, token: Option<&str>) -> Result<Replay, String> {
    fetch(&agent(SILENCE), url, token)
}

fn fetch(agent: &Agent, url: &str, token: Option<&str>) -> Result<Replay, String> {
    let lost = |reason: &str| format!("The recording could not be fetched: {reason}.");
    let request = agent.get(url).config().http_status_as_error(false).build();
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

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write as _};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// The address of a server, and its connection after a client asked and was sent half of a recording.
    fn half_a_recording() -> (String, std::thread::JoinHandle<TcpStream>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/half.replay", listener.local_addr().unwrap());
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.extend(byte);
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n";
            let body = "{\"grandstand\":1,\"game\":\"abalone\",\"title\":\"\",\"teams\":[]}\n[0.5,\"c\",\"turns 1\"]\n";
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
            stream
        });
        (url, server)
    }

    #[test]
    fn a_recording_that_stays_half_is_left_when_its_viewer_goes() {
        let (url, server) = half_a_recording();
        let feed = open_recording(url, std::sync::Arc::new(|| {}));
        let mut stream = server.join().unwrap();
        let Update::Recording { .. } = feed.updates.recv().unwrap() else { panic!("no first part") };
        drop(feed);
        // Only as long as the test may last.
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        match stream.read(&mut [0; 8]) {
            Ok(read) => assert_eq!(read, 0),
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
        }
    }

    #[test]
    fn a_server_that_falls_silent_is_waited_for_no_longer_than_its_limit() {
        let (url, server) = half_a_recording();
        let error = fetch(&agent(Duration::from_millis(100)), &url, None).unwrap_err();
        assert!(error.starts_with("The recording could not be fetched: "), "{error}");
        drop(server.join());
    }
}

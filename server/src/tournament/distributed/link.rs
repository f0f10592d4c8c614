//! A worker's requests to its director.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::sha256;
use hyper::header::RETRY_AFTER;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::messages::Session;
use super::report::Upload;
use super::service::SESSION;
use super::token::Token;
use super::wire::{CONTENT_BYTES, MESSAGE_BYTES, Message, decode, encode};

/// Time limits for a connection, for the beginning of an answer, and for sending and receiving a body.
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(20);
const BODY: Duration = Duration::from_secs(300);
/// Longest refusal that is read, in bytes.
const WORDS: u64 = 64 << 10;

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// The director can't be reached, or does not answer; it may be there later.
    #[error("{0}")]
    Away(String),
    /// The director can't take a request now, in its words, and names the time to wait, if it does.
    #[error("{0}")]
    Busy(String, Option<Duration>),
    /// The director does not know the session: it was started again, or holds this worker for lost.
    #[error("the director does not know this session")]
    Session,
    /// The director refuses, in its words.
    #[error("{0}")]
    Refused(String),
}

/// The way to a director.
#[derive(Debug)]
pub(super) struct Link {
    agent: Agent,
    base: String,
    token: Token,
}

impl Link {
    /// The way to the director at `url`, which is trusted by the system's certificates, or by those in the file `ca`.
    ///
    /// # Errors
    /// If the address is no address of a director, or the certificates can't be read.
    pub(super) fn new(url: &str, token: Token, ca: Option<&Path>) -> anyhow::Result<Self> {
        let base = url.trim_end_matches('/');
        let parsed: hyper::Uri = base.parse().ok().with_context(|| wrong(url))?;
        let host = parsed.host().with_context(|| wrong(url))?;
        if parsed.path_and_query().is_some_and(|path| path.as_str() != "/") {
            bail!("{}", wrong(url));
        }
        match parsed.scheme_str() {
            Some("https") => {}
            Some("http") if is_loopback(host) => {}
            Some("http") => bail!(
                "--to {url}: a director on another machine is spoken to by HTTPS; its address begins with https://"
            ),
            _ => bail!("{}", wrong(url)),
        }
        let roots: Vec<CertificateDer<'static>> = match ca {
            Some(path) => {
                let read =
                    CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
                read.with_context(|| format!("can't read the certificates in {}", path.display()))?
            }
            None => rustls_native_certs::load_native_certs().certs,
        };
        let roots: Vec<_> = roots.iter().map(|root| Certificate::from_der(root).to_owned()).collect();
        let tls = TlsConfig::builder()
            .root_certs(RootCerts::Specific(Arc::new(roots)))
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
            .build();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .tls_config(tls)
            .timeout_connect(Some(CONNECT))
            .timeout_recv_response(Some(ANSWER))
            .timeout_send_body(Some(BODY))
            .timeout_recv_body(Some(BODY));
        Ok(Self { agent: config.build().new_agent(), base: base.to_owned(), token })
    }

    /// The director's address.
    pub(super) fn address(&self) -> &str {
        &self.base
    }

    /// Sends a message; the answer is another.
    pub(super) fn ask<T: Message>(&self, path: &str, message: &impl Message) -> Result<T, LinkError> {
        let answer = self.post(path, message)?;
        decode(&answer)
            .map_err(|error| LinkError::Refused(format!("the director's answer is wrong: {error}")))
    }

    /// Sends a message; the answer is bytes.
    pub(super) fn post(&self, path: &str, message: &impl Message) -> Result<Vec<u8>, LinkError> {
        let request = self.agent.post(format!("{}/api/worker/{path}", self.base));
        let request = request.header("authorization", self.token.header());
        read(request.content_type("application/json").send(&encode(message)[..]), MESSAGE_BYTES as u64)
    }

    /// Fetches a content by its hash.
    pub(super) fn content(&self, hash: &str) -> Result<Vec<u8>, LinkError> {
        let request = self.agent.get(format!("{}/api/worker/content/{hash}", self.base));
        read(request.header("authorization", self.token.header()).call(), CONTENT_BYTES)
    }

    /// Uploads a recording.
    pub(super) fn upload(&self, session: &Session, bytes: &[u8]) -> Result<Upload, LinkError> {
        let sha256 = sha256(bytes);
        let request = self.agent.put(format!("{}/api/worker/recordings/{sha256}", self.base));
        let request = request.header("authorization", self.token.header()).header(SESSION, &session.0);
        read(request.content_type("application/zstd").send(bytes), WORDS)?;
        Ok(Upload { sha256, bytes: bytes.len() as u64 })
    }
}

fn wrong(url: &str) -> String {
    format!("--to {url}: expected the address of a director, such as https://director.example.org:8128")
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The body of a successful answer of at most `most` bytes.
fn read(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    most: u64,
) -> Result<Vec<u8>, LinkError> {
    let mut answer = answer.map_err(|error| failed(&error))?;
    let status = answer.status().as_u16();
    let most = if status == 200 { most } else { WORDS };
    let after = answer.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
    let body = answer.body_mut().with_config().limit(most).read_to_vec().map_err(|error| failed(&error))?;
    let words = || -> String {
        let said = serde_json::from_slice::<serde_json::Value>(&body).ok();
        let said = said.and_then(|said| Some(said.get("error")?.as_str()?.chars().take(2000).collect()));
        said.unwrap_or_else(|| format!("the answer is {status}, and not a director's"))
    };
    match status {
        200 => Ok(body),
        410 => Err(LinkError::Session),
        408 | 429 | 500..=599 => Err(LinkError::Busy(words(), after.map(Duration::from_secs))),
        _ => Err(LinkError::Refused(words())),
    }
}

fn failed(error: &ureq::Error) -> LinkError {
    let untrusted = |error: &rustls::Error| {
        // Any other error may be gone with the next connection.
        let rustls::Error::InvalidCertificate(why) = error else { return LinkError::Away(error.to_string()) };
        let why = format!("{why:?}");
        // What `openssl req -x509` makes unless it is told otherwise.
        let help = if why.contains("CaUsedAsEndEntity") {
            "it is an authority's, not a server's: make it with basicConstraints=CA:FALSE"
        } else {
            "--ca FILE names one that vouches for it"
        };
        LinkError::Refused(format!("the director's certificate is not trusted ({why}); {help}"))
    };
    match error {
        ureq::Error::Rustls(error) => untrusted(error),
        ureq::Error::Io(error) => {
            let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
            match (inner, error.kind()) {
                (Some(inner), _) => untrusted(inner),
                (None, io::ErrorKind::ConnectionRefused) => LinkError::Away("connection refused".to_owned()),
                (None, _) => LinkError::Away(error.to_string()),
            }
        }
        ureq::Error::Timeout(_) => LinkError::Away("no answer".to_owned()),
        ureq::Error::ConnectionFailed => LinkError::Away("connection refused".to_owned()),
        ureq::Error::HostNotFound => LinkError::Away("the host's name is not known".to_owned()),
        ureq::Error::BodyExceedsLimit(most) => {
            LinkError::Refused(format!("the director's answer has more than {most} bytes"))
        }
        other => LinkError::Away(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_directors_are_told_from_others() {
        let folder = grandstand_testing::Folder::new();
        let token = || Token::read_or_make(&folder.join("token")).unwrap();
        for url in ["https://a.example.org:8128", "https://a/", "http://127.0.0.1:1", "http://[::1]:1"] {
            assert!(Link::new(url, token(), None).is_ok(), "{url}");
        }
        for url in ["", "a.example.org:8128", "ftp://a", "https://a/path", "https:///"] {
            let error = Link::new(url, token(), None).unwrap_err().to_string();
            assert!(error.contains("expected the address of a director"), "{url}: {error}");
        }
        let error = Link::new("http://a.example.org", token(), None).unwrap_err().to_string();
        assert!(error.contains("is spoken to by HTTPS"), "{error}");
    }

    #[test]
    fn a_director_that_is_busy_says_for_how_long() {
        let answer = |after: &str| {
            let body = ureq::Body::builder().data(r#"{"error":"too many"}"#);
            let answer = ureq::http::Response::builder().status(503).header("retry-after", after);
            read(Ok(answer.body(body).unwrap()), WORDS)
        };
        for (after, said) in [("5", Some(5)), ("0", Some(0)), ("Tue, 24 Nov 2026 04:20:00 GMT", None)] {
            let Err(LinkError::Busy(words, wait)) = answer(after) else {
                panic!("{after} is taken for success")
            };
            assert_eq!((&*words, wait), ("too many", said.map(Duration::from_secs)), "{after}");
        }
    }
}

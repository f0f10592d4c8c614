//! A worker's requests to its director by HTTP.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use grandstand_matches::bundle::sha256;
use hyper::header::RETRY_AFTER;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::link::{LinkError, Transport, outcome};
use super::messages::Session;
use super::report::Upload;
use super::requests::Request;
use super::service::SESSION;
use super::token::Token;
use super::wire::{CONTENT_BYTES, MESSAGE_BYTES};
use crate::http::tls::certificates;

/// Time limits for a connection, for the beginning of an answer, and for sending and receiving a body.
const CONNECT: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_secs(20);
const BODY: Duration = Duration::from_secs(300);
/// Longest refusal that is read, in bytes.
const WORDS: u64 = 64 << 10;

/// The way to a director by HTTP.
#[derive(Debug)]
pub(super) struct HttpLink {
    agent: Agent,
    base: String,
    token: Token,
}

impl HttpLink {
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
            Some(path) => certificates(path).context("the certificates of --ca")?,
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
}

impl Transport for HttpLink {
    fn address(&self) -> &str {
        &self.base
    }

    fn send(&self, request: Request, body: &[u8]) -> Result<Vec<u8>, LinkError> {
        let sent = self.agent.post(format!("{}/api/worker/{}", self.base, request.name()));
        let sent = sent.header("authorization", self.token.header());
        read(Some(request), sent.content_type("application/json").send(body), MESSAGE_BYTES as u64)
    }

    fn content(&self, hash: &str) -> Result<Vec<u8>, LinkError> {
        let request = self.agent.get(format!("{}/api/worker/content/{hash}", self.base));
        read(None, request.header("authorization", self.token.header()).call(), CONTENT_BYTES)
    }

    fn upload(&self, session: &Session, bytes: &[u8]) -> Result<Upload, LinkError> {
        let sha256 = sha256(bytes);
        let request = self.agent.put(format!("{}/api/worker/recordings/{sha256}", self.base));
        let request = request.header("authorization", self.token.header()).header(SESSION, &session.0);
        read(None, request.content_type("application/zstd").send(bytes), WORDS)?;
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
    request: Option<Request>,
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    most: u64,
) -> Result<Vec<u8>, LinkError> {
    let mut answer = answer.map_err(|error| failed(&error))?;
    let status = answer.status().as_u16();
    let most = if status == 200 { most } else { WORDS };
    let after = answer.headers().get(RETRY_AFTER).and_then(|after| after.to_str().ok()?.parse().ok());
    let body = answer.body_mut().with_config().limit(most).read_to_vec().map_err(|error| failed(&error))?;
    outcome(request, status, after, body)
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
            assert!(HttpLink::new(url, token(), None).is_ok(), "{url}");
        }
        for url in ["", "a.example.org:8128", "ftp://a", "https://a/path", "https:///"] {
            let error = HttpLink::new(url, token(), None).unwrap_err().to_string();
            assert!(error.contains("expected the address of a director"), "{url}: {error}");
        }
        let error = HttpLink::new("http://a.example.org", token(), None).unwrap_err().to_string();
        assert!(error.contains("is spoken to by HTTPS"), "{error}");
    }

    #[test]
    fn a_time_to_wait_that_is_no_number_is_none() {
        for (after, said) in [("5", Some(5)), ("0", Some(0)), ("Tue, 24 Nov 2026 04:20:00 GMT", None)] {
            let body = ureq::Body::builder().data(r#"{"error":"too many"}"#);
            let answer = ureq::http::Response::builder().status(503).header("retry-after", after);
            let Err(LinkError::Busy(_, wait)) = read(None, Ok(answer.body(body).unwrap()), WORDS) else {
                panic!("{after} is taken for success")
            };
            assert_eq!(wait, said.map(Duration::from_secs), "{after}");
        }
    }
}

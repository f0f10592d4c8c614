//! Connection to NATS, and its errors.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::{ContextBuilder, RequestErrorKind};
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, jetstream};
use tokio::sync::watch;

use super::{NatsRole, NatsSettings};
use crate::http::tls::{TlsError, certificates};

/// Time limit for a request of JetStream, and for the acknowledgement of a message.
const PATIENCE: Duration = Duration::from_secs(4);
/// Silence after which the client asks whether the server is still there.
const PING: Duration = Duration::from_secs(4);
/// Longest pause between two attempts to connect again. Workers have to be back within the time of a lease.
const RECONNECT: Duration = Duration::from_secs(1);
/// Longest name of a server.
const NAME: usize = 64;

/// Reason for which NATS can't be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// The address can't be parsed.
    #[error(
        "`{url}` is no address of a NATS server ({why}): expected such as nats://127.0.0.1:4222 or tls://user:password@host"
    )]
    Url {
        /// The address, without a password.
        url: String,
        /// The fault.
        why: String,
    },
    /// The name of this server can't be used.
    #[error("`{0}` is no name of a server: expected 1 to 64 letters, digits, - and _ (--nats-name)")]
    Name(String),
    /// The file with credentials can't be used.
    #[error("the credentials {path}: {source}")]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The fault.
        source: io::Error,
    },
    /// The file with certificates can't be used.
    #[error("the certificates of --nats-ca, {0}")]
    Certificates(#[from] TlsError),
    /// The server refuses the credentials, or wants some.
    #[error(
        "the NATS server at {0} refuses these credentials: expected nats://USER:PASSWORD@HOST, nats://TOKEN@HOST or --nats-creds FILE"
    )]
    Refused(String),
    /// TLS can't be begun.
    #[error("no encrypted connection to the NATS server at {url}: {why}")]
    Tls {
        /// The server.
        url: String,
        /// The fault.
        why: String,
    },
    /// The server can't be reached.
    #[error("the NATS server at {url} can't be reached: {why}")]
    Away {
        /// The server.
        url: String,
        /// The fault.
        why: String,
    },
    /// The server has no JetStream.
    #[error(
        "the NATS server at {0} has JetStream off: start it with `nats-server -js`, or switch it on for this account"
    )]
    JetStream(String),
    /// The server does not have room for the streams.
    #[error(
        "the NATS server at {url} has too little storage for {what}, {mib} MiB: give JetStream more, or take less with {limit}=N"
    )]
    Storage {
        /// The server.
        url: String,
        /// The stream or bucket.
        what: &'static str,
        /// Its size.
        mib: u64,
        /// The option and the limit that set it.
        limit: &'static str,
    },
    /// A request of JetStream failed.
    #[error("the NATS server at {url}: {what}: {why}")]
    Request {
        /// The server.
        url: String,
        /// The stream or bucket.
        what: &'static str,
        /// The fault.
        why: String,
    },
}

/// Messages of the whole connection that may wait for their acknowledgement. It is more than all exporters together have in
/// flight: each has a limit of its own, and a publisher that waited here would hold what others wait for.
const IN_FLIGHT: usize = 1 << 24;

/// A connection to NATS. It reconnects by itself.
#[derive(Debug, Clone)]
pub struct Link {
    pub(super) settings: NatsSettings,
    pub(crate) client: Client,
    pub(crate) jetstream: jetstream::Context,
    /// The addresses without user and password.
    pub(crate) shown: String,
    /// Number of times that the connection was made.
    pub(crate) connected: watch::Receiver<u64>,
}

impl Link {
    /// Connects. A server that can't be reached is no error, nor is a JetStream that does not answer, as in a cluster that has
    /// no leader yet: the log says so, and it is tried again and again.
    ///
    /// # Errors
    /// [`NatsError`] if the address, the name or the credentials are invalid, or the server has no JetStream.
    pub async fn open(settings: NatsSettings) -> Result<Self, NatsError> {
        check_name(&settings)?;
        let (servers, shown) = servers(&settings.url)?;
        let (sender, connected) = watch::channel(0);
        let options = options(&settings, &servers, &Arc::new(sender)).await?;
        let client = match reach(options.clone(), &servers, &shown).await {
            Ok(client) => client,
            Err(NatsError::Away { why, .. }) => {
                tracing::warn!(
                    nats = shown,
                    error = why,
                    "NATS can't be reached; it is tried again and again"
                );
                let later = options.retry_on_initial_connect().connect(&servers[..]).await;
                later.map_err(|error| NatsError::Url { url: shown.clone(), why: chain(&error) })?
            }
            Err(error) => return Err(error),
        };
        let link = Self::of(settings, client, shown, connected);
        if link.is_connected() {
            match link.check_jetstream().await {
                Ok(()) => {}
                Err(error @ NatsError::JetStream(_)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "JetStream can't be used yet; it is tried again and again")
                }
            }
        }
        Ok(link)
    }

    /// Connects to each server of the address by itself, once.
    ///
    /// # Errors
    /// [`NatsError`] if the address, the name or the credentials are invalid.
    pub(super) async fn each(settings: &NatsSettings) -> Result<Vec<Result<Self, NatsError>>, NatsError> {
        check_name(settings)?;
        let (all, _) = servers(&settings.url)?;
        let mut links = Vec::new();
        for (one, server) in settings.url.split(',').map(str::trim).zip(&all) {
            let (_, shown) = servers(one)?;
            let (sender, connected) = watch::channel(0);
            let options = options(settings, &all, &Arc::new(sender)).await?;
            let client = reach(options, std::slice::from_ref(server), &shown).await;
            links.push(client.map(|client| Self::of(settings.clone(), client, shown, connected)));
        }
        Ok(links)
    }

    fn of(settings: NatsSettings, client: Client, shown: String, connected: watch::Receiver<u64>) -> Self {
        let jetstream =
            ContextBuilder::new().timeout(PATIENCE).max_ack_inflight(IN_FLIGHT).build(client.clone());
        Self { settings, client, jetstream, shown, connected }
    }

    /// Whether the connection is open.
    pub(crate) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// The role of this server.
    pub(crate) fn role(&self) -> NatsRole {
        self.settings.role
    }

    /// Name of this server.
    pub(super) fn name(&self) -> &str {
        &self.settings.name
    }

    /// Whether the address names more than one server.
    pub(super) fn has_other_servers(&self) -> bool {
        self.settings.url.contains(',')
    }

    /// Asks whether the server has JetStream.
    pub(crate) async fn check_jetstream(&self) -> Result<(), NatsError> {
        self.jetstream_info().await.map(drop)
    }

    /// What the server says of JetStream and this account.
    ///
    /// # Errors
    /// If JetStream is off, or does not answer.
    pub(super) async fn jetstream_info(&self) -> Result<serde_json::Value, NatsError> {
        // The client's own request requires members of the answer that servers of version 2.9 don't send.
        let answer = self.jetstream.request("INFO", &serde_json::json!({})).await;
        let answer: serde_json::Value = match answer {
            Ok(answer) => answer,
            Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                return Err(NatsError::JetStream(self.shown.clone()));
            }
            Err(error) if error.kind() == RequestErrorKind::TimedOut => {
                let why = "no answer (request timed out): its cluster has no leader, or this user's permissions are those of another role";
                return Err(NatsError::Request {
                    url: self.shown.clone(),
                    what: "JetStream",
                    why: why.to_owned(),
                });
            }
            Err(error) => return Err(self.failed("JetStream", &error)),
        };
        let Some(error) = answer.get("error") else { return Ok(answer) };
        let off = [ErrorCode::JETSTREAM_NOT_ENABLED, ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT];
        if off.iter().any(|code| error["err_code"] == code.0) {
            return Err(NatsError::JetStream(self.shown.clone()));
        }
        let why = error["description"].as_str().unwrap_or("it can't be used").to_owned();
        Err(NatsError::Request { url: self.shown.clone(), what: "JetStream", why })
    }

    pub(super) fn failed(&self, what: &'static str, error: &dyn std::error::Error) -> NatsError {
        NatsError::Request { url: self.shown.clone(), what, why: chain(error) }
    }

    /// Largest content of a message, with room for headers.
    pub(crate) fn most(&self) -> usize {
        // The server's default applies before the first connection.
        let most = self.client.try_server_info().map_or(1 << 20, |info| info.max_payload);
        most.saturating_sub(1024).clamp(1024, 1 << 20)
    }
}

fn check_name(settings: &NatsSettings) -> Result<(), NatsError> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    let name = &settings.name;
    if name.is_empty() || name.len() > NAME || !name.bytes().all(is_name) {
        return Err(NatsError::Name(name.clone()));
    }
    Ok(())
}

/// Connects to the first of these servers that can be reached.
async fn reach(options: ConnectOptions, servers: &[ServerAddr], shown: &str) -> Result<Client, NatsError> {
    options.connect(servers).await.map_err(|error| {
        let (url, why) = (shown.to_owned(), chain(&error));
        match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                NatsError::Refused(url)
            }
            ConnectErrorKind::ServerParse => NatsError::Url { url, why },
            ConnectErrorKind::Tls => NatsError::Tls { url, why },
            _ => match tls_fault(&error) {
                Some(fault) => NatsError::Tls { url, why: tls_words(fault) },
                None => NatsError::Away { url, why },
            },
        }
    })
}

/// The fault of TLS among the causes of an error: a server that is of no use as long as it stays as it is.
fn tls_fault<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(fault) = error.downcast_ref() {
        return Some(fault);
    }
    // An error of input and output hides the one that it is made of from its own causes.
    let within = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    match within {
        Some(within) => tls_fault(within),
        None => tls_fault(error.source()?),
    }
}

fn tls_words(fault: &rustls::Error) -> String {
    match fault {
        rustls::Error::InvalidCertificate(why) => {
            format!("its certificate is not trusted ({why}): --nats-ca FILE names that of its authority")
        }
        rustls::Error::InvalidMessage(_) => {
            "it does not speak TLS here: use an address that begins with nats://".to_owned()
        }
        fault => fault.to_string(),
    }
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}

/// The servers of a list of addresses, and the list without users and passwords.
fn servers(url: &str) -> Result<(Vec<ServerAddr>, String), NatsError> {
    let mut shown: Vec<String> = Vec::new();
    let mut servers = Vec::new();
    for one in url.split(',').map(str::trim) {
        let bare = match one.rsplit_once('@') {
            Some((before, host)) => {
                let scheme = before.split_once("://").map_or("nats", |(scheme, _)| scheme);
                format!("{scheme}://{host}")
            }
            None => one.to_owned(),
        };
        let wrong = |why: String| NatsError::Url { url: bare.clone(), why };
        let server: ServerAddr = one.parse().map_err(|error: io::Error| wrong(error.to_string()))?;
        let scheme = one.split_once("://").map_or("nats", |(scheme, _)| scheme);
        if server.host().is_empty() {
            return Err(wrong("it names no host".to_owned()));
        }
        if !["nats", "tls"].contains(&scheme) {
            return Err(wrong(format!("`{scheme}` is none of nats and tls")));
        }
        servers.push(server);
        shown.push(bare);
    }
    Ok((servers, shown.join(",")))
}

async fn options(
    settings: &NatsSettings,
    servers: &[ServerAddr],
    connected: &Arc<watch::Sender<u64>>,
) -> Result<ConnectOptions, NatsError> {
    let role = settings.role.name();
    let mut options = ConnectOptions::new();
    if let Some(path) = &settings.credentials {
        let wrong = |source| NatsError::Credentials { path: path.clone(), source };
        options = options.credentials_file(path).await.map_err(wrong)?;
    }
    // The client handles user and password of an address; a user alone is a token.
    let first = servers.first();
    if let Some(token) = first.filter(|server| server.password().is_none()).and_then(ServerAddr::username) {
        options = options.token(token.to_owned());
    } else if let Some((user, password)) =
        first.and_then(|server| Some((server.username()?, server.password()?)))
    {
        options = options.user_and_password(user.to_owned(), password.to_owned());
    }
    if let Some(path) = &settings.certificates {
        certificates(path)?;
        options = options.add_root_certificates(path.clone());
    }
    let connected = connected.clone();
    Ok(options
        .name(format!("grandstand {role} {}", settings.name))
        // Lets permissions distinguish the answers for relays from those for origins.
        .custom_inbox_prefix(format!("_INBOX_{}", role.to_uppercase()))
        .connection_timeout(PATIENCE)
        .request_timeout(Some(PATIENCE))
        .ping_interval(PING)
        .reconnect_delay_callback(|attempts| RECONNECT.min(Duration::from_millis(1 << attempts.min(20))))
        .event_callback(move |event| {
            let connected = connected.clone();
            async move {
                match event {
                    Event::Connected => {
                        connected.send_modify(|times| *times += 1);
                        tracing::info!("connected to NATS");
                    }
                    Event::Disconnected => tracing::warn!("the connection to NATS broke; it is made again"),
                    Event::SlowConsumer(_) => tracing::debug!("NATS sends faster than is read"),
                    Event::ServerError(error) => tracing::warn!(%error, "NATS refuses"),
                    Event::ClientError(error) => tracing::debug!(%error, "the connection to NATS"),
                    Event::LameDuckMode | Event::Draining | Event::Closed => {}
                }
            }
        }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_shown_without_their_secrets() {
        let shown = |url: &str| {
            servers(url).map(|(servers, shown)| (servers.len(), shown)).map_err(|e| e.to_string())
        };
        assert_eq!(shown("nats://a:4222"), Ok((1, "nats://a:4222".to_owned())));
        assert_eq!(shown("nats://ann:secret@a,tls://token@b:1"), Ok((2, "nats://a,tls://b:1".to_owned())));
        let error = shown("http://ann:secret@a").unwrap_err();
        assert!(error.starts_with("`http://a` is no address of a NATS server ("), "{error}");
        for wrong in ["", "nats://", "ws://a", "nats://a:port", "nats://a:4222,,"] {
            let error = shown(wrong).unwrap_err();
            assert!(error.contains("is no address of a NATS server") && !error.contains("secret"), "{error}");
        }
    }
}

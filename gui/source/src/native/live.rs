//! Live match over a websocket: read on a thread, and resumed by `since` whenever the connection breaks.

use std::net::{TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use tungstenite::handshake::HandshakeError;

use super::tls::{self, MaybeTls};
use super::{Control, Shared};
use crate::errors::SourceError;
use crate::follow::{Disconnect, Follower};
use crate::{Connection, Feed, Update, Wake};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest silence of a connection. A server pings more often than this.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(90);

/// Follows a match on a thread of its own.
pub(crate) fn follow(follower: Follower, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let control = Control::spawn("live", move |shared| Reader { follower, sender, wake }.run(shared));
    Feed { updates, control }
}

struct Reader {
    follower: Follower,
    sender: Sender<Update>,
    wake: Wake,
}

impl Reader {
    fn run(mut self, shared: &Shared) {
        while !shared.stopped() {
            self.send(Update::Connection(Connection::Connecting));
            let ended = self.connect(shared);
            let (sender, wake) = (&self.sender, &self.wake);
            let next = self.follower.after(ended, |update| send(sender, wake, update));
            let Some(pause) = next else { return };
            if !shared.pause(pause) {
                return;
            }
        }
    }

    fn send(&self, update: Update) {
        send(&self.sender, &self.wake, update);
    }

    fn connect(&mut self, shared: &Shared) -> Disconnect {
        let base = self.follower.base.clone();
        let stream = match dial(base.authority(), if base.is_secure() { 443 } else { 80 }) {
            Ok(stream) => stream,
            Err(reason) => return Disconnect::Broken(SourceError::unreachable(&base, &reason)),
        };
        // Without a timeout the socket still works.
        let _ = stream.set_read_timeout(Some(SILENCE_TIMEOUT));
        let _ = stream.set_nodelay(true);
        if !shared.blocks_on(&stream) {
            return Disconnect::Stopped;
        }
        let lost = |error: &tungstenite::Error| {
            let reason = match error {
                tungstenite::Error::Io(error) => reason(error),
                other => other.to_string(),
            };
            Disconnect::Broken(SourceError::connection_lost(&base, reason.trim_end_matches('.')))
        };
        let stream = if base.is_secure() {
            match tls::secure(stream, base.authority()) {
                Ok(line) => line,
                Err(_) if shared.stopped() => return Disconnect::Stopped,
                Err(error) => {
                    return Disconnect::Broken(match tls::distrust(&error) {
                        Some(why) => SourceError::distrusted(&base.http(""), &why),
                        None => SourceError::unreachable(&base, &reason(&error)),
                    });
                }
            }
        } else {
            MaybeTls::Plain(stream)
        };
        let mut socket = match tungstenite::client::client(self.follower.address().as_str(), stream) {
            Ok((socket, _)) => socket,
            Err(_) if shared.stopped() => return Disconnect::Stopped,
            Err(HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                return self.follower.refused(response.status().as_u16());
            }
            Err(HandshakeError::Failure(error @ tungstenite::Error::Io(_))) => return lost(&error),
            Err(error) => {
                let reason = error.to_string();
                return Disconnect::Broken(SourceError::not_a_server(&base, reason.trim_end_matches('.')));
            }
        };
        loop {
            let text = match socket.read() {
                Ok(tungstenite::Message::Text(text)) => text,
                Ok(tungstenite::Message::Close(_)) | Err(tungstenite::Error::ConnectionClosed) => {
                    return Disconnect::Broken(SourceError::connection_lost(&base, "the server closed it"));
                }
                Ok(_) => continue,
                Err(_) if shared.stopped() => return Disconnect::Stopped,
                Err(error) => return lost(&error),
            };
            let (sender, wake) = (&self.sender, &self.wake);
            if let Err(ended) = self.follower.take(&text, |update| send(sender, wake, update)) {
                return ended;
            }
        }
    }
}

fn send(sender: &Sender<Update>, wake: &Wake, update: Update) {
    // If the viewer is gone, it has also stopped this thread.
    let _ = sender.send(update);
    wake();
}

/// Connects to `host:port`, or to the given port of a host, trying all addresses of the host.
fn dial(authority: &str, port: u16) -> Result<TcpStream, String> {
    let with_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let authority = if with_port { authority.to_owned() } else { format!("{authority}:{port}") };
    let addresses = authority.to_socket_addrs().map_err(|error| reason(&error))?;
    let mut last = "the host has no address".to_owned();
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = reason(&error),
        }
    }
    Err(last)
}

/// Describes an I/O error in a few words, without the operating system's number.
pub(super) fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::UnexpectedEof => {
            "the other side closed it".to_owned()
        }
        ErrorKind::TimedOut | ErrorKind::WouldBlock => "no answer".to_owned(),
        _ => error.to_string(),
    }
}

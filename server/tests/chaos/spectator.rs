//! Spectator of the steady match, which checks that nothing is missing.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use grandstand_protocol::{Message, Micros, Scene};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{self, Error};
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::steady::{GAME, Steady};

pub(crate) struct Spectator {
    socket: WebSocketStream<TcpStream>,
    steady: Arc<Steady>,
    /// The next command's number.
    next: u64,
    scene: Scene,
    scenes: u32,
    ended: bool,
    /// Delay of each message with commands.
    late: Vec<Duration>,
}

impl Spectator {
    /// Opens a websocket; `query` is empty or begins with `?`.
    pub(crate) async fn join(
        http: SocketAddr,
        id: &str,
        steady: Arc<Steady>,
        query: &str,
    ) -> Result<Self, Error> {
        Self::on(TcpStream::connect(http).await?, http, id, steady, query).await
    }

    /// Opens a websocket on an existing connection.
    pub(crate) async fn on(
        stream: TcpStream,
        http: SocketAddr,
        id: &str,
        steady: Arc<Steady>,
        query: &str,
    ) -> Result<Self, Error> {
        let url = format!("ws://{http}/api/matches/{id}/live{query}");
        let (socket, _) = client_async(url, stream).await?;
        Ok(Self {
            socket,
            steady,
            next: 1,
            scene: Scene::new(GAME),
            scenes: 0,
            ended: false,
            late: Vec::new(),
        })
    }

    /// Reads until the websocket ends; returns the close frame, or the reason for which there is none.
    pub(crate) async fn watch(&mut self) -> Result<CloseFrame, String> {
        loop {
            match self.socket.next().await {
                Some(Ok(tungstenite::Message::Text(text))) => {
                    if let Some(newest) = self.take(&text) {
                        self.late.push(self.steady.age(newest));
                    }
                }
                Some(Ok(tungstenite::Message::Close(frame))) => {
                    return frame.ok_or_else(|| "a close that says nothing".to_owned());
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("no close".to_owned()),
            }
        }
    }

    /// Checks a message against the drawn commands; returns the number of its last command.
    fn take(&mut self, text: &str) -> Option<u64> {
        match Message::from_json(Some(GAME), text).unwrap() {
            Message::Hello { .. } | Message::Seats { .. } => None,
            Message::Scene { seq, scene, .. } => {
                assert!(self.next <= seq + 1, "a scene of {seq} where {} should come", self.next);
                (self.scene, self.next) = (scene, seq + 1);
                self.scenes += 1;
                None
            }
            Message::Commands { seq, commands, .. } => {
                assert!(seq <= self.next, "a gap: {seq} where {} should come", self.next);
                for (seq, command) in (seq..).zip(commands).skip((self.next - seq) as usize) {
                    assert_eq!(command, Steady::command(seq), "command {seq}");
                    self.scene.apply(seq, Micros(0), &command);
                    self.next = seq + 1;
                }
                Some(self.next - 1)
            }
            Message::End { seq, .. } => {
                assert_eq!(seq, self.next - 1, "the last command");
                self.ended = true;
                None
            }
            // A close follows, which a steady spectator must not see; other spectators may request history that can't
            // be read.
            Message::Error { .. } => None,
        }
    }

    /// Checks that it received the end, and that its scene is the one that all commands draw.
    pub(crate) fn has_all(&self, last: u64) {
        assert!(self.ended && self.next == last + 1, "{} of {last}", self.next - 1);
        let mut scene = Scene::new(GAME);
        (1..=last).for_each(|seq| scene.apply(seq, Micros(0), &Steady::command(seq)));
        assert_eq!(self.scene, scene);
    }

    /// Number of scenes after the first, each of which follows skipped commands.
    pub(crate) fn resyncs(&self) -> u32 {
        self.scenes.saturating_sub(1)
    }

    /// Delay of each message with commands.
    pub(crate) fn late(&self) -> &[Duration] {
        &self.late
    }

    /// Closes the connection as a killed process does: unread data is discarded, and the server receives a reset.
    pub(crate) fn die(self) {
        // On failure the connection ends in order.
        let _ = socket2::SockRef::from(self.socket.get_ref()).set_linger(Some(Duration::ZERO));
    }
}

//! Follower of a live match over a websocket: interpretation of the messages, and resumption after a break. Independent of the
//! platform: sockets and waiting are up to the callers.

use std::time::Duration;

use grandstand_protocol::message::{MatchId, PROTOCOL};
use grandstand_protocol::{Game, Message};

use super::{Connection, Update};
use crate::address::Base;
use crate::backoff::Backoff;
use crate::errors::SourceError;

/// The most commands before the present that are awaited. Beyond it the present comes first, and earlier commands are fetched on demand.
const FAR: u64 = 20_000;

/// The reading position in a live match.
#[derive(Debug)]
pub(crate) struct Follower {
    pub base: Base,
    pub id: MatchId,
    game: Option<Game>,
    /// The last received command, after which to resume. `None` requests only the present scene.
    seen: Option<u64>,
    /// Whether every command is requested, and not only the present.
    whole: bool,
    backoff: Backoff,
}

/// The reason for the end of a connection.
#[derive(Debug)]
pub(crate) enum Disconnect {
    /// The match is over, and all of it was received.
    Over,
    /// Too many commands come before the present, so the present is requested first.
    Far,
    /// The server has fewer commands of the match than were received.
    Ahead,
    /// The connection failed.
    Broken(SourceError),
    /// The viewer has stopped.
    Stopped,
}

impl Follower {
    /// A follower from the first command on.
    pub(crate) fn new(base: Base, id: MatchId) -> Follower {
        Follower { base, id, game: None, seen: Some(0), whole: true, backoff: Backoff::default() }
    }

    /// A follower of the present scene and what comes after it; after a break it starts from the scene at that time.
    pub(crate) fn preview(base: Base, id: MatchId) -> Follower {
        Follower { seen: None, whole: false, ..Follower::new(base, id) }
    }

    /// The address that resumes the match.
    pub(crate) fn address(&self) -> String {
        let query =
            self.seen.filter(|_| self.whole).map_or_else(String::new, |seen| format!("?since={seen}"));
        self.base.websocket(&format!("api/matches/{}/live{query}", self.id))
    }

    /// The pause before the next attempt to connect; `None` if there is none.
    pub(crate) fn after(&mut self, ended: Disconnect, send: impl FnOnce(Update)) -> Option<Duration> {
        match ended {
            Disconnect::Over | Disconnect::Stopped => None,
            Disconnect::Ahead | Disconnect::Far => {
                self.forget_place();
                Some(Duration::ZERO)
            }
            Disconnect::Broken(trouble) if trouble.temporary => {
                let pause = self.backoff.next();
                send(Update::Connection(Connection::Waiting { trouble, pause }));
                Some(pause)
            }
            Disconnect::Broken(trouble) => {
                send(Update::Failed(trouble));
                None
            }
        }
    }

    /// Requests the present scene from now on: the server no longer has the last received command, or is far ahead of it.
    fn forget_place(&mut self) {
        self.seen = None;
    }

    /// Interprets an HTTP status in reply to the websocket handshake.
    pub(crate) fn refused(&self, status: u16) -> Disconnect {
        match status {
            404 => Disconnect::Broken(SourceError::unknown_match(&self.base, self.id.as_str())),
            400 if self.seen.is_some_and(|seen| seen > 0) => Disconnect::Ahead,
            429 | 500.. => {
                Disconnect::Broken(SourceError::unreachable(&self.base, &format!("it answers {status}")))
            }
            status => {
                Disconnect::Broken(SourceError::not_a_server(&self.base, &format!("it answers {status}")))
            }
        }
    }

    /// Processes one message and sends the resulting updates; `Err` when the connection is of no further use.
    pub(crate) fn take(&mut self, text: &str, mut send: impl FnMut(Update)) -> Result<(), Disconnect> {
        let message = Message::from_json(self.game, text)
            .map_err(|error| Disconnect::Broken(SourceError::not_a_server(&self.base, &error.to_string())))?;
        match message {
            Message::Hello { protocol, .. } if protocol != PROTOCOL => {
                return Err(Disconnect::Broken(SourceError::version(&self.base, protocol)));
            }
            Message::Hello { r#match, .. } => {
                self.game = Some(r#match.game);
                let seen = self.seen.filter(|_| self.whole);
                let far = seen.is_some_and(|seen| r#match.seq.saturating_sub(seen) > FAR);
                send(Update::Hello(Box::new(r#match)));
                if far {
                    return Err(Disconnect::Far);
                }
                send(Update::Connection(Connection::Connected));
            }
            // A connection that was too slow also continues with a scene.
            Message::Scene { seq, t, scene } => {
                self.seen = Some(self.seen.unwrap_or(0).max(seq));
                send(Update::Scene { seq, t, scene: Box::new(scene) });
            }
            Message::Commands { seq, t, commands } => {
                let last = (seq + commands.len() as u64).saturating_sub(1);
                self.seen = Some(self.seen.unwrap_or(0).max(last));
                send(Update::Commands { seq, t, commands });
            }
            Message::Seats { seats } => send(Update::Seats(seats)),
            Message::End { t, result, .. } => {
                send(Update::End { t, result });
                return Err(Disconnect::Over);
            }
            Message::Error { message } => {
                return Err(Disconnect::Broken(SourceError::refused(&self.base, &message)));
            }
        }
        self.backoff.reset();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Target;

    fn follower() -> Follower {
        let Ok(Target::Match { base, id, .. }) = "http://h:1/?match=m1".parse() else { panic!("a match") };
        Follower::new(base, id)
    }

    fn hello(protocol: u32) -> String {
        format!(
            r#"{{"type":"hello","protocol":{protocol},"match":{{"id":"m1","game":"abalone","title":"","teams":[],"state":"live","started":"","seq":3,"spectators":1,"result":null}}}}"#
        )
    }

    const COMMANDS: &str = r#"{"type":"commands","seq":1,"t":0.5,"commands":[{"cmd":"turns","value":1},{"cmd":"turns","value":2}]}"#;

    #[test]
    fn a_broken_connection_is_taken_up_after_the_last_command() {
        let mut follower = follower();
        assert_eq!(follower.address(), "ws://h:1/api/matches/m1/live?since=0");
        let mut updates = 0;
        for text in [hello(1).as_str(), COMMANDS] {
            follower.take(text, |_| updates += 1).expect("a message");
        }
        assert_eq!((updates, follower.address().as_str()), (3, "ws://h:1/api/matches/m1/live?since=2"));
    }

    #[test]
    fn a_picture_further_on_is_where_it_goes_on() {
        let mut follower = follower();
        follower.take(&hello(1), drop).expect("a message");
        let scene = r#"{"type":"scene","seq":9,"t":1,"scene":{"game":"abalone","hexes":{},"score":{"black":0,"white":0},"turns":0,"talk":[]}}"#;
        follower.take(scene, drop).expect("a message");
        assert_eq!(follower.address(), "ws://h:1/api/matches/m1/live?since=9");
        // A server that has fewer commands than were received is asked for its present scene instead.
        follower.take(COMMANDS, drop).expect("a message");
        assert!(matches!(follower.refused(400), Disconnect::Ahead));
        follower.forget_place();
        assert_eq!(follower.address(), "ws://h:1/api/matches/m1/live");
        assert!(follower.take(scene, drop).is_ok());
    }

    #[test]
    fn a_glance_takes_any_picture_of_the_present() {
        let Ok(Target::Match { base, id, .. }) = "http://h:1/?match=m1".parse() else { panic!("a match") };
        let mut follower = Follower::preview(base, id);
        for seq in [4, 9] {
            assert_eq!(follower.address(), "ws://h:1/api/matches/m1/live");
            follower.take(&hello(1), drop).expect("a message");
            let scene = format!(
                r#"{{"type":"scene","seq":{seq},"t":1,"scene":{{"game":"abalone","hexes":{{}},"score":{{"black":0,"white":0}},"turns":0,"talk":[]}}}}"#
            );
            follower.take(&scene, drop).expect("a picture");
        }
    }

    #[test]
    fn what_is_far_from_the_present_is_not_waited_for() {
        let mut follower = follower();
        let long = hello(1).replace("\"seq\":3", "\"seq\":20001");
        let mut updates = 0;
        assert!(matches!(follower.take(&long, |_| updates += 1), Err(Disconnect::Far)));
        assert_eq!(updates, 1, "the match is known already");
        follower.forget_place();
        assert!(follower.take(&long, drop).is_ok());
    }

    #[test]
    fn pauses_grow_until_a_message_is_understood() {
        let mut follower = follower();
        let pause = |follower: &mut Follower| {
            let busy = follower.refused(503);
            follower.after(busy, drop).map(|pause| pause.as_millis())
        };
        assert_eq!([(); 2].map(|()| pause(&mut follower)), [Some(500), Some(1000)]);
        follower.take(&hello(1), drop).expect("a message");
        assert_eq!(pause(&mut follower), Some(500));
        let unknown = follower.refused(404);
        assert_eq!(follower.after(unknown, drop), None);
        assert_eq!(follower.after(Disconnect::Over, drop), None);
    }

    #[test]
    fn whatever_else_arrives_is_explained() {
        let mut follower = follower();
        let trouble = |ended| match ended {
            Err(Disconnect::Broken(trouble)) => trouble,
            other => panic!("{other:?}"),
        };
        assert_eq!(trouble(follower.take(&hello(2), drop)).title, "Another version");
        assert_eq!(trouble(follower.take("<html>", drop)).title, "Not a Grandstand server");
        assert_eq!(trouble(follower.take(COMMANDS, drop)).title, "Not a Grandstand server");
        let error = r#"{"type":"error","message":"too many spectators"}"#;
        assert!(trouble(follower.take(error, drop)).detail.contains("too many spectators"));
        assert_eq!(trouble(Err(follower.refused(404))).title, "No such match");
        assert!(trouble(Err(follower.refused(503))).temporary);
    }
}

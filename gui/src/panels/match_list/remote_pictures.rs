//! Pictures of a server's matches: requested one after the other as their rows come into view.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use eframe::egui::Context;
use grandstand_protocol::message::MatchId;
use grandstand_protocol::{Game, Message, Scene};
use serde_json::value::RawValue;

use crate::address::Base;
use crate::source::{self, Refused};

/// Age at which the picture of a live match is asked for again, in seconds.
const FRESH_SECS: f64 = 4.0;
/// Doublings of the time after which a failed request is repeated, at most.
const PATIENCE: u32 = 4;
/// Number of pictures kept.
const KEPT: usize = 200;
/// Larger scenes are dropped, in bytes.
const SCENE_BYTES: usize = 1 << 20;
/// Interval of polling for an answer.
const LOOK: Duration = Duration::from_millis(100);

/// Last picture of a match, as the server sent it.
#[derive(Debug, Default)]
struct Known {
    seq: u64,
    /// Time of the answer, in seconds of egui's clock.
    at: f64,
    /// Number of requests since then that the server did not answer.
    failures: u32,
    /// The scene and its time in seconds; `None` if the server has none.
    picture: Option<(Rc<Scene>, f64)>,
}

impl Known {
    /// Time of the next request, if the picture is wanted then.
    fn due(&self) -> f64 {
        self.at + FRESH_SECS * f64::from(1 << self.failures.min(PATIENCE))
    }
}

/// The pictures of one server.
#[derive(Debug, Default)]
pub(super) struct RemotePictures {
    known: HashMap<MatchId, Known>,
    request: Option<Request>,
    /// Matches whose rows are in view, each with its last command's number.
    wanted: Vec<(MatchId, Game, u64)>,
}

/// A request under way.
#[derive(Debug)]
struct Request {
    id: MatchId,
    game: Game,
    seq: u64,
    answers: Receiver<Result<String, Refused>>,
}

impl RemotePictures {
    /// The scene of a match, with its time in seconds.
    pub(super) fn of(&self, id: &MatchId) -> Option<(Rc<Scene>, f64)> {
        self.known.get(id)?.picture.clone()
    }

    /// Notes that a match's row is in view; `seq` is the match's number of commands.
    pub(super) fn want(&mut self, id: &MatchId, game: Game, seq: u64) {
        if seq > 0 && self.known.get(id).is_none_or(|known| known.seq != seq || known.failures > 0) {
            self.wanted.push((id.clone(), game, seq));
        }
    }

    /// Takes an answer and sends the next request. Returns the match whose picture changed.
    pub(super) fn update(&mut self, ctx: &Context, base: &Base, now: f64) -> Option<MatchId> {
        let told = self.take(now);
        let wanted = std::mem::take(&mut self.wanted);
        if self.request.is_none() {
            let wait =
                |(id, ..): &(MatchId, Game, u64)| self.known.get(id).map_or(0.0, |known| known.due() - now);
            let next = wanted.iter().map(wait).reduce(f64::min).filter(|wait| *wait > 0.0);
            if let Some(wait) = next {
                ctx.request_repaint_after(Duration::from_secs_f64(wait));
            } else if let Some((id, game, seq)) = wanted.into_iter().find(|one| wait(one) <= 0.0) {
                let path = format!("api/matches/{id}/commands?from={seq}&to={seq}&scene=1");
                let answers = source::get(base, &path);
                self.request = Some(Request { id, game, seq, answers });
            }
        }
        if self.request.is_some() {
            ctx.request_repaint_after(LOOK);
        }
        told
    }

    fn take(&mut self, now: f64) -> Option<MatchId> {
        let answer = match self.request.as_ref()?.answers.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
            Ok(answer) => answer.ok(),
        };
        let request = self.request.take()?;
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        let known = self.known.entry(request.id.clone()).or_default();
        known.at = now;
        let Some(text) = answer else {
            // The picture that is there stays until the server answers again.
            known.failures += 1;
            return None;
        };
        let picture = picture(request.game, &text);
        *known = Known { seq: request.seq, at: now, failures: 0, picture };
        Some(request.id)
    }
}

/// Last scene of an answer, which is a scene and the commands after it.
fn picture(game: Game, answer: &str) -> Option<(Rc<Scene>, f64)> {
    let messages: Vec<Box<RawValue>> = serde_json::from_str(answer).ok()?;
    let mut last: Option<(Scene, f64)> = None;
    for message in messages {
        match Message::from_json(Some(game), message.get()).ok()? {
            Message::Scene { t, scene, .. } => last = Some((scene, t.as_secs_f64())),
            Message::Commands { seq, t, commands } => {
                let (scene, secs) = last.as_mut()?;
                (seq..).zip(&commands).for_each(|(seq, command)| scene.apply(seq, t, command));
                *secs = t.as_secs_f64();
            }
            _ => {}
        }
    }
    last.filter(|(scene, _)| scene.bytes() <= SCENE_BYTES).map(|(scene, secs)| (Rc::new(scene), secs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use grandstand_protocol::{Command, Micros};

    #[test]
    fn the_picture_is_the_scene_with_the_commands_after_it() {
        let commands = vec![Command::parse(Game::Abalone, b"turns 7")];
        let messages = [
            Message::Scene { seq: 4, t: Micros(1_000_000), scene: Scene::new(Game::Abalone) },
            Message::Commands { seq: 5, t: Micros(2_000_000), commands },
        ];
        let answer = format!("[{}]", messages.map(|message| message.to_json()).join(","));
        let (scene, secs) = picture(Game::Abalone, &answer).expect("a picture");
        assert_eq!((grandstand_story::story(&scene).progress_text().as_str(), secs), ("Turn 7", 2.0));
        for nothing in ["", "[]", "{}", "[1]", "[{\"type\":\"commands\",\"seq\":1,\"t\":0,\"commands\":[]}]"]
        {
            assert!(picture(Game::Abalone, nothing).is_none(), "{nothing}");
        }
    }

    #[test]
    fn a_picture_whose_request_failed_is_asked_for_again_later() {
        let id: MatchId = "m1".parse().expect("an id");
        let wants = |pictures: &mut RemotePictures| {
            pictures.want(&id, Game::Abalone, 3);
            !std::mem::take(&mut pictures.wanted).is_empty()
        };
        let mut pictures = RemotePictures::default();
        let answer = |pictures: &mut RemotePictures, now: f64, text: Option<&str>| {
            let (sender, answers) = std::sync::mpsc::channel();
            if let Some(text) = text {
                sender.send(Ok(text.to_owned())).expect("it is received");
            }
            drop(sender);
            pictures.request = Some(Request { id: id.clone(), game: Game::Abalone, seq: 3, answers });
            pictures.take(now)
        };
        assert_eq!(answer(&mut pictures, 1.0, None), None);
        assert!(wants(&mut pictures));
        assert_eq!(pictures.known[&id].due(), 1.0 + 2.0 * FRESH_SECS);
        assert_eq!(answer(&mut pictures, 9.0, None), None);
        assert_eq!(pictures.known[&id].due(), 9.0 + 4.0 * FRESH_SECS);
        let scene = Message::Scene { seq: 3, t: Micros(0), scene: Scene::new(Game::Abalone) }.to_json();
        assert_eq!(answer(&mut pictures, 25.0, Some(&format!("[{scene}]"))), Some(id.clone()));
        assert!(pictures.of(&id).is_some() && !wants(&mut pictures));
        // A picture outlives a failure.
        assert_eq!(answer(&mut pictures, 30.0, None), None);
        assert!(pictures.of(&id).is_some() && wants(&mut pictures));
    }
}

//! Sound of a match: short tones for events during playback. Off by default.
//!
//! `listener` chooses the events, `tone` makes the samples, and a [`Player`] plays them: another program natively, the
//! browser in a page, a recorder in tests.

mod listener;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod tone;
#[cfg(target_arch = "wasm32")]
mod web;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::session::Session;
use listener::Listener;

pub use tone::{Kind, Tone};

/// Time that a player may need to get ready before the viewer is told, in seconds.
const PATIENCE: f64 = 2.0;

/// Output for tones. No call waits.
pub trait Player: fmt::Debug {
    /// Plays a tone with a loudness from 0 to 1.
    fn play(&mut self, tone: Tone, loudness: f32);

    /// Whether tones can be heard.
    fn state(&mut self) -> State;

    /// Tells the player that the viewer has pressed something, before which a browser allows no sound.
    fn pressed(&mut self) {}
}

/// State of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Tones are heard.
    Ready,
    /// Not yet; the text says what the viewer has to do.
    Waiting(String),
    /// Tones can't be heard; the text says why.
    Failed(String),
}

/// The viewer's choice, remembered between starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SoundSettings {
    pub on: bool,
    pub volume: Volume,
}

/// Volume of tones.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Volume {
    Low,
    #[default]
    Medium,
    High,
}

impl Volume {
    /// The next louder volume; after the loudest the lowest.
    pub(crate) fn next(self) -> Volume {
        match self {
            Volume::Low => Volume::Medium,
            Volume::Medium => Volume::High,
            Volume::High => Volume::Low,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Volume::Low => "low",
            Volume::Medium => "medium",
            Volume::High => "high",
        }
    }

    fn loudness(self) -> f32 {
        match self {
            Volume::Low => 0.15,
            Volume::Medium => 0.4,
            Volume::High => 1.0,
        }
    }
}

/// Sound of the app: the choice of tones, and their player.
#[derive(Debug, Default)]
pub(crate) struct Sound {
    ear: Listener,
    /// `None` until something is to be heard: a browser allows a player only after the viewer has pressed something.
    player: Option<Box<dyn Player>>,
    /// Time since when the player has not been ready, in seconds of egui's clock.
    waiting: Option<f64>,
    /// The last message about the player.
    told: Option<String>,
}

impl Sound {
    /// Replaces the player.
    pub(crate) fn set_player(&mut self, player: Box<dyn Player>) {
        self.player = Some(player);
    }

    /// Starts again for another match.
    pub(crate) fn renew(&mut self) {
        self.ear = Listener::default();
    }

    /// Plays an example after the viewer turned sound on or changed the volume.
    ///
    /// # Errors
    /// The reason why nothing will be heard.
    pub(crate) fn try_out(&mut self, volume: Volume) -> Result<(), String> {
        let player = self.player.get_or_insert_with(default_player);
        player.pressed();
        if let State::Failed(reason) = player.state() {
            // The next attempt looks for a player again.
            self.player = None;
            return Err(reason);
        }
        player.play(Tone { kind: Kind::Score, side: None }, volume.loudness());
        (self.waiting, self.told) = (None, None);
        Ok(())
    }

    /// Plays the tones of the events that playback has passed. Returns a message for the viewer, if there is one.
    /// `pressed`: whether a key or a button went down. `now` is egui's time in seconds.
    pub(crate) fn listen(
        &mut self,
        session: Option<&Session>,
        choice: SoundSettings,
        pressed: bool,
        now: f64,
    ) -> Option<String> {
        // Events during silence are taken too, so that they are not heard later.
        let tones = session.map(|session| self.ear.hear(session, now)).unwrap_or_default();
        if !choice.on {
            return None;
        }
        if self.player.is_none() && (pressed || cfg!(not(target_arch = "wasm32")) && !tones.is_empty()) {
            self.player = Some(default_player());
        }
        let player = self.player.as_mut()?;
        if pressed {
            player.pressed();
        }
        for tone in tones {
            player.play(tone, choice.volume.loudness());
        }
        let trouble = match player.state() {
            State::Ready => {
                (self.waiting, self.told) = (None, None);
                return None;
            }
            State::Waiting(_) if now - *self.waiting.get_or_insert(now) < PATIENCE => return None,
            State::Waiting(trouble) | State::Failed(trouble) => trouble,
        };
        (self.told.as_ref() != Some(&trouble)).then(|| self.told.insert(trouble).clone())
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn default_player() -> Box<dyn Player> {
    Box::new(native::Programs::find(std::env::var_os("PATH").as_deref()))
}

#[cfg(target_arch = "wasm32")]
fn default_player() -> Box<dyn Player> {
    Box::new(web::Page::new())
}

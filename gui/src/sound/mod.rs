//! Sound of a match: short tones for what happens in it while it goes on. Off until the viewer turns it on.
//!
//! `ear` decides which moments are heard, `tone` makes their samples, and a [`Player`] plays them: another program
//! natively, the browser in a page, a test where one listens.

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

/// How long a player may take to get ready before the viewer is told, in seconds.
const PATIENCE: f64 = 2.0;

/// Something that makes tones heard. It never waits.
pub trait Player: fmt::Debug {
    /// Plays a tone, from 0, which is nothing, to 1 loud.
    fn play(&mut self, tone: Tone, loudness: f32);

    /// Whether tones are heard.
    fn state(&mut self) -> State;

    /// The viewer has pressed something: a browser lets a page be heard from then on.
    fn pressed(&mut self) {}
}

/// Whether tones are heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// They are.
    Ready,
    /// Not yet, and what the viewer has to do for it.
    Waiting(String),
    /// They are not, and why.
    Failed(String),
}

/// What the viewer has chosen; it is remembered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SoundSettings {
    pub on: bool,
    pub volume: Volume,
}

/// How loud tones are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Volume {
    Low,
    #[default]
    Medium,
    High,
}

impl Volume {
    /// The next louder one; from the loudest to the lowest.
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

/// Who listens to the match, and what plays the tones.
#[derive(Debug, Default)]
pub(crate) struct Sound {
    ear: Listener,
    /// There is none until something is to be heard: a browser may be asked for it when the viewer presses something, not
    /// before.
    player: Option<Box<dyn Player>>,
    /// Since when the player has not been ready, in seconds of the interface's time.
    waiting: Option<f64>,
    /// What the viewer was told of the player last.
    told: Option<String>,
}

impl Sound {
    /// Plays through this from now on.
    pub(crate) fn set_player(&mut self, player: Box<dyn Player>) {
        self.player = Some(player);
    }

    /// Another match is shown.
    pub(crate) fn renew(&mut self) {
        self.ear = Listener::default();
    }

    /// The viewer turned sound on, or changed how loud it is, and hears how that is.
    ///
    /// # Errors
    /// Why nothing will be heard.
    pub(crate) fn try_out(&mut self, volume: Volume) -> Result<(), String> {
        let player = self.player.get_or_insert_with(default_player);
        player.pressed();
        if let State::Failed(reason) = player.state() {
            // The next time it is looked for again.
            self.player = None;
            return Err(reason);
        }
        player.play(Tone { kind: Kind::Score, side: None }, volume.loudness());
        (self.waiting, self.told) = (None, None);
        Ok(())
    }

    /// Hears what the match shown has passed by itself. Returns what the viewer has to be told. `pressed`: whether a key or
    /// a button went down. `now` is the interface's time in seconds.
    pub(crate) fn listen(
        &mut self,
        session: Option<&Session>,
        choice: SoundSettings,
        pressed: bool,
        now: f64,
    ) -> Option<String> {
        // What happens while nobody listens is not heard later.
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

//! Tones in a page, played by the browser after the viewer has pressed something in it.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AudioContext, AudioContextState};

use super::tone::RATE;
use super::{Player, State, Tone};

/// The page's audio.
#[derive(Debug)]
pub(super) struct Page {
    /// `None` if the browser has no audio.
    context: Option<AudioContext>,
    /// Whether a tone has been played. The first one may wait for the context to run; later ones are dropped until
    /// then, else they would all be heard at once.
    played: bool,
}

impl Page {
    /// Must be called while a press is handled; otherwise the browser refuses.
    pub(super) fn new() -> Page {
        Page { context: AudioContext::new().ok(), played: false }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if let Some(context) = &self.context {
            ignore(context.close());
        }
    }
}

impl Player for Page {
    fn play(&mut self, tone: Tone, loudness: f32) {
        let Some(context) = &self.context else { return };
        // Errors are ignored here; the state tells whether tones are heard.
        let play = || -> Result<(), JsValue> {
            let samples = tone.samples(loudness);
            let buffer = context.create_buffer(1, samples.len() as u32, RATE as f32)?;
            buffer.copy_to_channel(&samples, 0)?;
            let source = context.create_buffer_source()?;
            source.set_buffer(Some(&buffer));
            source.connect_with_audio_node(&context.destination())?;
            source.start()
        };
        if context.state() == AudioContextState::Running || !self.played {
            let _ = play();
        }
        self.played = true;
    }

    fn state(&mut self) -> State {
        match self.context.as_ref().map(AudioContext::state) {
            Some(AudioContextState::Running) => State::Ready,
            Some(_) => {
                State::Waiting("the browser holds it back until you press something in the page".to_owned())
            }
            None => State::Failed("this browser makes none".to_owned()),
        }
    }

    fn pressed(&mut self) {
        if let Some(context) =
            self.context.as_ref().filter(|context| context.state() != AudioContextState::Running)
        {
            ignore(context.resume());
        }
    }
}

/// Drops a promise's result; the context's state tells it.
fn ignore(promise: Result<Promise, JsValue>) {
    if let Ok(promise) = promise {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(promise).await;
        });
    }
}

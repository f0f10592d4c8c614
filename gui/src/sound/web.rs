//! Tones in a page: the browser makes them heard, once the viewer has pressed something in the page.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AudioContext, AudioContextState};

use super::tone::RATE;
use super::{Player, State, Tone};

/// The page's way to be heard.
#[derive(Debug)]
pub(super) struct Page {
    /// There is none where the browser has no sound.
    context: Option<AudioContext>,
    /// Whether a tone has been played: the first one waits for the context to run, later ones would come all at once then.
    played: bool,
}

impl Page {
    /// To be made when the viewer presses something: otherwise the browser refuses.
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
        // A tone that the browser does not take is not heard; whether any are is told by the state.
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

/// What comes of it is seen by the context's state.
fn ignore(promise: Result<Promise, JsValue>) {
    if let Ok(promise) = promise {
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(promise).await;
        });
    }
}

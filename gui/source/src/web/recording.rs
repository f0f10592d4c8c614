//! Recordings in a browser: from a URL, as the samples beside the page are, or from a file that the page was given.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use grandstand_replays::{Limits, Loader};
use grandstand_story::Sample;
use js_sys::Uint8Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, ReadableStream, ReadableStreamDefaultReader};
use web_time::Instant;

use super::{Control, Shared, fetch, message};
use crate::errors::SourceError;
use crate::{Feed, Update, Wake};

/// The longest time of loading a recording before the page is drawn again.
const TAKE_BUDGET: Duration = Duration::from_millis(8);
/// The number of bytes loaded between two checks of the clock; decompressed, that may be a hundred times as much.
const SLICE: usize = 4 << 10;
/// The maximal size of a file, in bytes: its commands must fit into the memory of a page.
const FILE_BYTES_MAX: f64 = 1e9;

/// Loads a recording piece by piece, with progress updates.
struct Intake {
    loader: Loader,
    sender: Sender<Update>,
    wake: Wake,
    name: String,
    length: f64,
    done: f64,
    /// Whether the failure that this is no recording was sent.
    refused: bool,
}

impl Intake {
    fn tell(&self, update: Update) {
        let _ = self.sender.send(update);
        (self.wake)();
    }

    /// Loads the next bytes; returns `false` if further ones are of no use.
    fn push(&mut self, bytes: &[u8]) -> bool {
        self.done += bytes.len() as f64;
        if let Err(error) = self.loader.push(bytes) {
            self.tell(Update::Failed(SourceError::not_a_replay(&self.name, &error)));
            self.refused = true;
            return false;
        }
        !self.loader.is_over()
    }

    /// Sends the part that was loaded so far.
    fn show(&self) {
        if let Some(replay) = self.loader.replay() {
            let loaded = if self.length > 0.0 { (self.done / self.length).min(0.99) } else { 0.0 };
            self.tell(Update::Recording { replay: Box::new(replay.clone()), loaded: loaded as f32 });
        }
    }

    fn finish(self) {
        let Intake { loader, sender, wake, name, refused, .. } = self;
        if refused {
            return;
        }
        let _ = sender.send(match loader.finish() {
            Ok(replay) => Update::Recording { replay: Box::new(replay), loaded: 1.0 },
            Err(error) => Update::Failed(SourceError::not_a_replay(&name, &error)),
        });
        wake();
    }
}

fn intake(name: String, wake: Wake) -> (Intake, Feed, Rc<Shared>) {
    let (sender, updates) = channel();
    let shared = Rc::new(Shared::default());
    let control = Control(Rc::clone(&shared));
    let loader = Loader::new(Limits::default());
    (
        Intake { loader, sender, wake, name, length: 0.0, done: 0.0, refused: false },
        Feed { updates, control },
        shared,
    )
}

/// Opens a recording at a URL.
pub fn open_recording(url: String, wake: Wake) -> Feed {
    let (mut intake, feed, shared) = intake(url.clone(), wake);
    spawn_local(async move {
        if let Err(reason) = stream(&url, &mut intake, &shared).await {
            return intake.tell(Update::Failed(SourceError::not_fetched(&url, &reason)));
        }
        if !shared.stopped.get() {
            intake.finish();
        }
    });
    feed
}

/// Fetches a URL and loads it as it arrives.
async fn stream(url: &str, intake: &mut Intake, shared: &Shared) -> Result<(), String> {
    let response = fetch(url).await?;
    if !response.ok() {
        return Err(format!("the server answers {}", response.status()));
    }
    let length = response.headers().get("content-length").ok().flatten();
    intake.length = length.and_then(|length| length.parse().ok()).unwrap_or(0.0);
    let body = response.body().ok_or("the answer is empty")?;
    drain(&body, intake, shared).await
}

/// Loads the content of a stream.
async fn drain(stream: &ReadableStream, intake: &mut Intake, shared: &Shared) -> Result<(), String> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut began = Instant::now();
    loop {
        let piece = JsFuture::from(reader.read()).await.map_err(|error| message(&error))?;
        let member = |name: &str| js_sys::Reflect::get(&piece, &JsValue::from_str(name));
        let done = member("done").ok().and_then(|done| done.as_bool()).unwrap_or(true);
        if done || shared.stopped.get() {
            return Ok(());
        }
        let bytes = member("value").map_err(|error| message(&error))?;
        if !slices(&Uint8Array::new(&bytes).to_vec(), intake, shared, &mut began).await {
            return Ok(());
        }
    }
}

/// Takes in some bytes, and lets the page be drawn meanwhile; `false` when further ones are of no use.
async fn slices(bytes: &[u8], intake: &mut Intake, shared: &Shared, began: &mut Instant) -> bool {
    for slice in bytes.chunks(SLICE) {
        if !intake.push(slice) {
            return false;
        }
        if began.elapsed() > TAKE_BUDGET {
            intake.show();
            if !shared.pause(Duration::ZERO).await {
                return false;
            }
            *began = Instant::now();
        }
    }
    true
}

thread_local! {
    /// The addresses of the samples, by the names of their games.
    static SAMPLES: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

/// Takes the addresses of the samples, a JSON object by the names of their games.
///
/// # Errors
/// The reason, if it is no such object.
pub fn set_samples(addresses: &str) -> Result<(), serde_json::Error> {
    let addresses = serde_json::from_str(addresses)?;
    SAMPLES.with(|samples| *samples.borrow_mut() = addresses);
    Ok(())
}

/// Opens a sample, which lies beside the page.
pub fn open_sample(sample: Sample, wake: Wake) -> Feed {
    let name = sample.game.name();
    let address = SAMPLES.with(|samples| samples.borrow().get(name).cloned());
    open_recording(address.unwrap_or_else(|| name.to_owned()), wake)
}

/// Opens a file that the page was given.
pub fn open_page_file(file: File, wake: Wake) -> Feed {
    let (mut intake, feed, shared) = intake(file.name(), wake);
    spawn_local(async move {
        if file.size() > FILE_BYTES_MAX {
            return intake.tell(Update::Failed(SourceError::too_large(
                &intake.name,
                file.size(),
                FILE_BYTES_MAX,
            )));
        }
        intake.length = file.size();
        if let Err(reason) = drain(&file.stream(), &mut intake, &shared).await {
            return intake.tell(Update::Failed(SourceError::not_given(&intake.name, &reason)));
        }
        if !shared.stopped.get() {
            intake.finish();
        }
    });
    feed
}

/// The failure of opening a file by its path, which a page can't do.
pub fn no_file(path: &Path) -> Feed {
    let (sender, updates) = channel();
    let trouble = SourceError::new(
        "A page can't open files by name",
        format!("{} is a path on a machine.", path.display()),
        "Drop the file on this page instead.",
    );
    // The receiver is in this function, so sending can't fail.
    let _ = sender.send(Update::Failed(trouble));
    Feed { updates, control: Control(Rc::default()) }
}

//! Sources in a browser: websockets and fetches, as tasks of the page's event loop.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use grandstand_protocol::message::MatchId;
use grandstand_protocol::{SeatGrant, Summary};
use grandstand_replays::{Limits, Loader};
use grandstand_story::Sample;
use js_sys::{Function, Promise, Uint8Array};
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    File, Headers, MessageEvent, ReadableStream, ReadableStreamDefaultReader, RequestInit, Response, Storage,
    WebSocket,
};
use web_time::Instant;

use super::backoff::Backoff;
use super::follow::{Ended, Follower};
use super::{Connection, Feed, Listing, Refused, Update, Wake, parse_answer};
use crate::address::Base;
use crate::errors::Trouble;
use crate::tournament::{Change, REPORT, REPORT_EVERY, Report, Reports, changes};

/// The interval between requests for the list of matches.
const LIST_EVERY: Duration = Duration::from_secs(2);
/// The longest time of loading a recording before the page is drawn again.
const TAKE_BUDGET: Duration = Duration::from_millis(8);
/// The number of bytes loaded between two checks of the clock; decompressed, that may be a hundred times as much.
const SLICE: usize = 4 << 10;
/// The maximal size of a file, in bytes: its commands must fit into the memory of a page.
const FILE_BYTES_MAX: f64 = 1e9;

/// The viewer's handle of a task: dropping it stops the task, wherever it waits.
pub(crate) struct Control(Rc<Shared>);

/// The state shared with the task.
#[derive(Default)]
struct Shared {
    stopped: Cell<bool>,
    /// The function that ends the task's current wait.
    end_wait: RefCell<Option<Function>>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("stopped", &self.0.stopped).finish_non_exhaustive()
    }
}

impl Control {
    /// Ends the current pause of the task.
    pub(crate) fn hurry(&self) {
        if let Some(end) = self.0.end_wait.take() {
            // A settled promise ignores this.
            let _ = end.call0(&JsValue::NULL);
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.0.stopped.set(true);
        self.hurry();
    }
}

impl Shared {
    /// Waits for the duration, or until hurried or stopped; returns `false` if the task was stopped.
    async fn pause(&self, duration: Duration) -> bool {
        let promise = Promise::new(&mut |resolve, _| {
            if let Some(window) = web_sys::window() {
                let millis = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
                // Without a timer the wait ends when it is hurried.
                let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
            }
            *self.end_wait.borrow_mut() = Some(resolve);
        });
        self.wait_for(promise).await
    }

    /// Waits until a promise is settled; returns `false` if the task was stopped.
    async fn wait_for(&self, promise: Promise) -> bool {
        // The result of the promise does not matter; the caller checks the state.
        let _ = JsFuture::from(promise).await;
        self.end_wait.take();
        !self.stopped.get()
    }
}

/// Opens a match from its first command on.
pub fn open_live(base: Base, id: MatchId, wake: Wake) -> Feed {
    follow(Follower::new(base, id), wake)
}

/// Opens a match of which only the present is needed.
pub fn preview_live(base: Base, id: MatchId, wake: Wake) -> Feed {
    follow(Follower::preview(base, id), wake)
}

fn follow(follower: Follower, wake: Wake) -> Feed {
    let (sender, updates) = channel();
    let shared = Rc::new(Shared::default());
    let control = Control(Rc::clone(&shared));
    spawn_local(async move {
        let tell = move |update| {
            let _ = sender.send(update);
            wake();
        };
        let follower = Rc::new(RefCell::new(follower));
        let tell = Rc::new(tell);
        let mut backoff = Backoff::default();
        loop {
            tell(Update::Connection(Connection::Connecting));
            let (ended, greeted) = connect(&shared, &follower, &tell).await;
            if greeted {
                backoff.reset();
            }
            let pause = match ended {
                Ended::Over | Ended::Stopped => return,
                Ended::Ahead | Ended::Far => {
                    follower.borrow_mut().forget_place();
                    Duration::ZERO
                }
                Ended::Broken(trouble) if trouble.temporary => {
                    let pause = backoff.next();
                    tell(Update::Connection(Connection::Waiting { trouble, pause }));
                    pause
                }
                Ended::Broken(trouble) => return tell(Update::Failed(trouble)),
            };
            if !shared.pause(pause).await {
                return;
            }
        }
    });
    Feed { updates, control }
}

/// Runs one connection to its end; also returns whether anything arrived on it.
async fn connect(
    shared: &Rc<Shared>,
    follower: &Rc<RefCell<Follower>>,
    tell: &Rc<impl Fn(Update) + 'static>,
) -> (Ended, bool) {
    let address = follower.borrow().address();
    let Ok(socket) = WebSocket::new(&address) else {
        let base = follower.borrow().base.clone();
        return (Ended::Broken(Trouble::not_a_server(&base, "the browser refuses the address")), false);
    };
    let outcome: Rc<RefCell<(Option<Ended>, bool)>> = Rc::default();
    let on_message = {
        let (follower, tell, outcome) = (Rc::clone(follower), Rc::clone(tell), Rc::clone(&outcome));
        let socket = socket.clone();
        Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(text) = event.data().as_string() else { return };
            outcome.borrow_mut().1 = true;
            if let Err(ended) = follower.borrow_mut().take(&text, |update| tell(update)) {
                outcome.borrow_mut().0.get_or_insert(ended);
                let _ = socket.close();
            }
        })
    };
    socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    let closed = Promise::new(&mut |resolve, _| {
        socket.set_onclose(Some(&resolve));
        *shared.end_wait.borrow_mut() = Some(resolve);
    });
    let goes_on = shared.wait_for(closed).await;
    socket.set_onmessage(None);
    socket.set_onclose(None);
    let _ = socket.close();
    let (ended, greeted) = outcome.take();
    if !goes_on {
        return (Ended::Stopped, greeted);
    }
    if let Some(ended) = ended {
        return (ended, greeted);
    }
    let base = follower.borrow().base.clone();
    if greeted {
        return (Ended::Broken(Trouble::connection_lost(&base, "the connection closed")), true);
    }
    (why_refused(follower).await, false)
}

/// Finds out why a websocket was refused, which a browser does not report, by requesting the match.
async fn why_refused(follower: &RefCell<Follower>) -> Ended {
    let (base, id) = {
        let follower = follower.borrow();
        (follower.base.clone(), follower.id.clone())
    };
    match fetch(&base.http(&format!("api/matches/{id}"))).await {
        Err(reason) => Ended::Broken(Trouble::unreachable(&base, &reason)),
        // The match exists, so the requested position was refused.
        Ok(response) if response.ok() => {
            let ended = follower.borrow().refused(400);
            match ended {
                Ended::Ahead => ended,
                _ => Ended::Broken(Trouble::no_websocket(&base)),
            }
        }
        Ok(response) => follower.borrow().refused(response.status()),
    }
}

async fn fetch(url: &str) -> Result<Response, String> {
    let window = web_sys::window().ok_or("there is no window")?;
    let answer = JsFuture::from(window.fetch_with_str(url)).await;
    let response = answer.map_err(|error| message(&error))?;
    response.dyn_into().map_err(|other: JsValue| message(&other))
}

/// The browser's own message for an error.
fn message(error: &JsValue) -> String {
    let error: Option<&js_sys::Error> = error.dyn_ref();
    error.map_or_else(|| "no answer".to_owned(), |error| String::from(error.message()))
}

/// Polls a server's list of matches every few seconds.
pub fn watch_list(base: Base, wake: Wake) -> Listing {
    let (sender, updates) = channel();
    let shared = Rc::new(Shared::default());
    let control = Control(Rc::clone(&shared));
    spawn_local(async move {
        loop {
            if sender.send(list(&base).await).is_err() {
                return;
            }
            wake();
            if !shared.pause(LIST_EVERY).await {
                return;
            }
        }
    });
    Listing { updates, control }
}

/// Reads the tournament of a server, and reads it again after every change.
pub fn watch_tournament(base: Base, wake: Wake) -> Reports {
    let (sender, updates) = channel();
    let shared = Rc::new(Shared::default());
    let control = Control(Rc::clone(&shared));
    spawn_local(async move {
        while !shared.stopped.get() {
            let report = answer::<Box<Report>>(&base, REPORT).await;
            let revision = report.as_ref().ok().map(|report| report.revision);
            if sender.send(report).is_err() {
                return;
            }
            wake();
            let goes_on = match revision {
                Some(revision) => changed(&base, revision, &shared).await,
                None => shared.pause(REPORT_EVERY).await,
            };
            if !goes_on {
                return;
            }
        }
    });
    Reports { updates, control }
}

/// Waits until there is another revision, or the server fails; returns `false` to stop.
async fn changed(base: &Base, revision: u64, shared: &Shared) -> bool {
    while !shared.stopped.get() {
        match answer::<Change>(base, &changes(revision)).await {
            Err(_) => return shared.pause(REPORT_EVERY).await,
            Ok(told) if told.revision != revision => return true,
            // A server answers at once when everything is over.
            Ok(told) if told.over && !shared.pause(REPORT_EVERY).await => return false,
            Ok(_) => {}
        }
    }
    false
}

async fn list(base: &Base) -> Result<Vec<Summary>, Trouble> {
    answer(base, "api/matches").await
}

/// Fetches a JSON document of the server.
async fn answer<T: DeserializeOwned>(base: &Base, path: &str) -> Result<T, Trouble> {
    let unreachable = |reason: String| Trouble::unreachable(base, &reason);
    let response = fetch(&base.http(path)).await.map_err(unreachable)?;
    if response.status() == 404 && path == REPORT {
        return Err(Trouble::no_tournament(base));
    }
    if !response.ok() {
        return Err(Trouble::not_a_server(base, &format!("it answers {}", response.status())));
    }
    let text = response.text().map_err(|error| unreachable(message(&error)))?;
    let text = JsFuture::from(text).await.map_err(|error| unreachable(message(&error)))?;
    let text = text.as_string().unwrap_or_default();
    serde_json::from_str(&text).map_err(|error| Trouble::not_a_server(base, &error.to_string()))
}

/// Fetches a document of a server; the answer arrives on the channel.
pub fn get(base: &Base, path: &str) -> Receiver<Result<String, Refused>> {
    ask(base, path, |answer, _| answer)
}

/// Fetches a document of a server, as [`get`], with the time that this took.
pub fn get_timed(base: &Base, path: &str) -> Receiver<(Result<String, Refused>, Duration)> {
    ask(base, path, |answer, took| (answer, took))
}

fn ask<T: 'static>(base: &Base, path: &str, told: fn(Result<String, Refused>, Duration) -> T) -> Receiver<T> {
    let (sender, answers) = channel();
    let url = base.http(path);
    spawn_local(async move {
        let began = Instant::now();
        let answer = text_of(&url).await;
        // The viewer may be gone.
        let _ = sender.send(told(answer, began.elapsed()));
    });
    answers
}

async fn text_of(url: &str) -> Result<String, Refused> {
    let silent = |error: JsValue| Refused::silent(&message(&error));
    let response = fetch(url).await.map_err(|reason| Refused::silent(&reason))?;
    if !response.ok() {
        let status = response.status();
        return Err(Refused { status: Some(status), words: format!("the server answers {status}") });
    }
    let text = JsFuture::from(response.text().map_err(silent)?).await.map_err(silent)?;
    Ok(text.as_string().unwrap_or_default())
}

/// Posts a JSON body to the server; the answer arrives on the channel.
pub fn post(base: &Base, path: &str, body: String, wake: Wake) -> Receiver<Result<Value, Refused>> {
    let (sender, answers) = channel();
    let url = base.http(path);
    spawn_local(async move {
        // The viewer may be gone.
        let _ = sender.send(call(&url, &body).await);
        wake();
    });
    answers
}

async fn call(url: &str, body: &str) -> Result<Value, Refused> {
    let silent = |error: JsValue| Refused::silent(&message(&error));
    let headers = Headers::new().map_err(silent)?;
    headers.set("content-type", "application/json").map_err(silent)?;
    let request = RequestInit::new();
    request.set_method("POST");
    request.set_headers_headers(&headers);
    request.set_body(&JsValue::from_str(body));
    let window = web_sys::window().ok_or_else(|| Refused::silent("there is no window"))?;
    let answer = JsFuture::from(window.fetch_with_str_and_init(url, &request)).await.map_err(silent)?;
    let response: Response = answer.dyn_into().map_err(silent)?;
    let text = JsFuture::from(response.text().map_err(silent)?).await.map_err(silent)?;
    parse_answer(response.status(), &text.as_string().unwrap_or_default())
}

/// The storage of the page's tab; `None` if the page may not store anything.
fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok().flatten()
}

/// Stores a seat, so that it survives a reload of the page, or removes it.
pub fn save_seat(name: &str, seat: Option<&SeatGrant>) {
    let Some(storage) = storage() else { return };
    // If storing fails, the seat is only lost after a reload.
    let _ = match seat.map(serde_json::to_string) {
        Some(Ok(seat)) => storage.set_item(name, &seat),
        _ => storage.remove_item(name),
    };
}

/// The stored seat.
pub fn saved_seat(name: &str) -> Option<SeatGrant> {
    serde_json::from_str(&storage()?.get_item(name).ok()??).ok()
}

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
            self.tell(Update::Failed(Trouble::not_a_replay(&self.name, &error)));
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
            Err(error) => Update::Failed(Trouble::not_a_replay(&name, &error)),
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
            return intake.tell(Update::Failed(Trouble::not_fetched(&url, &reason)));
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

/// Opens a recording built into the program.
pub fn open_sample(sample: Sample, wake: Wake) -> Feed {
    let (mut intake, feed, shared) = intake(sample.game.name().to_owned(), wake);
    intake.length = sample.recording.len() as f64;
    spawn_local(async move {
        slices(sample.recording, &mut intake, &shared, &mut Instant::now()).await;
        if !shared.stopped.get() {
            intake.finish();
        }
    });
    feed
}

/// Opens a file that the page was given.
pub fn open_page_file(file: File, wake: Wake) -> Feed {
    let (mut intake, feed, shared) = intake(file.name(), wake);
    spawn_local(async move {
        if file.size() > FILE_BYTES_MAX {
            return intake.tell(Update::Failed(Trouble::too_large(
                &intake.name,
                file.size(),
                FILE_BYTES_MAX,
            )));
        }
        intake.length = file.size();
        if let Err(reason) = drain(&file.stream(), &mut intake, &shared).await {
            return intake.tell(Update::Failed(Trouble::not_given(&intake.name, &reason)));
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
    let trouble = Trouble::new(
        "A page can't open files by name",
        format!("{} is a path on a machine.", path.display()),
        "Drop the file on this page instead.",
    );
    // The receiver is in this function, so sending can't fail.
    let _ = sender.send(Update::Failed(trouble));
    Feed { updates, control: Control(Rc::default()) }
}

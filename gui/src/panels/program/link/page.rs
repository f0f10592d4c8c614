//! The machine in a worker of the page, `gui/web/program.js`: what it needs is loaded when the first link is opened.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use grandstand_replays::{Header, Log, Marked};
use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Event, MessageEvent, Worker};

use super::{LinkMessage, Recording};
use crate::source::Wake;

thread_local! {
    static WORKER: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Takes the address of the worker's script.
pub(crate) fn set_worker(address: String) {
    WORKER.with(|worker| *worker.borrow_mut() = Some(address));
}

/// Called by the browser for events of a kind.
type Listener<E> = Closure<dyn FnMut(E)>;

/// The panel's end of the worker, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Link {
    worker: Worker,
    told: Rc<RefCell<VecDeque<LinkMessage>>>,
    /// What the worker calls.
    _listeners: (Listener<MessageEvent>, Listener<Event>),
}

impl Link {
    /// Opens a recording in a new worker.
    ///
    /// # Errors
    /// In words, when the browser gives none, or the recording is not all there.
    pub(crate) fn open(recording: Recording, wake: Wake) -> Result<Link, String> {
        let address = WORKER.with(|worker| worker.borrow().clone());
        let address = address.ok_or("This page has no worker to play the match in.")?;
        let refused =
            |error: JsValue| format!("The browser gives no worker to play the match in: {error:?}.");
        let first = first_message(&recording)?;
        let worker = Worker::new(&address).map_err(refused)?;
        let told: Rc<RefCell<VecDeque<LinkMessage>>> = Rc::default();
        let on_message = {
            let (told, wake) = (Rc::clone(&told), Wake::clone(&wake));
            Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                let data = event.data();
                let broken = || Reflect::get(&data, &"broken".into()).ok()?.as_string();
                let came =
                    data.as_string().map(LinkMessage::Answer).or_else(|| broken().map(LinkMessage::Broken));
                told.borrow_mut().extend(came);
                wake();
            })
        };
        let on_error = {
            let told = Rc::clone(&told);
            Closure::<dyn FnMut(Event)>::new(move |event: Event| {
                // The page has its own words for what ends it; this ends the panel alone.
                event.prevent_default();
                let why = Reflect::get(&event, &"message".into()).ok().and_then(|why| why.as_string());
                let words = match why.filter(|why| !why.is_empty()) {
                    Some(why) => format!("The worker that plays the match again stopped: {why}"),
                    None => "The part of the page that plays matches again could not be loaded. The server may be away, or have a newer page: reload this \
                             one."
                        .to_owned(),
                };
                told.borrow_mut().push_back(LinkMessage::Broken(words));
                wake();
            })
        };
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.post_message(&first).map_err(refused)?;
        Ok(Link { worker, told, _listeners: (on_message, on_error) })
    }

    /// Sends a question.
    pub(crate) fn ask(&self, question: String) {
        // A text can always be sent; a worker that has ended says so by itself.
        let _ = self.worker.post_message(&question.into());
    }

    /// The next that has come.
    pub(crate) fn next(&mut self) -> Option<LinkMessage> {
        self.told.borrow_mut().pop_front()
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The message that opens a recording: its file as the worker is given it, or where it is.
fn first_message(recording: &Recording) -> Result<JsValue, String> {
    let message = Object::new();
    let put = |name: &str, value: JsValue| {
        // A new object takes every property.
        let _ = Reflect::set(&message, &name.into(), &value);
    };
    match recording {
        Recording::Read { header, log, asked, whole } => {
            put("file", Uint8Array::from(&*file(header, log)?).into());
            put("asked", asked.join("\n").into());
            put("whole", (*whole).into());
        }
        Recording::Fetched { url, token } => {
            put("url", url.into());
            put("token", token.as_ref().map_or(JsValue::NULL, JsValue::from));
        }
    }
    Ok(message.into())
}

/// The recording as a file once more.
fn file(header: &Header, log: &Log) -> Result<Vec<u8>, String> {
    let mut copy = Marked::new(header, Vec::new());
    match copy.copy(log, u64::MAX) {
        Ok(_) => Ok(copy.into_file()),
        Err(missing) => Err(format!("Not all of the match is here: {missing}.")),
    }
}

//! Sources in a browser: websockets and fetches, as tasks of the page's event loop.

mod http;
mod live;
mod recording;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Response;

pub(crate) use http::{Client, call, text_of};
pub use http::{save_seat, saved_seat};
pub(crate) use live::follow;
pub use recording::{no_file, open_page_file, open_recording, open_sample, set_samples};

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
    /// Starts a task that runs `work` until it is stopped.
    fn spawn(work: impl AsyncFnOnce(Rc<Shared>) + 'static) -> Control {
        let shared = Rc::new(Shared::default());
        let theirs = Rc::clone(&shared);
        spawn_local(async move { work(theirs).await });
        Control(shared)
    }

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

/// Starts a task that nobody stops. Its name is for threads, where there are some.
pub(crate) fn spawn(_name: &str, work: impl AsyncFnOnce() + 'static) {
    spawn_local(async move { work().await });
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

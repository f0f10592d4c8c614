//! Fetches of documents and posts, and the seats that a tab of the browser stores.

use std::rc::Rc;
use std::time::Duration;

use grandstand_protocol::SeatGrant;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response, Storage};

use super::{Control, Shared, fetch, message};
use crate::address::Base;
use crate::errors::SourceError;
use crate::tournament::REPORT;
use crate::{FEED_PORT, Refused, parse_answer};

/// A task that asks a server repeatedly.
pub(crate) struct Client(Rc<Shared>);

impl Client {
    /// Starts the task. Its name is for threads, where there are some.
    pub(crate) fn spawn(_name: &str, work: impl AsyncFnOnce(Client) + 'static) -> Control {
        Control::spawn(async move |shared| work(Client(shared)).await)
    }

    /// Whether the task was stopped.
    pub(crate) fn stopped(&self) -> bool {
        self.0.stopped.get()
    }

    /// Waits for the duration, or until hurried or stopped; returns `false` if the task was stopped.
    pub(crate) async fn pause(&self, duration: Duration) -> bool {
        self.0.pause(duration).await
    }

    /// Fetches a JSON document of a server. How long a response may take is up to the browser.
    pub(crate) async fn document<T: DeserializeOwned>(
        &self,
        base: &Base,
        path: &str,
        patience: Duration,
    ) -> Result<T, SourceError> {
        self.document_and_feed(base, path, patience).await.map(|(document, _)| document)
    }

    /// A JSON document as by [`Client::document`], and the server's port for game servers if it says it.
    pub(crate) async fn document_and_feed<T: DeserializeOwned>(
        &self,
        base: &Base,
        path: &str,
        _patience: Duration,
    ) -> Result<(T, Option<u16>), SourceError> {
        let unreachable = |reason: String| SourceError::unreachable(base, &reason);
        let response = fetch(&base.http(path)).await.map_err(unreachable)?;
        if response.status() == 404 && path == REPORT {
            return Err(SourceError::no_tournament(base));
        }
        if !response.ok() {
            return Err(SourceError::not_a_server(base, &format!("it answers {}", response.status())));
        }
        let text = response.text().map_err(|error| unreachable(message(&error)))?;
        let text = JsFuture::from(text).await.map_err(|error| unreachable(message(&error)))?;
        let text = text.as_string().unwrap_or_default();
        let feed = response.headers().get(FEED_PORT).ok().flatten().and_then(|port| port.parse().ok());
        let document = serde_json::from_str(&text);
        let document = document.map_err(|error| SourceError::not_a_server(base, &error.to_string()))?;
        Ok((document, feed))
    }
}

/// Fetches the text of a document.
pub(crate) async fn text_of(url: &str) -> Result<String, Refused> {
    let silent = |error: JsValue| Refused::silent(&message(&error));
    let response = fetch(url).await.map_err(|reason| Refused::silent(&reason))?;
    if !response.ok() {
        let status = response.status();
        return Err(Refused { status: Some(status), words: format!("the server answers {status}") });
    }
    let text = JsFuture::from(response.text().map_err(silent)?).await.map_err(silent)?;
    Ok(text.as_string().unwrap_or_default())
}

/// Posts a JSON body.
pub(crate) async fn call(url: &str, body: &str) -> Result<Value, Refused> {
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

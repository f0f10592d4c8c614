//! The service in a browser's worker: what `gui/web/program.js` sees of it.

use std::cell::RefCell;

use grandstand_replays::{Limits, Replay};
use wasm_bindgen::prelude::*;

use crate::insight::Insight;
use crate::service::InsightService;

thread_local! {
    /// What the panic said that ended the module.
    static FAULT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A match that is asked by the messages of `server/INSIGHT.md`.
#[wasm_bindgen]
#[derive(Debug)]
pub struct InsightWorker {
    service: InsightService,
}

#[wasm_bindgen]
impl InsightWorker {
    /// The match of a recording: of its file, and of the lines of code `q`, without what stands around their data, where those are not in the file. `whole` is
    /// false where the file stands for one that was broken off.
    ///
    /// # Errors
    /// In words, if the file is no recording.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8], asked: &str, whole: bool) -> Result<InsightWorker, JsValue> {
        std::panic::set_hook(Box::new(|panic| {
            FAULT.with(|fault| *fault.borrow_mut() = Some(panic.to_string()))
        }));
        let replay = Replay::open(file, Limits::default());
        let replay = replay.map_err(|error| JsValue::from_str(&error.to_string()))?;
        let whole = whole && replay.damage().is_none();
        let lines: Vec<String> = asked.lines().map(str::to_owned).collect();
        let asked = if lines.is_empty() { replay.bot_requests() } else { &*lines };
        let insight = Insight::of_log(replay.header(), replay.log().clone(), whole, asked);
        Ok(InsightWorker { service: InsightService::new(insight) })
    }

    /// Takes a question; the answer, where it is none.
    pub fn ask(&mut self, question: &str) -> Option<String> {
        self.service.ask(question)
    }

    /// Works for some milliseconds; what there is to tell then.
    pub fn work(&mut self) -> Vec<String> {
        self.service.work()
    }

    /// Whether there is nothing to do until the next question.
    pub fn idle(&self) -> bool {
        self.service.is_idle()
    }
}

/// What the fault was that ended the module, where it said anything: without memory it can't.
#[wasm_bindgen]
pub fn fault() -> Option<String> {
    FAULT.with(|fault| fault.borrow().clone())
}

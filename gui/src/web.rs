//! The spectator in a page: its interface for the page's script (`gui/web/page.js`).

use std::any::Any;

use eframe::egui::{Context, Ui, Visuals};
use eframe::{Frame, Storage, WebOptions, WebRunner};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::{File, HtmlCanvasElement};

use crate::address::{Base, Target};
use crate::app::App;
use crate::app::focus_ring::{FocusExit, FocusRing};
use crate::app::focus_words::focus_words;
use crate::app::page_api::{Request, Status};
use crate::panels::program::link::set_worker;
use crate::source::set_samples;

/// A running spectator.
#[wasm_bindgen]
#[allow(missing_debug_implementations, reason = "what it holds belongs to the browser")]
pub struct Spectator {
    runner: WebRunner,
    base: Base,
}

#[wasm_bindgen]
impl Spectator {
    /// Draws on `canvas` from now on, for the server whose page is at `base`. `embedded` shows only the board and the
    /// timeline. `program` is the address of the script of the *Program* panel's worker, and `samples` a JSON object with those of the
    /// samples, by the names of their games.
    /// Calls `listener(kind, json)` in frames with a change. Kinds: `status` (a [`Status`]), `log` (a
    /// [`Narration`](grandstand_story::narration::Narration)), `focus` (a text about the widget that got the focus or
    /// was changed), and `leave` (whether forwards: Tab has gone round all widgets).
    ///
    /// # Errors
    /// The browser's reason if it can't draw.
    pub async fn start(
        canvas: HtmlCanvasElement,
        base: String,
        embedded: bool,
        program: String,
        samples: String,
        listener: Function,
    ) -> Result<Spectator, JsValue> {
        let Ok(Target::Server(base)) = base.parse() else {
            return Err(JsValue::from_str(&format!("{base} is not an address that a server could have")));
        };
        set_worker(program);
        set_samples(&samples).map_err(|error| words(&error))?;
        let runner = WebRunner::new();
        let server = Target::Server(base.clone());
        let create: eframe::AppCreator<'static> = Box::new(move |cc| {
            let mut app = App::new(cc, Some(server));
            if embedded {
                app.show_board_alone();
            }
            Ok(Box::new(Page {
                app,
                ctx: cc.egui_ctx.clone(),
                listener,
                told: None,
                focus: FocusRing::default(),
            }))
        });
        runner.start(canvas, WebOptions::default(), create).await?;
        Ok(Spectator { runner, base })
    }

    /// Executes a [`Request`] in JSON.
    ///
    /// # Errors
    /// A text, if the JSON is not a request or the request can't be executed now.
    pub fn request(&self, json: &str) -> Result<(), JsValue> {
        let request: Request = serde_json::from_str(json).map_err(|error| words(&error))?;
        let mut page = self.runner.app_mut::<Page>().ok_or_else(|| words(&"the spectator has ended"))?;
        let page = &mut *page;
        page.app.request(&page.ctx, &self.base, request).map_err(|reason| words(&reason))
    }

    /// Opens a file, at command `seq` if one is given.
    ///
    /// # Errors
    /// A text, if the spectator has ended.
    pub fn open_file(&self, file: File, seq: Option<u32>) -> Result<(), JsValue> {
        let mut page = self.runner.app_mut::<Page>().ok_or_else(|| words(&"the spectator has ended"))?;
        let page = &mut *page;
        page.app.open_page_file(&page.ctx, file, seq.map(u64::from));
        page.ctx.request_repaint();
        Ok(())
    }

    /// The [`Status`] in JSON; `null` if the spectator has ended.
    #[must_use]
    pub fn status(&self) -> String {
        let status = self.runner.app_mut::<Page>().map(|page| page.app.status());
        serde_json::to_string(&status).unwrap_or_default()
    }

    /// Message of the panic that ended the spectator, if one did.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        self.runner.panic_summary().map(|summary| summary.message())
    }

    /// Ends the spectator. The canvas can't be drawn on again.
    pub fn destroy(&self) {
        self.runner.destroy();
    }
}

/// Whether the page is in full screen.
pub(crate) fn is_fullscreen() -> bool {
    document().is_some_and(|document| document.fullscreen_element().is_some())
}

/// Enters or leaves full screen. A browser's refusal is ignored.
pub(crate) fn set_fullscreen(full: bool) {
    let Some(document) = document() else { return };
    match document.document_element() {
        Some(page) if full => drop(page.request_fullscreen()),
        _ => document.exit_fullscreen(),
    }
}

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

fn words(reason: &impl ToString) -> JsValue {
    js_sys::Error::new(&reason.to_string()).into()
}

/// The app with the page's listener.
struct Page {
    app: App,
    ctx: Context,
    listener: Function,
    told: Option<Status>,
    focus: FocusRing,
}

impl Page {
    fn tell(&mut self) {
        // A listener's exception is in the browser's console.
        let call = |kind: &str, json: String| self.listener.call2(&JsValue::NULL, &kind.into(), &json.into());
        let status = self.app.status();
        if self.told.as_ref() != Some(&status) {
            let _ = call("status", serde_json::to_string(&status).unwrap_or_default());
            self.told = Some(status);
        }
        let focus = self.ctx.output(focus_words);
        if !focus.is_empty() {
            let _ = call("focus", serde_json::to_string(&focus).unwrap_or_default());
        }
        if let Some(narration) = self.app.tell() {
            let _ = call("log", serde_json::to_string(&narration).unwrap_or_default());
        }
    }
}

impl eframe::App for Page {
    fn logic(&mut self, ctx: &Context, frame: &mut Frame) {
        self.app.logic(ctx, frame);
        self.tell();
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.app.ui(ui, frame);
        self.tell();
        if let Some(exit) = self.focus.update(&self.ctx) {
            let forward = exit == FocusExit::Forward;
            // A listener's exception is in the browser's console.
            let _ = self.listener.call2(&JsValue::NULL, &"leave".into(), &forward.to_string().into());
        }
    }

    fn save(&mut self, storage: &mut dyn Storage) {
        self.app.save(storage);
    }

    fn persist_egui_memory(&self) -> bool {
        self.app.persist_egui_memory()
    }

    fn clear_color(&self, visuals: &Visuals) -> [f32; 4] {
        self.app.clear_color(visuals)
    }

    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        Some(self)
    }
}

//! Headless Chromium, driven through its DevTools protocol.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// Time limit for actions that a person would wait for.
const PATIENCE: Duration = Duration::from_secs(30);

/// Names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const FLAGS: [&str; 15] = [
    "--headless",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    // Certificates of the tests are self-signed.
    "--ignore-certificate-errors",
    "--remote-debugging-port=0",
    "about:blank",
];

/// The Chromium to test with: `GRANDSTAND_CHROMIUM`, or the installed one.
fn installed() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GRANDSTAND_CHROMIUM") {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|directory| NAMES.map(|name| directory.join(name)))
        .find(|file| file.is_file())
}

/// A browser with one page open, and a profile of its own.
pub(crate) struct Page {
    socket: WebSocketStream<TcpStream>,
    session: String,
    next_id: u64,
    /// Console output of the page, and uncaught exceptions.
    pub(crate) console: Vec<String>,
    // Drop order: the process first, then its files.
    _process: Process,
    _profile: tempfile::TempDir,
}

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Page {
    /// Starts the browser with an empty page of 1280 × 800.
    pub(crate) async fn open() -> Page {
        let profile = tempfile::tempdir().unwrap();
        let child = Command::new(installed().expect("Chromium is installed"))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(FLAGS)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let process = Process(child);
        let began = Instant::now();
        let (port, path) = loop {
            // Two lines: the port, and the path of the browser's own socket.
            let text = std::fs::read_to_string(profile.path().join("DevToolsActivePort")).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| path.len() > 10) {
                break (port.to_owned(), path.trim().to_owned());
            }
            assert!(began.elapsed() < PATIENCE, "Chromium did not open its DevTools port");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).await.unwrap();
        let url = format!("ws://127.0.0.1:{port}{path}");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        let mut page = Page {
            socket,
            session: String::new(),
            next_id: 0,
            console: Vec::new(),
            _process: process,
            _profile: profile,
        };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"})).await;
        let attached = page
            .call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}))
            .await;
        page.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        page.resize(1280, 800, 1.0, false).await;
        page
    }

    /// Calls a DevTools method and returns its result.
    pub(crate) async fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Calls a DevTools method and returns its result, or Chromium's error.
    async fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.next_id += 1;
        let id = self.next_id;
        let mut request = json!({"id": id, "method": method, "params": parameters});
        if !self.session.is_empty() {
            request["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(request.to_string())).await.unwrap();
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let message =
                message.unwrap_or_else(|_| panic!("{method}: no answer from Chromium")).unwrap().unwrap();
            let Message::Text(text) = message else { continue };
            let answer: Value = serde_json::from_str(&text).unwrap();
            if answer["id"] == json!(id) {
                let error = &answer["error"];
                return if error.is_null() { Ok(answer["result"].clone()) } else { Err(error.clone()) };
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let parameters = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.consoleAPICalled") => {
                let parts = parameters["args"].as_array().cloned().unwrap_or_default();
                let words: Vec<String> = parts
                    .iter()
                    .map(|part| {
                        part["description"].as_str().map_or_else(|| part["value"].to_string(), str::to_owned)
                    })
                    .collect();
                self.console.push(format!(
                    "{}: {}",
                    parameters["type"].as_str().unwrap_or("log"),
                    words.join(" ")
                ));
            }
            Some("Runtime.exceptionThrown") => {
                self.console.push(format!(
                    "exception: {}",
                    parameters["exceptionDetails"]["exception"]["description"]
                ));
            }
            Some("Log.entryAdded") => {
                let entry = &parameters["entry"];
                self.console.push(format!("{}: {} {}", entry["level"], entry["text"], entry["url"]));
            }
            _ => {}
        }
    }

    pub(crate) async fn go(&mut self, url: &str) {
        let answer = self.call("Page.navigate", json!({"url": url})).await;
        assert!(answer["errorText"].is_null(), "{url}: {}", answer["errorText"]);
    }

    /// Sets the size of the page in CSS pixels; a phone has touch and a viewport of its own.
    pub(crate) async fn resize(&mut self, width: u32, height: u32, scale: f64, phone: bool) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone});
        self.call("Emulation.setDeviceMetricsOverride", metrics).await;
        self.call("Emulation.setTouchEmulationEnabled", json!({"enabled": phone, "maxTouchPoints": 5})).await;
    }

    /// Runs JavaScript in all pages opened from now on, before any of their own code.
    pub(crate) async fn prepare(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await;
    }

    /// The value of a JavaScript expression. Promises are awaited; an exception gives `{"thrown": "…"}`.
    pub(crate) async fn eval(&mut self, expression: &str) -> Value {
        let parameters = json!({"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true});
        let answer = match self.try_call("Runtime.evaluate", parameters).await {
            Ok(answer) => answer,
            // The page was left while the expression ran, for example because it clicks on a link.
            Err(error) => return json!({"thrown": error["message"]}),
        };
        if answer["exceptionDetails"].is_null() {
            answer["result"]["value"].clone()
        } else {
            json!({"thrown": answer["exceptionDetails"]["exception"]["description"]})
        }
    }

    /// Waits until a JavaScript expression is true.
    pub(crate) async fn wait_for(&mut self, expression: &str) {
        let began = Instant::now();
        loop {
            let value = self.eval(expression).await;
            if value == json!(true) {
                return;
            }
            if began.elapsed() > PATIENCE {
                self.screenshot("failed").await;
                let state = self.eval("[document.body.dataset.state, document.body.innerText, window.grandstand && grandstand.status]").await;
                panic!(
                    "never true: {expression}\nlast: {value}\npage: {state:#}\nconsole: {:#?}",
                    self.console
                );
            }
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Presses and releases a key, given by its `KeyboardEvent.key`, `code` and `keyCode`.
    pub(crate) async fn press(&mut self, key: &str, code: &str, number: u8) {
        let text = if key.chars().count() == 1 { key } else { "" };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number});
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Presses Tab, with Shift if it goes back.
    pub(crate) async fn tab(&mut self, back: bool) {
        let modifiers = if back { 8 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            let event = json!({"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9, "modifiers": modifiers});
            self.call("Input.dispatchKeyEvent", event).await;
        }
    }

    /// Clicks at a place of the page with the mouse.
    pub(crate) async fn click(&mut self, x: f64, y: f64) {
        for (kind, button) in [("mouseMoved", "none"), ("mousePressed", "left"), ("mouseReleased", "left")] {
            let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event).await;
            self.frames().await;
        }
    }

    /// Touches the page with several fingers and moves them in steps from the start to the end positions.
    pub(crate) async fn drag(&mut self, from: &[(f64, f64)], to: &[(f64, f64)]) {
        const STEPS: u32 = 8;
        for step in 0..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let fingers: Vec<Value> = from
                .iter()
                .zip(to)
                .enumerate()
                .map(|(id, (a, b))| json!({"x": a.0 + (b.0 - a.0) * part, "y": a.1 + (b.1 - a.1) * part, "id": id}))
                .collect();
            let kind = if step == 0 { "touchStart" } else { "touchMove" };
            self.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": fingers})).await;
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []})).await;
    }

    /// Touches a place of the page for a moment.
    pub(crate) async fn tap(&mut self, x: f64, y: f64) {
        let finger = json!({"type": "touchStart", "touchPoints": [{"x": x, "y": y, "id": 0}]});
        self.call("Input.dispatchTouchEvent", finger).await;
        self.call("Input.dispatchTouchEvent", json!({"type": "touchEnd", "touchPoints": []})).await;
    }

    /// Waits until the page has drawn the effect of the last input.
    pub(crate) async fn frames(&mut self) {
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))").await;
    }

    /// Drags a file of the disk over a place of the page, without dropping it.
    pub(crate) async fn drag_file(&mut self, file: &Path, at: (f64, f64)) {
        for kind in ["dragEnter", "dragOver"] {
            self.drag_event(kind, file, at).await;
        }
    }

    /// Drops a file of the disk on a place of the page.
    pub(crate) async fn drop_file(&mut self, file: &Path, at: (f64, f64)) {
        for kind in ["dragEnter", "dragOver", "drop"] {
            self.drag_event(kind, file, at).await;
        }
    }

    async fn drag_event(&mut self, kind: &str, file: &Path, (x, y): (f64, f64)) {
        // Allows the copy operation only.
        let data = json!({"items": [], "files": [file], "dragOperationsMask": 1});
        self.call("Input.dispatchDragEvent", json!({"type": kind, "x": x, "y": y, "data": data})).await;
    }

    /// A screenshot of the page; also saved beside the test's other output.
    pub(crate) async fn screenshot(&mut self, name: &str) -> Picture {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"})).await;
        let bytes = data_encoding::BASE64.decode(answer["data"].as_str().unwrap().as_bytes()).unwrap();
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("browser");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(format!("{name}.png")), &bytes).unwrap();
        Picture::decode(&bytes)
    }
}

/// The pixels of a page.
#[derive(PartialEq)]
pub(crate) struct Picture {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

/// A part of a page, in its pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn centre(&self) -> (f64, f64) {
        (self.left + self.width() / 2.0, self.top + self.height() / 2.0)
    }
}

impl Picture {
    fn decode(bytes: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut buffer).unwrap();
        let size = frame.color_type.samples();
        Picture {
            width: frame.width as usize,
            pixels: buffer[..frame.buffer_size()].chunks(size).map(|p| [p[0], p[1], p[2]]).collect(),
        }
    }

    /// Bounding area of the rows and columns in which most pixels match `is_so`.
    pub(crate) fn area(&self, is_so: impl Fn([u8; 3]) -> bool) -> Option<Area> {
        let rows: Vec<&[[u8; 3]]> = self.pixels.chunks(self.width).collect();
        let in_row = |row: &&[[u8; 3]]| row.iter().filter(|pixel| is_so(**pixel)).count();
        let in_column = |x: &usize| rows.iter().filter(|row| is_so(row[*x])).count();
        let most = |counts: &[usize]| {
            let most = counts.iter().max().copied().unwrap_or(0);
            let from = counts.iter().position(|count| *count * 2 > most)?;
            let to = counts.iter().rposition(|count| *count * 2 > most)?;
            (most > 0).then_some((from as f64, to as f64 + 1.0))
        };
        let (top, bottom) = most(&rows.iter().map(in_row).collect::<Vec<_>>())?;
        let (left, right) = most(&(0..self.width).map(|x| in_column(&x)).collect::<Vec<_>>())?;
        Some(Area { left, top, right, bottom })
    }

    /// Number of colours: small on a page where nothing is drawn.
    pub(crate) fn colours(&self) -> usize {
        self.pixels.iter().collect::<std::collections::HashSet<_>>().len()
    }

    /// Share of pixels that differ, from 0 to 1.
    pub(crate) fn difference(&self, other: &Picture) -> f64 {
        let differing = self.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count();
        differing as f64 / self.pixels.len() as f64
    }
}

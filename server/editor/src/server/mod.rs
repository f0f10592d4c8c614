//! Language server without its process.
//!
//! [`Service::receive`] queues messages; [`Service::work`] answers them in order, so a request that is cancelled while
//! it waits costs nothing. Diagnostics follow when the queue is empty, so a burst of changes needs one analysis.

mod documents;
mod requests;

use std::collections::VecDeque;

use grandstand_languages::Language;
use serde::Deserialize;
use serde_json::{Value, json};

use self::documents::{Change, Documents};
pub use self::documents::{MAX_DOCUMENTS, MAX_OPEN_BYTES};
use self::requests::Answer;
use crate::diagnostics;
use crate::files::{Disk, Origin};
use crate::framing::MAX_BODY;
use crate::library::Library;
use crate::rpc::{self, Failure, Incoming};
use crate::service::Service;
use crate::uri;

/// Number of queued messages at most. If the queue is full, it is answered first.
const MAX_WAITING: usize = 10_000;

/// Phase of the server's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    Running,
    /// After `shutdown`, before `exit`.
    ShutDown,
    /// After `exit`.
    Exited {
        /// Whether `shutdown` came before.
        in_order: bool,
    },
}

/// Language server for CL and RCL.
#[derive(Debug)]
pub struct Server<D> {
    disk: D,
    phase: Phase,
    documents: Documents,
    /// Shipped libraries of each language, after the first use.
    libraries: [Option<Library>; 2],
    waiting: VecDeque<Incoming>,
    /// Messages to send.
    out: Vec<String>,
}

/// Text in a notification.
#[derive(Deserialize)]
struct TextDocument {
    uri: String,
    #[serde(default)]
    version: Option<i64>,
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfDocument {
    text_document: TextDocument,
    #[serde(default)]
    content_changes: Vec<Change>,
}

#[derive(Deserialize)]
struct Folder {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Initialize {
    root_uri: Option<String>,
    workspace_folders: Option<Vec<Folder>>,
}

#[derive(Deserialize)]
struct FoldersChanged {
    event: FoldersEvent,
}

#[derive(Deserialize)]
struct FoldersEvent {
    added: Vec<Folder>,
    removed: Vec<Folder>,
}

impl<D: Disk> Server<D> {
    /// Creates a server that reads files from `disk`.
    pub fn new(disk: D) -> Self {
        Self {
            disk,
            phase: Phase::New,
            documents: Documents::default(),
            libraries: [None, None],
            waiting: VecDeque::new(),
            out: Vec::new(),
        }
    }
}

impl<D: Disk> Service for Server<D> {
    fn receive(&mut self, body: &[u8]) {
        match rpc::parse(body) {
            Ok(Incoming::Notification { method, params }) if method == "$/cancelRequest" => {
                self.cancel(&params)
            }
            Ok(incoming) => {
                if self.waiting.len() == MAX_WAITING {
                    self.answer();
                }
                self.waiting.push_back(incoming);
            }
            Err((id, failure)) => self.out.push(rpc::response(&id, Err::<Answer, _>(failure))),
        }
    }

    fn left_out(&mut self, bytes: usize) {
        let message = format!("a message of {bytes} bytes was left out: at most {MAX_BODY} are read");
        self.show(&message);
    }

    /// Answers all queued messages, and returns the messages to send, in order.
    fn work(&mut self) -> Vec<String> {
        self.answer();
        if self.phase == Phase::Running {
            self.tell_news();
        }
        std::mem::take(&mut self.out)
    }

    /// Exit status after `exit`: 0 if `shutdown` came before, otherwise 1.
    fn exit_status(&self) -> Option<u8> {
        match self.phase {
            Phase::Exited { in_order } => Some(u8::from(!in_order)),
            _ => None,
        }
    }
}

impl<D: Disk> Server<D> {
    fn cancel(&mut self, params: &Value) {
        let cancelled = &params["id"];
        let is_meant =
            |incoming: &Incoming| matches!(incoming, Incoming::Request { id, .. } if id == cancelled);
        if let Some(Incoming::Request { id, .. }) =
            self.waiting.iter().position(is_meant).and_then(|at| self.waiting.remove(at))
        {
            let failure = Failure::new(Failure::CANCELLED, "the request was cancelled");
            self.out.push(rpc::response(&id, Err::<Answer, _>(failure)));
        }
    }

    fn answer(&mut self) {
        while let Some(incoming) = self.waiting.pop_front() {
            match incoming {
                Incoming::Request { id, method, params } => {
                    let result = self.request(&method, params);
                    self.out.push(rpc::response(&id, result));
                }
                Incoming::Notification { method, params } => {
                    // A notification has no error response.
                    if let Err(failure) = self.notification(&method, params) {
                        self.show(&format!("{method}: {}", failure.message));
                    }
                }
                Incoming::Response => {}
            }
        }
    }

    /// Shows a message in the editor.
    fn show(&mut self, message: &str) {
        const WARNING: u8 = 2;
        let params = json!({ "type": WARNING, "message": message });
        self.out.push(rpc::notification("window/showMessage", params));
    }

    fn request(&mut self, method: &str, params: Value) -> Result<Answer, Failure> {
        match (self.phase, method) {
            (Phase::New, "initialize") => {
                let params: Initialize = rpc::read(params)?;
                let folders =
                    params.workspace_folders.unwrap_or_default().into_iter().map(|folder| folder.uri);
                let mut roots: Vec<String> = folders.filter_map(|folder| root(&folder)).collect();
                if roots.is_empty() {
                    roots.extend(params.root_uri.as_deref().and_then(root));
                }
                self.documents.roots = roots;
                self.phase = Phase::Running;
                Ok(capabilities().into())
            }
            (Phase::New, _) => Err(Failure::new(Failure::NOT_INITIALIZED, "`initialize` comes first")),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null.into())
            }
            (Phase::Running, "initialize") => {
                Err(Failure::new(Failure::INVALID_REQUEST, "`initialize` comes once"))
            }
            (Phase::Running, _) => self.question(method, params),
            (Phase::ShutDown | Phase::Exited { .. }, _) => {
                Err(Failure::new(Failure::INVALID_REQUEST, "after `shutdown` comes `exit`"))
            }
        }
    }

    fn notification(&mut self, method: &str, params: Value) -> Result<(), Failure> {
        match (self.phase, method) {
            (phase, "exit") => {
                self.phase = Phase::Exited { in_order: phase == Phase::ShutDown };
                self.waiting.clear();
            }
            (Phase::Running, "textDocument/didOpen") => {
                let TextDocument { uri, version, text } = rpc::read::<OfDocument>(params)?.text_document;
                let opened = self.documents.put(&uri, version.unwrap_or_default(), text);
                self.word(&uri, opened);
            }
            (Phase::Running, "textDocument/didChange") => {
                let OfDocument { text_document: TextDocument { uri, version, .. }, content_changes } =
                    rpc::read(params)?;
                let changed = self.documents.change(&uri, version.unwrap_or_default(), content_changes);
                self.word(&uri, changed);
            }
            (Phase::Running, "textDocument/didClose") => {
                let address = rpc::read::<OfDocument>(params)?.text_document.uri;
                if let Some(address) = self.documents.close(&address) {
                    self.tell(&address, None, json!([]));
                }
            }
            (Phase::Running, "textDocument/didSave") => {
                if let Some(path) = uri::to_path(&rpc::read::<OfDocument>(params)?.text_document.uri) {
                    self.documents.touch(&path);
                }
            }
            (Phase::Running, "workspace/didChangeWatchedFiles") => self.documents.touch_all(),
            (Phase::Running, "workspace/didChangeWorkspaceFolders") => {
                let FoldersChanged { event } = rpc::read(params)?;
                let removed: Vec<String> =
                    event.removed.iter().filter_map(|folder| root(&folder.uri)).collect();
                self.documents.roots.retain(|known| !removed.contains(known));
                self.documents.roots.extend(event.added.iter().filter_map(|folder| root(&folder.uri)));
                self.documents.touch_all();
            }
            // Other notifications are ignored.
            _ => {}
        }
        Ok(())
    }

    /// Shows why a text is not looked at. Its diagnostics of before don't belong to it any more.
    fn word(&mut self, address: &str, done: Result<(), String>) {
        if let Err(problem) = done {
            self.show(&problem);
            self.tell(address, None, json!([]));
        }
    }

    /// Sends the diagnostics of each changed text.
    fn tell_news(&mut self) {
        for address in self.documents.addresses() {
            let Some(document) = self.documents.get_mut(&address) else { continue };
            if !std::mem::take(&mut document.is_news) {
                continue;
            }
            let version = document.version;
            let diagnostics = self.diagnostics(&address);
            self.tell(&address, Some(version), diagnostics);
        }
    }

    fn tell(&mut self, address: &str, version: Option<i64>, diagnostics: Value) {
        let mut params = json!({ "uri": address });
        params["diagnostics"] = diagnostics;
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        self.out.push(rpc::notification("textDocument/publishDiagnostics", params));
    }

    fn diagnostics(&mut self, address: &str) -> Value {
        let language = self.prepare(address);
        let Self { documents, libraries, disk, .. } = self;
        let library = language.and_then(|language| libraries[language as usize].as_ref());
        match (documents.analysis(address, disk), library) {
            (Some(Ok(analysis)), Some(library)) => {
                let origins: Vec<Origin> = (0..analysis.draft.sources().files().len() as u32)
                    .map(|file| analysis.origin(file).clone())
                    .collect();
                let uri = |file: u32| match origins.get(file as usize)? {
                    Origin::Path(path) => Some(uri::of_path(path)),
                    Origin::Shipped(_) | Origin::Unnamed => None,
                };
                diagnostics::all(analysis, library, uri)
            }
            (Some(Err(error)), _) => diagnostics::of_whole(error),
            _ => json!([]),
        }
    }

    /// Analyses a text and the libraries of its language; `None` if it is not open or can't be analysed.
    fn prepare(&mut self, address: &str) -> Option<Language> {
        let language = self.documents.analysis(address, &self.disk)?.as_ref().ok()?.language;
        self.libraries[language as usize].get_or_insert_with(|| Library::new(language));
        Some(language)
    }
}

/// Path of a folder, without a final `/`.
fn root(address: &str) -> Option<String> {
    Some(uri::to_path(address)?.trim_end_matches('/').to_owned())
}

fn capabilities() -> Value {
    const INCREMENTAL: u8 = 2;
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": INCREMENTAL, "save": {} },
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentSymbolProvider": true,
            "completionProvider": { "triggerCharacters": ["#"], "resolveProvider": true },
            "workspace": { "workspaceFolders": { "supported": true, "changeNotifications": true } },
        },
        "serverInfo": { "name": "grandstand", "version": env!("CARGO_PKG_VERSION") },
    })
}

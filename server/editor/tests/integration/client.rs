//! Editor for tests: opens texts, sends requests, and keeps the diagnostics.

use std::collections::BTreeMap;

use grandstand_editor::{Disk, Server, Service as _};
use grandstand_languages::FileError;
use serde_json::{Value, json};

/// Files in memory, by absolute path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files(pub(crate) BTreeMap<String, String>);

impl Disk for Files {
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError> {
        let text = self.0.get(&format!("{directory}/{path}")).ok_or(FileError::Missing)?;
        Ok(text.as_bytes().to_vec())
    }

    fn unpack(&self, path: &str, _: &str) -> Option<String> {
        Some(format!("/library/{path}"))
    }
}

/// Editor in the folder `/w`.
#[derive(Debug)]
pub(crate) struct Client {
    server: Server<Files>,
    id: i64,
    /// Last diagnostics of each text.
    pub(crate) told: BTreeMap<String, Vec<Value>>,
    /// Shown messages.
    pub(crate) shown: Vec<String>,
}

impl Client {
    /// Creates an editor after `initialize`, with files on its disk.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned()));
        let server = Server::new(Files(files.collect()));
        let mut client = Self { server, id: 0, told: BTreeMap::new(), shown: Vec::new() };
        let hello = client.request("initialize", json!({ "rootUri": "file:///w", "capabilities": {} }));
        assert_eq!(hello["capabilities"]["hoverProvider"], true);
        client.notify("initialized", json!({}));
        client
    }

    /// Creates an editor with one open text: `/w/a.cl`, or a file of another name.
    pub(crate) fn with(name: &str, text: &str) -> Self {
        let mut client = Self::new(&[]);
        client.open(name, text);
        client
    }

    /// Sends all messages before the server works, and returns the answers.
    pub(crate) fn send(&mut self, messages: &[Value]) -> Vec<Value> {
        for message in messages {
            self.server.receive(message.to_string().as_bytes());
        }
        self.work()
    }

    pub(crate) fn send_bytes(&mut self, body: &[u8]) -> Vec<Value> {
        self.server.receive(body);
        self.work()
    }

    fn work(&mut self) -> Vec<Value> {
        let mut answers = Vec::new();
        for message in self.server.work() {
            let message: Value = serde_json::from_str(&message).expect("a message is JSON");
            assert_eq!(message["jsonrpc"], "2.0");
            match message["method"].as_str() {
                None => answers.push(message),
                Some("textDocument/publishDiagnostics") => {
                    let uri = message["params"]["uri"].as_str().expect("diagnostics have an address");
                    let told = message["params"]["diagnostics"].as_array().expect("diagnostics are a list");
                    self.told.insert(uri.to_owned(), told.clone());
                }
                Some("window/showMessage") => {
                    let text = message["params"]["message"].as_str().expect("a message has a text");
                    self.shown.push(text.to_owned());
                }
                Some(other) => panic!("nobody expects {other}"),
            }
        }
        answers
    }

    pub(crate) fn exit_status(&self) -> Option<u8> {
        self.server.exit_status()
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let answers = self.send(&[json!({ "jsonrpc": "2.0", "method": method, "params": params })]);
        assert_eq!(answers, Vec::<Value>::new(), "a notification has no answer");
    }

    /// Returns the answer to a request.
    pub(crate) fn answer(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        let mut answers = self.send(&[request]);
        assert_eq!(answers.len(), 1, "one answer: {answers:?}");
        assert_eq!(answers[0]["id"], self.id);
        answers.remove(0)
    }

    /// Returns the result of a request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": uri(name), "languageId": "cl", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a whole text.
    pub(crate) fn change(&mut self, name: &str, text: &str) {
        let document = json!({ "uri": uri(name), "version": 2 });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Returns the result of a request about a position of a text.
    pub(crate) fn ask(&mut self, method: &str, name: &str, line: u32, character: u32) -> Value {
        let params = json!({
            "textDocument": { "uri": uri(name) },
            "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true },
        });
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Diagnostics of a text: `line:column-column: severity: message`, from 1.
    pub(crate) fn problems(&self, name: &str) -> Vec<String> {
        let told = self.told.get(&uri(name)).map_or(&[][..], Vec::as_slice);
        let shown = |diagnostic: &Value| {
            let number =
                |place: &str, part: &str| diagnostic["range"][place][part].as_u64().expect("a number") + 1;
            let severity = ["", "error", "warning", "information", "hint"]
                [diagnostic["severity"].as_u64().expect("a severity") as usize];
            format!(
                "{}:{}-{}: {severity}: {}",
                number("start", "line"),
                number("start", "character"),
                number("end", "character"),
                diagnostic["message"].as_str().expect("a message")
            )
        };
        told.iter().map(shown).collect()
    }
}

pub(crate) fn uri(name: &str) -> String {
    if name.contains(':') { name.to_owned() } else { format!("file:///w/{name}") }
}

//! Bodies of the fuzz targets: any bytes as messages of an editor.

use grandstand_insight::Insight;
use grandstand_languages::{FileError, MemoryFiles, Program, cl};
use grandstand_matches::MatchSpec as _;
use grandstand_matches::machine::{GameWorld as _, Player, ProgramMatch, Settings};
use grandstand_rules::abalone::{Rules, World};
use serde_json::{Value, json};

use crate::debug::{Adapter, Launch, Matches};
use crate::files::Disk;
use crate::framing::{Deframer, Frame, frame};
use crate::server::Server;
use crate::service::Service;

/// One library file on disk.
struct OneFile;

impl Disk for OneFile {
    fn read(&self, _: &str, path: &str) -> Result<Vec<u8>, FileError> {
        if path == "library.ch" { Ok(b"let library = 1 in\n".to_vec()) } else { Err(FileError::Missing) }
    }

    fn unpack(&self, path: &str, _: &str) -> Option<String> {
        Some(format!("/library/{path}"))
    }
}

/// Short match.
impl Matches for OneFile {
    fn open(&self, _: &Launch) -> Result<Insight, String> {
        let player = || -> Result<Player, String> {
            let program = cl::load("bot.cl", &MemoryFiles::new().with("bot.cl", BOT));
            program.map(Program::into).map_err(|error| error.to_string())
        };
        let rules = Rules { game_length: 5_000, ..Rules::default() };
        let settings = Settings { rules, ..Settings::default() };
        let spec = ProgramMatch::<World> { settings, seed: 1, players: [player()?, player()?] };
        Insight::of_header(World::GAME, &spec.header(None)).map_err(|error| error.to_string())
    }

    fn absolute(&self, directory: &str, path: &str) -> Option<String> {
        Some(format!("{directory}/{path}"))
    }
}

/// Program whose bots call functions, wait for each other and die.
const BOT: &str = "let plan = gref (1, 2) in
let add = fn a => fn b =>
  a + b in
let live = rec live in fn n =>
  acquire plan;
  plan := (n, (n, add n 1));
  release plan;
  (if n = 9 then n / 0 else do 8);
  live (add n 1) in
spawn (live 5);
live 0";

/// Reads any bytes as a stream of messages. Checks that every sent message is JSON and that every received one survives
/// framing.
pub fn lsp_stream(data: &[u8]) {
    stream(data, &mut Server::new(OneFile));
}

/// Does the same for the debug adapter.
pub fn dap_stream(data: &[u8]) {
    stream(data, &mut Adapter::new(OneFile));
}

fn stream(data: &[u8], server: &mut impl Service) {
    let mut deframer = Deframer::default();
    for part in data.chunks(61) {
        deframer.push(part);
        loop {
            match deframer.next_frame() {
                Ok(Some(Frame::Body(body))) => {
                    if let Ok(text) = std::str::from_utf8(&body) {
                        let mut again = Deframer::default();
                        again.push(&frame(text));
                        assert_eq!(again.next_frame(), Ok(Some(Frame::Body(body.clone()))));
                    }
                    server.receive(&body);
                }
                Ok(Some(Frame::TooLong(bytes))) => server.left_out(bytes),
                Ok(None) => break,
                Err(_) => return,
            }
        }
        work(server);
    }
}

/// Sends every kind of request for any bytes as a text, at positions from the bytes, and changes the text there.
pub fn lsp_text(data: &[u8]) {
    let (choice, text) = data.split_at(data.len().min(4));
    let byte = |at: usize| choice.get(at).copied().unwrap_or_default();
    let uri = ["file:///w/a.cl", "file:///w/a.rcl", "file:///w/a.ch", "untitled:b"][byte(0) as usize % 4];
    let mut server = Server::new(OneFile);
    let mut send = |message: Value| {
        server.receive(message.to_string().as_bytes());
        work(&mut server)
    };
    let text = String::from_utf8_lossy(text);
    let position = json!({ "line": byte(1), "character": byte(2) });
    let end = json!({ "line": byte(1), "character": byte(3) });
    send(json!({ "id": 0, "method": "initialize", "params": { "rootUri": "file:///w" } }));
    let document = json!({ "uri": uri, "version": 1, "text": text });
    send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    for round in 0..2 {
        for method in ["hover", "definition", "references", "completion", "documentSymbol"] {
            let method = format!("textDocument/{method}");
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            let answers = send(json!({ "id": 1, "method": method, "params": params }));
            assert_eq!(answers.len(), 1, "{method} has one answer");
            assert!(answers[0]["error"].is_null(), "{method} is answered: {}", answers[0]);
        }
        let change = json!({ "range": { "start": position, "end": end }, "text": ") in let" });
        let params = json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] });
        let told = send(json!({ "method": "textDocument/didChange", "params": params }));
        assert_eq!(told.len(), 1, "diagnostics after the change of round {round}");
    }
}

fn work(server: &mut impl Service) -> Vec<Value> {
    let sent = server.work();
    sent.iter()
        .map(|message| serde_json::from_str(message).unwrap_or_else(|error| panic!("{error}: {message}")))
        .collect()
}

/// Moves through a match with requests from four bytes each. Checks that every request has one answer and that all
/// threads can be inspected at the end.
pub fn dap_session(data: &[u8]) {
    let mut adapter = Adapter::new(OneFile);
    let mut seq = 0;
    let mut send = |command: &str, arguments: Value| -> Value {
        seq += 1;
        let request = json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments });
        adapter.receive(request.to_string().as_bytes());
        let mut sent = work(&mut adapter);
        while adapter.is_busy() {
            sent.extend(work(&mut adapter));
        }
        sent.retain(|message| message["type"] == "response");
        assert_eq!(sent.len(), 1, "{command} has one answer");
        assert_eq!(sent[0]["request_seq"], seq, "{command} has its answer");
        sent.swap_remove(0)
    };
    send("initialize", json!({}));
    send("launch", json!({ "stopOnEntry": true }));
    assert_eq!(send("configurationDone", json!({}))["success"], true, "the match is open");
    for part in data.chunks_exact(4).take(40) {
        let [choice, a, b, c] = [part[0], part[1], part[2], part[3]].map(i64::from);
        let granularity = if c % 2 == 0 { "instruction" } else { "line" };
        let text = ["n", "(a, b)", "plan := 1", ":turn 1", ":cycle 900", "let x = n in x + 1", "add 1", ""];
        let text = text[(a % 8) as usize];
        let thread = json!({ "threadId": b % 8, "granularity": granularity });
        let condition =
            json!({ "line": a % 14, "condition": text, "logMessage": if c % 3 == 0 { "{n} {" } else { "" } });
        let (command, arguments) = match choice % 16 {
            0 => ("continue", thread),
            1 => ("reverseContinue", thread),
            2 => ("next", thread),
            3 => ("stepIn", thread),
            4 => ("stepOut", thread),
            5 => ("stepBack", thread),
            6 => ("stackTrace", json!({ "threadId": b % 8, "startFrame": a, "levels": c })),
            7 => ("scopes", json!({ "frameId": a })),
            8 => ("variables", json!({ "variablesReference": a - 1 })),
            9 => ("evaluate", json!({ "expression": text, "frameId": b })),
            10 => ("evaluate", json!({ "expression": text })),
            11 => {
                ("setBreakpoints", json!({ "source": { "path": "/x/bot.cl" }, "breakpoints": [condition] }))
            }
            12 => (
                "setExceptionBreakpoints",
                json!({ "filters": if a % 2 == 0 { ["ends"] } else { ["removals"] } }),
            ),
            13 => ("exceptionInfo", thread),
            14 => ("source", json!({ "sourceReference": a - 3 })),
            _ => ("threads", Value::Null),
        };
        send(command, arguments);
    }
    let threads = send("threads", Value::Null);
    for thread in threads["body"]["threads"].as_array().into_iter().flatten() {
        let calls = send("stackTrace", json!({ "threadId": thread["id"] }));
        let calls = calls["body"]["stackFrames"].as_array().cloned().unwrap_or_default();
        assert!(!calls.is_empty(), "{thread} is somewhere");
        for call in &calls {
            let scopes = send("scopes", json!({ "frameId": call["id"] }));
            for scope in scopes["body"]["scopes"].as_array().into_iter().flatten() {
                let names = send("variables", json!({ "variablesReference": scope["variablesReference"] }));
                assert_eq!(names["success"], true, "{names}");
            }
        }
    }
}

//! Body of the fuzz target: any bytes as what an editor sends.

use grandstand_languages::FileError;

use crate::files::Disk;
use crate::framing::{Deframer, Frame, frame};
use crate::server::Server;

/// One file, which is text.
struct OneFile;

impl Disk for OneFile {
    fn read(&self, _: &str, path: &str) -> Result<Vec<u8>, FileError> {
        if path == "library.ch" { Ok(b"let library = 1 in\n".to_vec()) } else { Err(FileError::Missing) }
    }

    fn unpack(&self, path: &str, _: &str) -> Option<String> {
        Some(format!("/library/{path}"))
    }
}

/// Reads any bytes as a stream of messages: every message that goes out is JSON, and every one of the stream is framed again as it was.
pub fn lsp_stream(data: &[u8]) {
    let mut server = Server::new(OneFile);
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
        work(&mut server);
    }
}

/// Asks everything of a text that is any bytes, at places that they choose, and changes it there.
pub fn lsp_text(data: &[u8]) {
    let (choice, text) = data.split_at(data.len().min(4));
    let byte = |at: usize| choice.get(at).copied().unwrap_or_default();
    let uri = ["file:///w/a.cl", "file:///w/a.rcl", "file:///w/a.ch", "untitled:b"][byte(0) as usize % 4];
    let mut server = Server::new(OneFile);
    let mut send = |message: serde_json::Value| {
        server.receive(message.to_string().as_bytes());
        work(&mut server)
    };
    let text = String::from_utf8_lossy(text);
    let position = serde_json::json!({ "line": byte(1), "character": byte(2) });
    let end = serde_json::json!({ "line": byte(1), "character": byte(3) });
    send(serde_json::json!({ "id": 0, "method": "initialize", "params": { "rootUri": "file:///w" } }));
    let document = serde_json::json!({ "uri": uri, "version": 1, "text": text });
    send(serde_json::json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    for round in 0..2 {
        for method in ["hover", "definition", "references", "completion", "documentSymbol"] {
            let method = format!("textDocument/{method}");
            let params = serde_json::json!({ "textDocument": { "uri": uri }, "position": position });
            let answers = send(serde_json::json!({ "id": 1, "method": method, "params": params }));
            assert_eq!(answers.len(), 1, "{method} has one answer");
            assert!(answers[0]["error"].is_null(), "{method} is answered: {}", answers[0]);
        }
        let change = serde_json::json!({ "range": { "start": position, "end": end }, "text": ") in let" });
        let params =
            serde_json::json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [change] });
        let told = send(serde_json::json!({ "method": "textDocument/didChange", "params": params }));
        assert_eq!(told.len(), 1, "diagnostics after the change of round {round}");
    }
}

fn work(server: &mut Server<OneFile>) -> Vec<serde_json::Value> {
    let sent = server.work();
    sent.iter()
        .map(|message| serde_json::from_str(message).unwrap_or_else(|error| panic!("{error}: {message}")))
        .collect()
}

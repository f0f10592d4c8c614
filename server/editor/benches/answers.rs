#![allow(clippy::print_stdout, reason = "figures are what it is for")]
#![allow(missing_docs, reason = "a program, not a library")]
//! Times of the language server: `cargo bench -p grandstand-editor`. The text is a program of 5,000 lines that includes
//! 20 files. Times are processor times.

use std::collections::BTreeMap;
use std::time::Duration;

use cpu_time::ThreadTime;
use grandstand_editor::{Disk, Server, Service as _};
use grandstand_languages::FileError;
use serde_json::{Value, json};

const LINES: usize = 5000;
const INCLUDES: usize = 20;
const ROUNDS: usize = 300;

struct Files(BTreeMap<String, String>);

impl Disk for Files {
    fn read(&self, directory: &str, path: &str) -> Result<Vec<u8>, FileError> {
        let text = self.0.get(&format!("{directory}/{path}")).ok_or(FileError::Missing)?;
        Ok(text.as_bytes().to_vec())
    }

    fn unpack(&self, path: &str, _: &str) -> Option<String> {
        Some(format!("/library/{path}"))
    }
}

/// Returns a function of five lines with a comment. It uses the previous function.
fn function(prefix: &str, number: usize) -> String {
    let before = number.saturating_sub(1);
    let used = if number == 0 { "n".to_owned() } else { format!("{prefix}{before} (n - 1)") };
    format!(
        "(* What {prefix}{number} is for, in a line. *)\nlet {prefix}{number} = fn n =>\n  let around = do A_SCAN in\n  if around[n mod 6] = T_EMPTY then {used} else n * 2\nin\n"
    )
}

fn main() {
    let mut files = BTreeMap::new();
    let mut text = String::from("#include abalone/constants.ch\n");
    for file in 1..INCLUDES {
        let library: String = (0..20).map(|number| function(&format!("lib{file}_"), number)).collect();
        files.insert(format!("/w/lib{file}.ch"), library);
        text += &format!("#include lib{file}.ch\n");
    }
    let mut number = 0;
    while text.lines().count() < LINES - 1 {
        text += &function("main", number);
        number += 1;
    }
    text += &format!("main{} 1\n", number - 1);
    let mut server = Server::new(Files(files));
    let mut send = |message: Value| -> (Duration, usize) {
        let body = message.to_string();
        let began = ThreadTime::now();
        server.receive(body.as_bytes());
        let sent = server.work();
        (began.elapsed(), sent.iter().map(String::len).sum())
    };
    let uri = "file:///w/a.cl";
    send(json!({ "id": 0, "method": "initialize", "params": { "rootUri": "file:///w" } }));
    let document = json!({ "uri": uri, "version": 1, "text": text });
    let (opened, _) =
        send(json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    println!("{} lines, {INCLUDES} includes; opened in {:.1} ms", text.lines().count(), ms(opened));
    println!("{:<30} {:>9} {:>9} {:>9} {:>12}", "", "p50 ms", "p99 ms", "most ms", "answer bytes");
    for method in ["hover", "definition", "references", "completion", "documentSymbol"] {
        let mut bytes = 0;
        let times = (0..ROUNDS).map(|round| {
            // Column in the fourth line of a function, inside a call of another function.
            let line = INCLUDES + 3 + (round * 37 % (number - 2)) * 5;
            let position = json!({ "line": line, "character": 36 });
            let params = json!({ "textDocument": { "uri": uri }, "position": position, "context": { "includeDeclaration": true } });
            let (time, sent) = send(json!({ "id": round, "method": format!("textDocument/{method}"), "params": params }));
            bytes = sent;
            time
        });
        report(method, times.collect(), bytes);
    }
    // A character is typed, then deleted. Each change sends diagnostics.
    let mut bytes = 0;
    let times = (0..ROUNDS).map(|round| {
        let line = INCLUDES + 3 + (round / 2 * 37 % (number - 2)) * 5;
        let (start, end) = (json!({ "line": line, "character": 5 }), json!({ "line": line, "character": 6 }));
        let change = if round % 2 == 0 {
            json!({ "range": { "start": start, "end": start }, "text": "(" })
        } else {
            json!({ "range": { "start": start, "end": end }, "text": "" })
        };
        let document = json!({ "uri": uri, "version": round + 2 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        let (time, sent) = send(json!({ "method": "textDocument/didChange", "params": params }));
        bytes = bytes.max(sent);
        time
    });
    report("a key to its diagnostics", times.collect(), bytes);
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn report(name: &str, mut times: Vec<Duration>, bytes: usize) {
    times.sort();
    let at = |share: usize| ms(times[(times.len() - 1) * share / 100]);
    println!("{name:<30} {:>9.2} {:>9.2} {:>9.2} {bytes:>12}", at(50), at(99), at(100));
}

//! An editor that talks to a command over pipes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use grandstand_editor::framing::frame;
use grandstand_testing::Folder;
use serde_json::Value;

use crate::program::grandstand;

/// An editor, and the command that it has started.
pub(crate) struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Editor {
    /// Starts the command in a folder, which is where it caches too.
    pub(crate) fn start(arguments: &[&str], folder: &Folder) -> Self {
        let mut command = grandstand();
        command.args(arguments).current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path());
        let mut server =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        Self { input: server.stdin.take(), server, output }
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(&frame(&message.to_string()));
    }

    /// The next message that the command sends.
    pub(crate) fn next(&mut self) -> Value {
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server goes on");
            match line.trim().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().unwrap(),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Closes its input; gives its exit status.
    pub(crate) fn status(mut self) -> Option<i32> {
        self.input = None;
        self.server.wait().unwrap().code()
    }
}

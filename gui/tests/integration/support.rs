//! What the tests of the interface share: recordings, a harness, and a server made by hand.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use eframe::egui::{Shape, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::{App, Target};
use tungstenite::WebSocket;

/// A short match: two turns, talk, a line that is wrong, and a push over the edge at 2.0 s (command 14).
pub(crate) const LINES: &[(f64, &str)] = &[
    (0.0, "turns 1"),
    (0.0, "set E2 b0"),
    (0.0, "set E3 b0"),
    (0.0, "set E4 w0"),
    (0.2, "bsay Here we come"),
    (0.5, "sett E0 b1"),
    (0.8, "set E2 b1"),
    (0.8, "set E3 b1"),
    (1.0, "turns 2"),
    (1.5, "wsay Oh no"),
    (2.0, "bscore 1"),
    (2.0, "set E4 b0"),
    (2.0, "set E3 b0"),
    (2.0, "set E2 e"),
    (2.0, "turns 3"),
    (3.0, "wsay Well played"),
];

/// A directory that is removed when the test is over.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("grandstand-gui-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("a file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over lies in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A recording of the lines of another game, between `Reds` and `Blues`.
pub(crate) fn recording(game: &str, lines: &[(f64, &str)]) -> String {
    let mut text = format!(
        r#"{{"grandstand":1,"game":"{game}","title":"Final","teams":[{{"name":"Reds","color":"red"}},{{"name":"Blues","color":"blue"}}]}}"#
    );
    let mut last = 0.0;
    for (secs, line) in lines {
        text += &format!("\n[{:.6},\"c\",\"{line}\"]", secs - last);
        last = *secs;
    }
    text + "\n[0.5,\"r\",{\"winner\":\"red\",\"termination\":\"score\"}]\n"
}

pub(crate) fn replay() -> String {
    let mut text = r#"{"grandstand":1,"game":"abalone","title":"Final","teams":[{"name":"Reds","color":"black"},{"name":"Blues","color":"white"}],"rules":{"WINNING_SCORE":6}}"#.to_owned();
    let mut last = 0.0;
    for (secs, line) in LINES {
        let code = if line.starts_with("sett") { "x" } else { "c" };
        text += &format!("\n[{:.6},\"{code}\",\"{line}\"]", secs - last);
        last = *secs;
    }
    text + "\n[0.5,\"r\",{\"winner\":\"black\",\"termination\":\"score\"}]\n"
}

pub(crate) type Window = Harness<'static, App>;

pub(crate) fn window(target: Option<Target>, size: Vec2) -> Window {
    Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(20_000)
        .build_eframe(move |cc| App::new(cc, target))
}

/// A window with the short match, paused at its start.
pub(crate) fn open_replay(folder: &Folder) -> Window {
    let path = folder.file("final.replay", &replay());
    let mut app = window(Some(Target::File(path)), Vec2::new(1280.0, 800.0));
    wait_for(&mut app, "Pause");
    app.key_press(eframe::egui::Key::Space);
    app.key_press(eframe::egui::Key::Home);
    app.run();
    app
}

/// Whether something with the label is on the screen.
pub(crate) fn shows(app: &Window, label: &str) -> bool {
    app.query_all_by_label_contains(label).next().is_some()
}

/// The texts that are painted, each with whether it is cut.
pub(crate) fn painted(app: &Window) -> Vec<(String, bool)> {
    let shapes = app.output().shapes.iter();
    let texts = shapes.filter_map(|clipped| match &clipped.shape {
        Shape::Text(shape) => Some((shape.galley.text().to_owned(), shape.galley.elided)),
        _ => None,
    });
    texts.collect()
}

/// The number of the line that is shown.
pub(crate) fn line(app: &Window) -> u64 {
    let node = app.get_by_label_contains("Line ");
    let label = node.accesskit_node().label().or(node.value()).unwrap_or_default();
    let number = label.split_whitespace().nth(1).expect("a number");
    number.replace(',', "").parse().expect("a number")
}

/// Lets frames pass until the label is there. Sources run on their own threads, so that real time must pass too.
pub(crate) fn wait_for(app: &mut Window, label: &str) {
    let began = Instant::now();
    while !shows(app, label) {
        assert!(began.elapsed() < Duration::from_secs(20), "`{label}` never appeared:\n{app:?}");
        app.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A server that does what a test tells it, one connection after the other.
pub(crate) struct FakeServer {
    listener: TcpListener,
}

impl FakeServer {
    pub(crate) fn new() -> FakeServer {
        FakeServer { listener: TcpListener::bind("127.0.0.1:0").expect("a port") }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.listener.local_addr().expect("an address"))
    }

    /// Serves on a thread. `serve` gets the number of the connection, the path that was asked for, and the stream.
    pub(crate) fn run(self, serve: impl Fn(usize, &str, TcpStream) + Send + 'static) -> Receiver<String> {
        let (sender, paths) = channel();
        std::thread::spawn(move || {
            for (number, stream) in self.listener.incoming().enumerate() {
                let Ok(stream) = stream else { return };
                let path = peek_path(&stream);
                if sender.send(path.clone()).is_err() {
                    return;
                }
                serve(number, &path, stream);
            }
        });
        paths
    }
}

/// A live match of the short one's lines, `from` to `to` of each part: the first comes at once, each of the others when the
/// sender says so. `address` is what its link says besides.
pub(crate) fn live_match(address: &str, parts: &'static [(usize, usize)]) -> (Target, Sender<()>) {
    let server = FakeServer::new();
    let url = format!("{}?match=m1{address}", server.url());
    let (go_on, gate) = channel();
    let paths = server.run(move |_, _, stream| {
        let mut socket = upgrade(stream);
        send(&mut socket, &hello("live"));
        for (index, (from, to)) in parts.iter().enumerate() {
            if index > 0 && gate.recv().is_err() {
                break;
            }
            send(&mut socket, &commands(*from, *to));
        }
        std::mem::forget(socket);
    });
    std::mem::forget(paths);
    (url.parse().expect("a target"), go_on)
}

/// The path of a request that stays in the socket for whoever answers it.
fn peek_path(stream: &TcpStream) -> String {
    let mut buffer = [0; 1024];
    let began = Instant::now();
    loop {
        let count = stream.peek(&mut buffer).unwrap_or(0);
        let text = String::from_utf8_lossy(&buffer[..count]);
        if text.contains("\r\n") || began.elapsed() > Duration::from_secs(5) {
            return text.split(' ').nth(1).unwrap_or_default().to_owned();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

pub(crate) fn upgrade(stream: TcpStream) -> WebSocket<TcpStream> {
    tungstenite::accept(stream).expect("a websocket")
}

pub(crate) fn send(socket: &mut WebSocket<TcpStream>, text: &str) {
    socket.send(tungstenite::Message::text(text)).expect("sent");
}

pub(crate) fn respond(mut stream: TcpStream, status: &str, body: &str) {
    let mut request = [0; 2048];
    let _ = stream.read(&mut request);
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
    stream.write_all((head + body).as_bytes()).expect("sent");
}

pub(crate) fn summary(id: &str, state: &str, title: &str) -> String {
    format!(
        r#"{{"id":"{id}","game":"abalone","title":"{title}","teams":[{{"name":"Reds","color":"black"}},{{"name":"Blues","color":"white"}}],"state":"{state}","started":"2026-04-11T12:05:00Z","seq":3,"spectators":2,"result":null}}"#
    )
}

pub(crate) fn hello(state: &str) -> String {
    format!(r#"{{"type":"hello","protocol":1,"match":{}}}"#, summary("m1", state, "Final"))
}

/// A `commands` message of the lines from number `from` to `to` of the short match.
pub(crate) fn commands(from: usize, to: usize) -> String {
    use grandstand_protocol::{Command, Game, Message, Micros};
    let t = Micros::from_secs_f64(LINES[from - 1].0).expect("a time");
    let commands = LINES[from - 1..to].iter();
    let commands = commands.map(|(_, line)| Command::parse(Game::Abalone, line.as_bytes())).collect();
    Message::Commands { seq: from as u64, t, commands }.to_json()
}

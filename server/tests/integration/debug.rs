//! The debug adapter as a process, with a scripted editor that looks for a fault.

use grandstand_testing::Folder;
use serde_json::{Value, json};

use crate::editor::Editor;
use crate::program::grandstand;

/// An editor that debugs.
struct Debugger {
    editor: Editor,
    seq: i64,
    /// Events that have come and were not waited for yet.
    events: Vec<Value>,
}

impl Debugger {
    /// Opens a match with breakpoints in a file, and begins.
    fn launch(folder: &Folder, launch: &Value, file: &str, breakpoints: &Value) -> Self {
        let editor = Editor::start(&["debug", "--dap"], folder);
        let mut debugger = Self { editor, seq: 0, events: Vec::new() };
        let can = debugger.ask("initialize", &json!({ "adapterID": "grandstand" }));
        assert_eq!((&can["supportsStepBack"], &can["supportsLogPoints"]), (&json!(true), &json!(true)));
        debugger.ask("launch", launch);
        debugger.event("initialized");
        let path = folder.path().canonicalize().unwrap().join(file);
        let set = json!({ "source": { "path": path }, "breakpoints": breakpoints });
        let set = debugger.ask("setBreakpoints", &set);
        for set in set["breakpoints"].as_array().unwrap() {
            assert!(set["verified"] == true && set["message"].is_null(), "{set}");
        }
        debugger.ask("setExceptionBreakpoints", &json!({ "filters": ["ends"] }));
        debugger.ask("configurationDone", &Value::Null);
        debugger
    }

    fn answer(&mut self, command: &str, arguments: &Value) -> Value {
        self.seq += 1;
        let request =
            json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        self.editor.send(&request);
        loop {
            let message = self.editor.next();
            if message["type"] == "response" {
                assert_eq!(
                    (&message["request_seq"], &message["command"]),
                    (&json!(self.seq), &json!(command))
                );
                return message;
            }
            self.events.push(message);
        }
    }

    fn ask(&mut self, command: &str, arguments: &Value) -> Value {
        let answer = self.answer(command, arguments);
        assert_eq!(answer["success"], true, "{answer}");
        answer["body"].clone()
    }

    /// The next event of that name.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].clone();
            }
            let message = self.editor.next();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Moves, and says why and where it has stopped: the thread, the line, the frame.
    fn go(&mut self, command: &str, thread: &Value) -> (String, Value, u64, Value) {
        self.ask(command, &json!({ "threadId": thread }));
        self.stopped()
    }

    fn stopped(&mut self) -> (String, Value, u64, Value) {
        let stopped = self.event("stopped");
        let thread = stopped["threadId"].clone();
        let stack = self.ask("stackTrace", &json!({ "threadId": thread, "levels": 20 }));
        let top = stack["stackFrames"][0].clone();
        (stopped["reason"].as_str().unwrap().to_owned(), thread, top["line"].as_u64().unwrap(), top)
    }

    /// What a name stands for in a frame.
    fn name(&mut self, frame: &Value, scope: &str, name: &str) -> Value {
        let scopes = self.ask("scopes", &json!({ "frameId": frame["id"] }));
        let mut scopes = scopes["scopes"].as_array().unwrap().iter();
        let scope = scopes.find(|found| found["name"] == scope).unwrap()["variablesReference"].clone();
        let names = self.ask("variables", &json!({ "variablesReference": scope }));
        let found =
            names["variables"].as_array().unwrap().iter().find(|found| found["name"] == name).cloned();
        found.unwrap_or_else(|| panic!("no {name}: {names}"))
    }

    fn evaluate(&mut self, frame: &Value, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "frameId": frame["id"], "context": "watch" });
        self.ask("evaluate", &asked)["result"].clone()
    }

    fn end(mut self) {
        self.ask("disconnect", &Value::Null);
        assert_eq!(self.editor.status(), Some(0));
    }
}

fn line_of(text: &str, part: &str) -> u64 {
    text.lines().position(|line| line.contains(part)).unwrap() as u64 + 1
}

fn shipped(name: &str) -> String {
    String::from_utf8(grandstand().args(["bots", "show", name]).output().unwrap().stdout).unwrap()
}

/// The shipped team, whose bots look into a direction that there is none of when they are to find the chain behind them.
fn faulty_team(folder: &Folder) -> String {
    let team = shipped("abalone/team.cl");
    let text = team.replacen("else dir + 3 in", "else dir + 4 in", 1);
    assert_ne!(team, text);
    folder.file("mybot.cl", &text);
    text
}

#[test]
fn a_fault_in_a_team_is_found_backwards() {
    let folder = Folder::new();
    let text = faulty_team(&folder);
    let opposite = line_of(&text, "let opposite =");
    let push = line_of(&text, "let enemies = run T_OPIECE ahead in");
    let breakpoints = json!([{ "line": push, "condition": "dir = 9" }, { "line": push, "logMessage": "{dir} from {(r, d)}" }]);
    let launch = json!({ "players": ["mybot.cl", "team"], "seed": 7, "settings": { "GAME_LENGTH": 60_000 } });
    let mut debugger = Debugger::launch(&folder, &launch, "mybot.cl", &breakpoints);

    // A bot is about to be stuck, in the function that looks behind itself.
    let (reason, bot, line, frame) = debugger.stopped();
    assert_eq!(reason, "exception");
    assert!(text.lines().nth(line as usize - 1).unwrap().contains("(A_LOOK, opposite dir)"), "{frame}");
    assert!(frame["source"]["path"].as_str().unwrap().ends_with("mybot.cl"), "{frame}");
    let info = debugger.ask("exceptionInfo", &json!({ "threadId": bot }));
    assert!(info["description"].as_str().unwrap().contains("mybot.cl"), "{info}");
    let dir = debugger.name(&frame, "Names", "dir")["value"].as_str().unwrap().parse::<i64>().unwrap();
    assert!((1..=3).contains(&dir), "{dir}");
    let refused = debugger.evaluate(&frame, "opposite dir").as_str().unwrap().parse::<i64>().unwrap();
    assert_eq!(refused, dir + 4);
    let said = debugger.event("output");
    assert!(said["output"].as_str().unwrap().contains("black (mybot) against white (team)"), "{said}");
    let said = debugger.event("output");
    assert!(said["output"].as_str().unwrap().contains(" from ("), "{said}");
    assert_eq!(said["line"], push);

    // Back to where the line was reached with that direction, a step on, and a step back.
    let path = frame["source"]["path"].clone();
    let set = json!({ "source": { "path": path }, "breakpoints": [{ "line": push, "condition": format!("dir = {dir}") }, { "line": opposite + 999 }] });
    let set = debugger.ask("setBreakpoints", &set);
    assert_eq!(
        (&set["breakpoints"][0]["verified"], &set["breakpoints"][1]["verified"]),
        (&json!(true), &json!(false))
    );
    let (reason, bot, line, frame) = debugger.go("reverseContinue", &bot);
    assert_eq!((reason.as_str(), line), ("breakpoint", push));
    assert_eq!(debugger.evaluate(&frame, "dir"), dir.to_string());
    let (reason, _, next, frame) = debugger.go("next", &bot);
    assert!(reason == "step" && next > push, "{frame}");
    assert_eq!(debugger.go("stepBack", &bot).2, push);
    let (reason, ..) = debugger.go("continue", &bot);
    assert_eq!(reason, "exception");

    // The whole team is there, each bot a thread; the beginning of the match is further back.
    let threads = debugger.ask("threads", &Value::Null);
    let names: Vec<&str> = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| thread["name"].as_str().unwrap())
        .collect();
    assert!(names.len() > 4 && names.iter().any(|name| name.starts_with("white bot ")), "{names:?}");
    debugger.ask("setBreakpoints", &json!({ "source": { "path": path }, "breakpoints": [] }));
    let (reason, ..) = debugger.go("reverseContinue", &bot);
    assert_eq!(reason, "entry");
    let refused = debugger.answer("stackTrace", &json!({ "threadId": 9_999 }));
    assert_eq!(
        (&refused["success"], &refused["message"]),
        (&json!(false), &json!("no bot has the number 9999"))
    );
    debugger.end();
}

#[test]
fn a_fault_in_an_rcl_bot_is_found_in_its_recording() {
    let folder = Folder::new();
    let text = "#include shark/constants.rch
let spin = fn spin => fn dir =>
  do [A_FACE, dir];
  spin spin (dir + 1)
in
spin spin 1
";
    folder.file("spinner.rcl", text);
    let arguments = ["play", "shark", "spinner.rcl", "stupidbot", "--seed", "3", "--record", "lost.replay"];
    let played = grandstand().args(arguments).current_dir(folder.path()).output().unwrap();
    assert!(played.status.success(), "{played:?}");
    let launch = json!({ "recording": "lost.replay" });
    let mut debugger =
        Debugger::launch(&folder, &launch, "spinner.rcl", &json!([{ "line": 3, "condition": "4 < dir" }]));
    let (reason, bot, line, frame) = debugger.stopped();
    assert_eq!((reason.as_str(), line, &frame["name"]), ("breakpoint", 3, &json!("spin")));
    assert_eq!(debugger.name(&frame, "Names", "dir")["value"], "5");
    let about = debugger.name(&frame, "Bot", "its end")["value"].clone();
    assert!(about.as_str().unwrap().contains("spinner.rcl:3"), "{about}");
    // The console leads anywhere.
    let there = debugger.ask("evaluate", &json!({ "expression": ":cycle 1", "context": "repl" }));
    assert_eq!(there["result"], "cycle 1");
    let (reason, bot, ..) = {
        let stopped = debugger.stopped();
        assert_eq!(stopped.1, bot);
        stopped
    };
    assert_eq!(reason, "goto");
    let (reason, ..) = debugger.go("continue", &bot);
    assert_eq!(reason, "breakpoint");
    // What was played with an older version is shown as it was played.
    debugger.end();
    folder.file("spinner.rcl", format!("(* newer *)\n{text}"));
    let editor = Editor::start(&["debug", "--dap"], &folder);
    let mut debugger = Debugger { editor, seq: 0, events: Vec::new() };
    debugger.ask("initialize", &Value::Null);
    debugger.ask("launch", &json!({ "recording": "lost.replay", "stopOnEntry": true, "turn": 1 }));
    debugger.event("initialized");
    debugger.ask("configurationDone", &Value::Null);
    let (reason, _, _, frame) = debugger.stopped();
    assert_eq!(reason, "entry");
    let source = debugger.ask("source", &json!({ "sourceReference": frame["source"]["sourceReference"] }));
    assert!(
        source["content"] == text || source["content"].as_str().unwrap().contains("stupidbot"),
        "{source}"
    );
    debugger.end();
}

#[test]
fn what_can_t_be_debugged_is_refused_in_words() {
    let folder = Folder::new();
    let mut debugger =
        Debugger { editor: Editor::start(&["debug", "--dap"], &folder), seq: 0, events: Vec::new() };
    debugger.ask("initialize", &Value::Null);
    folder.file("broken.replay", "{}\n");
    for (launch, expected) in [
        (json!({}), "`recording` or two `players`"),
        (json!({ "players": ["nobody.cl", "team"] }), "nobody.cl"),
        (json!({ "players": ["team", "team"], "game": "gomoku" }), "no threads of programs"),
        (json!({ "players": ["team", "team"], "settings": { "SPEED": 3 } }), "SPEED"),
        (json!({ "recording": "missing.replay" }), "missing.replay"),
        (json!({ "recording": "broken.replay" }), "broken.replay"),
    ] {
        let answer = debugger.answer("launch", &launch);
        assert!(
            answer["success"] == false && answer["message"].as_str().unwrap().contains(expected),
            "{answer}"
        );
    }
    debugger.end();
}

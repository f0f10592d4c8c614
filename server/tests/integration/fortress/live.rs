//! Real-time matches over real connections: misbehaviour of one connection or program affects nobody else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grandstand_matches::games::fortress::inputs;
use grandstand_matches::{Ending, RunningMatch};
use grandstand_players::games::fortress::live::LiveMatch;
use grandstand_players::games::fortress::options::{LiveOptions, LiveSpec};
use grandstand_players::games::fortress::player::Player;
use grandstand_protocol::fortress::Scene;
use grandstand_protocol::{Command, Micros};
use grandstand_rules::fortress::{ByTeam, Rules, maps};
use serde_json::{Value, json};

use crate::program::{GRANDSTAND, grandstand};

/// Long enough for a slow machine; only failing tests wait that long.
const PATIENCE: Duration = Duration::from_secs(120);

struct Live {
    contest: LiveMatch,
    lines: Vec<String>,
    log: Vec<String>,
    scene: Scene,
    notices: Arc<Mutex<Vec<String>>>,
    logs: tempfile::TempDir,
}

/// A match of `millis` milliseconds of its own time, at `speed` times the wall clock.
fn setup(red: &str, blue: &str, millis: u32, speed: f64) -> LiveSpec {
    let options = LiveOptions {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        speed,
        ..LiveOptions::new(GRANDSTAND.into())
    };
    let players = ByTeam::new(Player::parse(red).unwrap(), Player::parse(blue).unwrap());
    let rules = Rules { time_limit: millis, ..Rules::default() };
    let map = maps::by_name("meadow").unwrap();
    LiveSpec { rules, map, players, seed: 1, options }
}

impl Live {
    fn start(mut spec: LiveSpec) -> Self {
        let notices = Arc::new(Mutex::new(Vec::new()));
        let listener = Arc::clone(&notices);
        spec.options.notice = Arc::new(move |text| listener.lock().unwrap().push(text.to_owned()));
        let logs = tempfile::tempdir().unwrap();
        spec.options.logs = Some(logs.path().to_owned());
        let contest = LiveMatch::start(&spec).unwrap();
        Self { contest, lines: Vec::new(), log: Vec::new(), scene: Scene::default(), notices, logs }
    }

    fn drain(&mut self) {
        for stamped in self.contest.drain_commands() {
            if let Command::Fortress(command) = &stamped.command {
                self.scene.apply(0, Micros(0), command);
            }
            self.lines.push(format!("{} {}", stamped.tick, stamped.command.to_line()));
        }
        self.log.extend(self.contest.drain_log_lines().into_iter().map(|line| line.text));
    }

    /// Plays on until the condition holds.
    fn until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(Instant::now() < deadline, "{what}: {:?}", self.log);
            self.contest.advance();
            self.drain();
        }
    }

    fn end(&mut self) -> Ending {
        self.until("it ends", |this| this.contest.ending().is_some());
        self.drain();
        self.contest.ending().unwrap()
    }

    fn log(&self) -> String {
        self.log.join("\n")
    }
}

/// A unit driven by the test.
struct Unit {
    id: u32,
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Unit {
    fn join(address: SocketAddr, id: u32, secret: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        let mut unit = Self { id, stream, reader };
        unit.send(&json!({"type": "Respawn", "id": id, "secret": secret, "class": "soldier"}));
        unit
    }

    fn send(&mut self, message: &Value) {
        self.stream.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or(Value::Null)
    }

    fn ask(&mut self, action: &str) -> Value {
        self.send(&json!({"type": action, "id": self.id}));
        self.receive()
    }
}

/// Two teams driven by the test, with the secrets `r` and `b`.
fn by_hand(millis: u32, change: impl FnOnce(&mut LiveOptions)) -> (Live, Vec<Unit>) {
    let mut spec = setup("wait:r", "wait:b", millis, 1.0);
    change(&mut spec.options);
    let mut live = Live::start(spec);
    let address = live.contest.address();
    let mut asked = Vec::new();
    for secret in ["r", "b"] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .write_all(format!("{}\n", json!({"type": "GameRequest", "secret": secret})).as_bytes())
            .unwrap();
        asked.push(stream);
    }
    let mut units: Vec<Unit> =
        (1..=10).map(|id| Unit::join(address, id, if id <= 5 { "r" } else { "b" })).collect();
    live.until("it begins", |live| live.log().contains("the match begins"));
    for unit in &mut units {
        assert_eq!(unit.receive()["type"], "Success");
        assert_eq!(unit.receive()["type"], "GameStart");
    }
    (live, units)
}

fn bot(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/fortress").join(name);
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_same_teams_play_over_tcp_as_in_process() {
    let mut live = Live::start(setup("strong", "weak", 300_000, 20.0));
    let ending = live.end();
    assert_eq!((ending.winner, ending.termination), (Some(0), "points"), "{}", live.log());
    let grandstand_protocol::Scene::Fortress(projected) = live.contest.scene() else {
        panic!("another game")
    };
    assert_eq!(live.scene.units(), projected.units());
    assert_eq!(live.scene.points(), projected.points());
    assert!(live.log().contains("red, strong, asks for a game"));
}

#[test]
fn recorded_inputs_repeat_a_match_in_real_time() {
    let directory = tempfile::tempdir().unwrap();
    let path: PathBuf = directory.path().join("match.inputs");
    let mut spec = setup("weak", "weak", 20_000, 20.0);
    spec.options.inputs = Some(path.clone().into());
    let mut live = Live::start(spec);
    let ending = live.end();
    let mut again = inputs::replay(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let commands = again.drain_commands();
    let lines: Vec<String> = commands.iter().map(|c| format!("{} {}", c.tick, c.command.to_line())).collect();
    assert!(lines.len() > 500);
    assert_eq!(lines, live.lines);
    assert_eq!(again.ending().unwrap().result(), ending.result());
    // The same by the command line.
    let replay = directory.path().join("match.replay");
    let mut convert = grandstand();
    let output = convert.arg("convert").arg(&path).arg(&replay).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&replay).unwrap();
    assert!(
        text.contains("\"title\":\"weak – weak\"") && text.contains("\"termination\":\"time\""),
        "{text:.300}"
    );
}

#[test]
fn a_flood_is_read_slowly_and_costs_nobody_else_anything() {
    let (mut live, mut units) = by_hand(3_000, |_| {});
    let mut flood = units.remove(0);
    let line = json!({"type": "MyStatus", "id": 1}).to_string() + "\n";
    let writer = std::thread::spawn(move || {
        // It does not read either; at some point the kernel takes no more, or the match is over.
        flood.stream.set_write_timeout(Some(PATIENCE)).unwrap();
        let bytes = line.repeat(1_000);
        for _ in 0..100 {
            if flood.stream.write_all(bytes.as_bytes()).is_err() {
                break;
            }
        }
    });
    // All others are answered meanwhile, in order.
    let asker = std::thread::spawn(move || {
        let mut answers = 0;
        loop {
            for unit in &mut units {
                match unit.ask("MyStatus")["type"].as_str() {
                    Some("MyData") => answers += 1,
                    Some("GameEnd") => return answers,
                    other => panic!("{other:?}"),
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let ending = live.end();
    assert_eq!((ending.termination, ending.tick), ("time", 3_000));
    assert!(asker.join().unwrap() >= 9);
    drop(live);
    writer.join().unwrap();
}

#[test]
fn a_connection_that_takes_nothing_is_closed() {
    let (mut live, mut units) = by_hand(20_000, |options| {
        options.limits.stall = Duration::from_millis(300);
        options.limits.unread_bytes = 1_000;
        options.limits.messages_per_second = 1_000_000;
    });
    // Long responses that nobody reads fill the kernel's buffers, and then block.
    let mut stream = units.remove(0).stream;
    let line = json!({"type": "Scan", "id": 1, "range": 100}).to_string() + "\n";
    let writer = std::thread::spawn(move || {
        let bytes = line.repeat(1_000);
        while stream.write_all(bytes.as_bytes()).is_ok() {}
    });
    live.until("it is closed", |live| {
        live.log().contains("unit 1's connection is closed: it took nothing for 0.3 s")
    });
    assert_eq!(units[3].ask("MyStatus")["type"], "MyData");
    live.drain();
    assert!(live.lines.iter().any(|line| line.contains("red unit 1 stands idle")));
    drop(live);
    writer.join().unwrap();
}

#[test]
fn endless_lines_rubbish_and_silence_are_closed() {
    let (mut live, mut units) = by_hand(30_000, |options| {
        options.limits.first_message = Duration::from_millis(200);
        options.limits.errors = 3;
    });
    // A line without an end.
    units[0].stream.write_all(&[b'x'; 5_000]).unwrap();
    live.until("it is closed", |live| {
        live.log().contains("unit 1's connection is closed: a line has more than 4096 bytes")
    });
    // Bytes that are not text, three times.
    for _ in 0..3 {
        units[1].stream.write_all(b"\xff\xfe\x00\n").unwrap();
        assert_eq!(units[1].receive()["type"], "Error");
    }
    live.until("it is closed", |live| {
        live.log().contains("unit 2's connection is closed: 3 of its messages")
    });
    // Silence.
    let mut silent = TcpStream::connect(live.contest.address()).unwrap();
    live.until("it is closed", |live| live.log().contains("no message within 0 s said whose it is"));
    assert_eq!(silent.read(&mut [0; 10]).unwrap(), 0);
    // Half a message, then a disconnect.
    units[2].stream.write_all(b"{\"type\":").unwrap();
    drop(units.remove(2));
    live.until("it is closed", |live| live.log().contains("unit 3's connection is closed"));
    for unit in &mut units[2..] {
        assert_eq!(unit.ask("MyStatus")["type"], "MyData");
    }
    // Unit 1 continues over a new connection.
    let address = live.contest.address();
    let mut again = Unit::join(address, 1, "r");
    assert_eq!(again.receive()["type"], "GameStart");
    assert_eq!(again.receive(), json!({"type": "Failed", "id": 1, "action": "Respawn"}));
    assert_eq!(again.ask("MyStatus")["type"], "MyData");
}

#[test]
#[ignore = "needs python3"]
fn the_python_sample_plays_in_its_box() {
    let team = format!("team:/usr/bin/python3 '{}'", bot("weak_team.py"));
    let mut live = Live::start(setup(&team, "weak", 60_000, 10.0));
    let ending = live.end();
    let output = std::fs::read_to_string(live.logs.path().join("red.log")).unwrap();
    // None of its messages is an error, and it makes progress.
    assert_eq!(output, "", "{}", live.log());
    assert!(live.log().contains("red, weak in Python, asks for a game"));
    assert!(ending.tick > 10_000);
    let moved = live.lines.iter().filter(|line| line.contains(" update 1 ")).count();
    assert!(moved > 10, "{moved}");
}

#[test]
fn a_team_started_by_hand_is_waited_for() {
    let mut live = Live::start(setup("wait", "weak", 2_000, 10.0));
    live.until("it says so", |live| !live.notices.lock().unwrap().is_empty());
    let notice = live.notices.lock().unwrap()[0].clone();
    assert!(
        notice.contains(&format!("waiting for red: connect to {} without a secret", live.contest.address()))
    );
    let mut team = grandstand();
    team.args(["team", "strong", "--connect", &live.contest.address().to_string()]);
    let mut team = team.env_remove("GRANDSTAND_SECRET").spawn().unwrap();
    let ending = live.end();
    assert_eq!((ending.termination, ending.tick), ("time", 2_000));
    assert!(team.wait().unwrap().success());
}

#[test]
fn silent_strangers_keep_no_team_out() {
    let spec = setup("wait", "weak", 1_000, 10.0);
    let mut live = Live::start(spec);
    let address = live.contest.address();
    // Twice as many as there is room for; they send nothing.
    let strangers: Vec<_> = (0..512).map(|_| TcpStream::connect(address).unwrap()).collect();
    let mut team = TcpStream::connect(address).unwrap();
    team.write_all(b"{\"type\": \"GameRequest\"}\n").unwrap();
    live.until("the team is let in", |live| live.log().contains("red asks for a game"));
    let mut units: Vec<Unit> = Vec::new();
    let mut told = String::new();
    BufReader::new(team.try_clone().unwrap()).read_line(&mut told).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    for id in told["ids"].as_array().unwrap() {
        units.push(Unit::join(address, id.as_u64().unwrap() as u32, told["secret"].as_str().unwrap()));
    }
    live.until("it begins", |live| live.log().contains("the match begins"));
    assert!(!live.log().contains("begins without"), "{}", live.log());
    drop(strangers);
    live.end();
}

#[test]
fn a_team_whose_program_does_not_start_loses_by_that() {
    let exits = Live::start(setup("team:sh -c 'echo bye; exit 3'", "weak", 10_000, 20.0)).ended();
    assert!(exits.0.contains("red's program: it ended with exit status 3"), "{}", exits.0);
    let lost = "red lost by startup: it ended with exit status 3; its last words: bye";
    assert!(exits.0.contains(lost), "{}", exits.0);
    assert_eq!(exits.1, "bye\n");

    let missing = Live::start(setup("team:no-such-program", "weak", 1_000, 20.0)).ended();
    assert!(missing.0.contains("red's program: it could not be started: no-such-program"), "{}", missing.0);

    let mut spec = setup("team:sh -c 'while :; do :; done'", "weak", 1_000, 1.0);
    spec.options.program_limits.cpu_secs = 1;
    spec.options.limits.join = Duration::from_secs(30);
    let endless = Live::start(spec).ended();
    assert!(endless.0.contains("processor time"), "{}", endless.0);

    let mut spec = setup("team:sh -c 'yes flood'", "weak", 1_000, 1.0);
    spec.options.program_limits.log_bytes = 1_000;
    spec.options.limits.join = Duration::from_millis(300);
    let floods = Live::start(spec).ended();
    assert!(floods.0.contains("red's program: it was ended with the match"), "{}", floods.0);
    assert!(floods.1.len() < 1_200 && floods.1.contains("further bytes of output were thrown away"));
}

impl Live {
    /// Its log and the output of red's program, once it is over.
    fn ended(mut self) -> (String, String) {
        let ending = self.end();
        assert_eq!((ending.winner, ending.termination), (Some(1), "startup"));
        assert!(ending.tick < 1_000, "{}", ending.tick);
        (self.log(), std::fs::read_to_string(self.logs.path().join("red.log")).unwrap())
    }
}

#[test]
fn two_programs_that_are_no_teams_draw_at_once() {
    let mut live = Live::start(setup("team:sh -c 'exit 0'", "team:sh -c 'exit 0'", 3_600_000, 1.0));
    let ending = live.end();
    assert_eq!((ending.termination, ending.winner), ("startup", None));
    assert!(ending.tick < 100_000, "{}", ending.tick);
    let reason = "red: it ended by itself; blue: it ended by itself";
    assert_eq!(ending.result().detail["reason"], reason);
}

/// A team of one unit that disconnects as soon as the match has begun.
const LEAVES: &str = "team:bash -c '
    to=/dev/tcp/$GRANDSTAND_HOST/$GRANDSTAND_PORT
    exec 3<>$to
    echo \"{\\\"type\\\":\\\"GameRequest\\\",\\\"secret\\\":\\\"$GRANDSTAND_SECRET\\\"}\" >&3
    read -r units <&3
    exec 4<>$to
    echo \"{\\\"type\\\":\\\"Respawn\\\",\\\"id\\\":1,\\\"secret\\\":\\\"$GRANDSTAND_SECRET\\\",\\\"class\\\":\\\"medic\\\"}\" >&4
    read -r success <&4
    read -r start <&4
    echo tired
    exit 7'";

#[test]
fn a_team_whose_program_ends_in_the_match_loses_by_that() {
    let mut spec = setup(LEAVES, "weak", 3_600_000, 1.0);
    spec.rules.units_per_team = 1;
    let mut live = Live::start(spec);
    let ending = live.end();
    assert_eq!((ending.winner, ending.termination), (Some(1), "crash"), "{}", live.log());
    assert_eq!(ending.result().detail["reason"], "red: it ended with exit status 7; its last words: tired");
}

#[test]
fn a_team_that_says_nothing_for_too_long_loses_by_that() {
    let (mut live, mut units) = by_hand(3_600_000, |options| options.limits.silence = Duration::from_secs(2));
    let mut talker = units.remove(7);
    let asker = std::thread::spawn(move || {
        loop {
            let answer = talker.ask("MyStatus");
            if answer["type"] != "MyData" {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let ending = live.end();
    assert_eq!((ending.winner, ending.termination), (Some(1), "hang"), "{}", live.log());
    let told = asker.join().unwrap();
    assert_eq!(
        (&told["type"], &told["outcome"], &told["reason"]),
        (&json!("GameEnd"), &json!("won"), &json!("hang"))
    );
}

#[test]
fn a_program_can_not_take_an_awaited_teams_place() {
    let live = Live::start(setup("wait", "team:sh -c 'sleep 1'", 1_000, 1.0));
    let notice = live.notices.lock().unwrap()[0].clone();
    assert!(notice.contains("with the secret "), "{notice}");
    let mut stream = TcpStream::connect(live.contest.address()).unwrap();
    stream.write_all(b"{\"type\":\"GameRequest\"}\n").unwrap();
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).unwrap();
    assert!(line.contains("no seat is free"), "{line}");
}

//! Input of a team, and faults: `FORTRESS-PROTOCOL.md`, "What goes wrong".

use grandstand_matches::games::fortress::inputs;
use grandstand_matches::games::fortress::referee::{
    Cause, Conditions, Input, Loss, Output, Referee, Seat, Stamped,
};
use grandstand_protocol::Command;
use grandstand_rules::fortress::{ByTeam, Rules, Team, UnitId, maps};
use serde_json::{Value, json};

const SECRETS: [&str; 2] = ["red's", "blue's"];

fn conditions(open: bool) -> Conditions {
    let seat = |team: Team| Seat { secret: SECRETS[team.index()].to_owned(), open };
    let seats = ByTeam::new(seat(Team::Red), seat(Team::Blue));
    Conditions {
        errors: 5,
        rejoins: 3,
        ..Conditions::new(Rules::default(), maps::by_name("meadow").unwrap(), seats)
    }
}

/// A match with its connections: 20 and 21 are the teams' own, 1 to 10 the units'.
struct Match {
    referee: Referee,
    now: u64,
    inputs: Vec<Stamped>,
    closed: Vec<u32>,
}

impl Match {
    /// A match that waits for its teams.
    fn waiting() -> Self {
        let referee = Referee::new(conditions(false)).unwrap();
        Self { referee, now: 0, inputs: Vec::new(), closed: Vec::new() }
    }

    /// A running match.
    fn running() -> Self {
        let mut this = Self::waiting();
        for (connection, secret) in [(20, SECRETS[0]), (21, SECRETS[1])] {
            this.open(connection);
            this.say(connection, json!({"type": "GameRequest", "secret": secret}));
        }
        for id in 1..=10 {
            this.join(id);
        }
        assert!(this.referee.has_begun());
        this
    }

    fn join(&mut self, id: u32) -> Vec<Value> {
        let secret = SECRETS[usize::from(id > 5)];
        self.open(id);
        self.say(id, json!({"type": "Respawn", "id": id, "secret": secret, "class": "soldier"}))
    }

    fn apply(&mut self, connection: u32, input: Input) -> Vec<(u32, Value)> {
        let stamped = Stamped { millis: self.now, connection, input };
        self.referee.apply(&stamped);
        self.inputs.push(stamped);
        let mut lines = Vec::new();
        for output in self.referee.drain_outputs() {
            match output {
                Output::Send { connection, line } => {
                    lines.push((connection, serde_json::from_str(&line).unwrap()))
                }
                Output::Close { connection } => self.closed.push(connection),
            }
        }
        lines
    }

    fn open(&mut self, connection: u32) {
        self.apply(connection, Input::Open);
    }

    /// The responses on this connection to a line.
    fn send(&mut self, connection: u32, line: &str) -> Vec<Value> {
        let lines = self.apply(connection, Input::Line(line.to_owned()));
        lines.into_iter().filter(|(to, _)| *to == connection).map(|(_, line)| line).collect()
    }

    fn say(&mut self, connection: u32, message: Value) -> Vec<Value> {
        self.send(connection, &message.to_string())
    }

    /// The only response to a message.
    fn ask(&mut self, connection: u32, message: Value) -> Value {
        let mut answers = self.say(connection, message);
        assert_eq!(answers.len(), 1, "{answers:?}");
        answers.remove(0)
    }

    fn error(&mut self, connection: u32, message: Value) -> String {
        let answer = self.ask(connection, message);
        assert_eq!(answer["type"], "Error", "{answer}");
        answer["reason"].as_str().unwrap().to_owned()
    }

    fn pass(&mut self, millis: u64) -> Vec<(u32, Value)> {
        self.now += millis;
        self.apply(0, Input::Tick)
    }

    fn markers(&mut self) -> Vec<String> {
        let commands = self.referee.drain_commands();
        let markers = commands.into_iter().filter_map(|stamped| match stamped.command {
            Command::Marker(marker) => Some(marker.label.to_string()),
            _ => None,
        });
        markers.collect()
    }
}

#[test]
fn a_team_is_told_its_side_its_units_and_the_board() {
    let mut game = Match::waiting();
    game.open(20);
    let units = game.ask(20, json!({"type": "GameRequest", "secret": "blue's", "name": "the blues"}));
    assert_eq!((&units["type"], &units["team"]), (&json!("Units"), &json!("blue")));
    assert_eq!(units["ids"], json!([6, 7, 8, 9, 10]));
    assert_eq!(
        (units["map"].as_array().unwrap().len(), &units["rules"]["cTIME_LIMIT"]),
        (25, &json!(300_000))
    );
    // A repeated request gets the same response.
    assert_eq!(game.ask(20, json!({"type": "GameRequest", "secret": "blue's"})), units);
    assert!(game.referee.drain_log().join("\n").contains("blue, the blues, asks for a game"));
}

#[test]
fn the_match_begins_when_every_unit_has_come() {
    let mut game = Match::waiting();
    for (connection, secret) in [(20, SECRETS[0]), (21, SECRETS[1])] {
        game.open(connection);
        game.say(connection, json!({"type": "GameRequest", "secret": secret}));
    }
    for id in 1..=9 {
        assert!(game.join(id).is_empty());
    }
    assert!(!game.referee.has_begun());
    let told = game.join(10);
    assert_eq!(told[0], json!({"type": "Success", "id": 10, "action": "Respawn"}));
    assert_eq!(told[1], json!({"type": "GameStart", "id": 10, "remaining": 300_000, "speed": 1.0}));
    assert_eq!(game.referee.world().unwrap().units().len(), 10);
}

#[test]
fn without_a_secret_the_first_to_ask_takes_the_first_open_seat() {
    let mut referee = Match { referee: Referee::new(conditions(true)).unwrap(), ..Match::waiting() };
    for (connection, team) in [(20, "red"), (21, "blue")] {
        referee.open(connection);
        assert_eq!(referee.ask(connection, json!({"type": "GameRequest"}))["team"], team);
    }
    referee.open(22);
    assert!(referee.error(22, json!({"type": "GameRequest"})).contains("no seat is free"));
    let mut closed = Match::waiting();
    closed.open(20);
    assert!(closed.error(20, json!({"type": "GameRequest"})).contains("no seat is free"));
    assert!(closed.error(20, json!({"type": "GameRequest", "secret": "?"})).contains("not that of a team"));
}

#[test]
fn before_the_start_only_respawn_means_anything() {
    let mut game = Match::waiting();
    game.open(1);
    let failed = |action: &str| json!({"type": "Failed", "id": 1, "action": action});
    assert_eq!(game.ask(1, json!({"type": "Move", "id": 1, "secret": "red's"})), failed("Move"));
    assert_eq!(game.ask(1, json!({"type": "MyStatus", "id": 1})), failed("MyStatus"));
    // A second choice answers the first.
    let choose = |class: &str| json!({"type": "Respawn", "id": 1, "class": class});
    assert!(game.say(1, choose("medic")).is_empty());
    assert_eq!(game.ask(1, choose("pyro")), failed("Respawn"));
    game.apply(0, Input::Begin);
    assert_eq!(game.referee.world().unwrap().unit(UnitId(1)).unwrap().class.name(), "pyro");
}

#[test]
fn a_unit_commands_nobody_but_itself() {
    let mut game = Match::running();
    assert!(game.error(1, json!({"type": "Move", "id": 2})).contains("unit 1's: it can't command unit 2"));
    assert!(game.error(1, json!({"type": "Move", "id": 6})).contains("it can't command unit 6"));
    assert!(game.error(1, json!({"type": "Move", "id": 77})).contains("there is no unit 77"));
    assert!(game.error(1, json!({"type": "Move", "id": 1, "secret": "blue's"})).contains("`secret`"));
    assert!(game.error(20, json!({"type": "Move", "id": 1})).contains("every unit opens one of its own"));
    game.open(30);
    assert!(game.error(30, json!({"type": "Move", "id": 1})).contains("needs the team's `secret`"));
    assert!(
        game.error(30, json!({"type": "Move", "id": 1, "secret": "red's"}))
            .contains("has a connection already")
    );
    assert!(
        game.error(30, json!({"type": "Move", "id": 6, "secret": "red's"}))
            .contains("not that of unit 6's team")
    );
    // No unit has moved.
    assert!(game.referee.world().unwrap().units().iter().all(|unit| unit.moves_from == 0));
}

#[test]
fn rubbish_is_answered_in_words_and_changes_nothing() {
    let mut game = Match::running();
    let before = game.referee.world().unwrap().scene();
    for (line, words) in [
        ("hello", "not a JSON object"),
        ("{\"type\":", "not a JSON object"),
        ("[1,2]", "expected an object with a `type`"),
        ("{}", "one of GameRequest, Move"),
        (r#"{"type":"Fly","id":1}"#, "found \"Fly\""),
        (r#"{"type":"Move"}"#, "`id` is missing"),
        (r#"{"type":"Move","id":-1}"#, "`id` is -1"),
        (r#"{"type":"Move","id":1e9999}"#, "not a JSON object"),
        (r#"{"type":"Move","id":1,"hand":"up"}"#, "expected `left`, `right` or null"),
        (r#"{"type":"Turn","id":1}"#, "`hand` is missing"),
        (r#"{"type":"Move","id":1,"Hand":"left"}"#, "Move has no field `Hand`"),
        (r#"{"type":"Scan","id":1,"range":1.5}"#, "`range` is 1.5"),
        (r#"{"type":"Inspect","id":1,"position":[0]}"#, "two whole numbers"),
        (r#"{"type":"Inspect","id":1,"position":[0,99999999999999999999]}"#, "two whole numbers"),
        (r#"{"type":"Respawn","id":1,"class":"spy"}"#, "`medic`, `pyro` or `soldier`"),
        (r#"{"type":"Talk","id":1,"text":7}"#, "`text` is 7"),
    ] {
        let connection = 30 + game.inputs.len() as u32;
        game.open(connection);
        let answer = game.send(connection, line).remove(0);
        assert_eq!(answer["type"], "Error");
        assert!(answer["reason"].as_str().unwrap().contains(words), "{line}: {answer}");
    }
    assert_eq!(game.referee.world().unwrap().scene().units(), before.units());
    // Nesting as deep as a line permits is an error like any other.
    let deep = "[".repeat(4_000);
    game.open(90);
    assert_eq!(game.send(90, &deep)[0]["type"], "Error");
}

#[test]
fn absurd_numbers_fail() {
    let mut game = Match::running();
    let far = [i64::MAX, i64::MIN];
    for (action, extra) in [
        ("PrimaryAbility", json!({"position": far})),
        ("SecondaryAbility", json!({"position": [26, 0]})),
        ("PrimaryAbility", json!({"position": [-10, 0]})),
        ("PrimaryAbility", json!({})),
        ("Inspect", json!({"position": [0, -13]})),
        ("Scan", json!({"range": -1})),
        ("Respawn", json!({"class": "medic"})),
    ] {
        let mut message = extra;
        message["type"] = action.into();
        message["id"] = 1.into();
        assert_eq!(game.ask(1, message), json!({"type": "Failed", "id": 1, "action": action}));
    }
    let all = game.ask(1, json!({"type": "Scan", "id": 1, "range": i64::MAX}));
    assert_eq!(all["units"].as_array().unwrap().len(), 10);
}

#[test]
fn too_many_errors_close_the_connection_and_nothing_else() {
    let mut game = Match::running();
    for _ in 0..4 {
        assert_eq!(game.send(3, "?").len(), 1);
    }
    let last = game.send(3, "?");
    assert!(last[1]["reason"].as_str().unwrap().contains("this connection is closed"));
    assert_eq!(game.closed, [3]);
    assert!(game.send(3, r#"{"type":"MyStatus","id":3}"#).is_empty());
    assert_eq!(game.ask(4, json!({"type": "MyStatus", "id": 4}))["type"], "MyData");
    assert!(
        game.markers().iter().any(|label| label.starts_with("red unit 3 stands idle: 5 of its messages"))
    );
}

#[test]
fn a_unit_without_a_connection_stands_idle_and_may_come_back() {
    let mut game = Match::running();
    game.pass(1_000);
    game.apply(2, Input::Close("its team has closed it".to_owned()));
    let log = game.referee.drain_log().join("\n");
    assert!(log.contains("1.000 s: red unit 2's connection is closed: its team has closed it"), "{log}");
    assert_eq!(game.markers(), ["red unit 2 stands idle: its team has closed it"]);
    for connection in [41, 42] {
        game.open(connection);
        let told = game.say(connection, json!({"type": "MyStatus", "id": 2, "secret": "red's"}));
        assert_eq!((&told[0]["type"], &told[0]["remaining"]), (&json!("GameStart"), &json!(299_000)));
        assert_eq!(told[1]["type"], "MyData");
        game.apply(connection, Input::Close("it broke".to_owned()));
    }
    // Reconnections are limited, since all clients receive them.
    game.open(43);
    let message = json!({"type": "MyStatus", "id": 2, "secret": "red's"});
    assert!(game.error(43, message).contains("as many as may be"));
}

#[test]
fn nobody_is_waited_for_who_is_known_not_to_come() {
    let mut game = Match::waiting();
    game.open(20);
    game.say(20, json!({"type": "GameRequest", "secret": "red's"}));
    for id in 1..=5 {
        game.join(id);
    }
    assert!(!game.referee.has_begun());
    game.apply(0, Input::Absent(Team::Blue));
    assert!(game.referee.has_begun());
    assert!(game.referee.drain_log().join("\n").contains("begins without the units 6, 7, 8, 9, 10"));
    assert!(game.referee.has_no_unit(Team::Blue) && !game.referee.has_no_unit(Team::Red));
}

fn loss(cause: Cause, reason: &str) -> Option<Loss> {
    Some(Loss { cause, reason: reason.to_owned() })
}

#[test]
fn a_team_that_breaks_loses_by_that_and_everybody_is_told() {
    let mut game = Match::running();
    game.pass(4_000);
    let lost = ByTeam::new(loss(Cause::Crash, "it ended with exit status 3"), None);
    let told = game.apply(0, Input::Lost(lost.clone()));
    assert_eq!(told.len(), 12);
    for (connection, line) in told {
        let outcome = if connection <= 5 || connection == 20 { "lost" } else { "won" };
        assert_eq!((&line["outcome"], &line["reason"]), (&json!(outcome), &json!("crash")));
    }
    let ending = game.referee.ending().unwrap();
    assert_eq!((ending.winner, ending.termination, ending.tick), (Some(1), "crash", 4_000));
    assert_eq!(ending.result().detail["reason"], "red: it ended with exit status 3");
    assert_eq!(game.markers(), ["red lost by crash: it ended with exit status 3"]);
    // The match is over: a second loss changes nothing, and a file of inputs repeats it.
    game.apply(0, Input::Lost(ByTeam::new(None, loss(Cause::Hang, "late"))));
    assert_eq!(game.referee.ending().unwrap().result(), ending.result());
    let file: Vec<String> = std::iter::once(inputs::header(&conditions(false)))
        .chain(game.inputs.iter().map(Stamped::to_line))
        .collect();
    let again = inputs::replay(&file.join("\n")).unwrap();
    assert_eq!(again.ending().unwrap().result(), ending.result());
}

#[test]
fn two_teams_that_never_came_draw_at_once() {
    let mut game = Match::waiting();
    let lost = ByTeam::new(loss(Cause::Startup, "no such file"), loss(Cause::Startup, "?"));
    game.apply(0, Input::Lost(lost));
    let ending = game.referee.ending().unwrap();
    assert_eq!((ending.winner, ending.termination, ending.tick), (None, "startup", 0));
    assert_eq!(ending.result().detail["reason"], "red: no such file; blue: ?");
}

#[test]
fn a_team_that_waits_to_respawn_is_not_silent() {
    let mut game = Match::running();
    game.pass(2_000);
    game.say(3, json!({"type": "MyStatus", "id": 3}));
    game.pass(1_500);
    let silence = |game: &Match| Team::ALL.map(|team| game.referee.silence(team));
    assert_eq!(silence(&game), [1_500, 3_500]);
    // An invalid message counts as activity too.
    game.send(7, "rubbish");
    assert_eq!(silence(&game), [1_500, 0]);
}

#[test]
fn after_the_end_every_action_fails() {
    let mut game = Match::running();
    let told = game.pass(300_000);
    let ends = told.iter().filter(|(_, line)| line["type"] == "GameEnd");
    assert_eq!(ends.clone().count(), 12);
    assert!(ends.clone().all(|(_, line)| line["outcome"] == "draw" && line["reason"] == "time"));
    for action in ["Move", "MyStatus", "GameStatus"] {
        let answer = game.ask(1, json!({"type": action, "id": 1}));
        assert_eq!(answer, json!({"type": "Failed", "id": 1, "action": action}));
    }
    // A unit that joins now receives all of it.
    game.apply(1, Input::Close("gone".to_owned()));
    game.open(50);
    let told = game.say(50, json!({"type": "MyStatus", "id": 1, "secret": "red's"}));
    let types: Vec<&str> = told.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["GameStart", "GameEnd", "Failed"]);
}

#[test]
fn the_answer_to_respawn_waits_until_the_unit_stands() {
    let mut game = Match::running();
    // Unit 1 shoots itself and its friends with rockets until it falls.
    while game.referee.world().unwrap().unit(UnitId(1)).unwrap().is_living() {
        let answer = game.ask(1, json!({"type": "SecondaryAbility", "id": 1, "position": [-9, 0]}));
        assert_eq!(answer["type"], "Success");
        game.pass(10_000);
    }
    let fell = game.referee.world().unwrap().unit(UnitId(1)).unwrap().fell_at().unwrap();
    assert_eq!(game.ask(1, json!({"type": "MyStatus", "id": 1}))["health"], 0);
    let respawn = json!({"type": "Respawn", "id": 1, "class": "medic"});
    // Ten seconds have passed already, so it respawns at once.
    assert_eq!(game.now - fell, 10_000);
    assert_eq!(game.ask(1, respawn.clone()), json!({"type": "Success", "id": 1, "action": "Respawn"}));
    assert_eq!(game.ask(1, respawn), json!({"type": "Failed", "id": 1, "action": "Respawn"}));
}

#[test]
fn recorded_inputs_give_the_same_match_byte_for_byte() {
    let mut game = Match::running();
    for round in 0..200_u32 {
        let id = 1 + round % 10;
        let line = match round % 4 {
            0 => json!({"type": "Move", "id": id}),
            1 => json!({"type": "Turn", "id": id, "hand": "left"}),
            2 => json!({"type": "PrimaryAbility", "id": id, "position": [round % 7, 0]}),
            _ => json!({"type": "Talk", "id": id, "text": format!("round {round}\u{7}")}),
        };
        game.say(id, line);
        game.now += u64::from(round * 37 % 91);
    }
    game.send(4, "rubbish \u{fffd} \"");
    game.apply(5, Input::Close("it broke".to_owned()));
    game.pass(300_000);
    let lines = |referee: &mut Referee| -> Vec<String> {
        let commands = referee.drain_commands();
        commands.iter().map(|stamped| format!("{} {}", stamped.tick, stamped.command.to_line())).collect()
    };
    let mut text = inputs::header(&conditions(false)) + "\n";
    for stamped in &game.inputs {
        text += &stamped.to_line();
        text.push('\n');
    }
    let mut again = inputs::replay(&text).unwrap();
    let drawn = lines(&mut game.referee);
    assert!(drawn.len() > 1_000 / 10 && drawn.iter().any(|line| line.contains("say red round")));
    assert_eq!(lines(&mut again), drawn);
    assert_eq!(again.ending().unwrap().result(), game.referee.ending().unwrap().result());
}

#[test]
fn a_damaged_file_of_inputs_is_refused_with_its_line() {
    let header = inputs::header(&conditions(false));
    let error = |text: String| inputs::replay(&text).unwrap_err().to_string();
    assert!(error(String::new()).starts_with("line 1: "));
    assert!(error("{}".to_owned()).contains("`grandstand-inputs` is missing"));
    assert!(error(header.replace("l\"", "x\"")).contains("unknown character"));
    assert!(error(format!("{header}\n[1,2,\"open\"]\n[0,2,\"tick\"]")).starts_with("line 3: time goes back"));
    for wrong in [
        "[]",
        "7",
        "[1,2,\"jump\"]",
        "[1,2,\"line\"]",
        "[1,2,\"open\",3]",
        "[-1,2,\"open\"]",
        "[1,2,\"absent\",\"green\"]",
        "[1,2,\"lost\"]",
        "[1,2,\"lost\",{\"red\":{\"cause\":\"boredom\",\"reason\":\"\"},\"blue\":null}]",
    ] {
        assert!(error(format!("{header}\n\n{wrong}")).starts_with("line 3: "), "{wrong}");
    }
}

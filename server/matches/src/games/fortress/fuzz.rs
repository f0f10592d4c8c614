//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant is violated.

use std::collections::BTreeMap;

use grandstand_protocol::fortress::Scene;
use grandstand_protocol::{Command, Micros};
use grandstand_rules::fortress::{ByTeam, Rules, Team, maps};

use super::lines::LineDecoder;
use super::message::{Request, Response};
use super::referee::{Cause, Conditions, Input, Loss, Output, Referee, Seat, Stamped};

/// Any bytes as messages of either side, and as lines of a file of inputs: any cutting gives the same lines, and a
/// parsed line that is written again parses to the same.
pub fn messages(data: &[u8]) {
    let lines = cut(data.chunks(data.len().max(1)));
    assert_eq!(cut(data.chunks(1)), lines);
    assert_eq!(cut(data.chunks(7)), lines);
    for line in &lines.0 {
        if let Ok(request) = Request::parse(line) {
            assert_eq!(Request::parse(&request.to_line()), Ok(request));
        }
        if let Ok(response) = Response::parse(line) {
            assert_eq!(Response::parse(&response.to_line()), Ok(response));
        }
        if let Ok(stamped) = Stamped::parse(line) {
            assert_eq!(Stamped::parse(&stamped.to_line()), Ok(stamped));
        }
    }
}

/// Lines of at most 200 bytes, and whether one was longer.
fn cut<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> (Vec<String>, bool) {
    let (mut lines, mut found) = (LineDecoder::new(200), Vec::new());
    for chunk in chunks {
        lines.push(chunk);
        loop {
            match lines.next_line() {
                Ok(Some(line)) => found.push(line),
                Ok(None) => break,
                Err(_) => return (found, true),
            }
        }
    }
    (found, false)
}

/// Secrets of the teams in the fuzzed match.
const SECRETS: [&str; 2] = ["r", "b"];

/// Any bytes as inputs of a match with two units a side: closed connections are sent nothing, every action is answered
/// at most once, the commands show the world's state, and playing them again gives the same.
pub fn referee(data: &[u8]) {
    let inputs = inputs(data);
    let once = play(&inputs);
    assert_eq!(play(&inputs), once, "the same inputs give the same match");
}

/// State of a connection: whether it is open, and the number of actions sent and results received.
#[derive(Default)]
struct Seen {
    open: bool,
    actions: usize,
    results: usize,
}

fn play(inputs: &[Stamped]) -> (Vec<String>, Vec<Output>) {
    let seat = |team: Team| Seat { secret: SECRETS[team.index()].to_owned(), open: team == Team::Red };
    let rules = Rules {
        units_per_team: 2,
        time_limit: 20_000,
        respawn_time: 500,
        point_capture_time: 300,
        ..Rules::default()
    };
    let map = maps::by_name("meadow").expect("a shipped map is right");
    let seats = ByTeam::new(seat(Team::Red), seat(Team::Blue));
    let conditions = Conditions { errors: 5, rejoins: 3, ..Conditions::new(rules, map, seats) };
    let mut referee = Referee::new(conditions).expect("the settings are right");
    let mut connections: BTreeMap<u32, Seen> = BTreeMap::new();
    let (mut scene, mut lines, mut outputs) = (Scene::default(), Vec::new(), Vec::new());
    let mut drawn = 0;
    for stamped in inputs {
        let seen = connections.entry(stamped.connection).or_default();
        match &stamped.input {
            Input::Open => *seen = Seen { open: true, ..Seen::default() },
            Input::Line(line) => seen.actions += usize::from(Request::parse(line).is_ok()),
            Input::Close(_) => seen.open = false,
            Input::Absent(_) | Input::Begin | Input::Lost(_) | Input::Tick => {}
        }
        referee.apply(stamped);
        for output in referee.drain_outputs() {
            match &output {
                Output::Send { connection, line } => {
                    let seen = connections.get_mut(connection).expect("a connection that there was");
                    assert!(seen.open, "{connection} is closed, and is told {line}");
                    let response = Response::parse(line).expect("the server's lines are messages");
                    seen.results += usize::from(matches!(response, Response::Result { .. }));
                    assert!(seen.results <= seen.actions, "{connection} is told what it did not ask");
                }
                Output::Close { connection } => {
                    connections.entry(*connection).or_default().open = false;
                }
            }
            outputs.push(output);
        }
        for stamped in referee.drain_commands() {
            assert!(stamped.tick >= drawn, "{} is drawn after {drawn} ms", stamped.command.to_line());
            drawn = stamped.tick;
            if let Command::Fortress(command) = &stamped.command {
                scene.apply(0, Micros(0), command);
            }
            lines.push(format!("{} {}", stamped.tick, stamped.command.to_line()));
        }
        if let Some(world) = referee.world() {
            let projected = world.scene();
            assert_eq!(scene.units(), projected.units());
            assert_eq!(scene.points(), projected.points());
        }
        lines.extend(referee.drain_log());
    }
    (lines, outputs)
}

/// Inputs from groups of four bytes: the kind, one of eight peers, and two parameters.
fn inputs(data: &[u8]) -> Vec<Stamped> {
    let mut millis = 0;
    // Current connection of each of the eight peers; a number is never used again.
    let (mut open, mut next) = ([None; 8], 1);
    let mut inputs = Vec::new();
    for bytes in data.chunks_exact(4) {
        let &[what, who, x, y] = bytes else { continue };
        let peer = &mut open[usize::from(who % 8)];
        millis += if what & 0x80 == 0 { u64::from(what >> 5) } else { u64::from(y) };
        let id = x % 5;
        let secret = SECRETS[usize::from(y % 2)];
        let position = format!("[{},{}]", i32::from(x as i8) / 5, i32::from(y as i8) / 10);
        let line = match what % 16 {
            0 => Some(format!(r#"{{"type":"GameRequest","secret":"{secret}","name":"{x}"}}"#)),
            1 => Some(r#"{"type":"GameRequest"}"#.to_owned()),
            2 | 3 => Some(format!(r#"{{"type":"Respawn","id":{id},"secret":"{secret}","class":"pyro"}}"#)),
            4 => Some(format!(r#"{{"type":"Move","id":{id}}}"#)),
            5 => Some(format!(r#"{{"type":"Turn","id":{id},"hand":"left"}}"#)),
            6 => Some(format!(r#"{{"type":"PrimaryAbility","id":{id},"position":{position}}}"#)),
            7 => Some(format!(r#"{{"type":"SecondaryAbility","id":{id},"position":{position}}}"#)),
            8 => Some(format!(r#"{{"type":"Scan","id":{id},"range":{y}}}"#)),
            9 => Some(format!(r#"{{"type":"MyStatus","id":{id},"secret":"{secret}"}}"#)),
            10 => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => None,
        };
        let (connection, input) = match (line, what % 16, *peer) {
            (None, 12, _) => (0, Input::Absent(Team::ALL[usize::from(y % 2)])),
            (None, 13, _) if y < 200 => (0, Input::Begin),
            (None, 13, _) => {
                let loss =
                    |bit: u8| (y & bit != 0).then(|| Loss { cause: Cause::Hang, reason: x.to_string() });
                (0, Input::Lost(ByTeam::new(loss(1), loss(2))))
            }
            (None, 14 | 15, _) => (0, Input::Tick),
            (_, _, None) => {
                *peer = Some(next);
                next += 1;
                (next - 1, Input::Open)
            }
            (Some(line), _, Some(connection)) => (connection, Input::Line(line)),
            (None, _, Some(connection)) => {
                *peer = None;
                (connection, Input::Close("it broke".to_owned()))
            }
        };
        inputs.push(Stamped { millis, connection, input });
    }
    inputs
}

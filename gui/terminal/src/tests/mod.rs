//! Pictures of recorded matches in the terminal, and tests that nothing panics.

mod golden_pictures;
mod keys;
mod random_scenes;

use std::fs;
use std::path::PathBuf;

use grandstand_protocol::{Command, Game, Micros};
use grandstand_replays::{Limits, Replay};
use grandstand_source::address::Target;
use grandstand_source::{OpenMatch, Update};
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::terminal::Terminal;

use crate::canvas::{Canvas, fit_colors, ink};
use crate::look::{Depth, GROUND, Look, TEXT};
use crate::session::Session;

/// A terminal with all capabilities.
const BEST: Look = Look { unicode: true, depth: Depth::True };
/// A terminal with ASCII letters only.
const LEAST: Look = Look { unicode: false, depth: Depth::Mono };

/// A sample recording for each game that has one.
const SAMPLES: [(&str, &str); 6] = [
    ("abalone", "team-team.replay"),
    ("shark", "shark-shark-stupidbot.replay.zst"),
    ("fortress", "fortress-strong-strong.replay.zst"),
    ("gomoku", "gomoku-stupid-stupid.replay"),
    ("pente", "pente-stupid-stupid.replay"),
    ("riskless", "riskless-alphabeta-random.replay"),
];

fn sample(name: &str) -> Replay {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../replays/samples").join(name);
    Replay::open(&fs::read(path).expect("a sample"), Limits::default()).expect("a replay")
}

/// A match of the generic grid.
fn grid() -> Replay {
    let mut text = r#"{"grandstand":1,"game":"grid","teams":[{"name":"green","color":"green"},{"name":"orange","color":"orange"}]}"#.to_owned();
    let lines = [
        "size 12 9",
        "score green 3",
        "score orange 5",
        "cell 2,3 @ green",
        "cell 5,4 # orange",
        "cell 11,8 狐",
        "say green hello \u{1b}[2J",
        "step 7",
    ];
    for (n, line) in lines.iter().enumerate() {
        text += &format!("\n[{n},\"c\",{}]", serde_json::to_string(line).expect("JSON"));
    }
    Replay::open(text.as_bytes(), Limits::default()).expect("a replay")
}

/// A session that shows a completely read recording.
fn session(replay: Replay) -> Session {
    let target = Target::File("sample.replay".into());
    let mut session = Session::of(OpenMatch::new(target, None, 0));
    session.apply(Update::Recording { replay: Box::new(replay), loaded: 1.0 });
    session.play_or_pause();
    settle(&mut session);
    session
}

/// Lets the session read everything.
fn settle(session: &mut Session) {
    while session.update(1.0) == Some(0.0) {}
}

/// A live match of these lines, a tenth of a second apart.
fn live(game: Game, lines: &[String]) -> Session {
    let mut session = Session::of(OpenMatch::new(Target::File("x".into()), None, 0));
    let summary = format!(
        r#"{{"id":"m1","game":"{game}","title":"","teams":[],"state":"live","started":"","seq":0,"spectators":1,"result":null}}"#
    );
    session.apply(Update::Hello(Box::new(serde_json::from_str(&summary).expect("a summary"))));
    for (seq, line) in (1..).zip(lines) {
        let (t, commands) = (Micros(seq * 100_000), vec![Command::parse(game, line.as_bytes())]);
        session.apply(Update::Commands { seq, t, commands });
    }
    session
}

/// The picture of a session in a terminal of this size.
fn picture(session: &Session, width: u16, height: u16, look: Look) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    let paint = |buffer: &mut Buffer| {
        let mut canvas = Canvas::new(buffer, look);
        canvas.clear(ink(TEXT).bg(GROUND));
        crate::app::paint_session(&mut canvas, session, None, 1.0);
        fit_colors(buffer, look);
    };
    terminal.draw(|frame| paint(frame.buffer_mut())).expect("drawn");
    terminal.backend().buffer().clone()
}

#[test]
fn a_push_that_costs_a_piece_is_one_row() {
    let push = ["bscore 0", "set I3 b0", "set I4 w0", "turns 1", "set I4 b0", "set I3 e", "bscore 1"];
    let marker = r##"#gs marker {"label":"black pushes white off","kind":"push-off","team":"black"}"##;
    let commands = push.iter().chain([&marker]).map(|line| Command::parse(Game::Abalone, line.as_bytes()));
    let mut session = live(Game::Abalone, &[]);
    // All of it happens at once.
    session.apply(Update::Commands { seq: 1, t: Micros(900_000), commands: commands.collect() });
    settle(&mut session);
    let lines = lines(&picture(&session, 80, 24, BEST));
    let moments: Vec<&String> = lines.iter().filter(|line| line.contains("0:00 ")).collect();
    assert!(matches!(moments[..], [push] if push.contains("black pushes white off")), "{moments:?}");
}

#[test]
fn the_head_names_the_game() {
    for (file, expected) in [
        ("team-team.replay", "Robot Abalone · Turn "),
        ("shark-shark-stupidbot.replay.zst", "λ-Shark"),
        ("gomoku-stupid-stupid.replay", "Gomoku"),
    ] {
        let mut session = session(sample(file));
        session.go_to_part(0.5);
        for width in [80, 160] {
            let head = &lines(&picture(&session, width, 24, BEST))[0];
            assert!(head.contains(expected), "{head}");
        }
        session.go_to_end();
        settle(&mut session);
        let head = lines(&picture(&session, 80, 24, BEST))[..2].join("\n");
        assert!(head.contains(expected.trim_end_matches(" · Turn ")) && head.contains("wins"), "{head}");
    }
}

#[test]
fn a_board_of_stones_grows_with_the_screen() {
    use crate::games::{Size, board};

    let mut session = session(sample("gomoku-stupid-stupid.replay"));
    session.go_to_part(0.5);
    settle(&mut session);
    let size = |width, height| board(session.scene()).size(Size { width, height }, BEST);
    assert_eq!(size(60, 20), Size { width: 34, height: 16 });
    assert_eq!(size(70, 40), Size { width: 64, height: 31 });
    assert_eq!(size(135, 46), Size { width: 94, height: 46 });
    for (look, stone) in [(BEST, "▐███▌"), (LEAST, "(X)")] {
        let lines = lines(&picture(&session, 160, 50, look));
        let stones: usize = lines.iter().map(|line| line.matches(stone).count()).sum();
        assert!(stones >= 10, "{}", lines.join("\n"));
        assert!(lines.iter().all(|line| line.chars().count() <= 160));
        // Both moves of a pair share a row.
        assert!(
            lines.iter().any(|line| line.find("Black ") < line.find("White ") && line.contains("Black "))
        );
    }
}

/// The lines of a picture, without trailing blanks.
fn lines(picture: &Buffer) -> Vec<String> {
    let rows = picture.content.chunks(usize::from(picture.area.width));
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()).collect()
}

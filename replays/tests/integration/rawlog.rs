//! Raw text logs: every form of time, lines without one, and the way back.

use grandstand_protocol::{Game, Micros};
use grandstand_replays::rawlog::{Import, ImportError, Options, Stamps, export, import};
use grandstand_replays::{Limits, Replay};
use proptest::prelude::*;

fn convert(log: &[u8], options: &Options) -> (Replay, Import) {
    let mut file = Vec::new();
    let done = import(log, &mut file, options).expect("there are lines in it");
    let replay = Replay::open(&file, Limits::default()).expect("what was written can be opened");
    assert_eq!(replay.damage(), None);
    (replay, done)
}

fn lines(replay: &Replay) -> Vec<(String, String)> {
    let log = replay.log();
    let line = |seq| String::from_utf8_lossy(log.line(seq).expect("there")).into_owned();
    (1..=log.last_seq()).map(|seq| (log.time_of(seq).to_string(), line(seq))).collect()
}

fn check(log: &[u8], stamps: Stamps, expected: &[(&str, &str)]) -> Replay {
    check_with(log, &Options::default(), stamps, 0, expected)
}

fn check_with(
    log: &[u8],
    options: &Options,
    stamps: Stamps,
    misfits: u64,
    expected: &[(&str, &str)],
) -> Replay {
    let (replay, done) = convert(log, options);
    assert_eq!((done.stamps, done.misfits, done.damage), (stamps, misfits, None));
    let found = lines(&replay);
    let found: Vec<(&str, &str)> = found.iter().map(|(t, line)| (&**t, &**line)).collect();
    assert_eq!(found, expected);
    replay
}

#[test]
fn lines_alone_get_a_pace_by_turns() {
    let replay = check(
        include_bytes!("../rawlog/plain.log"),
        Stamps::None,
        &[
            ("0", "set C~1 b0"),
            ("0", "set G1 w0"),
            ("0", "turns 1"),
            ("0.3", "set G1 w4"),
            ("0.3", "bsay on we go"),
            ("0.3", "what is this"),
            ("0.3", "turns 2"),
            ("0.6", "set G1 e"),
            ("0.6", "#gs marker {\"label\":\"gone\"}"),
            ("0.6", "bscore 1"),
            ("0.6", "turns 3"),
        ],
    );
    assert_eq!(&*replay.header().about.title, "A log");
    assert_eq!(replay.log().end().map(|end| end.t), Some(Micros(900_000)));
    assert!(replay.result().is_some_and(|result| result.winner.as_deref() == Some("black")));
}

#[test]
fn seconds_are_since_the_start() {
    // Few lines, and one of them without a time: the form must be given.
    check_with(
        include_bytes!("../rawlog/seconds.log"),
        &Options { stamps: Some(Stamps::Seconds), ..Options::default() },
        Stamps::Seconds,
        2,
        &[
            ("0.5", "set C~1 b0"),
            ("0.5", "set G1 w0"),
            ("1.25", "turns 1"),
            ("2", "set G1 w4"),
            ("2", "no time here"),
            ("2", "turns 2"),
            ("2.000001", "bsay  two blanks"),
        ],
    );
    let epoch = b"1226000000.25 turns 1\n1226000001.5 turns 2\n";
    check(epoch, Stamps::Seconds, &[("0", "turns 1"), ("1.25", "turns 2")]);
}

#[test]
fn times_of_day_go_on_after_midnight() {
    check(
        include_bytes!("../rawlog/clock.log"),
        Stamps::Clock,
        &[("0", "set C~1 b0"), ("0.25", "turns 1"), ("0.75", "set G1 w0"), ("1.5", "turns 2")],
    );
}

#[test]
fn moments_say_when_the_match_began() {
    let replay = check(
        include_bytes!("../rawlog/rfc3339.log"),
        Stamps::Rfc3339,
        &[("0", "set C~1 b0"), ("0.876544", "turns 1"), ("2", "set G1 w0"), ("2.876544", "turns 2")],
    );
    assert_eq!(replay.header().about.started.as_deref(), Some("2008-11-02T10:23:07.123456Z"));
}

#[test]
fn the_form_of_times_is_told_from_the_first_lines_or_given() {
    // One line of the first sixteen without a time: there are none.
    let mixed = b"1 turns 1\nturns 2\n";
    check(mixed, Stamps::None, &[("0", "1 turns 1"), ("0", "turns 2")]);
    let given = Options { stamps: Some(Stamps::Seconds), ..Options::default() };
    let (replay, done) = convert(mixed, &given);
    assert_eq!(done.misfits, 1);
    assert_eq!(
        lines(&replay),
        [("1".to_owned(), "turns 1".to_owned()), ("1".to_owned(), "turns 2".to_owned())]
    );
    // After those it does not matter.
    let mut late = (0..16).map(|n| format!("{n} turns {n}\n")).collect::<String>();
    late += "turns 99\n";
    let (replay, done) = convert(late.as_bytes(), &Options::default());
    assert_eq!((done.stamps, done.misfits), (Stamps::Seconds, 1));
    assert_eq!(replay.log().line(17), Some(&b"turns 99"[..]));
    for form in Stamps::ALL {
        assert_eq!(form.name().parse(), Ok(form));
    }
    assert!("noon".parse::<Stamps>().is_err());
}

#[test]
fn a_log_without_turns_goes_on_too() {
    let log = "set A0 b0\n".repeat(200);
    let (_, done) = convert(log.as_bytes(), &Options::default());
    assert_eq!(done.end, Micros(3 * 300_000));
}

#[test]
fn another_game_is_said_or_given() {
    let grid = Options { game: Game::Grid, ..Options::default() };
    let (replay, done) = convert(b"size 3 3\ncell 0,0 @\nstep 1\nstep 2\n", &grid);
    assert_eq!((replay.header().game, done.unknown), (Game::Grid, 0));
    assert_eq!(replay.log().time_of(4), Micros(300_000));
    let (replay, done) = convert(b"#gs game grid\nsize 3 3\n", &Options::default());
    assert_eq!((replay.header().game, done.unknown), (Game::Grid, 0));
}

#[test]
fn what_is_too_long_or_empty_is_said() {
    let mut file = Vec::new();
    assert!(matches!(import(&b""[..], &mut file, &Options::default()), Err(ImportError::Empty)));
    let mut log = b"turns 1\n".to_vec();
    log.extend_from_slice(&vec![b'x'; 10 << 20]);
    let (replay, done) = convert(&log, &Options::default());
    assert_eq!(replay.log().last_seq(), 1);
    let damage = done.damage.expect("too long").to_string();
    assert_eq!(damage, "line 2, which begins at byte 8, is longer than 65536 bytes");
    let (_, done) = convert(&vec![b'x'; 10 << 20], &Options::default());
    assert!(done.damage.is_some_and(|damage| damage.to_string().starts_with("line 1,")));
}

#[test]
fn plain_lines_are_those_that_an_old_gui_understands() {
    let replay =
        Replay::open(include_bytes!("../v1/everything.replay"), Limits::default()).expect("a replay");
    let mut text = Vec::new();
    let done = export(&replay, &mut text, Stamps::Clock, false).expect("memory");
    assert_eq!((done.lines, done.left_out), (9, 6));
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.starts_with("[00:00:00.000000] turns 0\n[00:00:00.250000] set C~1 b0\n"), "{text}");
    assert!(!text.contains("#gs") && !text.contains("jump"), "{text}");
    let unknown_start =
        Replay::open(include_bytes!("../v1/grid.replay"), Limits::default()).expect("a replay");
    let error = export(&unknown_start, Vec::new(), Stamps::Rfc3339, true).expect_err("no start").to_string();
    assert!(error.contains("does not say when the match began"), "{error}");
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => "set [A-I][0-4] (e|[bw][0-6])".prop_map(String::into_bytes),
        2 => "turns [0-9]{1,3}".prop_map(String::into_bytes),
        1 => "[bw]say .{0,20}".prop_map(|text| text.replace('\n', " ").trim_end_matches('\r').as_bytes().to_vec()),
        1 => "#gs (marker \\{\"label\":\"[a-z]{0,5}\"\\}|result \\{\"termination\":\"x\"\\}|game abalone)"
            .prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..12)
            .prop_map(|bytes| bytes.into_iter().filter(|byte| !b"\r\n".contains(byte)).collect()),
    ]
}

proptest! {
    /// There and back: a log with times in any form is the same log, but for `#gs` lines that go to the front.
    #[test]
    fn a_replay_becomes_a_log_and_the_same_replay(
        log in prop::collection::vec((line(), 0..3_000_000_u64), 1..60),
        form in prop::sample::select(&[Stamps::Seconds, Stamps::Clock, Stamps::Rfc3339][..]),
    ) {
        let mut text = Vec::new();
        let mut t = 0;
        for (line, interval) in &log {
            t += interval;
            text.extend_from_slice(format!("{}.{:06} ", t / 1_000_000, t % 1_000_000).as_bytes());
            text.extend_from_slice(line);
            text.push(b'\n');
        }
        let options = Options { stamps: Some(Stamps::Seconds), ..Options::default() };
        let (mut replay, _) = convert(&text, &options);
        if form == Stamps::Rfc3339 {
            // Dates need a start, which this adds.
            let mut dated = b"#gs match {\"started\":\"2008-11-02T23:59:58Z\"}\n".to_vec();
            dated.extend_from_slice(&text);
            replay = convert(&dated, &options).0;
        }
        let mut out = Vec::new();
        let done = export(&replay, &mut out, form, true).expect("memory");
        let back = Options { stamps: Some(form), ..Options::default() };
        let (again, _) = convert(&out, &back);
        prop_assert_eq!(done.left_out, 0);
        prop_assert_eq!(lines(&again), lines(&replay));
        prop_assert_eq!(again.header(), replay.header());
        prop_assert_eq!(again.log().end().map(|end| &end.result), replay.log().end().map(|end| &end.result));
    }
}

//! The file format, version by version: what lies in `v1/` must be read by every later version as it is read here.

use grandstand_protocol::{Command, Game, MatchHeader, MatchResult, Micros, Software};
use grandstand_replays::{
    DamageReason, Header, Limits, OpenError, Replay, ScanError, Writer, ZstError, scan, zst,
};

const EVERYTHING: &[u8] = include_bytes!("../v1/everything.replay");

fn open(file: &[u8]) -> Replay {
    Replay::open(file, Limits::default()).expect("a replay")
}

fn lines(replay: &Replay) -> Vec<(String, String)> {
    let log = replay.log();
    let line = |seq| String::from_utf8_lossy(log.line(seq).expect("there")).into_owned();
    (1..=log.last_seq()).map(|seq| (log.time_of(seq).to_string(), line(seq))).collect()
}

fn strs(lines: &[(String, String)]) -> Vec<(&str, &str)> {
    lines.iter().map(|(t, line)| (&**t, &**line)).collect()
}

#[test]
fn everything_that_version_1_has_is_read() {
    let replay = open(EVERYTHING);
    assert_eq!((replay.damage(), replay.skipped()), (None, 0));
    let header = replay.header();
    assert_eq!((header.game, &*header.about.title), (Game::Abalone, "Every kind of line"));
    assert_eq!((header.about.seed, header.about.programs.len()), (Some(7), 1));
    assert_eq!(header.extra["venue"]["room"], 3);
    let all = lines(&replay);
    let expected = [
        ("0", "turns 0"),
        ("0.25", "set C~1 b0"),
        ("0.25", "set G1 w0"),
        ("0.250001", "set G1 w4"),
        ("1.250001", "bsay he said \"push\" \\ and ünïcödé"),
        ("1.300001", "wscore 1"),
        ("1.300001", "turns 1"),
        ("1.600001", "#gs marker {\"label\":\"first blood\"}"),
        ("1.600001", "#gs marker {\"label\":\"pushed off\",\"kind\":\"score\",\"team\":\"white\"}"),
        (
            "1.700001",
            "#gs overlay {\"team\":\"black\",\"by\":\"3\",\"marks\":[{\"mark\":\"arrow\",\"from\":\"C-1\",\"to\":\"D0\"}]}",
        ),
        ("1.700001", "jump B2"),
        ("1.700001", "set \u{fffd} w0"),
        ("4.200001", "set G1 e"),
        ("4.201", "turns 2"),
    ];
    assert_eq!(strs(&all), expected);
    assert_eq!(replay.log().line(12), Some(&b"set \xff w0"[..]));
    let end = replay.log().end().expect("it ended");
    assert_eq!(end.t.to_string(), "4.301");
    let result = replay.result().expect("a result");
    assert_eq!((result.winner.as_deref(), &*result.termination), (Some("black"), "winning-score"));
    assert_eq!(result.detail["cycles"], 4000);
}

#[test]
fn what_is_read_is_written_byte_for_byte() {
    let replay = open(EVERYTHING);
    let mut writer = Writer::new(Vec::new(), replay.header()).expect("memory");
    let log = replay.log();
    for seq in 1..=log.last_seq() {
        writer.command(log.time_of(seq), &log.command(seq).expect("there")).expect("memory");
    }
    let end = log.end().expect("it ended");
    writer.result(end.t, end.result.as_ref().expect("a result")).expect("memory");
    let written = String::from_utf8(writer.into_inner()).expect("UTF-8");
    assert_eq!(written, String::from_utf8_lossy(EVERYTHING));
}

#[test]
fn other_writers_json_is_read_too() {
    // Blanks, CR LF, blank lines, exponents, escapes, more than six places, unknown codes, no last line feed.
    let replay = open(include_bytes!("../v1/lenient.replay"));
    assert_eq!((replay.damage(), replay.skipped()), (None, 2));
    let all = lines(&replay);
    let expected =
        [("0.5", "set B2 e"), ("1", "turns 1"), ("1.123457", "turns 2"), ("2.123457", "no such command")];
    assert_eq!(strs(&all), expected);
    assert!(
        replay.result().is_some_and(|result| result.winner.is_none() && &*result.termination == "length")
    );
}

#[test]
fn compressed_files_are_the_same_files() {
    for file in [
        &include_bytes!("../v1/everything.replay.zst")[..],
        &include_bytes!("../v1/level19-two-frames.replay.zst")[..],
    ] {
        let replay = open(file);
        assert_eq!((replay.damage(), lines(&replay)), (None, lines(&open(EVERYTHING))));
        assert_eq!(replay.result(), open(EVERYTHING).result());
    }
    let runs = open(include_bytes!("../v1/runs.replay.zst"));
    assert_eq!(runs.log().line(1).map(<[u8]>::len), Some(3000));
    let mut again = Vec::new();
    zst::compress(EVERYTHING, &mut again).expect("memory");
    assert_eq!(lines(&open(&again)), lines(&open(EVERYTHING)));
    assert!(again.len() < EVERYTHING.len());
}

#[test]
fn intervals_do_not_drift() {
    let mut writer =
        Writer::new(Vec::new(), &Header::new(Game::Abalone, MatchHeader::default())).expect("memory");
    let command = Command::parse(Game::Abalone, b"turns 1");
    let time = |n: u64| Micros(n * 1_000_000 / 3);
    for n in 1..=30_000 {
        writer.command(time(n), &command).expect("memory");
    }
    let replay = open(&writer.into_inner());
    for n in 1..=30_000 {
        assert_eq!(replay.log().time_of(n), time(n));
    }
}

#[test]
fn a_time_before_the_last_one_counts_as_the_last_one() {
    let mut writer =
        Writer::new(Vec::new(), &Header::new(Game::Abalone, MatchHeader::default())).expect("memory");
    let command = Command::parse(Game::Abalone, b"turns 1");
    for t in [5, 3, 7] {
        writer.command(Micros(t), &command).expect("memory");
    }
    writer.result(Micros(1), &MatchResult::default()).expect("memory");
    let replay = open(&writer.into_inner());
    let times: Vec<u64> = (1..=3).map(|seq| replay.log().time_of(seq).0).collect();
    assert_eq!((times, replay.log().end().map(|end| end.t)), (vec![5, 5, 7], Some(Micros(7))));
}

#[test]
fn what_is_no_replay_is_refused_with_its_reason() {
    let message = |file: &[u8]| Replay::open(file, Limits::default()).expect_err("no replay").to_string();
    assert_eq!(Replay::open(b"", Limits::default()).expect_err("empty"), OpenError::Empty);
    assert_eq!(message(b"\n\r\n \n"), "the file is empty");
    assert_eq!(message(b"{\"grandst"), "the file ends in the middle of its first line, after 9 bytes");
    assert_eq!(
        message(b"set B2 e\nturns 1\n"),
        "this is not a replay: expected value at line 1 column 1 (it begins with `set B2 e`)"
    );
    for binary in [&b"\x89PNG\r\n\x1a\n\0\0"[..], b"\x7fELF\x02\x01\0\n", b"\xff\xfe\n"] {
        assert_eq!(message(binary), "this is not a replay: it is not text");
    }
    assert_eq!(
        message(b"{\"version\":2}"),
        "this is not a replay: the first line has no member `grandstand` (it begins with `{\"version\":2}`)"
    );
    assert_eq!(
        message(b"[1]\n"),
        "this is not a replay: the first line is not a JSON object (it begins with `[1]`)"
    );
    assert_eq!(
        message(b"{\"grandstand\":2,\"game\":5}\n"),
        "this replay is of version 2 of the format, and version 1 is the newest known here: a newer Grandstand can \
         open it"
    );
    assert_eq!(
        message(b"{\"grandstand\":\"one\"}\n"),
        "this is not a replay: \"one\" is not a version of the format (it begins with `{\"grandstand\":\"one\"}`)"
    );
    assert_eq!(
        message(b"{\"grandstand\":1}\n"),
        "the replay's first line can't be read: its member `game` is missing or not a string"
    );
    assert_eq!(
        message(b"{\"grandstand\":1,\"game\":\"chess\"}\n"),
        "the replay's first line can't be read: `chess` is not a game: expected abalone, shark, fortress, gomoku, pente, riskless or grid"
    );
    assert_eq!(
        message(b"{\"grandstand\":1,\"game\":\"grid\",\"teams\":3}\n"),
        "the replay's first line can't be read: invalid type: integer `3`, expected a sequence"
    );
    assert!(
        matches!(message(b"\x28\xb5\x2f\xfd\x00"), m if m.contains("ends in the middle of the compressed data"))
    );
    assert!(matches!(
        scan(&b"GIF89a"[..], Limits::default()),
        Err(ScanError::Open(OpenError::NotAReplay { .. }))
    ));
}

#[test]
fn damage_has_its_place_and_what_comes_before_is_good() {
    for (line, reason) in [
        ("[1,\"c\",\"turns 2\"", "not an array of JSON: EOF while parsing a list at column 16"),
        ("garbage", "not an array of JSON: expected value at column 1"),
        ("{}", "not an array of JSON: invalid type: map, expected a sequence"),
        ("[1]", "expected [interval, code, data], found [1]"),
        ("[1,\"c\"]", "expected [interval, code, data], found 2 values"),
        ("[1,\"c\",\"a\",2]", "expected [interval, code, data], found 4 values"),
        ("[\"1\",\"c\",\"a\"]", "the interval is not a number: \"1\""),
        ("[-1,\"c\",\"a\"]", "the interval -1 is out of range"),
        ("[1e99,\"c\",\"a\"]", "the interval 1e99 is out of range"),
        ("[1,3,\"a\"]", "the code is not a string: 3"),
        ("[1,\"c\",3]", "code c: not a string: invalid type: integer `3`, expected a string at column 1"),
        ("[1,\"c\",\"a\\nb\"]", "code c: a line feed inside the text of one line"),
        ("[1,\"m\",{}]", "code m: expected the marker's JSON object (missing field `label`)"),
        (
            "[1,\"r\",[]]",
            "code r: not the result of a match: invalid type: sequence, expected struct MatchResult",
        ),
        ("[1,\"x\",{\"base64\":\"?\"}]", "code x: not base64: invalid length at 0"),
        (
            "[1,\"c\",\"\u{1}\"]",
            "not an array of JSON: control character (\\u0000-\\u001F) found while parsing a string",
        ),
    ] {
        let head = "{\"grandstand\":1,\"game\":\"abalone\"}\n[1,\"c\",\"turns 1\"]\n";
        let file = format!("{head}{line}\n[1,\"c\",\"turns 3\"]\n");
        let replay = open(file.as_bytes());
        let damage = replay.damage().expect(line);
        assert_eq!((damage.line, damage.byte), (3, head.len() as u64), "{line}");
        assert!(damage.reason.to_string().starts_with(reason), "{line}: {}", damage.reason);
        assert_eq!(replay.log().last_seq(), 1, "{line}");
        let found = scan(file.as_bytes(), Limits::default()).expect("a replay");
        assert_eq!((found.commands, found.good_bytes), (1, head.len() as u64), "{line}");
    }
}

#[test]
fn a_file_cut_anywhere_opens_up_to_the_cut() {
    let whole = lines(&open(EVERYTHING));
    let starts: Vec<usize> =
        EVERYTHING.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    for cut in starts[0]..EVERYTHING.len() {
        let replay = open(&EVERYTHING[..cut]);
        // A line that lacks only its line feed is whole.
        let there = starts.iter().filter(|&&start| start <= cut + 1).count() - 1;
        let line_start = *starts.iter().rfind(|&&start| start <= cut).expect("the header is whole");
        assert_eq!(lines(&replay), whole[..there.min(whole.len())], "cut at {cut}");
        match replay.damage() {
            None => assert!(cut == line_start || EVERYTHING[cut] == b'\n', "cut at {cut}"),
            Some(damage) => {
                assert_eq!(damage.reason, DamageReason::Cut, "cut at {cut}");
                assert_eq!((damage.byte, damage.line), (line_start as u64, there as u64 + 2), "cut at {cut}");
            }
        }
    }
}

#[test]
fn a_compressed_file_cut_anywhere_opens_up_to_the_cut() {
    let mut text = EVERYTHING.to_vec();
    for n in 0..30_000 {
        text.extend_from_slice(format!("[0.{n:05},\"c\",\"turns {n}\"]\n").as_bytes());
    }
    let mut file = Vec::new();
    zst::compress(&text[..], &mut file).expect("memory");
    let whole = lines(&open(&file));
    let mut longest = 0;
    for cut in (0..file.len()).step_by(9_973).chain(file.len() - 8..file.len()) {
        match Replay::open(&file[..cut], Limits::default()) {
            Err(error) => assert!(cut < 128 << 10, "cut at {cut}: {error}"),
            Ok(replay) => {
                let there = lines(&replay);
                assert!(whole.starts_with(&there), "cut at {cut}");
                assert!(there.len() >= longest);
                longest = there.len();
                let damage = replay.damage().expect("it was cut");
                assert_eq!(damage.reason, DamageReason::Zst(ZstError::Cut(cut as u64)));
            }
        }
    }
    assert!(longest > 20_000, "{longest}");
}

#[test]
fn limits_are_kept_and_named() {
    let limits = Limits { line_bytes: 100, text_bytes: 500, window_bytes: 1 << 20 };
    let header = "{\"grandstand\":1,\"game\":\"abalone\"}\n";
    let open = |file: &[u8]| Replay::open(file, limits).expect("a replay");
    let long = format!("{header}[1,\"c\",\"turns 1\"]\n[1,\"x\",\"{}", "y".repeat(200));
    let damage = open(long.as_bytes()).damage().expect("too long").to_string();
    assert_eq!(damage, "line 3, which begins at byte 52: the line is longer than 100 bytes");
    let many = format!("{header}{}", "[1,\"c\",\"turns 1\"]\n".repeat(100));
    let replay = open(many.as_bytes());
    assert_eq!(replay.log().last_seq(), (500 - header.len() as u64) / 18);
    let damage = replay.damage().expect("too long").to_string();
    assert!(damage.ends_with("the file is longer than 500 bytes (the limit for one replay, decompressed)"));
    let message = Replay::open(&[b'{'; 200], limits).expect_err("no header").to_string();
    assert_eq!(message, "the replay's first line can't be read: it does not end within the first 100 bytes");
}

#[test]
fn a_zip_bomb_is_given_up_at_the_limit() {
    // Blocks of four bytes that each repeat one byte 128 KiB times: 2 GiB from 64 KiB.
    let mut bomb = b"\x28\xb5\x2f\xfd\x00\x58".to_vec();
    for _ in 0..16_384 {
        bomb.extend_from_slice(&[2, 0, 16, b'\n']);
    }
    let limits = Limits { text_bytes: 1 << 20, ..Limits::default() };
    let message =
        Replay::open(&bomb, Limits { line_bytes: 1 << 20, ..limits }).expect_err("no header").to_string();
    assert_eq!(
        message,
        "the replay's first line can't be read: it does not end within the first 1048576 bytes"
    );
    let mut text = b"{\"grandstand\":1,\"game\":\"abalone\"}\n".to_vec();
    let mut raw = ((text.len() << 3) as u32).to_le_bytes()[..3].to_vec();
    raw.append(&mut text);
    bomb.splice(6..6, raw);
    let replay = Replay::open(&bomb, limits).expect("the header is good");
    let damage = replay.damage().expect("too long");
    assert_eq!(damage.reason, DamageReason::TooLong(1 << 20));
    // A window of 1 GiB.
    let greedy = b"\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00";
    assert_eq!(
        Replay::open(greedy, Limits::default()).expect_err("too greedy"),
        OpenError::Zst(ZstError::Window { wanted: 1 << 30, limit: 32 << 20 })
    );
}

#[test]
fn a_damaged_compressed_file_says_so() {
    let mut text = EVERYTHING.to_vec();
    text.extend((0..9_000).flat_map(|n| format!("[0.1,\"c\",\"turns {n}\"]\n").into_bytes()));
    let mut file = Vec::new();
    zst::compress(&text[..], &mut file).expect("memory");
    let last = file.len() - 1;
    file[last] ^= 1;
    let damage = open(&file).damage().expect("a wrong checksum").to_string();
    assert!(damage.contains("checksum"), "{damage}");
    file[last] ^= 1;
    file.extend_from_slice(b"and more");
    let damage = open(&file).damage().expect("trailing bytes").to_string();
    assert!(damage.contains("no zstd frame begins here"), "{damage}");
}

#[test]
fn a_recording_goes_on_after_a_crash() {
    let cut = &EVERYTHING[..EVERYTHING.len() - 100];
    let found = scan(cut, Limits::default()).expect("a replay");
    assert_eq!(found.damage.as_ref().map(|damage| &damage.reason), Some(&DamageReason::Cut));
    let good = cut[..found.good_bytes as usize].to_vec();
    let mut writer = Writer::resume(good, &found).expect("memory");
    assert_eq!(writer.seq(), found.commands);
    let t = Micros(found.end.0 + 500_000);
    writer.command(t, &Command::parse(Game::Abalone, b"turns 77")).expect("memory");
    let replay = open(&writer.into_inner());
    assert_eq!(replay.damage(), None);
    assert_eq!(replay.log().last_seq(), found.commands + 1);
    assert_eq!(replay.log().time_of(found.commands + 1), t);
}

/// Takes so many bytes and then fails.
struct Full(Vec<u8>, usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = bytes.len().min(self.1 - self.0.len());
        self.0.extend_from_slice(&bytes[..room]);
        if room == 0 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(room) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_written_after_half_a_line() {
    let header = Header::new(Game::Abalone, MatchHeader::default());
    let mut writer = Writer::new(Full(Vec::new(), 100), &header).expect("there is room for the header");
    let command = Command::parse(Game::Abalone, b"turns 1");
    let failed = (1..20).find(|&n| writer.command(Micros(n), &command).is_err()).expect("it is full");
    writer.get_mut().1 = 1000;
    assert!(
        writer.command(Micros(99), &command).is_err(),
        "there is room again, but half a line stands there"
    );
    let file = writer.into_inner().0;
    let found = scan(&file[..], Limits::default()).expect("a replay");
    assert_eq!((file.len(), found.commands), (100, failed - 1));
}

#[test]
fn compressing_fails_with_the_error_of_what_it_writes_to() {
    let error = zst::compress(EVERYTHING, Full(Vec::new(), 10)).expect_err("it is full");
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn what_drew_a_match_may_be_missing_or_of_another_form() {
    let by = |json: &str| {
        let line = format!("{{\"grandstand\":1,\"game\":\"pente\",\"title\":\"\",\"teams\":[]{json}}}");
        let header = Header::parse(line.as_bytes()).expect("a header");
        let mut written = Vec::new();
        header.write_line(&mut written);
        (header.about.by, String::from_utf8(written).expect("text") == line + "\n")
    };
    let known = Software { grandstand: "0.1.0".into(), rules: 3, language: None };
    assert_eq!(by(r#","by":{"grandstand":"0.1.0","rules":3}"#), (Some(known.clone()), true));
    assert_eq!(by(""), (None, true));
    assert_eq!(by(r#","by":"somebody else""#).0, None);
    assert_eq!(by(r#","by":{"rules":"many"}"#).0, None);
    let newer = Software { grandstand: "0.2.0".into(), ..known.clone() };
    assert_eq!(known.changed(&newer), None, "another version that draws the same");
    let told = known.changed(&Software { language: Some(2), ..newer }).expect("another language");
    assert_eq!(
        told,
        "it was drawn by Grandstand 0.1.0 with version 3 of the rules, and this is Grandstand 0.2.0 with version 3 of the rules \
         and 2 of the language: what is drawn now may differ"
    );
}

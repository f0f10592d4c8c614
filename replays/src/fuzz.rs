//! Bodies of the fuzz targets. Each takes any bytes and panics when an invariant does not hold.

use grandstand_protocol::{Command, Micros};

use crate::rawlog::{self, Stamps, export, import};
use crate::{Cursor, Limits, Loader, Log, OpenError, Replay, Writer, line, scan, zst};

/// Limits small enough for a hostile file to be processed quickly.
const LIMITS: Limits = Limits { line_bytes: 64 << 10, text_bytes: 4 << 20, window_bytes: 1 << 20 };

/// Any bytes as a replay, with and without a header before them. However the bytes are cut, the replay is the same; what was
/// read is written and read the same; and the scenes on the way are those of playing from the start.
pub fn replay(data: &[u8]) {
    // Most inputs are no replay; `check_file` checks that case.
    check_file(data).ok();
    let mut file = b"{\"grandstand\":1,\"game\":\"abalone\"}\n".to_vec();
    file.extend_from_slice(data);
    let replay = check_file(&file).expect("the header is good");
    check_writing(&replay);
    check_scenes(replay.log());
    for text in data.split(|&byte| byte == b'\n') {
        if let Some((interval, text_of_line)) = line::parse_plain(text) {
            let any = line::parse_any(replay.log().game(), text).expect("a plain line is a line");
            assert_eq!(any, (interval, line::Data::Command(text_of_line.into())));
        }
    }
}

/// Any bytes as a compressed file, and as input to compression. Nothing panics or takes unbounded memory; the cutting makes no
/// difference; and decompression restores what was compressed, or at least its beginning if the file is cut.
pub fn zst(data: &[u8]) {
    let whole = decompress(data, usize::MAX);
    assert_eq!(decompress(data, 7), whole, "the pieces make a difference");
    check_file(data).ok();
    let mut file = Vec::new();
    zst::compress(data, &mut file).expect("memory does not fail");
    assert_eq!(decompress(&file, usize::MAX), (data.to_vec(), true));
    let cut = data.first().map_or(0, |&byte| usize::from(byte) % file.len());
    let (start, good) = decompress(&file[..cut], usize::MAX);
    assert!(data.starts_with(&start) && (!good || cut == 0), "a cut file is not whole");
}

/// Any bytes as a raw log: it becomes a replay, which becomes a log, which becomes the same replay.
pub fn rawlog(data: &[u8]) {
    let Some((file, done)) = convert(data, &rawlog::Options::default()) else { return };
    let replay = Replay::open(&file, Limits::default()).expect("what was written can be opened");
    assert_eq!((replay.damage(), replay.log().last_seq()), (None, done.commands));
    let mut text = Vec::new();
    export(&replay, &mut text, Stamps::Seconds, true).expect("memory does not fail");
    let options = rawlog::Options { stamps: Some(Stamps::Seconds), ..rawlog::Options::default() };
    let (again, _) = convert(&text, &options).expect("there are lines in it");
    let again = Replay::open(&again, Limits::default()).expect("what was written can be opened");
    assert_eq!(entries(again.log()), entries(replay.log()));
    assert_eq!(again.header(), replay.header());
    assert_eq!(again.result(), replay.result());
}

fn check_file(file: &[u8]) -> Result<Replay, OpenError> {
    let whole = load(file, usize::MAX);
    let pieces = load(file, 5);
    match (&whole, &pieces) {
        (Ok(whole), Ok(pieces)) => {
            assert_eq!((whole.header(), whole.damage()), (pieces.header(), pieces.damage()));
            assert_eq!(entries(whole.log()), entries(pieces.log()));
        }
        (whole, pieces) => assert_eq!(whole.as_ref().err(), pieces.as_ref().err()),
    }
    match (scan(file, LIMITS), &whole) {
        (Ok(scan), Ok(whole)) => {
            assert_eq!((&scan.header, scan.commands), (whole.header(), whole.log().last_seq()));
            assert_eq!((scan.damage.as_ref(), scan.skipped), (whole.damage(), whole.skipped()));
            if !zst::is_compressed(file) {
                check_resuming(file, &scan, whole);
            }
        }
        (scan, whole) => assert!(scan.is_err() && whole.is_err()),
    }
    whole
}

/// Checks that resuming after the last whole line loses nothing.
fn check_resuming(file: &[u8], scan: &crate::Scan, whole: &Replay) {
    let good = file[..scan.good_bytes as usize].to_vec();
    let mut writer = Writer::resume(good, scan).expect("memory does not fail");
    let t = Micros((scan.end.0 + 7).min(Micros::MAX.0));
    writer.command(t, &Command::parse(whole.log().game(), b"turns 9")).expect("memory does not fail");
    let resumed = load(&writer.into_inner(), usize::MAX).expect("the file is still a replay");
    let mut expected = entries(whole.log());
    expected.push((t, b"turns 9".to_vec()));
    if resumed.damage().is_none() {
        assert_eq!(entries(resumed.log()), expected);
    } else {
        // Only the limits may prevent it.
        assert!(file.len() as u64 + 64 > LIMITS.text_bytes);
    }
}

fn check_writing(replay: &Replay) {
    let mut writer = Writer::new(Vec::new(), replay.header()).expect("memory does not fail");
    let log = replay.log();
    for seq in 1..=log.last_seq() {
        let command = log.command(seq).expect("it is there");
        writer.command(log.time_of(seq), &command).expect("memory does not fail");
    }
    let again =
        Replay::open(&writer.into_inner(), Limits::default()).expect("what was written can be opened");
    assert_eq!((again.header(), again.damage()), (replay.header(), None));
    let commands = |log: &Log| (1..=log.last_seq()).map(|seq| log.command(seq)).collect::<Vec<_>>();
    assert_eq!(commands(again.log()), commands(log));
    assert_eq!(times(again.log()), times(log));
}

fn check_scenes(log: &Log) {
    let mut cursor = Cursor::new(log);
    let step = log.last_seq() / 16 + 1;
    for seq in (0..=log.last_seq()).step_by(step as usize) {
        cursor.move_to(log, seq);
        assert_eq!(cursor.scene(), &log.scene_at(seq));
    }
}

fn load(file: &[u8], piece: usize) -> Result<Replay, OpenError> {
    let mut loader = Loader::new(LIMITS);
    for piece in file.chunks(piece.min(file.len().max(1))) {
        loader.push(piece)?;
    }
    loader.finish()
}

fn times(log: &Log) -> Vec<Micros> {
    (1..=log.last_seq()).map(|seq| log.time_of(seq)).collect()
}

fn entries(log: &Log) -> Vec<(Micros, Vec<u8>)> {
    (1..=log.last_seq()).map(|seq| (log.time_of(seq), log.line(seq).unwrap_or_default().to_vec())).collect()
}

fn decompress(file: &[u8], piece: usize) -> (Vec<u8>, bool) {
    let mut decoder = zst::Decoder::new(LIMITS.window_bytes);
    let mut text = Vec::new();
    let mut pieces = file.chunks(piece.min(file.len().max(1)));
    loop {
        match decoder.next() {
            Ok(Some(more)) => text.extend_from_slice(&more),
            Ok(None) => match pieces.next() {
                Some(piece) => decoder.push(piece),
                None => {
                    decoder.finish();
                    // Another call: the decoder was waiting for more bytes, and now treats the input as ended.
                    match decoder.next() {
                        Ok(Some(more)) => text.extend_from_slice(&more),
                        Ok(None) => return (text, true),
                        Err(_) => return (text, false),
                    }
                }
            },
            Err(_) => return (text, false),
        }
        if text.len() as u64 > LIMITS.text_bytes {
            return (text, false);
        }
    }
}

fn convert(log: &[u8], options: &rawlog::Options) -> Option<(Vec<u8>, rawlog::Import)> {
    let mut file = Vec::new();
    let done = import(log, &mut file, options).ok()?;
    Some((file, done))
}

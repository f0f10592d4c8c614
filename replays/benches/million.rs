//! A replay of 1,000,000 commands: `cargo bench -p grandstand-replays`. It prints the time from opening the file to the
//! first picture and to the whole, the time of a seek to anywhere, and the memory of the whole process at its largest.
//! Each file is opened by a process of its own.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::Command as Process;
use std::time::{Duration, Instant};

use grandstand_protocol::{Command, Game, MatchHeader, Micros};
use grandstand_replays::{Cursor, Header, Limits, Loader, Playback, Speed, Writer, zst};
use grandstand_testing::Random;

const COMMANDS: u64 = 1_000_000;
const SEEKS: usize = 20_000;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--open") {
        return measure(Path::new(&args[at + 1]));
    }
    let directory = std::env::temp_dir().join(format!("grandstand-bench-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let plain = directory.join("million.replay");
    let compressed = directory.join("million.replay.zst");
    let began = Instant::now();
    record(&plain)?;
    let written = began.elapsed();
    let began = Instant::now();
    zst::compress(File::open(&plain)?, File::create(&compressed)?)?;
    let mut out = io::stdout();
    writeln!(
        out,
        "written in {written:.0?}, {} bytes; compressed in {:.0?}, {} bytes",
        fs::metadata(&plain)?.len(),
        began.elapsed(),
        fs::metadata(&compressed)?.len()
    )?;
    for file in [&plain, &compressed] {
        out.flush()?;
        let status = Process::new(std::env::current_exe()?).arg("--open").arg(file).status()?;
        assert!(status.success(), "{status}");
    }
    fs::remove_dir_all(directory)
}

/// A long match: turns of a dozen commands, mostly pieces, some talk, a score now and then.
fn record(path: &Path) -> io::Result<()> {
    let mut random = Random(2008);
    let header = Header::new(Game::Abalone, MatchHeader::default());
    let mut writer = Writer::new(BufWriter::new(File::create(path)?), &header)?;
    let mut t = 0;
    for seq in 0..COMMANDS {
        let line = match seq % 12 {
            11 => format!("turns {}", seq / 12),
            5 if random.below(4) == 0 => format!("bsay bot {} says {}", random.below(14), random.next()),
            7 if random.below(20) == 0 => format!("wscore {}", random.below(6)),
            _ => {
                let piece = ["e", "b0", "b1", "b2", "b3", "w3", "w4", "w5"][random.below(8)];
                let diagonal = random.below(5) as i64 - 2;
                format!("set {}{diagonal} {piece}", ["C", "D", "E", "F", "G"][random.below(5)])
            }
        };
        t += if seq % 12 == 0 {
            250_000 + random.next() % 100_000
        } else {
            (random.next() % 2) * (random.next() % 4_000)
        };
        writer.command(Micros(t), &Command::parse(Game::Abalone, line.as_bytes()))?;
    }
    writer.flush()
}

fn measure(path: &Path) -> io::Result<()> {
    let began = Instant::now();
    let mut file = File::open(path)?;
    let mut loader = Loader::new(Limits::default());
    let mut chunk = vec![0; 64 << 10];
    let mut first = None;
    loop {
        let length = file.read(&mut chunk)?;
        if length == 0 {
            break;
        }
        loader.push(&chunk[..length]).map_err(io::Error::other)?;
        if first.is_none()
            && let Some(replay) = loader.replay().filter(|replay| replay.log().last_seq() > 0)
        {
            let scene = replay.log().scene_at(replay.log().last_seq().min(100));
            first = Some((began.elapsed(), std::hint::black_box(scene)));
        }
    }
    let replay = loader.finish().map_err(io::Error::other)?;
    let whole = began.elapsed();
    let log = replay.log();
    assert_eq!(log.last_seq(), COMMANDS);

    let mut random = Random(1);
    let mut cursor = Cursor::new(log);
    let mut times: Vec<Duration> = Vec::with_capacity(SEEKS);
    for _ in 0..SEEKS {
        let t = Micros(random.next() % log.duration().0);
        let began = Instant::now();
        cursor.move_to(log, log.seq_at(t));
        times.push(began.elapsed());
        std::hint::black_box(cursor.scene());
    }
    times.sort_unstable();
    let at = |share: f64| times[(share * (SEEKS - 1) as f64) as usize];

    // Sixty frames a second at the highest speed, through the whole match.
    let mut playback = Playback::new(log);
    playback.play(log);
    playback.set_speed(Speed::X64);
    playback.set_idle_max(Some(Micros(2_000_000)));
    let (began, mut frames) = (Instant::now(), 0_u32);
    while !playback.at_end(log) {
        playback.advance(log, Duration::from_micros(16_667));
        cursor.move_to(log, playback.seq());
        frames += 1;
    }
    let frame = began.elapsed() / frames;

    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map_or("?", str::trim);
    writeln!(
        io::stdout(),
        "{}: first picture {:.2?}, whole {whole:.0?}, seek p50 {:.1?} p99 {:.1?} max {:.1?}, \
         a frame at 64× {frame:.1?}, memory {memory}",
        path.file_name().unwrap_or_default().display(),
        first.map_or(whole, |(first, _)| first),
        at(0.5),
        at(0.99),
        at(1.0),
    )
}

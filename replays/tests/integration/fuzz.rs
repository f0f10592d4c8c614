//! The fuzz bodies on stable Rust: seeded, always the same inputs. The real fuzzer runs the same functions, see `/fuzz`.

use grandstand_replays::fuzz;
use grandstand_testing::Random;

/// An example with a few bytes spoilt, moved, put in or taken out, or with its lines shuffled.
fn mutate(random: &mut Random, examples: &[&[u8]]) -> Vec<u8> {
    const TELLING: &[u8] = b"\n\r\0\xff\"\\[]{},.:-0189ceE +xcmor";
    let mut data = examples[random.below(examples.len())].to_vec();
    if random.below(3) == 0 {
        let mut lines: Vec<&[u8]> = data.split_inclusive(|&byte| byte == b'\n').collect();
        for _ in 0..random.below(8) {
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(a, b);
        }
        data = lines.concat();
    }
    for _ in 0..random.below(6) {
        if data.is_empty() {
            break;
        }
        let at = random.below(data.len());
        match random.below(6) {
            0 => data[at] = random.next() as u8,
            1 => data[at] ^= 1 << random.below(8),
            2 => data.insert(at, TELLING[random.below(TELLING.len())]),
            3 => drop(data.remove(at)),
            4 => data.truncate(at + 1),
            _ => data[at] = TELLING[random.below(TELLING.len())],
        }
    }
    data
}

fn drive(times: usize, examples: &[&[u8]], body: fn(&[u8])) {
    let mut random = Random(3126);
    body(b"");
    for example in examples {
        body(example);
    }
    for _ in 0..times {
        body(&mutate(&mut random, examples));
    }
}

#[test]
fn replay() {
    let examples: [&[u8]; 3] = [
        include_bytes!("../v1/everything.replay"),
        include_bytes!("../v1/lenient.replay"),
        include_bytes!("../v1/grid.replay"),
    ];
    drive(4_000, &examples, fuzz::replay);
}

#[test]
fn zst() {
    let examples: [&[u8]; 4] = [
        include_bytes!("../v1/everything.replay.zst"),
        include_bytes!("../v1/level19-two-frames.replay.zst"),
        include_bytes!("../v1/runs.replay.zst"),
        include_bytes!("../v1/everything.replay"),
    ];
    drive(6_000, &examples, fuzz::zst);
}

#[test]
fn rawlog() {
    let examples: [&[u8]; 4] = [
        include_bytes!("../rawlog/plain.log"),
        include_bytes!("../rawlog/seconds.log"),
        include_bytes!("../rawlog/clock.log"),
        include_bytes!("../rawlog/rfc3339.log"),
    ];
    drive(6_000, &examples, fuzz::rawlog);
}

//! The fuzz bodies on stable Rust: seeded, always the same inputs. The real fuzzer runs the same functions, see `/fuzz`.

use grandstand_rules::{SplitMix64, fortress, fuzz, riskless, shark};

/// Replaces some of the bytes, and sometimes removes or repeats a piece.
fn spoil(random: &mut SplitMix64, bytes: &[u8], letters: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len() as u64) as usize;
        let to = (at + 1 + random.below(60) as usize).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => bytes.extend_from_within(at..to),
            _ => bytes[at] = random.choose(letters).unwrap_or(b'l'),
        }
        if bytes.is_empty() {
            bytes.push(b'l');
        }
    }
    bytes
}

#[test]
fn fortress_map() {
    let mut random = SplitMix64::new(2010);
    fuzz::fortress_map(b"");
    for round in 0..2_000 {
        let (_, text) = fortress::maps::SHIPPED[round % fortress::maps::SHIPPED.len()];
        fuzz::fortress_map(&spoil(&mut random, text.as_bytes(), b"lrh0123456789\r\nx\xff"));
    }
}

#[test]
fn fortress_play() {
    let mut random = SplitMix64::new(3110);
    fuzz::fortress_play(b"");
    for _ in 0..100 {
        let bytes: Vec<u8> = (0..2_000).map(|_| random.next_u64() as u8).collect();
        fuzz::fortress_play(&bytes);
    }
}

#[test]
fn shark_map() {
    let mut random = SplitMix64::new(2004);
    fuzz::shark_map(b"");
    for round in 0..2_000 {
        let (_, text) = shark::maps::SHIPPED[round % shark::maps::SHIPPED.len()];
        fuzz::shark_map(&spoil(&mut random, text.as_bytes(), b".*rbRBi\r\nx\xff"));
    }
}

#[test]
fn shark_play() {
    let mut random = SplitMix64::new(312);
    fuzz::shark_play(b"");
    for _ in 0..100 {
        let bytes: Vec<u8> = (0..2_000).map(|_| random.next_u64() as u8).collect();
        fuzz::shark_play(&bytes);
    }
}

#[test]
fn riskless_map() {
    let mut random = SplitMix64::new(150);
    fuzz::riskless_map(b"");
    for round in 0..300 {
        let (_, text) = riskless::maps::SHIPPED[round % riskless::maps::SHIPPED.len()];
        fuzz::riskless_map(&spoil(&mut random, text.as_bytes(), b"\"[]{}=,0123456789 -#a\r\n\xff"));
    }
}

#[test]
fn riskless_play() {
    let mut random = SplitMix64::new(2013);
    fuzz::riskless_play(b"");
    for _ in 0..100 {
        let bytes: Vec<u8> = (0..1_000).map(|_| random.next_u64() as u8).collect();
        fuzz::riskless_play(&bytes);
    }
}

#[test]
fn stones_openings() {
    let mut random = SplitMix64::new(15);
    let shipped = include_bytes!("../../../../maps/gomoku/openings.txt");
    fuzz::stones_openings(b"");
    fuzz::stones_openings(shipped);
    for _ in 0..200 {
        fuzz::stones_openings(&spoil(&mut random, shipped, b"aho159 #\r\n\xff"));
    }
}

#[test]
fn stones_move() {
    let mut random = SplitMix64::new(19);
    for _ in 0..5_000 {
        let bytes: Vec<u8> =
            (0..random.below(7)).filter_map(|_| random.choose(b"ahoAz01589- \xff")).collect();
        fuzz::stones_move(&bytes);
    }
}

#[test]
fn stones_play() {
    let mut random = SplitMix64::new(312);
    fuzz::stones_play(b"");
    for _ in 0..100 {
        let bytes: Vec<u8> = (0..300).map(|_| random.next_u64() as u8).collect();
        fuzz::stones_play(&bytes);
    }
}

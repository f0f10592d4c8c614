//! The fuzz bodies on stable Rust: seeded, always the same inputs. The real fuzzer runs the same functions, see `/fuzz`.

use grandstand_protocol::{Game, fuzz};
use grandstand_testing::Random;

/// Splices, repeats, cuts and spoils pieces of the examples.
fn mutate(random: &mut Random, examples: &[&[u8]]) -> Vec<u8> {
    let mut data = Vec::new();
    for _ in 0..1 + random.below(6) {
        let example = examples[random.below(examples.len())];
        let from = if random.below(4) == 0 { random.below(example.len()) } else { 0 };
        data.extend_from_slice(&example[from..]);
        if random.below(3) > 0 {
            data.push(b'\n');
        }
    }
    for _ in 0..random.below(4) {
        let at = random.below(data.len());
        match random.below(4) {
            0 => data[at] = random.next() as u8,
            1 => data.truncate(at + 1),
            2 => data.insert(at, b"\n\r ~-\0\xff{\"[0"[random.below(11)]),
            _ => drop(data.remove(at)),
        }
        if data.is_empty() {
            data.push(b'x');
        }
    }
    data
}

fn drive(examples: &[&[u8]], body: fn(&[u8])) {
    let mut random = Random(2008);
    body(b"");
    for _ in 0..20_000 {
        body(&mutate(&mut random, examples));
    }
}

#[test]
fn lines() {
    let sources = [
        include_str!("../golden/abalone.txt"),
        include_str!("../golden/shark.txt"),
        include_str!("../golden/fortress.txt"),
        include_str!("../golden/stones.txt"),
        include_str!("../golden/riskless.txt"),
        include_str!("../golden/grid.txt"),
        include_str!("../golden/extensions.txt"),
    ];
    let lines = sources.iter().flat_map(|source| source.lines()).filter_map(|line| line.strip_prefix("> "));
    let mut examples: Vec<&[u8]> = lines.map(str::as_bytes).filter(|line| !line.is_empty()).collect();
    let games = Game::ALL.map(|game| format!("#gs game {game}"));
    examples.extend(games.iter().map(String::as_bytes).cycle().take(120));
    drive(&examples, fuzz::lines);
}

#[test]
fn requests() {
    let examples = [
        br##"#gs seat {"id":1,"team":"black","name":"Ann"}"##.as_slice(),
        br##"#gs move {"id":2,"team":"black","ply":0,"move":"h8"}"##,
        br##"#gs leave {"id":3,"team":"black"}"##,
        br##"#gs answer {"id":3,"ok":true}"##,
    ];
    drive(&examples, fuzz::requests);
}

#[test]
fn json() {
    let messages = include_str!("../golden/messages.jsonl").lines();
    let broken =
        include_str!("../golden/not-messages.txt").lines().filter_map(|line| line.strip_prefix("> "));
    let lines = [
        include_str!("../golden/abalone.txt"),
        include_str!("../golden/shark.txt"),
        include_str!("../golden/fortress.txt"),
        include_str!("../golden/stones.txt"),
        include_str!("../golden/riskless.txt"),
    ];
    let lines = lines.into_iter().flat_map(str::lines).filter_map(|line| line.strip_prefix("  json "));
    let examples: Vec<&[u8]> =
        messages.chain(broken).chain(lines).map(str::as_bytes).filter(|line| !line.is_empty()).collect();
    drive(&examples, fuzz::json);
}

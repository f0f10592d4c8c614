//! Matches in which a lot happens, as recordings and as feeds.

use std::path::PathBuf;

use grandstand_protocol::Game;

/// So many moments a match has: more than a benchmark lasts.
const MOMENTS: u32 = 2_000;

/// A lively match: what it begins with, and what happens then.
pub(crate) struct Lively {
    pub(crate) game: Game,
    pub(crate) set_up: Vec<String>,
    /// The lines of each moment.
    pub(crate) moments: Vec<Vec<String>>,
}

impl Lively {
    fn new(game: Game, set_up: &str, moment: impl Fn(u32) -> String) -> Lively {
        let lines = |text: &str| text.lines().map(str::to_owned).collect();
        Lively { game, set_up: lines(set_up), moments: (0..MOMENTS).map(|n| lines(&moment(n))).collect() }
    }

    /// As a recording with ten moments a second.
    pub(crate) fn recorded(&self) -> PathBuf {
        let mut text = format!("{{\"grandstand\":1,\"game\":\"{}\"}}\n", self.game);
        let mut put = |dt: f64, lines: &[String]| {
            for (index, line) in lines.iter().enumerate() {
                let dt = if index == 0 { dt } else { 0.0 };
                text.push_str(&format!("[{dt:.6},\"c\",\"{line}\"]\n"));
            }
        };
        put(0.0, &self.set_up);
        self.moments.iter().for_each(|lines| put(0.1, lines));
        let name = format!("grandstand-bench-{}-{}.replay", std::process::id(), self.game);
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

/// A match between shipped teams, as it was recorded.
pub(crate) fn recorded_abalone() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../replays/samples/team-team.replay"))
}

/// The same, for a feed.
pub(crate) fn abalone() -> Lively {
    let text = std::fs::read_to_string(recorded_abalone()).expect("a recording");
    let lines = text.lines().filter_map(|line| line.split_once(",\"c\",\"")?.1.strip_suffix("\"]"));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    let (set_up, rest) = lines.split_at(40);
    Lively { game: Game::Abalone, set_up: set_up.to_vec(), moments: vec![rest.to_vec()] }
}

/// Thirty robots that go round in circles and shoot.
pub(crate) fn shark() -> Lively {
    let row = "*..r..i..*...R....B...*..i..b..*";
    let map = format!("map{}\nspawn 3 3\nstand red empty", format!(" {row}").repeat(16));
    let ways = [(1, 0, "RIGHT"), (0, 1, "DOWN"), (-1, 0, "LEFT"), (0, -1, "UP")];
    let place = |bot: u32, n: u32| {
        let (mut x, mut y) = (1 + bot as i32 % 10 * 3, 1 + bot as i32 / 10 * 4);
        ways.iter().take(n as usize % 4).for_each(|(dx, dy, _)| (x, y) = (x + dx, y + dy));
        (x, y)
    };
    Lively::new(Game::Shark, &map, |n| {
        let moves = (0..30).map(|bot| {
            let ((x, y), (to_x, to_y)) = (place(bot, n), place(bot, n + 1));
            let team = ["RED", "BLUE"][bot as usize % 2];
            let way = ways[n as usize % 4].2;
            format!("erase {x} {y}\ndraw {team}_{way} {to_x} {to_y} {} {}\n", bot + 100, 1 + bot % 3)
        });
        moves.collect::<String>() + &format!("shot 2 {y} 12 {y}\ntime {n}000", y = n % 16)
    })
}

/// Ten units that go to and fro and fire.
pub(crate) fn fortress() -> Lively {
    let mut set_up = "init\n".to_owned();
    for x in -25..=25_i32 {
        for y in (-12..=12_i32).filter(|y| (x + y) % 7 > 2 || y % 5 == 0) {
            let elevation = if x % 6 == 0 { "ramp" } else { "high" };
            set_up.push_str(&format!("elevation {x} {y} {elevation}\n").replace('-', "~"));
        }
    }
    for n in 0..5 {
        set_up.push_str(&format!("point {n} {} 0 red\n", (n - 2) * 10).replace('-', "~"));
    }
    let classes = ["soldier", "pyro", "medic"];
    for id in 0..10 {
        let team = ["red", "blue"][id % 2];
        set_up.push_str(&format!("spawn {id} {team} {} {} east 1000 {}\n", id * 2, id, classes[id % 3]));
    }
    Lively::new(Game::Fortress, &set_up, |n| {
        let moves = (0..10).map(|id| {
            let x = id * 2 + (n / 2 % 3);
            format!("update {id} {x} {id} {} {}\n", ["east", "west"][n as usize / 2 % 2], 400 + n % 600)
        });
        let by = n % 10;
        let shot = format!("shot {by} rifle {} {} 9 9\nhit {by} {} 100\n", by + 4, by, (by + 1) % 10);
        let capture = format!(
            "cone {} east\ncapture 2 blue {}\ntime {}",
            (n + 3) % 10,
            5000 - n % 50 * 100,
            900_000 - n
        );
        moves.collect::<String>() + &shot + &capture
    })
}

/// A board of 19 by 19 with more than half of its points taken, where stones come and go and both players think.
pub(crate) fn stones() -> Lively {
    let point = |n: u32| format!("{}{}", (b'a' + (n % 19) as u8) as char, n / 19 % 19 + 1);
    let mut set_up =
        "board 19\nturn black\nclock black 900000 running\nclock white 900000 stopped\n".to_owned();
    for n in (0..361).filter(|n| n % 5 < 3) {
        set_up.push_str(&format!("move {} {}\n", ["black", "white"][n as usize % 2], point(n)));
    }
    Lively::new(Game::Gomoku, &set_up, |n| {
        let team = ["black", "white"][n as usize % 2];
        let at = point(n * 5 + 3);
        format!(
            "move {team} {at}\nset {at} e\nmove {team} {at}\nthought {team} {n} 9 1000 {} {}",
            point(n * 5 + 4),
            point(n * 5 + 9)
        )
    })
}

/// A map with 42 territories, all of them held, on which armies march.
pub(crate) fn riskless() -> Lively {
    let mut set_up = "map 10 900 Bench\n".to_owned();
    for n in 0..42 {
        let (x, y) = (n % 7 * 160 + n % 3 * 9, n / 7 * 190 + n % 2 * 30);
        set_up.push_str(&format!("territory {n} {} {} Territory {n}\n", x.min(1000), y.min(1000)));
    }
    for n in 0..41 {
        set_up.push_str(&format!("road {n} {}\nroad {n} {}\n", n + 1, (n + 7) % 42));
    }
    Lively::new(Game::Riskless, &set_up, |n| {
        let team = |n: u32| ["maxie", "minnie"][n as usize % 2];
        let sets = (0..42).map(|id| format!("set {id} {} {}\n", team(id + n / 42), (id + n) % 10));
        let (from, to) = (n % 41, n % 41 + 1);
        sets.collect::<String>()
            + &format!("move {} {from} {to}\nbattle {to} 5 4\nthought maxie {n} 6 900 {from}-{to}", team(n))
    })
}

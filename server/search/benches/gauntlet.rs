//! Matches of the Gomoku engine against itself: which of two settings, or versions, is stronger.
//!
//! `cargo bench -p grandstand-search --bench gauntlet -- pairs=50 millis=50 a:null_move=false`
//! plays fifty balanced openings, each with both colours, and prints the score of A with its error.
//! `sprt=ELO0,ELO1` ends it as soon as one of the two hypotheses is accepted (normalized Elo, errors of 5 %).
//! Each pair is printed when it ends, so that a gauntlet that was interrupted counts too. Other words: `nodes=N` (instead of `millis`), `rule=pente|exactly5|renju`, `size=N`, `seed=N`, `threads=N`,
//! `b:NAME=VALUE`. `factor:NAME=VALUE`, as often as needed, gives the setting to A or to B, by chance in each pair, and prints the score of the player
//! that has it: each pair tells of all of them, as many as there are. `b:exe=PATH` is this program as it was built from another version: the two talk by lines of text.
//! `b:brain=COMMAND` is another program over the Gomocup protocol, which is told `INFO WORDS` for each `b:info=WORDS`; its time and memory are
//! what these say. It gets all moves in order, so it may play Pente if it follows the captures. `show=true` prints the moves, with A's scores.
#![allow(clippy::print_stdout, reason = "prints its figures")]

mod brain;
mod factors;
mod settings;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::brain::Brain;
use crate::factors::Factor;
use grandstand_search::gomoku::{Engine, Limits, Options, Rule};
use grandstand_tournaments::sprt::{Model, SprtCounts, SprtDecision, SprtPlan};

type Move = (u16, u16);

/// What is played, and for how long.
#[derive(Clone, Copy)]
struct Setting {
    rule: Rule,
    size: u16,
    limits: Limits,
    show: bool,
}

/// One of the two.
enum Player {
    Here(Box<Engine>),
    Elsewhere { child: Child, to: ChildStdin, from: BufReader<ChildStdout> },
    Brain(Brain),
}

impl Player {
    /// The move, and the score if it is known here.
    fn choose(&mut self, moves: &[Move], setting: &Setting) -> (Move, Option<i32>) {
        match self {
            Player::Here(engine) => {
                let stop = AtomicBool::new(false);
                let best =
                    engine.think(moves, &setting.limits, &stop, &mut |_| {}).expect("a legal position");
                (best.line[0], Some(best.score))
            }
            Player::Brain(brain) => (brain.choose(moves), None),
            Player::Elsewhere { to, from, .. } => {
                let words: Vec<String> = moves.iter().map(|(x, y)| format!("{x},{y}")).collect();
                writeln!(to, "{}", words.join(" ")).and_then(|()| to.flush()).expect("it listens");
                let mut line = String::new();
                from.read_line(&mut line).expect("it answers");
                (read_move(line.trim()).expect("a move"), None)
            }
        }
    }

    fn forget(&mut self) {
        match self {
            Player::Here(engine) => engine.clear(),
            Player::Brain(brain) => brain.forget(),
            Player::Elsewhere { to, .. } => writeln!(to, "forget").expect("it listens"),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        if let Player::Elsewhere { child, .. } = self {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn read_move(text: &str) -> Option<Move> {
    let (x, y) = text.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

/// How the game stands after these moves: who has won, by a plain look at the board.
#[derive(Clone)]
struct Game {
    setting: Setting,
    stones: Vec<Option<usize>>,
    pairs: [u32; 2],
    moves: Vec<Move>,
}

impl Game {
    fn new(setting: Setting) -> Game {
        let size = usize::from(setting.size);
        Game { setting, stones: vec![None; size * size], pairs: [0; 2], moves: Vec::new() }
    }

    fn at(&self, x: i32, y: i32) -> Option<usize> {
        let size = i32::from(self.setting.size);
        if x < 0 || y < 0 || x >= size || y >= size { None } else { self.stones[(y * size + x) as usize] }
    }

    fn put(&mut self, x: i32, y: i32, stone: Option<usize>) {
        let size = i32::from(self.setting.size);
        self.stones[(y * size + x) as usize] = stone;
    }

    /// Plays; whether that wins.
    fn play(&mut self, (x, y): Move) -> bool {
        let (x, y) = (i32::from(x), i32::from(y));
        let side = self.moves.len() % 2;
        assert!(self.at(x, y).is_none(), "a move on a stone");
        self.put(x, y, Some(side));
        self.moves.push((x as u16, y as u16));
        let mut wins = false;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let run = |way: i32| {
                (1..).take_while(|k| self.at(x + way * k * dx, y + way * k * dy) == Some(side)).count()
            };
            let row = 1 + run(1) + run(-1);
            let exact = self.setting.rule == Rule::Exactly5 || self.setting.rule == Rule::Renju && side == 0;
            wins |= row == 5 || row > 5 && !exact;
        }
        if self.setting.rule == Rule::Pente {
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)] {
                let other = Some(side ^ 1);
                let stone = |k: i32| self.at(x + k * dx, y + k * dy);
                if stone(1) == other && stone(2) == other && stone(3) == Some(side) {
                    self.put(x + dx, y + dy, None);
                    self.put(x + 2 * dx, y + 2 * dy, None);
                    self.pairs[side] += 1;
                }
            }
        }
        wins || self.pairs[side] >= 5
    }
}

/// A generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A few random stones in the middle that a short search calls even.
fn opening(random: &mut Random, setting: &Setting, judge: &mut Engine) -> Vec<Move> {
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(30_000), ..Limits::default() };
    loop {
        let mut moves: Vec<Move> = Vec::new();
        let stones = 3 + random.below(4) as usize;
        while moves.len() < stones {
            let mut near = || setting.size / 2 - 3 + random.below(7) as u16;
            let mv = (near(), near());
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        let best = judge.think(&moves, &limits, &stop, &mut |_| {}).expect("a legal position");
        judge.clear();
        if best.score.abs() <= 100 {
            return moves;
        }
    }
}

/// Plays one match; 2 for a win of black, 1 for a draw.
fn contest(setting: Setting, opening: &[Move], players: [&mut Player; 2]) -> u32 {
    let mut game = Game::new(setting);
    let mut text = String::new();
    for &mv in opening {
        let _ = write!(text, " {},{}", mv.0, mv.1);
        if game.play(mv) {
            return 1;
        }
    }
    let mut result = 1;
    let points = usize::from(setting.size).pow(2);
    while game.moves.len() < points {
        let side = game.moves.len() % 2;
        let (mv, score) = players[side].choose(&game.moves, &setting);
        let _ = write!(text, " {},{}", mv.0, mv.1);
        if let Some(score) = score {
            let _ = write!(text, ":{score}");
        }
        if game.play(mv) {
            result = if side == 0 { 2 } else { 0 };
            break;
        }
    }
    if setting.show {
        println!("{result}{text}");
    }
    result
}

/// Answers lines of moves, for a gauntlet in another process.
fn serve(mut player: Player, setting: &Setting) {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        if line == "forget" {
            player.forget();
            continue;
        }
        let moves: Vec<Move> = line.split_whitespace().map(|word| read_move(word).expect("a move")).collect();
        let ((x, y), _) = player.choose(&moves, setting);
        println!("{x},{y}");
    }
}

fn main() {
    let mut setting = Setting { rule: Rule::Freestyle, size: 15, limits: Limits::default(), show: false };
    let mut options = [Options { memory_mib: 16, ..Options::default() }; 2];
    let (mut pairs, mut seed, mut serving) = (20u64, 1u64, false);
    let (mut exe, mut sprt, mut brain) = (None, None, None);
    let mut info = Vec::new();
    let mut factors: Vec<Factor> = Vec::new();
    let mut passed_on = vec!["serve".to_owned()];
    for word in std::env::args().skip(1).filter(|word| word != "--bench") {
        if word == "serve" {
            serving = true;
            continue;
        }
        let (name, value) = word.split_once('=').expect("NAME=VALUE");
        let number = || value.parse::<u64>().expect("a number");
        let mut common = true;
        match name {
            "pairs" => pairs = number(),
            "sprt" => {
                let (elo0, elo1) = value.split_once(',').expect("two numbers");
                let elo = |text: &str| text.parse().expect("a number");
                sprt = Some(SprtPlan {
                    elo0: elo(elo0),
                    elo1: elo(elo1),
                    alpha: 0.05,
                    beta: 0.05,
                    model: Model::Normalized,
                    max_games: u32::MAX - 1,
                });
            }
            "seed" => seed = number(),
            "millis" => {
                let time = Some(Duration::from_millis(number()));
                setting.limits = Limits { soft: time, hard: time, ..Limits::default() };
            }
            "nodes" => setting.limits = Limits { nodes: Some(number()), ..Limits::default() },
            "size" => setting.size = number() as u16,
            "rule" => {
                setting.rule = match value {
                    "pente" => Rule::Pente,
                    "exactly5" => Rule::Exactly5,
                    "renju" => Rule::Renju,
                    _ => Rule::Freestyle,
                }
            }
            _ if name.starts_with("factor:") => {
                let name = name.trim_start_matches("factor:");
                settings::tune(&mut options[0].clone(), name, value);
                factors.push(Factor::new(name, value));
            }
            "show" => (setting.show, common) = (value == "true", false),
            "b:brain" => brain = Some(value.to_owned()),
            "b:info" => info.push(value.to_owned()),
            "b:exe" => (exe, common) = (Some(value.to_owned()), false),
            _ => {
                common = !name.starts_with("a:");
                let (which, name) = match name.split_once(':') {
                    Some(("a", name)) => (&mut options[..1], name),
                    Some((_, name)) => (&mut options[1..], name),
                    None => (&mut options[..], name),
                };
                which.iter_mut().for_each(|options| settings::tune(options, name, value));
            }
        }
        if common && name != "sprt" {
            passed_on.push(word);
        }
    }
    if setting.limits == Limits::default() {
        setting.limits.nodes = Some(20_000);
    }
    let here = |options| Player::Here(Box::new(Engine::new(setting.size, setting.rule, options)));
    if serving {
        return serve(here(options[1]), &setting);
    }
    let mut a = here(options[0]);
    let mut b = match (brain, exe) {
        (Some(brain), _) => Player::Brain(Brain::start(&brain, setting.size, &info)),
        (None, None) => here(options[1]),
        (None, Some(exe)) => {
            let mut child = Command::new(exe)
                .args(&passed_on)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("the other program starts");
            let to = child.stdin.take().expect("piped");
            let from = BufReader::new(child.stdout.take().expect("piped"));
            Player::Elsewhere { child, to, from }
        }
    };
    let mut judge = Engine::new(setting.size, setting.rule, Options { memory_mib: 4, ..Options::default() });
    let mut random = Random(seed);
    let mut tally = SprtCounts::default();
    let mut chance = Random(!seed);
    for pair in 1..=pairs {
        let moves = opening(&mut random, &setting, &mut judge);
        if !factors.is_empty() {
            let mut options = options;
            for factor in &mut factors {
                factor.with_a = chance.below(2) == 0;
                let whose = &mut options[usize::from(!factor.with_a)];
                settings::tune(whose, &factor.name, &factor.value);
            }
            (a, b) = (here(options[0]), here(options[1]));
        }
        a.forget();
        b.forget();
        let black = contest(setting, &moves, [&mut a, &mut b]);
        a.forget();
        b.forget();
        let white = 2 - contest(setting, &moves, [&mut b, &mut a]);
        tally.add(Some(black as u8));
        tally.add(Some(white as u8));
        let verdict = sprt.map_or(SprtDecision::Open, |plan| plan.verdict(&tally));
        factors.iter_mut().for_each(|factor| factor.count(f64::from(black + white) / 4.0));
        println!("{pair} {black}{white} {}", summary(&tally, sprt.as_ref()));
        if !factors.is_empty() {
            println!("{}", factors::summary(&factors, pair));
        }
        if verdict != SprtDecision::Open {
            println!("accepted: {verdict:?}");
            break;
        }
    }
}

/// The results so far: the score of A with the 95 % error of the pairs, and the number of pairs by A's points.
fn summary(tally: &SprtCounts, sprt: Option<&SprtPlan>) -> String {
    let n = tally.pairs.iter().sum::<u64>() as f64;
    let points = |index: usize| index as f64 / 4.0;
    let over = |value: &dyn Fn(f64) -> f64| {
        tally.pairs.iter().enumerate().map(|(index, &count)| count as f64 * value(points(index))).sum::<f64>()
    };
    let mean = over(&|score| score) / n;
    let variance = over(&|score| (score - mean).powi(2)) / (n - 1.0).max(1.0);
    let error = 1.96 * (variance / n).sqrt();
    let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
    let [lost, drawn, won] = tally.games;
    let ratio = sprt.map_or(String::new(), |plan| format!(", LLR {:.2}", tally.llr(plan)));
    format!(
        "A won {won}, drew {drawn}, lost {lost}: {:.1} % ± {:.1}, Elo {:+.0} ({:+.0} to {:+.0}), pairs {:?}{ratio}",
        100.0 * mean,
        100.0 * error,
        elo(mean),
        elo(mean - error),
        elo(mean + error),
        tally.pairs,
    )
}

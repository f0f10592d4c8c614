//! A match drawn as text, for tests that read like the rules.

use std::fmt::Write;

use grandstand_protocol::shark::{Ground, Heading, Map, Team, Tile};
use grandstand_rules::Pid;
use grandstand_rules::shark::{Action, Answer, Bot, Reply, Rules, Setup, World};

/// A match that begins at the position in a diagram.
///
/// A diagram is the upper left corner of the board, with blanks between its tiles: the letters of a map, `+` for a
/// powerup on its drop point, a digit for the robot of that pid. A line for each robot follows: `1 red right`, with
/// `health 2` or `flag` behind it if needed. All other tiles are empty, except for what a match requires: spawn
/// points and stands in the lowest row, and robots 101 and 102 for a team that has none, far away.
pub(crate) struct Game {
    pub world: World,
    size: (u8, u8),
}

impl Game {
    pub(crate) fn new(diagram: &str) -> Self {
        Self::by(rules(), diagram)
    }

    /// With these settings, except for the map.
    pub(crate) fn by(rules: Rules, diagram: &str) -> Self {
        let setup = setup(rules, diagram);
        let lines: Vec<&str> = tiles(diagram).collect();
        let width = lines.iter().map(|line| line.split_whitespace().count()).max().unwrap();
        let size = (width as u8, lines.len() as u8);
        Self { world: World::from_setup(&setup).unwrap(), size }
    }

    /// Performs an action of robot `pid` as soon as it is ready.
    pub(crate) fn act(&mut self, pid: u32, action: Action) -> Reply {
        let ready = self.world.bot(Pid(pid)).unwrap().ready;
        let step = ready.max(self.world.step());
        self.pass_to(step);
        self.world.act(step, Pid(pid), action).unwrap()
    }

    /// The answer to an action, without its delay.
    pub(crate) fn ask(&mut self, pid: u32, action: Action) -> Answer {
        self.act(pid, action).answer
    }

    /// Moves robot `pid`; `true` if its place has changed.
    pub(crate) fn go(&mut self, pid: u32) -> bool {
        match self.act(pid, Action::Move) {
            Reply { answer: Answer::Ok, delay: 5_000 } => true,
            Reply { answer: Answer::Fail, delay: 5_000 } => false,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) fn face(&mut self, pid: u32, heading: Heading) {
        assert_eq!(self.act(pid, Action::Face(heading)), Reply { answer: Answer::Ok, delay: 2_500 });
    }

    pub(crate) fn shoot(&mut self, pid: u32) {
        assert_eq!(self.act(pid, Action::Shoot), Reply { answer: Answer::Ok, delay: 5_000 });
    }

    /// Ends all steps before this one.
    pub(crate) fn pass_to(&mut self, step: u64) {
        self.world.end_step(step - 1);
    }

    /// The robots that were destroyed since the last call.
    pub(crate) fn killed(&mut self) -> Vec<u32> {
        self.world.drain_kills().iter().map(|kill| kill.bot.pid.0).collect()
    }

    /// The commands since the last call.
    pub(crate) fn drawn(&mut self) -> Vec<String> {
        self.world.drain_commands().iter().map(|(_, command)| command.to_line()).collect()
    }

    /// Asserts that the match is as in the diagram.
    pub(crate) fn shows(&self, diagram: &str) {
        assert_eq!(self.picture(), normal(diagram));
    }

    fn picture(&self) -> String {
        let (mut text, mut robots) = (String::new(), String::new());
        let (width, height) = self.size;
        for y in 0..height {
            let tiles: Vec<String> = (0..width).map(|x| self.tile(Tile::new(x, y).unwrap())).collect();
            writeln!(text, "{}", tiles.join(" ")).unwrap();
        }
        for bot in self.world.bots().iter().filter(|bot| bot.pid.0 < 100) {
            write!(robots, "{} {} {}", bot.pid, bot.team, bot.heading.name().to_lowercase()).unwrap();
            if bot.health != self.world.rules().health {
                write!(robots, " health {}", bot.health).unwrap();
            }
            robots.push_str(if bot.flag { " flag\n" } else { "\n" });
        }
        text + &robots
    }

    fn tile(&self, place: Tile) -> String {
        if let Some(bot) = self.world.bot_at(place) {
            bot.pid.to_string()
        } else if self.world.powerups().contains(&place) {
            "+".to_owned()
        } else {
            self.world.field().map().get(place).letter().to_string()
        }
    }
}

/// The default settings, with hardly any powerups.
pub(crate) fn rules() -> Rules {
    Rules { item_delay: 1_000_000_000, ..Rules::default() }
}

pub(crate) fn place(x: u8, y: u8) -> Tile {
    Tile::new(x, y).unwrap()
}

fn is_robot(line: &str) -> bool {
    line.contains(" red ") || line.contains(" blue ")
}

fn tiles(diagram: &str) -> impl Iterator<Item = &str> {
    diagram.lines().map(str::trim).filter(|line| !line.is_empty() && !is_robot(line))
}

/// Each line without blanks at its ends, and with one blank between words.
fn normal(diagram: &str) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    diagram.lines().filter(|line| !line.trim().is_empty()).map(words).collect()
}

fn setup(mut rules: Rules, diagram: &str) -> Setup {
    let letters: Vec<Vec<char>> = tiles(diagram)
        .map(|line| line.split_whitespace().map(|word| word.chars().next().unwrap()).collect())
        .collect();
    let at = |place: Tile| {
        letters
            .get(usize::from(place.y()))
            .and_then(|row| row.get(usize::from(place.x())))
            .copied()
            .unwrap_or('.')
    };
    let missing = [('r', place(0, 15)), ('R', place(2, 15)), ('B', place(29, 15)), ('b', place(31, 15))]
        .into_iter()
        .filter(|(letter, _)| !letters.iter().flatten().any(|other| other == letter))
        .collect::<Vec<_>>();
    rules.map = Map::new(|place| match at(place) {
        '+' => Ground::Drop,
        letter => match missing.iter().find(|(_, there)| *there == place) {
            Some((letter, _)) => Ground::from_letter(*letter).unwrap(),
            None if letter.is_ascii_digit() => Ground::Empty,
            None => Ground::from_letter(letter).unwrap(),
        },
    });
    let mut bots: Vec<Bot> =
        diagram.lines().filter(|line| is_robot(line)).map(|line| robot(line, &rules, at)).collect();
    for (team, pid, corner) in [(Team::Red, 101, place(0, 12)), (Team::Blue, 102, place(31, 12))] {
        if !bots.iter().any(|bot| bot.team == team) {
            let heading = Heading::Up;
            let health = rules.health;
            bots.push(Bot { pid: Pid(pid), team, place: corner, heading, health, flag: false, ready: 1 });
        }
    }
    let powerups = Tile::all().filter(|&place| at(place) == '+').collect();
    Setup { credits: [rules.spawn_credits; 2], rules, seed: 1, step: 1, score: [0; 2], bots, powerups }
}

fn robot(line: &str, rules: &Rules, at: impl Fn(Tile) -> char) -> Bot {
    let words: Vec<&str> = line.split_whitespace().collect();
    let heading = Heading::ALL.into_iter().find(|heading| heading.name().eq_ignore_ascii_case(words[2]));
    let health =
        words.iter().position(|word| *word == "health").map(|index| words[index + 1].parse().unwrap());
    Bot {
        pid: Pid(words[0].parse().unwrap()),
        team: words[1].parse().unwrap(),
        place: Tile::all().find(|&place| words[0].starts_with(at(place))).unwrap(),
        heading: heading.unwrap(),
        health: health.unwrap_or(rules.health),
        flag: words.contains(&"flag"),
        ready: 1,
    }
}

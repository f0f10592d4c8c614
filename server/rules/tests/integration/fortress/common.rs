//! Helpers of the tests of Steam Fortress.

use grandstand_protocol::fortress::Scene;
use grandstand_protocol::{Command, Micros};
use grandstand_rules::fortress::{
    Action, ActionResult, Answer, Direction, Hand, Map, Position, Reply, Rules, Setup, Square, Team, Unit,
    UnitClass, UnitId, World,
};

/// The square (x, y).
pub(crate) fn at(x: i64, y: i64) -> Square {
    Square::new(x, y).unwrap()
}

/// A position, on the board or off it.
pub(crate) fn pos(x: i64, y: i64) -> Position {
    Position { x, y }
}

/// Raised ground: its character, and two opposite corners of its area.
pub(crate) type Raised = (char, (i64, i64), (i64, i64));

/// Low ground with control points at x = −20, −10, 0, 10, 20 on the line y = 0, and with raised
/// ground, which is mirrored.
pub(crate) fn map(raised: &[Raised]) -> Map {
    Map::parse(text(raised).as_bytes()).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The same map as text.
pub(crate) fn text(raised: &[Raised]) -> String {
    let mut rows = vec![vec!['l'; 51]; 25];
    let mut put = |x: i64, y: i64, letter| rows[(12 - y) as usize][(x + 25) as usize] = letter;
    for &(letter, (x1, y1), (x2, y2)) in raised {
        for x in x1.min(x2)..=x1.max(x2) {
            for y in y1.min(y2)..=y1.max(y2) {
                put(x, y, letter);
                put(-x, y, letter);
            }
        }
    }
    for (letter, x) in "01234".chars().zip((-20..=20).step_by(10)) {
        put(x, 0, letter);
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// A match that asserts after every call that the scene drawn by commands equals the projected one.
pub(crate) struct Match {
    pub(crate) world: World,
    pub(crate) scene: Scene,
    /// Every command so far, with its millisecond.
    pub(crate) lines: Vec<(u64, String)>,
}

/// A match on `map` with a unit for each line `ID TEAM CLASS X,Y FACING [HEALTH]`. Red controls the points 0 and 1, blue 3 and 4.
pub(crate) fn play_on(map: &Map, rules: Rules, units: &str) -> Match {
    play_with(map, rules, units, "rr-bb")
}

/// The same with other owners of the points: `r`, `b` or `-` for each.
pub(crate) fn play_with(map: &Map, rules: Rules, units: &str, owners: &str) -> Match {
    let units =
        units.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| unit(&rules, line)).collect();
    let owners = owners.chars().map(|owner| match owner {
        'r' => Some(Team::Red),
        'b' => Some(Team::Blue),
        _ => None,
    });
    let owners: Vec<_> = owners.collect();
    let setup = Setup { rules, map: map.clone(), units, owners: owners.try_into().unwrap() };
    watch(World::from_setup(&setup).unwrap_or_else(|error| panic!("{error}")))
}

/// A match on flat ground with the default settings.
pub(crate) fn play(units: &str) -> Match {
    play_on(&map(&[]), Rules::default(), units)
}

pub(crate) fn watch(world: World) -> Match {
    let mut game = Match { world, scene: Scene::default(), lines: Vec::new() };
    game.look();
    game
}

fn unit(rules: &Rules, line: &str) -> Unit {
    let words: Vec<&str> = line.split_whitespace().collect();
    let class: UnitClass = words[2].parse().unwrap();
    let health = words.get(5).map_or(rules.health(class), |health| health.parse().unwrap());
    let id = UnitId(words[0].parse().unwrap());
    Unit::new(
        id,
        words[1].parse().unwrap(),
        class,
        words[3].parse().unwrap(),
        words[4].parse().unwrap(),
        health,
    )
}

impl Match {
    fn look(&mut self) {
        for (millis, command) in self.world.drain_commands() {
            assert!(self.lines.last().is_none_or(|(before, _)| *before <= millis), "commands come in order");
            draw(&mut self.scene, millis, &command);
            self.lines.push((millis, command.to_line()));
        }
        assert_same_picture(&self.scene, &self.world.scene());
    }

    /// The immediate answer to an action.
    pub(crate) fn act(&mut self, now: u64, unit: u32, action: Action) -> ActionResult {
        match self.world.act(now, UnitId(unit), action) {
            Reply::Now(result) => {
                self.look();
                result
            }
            Reply::Later => panic!("an answer was expected at once"),
        }
    }

    /// Asserts that an action is answered later.
    pub(crate) fn later(&mut self, now: u64, unit: u32, action: Action) {
        assert_eq!(self.world.act(now, UnitId(unit), action), Reply::Later);
        self.look();
    }

    pub(crate) fn succeeds(&mut self, now: u64, unit: u32, action: Action) {
        assert_eq!(
            self.act(now, unit, action.clone()),
            ActionResult::Success,
            "{action:?} of {unit} at {now}"
        );
    }

    pub(crate) fn fails(&mut self, now: u64, unit: u32, action: Action) {
        let (before, lines) = (self.world.units().to_vec(), self.lines.len());
        self.pass(now);
        let passed = self.lines.len();
        assert_eq!(
            self.act(now, unit, action.clone()),
            ActionResult::Failed,
            "{action:?} of {unit} at {now}"
        );
        assert_eq!(self.lines.len(), passed, "what fails draws nothing");
        if passed == lines {
            assert_eq!(self.world.units(), before, "what fails changes nothing");
        }
    }

    /// Lets time pass until `now`.
    pub(crate) fn pass(&mut self, now: u64) {
        self.world.handle_time(now);
        self.look();
    }

    pub(crate) fn answers(&mut self) -> Vec<(u64, u32, ActionResult)> {
        let answer = |Answer { millis, unit, result }| (millis, unit.0, result);
        self.world.drain_answers().into_iter().map(answer).collect()
    }

    pub(crate) fn place(&self, unit: u32) -> (i8, i8) {
        let at = self.world.unit(UnitId(unit)).unwrap().at;
        (at.x(), at.y())
    }

    pub(crate) fn facing(&self, unit: u32) -> Direction {
        self.world.unit(UnitId(unit)).unwrap().facing
    }

    pub(crate) fn health(&self, unit: u32) -> i32 {
        self.world.unit(UnitId(unit)).unwrap().health
    }

    /// The owners of the points, as `rr-bb`.
    pub(crate) fn owners(&self) -> String {
        let letter = |owner| match owner {
            Some(Team::Red) => 'r',
            Some(Team::Blue) => 'b',
            None => '-',
        };
        self.world.points().iter().map(|point| letter(point.owner)).collect()
    }

    /// The commands from the `from`th on, without their times.
    pub(crate) fn lines_from(&self, from: usize) -> Vec<&str> {
        self.lines[from..].iter().map(|(_, line)| line.as_str()).collect()
    }
}

/// Folds a command into the scene.
pub(crate) fn draw(scene: &mut Scene, millis: u64, command: &Command) {
    match command {
        Command::Fortress(command) => scene.apply(0, Micros(millis * 1_000), command),
        other => panic!("not a command of a match: {other:?}"),
    }
}

/// Asserts that the scenes are equal, except for talk and shots.
pub(crate) fn assert_same_picture(drawn: &Scene, projected: &Scene) {
    assert_eq!(drawn.elevation(), projected.elevation());
    assert_eq!(drawn.units(), projected.units());
    assert_eq!(drawn.fallen(), projected.fallen());
    assert_eq!(drawn.points(), projected.points());
    assert_eq!((drawn.time(), drawn.winner()), (projected.time(), projected.winner()));
}

pub(crate) const AHEAD: Action = Action::Move(None);
pub(crate) const LEFT: Action = Action::Move(Some(Hand::Left));
pub(crate) const RIGHT: Action = Action::Move(Some(Hand::Right));

pub(crate) fn first(x: i64, y: i64) -> Action {
    Action::PrimaryAbility(pos(x, y))
}

pub(crate) fn second(x: i64, y: i64) -> Action {
    Action::SecondaryAbility(pos(x, y))
}

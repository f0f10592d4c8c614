//! Changes by the commands of a group in λ-Shark. A robot that is erased and drawn again has moved; one that is not
//! drawn again is lost.

use grandstand_protocol::shark::{Bot, Command, FullName, Scene, Sprite, Team, Tile};
use grandstand_protocol::team::Outcome;
use grandstand_protocol::{Command as AnyCommand, Scene as AnyScene};

use crate::game::Group;

/// Change for the words and the events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// The board was set up.
    Map,
    /// A team has scored.
    Point(Team),
    /// A team's flag was taken, by the robot `by` if it is known.
    Taken { flag: Team, by: Option<Bot> },
    /// A team's flag is back, without a point for the other team.
    Returned(Team),
    /// A new robot.
    Joined { bot: Bot, at: Tile },
    /// A robot is lost.
    Lost { bot: Bot, at: Tile },
    /// A robot has lost health.
    Hurt { bot: Bot, at: Tile },
    /// A team has gained a spawn credit.
    Credit { team: Team, credits: u32 },
    /// The game is over, with the words of the game server and the winner if it is known.
    Won(Option<Outcome<Team>>, FullName),
}

/// Changes of a group with the numbers of their commands, in order.
pub(super) fn changes(before: &Scene, group: &Group<'_>) -> Vec<(u64, Change)> {
    let AnyScene::Shark(after) = group.after else { return Vec::new() };
    let mut changes = Vec::new();
    let mut drawn = false;
    for (seq, _, command) in group.commands {
        let AnyCommand::Shark(command) = command else { continue };
        match command {
            // A new board destroys no robots.
            Command::Map { .. } => return vec![(*seq, Change::Map)],
            Command::Draw(_) | Command::Erase(_) => drawn = true,
            Command::Win(win) if (before.winner(), before.won()) != (after.winner(), after.won()) => {
                changes.push((*seq, Change::Won(after.winner(), win.words().clone())));
            }
            Command::Score(score) => {
                let scored = Team::ALL.into_iter().filter(|team| score[*team] > before.score(*team));
                changes.extend(scored.map(|team| (*seq, Change::Point(team))));
            }
            Command::Spawn(credits) => {
                let richer = Team::ALL.into_iter().filter(|team| credits[*team] > before.credits(*team));
                changes.extend(richer.map(|team| (*seq, Change::Credit { team, credits: credits[team] })));
            }
            Command::Stand { team, full } if before.is_full(*team) != *full => {
                changes.extend(flag(*team, *full, before, after).map(|change| (*seq, change)));
            }
            _ => {}
        }
    }
    if drawn {
        let seq = |at: Tile| {
            let draws = |command: &AnyCommand| match command {
                AnyCommand::Shark(Command::Draw(draw)) => draw.at == at,
                AnyCommand::Shark(Command::Erase(erased)) => *erased == at,
                _ => false,
            };
            group.commands.iter().rev().find(|(.., command)| draws(command)).map_or(group.seq(), |c| c.0)
        };
        changes.extend(robots(before, after).into_iter().map(|(at, change)| (seq(at), change)));
    }
    changes.sort_by_key(|(seq, _)| *seq);
    changes
}

/// Change of a team's flag that came home or left.
fn flag(team: Team, home: bool, before: &Scene, after: &Scene) -> Option<Change> {
    if home {
        let scored = after.score(team.opponent()) > before.score(team.opponent());
        return (!scored).then_some(Change::Returned(team));
    }
    let carrier = |scene: &Scene| {
        let mut bots = bots(scene).filter(|(_, bot)| bot.team != team && bot.flag);
        bots.next().map(|(_, bot)| bot)
    };
    Some(Change::Taken { flag: team, by: carrier(after) })
}

fn bots(scene: &Scene) -> impl Iterator<Item = (Tile, Bot)> {
    scene.sprites().filter_map(|(place, sprite)| match sprite {
        Sprite::Bot(bot) => Some((place, bot)),
        Sprite::Wall | Sprite::Powerup => None,
    })
}

/// New, lost and hurt robots.
fn robots(before: &Scene, after: &Scene) -> Vec<(Tile, Change)> {
    let mut left: Vec<(Tile, Bot)> = bots(before).collect();
    let mut new = Vec::new();
    let mut changes = Vec::new();
    for (at, bot) in bots(after) {
        let is_same = |(place, was): &(Tile, Bot)| match (was.who, bot.who) {
            (Some(was), Some(is)) => was.pid == is.pid,
            (None, None) => was.team == bot.team && *place == at,
            _ => false,
        };
        match left.iter().position(is_same) {
            Some(index) => {
                let (_, was) = left.swap_remove(index);
                if bot.who.zip(was.who).is_some_and(|(is, was)| is.health < was.health) {
                    changes.push((at, Change::Hurt { bot, at }));
                }
            }
            None => new.push((at, bot)),
        }
    }
    for (at, bot) in new {
        // A robot without a pid next to the place of a missing one has moved.
        let nameless = |(place, was): &(Tile, Bot)| {
            was.who.is_none() && bot.who.is_none() && was.team == bot.team && place.distance(at) <= 1
        };
        match left.iter().position(nameless) {
            Some(index) => drop(left.swap_remove(index)),
            None => changes.push((at, Change::Joined { bot, at })),
        }
    }
    changes.extend(left.into_iter().map(|(at, bot)| (at, Change::Lost { bot, at })));
    changes
}

#[cfg(test)]
mod tests {
    use super::super::ROBOTS;
    use super::super::text::sentence;
    use super::*;
    use crate::EventIndex;
    use crate::groups::Groups;
    use crate::markers::kind;
    use grandstand_protocol::{Game, Micros};
    use grandstand_replays::Log;

    /// Sentences for the last group of a match.
    fn told(before: &str, lines: &str) -> Vec<String> {
        let mut groups = Groups::new(AnyScene::new(Game::Shark));
        let command = |line: &str| match AnyCommand::parse(Game::Shark, line.as_bytes()) {
            AnyCommand::Unknown(unknown) => panic!("{line}: {:?}", unknown.problem()),
            command => command,
        };
        for (seq, line) in (1..).zip(before.split(", ")) {
            groups.add(seq, Micros(0), command(line));
        }
        groups.close(|_, _| {});
        for (seq, line) in (11..).zip(lines.split(", ")) {
            groups.add(seq, Micros(9), command(line));
        }
        let mut told = Vec::new();
        groups.close(|before, group| {
            let AnyScene::Shark(before) = before else { return };
            for (seq, change) in changes(before, group) {
                told.extend(sentence(&change).map(|text| format!("{seq} {text}")));
            }
        });
        told
    }

    #[test]
    fn a_robot_that_is_nowhere_is_lost() {
        let before = "draw RED_UP 3 4 17 3, draw BLUE_LEFT 9 9 18 1";
        assert_eq!(told(before, "erase 3 4, draw RED_UP 3 3 17 3"), Vec::<String>::new());
        assert_eq!(told(before, "erase 9 9"), ["11 Blue 18 dies at 9,9."]);
        assert_eq!(told(before, "draw BLUE_UP 1 1 19 3"), ["11 Blue 19 appears at 1,1."]);
        assert_eq!(told(before, "draw RED_UP 3 4 17 1"), ["11 Red 17 is hit at 3,4: health 1."]);
    }

    #[test]
    fn the_nameless_are_known_by_where_they_are() {
        let before = "draw RED_UP 3 4, draw RED_UP 7 7";
        assert_eq!(told(before, "erase 3 4, draw RED_UP 3 3"), Vec::<String>::new());
        assert_eq!(told(before, "erase 3 4"), ["11 A red robot dies at 3,4."]);
    }

    #[test]
    fn a_flag_is_taken_brought_home_or_lost_again() {
        let before = "draw RED_UP 3 4 17 3, stand blue full";
        let taken = "stand blue empty, draw RED_UP_FLAG 3 4 17 3";
        assert_eq!(told(before, taken), ["11 Red 17 takes the blue flag."]);
        let before = format!("{before}, {taken}");
        let brought = "draw RED_UP 3 4 17 3, stand blue full, score 1 0";
        assert_eq!(told(&before, brought), Vec::<String>::new());
        let lost = "erase 3 4, stand blue full";
        assert_eq!(told(&before, lost), ["11 Red 17 dies at 3,4.", "12 The blue flag is back."]);
    }

    #[test]
    fn a_flag_that_is_picked_up_counts_as_taken_and_is_a_point_when_it_is_home() {
        let lines = [
            (0, "draw RED_UP 3 4 17 3"),
            (0, "stand blue full"),
            (100, "stand blue empty"),
            (100, "draw RED_UP_FLAG 3 4 17 3"),
            (900, "draw RED_UP 3 4 17 3"),
            (900, "stand blue full"),
            (900, "score 1 0"),
            (2_000, "time 1"),
        ];
        let mut index = EventIndex::new(Game::Shark);
        while index.update(&log(&lines), f64::INFINITY, || true) {}
        let units = &index.findings().units;
        let done = |secs| units.figures(17, secs).map(|(stat, count)| (stat.title(), count));
        assert_eq!(done(0.5).collect::<Vec<_>>(), [("Flags taken", 1), ("Points", 0)]);
        assert_eq!(done(1.5).collect::<Vec<_>>(), [("Flags taken", 1), ("Points", 1)]);
    }

    #[test]
    fn a_new_map_destroys_nobody() {
        let row = ".".repeat(32);
        let map = format!("map{}", format!(" {row}").repeat(16));
        assert_eq!(told("draw RED_UP 3 4 17 3", &map), ["11 The board is set up."]);
    }

    #[test]
    fn credits_and_the_end_are_told() {
        assert_eq!(told("spawn 3 3", "spawn 3 4"), ["11 Blue picks up a spawn credit: 4."]);
        assert_eq!(told("spawn 3 3", "spawn 2 3"), Vec::<String>::new());
        assert_eq!(told("time 1", "win draw"), ["11 The game is a draw."]);
    }

    /// A log of these lines with their times in milliseconds.
    fn log(lines: &[(u64, &str)]) -> Log {
        let mut log = Log::live(Game::Shark);
        for (seq, (millis, line)) in (1..).zip(lines) {
            let t = Micros(millis * 1_000);
            let _ = log.insert(seq, t, &AnyCommand::parse(Game::Shark, line.as_bytes()));
        }
        log
    }

    /// Findings of an index.
    #[derive(Debug, PartialEq)]
    struct Noted {
        /// Times in milliseconds and values of the plot of red robots.
        red: Vec<(u64, i32)>,
        /// Commands and kinds of the markers.
        marks: Vec<(u64, String)>,
    }

    impl Noted {
        /// Numbers of red robots in order.
        fn counts(&self) -> Vec<i32> {
            self.red.iter().map(|(_, count)| *count).collect()
        }
    }

    fn noted(index: &EventIndex) -> Noted {
        let records = index.findings();
        let red = records.plots[ROBOTS].series.iter().find(|series| series.key == "red").unwrap();
        let marks = records.markers.list().iter();
        Noted {
            red: red.points.iter().map(|point| (point.t.0 / 1_000, point.value)).collect(),
            marks: marks.map(|mark| (mark.seq, records.markers.kind(mark).to_owned())).collect(),
        }
    }

    /// Commands of four robots that move twice, one line every 60 ms. One robot is destroyed at 700 ms.
    const SLOW: [(u64, &str); 22] = [
        (0, "draw RED_UP 1 9 1 3"),
        (0, "draw RED_UP 2 9 2 3"),
        (0, "draw RED_UP 3 9"),
        (0, "draw BLUE_UP 4 9 4 3"),
        (100, "erase 1 9"),
        (160, "draw RED_UP 1 8 1 3"),
        (220, "erase 2 9"),
        (280, "erase 3 9"),
        (340, "draw RED_UP 3 8"),
        (400, "draw RED_UP 2 8 2 3"),
        (460, "erase 4 9"),
        (520, "draw BLUE_UP 4 8 4 3"),
        (580, "erase 1 8"),
        (640, "draw RED_UP 1 7 1 3"),
        (700, "erase 2 8"),
        (760, "erase 4 8"),
        (820, "draw BLUE_UP 4 7 4 3"),
        (880, "erase 3 8"),
        (940, "draw RED_UP 3 7"),
        (1_000, "erase 1 7"),
        (1_060, "draw RED_UP 1 6 1 3"),
        (1_400, "time 1"),
    ];

    #[test]
    fn who_is_drawn_again_in_another_line_was_never_gone() {
        let whole = log(&SLOW);
        let mut index = EventIndex::new(Game::Shark);
        while index.update(&whole, f64::INFINITY, || true) {}
        let seen = noted(&index);
        assert_eq!(seen.marks, [(15, kind::DEATH.to_owned())]);
        assert_eq!(seen.counts(), [3, 2]);
        assert!((640..=1_000).contains(&seen.red[1].0), "{seen:?}");
        // Live, line by line, the findings are the same for any frequency of updates.
        let mut live = EventIndex::new(Game::Shark);
        for count in 1..=SLOW.len() {
            while live.update(&log(&SLOW[..count]), 0.06, || true) {}
        }
        while live.update(&whole, f64::INFINITY, || true) {}
        assert_eq!(noted(&live), seen);
    }

    #[test]
    fn a_bot_that_is_not_drawn_again_is_lost() {
        let lost = |lines: &[(u64, &str)]| {
            let mut index = EventIndex::new(Game::Shark);
            while index.update(&log(lines), f64::INFINITY, || true) {}
            let seen = noted(&index);
            (seen.counts(), seen.marks.len())
        };
        let draw = (0, "draw RED_UP 1 9 1 3");
        assert_eq!(lost(&[draw, (100, "erase 1 9"), (340, "draw RED_UP 1 8 1 3")]), (vec![1], 0));
        assert_eq!(lost(&[draw, (100, "erase 1 9"), (360, "draw RED_UP 1 8 1 3")]), (vec![1, 0, 1], 1));
        let moment = [draw, (100, "erase 1 9"), (150, "time 2"), (200, "draw RED_UP 1 8 1 3")];
        assert_eq!(lost(&moment), (vec![1, 0, 1], 1));
        // A robot is lost after many other lines, too.
        let mut many = vec![draw, (100, "erase 1 9")];
        many.extend((0..20).map(|n| (102 + 2 * n, "spawn 3 3")));
        many.push((200, "draw RED_UP 1 8 1 3"));
        assert_eq!(lost(&many), (vec![1, 0, 1], 1));
    }
}

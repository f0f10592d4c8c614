//! The log against a plain list of commands: whatever is asked of it is what playing from the start shows.

use std::collections::BTreeMap;

use super::log_changes::check;
use grandstand_protocol::MarkKind;
use grandstand_protocol::{Command, Game, MatchHeader, Micros, Scene};
use grandstand_replays::{Cursor, Growth, Header, Inserted, Limits, Log, Mark, Replay, Writer};
use proptest::prelude::*;

fn line(game: Game) -> BoxedStrategy<String> {
    match game {
        Game::Abalone => prop_oneof![
            10 => ("[A-I]", -4..=4, prop_oneof![Just("e".to_owned()), "[bw][0-6]"])
                .prop_map(|(row, diagonal, piece)| format!("set {row}{diagonal} {piece}")),
            1 => (0..20).prop_map(|n| format!("turns {n}")),
            1 => ("[bw]", 0..9).prop_map(|(team, n)| format!("{team}score {n}")),
            1 => "[bw]say [a-z \"\\\\é]{0,12}",
            1 => "[a-z]{0,6}",
            1 => "[a-z]{1,6}".prop_map(|label| format!("#gs marker {{\"label\":\"{label}\"}}")),
        ]
        .boxed(),
        Game::Shark => prop_oneof![
            10 => (0..32, 0..16, prop_oneof![Just(""), Just("BLUE_UP"), Just("RED_LEFT_FLAG")]).prop_map(|(x, y, image)| {
                if image.is_empty() { format!("erase {x} {y}") } else { format!("draw {image} {x} {y} 7 3") }
            }),
            2 => (0..32, 0..16, 0..16).prop_map(|(x, y, to)| format!("shot {x} {y} {x} {to}")),
            1 => (0..20).prop_map(|n| format!("time {n}")),
            1 => (0..9, 0..9).prop_map(|(red, blue)| format!("score {red} {blue}")),
            1 => "say (red|blue) [a-z ]{0,12}",
            1 => "stand (red|blue) (full|empty)",
            1 => Just(format!("map{}", " ................................".repeat(16))),
            1 => "[a-z]{0,6}",
        ]
        .boxed(),
        Game::Fortress => prop_oneof![
            4 => (0..6, -25..=25, -12..=12, "(red|blue)").prop_map(|(id, x, y, team)| format!("spawn {id} {team} {x} {y} east 9 pyro")),
            6 => (0..6, -25..=25, -12..=12, 0..9).prop_map(|(id, x, y, health)| format!("update {id} {x} {y} north {health}")),
            2 => (0..6).prop_map(|id| format!("remove {id}")),
            3 => (0..6, -25..=25).prop_map(|(id, x)| format!("shot {id} rifle {x} 0 {x} 3")),
            3 => (0..6, 0..6, -9..9).prop_map(|(by, on, amount)| format!("hit {by} {on} {amount}")),
            1 => (0..5, -25..=25).prop_map(|(point, x)| format!("point {point} {x} 0 none")),
            2 => (0..5, "(red|blue|none)").prop_map(|(point, owner)| format!("control {point} {owner}")),
            1 => (0..5, "(red|blue|none)").prop_map(|(point, team)| format!("capture {point} {team} 500")),
            1 => (0..20).prop_map(|n| format!("time {n}")),
            1 => "say (red|blue) [a-z ]{0,12}",
            1 => (-25..=25, -12..=12).prop_map(|(x, y)| format!("elevation {x} {y} high")),
            1 => prop_oneof![Just("init".to_owned()), Just("over draw".to_owned()), "[a-z]{0,6}"],
        ]
        .boxed(),
        Game::Gomoku | Game::Pente => prop_oneof![
            10 => ("(black|white)", "[a-h][1-9]").prop_map(|(team, point)| format!("move {team} {point}")),
            4 => "set [a-h][1-9] [bwe]",
            2 => (0..20).prop_map(|pairs| format!("captures white {pairs}")),
            1 => "clock (black|white) [1-9][0-9]{0,5} (running|stopped)",
            1 => "thought (black|white) [0-9] [0-9] [0-9]{1,5}( [a-h][1-9]){0,4}",
            1 => "say (black|white) [a-z ]{0,12}",
            1 => prop_oneof![Just("board 5".to_owned()), Just("board 9".to_owned()), "[a-z]{0,6}"],
        ]
        .boxed(),
        Game::Riskless => prop_oneof![
            6 => (0..9, 0..9).prop_map(|(from, to)| format!("move maxie {from} {to}")),
            6 => (0..9, 0..9).prop_map(|(id, armies)| format!("set {id} minnie {armies}")),
            4 => (0..9, 0..1000).prop_map(|(id, x)| format!("territory {id} {x} 0 Somewhere")),
            2 => (0..9, 0..9).prop_map(|(a, b)| format!("road {a} {b}")),
            1 => (0..9).prop_map(|id| format!("battle {id} 3 2")),
            1 => "thought maxie [0-9] [0-9] [0-9]{1,5}( [0-9]-[0-9]){0,4}",
            1 => "say (maxie|minnie) [a-z ]{0,12}",
            1 => prop_oneof![Just("map 9 99 World".to_owned()), "[a-z]{0,6}"],
        ]
        .boxed(),
        Game::Grid => prop_oneof![
            10 => (0..8, 0..8, prop_oneof![Just(String::new()), " [@#x]".prop_map(|glyph| glyph)])
                .prop_map(|(x, y, cell)| format!("cell {x},{y}{cell}")),
            1 => (0..20).prop_map(|n| format!("step {n}")),
            1 => ("[a-c]", 0..9).prop_map(|(team, n)| format!("score {team} {n}")),
            1 => "say [a-c] [a-z ]{0,12}",
            1 => Just("clear".to_owned()),
            1 => "[a-z]{0,6}",
        ]
        .boxed(),
    }
}

/// Commands with their times; often several at the same time, now and then a long time apart.
pub(super) fn commands(most: usize) -> impl Strategy<Value = (Game, Vec<(Micros, Command)>)> {
    let interval = prop_oneof![5 => Just(0), 5 => 1..2_000_000_u64, 1 => 5_000_000_000..20_000_000_000_u64];
    prop::sample::select(Game::ALL.to_vec()).prop_flat_map(move |game| {
        prop::collection::vec((interval.clone(), line(game)), 0..most).prop_map(move |lines| {
            let mut t = Micros(0);
            let timed = lines.into_iter().map(|(interval, line)| {
                t = Micros(t.0 + interval);
                (t, Command::parse(game, line.as_bytes()))
            });
            (game, timed.collect())
        })
    })
}

pub(crate) fn live(game: Game, commands: &[(Micros, Command)]) -> Log {
    let mut log = Log::live(game);
    for (seq, (t, command)) in (1..).zip(commands) {
        assert_eq!(log.insert(seq, *t, command), Inserted::Added);
    }
    log
}

/// Scenes after 0, 1, 2, … commands.
pub(super) fn scenes(game: Game, commands: &[(Micros, Command)]) -> Vec<Scene> {
    let mut scene = Scene::new(game);
    let mut scenes = vec![scene.clone()];
    for (seq, (t, command)) in (1..).zip(commands) {
        scene.apply(seq, *t, command);
        scenes.push(scene.clone());
    }
    scenes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Long enough for several stored scenes.
    #[test]
    fn any_scene_is_that_of_playing_from_the_start(
        (game, commands) in commands(4_000),
        seeks in prop::collection::vec(0.0..1.1_f64, 40),
    ) {
        let log = live(game, &commands);
        let scenes = scenes(game, &commands);
        let last = commands.len();
        prop_assert_eq!(log.last_seq(), last as u64);
        let mut cursor = Cursor::new(&log);
        for seek in seeks {
            let seq = (seek * last as f64) as usize;
            cursor.move_to(&log, seq as u64);
            prop_assert_eq!(cursor.seq(), seq.min(last) as u64);
            prop_assert_eq!(cursor.scene(), &scenes[seq.min(last)]);
            prop_assert_eq!(&log.scene_at(seq as u64), &scenes[seq.min(last)]);
        }
    }

    #[test]
    fn times_and_lines_are_those_that_came((game, commands) in commands(2_500)) {
        let log = live(game, &commands);
        for (seq, (t, command)) in (1..).zip(&commands) {
            prop_assert_eq!(log.time_of(seq), *t);
            prop_assert_eq!(log.command(seq), Some(command.clone()));
            let at = commands.iter().rposition(|(other, _)| other <= t).expect("this one") as u64 + 1;
            prop_assert_eq!(log.seq_at(*t), at);
            let before = commands.iter().take_while(|(other, _)| other < t).count() as u64;
            if t.0 > 0 {
                prop_assert_eq!(log.seq_at(Micros(t.0 - 1)), before);
            }
        }
        prop_assert_eq!(log.line(0), None);
        prop_assert_eq!(log.line(commands.len() as u64 + 1), None);
        prop_assert_eq!(log.seq_at(Micros::MAX), commands.len() as u64);
    }

    /// What of a match was seen is the log of a match that has come so far, and goes on like one.
    #[test]
    fn a_log_up_to_a_command_is_one_that_has_come_so_far(
        (game, commands) in commands(3_000),
        parts in prop::collection::vec(0.0..1.1_f64, 6),
    ) {
        let log = live(game, &commands);
        let scenes = scenes(game, &commands);
        for part in parts {
            let seq = ((part * commands.len() as f64) as usize).min(commands.len());
            let mut seen = log.until(seq as u64);
            prop_assert_eq!((seen.last_seq(), seen.growth()), (seq as u64, Growth::Live));
            let expected = live(game, &commands[..seq]);
            prop_assert!(seen.marks(0, u64::MAX).eq(expected.marks(0, u64::MAX)));
            prop_assert_eq!(seen.end_time(), expected.end_time());
            prop_assert_eq!(seen.line(seq as u64 + 1), None);
            prop_assert_eq!(&seen.scene_at(u64::MAX), &scenes[seq]);
            for (at, (t, command)) in (1..).zip(&commands).skip(seq).take(1_500) {
                prop_assert_eq!(seen.insert(at, *t, command), Inserted::Added);
            }
            let last = seen.last_seq();
            for at in [last, last / 2, seq as u64, seq as u64 / 2] {
                prop_assert_eq!(&seen.scene_at(at), &scenes[at as usize]);
                prop_assert_eq!((seen.time_of(at), seen.line(at)), (log.time_of(at), log.line(at)));
            }
        }
    }

    /// What is written and read is the same log.
    #[test]
    fn a_recording_is_the_log_that_was_recorded((game, commands) in commands(1_500), piece in 1..5_000_usize) {
        let mut writer = Writer::new(Vec::new(), &Header::new(game, MatchHeader::default())).expect("memory");
        for (t, command) in &commands {
            writer.command(*t, command).expect("memory");
        }
        let file = writer.into_inner();
        let mut loader = grandstand_replays::Loader::new(Limits::default());
        for piece in file.chunks(piece) {
            loader.push(piece).expect("a replay");
        }
        let replay: Replay = loader.finish().expect("a replay");
        prop_assert_eq!(replay.damage(), None);
        let log = live(game, &commands);
        prop_assert_eq!(replay.log().last_seq(), log.last_seq());
        for seq in 1..=log.last_seq() {
            prop_assert_eq!(replay.log().line(seq), log.line(seq));
            prop_assert_eq!(replay.log().time_of(seq), log.time_of(seq));
        }
        prop_assert_eq!(replay.log().scene_at(u64::MAX), log.scene_at(u64::MAX));
        prop_assert!(replay.log().marks(0, u64::MAX).eq(log.marks(0, u64::MAX)));
    }

    #[test]
    fn marks_are_found_forwards_and_backwards((game, commands) in commands(2_500), a in 0..2_600_u64, b in 0..2_600_u64) {
        let log = live(game, &commands);
        let all: Vec<Mark> = log.marks(0, u64::MAX).collect();
        let mut scene = Scene::new(game);
        for (seq, (t, command)) in (1..).zip(&commands) {
            let before = turn_of(&scene);
            scene.apply(seq, *t, command);
            let here = all.iter().find(|mark| mark.seq == seq);
            prop_assert_eq!(here.is_some_and(|mark| mark.kind == MarkKind::Turn), before != turn_of(&scene));
            prop_assert_eq!(
                here.is_some_and(|mark| mark.kind == MarkKind::Unknown),
                matches!(command, Command::Unknown(_))
            );
            if let Some(mark) = here {
                prop_assert_eq!(mark.t, *t);
            }
        }
        let between: Vec<Mark> = all.iter().filter(|mark| a < mark.seq && mark.seq <= b).copied().collect();
        prop_assert_eq!(log.marks(a, b).collect::<Vec<_>>(), between);
        let back: Vec<Mark> = all.iter().rev().filter(|mark| mark.seq <= b).copied().collect();
        prop_assert_eq!(log.marks_back(b).collect::<Vec<_>>(), back);
        let talk = |kind| kind == MarkKind::Talk;
        let next = all.iter().find(|mark| mark.seq > a && talk(mark.kind)).copied();
        prop_assert_eq!(log.next_mark(a, talk), next);
        // Every turn is stopped at once, in either direction.
        let mut stops = Vec::new();
        let mut at = 0;
        while let Some(next) = log.next_turn(at) {
            prop_assert!(next > at);
            stops.push(next);
            at = next;
        }
        prop_assert_eq!(stops.len(), all.iter().filter(|mark| mark.kind == MarkKind::Turn).count());
        let mut back = Vec::new();
        let mut at = u64::MAX;
        while let Some(previous) = log.previous_turn(at) {
            prop_assert!(previous < at);
            back.push(previous);
            at = previous;
        }
        back.reverse();
        prop_assert_eq!(back, stops);
    }

    /// A spectator that joins late, is moved on, and fetches what it missed.
    #[test]
    fn what_was_missed_can_be_filled_in(
        (game, commands) in commands(3_000),
        cuts in prop::collection::vec(0.0..1.0_f64, 0..6),
        batch in 1..700_usize,
    ) {
        let scenes = scenes(game, &commands);
        let last = commands.len();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| (cut * last as f64) as usize).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut log = Log::live(game);
        let mut known: BTreeMap<usize, ()> = BTreeMap::new();
        // Pairs of cuts are what it saw.
        for pair in cuts.chunks(2) {
            let (from, to) = (pair[0], pair.get(1).copied().unwrap_or(last));
            let t = if from == 0 { Micros(0) } else { commands[from - 1].0 };
            log.rebase(from as u64, t, scenes[from].clone());
            for seq in from + 1..=to {
                let (t, command) = &commands[seq - 1];
                prop_assert_eq!(log.insert(seq as u64, *t, command), Inserted::Added);
                known.insert(seq, ());
            }
        }
        let missing: Vec<u64> = log.gaps().into_iter().flatten().collect();
        let expected: Vec<u64> =
            (1..=log.last_seq()).filter(|seq| !known.contains_key(&(*seq as usize))).collect();
        prop_assert_eq!(&missing, &expected);
        check(&log, &scenes)?;
        // Fetch it in batches, each of which repeats a little of what is known.
        let snapshot = log.clone();
        let before: Vec<_> = (0..=log.last_seq()).map(|seq| snapshot.line(seq).map(<[u8]>::to_vec)).collect();
        while let Some(gap) = log.gaps().first().cloned() {
            let from = *gap.start();
            if from < log.last_seq() && !log.knows(from + 1) {
                let (t, command) = &commands[from as usize];
                prop_assert_eq!(log.insert(from + 1, *t, command), Inserted::Detached);
            }
            for seq in from.saturating_sub(3)..(from + batch as u64).min(log.last_seq() + 1) {
                let Some((t, command)) = (seq as usize).checked_sub(1).map(|index| &commands[index]) else {
                    prop_assert_eq!(log.insert(seq, Micros(0), &commands[0].1), Inserted::Known);
                    continue;
                };
                let there = log.line(seq).is_some();
                let inserted = log.insert(seq, *t, command);
                prop_assert_eq!(inserted, if there { Inserted::Known } else { Inserted::Added });
            }
        }
        check(&log, &scenes)?;
        for seq in 1..=log.last_seq() {
            let (t, command) = &commands[seq as usize - 1];
            prop_assert_eq!(log.time_of(seq), *t);
            prop_assert_eq!(log.command(seq), Some(command.clone()));
        }
        // A clone made before is as it was.
        let after: Vec<_> = (0..=log.last_seq()).map(|seq| snapshot.line(seq).map(<[u8]>::to_vec)).collect();
        prop_assert_eq!(before, after);
    }
}

fn turn_of(scene: &Scene) -> String {
    match scene {
        Scene::Abalone(scene) => scene.turns().to_string(),
        Scene::Shark(scene) => scene.time().to_string(),
        Scene::Fortress(scene) => format!("{:?}", scene.time()),
        Scene::Stones(scene) => scene.ply().to_string(),
        Scene::Riskless(scene) => scene.ply().to_string(),
        Scene::Grid(scene) => scene.step().to_string(),
    }
}

#[test]
fn of_a_log_with_gaps_a_part_has_those_before_its_end() {
    let mut log = Log::live(Game::Abalone);
    let command = |seq: u64| Command::parse(Game::Abalone, format!("turns {seq}").as_bytes());
    for from in [0_u64, 100, 200] {
        log.rebase(from, Micros(from), Scene::new(Game::Abalone));
        for seq in from + 1..=from + 10 {
            let _ = log.insert(seq, Micros(seq), &command(seq));
        }
    }
    let ends = |seq: u64| (log.until(seq).last_seq(), log.until(seq).gaps());
    assert_eq!(ends(250), (210, vec![11..=100, 111..=200]));
    assert_eq!(ends(205), (205, vec![11..=100, 111..=200]));
    assert_eq!(ends(200), (200, vec![11..=100, 111..=200]));
    // What is missing there ends with the last picture before it.
    assert_eq!(ends(150), (110, vec![11..=100]));
    assert_eq!((ends(0), ends(3)), ((0, vec![]), (3, vec![])));
}

#[test]
fn a_scene_that_is_known_changes_nothing() {
    let turns = |n: u32| Command::parse(Game::Abalone, format!("turns {n}").as_bytes());
    let mut log = Log::live(Game::Abalone);
    log.rebase(5, Micros(50), Scene::new(Game::Abalone));
    assert_eq!(log.insert(6, Micros(60), &turns(6)), Inserted::Added);
    log.rebase(5, Micros(1), Scene::new(Game::Abalone));
    log.rebase(6, Micros(1), Scene::new(Game::Abalone));
    log.rebase(9, Micros(90), Scene::new(Game::Grid));
    assert_eq!((log.last_seq(), log.gaps()), (6, vec![1..=5]));
    assert_eq!(log.insert(0, Micros(0), &turns(0)), Inserted::Known);
    assert_eq!(log.insert(8, Micros(80), &turns(8)), Inserted::Detached);
    assert_eq!((log.growth(), log.end()), (Growth::Live, None));
    // One of what is missing is a place to go on from, at a time between its neighbours'.
    log.rebase(3, Micros(70), Scene::new(Game::Abalone));
    assert_eq!((log.gaps(), log.time_of(3), log.stretch(4)), (vec![1..=3, 4..=5], Micros(50), 3..=3));
}

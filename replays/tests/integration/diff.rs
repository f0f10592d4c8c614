//! Differences of two logs.

use grandstand_protocol::{Command, Game, Micros, Scene};
use grandstand_replays::diff::{Diff, Difference, Kind, Lock, Pairing};
use grandstand_replays::{End, Log};
use proptest::prelude::*;

const LOCKS: [Lock; 3] = [Lock::Command, Lock::Turn, Lock::Time];

type Lines = Vec<(u64, String)>;

fn log(lines: &[(u64, String)]) -> Log {
    let mut log = Log::live(Game::Abalone);
    let mut t = 0;
    for (seq, (after, line)) in (1..).zip(lines) {
        t += after;
        let _ = log.insert(seq, Micros(t), &Command::parse(Game::Abalone, line.as_bytes()));
    }
    log.close(Some(End { t: Micros(t), result: None }));
    log
}

fn read(lock: Lock, logs: [&Log; 2], steps: usize) -> Diff {
    let mut diff = Diff::new(lock);
    while diff.read(logs, steps) {}
    diff
}

/// All differences, forwards.
fn all(diff: &Diff, kind: Kind) -> Vec<Difference> {
    let mut found: Vec<Difference> = diff.first(kind).into_iter().collect();
    while let Some(last) = found.last()
        && let Some(next) = diff.next(kind, last.after)
    {
        found.push(next);
    }
    found
}

fn lines() -> impl Strategy<Value = Lines> {
    let line = prop_oneof![
        (0_usize..4, 0_u32..3).prop_map(|(hex, n)| format!("set {} b{n}", ["A0", "B0", "C0", "D1"][hex])),
        (1_u32..5).prop_map(|n| format!("turns {n}")),
        (0_u32..2).prop_map(|n| format!("bsay word {n}")),
        (0_u32..3).prop_map(|n| format!("bscore {n}")),
        Just("nonsense".to_owned()),
    ];
    prop::collection::vec((0_u64..3, line), 0..40)
}

/// A log, and the same with some of its lines changed, taken out and put in.
fn pair() -> impl Strategy<Value = (Lines, Lines)> {
    let change = prop::collection::vec((0_usize..40, 0_u8..3, lines()), 0..3);
    (lines(), change, lines(), any::<bool>()).prop_map(|(a, changes, other, apart)| {
        let mut b = a.clone();
        for (at, how, with) in changes {
            let at = at.min(b.len());
            match how {
                0 if at < b.len() => drop(b.remove(at)),
                1 if at < b.len() => {
                    b[at].1 = with.first().map_or("turns 9".to_owned(), |(_, line)| line.clone())
                }
                _ => drop(b.splice(at..at, with.into_iter().take(2)).collect::<Vec<_>>()),
            }
        }
        (a, if apart { other } else { b })
    })
}

/// What the first `count` lines have drawn on the board.
fn board(lines: &Lines, count: usize) -> Scene {
    let mut scene = Scene::new(Game::Abalone);
    for (_, line) in &lines[..count.min(lines.len())] {
        if !line.starts_with("bsay") {
            scene.apply(0, Micros(0), &Command::parse(Game::Abalone, line.as_bytes()));
        }
    }
    scene
}

proptest! {
    #[test]
    fn a_match_does_not_differ_from_itself(a in lines()) {
        for lock in LOCKS {
            let diff = read(lock, [&log(&a), &log(&a)], 7);
            prop_assert_eq!((diff.count(Kind::Lines), diff.count(Kind::Boards)), (0, 0));
            prop_assert_eq!(diff.progress([&log(&a), &log(&a)]), 1.0);
        }
    }

    #[test]
    fn the_first_difference_is_where_a_person_finds_it((a, b) in pair()) {
        let logs = [log(&a), log(&b)];
        let diff = read(Lock::Command, [&logs[0], &logs[1]], 100);
        let most = a.len().max(b.len());
        let line = (0..most).find(|n| a.get(*n).map(|(_, line)| line) != b.get(*n).map(|(_, line)| line));
        let first = diff.first(Kind::Lines);
        prop_assert_eq!(first.is_some(), line.is_some());
        if let (Some(first), Some(n)) = (first, line) {
            let expected = [a.len(), b.len()].map(|len| (n < len).then_some(n as u64 + 1));
            prop_assert_eq!(first.lines([&logs[0], &logs[1]]), expected);
        }
        let same = |n: usize| board(&a, n) == board(&b, n);
        let boards = (1..=most).find(|n| !same(*n));
        let expected = boards.map(|n| [n.min(a.len()) as u64, n.min(b.len()) as u64]);
        prop_assert_eq!(diff.first(Kind::Boards).map(|first| first.after), expected);
        // And after it, each beginning of a stretch that differs.
        let begins = (1..=most).filter(|n| !same(*n) && same(n - 1)).count();
        prop_assert_eq!(diff.count(Kind::Boards), begins);
    }

    #[test]
    fn differences_are_found_by_turn_and_by_time((a, b) in pair()) {
        let logs = [log(&a), log(&b)];
        let words = |lines: &Lines| lines.iter().map(|(_, line)| line.clone()).collect::<Vec<_>>();
        for lock in [Lock::Turn, Lock::Time] {
            let diff = read(lock, [&logs[0], &logs[1]], 100);
            if let Some(first) = diff.first(Kind::Lines) {
                let lines = first.lines([&logs[0], &logs[1]]);
                prop_assert_ne!(lines, [None; 2]);
                prop_assert_ne!(lines[0].map(|seq| &a[seq as usize - 1].1), lines[1].map(|seq| &b[seq as usize - 1].1));
            }
            if lock == Lock::Turn {
                prop_assert_eq!(diff.first(Kind::Lines).is_none(), words(&a) == words(&b));
            }
        }
    }

    #[test]
    fn how_much_is_read_at_once_and_who_is_first_do_not_matter((a, b) in pair(), steps in 1_usize..9) {
        let logs = [log(&a), log(&b)];
        for lock in LOCKS {
            let (once, often) = (read(lock, [&logs[0], &logs[1]], 1000), read(lock, [&logs[0], &logs[1]], steps));
            let turned = read(lock, [&logs[1], &logs[0]], steps);
            for kind in [Kind::Lines, Kind::Boards] {
                prop_assert_eq!(all(&once, kind), all(&often, kind));
                let turn = |mut one: Difference| {
                    one.before.reverse();
                    one.after.reverse();
                    one
                };
                let back: Vec<Difference> = all(&turned, kind).into_iter().map(turn).collect();
                prop_assert_eq!(all(&once, kind), back);
                prop_assert_eq!(all(&once, kind).len(), once.count(kind));
            }
        }
    }

    #[test]
    fn a_match_that_grows_is_compared_as_far_as_both_are_there((a, b) in pair()) {
        let whole = [log(&a), log(&b)];
        let expected = read(Lock::Command, [&whole[0], &whole[1]], 1000);
        let mut diff = Diff::new(Lock::Command);
        for count in 0..=b.len() {
            let mut grown = Log::live(Game::Abalone);
            for (seq, (_, line)) in (1..).zip(&b[..count]) {
                let _ = grown.insert(seq, Micros(0), &Command::parse(Game::Abalone, line.as_bytes()));
            }
            while diff.read([&whole[0], &grown], 3) {}
        }
        while diff.read([&whole[0], &whole[1]], 3) {}
        prop_assert_eq!(all(&diff, Kind::Lines), all(&expected, Kind::Lines));
    }

    #[test]
    fn the_matching_moment_is_itself_in_the_same_match((a, b) in pair(), seq in 0_u64..40) {
        let logs = [log(&a), log(&b)];
        for lock in LOCKS {
            for side in 0..2 {
                let seq = seq.min(logs[side].last_seq());
                let t = logs[side].time_of(seq);
                let other = partner(lock, [&logs[0], &logs[1]], side, (seq, t));
                prop_assert!(other <= logs[1 - side].last_seq());
                let itself = partner(lock, [&logs[side], &logs[side]], 0, (seq, t));
                let expected = if lock == Lock::Time { logs[side].seq_at(t) } else { seq };
                prop_assert_eq!(itself, expected);
                // In as many pieces as one likes.
                let mut pairing = Pairing::default();
                let mut piece = || pairing.other(lock, [&logs[0], &logs[1]], side, (seq, t), 1);
                prop_assert_eq!((0..100).find_map(|_| piece()), Some(other));
            }
        }
    }
}

/// The command that belongs to a moment, however far it is.
fn partner(lock: Lock, logs: [&Log; 2], side: usize, moment: (u64, Micros)) -> u64 {
    Pairing::default().other(lock, logs, side, moment, usize::MAX).expect("as many turns as there are")
}

#[test]
fn a_far_difference_is_found_in_pieces() {
    let lines: Lines = (1..=5_000).map(|n| (1, format!("turns {n}"))).collect();
    let logs = [&log(&lines), &log(&lines)];
    let mut pairing = Pairing::default();
    let mut pieces = 0;
    let found = loop {
        pieces += 1;
        if let Some(found) = pairing.other(Lock::Turn, logs, 0, (4_000, Micros(0)), 100) {
            break found;
        }
    };
    // The turns of both, a hundred at a time.
    assert_eq!((found, pieces), (4_000, 81));
    let near = pairing.other(Lock::Turn, logs, 0, (3_999, Micros(0)), 0);
    assert_eq!(near, Some(3_999), "what was found is known");
}

#[test]
fn a_longer_turn_is_one_difference() {
    let lines = |words: &[&str]| words.iter().map(|line| (1, (*line).to_owned())).collect::<Lines>();
    let a = lines(&["turns 1", "set A0 b1", "turns 2", "set B0 b1", "turns 3"]);
    let b = lines(&["turns 1", "bsay Well", "set A0 b1", "turns 2", "set B0 b1", "turns 3"]);
    let logs = [&log(&a), &log(&b)];
    let by_turn = read(Lock::Turn, logs, 10);
    assert_eq!((by_turn.count(Kind::Lines), by_turn.count(Kind::Boards)), (1, 0));
    assert_eq!(by_turn.first(Kind::Lines).map(|first| first.lines(logs)), Some([Some(2), Some(2)]));
    // Number by number, everything after it differs.
    assert_eq!(read(Lock::Command, logs, 10).first(Kind::Boards).map(|first| first.after), Some([2, 2]));
    let other = |seq| partner(Lock::Turn, logs, 0, (seq, Micros(0)));
    assert_eq!((other(0), other(1), other(3), other(4), other(5)), (0, 1, 4, 5, 6));
}

#[test]
fn a_turn_that_has_not_come_to_its_end_is_not_compared_yet() {
    let lines: Vec<(u64, String)> =
        ["turns 1", "set A0 b1", "set B0 b1", "turns 2"].map(|line| (1, line.to_owned())).into();
    let whole = log(&lines);
    let mut live = Log::live(Game::Abalone);
    let mut diff = Diff::new(Lock::Turn);
    for seq in 1..=4 {
        let _ = live.insert(seq, whole.time_of(seq), &whole.command(seq).expect("a command"));
        while diff.read([&live, &whole], 10) {}
        assert_eq!(diff.first(Kind::Lines), None, "after {seq}");
    }
    assert!(diff.progress([&live, &whole]) >= 1.0);
}

#[test]
fn matches_of_two_games_are_never_read() {
    let mut diff = Diff::new(Lock::Command);
    assert!(!diff.read([&Log::live(Game::Abalone), &Log::live(Game::Grid)], 10));
}

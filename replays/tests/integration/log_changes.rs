//! A log of a long match that grows, is trimmed and filled again.

use grandstand_protocol::{Micros, Scene};
use grandstand_replays::{Cursor, Inserted, Log};
use proptest::prelude::*;

use super::log::{commands, scenes};

/// What a spectator does with the log of a long match.
#[derive(Debug, Clone)]
enum LogChange {
    /// So many more commands come.
    Grow(usize),
    /// It may take only so many thousands of bytes, seen from these places.
    Trim(usize, Vec<f64>),
    /// A stretch of so many commands is fetched, with the picture before it.
    Fetch(f64, usize),
    /// What is missing after the last known picture before this is fetched, without a picture.
    Fill(f64, usize),
    Seek(f64),
}

fn log_change() -> impl Strategy<Value = LogChange> {
    prop_oneof![
        3 => (1..1_200_usize).prop_map(LogChange::Grow),
        3 => (0..90_usize, prop::collection::vec(0.0..1.0_f64, 0..3)).prop_map(|(kb, near)| LogChange::Trim(kb, near)),
        2 => (0.0..1.0_f64, 1..900_usize).prop_map(|(from, count)| LogChange::Fetch(from, count)),
        2 => (0.0..1.0_f64, 1..900_usize).prop_map(|(from, count)| LogChange::Fill(from, count)),
        2 => (0.0..1.0_f64).prop_map(LogChange::Seek),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// However a log is trimmed and filled again, what it knows is right, and what it keeps is within its budget.
    #[test]
    fn what_is_dropped_and_fetched_again_is_what_it_was(
        (game, commands) in commands(5_000),
        changes in prop::collection::vec(log_change(), 1..30),
    ) {
        let scenes = scenes(game, &commands);
        let mut log = Log::live(game);
        let mut cursor = Cursor::new(&log);
        for change in changes {
            let last = log.last_seq() as usize;
            let place = |part: f64| (part * last as f64) as usize;
            let put = |log: &mut Log, seqs: std::ops::RangeInclusive<usize>| {
                for seq in seqs {
                    let (t, command) = &commands[seq - 1];
                    let there = log.line(seq as u64).is_some();
                    let expected = if there { Inserted::Known } else { Inserted::Added };
                    let late = log.late() + u64::from(!there && (seq as u64) <= log.last_seq());
                    prop_assert_eq!(log.insert(seq as u64, *t, command), expected);
                    prop_assert_eq!(log.late(), late);
                }
                Ok(())
            };
            match change {
                LogChange::Grow(count) => put(&mut log, last + 1..=(last + count).min(commands.len()))?,
                LogChange::Trim(kb, near) => {
                    let near: Vec<u64> = near.into_iter().map(|part| place(part) as u64).collect();
                    let lines = |log: &Log| near.iter().map(|seq| log.line(*seq).is_some()).collect::<Vec<_>>();
                    let before = (lines(&log), log.stretch(log.last_seq()).clone());
                    let dropped = log.trim(kb << 10, &near);
                    prop_assert_eq!(log.last_seq() as usize, last);
                    prop_assert_eq!(lines(&log), before.0);
                    if dropped {
                        let bare = Log::live(game).bytes();
                        // What is near stays: a run of chunks for each, and the end.
                        let spared = (near.len() + 1) * 160_000;
                        prop_assert!(log.bytes() <= (kb << 10) * 5 / 4 + spared + bare, "{} of {kb} KiB", log.bytes());
                    }
                }
                LogChange::Fetch(from, count) => {
                    let from = place(from);
                    let t = if from == 0 { Micros(0) } else { commands[from - 1].0 };
                    log.rebase(from as u64, t, scenes[from].clone());
                    put(&mut log, from + 1..=(from + count).min(last))?;
                }
                LogChange::Fill(from, count) => {
                    let from = *log.stretch(place(from) as u64).end() as usize;
                    put(&mut log, from + 1..=(from + count).min(last))?;
                }
                LogChange::Seek(to) => {
                    cursor.move_to(&log, place(to) as u64);
                    prop_assert_eq!(cursor.scene(), &scenes[cursor.seq() as usize]);
                    prop_assert_eq!(cursor.seq(), log.known(place(to) as u64));
                }
            }
        }
        check(&log, &scenes)?;
        for seq in 1..=log.last_seq() {
            let (t, command) = &commands[seq as usize - 1];
            let missing = log.gaps().iter().any(|gap| gap.contains(&seq));
            prop_assert_eq!(log.line(seq).is_none(), missing);
            if !missing {
                prop_assert_eq!(log.time_of(seq), *t);
                prop_assert_eq!(log.command(seq), Some(command.clone()));
            }
        }
        // Looking for the moment of a time narrows down to it.
        for (t, _) in commands.iter().take(log.last_seq() as usize).step_by(331) {
            let mut rounds = 0;
            while let Err(guess) = log.place_at(*t) {
                prop_assert!(log.gaps().iter().any(|gap| gap.contains(&guess)));
                let from = guess as usize - 1;
                let at = if from == 0 { Micros(0) } else { commands[from - 1].0 };
                log.rebase(from as u64, at, scenes[from].clone());
                prop_assert_eq!(log.insert(guess, commands[from].0, &commands[from].1), Inserted::Added);
                for seq in from + 2..=(from + 300).min(log.last_seq() as usize) {
                    let _ = log.insert(seq as u64, commands[seq - 1].0, &commands[seq - 1].1);
                }
                rounds += 1;
                prop_assert!(rounds < 100);
            }
            let expected = commands[..log.last_seq() as usize].iter().rposition(|(other, _)| other <= t);
            prop_assert_eq!(log.place_at(*t), Ok(expected.expect("this one") as u64 + 1));
        }
    }
}

/// Wherever a picture is known it is the right one; elsewhere it is the last known one.
pub(super) fn check(log: &Log, scenes: &[Scene]) -> Result<(), TestCaseError> {
    let mut cursor = Cursor::new(log);
    let mut seqs: Vec<u64> = (0..=log.last_seq()).step_by(97).collect();
    seqs.extend(log.gaps().iter().flat_map(|gap| [gap.start() - 1, *gap.start(), gap.end() - 1, *gap.end()]));
    for seq in seqs {
        let known = log.known(seq);
        prop_assert_eq!(known == seq, log.knows(seq));
        cursor.move_to(log, seq);
        prop_assert_eq!(cursor.seq(), known);
        prop_assert_eq!(cursor.scene(), &scenes[known as usize]);
        prop_assert_eq!(&log.scene_at(seq), &scenes[known as usize]);
        prop_assert_eq!(log.time_of(seq), log.time_of(known));
        if let Some(next) = log.known_after(seq) {
            prop_assert!(next > seq && log.knows(next) && (seq + 1..next).all(|seq| !log.knows(seq)));
        }
    }
    Ok(())
}

//! Marks of a log: scores, turns.

use grandstand_protocol::{Command, Game, MarkKind, Micros};
use grandstand_replays::{Inserted, Log};

#[test]
fn only_a_taken_control_point_scores() {
    let mut log = Log::live(Game::Fortress);
    let lines = [
        "time 3000",
        "point 2 0 0 none",
        "control 2 red",
        "control 2 red",
        "control 2 none",
        "time 3000",
        "time 2000",
        "say red hi",
        "control 4 blue",
        "init",
    ];
    for (seq, line) in (1..).zip(lines) {
        let command = Command::parse(Game::Fortress, line.as_bytes());
        assert_eq!(log.insert(seq, Micros(seq), &command), Inserted::Added);
    }
    let marks: Vec<_> = log.marks(0, u64::MAX).map(|mark| (mark.seq, mark.kind)).collect();
    let score = |seq| (seq, MarkKind::Score);
    assert_eq!(
        marks,
        [
            (1, MarkKind::Turn),
            (3, MarkKind::ScoreRise),
            score(4),
            score(5),
            (7, MarkKind::Turn),
            (8, MarkKind::Talk),
            score(9),
            (10, MarkKind::Turn)
        ],
        "the point 4 of no place is nobody's rise"
    );
}

#[test]
fn scores_that_rise_are_told_from_others() {
    let mut log = Log::live(Game::Abalone);
    for (seq, line) in (1..).zip(["bscore 0", "bscore 2", "bscore 2", "wscore 1", "bscore 1", "wscore ~1"]) {
        assert_eq!(
            log.insert(seq, Micros(seq), &Command::parse(Game::Abalone, line.as_bytes())),
            Inserted::Added
        );
    }
    let rises: Vec<u64> =
        log.marks(0, u64::MAX).filter(|mark| mark.kind == MarkKind::ScoreRise).map(|mark| mark.seq).collect();
    assert_eq!(rises, [2, 4]);
    assert_eq!(log.marks(0, u64::MAX).count(), 6);
}

#[test]
fn a_move_ends_with_what_came_with_it_also_where_the_next_one_has_its_time() {
    let mut log = Log::live(Game::Pente);
    let commands = [
        (0, "board 19"),
        (7, "move black k10"),
        (7, "captures black 1"),
        (7, "turn white"),
        (7, "move white a1"),
        (7, "turn black"),
        (9, "move black c3"),
        (9, "turn white"),
    ];
    for (seq, (t, line)) in (1..).zip(commands) {
        let command = Command::parse(Game::Pente, line.as_bytes());
        assert_eq!(log.insert(seq, Micros(t), &command), Inserted::Added);
    }
    assert_eq!([0, 4, 6, 8].map(|seq| log.next_turn(seq)), [Some(4), Some(6), Some(8), None]);
    assert_eq!([8, 6, 5, 4].map(|seq| log.previous_turn(seq)), [Some(6), Some(4), Some(4), None]);
}

#[test]
fn a_turn_ends_with_what_is_drawn_at_the_same_time() {
    let mut log = Log::live(Game::Abalone);
    let commands = [
        (0, "set A0 b0"),
        (10, "turns 1"),
        (10, "set A0 e"),
        (10, "set A0 b0"),
        (15, "set A0 b1"),
        (20, "turns 2"),
    ];
    for (seq, (t, line)) in (1..).zip(commands) {
        assert_eq!(
            log.insert(seq, Micros(t), &Command::parse(Game::Abalone, line.as_bytes())),
            Inserted::Added
        );
    }
    assert_eq!((log.next_turn(0), log.next_turn(4), log.next_turn(6)), (Some(4), Some(6), None));
    assert_eq!((log.previous_turn(6), log.previous_turn(5), log.previous_turn(4)), (Some(4), Some(4), None));
}

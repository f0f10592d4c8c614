//! Copies of a match with a viewer's bookmarks: what is read back is the match and the markers, at their places.

use grandstand_protocol::MarkKind;
use grandstand_protocol::{Command, Marker};
use grandstand_replays::{Limits, Marked, Replay};
use proptest::prelude::*;

const EVERYTHING: &[u8] = include_bytes!("../v1/everything.replay");

fn bookmark(label: &str) -> Marker {
    Marker { label: label.into(), kind: Some("bookmark".into()), team: None }
}

/// The copy, and where in it which of the markers stand.
fn marked(replay: &Replay, marks: &[(u64, String)], step: u64) -> Replay {
    let marks = marks.iter().map(|(seq, label)| (*seq, bookmark(label))).collect();
    let mut copy = Marked::new(replay.header(), marks);
    while !copy.copy(replay.log(), step).expect("nothing is missing") {}
    let copy = Replay::open(&copy.into_file(), Limits::default()).expect("a replay");
    assert!(copy.damage().is_none(), "{:?}", copy.damage());
    copy
}

proptest! {
    #[test]
    fn a_copy_is_the_match_with_the_markers_in_it(
        marks in proptest::collection::vec((0_u64..12, "[ -~é\u{1}]{0,20}"), 0..6),
        step in 1_u64..5,
    ) {
        let replay = Replay::open(EVERYTHING, Limits::default()).expect("a replay");
        let copy = marked(&replay, &marks, step);
        prop_assert_eq!(copy.header(), replay.header());
        prop_assert_eq!(copy.result(), replay.result());
        prop_assert_eq!(copy.log().end_time(), replay.log().end_time());
        let last = replay.log().last_seq();
        // Markers of places behind the end are not made up.
        let mut expected: Vec<(u64, String)> =
            marks.into_iter().filter(|(seq, _)| *seq <= last).collect();
        expected.sort_by_key(|(seq, _)| *seq);
        let mut found = Vec::new();
        let mut seq = 0;
        for at in 1..=copy.log().last_seq() {
            match copy.log().command(at) {
                Some(Command::Marker(marker)) if marker.kind.as_deref() == Some("bookmark") => {
                    found.push((seq, marker.label.to_string()));
                    prop_assert_eq!(copy.log().time_of(at), replay.log().time_of(seq));
                }
                _ => {
                    seq += 1;
                    prop_assert_eq!(copy.log().line(at), replay.log().line(seq));
                    prop_assert_eq!(copy.log().time_of(at), replay.log().time_of(seq));
                }
            }
        }
        prop_assert_eq!(seq, last);
        let labels = |list: &[(u64, String)]| {
            let mut list: Vec<(u64, String)> =
                list.iter().map(|(seq, label)| (*seq, grandstand_protocol::clean_text(label))).collect();
            list.sort();
            list
        };
        prop_assert_eq!(labels(&found), labels(&expected));
    }
}

#[test]
fn a_bookmark_is_a_marker_of_the_log_and_a_gap_is_told() {
    let replay = Replay::open(EVERYTHING, Limits::default()).expect("a replay");
    let copy = marked(&replay, &[(1, "mine".to_owned())], u64::MAX);
    let mark = copy.log().next_mark(0, |kind| kind == MarkKind::Marker).expect("a marker");
    assert_eq!(mark.seq, 2);
    let mut late = grandstand_replays::Log::live(replay.header().game);
    late.rebase(2, replay.log().time_of(2), replay.log().scene_at(2));
    let mut copy = Marked::new(replay.header(), Vec::new());
    assert_eq!(
        copy.copy(&late, 10).map_err(|missing| missing.to_string()),
        Err("command 1 is missing".to_owned())
    );
}

#[test]
fn a_copy_of_a_copy_can_leave_its_markers_out() {
    let replay = Replay::open(EVERYTHING, Limits::default()).expect("a replay");
    let copy = marked(&replay, &[(1, "mine".to_owned()), (3, "too".to_owned())], u64::MAX);
    let mine: Vec<u64> = (1..=copy.log().last_seq())
        .filter(|seq| match copy.log().command(*seq) {
            Some(Command::Marker(marker)) => marker.kind.as_deref() == Some("bookmark"),
            _ => false,
        })
        .collect();
    assert_eq!(mine, [2, 5]);
    for kept in [Vec::new(), vec![(2, bookmark("mine"))]] {
        let count = kept.len() as u64;
        let mut again = Marked::new(copy.header(), kept).without(mine.clone());
        while !again.copy(copy.log(), 2).expect("nothing is missing") {}
        let again = Replay::open(&again.into_file(), Limits::default()).expect("a replay");
        assert_eq!(again.log().last_seq(), replay.log().last_seq() + count);
        assert_eq!(again.log().line(1), replay.log().line(1));
        // A bookmark that stays stands where it stood.
        assert_eq!(again.log().line(2), if count > 0 { copy.log().line(2) } else { replay.log().line(2) });
        assert_eq!(again.log().end_time(), replay.log().end_time());
    }
}

//! Recordings that are opened, refused, or played up to their first difference.

use grandstand_insight::{Insight, Moment, OpenError};
use grandstand_matches::MatchSpec as _;
use grandstand_protocol::{Game, MatchHeader};

use crate::support::{abalone, recording, replay, shipped_bot};

fn file_of(change: impl FnOnce(&mut MatchHeader)) -> Vec<u8> {
    let team = |name| shipped_bot(Game::Abalone, name);
    let spec = abalone(7, 60_000, [team("simple_bot"), team("random")]);
    let mut header = spec.header(None);
    change(&mut header);
    recording(&spec, &header)
}

fn refused(change: impl FnOnce(&mut MatchHeader)) -> String {
    Insight::of_replay(&replay(&file_of(change))).unwrap_err().to_string()
}

#[test]
fn a_recording_is_played_again_command_for_command() {
    let replay = replay(&file_of(|_| {}));
    let mut insight = Insight::of_replay(&replay).unwrap();
    insight.play_out();
    let compared = insight.compared();
    assert_eq!((&compared.difference, compared.cut), (&None, None));
    assert!(compared.same > 100);
    assert_eq!(Some(&insight.ending().unwrap().result()), replay.result());
    for cycle in [0, 2_000, 4_001, 59_999] {
        let seq = insight.seq_at(cycle);
        assert!(insight.cycle_of(seq).unwrap() <= cycle);
        assert!(insight.cycle_of(seq + 1).is_none_or(|next| next > cycle), "{cycle}");
    }
}

#[test]
fn programs_that_are_missing_or_not_their_own_are_refused_in_words() {
    let hash = refused(|header| header.programs[1].sha256 = "0123".into());
    assert!(
        hash.starts_with("white's program random.cl in the recording is not the one that played"),
        "{hash}"
    );
    let missing = refused(|header| header.programs[0].source = None);
    assert!(missing.starts_with("the recording has no source of black's program simple_bot.cl"), "{missing}");
    let seedless = refused(|header| header.seed = None);
    assert_eq!(seedless, "the header does not tell the match's seed");
    let header = MatchHeader::default();
    assert!(matches!(Insight::of_header(Game::Gomoku, &header), Err(OpenError::Game(_))));
}

#[test]
fn another_match_is_played_up_to_where_it_parts_from_its_recording() {
    let file = String::from_utf8(file_of(|_| {})).unwrap();
    let changed = file.replacen("\"seed\":7", "\"seed\":8", 1);
    let mut insight = Insight::of_replay(&replay(changed.as_bytes())).unwrap();
    insight.play_out();
    let difference = insight.compared().difference.clone().expect("another seed plays otherwise");
    let words = difference.to_string();
    assert!(words.contains(&format!("cycle {}", difference.cycle)), "{words}");
    assert!(words.contains("nothing in the recording says"), "{words}");
    assert!(insight.cycle() < 60_000);
    assert!(insight.at(Moment::end_of(difference.cycle.saturating_sub(1)), 1).is_ok());

    let by = file.replacen("\"rules\":1,\"language\"", "\"rules\":77,\"language\"", 1);
    assert_ne!(by, file);
    let other = by.replacen("\"seed\":7", "\"seed\":8", 1);
    let mut insight = Insight::of_replay(&replay(other.as_bytes())).unwrap();
    insight.play_out();
    assert!(insight.compared().difference.as_ref().unwrap().versions.as_ref().unwrap().contains("77"));
}

#[test]
fn a_truncated_recording_is_played_past_its_end_and_says_so() {
    let file = file_of(|_| {});
    let half = &file[..file.len() * 2 / 3];
    let mut insight = Insight::of_replay(&replay(half)).unwrap();
    insight.play_out();
    let compared = insight.compared();
    assert_eq!(compared.difference, None);
    assert!(compared.cut.is_some_and(|cycle| cycle > 2_000), "{compared:?}");
    assert!(insight.ending().is_some());
}

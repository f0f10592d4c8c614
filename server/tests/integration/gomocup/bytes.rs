//! Arbitrary bytes, split anywhere: the bodies of the fuzz targets with a seeded driver, and properties.

use std::time::Duration;

use grandstand_players::gomocup::manager::{Event, Limits, Manager, Question};
use grandstand_players::gomocup::{TruncatingLineDecoder, fuzz};
use grandstand_rules::SplitMix64;
use grandstand_rules::stones::Rule;
use proptest::prelude::*;

use super::pair::setup;

/// Random lines of these words, with some damage.
fn noise(random: &mut SplitMix64, words: &[&str]) -> Vec<u8> {
    let mut data = Vec::new();
    for _ in 0..random.below(40) {
        data.extend_from_slice(random.choose(words).unwrap().as_bytes());
        data.extend_from_slice(random.choose(&[&b"\r\n"[..], b"\n", b"\r", b" ", b""]).unwrap());
    }
    for _ in 0..random.below(4) {
        if !data.is_empty() {
            let at = random.below(data.len() as u64) as usize;
            data[at] = random.next_u64() as u8;
        }
    }
    data
}

#[test]
fn lines() {
    let mut random = SplitMix64::new(1);
    fuzz::lines(b"");
    for _ in 0..3_000 {
        fuzz::lines(&noise(
            &mut random,
            &["OK", "7,7", "\u{e9}", "\0", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ));
    }
}

#[test]
fn brain() {
    let words = [
        "START 15",
        "START 6",
        "START 20",
        "RECTSTART 9,9",
        "RECTSTART 9,8",
        "PENTESTART 19",
        "RESTART",
        "BEGIN",
        "TURN 7,7",
        "TURN 3,4",
        "TURN 4,4",
        "PLAY 2,2",
        "BOARD",
        "YXBOARD",
        "SWAP2BOARD",
        "DONE",
        "1,1,1",
        "2,2,2",
        "3,3,2",
        "4,4,1",
        "5,5,3",
        "1,2",
        "1,3",
        "TAKEBACK 7,7",
        "TAKEBACK 2,2",
        "INFO rule 1",
        "INFO rule 4",
        "INFO rule 8",
        "INFO timeout_turn 100",
        "INFO timeout_turn 0",
        "INFO timeout_match 1000",
        "INFO time_left -5",
        "INFO time_left 900",
        "INFO max_memory 1",
        "INFO thread_num 9",
        "INFO max_depth 3",
        "INFO max_node 50",
        "INFO hash_size 1024",
        "INFO time_increment 7",
        "ABOUT",
        "YXSTOP",
        "YXHASHCLEAR",
        "YXSHOWFORBID",
        "END",
        "HELLO",
        "START 3",
        "START 99999999999999999999",
    ];
    let mut random = SplitMix64::new(2);
    fuzz::brain(b"");
    for case in 0..4_000 {
        let mut data = if case % 4 > 0 { b"START 15\n".to_vec() } else { Vec::new() };
        data.extend(noise(&mut random, &words));
        fuzz::brain(&data);
    }
}

#[test]
fn manager() {
    let words = [
        "OK",
        "7,7",
        "8,8",
        "99,99",
        "SUGGEST 7,7",
        "SWAP",
        "7,7 8,8 9,9",
        "7,7 8,8",
        "MESSAGE depth 3 ev 4 pv h8",
        "DEBUG x",
        "ERROR no",
        "UNKNOWN",
        "name=\"x\"",
        "hello",
        "7,",
        "OK",
        "OK",
    ];
    let mut random = SplitMix64::new(3);
    fuzz::manager(b"");
    for case in 0..4_000_u32 {
        let mut data = vec![random.next_u64() as u8];
        if case.is_multiple_of(2) {
            data.extend_from_slice(b"OK\n");
        }
        data.extend(noise(&mut random, &words));
        fuzz::manager(&data);
    }
}

/// All events of an engine that is asked for a first move and sends these pieces.
fn events(pieces: &[&[u8]]) -> Vec<Event> {
    let mut manager =
        Manager::new(setup(15, Rule::Freestyle), Limits::default(), Some(Duration::from_secs(1)));
    manager.input(b"OK\nname=\"it\"\n");
    manager.ask(Question::Move(Vec::new()), None, Some(Duration::from_secs(2)));
    pieces.iter().for_each(|piece| manager.input(piece));
    manager.timeout(Duration::from_secs(3));
    std::iter::from_fn(|| manager.event()).collect()
}

proptest! {
    #[test]
    fn a_manager_hears_the_same_however_the_bytes_are_cut(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("7,7".to_owned()), Just("OK".to_owned()), Just("MESSAGE depth 3 ev 1 pv h8".to_owned()),
                Just("SUGGEST 1,1".to_owned()), ".{0,20}",
            ],
            0..8,
        ),
        ends in proptest::collection::vec(prop_oneof![Just("\n"), Just("\r"), Just("\r\n")], 8),
        cut in 1..9_usize,
    ) {
        let text: String = lines.iter().zip(&ends).map(|(line, end)| format!("{line}{end}")).collect();
        let whole = events(&[text.as_bytes()]);
        let pieces: Vec<&[u8]> = text.as_bytes().chunks(cut).collect();
        prop_assert_eq!(&whole, &events(&pieces));
        let settled = |event: &&Event| matches!(event, Event::Points(_) | Event::Fault(_));
        prop_assert_eq!(whole.iter().filter(settled).count(), 1);
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut(data: Vec<u8>, cuts: Vec<usize>) {
        let read = |pieces: &mut dyn Iterator<Item = &[u8]>| {
            let mut lines = TruncatingLineDecoder::new(32);
            pieces.for_each(|piece| lines.push(piece));
            (std::iter::from_fn(|| lines.next_line()).collect::<Vec<_>>(), lines.rest())
        };
        let mut rest = &data[..];
        let mut pieces = Vec::new();
        for cut in cuts {
            let (piece, after) = rest.split_at(cut % (rest.len() + 1));
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
        prop_assert_eq!(read(&mut pieces.into_iter()), read(&mut std::iter::once(&data[..])));
    }
}

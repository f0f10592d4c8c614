//! Tests of reviews of Gomoku, Pente and Riskless.

use std::sync::atomic::AtomicBool;

use grandstand_insight::turns::{Grade, Kind, MoveReview, Review, ReviewError, ReviewSession};
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::games::stones::Stones;
use grandstand_matches::turns::game::{Beginning, TurnGame};
use grandstand_protocol::{Game, MatchHeader, MatchResult, Micros};
use grandstand_replays::{Header, Limits, Replay, Writer};
use grandstand_rules::turn::{Drawn, Position as _};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NODES: u64 = 4_000;

fn rules(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Recording of a match with these moves; `extra` commands are at its end.
fn recording<G: TurnGame>(
    game: Game,
    rules: &Map<String, Value>,
    moves: &str,
    won: Option<&str>,
    extra: &[&str],
) -> Replay {
    let settings = G::read(game, rules.clone()).unwrap();
    let about = MatchHeader { rules: Some(Value::Object(rules.clone())), ..MatchHeader::default() };
    let mut writer = Writer::new(Vec::new(), &Header::new(game, about)).unwrap();
    let Beginning { mut position, drawing, .. } = settings.beginning();
    let mut t = 0;
    for command in &drawing {
        writer.command(Micros(t), command).unwrap();
    }
    for text in moves.split_whitespace() {
        t += 1_000_000;
        let mv = position.parse_move(text).unwrap();
        position.check(mv).unwrap_or_else(|illegal| panic!("{text}: {illegal}"));
        let mut after = position.clone();
        after.advance(mv);
        for command in position.draw_move(mv, &after) {
            writer.command(Micros(t), &command).unwrap();
        }
        position = after;
    }
    for line in extra {
        writer.command(Micros(t), &grandstand_protocol::Command::parse(game, line.as_bytes())).unwrap();
    }
    if let Some(winner) = won {
        let end = position.end().map_or("time", |end| end.termination);
        let result =
            MatchResult { winner: Some(winner.into()), termination: end.into(), ..MatchResult::default() };
        writer.result(Micros(t), &result).unwrap();
    }
    Replay::open(&writer.into_inner(), Limits::default()).unwrap()
}

fn gomoku(moves: &str, won: Option<&str>) -> Replay {
    recording::<Stones>(Game::Gomoku, &rules(json!({ "OPENING": "free" })), moves, won, &[])
}

fn reviewed(replay: &Replay) -> Review {
    let mut reviewing = ReviewSession::of_replay(replay, NODES).unwrap();
    while reviewing.work(&AtomicBool::new(false)) {}
    reviewing.review()
}

/// Each side has three in a row and two above its end, so the side to move wins by fours.
const BOTH_WIN_BY_FOURS: &str = "e8 e3 f8 f3 g8 g3 h9 h4 h10 h5 d3 d8";

#[test]
fn a_win_by_fours_that_was_missed_is_the_move_that_lost() {
    let replay = gomoku(&format!("{BOTH_WIN_BY_FOURS} a1 h3 i3 h6 h7 h2"), Some("white"));
    let review = reviewed(&replay);
    let made = review.decisive().unwrap();
    assert_eq!((made.number, &*made.text, made.grade), (13, "a1", Some(Grade::Blunder)));
    let cause = made.cause.as_ref().unwrap();
    assert_eq!(cause.kind, Kind::MissedWin);
    assert!(cause.text.starts_with("black had a win by fours from h8: h8 i8 "), "{cause}");
    assert_eq!(made.better[0], "h8");
    assert_eq!(made.reply[0], "h3");
    assert_eq!(made.chances, [1.0, 0.0]);
    let words = review.words();
    let first = "black (black) lost in 18 moves against white (white), by five. Move 13 a1 lost: black had a win by fours from h8";
    assert!(words.starts_with(first), "{words}");
    assert_eq!(review.json()["decisive"], 13);
}

#[test]
fn an_open_three_that_was_not_answered_is_the_move_that_lost() {
    let replay = gomoku("h8 g7 i8 h7 j10 i7 a1 j7 f7 k7", Some("white"));
    let review = reviewed(&replay);
    let made = review.decisive().unwrap();
    assert_eq!((made.number, &*made.text, made.grade), (7, "a1", Some(Grade::Blunder)));
    let cause = made.cause.as_ref().unwrap();
    assert_eq!(cause.kind, Kind::Threat);
    assert!(cause.text.starts_with("white's open three was not answered: "), "{cause}");
}

#[test]
fn a_fifth_pair_that_is_captured_in_pente_is_a_threat_that_was_not_met() {
    // Each side captures four pairs.
    let by_white = [1, 4, 7, 10].map(|y| format!("b{y} a{y} c{y} d{y}")).join(" ");
    let by_black = [(2, "m2", "q3"), (5, "o5", "s6"), (8, "m8", "q9"), (11, "o11", "s12")];
    let by_black = by_black.map(|(y, black, white)| format!("f{y} g{y} {black} h{y} i{y} {white}")).join(" ");
    let moves = format!("{by_white} {by_black} b13 k19 c13 a13 m16 d13");
    let all = rules(json!({ "OPENING": "free" }));
    let review = reviewed(&recording::<Stones>(Game::Pente, &all, &moves, Some("white"), &[]));
    let made = review.moves.iter().find(|made| made.text == "m16").unwrap();
    let cause = made.cause.as_ref().unwrap();
    assert_eq!(cause.kind, Kind::Threat);
    assert_eq!(cause.text, "white's threat to take the fifth pair was not met: it is taken by d13");
    assert_eq!(review.termination.as_deref(), Some("captures"));
}

fn small_map() -> Map<String, Value> {
    let lines = [
        "title = \"Small\"",
        "cap = 20",
        "goal = 60",
        "draw_plies = 100",
        "territories = [",
        "{ name = \"Home\", x = 100, y = 100, maxie = 5 },",
        "{ name = \"Fort\", x = 300, y = 100, minnie = 3 },",
        "{ name = \"Keep\", x = 500, y = 100, minnie = 3 },",
        "{ name = \"Moor\", x = 100, y = 500 },",
        "]",
        "roads = [[\"Home\", \"Fort\"], [\"Fort\", \"Keep\"], [\"Home\", \"Moor\"], [\"Keep\", \"Moor\"]]",
    ];
    rules(json!({ "MAP": lines }))
}

#[test]
fn where_no_single_move_lost_the_verdict_names_the_move_after_which_the_win_was_forced() {
    let replay = gomoku(
        "h8 g7 g6 i8 f7 h5 e6 i5 g8 h9 f6 h6 f8 k3 j4 f9 f5 f4 d5 c4 d6 c6 d8 e8 d7 d4 d9",
        Some("black"),
    );
    let review = reviewed(&replay);
    assert!(review.decisive().is_none());
    let forced = review.forced().expect("a move");
    let named = format!("and after move {} {} the win was forced.", forced.number, forced.text);
    assert!(review.verdict().ends_with(&named), "{}", review.verdict());
}

#[test]
fn a_territory_that_armies_leave_to_the_enemy_is_a_blunder_in_riskless() {
    let replay = recording::<Riskless>(Game::Riskless, &small_map(), "Home-Moor Fort-Home", None, &[]);
    let review = reviewed(&replay);
    assert_eq!(review.winner, None);
    let made = review.mistakes()[0];
    assert_eq!((made.number, &*made.text), (1, "Home → Moor"));
    let cause = made.cause.as_ref().unwrap();
    assert_eq!(cause.kind, Kind::LeftOpen, "{cause}");
    assert_eq!(cause.text, "it left Home with few armies: minnie takes it from Fort, 4 against 1");
    assert_eq!(made.better[0], "Home → Fort");
}

#[test]
fn the_same_match_with_the_same_nodes_gives_the_same_review() {
    let replay = gomoku(&format!("{BOTH_WIN_BY_FOURS} a1 h3"), None);
    assert_eq!(reviewed(&replay), reviewed(&replay));
}

/// Games of engines with few positions a move, whose mistakes a longer search sees.
const PLAYED_BY_ENGINES: [&str; 3] = [
    "h8 h7 g7 i9 f8 e9 g8 i8 g6 g9 f6 e8 e6 h9 f9 j9 k9 k10 l11 f7 d6 h6 c6",
    "h8 g8 g6 h6 i5 f7 e6 f9 h7 f5 f6 g9 g10 e9 d9 i9 h9 f11 h10 h11 f10 i10 d10 e10 d11 d8 e11 i11 i12 j9 d12 d13",
    "h8 h7 g9 i7 g7 i9 i8 g8 f9 j8 k7 k9 h6 f8 l10 e8 d8 d9 f7 f11 e7 f6 k6 e10 c8 e12 j6 g12 h13 i6 l8 i5 k4 k5",
];

#[test]
fn a_position_has_one_chance_after_a_move_and_before_the_next_one() {
    for moves in PLAYED_BY_ENGINES {
        let review = reviewed(&gomoku(moves, None));
        for two in review.moves.windows(2) {
            let (left, had) = (two[0].chances[1], two[1].chances[0]);
            assert!(
                (left + had - 1.0).abs() < 1e-9,
                "{} {:?}",
                two[1].number,
                [&two[0].chances, &two[1].chances]
            );
        }
        // Nothing that was lost is without a mark.
        let lost = |made: &&MoveReview| made.chances[0] - made.chances[1] >= 0.1;
        assert!(review.moves.iter().filter(lost).all(|made| made.grade.is_some() && !made.better.is_empty()));
    }
}

#[test]
fn a_review_that_is_stopped_tells_what_it_has_found() {
    let replay = gomoku(&format!("{BOTH_WIN_BY_FOURS} a1 h3 i3 h6 h7 h2"), Some("white"));
    let mut reviewing = ReviewSession::of_replay(&replay, NODES).unwrap();
    for _ in 0..3 {
        assert!(reviewing.work(&AtomicBool::new(false)));
    }
    assert!(!reviewing.work(&AtomicBool::new(true)));
    let review = reviewing.review();
    assert!(!review.is_complete());
    assert_eq!(review.moves.iter().map(|made| made.number).collect::<Vec<_>>(), [17, 18]);
    assert!(review.words().contains("stopped after 3 of 19 positions"), "{}", review.words());
}

#[test]
fn a_match_that_a_clock_ended_in_a_good_position_was_lost_by_no_move() {
    let review = reviewed(&gomoku("h8 i9 h9 h10", Some("white")));
    let words = review.words();
    assert!(
        words.contains("by time. No move lost it: it ended by time when black had a chance of "),
        "{words}"
    );
}

#[test]
fn recordings_that_cannot_be_followed_are_told_of_in_words() {
    let all = rules(json!({ "OPENING": "free" }));
    let of = |extra: &[&str]| recording::<Stones>(Game::Gomoku, &all, "h8 i9", None, extra);
    let remark = |replay: &Replay| reviewed(replay).remarks.join("; ");
    assert!(remark(&of(&[])).contains("no result"));
    let illegal = "move 3, h8, is illegal: h8 has a black stone; the match is reviewed up to there";
    assert!(remark(&of(&["move black h8", "move white j9"])).contains(illegal));
    assert!(remark(&of(&["move white h9"])).contains("move 3, h9, is illegal: it is black's turn"));
    let empty = recording::<Stones>(Game::Gomoku, &all, "", None, &[]);
    assert!(matches!(ReviewSession::of_replay(&empty, NODES), Err(ReviewError::Empty)));
    let replay = Replay::open(b"{\"grandstand\":1,\"game\":\"abalone\"}\n", Limits::default()).unwrap();
    let refused = ReviewSession::of_replay(&replay, NODES).unwrap_err().to_string();
    assert!(refused.contains("no engine reviews matches of abalone"), "{refused}");
}

#[test]
fn a_match_of_another_version_is_reviewed_with_a_note() {
    let file = b"{\"grandstand\":1,\"game\":\"gomoku\",\"rules\":{\"OPENING\":\"free\"},\"by\":{\"grandstand\":\"0.0.1\",\"rules\":77}}\n[0,\"c\",\"board 15\"]\n[0,\"c\",\"move black h8\"]\n";
    let replay = Replay::open(file, Limits::default()).unwrap();
    let remarks = reviewed(&replay).remarks.join("; ");
    assert!(remarks.contains("version 77 of the rules"), "{remarks}");
}

#[test]
fn a_recording_without_rules_is_reviewed_by_the_usual_ones() {
    let file = b"{\"grandstand\":1,\"game\":\"gomoku\"}\n[0,\"c\",\"board 19\"]\n[0,\"c\",\"move black j10\"]\n[1,\"c\",\"mov";
    let review = reviewed(&Replay::open(file, Limits::default()).unwrap());
    assert_eq!(review.length, 1);
    assert!(review.remarks.iter().any(|remark| remark.contains("the header has no rules")));
    assert!(review.remarks.iter().any(|remark| remark.contains("damaged") || remark.contains("cut off")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn any_lines_are_reviewed_or_refused(
        game in 0..6_u8,
        lines in proptest::collection::vec(
            ("(move|set|board|names|win|map|turn)", "(black|white|maxie|minnie|7|9)", "([a-g][1-7]|[0-9] [0-9])"),
            0..40,
        ),
    ) {
        let lines: Vec<String> = lines.iter().map(|(a, b, c)| format!("{a} {b} {c}")).collect();
        let bytes = [&[game], lines.join("\n").as_bytes()].concat();
        grandstand_insight::fuzz::reviews(&bytes);
    }
}

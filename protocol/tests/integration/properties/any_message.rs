//! Messages of all sorts.

use grandstand_protocol::message::{MatchId, MatchState};
use grandstand_protocol::{
    Choice, Game, MatchResult, MatchSummary, Message, Question, Seat, SeatLine, SeatPost, SeatRequest,
    Setting, SettingValue, Software, TeamInfo,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::any::{color, commands, label, micros, nasty_text, scene_of};

fn result() -> impl Strategy<Value = MatchResult> {
    let detail = vec(("[a-s]{1,4}", any::<f64>().prop_map(serde_json::Value::from)), 0..3);
    (option::of(label()), label(), detail).prop_map(|(winner, termination, detail)| MatchResult {
        winner,
        termination,
        detail: detail.into_iter().collect(),
    })
}

/// Seats of different teams.
fn seats() -> impl Strategy<Value = Vec<Seat>> {
    let choice = (label(), label()).prop_map(|(text, label)| Choice { text, label });
    let question = (label(), any::<u8>(), vec(choice, 0..3));
    let question = question.prop_map(|(text, places, choices)| Question { text, places, choices });
    vec((label(), any::<bool>(), option::of(label()), option::of(question)), 0..3).prop_map(|seats| {
        let mut distinct: Vec<Seat> = Vec::new();
        for (team, taken, name, question) in seats {
            if distinct.iter().all(|seat| seat.team != team) {
                distinct.push(Seat { team, taken, name, question });
            }
        }
        distinct
    })
}

/// Settings of different names.
fn setup() -> impl Strategy<Value = Vec<Setting>> {
    let value = (label(), label()).prop_map(|(value, label)| SettingValue { value, label });
    vec((label(), label(), label(), vec(value, 0..3)), 0..3).prop_map(|settings| {
        let mut distinct: Vec<Setting> = Vec::new();
        for (name, label, value, values) in settings {
            if distinct.iter().all(|setting| setting.name != name) {
                distinct.push(Setting { name, label, value, values });
            }
        }
        distinct
    })
}

fn seat_request() -> impl Strategy<Value = SeatRequest> {
    prop_oneof![
        option::of(label()).prop_map(|name| SeatRequest::Take { name }),
        (any::<u32>(), label()).prop_map(|(ply, text)| SeatRequest::Move { ply, text }),
        Just(SeatRequest::Leave),
        proptest::collection::btree_map(label(), label(), 0..4)
            .prop_map(|settings| SeatRequest::New { settings }),
    ]
}

pub(crate) fn seat_line() -> impl Strategy<Value = SeatLine> {
    (any::<u64>(), label(), seat_request()).prop_map(|(id, team, request)| SeatLine { id, team, request })
}

pub(crate) fn seat_post() -> impl Strategy<Value = SeatPost> {
    (option::of(label()), any::<String>(), seat_request()).prop_map(|(team, token, request)| match request {
        SeatRequest::Take { name } => SeatPost::take(team, name),
        request => SeatPost { team: None, token, request },
    })
}

pub(crate) fn by() -> impl Strategy<Value = Software> {
    let by = (label(), any::<u32>(), option::of(any::<u32>()));
    by.prop_map(|(grandstand, rules, language)| Software { grandstand, rules, language })
}

fn summary(game: Game) -> impl Strategy<Value = MatchSummary> {
    let state = select(vec![MatchState::Live, MatchState::Finished, MatchState::Interrupted]);
    let teams = vec((label(), color()).prop_map(|(name, color)| TeamInfo { name, color }), 0..3);
    let id = "[A-Za-z0-9_-]{1,64}".prop_map(|id| id.parse::<MatchId>().expect("an id"));
    let rules = option::of(label().prop_map(|text| serde_json::json!({ "MAX_BOTS": 3, "word": &*text })));
    (
        id,
        (label(), option::of(label()), option::of(label())),
        teams,
        (rules, option::of(by())),
        (seats(), setup()),
        state,
        (any::<(u64, u64)>(), option::of(micros())),
        option::of(result()),
    )
        .prop_map(
            move |(
                id,
                (title, event, round),
                teams,
                (rules, by),
                (seats, setup),
                state,
                ((seq, spectators), now),
                result,
            )| MatchSummary {
                id,
                game,
                title,
                event,
                round,
                teams,
                rules,
                by,
                seats,
                setup,
                state,
                started: "2026-05-06T18:00:00Z".into(),
                seq,
                now,
                spectators,
                result,
            },
        )
}

pub(crate) fn message() -> impl Strategy<Value = (Game, Message)> {
    (commands(), any::<u64>(), micros()).prop_flat_map(|((game, commands), seq, t)| {
        let scene = scene_of(game, &commands);
        let message = prop_oneof![
            summary(game).prop_map(|r#match| Message::Hello { protocol: 1, r#match }),
            Just(Message::Scene { seq, t, scene }),
            Just(Message::Commands { seq, t, commands }),
            seats().prop_map(|seats| Message::Seats { seats }),
            option::of(result()).prop_map(move |result| Message::End { seq, t, result }),
            nasty_text().prop_map(|message| Message::Error { message }),
        ];
        (Just(game), message)
    })
}

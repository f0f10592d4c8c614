//! Matches of Riskless between our players, through the referee.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

use grandstand::arena::Fixture;
use grandstand::turns::fixture::{TurnMatch, read_settings};
use grandstand::turns::game::TurnGame;
use grandstand::turns::games::riskless::Riskless;
use grandstand_protocol::riskless::Command as Drawn;
use grandstand_protocol::{Command, Game};
use grandstand_rules::riskless::Move;
use grandstand_rules::turn::Position as _;
use grandstand_search::alphabeta;
use grandstand_search::riskless::Balance;
use serde_json::json;

/// The moves of a match on Europe after an opening by chance, those of the opening first.
fn played(players: [&str; 2]) -> (Riskless, Vec<Move>) {
    let rules = json!({"MAP": "europe", "OPENING_PLIES": 6});
    let settings = read_settings::<Riskless>(Game::Riskless, rules.as_object().unwrap().clone()).unwrap();
    let game = settings.game.clone();
    let mut contest = TurnMatch::new(settings, players, 1).unwrap().start().unwrap();
    let mut moves = game.beginning().moves;
    let mut drawn = Vec::new();
    while contest.ending().is_none() {
        contest.advance();
        drawn.extend(contest.drain_commands());
    }
    let marches = drawn.into_iter().filter_map(|stamped| match stamped.command {
        Command::Riskless(Drawn::Move(march)) => Some(Move { from: march.from, to: march.to }),
        _ => None,
    });
    // The first picture has as many moves as the opening.
    moves.extend(marches.skip(moves.len()));
    (game, moves)
}

#[test]
fn every_player_remembers_what_was_played() {
    for player in ["minimax:depth=2", "alphabeta:depth=2", "jamboree:depth=2", "search:depth=2,threads=1"] {
        let (game, moves) = played([player; 2]);
        let beginning = game.beginning();
        let first = beginning.moves.len();
        assert!(first == 6 && moves.len() > 60, "{player}: {first} of {} moves", moves.len());
        let (mut position, mut balance) =
            (beginning.position.clone(), Balance::new(beginning.position.map()));
        let mut unlike = 0;
        for at in first..moves.len() {
            let forgetful = alphabeta(&position, 2, &balance).estimate;
            balance.recall(&beginning.position, &moves[first..at]);
            let expected = alphabeta(&position, 2, &balance);
            unlike += u32::from(forgetful != expected.estimate);
            // Of moves that are worth the same `search` takes another one.
            let after = position.clone().play(moves[at]).unwrap();
            assert_eq!(alphabeta(&after, 1, &balance).estimate, expected.estimate, "{player}, move {at}");
            position = after;
            balance = Balance::new(position.map());
        }
        assert!(unlike > 0, "{player}: nothing came again in {} moves", moves.len());
    }
}

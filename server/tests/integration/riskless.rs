//! Matches of Riskless between the built-in players, through the referee.

use grandstand_matches::MatchSpec;
use grandstand_matches::games::riskless::Riskless;
use grandstand_matches::turns::game::TurnGame;
use grandstand_matches::turns::settings::read_settings;
use grandstand_players::turns::spec::TurnMatch;
use grandstand_protocol::riskless::Command as Drawn;
use grandstand_protocol::{Command, Game};
use grandstand_rules::clock::TimeControl;
use grandstand_rules::riskless::Move;
use grandstand_rules::turn::Position as _;
use grandstand_search::riskless::{Armies, Balance};
use grandstand_search::{Estimator as _, alphabeta};
use serde_json::json;

/// The moves of a match on Europe after a random opening, with the moves of the opening first.
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
fn an_opening_by_chance_is_drawn_as_it_was_made() {
    let rules = json!({"MAP": "islands", "OPENING_PLIES": 4});
    let settings = read_settings::<Riskless>(Game::Riskless, rules.as_object().unwrap().clone()).unwrap();
    let fixture = TurnMatch::new(settings, ["random", "random"], 5).unwrap();
    let header = fixture.header(None).rules.unwrap();
    let mut contest = fixture.start().unwrap();
    let marches = contest.drain_commands().into_iter().filter_map(|stamped| match stamped.command {
        Command::Riskless(Drawn::Move(march)) => Some(format!("{}-{}", march.from, march.to)),
        _ => None,
    });
    let marches: Vec<String> = marches.collect();
    assert_eq!(marches.len(), 4);
    assert_eq!(header["START"], marches.join(" "));
}

#[test]
fn the_page_has_every_setting_with_its_default() {
    let page = include_str!("../../rules/RISKLESS.md");
    let section = page.split("\n## ").find(|section| section.starts_with("Settings")).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let page: Vec<[String; 2]> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            [cells[1].to_owned(), cells[2].replace("none", "")]
        })
        .collect();
    let settings = read_settings::<Riskless>(Game::Riskless, serde_json::Map::new()).unwrap();
    let text = |value: serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut code: Vec<[String; 2]> =
        settings.game.settings().into_iter().map(|(name, value)| [name, text(value)]).collect();
    code.push(["TIME".to_owned(), TimeControl::default().to_string()]);
    code.push(["SHOW_THOUGHTS".to_owned(), "true".to_owned()]);
    assert_eq!(page, code);
}

#[test]
fn the_naive_estimate_plays_as_a_search_that_counts_armies() {
    let position = |moves: &[Move], game: &Riskless| {
        let mut position = game.beginning().position;
        moves.iter().for_each(|&mv| position.advance(mv));
        position
    };
    for (player, depth) in [
        ("minimax:depth=2,estimate=naive", 2),
        ("alphabeta:estimate=naive,depth=3", 3),
        ("jamboree:depth=2,estimate=naive", 2),
    ] {
        let (game, moves) = played([player, "random"]);
        let first = game.beginning().moves.len();
        for at in (first..moves.len().min(first + 20)).step_by(2) {
            let expected = alphabeta(&position(&moves[first..at], &game), depth, &Armies);
            assert_eq!(expected.mv, Some(moves[at]), "{player}, move {at}");
        }
    }
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
            // Among equal moves `search` may choose another one.
            let after = position.clone().play(moves[at]).unwrap();
            let value = alphabeta(&after, 1, &Balance::new(after.map())).estimate;
            let value = value.less(balance.cost(&after), position.to_move());
            assert_eq!(value, expected.estimate, "{player}, move {at}");
            position = after;
            balance = Balance::new(position.map());
        }
        assert!(unlike > 0, "{player}: nothing came again in {} moves", moves.len());
    }
}

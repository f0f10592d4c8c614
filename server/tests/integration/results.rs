//! `docs/RESULTS.md` against `grandstand play`: fields, terminations, exit statuses.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Output;

use grandstand_matches::turns::answer::Forfeit;
use grandstand_protocol::Game;
use grandstand_rules::{abalone, riskless, shark, stones};
use grandstand_testing::process::run_with;
use serde_json::Value;

use crate::program::grandstand;

const PAGE: &str = include_str!("../../../docs/RESULTS.md");

/// The first column of the table under `heading` whose first column is called `column`, with the words of the second.
fn table(heading: &str, column: &str) -> Vec<(String, Vec<String>)> {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(heading)).unwrap();
    let words = |cell: &str| cell.split(',').map(|word| word.trim().trim_matches('`').to_owned()).collect();
    let rows = section.lines().skip_while(|line| !line.starts_with(&format!("| {column} |"))).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|')).flat_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let (names, games): (Vec<String>, Vec<String>) = (words(cells[1]), words(cells[2]));
        names.into_iter().map(move |name| (name, games.clone()))
    });
    rows.collect()
}

/// The names in the table that apply to `game`.
fn of_game(table: &[(String, Vec<String>)], game: Game) -> BTreeSet<&str> {
    let is_of = |games: &[String]| games.iter().any(|known| known == "all" || known == game.name());
    table.iter().filter(|(_, games)| is_of(games)).map(|(name, _)| name.as_str()).collect()
}

fn play(arguments: &[&str], input: &str) -> Output {
    run_with(grandstand().arg("play").args(arguments), input)
}

fn fields(arguments: &[&str], input: &str) -> (Game, BTreeSet<String>) {
    let output = play(&[arguments, &["--json", "--seed", "1"]].concat(), input);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    let Value::Object(result) = serde_json::from_slice(&output.stdout).unwrap() else { panic!("no object") };
    (arguments[0].parse().unwrap(), result.into_iter().map(|(name, _)| name).collect())
}

/// A short match of each game.
const SHORT: [&[&str]; 6] = [
    &["abalone", "random", "idle", "--game-length", "20000"],
    &["shark", "random", "random", "--set", "GAME_LENGTH=100_000"],
    &["fortress", "weak", "weak", "--set", "cTIME_LIMIT=2000"],
    &["gomoku", "random", "random", "--size", "7"],
    &["pente", "random", "random", "--size", "9"],
    &["riskless", "random", "random", "--map", "trees"],
];

#[test]
fn the_fields_of_one_match_are_those_of_the_page() {
    let (always, sometimes) = (table("One match", "field"), table("One match", "sometimes"));
    let mut unseen: BTreeSet<&str> = sometimes.iter().map(|(name, _)| name.as_str()).collect();
    let swap: &[&str] = &["gomoku", "person", "person", "--opening", "swap2"];
    let given_up: &[&str] = &["riskless", "person", "random", "--map", "trees"];
    let matches = SHORT.into_iter().map(|arguments| (arguments, ""));
    for (arguments, input) in matches.chain([(swap, "h8 i9 g7\nswap\nresign\n"), (given_up, "resign\n")]) {
        let (game, found) = fields(arguments, input);
        let always = of_game(&always, game);
        for name in found.iter().filter(|name| !always.contains(name.as_str())) {
            assert!(of_game(&sometimes, game).contains(name.as_str()), "{name} of {game} is not on the page");
            unseen.remove(name.as_str());
        }
        for name in always {
            assert!(found.contains(name), "{name} is on the page, but {game} has none");
        }
    }
    assert!(unseen.is_empty(), "no match has these: {unseen:?}");
}

#[test]
fn the_fields_of_many_matches_are_those_of_the_page() {
    let page = table("Many matches", "field");
    for arguments in SHORT {
        let (game, found) = fields(&[arguments, &["--matches", "2"]].concat(), "");
        assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), of_game(&page, game), "{game}");
    }
}

#[test]
fn the_terminations_are_those_of_the_page() {
    let page = table("Terminations", "termination");
    let mut known: BTreeMap<Game, BTreeSet<&str>> = BTreeMap::from([
        (Game::Abalone, abalone::Termination::ALL.map(abalone::Termination::name).into()),
        (Game::Shark, shark::Termination::ALL.map(shark::Termination::name).into()),
        (Game::Fortress, ["points", "time"].into()),
        (Game::Gomoku, stones::termination::ALL.into()),
        (Game::Pente, stones::termination::ALL.into()),
        (Game::Riskless, riskless::termination::ALL.into()),
    ]);
    // Of the shared terminations, one is for Gomoku only and one for Pente only.
    known.get_mut(&Game::Gomoku).unwrap().remove(stones::termination::CAPTURES);
    known.get_mut(&Game::Pente).unwrap().remove(stones::termination::NO_MOVES);
    for (game, known) in known {
        assert_eq!(of_game(&page, game), known, "{game}");
    }
    let lost = table("Terminations", "lost by");
    let lost: BTreeSet<&str> = lost.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(lost, Forfeit::ALL.into());
}

#[test]
fn the_exit_statuses_are_those_of_the_page() {
    let page: Vec<String> = table("Exit statuses", "status").into_iter().map(|(status, _)| status).collect();
    let status = |arguments: &[&str]| play(arguments, "").status.code().unwrap().to_string();
    let lost = [SHORT[0], &["--matches", "2", "--expect-wins", "3"]].concat();
    let unwritten = [SHORT[0], &["--record", "no/such/directory.replay"]].concat();
    let found = [status(SHORT[0]), status(&lost), status(&unwritten)];
    assert_eq!(page.iter().map(String::as_str).collect::<Vec<_>>(), found.each_ref().map(String::as_str));
}

//! Tests of the tournament screen, with and without spoilers.

use std::time::Instant;

use eframe::egui::{Key, Shape, Vec2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use grandstand_gui::Target;
use grandstand_testing::{FakeServer, PATIENCE, commands, replay, respond, send, summary, upgrade};
use serde_json::{Value, json};

use crate::support::{Window, painted, shows, wait_for, window};

/// Two semi-finals of at most four games (the first needed two), and the final. The numbers are unique.
fn report() -> Value {
    let standing = |rank: u32, player: &str, points: f64| {
        json!({"rank": rank, "player": player, "points": points, "games": 61, "wins": 53, "draws": 7, "losses": 59, "forfeits": 0,
            "rating": {"elo": 317.0, "interval": [211.0, 419.0], "games": 61, "reliable": true, "group": 0}})
    };
    let encounter = |players: [&str; 2],
                     (bracket, round, position): (&str, u32, u32),
                     points: [f64; 2],
                     first: u64| {
        json!({"players": players, "bracket": {"bracket": bracket, "round": round, "position": position}, "points": points,
            "winner": u8::from(points[1] > points[0]), "over": true, "games": [first, first + 1], "first_game": first,
            "most_games": 4})
    };
    let semi_finals = json!({"round": 1, "encounters": [
        encounter(["ada", "bob"], ("winners", 0, 0), [71.0, 73.0], 0),
        encounter(["cleo", "dan"], ("winners", 0, 1), [83.0, 79.0], 4),
    ], "byes": []});
    let last = json!({"round": 2, "encounters": [encounter(["bob", "cleo"], ("winners", 1, 0), [89.0, 97.0], 8)], "byes": []});
    let players =
        ["ada", "bob", "cleo", "dan"].map(|name| json!({"name": name, "play": format!("{name}.cl")}));
    let cell = |games: Value| json!({"points": 67.0, "wins": 53, "draws": 7, "losses": 59, "games": games, "left_out": false});
    json!({
        "revision": 9, "name": "Cup", "game": "abalone", "created": "2026-04-11T12:05:00Z", "seed_sha256": "abc",
        "over": true, "counted": 977, "remaining": 0,
        "players": players,
        "stages": [{"name": "Finals", "format": "single-elimination", "begun": true,
            "standings": [standing(1, "cleo", 43.0), standing(2, "bob", 41.0), standing(3, "ada", 37.5), standing(4, "dan", 31.0)],
            "crosstable": [
                {"player": "cleo", "cells": [null, cell(json!([8, 9]))]},
                {"player": "bob", "cells": [cell(json!([8, 9])), null]},
            ],
            "rounds": [semi_finals, last]}],
        "ranking": [{"place": 1, "player": "cleo", "stage": "Finals"}],
        "notices": [{"text": "Finals is over"}],
    })
}

/// Texts that must not appear before any game was watched: numbers of tables, results, progress, the final's players.
const SECRETS: &[&str] = &[
    "977",
    "finished after",
    "is over",
    "317",
    "211",
    "419",
    "43",
    "41",
    "53",
    "59",
    "67",
    "71",
    "73",
    "79",
    "83",
    "89",
    "97",
    "bob – cleo",
    "Final",
    "Round 2",
    "won",
    "lost",
    "1-0",
    "0-1",
    "five",
    "23 moves",
    "▶ 8",
    "▶ 9",
];

/// Server with that tournament; every recording is the short match.
fn server() -> String {
    server_of(report())
}

/// Server with a tournament.
fn server_of(report: Value) -> String {
    let server = FakeServer::new();
    let url = server.url();
    let paths = server.run(move |_, path, stream| {
        let line = |number: u64| json!({"number": number, "stage": "Finals", "round": 1, "players": ["ada", "bob"], "result": "0-1",
            "winner": 1, "termination": "five", "length": 23, "unit": "moves", "recorded": true, "counts": true});
        let (place, query) = path.split_once('?').unwrap_or((path, ""));
        let body = match place {
            "/api/tournament" => report.to_string(),
            "/api/tournament/changes" => json!({"revision": 9, "over": true, "name": "Cup"}).to_string(),
            "/api/tournament/games" if query.contains("numbers=18446744073709551615") => "[]".to_owned(),
            "/api/tournament/games" if query.contains("numbers=0,1") => json!([line(0), line(1)]).to_string(),
            "/api/tournament/games" => json!([line(0), line(1), line(8)]).to_string(),
            "/api/tournament/players/2" => json!({"total": {"name": "all", "wins": 53, "draws": 7, "losses": 59},
                "opponents": [{"name": "cleo", "wins": 53, "draws": 7, "losses": 59}], "worst_losses": [line(8)],
                "endings": [["won", "five", 53]]}).to_string(),
            "/api/tournament/ratings" => json!([{"stage": 1, "players": ["cleo", "bob"],
                "points": [{"games": 1, "elo": [0.0, null]}, {"games": 61, "elo": [317.0, 211.0]}]}]).to_string(),
            "/api/matches" => "[]".to_owned(),
            path if path.starts_with("/tournament/recordings/") => replay(),
            _ => return respond(stream, "404 Not Found", "{}"),
        };
        respond(stream, "200 OK", &body);
    });
    std::mem::forget(paths);
    url
}

fn open(app: &mut Window, url: &str, place: &str) {
    let ctx = app.ctx.clone();
    let target: Target = format!("{url}?tournament={place}").parse().expect("a place");
    app.state_mut().open(&ctx, target);
    app.run_steps(2);
}

/// All texts of the picture and the accessibility tree.
fn told(app: &Window) -> Vec<String> {
    let nodes = app.root().children_recursive();
    let mut words: Vec<String> =
        nodes.filter_map(|node| node.accesskit_node().label().or(node.accesskit_node().value())).collect();
    words.extend(app.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
        Shape::Text(text) => Some(text.galley.text().to_owned()),
        _ => None,
    }));
    words
}

/// Also all tooltips and the address.
fn told_everywhere(app: &mut Window) -> Vec<String> {
    let mut words = told(app);
    let nodes = app.root().children_recursive();
    let places: Vec<_> = nodes
        .filter(|node| node.accesskit_node().raw_bounds().is_some())
        .map(|node| node.rect().center())
        .collect();
    for at in places {
        app.hover_at(at);
        app.run_steps(45);
        words.extend(told(app));
    }
    app.remove_cursor();
    let status = serde_json::to_string(&app.state().status()).expect("JSON");
    words.push(status);
    words
}

fn assert_hidden(words: &[String], secrets: &[&str], place: &str) {
    for word in words {
        let told = secrets.iter().find(|secret| word.contains(**secret));
        assert!(told.is_none(), "{place} tells {told:?}: {word}");
    }
}

fn spoiler_free(url: &str, place: &str, size: Vec2) -> Window {
    let mut app = window(None, size);
    app.key_press(Key::S);
    app.run_steps(200);
    open(&mut app, url, place);
    wait_for(&mut app, "Reveal all results");
    app
}

/// Presses the first element with this label.
fn press(app: &mut Window, label: &str) {
    wait_for(app, label);
    app.get_all_by_label_contains(label).next().expect("it is there").click();
    app.run_steps(4);
}

/// Opens a game by its label, watches it to its end, and goes back.
fn watch(app: &mut Window, label: &str) {
    press(app, label);
    wait_for(app, "Pause");
    app.key_press(Key::Space);
    app.run_steps(2);
    for _ in 0..16 {
        app.key_press(Key::ArrowRight);
        app.run_steps(2);
    }
    app.run_steps(10);
    let began = Instant::now();
    while !shows(app, "Reveal all results") {
        assert!(began.elapsed() < PATIENCE, "no way back");
        app.key_press(Key::Escape);
        app.run_steps(4);
    }
}

#[test]
fn every_part_shows_what_the_server_tells() {
    let url = server();
    for size in [vec2(1280.0, 800.0), vec2(800.0, 600.0), vec2(390.0, 844.0)] {
        let mut app = window(Some(format!("{url}?tournament").parse().expect("a target")), size);
        wait_for(&mut app, "Rank 1, Player cleo, Points 43");
        assert!(shows(&app, "95 % interval +211 to +419"));
        for (place, expected) in [
            ("crosstable", "cleo – bob: 53 won, 7 drawn, 59 lost"),
            ("bracket", "bob – cleo, 89 : 97"),
            // On a phone an encounter is a box, which opens its games.
            ("rounds", if size.x < 600.0 { "bob – cleo, 89 : 97" } else { "Watch game 9, bob – cleo" }),
            ("ratings", "cleo +317"),
            ("games", "Watch game 8, ada – bob"),
            ("player.player-2", "53 won against cleo"),
            ("now", "Wall"),
        ] {
            open(&mut app, &url, place);
            if place != "now" {
                wait_for(&mut app, expected);
            }
            assert_eq!(app.state().status().title, "Cup");
        }
    }
}

#[test]
fn cells_headings_and_names_lead_on_and_escape_leads_back() {
    let url = server();
    let mut app = window(Some(format!("{url}?tournament").parse().expect("a target")), vec2(1280.0, 800.0));
    let place = |app: &Window| {
        serde_json::to_value(app.state().status()).expect("JSON")["source"]["tournament"].clone()
    };
    press(&mut app, "Sort by Rating in Elo");
    assert_eq!(place(&app), "standings.stage-1.by-rating");
    open(&mut app, &url, "crosstable");
    press(&mut app, "cleo – bob: 53 won");
    assert_eq!(place(&app), "games.stage-1.player-3.opponent-2");
    app.key_press(Key::Escape);
    app.run_steps(3);
    assert_eq!(place(&app), "crosstable");
    app.get_all_by_label("bob").next().expect("a name").click();
    app.run_steps(4);
    wait_for(&mut app, "By opponent");
    assert_eq!(place(&app), "player.player-2");
}

#[test]
fn on_a_phone_tables_fit_and_are_sorted_by_what_is_below() {
    let url = server();
    let mut app = window(Some(format!("{url}?tournament").parse().expect("a target")), vec2(390.0, 844.0));
    wait_for(&mut app, "Rank 1, Player cleo, Points 43");
    app.run_steps(4);
    for heading in ["Sort by Rank", "Sort by Player", "Points"] {
        let rect = app.get_by_label(heading).rect();
        assert!(rect.left() >= 0.0 && rect.right() <= 390.0, "{heading}: {rect}");
    }
    let texts = painted(&app);
    assert!(texts.iter().any(|(text, _)| text.contains("Lost ")), "{texts:?}");
    press(&mut app, "Won");
    let place = &serde_json::to_value(app.state().status()).expect("JSON")["source"]["tournament"];
    assert_eq!(place, "standings.stage-1.by-wins");
}

#[test]
fn in_spoiler_mode_no_part_tells_anything() {
    let url = server();
    for (size, everywhere) in [(vec2(1280.0, 800.0), true), (vec2(390.0, 844.0), false)] {
        let mut app = spoiler_free(&url, "standings", size);
        for place in [
            "standings",
            "crosstable",
            "bracket",
            "rounds",
            "ratings",
            "games",
            "player.player-2",
            "now",
            "games.player-2.lost",
        ] {
            open(&mut app, &url, place);
            app.run_steps(20);
            std::thread::sleep(std::time::Duration::from_millis(60));
            app.run_steps(20);
            let words = if everywhere && place != "now" { told_everywhere(&mut app) } else { told(&app) };
            // The names of filters are no results.
            let filters = ["won by the player", "lost by the player"];
            let words: Vec<String> =
                words.into_iter().filter(|word| !filters.contains(&word.as_str())).collect();
            // The address contains the request, and the recordings on the wall have this title.
            let asked = |secret: &str| {
                secret == "lost" && place.ends_with("lost") || secret == "Final" && place == "now"
            };
            let secrets: Vec<&str> = SECRETS.iter().copied().filter(|secret| !asked(secret)).collect();
            let words: Vec<String> = words.into_iter().map(|word| word.replace("Finals", "stage")).collect();
            assert_hidden(&words, &secrets, place);
        }
    }
}

#[test]
fn a_result_is_known_once_its_games_were_watched() {
    let url = server();
    let mut app = spoiler_free(&url, "rounds", vec2(1280.0, 800.0));
    watch(&mut app, "Watch game 0, ada – bob");
    assert!(!told(&app).iter().any(|word| word.contains("71 : 73")), "one of two games");
    watch(&mut app, "Watch game 1, ada – bob");
    wait_for(&mut app, "71 : 73");
    assert_hidden(&told(&app), &["83 : 79", "Round 2", "game 8"], "after one encounter");
    press(&mut app, "Reveal how cleo – dan ended");
    wait_for(&mut app, "83 : 79");
    wait_for(&mut app, "Watch game 8, bob – cleo");
    assert_hidden(&told(&app), &["89", "97", "977"], "before the final");
    // An unplayed game has no recording; this is revealed only on request.
    press(&mut app, "Watch game 11, bob – cleo");
    assert!(told(&app).iter().any(|word| word.contains("Game 11 was not played")), "{:?}", told(&app));
    press(&mut app, "Reveal all results");
    wait_for(&mut app, "89 : 97");
    // After a return, only the watched games are known.
    open(&mut app, "http://127.0.0.1:9/", "rounds");
    open(&mut app, &url, "rounds");
    wait_for(&mut app, "71 : 73");
    assert_hidden(&told(&app), &["89", "97", "977"], "again");
}

#[test]
fn the_list_of_a_server_leads_to_its_tournament() {
    let url = server();
    let mut app = window(Some(url.parse().expect("a server")), vec2(1280.0, 800.0));
    press(&mut app, "Tournament: Cup");
    wait_for(&mut app, "Rank 1, Player cleo");
    let nothing = FakeServer::new();
    let other = nothing.url();
    let paths = nothing.run(|_, _, stream| respond(stream, "404 Not Found", "{}"));
    open(&mut app, &other, "games");
    wait_for(&mut app, "No tournament there");
    drop(paths);
}

/// A round robin of so many players with long names, half way: everybody has beaten all who are further below.
fn round_robin(count: usize) -> Value {
    let names: Vec<String> = (1..=count).map(|n| format!("The long-named player number {n}")).collect();
    let cell = |row: usize, column: usize| match row == column {
        true => Value::Null,
        false => {
            json!({"points": 2 * u8::from(row < column), "wins": 2 * u8::from(row < column), "losses": 2 * u8::from(row > column),
            "games": [row * count + column]})
        }
    };
    let row = |row: usize| json!({"player": names[row], "cells": (0..count).map(|column| cell(row, column)).collect::<Vec<_>>()});
    let standing = |row: usize| json!({"rank": row + 1, "player": names[row], "points": 2 * (count - 1 - row), "games": 2 * (count - 1)});
    let encounter = |row: usize| {
        json!({"players": [names[row], names[row + 1]], "points": [2, 0], "winner": 0, "over": true, "games": [row, row + 40],
            "first_game": row, "most_games": 2})
    };
    json!({
        "revision": 9, "name": "Club championship", "game": "gomoku", "created": "2026-04-11T12:05:00Z", "counted": 34, "remaining": 86,
        "players": names.iter().map(|name| json!({"name": name, "play": "random"})).collect::<Vec<_>>(),
        "stages": [{"name": "Stage 1", "format": "round-robin", "begun": true,
            "standings": (0..count).map(standing).collect::<Vec<_>>(), "crosstable": (0..count).map(row).collect::<Vec<_>>(),
            "rounds": [{"round": 1, "encounters": (0..count - 1).map(encounter).collect::<Vec<_>>()}]}],
    })
}

/// Everything in the tournament that is pressed, by its label.
fn pressed(app: &Window) -> Vec<(String, eframe::egui::Rect)> {
    let nodes = app.root().children_recursive();
    let buttons = nodes.filter(|node| node.accesskit_node().role() == eframe::egui::accesskit::Role::Button);
    let named = buttons.filter_map(|node| Some((node.accesskit_node().label()?, node.rect())));
    named.filter(|(label, _)| label.contains("long-named player")).collect()
}

#[test]
fn on_a_phone_a_large_crosstable_and_the_rounds_have_all_results_in_sight() {
    let url = server_of(round_robin(13));
    for (place, count) in [("crosstable", 13 + 13 * 12), ("rounds", 12)] {
        let target = format!("{url}?tournament={place}").parse().expect("a target");
        let mut app = window(Some(target), vec2(390.0, 844.0));
        wait_for(&mut app, "player number 13");
        app.run_steps(4);
        let all = pressed(&app);
        assert_eq!(all.len(), count, "{place}: {all:?}");
        for (label, rect) in all {
            assert!(rect.left() >= 0.0 && rect.right() <= 390.0, "{place}, {label}: {rect}");
            assert!(rect.width() >= 41.5 && rect.height() >= 41.5, "{place}, {label}: {rect}");
        }
    }
}

#[test]
fn on_a_phone_the_games_fit_and_the_name_is_the_title() {
    let url = server();
    let target = format!("{url}?tournament=games").parse().expect("a target");
    let mut app = window(Some(target), vec2(390.0, 844.0));
    wait_for(&mut app, "Watch game 8, ada – bob");
    app.run_steps(4);
    let seen = ["Player: Any player", "Opponent: Any opponent", "Result: Any result"];
    for label in seen.into_iter().chain(["Watch game 8, ada – bob"]) {
        let rect = app.get_by_label(label).rect();
        assert!(rect.left() >= 0.0 && rect.right() <= 390.0, "{label}: {rect}");
    }
    let top = app.get_by_label("Player: Any player").rect().top();
    assert!(top < 200.0 && app.get_by_label("Opponent: Any opponent").rect().top() == top, "at {top}");
    let names = painted(&app).into_iter().filter(|(text, _)| text == "Cup").count();
    assert_eq!(names, 1);
}

#[test]
fn a_crosstable_ends_with_the_points() {
    let url = server_of(round_robin(13));
    let target = format!("{url}?tournament=crosstable").parse().expect("a target");
    let mut app = window(Some(target), vec2(1280.0, 800.0));
    wait_for(&mut app, "Place 2, Player The long-named player number 2");
    assert!(told(&app).iter().any(|row| row.starts_with("Place 2, ") && row.ends_with("Points 22")));
}

#[test]
fn the_head_says_how_far_a_tournament_is_and_who_leads() {
    let url = server_of(round_robin(13));
    let mut app = window(Some(format!("{url}?tournament").parse().expect("a target")), vec2(1280.0, 800.0));
    wait_for(&mut app, "34 of 120 games");
    assert!(shows(&app, "The long-named player number 1 leads"));
    assert!(!shows(&app, "Stage 1"), "the only stage has no name");
}

#[test]
fn the_row_of_a_tournament_says_how_it_stands() {
    let server = FakeServer::new();
    let url = server.url();
    let paths = server.run(|_, path, stream| {
        let body = match path.split('?').next().unwrap_or(path) {
            "/api/matches" => "[]".to_owned(),
            // An earlier revision was told at once; the next one comes after a change.
            "/api/tournament/changes" if path.ends_with("after=7") => {
                json!({"revision": 8, "over": true, "name": "Cup", "game": "gomoku", "players": 20, "counted": 120,
                    "planned": 120, "leader": "cleo"})
                .to_string()
            }
            "/api/tournament/changes" => json!({"revision": 7, "name": "Cup", "game": "gomoku", "players": 20, "counted": 34,
                "planned": 120, "leader": "ada"})
            .to_string(),
            _ => return respond(stream, "404 Not Found", "{}"),
        };
        respond(stream, "200 OK", &body);
    });
    let mut app = window(Some(url.parse().expect("a server")), vec2(390.0, 844.0));
    wait_for(&mut app, "Tournament: Cup, running, ada leads, 34 of 120 games, Gomoku, 20 players");
    wait_for(&mut app, "Tournament: Cup, finished, cleo won, 120 games, Gomoku, 20 players");
    app.key_press(Key::S);
    app.run_steps(10);
    let words = told(&app);
    assert!(words.iter().any(|word| word == "Tournament: Cup, Gomoku, 20 players"), "{words:?}");
    assert_hidden(&words, &["cleo", "120", "finished", "running"], "the list");
    drop(paths);
}

#[test]
fn now_shows_the_tournaments_own_games_with_round_and_score() {
    let server = FakeServer::new();
    let url = server.url();
    let paths = server.run(move |_, path, stream| {
        let game = |id: &str, event: &str| {
            let mut game: Value = serde_json::from_str(&summary(id, "live", id)).expect("a summary");
            (game["event"], game["round"]) = (event.into(), "2".into());
            for (team, name) in ["cleo", "bob"].into_iter().enumerate() {
                game["teams"][team]["name"] = name.into();
            }
            game
        };
        let own = game("m1", "Cup");
        match path.split('?').next().unwrap_or(path) {
            "/api/tournament" => respond(stream, "200 OK", &report().to_string()),
            "/api/tournament/changes" => respond(stream, "204 No Content", ""),
            "/api/matches" => respond(stream, "200 OK", &json!([own, game("m2", "Another cup")]).to_string()),
            path if path.starts_with("/api/matches/m1") => {
                let mut socket = upgrade(stream);
                send(&mut socket, &json!({"type": "hello", "protocol": 1, "match": own}).to_string());
                send(&mut socket, &commands(1, 10));
                std::mem::forget(socket);
            }
            _ => respond(stream, "404 Not Found", "{}"),
        }
    });
    let mut app = window(None, vec2(1280.0, 800.0));
    open(&mut app, &url, "now");
    wait_for(&mut app, "cleo 0, bob 0. Turn 2, live. Round 2 · 97 : 89");
    assert!(shows(&app, "Games as they are played. A click shows one alone."));
    assert!(!shows(&app, "m2"), "{app:?}");
    let texts: Vec<String> = painted(&app).into_iter().map(|(text, _)| text).collect();
    assert!(texts.iter().any(|text| text == "Round 2 · 97 : 89"), "{texts:?}");
    app.get_by_label_contains("cleo 0, bob 0").click();
    wait_for(&mut app, "Line 10 of 10");
    app.key_press(Key::Escape);
    wait_for(&mut app, "Games as they are played");
    drop(paths);
}

#[test]
fn without_a_live_game_now_shows_the_latest_ones() {
    let mut app = window(None, vec2(1280.0, 800.0));
    open(&mut app, &server(), "now");
    wait_for(&mut app, "No game is live. The latest ones, from their recordings");
    wait_for(&mut app, "Reds");
    // Nothing can be taken off.
    assert!(!shows(&app, "Remove from the wall"));
}

#[test]
fn on_a_phone_a_bracket_is_folded_by_rounds() {
    let mut app = window(None, vec2(390.0, 844.0));
    open(&mut app, &server(), "bracket");
    wait_for(&mut app, "bob – cleo, 89 : 97");
    assert!(!shows(&app, "ada – bob"), "the first round is folded");
    press(&mut app, "Semi-finals · 2 encounters");
    wait_for(&mut app, "ada – bob, 71 : 73");
    app.run_steps(30);
    for label in ["ada – bob, 71 : 73", "cleo – dan, 83 : 79", "bob – cleo, 89 : 97"] {
        let rect = app.get_by_label(label).rect();
        assert!(rect.left() >= 0.0 && rect.right() <= 390.0 && rect.height() > 43.5, "{label}: {rect}");
    }
}

#[test]
fn the_final_ranking_stands_first_and_provisional_ratings_are_explained() {
    let mut report = report();
    let mut first = report["stages"][0].clone();
    first["name"] = "Open".into();
    report["stages"].as_array_mut().expect("stages").insert(0, first);
    report["stages"][1]["standings"][3]["rating"]["reliable"] = false.into();
    let same = (0..5).map(|game| json!({"kind": "identical", "text": format!("game {game} is the same")}));
    report["notices"] = same.collect();
    let mut app = window(None, vec2(1280.0, 1400.0));
    open(&mut app, &server_of(report), "standings");
    wait_for(&mut app, "Final ranking");
    let top = |app: &Window, label: &str| app.query_all_by_label(label).next().expect(label).rect().top();
    assert!(top(&app, "Final ranking") < top(&app, "Points"));
    // The note names no rating that might not be in the table.
    let note = app.get_by_label_contains("A rating with ? is provisional").accesskit_node();
    let note = note.label().or_else(|| note.value()).expect("the note's text");
    assert!(!note.contains(|c: char| c.is_ascii_digit()), "{note}");
    assert!(shows(&app, "5 games are the same as earlier ones") && !shows(&app, "Game 3 is the same"));
}

#[test]
fn keys_lead_from_row_to_row_of_a_table_and_enter_opens_one() {
    let url = server();
    let mut app = window(Some(format!("{url}?tournament").parse().expect("a target")), vec2(1280.0, 800.0));
    wait_for(&mut app, "Sort by Rating in Elo");
    let press = |app: &mut Window, key: Key| {
        app.key_press(key);
        app.run_steps(12);
        let node = app.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        node.and_then(|node| node.accesskit_node().label())
    };
    open(&mut app, &url, "standings");
    app.run_steps(2);
    press(&mut app, Key::End);
    assert_eq!(press(&mut app, Key::ArrowUp).as_deref(), Some("ada"));
    assert_eq!(press(&mut app, Key::ArrowUp).as_deref(), Some("bob"));
    app.key_press(Key::Enter);
    wait_for(&mut app, "By opponent");
}

//! One tournament of the shipped players for each game, with short matches.

use std::collections::BTreeSet;

use grandstand_replays::Replay;

use super::Cup;

#[test]
fn the_players_of_each_game_hold_a_tournament() {
    for (game, players, more, games) in [
        ("abalone", r#""idle", "random", "simple_bot", "team""#, "[settings]\nGAME_LENGTH = 4000", 12),
        (
            "shark",
            r#""random", "stupidbot", "shark", "rust:random""#,
            "maps = [\"reef\"]\n[settings]\nGAME_LENGTH = 20000",
            12,
        ),
        ("fortress", r#""strong", "weak""#, "maps = [\"meadow\"]\n[settings]\ncTIME_LIMIT = 20000", 2),
        (
            "gomoku",
            r#""random", "stupid", "search:nodes=20""#,
            "openings = \"balanced\"\n[settings]\nSIZE = 15",
            6,
        ),
        ("pente", r#""random", "stupid", "search:nodes=20""#, "[settings]\nSIZE = 9", 6),
        ("riskless", r#""random", "alphabeta:depth=1", "search:nodes=20""#, "", 6),
    ] {
        let stage = "[[stage]]\nname = \"All\"\nformat = \"round-robin\"\n";
        let cup = Cup::new(&format!("game = \"{game}\"\nseed = 7\nplayers = [{players}]\n{more}\n{stage}"));
        cup.told(&["run", "cup.toml"]);
        let lines = cup.told(&["games", "cup.db", "--json"]);
        let ended: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(ended.len(), games, "{game}");
        assert!(ended.iter().all(|game| game["fault"].is_null()), "{game}: {lines}");
        let standings = cup.told(&["standings", "cup.db"]);
        for player in players.split(", ") {
            assert!(standings.contains(player.trim_matches('"')), "{game}: {standings}");
        }
    }
}

#[test]
fn boards_name_the_entries_of_a_tournament_also_after_a_swap() {
    let cup = Cup::new(
        "game = \"gomoku\"\nseed = 7\n[settings]\nSIZE = 9\nOPENING = \"swap2\"\n\
         [[player]]\nname = \"Ada Lovelace\"\nplay = \"random\"\n\
         [[player]]\nname = \"Gus\"\nplay = \"random\"\n\
         [[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = 8\n",
    );
    cup.told(&["run", "cup.toml"]);
    let mut swaps = 0;
    for game in 0..8 {
        let game = game.to_string();
        cup.told(&["games", "cup.db", "--extract", &game, "--to", "game.replay.zst"]);
        let bytes = std::fs::read(cup.0.join("game.replay.zst")).unwrap();
        let replay = Replay::open(&bytes, Default::default()).unwrap();
        let log = replay.log();
        let lines = (1..=log.last_seq()).filter_map(|seq| log.command(seq)).map(|command| {
            let mut line = String::new();
            command.write_line(&mut line);
            line
        });
        let names: Vec<String> = lines.filter(|line| line.starts_with("names ")).collect();
        let known = BTreeSet::from(["names Ada_Lovelace Gus", "names Gus Ada_Lovelace"]);
        assert!(!names.is_empty() && names.iter().all(|line| known.contains(&**line)), "{game}: {names:?}");
        swaps += usize::from(names.len() == 2 && names[0] != names[1]);
    }
    assert!(swaps > 0, "no game tests what it should");
}

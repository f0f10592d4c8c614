//! One tournament of the shipped players for each game, with short matches.

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

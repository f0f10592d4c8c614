//! Output of `tournament export`.

use super::Cup;

/// A tournament of two players, one of whom has a name with special characters of every format.
pub(super) fn played() -> Cup {
    let cup = Cup::new(
        "name = \"Duel\"\ngame = \"gomoku\"\nseed = 7\nplayers = [\"random\"]\n\
         [settings]\nSIZE = 9\n\
         [[player]]\nname = \"=<b>|[x](y)\"\nplay = \"stupid\"\n\
         [[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = 2\n",
    );
    cup.told(&["run", "cup.toml", "--jobs", "1"]);
    cup
}

#[test]
fn each_file_has_every_game_or_player_once() {
    let cup = played();
    let standings = cup.told(&["export", "cup.db", "csv"]);
    assert_eq!(standings.lines().count(), 3, "{standings}");
    let games = cup.told(&["export", "cup.db", "csv", "--table", "games"]);
    assert_eq!(games.lines().count(), 3, "{games}");
    let crosstable = cup.told(&["export", "cup.db", "csv", "--table", "crosstable"]);
    assert_eq!(crosstable.lines().count(), 3, "{crosstable}");
    let json: serde_json::Value = serde_json::from_str(&cup.told(&["export", "cup.db", "json"])).unwrap();
    assert_eq!(json["games"].as_array().unwrap().len(), 2);
    assert_eq!(json["stages"][0]["standings"].as_array().unwrap().len(), 2);
    let pgn = cup.told(&["export", "cup.db", "pgn"]);
    let rated = json["games"].as_array().unwrap().iter().filter(|game| game["same_as"].is_null()).count();
    assert_eq!(pgn.matches("[Result ").count(), rated, "{pgn}");
}

#[test]
fn a_name_is_text_in_every_format() {
    let cup = played();
    assert!(cup.told(&["export", "cup.db", "csv"]).contains("\"'=<b>|[x](y)\""));
    assert!(cup.told(&["export", "cup.db", "md"]).contains("=&lt;b\\>\\|\\[x\\](y)"));
    cup.told(&["export", "cup.db", "site", "--no-pictures"]);
    let index = std::fs::read_to_string(cup.0.path().join("site/index.html")).unwrap();
    assert!(index.contains("=&lt;b&gt;|[x](y)") && !index.contains("<b>"), "{index}");
}

#[test]
fn a_folder_of_pages_has_no_dead_link_and_no_script() {
    let cup = played();
    cup.told(&["export", "cup.db", "site", "--no-pictures"]);
    let site = cup.0.path().join("site");
    let mut links = 0;
    for file in std::fs::read_dir(&site).unwrap().flatten().filter(|file| file.path().is_file()) {
        let page = std::fs::read_to_string(file.path()).unwrap();
        assert!(!page.contains("<script"));
        for link in page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                page.clone()
            } else {
                let path = site.join(file);
                assert!(path.is_file(), "{link}");
                if file.ends_with(".html") { std::fs::read_to_string(path).unwrap() } else { String::new() }
            };
            assert!(anchor.is_empty() || target.contains(&format!("id=\"{anchor}\"")), "{link}");
            links += 1;
        }
    }
    assert!(links > 8, "{links}");
    let recording = site.join("recordings/0.replay.zst");
    let replay =
        grandstand_replays::Replay::open(&std::fs::read(recording).unwrap(), Default::default()).unwrap();
    assert!(replay.damage().is_none() && replay.result().is_some());
}

#[test]
fn what_is_there_stays_unless_it_may_be_replaced() {
    let cup = played();
    cup.0.file("table.csv", "mine");
    std::fs::create_dir(cup.0.path().join("site")).unwrap();
    cup.0.file("site/notes.txt", "mine");
    for target in ["table.csv", "site"] {
        let (status, _, err) = cup.run(&["export", "cup.db", target, "--no-pictures"]);
        assert_eq!(status, 2);
        assert!(err.contains("--replace"), "{err}");
        cup.told(&["export", "cup.db", target, "--no-pictures", "--replace"]);
    }
    let (status, _, err) = cup.run(&["export", "cup.db", "table.xls"]);
    assert_eq!(status, 2);
    assert!(err.contains(".csv, .json, .pgn, .md"), "{err}");
}

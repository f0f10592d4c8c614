//! Errors in files and catalogues: reported in one sentence with their place, and nothing is written.

use std::fs;

use grandstand::tournament::definition;
use grandstand_testing::Folder;
use proptest::prelude::*;
use rusqlite::Connection;

use super::{Cup, league};

/// Runs a tournament of this file, which must be refused; returns standard error.
fn refused(file: &str) -> String {
    let cup = Cup::new(file);
    cup.0.file("good.cl", "1");
    cup.0.file("bad.cl", "1 +\n(");
    fs::create_dir(cup.0.join("other")).unwrap();
    cup.0.file("other/good.cl", "2");
    let (status, out, err) = cup.run(&["run", "cup.toml"]);
    assert_eq!((status, &*out), (2, ""), "{err}");
    assert!(!cup.0.join("cup.db").exists(), "{err}");
    err
}

const STAGE: &str = "[[stage]]\nformat = \"round-robin\"\n";

#[test]
fn a_fault_of_the_file_is_told_with_its_place() {
    let faults = [
        ("gmae = \"abalone\"\n", "cup.toml:1:1: unknown field `gmae`"),
        ("game = \"chess\"\n[[stage]]\nformat = \"swiss\"\nrounds = 1", "cup.toml:1:8: "),
        (
            "game = \"abalone\"\nseed = -1\n[[stage]]\nformat = \"swiss\"\nrounds = 3",
            "cup.toml:2:8: the seed is -1",
        ),
        (
            "game = \"abalone\"\nuntil = \"7\"\n[[stage]]\nformat = \"round-robin\"",
            "cup.toml:2:9: `until` is \"7\"",
        ),
        (
            "game = \"abalone\"\n[[stage]]\nformat = \"league\"",
            "cup.toml:3:10: there is no format \"league\"; expected one of round-robin",
        ),
        ("game = \"abalone\"\n[[stage]]\nformat = \"swiss\"", "cup.toml:2:1: a Swiss needs `rounds`"),
        (
            "game = \"abalone\"\n[[stage]]\nformat = \"round-robin\"\nrounds = 3",
            "cup.toml:4:10: `rounds` is no key of the format round-robin",
        ),
        (
            "game = \"abalone\"\nplayers = [\"x/*.cl\"]\n[[stage]]\nformat = \"round-robin\"",
            "cup.toml:2:12: x/*.cl: ",
        ),
        (
            "game = \"abalone\"\nmaps = [\"a\"]\n[[stage]]\nformat = \"round-robin\"",
            "cup.toml:2:9: --map is for",
        ),
        (
            "game = \"gomoku\"\n[clock]\ntime = \"soon\"\n[[stage]]\nformat = \"round-robin\"",
            "cup.toml:2:1: --time",
        ),
        ("game = \"abalone\"\nplayers = [\"random\"\n", "cup.toml:2"),
    ];
    for (file, told) in faults {
        let err = refused(file);
        assert!(err.starts_with(&format!("grandstand: {told}")), "{file}\n{err}\nexpected {told}");
    }
}

#[test]
fn players_that_do_not_load_are_all_named() {
    let err =
        refused(&format!("game = \"abalone\"\nplayers = [\"good.cl\", \"bad.cl\", \"none.cl\"]\n{STAGE}"));
    assert!(
        err.contains("nothing was written") && err.contains("bad: ") && err.contains("bad.cl:2:"),
        "{err}"
    );
    assert!(err.contains("none: ") && err.contains("--leave-out-broken"), "{err}");
    let person = refused(&format!("game = \"gomoku\"\nplayers = [\"random\", \"person\"]\n{STAGE}"));
    assert!(person.contains("person: `person` is a person"), "{person}");
}

#[test]
fn two_players_of_one_name_are_refused() {
    let err = refused(&format!("game = \"abalone\"\nplayers = [\"good.cl\", \"other/good.cl\"]\n{STAGE}"));
    assert!(
        err.contains("cup.toml:2:23: two players are called \"good\": good.cl and other/good.cl"),
        "{err}"
    );
}

#[test]
fn a_map_of_another_game_is_refused() {
    let cup = Cup::new(&format!(
        "game = \"shark\"\nplayers = [\"random\", \"stupidbot\"]\nmaps = [\"x.map\"]\n{STAGE}"
    ));
    cup.0.file("x.map", "this is no sea\n");
    let (status, _, err) = cup.run(&["run", "cup.toml"]);
    assert_eq!(status, 2);
    assert!(err.contains("cup.toml:3:9: the map in x.map can't be played on"), "{err}");
}

#[test]
fn a_catalogue_is_refused_for_its_reason() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let standings = cup.told(&["standings", "cup.db"]);
    let sound = cup.0.read("cup.db");
    let refused = |why: &str| {
        for command in [&["standings", "cup.db"][..], &["run", "--db", "cup.db"]] {
            let (status, out, err) = cup.run(command);
            assert_eq!((status, &*out), (2, ""), "{err}");
            assert!(err.contains(why), "{err}");
        }
    };
    cup.0.file("cup.db", "not a database, but a text that is long enough to be read as one ............");
    refused("this is no catalogue of a tournament");
    cup.0.file("cup.db", &sound);
    Connection::open(cup.0.join("cup.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    refused("it is of version 99");
    // Damage in the middle, where tables are.
    for name in ["cup.db-wal", "cup.db-shm"] {
        let _ = fs::remove_file(cup.0.join(name));
    }
    let mut damaged = sound.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 6000].fill(0xA5);
    cup.0.file("cup.db", &damaged);
    refused("salvage");
    assert_eq!(cup.run(&["standings", "none.db"]).2, "grandstand: none.db: there is no such tournament\n");
    // The recovered tournament continues to the same end.
    let saved = cup.told(&["salvage", "cup.db", "saved.db"]);
    assert!(saved.contains("player 4"), "{saved}");
    cup.told(&["run", "--db", "saved.db"]);
    assert_eq!(cup.told(&["standings", "saved.db"]), standings);
}

/// What a page with rows of a table held is lost, and the rest of the table is there.
#[test]
fn a_catalogue_that_lost_part_of_a_table_is_salvaged_whole_or_refused() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let standings = cup.told(&["standings", "cup.db"]);
    let lose = |db: &str, rows: &str| {
        let db = Connection::open(cup.0.join(db)).unwrap();
        db.pragma_update(None, "foreign_keys", false).unwrap();
        assert!(db.execute(&format!("DELETE FROM {rows}"), []).unwrap() > 0);
    };
    for (number, rows) in ["player WHERE id > 1", "stage", "result WHERE game = 3"].into_iter().enumerate() {
        let (damaged, saved) = (format!("{number}.db"), format!("saved-{number}.db"));
        cup.told(&["salvage", "cup.db", &damaged]);
        lose(&damaged, rows);
        let said = cup.told(&["salvage", &damaged, &saved]);
        assert!(said.contains("player 4, stage 1"), "{said}");
        cup.told(&["run", "--db", &saved]);
        assert_eq!(cup.told(&["standings", &saved]), standings, "without {rows}");
    }
    // Nothing pins the files of a player without a version.
    cup.told(&["salvage", "cup.db", "unknown.db"]);
    lose("unknown.db", "version WHERE player = 1");
    let (status, _, err) = cup.run(&["salvage", "unknown.db", "none.db"]);
    assert_eq!(status, 2);
    assert!(err.contains("no hash of the files of stupid can be read"), "{err}");
    assert!(!cup.0.join("none.db").exists() && !cup.0.join("none.db.part").exists());
    // Results of an earlier version that is lost are played again, with the later one.
    cup.told(&["salvage", "cup.db", "earlier.db"]);
    let db = Connection::open(cup.0.join("earlier.db")).unwrap();
    db.execute("INSERT INTO version (player, sha256, since) SELECT player, sha256, since FROM version WHERE player = 1", [])
        .unwrap();
    drop(db);
    lose("earlier.db", "version WHERE player = 1 AND id = (SELECT min(id) FROM version WHERE player = 1)");
    let said = cup.told(&["salvage", "earlier.db", "later.db"]);
    assert!(said.contains("6 results are of games or files of players"), "{said}");
    cup.told(&["run", "--db", "later.db"]);
    assert_eq!(cup.told(&["standings", "later.db"]), standings);
}

#[test]
fn only_a_catalogue_that_nobody_writes_is_salvaged() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let refused = |why: &str| {
        let (status, out, err) = cup.run(&["salvage", "cup.db", "saved.db"]);
        assert_eq!((status, &*out), (2, ""), "{err}");
        assert!(err.contains(why), "{err}");
        assert!(!cup.0.join("saved.db").exists() && !cup.0.join("saved.db.part").exists());
    };
    let lock = fs::File::options().write(true).open(cup.0.join("cup.db.lock")).unwrap();
    lock.lock().unwrap();
    refused("it is in use by another run");
    drop(lock);
    let set = |name: &str, value: i64| {
        Connection::open(cup.0.join("cup.db")).unwrap().pragma_update(None, name, value).unwrap();
    };
    set("user_version", 99);
    refused("it is of version 99");
    set("user_version", 1);
    set("application_id", 7);
    refused("this is no catalogue of a tournament");
    cup.0.file("cup.db", "not a database, but a text that is long enough to be read as one ............");
    refused("this is no catalogue of a tournament");
}

#[test]
fn a_catalogue_has_one_writer() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    let lock = fs::File::options().write(true).open(cup.0.join("cup.db.lock")).unwrap();
    lock.lock().unwrap();
    let (status, _, err) = cup.run(&["annul", "cup.db", "0", "--reason", "late"]);
    assert_eq!(status, 2);
    assert!(err.contains("it is in use by another run"), "{err}");
    cup.told(&["standings", "cup.db"]);
}

#[test]
fn a_change_is_taken_over_only_when_that_is_asked_for() {
    let file = |faults: u32| {
        format!(
            "game = \"abalone\"\nseed = 1\nfaults = {faults}\nplayers = [\"a.cl\", \"b.cl\"]\n[settings]\nGAME_LENGTH = 2000\n{STAGE}"
        )
    };
    let cup = Cup::new(&file(3));
    cup.0.file("a.cl", "1");
    cup.0.file("b.cl", "1");
    cup.told(&["run", "cup.toml"]);
    cup.0.file("a.cl", "2");
    cup.0.file("cup.toml", file(4));
    let (status, _, err) = cup.run(&["run", "cup.toml"]);
    assert_eq!(status, 2);
    assert!(err.contains("the definition, the files of a; --accept-changes"), "{err}");
    cup.told(&["run", "cup.toml", "--accept-changes"]);
    cup.told(&["run", "cup.toml"]);
    assert!(cup.told(&["player", "cup.db", "a"]).contains(", the latest of 2\n"));
    cup.told(&["export", "cup.db", "site"]);
    let page = cup.0.text("site/player-1.html");
    assert!(page.contains("</code>, the latest of 2.</p>"), "{page}");
    // A name and an hour are nothing to be asked about.
    cup.0.file("cup.toml", format!("name = \"Night\"\nuntil = \"07:00\"\n{}", file(4)));
    cup.told(&["run", "cup.toml"]);
    let report: serde_json::Value =
        serde_json::from_str(&cup.told(&["standings", "cup.db", "--json"])).unwrap();
    assert_eq!(report["name"], "Night");
    // The inputs of the drawn rounds can't be changed.
    cup.0.file("cup.toml", file(4).replace("seed = 1", "seed = 2"));
    let (_, _, err) = cup.run(&["run", "cup.toml", "--accept-changes"]);
    assert!(err.contains("the seed can't be changed"), "{err}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A part of a valid file is replaced by any text.
    #[test]
    fn any_file_is_read_or_refused_in_words(at in 0_usize..400, cut in 0_usize..40, text in "\\PC{0,12}|[0-9.eE+-]{1,20}|[\\[\\]{}=\"#,\n]{1,6}") {
        let sound = format!("{}advance = 2\nbest_of = 3\n[clock]\ntime = \"5m\"\n", league(2));
        let floor = |at: usize| (0..=at.min(sound.len())).rev().find(|&at| sound.is_char_boundary(at)).unwrap_or(0);
        let (from, to) = (floor(at), floor(at + cut));
        let folder = Folder::new();
        let file = folder.file("cup.toml", format!("{}{text}{}", &sound[..from], &sound[to..]));
        if let Err(error) = definition::read(&file) {
            prop_assert!(error.to_string().contains("cup.toml"), "{error}");
        }
    }
}

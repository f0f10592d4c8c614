//! Interruptions: a tournament continues to the same end after each.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use grandstand_testing::process::{Killed, signal};
use grandstand_testing::{Random, until};

use super::{Cup, league};

/// Tables and results, without times and durations.
fn outcome(cup: &Cup) -> String {
    let games = cup.told(&["games", "cup.db"]);
    cup.told(&["standings", "cup.db"]) + &cup.told(&["crosstable", "cup.db"]) + &games
}

fn undisturbed(file: &str) -> String {
    let cup = Cup::new(file);
    cup.told(&["run", "cup.toml", "--jobs", "1"]);
    outcome(&cup)
}

#[test]
fn killed_at_fifty_moments_it_comes_to_the_same_end() {
    let file = league(6);
    let expected = undisturbed(&file);
    let mut random = Random(7);
    let mut cup = Cup::new(&file);
    for _ in 0..50 {
        let mut run = Killed(
            cup.command(&["run", "cup.toml", "--jobs", "2"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap(),
        );
        std::thread::sleep(Duration::from_millis(random.below(250) as u64));
        let over = run.try_wait().unwrap().is_some();
        drop(run);
        if over {
            assert_eq!(outcome(&cup), expected);
            cup = Cup::new(&file);
        }
    }
    cup.told(&["run", "cup.toml"]);
    assert_eq!(outcome(&cup), expected);
    assert!(fs::read_dir(cup.0.path()).unwrap().flatten().all(|entry| {
        let name = entry.file_name().into_string().unwrap();
        !name.contains("inputs") && !name.ends_with(".part")
    }));
}

#[test]
fn any_number_of_jobs_comes_to_the_same_end() {
    let file = league(4);
    let expected = undisturbed(&file);
    for jobs in ["2", "5"] {
        let cup = Cup::new(&file);
        cup.told(&["run", "cup.toml", "--jobs", jobs]);
        assert_eq!(outcome(&cup), expected, "{jobs} jobs");
    }
}

#[test]
fn every_game_that_counts_has_its_recording() {
    let cup = Cup::new(&league(2));
    cup.told(&["run", "cup.toml"]);
    for number in 0..12 {
        let name = format!("{number}.replay.zst");
        cup.told(&["games", "cup.db", "--extract", &number.to_string(), "--to", &name]);
        let path = cup.0.join(&name).display().to_string();
        let told = crate::program::grandstand()
            .args(["convert", &path, &format!("{path}.replay")])
            .output()
            .unwrap();
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    }
}

#[test]
fn asked_to_stop_it_says_how_it_goes_on() {
    let cup = Cup::new(&league(1000));
    let mut run = Killed(
        cup.command(&["run", "cup.toml", "--json"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    until("a result is stored", || {
        let (status, out, _) = cup.run(&["games", "cup.db"]);
        status == 0 && out.lines().count() > 1
    });
    signal(rustix::process::Signal::TERM, run.id());
    assert_eq!(run.wait().unwrap().code(), Some(1));
    assert!(cup.told(&["standings", "cup.db"]).contains("are still to play"));
}

/// An engine that never gets ready, in a process with this word among its arguments.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_run_leaves_no_process() {
    use grandstand_testing::process::is_running;

    const WORD: &str = "31240001";
    let cup = Cup::new(&format!(
        "game = \"gomoku\"\nplayers = [\"random\", \"engine:sleep {WORD}\"]\n[[stage]]\nformat = \"round-robin\"\n"
    ));
    let run = Killed(
        cup.command(&["run", "cup.toml"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap(),
    );
    until("the engine runs", || is_running(WORD));
    drop(run);
    until("nothing of it is left", || !is_running(WORD));
}

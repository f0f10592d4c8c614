//! Faulty players affect only themselves, and a full disk loses nothing.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use grandstand_testing::open_to_all;
use grandstand_testing::process::{Killed, is_running};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::Value;

use super::{Cup, league};
use crate::program::GRANDSTAND;

/// Engines with these commands on a request for a move, and the terminations by which they lose.
const EVILS: [(&str, &str); 10] = [
    ("exits", "exit 3"),
    ("breaks", "kill -SEGV $$"),
    ("closes", "exec >&-; sleep 31240010"),
    ("hangs", "sleep 31240010"),
    ("floods", "yes MESSAGE flood"),
    ("endless", "cat /dev/zero"),
    ("rubbish", "echo I resign"),
    ("half", "printf 7,; sleep 31240010"),
    ("nowhere", "echo 99,99"),
    ("forks", "setsid sleep 31240010 & exit 1"),
];

#[test]
fn ten_bad_engines_cost_themselves_only() {
    let cup = Cup::new("");
    let mut file = "game = \"gomoku\"\nseed = 1\nfaults = 2\nplayers = [\"random\", \"stupid\"]\n[clock]\nmove_time = \"1s\"\n".to_owned();
    for (name, evil) in EVILS {
        let script = format!(
            "while read -r line; do case \"$line\" in\nSTART*) echo OK;;\nRESTART*) echo OK;;\n\
             BEGIN*|TURN*|DONE*)\n{evil}\n;;\nEND*) exit 0;;\nesac; done\n"
        );
        cup.0.file(&format!("{name}.sh"), script);
        file += &format!("[[player]]\nname = \"{name}\"\nplay = \"engine:sh {name}.sh\"\n");
    }
    open_to_all(cup.0.path());
    for (name, _) in EVILS {
        open_to_all(&cup.0.join(&format!("{name}.sh")));
    }
    // Each faulty engine meets both of the others; two faults retire it.
    file += "[[stage]]\nformat = \"gauntlet\"\nchallengers = 2\ngames = 2\n";
    cup.0.file("cup.toml", file);
    cup.told(&["run", "cup.toml"]);
    assert!(!is_running("31240010"));
    let report: Value = serde_json::from_str(&cup.told(&["standings", "cup.db", "--json"])).unwrap();
    let lines = report["stages"][0]["standings"].as_array().unwrap();
    assert_eq!(report["over"], true);
    for line in lines {
        let name = line["player"].as_str().unwrap();
        let good = ["random", "stupid"].contains(&name);
        assert_eq!(line["retired"], !good, "{line}");
        if good {
            assert_eq!(line["forfeits"], 0, "{line}");
        }
    }
    let games = cup.told(&["games", "cup.db", "--json"]);
    let games = games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    for game in games {
        let bad = usize::from(["random", "stupid"].contains(&game["players"][0].as_str().unwrap()));
        assert_eq!(game["fault"], ["first", "second"][bad], "{game}");
        assert_eq!(game["winner"], 1 - bad, "{game}");
    }
}

/// A full disk for one process: a limit on its file sizes. Once the limit is raised, the tournament continues.
#[test]
fn a_full_disk_is_waited_for_and_costs_nothing() {
    let expected = Cup::new(&league(20));
    expected.told(&["run", "cup.toml"]);
    let cup = Cup::new(&league(20));
    let script = format!("trap '' XFSZ; ulimit -S -f 200; exec {GRANDSTAND} tournament run cup.toml");
    let mut command = Command::new("sh");
    command.args(["-c", &script]).current_dir(cup.0.path()).process_group(0);
    let mut run = Killed(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let mut said = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("nothing is lost") {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it ended without a word");
    }
    let pid = i32::try_from(run.id()).ok().and_then(Pid::from_raw);
    prlimit(pid, Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(run.wait().unwrap().success() && rest.contains("there is room again"), "{rest}");
    assert_eq!(cup.told(&["standings", "cup.db"]), expected.told(&["standings", "cup.db"]));
    assert!(fs::metadata(cup.0.join("cup.db.packs/0001.pack")).unwrap().len() > 0);
}

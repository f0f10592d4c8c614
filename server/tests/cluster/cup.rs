//! The tournament, and the same on one machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::PATIENCE;
use crate::parts::{Part, Parts};

const PROGRAM: &str = env!("CARGO_BIN_EXE_grandstand");
/// Four players that depend on the seed alone.
const CUP: &str = "name = \"Cup\"\ngame = \"gomoku\"\nseed = 7\n\
    players = [\"random\", \"stupid\", \"search:nodes=200\", \"search:nodes=600\"]\n\
    [settings]\nSIZE = 9\nOPENING = \"balanced\"\n[[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = 100\n";

pub(crate) struct Cup {
    folder: PathBuf,
}

impl Cup {
    pub(crate) fn new(folder: &Path) -> Self {
        fs::write(folder.join("cup.toml"), CUP).unwrap();
        fs::create_dir(folder.join("alone")).unwrap();
        fs::write(folder.join("alone/cup.toml"), CUP).unwrap();
        Self { folder: folder.to_owned() }
    }

    fn told(&self, folder: &Path, args: &[&str]) -> String {
        let told = Command::new(PROGRAM).arg("tournament").args(args).current_dir(folder).output().unwrap();
        assert!(told.status.success(), "{args:?}: {}", String::from_utf8_lossy(&told.stderr));
        String::from_utf8(told.stdout).unwrap()
    }

    /// Waits for the end of the tournament, whose director is started again if need be.
    pub(crate) fn ends_as_on_one_machine(&self, parts: &mut Parts) {
        let until = Instant::now() + 3 * PATIENCE;
        let status = loop {
            if let Some(status) = parts.director_has_ended() {
                break status;
            }
            assert!(Instant::now() < until, "the tournament does not end");
            thread::sleep(Duration::from_millis(100));
        };
        let log = || fs::read_to_string(self.folder.join(format!("{:?}-0.log", Part::Director))).unwrap();
        assert_eq!(status, 0, "{}", log());
        let alone = self.folder.join("alone");
        self.told(&alone, &["run", "cup.toml", "--jobs", "1"]);
        for what in ["standings", "crosstable", "games"] {
            let (here, there) =
                (self.told(&self.folder, &[what, "cup.db"]), self.told(&alone, &[what, "cup.db"]));
            assert_eq!(here, there, "{}", log());
        }
    }
}

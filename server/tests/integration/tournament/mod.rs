//! `grandstand tournament` as a user runs it.

#[cfg(unix)]
mod clocks;
#[cfg(unix)]
mod comparison;
mod export;
mod games;
mod input;
#[cfg(unix)]
mod interruptions;
#[cfg(unix)]
mod over_nats;
mod relay;
mod rulings;
mod shown;
#[cfg(target_os = "linux")]
mod trouble;
#[cfg(unix)]
mod workers;

use std::process::Command;

use grandstand_testing::Folder;

use crate::program::grandstand;

/// A league of four Gomoku players that depend only on the seed, with `games` games per encounter.
fn league(games: u32) -> String {
    format!(
        "name = \"League\"\ngame = \"gomoku\"\nseed = 7\n\
         players = [\"random\", \"stupid\", \"search:nodes=20\", \"search:nodes=60\"]\n\
         [settings]\nSIZE = 9\nOPENING = \"balanced\"\n\
         [[stage]]\nname = \"All\"\nformat = \"round-robin\"\ngames = {games}\n"
    )
}

/// A tournament between programs in CL is played over NATS with these options of the director and of a worker where no program
/// lies.
#[cfg(unix)]
pub(crate) async fn played_over_nats(director: Vec<String>, worker: Vec<String>) {
    tokio::task::spawn_blocking(move || over_nats::played(&director, &worker)).await.unwrap();
}

/// A folder with a tournament file.
struct Cup(Folder);

impl Cup {
    fn new(file: &str) -> Self {
        let this = Self(Folder::new());
        this.0.file("cup.toml", file);
        this
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = grandstand();
        command.arg("tournament").args(args).current_dir(self.0.path());
        command
    }

    /// Status, standard output and standard error of a command.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    /// Standard output of a command that must succeed.
    fn told(&self, args: &[&str]) -> String {
        let (status, out, err) = self.run(args);
        assert_eq!(status, 0, "{args:?}: {out}{err}");
        out
    }
}

//! The program under test.

use std::process::Command;

/// Path of the program.
pub(crate) const GRANDSTAND: &str = env!("CARGO_BIN_EXE_grandstand");

/// A command of the program, without arguments.
pub(crate) fn grandstand() -> Command {
    Command::new(GRANDSTAND)
}

/// `grandstand serve` on ports that the system chooses, with a JSON log.
#[cfg(unix)]
pub(crate) fn serve(data: &std::path::Path) -> grandstand_testing::Serve {
    let mut command = grandstand();
    command.args([
        "serve",
        "--legacy",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
        "--log-format",
        "json",
        "--data",
    ]);
    grandstand_testing::Serve::launch(command.arg(data))
}

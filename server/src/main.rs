//! The `grandstand` binary: parses the command line and hands over to [`grandstand::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    grandstand::cli::main()
}

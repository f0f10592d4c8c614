//! The `grandstand` binary: parses the command line and hands over to [`grandstand::cli`].

use std::process::ExitCode;

#[cfg(feature = "viewer")]
#[global_allocator]
static ALLOCATOR: grandstand_gui::native::Allocator = grandstand_gui::native::Allocator;

fn main() -> ExitCode {
    grandstand::cli::main()
}

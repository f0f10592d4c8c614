//! Binary of the spectator: `grandstand-gui [URL | FILE | FOLDER]`.

#[cfg(not(target_arch = "wasm32"))]
const HELP: &str = "\
Live and recorded matches of bots, in a window

Usage: grandstand-gui [URL | FILE | FOLDER]

  URL     a server (http://localhost:8126/), one of its matches (.../?match=ID), or a recording
  FILE    a recording (.replay, .replay.zst)
  FOLDER  the recordings in a folder

Without any of these: samples, what was open lately, and the matches of this machine's server.

Options:
  -h, --help     Print this
  -V, --version  Print the version
";

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use std::io::Write as _;
    use std::process::ExitCode;

    use grandstand_gui::native;

    let mut arguments = std::env::args_os().skip(1);
    let first = arguments.next();
    let text = match first.as_ref().and_then(|argument| argument.to_str()) {
        Some("-h" | "--help") => Some(HELP.to_owned()),
        Some("-V" | "--version") => Some(format!("grandstand-gui {}\n", env!("CARGO_PKG_VERSION"))),
        _ => None,
    };
    if let Some(text) = text {
        // An error means that the reader has closed the pipe, which is its right.
        let _ = std::io::stdout().write_all(text.as_bytes());
        return ExitCode::SUCCESS;
    }
    let refuse = |reason: &dyn std::fmt::Display| {
        eprintln!("grandstand-gui: {reason}");
        ExitCode::from(2)
    };
    if let Some(option) = first.as_ref().and_then(|word| word.to_str()).filter(|word| word.starts_with('-')) {
        return refuse(&format_args!("unknown option `{option}`; --help lists what there is"));
    }
    if arguments.next().is_some() {
        return refuse(&"one address, file or folder is opened; `grandstand watch` compares two");
    }
    let target = match first.map(|argument| grandstand_source::target(&argument)).transpose() {
        Ok(target) => target,
        Err(error) => return refuse(&error),
    };
    match native::run(target, None, None) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(&error),
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    // A page uses the library, see `web`.
}

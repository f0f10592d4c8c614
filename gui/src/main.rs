//! The spectator as a program of its own: `grandstand-gui [URL | FILE]`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    use grandstand_gui::native;
    let target =
        match std::env::args_os().nth(1).map(|argument| grandstand_source::target(&argument)).transpose() {
            Ok(target) => target,
            Err(error) => {
                eprintln!("grandstand-gui: {error}");
                return std::process::ExitCode::from(2);
            }
        };
    match native::run(target, None) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("grandstand-gui: {error}");
            std::process::ExitCode::from(2)
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    // A page uses the library: see `web`.
}

//! C compiler and linker by Zig: it has the symbols of every glibc version, so that a binary can require an old one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// Writes two scripts for the platform into `out`: a C compiler, and a linker for rustc.
///
/// Zig is the program `zig`, or the Python package `ziglang` of this machine's `python3`.
///
/// # Errors
///
/// If Zig is missing, or the scripts can't be written.
pub(super) fn write(out: &Path, name: &str, c_library: &str) -> anyhow::Result<(PathBuf, PathBuf)> {
    let works = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let zig = if works("zig", &["version"]) { "zig" } else { "python3 -m ziglang" };
    ensure!(
        zig == "zig" || works("python3", &["-m", "ziglang", "version"]),
        "no Zig; install it with\n\n    pip install ziglang\n"
    );
    let compiler = out.join(format!("{name}-cc"));
    let linker = out.join(format!("{name}-link"));
    // Crates pass on rustc's name of the target, which Zig does not know.
    script(
        &compiler,
        &format!(
            "args=()\nfor arg in \"$@\"; do\n  case $arg in\n    --target=*) ;;\n    *) args+=(\"$arg\") ;;\n  esac\ndone\nexec {zig} cc -target {c_library} \"${{args[@]}}\"\n"
        ),
    )?;
    // rustc calls a program whose name ends in `ld` as a bare linker, so this one does not. Zig has its own unwinding
    // library and its own linker, and does not know these version options.
    script(
        &linker,
        &format!(
            "args=()\nfor arg in \"$@\"; do\n  case $arg in\n    -lgcc_s) args+=(-lunwind) ;;\n    -fuse-ld=*|-m64|-Wl,--no-undefined-version) ;;\n    *) args+=(\"$arg\") ;;\n  esac\ndone\nexec {zig} cc -target {c_library} \"${{args[@]}}\"\n"
        ),
    )?;
    Ok((compiler, linker))
}

fn script(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, format!("#!/usr/bin/env bash\n{text}")).with_context(|| path.display().to_string())?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

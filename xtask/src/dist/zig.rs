//! Compiler and linker by Zig: it brings the symbols of every version of glibc, so that a program needs an old one only.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// Writes two programs for that platform into `out`: a C compiler, and a linker that rustc can use.
///
/// Zig is the program `zig`, or the Python package `ziglang` of the `python3` of this machine.
///
/// # Errors
///
/// When there is no Zig, or they can't be written.
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
    // The name of the target that crates pass on is rustc's, which Zig does not know.
    script(
        &compiler,
        &format!(
            "args=()\nfor arg in \"$@\"; do\n  case $arg in\n    --target=*) ;;\n    *) args+=(\"$arg\") ;;\n  esac\ndone\nexec {zig} cc -target {c_library} \"${{args[@]}}\"\n"
        ),
    )?;
    // A name that ends in `ld` has rustc call it as a bare linker. Zig has a library for unwinding of its own, links with its own linker, and knows no such versions.
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

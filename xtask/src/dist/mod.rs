//! `cargo xtask dist`: binary archives for users, in `target/dist`.
//!
//! The page must be built first (`cargo xtask web`), since the binary embeds it. Each archive has the binary, the
//! licences of Grandstand and of its dependencies, completions, man pages and the README; `SHA256SUMS` has the
//! checksums of all archives.

mod licences;
mod zig;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// A target platform of an archive.
struct Platform {
    name: &'static str,
    triple: &'static str,
    /// The linker, since Rust's own target is not enough.
    linker: Linker,
}

enum Linker {
    /// `zig cc`, with the C library limited to the symbols of this glibc version.
    Zig(&'static str),
    /// The program of this name.
    Program(&'static str),
}

const PLATFORMS: [Platform; 3] = [
    Platform {
        name: "linux-x86_64",
        triple: "x86_64-unknown-linux-gnu",
        linker: Linker::Zig("x86_64-linux-gnu.2.28"),
    },
    Platform {
        name: "linux-aarch64",
        triple: "aarch64-unknown-linux-gnu",
        linker: Linker::Zig("aarch64-linux-gnu.2.28"),
    },
    Platform {
        name: "windows-x86_64",
        triple: "x86_64-pc-windows-gnu",
        linker: Linker::Program("x86_64-w64-mingw32-gcc"),
    },
];

/// Documents and data files, at the paths that links between them expect.
const DOCUMENTS: [&str; 31] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "docs",
    "editors",
    "gui/WEB.md",
    "gui/export/EXPORT.md",
    "maps",
    "protocol/PROTOCOL.md",
    "replays/REPLAY.md",
    "replays/samples",
    "server/FORTRESS-PROTOCOL.md",
    "server/GOMOCUP.md",
    "server/HTTP.md",
    "server/INSIGHT.md",
    "server/SANDBOX.md",
    "server/SECURITY.md",
    "server/TOURNAMENTS.md",
    "server/TRACE.md",
    "server/TURNS.md",
    "server/bots",
    "server/languages/CL.md",
    "server/languages/RCL.md",
    "server/rules/ABALONE.md",
    "server/rules/FORTRESS.md",
    "server/rules/GOMOKU.md",
    "server/rules/RISKLESS.md",
    "server/rules/SHARK.md",
    "server/search/GOMOKU-ENGINE.md",
    "server/search/SEARCH.md",
    "server/tournaments/README.md",
];

/// The triple of this program, on the only platform that archives are made on.
const HERE: &str = "x86_64-unknown-linux-gnu";

/// Makes the named archives, or all.
///
/// # Errors
///
/// If a name is unknown, the page or a tool is missing, or something does not compile.
pub(crate) fn run(root: &Path, names: &[String]) -> anyhow::Result<()> {
    for name in names {
        let known = PLATFORMS.map(|platform| platform.name);
        ensure!(known.contains(&name.as_str()), "no platform {name:?}; there are {}", known.join(", "));
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    if std::env::var_os("GRANDSTAND_WEB").is_none() {
        ensure!(
            root.join("target/web/files.txt").is_file(),
            "the page is not there; `cargo xtask web` builds it"
        );
    }
    let out = root.join("target/dist");
    fs::create_dir_all(&out).with_context(|| out.display().to_string())?;

    // Completions and man pages are the same on all platforms, and are written by a program for this machine.
    let extras = out.join("extras");
    succeed(cargo(root).args(["run", "--quiet", "--release", "--locked", "--", "extras"]).arg(&extras))?;
    for platform in
        PLATFORMS.iter().filter(|platform| names.is_empty() || names.iter().any(|name| name == platform.name))
    {
        let binary = compile(root, &target, &out, platform)?;
        let archive = pack(root, &out, &extras, platform, &binary)?;
        eprintln!("xtask dist: {}", archive.display());
    }
    sums(&out)
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(crate::cargo());
    command.current_dir(root);
    // Variables that `cargo xtask` sets about this program. A build script (ring's) is run again when they change, and
    // with it most of the next `cargo build` is repeated.
    for (name, _) in std::env::vars_os() {
        let own = name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"));
        if own {
            command.env_remove(name);
        }
    }
    command
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} did not start"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

/// Builds the binary for the platform; returns its path in a folder of the platform's name, where the Debian package takes it from.
fn compile(root: &Path, target: &Path, out: &Path, platform: &Platform) -> anyhow::Result<PathBuf> {
    let mut command = cargo(root);
    command.args(["rustc", "--release", "--locked", "--package", "grandstand", "--bin", "grandstand"]);
    let mut folder = target.to_owned();
    // Without `--target`, crates compiled for the demonstration are reused and only linked again.
    if platform.triple != HERE {
        command.args(["--target", platform.triple]);
        folder.push(platform.triple);
    }
    let linker = match platform.linker {
        Linker::Zig(c_library) => {
            let (compiler, linker) = zig::write(out, platform.name, c_library)?;
            if platform.triple != HERE {
                command.env(format!("CC_{}", platform.triple.replace('-', "_")), compiler);
            }
            linker.display().to_string()
        }
        Linker::Program(name) => name.to_owned(),
    };
    command.args(["--", "-C", &format!("linker={linker}"), "-C", "strip=symbols"]);
    eprintln!("xtask dist: compiling for {}", platform.name);
    succeed(&mut command)?;
    let name = if platform.triple.contains("windows") { "grandstand.exe" } else { "grandstand" };
    let built = folder.join("release").join(name);
    // A later build for this machine is linked against its own C library, and takes the place of this one.
    let folder = out.join(platform.name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let kept = folder.join(name);
    fs::copy(&built, &kept).with_context(|| built.display().to_string())?;
    Ok(kept)
}

/// Makes the archive, with everything in one folder of its name.
fn pack(
    root: &Path,
    out: &Path,
    extras: &Path,
    platform: &Platform,
    binary: &Path,
) -> anyhow::Result<PathBuf> {
    let stem = format!("grandstand-{}-{}", env!("CARGO_PKG_VERSION"), platform.name);
    let folder = out.join(&stem);
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
    fs::copy(binary, folder.join(binary.file_name().context("a path without a name")?))
        .with_context(|| binary.display().to_string())?;
    fs::copy(root.join("packaging/START.md"), folder.join("README.md")).context("packaging/START.md")?;
    succeed(Command::new("cp").current_dir(root).args(["-r", "--parents"]).args(DOCUMENTS).arg(&folder))?;
    fs::write(folder.join("THIRD-PARTY.txt"), licences::text(root, platform.triple)?)?;
    succeed(
        Command::new("cp").arg("-r").arg(extras.join("completions")).arg(extras.join("man")).arg(&folder),
    )?;

    let mut command;
    let archive = if platform.triple.contains("windows") {
        let archive = out.join(format!("{stem}.zip"));
        let _ = fs::remove_file(&archive);
        command = Command::new("zip");
        command.args(["-q", "-r", "-X"]).arg(&archive).arg(&stem);
        archive
    } else {
        let archive = out.join(format!("{stem}.tar.gz"));
        command = Command::new("tar");
        command
            .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "-czf"])
            .arg(&archive)
            .arg(&stem);
        archive
    };
    succeed(command.current_dir(out))?;
    fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(archive)
}

/// Writes `SHA256SUMS` for all existing archives, in the format of `sha256sum -c`.
fn sums(out: &Path) -> anyhow::Result<()> {
    let mut names = Vec::new();
    for entry in fs::read_dir(out)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".tar.gz") || name.ends_with(".zip") {
            names.push(name);
        }
    }
    names.sort();
    let output = Command::new("sha256sum").current_dir(out).args(&names).output();
    let output = output.context("sha256sum did not start")?;
    if !output.status.success() {
        bail!("sha256sum: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::write(out.join("SHA256SUMS"), output.stdout)?;
    Ok(())
}

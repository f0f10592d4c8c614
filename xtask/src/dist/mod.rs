//! `cargo xtask dist`: archives for people who don't build, into `target/dist`.
//!
//! The page must be built first (`cargo xtask web`): it is in the binary. Each archive has the binary, our licences and those of what
//! it is made of, completions, man pages and the README; `SHA256SUMS` has the sums of all archives.

mod licences;
pub(crate) mod zig;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

/// A kind of machine that archives are for.
struct Platform {
    name: &'static str,
    triple: &'static str,
    /// Where it needs more than Rust's own target.
    linker: Linker,
}

enum Linker {
    /// `zig cc`, whose C library has the symbols of this version of glibc and of none that came later.
    Zig(&'static str),
    /// This program.
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

/// The triple that this program itself was compiled for, as far as archives are made on it.
const HERE: &str = "x86_64-unknown-linux-gnu";

/// Makes the archives that are named, or all.
///
/// # Errors
///
/// When a name is none, the page or a tool is missing, or something does not compile.
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

    // Completions and man pages are the same everywhere, and only a program of this machine can write them.
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
    command
}

fn succeed(command: &mut Command) -> anyhow::Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("{name} did not start"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

/// The program for that platform, linked.
fn compile(root: &Path, target: &Path, out: &Path, platform: &Platform) -> anyhow::Result<PathBuf> {
    let mut command = cargo(root);
    command.args(["rustc", "--release", "--locked", "--package", "grandstand", "--bin", "grandstand"]);
    let mut folder = target.to_owned();
    // Without a target what was compiled for the demonstration is only linked anew.
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
    command.args(["--", "-C", &format!("linker={linker}")]);
    eprintln!("xtask dist: compiling for {}", platform.name);
    succeed(&mut command)?;
    let name = if platform.triple.contains("windows") { "grandstand.exe" } else { "grandstand" };
    Ok(folder.join("release").join(name))
}

/// The archive, with everything in one folder of its name.
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
    let put = |from: &Path| -> anyhow::Result<()> {
        let name = from.file_name().context("a path without a name")?;
        fs::copy(from, folder.join(name)).with_context(|| from.display().to_string())?;
        Ok(())
    };
    put(binary)?;
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        put(&root.join(name))?;
    }
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

/// `SHA256SUMS` of every archive that is there, which `sha256sum -c` reads.
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

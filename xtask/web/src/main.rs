//! `cargo xtask web`: builds the spectator's web page into `target/web`, where the server's build embeds it.
//!
//! 1. `cargo rustc` compiles `gui` for `wasm32-unknown-unknown` with the profile `wasm`, and `insight`, which the page loads only for its *Program* panel, into
//!    a module of its own.
//! 2. wasm-bindgen, linked as a library so that its version is that of `Cargo.lock`, writes the glue of each.
//! 3. `wasm-opt` (Debian's package `binaryen`) makes the modules smaller, if it is installed.
//! 4. [`bundle`] names every file, the samples too, after its content, compresses it, and writes the list that the server reads.

mod bundle;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::SystemTime;

use anyhow::{Context, bail, ensure};

const TARGET: &str = "wasm32-unknown-unknown";

/// A module with its glue: `STEM-DIGEST.wasm`, `STEM-DIGEST.js`.
struct Part {
    stem: &'static str,
    package: &'static str,
    /// Whether a classic script loads it, which a worker is: then the glue is one too.
    classic: bool,
}

const PARTS: [Part; 2] = [
    Part { stem: "grandstand", package: "grandstand-gui", classic: false },
    Part { stem: "insight", package: "grandstand-insight", classic: true },
];

fn main() -> ExitCode {
    if env::args().len() > 1 {
        eprintln!(
            "usage: cargo xtask web\n\nWrites the page to target/web, or to the directory named by GRANDSTAND_WEB."
        );
        return ExitCode::from(2);
    }
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask web: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let named = env::var_os("GRANDSTAND_WEB").map(PathBuf::from);
    let out = named.clone().unwrap_or_else(|| root.join("target/web"));

    check_target()?;
    let mut made = Vec::new();
    for part in &PARTS {
        let compiled = compile(&root, part)?;
        let (glue, module) = bind(&compiled, part)?;
        made.push((format!("{}.wasm", part.stem), optimise(module)?));
        made.push((format!("{}.js", part.stem), glue.into_bytes()));
    }

    for sample in grandstand_story::samples() {
        made.push((format!("sample-{}.replay", sample.game.name()), sample.recording.to_vec()));
    }

    let built = bundle::write(&root.join("gui/web"), made, &out)?;
    if named.is_none() {
        announce(&root)?;
    }
    eprintln!("xtask web: {}", out.display());
    for file in &built {
        let sizes = file.sizes.map(|bytes| format!("{:>9.1}", bytes as f64 / 1024.0));
        eprintln!("  {:<34} {} KiB, gzip {}, brotli {}", file.name, sizes[0], sizes[1], sizes[2]);
    }
    for (what, use_of) in [
        ("at the first load", Use::Page),
        ("for the Program panel", Use::Panel),
        ("for the samples", Use::Samples),
    ] {
        let files = built.iter().filter(|file| Use::of(&file.name) == use_of);
        let [identity, gzip, brotli] = files
            .fold([0; 3], |sum: [usize; 3], file| [0, 1, 2].map(|n| sum[n] + file.sizes[n]))
            .map(|bytes| bytes as f64 / 1e6);
        eprintln!("  {what} {identity:.2} MB, gzip {gzip:.2} MB, brotli {brotli:.2} MB");
    }
    Ok(())
}

/// When a file is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// With the page.
    Page,
    /// With the *Program* panel.
    Panel,
    /// With the samples, which a server without matches offers.
    Samples,
}

impl Use {
    fn of(name: &str) -> Use {
        match name.split('-').next() {
            Some("insight" | "program") => Use::Panel,
            Some("sample") => Use::Samples,
            _ => Use::Page,
        }
    }
}

/// Touches the server's build script, so that cargo embeds the page in the next build, also if there was none before.
fn announce(root: &Path) -> anyhow::Result<()> {
    let script = root.join("server/build.rs");
    let dated =
        fs::File::options().append(true).open(&script).and_then(|file| file.set_modified(SystemTime::now()));
    dated.with_context(|| script.display().to_string())
}

/// Returns an error with the command that installs the target, if it is missing.
fn check_target() -> anyhow::Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output()?;
    let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    ensure!(
        output.status.success() && directory.is_dir(),
        "the target {TARGET} is missing; install it with\n\n    rustup target add {TARGET}\n"
    );
    Ok(())
}

/// Compiles a part as a `cdylib`; returns the path of the module.
fn compile(root: &Path, part: &Part) -> anyhow::Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let mut command = Command::new(cargo);
    command
        .current_dir(root)
        .args(["rustc", "--package", part.package, "--lib", "--crate-type", "cdylib"])
        .args(["--profile", "wasm", "--target", TARGET, "--target-dir"])
        .arg(&target);
    eprintln!("xtask web: compiling {} for the browser", part.package);
    let status = command.status().context("cargo did not start")?;
    ensure!(status.success(), "{} did not compile for {TARGET}", part.package);
    Ok(target.join(TARGET).join(format!("wasm/{}.wasm", part.package.replace('-', "_"))))
}

/// The JavaScript glue, and the module adapted to it.
fn bind(compiled: &Path, part: &Part) -> anyhow::Result<(String, Vec<u8>)> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    match part.classic {
        true => bindgen.no_modules(true)?,
        false => bindgen.web(true)?,
    };
    let mut output = bindgen
        .input_path(compiled)
        .out_name(part.stem)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .omit_default_module_path(true)
        .generate_output()
        .context("wasm-bindgen")?;
    if !output.local_modules().is_empty() || output.snippets().values().any(|snippets| !snippets.is_empty()) {
        bail!("a dependency brings JavaScript files of its own, which the bundle has no place for");
    }
    Ok((output.js().to_owned(), output.wasm_mut().emit_wasm()))
}

/// Features that rustc may have used, so that `wasm-opt` must accept them.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
    "--enable-simd",
];

/// The module after `wasm-opt`, or unchanged if that is not installed or rejects it.
fn optimise(module: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let tool = env::var_os("WASM_OPT").unwrap_or_else(|| OsString::from("wasm-opt"));
    if Command::new(&tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        eprintln!(
            "xtask web: no wasm-opt (Debian's package binaryen); the page is a seventh larger without it"
        );
        return Ok(module);
    }
    let directory = env::temp_dir().join(format!("grandstand-web-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let (before, after) = (directory.join("before.wasm"), directory.join("after.wasm"));
    fs::write(&before, &module)?;
    eprintln!("xtask web: wasm-opt");
    let output = Command::new(&tool).arg("-O2").args(FEATURES).arg(&before).arg("-o").arg(&after).output()?;
    let smaller = fs::read(&after);
    // A directory left behind in the temporary folder does no harm.
    let _ = fs::remove_dir_all(&directory);
    match smaller {
        Ok(smaller) if output.status.success() => mend_exported_table(&smaller),
        _ => {
            let reason = String::from_utf8_lossy(&output.stderr);
            let reason = reason.lines().next().unwrap_or("no reason given").to_owned();
            eprintln!("xtask web: wasm-opt refuses the module ({reason}); it stays as it was");
            Ok(module)
        }
    }
}

/// Works around Binaryen up to 108 (Debian 12), which writes every exported table as the first one. The table that
/// wasm-bindgen exports is the only one with references to JavaScript objects.
fn mend_exported_table(module: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut module = walrus::Module::from_buffer(module).context("what wasm-opt wrote")?;
    let objects = module
        .tables
        .iter()
        .find(|table| table.element_ty == walrus::RefType::EXTERNREF)
        .map(|table| table.id());
    for export in module.exports.iter_mut() {
        if let (walrus::ExportItem::Table(table), Some(objects)) = (&mut export.item, objects)
            && export.name == "__wbindgen_externrefs"
        {
            *table = objects;
        }
    }
    Ok(module.emit_wasm())
}

//! Every CI step as one local command: `cargo xtask STEP`, or `cargo xtask ci` for all of them in CI's order; and
//! commands that take too long for CI.

mod build_times;
mod dependencies;
mod dist;
mod fuzz;
mod games;
mod land;
mod lines;
mod platforms;
mod source;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

/// One step: its name, its description, and its work.
struct Step {
    name: &'static str,
    about: &'static str,
    work: Work,
}

enum Work {
    /// `cargo` command lines, run with `RUSTDOCFLAGS` set so that warnings fail the docs.
    Cargo(&'static [&'static [&'static str]]),
    /// A function of the workspace's folder.
    Own(fn(&Path) -> anyhow::Result<()>),
}

const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        about: "the formatter changes nothing",
        work: Work::Cargo(&[&["fmt", "--all", "--check"]]),
    },
    Step {
        name: "clippy",
        about: "clippy with warnings denied, with the spectator and without",
        // Both times the whole workspace, so that dependencies have the same features and are checked once.
        work: Work::Cargo(&[
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            // Benches do not depend on the feature.
            &[
                "clippy",
                "--workspace",
                "--no-default-features",
                "--bins",
                "--lib",
                "--tests",
                "--",
                "-D",
                "warnings",
            ],
        ]),
    },
    Step {
        name: "doc",
        about: "the documentation builds without a warning",
        work: Work::Cargo(&[&["doc", "--workspace", "--no-deps", "--document-private-items"]]),
    },
    Step {
        name: "wasm",
        about: "what runs in the browser compiles for it",
        work: Work::Cargo(&[&[
            "clippy",
            "--target",
            "wasm32-unknown-unknown",
            "-p",
            "grandstand-protocol",
            "-p",
            "grandstand-replays",
            "-p",
            "grandstand-story",
            "-p",
            "grandstand-matches",
            "-p",
            "grandstand-insight",
            "-p",
            "grandstand-tournaments",
            "-p",
            "grandstand-gui",
            "--lib",
            "--",
            "-D",
            "warnings",
        ]]),
    },
    Step {
        name: "web",
        about: "the page for browsers, into target/web, from where the server embeds it",
        work: Work::Own(web),
    },
    Step {
        name: "deny",
        about: "licences and sources of what we depend on; needs cargo-deny (cargo install cargo-deny --locked)",
        work: Work::Cargo(&[&["deny", "check", "licenses", "bans", "sources"]]),
    },
    Step {
        name: "test",
        about: "the tests that need a browser, another language or a part of the system; the README's test command",
        work: Work::Cargo(&[
            &["test", "--workspace", "--tests", "--", "--ignored", "--skip", "a_cluster_under_faults"],
            &["test", "--workspace", "--test", "cluster", "--", "--ignored", "--nocapture"],
            &["test", "--workspace"],
        ]),
    },
];

const USAGE: &str = "usage: cargo xtask STEP

  ci      all of the steps, in this order";

/// Commands that are run by hand.
const LONG: &str = "
  chaos [SECONDS [SEED]]        random faults around a steady match, for ten minutes; a minute of it is in `test`
  cluster [SECONDS [SEED]]      the same in a cluster of NATS servers, origins, relays, workers and a director (needs nats-server)
  build-times                   processor time of the first build, and of one after a line more in the server and the spectator
  platforms [TRIPLE]…           what compiles for Windows, macOS and Linux on ARM, or one of them; needs rustup's targets
  dist [PLATFORM]…              archives for linux-x86_64, linux-aarch64, windows-x86_64, or all, into target/dist
  fuzz SECONDS [TARGET]…        the fuzz targets named, or all, each so long (cargo install cargo-fuzz)
  lines [FOLDER]                lines of code by crate, without comments and tests, here or of another checkout
  games [GAME]                  in which files games are named outside of their own folders, and those of one; compares with ARCHITECTURE.md
  land COUNTRIES.json           the outlines of territories, maps/land/*.land, from countries-50m.json of world-atlas (maps/README.md)";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (name, rest) = arguments.split_first().map_or(("", &[][..]), |(name, rest)| (name.as_str(), rest));
    let result = match name {
        "ci" => STEPS.iter().try_for_each(run),
        "chaos" => faults("chaos", rest),
        "cluster" => faults("cluster", rest),
        "build-times" => build_times::print(root()),
        "platforms" => platforms::check(root(), rest),
        "dist" => dist::run(root(), rest),
        "fuzz" => fuzz::run(root(), rest),
        "lines" => lines::print(rest.first().map_or(root(), Path::new)),
        "land" => land::make(root(), rest),
        "games" => games::check(root(), rest.first().map(String::as_str)),
        other => match STEPS.iter().find(|step| step.name == other) {
            Some(step) => run(step),
            None => {
                eprintln!("{USAGE}");
                for step in STEPS {
                    eprintln!("  {:<7} {}", step.name, step.about);
                }
                eprintln!("{LONG}");
                return ExitCode::from(2);
            }
        },
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn cargo() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn run(step: &Step) -> anyhow::Result<()> {
    let commands = match step.work {
        Work::Cargo(commands) => commands,
        Work::Own(work) => return work(root()),
    };
    for arguments in commands {
        eprintln!("xtask {}: cargo {}", step.name, arguments.join(" "));
        let status = Command::new(cargo())
            .args(*arguments)
            .env("RUSTDOCFLAGS", "-D warnings")
            .status()
            .context("cargo did not start")?;
        if !status.success() {
            bail!("step {} failed: cargo {}", step.name, arguments.join(" "));
        }
    }
    Ok(())
}

/// Builds the page. The builder is compiled with the features of the whole workspace, as for the tests, so that it is
/// compiled once.
fn web(root: &Path) -> anyhow::Result<()> {
    let built = Command::new(cargo())
        .current_dir(root)
        .args(["build", "--quiet", "--workspace", "--bin", "xtask-web"])
        .status()
        .context("cargo did not start")?;
    if !built.success() {
        bail!("xtask-web did not compile");
    }
    // The builder is in the same folder as this program.
    let program = env::current_exe()?.with_file_name(format!("xtask-web{}", env::consts::EXE_SUFFIX));
    let status = Command::new(&program).status().with_context(|| program.display().to_string())?;
    if !status.success() {
        bail!("the page was not built");
    }
    Ok(())
}

/// Runs a test of faults that come at random, for longer than in `test`.
fn faults(test: &str, arguments: &[String]) -> anyhow::Result<()> {
    let mut command = Command::new(cargo());
    command.args(["test", "-p", "grandstand", "--no-default-features"]);
    command.args(["--test", test, "--", "--include-ignored", "--nocapture"]);
    let variable = |name: &str| format!("GRANDSTAND_{}_{name}", test.to_uppercase());
    command.env(variable("SECS"), arguments.first().map_or("600", String::as_str));
    if let Some(seed) = arguments.get(1) {
        command.env(variable("SEED"), seed);
    }
    if !command.status().context("cargo did not start")?.success() {
        bail!("a promise was broken");
    }
    Ok(())
}

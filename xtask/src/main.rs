//! Every CI step as one local command: `cargo xtask STEP`, or `cargo xtask ci` for all of them in CI's order.

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Context, bail};

/// One step: its name, what it is for, and the cargo invocations that it is made of.
struct Step {
    name: &'static str,
    about: &'static str,
    /// Each entry is one `cargo` command line, with `RUSTDOCFLAGS` set where warnings must fail the docs.
    commands: &'static [&'static [&'static str]],
}

const STEPS: &[Step] = &[
    Step { name: "fmt", about: "the formatter changes nothing", commands: &[&["fmt", "--all", "--check"]] },
    Step {
        name: "clippy",
        about: "clippy with warnings denied, with the spectator and without",
        commands: &[
            &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
            &["clippy", "-p", "grandstand", "--no-default-features", "--all-targets", "--", "-D", "warnings"],
        ],
    },
    Step {
        name: "doc",
        about: "the documentation builds without a warning",
        commands: &[&["doc", "--workspace", "--no-deps", "--document-private-items"]],
    },
    Step {
        name: "wasm",
        about: "what runs in the browser compiles for it",
        commands: &[&[
            "clippy",
            "--target",
            "wasm32-unknown-unknown",
            "-p",
            "grandstand-protocol",
            "-p",
            "grandstand-replays",
            "-p",
            "grandstand-gui",
            "--lib",
            "--",
            "-D",
            "warnings",
        ]],
    },
    Step {
        name: "web",
        about: "the page for browsers, into target/web, from where the server embeds it",
        commands: &[&["run", "--quiet", "--package", "xtask-web"]],
    },
    Step { name: "test", about: "the README's test command", commands: &[&["test", "--workspace"]] },
];

fn main() -> ExitCode {
    let name = env::args().nth(1).unwrap_or_default();
    let result = match name.as_str() {
        "ci" => STEPS.iter().try_for_each(run),
        other => match STEPS.iter().find(|step| step.name == other) {
            Some(step) => run(step),
            None => {
                eprintln!("usage: cargo xtask STEP\n\n  ci      all of these, in this order");
                for step in STEPS {
                    eprintln!("  {:<7} {}", step.name, step.about);
                }
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

fn run(step: &Step) -> anyhow::Result<()> {
    for arguments in step.commands {
        eprintln!("xtask {}: cargo {}", step.name, arguments.join(" "));
        let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
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

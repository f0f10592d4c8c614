//! Diagnostics of a match besides its result: on standard error, in the log, in the trace.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use grandstand_matches::{Ending, LogLevel, LogLine, MatchSpec, Tracing, each};
use grandstand_protocol::terminal;
use serde_json::{Value, json};

use super::args::PlayArgs;
use super::report::Report;

/// Version of the trace format, written in its first line.
const TRACE_VERSION: u32 = 1;

/// Outputs for the entries of a match's log.
pub(super) struct Diagnostics<'a> {
    args: &'a PlayArgs,
    report: &'a Report,
    log: Option<Output>,
    trace: Option<Output>,
    /// Whether a file is incomplete.
    broken: bool,
}

/// A file for entries.
struct Output {
    what: &'static str,
    file: BufWriter<File>,
}

impl Output {
    fn create(what: &'static str, path: &Path) -> anyhow::Result<Self> {
        let file =
            File::create(path).with_context(|| format!("can't write the {what} {}", path.display()))?;
        Ok(Self { what, file: BufWriter::new(file) })
    }
}

impl<'a> Diagnostics<'a> {
    /// Opens the requested files.
    pub(super) fn open(args: &'a PlayArgs, spec: &dyn MatchSpec, report: &'a Report) -> anyhow::Result<Self> {
        let log = args.log.as_deref().map(|path| Output::create("log", path)).transpose()?;
        let trace = args.trace.as_deref().map(|path| Output::create("trace", path)).transpose()?;
        let mut this = Self { args, report, log, trace, broken: false };
        this.trace(&json!({
            "event": "match",
            "version": TRACE_VERSION,
            "game": spec.game(),
            "seed": spec.seed(),
            "players": each(spec.sides(), args.players()),
        }));
        Ok(this)
    }

    /// The level of tracing that the options need.
    pub(super) fn tracing(&self) -> Option<Tracing> {
        if self.args.verbose > 1 || self.log.is_some() || self.trace.is_some() {
            Some(Tracing::Actions)
        } else {
            (!self.args.json).then_some(Tracing::Costs)
        }
    }

    /// Writes log entries to the outputs.
    pub(super) fn take(&mut self, entries: &[LogLine]) {
        let verbose = self.args.verbose;
        for LogLine { text, level, trace } in entries {
            let text = terminal::lines(text);
            let is_shown = match level {
                LogLevel::Talk => verbose > 0 || self.args.talk,
                LogLevel::Fate => verbose > 0,
                LogLevel::Failure | LogLevel::Action => verbose > 1,
            };
            if is_shown {
                self.report.print(&format!("{text}\n"));
            }
            if *level < LogLevel::Action || verbose > 1 {
                write(self.report, &mut self.log, &mut self.broken, |file| writeln!(file, "{text}"));
            }
            if let Some(trace) = trace {
                self.trace(trace);
            }
        }
        for output in [&mut self.log, &mut self.trace] {
            write(self.report, output, &mut self.broken, |file| file.flush());
        }
    }

    /// Ends the outputs after the match; `true` if a file is incomplete.
    pub(super) fn finish(mut self, ending: &Ending) -> bool {
        let mut end = json!({ "event": "result", "t": ending.tick });
        let result = ending.result();
        end["winner"] = json!(result.winner);
        end["termination"] = json!(result.termination);
        self.trace(&end);
        write(self.report, &mut self.trace, &mut self.broken, |file| file.flush());
        self.broken
    }

    fn trace(&mut self, line: &Value) {
        write(self.report, &mut self.trace, &mut self.broken, |file| writeln!(file, "{line}"));
    }
}

/// Writes to a file if there is one; after an error the file is given up.
fn write(
    report: &Report,
    output: &mut Option<Output>,
    broken: &mut bool,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) {
    if let Some(Output { what, file }) = output
        && let Err(error) = write(file)
    {
        report.say(&format!("the {what} is not complete: {error}"));
        (*output, *broken) = (None, true);
    }
}

//! Log fields, sanitised for a terminal.

use std::fmt;

use grandstand_protocol::terminal::line;
use tracing_subscriber::field::{MakeExt, RecordFields};
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::{Writer, debug_fn};

/// Formatter of log fields that keeps each within its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogFields;

impl<'writer> FormatFields<'writer> for LogFields {
    fn format_fields<R: RecordFields>(&self, writer: Writer<'writer>, fields: R) -> fmt::Result {
        let field = |writer: &mut Writer<'_>, field: &tracing::field::Field, value: &dyn fmt::Debug| {
            let value = format!("{value:?}");
            match field.name() {
                "message" => writer.write_str(&line(&value)),
                name => write!(writer, "{name}={}", line(&value)),
            }
        };
        debug_fn(field).delimited(" ").format_fields(writer, fields)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn the_log_shows_fields_within_their_line() {
        #[derive(Clone, Default)]
        struct Lines(Arc<Mutex<Vec<u8>>>);
        impl std::io::Write for Lines {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let written = Lines::default();
        let writer = written.clone();
        let log = tracing_subscriber::fmt()
            .fmt_fields(LogFields)
            .with_ansi(true)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(log, || {
            let evil = "\x1b[2J\nforged\u{202e}";
            tracing::info!(end = %evil, "it says {evil}");
        });
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let evil = r"\u{1b}[2J\u{a}forged\u{202e}";
        assert!(text.ends_with(&format!("it says {evil} end={evil}\n")), "{text:?}");
    }
}

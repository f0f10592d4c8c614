//! Counters of the running server, and their Prometheus text.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::limits::memory::{MemoryBudget, MemoryUse};
use crate::recordings::CutReason;
use crate::wire::CloseReason;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A number that grows and shrinks.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicU64);

impl Gauge {
    pub(crate) fn up(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Relaxed);
    }

    pub(crate) fn set(&self, n: u64) {
        self.0.store(n, Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// A Prometheus histogram with fixed upper bounds; values and bounds are whole numbers of some unit.
#[derive(Debug)]
pub(crate) struct Histogram<const N: usize> {
    bounds: [u64; N],
    buckets: [AtomicU64; N],
    count: AtomicU64,
    sum: AtomicU64,
}

impl<const N: usize> Histogram<N> {
    fn new(bounds: [u64; N]) -> Self {
        Self {
            bounds,
            buckets: [const { AtomicU64::new(0) }; N],
            count: AtomicU64::new(0),
            sum: AtomicU64::new(0),
        }
    }

    /// Counts one value.
    pub(crate) fn observe(&self, value: u64) {
        if let Some(i) = self.bounds.iter().position(|b| value <= *b) {
            self.buckets[i].fetch_add(1, Relaxed);
        }
        self.count.fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    fn render(&self, out: &mut String, name: &str, help: &str, per_unit: f64) {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} histogram");
        let mut total = 0;
        for (bound, bucket) in self.bounds.iter().zip(&self.buckets) {
            total += bucket.load(Relaxed);
            let _ = writeln!(out, "{name}_bucket{{le=\"{}\"}} {total}", *bound as f64 / per_unit);
        }
        let count = self.count.load(Relaxed);
        let _ = writeln!(out, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ =
            writeln!(out, "{name}_sum {}\n{name}_count {count}", self.sum.load(Relaxed) as f64 / per_unit);
    }
}

/// Everything that the server counts. Written with relaxed atomics from any thread.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) line_connections: Gauge,
    pub(crate) line_connections_total: Counter,
    pub(crate) line_refused: Counter,
    pub(crate) line_limit_closed: Counter,
    pub(crate) lines: Counter,
    pub(crate) line_bytes: Counter,
    pub(crate) unknown_lines: Counter,
    pub(crate) matches_begun: Counter,
    pub(crate) http_connections: Gauge,
    pub(crate) http_refused: Counter,
    pub(crate) http_requests: Counter,
    pub(crate) spectators: Gauge,
    pub(crate) spectators_total: Counter,
    /// Commands times the spectators that they were written to.
    pub(crate) deliveries: Counter,
    pub(crate) delivered_bytes: Counter,
    pub(crate) rounds: Counter,
    pub(crate) resyncs: Counter,
    pub(crate) blocked_writes: Counter,
    pub(crate) inbound_messages: Counter,
    pub(crate) closed: [Counter; CloseReason::ALL.len()],
    pub(crate) batch_commands: Histogram<8>,
    pub(crate) write_delay_micros: Histogram<10>,
    pub(crate) recorder_bytes: Counter,
    pub(crate) recorder_writes: Counter,
    pub(crate) recorder_failures: Counter,
    pub(crate) recordings_cut: [Counter; CutReason::ALL.len()],
    /// Whether matches are recorded: 1 or 0.
    pub(crate) recording: Gauge,
    pub(crate) data_bytes: Gauge,
    pub(crate) summaries_read: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            line_connections: Gauge::default(),
            line_connections_total: Counter::default(),
            line_refused: Counter::default(),
            line_limit_closed: Counter::default(),
            lines: Counter::default(),
            line_bytes: Counter::default(),
            unknown_lines: Counter::default(),
            matches_begun: Counter::default(),
            http_connections: Gauge::default(),
            http_refused: Counter::default(),
            http_requests: Counter::default(),
            spectators: Gauge::default(),
            spectators_total: Counter::default(),
            deliveries: Counter::default(),
            delivered_bytes: Counter::default(),
            rounds: Counter::default(),
            resyncs: Counter::default(),
            blocked_writes: Counter::default(),
            inbound_messages: Counter::default(),
            closed: [const { Counter(AtomicU64::new(0)) }; CloseReason::ALL.len()],
            batch_commands: Histogram::new([1, 2, 5, 10, 30, 100, 300, 1000]),
            write_delay_micros: Histogram::new([
                50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000,
            ]),
            recorder_bytes: Counter::default(),
            recorder_writes: Counter::default(),
            recorder_failures: Counter::default(),
            recordings_cut: [const { Counter(AtomicU64::new(0)) }; CutReason::ALL.len()],
            recording: Gauge::default(),
            data_bytes: Gauge::default(),
            summaries_read: Counter::default(),
        }
    }
}

impl Metrics {
    /// Counts one websocket that was closed.
    pub(crate) fn count_closed(&self, reason: CloseReason) {
        self.closed[reason as usize].add(1);
    }

    /// Counts the time from a command's arrival to the end of the round that wrote it.
    pub(crate) fn observe_delay(&self, delay: Duration) {
        self.write_delay_micros.observe(delay.as_micros() as u64);
    }

    /// The Prometheus text exposition, with the number of live matches and the account of memory from the caller.
    pub(crate) fn render(&self, live_matches: usize, memory: &MemoryBudget) -> String {
        let mut out = String::with_capacity(6 * 1024);
        let gauges = [
            (
                "grandstand_line_connections",
                "Open connections on the text-line port.",
                self.line_connections.get(),
            ),
            (
                "grandstand_http_connections",
                "Open connections on the HTTP port, websockets included.",
                self.http_connections.get(),
            ),
            ("grandstand_spectators", "Open websockets.", self.spectators.get()),
            ("grandstand_matches_live", "Matches that are being played.", live_matches as u64),
            (
                "grandstand_recording",
                "1 while matches are recorded, 0 while they can't be.",
                self.recording.get(),
            ),
            (
                "grandstand_data_bytes",
                "Bytes of the recordings in the data directory.",
                self.data_bytes.get(),
            ),
        ];
        for (name, help, value) in gauges {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        let counters = [
            (
                "grandstand_line_connections_total",
                "Connections accepted on the text-line port.",
                &self.line_connections_total,
            ),
            (
                "grandstand_line_connections_refused_total",
                "Connections refused there for a limit.",
                &self.line_refused,
            ),
            (
                "grandstand_line_connections_limited_total",
                "Connections closed there for a limit.",
                &self.line_limit_closed,
            ),
            ("grandstand_lines_total", "Lines that became commands.", &self.lines),
            ("grandstand_line_bytes_total", "Bytes read on the text-line port.", &self.line_bytes),
            ("grandstand_unknown_lines_total", "Lines that no dialect understood.", &self.unknown_lines),
            ("grandstand_matches_total", "Matches begun.", &self.matches_begun),
            (
                "grandstand_http_connections_refused_total",
                "HTTP connections refused for a limit.",
                &self.http_refused,
            ),
            ("grandstand_http_requests_total", "HTTP requests, websockets included.", &self.http_requests),
            ("grandstand_spectators_total", "Websockets opened.", &self.spectators_total),
            (
                "grandstand_deliveries_total",
                "Commands written, times the spectators they were written to.",
                &self.deliveries,
            ),
            ("grandstand_delivered_bytes_total", "Bytes written to websockets.", &self.delivered_bytes),
            ("grandstand_rounds_total", "Rounds of writing to a match's spectators.", &self.rounds),
            (
                "grandstand_resyncs_total",
                "Times that a slow spectator was moved on to a fresh scene.",
                &self.resyncs,
            ),
            (
                "grandstand_blocked_writes_total",
                "Times that a spectator's socket was full.",
                &self.blocked_writes,
            ),
            (
                "grandstand_inbound_messages_total",
                "Websocket messages that spectators sent.",
                &self.inbound_messages,
            ),
            ("grandstand_recorder_bytes_total", "Bytes written to replay files.", &self.recorder_bytes),
            ("grandstand_recorder_writes_total", "Writes to replay files.", &self.recorder_writes),
            (
                "grandstand_recorder_failures_total",
                "Recordings given up for an error.",
                &self.recorder_failures,
            ),
            ("grandstand_summaries_read_total", "Recordings read to list them.", &self.summaries_read),
        ];
        for (name, help, value) in counters {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {}", value.get());
        }
        let name = "grandstand_websockets_closed_total";
        let _ = writeln!(out, "# HELP {name} Websockets closed, by reason.\n# TYPE {name} counter");
        for reason in CloseReason::ALL {
            let _ = writeln!(
                out,
                "{name}{{reason=\"{}\"}} {}",
                reason.label(),
                self.closed[reason as usize].get()
            );
        }
        let name = "grandstand_memory_bytes";
        let _ = writeln!(out, "# HELP {name} Memory of the account, by use.\n# TYPE {name} gauge");
        for what in MemoryUse::ALL {
            let _ = writeln!(out, "{name}{{use=\"{}\"}} {}", what.label(), memory.held(what));
        }
        let name = "grandstand_memory_full_total";
        let _ = writeln!(out, "# HELP {name} Times that a use had its share.\n# TYPE {name} counter");
        for what in MemoryUse::ALL {
            let _ = writeln!(out, "{name}{{use=\"{}\"}} {}", what.label(), memory.refused(what));
        }
        let name = "grandstand_recordings_cut_total";
        let _ = writeln!(
            out,
            "# HELP {name} Recordings ended before their match, by reason.\n# TYPE {name} counter"
        );
        for (cut, count) in CutReason::ALL.into_iter().zip(&self.recordings_cut) {
            let _ = writeln!(out, "{name}{{reason=\"{}\"}} {}", cut.label(), count.get());
        }
        self.batch_commands.render(&mut out, "grandstand_batch_commands", "Commands in one message.", 1.0);
        self.write_delay_micros.render(
            &mut out,
            "grandstand_write_delay_seconds",
            "From a command's arrival to the end of the round of writing that carried it.",
            1e6,
        );
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_every_metric_with_help_and_type() {
        let metrics = Metrics::default();
        metrics.count_closed(CloseReason::Stalled);
        metrics.observe_delay(Duration::from_micros(70));
        metrics.batch_commands.observe(5_000);
        let text = metrics.render(3, &MemoryBudget::new(800));
        assert!(text.contains("grandstand_matches_live 3\n"));
        assert!(text.contains("grandstand_websockets_closed_total{reason=\"stalled\"} 1\n"));
        assert!(text.contains("grandstand_write_delay_seconds_bucket{le=\"0.0001\"} 1\n"));
        assert!(text.contains("grandstand_batch_commands_bucket{le=\"1000\"} 0\n"));
        assert!(text.contains("grandstand_batch_commands_bucket{le=\"+Inf\"} 1\n"));
        assert_eq!(text.matches("# HELP").count(), text.matches("# TYPE").count());
    }
}

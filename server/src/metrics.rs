//! Counters of the running server, and their Prometheus text.

use std::fmt::{Display, Write as _};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::limits::memory::{MemoryBudget, MemoryUse};
use crate::recordings::CutReason;
use crate::wire::CloseReason;

/// A number that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) const KIND: &str = "counter";

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
    pub(crate) const KIND: &str = "gauge";

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

/// Defines [`Metrics`]: plain numbers with kind, name and help, in the order of the output, then those with labels or
/// buckets.
macro_rules! metrics {
    ($($field:ident: $kind:ident = $name:literal, $help:literal;)+) => {
        /// Counters of the server. Written with relaxed atomics from any thread.
        #[derive(Debug)]
        pub(crate) struct Metrics {
            $(#[doc = $help] pub(crate) $field: $kind,)+
            pub(crate) closed: [Counter; CloseReason::ALL.len()],
            pub(crate) recordings_cut: [Counter; CutReason::ALL.len()],
            pub(crate) batch_commands: Histogram<8>,
            pub(crate) write_delay_micros: Histogram<10>,
        }

        impl Default for Metrics {
            fn default() -> Self {
                Self {
                    $($field: $kind::default(),)+
                    closed: Default::default(),
                    recordings_cut: Default::default(),
                    batch_commands: Histogram::new([1, 2, 5, 10, 30, 100, 300, 1000]),
                    write_delay_micros: Histogram::new([
                        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000,
                    ]),
                }
            }
        }

        impl Metrics {
            fn render_numbers(&self, out: &mut String) {
                $(family(out, $name, $kind::KIND, $help, [("", self.$field.get())]);)+
            }
        }
    };
}

metrics! {
    line_connections: Gauge = "grandstand_line_connections", "Open connections on the text-line port.";
    http_connections: Gauge = "grandstand_http_connections", "Open connections on the HTTP port, websockets included.";
    spectators: Gauge = "grandstand_spectators", "Open websockets.";
    matches_live: Gauge = "grandstand_matches_live", "Matches that are being played.";
    recording: Gauge = "grandstand_recording", "1 while matches are recorded, 0 while they can't be.";
    data_bytes: Gauge = "grandstand_data_bytes", "Bytes of the recordings in the data directory.";
    line_connections_total: Counter = "grandstand_line_connections_total", "Connections accepted on the text-line port.";
    line_refused: Counter = "grandstand_line_connections_refused_total", "Connections refused there for a limit.";
    line_limit_closed: Counter = "grandstand_line_connections_limited_total", "Connections closed there for a limit.";
    lines: Counter = "grandstand_lines_total", "Lines that became commands.";
    line_bytes: Counter = "grandstand_line_bytes_total", "Bytes read on the text-line port.";
    unknown_lines: Counter = "grandstand_unknown_lines_total", "Lines that no dialect understood.";
    matches_begun: Counter = "grandstand_matches_total", "Matches begun.";
    http_refused: Counter = "grandstand_http_connections_refused_total", "HTTP connections refused for a limit.";
    http_requests: Counter = "grandstand_http_requests_total", "HTTP requests, websockets included.";
    spectators_total: Counter = "grandstand_spectators_total", "Websockets opened.";
    deliveries: Counter = "grandstand_deliveries_total", "Commands written, times the spectators they were written to.";
    delivered_bytes: Counter = "grandstand_delivered_bytes_total", "Bytes written to websockets.";
    rounds: Counter = "grandstand_rounds_total", "Rounds of writing to a match's spectators.";
    resyncs: Counter = "grandstand_resyncs_total", "Times that a slow spectator was moved on to a fresh scene.";
    blocked_writes: Counter = "grandstand_blocked_writes_total", "Times that a spectator's socket was full.";
    inbound_messages: Counter = "grandstand_inbound_messages_total", "Websocket messages that spectators sent.";
    recorder_bytes: Counter = "grandstand_recorder_bytes_total", "Bytes written to replay files.";
    recorder_writes: Counter = "grandstand_recorder_writes_total", "Writes to replay files.";
    recorder_failures: Counter = "grandstand_recorder_failures_total", "Recordings given up for an error.";
    nats_connected: Gauge = "grandstand_nats_connected", "1 while there is a connection to NATS.";
    nats_published: Counter = "grandstand_nats_published_total", "Entries of feeds sent to NATS.";
    nats_in_flight: Gauge = "grandstand_nats_in_flight", "Entries sent to NATS and not acknowledged yet.";
    nats_skipped: Counter = "grandstand_nats_skipped_total", "Times that frames were left out of a feed, and a scene was published for them.";
    nats_recordings: Counter = "grandstand_nats_recordings_total", "Recordings put into the object store.";
    nats_fetched: Counter = "grandstand_nats_fetched_total", "Recordings fetched from the object store.";
    nats_followed: Gauge = "grandstand_nats_followed", "Matches of other servers that are followed, since somebody watches.";
    nats_frames: Counter = "grandstand_nats_frames_total", "Frames read from feeds.";
    nats_resyncs: Counter = "grandstand_nats_resyncs_total", "Times that a followed match went on with a scene, since frames were missing.";
    nats_lag: Gauge = "grandstand_nats_lag_frames", "Frames that followed matches lack, by what their origins said last.";
    summaries_read: Counter = "grandstand_summaries_read_total", "Recordings read to list them.";
}

/// Media type of the text exposition.
pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Writes one metric family: help, kind, and values with their labels.
pub(crate) fn family(
    out: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    values: impl IntoIterator<Item = (impl Display, u64)>,
) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
    for (labels, value) in values {
        let _ = writeln!(out, "{name}{labels} {value}");
    }
}

impl Metrics {
    /// Counts a closed websocket.
    pub(crate) fn count_closed(&self, reason: CloseReason) {
        self.closed[reason as usize].add(1);
    }

    /// Records the time from a command's arrival to the end of the round that wrote it.
    pub(crate) fn observe_delay(&self, delay: Duration) {
        self.write_delay_micros.observe(delay.as_micros() as u64);
    }

    /// The Prometheus text exposition, with the number of live matches and the state of the memory budget.
    pub(crate) fn render(&self, live_matches: usize, memory: &MemoryBudget) -> String {
        let mut out = String::with_capacity(6 * 1024);
        self.matches_live.set(live_matches as u64);
        self.render_numbers(&mut out);
        let closed = CloseReason::ALL.into_iter().zip(&self.closed);
        family(
            &mut out,
            "grandstand_websockets_closed_total",
            Counter::KIND,
            "Websockets closed, by reason.",
            closed.map(|(reason, count)| (format!("{{reason=\"{reason}\"}}"), count.get())),
        );
        let by_use = |value: fn(&MemoryBudget, MemoryUse) -> u64| {
            MemoryUse::ALL.map(|what| (format!("{{use=\"{what}\"}}"), value(memory, what)))
        };
        let held = by_use(|memory, what| memory.held(what) as u64);
        family(&mut out, "grandstand_memory_bytes", Gauge::KIND, "Memory of the account, by use.", held);
        let refused = by_use(MemoryBudget::refused);
        family(
            &mut out,
            "grandstand_memory_full_total",
            Counter::KIND,
            "Times that a use had its share.",
            refused,
        );
        let cut = CutReason::ALL.into_iter().zip(&self.recordings_cut);
        family(
            &mut out,
            "grandstand_recordings_cut_total",
            Counter::KIND,
            "Recordings ended before their match, by reason.",
            cut.map(|(cut, count)| (format!("{{reason=\"{cut}\"}}"), count.get())),
        );
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

//! This program as an engine on its standard streams.
//!
//! Three threads: one reads lines, one searches, one answers. A line is therefore answered at once during a search, and
//! a move is sent in time even if the search has not ended.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use grandstand_search::gomoku::Thought;

use super::TruncatingLineDecoder;
use super::brain::{Brain, Output, Request, Tables};
use super::search::Searcher;
use crate::wakeup_latency::WakeupLatency;

/// Maximum number of bytes of a line that are kept: no command is longer.
const LINE_BYTES: usize = 4_096;
/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// Message to the answering thread.
enum BrainMessage {
    Line(String, Instant),
    /// The input has ended.
    End,
    Prepared,
    Thinks(u64, Thought),
    Found(u64, Option<Thought>),
}

/// Order to the searching thread.
enum Job {
    Prepare(Tables),
    Think(Box<Request>, Arc<AtomicBool>),
}

/// Answers a manager until it sends `END` or its input ends.
///
/// # Errors
/// If the answers can't be written, or a thread can't be started.
pub fn run(input: impl Read + Send + 'static, mut output: impl Write, cores: usize) -> io::Result<()> {
    let began = Instant::now();
    let (tell, news) = mpsc::channel();
    let (order, jobs) = mpsc::channel();
    let reader = tell.clone();
    thread::Builder::new().name("lines".to_owned()).spawn(move || read(input, &reader))?;
    thread::Builder::new().name("thinker".to_owned()).spawn(move || work(&jobs, &tell, began))?;
    let mut brain = Brain::new(cores);
    let mut stop = Arc::new(AtomicBool::new(false));
    let mut latency = WakeupLatency::default();
    loop {
        let answers_by = brain.answers_by();
        let (since, limit) = answers_by.map_or((began, None), |(since, limit)| (began + since, Some(limit)));
        let outputs = match latency.receive(&news, since, limit) {
            Ok(BrainMessage::Line(line, at)) => brain.line(&line, at - began),
            Ok(BrainMessage::End) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Ok(BrainMessage::Prepared) => brain.prepared(),
            Ok(BrainMessage::Thinks(id, found)) => brain.thinks(id, &found),
            Ok(BrainMessage::Found(id, found)) => brain.found(id, found.as_ref(), began.elapsed()),
            Err(RecvTimeoutError::Timeout) => brain.timeout(began.elapsed()),
        };
        for todo in outputs {
            match todo {
                Output::Line(line) => {
                    // One write for the whole line, so that no reader sees half of it.
                    output.write_all(format!("{line}\n").as_bytes())?;
                    output.flush()?;
                }
                Output::Prepare(tables) => drop(order.send(Job::Prepare(tables))),
                Output::Think(mut request) => {
                    // If the answer leaves earlier than on an idle machine, the search ends earlier by as much.
                    let answer = request.budget.answer;
                    let sooner = answer - latency.earlier(answer);
                    request.budget.hard = request.budget.hard.saturating_sub(sooner);
                    stop = Arc::new(AtomicBool::new(false));
                    // The receiving thread ends only after this loop.
                    let _ = order.send(Job::Think(request, Arc::clone(&stop)));
                }
                Output::Stop => stop.store(true, Ordering::Relaxed),
                Output::Leave => return Ok(()),
            }
        }
    }
}

fn read(mut input: impl Read, tell: &Sender<BrainMessage>) {
    let mut lines = TruncatingLineDecoder::new(LINE_BYTES);
    let mut buffer = vec![0; CHUNK];
    loop {
        let read = match input.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.unwrap_or(0),
        };
        let at = Instant::now();
        lines.push(&buffer[..read]);
        let ended = read == 0;
        let last = lines.rest().filter(|_| ended);
        let told = std::iter::from_fn(|| lines.next_line())
            .chain(last)
            .try_for_each(|line| tell.send(BrainMessage::Line(line, at)));
        if told.is_err() || ended {
            // Fails if nobody receives any more.
            let _ = tell.send(BrainMessage::End);
            return;
        }
    }
}

fn work(jobs: &Receiver<Job>, tell: &Sender<BrainMessage>, began: Instant) {
    let mut searcher = Searcher::default();
    for job in jobs {
        // Sending fails once the program is about to end.
        let _ = match job {
            Job::Prepare(tables) => {
                searcher.prepare(&tables);
                tell.send(BrainMessage::Prepared)
            }
            Job::Think(request, stop) => {
                let passed = began.elapsed().saturating_sub(request.since);
                let time = [request.budget.soft, request.budget.hard].map(|time| time.saturating_sub(passed));
                let mut report =
                    |found: &Thought| drop(tell.send(BrainMessage::Thinks(request.id, found.clone())));
                let found = searcher.think(&request, time, &stop, &mut report);
                tell.send(BrainMessage::Found(request.id, found))
            }
        };
    }
}

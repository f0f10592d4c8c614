//! A worker: plays games that a director hands out, on this machine.

use std::sync::atomic::AtomicBool;
use std::thread;

use anyhow::Context as _;

use super::results;
use super::worker_state::WorkerState;
pub use super::worker_state::{DirectorAddress, WorkerOptions};
use super::worker_thread;

/// Plays games until `stop` is set. `say` is told what happens; `progress` how many games counted, several times a
/// second.
///
/// # Errors
/// If the address or a certificate is of no use, or the director refuses this worker.
pub fn run(
    options: &WorkerOptions,
    stop: &AtomicBool,
    say: &(dyn Fn(&str) + Sync),
    progress: &dyn Fn(u64),
) -> anyhow::Result<()> {
    let worker = WorkerState::new(options, stop, say)?;
    thread::scope(|scope| {
        for index in 0..worker.jobs {
            let worker = &worker;
            let play = move || worker_thread::play_on(worker, index);
            let named = thread::Builder::new().name(format!("match {index}"));
            if let Err(error) = named.spawn_scoped(scope, play) {
                worker.end();
                return Err(error).context("a thread");
            }
        }
        let again = thread::Builder::new().name("results".to_owned());
        if let Err(error) = again.spawn_scoped(scope, || results::hand_in_again(&worker)) {
            worker.end();
            return Err(error).context("a thread");
        }
        let end = worker.attend(progress);
        worker.end();
        end
    })
}

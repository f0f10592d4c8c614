//! A worker: plays games that a director hands out, on this machine.

use std::sync::atomic::AtomicBool;
use std::thread;

use anyhow::Context as _;

use super::player;
use super::results;
use super::worker_shared::WorkerShared;
pub use super::worker_shared::{DirectorAddress, WorkerOptions};

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
    let crew = WorkerShared::new(options, stop, say)?;
    thread::scope(|scope| {
        for index in 0..crew.jobs {
            let crew = &crew;
            let play = move || player::play_on(crew, index);
            let named = thread::Builder::new().name(format!("match {index}"));
            if let Err(error) = named.spawn_scoped(scope, play) {
                crew.end();
                return Err(error).context("a thread");
            }
        }
        let again = thread::Builder::new().name("results".to_owned());
        if let Err(error) = again.spawn_scoped(scope, || results::hand_in_again(&crew)) {
            crew.end();
            return Err(error).context("a thread");
        }
        let end = crew.attend(progress);
        crew.end();
        end
    })
}

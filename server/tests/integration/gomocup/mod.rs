//! The Gomocup protocol: both ends against each other on simulated time, transcripts of real managers, arbitrary bytes,
//! and real processes, honest and hostile ones.

mod bytes;
#[cfg(target_os = "linux")]
mod hostile;
mod pair;
#[cfg(target_os = "linux")]
mod play;
#[cfg(target_os = "linux")]
mod process;
mod transcripts;

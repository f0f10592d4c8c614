//! The Gomocup protocol: both ends against each other on simulated time, transcripts of real managers, any bytes, and real
//! processes, honest and hostile ones.
#![allow(clippy::unwrap_used, reason = "all of it is test code")]

mod bytes;
#[cfg(target_os = "linux")]
mod hostile;
mod pair;
#[cfg(target_os = "linux")]
mod play;
#[cfg(target_os = "linux")]
mod process;
mod transcripts;

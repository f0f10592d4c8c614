//! The games of a tournament played on several machines.
//!
//! A director (`tournament run --workers`) hands games out over HTTP; workers (`grandstand worker`) fetch them by outgoing
//! requests, play them, and hand the recordings and results in. The director alone writes the catalogue.
//!
//! - `job`: a game as self-contained data; `report`: what a worker says of it; `messages`: the other messages;
//!   `wire`: their encoding and their limits
//! - `job_queue`: who plays what, and until when: pure, told the time; `evidence`: what plays are compared by; `dispatch`: a
//!   run's side of it
//! - `service`: the director's HTTP; `token`: who may take part
//! - `uploads`: recordings whose results have not come yet, at the director; `results`: results that are not stored yet, at
//!   a worker
//! - `contents`: programs by the hash of their content, at the director; `cache`: the same at a worker
//! - `speed`: what a worker measures of its machine; `link`: a worker's requests; `worker`: its threads; `player`: one of them
//!
//! server/HTTP.md has the requests, docs/SCALE.md is the page for operators.

mod cache;
mod contents;
pub(super) mod dispatch;
mod evidence;
mod fuzz;
mod job;
mod job_queue;
mod link;
mod messages;
mod player;
mod report;
mod results;
mod service;
mod speed;
pub(crate) mod token;
mod uploads;
mod wire;
pub mod worker;
mod worker_shared;

pub use self::dispatch::Hosting;
pub(crate) use self::fuzz::fuzz;
pub use self::token::Token;

//! The games of a tournament played on several machines.
//!
//! A director (`tournament run --workers`, `--nats`) hands games out over HTTP or NATS; workers (`grandstand worker`) fetch them
//! by outgoing requests, play them, and hand the recordings and results in. The director alone writes the catalogue.
//!
//! - `job`: a game as self-contained data; `report`: what a worker says of it; `messages`: the other messages;
//!   `wire`: their encoding and their limits
//! - `job_queue`: who plays what, and until when: pure, told the time; `evidence`: what plays are compared by; `dispatch`: a
//!   run's side of it; `shared`: what requests see of both
//! - `requests`: the requests of workers and their answers, whichever way they come: `service` is the director's HTTP, with
//!   `token` for who may take part, and `nats` the way over NATS; `http_port`: a port for HTTP
//! - `uploads`: recordings whose results have not come yet, at the director; `results`: results that are not stored yet, at
//!   a worker
//! - `contents`: programs by the hash of their content, at the director; `cache`: the same at a worker
//! - `speed`: what a worker measures of its machine; `link`: a worker's requests, and `http_link` by HTTP; `worker`: its threads; `player`: one of
//!   them; `status`: its own HTTP
//!
//! server/HTTP.md has the requests, docs/SCALE.md is the page for operators.

mod cache;
mod contents;
mod director_state;
pub(super) mod dispatch;
mod evidence;
mod fuzz;
mod http_link;
mod http_port;
mod job;
mod job_queue;
mod link;
mod messages;
pub(crate) mod nats;
mod report;
mod requests;
mod results;
mod service;
mod speed;
mod status;
pub(crate) mod token;
mod uploads;
mod wire;
pub mod worker;
mod worker_state;
mod worker_thread;

pub use self::dispatch::DirectorOptions;
pub(crate) use self::fuzz::fuzz;
pub use self::nats::host::NatsDirectorOptions;
pub use self::service::HttpDirectorOptions;
pub use self::token::Token;

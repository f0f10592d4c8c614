//! Sandbox for programs of other people; a program is ended with all of its children.
//!
//! `server/SANDBOX.md` says what the sandbox restricts and by which means of Linux. Three processes of this binary take
//! part, none of which contains `unsafe` code of ours:
//!
//! - the server holds a [`Program`]: it sends the [`Job`], reads events and keeps the output;
//! - the `warden` (a hidden subcommand) leaves the server's user, process and network namespaces, measures what the
//!   program uses, carries its connections to the one address that it may reach, and ends it;
//! - `init` (another one) is process 1 of the program's own process namespace: it drops the privileges that the program must
//!   not have and starts it; when it ends, the kernel ends all that is left.
//!
//! The server and the warden speak JSON lines over a socket and a pipe: when either is gone, the other notices, and the program ends.

mod error;
#[cfg(target_os = "linux")]
mod events;
mod job;
#[cfg(target_os = "linux")]
mod linux;
mod place;
#[cfg(any(not(target_os = "linux"), test))]
mod plain;
mod program;
mod words;

pub use error::ProgramError;
pub use job::{Ending, Event, Isolation, Job, LimitExceeded, Limits, NOBODY};
#[cfg(target_os = "linux")]
pub use linux::{init, warden};
pub use place::{Scratch, directories_of};
pub use program::{OutputLog, Pipes, Program};
pub use words::{WordsError, join, split};

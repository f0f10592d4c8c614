//! The server from outside: text lines on one socket, websockets, HTTP and replay files as output.
//!
//! Each test has its own server, on ports that the system chooses.

mod contract;
#[cfg(unix)]
mod directory;
#[cfg(unix)]
mod floods;
mod fuzz;
mod lines;
mod owners;
mod pictures;
#[cfg(unix)]
mod process;
mod quotas;
mod readers;
mod seats;
mod spectators;
mod support;
mod tls;

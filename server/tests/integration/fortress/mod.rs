//! Steam Fortress between programs: referee, real connections, command line, documents.

mod fuzz;
mod live;
mod play;
mod protocol;
mod referee;

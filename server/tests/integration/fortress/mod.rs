//! Steam Fortress between programs: the referee, real connections, the command, the documents.

mod fuzz;
mod live;
mod play;
mod protocol;
mod referee;

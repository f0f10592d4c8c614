//! CL and RCL: from source text to a metered virtual machine.
//!
//! The languages, and what one step of them is, are defined in `CL.md` and `RCL.md`. The pipeline is the tree:
//!
//! - [`source`]: files (through [`FileSource`]; this crate reads none itself), places in them, carets.
//! - `lexer`, `parser`: what the languages share of their text; [`cl`], [`rcl`]: what each has of its own. All lead to one [`core`].
//! - [`draft`]: what can be read of a text, whether or not it is a program, for editors.
//! - `notes`, `slips`: what messages say of things that are usually meant otherwise.
//! - [`reference`](mod@reference): the small engine that defines a step.
//! - `compile`: the core to register bytecode, each operation with the reductions that it stands for.
//! - `vm`: the compiled engine, [`Machine`]: the interpreter, heaps and their collection, arrays, effects in the order of (cycle, pid).
//! - [`view`]: what a machine and its threads are like between two operations, for people who ask.
//! - [`Datum`], [`world`]: what passes between a machine and the world that its threads act in.
//! - [`fuzz`]: the engines side by side.
//!
//! ```
//! use grandstand_languages::{Limits, Machine, NoWorld, cl};
//!
//! let program = cl::parse("fact.cl", "let fact = rec f in fn n => if n = 0 then 1 else n * f (n - 1) in fact 3")?;
//! let mut machine = Machine::new(Limits::default(), 0);
//! let team = machine.add_team(&program);
//! machine.start(team);
//! let mut world = NoWorld::default();
//! machine.run(1000, &mut world);
//! let (_cycle, _pid, end) = &world.ends[0];
//! assert_eq!(end.to_string(), "6");
//! # Ok::<(), grandstand_languages::LoadError>(())
//! ```

mod arithmetic;
pub mod cl;
mod compile;
pub mod core;
mod datum;
pub mod draft;
mod error;
mod evaluate;
pub mod fuzz;
mod language;
mod lexer;
mod notes;
mod operations;
mod parser;
mod program;
pub mod rcl;
pub mod reference;
mod slips;
pub mod source;
pub mod view;
mod vm;
pub mod world;

pub use datum::{DATUM_DEPTH, DATUM_ELEMENTS, Datum};
pub use draft::Draft;
pub use error::LoadError;
pub use language::{Language, load};
pub use lexer::{MAX_BYTES, MAX_INCLUDE_DEPTH, MAX_INCLUDES};
pub use operations::{Line, Operations};
pub use program::Program;
pub use slips::Warning;
pub use source::{FileError, FileSource, Location, MemoryFiles, Span};
pub use vm::{Machine, Mode, Watch, Watcher};
pub use world::{
    Answer, Cause, End, FREE_CALLS, Kind, LATEST, Limit, Limits, LockWait, NoWorld, Pid, Stuck, TeamId, World,
};

//! CL and RCL: from source text to a metered virtual machine.
//!
//! The languages and their steps are defined in `CL.md` and `RCL.md`. The modules follow the pipeline:
//!
//! - [`source`]: files (through [`FileSource`]; this crate reads none itself), locations in them, carets.
//! - `lexer`, `parser`: the syntax common to the languages; [`cl`], [`rcl`]: the specific syntax. Both produce one [`core`].
//! - [`draft`]: the readable parts of any text, for editors.
//! - `notes`, `mistakes`: hints in messages at probable mistakes.
//! - [`reference_engine`]: the small engine that defines a step.
//! - `compile`: the compiler from the core to register bytecode, in which each operation has its number of reductions.
//! - `vm`: the compiled engine, [`Machine`]: the interpreter, heaps and their collection, arrays, effects in the order of (cycle, pid).
//! - [`view`]: the state of a machine and its threads between two operations, for inspection.
//! - [`Datum`], [`world`]: the interface between a machine and the world in which its threads act.
//! - [`fuzz`]: comparison of the engines.
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
mod mistakes;
mod notes;
mod operations;
mod parser;
mod program;
pub mod rcl;
pub mod reference_engine;
pub mod source;
pub mod view;
mod vm;
pub mod world;

pub use datum::{DATUM_DEPTH, DATUM_ELEMENTS, Datum};
pub use draft::Draft;
pub use error::LoadError;
pub use language::{Language, load};
pub use lexer::{MAX_BYTES, MAX_INCLUDE_DEPTH, MAX_INCLUDES};
pub use mistakes::Warning;
pub use operations::{Line, Operations};
pub use program::Program;
pub use source::{FileError, FileSource, Location, MemoryFiles, Span};
pub use vm::{Machine, Mode, Snapshot, Watch, Watcher};
pub use world::{
    Answer, Cause, End, FREE_CALLS, Kind, LATEST, Limit, Limits, LockWait, NoWorld, Pid, Stuck, TeamId, World,
};

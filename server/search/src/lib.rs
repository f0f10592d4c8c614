//! Game-tree search for all games with alternate moves.
//!
//! - [`minimax()`], [`alphabeta()`] and [`jamboree()`]: the searches of the Riskless handout, as it specifies them;
//! - [`Watch`] and [`Trace`]: observers of a search, node by node; [`Threads`]: its thread pool;
//! - [`explicit`]: explicit game trees; [`Figure`]: the format of their traces;
//! - [`strong`]: faster variants of these searches, for games with additional knowledge;
//! - [`riskless`]: estimates and move ordering for Riskless;
//! - [`gomoku`]: an engine for Gomoku and Pente;
//! - [`Estimate`], [`Estimator`]: values of positions;
//! - [`review`]: what each move of a played game gave up;
//! - [`budget`]: thinking times derived from clocks.
//!
//! The searches access positions through [`grandstand_rules::turn`] and use no windows, sockets or files.
//! `server/search/SEARCH.md` describes them in detail.

mod alphabeta;
pub mod budget;
pub mod explicit;
mod figure;
pub mod gomoku;
mod jamboree;
mod minimax;
pub mod review;
pub mod riskless;
pub mod strong;
mod threads;
mod value;
mod watch;

pub use alphabeta::{alphabeta, alphabeta_watched};
pub use figure::Figure;
pub use jamboree::{NotAShare, PrunePercentage, jamboree, jamboree_watched};
pub use minimax::{minimax, minimax_watched};
pub use threads::{NoThreads, Threads};
pub use value::{Counts, Estimate, Estimator, Found, Value, Window};
pub use watch::{StopWhen, Trace, Watch};

//! Game-tree search, over any game in which the players move by turns.
//!
//! - [`minimax()`], [`alphabeta()`] and [`jamboree()`]: the searches of the Riskless handout, as it specifies them;
//! - [`Watch`] and [`Trace`]: what they do, node by node; [`Threads`]: what they run on;
//! - [`explicit`]: game trees that are written down; [`Figure`]: how their searches are printed;
//! - [`strong`]: the same made strong, for games of which somebody knows more;
//! - [`riskless`]: what the searches know of Riskless;
//! - [`gomoku`]: an engine for Gomoku and Pente;
//! - [`Estimate`], [`Estimator`]: what positions are worth;
//! - [`budget`]: how long to think, of what a clock shows.
//!
//! The searches know positions by [`grandstand_rules::turn`] and nothing of windows, sockets or files.
//! `server/search/SEARCH.md` says more.

mod alphabeta;
pub mod budget;
pub mod explicit;
mod figure;
pub mod gomoku;
mod jamboree;
mod minimax;
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
pub use value::{Bounds, Counts, Estimate, Estimator, Found, Value};
pub use watch::{StopWhen, Trace, Watch};

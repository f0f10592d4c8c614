//! Searches of explicit trees in the format of figures 4 and 5 of the handout.

use grandstand_rules::turn::Position as _;

use crate::explicit::TreePosition;
use crate::value::Found;
use crate::watch::Trace;

/// The format of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Includes the estimated terminals, and ends with the root's value and the best move.
    Four,
    /// Omits the estimated terminals, and ends with the chosen move, with its name too.
    Five,
}

/// The names of the moves of a node with two or three children, as in the handout; with more, moves have only numbers.
const NAMES: [&[&str]; 2] = [&["left", "right"], &["left", "middle", "right"]];

impl Figure {
    /// The lines of the trace of a search from `root`, followed by the lines with the result.
    pub fn print(self, root: &TreePosition, trace: &Trace<TreePosition>, found: &Found<usize>) -> String {
        let is_shown = |line: &&String| self == Figure::Four || !line.starts_with("Estimating ");
        let mut text: String = trace.lines().iter().filter(is_shown).flat_map(|line| [line, "\n"]).collect();
        let terminals = format!("Terminals visited: {}\n", found.counts.terminals);
        let mv = found.mv.map_or_else(|| "none".to_owned(), |mv| mv.to_string());
        match self {
            Figure::Four => {
                let (state, value) = (trace.state(root), found.estimate);
                text +=
                    &format!("Therefore value of {state} is {value}, and best move is {mv}.\n{terminals}");
            }
            Figure::Five => {
                let mut moves = Vec::new();
                root.legal_moves(&mut moves);
                let names = NAMES.iter().find(|names| names.len() == moves.len());
                let name = names.and_then(|names| names.get(found.mv?)).map(|name| format!("[{name}]"));
                text += &format!("{terminals}Overall choice: move {mv}{}\n", name.unwrap_or_default());
            }
        }
        text
    }
}

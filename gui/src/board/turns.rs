//! What the boards of all games share in which two teams move by turns: sides with their names and clocks, and talk.

use grandstand_protocol::turn::{Mover, Table};

use super::Said;
use crate::sides::{Side, capitalised};

/// Names that were sent to the board stand where the header has none.
pub(super) fn name_sides<T: Mover, M: Clone>(table: &Table<T, M>, sides: &mut [Side]) {
    for (side, team) in sides.iter_mut().zip(T::ALL) {
        if let Some(name) = table.name(team)
            && side.name == capitalised(team.name())
        {
            side.name = name.replace('_', " ");
        }
    }
}

/// What was said, the oldest first.
pub(super) fn talk<T: Mover, M: Clone>(table: &Table<T, M>) -> Vec<Said<'_>> {
    let lines = table.talk().iter();
    lines.map(|line| Said { seq: line.seq, t: line.t, team: line.team.name(), text: &line.text }).collect()
}

/// Whose turn it is, as long as nobody has won.
pub(super) fn mover<T: Mover, M: Clone>(table: &Table<T, M>) -> Option<usize> {
    table.turn().filter(|_| table.winner().is_none()).map(Mover::index)
}

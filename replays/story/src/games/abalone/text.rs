//! Words for an Abalone match.

use grandstand_protocol::abalone::{self, Facing, Hex, Piece, Scene, Team};
use grandstand_protocol::{Command, Scene as AnyScene};

use super::motion::{self, Motion};
use crate::format;
use crate::game::{Group, Line};

/// Sentence for the moves of a group, or for a new board.
pub fn tell(before: &Scene, group: &Group<'_>) -> Vec<Line> {
    let AnyScene::Abalone(after) = group.after else { return Vec::new() };
    let sets = sets(group);
    // A new board is no move.
    let text = if sets.len() >= Hex::all().count() {
        let count = |team| after.pieces().filter(|(_, piece)| piece.team == team).count();
        format!("The board is set: {} black and {} white.", count(Team::Black), count(Team::White))
    } else {
        let motions = motion::while_drawing(before, &sets);
        if motions.is_empty() {
            return Vec::new();
        }
        let told = moves(&motions, |at| group.is_marked(&at.to_string()));
        if told.is_empty() {
            return Vec::new();
        }
        // A turn that is broken off by the end of the match has no number.
        let is_turn = |command: &Command| matches!(command, Command::Abalone(abalone::Command::Turns { .. }));
        let ends = group.commands.iter().any(|(.., command)| is_turn(command));
        if ends {
            format!("Turn {}: {told}.", after.turns())
        } else {
            format!("{}.", format::capitalised(&told))
        }
    };
    vec![Line::new(group.seq(), text)]
}

/// Commands of a group that set hexes.
fn sets(group: &Group<'_>) -> Vec<abalone::Command> {
    let set = |command: &Command| match command {
        Command::Abalone(set @ abalone::Command::Set { .. }) => Some(set.clone()),
        _ => None,
    };
    group.commands.iter().filter_map(|(.., command)| set(command)).collect()
}

/// Reason for the loss of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Pushed over the edge.
    Pushed,
    /// Removed because its program ended.
    Died,
}

/// Pieces that left the board in a group.
pub fn losses(before: &Scene, group: &Group<'_>) -> Vec<(Piece, Loss)> {
    let sets = sets(group);
    if sets.len() >= Hex::all().count() {
        return Vec::new();
    }
    let lost = |motion: Motion| match motion {
        Motion::PushedOff { piece, .. } => Some((piece, Loss::Pushed)),
        Motion::Vanished { piece, .. } => Some((piece, Loss::Died)),
        Motion::Step { .. } | Motion::Appeared { .. } => None,
    };
    motion::while_drawing(before, &sets).into_iter().filter_map(lost).collect()
}

/// `Black`
pub fn name(team: Team) -> &'static str {
    match team {
        Team::Black => "Black",
        Team::White => "White",
    }
}

/// Name of a hex for people: `B−2`.
fn place(hex: Hex) -> String {
    hex.label()
}

/// A label with the hexes in the form for people.
pub fn label(label: &str) -> String {
    let is_hex = |word: &str| word.parse::<Hex>().is_ok();
    let word = |word: &str| {
        let bare = word.trim_end_matches([',', '.', ':', ';', ')']);
        if is_hex(bare) { word.replace('~', "−") } else { word.to_owned() }
    };
    label.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// More pieces than this that come in at once are counted.
const COMING_MAX: usize = 3;

/// `Black 3 in line, A1 to D1; White E5 to E4; a white piece is pushed off at I5`. `is_told`: whether the loss of a piece
/// there has a line of its own.
fn moves(motions: &[Motion], is_told: impl Fn(Hex) -> bool) -> String {
    let mut parts = Vec::new();
    for team in Team::ALL {
        let steps: Vec<(Hex, Hex)> = motions
            .iter()
            .filter_map(|motion| match *motion {
                Motion::Step { piece, from, to } if piece.team == team => Some((from, to)),
                _ => None,
            })
            .collect();
        let chains: Vec<String> = chains(&steps)
            .into_iter()
            .map(|(from, to, length)| {
                let line = if length > 1 { format!("{length} in line, ") } else { String::new() };
                format!("{line}{} to {}", place(from), place(to))
            })
            .collect();
        if !chains.is_empty() {
            parts.push(format!("{} {}", name(team), chains.join(", ")));
        }
    }
    let coming = |team| {
        let comes = |motion: &&Motion| matches!(motion, Motion::Appeared { piece, .. } if piece.team == team);
        motions.iter().filter(comes).count()
    };
    let counts = Team::ALL.map(|team| (team, coming(team)));
    let are_many = counts.iter().map(|(_, count)| count).sum::<usize>() > COMING_MAX;
    if are_many {
        let some = counts.iter().filter(|(_, count)| *count > 0);
        let words: Vec<String> = some.map(|(team, count)| format!("{count} {}", team.name())).collect();
        parts.push(format!("{} pieces come in", words.join(" and ")));
    }
    for motion in motions {
        let (piece, what) = match *motion {
            Motion::Step { .. } => continue,
            Motion::PushedOff { last: at, .. } | Motion::Vanished { from: at, .. } if is_told(at) => continue,
            Motion::Appeared { .. } if are_many => continue,
            Motion::PushedOff { piece, last, .. } => (piece, format!("is pushed off at {}", place(last))),
            Motion::Vanished { piece, from } => (piece, format!("is gone from {}", place(from))),
            Motion::Appeared { piece, at } => (piece, format!("comes in at {}", place(at))),
        };
        parts.push(format!("a {} piece {what}", piece.team.name()));
    }
    parts.join("; ")
}

/// Joins consecutive steps: start of the last piece, end of the first piece, number of pieces.
fn chains(steps: &[(Hex, Hex)]) -> Vec<(Hex, Hex, usize)> {
    let tails = steps.iter().filter(|(from, _)| steps.iter().all(|(_, to)| to != from));
    let mut chains: Vec<_> = tails
        .map(|&(start, mut end)| {
            let mut length = 1;
            while let Some((_, next)) = steps.iter().find(|(from, _)| *from == end) {
                // A ring has no tail, so the loop ends.
                (end, length) = (*next, length + 1);
            }
            (start, end, length)
        })
        .collect();
    if chains.is_empty() {
        chains.extend(steps.iter().map(|&(from, to)| (from, to, 1)));
    }
    chains
}

/// Description of a hex and its piece.
pub fn describe(hex: Hex, piece: Option<Piece>) -> String {
    let name = hex.label();
    match piece {
        None => format!("{name}: empty"),
        Some(Piece { team, facing: Facing::None }) => format!("{name}: {team}"),
        Some(Piece { team, facing }) => format!("{name}: {team}, facing {}", facing_words(facing)),
    }
}

fn facing_words(facing: Facing) -> &'static str {
    match facing {
        Facing::None => "nowhere",
        Facing::Right => "right",
        Facing::UpRight => "up right",
        Facing::UpLeft => "up left",
        Facing::Left => "left",
        Facing::DownLeft => "down left",
        Facing::DownRight => "down right",
    }
}

//! Bodies of the fuzz targets of Riskless.

use std::sync::Arc;

use super::{Map, Position, TERRITORIES_MAX, maps};
use crate::turn::{Position as _, Side};

/// Any bytes as a map of Riskless: it is refused with at least one reason, or it is read as it was written.
pub fn riskless_map(data: &[u8]) {
    match Map::parse(data) {
        Ok(map) => {
            assert_eq!(
                Map::parse(map.to_string().as_bytes()).as_ref(),
                Ok(&map),
                "a map reads what it wrote"
            );
            assert!(map.graph().is_simple() && map.graph().is_undirected() && map.graph().is_connected());
            assert!(map.warnings(data).iter().all(|odd| odd.line >= 1));
            let position = Position::start(Arc::new(map));
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            assert!(!moves.is_empty(), "a match can be played on a good map");
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            let lines = String::from_utf8_lossy(data).matches('\n').count() + 1;
            assert!(
                faults.iter().all(|fault| (1..=lines).contains(&fault.line) && fault.column >= 1),
                "{faults}"
            );
        }
    }
}

/// Any bytes as a match: the first byte selects the map; each pair after it is a legal move, any move, or a text. The
/// invariants hold in every position, and the match ends.
pub fn riskless_play(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let Some(map) = maps::by_name(maps::SHIPPED[usize::from(first) % maps::SHIPPED.len()].0) else { return };
    let mut position = Position::start(Arc::new(map));
    let mut moves = Vec::new();
    for pair in rest.chunks_exact(2).chain([[0, 0].as_slice()].into_iter().cycle()) {
        let &[a, b] = pair else { continue };
        moves.clear();
        position.legal_moves(&mut moves);
        assert!(moves.is_sorted() && moves.is_empty() == position.end().is_some());
        let mv = match a {
            200.. => super::Move { from: a - 200, to: b },
            180.. => match position.parse_move(&String::from_utf8_lossy(pair)) {
                Ok(mv) => mv,
                Err(_) => continue,
            },
            _ => match moves.get((usize::from(a) * 256 + usize::from(b)) % moves.len().max(1)) {
                Some(&mv) => mv,
                None => break,
            },
        };
        if moves.contains(&mv) {
            assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
        }
        let before = position.clone();
        position = match position.play(mv) {
            Ok(after) => {
                assert!(moves.contains(&mv));
                sound(&after);
                after
            }
            Err(refused) => {
                assert!(!moves.contains(&mv) && *refused.position == before);
                before
            }
        };
    }
}

/// Checks the values derived from the armies.
fn sound(position: &Position) {
    for side in Side::ALL {
        let held = (0..TERRITORIES_MAX as u8).filter_map(|n| Some((n, position.holding(n)?)));
        let held: Vec<(u8, u8)> =
            held.filter(|(_, (owner, _))| *owner == side).map(|(n, (_, armies))| (n, armies)).collect();
        assert_eq!(held.iter().map(|(_, armies)| u16::from(*armies)).sum::<u16>(), position.armies(side));
        assert_eq!(held.iter().fold(0, |bits, (n, _)| bits | 1 << n), position.territories(side));
        assert!(held.iter().all(|(_, armies)| (1..=position.map().cap()).contains(armies)));
    }
}

//! Ranking of the boards of a wall by how much they are worth watching.

use grandstand_protocol::message::MatchId;

use super::Wall;
use crate::session::NextFrame;

/// Interval between two rankings, in seconds: boards that change places all the time can't be watched.
const EVERY: f64 = 12.0;

impl Wall {
    /// Puts the boards in the order of their interest, now and then; pinned ones stay in front, and those that are over come last.
    pub(super) fn rank(&mut self, now: f64) -> NextFrame {
        if let Some(left) = self.ranked.map(|since| EVERY - (now - since)).filter(|left| *left > 0.0) {
            return NextFrame::After(left);
        }
        self.ranked = Some(now);
        self.tiles.sort_by_cached_key(|tile| {
            let kind = tile.ranked().map(|interest| interest.kind);
            (!tile.pinned, tile.over.is_some(), std::cmp::Reverse(kind))
        });
        NextFrame::After(EVERY)
    }
}

/// Whether these are the wanted matches, in any order.
pub(super) fn same(shown: impl Iterator<Item = MatchId>, wanted: &[MatchId]) -> bool {
    let mut shown: Vec<MatchId> = shown.collect();
    let mut wanted = wanted.to_vec();
    shown.sort_unstable();
    wanted.sort_unstable();
    shown == wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_matches_in_another_order_are_the_same() {
        let ids = |names: &[&str]| -> Vec<MatchId> {
            names.iter().map(|name| name.parse().expect("an id")).collect()
        };
        assert!(same(ids(&["a", "b"]).into_iter(), &ids(&["b", "a"])));
        assert!(!same(ids(&["a", "b"]).into_iter(), &ids(&["a"])));
        assert!(!same(ids(&["a"]).into_iter(), &ids(&["b"])));
    }
}

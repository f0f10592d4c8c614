//! Switches and parameters of the search, and the numbers of moves and plies that follow from them.

/// Switches and parameters of the search, for comparing variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tuning {
    /// The most moves that a search for wins by fours tries at a leaf.
    pub leaf_fours: u32,
    /// The moves that searches for wins by threats may try in total, in per cent of all others: at the root, and for the
    /// other side after the best move of each iteration.
    pub threats: u32,
    /// Whether the net corrects the evaluation, in freestyle.
    pub net: bool,
    /// Whether the net corrects the evaluation under an open four's threat too, where nothing is cut by it.
    pub net_threatened: bool,
    /// Whether a null move is tried where a position looks good enough.
    pub null_move: bool,
    /// The reduction of late moves, in per cent of the default.
    pub reduction: u32,
    /// The number of moves tried before the rest are left out, in per cent of the default.
    pub width: u32,
    /// The margins of razoring, in per cent of the default.
    pub razor: u32,
    /// The margins of futility pruning, in per cent of the default.
    pub futility: u32,
    /// The weight of replies and continuations in the order of moves, in per cent of the default.
    pub replies: u32,
    /// Whether a move that alone keeps the score is searched one ply deeper.
    pub singular: bool,
    /// Whether a position far above the window is searched one ply less deep.
    pub fail_high: bool,
    /// Whether a position of the principal variation whose table entry is shallow is searched one ply less deep, as are
    /// the moves after one that raised its score.
    pub stale: bool,
    /// Whether late defences against an open four, and fours that only delay it, are left out.
    pub few_defences: bool,
    /// Whether late moves that make or stop threats are left out as quiet ones are.
    pub late_threats: bool,
    /// Whether a late move that threatens or has a good history is searched one ply deeper than the first.
    pub extend_late: bool,
    /// Whether a move whose reduced search raised the score is searched again deeper the more it rose.
    pub resize: bool,
    /// Whether a thread puts off the moves that another one searches.
    pub put_off: bool,
    /// Whether the move of the thread that got deepest is chosen, instead of the first thread's.
    pub deepest: bool,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            leaf_fours: 20,
            threats: 10,
            net: true,
            net_threatened: false,
            null_move: true,
            reduction: 100,
            width: 100,
            razor: 100,
            futility: 100,
            replies: 100,
            singular: true,
            fail_high: true,
            stale: true,
            few_defences: true,
            late_threats: true,
            extend_late: true,
            resize: true,
            put_off: true,
            deepest: true,
        }
    }
}

/// How many times as many moves a search for wins by fours tries at a leaf in Pente, where captures answer fours.
const PENTE_FOURS: u32 = 5;

impl Tuning {
    /// These settings for a rule: in Pente, where the newer means of selectivity win nothing, they are off.
    pub(super) fn of_rule(self, pente: bool) -> Tuning {
        if !pente {
            return self;
        }
        let leaf_fours = self.leaf_fours.saturating_mul(PENTE_FOURS);
        Tuning { leaf_fours, late_threats: false, extend_late: false, resize: false, ..self }
    }
}

/// The depths and numbers of moves above which a table has no entry of its own.
const ENTRIES: usize = 64;

/// What the search leaves out or reduces, by depth and number of the move.
pub(super) struct Selectivity {
    reductions: Vec<[u8; ENTRIES]>,
    limits: [u16; ENTRIES],
}

impl Selectivity {
    pub(super) fn new(tuning: &Tuning) -> Selectivity {
        let (reduction, width) = (f64::from(tuning.reduction) / 100.0, f64::from(tuning.width) / 100.0);
        let reductions = (0..ENTRIES)
            .map(|depth| {
                std::array::from_fn(|index| {
                    ((depth.max(1) as f64).ln() * (index.max(1) as f64).ln() * 0.7 * reduction) as u8
                })
            })
            .collect();
        let limits = std::array::from_fn(|depth| ((4.0 + (depth as f64).powf(1.5)) * width) as u16);
        Selectivity { reductions, limits }
    }

    /// The plies by which the move of this number (from 1) is searched less deep.
    #[inline]
    pub(super) fn reduction(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.reductions[(depth.max(0) as usize).min(ENTRIES - 1)][number.min(ENTRIES - 1)])
    }

    /// The number of moves after which the quiet ones are left out.
    #[inline]
    pub(super) fn limit(&self, depth: i32, improving: bool) -> usize {
        let limit = usize::from(self.limits[(depth.max(0) as usize).min(ENTRIES - 1)]);
        if improving { limit } else { limit / 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeper_searches_try_more_moves_and_reduce_later_ones_more() {
        let selectivity = Selectivity::new(&Tuning::default());
        for depth in 1..ENTRIES as i32 - 1 {
            assert!(selectivity.limit(depth, true) <= selectivity.limit(depth + 1, true));
            assert!(selectivity.limit(depth, false) <= selectivity.limit(depth, true));
            assert!(selectivity.limit(depth, false) >= 2, "a move besides the first is always tried");
            for number in 1..90 {
                let reduction = selectivity.reduction(depth, number);
                assert!(reduction <= selectivity.reduction(depth, number + 1));
                assert!(reduction <= selectivity.reduction(depth + 1, number));
            }
        }
        assert_eq!(selectivity.reduction(-3, 5), 0);
        assert_eq!(selectivity.limit(-3, true), 4);
    }
}

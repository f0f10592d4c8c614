//! The explicit games of the Riskless handout: the traces of figures 4 and 5 line by line, terminals, values and moves.
//!
//! The traces are as printed but for what the printing lost: `l` read as `1`, and blanks.

use grandstand_rules::turn::{Position, Side};
use grandstand_search::explicit::{Leaves, Tree, TreePosition};
use grandstand_search::{
    Estimate, Figure, PrunePercentage, Trace, Value, Window, alphabeta, alphabeta_watched, jamboree,
    jamboree_watched, minimax,
};
use proptest::prelude::*;

fn figure3() -> TreePosition {
    TreePosition::root(Tree::parse(include_str!("../traces/figure3.tree")).unwrap())
}

fn tree2() -> TreePosition {
    TreePosition::root(Tree::parse(include_str!("../traces/tree2.tree")).unwrap())
}

fn trace() -> Trace<TreePosition> {
    Trace::new(|position| position.name().to_owned())
}

fn half() -> PrunePercentage {
    PrunePercentage::new(0.5).unwrap()
}

fn terminals(trace: &Trace<TreePosition>) -> Vec<&str> {
    trace.lines().iter().filter_map(|line| line.strip_prefix("Estimating state ")).collect()
}

#[test]
fn figure_4_alphabeta_on_the_tree_of_figure_3() {
    let mut trace = trace();
    let found = alphabeta_watched(&figure3(), 4, &Leaves, &mut trace);
    assert_eq!(
        Figure::Four.print(&figure3(), &trace, &found),
        include_str!("../traces/figure4-alphabeta.trace")
    );
    assert_eq!(terminals(&trace), ["e[3]", "f[5]", "h[2]", "l[10]", "m[4]", "q[2]"]);
    assert_eq!((found.mv, found.estimate), (Some(0), Estimate::Guess(3)));
}

#[test]
fn figure_5_jamboree_on_tree_2() {
    let mut trace = trace();
    let found = jamboree_watched(&tree2(), 2, half(), &Leaves, &mut trace);
    assert_eq!(
        Figure::Five.print(&tree2(), &trace, &found),
        include_str!("../traces/figure5-jamboree.trace")
    );
    assert_eq!(found.estimate, Estimate::Guess(4));
}

#[test]
fn figure_5_alphabeta_on_tree_2() {
    let mut trace = trace();
    let found = alphabeta_watched(&tree2(), 2, &Leaves, &mut trace);
    assert_eq!(
        Figure::Five.print(&tree2(), &trace, &found),
        include_str!("../traces/figure5-alphabeta.trace")
    );
    assert_eq!(terminals(&trace), ["c[3]", "d[6]", "e[~2]", "g[6]", "h[4]", "i[10]", "k[1]"]);
}

#[test]
fn jamboree_with_a_half_explores_figure_3_as_alphabeta_does() {
    let mut trace = trace();
    let found = jamboree_watched(&figure3(), 4, half(), &Leaves, &mut trace);
    assert_eq!(terminals(&trace), ["e[3]", "f[5]", "h[2]", "l[10]", "m[4]", "q[2]"]);
    assert_eq!((found.mv, found.estimate), (Some(0), Estimate::Guess(3)));
}

#[test]
fn jamboree_spans_minimax_to_alphabeta() {
    for (tree, depth) in [(figure3(), 4), (tree2(), 2)] {
        let all = minimax(&tree, depth, &Leaves);
        let none = jamboree(&tree, depth, PrunePercentage::new(0.0).unwrap(), &Leaves);
        assert_eq!((none.mv, none.estimate), (all.mv, all.estimate));
        assert_eq!((none.counts.nodes, none.counts.terminals), (all.counts.nodes, all.counts.terminals));
        assert_eq!(none.counts.path, u64::from(depth) + 1, "nothing waits for anything but its own children");
        let (mut by_jamboree, mut by_alphabeta) = (trace(), trace());
        let one =
            jamboree_watched(&tree, depth, PrunePercentage::new(1.0).unwrap(), &Leaves, &mut by_jamboree);
        let alphabeta = alphabeta_watched(&tree, depth, &Leaves, &mut by_alphabeta);
        assert_eq!((one, terminals(&by_jamboree)), (alphabeta, terminals(&by_alphabeta)));
        assert_eq!(one.counts.path, one.counts.nodes);
    }
}

#[test]
fn the_share_is_rounded_down_and_from_0_to_1() {
    assert_eq!([0, 1, 2, 3, 10].map(|n| half().split(n)), [0, 0, 1, 1, 5]);
    assert_eq!(PrunePercentage::new(1.0).unwrap().split(7), 7);
    for share in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(PrunePercentage::new(share).is_err());
    }
    assert_eq!(
        PrunePercentage::new(1.5).unwrap_err().to_string(),
        "the prune percentage is 1.5; expected a number from 0 to 1"
    );
}

#[test]
fn estimates_decide_and_steps_beat_leaves() {
    let (step, leaf) = (|mv, n| Value::Step(mv, Estimate::Guess(n)), |n| Value::Leaf(Estimate::Guess(n)));
    for side in Side::ALL {
        assert_eq!(leaf(3).improved(step(0, 3), side), step(0, 3));
        assert_eq!(step(0, 3).improved(leaf(3), side), step(0, 3));
        assert_eq!(step(0, 3).improved(step(1, 3), side), step(0, 3));
    }
    assert_eq!(step(0, 3).improved(step(1, 4), Side::First), step(1, 4));
    assert_eq!(step(0, 3).improved(step(1, 4), Side::Second), step(0, 3));
    assert!(
        Estimate::MinnieWins < Estimate::Guess(i32::MIN) && Estimate::Guess(i32::MAX) < Estimate::MaxieWins
    );
    let initial: Window<usize> = Window::INITIAL;
    assert_eq!(initial.alpha, Value::Leaf(Estimate::MinnieWins));
    assert_eq!(initial.beta, Value::Leaf(Estimate::MaxieWins));
    assert!(!initial.is_crossed());
}

#[test]
fn a_lost_position_has_a_move_too() {
    struct Lost;
    impl grandstand_search::Estimator<TreePosition> for Lost {
        fn estimate(&self, _: &TreePosition) -> Estimate {
            Estimate::MinnieWins
        }
    }
    let tree = tree2();
    assert_eq!(minimax(&tree, 2, &Lost).mv, Some(0));
    assert_eq!(alphabeta(&tree, 2, &Lost).mv, Some(0));
    assert_eq!(jamboree(&tree, 2, half(), &Lost).mv, Some(0));
}

#[test]
fn perfect_order_looks_at_the_fewest_leaves() {
    // Knuth and Moore, 1975: b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves, in a tree in which the first child is the best everywhere.
    for (breadth, depth) in [(2_usize, 2_u32), (2, 5), (3, 4), (3, 7), (5, 5), (10, 4), (40, 3)] {
        // Each child but the first is worse by 1 for whoever moves there, the more so the nearer to the root.
        let value = |leaf: usize| {
            let digit = |level: u32| !(leaf / breadth.pow(depth - 1 - level)).is_multiple_of(breadth);
            let worse = |level: u32| if level.is_multiple_of(2) { -1 } else { 1 } << (depth - level);
            (0..depth).filter(|&level| digit(level)).map(worse).sum()
        };
        let root = TreePosition::root(Tree::uniform(breadth, depth, value));
        let found = alphabeta(&root, depth, &Leaves);
        let least = breadth.pow(depth.div_ceil(2)) + breadth.pow(depth / 2) - 1;
        assert_eq!(found.counts.terminals, least as u64, "breadth {breadth}, depth {depth}");
        assert_eq!((found.mv, found.estimate), (Some(0), Estimate::Guess(0)));
        assert_eq!(minimax(&root, depth, &Leaves).estimate, Estimate::Guess(0));
    }
}

#[test]
fn what_is_no_tree_is_refused_with_its_line() {
    for (text, told) in [
        ("", "line 1: there is no node"),
        ("a\n   b 1", "line 2: this is no child of a node above it"),
        ("a\n    b 1", "line 2: this is no child of a node above it"),
        ("a 1\nb 2", "line 2: this is no child of a node above it"),
        ("  a 1", "line 1: this is no child of a node above it"),
        ("a\n  b x", "line 2: a value is a whole number"),
        ("a\n  b 1 2", "line 2: a node has a name, and a leaf a value"),
        ("a 1\n  b 2", "line 2: its parent has a value, as leaves have"),
        ("a\n  b\n  c 1", "line 2: a leaf has a value"),
        ("a\n\n  b 1", "line 2: this is no child of a node above it"),
    ] {
        assert_eq!(Tree::parse(text).unwrap_err().to_string(), told, "{text:?}");
    }
}

#[test]
fn a_tree_is_as_high_as_its_deepest_leaf() {
    let height = |text| Tree::parse(text).unwrap().height();
    assert_eq!([height("a 1"), height("a\n  b 1\n  c\n    d 1\n  e 1")], [0, 2]);
    assert_eq!(Tree::uniform(3, 4, |_| 0).height(), 4);
}

#[test]
fn an_explicit_game_is_a_turn_game() {
    let root = tree2();
    assert_eq!((root.to_move(), root.parse_move(" 2 "), root.move_text(2)), (Side::First, Ok(2), "2".into()));
    let middle = root.clone().play(1).unwrap();
    assert_eq!((middle.name(), middle.to_move(), middle.ply()), ("f", Side::Second, 1));
    assert_eq!(root.play(3).unwrap_err().to_string(), "this node has 3 children; there is none of number 3");
    assert_eq!(middle.play(0).unwrap().play(0).unwrap_err().to_string(), "the game is over (leaf)");
}

/// A tree whose leaves lie at any depth up to 5.
fn trees() -> impl Strategy<Value = String> {
    fn node(depth: usize) -> BoxedStrategy<Vec<(usize, Option<i32>)>> {
        let leaf = (-20..20_i32).prop_map(move |guess| vec![(depth, Some(guess))]).boxed();
        if depth == 5 {
            return leaf;
        }
        let inner = prop::collection::vec(node(depth + 1), 1..5).prop_map(move |children| {
            let mut lines = vec![(depth, None)];
            lines.extend(children.into_iter().flatten());
            lines
        });
        if depth == 0 { inner.boxed() } else { prop_oneof![1 => leaf, 3 => inner].boxed() }
    }
    node(0).prop_map(|lines| {
        let line = |(depth, guess): (usize, Option<i32>)| {
            format!("{}n{}\n", "  ".repeat(depth), guess.map_or(String::new(), |guess| format!(" {guess}")))
        };
        lines.into_iter().map(line).collect()
    })
}

proptest! {
    #[test]
    fn all_searches_find_minimaxs_value_at_the_root(text in trees(), share in 0.0..=1.0) {
        let root = TreePosition::root(Tree::parse(&text).unwrap());
        let expected = minimax(&root, 5, &Leaves);
        let prune = PrunePercentage::new(share).unwrap();
        let pruned = alphabeta(&root, 5, &Leaves);
        let parallel = jamboree(&root, 5, prune, &Leaves);
        prop_assert_eq!(pruned.estimate, expected.estimate);
        prop_assert_eq!(parallel.estimate, expected.estimate);
        // The move that is chosen has this value.
        for mv in [pruned.mv, parallel.mv] {
            let child = root.clone().play(mv.unwrap()).unwrap();
            prop_assert_eq!(minimax(&child, 4, &Leaves).estimate, expected.estimate);
        }
        prop_assert!(pruned.counts.terminals <= expected.counts.terminals);
        prop_assert!(parallel.counts.path <= parallel.counts.nodes);
        // Whatever the number of threads, everything is the same.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (mut here, mut there) = (trace(), trace());
        let one = jamboree_watched(&root, 5, prune, &Leaves, &mut here);
        let three = pool.install(|| jamboree_watched(&root, 5, prune, &Leaves, &mut there));
        prop_assert_eq!((one, here.lines()), (three, there.lines()));
    }
}

//! `grandstand search-trace`: the figures of the handout, and invalid trees.

use std::path::Path;
use std::process::Output;

use crate::program::grandstand;

fn trace(tree: &Path, arguments: &[&str]) -> Output {
    let mut command = grandstand();
    command.arg("search-trace").arg(tree).args(arguments).output().unwrap()
}

#[test]
fn the_figures_are_printed_to_the_letter() {
    let traces = Path::new(env!("CARGO_MANIFEST_DIR")).join("search/tests/traces");
    for (tree, arguments, expected) in [
        ("figure3.tree", &[][..], "figure4-alphabeta.trace"),
        ("tree2.tree", &["--figure", "5"], "figure5-alphabeta.trace"),
        ("tree2.tree", &["--figure", "5", "--search", "jamboree"], "figure5-jamboree.trace"),
    ] {
        let output = trace(&traces.join(tree), arguments);
        assert_eq!(output.status.code(), Some(0));
        let expected = std::fs::read_to_string(traces.join(expected)).unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

#[test]
fn what_is_no_tree_or_too_deep_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("a.tree");
    let refused = |text: &str, arguments: &[&str]| {
        std::fs::write(&file, text).unwrap();
        let output = trace(&file, arguments);
        assert_eq!(output.status.code(), Some(2), "{text:.40}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("a\n  b x\n", &[]).contains("line 2: a value is a whole number"));
    let deep: String = (0..300).map(|depth| format!("{}n\n", "  ".repeat(depth))).collect();
    let deep = deep + &"  ".repeat(300) + "n 1\n";
    assert!(refused(&deep, &[]).contains("is 300 moves deep; expected at most 200"));
    assert!(refused("a\n  b\n    c 1\n", &["--depth", "1"]).contains("inner nodes have no value"));
    assert!(refused("a\n  b 1\n", &["--prune", "0.5"]).contains("--prune is for --search jamboree"));
    assert!(refused(&"a 1\n".repeat(300_000), &[]).contains("is longer than 1048576 bytes"));
}

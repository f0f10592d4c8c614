//! The limits of programs, compared with the documents.

use grandstand_languages::{FREE_CALLS, Limits, MAX_BYTES, MAX_INCLUDE_DEPTH, MAX_INCLUDES};

/// A number as the documents write it.
fn written(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits are text"))
        .collect();
    groups.join(",")
}

/// The cells of the row of a table that begins with this cell.
fn row<'a>(document: &'a str, first: &str) -> Vec<&'a str> {
    let rows = document.lines().filter(|line| line.starts_with(&format!("| {first} |")));
    let rows: Vec<&str> = rows.collect();
    assert_eq!(rows.len(), 1, "one row of {first}: {rows:?}");
    rows[0].split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn every_document_tells_the_limits_in_force() {
    let limits = Limits::default();
    let by_name = [
        ("words", "TEAM_WORDS", limits.words),
        ("threads", "TEAM_THREADS", limits.threads),
        ("array_elements", "ARRAY_ELEMENTS", limits.array_elements),
        ("depth", "CALL_DEPTH", limits.depth),
    ];
    let languages = [include_str!("../../CL.md"), include_str!("../../RCL.md")];
    let games = [include_str!("../../../rules/ABALONE.md"), include_str!("../../../rules/SHARK.md")];
    for (name, setting, limit) in by_name {
        for document in languages {
            let cells = row(document, &format!("`{name}`"));
            assert_eq!(cells[1..3], [format!("`{setting}`"), written(limit)], "{name}");
        }
        for document in games {
            let cells = row(document, &format!("`{setting}`"));
            assert_eq!(cells[1], written(limit), "{setting}");
        }
    }
    for document in languages.into_iter().chain(games) {
        let free = format!("beyond {} ", written(FREE_CALLS));
        assert!(document.contains(&free), "no document leaves out which calls are free");
    }
    let text = format!(
        "1 MiB with every include counted, {} includes, {MAX_INCLUDE_DEPTH} nested ones",
        written(MAX_INCLUDES)
    );
    assert_eq!(MAX_BYTES, 1 << 20);
    assert!(languages[0].contains(&text), "{text}");
}

//! Tests of all named limits: each is set by its name, and the documents list it with its default.

use std::fmt::Debug;

use grandstand_players::games::fortress::limits::TeamLimits;
use grandstand_players::named_limits::NamedLimits;
use grandstand_players::sandbox::Limits;

use crate::config::Config;

fn check<T: NamedLimits + Debug>() {
    for (name, _) in T::defaults() {
        let mut limits = T::default();
        assert_eq!(limits.set_limit(&format!("{name}=7777")), Ok(()));
        let limit = limits.limits().into_iter().find(|limit| limit.name == name).unwrap();
        assert_eq!(limit.value.get(), 7777 * limit.unit(), "{name}");
        assert_ne!(format!("{limits:?}"), format!("{:?}", T::default()), "{name}");
        for value in ["0", "-1", "x", "", "99999999999"] {
            let error = limits.set_limit(&format!("{name}={value}")).unwrap_err().to_string();
            assert_eq!(
                error,
                format!(
                    "`{value}` is not a value of {name}: expected a whole number from 1 to 4,294,967,295"
                )
            );
        }
    }
    let error = |setting: &str| T::default().set_limit(setting).unwrap_err().to_string();
    assert_eq!(error("lines"), "`lines` is not NAME=VALUE");
    assert!(error("colour=3").starts_with("there is no limit `colour`; the limits are "));
    for (name, _) in T::defaults() {
        assert!(error("colour=3").contains(name));
    }
}

#[test]
fn every_limit_is_set_by_its_name() {
    check::<Config>();
    check::<Limits>();
    check::<TeamLimits>();
}

/// Rows of the form "| `name` | 1,024 … |" of a document.
fn rows(document: &str) -> Vec<(String, String)> {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_owned()).collect() };
    let rows = document.lines().filter(|line| line.starts_with('|')).map(cells).filter(|row| row.len() > 3);
    rows.map(|row| (row[1].clone(), row[2].clone())).collect()
}

/// The names in a row's first cell and the numbers in its second.
fn pairs(document: &str) -> Vec<(String, u64)> {
    let mut pairs = Vec::new();
    for (names, values) in rows(document) {
        let names = names.split('`').skip(1).step_by(2).map(str::to_owned);
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let values = values.split(", ").filter_map(|value| digits(value).parse().ok());
        pairs.extend(names.zip(values));
    }
    pairs
}

#[test]
fn the_tables_of_the_documents_have_every_default() {
    let documents = [
        (include_str!("../../HTTP.md"), Config::defaults()),
        (include_str!("../../SANDBOX.md"), Limits::defaults()),
    ];
    for (document, defaults) in documents {
        let pairs = pairs(document);
        for (name, value) in defaults {
            assert!(pairs.contains(&(name.to_owned(), value)), "{name} is {value}");
        }
    }
}

/// The rows of a table of limits, as they stand in `server/SECURITY.md`.
fn table() -> String {
    let thousands = |number: u64| {
        let digits = number.to_string();
        let groups: Vec<&str> =
            digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
        groups.join(",")
    };
    let sets = [
        ("--limit", Config::defaults()),
        ("--program-limit", Limits::defaults()),
        ("--team-limit", TeamLimits::defaults()),
    ];
    let rows = sets.into_iter().flat_map(|(option, limits)| {
        limits
            .into_iter()
            .map(move |(name, value)| format!("| `{option}` | `{name}` | {} |\n", thousands(value)))
    });
    rows.collect()
}

#[test]
fn the_page_on_security_has_every_limit_with_its_default() {
    let page = include_str!("../../SECURITY.md");
    assert!(page.contains(&format!("| --- | --- | --- |\n{}", table())), "the table is now:\n{}", table());
}

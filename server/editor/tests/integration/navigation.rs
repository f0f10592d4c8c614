//! Tests of definitions, references and outlines.

use serde_json::{Value, json};

use crate::client::{Client, uri};

/// `uri:line:character`, from 0.
fn place(location: &Value) -> String {
    let start = &location["range"]["start"];
    format!("{}:{}:{}", location["uri"].as_str().unwrap_or_default(), start["line"], start["character"])
}

#[test]
fn a_definition_is_found_through_includes() {
    let mut client =
        Client::new(&[("/w/lib.ch", "#include abalone/board.ch\nlet far = fn r => distance r 0 in\n")]);
    client.open("a.cl", "#include lib.ch\nlet far2 = far in far2 (distance 1 1) + x");
    assert_eq!(place(&client.ask("definition", "a.cl", 1, 12)), "file:///w/lib.ch:1:4");
    assert_eq!(place(&client.ask("definition", "a.cl", 1, 18)), format!("{}:1:4", uri("a.cl")));
    // Shipped files are unpacked.
    assert_eq!(place(&client.ask("definition", "a.cl", 1, 28)), "file:///library/abalone/board.ch:17:4");
    assert_eq!(place(&client.ask("definition", "a.cl", 0, 11)), "file:///w/lib.ch:0:0");
    assert_eq!(client.ask("definition", "a.cl", 1, 40), Value::Null, "nothing binds it");
    assert_eq!(client.ask("definition", "a.cl", 1, 1), Value::Null, "a keyword");
}

#[test]
fn the_innermost_binding_is_meant() {
    let mut client = Client::with("a.cl", "let x = 1 in\nlet f = fn x => let x = x in x in\nf x");
    for (line, character, expected) in [(2, 2, "0:4"), (1, 24, "1:11"), (1, 29, "1:20")] {
        let found = place(&client.ask("definition", "a.cl", line, character));
        assert_eq!(found, format!("{}:{expected}", uri("a.cl")));
    }
}

#[test]
fn references_are_found_in_every_text_that_is_open() {
    let mut client = Client::new(&[("/w/lib.ch", "let far = 1 in\nlet farther = far + 1 in\n")]);
    client.open("a.cl", "#include lib.ch\nfar + farther + far");
    client.open("b.cl", "#include lib.ch\n#include lib.ch\nlet far = 2 in far");
    client.open("c.cl", "#include lib.ch\n\nfar");
    let found = client.ask("references", "a.cl", 1, 0);
    let places: Vec<String> = found.as_array().expect("a list").iter().map(place).collect();
    let a = uri("a.cl");
    assert_eq!(
        places,
        [
            format!("{a}:1:0"),
            format!("{a}:1:16"),
            format!("{}:2:0", uri("c.cl")),
            "file:///w/lib.ch:0:4".to_owned(),
            "file:///w/lib.ch:1:14".to_owned()
        ]
    );
}

#[test]
fn an_untitled_text_is_as_good_as_any() {
    let mut client = Client::with("untitled:Untitled-1.cl", "let x = 1 in x");
    let name = "untitled:Untitled-1.cl";
    assert_eq!(place(&client.ask("definition", name, 0, 13)), format!("{name}:0:4"));
    assert_eq!(client.ask("references", name, 0, 13).as_array().map(Vec::len), Some(2));
}

#[test]
fn the_outline_is_nested_as_the_text_is() {
    let text = "#include abalone/constants.ch\nlet SIZE = 4 in\nlet f = fn a => fn b =>\n  let inner = fn c => c in\n  let x = inner a in x + b\nin\nf 1 SIZE";
    let symbols = Client::with("a.cl", text).ask("documentSymbol", "a.cl", 0, 0);
    let names = |list: &Value| -> Vec<(String, String, u64)> {
        let entry = |symbol: &Value| {
            let text = |key: &str| symbol[key].as_str().expect("a text").to_owned();
            (text("name"), text("detail"), symbol["kind"].as_u64().expect("a kind"))
        };
        list.as_array().expect("a list").iter().map(entry).collect()
    };
    let symbol = |name: &str, detail: &str, kind: u64| (name.to_owned(), detail.to_owned(), kind);
    assert_eq!(names(&symbols), [symbol("SIZE", "", 14), symbol("f", "a b", 12)]);
    assert_eq!(names(&symbols[1]["children"]), [symbol("inner", "c", 12), symbol("x", "", 13)]);
    assert_eq!(symbols[1]["range"]["end"], json!({ "line": 4, "character": 26 }));
}

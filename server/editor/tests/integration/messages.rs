//! Tests of the language server with any messages in any order.

use grandstand_editor::{MAX_DOCUMENTS, MAX_OPEN_BYTES, fuzz};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Client, uri};

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn requests_out_of_order_are_refused_and_nothing_breaks() {
    let mut client = Client::with("a.cl", "let a = 1 in a");
    assert_eq!(code(&client.answer("initialize", json!({}))), -32600);
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    assert_eq!(code(&client.answer("textDocument/hover", json!({}))), -32600);
    assert_eq!(code(&client.answer("shutdown", json!({}))), -32600);
    assert_eq!(client.exit_status(), None);
    client.notify("exit", Value::Null);
    assert_eq!(client.exit_status(), Some(0));
    let mut rude = Client::new(&[]);
    rude.notify("exit", Value::Null);
    assert_eq!(rude.exit_status(), Some(1), "nobody said that it ends");
}

#[test]
fn unknown_methods_and_bad_parameters_have_answers() {
    let mut client = Client::with("a.cl", "1");
    assert_eq!(code(&client.answer("textDocument/rename", json!({}))), -32601);
    assert_eq!(code(&client.answer("textDocument/hover", json!({ "textDocument": 7 }))), -32602);
    assert_eq!(code(&client.answer("textDocument/hover", Value::Null)), -32602);
    client.notify("$/setTrace", json!({ "value": "off" }));
    client.notify("something/else", json!([1, 2]));
    assert_eq!(client.shown, Vec::<String>::new());
    client.notify("textDocument/didOpen", json!({ "textDocument": {} }));
    assert_eq!(client.shown.len(), 1, "{:?}", client.shown);
    // Requests about a text that is not open return null.
    assert_eq!(client.ask("hover", "b.cl", 0, 0), Value::Null);
    client.change("b.cl", "2");
    assert_eq!(client.told.get(&uri("b.cl")), None);
}

#[test]
fn what_is_no_message_is_told() {
    let mut client = Client::new(&[]);
    for (body, expected) in [
        (&b"{"[..], -32700),
        (b"\xff", -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b"{}", -32600),
        (br#"{"id": [1], "method": "shutdown"}"#, -32600),
        (br#"{"id": 1, "method": 2}"#, -32600),
    ] {
        let answers = client.send_bytes(body);
        assert_eq!(answers.len(), 1, "{answers:?}");
        assert_eq!(code(&answers[0]), expected, "{}", String::from_utf8_lossy(body));
    }
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(code(&client.send_bytes(deep.as_bytes())[0]), -32700);
    assert_eq!(
        client.send_bytes(br#"{"id": 1, "result": null}"#),
        Vec::<Value>::new(),
        "an answer to nothing"
    );
}

#[test]
fn a_request_that_is_cancelled_while_it_waits_is_not_worked_on() {
    let mut client = Client::with("a.cl", "let a = 1 in a");
    let hover = |id: Value| {
        let params =
            json!({ "textDocument": { "uri": uri("a.cl") }, "position": { "line": 0, "character": 4 } });
        json!({ "id": id, "method": "textDocument/hover", "params": params })
    };
    let cancel = |id: Value| json!({ "method": "$/cancelRequest", "params": { "id": id } });
    let messages =
        [hover(json!(1)), hover(json!("two")), cancel(json!("two")), cancel(json!(77)), hover(json!(3))];
    let answers = client.send(&messages);
    assert_eq!(answers.len(), 3);
    assert_eq!((code(&answers[0]), &answers[0]["id"]), (-32800, &json!("two")));
    assert_eq!((&answers[1]["id"], &answers[2]["id"]), (&json!(1), &json!(3)));
    assert_eq!(client.send(&[cancel(json!(1))]), Vec::<Value>::new(), "it was answered before");
}

#[test]
fn a_burst_of_changes_is_told_about_once() {
    let mut client = Client::with("a.cl", "1");
    let change = |version: i64, text: &str| {
        let document = json!({ "uri": uri("a.cl"), "version": version });
        json!({ "method": "textDocument/didChange", "params": { "textDocument": document, "contentChanges": [{ "text": text }] } })
    };
    let answers = client.send(&[change(2, "1 +"), change(3, "1 + *"), change(4, "1 + 2")]);
    assert_eq!(answers, Vec::<Value>::new());
    assert_eq!(client.problems("a.cl"), Vec::<String>::new());
}

#[test]
fn what_goes_past_a_limit_gets_a_word() {
    let mut client = Client::new(&[]);
    // Longer than any program.
    client.open("a.cl", &"1;".repeat(600_000));
    assert_eq!(
        client.problems("a.cl"),
        ["1:1-1: error: this program can't be loaded: it is larger than 1048576 bytes"]
    );
    assert_eq!(client.ask("hover", "a.cl", 0, 0), Value::Null);
    client.open("b.cl", &" ".repeat(MAX_OPEN_BYTES));
    assert!(
        client.shown[0].ends_with(&format!("more than {MAX_OPEN_BYTES} bytes are open")),
        "{:?}",
        client.shown
    );
    for number in 0..MAX_DOCUMENTS {
        client.open(&format!("{number}.cl"), "1");
    }
    assert!(client.shown[1].ends_with(&format!("{MAX_DOCUMENTS} files are open")), "{:?}", client.shown);
    client.change("0.cl", "1 +");
    assert_eq!(client.problems("0.cl").len(), 1, "those that are open go on");
}

#[test]
fn any_bytes_are_a_stream_and_a_text() {
    let words = [
        "Content-Length: 2\r\n\r\n{}",
        "Content-Length: ",
        "9",
        "\r\n",
        "\n\n",
        "{\"id\":1",
        "}",
        "\"method\":\"exit\"",
        ",",
    ];
    let text = [
        "let ",
        "x ",
        "= ",
        "in ",
        "(",
        ")",
        "do ",
        "A_LOOK",
        "#include library.ch\n",
        "#include abalone/board.ch\n",
        "\n",
        "\"",
        "(*",
        "fn ",
        "=> ",
        ";",
        "é",
        "😀",
        "1",
        "[",
        "]",
        "rec ",
    ];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..400 {
        let stream: String = (0..next(30)).map(|_| words[next(words.len())]).collect();
        fuzz::lsp_stream(stream.as_bytes());
        let head: Vec<u8> = [next(256), next(3), next(40), next(40)].map(|byte| byte as u8).to_vec();
        let body: String = (0..next(40)).map(|_| text[next(text.len())]).collect();
        fuzz::lsp_text(&[head.as_slice(), body.as_bytes()].concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_has_answers(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        fuzz::lsp_stream(&data);
        fuzz::lsp_text(&data);
    }
}

#[test]
fn a_text_has_one_document_whatever_address_it_has() {
    let mut client = Client::new(&[]);
    let open = |client: &mut Client, address: &str, text: &str| {
        let document = json!({ "uri": address, "languageId": "cl", "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
    };
    open(&mut client, "file:///c%3A/w/a.cl", "1 +");
    assert_eq!(client.told["file:///c%3A/w/a.cl"].len(), 1);
    let change = json!({
        "textDocument": { "uri": "file:///C:/w/%61.cl", "version": 2 },
        "contentChanges": [{ "text": "1" }],
    });
    client.notify("textDocument/didChange", change);
    let told: Vec<usize> = client.told.values().map(Vec::len).collect();
    assert_eq!(told.iter().sum::<usize>(), 0, "{:?}", client.told);
}

#[test]
fn a_text_beyond_the_limit_loses_its_diagnostics() {
    let mut client = Client::with("a.cl", "1 +");
    assert_eq!(client.problems("a.cl").len(), 1);
    client.change("a.cl", &" ".repeat(MAX_OPEN_BYTES + 1));
    assert_eq!(client.problems("a.cl"), Vec::<String>::new());
    assert_eq!(client.shown.len(), 1, "{:?}", client.shown);
}

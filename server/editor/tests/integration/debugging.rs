//! Tests of the debug adapter with any messages in any order.

use grandstand_editor::debug::{Adapter, Launch, Matches};
use grandstand_editor::{Disk, Service as _, fuzz};
use grandstand_insight::Insight;
use grandstand_languages::FileError;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Disk without files and matches.
struct Nothing;

impl Disk for Nothing {
    fn read(&self, _: &str, _: &str) -> Result<Vec<u8>, FileError> {
        Err(FileError::Missing)
    }

    fn unpack(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

impl Matches for Nothing {
    fn open(&self, _: &Launch) -> Result<Insight, String> {
        Err("there is no match".to_owned())
    }

    fn absolute(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

fn send(adapter: &mut Adapter<Nothing>, message: &Value) -> Vec<Value> {
    adapter.receive(message.to_string().as_bytes());
    adapter.work().iter().map(|sent| serde_json::from_str(sent).expect("a message is JSON")).collect()
}

#[test]
fn requests_out_of_order_are_refused_in_words() {
    let mut adapter = Adapter::new(Nothing);
    let mut ask = |command: &str, arguments: Value| {
        let sent = send(
            &mut adapter,
            &json!({ "seq": 7, "type": "request", "command": command, "arguments": arguments }),
        );
        let [answer, ..] = &sent[..] else { panic!("{command} has no answer") };
        assert_eq!((&answer["type"], &answer["request_seq"]), (&json!("response"), &json!(7)));
        (answer["success"] == true, answer["message"].as_str().unwrap_or_default().to_owned())
    };
    let refused = |problem: &str| (false, problem.to_owned());
    assert_eq!(ask("threads", Value::Null), refused("`initialize` comes first"));
    assert!(ask("initialize", json!({ "linesStartAt1": true })).0);
    assert_eq!(ask("threads", Value::Null), refused("no match is open: `launch` comes first"));
    assert_eq!(ask("launch", json!({ "recording": "x.replay" })), refused("there is no match"));
    assert!(ask("launch", json!({ "seed": "seven" })).1.contains("seven"));
    assert!(ask("disconnect", Value::Null).0);
    assert_eq!(adapter.exit_status(), Some(0));
}

#[test]
fn what_is_no_message_is_told_in_the_console() {
    let mut adapter = Adapter::new(Nothing);
    for body in
        [&b"{"[..], b"\xff", b"[]", b"7", b"{}", br#"{"type":"request","seq":"x","command":"threads"}"#]
    {
        adapter.receive(body);
        let sent: Vec<Value> = adapter
            .work()
            .iter()
            .map(|sent| serde_json::from_str(sent).expect("a message is JSON"))
            .collect();
        assert_eq!(sent.len(), 1, "{sent:?}");
        assert_eq!(sent[0]["event"], "output", "{}", String::from_utf8_lossy(body));
    }
    adapter.left_out(9 << 20);
    assert!(adapter.work()[0].contains("was left out"));
    assert_eq!(send(&mut adapter, &json!({ "seq": 1, "type": "event", "event": "x" })), Vec::<Value>::new());
}

#[test]
fn a_message_of_pieces_of_the_protocol_breaks_nothing() {
    let words = [
        "Content-Length: 61\r\n\r\n",
        r#"{"seq":1,"type":"request","command":"initialize"}            "#,
        r#"{"seq":2,"type":"request","command":"launch"}                "#,
        r#"{"seq":3,"type":"request","command":"configurationDone"}     "#,
        r#"{"seq":4,"type":"request","command":"threads"}               "#,
        r#"{"seq":5,"type":"request","command":"disconnect"}            "#,
    ];
    let mut state = 7_u64;
    for _ in 0..200 {
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let stream: String = (0..next(24)).map(|_| words[next(6) as usize]).collect();
        fuzz::dap_stream(stream.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_way_through_a_match_has_answers(data in proptest::collection::vec(any::<u8>(), 0..120)) {
        fuzz::dap_stream(&data);
        fuzz::dap_session(&data);
    }
}

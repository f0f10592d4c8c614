//! GUIs and bridges of a match: what they receive, and its pacing.

use std::net::TcpListener;
use std::thread;

use grandstand_protocol::{Decoder, Event, Limits};

use super::{SHORT, WorkFolder, reader, text};

#[test]
fn a_gui_gets_the_dialects_lines_and_a_bridge_all() {
    let place = WorkFolder::new();
    let ((gui, gui_bytes), (bridge, bridge_bytes), (other, other_bytes)) = (reader(), reader(), reader());
    let fast = ["random.cl", "idle.cl", "--seed", "5", "--pace", "0"];
    place.result(&[&fast[..], &SHORT, &["--gui", &gui, "--bridge", &bridge]].concat());
    place.result(&[&fast[..], &SHORT, &["--gui", &other, "--extensions"]].concat());
    let (gui, bridge, other) = (text(gui_bytes), text(bridge_bytes), text(other_bytes));

    // Exactly the canonical lines, which together with the remaining lines give a whole match.
    assert!(!gui.contains("#gs") && gui.ends_with('\n') && !gui.contains('\r'));
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(gui.as_bytes());
    let mut again = String::new();
    while let Some(event) = decoder.next() {
        let event = event.unwrap();
        assert!(matches!(event, Event::Command(grandstand_protocol::Command::Abalone(_))), "{event:?}");
        again += &(event.to_line() + "\n");
    }
    assert_eq!(again, gui);
    let plain: String = bridge.split_inclusive('\n').filter(|line| !line.starts_with("#gs")).collect();
    assert_eq!(plain, gui);
    assert!(bridge.starts_with("#gs game abalone\n#gs match {"));
    let last = bridge.lines().last().unwrap();
    assert!(last.starts_with("#gs result {") && last.contains("\"termination\":\"length\""), "{last}");
    // Apart from the start time, the same match sends the same lines everywhere.
    let without_start = |text: &str| {
        text.lines().filter(|line| !line.starts_with("#gs match")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(without_start(&other), without_start(&bridge));
}

#[test]
fn without_any_gui_nothing_is_played_unless_that_is_allowed() {
    let place = WorkFolder::new();
    let alone = ["idle.cl", "idle.cl", "--connect-wait", "0.3", "--gui", "127.0.0.1:1", "--json"];
    let output = place.play(&alone);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("no GUI is there") && told.contains("--gui-optional"), "{told}");
    // At this pace it would take two weeks.
    let optional = [&alone[..], &["--gui-optional", "--pace", "3600"]].concat();
    assert!(place.result(&optional).contains("\"termination\":\"length\""));
    let (gui, bytes) = reader();
    place.result(&[&alone[..], &SHORT, &["--gui", &gui, "--pace", "0"]].concat());
    assert!(text(bytes).contains("turns 10\n"), "one of them is enough");
}

#[test]
fn when_every_gui_is_gone_nothing_is_paced() {
    let place = WorkFolder::new();
    let leaving = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = leaving.local_addr().unwrap().to_string();
    let leaver = thread::spawn(move || drop(leaving.accept().unwrap()));
    // Five hundred turns of five seconds: the disconnect is noticed when the second one is drawn.
    let paced = ["idle.cl", "idle.cl", "--pace", "5", "--gui", &address];
    let text = place.result(&paced);
    leaver.join().unwrap();
    assert!(text.contains("500 turns"), "{text}");
}

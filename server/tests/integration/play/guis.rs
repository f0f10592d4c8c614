//! What those receive whom a match is drawn for, and how it is paced for them.

use std::io::Read;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use grandstand_protocol::{Decoder, Event, Limits};

use super::{Place, SHORT, reader, text};

#[test]
fn a_gui_gets_the_dialects_lines_and_a_bridge_all() {
    let place = Place::new();
    let ((gui, gui_bytes), (bridge, bridge_bytes), (other, other_bytes)) = (reader(), reader(), reader());
    let fast = ["random.cl", "idle.cl", "--seed", "5", "--pace", "0"];
    place.result(&[&fast[..], &SHORT, &["--gui", &gui, "--bridge", &bridge]].concat());
    place.result(&[&fast[..], &SHORT, &["--gui", &other, "--extensions"]].concat());
    let (gui, bridge, other) = (text(gui_bytes), text(bridge_bytes), text(other_bytes));

    // Exactly the canonical lines, and with them the other lines a whole match.
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
    // The start apart, the same match says the same everywhere.
    let without_start = |text: &str| {
        text.lines().filter(|line| !line.starts_with("#gs match")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(without_start(&other), without_start(&bridge));
}

#[test]
fn the_match_goes_on_at_its_pace_when_guis_misbehave() {
    let place = Place::new();
    let (good, good_bytes) = reader();
    let stalled = TcpListener::bind("127.0.0.1:0").unwrap();
    let leaving = TcpListener::bind("127.0.0.1:0").unwrap();
    let (stalls, leaves) =
        (stalled.local_addr().unwrap().to_string(), leaving.local_addr().unwrap().to_string());
    let leaver = thread::spawn(move || {
        let (mut stream, _) = leaving.accept().unwrap();
        stream.read_exact(&mut [0; 100]).unwrap();
    });
    let began = Instant::now();
    let output = place.play(
        &[
            &["random.cl", "idle.cl", "--pace", "0.1", "--connect-wait", "0.5", "--seed", "4"][..],
            &SHORT,
            &["--gui", &stalls, "--gui", &leaves, "--gui", &good, "--gui", "127.0.0.1:1"],
        ]
        .concat(),
    );
    let took = began.elapsed();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    assert!(errors.contains(&format!("{leaves} was dropped: the connection is gone")), "{errors}");
    assert!(errors.contains("127.0.0.1:1 was dropped: no connection within 0 s"), "{errors}");
    assert!(errors.contains("waiting up to 0.5 s for 127.0.0.1:1"), "{errors}");
    assert!(errors.contains(&format!("connected to {stalls}")), "{errors}");
    leaver.join().unwrap();
    assert!(text(good_bytes).contains("turns 10\n"));
    // Ten turns of 0.1 s, half a second of waiting for who is not there, and at most the end for who stalls.
    assert!(took > Duration::from_secs(1) && took < Duration::from_secs(12), "{took:?}");
}

#[test]
fn without_any_gui_nothing_is_played_unless_that_is_allowed() {
    let place = Place::new();
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
    let place = Place::new();
    let leaving = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = leaving.local_addr().unwrap().to_string();
    let leaver = thread::spawn(move || drop(leaving.accept().unwrap()));
    let began = Instant::now();
    let paced = ["idle.cl", "idle.cl", "--pace", "1", "--gui", &address];
    let text = place.result(&paced);
    leaver.join().unwrap();
    // Five hundred turns of a second.
    assert!(text.contains("500 turns") && began.elapsed() < Duration::from_secs(200), "{text}");
}

#[test]
fn a_paced_match_takes_its_time() {
    let place = Place::new();
    let (gui, bytes) = reader();
    let began = Instant::now();
    place.result(&[&["random.cl", "idle.cl", "--pace", "0.05", "--gui", &gui][..], &SHORT].concat());
    assert!(began.elapsed() >= Duration::from_millis(500));
    assert!(text(bytes).contains("turns 10\n"));
}

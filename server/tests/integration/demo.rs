//! `grandstand` without a subcommand and without a display: it serves, plays, records, and prints where to watch.
#![cfg(unix)]

use grandstand_testing::process::signal;
use grandstand_testing::{Hosted, http};
use rustix::process::Signal;

use crate::program::grandstand;

#[test]
fn without_a_display_it_says_where_the_match_is_to_be_watched() {
    let mut command = grandstand();
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    let mut demo = Hosted::launch(&mut command, "Watch the match at ");

    let answer = http::get(&demo.address, &format!("/api/matches/{}", demo.id));
    assert_eq!(answer.status, 200, "{answer:?}");
    let summary = answer.json();
    assert_eq!((&summary["game"], &summary["state"]), (&"abalone".into(), &"live".into()));

    signal(Signal::INT, demo.child.id());
    assert!(demo.child.wait().unwrap().success());
    assert!(demo.is_recorded(), "no recording of {}", demo.id);
}

//! `grandstand watch` without a window, and with invalid arguments.
#![cfg(feature = "viewer")]

use std::process::Output;

use crate::program::grandstand;

fn watch(arguments: &[&str], display: Option<&str>) -> Output {
    let mut command = grandstand();
    command.arg("watch").args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env_remove("WAYLAND_SOCKET");
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    command.output().expect("the program runs")
}

fn says(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_only_a_window_shows_needs_a_display() {
    for arguments in [&["--wall"][..], &["a.replay", "b.replay"], &["--wall", "http://localhost:8126/"]] {
        let output = watch(arguments, None);
        assert_eq!(output.status.code(), Some(2));
        assert!(says(&output).contains("there is no display"), "{}", says(&output));
    }
}

#[test]
fn a_tournament_needs_a_window_and_a_catalogue() {
    let output = watch(&["cup.db"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("grandstand tournament standings cup.db"), "{}", says(&output));
    let output = watch(&["cup.db"], Some(":54321"));
    assert!(says(&output).contains("cup.db") && !says(&output).contains("DISPLAY"), "{}", says(&output));
}

#[test]
fn a_display_that_does_not_answer_is_named() {
    let output = watch(&["some.replay"], Some(":54321"));
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("DISPLAY=:54321"), "{}", says(&output));
    assert!(says(&output).contains("apt-get install"), "{}", says(&output));
}

#[test]
fn an_address_of_something_else_is_refused() {
    let output = watch(&["ftp://localhost/"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(says(&output).contains("expected http://"), "{}", says(&output));
}

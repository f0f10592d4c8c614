//! Programs that do forbidden things, or use too much of a resource.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::sync::Mutex;

use grandstand_players::sandbox::{Ending, Isolation, LimitExceeded, OutputLog, Program};

use super::*;
use crate::program::GRANDSTAND;

#[test]
fn a_program_runs_in_the_box_and_says_how_it_ended() {
    let outcome = Case::sh("echo hello; echo $HOME; echo to stderr >&2; exit 3").run();
    assert_eq!(outcome.ending, Ending::Exited { status: 3 });
    assert!(outcome.output.contains("hello") && outcome.output.contains("to stderr"), "{}", outcome.output);
    assert!(outcome.output.contains("/scratch"), "{}", outcome.output);
    assert_eq!(outcome.ending.to_string(), "it ended with exit status 3");
}

#[test]
fn a_program_can_be_spoken_with() {
    let case =
        Case::sh("echo to the log >&2; while read line; do echo \"heard $line\"; done; echo end; exit 4");
    let log = OutputLog::Keep(File::create(case.log()).unwrap());
    let grandstand = Path::new(GRANDSTAND);
    let (program, mut pipes) = Program::start_piped(&case.job, grandstand, log, |_| {}).unwrap();
    let mut lines = BufReader::new(pipes.from).lines();
    for word in ["one", "two"] {
        writeln!(pipes.to, "{word}").unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), format!("heard {word}"));
    }
    drop(pipes.to);
    assert_eq!(lines.map(Result::unwrap).collect::<Vec<_>>(), ["end"]);
    assert_eq!(program.wait(PATIENCE), Some(Ending::Exited { status: 4 }));
    program.stop();
    assert_eq!(fs::read_to_string(case.log()).unwrap(), "to the log\n");
}

#[test]
#[ignore = "needs perl"]
fn where_it_is_strict_it_is_ended_for_what_it_would_be_refused() {
    let strict = |name: &str, script: &str| {
        let mut case = Case::new("perl", name, script);
        case.job.strict = true;
        case.job.limits.memory_bytes = 64 << 20;
        case.job.limits.processes = 16;
        let ending = case.run().ending;
        assert!(!is_running(case.job.command[1].as_str()));
        ending
    };
    let hog = strict("hog.pl", "my @a; while (1) { push @a, 'x' x 1000000 }");
    assert!(
        matches!(hog, Ending::Limit(LimitExceeded::Memory { limit, .. }) if limit == 64 << 20),
        "{hog:?}"
    );
    let fast = strict("fast.pl", "my $x = 'x' x 80000000; exit 7");
    assert!(matches!(fast, Ending::Limit(LimitExceeded::Memory { .. })), "{fast:?}");
    let bomb = strict("bomb.pl", "fork while 1");
    assert!(matches!(bomb, Ending::Limit(LimitExceeded::Processes { limit: 16, .. })), "{bomb:?}");
}

#[test]
fn a_program_that_is_not_there_is_not_started() {
    let mut case = Case::sh("");
    case.job.command = vec!["no-such-program".to_owned()];
    let Ending::NotStarted { reason } = case.run().ending else { panic!("it ran") };
    assert!(reason.contains("no-such-program: there is no such program"), "{reason}");
}

#[test]
fn the_environment_is_clean() {
    let mut case = Case::sh("env; cat /proc/1/environ 2>/dev/null");
    case.job.env.push(("GREETING".to_owned(), "hello".to_owned()));
    let outcome = case.run();
    assert!(outcome.output.contains("GREETING=hello"), "{}", outcome.output);
    assert!(!outcome.output.contains("CARGO"), "{}", outcome.output);
}

#[test]
fn a_fork_bomb_goes_off_within_its_limit() {
    // A shell gives up when it can't fork.
    let mut meek = Case::sh("while :; do sleep 31110001 & done");
    meek.job.limits.processes = 32;
    let outcome = meek.run();
    assert!(!is_running("31110001"));
    assert!(matches!(outcome.ending, Ending::Exited { .. } | Ending::Limit(LimitExceeded::Processes { .. })));
}

#[test]
#[ignore = "needs perl"]
fn a_fork_bomb_that_goes_on_is_held() {
    let mut case = Case::new("perl", "bomb.pl", "fork while 1");
    case.job.limits.processes = 32;
    let (program, said) = case.start();
    let full = |said: &Mutex<Vec<String>>| said.lock().unwrap().iter().any(|line| line.contains("may: 32"));
    // Without namespaces the program is ended instead.
    until("it is full", || full(&said) || program.ending().is_some());
    program.stop();
    assert!(!is_running(case.job.command[1].as_str()));
}

#[test]
fn endless_work_is_ended() {
    let mut case = Case::sh("while :; do :; done & while :; do :; done");
    case.job.limits.cpu_secs = 1;
    let ending = case.run().ending;
    assert!(
        matches!(ending, Ending::Limit(LimitExceeded::Cpu { limit: 1 }) | Ending::Signal { signal: 24 }),
        "{ending:?}"
    );
    assert!(!is_running(case.job.command[1].as_str()));
}

#[test]
fn a_huge_file_does_not_grow_past_its_limit() {
    let mut case =
        Case::sh("cd $HOME; dd if=/dev/zero of=huge bs=1000000 count=100 2>&1; ls -l huge; echo done");
    case.job.limits.scratch_bytes = 4 << 20;
    let outcome = case.run();
    assert!(outcome.output.contains("done"), "{}", outcome.output);
    let size = outcome.output.lines().find(|line| line.ends_with("huge")).unwrap();
    let size: u64 = size.split_ascii_whitespace().nth(4).unwrap().parse().unwrap();
    assert!(size <= 4 << 20, "{size}");
    let total = "cd $HOME; for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=f$i bs=1000000 count=1 2>&1; done; \
                 du -sk . ; echo done";
    let mut case = Case::sh(total);
    case.job.limits.scratch_bytes = 4 << 20;
    let outcome = case.run();
    if outcome.said.iter().all(|line| !line.contains("scratch")) {
        assert!(outcome.output.contains("No space left"), "{}", outcome.output);
    }
}

#[test]
#[ignore = "needs python3 and user namespaces"]
fn a_scratch_directory_without_a_size_is_looked_at() {
    for script in [
        "while :; do i=$((i + 1)); dd if=/dev/zero of=f$i bs=1000000 count=1; done",
        "while :; do i=$((i + 1)); mkdir d$i; done",
        "mkdir d; cd d; for i in 1 2 3 4 5 6 7 8; do dd if=/dev/zero of=f$i bs=1000000 count=1; done; chmod 0 .; sleep 60",
        "for i in 3 4 5 6 7 8 9; do eval \"exec $i>f\"; rm f; dd if=/dev/zero bs=1000000 count=1 >&$i; done; sleep 60",
    ] {
        let mut case = Case::sh(&format!("cd $HOME; {{ {script}; }} 2>/dev/null"));
        case.job.limits.scratch_bytes = 4 << 20;
        let ending = case.without_namespaces().run().ending;
        assert!(matches!(ending, Ending::Limit(LimitExceeded::Scratch { .. })), "{script}: {ending:?}");
    }
}

#[test]
fn what_lies_outside_can_neither_be_read_nor_written() {
    let outside = tempfile::tempdir().unwrap();
    open_to_all(outside.path());
    let secret = outside.path().join("secret");
    fs::write(&secret, "the secret").unwrap();
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let directory = outside.path().to_str().unwrap();
    let script = format!(
        "cat {directory}/secret; ls {directory}; echo gotcha > {directory}/new; echo x >> $0; echo mine > $HOME/a; cat $HOME/a"
    );
    let case = Case::sh(&script);
    let outcome = case.run();
    if !case.enforces("files", &outcome) {
        return;
    }
    assert!(!outcome.output.contains("the secret"), "{}", outcome.output);
    assert!(outcome.output.contains("mine"), "{}", outcome.output);
    assert!(!outside.path().join("new").exists());
    assert_eq!(fs::read_to_string(&case.job.command[1]).unwrap(), script);
}

#[test]
fn a_program_that_is_deaf_to_signals_is_ended() {
    let outcome = Case::sh("trap '' TERM INT HUP QUIT; echo ready; while :; do sleep 31110002; done")
        .stop_after("ready");
    assert_eq!(outcome.ending, Ending::Stopped);
    assert!(!is_running("31110002"));
}

#[test]
fn a_daemon_does_not_outlive_its_program() {
    // Forked twice and in a session of its own, while the program itself continues or ends.
    let script =
        "setsid sh -c 'setsid sleep 31110003 & sleep 31110004' >/dev/null 2>&1 & sleep 1; echo ready;";
    let outcome = Case::sh(&format!("{script} sleep 31110005")).stop_after("ready");
    assert_eq!(outcome.ending, Ending::Stopped);
    let alone = Case::sh(script).run();
    assert_eq!(alone.ending, Ending::Exited { status: 0 });
    for number in 3..=5 {
        assert!(!is_running(&format!("3111000{number}")), "{number}");
    }
}

#[test]
fn it_sees_no_other_process() {
    let case = Case::sh("kill -9 $PPID; kill -9 -1; echo alive; ls /proc | grep -c '^[0-9]'");
    let outcome = case.run();
    if case.enforces("processes", &outcome) {
        assert!(outcome.output.contains("alive"), "{}", outcome.output);
    }
}

#[test]
fn a_flood_of_output_is_cut_and_costs_nothing() {
    let mut case = Case::sh("yes flood | head -c 3000000; echo end");
    case.job.limits.log_bytes = 10_000;
    let outcome = case.run();
    assert_eq!(outcome.ending, Ending::Exited { status: 0 });
    assert!(outcome.output.len() < 10_200, "{}", outcome.output.len());
    assert!(outcome.output.contains("further bytes of output were thrown away"));
}

#[test]
fn without_a_box_it_is_still_ended_with_all_that_it_began() {
    let mut case = Case::sh(
        "setsid sh -c 'sleep 31110006 & sleep 31110007' & sleep 1; echo ready $PATH; sleep 31110008",
    );
    case.job.isolation = Isolation::Off;
    let outcome = case.stop_after("ready");
    assert_eq!(outcome.ending, Ending::Stopped);
    for number in 6..=8 {
        assert!(!is_running(&format!("3111000{number}")), "{number}");
    }
}

#[test]
fn what_is_not_enforced_is_said_or_refused() {
    let mut case = Case::sh("echo ran");
    let gaps = case.run().said;
    case.job.isolation = Isolation::Require;
    let outcome = case.run();
    if gaps.is_empty() {
        assert_eq!(outcome.ending, Ending::Exited { status: 0 });
    } else {
        assert!(matches!(outcome.ending, Ending::NoBox { .. }), "{:?}", outcome.ending);
        assert!(!outcome.output.contains("ran"));
    }
}

#[test]
fn a_lost_server_takes_its_programs_along() {
    // The end of the server closes its end of the pipe: here the warden's standard input.
    let case = Case::sh("sleep 31110009");
    let (mut warden, stdin) = case.start_warden();
    until("it runs", || is_running("31110009"));
    drop(stdin);
    warden.wait().unwrap();
    assert!(!is_running("31110009"));
}

#[test]
fn a_lost_warden_takes_its_program_along() {
    let case = Case::sh("sleep 31110010");
    let (mut warden, _stdin) = case.start_warden();
    until("it runs", || is_running("31110010"));
    warden.kill().unwrap();
    warden.wait().unwrap();
    until("it is gone", || !is_running("31110010"));
}

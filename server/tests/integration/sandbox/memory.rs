//! Programs that hide memory from the accounting, or write to the supervisor's pipes.

use grandstand_players::sandbox::LimitExceeded;

use super::*;
use crate::program::grandstand;

#[test]
#[ignore = "needs perl"]
fn a_hog_of_memory_is_ended() {
    // One growing process is refused; several processes below that limit are ended together.
    let mut alone = Case::new("perl", "hog.pl", "my @a; while (1) { push @a, 'x' x 1000000 }");
    alone.job.limits.memory_bytes = 64 << 20;
    let outcome = alone.run();
    assert!(outcome.output.contains("Out of memory"), "{:?} {}", outcome.ending, outcome.output);
    let script = "fork; fork; fork; my $x = 'x' x 30000000; sleep 600";
    let mut many = Case::new("perl", "hogs.pl", script);
    many.job.limits.memory_bytes = 100 << 20;
    let ending = many.run().ending;
    let Ending::Limit(LimitExceeded::Memory { bytes, limit }) = ending else { panic!("{ending:?}") };
    assert!(bytes > limit && limit == 100 << 20);
    assert!(!is_running(many.job.command[1].as_str()));
}

/// A program that tries every file of every process that it can see.
const FORGER: &str = r#"
    for process in /proc/[0-9]*; do
        [ "$process" = /proc/$$ ] && continue
        for file in 0 1 2 3 4 5 6 7 8 9; do
            { echo '{"event":"note","text":"forged"}'
              echo '{"event":"ended","ending":"exited","status":42}'; } > $process/fd/$file
        done
    done 2>/dev/null
    ls /proc/1/fd /proc/1/environ; exit 3
"#;

#[test]
fn no_program_writes_where_events_are_read() {
    forges_nothing(&Case::sh(FORGER));
}

#[test]
#[ignore = "needs python3 and user namespaces"]
fn no_program_without_namespaces_writes_where_events_are_read() {
    forges_nothing(&Case::sh(FORGER).without_namespaces());
}

fn forges_nothing(case: &Case) {
    let outcome = case.run();
    assert_eq!(outcome.ending, Ending::Exited { status: 3 }, "{:?}", outcome.said);
    assert!(!outcome.said.iter().any(|line| line.contains("forged")), "{:?}", outcome.said);
}

/// Fills socket pairs: `$pairs` in each of `$processes` processes, then waits.
const FILLER: &str = r#"
    use Socket; use IO::Handle;
    my ($processes, $pairs) = @ARGV;
    alarm 90;
    for (2..$processes) { fork or last }
    my @kept;
    for (1..$pairs) {
        socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or last;
        push @kept, $a, $b;
        for my $end ($a, $b) {
            $end->blocking(0);
            1 while syswrite($end, 'x' x 65536);
        }
    }
    print "filled\n"; STDOUT->flush; sleep 60;
"#;

fn filler(processes: u32, pairs: u32) -> Case {
    let mut case = Case::new("perl", "filler.pl", FILLER);
    case.job.command.extend([processes, pairs].map(|number| number.to_string()));
    case.job.limits.memory_bytes = 32 << 20;
    case.job.limits.scratch_bytes = 1 << 20;
    case
}

#[test]
#[ignore = "needs perl, python3 and user namespaces"]
fn what_waits_in_sockets_is_counted_or_kept_small() {
    // 800 pairs hold about 330 MB.
    let mut case = filler(1, 800);
    case.job.limits.open_files = 2_000;
    let outcome = case.run();
    if outcome.was_counted() {
        let limited =
            matches!(outcome.ending, Ending::Limit(LimitExceeded::Memory { limit, .. }) if limit == 32 << 20);
        assert!(limited, "{:?} {}", outcome.ending, outcome.output);
    }
    let outcome = filler(8, 100).run_uncounted();
    assert!(!outcome.was_counted());
    assert!(
        matches!(outcome.ending, Ending::Limit(LimitExceeded::Files { limit: 256, .. })),
        "{:?}",
        outcome.ending
    );
    let ending = filler(8, 100).without_namespaces().run_uncounted().ending;
    assert!(matches!(ending, Ending::Limit(LimitExceeded::Files { limit: 256, .. })), "{ending:?}");
}

#[test]
#[ignore = "needs python3"]
fn where_memory_is_not_counted_calls_that_take_it_are_refused() {
    let script = r#"
import fcntl, mmap, os, socket, tempfile
a, b = socket.socketpair()
r, w = os.pipe()
file = tempfile.TemporaryFile()
for name, call in {
    "send buffer": lambda: a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20),
    "receive buffer": lambda: a.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20),
    "pipe": lambda: fcntl.fcntl(w, 1031, 1 << 20),
    "lock": lambda: fcntl.lockf(file, fcntl.LOCK_EX, 1, 2),
    "shared": lambda: mmap.mmap(-1, 1 << 20),
}.items():
    try:
        call()
        print(name, "allowed")
    except OSError as error:
        print(name, "refused")
print("private", len(mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)))
"#;
    let outcome = Case::new("python3", "calls.py", script).run_uncounted();
    for name in ["send buffer", "receive buffer", "pipe", "lock", "shared"] {
        assert!(outcome.output.contains(&format!("{name} refused")), "{}", outcome.output);
    }
    assert!(outcome.output.contains("private 1048576"), "{}", outcome.output);
}

#[test]
#[ignore = "needs python3"]
fn shared_memory_that_nobody_has_mapped_is_counted() {
    // Each piece leaves the process's resident memory before the next one is mapped.
    let script = "import mmap, time\nkept = []\n\
                  for i in range(60):\n  m = mmap.mmap(-1, 1 << 23)\n  m.write(bytes(1 << 23))\n  m.madvise(mmap.MADV_DONTNEED)\n  kept.append(m)\n\
                  print('done', flush=True)\n";
    let mut case = Case::new("python3", "shared.py", script);
    case.job.limits.memory_bytes = 64 << 20;
    case.job.limits.scratch_bytes = 1 << 20;
    for outcome in [case.run(), case.run_uncounted()] {
        assert!(!outcome.output.contains("done"), "{:?}", outcome.ending);
        let limited = matches!(outcome.ending, Ending::Limit(LimitExceeded::Memory { .. }));
        assert!(limited || !outcome.was_counted(), "{:?}", outcome.ending);
    }
}

#[test]
#[ignore = "needs python3"]
fn the_tables_of_pages_are_memory_too() {
    // Zero pages, far apart: each needs a page table of 4 KiB.
    let script = "import mmap, signal\nsignal.alarm(90)\nsize = 96 << 30\n\
                  m = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)\n\
                  for at in range(0, size, 1 << 21):\n  m[at]\n\
                  print('done', flush=True)\nsignal.pause()\n";
    let mut case = Case::new("python3", "tables.py", script);
    case.job.limits.memory_bytes = 64 << 20;
    for ending in [case.run().ending, case.run_uncounted().ending] {
        assert!(matches!(ending, Ending::Limit(LimitExceeded::Memory { .. })), "{ending:?}");
    }
}

/// The memory cgroups that the process has created.
fn cgroups_of(process: u32) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut next = vec![PathBuf::from("/sys/fs/cgroup")];
    while let Some(directory) = next.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                next.push(entry.path());
                if entry.file_name().to_string_lossy().starts_with(&format!("grandstand-{process}-")) {
                    found.push(entry.path());
                }
            }
        }
    }
    found
}

#[test]
#[ignore = "needs a cgroup of memory"]
fn a_cgroup_goes_with_its_match_or_with_the_next_one() {
    let start = |seconds: &str| {
        let mut command = grandstand();
        let team = format!("team:sleep {seconds}");
        command.args([
            "play",
            "fortress",
            &team,
            "weak",
            "--port=0",
            "--speed=100",
            "--set=cTIME_LIMIT=1000",
        ]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let quick = start("1");
    let number = quick.id();
    let told = String::from_utf8(quick.wait_with_output().unwrap().stderr).unwrap();
    assert!(cgroups_of(number).is_empty());
    assert!(!told.contains("not enforced: memory"), "{told}");
    let mut killed = start("31110011");
    until("it runs", || is_running("31110011"));
    assert_eq!(cgroups_of(killed.id()).len(), 1);
    killed.kill().unwrap();
    killed.wait().unwrap();
    until("it is gone", || !is_running("31110011"));
    // The last process may take a moment to disappear from the cgroup.
    until("its cgroup is gone", || {
        assert!(start("0").wait().unwrap().success());
        cgroups_of(killed.id()).is_empty()
    });
}

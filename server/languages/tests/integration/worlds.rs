//! Effects of a world on threads: delayed answers, and ends. All engines must agree.

use std::collections::BTreeMap;

use grandstand_languages::{
    Answer, Cause, Datum, End, Limits, LockWait, Machine, Mode, Pid, Program, World, cl, reference_engine,
};

/// A world that follows a script, and records all events.
#[derive(Clone, Debug, Default, PartialEq)]
struct Scripted {
    /// The delay of the answer in cycles, by request.
    delays: BTreeMap<i64, u64>,
    /// The threads that are killed, by request. The child that is allowed next counts as request 0.
    kills: BTreeMap<i64, Vec<Pid>>,
    killed: Vec<Pid>,
    acts: Vec<(u64, Pid, i64)>,
    ends: Vec<(u64, Pid, String, u64)>,
    deadlocks: Vec<(u64, Vec<String>)>,
}

impl World for Scripted {
    fn act(&mut self, cycle: u64, pid: Pid, request: &Datum) -> Answer {
        let Datum::Int(number) = *request else { return Answer::Stuck("a number is needed".to_owned()) };
        self.acts.push((cycle, pid, number));
        self.killed.extend(self.kills.get(&number).into_iter().flatten());
        match self.delays.get(&number) {
            _ if number < 0 => Answer::Stuck("negative".to_owned()),
            Some(&cycles) => Answer::Later { cycles, value: Datum::Int(number * 10) },
            None => Answer::Value(Datum::Int(number * 10)),
        }
    }

    fn spawn(&mut self, _cycle: u64, _parent: Pid, _child: Pid) -> bool {
        self.killed.extend(self.kills.get(&0).into_iter().flatten());
        true
    }

    fn ended(&mut self, cycle: u64, pid: Pid, end: &End) {
        let text = match &end.cause {
            Cause::Stuck { reason, .. } => reason.to_string(),
            _ => end.to_string(),
        };
        self.ends.push((cycle, pid, text, end.steps));
    }

    fn deadlocked(&mut self, cycle: u64, circle: &[LockWait]) {
        self.deadlocks.push((cycle, circle.iter().map(ToString::to_string).collect()));
    }

    fn take_killed(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.killed)
    }
}

fn load(text: &str) -> Program {
    cl::parse("test.cl", text).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs one thread of each program on every engine for this number of cycles; returns the world at the end, and the
/// live threads.
fn run(programs: &[&str], cycles: u64, world: &Scripted) -> (Scripted, Vec<Pid>) {
    let mut first = None;
    let programs: Vec<Program> = programs.iter().map(|text| load(text)).collect();
    let mut same = |name: &str, result: (Scripted, Vec<Pid>)| {
        let expected = first.get_or_insert_with(|| result.clone());
        assert_eq!(&result, expected, "{name}");
    };
    let mut machine = reference_engine::Machine::new(Limits::default(), 0);
    for program in &programs {
        let team = machine.add_team(program);
        machine.start(team);
    }
    let mut seen = world.clone();
    machine.run(cycles, &mut seen);
    same("reference", (seen, machine.live()));
    for mode in [Mode::RunAhead, Mode::Lockstep] {
        let mut machine = Machine::new(Limits::default(), 0);
        machine.set_mode(mode);
        for program in &programs {
            let team = machine.add_team(program);
            machine.start(team);
        }
        let mut seen = world.clone();
        machine.run(cycles, &mut seen);
        same(&format!("{mode:?}"), (seen, machine.live()));
    }
    first.expect("three engines have run")
}

fn delays(delays: &[(i64, u64)]) -> Scripted {
    Scripted { delays: delays.iter().copied().collect(), ..Scripted::default() }
}

fn kills(kills: &[(i64, &[u32])]) -> Scripted {
    let kills = kills.iter().map(|(number, pids)| (*number, pids.iter().copied().map(Pid).collect()));
    Scripted { kills: kills.collect(), ..Scripted::default() }
}

#[test]
fn a_delayed_thread_goes_on_in_the_cycle_after_its_delay() {
    // Cycle 1: the action. Then so many cycles of waiting. Then `;`, and in the cycle after that the second action.
    for (cycles, second) in [(0, 3), (1, 4), (5, 8), (1023, 1026), (5000, 5003)] {
        let (seen, live) = run(&["do 1; do 2"], 6000, &delays(&[(1, cycles)]));
        assert_eq!(seen.acts, [(1, Pid(1), 1), (second, Pid(1), 2)]);
        // Waiting is no reduction.
        assert_eq!(seen.ends, [(second + 1, Pid(1), "20".to_owned(), 3)]);
        assert_eq!(live, []);
    }
    let (seen, _) = run(&["(do 1) + 1"], 100, &delays(&[(1, 40)]));
    assert_eq!(seen.ends, [(43, Pid(1), "11".to_owned(), 2)]);
}

#[test]
fn delays_of_several_threads_end_each_at_its_time() {
    let (seen, live) =
        run(&["do 1; do 2; do 9", "do 3; do 4", "do 5; do 6"], 40, &delays(&[(1, 10), (3, 9), (5, 50)]));
    let cycles: Vec<(u64, i64)> = seen.acts.iter().map(|&(cycle, _, number)| (cycle, number)).collect();
    assert_eq!(cycles, [(1, 1), (1, 3), (1, 5), (12, 4), (13, 2), (15, 9)]);
    assert_eq!(live, [Pid(3)]);
}

#[test]
fn cycles_in_which_everybody_waits_are_left_out() {
    let mut machine = Machine::new(Limits::default(), 0);
    let team = machine.add_team(&load("do 1; do 2"));
    let pid = machine.start(team);
    let mut world = delays(&[(1, 1 << 50), (2, u64::MAX)]);
    machine.run(3, &mut world);
    assert_eq!(machine.steps(pid), Some(1));
    assert!(!machine.all_wait());
    machine.run(1 << 49, &mut world);
    assert_eq!((machine.cycle(), machine.steps(pid)), (1 << 49, Some(1)));
    let mut copy = machine.snapshot().restore();
    machine.run(1 << 60, &mut world);
    assert_eq!((machine.cycle(), machine.steps(pid)), (1 << 60, Some(3)));
    assert_eq!(world.acts, [(1, pid, 1), ((1 << 50) + 3, pid, 2)]);
    let mut again = delays(&[]);
    copy.run((1 << 50) + 3, &mut again);
    assert_eq!(again.acts, world.acts[1..]);
    assert!(!machine.wake(pid, &Datum::Int(0)), "it waits for a time, not to be woken");
}

#[test]
fn a_killed_thread_takes_no_step_more_in_its_cycle() {
    // The first and the third act in cycles 2, 5, 8, …; in cycle 5 the second kills both: the first has acted in it, the third hasn't.
    let busy = "rec loop in (do 1; loop)";
    let (seen, live) = run(&[busy, "do 1; 1; 1; do 2; 0", busy], 20, &kills(&[(2, &[1, 3])]));
    let acts: Vec<(u64, u32, i64)> = seen.acts.iter().map(|&(at, pid, number)| (at, pid.0, number)).collect();
    assert_eq!(acts, [(1, 2, 1), (2, 1, 1), (2, 3, 1), (5, 1, 1), (5, 2, 2)]);
    assert_eq!(seen.ends, [(7, Pid(2), "0".to_owned(), 6)]);
    assert_eq!(live, []);
}

#[test]
fn what_a_killed_thread_ran_ahead_is_lost() {
    // It would be stuck in cycle 4, or end in cycle 3.
    for lost in ["1; 1; 1; 1 / 0", "1; 1; 2"] {
        let (seen, live) = run(&["1; do 1", lost], 20, &kills(&[(1, &[2])]));
        assert_eq!(seen.ends, [(3, Pid(1), "10".to_owned(), 2)]);
        assert_eq!(live, []);
    }
    // A kill that comes too late changes nothing.
    let (seen, _) = run(&["1; 1; 1; do 1", "1; 1; 2"], 20, &kills(&[(1, &[2, 2, 77])]));
    assert_eq!(seen.ends.len(), 2);
}

#[test]
fn whoever_acts_may_be_killed_and_so_may_a_child() {
    let (seen, live) = run(&["do 1; do 2"], 20, &kills(&[(1, &[1])]));
    assert_eq!((seen.acts.len(), seen.ends.len(), live.len()), (1, 0, 0));
    // The action is refused too, but the thread is dead already, so that no end is reported.
    let (seen, live) = run(&["do ~1; do 2"], 20, &kills(&[(-1, &[1])]));
    assert_eq!((seen.acts.len(), seen.ends.len(), live.len()), (1, 0, 0));
    // A delay for a dead thread has no effect either.
    let world = Scripted { delays: delays(&[(1, 5)]).delays, ..kills(&[(1, &[1])]) };
    let (seen, live) = run(&["do 1; do 2"], 20, &world);
    assert_eq!((seen.acts.len(), seen.ends.len(), live.len()), (1, 0, 0));
    let (seen, live) = run(&["let child = spawn (do 5) in do child"], 20, &kills(&[(0, &[2])]));
    assert_eq!(seen.acts, [(3, Pid(1), 2)]);
    assert_eq!(live, []);
    let (seen, live) = run(&["spawn (do 5); do 1"], 20, &kills(&[(0, &[1])]));
    assert_eq!(seen.acts, [(2, Pid(2), 5)]);
    assert_eq!(live, []);
}

#[test]
fn the_locks_of_a_killed_thread_go_on() {
    let text = "let c = gref 0 in
        spawn (acquire c; do 3; 0);
        spawn (acquire c; do 4; 0);
        1; 1; 1; 1; 1; 1; do 5";
    let world = Scripted { delays: delays(&[(3, 1000)]).delays, ..kills(&[(5, &[2])]) };
    let (seen, _) = run(&[text], 100, &world);
    assert_eq!(seen.acts, [(6, Pid(2), 3), (13, Pid(1), 5), (15, Pid(3), 4)]);
}

#[test]
fn the_words_of_a_killed_thread_count_the_same_in_both_modes() {
    let text = |wait: u32| {
        format!(
            "let grow = rec grow in fn list => grow (1, list) in
            spawn (grow 0); spawn (grow 0);
            (rec wait in fn n => if n = 0 then do 5 else wait (n - 1)) {wait}; (rec stay in stay)"
        )
    };
    for wait in [1, 10, 100, 170, 250, 400] {
        for words in [500, 1500, 3000, 6000] {
            let seen = [Mode::RunAhead, Mode::Lockstep].map(|mode| {
                let mut machine = Machine::new(Limits { words, ..Limits::default() }, 0);
                machine.set_mode(mode);
                let team = machine.add_team(&load(&text(wait)));
                machine.start(team);
                let mut world = kills(&[(5, &[2])]);
                machine.run(8000, &mut world);
                world
            });
            assert_eq!(seen[0], seen[1], "{wait} {words}");
            assert!(!seen[0].ends.is_empty(), "the other one comes to the limit");
        }
    }
}

#[test]
fn who_waits_for_which_lock_is_told_with_places() {
    let text = "let c = gref 0 in\nspawn (acquire c; rec stay in stay);\nacquire c; 1";
    let mut machine = Machine::new(Limits::default(), 0);
    let team = machine.add_team(&load(text));
    machine.start(team);
    machine.run(2, &mut delays(&[]));
    assert_eq!(machine.lock_waits(), []);
    machine.run(100, &mut delays(&[]));
    let waits = machine.lock_waits();
    let shown: Vec<String> = waits.iter().map(ToString::to_string).collect();
    // The parent has its `;` to reduce first.
    assert_eq!(shown, ["thread 1 waits at test.cl:3:1 for the lock that thread 2 took at test.cl:2:8"]);
    assert_eq!((waits[0].pid, waits[0].since, waits[0].holder), (Pid(1), 5, Pid(2)));
}

#[test]
fn a_circle_of_locks_is_a_deadlock_in_the_cycle_that_closes_it() {
    let text = "let a = gref 0 in let b = gref 0 in
        spawn (acquire a; 1; 1; 1; 1; acquire b; 0);
        acquire b; 1; 1; acquire a; 0";
    let (seen, live) = run(&[text], 100, &delays(&[]));
    assert_eq!(live, [Pid(1), Pid(2)]);
    let circle = [
        "thread 2 waits at test.cl:2:39 for the lock that thread 1 took at test.cl:3:9".to_owned(),
        "thread 1 waits at test.cl:3:26 for the lock that thread 2 took at test.cl:2:16".to_owned(),
    ];
    assert_eq!(seen.deadlocks.len(), 1, "{seen:?}");
    assert_eq!(seen.deadlocks[0].1, circle);
    // A thread that waits for a deadlock without being part of it closes no other one.
    let third = format!("spawn (1; 1; 1; 1; 1; 1; 1; 1; 1; 1; 1; 1; 1; acquire c; 0); {text}");
    let third = format!("let c = gref 0 in {}", third.replace("acquire a; 1; 1", "acquire c; acquire a; 1"));
    let (seen, live) = run(&[&third], 100, &delays(&[]));
    assert_eq!((seen.deadlocks.len(), live.len()), (1, 3), "{seen:?}");
    // Waiting for a thread that does not wait is no deadlock.
    let (seen, _) =
        run(&["let a = gref 0 in spawn (acquire a; rec w in w); 1; 1; acquire a"], 100, &delays(&[]));
    assert_eq!(seen.deadlocks, []);
}

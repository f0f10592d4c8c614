//! Helpers of the tests of programs.

use grandstand_languages::{Cause, End, Limits, Machine, NoWorld, Pid, Program, fuzz, reference_engine};

/// The ends of all threads of a program within this number of cycles, the first thread's end first. Both engines must
/// agree.
pub(crate) fn ends(program: &Program, cycles: u64) -> Vec<String> {
    let sorted = |world: NoWorld| {
        let mut ends: Vec<(Pid, String)> =
            world.ends.iter().map(|(_, pid, end)| (*pid, end.to_string())).collect();
        ends.sort();
        ends
    };
    let (mut expected, mut world) = (NoWorld::default(), NoWorld::default());
    let mut reference = reference_engine::Machine::new(Limits::default(), 0);
    let team = reference.add_team(program);
    reference.start(team);
    reference.run(cycles, &mut expected);
    let mut machine = Machine::new(Limits::default(), 0);
    let team = machine.add_team(program);
    machine.start(team);
    machine.run(cycles, &mut world);
    let ends = sorted(world);
    assert_eq!(ends, sorted(expected));
    ends.into_iter().map(|(_, end)| end).collect()
}

/// The events of a small program until its first thread has ended. All engines must agree.
pub(crate) fn seen(program: &Program) -> fuzz::Log {
    let limits = Limits { threads: 16, depth: 1000, ..Limits::default() };
    fuzz::agree(program, limits, 1_000_000, &[])
}

/// The end of the first thread of a small program. All engines must agree.
pub(crate) fn end(program: &Program) -> End {
    seen(program).end_of(Pid(1)).expect("the thread ends").clone()
}

/// The value of the first thread.
pub(crate) fn value(program: &Program) -> String {
    let end = end(program);
    match &end.cause {
        Cause::Value(value) => value.to_string(),
        _ => panic!("{end}"),
    }
}

//! Cores, and what processes use of them.

/// Restricts this process, and all threads and processes that it starts, to one core.
pub(crate) fn pin_to(core: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(core);
    if let Err(error) = rustix::thread::sched_setaffinity(None, &set) {
        eprintln!("not pinned to core {core}: {error}");
    }
}

/// CPU time of all threads of a process so far, in seconds; `None` if it has ended.
pub(crate) fn cpu_secs(process: u32) -> Option<f64> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let nanos = |task: std::io::Result<std::fs::DirEntry>| {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    };
    Some(tasks.filter_map(nanos).sum::<u64>() as f64 / 1e9)
}

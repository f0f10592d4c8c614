//! Test that freed memory of a frame is reused by the next one.

use grandstand_gui::native::keep_freed_memory;

use crate::ALONE;

/// Number of minor page faults of this process, from proc_pid_stat(5).
fn faults() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("the figures of the process");
    let (_, fields) = stat.rsplit_once(") ").expect("a name in brackets");
    fields.split(' ').nth(7).and_then(|field| field.parse().ok()).expect("minflt")
}

#[test]
fn what_a_frame_gives_back_costs_the_next_one_nothing() {
    let _alone = ALONE.lock().expect("the other test does not fail");
    keep_freed_memory();
    // Eight megabytes in lists, like those of a frame.
    let frame = || (0..40).map(|list| vec![list; 200 << 10]).collect::<Vec<Vec<u8>>>();
    drop(frame());
    let before = faults();
    for _ in 0..50 {
        drop(frame());
    }
    let pages = faults() - before;
    assert!(pages < 4000, "{pages} pages for fifty frames of two thousand");
}

//! Waiting for a condition.

use std::time::{Duration, Instant};

/// Time limit of all waits. Only failing tests wait that long.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Interval between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until the condition holds.
///
/// # Panics
///
/// If it does not hold within [`PATIENCE`], with `what` in the message.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    until_some(what, || holds().then_some(()));
}

/// Waits until there is a value.
///
/// # Panics
///
/// If there is none within [`PATIENCE`], with `what` in the message.
pub fn until_some<T>(what: &str, value: impl FnMut() -> Option<T>) -> T {
    until_some_within(PATIENCE, what, value)
}

/// Waits until there is a value, for tests of a time limit.
///
/// # Panics
///
/// If there is none within `patience`, with `what` in the message.
pub(crate) fn until_some_within<T>(
    patience: Duration,
    what: &str,
    mut value: impl FnMut() -> Option<T>,
) -> T {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(value) = value() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(PAUSE);
    }
}

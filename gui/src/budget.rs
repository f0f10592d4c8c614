//! Time that one frame may spend on a piece of work.

use std::time::Duration;

use web_time::Instant;

/// Some time from now on. What is not done by then is gone on with in the next frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    began: Instant,
    most: Duration,
}

impl Budget {
    /// As much time, from now on.
    pub(crate) fn new(most: Duration) -> Budget {
        Budget { began: Instant::now(), most }
    }

    /// Whether there is time left.
    pub(crate) fn is_left(self) -> bool {
        self.began.elapsed() < self.most
    }
}

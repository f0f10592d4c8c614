//! Time budget of work in one frame.

use std::time::Duration;

use web_time::Instant;

/// A budget that runs from its creation. The rest of the work continues in the next frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    began: Instant,
    most: Duration,
}

impl Budget {
    /// A budget of `most`, from now on.
    pub(crate) fn new(most: Duration) -> Budget {
        Budget { began: Instant::now(), most }
    }

    /// Time since its creation.
    pub(crate) fn elapsed(self) -> Duration {
        self.began.elapsed()
    }

    /// Whether there is time left.
    pub(crate) fn is_left(self) -> bool {
        self.began.elapsed() < self.most
    }
}

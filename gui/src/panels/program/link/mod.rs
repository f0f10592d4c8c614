//! Link to the machine that plays a recording again: questions go there, answers come back, and no frame waits for them.

#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
mod native;

#[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
pub(super) use absent::Link;
#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
pub(super) use native::Link;

/// Whether there is a machine in this build.
pub(super) const IS_THERE: bool = cfg!(all(feature = "analysis", not(target_arch = "wasm32")));

/// A recording to be played again.
#[derive(Debug)]
pub(super) struct Recording {
    pub header: grandstand_replays::Header,
    pub log: grandstand_replays::Log,
    /// Whether the file is good to its end.
    pub whole: bool,
}

/// A build without a machine.
#[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
mod absent {
    use super::Recording;
    use crate::source::Wake;

    #[derive(Debug)]
    pub(crate) enum Link {}

    impl Link {
        pub(crate) fn open(recording: Recording, wake: Wake) -> Option<Link> {
            let Recording { header, log, whole } = recording;
            drop((header, log, whole, wake));
            None
        }

        pub(crate) fn ask(&self, _: String) {
            match *self {}
        }

        pub(crate) fn next(&self) -> Option<String> {
            match *self {}
        }
    }
}

//! Link to the machine that plays a recording again. Messages go both ways; no frame waits for them.

#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
mod native;

#[cfg(not(all(feature = "analysis", not(target_arch = "wasm32"))))]
pub(super) use absent::Link;
#[cfg(all(feature = "analysis", not(target_arch = "wasm32")))]
pub(super) use native::Link;

/// Whether this build contains the machine.
pub(super) const IS_THERE: bool = cfg!(all(feature = "analysis", not(target_arch = "wasm32")));

/// A recording for the machine.
#[derive(Debug)]
pub(super) struct Recording {
    pub header: grandstand_replays::Header,
    pub log: grandstand_replays::Log,
    /// Whether the file was read to its end without damage.
    pub whole: bool,
}

/// Stand-in for builds without the machine: it can't be opened.
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

//! Body of the fuzz target for the messages between a director and its workers.

use super::job::Job;
use super::messages::{Ask, Beat, BeatReply, Given, Hello, Welcome};
use super::report::Report;
use super::wire::{Message, decode, encode};

/// Any bytes as a message in either direction: it is refused, or written again as it came.
pub(crate) fn fuzz(data: &[u8]) {
    fn check<T: Message + PartialEq + std::fmt::Debug>(data: &[u8]) {
        let Ok(message) = decode::<T>(data) else { return };
        let written = encode(&message);
        assert!(!written.is_empty(), "a message is JSON");
        assert_eq!(decode::<T>(&written).as_ref(), Ok(&message));
    }
    check::<Job>(data);
    check::<Report>(data);
    check::<Hello>(data);
    check::<Welcome>(data);
    check::<Ask>(data);
    check::<Given>(data);
    check::<Beat>(data);
    check::<BeatReply>(data);
}

//! Body of the fuzz target for the messages between a director and its workers, and for recordings that are compared.

use grandstand_replays::zst;

use super::evidence;
use super::job::Job;
use super::link::outcome;
use super::messages::{Assignment, Heartbeat, HeartbeatReply, Hello, JobRequest, Taken, Welcome};
use super::nats::{ContentRequest, Found};
use super::report::Report;
use super::wire::{Message, decode, encode};

/// Any bytes as a message in either direction: it is refused, or written again as it came.
pub(crate) fn fuzz(data: &[u8]) {
    let _ = outcome(None, data.first().copied().map_or(0, |byte| u16::from(byte) * 3), None, data.to_vec());
    fn check<T: Message + PartialEq + std::fmt::Debug>(data: &[u8]) {
        let Ok(message) = decode::<T>(data) else { return };
        let written = encode(&message);
        assert!(!written.is_empty(), "a message is JSON");
        assert_eq!(decode::<T>(&written).as_ref(), Ok(&message));
    }
    // A recording may be anything: what can be read of it is compared.
    let nothing = evidence::commands(b"");
    let mut compressed = Vec::new();
    if data.starts_with(b"{\"grandstand\"") && zst::compress(data, &mut compressed).is_ok() {
        let whole = evidence::commands(&compressed);
        compressed.extend_from_slice(b"what follows a frame");
        assert_eq!(evidence::commands(&compressed), whole);
    } else if !zst::is_compressed(data) {
        assert_eq!(evidence::commands(data), nothing);
    } else {
        evidence::commands(data);
    }
    check::<Job>(data);
    check::<Report>(data);
    check::<Hello>(data);
    check::<Welcome>(data);
    check::<JobRequest>(data);
    check::<Assignment>(data);
    check::<Heartbeat>(data);
    check::<HeartbeatReply>(data);
    check::<Taken>(data);
    check::<Found>(data);
    check::<ContentRequest>(data);
}

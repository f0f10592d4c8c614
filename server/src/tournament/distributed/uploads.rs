//! Recordings that workers have uploaded, until their results come: in memory, within a limit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::messages::Session;
use super::report::Upload;
use crate::locked::Locked as _;

/// Greatest size in bytes of all uploads that are under way, or wait for their results.
const ROOM: u32 = 1 << 30;
/// Time within which the result has to come: both uploads of a game, and the result, may take as long as a request may.
const AGE: Duration = Duration::from_secs(900);

/// The uploads of all workers.
#[derive(Debug)]
pub(super) struct Uploads {
    room: Arc<Semaphore>,
    kept: Mutex<BTreeMap<(Session, Upload), Kept>>,
}

#[derive(Debug)]
struct Kept {
    bytes: Bytes,
    since: Instant,
    _room: Room,
}

/// Room for an upload, returned on drop.
#[derive(Debug)]
pub(super) struct Room(OwnedSemaphorePermit);

impl Default for Uploads {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(ROOM as usize)), kept: Mutex::default() }
    }
}

impl Uploads {
    /// Room for an upload of so many bytes; `None` while there is none.
    pub(super) fn reserve(&self, bytes: usize) -> Option<Room> {
        let bytes = u32::try_from(bytes).ok()?;
        self.room.clone().try_acquire_many_owned(bytes).ok().map(Room)
    }

    /// Keeps an upload in the room that was reserved for it. One that was kept already takes its place.
    pub(super) fn keep(&self, of: (Session, Upload), bytes: Bytes, mut room: Room, now: Instant) {
        if let Some(more) = room.0.num_permits().checked_sub(bytes.len()) {
            // The size was not known before.
            drop(room.0.split(more));
        }
        self.kept.locked().insert(of, Kept { bytes, since: now, _room: room });
    }

    /// Hands an upload out, once.
    pub(super) fn take(&self, session: &Session, upload: &Upload) -> Option<Bytes> {
        Some(self.kept.locked().remove(&(session.clone(), upload.clone()))?.bytes)
    }

    /// Removes the uploads of sessions that are gone, and those whose results do not come.
    pub(super) fn expire(&self, is_there: impl Fn(&Session) -> bool, now: Instant) {
        let is_young = |kept: &Kept| now.saturating_duration_since(kept.since) < AGE;
        self.kept.locked().retain(|(session, _), kept| is_there(session) && is_young(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(session: u8, bytes: u64) -> (Session, Upload) {
        (Session(format!("{session:032x}")), Upload { sha256: "0".repeat(64), bytes })
    }

    #[test]
    fn uploads_have_their_room_before_they_come_and_until_they_are_handed_out() {
        let (uploads, now) = (Uploads::default(), Instant::now());
        let quarter = ROOM as usize / 4;
        let mut under_way: Vec<Room> = (0..3).map(|_| uploads.reserve(quarter).unwrap()).collect();
        uploads.keep(of(1, 3), Bytes::from_static(b"abc"), under_way.pop().unwrap(), now);
        assert!(uploads.reserve(2 * quarter).is_none(), "three bytes are taken");
        assert!(uploads.reserve(2 * quarter - 3).is_some());
        // The same upload once more takes no more room.
        uploads.keep(of(1, 3), Bytes::from_static(b"abc"), uploads.reserve(3).unwrap(), now);
        assert!(uploads.reserve(2 * quarter - 3).is_some());
        let (session, upload) = of(1, 3);
        assert_eq!(uploads.take(&session, &upload).as_deref(), Some(&b"abc"[..]));
        assert_eq!(uploads.take(&session, &upload), None);
        assert!(uploads.reserve(2 * quarter).is_some());
        drop(under_way);
        assert!(uploads.reserve(ROOM as usize).is_some());
        assert!(uploads.reserve(ROOM as usize + 1).is_none());
    }

    #[test]
    fn uploads_without_a_result_are_given_up() {
        let (uploads, now) = (Uploads::default(), Instant::now());
        for session in [1, 2] {
            uploads.keep(of(session, 1), Bytes::from_static(b"x"), uploads.reserve(1).unwrap(), now);
        }
        uploads.expire(|session| *session == of(1, 1).0, now);
        assert_eq!(uploads.take(&of(2, 1).0, &of(2, 1).1), None, "its session is gone");
        uploads.expire(|_| true, now + AGE);
        assert_eq!(uploads.take(&of(1, 1).0, &of(1, 1).1), None, "it is too old");
        assert!(uploads.reserve(ROOM as usize).is_some());
    }
}

//! Quotas of recording: of one match, of one address, and of the directory.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use crate::config::HistoryLimits;
use crate::limits::client::client_address;
use crate::recordings::CutReason;
use crate::recordings::directory::{Directory, FILE_BYTES};

/// What addresses may record is counted out over this time.
const HOUR: Duration = Duration::from_secs(3600);
/// How long the free space of the disk, and that a directory is full, is believed.
const LOOK: Duration = Duration::from_secs(1);
/// How long a full directory is full before what lies in it is added up again: that may take a while.
const MEASURE: Duration = Duration::from_secs(10);
/// Addresses that are remembered before those are forgotten that may record an hour's worth again.
const ADDRESSES: usize = 4096;

/// Counts what is recorded. Times are given.
#[derive(Debug)]
pub(super) struct Quota {
    limits: HistoryLimits,
    addresses: HashMap<IpAddr, Bucket>,
    /// Bytes that are free on the disk, less what was written since, and since when.
    free: Option<(u64, Instant)>,
    /// Why the directory takes no more, and since when.
    full: Option<(CutReason, Instant)>,
}

/// What an address may record now, and when that was so.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    bytes: f64,
    at: Instant,
}

/// What somebody wants to record.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteRequest {
    /// From where.
    pub(super) peer: IpAddr,
    /// So much more.
    pub(super) bytes: u64,
    /// Of a recording that has so much.
    pub(super) held: u64,
    /// Whether its file is to be made.
    pub(super) new: bool,
}

impl Quota {
    pub(super) fn new(limits: HistoryLimits) -> Self {
        Self { limits, addresses: HashMap::new(), free: None, full: None }
    }

    /// Whether more may be recorded; counts it if so.
    ///
    /// # Errors
    /// Why it may not.
    pub(super) fn take(
        &mut self,
        wanted: WriteRequest,
        directory: &Directory,
        now: Instant,
    ) -> Result<(), CutReason> {
        let WriteRequest { peer, bytes, held, new } = wanted;
        let cost = bytes + if new { FILE_BYTES } else { 0 };
        if held + bytes > self.limits.recording {
            return Err(CutReason::Recording);
        }
        if let Some(cut) = self.full(directory, cost, now) {
            return Err(cut);
        }
        let hourly = self.limits.recording_hourly as f64;
        let bucket = self.bucket(peer, now);
        if bucket.bytes < (cost as f64).min(hourly) {
            return Err(CutReason::Hourly);
        }
        bucket.bytes -= cost as f64;
        directory.grew(cost);
        if let Some((free, _)) = &mut self.free {
            *free = free.saturating_sub(cost);
        }
        Ok(())
    }

    /// Why the directory takes no more, if it doesn't.
    pub(super) fn is_full(&self) -> Option<CutReason> {
        self.full.map(|(cut, _)| cut)
    }

    /// Why the directory does not take so much, if it does not. Once it is full it is so for everybody, until some room
    /// was made: small matches would otherwise begin recordings that end at once.
    fn full(&mut self, directory: &Directory, cost: u64, now: Instant) -> Option<CutReason> {
        if let Some((cut, since)) = self.full {
            let believed = if cut == CutReason::Data { MEASURE } else { LOOK };
            if now.saturating_duration_since(since) < believed {
                return Some(cut);
            }
            if cut == CutReason::Data {
                // What can't be added up stays as it was counted.
                let _ = directory.measure();
            }
        }
        let HistoryLimits { data, data_free, .. } = self.limits;
        // Some room, not just enough for this one, so that it does not change back and forth.
        let was_full = self.full.is_some();
        let room = |part: u64| if was_full { cost.max(part) } else { cost };
        let full = if directory.used().saturating_add(room(data / 64)) > data {
            Some(CutReason::Data)
        } else if self
            .free(directory, now)
            .is_some_and(|free| free < data_free.saturating_add(room(data_free / 16)))
        {
            Some(CutReason::Free)
        } else {
            None
        };
        self.full = full.map(|cut| (cut, now));
        full
    }

    fn free(&mut self, directory: &Directory, now: Instant) -> Option<u64> {
        match self.free {
            Some((free, at)) if now.saturating_duration_since(at) < LOOK => Some(free),
            _ => {
                self.free = directory.free().map(|free| (free, now));
                self.free.map(|(free, _)| free)
            }
        }
    }

    /// What an address may record. One that has the whole of a small network has it as one.
    fn bucket(&mut self, peer: IpAddr, now: Instant) -> &mut Bucket {
        let hourly = self.limits.recording_hourly as f64;
        let fill = |bucket: &mut Bucket| {
            let share = now.saturating_duration_since(bucket.at).as_secs_f64() / HOUR.as_secs_f64();
            *bucket = Bucket { bytes: (bucket.bytes + share * hourly).min(hourly), at: bucket.at.max(now) };
            bucket.bytes < hourly
        };
        if self.addresses.len() >= ADDRESSES {
            self.addresses.retain(|_, bucket| fill(bucket));
        }
        let address = client_address(peer).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let bucket = self.addresses.entry(address).or_insert(Bucket { bytes: hourly, at: now });
        fill(bucket);
        bucket
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::memory::MemoryBudget;
    use crate::recordings::Recordings;

    const KIB: u64 = 1024;

    /// Takes `bytes` as an address, and says why it can't.
    fn quota(limits: HistoryLimits) -> (Quota, Recordings, tempfile::TempDir) {
        let path = tempfile::tempdir().unwrap();
        let recordings =
            Recordings::open(Some(path.path()), &limits, MemoryBudget::new(1 << 20), Default::default())
                .unwrap();
        (Quota::new(HistoryLimits { data_free: 0, ..limits }), recordings, path)
    }

    fn wanted(peer: &str, bytes: u64) -> WriteRequest {
        WriteRequest { peer: peer.parse().unwrap(), bytes, held: 0, new: false }
    }

    #[test]
    fn a_recording_has_its_longest_length() {
        let (mut quota, recordings, _path) = quota(HistoryLimits { recording: 100, ..Default::default() });
        let (directory, now) = (recordings.directory().unwrap(), Instant::now());
        let more = |bytes, held| WriteRequest { held, ..wanted("192.0.2.1", bytes) };
        assert_eq!(quota.take(more(60, 0), directory, now), Ok(()));
        assert_eq!(quota.take(more(40, 60), directory, now), Ok(()));
        assert_eq!(quota.take(more(1, 100), directory, now), Err(CutReason::Recording));
    }

    #[test]
    fn an_address_has_an_hours_worth_and_gets_it_back_in_an_hour() {
        let limits = HistoryLimits { recording_hourly: 3600 * KIB, ..Default::default() };
        let (mut quota, recordings, _path) = quota(limits);
        let (directory, start) = (recordings.directory().unwrap(), Instant::now());
        let mut take =
            |peer, bytes, secs| quota.take(wanted(peer, bytes), directory, start + Duration::from_secs(secs));
        assert_eq!(take("192.0.2.1", 3600 * KIB, 0), Ok(()));
        assert_eq!(take("192.0.2.1", 1, 0), Err(CutReason::Hourly));
        // Another address is not in its way, and the same one written as IPv6 is no other.
        assert_eq!(take("192.0.2.2", 1, 0), Ok(()));
        assert_eq!(take("::ffff:192.0.2.1", 1, 0), Err(CutReason::Hourly));
        assert_eq!(take("192.0.2.1", 10 * KIB, 10), Ok(()));
        assert_eq!(take("192.0.2.1", 1, 10), Err(CutReason::Hourly));
        assert_eq!(take("192.0.2.1", 3600 * KIB, 9_999), Ok(()));
        // Whoever has a network of IPv6 has one share.
        assert_eq!(take("2001:db8::1", 3600 * KIB, 0), Ok(()));
        assert_eq!(take("2001:db8::ffff:1", 1, 0), Err(CutReason::Hourly));
        assert_eq!(take("2001:db8:0:1::1", 1, 0), Ok(()));
    }

    #[test]
    fn addresses_that_may_record_as_before_are_forgotten() {
        let (mut quota, recordings, _path) = quota(HistoryLimits::default());
        let (directory, start) = (recordings.directory().unwrap(), Instant::now());
        for n in 0..3 * ADDRESSES as u32 {
            let peer = IpAddr::V4(0x0A00_0000_u32.wrapping_add(n).into());
            let later = start + HOUR * n / 1000;
            assert_eq!(quota.take(WriteRequest { peer, ..wanted("::1", 1) }, directory, later), Ok(()));
        }
        assert!(quota.addresses.len() <= ADDRESSES);
    }

    #[test]
    fn a_full_directory_is_full_for_all_until_there_is_room() {
        let (mut quota, recordings, path) = quota(HistoryLimits { data: 1024 * KIB, ..Default::default() });
        let (directory, start) = (recordings.directory().unwrap(), Instant::now());
        std::fs::write(path.path().join("old.replay"), vec![b'x'; 900 * KIB as usize]).unwrap();
        directory.measure().unwrap();
        let mut take = |bytes, secs| {
            quota.take(wanted("192.0.2.1", bytes), directory, start + Duration::from_secs(secs))
        };
        assert_eq!(take(100 * KIB, 0), Ok(()));
        assert_eq!(take(100 * KIB, 0), Err(CutReason::Data));
        assert_eq!(take(1, 0), Err(CutReason::Data));
        std::fs::remove_file(path.path().join("old.replay")).unwrap();
        assert_eq!(take(1, 9), Err(CutReason::Data));
        assert_eq!(take(900 * KIB, 10), Ok(()));
    }

    #[cfg(unix)]
    #[test]
    fn the_disk_keeps_some_free_space() {
        let (mut quota, recordings, _path) = quota(HistoryLimits::default());
        quota.limits.data_free = u64::MAX / 2;
        let directory = recordings.directory().unwrap();
        assert_eq!(quota.take(wanted("192.0.2.1", 1), directory, Instant::now()), Err(CutReason::Free));
        assert_eq!(quota.is_full(), Some(CutReason::Free));
    }
}

//! Recording quotas: per match, per address, and for the directory.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use crate::config::HistoryLimits;
use crate::limits::client::client_address;
use crate::recordings::CutReason;
use crate::recordings::directory::{Directory, FILE_BYTES};

/// Period of the quota per address.
const HOUR: Duration = Duration::from_secs(3600);
/// Time for which the free space of the disk, and a full disk, is not measured again.
const LOOK: Duration = Duration::from_secs(1);
/// Time for which a full directory is not measured again: that may take a while.
const MEASURE: Duration = Duration::from_secs(10);
/// Maximum number of addresses with a quota that is not full. Beyond it, those that have used least are forgotten.
const ADDRESSES: usize = 4096;

/// State of the quotas. The caller passes the time.
#[derive(Debug)]
pub(super) struct Quota {
    limits: HistoryLimits,
    addresses: HashMap<IpAddr, Bucket>,
    /// Free bytes of the disk, minus the bytes written since, with the time of the measurement.
    free: Option<(u64, Instant)>,
    /// Reason for which the directory is full, with the time of the check.
    full: Option<(CutReason, Instant)>,
}

/// Remaining quota of an address, with the time of the last update.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    bytes: f64,
    at: Instant,
}

/// One request to write.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteRequest {
    /// Address of the match's peer.
    pub(super) peer: IpAddr,
    /// Number of bytes to write.
    pub(super) bytes: u64,
    /// Number of bytes in the file.
    pub(super) held: u64,
    /// Whether the file is to be created.
    pub(super) new: bool,
}

impl Quota {
    pub(super) fn new(limits: HistoryLimits) -> Self {
        Self { limits, addresses: HashMap::new(), free: None, full: None }
    }

    /// Checks a write against the quotas, and counts it if it is permitted.
    ///
    /// # Errors
    /// The quota that it exceeds.
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

    /// Reason for which the directory is full, if it is.
    pub(super) fn is_full(&self) -> Option<CutReason> {
        self.full.map(|(cut, _)| cut)
    }

    /// Reason for which the directory can't take `cost` bytes, if so. Once full, it is full for all matches until some
    /// room is made: otherwise small matches would start recordings that end at once.
    fn full(&mut self, directory: &Directory, cost: u64, now: Instant) -> Option<CutReason> {
        if let Some((cut, since)) = self.full {
            let believed = if cut == CutReason::Data { MEASURE } else { LOOK };
            if now.saturating_duration_since(since) < believed {
                return Some(cut);
            }
            if cut == CutReason::Data {
                // If the directory can't be measured, the counted size stays.
                let _ = directory.measure();
            }
        }
        let HistoryLimits { data, data_free, .. } = self.limits;
        // Requires some extra room, not just enough for this write, so that the state does not flip back and forth.
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

    /// The quota of an address. An IPv6 network of one user counts as one address.
    fn bucket(&mut self, peer: IpAddr, now: Instant) -> &mut Bucket {
        let hourly = self.limits.recording_hourly as f64;
        let fill = |bucket: &mut Bucket| {
            let share = now.saturating_duration_since(bucket.at).as_secs_f64() / HOUR.as_secs_f64();
            *bucket = Bucket { bytes: (bucket.bytes + share * hourly).min(hourly), at: bucket.at.max(now) };
            bucket.bytes < hourly
        };
        let address = client_address(peer).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        if self.addresses.len() >= ADDRESSES && !self.addresses.contains_key(&address) {
            self.addresses.retain(|_, bucket| fill(bucket));
            if self.addresses.len() > ADDRESSES / 2 {
                // Half of them at once, so that this is rare.
                let mut left: Vec<f64> = self.addresses.values().map(|bucket| bucket.bytes).collect();
                let (_, most, _) = left.select_nth_unstable_by(ADDRESSES / 2, f64::total_cmp);
                let most = *most;
                let less = self.addresses.values().filter(|bucket| bucket.bytes < most).count();
                let mut equal = ADDRESSES / 2 - less;
                self.addresses.retain(|_, bucket| match bucket.bytes.total_cmp(&most) {
                    Ordering::Less => true,
                    Ordering::Equal if equal > 0 => {
                        equal -= 1;
                        true
                    }
                    _ => false,
                });
            }
        }
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

    /// Takes `bytes` for an address, and returns the exceeded quota.
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
        // Another address is not affected; the same address written as IPv6 is the same.
        assert_eq!(take("192.0.2.2", 1, 0), Ok(()));
        assert_eq!(take("::ffff:192.0.2.1", 1, 0), Err(CutReason::Hourly));
        assert_eq!(take("192.0.2.1", 10 * KIB, 10), Ok(()));
        assert_eq!(take("192.0.2.1", 1, 10), Err(CutReason::Hourly));
        assert_eq!(take("192.0.2.1", 3600 * KIB, 9_999), Ok(()));
        // One IPv6 network has one quota.
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
    fn of_too_many_addresses_those_that_used_most_are_remembered() {
        let limits = HistoryLimits { recording_hourly: 100 * KIB, ..Default::default() };
        let (mut quota, recordings, _path) = quota(limits);
        let (directory, now) = (recordings.directory().unwrap(), Instant::now());
        assert_eq!(quota.take(wanted("192.0.2.1", 100 * KIB), directory, now), Ok(()));
        for n in 0..3 * ADDRESSES as u32 {
            let peer = IpAddr::V4(0x0A00_0000_u32.wrapping_add(n).into());
            let used = WriteRequest { peer, ..wanted("::1", 1 + u64::from(n % 7)) };
            assert_eq!(quota.take(used, directory, now), Ok(()));
            assert!(quota.addresses.len() <= ADDRESSES);
        }
        assert_eq!(quota.take(wanted("192.0.2.1", 1), directory, now), Err(CutReason::Hourly));
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

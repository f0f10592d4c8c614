//! Memory cgroup of a program. It counts what `/proc` does not show, such as bytes in pipes and sockets.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::processes;

/// Number of attempts to remove a cgroup, and the pause between two: its processes are dead, but the kernel
/// may still hold them.
const REMOVALS: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(20);

/// Cgroup of a program. Dropping it ends the processes in it and removes it.
#[derive(Debug)]
pub(in crate::sandbox) struct Cgroup {
    path: PathBuf,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

impl Cgroup {
    /// Creates a cgroup with a limit of `bytes` below the cgroup of this process, or beside it where its user
    /// owns the parent. Also removes the cgroups of servers that were killed.
    ///
    /// # Errors
    /// If no such cgroup can be created.
    pub(in crate::sandbox) fn new(bytes: u64) -> io::Result<Self> {
        let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}"));
        let (version, own) = own(&read("cgroup")?, &read("mountinfo")?)
            .ok_or_else(|| io::Error::new(ErrorKind::NotFound, "no memory cgroups"))?;
        Self::within(version, &parent(version, own)?, bytes)
    }

    fn within(version: Version, parent: &Path, bytes: u64) -> io::Result<Self> {
        sweep(parent);
        let me = std::process::id();
        let started = processes::started(me).unwrap_or(0);
        let name = format!("grandstand-{me}-{started}-{:016x}", getrandom::u64()?);
        let this = Self { path: parent.join(name), version };
        fs::create_dir(&this.path)?;
        let bytes = bytes.to_string();
        let (limit, wishes) = match version {
            Version::One => (
                "memory.limit_in_bytes",
                [("memory.memsw.limit_in_bytes", &*bytes), ("memory.kmem.tcp.limit_in_bytes", &*bytes)],
            ),
            Version::Two => ("memory.max", [("memory.swap.max", "0"), ("memory.oom.group", "1")]),
        };
        fs::write(this.path.join(limit), &bytes)?;
        for (file, value) in wishes {
            // Not every kernel has these files; the limit holds without them.
            let _ = fs::write(this.path.join(file), value);
        }
        Ok(this)
    }

    /// Open file to which a process's id is written to add it to this cgroup. A process without the right to
    /// open the file can still write to it.
    pub(in crate::sandbox) fn open_procs_file(&self) -> io::Result<File> {
        File::options().write(true).open(self.path.join("cgroup.procs"))
    }

    /// Whether the kernel killed a process of the cgroup for lack of memory.
    pub(in crate::sandbox) fn ran_out(&self) -> bool {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        let text = fs::read_to_string(self.path.join(file)).unwrap_or_default();
        let ended = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        ended.is_some_and(|count| count != "0")
    }
}

/// Kills the processes that are still in a cgroup: without namespaces a program can have killed its watchers.
fn end_all(path: &Path) {
    let numbers = fs::read_to_string(path.join("cgroup.procs")).unwrap_or_default();
    for pid in numbers.lines().filter_map(|number| Pid::from_raw(number.parse().ok()?)) {
        // The process may be gone by now.
        let _ = kill_process(pid, Signal::KILL);
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        for _ in 0..REMOVALS {
            end_all(&self.path);
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == ErrorKind::ResourceBusy => thread::sleep(BETWEEN),
                // A cgroup that can't be removed now is removed when the next one is created.
                _ => return,
            }
        }
    }
}

/// Version and path of the cgroup that counts this process's memory, from `/proc/self/cgroup` and
/// `/proc/self/mountinfo`.
fn own(cgroup: &str, mountinfo: &str) -> Option<(Version, PathBuf)> {
    let line = |version: Version| {
        cgroup.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?);
            let fits = match version {
                Version::One => controllers.split(',').any(|name| name == "memory"),
                Version::Two => controllers.is_empty(),
            };
            fits.then_some((version, path))
        })
    };
    // Where both versions are mounted, the memory controller belongs to the first.
    let (version, path) = line(Version::One).or_else(|| line(Version::Two))?;
    mountinfo.lines().find_map(|mount| {
        let (mount, system) = mount.split_once(" - ")?;
        let (mount, system) = (mount.split(' ').collect::<Vec<_>>(), system.split(' ').collect::<Vec<_>>());
        let fits = match version {
            Version::One => {
                system.first() == Some(&"cgroup") && system.get(2)?.split(',').any(|o| o == "memory")
            }
            Version::Two => system.first() == Some(&"cgroup2"),
        };
        let below = Path::new(path).strip_prefix(mount.get(3)?).ok()?;
        fits.then(|| (version, Path::new(mount.get(4).copied().unwrap_or_default()).join(below)))
    })
}

/// Directory in which cgroups can be created whose memory is counted.
fn parent(version: Version, own: PathBuf) -> io::Result<PathBuf> {
    let refused = match version {
        // In version 1 a cgroup can contain both processes and cgroups.
        Version::One => return Ok(own),
        Version::Two => match hands_memory_on(&own) {
            Ok(()) => return Ok(own),
            Err(error) => error,
        },
    };
    // In version 2 a cgroup that contains processes can't enable controllers for its children. The parent is
    // ours if it was delegated to our user, as systemd does for what its users start. Root owns every cgroup,
    // so ownership tells nothing there.
    let above = own.parent().ok_or(refused)?;
    let user = rustix::process::geteuid();
    if user.is_root() || fs::metadata(above)?.uid() != user.as_raw() {
        return Err(ErrorKind::PermissionDenied.into());
    }
    hands_memory_on(above)?;
    Ok(above.to_owned())
}

fn hands_memory_on(path: &Path) -> io::Result<()> {
    let file = path.join("cgroup.subtree_control");
    if fs::read_to_string(&file)?.split_ascii_whitespace().any(|controller| controller == "memory") {
        return Ok(());
    }
    fs::write(file, "+memory")
}

/// Removes cgroups of servers that have ended.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_prefix("grandstand-")) else { continue };
        let mut numbers = name.split('-').map(str::parse::<u64>);
        if let (Some(Ok(pid)), Some(Ok(started))) = (numbers.next(), numbers.next())
            && u32::try_from(pid).ok().and_then(processes::started) != Some(started)
        {
            end_all(&entry.path());
            // A cgroup whose processes are not gone yet stays for the next time.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_cgroup_is_found_in_either_version() {
        let mounts = "24 1 0:21 / /proc rw - proc proc rw\n\
                      31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                      32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      35 31 0:32 /box /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n\
                      41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let found =
            |cgroup: &str| own(cgroup, mounts).map(|(version, path)| (version, path.display().to_string()));
        let one = Some((Version::One, "/sys/fs/cgroup/memory/a".to_owned()));
        assert_eq!(found("5:cpu,cpuacct:/x\n4:memory:/box/a\n0::/y\n"), one);
        let two = Some((Version::Two, "/sys/fs/cgroup/unified/user.slice/a:b.scope".to_owned()));
        assert_eq!(found("0::/user.slice/a:b.scope\n"), two);
        assert_eq!(found("4:memory:/elsewhere\n"), None);
        assert_eq!(found(""), None);
    }

    #[test]
    fn only_cgroups_of_the_dead_are_swept() {
        let place = tempfile::tempdir().unwrap();
        let me = std::process::id();
        let started = processes::started(me).unwrap();
        let ours = format!("grandstand-{me}-{started}-1");
        let others = ["grandstand-x", "somebody-1-2-3", &ours];
        for name in
            others.into_iter().chain(["grandstand-1-0-5", &format!("grandstand-{me}-{}-2", started + 1)])
        {
            fs::create_dir(place.path().join(name)).unwrap();
        }
        sweep(place.path());
        let mut left: Vec<_> = fs::read_dir(place.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, [&*ours, "grandstand-x", "somebody-1-2-3"]);
    }

    #[test]
    fn what_is_still_in_a_cgroup_ends_with_it() {
        let place = tempfile::tempdir().unwrap();
        let mut left = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let cgroup = Cgroup::within(Version::Two, place.path(), 1_000).unwrap();
        fs::write(cgroup.path.join("cgroup.procs"), format!("{}\n", left.id())).unwrap();
        drop(cgroup);
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&left.wait().unwrap()), Some(9));
    }

    #[test]
    fn in_version_two_the_controller_is_asked_for() {
        let place = tempfile::tempdir().unwrap();
        assert!(parent(Version::Two, place.path().to_owned()).is_err());
        let file = place.path().join("cgroup.subtree_control");
        fs::write(&file, "cpu\n").unwrap();
        assert_eq!(parent(Version::Two, place.path().to_owned()).unwrap(), place.path());
        assert_eq!(fs::read_to_string(&file).unwrap(), "+memory");
        let cgroup = Cgroup::within(Version::Two, place.path(), 1_000).unwrap();
        assert_eq!(fs::read_to_string(cgroup.path.join("memory.max")).unwrap(), "1000");
        assert_eq!(fs::read_to_string(cgroup.path.join("memory.oom.group")).unwrap(), "1");
        assert!(!cgroup.ran_out());
        fs::write(cgroup.path.join("memory.events"), "low 0\noom 1\noom_kill 0\n").unwrap();
        assert!(!cgroup.ran_out());
        fs::write(cgroup.path.join("memory.events"), "low 0\noom 1\noom_kill 3\n").unwrap();
        assert!(cgroup.ran_out());
    }
}

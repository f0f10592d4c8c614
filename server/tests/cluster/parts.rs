//! The processes, which can be killed and started again at their addresses.

use std::fmt::Write as _;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use grandstand_testing::process::{Killed, signal};
use grandstand_testing::until;
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};

use crate::link::Link;

const PROGRAM: &str = env!("CARGO_BIN_EXE_grandstand");

/// A kind of process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Nats,
    Origin,
    Relay,
    Worker,
    Director,
}

impl Part {
    pub(crate) const ALL: [Self; 5] = [Self::Nats, Self::Origin, Self::Relay, Self::Worker, Self::Director];

    fn count(self) -> usize {
        match self {
            Self::Nats | Self::Worker => 3,
            Self::Origin | Self::Relay => 2,
            Self::Director => 1,
        }
    }
}

/// A process with its addresses.
struct Process {
    part: Part,
    number: usize,
    /// Address for clients: of NATS, of HTTP, or of workers.
    address: SocketAddr,
    /// The address for lines, or of the cluster's route.
    other: SocketAddr,
    /// Where a NATS server tells of itself.
    monitor: SocketAddr,
    child: Option<Killed>,
}

impl Process {
    /// Whether it has one way to NATS, which can be cut.
    fn is_beyond(&self) -> bool {
        self.part == Part::Relay && self.number == 1
    }
}

/// All processes.
pub(crate) struct Parts {
    folder: PathBuf,
    processes: Vec<Process>,
    link: Link,
}

/// An address that nobody has.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Parts {
    /// Starts NATS, the origins and the relays.
    pub(crate) fn start(folder: &Path) -> Self {
        let mut processes: Vec<Process> = Part::ALL
            .into_iter()
            .flat_map(|part| (0..part.count()).map(move |number| (part, number)))
            .map(|(part, number)| {
                let (address, other, monitor) = (free(), free(), free());
                Process { part, number, address, other, monitor, child: None }
            })
            .collect();
        let link = Link::to(processes[0].address);
        let beyond = processes.iter_mut().find(|process| process.is_beyond()).unwrap();
        beyond.address = link.other_side(beyond.address);
        let mut parts = Self { folder: folder.to_owned(), processes, link };
        parts.start_nats();
        for part in [Part::Origin, Part::Relay] {
            (0..part.count()).for_each(|number| parts.start_again(part, number));
        }
        parts
    }

    /// Starts the director and its workers.
    pub(crate) fn start_work(&mut self) {
        self.start_again(Part::Director, 0);
        until("the token is there", || self.folder.join("cup.db.token").exists());
        (0..Part::Worker.count()).for_each(|number| self.start_again(Part::Worker, number));
    }

    fn index(&self, part: Part, which: usize) -> usize {
        let number = which % part.count();
        self.processes.iter().position(|process| (process.part, process.number) == (part, number)).unwrap()
    }

    fn addresses(&self, part: Part) -> Vec<SocketAddr> {
        self.processes.iter().filter(|process| process.part == part).map(|process| process.address).collect()
    }

    /// The addresses of the relays, and of the origins.
    pub(crate) fn http(&self) -> Vec<SocketAddr> {
        [self.addresses(Part::Relay), self.addresses(Part::Origin)].concat()
    }

    pub(crate) fn origins(&self) -> Vec<SocketAddr> {
        self.addresses(Part::Origin)
    }

    /// The addresses of the NATS servers.
    pub(crate) fn nats(&self) -> Vec<SocketAddr> {
        self.addresses(Part::Nats)
    }

    /// Where the NATS servers tell of themselves.
    pub(crate) fn monitors(&self) -> Vec<SocketAddr> {
        let servers = self.processes.iter().filter(|process| process.part == Part::Nats);
        servers.map(|process| process.monitor).collect()
    }

    pub(crate) fn director(&self) -> SocketAddr {
        self.addresses(Part::Director)[0]
    }

    /// The addresses for lines of the origins.
    pub(crate) fn lines(&self) -> Vec<SocketAddr> {
        self.processes
            .iter()
            .filter(|process| process.part == Part::Origin)
            .map(|process| process.other)
            .collect()
    }

    pub(crate) fn kill(&mut self, part: Part, which: usize) {
        let index = self.index(part, which);
        self.processes[index].child = None;
    }

    pub(crate) fn start_again(&mut self, part: Part, which: usize) {
        let index = self.index(part, which);
        let log = self.folder.join(format!("{part:?}-{}.log", self.processes[index].number));
        let log = fs::File::options().create(true).append(true).open(log).unwrap();
        let mut command = self.command(&self.processes[index]);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let process = &mut self.processes[index];
        process.child = Some(Killed(command.spawn().unwrap()));
        if part != Part::Worker && part != Part::Director {
            let address = process.address;
            until("a process listens", || TcpStream::connect(address).is_ok());
        }
    }

    fn command(&self, process: &Process) -> Command {
        let name = format!("{:?}-{}", process.part, process.number).to_lowercase();
        let nats: Vec<String> =
            self.addresses(Part::Nats).iter().map(|address| format!("nats://{address}")).collect();
        let mut command = Command::new(PROGRAM);
        match process.part {
            Part::Nats => {
                let routes = self.processes.iter().filter(|process| process.part == Part::Nats);
                let mut config = format!(
                    "server_name: {name}\nlisten: \"{}\"\nhttp: \"{}\"\njetstream {{ store_dir: \"{}\", max_file_store: 8GB }}\n\
                     cluster {{\n  name: test\n  listen: \"{}\"\n  no_advertise: true\n  routes: [\n",
                    if process.number == 0 { self.link.listens(process.address) } else { process.address },
                    process.monitor,
                    self.folder.join(&name).display(),
                    process.other,
                );
                for route in routes {
                    writeln!(config, "    \"nats://{}\"", route.other).unwrap();
                }
                config.push_str("  ]\n}\n");
                let path = self.folder.join(format!("{name}.conf"));
                fs::write(&path, config).unwrap();
                command = Command::new("nats-server");
                command.arg("-c").arg(path);
            }
            Part::Origin => {
                let (lines, http) = (process.other.to_string(), process.address.to_string());
                command.args(["serve", "--legacy", &lines, "--http", &http, "--nats", &nats.join(",")]);
                command.args(["--nats-name", &name, "--limit", "nats-replicas=3"]);
                command.args(["--limit", "nats-feed-mib=64", "--limit", "nats-recordings-mib=64", "--data"]);
                command.arg(self.folder.join(&name));
            }
            Part::Relay => {
                let url = if process.is_beyond() {
                    command = self.link.command(PROGRAM);
                    format!("nats://{}", self.link.server())
                } else {
                    nats.join(",")
                };
                command.args(["relay", "--http", &process.address.to_string(), "--nats", &url]);
            }
            Part::Worker => {
                command.args(["worker", "--jobs", "1", "--name", &name]);
                match process.number {
                    0 => {
                        let to = format!("http://{}", self.director());
                        command.args(["--to", &to, "--token", "cup.db.token"]);
                    }
                    _ => drop(command.args(["--nats", &nats.join(",")])),
                }
            }
            Part::Director => {
                let address = process.address.to_string();
                command.args(["tournament", "run", "cup.toml", "--workers", &address]);
                command.args(["--nats", &nats.join(",")]);
                command.args(["--nats-limit", "nats-replicas=3", "--nats-limit", "nats-work-mib=64"]);
            }
        }
        command
    }

    /// Sends a signal to a process, if it runs.
    pub(crate) fn signal(&mut self, part: Part, which: usize, what: Signal) {
        let index = self.index(part, which);
        if let Some(child) = &mut self.processes[index].child
            && child.try_wait().unwrap().is_none()
        {
            signal(what, child.id());
        }
    }

    /// The last lines that a process has logged.
    pub(crate) fn last_words(&self, part: Part, number: usize) -> String {
        let log = fs::read_to_string(self.folder.join(format!("{part:?}-{number}.log"))).unwrap();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }

    /// Checks that no process has ended by itself; the director may, when the tournament is over.
    pub(crate) fn assert_running(&mut self) {
        for Process { part, number, child, .. } in &mut self.processes {
            let ended = child.as_mut().and_then(|child| child.try_wait().unwrap());
            if *part == Part::Director || ended.is_none() {
                continue;
            }
            let log = fs::read_to_string(self.folder.join(format!("{part:?}-{number}.log"))).unwrap();
            panic!("{part:?} {number} has ended: {}", log.lines().last().unwrap_or_default());
        }
    }

    /// Whether the director has ended by itself; its status.
    pub(crate) fn director_has_ended(&mut self) -> Option<i32> {
        let index = self.index(Part::Director, 0);
        self.processes[index].child.as_mut()?.try_wait().unwrap()?.code()
    }

    /// Kills all of NATS, and removes what it has stored.
    pub(crate) fn wipe(&mut self) {
        (0..Part::Nats.count()).for_each(|number| self.wipe_one(number));
    }

    /// Kills a NATS server, and removes what it has stored.
    pub(crate) fn wipe_one(&mut self, number: usize) {
        self.kill(Part::Nats, number);
        // It may not have stored anything yet.
        let _ = fs::remove_dir_all(self.folder.join(format!("nats-{number}")));
    }

    pub(crate) fn start_nats(&mut self) {
        (0..Part::Nats.count()).for_each(|number| self.start_again(Part::Nats, number));
    }

    /// Lets the NATS servers write files of this size at most, as if their disks were full.
    pub(crate) fn limit_files(&self, bytes: Option<u64>) {
        let children = self.processes.iter().filter(|process| process.part == Part::Nats);
        for child in children.filter_map(|process| process.child.as_ref()) {
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            prlimit(pid, Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
        }
    }

    /// Cuts the link of the second relay, or mends it.
    pub(crate) fn cut(&self, cut: bool) {
        self.link.cut(cut);
    }
}

/// The processes whose command lines name a folder, as they are told to keep everything there.
pub(crate) fn running_in(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().unwrap();
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path().join("cmdline"));
    let lines = processes.filter_map(|path| fs::read_to_string(path).ok());
    lines.filter(|line| line.contains(folder)).map(|line| line.replace('\0', " ")).collect()
}

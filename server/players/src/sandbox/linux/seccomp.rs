//! Filter of system calls that a program may not make.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};

/// System calls that a program which plays a game does not need: access to other processes, mounts,
/// namespaces, the clock, the kernel itself, memory that is charged to no process, more cores, incoming
/// connections.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_listen,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_mq_open,
    libc::SYS_msgget,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setscheduler,
    libc::SYS_semget,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_shmget,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vmsplice,
];

/// Flags of `clone` that create a namespace.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Bits of a socket's type that are not flags.
const SOCKET_TYPE: u64 = 0xf;

/// Calls that send, with the index of their flags argument.
const SENDS: [(libc::c_long, u8); 3] =
    [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)];

/// TCP options that connect by sending, which the rules for connecting would miss.
const FAST_OPEN: [i32; 2] = [libc::TCP_FASTOPEN, libc::TCP_FASTOPEN_CONNECT];

/// Socket options that ask for larger buffers.
const BUFFERS: [i32; 4] = [libc::SO_SNDBUF, libc::SO_RCVBUF, libc::SO_SNDBUFFORCE, libc::SO_RCVBUFFORCE];

/// Commands of `fcntl` that lock a part of a file. A process can hold any number of locks, each with kernel
/// memory.
const LOCKS: [i32; 4] = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refuses the calls to this thread and all its children. With `counted` false, also those that take memory
/// which nobody else counts. The error is a message for people.
pub(super) fn apply(counted: bool) -> Result<(), String> {
    let filters = filters(counted).map_err(|error| error.to_string())?;
    filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter)).map_err(|error| error.to_string())
}

fn filters(counted: bool) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let mut refused: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    refused.insert(libc::SYS_socket, sockets()?);
    refused.insert(libc::SYS_socketpair, pairs()?);
    let mut clones = Vec::new();
    for flag in NAMESPACES {
        clones.push(rule(&[masked(0, flag as u64, flag as u64)?])?);
    }
    // A thread with a file table of its own would allow more open files than one process may have.
    let thread = libc::CLONE_THREAD as u64;
    clones.push(rule(&[masked(0, thread | libc::CLONE_FILES as u64, thread)?])?);
    refused.insert(libc::SYS_clone, clones);
    for (call, flags) in SENDS {
        let flag = libc::MSG_FASTOPEN as u64;
        refused.insert(call, vec![rule(&[masked(flags, flag, flag)?])?]);
    }
    let mut options = Vec::new();
    for option in FAST_OPEN {
        options.push(rule(&[equals(1, libc::IPPROTO_TCP as u64)?, equals(2, option as u64)?])?);
    }
    let mut locks = Rules::new();
    if !counted {
        for option in BUFFERS {
            options.push(rule(&[equals(1, libc::SOL_SOCKET as u64)?, equals(2, option as u64)?])?);
        }
        refused.insert(libc::SYS_fcntl, vec![rule(&[equals(1, libc::F_SETPIPE_SZ as u64)?])?]);
        // Anonymous shared memory can outlive its last mapping.
        let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
        refused.insert(libc::SYS_mmap, vec![rule(&[masked(3, shared, shared)?])?]);
        let commands: Result<_, _> =
            LOCKS.iter().map(|command| rule(&[equals(1, *command as u64)?])).collect();
        locks.insert(libc::SYS_fcntl, commands?);
    }
    refused.insert(libc::SYS_setsockopt, options);
    // The flags of `clone3` lie in memory, which a filter can't read. Libraries fall back to `clone` when the
    // call is missing.
    let absent = Rules::from([(libc::SYS_clone3, Vec::new())]);
    let mut filters = vec![filter(absent, libc::ENOSYS)?, filter(refused, libc::EPERM)?];
    if !locks.is_empty() {
        filters.push(filter(locks, libc::ENOLCK)?);
    }
    if cfg!(target_arch = "x86_64") {
        filters.push(no_second_numbering());
    }
    Ok(filters)
}

/// Refuses the x32 numbers of system calls, which a kernel for x86-64 may accept besides the usual ones. They
/// have this bit, and the rules above do not match them.
fn no_second_numbering() -> BpfProgram {
    const BIT: u32 = 0x4000_0000;
    let [load, jump_if_set, give] = [
        libc::BPF_LD | libc::BPF_W | libc::BPF_ABS,
        libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K,
        libc::BPF_RET,
    ];
    let step = |code: u32, jf: u8, k: u32| sock_filter { code: code as u16, jt: 0, jf, k };
    vec![
        step(load, 0, 0), // the call's number is the first of what a filter sees
        step(jump_if_set, 1, BIT),
        step(give, 0, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32),
        step(give, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let action = SeccompAction::Errno(errno as u32);
    let architecture = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()
}

/// Rules for `socketpair`: only Unix sockets, and no datagrams, since either end of a datagram pair could
/// send to any other socket on this machine. Pairs serve for connections between the program's own processes.
fn pairs() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut rules = vec![rule(&[differs(0, libc::AF_UNIX as u64)?])?];
    for kind in
        (0..=SOCKET_TYPE).filter(|kind| ![libc::SOCK_STREAM, libc::SOCK_SEQPACKET].contains(&(*kind as i32)))
    {
        rules.push(rule(&[masked(1, SOCKET_TYPE, kind)?])?);
    }
    Ok(rules)
}

/// Rules for `socket`: only TCP, over IPv4 or IPv6.
fn sockets() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut rules = vec![
        rule(&[differs(0, libc::AF_INET as u64)?, differs(0, libc::AF_INET6 as u64)?])?,
        // MPTCP and SCTP are streams too, but Landlock's rules for TCP ports do not apply to them.
        rule(&[differs(2, 0)?, differs(2, libc::IPPROTO_TCP as u64)?])?,
    ];
    for kind in (0..=SOCKET_TYPE).filter(|kind| *kind != libc::SOCK_STREAM as u64) {
        rules.push(rule(&[masked(1, SOCKET_TYPE, kind)?])?);
    }
    Ok(rules)
}

fn rule(conditions: &[SeccompCondition]) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions.to_vec())
}

fn equals(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn differs(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_filters_compile_for_this_machine() {
        for counted in [false, true] {
            assert!(super::filters(counted).unwrap().iter().all(|filter| !filter.is_empty()));
        }
    }
}

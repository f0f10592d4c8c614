//! The system calls that a program is refused.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

/// What a program that plays a game has no use for: other processes' insides, mounts, namespaces, the clock, the
/// kernel's own machinery, memory that no process is charged with, more cores.
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
];

/// Flags of `clone` that make a namespace.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// The bits of a socket's type that are not flags.
const SOCKET_TYPE: u64 = 0xf;

/// Gives the calls up for this thread and all that it begins. The error is for people.
pub(super) fn apply() -> Result<(), String> {
    let filters = filters().map_err(|error| error.to_string())?;
    filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter)).map_err(|error| error.to_string())
}

fn filters() -> Result<[BpfProgram; 2], seccompiler::BackendError> {
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> =
        REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    refused.insert(libc::SYS_socket, sockets()?);
    let clones: Result<_, _> =
        NAMESPACES.iter().map(|flag| rule(&[masked(0, *flag as u64, *flag as u64)?])).collect();
    refused.insert(libc::SYS_clone, clones?);
    // Its flags lie in memory, where a filter can't look. To a system that lacks the call, libraries answer with `clone`.
    let absent = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    Ok([filter(absent, libc::ENOSYS)?, filter(refused, libc::EPERM)?])
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
) -> Result<BpfProgram, seccompiler::BackendError> {
    let action = SeccompAction::Errno(errno as u32);
    let architecture = std::env::consts::ARCH.try_into()?;
    SeccompFilter::new(rules, SeccompAction::Allow, action, architecture)?.try_into()
}

/// A socket must be TCP, of either family. What is needed between processes of its own a program has: `socketpair`.
fn sockets() -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    let mut rules = vec![
        rule(&[differs(0, libc::AF_INET as u64)?, differs(0, libc::AF_INET6 as u64)?])?,
        // MPTCP and SCTP are streams too, and not what the rules for TCP ports are about.
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
        assert!(super::filters().unwrap().iter().all(|filter| !filter.is_empty()));
    }
}

//! Split points: nodes whose children several threads search together.
//!
//! A thread that reaches a node of sufficient depth offers the children that may be searched in parallel, and continues with them
//! itself. There is no handover and no wake-up: an idle thread looks for the best offer and takes one child after another
//! from there, as the owner does. A thread that finds a refutation stops the others; the owner, when it is done first, waits for
//! them, and helps below that node meanwhile.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grandstand_rules::turn::Position;

/// Nodes at this height or higher are not shared; the subtrees below them are small.
const HEIGHTS: usize = 32;

/// The expected kind of a node, derived from its parent's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// The node's value may be that of the root: the root and the first child of such a node.
    Pv,
    /// One child refutes the node.
    Cut,
    /// No child refutes the node, so all must be searched in any order.
    All,
}

impl NodeKind {
    /// The order in which offers are taken: nodes that must be searched in any case come first.
    const BEST_FIRST: [Self; 3] = [Self::All, Self::Pv, Self::Cut];

    /// The expected kind of the first child; the others are expected to be refuted.
    pub(super) fn of_first(self) -> Self {
        match self {
            Self::Pv => Self::Pv,
            Self::Cut => Self::All,
            Self::All => Self::Cut,
        }
    }
}

/// The location of a shared node: its owner's seat, and its height above the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    pub(super) seat: usize,
    pub(super) height: usize,
}

/// A child that a thread has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child {
    /// The child's index in the order.
    pub(super) place: usize,
    /// The known length of the path through it.
    pub(super) path: u64,
}

/// The work at a shared node.
#[derive(Debug)]
pub(super) struct Task<P: Position> {
    is_open: bool,
    pub(super) position: Option<P>,
    pub(super) moves: Vec<P::Move>,
    /// The moves in the order in which they are tried: rank, then the index among the legal moves.
    pub(super) order: Vec<(i32, u16)>,
    pub(super) depth: u32,
    pub(super) beta: i32,
    pub(super) kind: NodeKind,
    /// The shared node above.
    above: Option<At>,
    /// Children that beat the initial alpha, and must be tested again.
    again: Vec<Child>,
}

/// A shared node, or the storage for one.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct SplitPoint<P: Position> {
    task: Mutex<Task<P>>,
    /// The index of the next child in the order.
    next: AtomicUsize,
    /// The number of children that must be tested again.
    again: AtomicUsize,
    /// The best score with its move's index among the legal moves.
    best: AtomicU64,
    /// The longest path through a child.
    path: AtomicU64,
    /// The best score, as alpha for the next child.
    alpha: AtomicI32,
    is_cut: AtomicBool,
    /// Whether a thread is searching the value of a child, which is likely to raise alpha.
    is_reserved: AtomicBool,
    helpers: AtomicUsize,
}

impl<P: Position> SplitPoint<P> {
    fn new() -> Self {
        let task = Task {
            is_open: false,
            position: None,
            moves: Vec::new(),
            order: Vec::new(),
            depth: 0,
            beta: 0,
            kind: NodeKind::All,
            above: None,
            again: Vec::new(),
        };
        Self {
            task: Mutex::new(task),
            next: AtomicUsize::new(0),
            again: AtomicUsize::new(0),
            best: AtomicU64::new(0),
            path: AtomicU64::new(0),
            alpha: AtomicI32::new(0),
            is_cut: AtomicBool::new(false),
            is_reserved: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
        }
    }

    pub(super) fn task(&self) -> MutexGuard<'_, Task<P>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts back a child that beats the initial alpha, to be tested again.
    pub(super) fn put_back(&self, child: Child) {
        self.task().again.push(child);
        self.again.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn is_reserved(&self) -> bool {
        self.is_reserved.load(Ordering::Acquire)
    }

    pub(super) fn alpha(&self) -> i32 {
        self.alpha.load(Ordering::Relaxed)
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::SeqCst)
    }

    pub(super) fn has_helpers(&self) -> bool {
        self.helpers.load(Ordering::Acquire) > 0
    }

    /// Whether there are children that no thread has taken.
    fn is_left(&self, task: &Task<P>) -> bool {
        !self.is_cut() && (self.next.load(Ordering::Relaxed) < task.order.len() || !task.again.is_empty())
    }

    /// The best score, its move's index among the legal moves, and the longest path through a child.
    pub(super) fn result(&self) -> (i32, u16, u64) {
        let (score, mv) = unpack(self.best.load(Ordering::Relaxed));
        (score, mv, self.path.load(Ordering::Relaxed))
    }
}

/// The split points of a thread.
#[derive(Debug)]
#[repr(align(128))]
struct Seat<P: Position> {
    /// The heights with available children as bits, by the kind of the node.
    offers: [AtomicU64; 3],
    split_points: Box<[SplitPoint<P>]>,
}

/// The data that all threads share while they search.
#[derive(Debug)]
pub(super) struct SplitPoints<P: Position> {
    seats: Box<[Seat<P>]>,
    /// The number of refuted shared nodes. A thread that sees it change checks whether it is affected.
    cuts: AtomicU64,
    is_dismissed: AtomicBool,
    /// The idle time of all threads, in nanoseconds.
    idle: AtomicU64,
}

impl<P: Position> SplitPoints<P> {
    pub(super) fn new(threads: usize) -> Self {
        let seat = || Seat {
            offers: [const { AtomicU64::new(0) }; 3],
            split_points: (0..HEIGHTS).map(|_| SplitPoint::new()).collect(),
        };
        Self {
            seats: (0..threads).map(|_| seat()).collect(),
            cuts: AtomicU64::new(0),
            is_dismissed: AtomicBool::new(false),
            idle: AtomicU64::new(0),
        }
    }

    /// Lets the threads look for work until the returned value is dropped, also by a panic of the search.
    pub(super) fn dismiss_at_the_end(&self) -> impl Drop {
        Dismissal(&self.is_dismissed)
    }

    pub(super) fn is_dismissed(&self) -> bool {
        self.is_dismissed.load(Ordering::Relaxed)
    }

    /// Adds the idle time of a thread.
    pub(super) fn was_idle(&self, time: Duration) {
        self.idle.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    /// The idle time of all threads together.
    pub(super) fn idle(&self) -> Duration {
        Duration::from_nanos(self.idle.load(Ordering::Relaxed))
    }

    /// Whether a node at that height can be shared.
    pub(super) fn reaches(&self, height: usize) -> bool {
        height < HEIGHTS
    }

    pub(super) fn frame(&self, at: At) -> &SplitPoint<P> {
        &self.seats[at.seat].split_points[at.height]
    }

    fn offers(&self, at: At, kind: NodeKind) -> &AtomicU64 {
        &self.seats[at.seat].offers[kind as usize]
    }

    /// Shares a node whose children from `first` on may be searched in parallel. `best` is the best score before them, with its
    /// move.
    pub(super) fn open(
        &self,
        at: At,
        above: Option<At>,
        first: usize,
        alpha: i32,
        best: (i32, u16),
        fill: impl FnOnce(&mut Task<P>),
    ) {
        let frame = self.frame(at);
        let mut task = frame.task();
        fill(&mut task);
        (task.is_open, task.above) = (true, above);
        task.again.clear();
        frame.next.store(first, Ordering::Relaxed);
        frame.again.store(0, Ordering::Relaxed);
        frame.best.store(pack(best.0, best.1), Ordering::Relaxed);
        frame.path.store(0, Ordering::Relaxed);
        frame.alpha.store(alpha, Ordering::Relaxed);
        frame.is_cut.store(false, Ordering::Relaxed);
        let kind = task.kind;
        drop(task);
        self.offers(at, kind).fetch_or(1 << at.height, Ordering::Release);
    }

    /// Takes a child, of `count` children, that no thread has taken.
    pub(super) fn take(&self, at: At, kind: NodeKind, count: usize) -> Option<Child> {
        let frame = self.frame(at);
        if frame.again.load(Ordering::Relaxed) > 0
            && let Some(child) = frame.task().again.pop()
        {
            frame.again.fetch_sub(1, Ordering::Relaxed);
            return Some(child);
        }
        let place = frame.next.fetch_add(1, Ordering::Relaxed);
        if place + 1 >= count {
            self.withdraw(at, kind);
        }
        (place < count).then_some(Child { place, path: 0 })
    }

    fn withdraw(&self, at: At, kind: NodeKind) {
        let offers = self.offers(at, kind);
        if offers.load(Ordering::Relaxed) >> at.height & 1 == 1 {
            offers.fetch_and(!(1 << at.height), Ordering::Relaxed);
        }
    }

    /// Closes a shared node: no further thread joins it.
    pub(super) fn close(&self, at: At) {
        let mut task = self.frame(at).task();
        task.is_open = false;
        self.withdraw(at, task.kind);
    }

    /// Reserves a node, so that all other children wait while the value of one is searched; `None` if another thread has reserved it.
    pub(super) fn reserve(&self, at: At) -> Option<Reservation<'_, P>> {
        let frame = self.frame(at);
        let task = frame.task();
        let is_mine = !frame.is_reserved.swap(true, Ordering::Acquire);
        is_mine.then(|| {
            self.withdraw(at, task.kind);
            Reservation { split_points: self, at }
        })
    }

    /// Makes the other children available again.
    fn release(&self, at: At) {
        let frame = self.frame(at);
        let task = frame.task();
        frame.is_reserved.store(false, Ordering::Release);
        if task.is_open && frame.is_left(&task) {
            self.offers(at, task.kind).fetch_or(1 << at.height, Ordering::Release);
        }
    }

    /// Stores the result of a child; if it refutes the node, all threads below it are notified.
    pub(super) fn found(&self, at: At, score: i32, mv: u16, path: u64, beta: i32) {
        let frame = self.frame(at);
        frame.path.fetch_max(path, Ordering::Relaxed);
        frame.alpha.fetch_max(score, Ordering::Relaxed);
        // Of equal scores the first one stays: that of a later child may be a bound.
        let better = |best| (score > unpack(best).0).then_some(pack(score, mv));
        let _ = frame.best.fetch_update(Ordering::Relaxed, Ordering::Relaxed, better);
        if score >= beta {
            frame.is_cut.store(true, Ordering::SeqCst);
            if frame.helpers.load(Ordering::SeqCst) > 0 {
                self.cuts.fetch_add(1, Ordering::Release);
            }
        }
    }

    pub(super) fn cuts(&self) -> u64 {
        self.cuts.load(Ordering::Acquire)
    }

    /// The height of the highest refuted node among this one and those above it.
    pub(super) fn highest_cut(&self, mut at: Option<At>) -> Option<usize> {
        let mut highest = None;
        while let Some(here) = at {
            let frame = self.frame(here);
            if frame.is_cut() {
                highest = Some(here.height);
            }
            at = frame.task().above;
        }
        highest
    }

    /// Joins the best available shared node of another thread, below the node `below` if given. `copy` copies the task's data.
    pub(super) fn join(
        &self,
        seat: usize,
        below: Option<At>,
        mut copy: impl FnMut(At, &Task<P>),
    ) -> Option<Help<'_, P>> {
        let wanted = below.map_or(u64::MAX, |at| !(2_u64 << at.height).wrapping_sub(1));
        for kind in NodeKind::BEST_FIRST {
            for other in (0..self.seats.len()).filter(|other| *other != seat) {
                let mut offers = self.seats[other].offers[kind as usize].load(Ordering::Acquire) & wanted;
                while offers != 0 {
                    let at = At { seat: other, height: offers.trailing_zeros() as usize };
                    offers &= offers - 1;
                    let frame = self.frame(at);
                    let task = frame.task();
                    let is_ours = task.is_open
                        && !frame.is_reserved()
                        && below.is_none_or(|below| self.is_below(task.above, below));
                    if is_ours {
                        // From here on, either the thread that refutes the node sees this helper, or this helper sees the refutation.
                        frame.helpers.fetch_add(1, Ordering::SeqCst);
                        let help = Help { frame, at };
                        if frame.is_left(&task) {
                            copy(at, &task);
                            return Some(help);
                        }
                    }
                }
            }
        }
        None
    }

    /// Whether a shared node is `below` or a node below it. The node must not be closed meanwhile.
    fn is_below(&self, mut at: Option<At>, below: At) -> bool {
        while let Some(here) = at {
            if here == below {
                return true;
            }
            at = self.frame(here).task().above;
        }
        false
    }
}

struct Dismissal<'a>(&'a AtomicBool);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A reservation: one thread searches the value of a child. Dropping it releases the node.
#[derive(Debug)]
pub(super) struct Reservation<'a, P: Position> {
    split_points: &'a SplitPoints<P>,
    at: At,
}

impl<P: Position> Drop for Reservation<'_, P> {
    fn drop(&mut self) {
        self.split_points.release(self.at);
    }
}

/// A helper at a shared node. The node is not reused before this value is dropped.
#[derive(Debug)]
pub(super) struct Help<'a, P: Position> {
    frame: &'a SplitPoint<P>,
    pub(super) at: At,
}

impl<P: Position> Drop for Help<'_, P> {
    fn drop(&mut self) {
        self.frame.helpers.fetch_sub(1, Ordering::Release);
    }
}

/// Packs score and index into one word, so that both change atomically.
fn pack(score: i32, place: u16) -> u64 {
    u64::from(score as u32) << 32 | u64::from(place)
}

fn unpack(word: u64) -> (i32, u16) {
    ((word >> 32) as u32 as i32, word as u16)
}

//! Search on its own thread, so that an answer is on time even if the search is busy.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use grandstand_rules::turn::Thought;

use crate::turns::player::Stop;
use crate::wakeup_latency::WakeupLatency;

/// Time limits of a search, from the moment of the question; a limit of `None` does not end it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// Time that the move is worth.
    pub soft: Option<Duration>,
    /// Time at which the search must end.
    pub hard: Option<Duration>,
    /// Time at which the answer leaves, whether the search has ended or not.
    pub answer: Option<Duration>,
}

impl Times {
    /// The rest of each limit when `passed` has gone by since the question.
    fn after(self, passed: Duration) -> Self {
        let less = |time: Option<Duration>| time.map(|time| time.saturating_sub(passed));
        Self { soft: less(self.soft), hard: less(self.hard), answer: less(self.answer) }
    }
}

/// Job of a search.
#[derive(Debug)]
pub struct Job<'a, Q> {
    /// The question.
    pub question: Q,
    /// Time limits, from now.
    pub times: Times,
    /// Set when the search must end at once.
    pub stop: &'a AtomicBool,
}

/// Message from the search thread: the number of the question and, for a result, its moment.
enum SearchMessage<M> {
    Thought(u64, Instant, Thought<M>),
    /// The search has ended.
    Done(u64, Instant, Option<Thought<M>>),
    /// The search panicked, with this payload.
    Broke(u64, Box<dyn Any + Send>),
    /// All waits are stopped.
    Stopped,
}

struct Order<Q> {
    number: u64,
    question: Q,
    began: Instant,
    times: Times,
    stop: Arc<AtomicBool>,
}

/// A search that lives on a thread and answers one question after another.
///
/// The asking thread sleeps until a message comes or the answer must leave. A thread that has slept is scheduled soon
/// even when others wait for a core, while one that has used its core until the last moment, or waits for helper
/// threads, may have to queue for it.
pub struct SearchThread<Q, M> {
    orders: Option<Sender<Order<Q>>>,
    news: Receiver<SearchMessage<M>>,
    thread: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    asked: u64,
    stopped: bool,
    latency: WakeupLatency,
}

impl<Q, M> std::fmt::Debug for SearchThread<Q, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SearchThread").field("asked", &self.asked).finish_non_exhaustive()
    }
}

impl<Q: Send + 'static, M: Send + 'static> SearchThread<Q, M> {
    /// Starts the thread of `search`, which reports intermediate thoughts and returns its last one. Once `stop` is set
    /// no call waits for it.
    ///
    /// # Errors
    /// If the thread can't be started.
    pub fn start(
        stop: &Stop,
        mut search: impl FnMut(Job<'_, Q>, &mut (dyn FnMut(Thought<M>) + Send)) -> Option<Thought<M>>
        + Send
        + 'static,
    ) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel::<Order<Q>>();
        let (tell, news) = mpsc::channel();
        let stopper = tell.clone();
        // The receiver may be gone by then.
        stop.when_set(move || drop(stopper.send(SearchMessage::Stopped)));
        let thread = thread::Builder::new().name("search".to_owned()).spawn(move || {
            for order in taken {
                let Order { number, question, began, times, stop } = order;
                // The question was given up before the search began.
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                let job = Job { question, times: times.after(began.elapsed()), stop: &stop };
                let mut report =
                    |thought| drop(tell.send(SearchMessage::Thought(number, Instant::now(), thought)));
                let found = catch_unwind(AssertUnwindSafe(|| search(job, &mut report)));
                let _ = tell.send(match found {
                    Ok(found) => SearchMessage::Done(number, Instant::now(), found),
                    Err(panic) => SearchMessage::Broke(number, panic),
                });
            }
        })?;
        Ok(Self {
            orders: Some(orders),
            news,
            thread: Some(thread),
            stop: Arc::default(),
            asked: 0,
            stopped: false,
            latency: WakeupLatency::default(),
        })
    }

    /// Asks a question that has been open since `began`. Returns the last thought when the search ended or the answer
    /// had to leave, or `None` if there was no thought until then. `tell` receives the thoughts meanwhile.
    ///
    /// The returned moment is the one at which the search ended or the answer had to leave. This thread may have been
    /// woken later than that, but later messages are no part of the answer.
    ///
    /// # Panics
    /// If the search panics, with the same payload.
    pub fn ask(
        &mut self,
        question: Q,
        began: Instant,
        times: Times,
        mut tell: impl FnMut(&Thought<M>),
    ) -> (Option<Thought<M>>, Instant) {
        self.asked += 1;
        self.stop = Arc::default();
        let answer = times.answer.map(|answer| self.latency.earlier(answer));
        // The search ends before the answer leaves by the same margin as on an idle machine.
        let sooner = times.answer.zip(answer).map_or(Duration::ZERO, |(usual, now)| usual - now);
        let times = Times { hard: times.hard.map(|hard| hard.saturating_sub(sooner)), ..times };
        let order = Order { number: self.asked, question, began, times, stop: Arc::clone(&self.stop) };
        if let Some(orders) = &self.orders {
            // The thread takes orders until the sender is dropped.
            let _ = orders.send(order);
        }
        let mut best = None;
        // Moment at which the answer must leave, as computed before that moment.
        let mut leaves: Option<Instant> = None;
        while !self.stopped {
            let next = times.answer.and_then(|answer| began.checked_add(self.latency.earlier(answer)));
            leaves = next.filter(|next| Instant::now() < *next).or(leaves);
            let is_late = |at: Instant| leaves.is_some_and(|leaves| at > leaves);
            match self.latency.receive(&self.news, began, times.answer) {
                Ok(SearchMessage::Thought(_, at, _) | SearchMessage::Done(_, at, _)) if is_late(at) => break,
                Ok(SearchMessage::Thought(number, _, thought)) if number == self.asked => {
                    tell(&thought);
                    best = Some(thought);
                }
                Ok(SearchMessage::Done(number, at, thought)) if number == self.asked => {
                    return (thought.inspect(&mut tell).or(best), at);
                }
                Ok(SearchMessage::Broke(number, panic)) if number == self.asked => resume_unwind(panic),
                // Message about a question whose answer has already left.
                Ok(SearchMessage::Thought(..) | SearchMessage::Done(..) | SearchMessage::Broke(..)) => {}
                Ok(SearchMessage::Stopped) => self.stopped = true,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.stop.store(true, Ordering::Relaxed);
        let now = Instant::now();
        (best, leaves.map_or(now, |leaves| leaves.min(now)))
    }
}

impl<Q, M> Drop for SearchThread<Q, M> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            // The thread has ended, or ends when it sees the flag.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Numbers = SearchThread<u32, u32>;

    fn thought(depth: u32) -> Thought<u32> {
        Thought { score: 0, depth, nodes: 0, line: vec![depth] }
    }

    fn after(millis: u64) -> Times {
        Times { answer: Some(Duration::from_millis(millis)), ..Times::default() }
    }

    /// A search that thinks to the depth that it is asked for. For an odd depth it then ignores its stop flag until
    /// `gate` opens.
    fn deaf(stop: &Stop) -> (Numbers, Sender<()>) {
        let (open, gate) = mpsc::channel();
        let thinker = SearchThread::start(stop, move |job: Job<'_, u32>, report| {
            (1..=job.question).for_each(|depth| report(thought(depth)));
            if job.question % 2 == 1 {
                let _ = gate.recv();
            }
            Some(thought(job.question + 100))
        });
        (thinker.unwrap(), open)
    }

    #[test]
    fn the_last_thought_answers_in_time() {
        let (mut thinker, gate) = deaf(&Stop::default());
        let mut told = Vec::new();
        let began = Instant::now();
        let (found, there) = thinker.ask(3, began, after(1_000), |thought| told.push(thought.depth));
        assert_eq!((found, told), (Some(thought(3)), vec![1, 2, 3]));
        // However late this thread was woken, the answer counts as there when it had to leave.
        assert!(there > began && there <= began + Duration::from_millis(1_000), "{:?}", there - began);
        // The search thread is busy: the next question gets no answer in time, and no wrong one.
        assert_eq!(thinker.ask(2, Instant::now(), after(1), |_| {}).0, None);
        gate.send(()).unwrap();
        assert_eq!(thinker.ask(4, Instant::now(), Times::default(), |_| {}).0, Some(thought(104)));
        drop(gate);
    }

    #[test]
    fn who_is_told_to_stop_waits_for_nothing() {
        let stop = Stop::default();
        let (mut thinker, gate) = deaf(&stop);
        stop.set();
        assert_eq!(thinker.ask(1, Instant::now(), Times::default(), |_| {}).0, None);
        drop(gate);
    }

    #[test]
    fn a_search_is_told_to_end_when_its_answer_has_left() {
        let (ended, end) = mpsc::channel();
        let mut thinker: Numbers = SearchThread::start(&Stop::default(), move |job: Job<'_, u32>, _| {
            while !job.stop.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            ended.send(job.question).unwrap();
            None
        })
        .unwrap();
        assert_eq!(thinker.ask(7, Instant::now(), after(5), |_| {}).0, None);
        assert_eq!(end.recv(), Ok(7));
    }

    #[test]
    fn a_search_that_breaks_breaks_who_asked() {
        let mut thinker: Numbers = SearchThread::start(&Stop::default(), |_, _| panic!("no ideas")).unwrap();
        let broke =
            catch_unwind(AssertUnwindSafe(|| thinker.ask(1, Instant::now(), Times::default(), |_| {})));
        assert_eq!(broke.unwrap_err().downcast_ref::<&str>(), Some(&"no ideas"));
    }
}

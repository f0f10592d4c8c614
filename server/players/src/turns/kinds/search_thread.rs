//! A search on a thread of its own: when an answer must leave it leaves, whatever the search does at that moment.

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

/// How long a search thinks, from the moment at which it was asked; without one of them that does not end it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Times {
    /// What the move is worth.
    pub soft: Option<Duration>,
    /// When the search is to end.
    pub hard: Option<Duration>,
    /// When the answer leaves, whether the search has ended or not.
    pub answer: Option<Duration>,
}

impl Times {
    /// As seen so long after the question.
    fn after(self, passed: Duration) -> Self {
        let less = |time: Option<Duration>| time.map(|time| time.saturating_sub(passed));
        Self { soft: less(self.soft), hard: less(self.hard), answer: less(self.answer) }
    }
}

/// What a search is asked.
#[derive(Debug)]
pub struct Job<'a, Q> {
    /// About what.
    pub question: Q,
    /// How long from now.
    pub times: Times,
    /// Set when it is to end at once.
    pub stop: &'a AtomicBool,
}

/// What comes from the thread of a search, of the question with that number, and when it was there.
enum News<M> {
    Thought(u64, Instant, Thought<M>),
    /// It has ended.
    Done(u64, Instant, Option<Thought<M>>),
    /// It broke, with this panic.
    Broke(u64, Box<dyn Any + Send>),
    /// Nobody waits for any answer any more.
    Stopped,
}

struct Order<Q> {
    number: u64,
    question: Q,
    began: Instant,
    times: Times,
    stop: Arc<AtomicBool>,
}

/// A search that lives on a thread, and is asked one question after another.
///
/// Who asks sleeps until something comes or the answer must leave. A thread that has slept is woken soon even where others wait for
/// a core, while one that has used its core up to the last moment, or has helpers to wait for, may have to queue for it.
pub struct SearchThread<Q, M> {
    orders: Option<Sender<Order<Q>>>,
    news: Receiver<News<M>>,
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
    /// Starts the thread of `search`, which tells what it thinks and gives what it thinks at last; once `stop` is set nothing is
    /// waited for.
    ///
    /// # Errors
    /// If there is no thread.
    pub fn start(
        stop: &Stop,
        mut search: impl FnMut(Job<'_, Q>, &mut (dyn FnMut(Thought<M>) + Send)) -> Option<Thought<M>>
        + Send
        + 'static,
    ) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel::<Order<Q>>();
        let (tell, news) = mpsc::channel();
        let stopper = tell.clone();
        // Who hears of it may be gone by then.
        stop.when_set(move || drop(stopper.send(News::Stopped)));
        let thread = thread::Builder::new().name("search".to_owned()).spawn(move || {
            for order in taken {
                let Order { number, question, began, times, stop } = order;
                // It was given up before it began.
                if stop.load(Ordering::Relaxed) {
                    continue;
                }
                let job = Job { question, times: times.after(began.elapsed()), stop: &stop };
                let mut report = |thought| drop(tell.send(News::Thought(number, Instant::now(), thought)));
                let found = catch_unwind(AssertUnwindSafe(|| search(job, &mut report)));
                let _ = tell.send(match found {
                    Ok(found) => News::Done(number, Instant::now(), found),
                    Err(panic) => News::Broke(number, panic),
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

    /// Asks something, `began` long ago, and gives the last that the search thought when it ended or the answer had to leave; `None` if it
    /// thought nothing until then. `tell` hears what it thinks meanwhile.
    ///
    /// The moment is that at which the answer was there: when the search ended, or when the answer had to leave. This thread may have been woken later
    /// than that, but what came after is no part of the answer.
    ///
    /// # Panics
    /// If the search does, with its panic.
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
        // The search ends before the answer leaves by as much as on an idle machine.
        let sooner = times.answer.zip(answer).map_or(Duration::ZERO, |(usual, now)| usual - now);
        let times = Times { hard: times.hard.map(|hard| hard.saturating_sub(sooner)), ..times };
        let order = Order { number: self.asked, question, began, times, stop: Arc::clone(&self.stop) };
        if let Some(orders) = &self.orders {
            // Its thread takes orders until it has none to expect.
            let _ = orders.send(order);
        }
        let mut best = None;
        // When the answer must leave, as it was known before that moment.
        let mut leaves: Option<Instant> = None;
        while !self.stopped {
            let next = times.answer.and_then(|answer| began.checked_add(self.latency.earlier(answer)));
            leaves = next.filter(|next| Instant::now() < *next).or(leaves);
            let is_late = |at: Instant| leaves.is_some_and(|leaves| at > leaves);
            match self.latency.receive(&self.news, began, times.answer) {
                Ok(News::Thought(_, at, _) | News::Done(_, at, _)) if is_late(at) => break,
                Ok(News::Thought(number, _, thought)) if number == self.asked => {
                    tell(&thought);
                    best = Some(thought);
                }
                Ok(News::Done(number, at, thought)) if number == self.asked => {
                    return (thought.inspect(&mut tell).or(best), at);
                }
                Ok(News::Broke(number, panic)) if number == self.asked => resume_unwind(panic),
                // Of a question whose answer has left long ago.
                Ok(News::Thought(..) | News::Done(..) | News::Broke(..)) => {}
                Ok(News::Stopped) => self.stopped = true,
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
            // It has ended, or does so when it sees the flag.
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

    /// Thinks to the depth that it is asked for, and if that is odd it goes on, deaf, until `gate` opens.
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
        // However late this thread was woken, the answer was there when it had to leave.
        assert!(there > began && there <= began + Duration::from_millis(1_000), "{:?}", there - began);
        // The thread is not free: there is no answer to the next question in time, nor a wrong one.
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

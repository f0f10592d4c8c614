//! Fair queue for reading recordings: a limited number of turns, given out round-robin by client.
//!
//! Responses and websockets share the turns. A turn is for one short piece of work and is never held while waiting for
//! a peer's socket. The order is by client, not by request.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

use super::client::Client;
use crate::locked::Locked as _;

/// The queue of turns.
#[derive(Debug)]
pub(crate) struct ReadTurns {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Number of unused turns.
    free: usize,
    /// Waiting clients in order, each once.
    order: VecDeque<Client>,
    waiting: HashMap<Client, VecDeque<oneshot::Sender<Turn>>>,
}

/// One turn; dropping it passes it on.
#[derive(Debug)]
struct Turn(Arc<ReadTurns>);

impl ReadTurns {
    /// A queue with `turns` concurrent turns.
    pub(crate) fn new(turns: usize) -> Arc<Self> {
        let state = State { free: turns, order: VecDeque::new(), waiting: HashMap::new() };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Runs `work` on a blocking thread once it is the client's turn.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        client: Client,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<T> {
        let turn = self.turn(client).await?;
        let work = move || {
            let done = work();
            drop(turn);
            done
        };
        tokio::task::spawn_blocking(work).await.map_err(io::Error::other)
    }

    async fn turn(self: &Arc<Self>, client: Client) -> io::Result<Turn> {
        let turn = {
            let mut state = self.state.locked();
            if state.free > 0 {
                state.free -= 1;
                return Ok(Turn(self.clone()));
            }
            let (sender, turn) = oneshot::channel();
            let waiting = state.waiting.entry(client).or_default();
            let first = waiting.is_empty();
            waiting.push_back(sender);
            if first {
                state.order.push_back(client);
            }
            turn
        };
        turn.await.map_err(io::Error::other)
    }
}

impl State {
    /// The next request that still waits.
    fn next(&mut self) -> Option<oneshot::Sender<Turn>> {
        while let Some(client) = self.order.pop_front() {
            let waiting = self.waiting.get_mut(&client)?;
            while waiting.front().is_some_and(oneshot::Sender::is_closed) {
                waiting.pop_front();
            }
            let next = waiting.pop_front();
            if waiting.is_empty() {
                self.waiting.remove(&client);
            } else {
                self.order.push_back(client);
            }
            if next.is_some() {
                return next;
            }
        }
        None
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.0.state.locked();
        let next = state.next();
        if next.is_none() {
            state.free += 1;
        }
        drop(state);
        if let Some(next) = next {
            // If the receiver is gone by now, the turn is dropped here and passes on to the next one.
            let _ = next.send(Self(self.0.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;

    #[tokio::test]
    async fn clients_take_turns_however_much_each_asks_for() {
        let read_turns = ReadTurns::new(1);
        let client = |ip: &str, port| Client::from(SocketAddr::new(ip.parse().unwrap(), port));
        let (greedy, modest) = (client("192.0.2.1", 1), client("192.0.2.2", 1));
        assert_eq!(greedy, client("::ffff:192.0.2.1", 2));
        assert_ne!(client("127.0.0.1", 1), client("127.0.0.1", 2));
        let first = read_turns.turn(greedy).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for (index, asks) in [greedy, greedy, greedy, modest].into_iter().enumerate() {
            let (waiting, done) = (read_turns.clone(), order.clone());
            let work = async move { waiting.read(asks, move || done.lock().unwrap().push(index)).await };
            tasks.push(tokio::spawn(work));
            tokio::task::yield_now().await;
        }
        // A request that was cancelled is skipped.
        tasks.remove(1).abort();
        tokio::task::yield_now().await;
        drop(first);
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert_eq!(*order.lock().unwrap(), [0, 3, 2]);
        assert_eq!(read_turns.state.locked().free, 1);
        assert!(read_turns.state.locked().waiting.is_empty());
    }
}

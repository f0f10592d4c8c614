//! Listening port of a match, and its open connections.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::Arc;

use grandstand_rules::fortress::ByTeam;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinSet};

use super::connection::connection;
use super::shared::{ConnectionOwner, Shared};
use crate::accept::accept_failed;

/// Reason for closing a connection in favour of a new one.
const GAVE_WAY: &str = "too many connections are open, and this one gives way to another";

/// Open connections by number, and thus by age.
#[derive(Debug, Default)]
struct Open {
    tasks: JoinSet<u32>,
    handles: BTreeMap<u32, (IpAddr, AbortHandle)>,
}

/// Accepts connections for as long as the match exists.
pub(super) async fn serve(shared: Arc<Shared>, listener: std::net::TcpListener) {
    let Ok(listener) = TcpListener::from_std(listener) else { return };
    let mut open = Open::default();
    loop {
        let accepted = listener.accept().await;
        while let Some(ended) = open.tasks.try_join_next() {
            open.forget(ended.ok());
        }
        match accepted {
            Ok((stream, peer)) => {
                while open.tasks.len() >= shared.limits.connections {
                    open.make_room(&shared).await;
                }
                let Some(opened) = shared.open() else { continue };
                let number = opened.0;
                let serving = connection(Arc::clone(&shared), stream, opened);
                let handle = open.tasks.spawn(async move {
                    serving.await;
                    number
                });
                open.handles.insert(number, (peer.ip(), handle));
            }
            Err(error) => accept_failed(&error).await,
        }
    }
}

impl Open {
    /// Closes the least needed connection, and waits until one has ended.
    async fn make_room(&mut self, shared: &Shared) {
        let standings = shared.standings(self.handles.keys());
        let open = self.handles.iter().zip(standings);
        let seen: Vec<_> = open.map(|((number, (from, _)), standing)| (*number, *from, standing)).collect();
        if let Some(number) = least_used(&seen)
            && let Some((_, handle)) = self.handles.remove(&number)
        {
            shared.gone(number, GAVE_WAY.to_owned());
            handle.abort();
        }
        let ended = self.tasks.join_next().await;
        self.forget(ended.and_then(Result::ok));
    }

    fn forget(&mut self, ended: Option<u32>) {
        if let Some(number) = ended {
            self.handles.remove(&number);
        }
    }
}

/// Connection that gives way to a new one. The first choice is one that the match has closed already. The next is an
/// unidentified one: the oldest from the address that has the most of them. Last comes the oldest connection of the
/// team that has the most. Thus neither silent strangers nor the other team can keep a team out. `open` has the oldest
/// first.
fn least_used(open: &[(u32, IpAddr, ConnectionOwner)]) -> Option<u32> {
    let mut strangers: HashMap<IpAddr, usize> = HashMap::new();
    let mut teams = ByTeam::new(0_usize, 0);
    for (_, from, standing) in open {
        match standing {
            ConnectionOwner::Closed => {}
            ConnectionOwner::Nobody => *strangers.entry(*from).or_default() += 1,
            ConnectionOwner::Team(team) => teams[*team] += 1,
        }
    }
    let rank = |from: &IpAddr, standing: ConnectionOwner| match standing {
        ConnectionOwner::Closed => (2, 0),
        ConnectionOwner::Nobody => (1, strangers.get(from).copied().unwrap_or(0)),
        ConnectionOwner::Team(team) => (0, teams[team]),
    };
    // `max_by_key` returns the last of several maxima, and thus, in reverse order, the oldest.
    let ranked = open.iter().rev().max_by_key(|(_, from, standing)| rank(from, *standing));
    ranked.map(|(number, ..)| *number)
}

#[cfg(test)]
mod tests {
    use grandstand_rules::fortress::Team;

    use super::*;

    #[test]
    fn strangers_give_way_to_teams() {
        let (near, far) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([10, 0, 0, 1]));
        let (nobody, red, blue) =
            (ConnectionOwner::Nobody, ConnectionOwner::Team(Team::Red), ConnectionOwner::Team(Team::Blue));
        assert_eq!(least_used(&[]), None);
        assert_eq!(
            least_used(&[(1, near, red), (2, near, nobody), (3, far, nobody), (4, far, nobody)]),
            Some(3)
        );
        assert_eq!(least_used(&[(1, near, nobody), (2, near, ConnectionOwner::Closed)]), Some(2));
        assert_eq!(least_used(&[(1, near, blue), (2, near, red), (3, near, red), (4, near, red)]), Some(2));
    }
}

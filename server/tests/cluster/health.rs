//! Whether the NATS servers are one cluster, as they say themselves and as a bare client finds.
//!
//! `nats-server` 2.9 sometimes stays apart from its cluster after hard faults, or keeps a stream without a leader. That is
//! none of ours: its owner starts such a server again, and so does this test, aloud. What comes after it is ours.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use grandstand_testing::http;
use serde_json::Value;

use crate::parts::{Part, Parts};

/// Time for which servers may look for each other before one is started again.
const SETTLING: Duration = Duration::from_secs(25);
/// Time for what a bare client sends to arrive: origins renew their leases every two seconds.
const ARRIVAL: Duration = Duration::from_secs(6);
/// Number of servers that are started again before all of NATS is wiped.
const STARTS: usize = 6;

/// A server that is not as it should be, and why.
#[derive(Debug)]
struct Fault {
    server: usize,
    why: String,
}

/// Waits until NATS is one cluster. A server that stays apart is started again, and if that does not help, without what it
/// stored, which the others have too. In the end all are. Returns what was done.
pub(crate) fn make_whole(parts: &mut Parts) -> Vec<String> {
    let mut done = Vec::new();
    let mut starts = [0_usize; 3];
    loop {
        let until = Instant::now() + SETTLING;
        let Fault { server, why } = loop {
            match faults(parts).into_iter().next() {
                None => return done,
                Some(fault) if Instant::now() >= until => break fault,
                Some(_) => std::thread::sleep(Duration::from_millis(500)),
            }
        };
        println!("{}", parts.last_words(Part::Nats, server));
        starts[server] += 1;
        let how = match (starts[server], done.len()) {
            (_, STARTS) => {
                parts.wipe();
                parts.start_nats();
                "all of NATS was started again without what it stored"
            }
            (_, more) if more > STARTS => panic!("nats-server does not become one cluster: {server}: {why}"),
            (1, _) => {
                parts.kill(Part::Nats, server);
                parts.start_again(Part::Nats, server);
                "it was started again"
            }
            _ => {
                parts.wipe_one(server);
                parts.start_again(Part::Nats, server);
                "it was started again without what it stored"
            }
        };
        done.push(format!("nats-server {server} was apart ({why}): {how}"));
        println!("{}", done[done.len() - 1]);
    }
}

/// What the servers say, and if nothing is wrong by that, what a client finds.
fn faults(parts: &Parts) -> Vec<Fault> {
    let said = said_faults(&parts.monitors());
    if said.is_empty() { found_faults(&parts.nats()) } else { said }
}

fn ask(server: SocketAddr, path: &str) -> Option<Value> {
    let stream = std::net::TcpStream::connect(server).ok()?;
    stream.set_read_timeout(Some(ARRIVAL)).ok()?;
    // By the older version of HTTP, whose answers come in one piece.
    let answer = http::exchange(stream, &format!("GET {path} HTTP/1.0\r\nHost: {server}\r\n\r\n"));
    serde_json::from_str(&answer.body).ok()
}

/// What the servers say at their monitoring ports.
fn said_faults(monitors: &[SocketAddr]) -> Vec<Fault> {
    let mut found = Vec::new();
    let mut leaders = BTreeMap::<String, Vec<(usize, String)>>::new();
    let all: Vec<_> = monitors
        .iter()
        .map(|&monitor| (ask(monitor, "/varz"), ask(monitor, "/routez"), ask(monitor, "/jsz?streams=1")))
        .collect();
    let ids: Vec<&Value> = all.iter().filter_map(|(varz, ..)| Some(&varz.as_ref()?["server_id"])).collect();
    for (server, (_, routes, jetstream)) in all.iter().enumerate() {
        let mut fault = |why: String| found.push(Fault { server, why });
        let (Some(routes), Some(jetstream)) = (routes, jetstream) else {
            let path = if routes.is_none() { "/routez" } else { "/jsz" };
            fault(format!("{path} does not answer"));
            continue;
        };
        let routes: Vec<&Value> =
            routes["routes"].as_array().into_iter().flatten().map(|r| &r["remote_id"]).collect();
        let known = ids.iter().filter(|id| routes.contains(id)).count();
        if known + 1 < ids.len() {
            fault(format!("it has routes to {known} of {} others", ids.len() - 1));
        }
        if jetstream["disabled"] == true {
            fault("its JetStream is off".to_owned());
        }
        let mut has = |name: &str, cluster: &Value| {
            let leader = cluster["leader"].as_str().unwrap_or_default().to_owned();
            leaders.entry(name.to_owned()).or_default().push((server, leader));
        };
        has("the cluster", &jetstream["meta_cluster"]);
        let accounts = jetstream["account_details"].as_array().into_iter().flatten();
        for stream in accounts.flat_map(|account| account["stream_detail"].as_array().into_iter().flatten()) {
            has(stream["name"].as_str().unwrap_or_default(), &stream["cluster"]);
        }
        for copy in jetstream["meta_cluster"]["replicas"].as_array().into_iter().flatten() {
            if let Some(number) = lagging(copy) {
                found.push(Fault { server: number, why: "the leader does not hear it".to_owned() });
            }
        }
    }
    for (name, told) in leaders {
        // The one that most name.
        let leader = told
            .iter()
            .map(|(_, leader)| leader)
            .max_by_key(|leader| told.iter().filter(|(_, other)| other == *leader).count())
            .cloned()
            .unwrap_or_default();
        for server in 0..monitors.len() {
            let why = match told.iter().find(|(number, _)| *number == server) {
                None => format!("it has no {name}"),
                Some((_, own)) if own.is_empty() => format!("it knows no leader of {name}"),
                Some((_, own)) if *own != leader => format!("it takes {own} for the leader of {name}"),
                Some(_) => continue,
            };
            found.push(Fault { server, why });
        }
    }
    found
}

/// The number of a server that the leader does not hear.
fn lagging(copy: &Value) -> Option<usize> {
    let is_off = copy["offline"] == true || copy["current"] != true;
    is_off.then(|| copy["name"].as_str()?.rsplit('-').next()?.parse().ok()).flatten()
}

/// What a client finds that has nothing to do with this program's: a message from each server to each other, and what
/// origins say, which has to come from each server if it comes from one.
fn found_faults(servers: &[SocketAddr]) -> Vec<Fault> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    runtime.block_on(async {
        let mut found = Vec::new();
        let mut clients = Vec::new();
        for (server, address) in servers.iter().enumerate() {
            match async_nats::connect(format!("nats://{address}")).await {
                Ok(client) => clients.push(client),
                Err(error) => return vec![Fault { server, why: error.to_string() }],
            }
        }
        for (to, client) in clients.iter().enumerate() {
            let subject = client.new_inbox();
            let Ok(mut messages) = client.subscribe(subject.clone()).await else { continue };
            // Interest has to reach the other servers first, so it is tried again until it arrives.
            for (from, other) in clients.iter().enumerate() {
                let arrives = async {
                    loop {
                        // What can't be sent does not arrive.
                        let _ = other.publish(subject.clone(), from.to_string().into()).await;
                        let next = tokio::time::timeout(Duration::from_millis(200), messages.next()).await;
                        if next.is_ok_and(|m| m.is_some_and(|m| *m.payload == *from.to_string().as_bytes())) {
                            return;
                        }
                    }
                };
                if tokio::time::timeout(ARRIVAL, arrives).await.is_err() {
                    found.push(Fault { server: to, why: format!("nothing reaches it from server {from}") });
                }
            }
        }
        let mut leases = Vec::new();
        for client in &clients {
            leases.push(tokio::spawn(lease(client.clone())));
        }
        let mut heard = Vec::new();
        for lease in leases {
            heard.push(lease.await.unwrap_or(false));
        }
        if heard.contains(&true) {
            for server in (0..heard.len()).filter(|&server| !heard[server]) {
                found.push(Fault { server, why: "no lease of an origin comes from it".to_owned() });
            }
        }
        found
    })
}

/// Whether a lease of an origin comes while it is waited for.
async fn lease(client: async_nats::Client) -> bool {
    let heard = async {
        let bucket = async_nats::jetstream::new(client).get_key_value("gs_match").await.ok()?;
        bucket.watch("origin.*").await.ok()?.next().await?.ok()
    };
    tokio::time::timeout(ARRIVAL, heard).await.is_ok_and(|lease| lease.is_some())
}

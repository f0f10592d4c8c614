//! What is wrong with a set-up is told in one sentence, and permissions for each role are enough.

use futures_util::StreamExt as _;
use tokio::io::AsyncWriteExt as _;

use super::support::{Nats, jetstream, link, listed, metric};
use grandstand::NatsRole;
use rustix::process::Signal;

use crate::tournament::played_over_nats;

async fn refused(url: &str) -> String {
    link(url.to_owned(), NatsRole::Origin, "red").await.expect_err("it can't be used").to_string()
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    let error = refused("http://127.0.0.1:4222").await;
    assert!(error.starts_with("`http://127.0.0.1:4222` is no address of a NATS server ("), "{error}");
    let error = link("nats://127.0.0.1:1".into(), NatsRole::Relay, "a b").await.unwrap_err().to_string();
    assert_eq!(
        error,
        "`a b` is no name of a server: expected 1 to 64 letters, digits, - and _ (--nats-name)"
    );
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn credentials_that_are_refused_are_told() {
    let nats = Nats::with(Some("authorization { user: ann, password: secret }\n"));
    let error = refused(&nats.url().replace("//", "//ann:wrong@")).await;
    assert!(error.contains("refuses these credentials") && !error.contains("wrong"), "{error}");
    assert!(refused(&nats.url()).await.contains("refuses these credentials"));
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_server_without_jetstream_is_told() {
    let nats = Nats::with(Some("max_payload: 1MB\n"));
    let error = refused(&nats.url()).await;
    assert!(error.contains("has JetStream off: start it with `nats-server -js`"), "{error}");
}

/// A cluster of three whose other two servers are not there answers clients, but its JetStream has no leader.
#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_cluster_without_a_leader_is_waited_for() {
    let store = grandstand_testing::Folder::new();
    let config = format!(
        "server_name: one\n{}\
         cluster {{ name: test, listen: \"127.0.0.1:-1\", routes: [\"nats://127.0.0.1:1\", \"nats://127.0.0.1:2\"] }}\n",
        jetstream(store.path())
    );
    let nats = Nats::with(Some(&config));
    for role in [NatsRole::Origin, NatsRole::Relay] {
        nats.link(role, "red").await.expect("it may have a leader later");
    }
}

/// Starts `serve` until it logs a line with `text`.
fn logs(url: &str, text: &str) {
    use std::io::BufRead as _;
    let mut command = crate::program::grandstand();
    command.args(["serve", "--no-data", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--nats", url]);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
    let mut server = grandstand_testing::process::Killed(command.spawn().unwrap());
    let lines = std::io::BufReader::new(server.stderr.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).take(40).any(|line| line.contains(text)), "the log has no `{text}`");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn too_little_storage_is_told() {
    let store = grandstand_testing::Folder::new();
    let config = format!("jetstream {{ store_dir: \"{}\", max_file: 100MB }}\n", store.path().display());
    let nats = Nats::with(Some(&config));
    let url = nats.url();
    let told = "has too little storage for the feeds, 256 MiB: give JetStream more, or take less with --limit nats-feed-mib=N";
    tokio::task::spawn_blocking(move || logs(&url, told)).await.unwrap();
}

/// The permissions of docs/SCALE.md.
fn permissions() -> String {
    let page = include_str!("../../../../docs/SCALE.md");
    let begin = page.find("```conf\n").expect("the configuration") + "```conf\n".len();
    page[begin..].split("```").next().unwrap().to_owned()
}

/// What compose.yaml starts NATS with.
#[test]
fn the_configuration_that_is_shipped_has_the_permissions_of_the_page() {
    let shipped = include_str!("../../../../packaging/nats.conf");
    let of = |text: &str| text[text.find("authorization {").expect("users")..].trim().to_owned();
    let mut expected = of(&permissions());
    for role in ["origin", "relay", "director", "worker"] {
        let variable = format!("${}_PASSWORD", role.to_uppercase());
        expected = expected.replace(&format!("\"{role}-password\""), &variable);
    }
    assert_eq!(of(shipped), expected);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn the_permissions_of_the_page_are_enough_and_no_more() {
    let store = grandstand_testing::Folder::new();
    let config = permissions().replace("/var/lib/nats", &store.path().display().to_string());
    let nats = Nats::with(Some(&config));
    let with = |user: &str| nats.url().replace("//", &format!("//{user}@"));
    let origin = link(with("origin:origin-password"), NatsRole::Origin, "red").await.unwrap();
    let relay = link(with("relay:relay-password"), NatsRole::Relay, "relay").await.unwrap();
    let origin = crate::serve::support::TestServer::with(|config| config.nats = Some(origin));
    let relay = crate::serve::support::TestServer::with(|config| config.nats = Some(relay));
    let mut lines = "#gs match {\"title\":\"Final\"}\n".to_owned();
    (1..=100).for_each(|turn| lines.push_str(&format!("turns {turn}\n")));
    let mut game = origin.draw(&lines).await;
    let id = origin.newest(100).await;
    listed(&relay, &id).await;
    let mut watcher = relay.watch(&id, "?since=0").await;
    watcher.next().await;
    assert_eq!(watcher.commands(0, 100).await.len(), 100);
    let (status, _, replay) = relay.get(&format!("/api/matches/{id}/replay")).await;
    assert_eq!((status, replay.contains("turns 100")), (200, true));
    // Its recording is read from the object store once it is over.
    game.write_all(b"#gs result {\"winner\":null,\"termination\":\"score\"}\n").await.unwrap();
    metric(&origin, "grandstand_nats_recordings_total", |count| count == 1.0).await;
    relay.matches(|list| list[0]["state"] == "finished").await;
    let (status, _, replay) = relay.get(&format!("/api/matches/{id}/replay")).await;
    assert_eq!((status, replay.contains("turns 100")), (200, true));
    metric(&relay, "grandstand_nats_fetched_total", |count| count == 1.0).await;
    // A relay can't publish what origins publish.
    let client = |user: &'static str, inbox: &'static str| {
        let options = async_nats::ConnectOptions::new().custom_inbox_prefix(inbox);
        let (user, password) = user.split_once(':').unwrap();
        options.user_and_password(user.to_owned(), password.to_owned()).connect(nats.url())
    };
    let forger = client("relay:relay-password", "_INBOX_RELAY").await.unwrap();
    let owner = client("origin:origin-password", "_INBOX_ORIGIN").await.unwrap();
    let jetstream = async_nats::jetstream::new(owner);
    let mut before = Vec::new();
    for stream in ["GS_FEED", "GS_SCENE"] {
        before.push(jetstream.get_stream(stream).await.unwrap().cached_info().state.messages);
    }
    let second = origin.draw("turns 1\nturns 2\n").await;
    for subject in
        ["gs.feed.forged", "gs.scene.forged.0", "$KV.gs_match.match.forged", "$O.gs_recordings.M.forged"]
    {
        forger.publish(subject, "forged".into()).await.unwrap();
    }
    forger.flush().await.unwrap();
    let bucket = jetstream.get_key_value("gs_match").await.unwrap();
    assert_eq!(bucket.get("match.forged").await.unwrap(), None);
    drop(second);
    for stream in ["GS_FEED", "GS_SCENE", "OBJ_gs_recordings"] {
        let stream = jetstream.get_stream(stream).await.unwrap();
        let mut subjects = stream.info_with_subjects(">").await.unwrap();
        while let Some(Ok((subject, _))) = futures_util::StreamExt::next(&mut subjects).await {
            assert!(!subject.contains("forged"), "{subject}");
        }
    }
    assert!(before.iter().all(|messages| *messages > 0));
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn the_permissions_of_workers_and_directors_are_enough_and_no_more() {
    let store = grandstand_testing::Folder::new();
    let config = permissions().replace("/var/lib/nats", &store.path().display().to_string());
    let nats = Nats::with(Some(&config));
    let with = |user: &str| nats.url().replace("//", &format!("//{user}@"));
    let (director, worker) = (with("director:director-password"), with("worker:worker-password"));
    let [of_director, of_worker] = [&director, &worker].map(|url| vec!["--nats".to_owned(), url.clone()]);
    played_over_nats(of_director, of_worker).await;
    let (status, words) = doctor(director, &["--role", "director"]).await;
    assert_eq!(status, Some(0), "{words}");
    let (status, words) = doctor(worker, &["--role", "worker"]).await;
    assert_eq!(status, Some(0), "{words}");
    has(&words, &["good  stream OBJ_gs_programs: ", "look  no director hands games out here"]);
    // A worker can't answer as a director does, remove or write programs, read feeds, or listen to what others ask.
    let client = |user: &'static str, inbox: &'static str| {
        let options = async_nats::ConnectOptions::new().custom_inbox_prefix(inbox);
        let (user, password) = user.split_once(':').unwrap();
        options.user_and_password(user.to_owned(), password.to_owned()).connect(nats.url())
    };
    let forger = client("worker:worker-password", "_INBOX_WORKER").await.unwrap();
    let owner = client("director:director-password", "_INBOX_DIRECTOR").await.unwrap();
    let jetstream = async_nats::jetstream::new(owner.clone());
    let stored =
        || async { jetstream.get_stream("OBJ_gs_programs").await.unwrap().cached_info().state.messages };
    let (before, mut heard) = (stored().await, owner.subscribe("gs.work.>").await.unwrap());
    owner.flush().await.unwrap();
    let mut answers = forger.subscribe("_INBOX_WORKER.answer").await.unwrap();
    let mut feeds = forger.subscribe("gs.feed.>").await.unwrap();
    let mut asked = forger.subscribe("gs.work.>").await.unwrap();
    for subject in [
        "_INBOX_WORKER.answer",
        "$O.gs_programs.M.forged",
        "$JS.API.STREAM.PURGE.OBJ_gs_programs",
        "$JS.API.STREAM.DELETE.OBJ_gs_results",
        "gs.feed.forged",
    ] {
        forger.publish(subject, "forged".into()).await.unwrap();
    }
    forger.publish("gs.work.find", "asked".into()).await.unwrap();
    forger.flush().await.unwrap();
    assert_eq!(heard.next().await.unwrap().payload, "asked");
    assert_eq!(stored().await, before);
    let origin = client("origin:origin-password", "_INBOX_ORIGIN").await.unwrap();
    origin.publish("gs.feed.a", "a frame".into()).await.unwrap();
    origin.flush().await.unwrap();
    forger.flush().await.unwrap();
    for heard in [&mut answers, &mut feeds, &mut asked] {
        let nothing = tokio::time::timeout(std::time::Duration::from_millis(100), heard.next()).await;
        assert!(!matches!(nothing, Ok(Some(_))), "{nothing:?}");
    }
}

/// Status and words of `grandstand doctor`.
async fn doctor(url: String, more: &'static [&'static str]) -> (Option<i32>, String) {
    let told = tokio::task::spawn_blocking(move || {
        crate::program::grandstand().args(["doctor", "--nats", &url]).args(more).output().unwrap()
    });
    let told = told.await.unwrap();
    (told.status.code(), String::from_utf8([told.stdout, told.stderr].concat()).unwrap())
}

fn has(words: &str, lines: &[&str]) {
    for line in lines {
        assert!(words.contains(line), "`{line}` is missing: {words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn the_doctor_tells_what_is_there_and_what_is_missing() {
    let nats = Nats::start();
    let (status, words) = doctor(nats.url(), &[]).await;
    assert_eq!(status, Some(0), "{words}");
    has(&words, &["nats-server 2.", "good  JetStream: 0 streams", "look  stream GS_FEED is not there yet"]);
    // An origin makes the streams.
    let (status, words) = doctor(nats.url(), &["--role", "origin"]).await;
    assert_eq!(status, Some(0), "{words}");
    has(&words, &["good  stream GS_FEED: 0 messages", "look  no origin publishes here"]);
    let data = grandstand_testing::Folder::new();
    let origin = super::faults::origin_process(&nats, data.path(), &[]);
    let (_, words) = doctor_of_origin(&nats).await;
    has(
        &words,
        &[
            "good  origin red is here: grandstand ",
            "good  origin red answers requests in ",
            "good  the clocks of NATS",
        ],
    );
    origin.stop(Signal::KILL);
    let (status, words) = doctor(nats.url(), &[]).await;
    assert_eq!(status, Some(0), "{words}");
    has(&words, &["look  origin red is away: it was heard last "]);
}

/// What the doctor says once the lease of an origin is there.
async fn doctor_of_origin(nats: &Nats) -> (Option<i32>, String) {
    loop {
        let told = doctor(nats.url(), &[]).await;
        if !told.1.contains("no origin publishes here") {
            return told;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn the_doctor_tells_what_does_not_work() {
    let nats = Nats::with(Some("max_payload: 1MB\n"));
    let (status, words) = doctor(nats.url(), &[]).await;
    assert_eq!(status, Some(1), "{words}");
    has(&words, &["has JetStream off", "one thing does not work"]);

    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nats = Nats::start();
    let (status, words) = doctor(format!("{},nats://{away}", nats.url()), &[]).await;
    assert_eq!(status, Some(1), "{words}");
    has(&words, &[&format!("BAD   the NATS server at nats://{away} can't be reached: "), "good  JetStream"]);

    let (status, words) = doctor("http://127.0.0.1".to_owned(), &[]).await;
    assert_eq!(status, Some(2), "{words}");
    has(&words, &["is no address of a NATS server"]);

    let nats = Nats::with(Some("authorization { user: ann, password: secret }\n"));
    let (status, words) = doctor(nats.url(), &[]).await;
    assert_eq!(status, Some(1), "{words}");
    has(&words, &["refuses these credentials"]);

    let store = grandstand_testing::Folder::new();
    let config = format!("jetstream {{ store_dir: \"{}\", max_file: 100MB }}\n", store.path().display());
    let nats = Nats::with(Some(&config));
    let (status, words) = doctor(nats.url(), &["--role", "origin"]).await;
    assert_eq!(status, Some(1), "{words}");
    has(&words, &["has too little storage for the feeds, 256 MiB"]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn the_doctor_finds_an_origin_with_the_permissions_of_a_relay() {
    let store = grandstand_testing::Folder::new();
    let config = permissions().replace("/var/lib/nats", &store.path().display().to_string());
    let nats = Nats::with(Some(&config));
    let with = |user: &str| nats.url().replace("//", &format!("//{user}@"));
    let (status, words) = doctor(with("origin:origin-password"), &["--role", "origin"]).await;
    assert_eq!(status, Some(0), "{words}");
    let origin = link(with("origin:origin-password"), NatsRole::Origin, "red").await.unwrap();
    let _origin = crate::serve::support::TestServer::with(|config| config.nats = Some(origin));
    loop {
        let (status, words) = doctor(with("relay:relay-password"), &[]).await;
        assert_eq!(status, Some(0), "{words}");
        if words.contains("no origin publishes here") {
            continue;
        }
        return has(
            &words,
            &["origin red is here", "origin red answers requests", "stream OBJ_gs_recordings: "],
        );
    }
}

//! Encryption and credentials between servers and NATS.

use std::path::PathBuf;

use data_encoding::BASE64URL_NOPAD;
use grandstand::{Link, NatsError, NatsRole, NatsSettings};
use grandstand_testing::Folder;
use nkeys::KeyPair;
use serde_json::{Value, json};

use super::support::{Nats, jetstream, listed};
use crate::serve::support::TestServer;
use crate::tournament::played_over_nats;

fn settings(url: &str, role: NatsRole) -> NatsSettings {
    NatsSettings { url: url.to_owned(), credentials: None, certificates: None, role, name: "red".to_owned() }
}

async fn refused(settings: NatsSettings) -> String {
    Link::open(settings).await.map(drop).expect_err("it can't be used").to_string()
}

/// A match that is drawn at an origin is shown by a relay.
async fn shows(origin: NatsSettings, relay: NatsSettings) {
    let (origin, relay) = (Link::open(origin).await.unwrap(), Link::open(relay).await.unwrap());
    let origin = TestServer::with(|config| config.nats = Some(origin));
    let relay = TestServer::with(|config| {
        config.data = None;
        config.nats = Some(relay);
    });
    let _game = origin.draw("turns 1\nturns 2\n").await;
    let id = origin.newest(2).await;
    listed(&relay, &id).await;
    let mut watcher = relay.watch(&id, "?since=0").await;
    watcher.next().await;
    assert_eq!(watcher.commands(0, 2).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn nats_with_a_certificate_and_passwords() {
    let files = Folder::new();
    let at = |name: &str| files.path().join(name);
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    std::fs::write(at("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(at("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let nats = Nats::with(Some(&format!(
        "{}tls {{ cert_file: \"{folder}/cert.pem\", key_file: \"{folder}/key.pem\" }}\n\
         authorization {{ users: [ {{ user: ann, password: secret }} ] }}\n",
        jetstream(&at("js")),
        folder = files.path().display()
    )));
    let url = nats.url().replace("nats://127.0.0.1", "tls://ann:secret@localhost");
    let with =
        |url: &str, role, file: &str| NatsSettings { certificates: Some(at(file)), ..settings(url, role) };
    shows(with(&url, NatsRole::Origin, "cert.pem"), with(&url, NatsRole::Relay, "cert.pem")).await;
    let options = ["--nats", &url, "--nats-ca", at("cert.pem").to_str().unwrap()].map(str::to_owned).to_vec();
    played_over_nats(options.clone(), options).await;

    let error = refused(settings(&url, NatsRole::Origin)).await;
    assert!(error.contains("its certificate is not trusted") && error.contains("--nats-ca FILE"), "{error}");
    let wrong = url.replace("secret", "wrong");
    let error = refused(with(&wrong, NatsRole::Origin, "cert.pem")).await;
    assert!(error.contains("refuses these credentials") && !error.contains("wrong"), "{error}");
    let error = refused(with(&url, NatsRole::Origin, "none.pem")).await;
    assert!(
        error.contains("the certificates of --nats-ca, ") && error.contains("none.pem: No such file"),
        "{error}"
    );
    let error = refused(with(&url, NatsRole::Origin, "key.pem")).await;
    assert!(error.contains("key.pem: there is no such thing in this PEM file"), "{error}");
}

#[tokio::test]
#[ignore = "needs nats-server"]
async fn a_server_that_does_not_speak_tls_is_told() {
    let nats = Nats::start();
    let error = refused(settings(&nats.url().replace("nats://", "tls://"), NatsRole::Relay)).await;
    assert!(error.contains("it does not speak TLS here: use an address that begins with nats://"), "{error}");
}

/// A token of NATS: what `about` says of the owner of a key, signed by another.
fn token(issuer: &KeyPair, subject: &KeyPair, about: Value) -> String {
    let part = |json: Value| BASE64URL_NOPAD.encode(json.to_string().as_bytes());
    let claims = json!({ "jti": subject.public_key(), "iat": 1, "iss": issuer.public_key(), "sub": subject.public_key(), "name": "test", "nats": about });
    let signed = format!("{}.{}", part(json!({ "typ": "JWT", "alg": "ed25519-nkey" })), part(claims));
    let signature = issuer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}

fn account(issuer: &KeyPair, subject: &KeyPair, bytes: i64) -> String {
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
        "disk_storage": bytes, "mem_storage": 0, "streams": -1, "consumer": -1
    });
    token(issuer, subject, json!({ "limits": limits, "type": "account", "version": 2 }))
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server"]
async fn nats_with_signed_credentials() {
    let files = Folder::new();
    let (operator, system, shared) =
        (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let nats = Nats::with(Some(&format!(
        "{}operator: \"{}\"\nresolver: MEMORY\nsystem_account: {system}\n\
         resolver_preload: {{\n  {system}: \"{}\"\n  {shared}: \"{}\"\n}}\n",
        jetstream(&files.path().join("js")),
        token(&operator, &operator, json!({ "type": "operator", "version": 2 })),
        account(&operator, &system, 0),
        account(&operator, &shared, 4 << 30),
        system = system.public_key(),
        shared = shared.public_key(),
    )));
    let credentials = |name: &str, issuer: &KeyPair| -> PathBuf {
        let user = KeyPair::new_user();
        let jwt = token(
            issuer,
            &user,
            json!({ "subs": -1, "data": -1, "payload": -1, "type": "user", "version": 2 }),
        );
        let path = files.path().join(name);
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{jwt}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            user.seed().unwrap()
        );
        std::fs::write(&path, text).unwrap();
        path
    };
    let with = |role, path: PathBuf| NatsSettings { credentials: Some(path), ..settings(&nats.url(), role) };
    shows(
        with(NatsRole::Origin, credentials("origin.creds", &shared)),
        with(NatsRole::Relay, credentials("relay.creds", &shared)),
    )
    .await;
    let [director, worker] = ["director.creds", "worker.creds"].map(|name| {
        let path = credentials(name, &shared);
        ["--nats", &nats.url(), "--nats-creds", path.to_str().unwrap()].map(str::to_owned).to_vec()
    });
    played_over_nats(director, worker).await;

    let error = refused(with(NatsRole::Origin, credentials("stranger.creds", &KeyPair::new_account()))).await;
    assert!(error.contains("refuses these credentials"), "{error}");
    let error = refused(settings(&nats.url(), NatsRole::Origin)).await;
    assert!(error.contains("refuses these credentials"), "{error}");
    std::fs::write(files.path().join("text.creds"), "nothing").unwrap();
    let error = refused(with(NatsRole::Origin, files.path().join("text.creds"))).await;
    assert!(error.starts_with("the credentials ") && error.contains("text.creds"), "{error}");
    // The account of the system has no JetStream.
    let opened = Link::open(with(NatsRole::Relay, credentials("system.creds", &system))).await;
    assert!(matches!(opened, Err(NatsError::JetStream(_))), "{opened:?}");
}

//! The page over `https` and its matches over `wss`.

use serde_json::json;

use super::proxy::{Proxy, Rewrite};
use super::stage::{Certificate, Match};
use super::{choose_the_first_match, scene, secure_scene, status};

/// Records the addresses of all websockets that the page opens.
const WATCH_SOCKETS: &str = "window.sockets = []; \
    const Socket = window.WebSocket; \
    window.WebSocket = class extends Socket { \
        constructor(address, ...rest) { super(address, ...rest); sockets.push(address); } };";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn with_a_certificate_everything_is_encrypted() {
    let (server, mut page, _one) = secure_scene().await;
    let mut game = Match::begin(&server, "Behind closed doors");
    page.prepare(WATCH_SOCKETS).await;
    page.go(&server.url("")).await;
    choose_the_first_match(&mut page).await;
    page.wait_for(&format!("grandstand.status.state === 'live' && grandstand.seq === {}", game.seq)).await;
    for _ in 0..5 {
        game.turn();
    }
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    let expected = format!("wss://{}/api/matches/{}/live?since=0", server.http, game.id);
    assert_eq!(page.eval("sockets").await, json!([expected]));
    let plain = "performance.getEntriesByType('resource').filter((entry) => !entry.name.startsWith('https://')).length";
    assert_eq!((page.eval("isSecureContext").await, page.eval(plain).await), (json!(true), json!(0)));
    page.screenshot("secure").await;
    assert_eq!(page.console, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn behind_an_encrypting_reverse_proxy_beneath_a_path() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "Beneath a path");
    let beneath = Rewrite::from_browser(&[(" /club/arena/", " /")]);
    let proxy = Proxy::encrypting(server.http, beneath, &Certificate::make()).await;
    page.prepare(WATCH_SOCKETS).await;
    page.go(&format!("https://{}/club/arena/", proxy.address)).await;
    choose_the_first_match(&mut page).await;
    page.wait_for(&format!("grandstand.status.state === 'live' && grandstand.seq === {}", game.seq)).await;
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    let socket = format!("wss://{}/club/arena/api/matches/{}/live?since=0", proxy.address, game.id);
    assert_eq!(page.eval("sockets").await, json!([socket]));
    // The connection breaks; later commands arrive once it is back.
    proxy.cut();
    page.wait_for("!grandstand.status.connected").await;
    game.turn();
    proxy.restore();
    page.wait_for(&format!("grandstand.status.connected && grandstand.seq === {}", game.seq)).await;
    assert_eq!(status(&mut page).await["source"], json!({"match": game.id}));
    let address =
        format!("location.href.startsWith('https://{}/club/arena/?match={}')", proxy.address, game.id);
    page.wait_for(&address).await;
}

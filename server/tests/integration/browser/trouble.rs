//! Error messages of the page, on which a person can act.

use std::time::Duration;

use super::proxy::{Proxy, Rewrite};
use super::scene;
use super::stage::Match;

const PROBLEM: &str =
    "grandstand.status && grandstand.status.state === 'failed' && grandstand.status.problem";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn what_can_not_be_opened_says_why() {
    let (server, mut page, _one) = scene().await;
    // An unknown match, and invalid replays.
    for (query, words) in [
        ("match=nobody".to_owned(), "No such match"),
        ("match=no%20body".to_owned(), "id of a match"),
        ("replay=healthz".to_owned(), "Not a replay"),
        ("replay=http://127.0.0.1:1/x.replay".to_owned(), "lets pages of other servers read"),
        ("replay=ftp://host/x.replay".to_owned(), "address"),
    ] {
        page.go(&server.url(&format!("?{query}"))).await;
        page.wait_for(&format!("(({PROBLEM}) || '').length > 20")).await;
        let told = page.eval(PROBLEM).await;
        assert!(told.as_str().unwrap().contains(words), "{query}: {told}");
        page.screenshot(&format!("failed-{}", &query[..5])).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn graphics_that_go_away_come_back_with_the_picture() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "Fine");
    for _ in 0..10 {
        game.turn();
    }
    // The graphics context is lost, and the picture comes back unchanged.
    page.go(&server.url(&format!("?match={}&seq=20", game.id))).await;
    page.wait_for("grandstand.status && grandstand.seq === 20").await;
    page.eval("document.getElementById('picture').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()").await;
    page.wait_for("document.body.dataset.state === 'loading'").await;
    page.wait_for("document.body.dataset.state === 'ready' && grandstand.seq === 20 && grandstand.status.source.match !== undefined").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(page.screenshot("graphics-back").await.colours() > 30);

    // After repeated losses it is given up, and there is a button.
    for _ in 0..3 {
        page.eval("document.getElementById('picture').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()").await;
        page.wait_for("document.body.dataset.state !== 'ready'").await;
        page.wait_for("document.body.dataset.state !== 'loading'").await;
    }
    page.wait_for(
        "document.body.dataset.state === 'failed' && document.body.innerText.includes('graphics went away')",
    )
    .await;
    page.screenshot("graphics-gone").await;
    page.eval("document.getElementById('again').click()").await;
    page.wait_for("document.body.dataset.state === 'ready' && grandstand.seq === 20").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn what_stands_between_is_told_from_what_is_wrong() {
    let (server, mut page, _one) = scene().await;
    let game = Match::begin(&server, "Far away");
    // A server of another version.
    let proxy =
        Proxy::before(server.http, Rewrite::from_server(&[("\"protocol\":1", "\"protocol\":7")])).await;
    page.go(&format!("http://{}/?match={}", proxy.address, game.id)).await;
    page.wait_for(&format!("(({PROBLEM}) || '').includes('Update the older of the two')")).await;
    page.screenshot("another-version").await;

    // A proxy that passes another host name to the server: for the server, the page has another origin.
    let rewrite = Rewrite::from_browser(&[("Host: 127.0.0.1", "Host: 127.0.0.2")]);
    let proxy = Proxy::before(server.http, rewrite).await;
    page.go(&format!("http://{}/?match={}", proxy.address, game.id)).await;
    let problem = "grandstand.status && grandstand.status.problem || ''";
    page.wait_for(&format!("({problem}).includes('allow-origin') && ({problem}).includes('proxy')")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    page.screenshot("another-origin").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_browser_that_lacks_something_is_told_what() {
    let (server, mut page, _one) = scene().await;
    let failed = |words: &str| {
        format!("document.body.dataset.state === 'failed' && document.body.innerText.includes('{words}')")
    };
    // A browser without modules: the module is not run, and the script marked `nomodule` is.
    let old = [("type=\"module\"", "type=\"nodule\""), ("<script nomodule ", "<script nodule   ")];
    let readable = Rewrite::from_browser(&[("Accept-Encoding: ", "X-No-Encoding: ")]);
    let proxy = Proxy::before(server.http, Rewrite { from_server: old.to_vec(), ..readable }).await;
    page.go(&format!("http://{}/", proxy.address)).await;
    page.wait_for(&failed("This browser is too old")).await;
    page.wait_for("document.getElementById('plain').offsetHeight > 0").await;
    page.screenshot("old-browser").await;
    // The offered link works.
    page.eval("document.getElementById('plain').click()").await;
    page.wait_for("document.body.innerText.includes('No match yet')").await;

    // One with modules, but without instructions that the program has, as those for vectors are.
    let refuses = "for (const name of ['instantiate', 'instantiateStreaming']) \
        WebAssembly[name] = () => Promise.reject(new WebAssembly.CompileError('invalid opcode 0xfd'));";
    page.prepare(&format!("if (location.search === '?refuses') {refuses}")).await;
    page.go(&server.url("?refuses")).await;
    page.wait_for(&failed("Safari from 2023")).await;

    page.prepare("HTMLCanvasElement.prototype.getContext = () => null;").await;
    page.go(&server.url("")).await;
    page.wait_for(&failed("WebGL")).await;
    page.wait_for("document.getElementById('plain').offsetHeight > 0").await;
    page.screenshot("no-webgl").await;

    page.prepare("delete window.WebAssembly;").await;
    page.go(&server.url("")).await;
    page.wait_for(&failed("WebAssembly")).await;
    page.screenshot("no-webassembly").await;
}

//! The web spectator in a real browser, by what a person would do with it.
//!
//! Needs Chromium, and a server into which the page is built (`cargo xtask web` before `cargo test`). Where one of them is
//! missing, the tests say so and pass; with `GRANDSTAND_REQUIRE_BROWSER` set, as in CI, they fail instead. What the
//! browser showed is kept as pictures in `tmp/browser` of the target directory.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says what it leaves out"
)]

mod chromium;
mod proxy;
mod stage;

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use chromium::Page;
use proxy::{Proxy, Rewrite};
use stage::{Match, Server};

/// Browsers are heavy: one at a time.
static ONE: Mutex<()> = Mutex::const_new(());

/// A server and a browser, or the reason for leaving the test out.
async fn scene() -> Option<(Server, Page, MutexGuard<'static, ()>)> {
    let one = ONE.lock().await;
    let server = Server::start();
    let missing = if chromium::installed().is_none() {
        "no Chromium is installed (GRANDSTAND_CHROMIUM names another)"
    } else if !server.has_page() {
        "the page is not built into the server (cargo xtask web, then build again)"
    } else {
        return Some((server, Page::open().await, one));
    };
    assert!(
        std::env::var_os("GRANDSTAND_REQUIRE_BROWSER").is_none(),
        "the browser test can't run: {missing}"
    );
    eprintln!("skipped: {missing}");
    None
}

const READY: &str = "document.body.dataset.state === 'ready'";
/// Keeps what the page tells, from the first event on, in the order in which it came.
const LISTEN: &str = "window.heard = {said: [], states: []}; \
    grandstand.addEventListener('log', (event) => { \
        if (event.detail.fresh) heard.said = []; \
        heard.said.push(...event.detail.lines.map((line) => line.text).filter((text) => text.includes(' says: '))); }); \
    grandstand.addEventListener('state', (event) => heard.states.push(event.detail.state)); true";

fn said(turns: std::ops::RangeInclusive<u64>) -> Value {
    json!(turns.map(|turn| format!("Black says: turn {turn}")).collect::<Vec<_>>())
}

async fn status(page: &mut Page) -> Value {
    page.eval("grandstand.status").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_match_is_found_in_the_list_watched_paused_rewound_and_caught_up_with() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "The test match");
    for _ in 0..12 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    game.wait_until_recorded(&server);

    // The list, and from there with the keyboard into the match.
    page.go(&format!("http://{}/", server.http)).await;
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'matches'").await;
    page.eval(LISTEN).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    let list = page.screenshot("list").await;
    assert!(list.colours() > 30, "the list is drawn");
    // First come the two buttons of the bar, the field for an address and its button.
    for stop in 1..12 {
        page.press("Tab", "Tab", 9).await;
        // A frame for the focus to move.
        tokio::time::sleep(Duration::from_millis(150)).await;
        if stop > 4 {
            page.press("Enter", "Enter", 13).await;
        }
        tokio::time::sleep(Duration::from_millis(150)).await;
        if status(&mut page).await["state"] != "matches" {
            break;
        }
    }
    page.wait_for(&format!("grandstand.status.state === 'live' && grandstand.seq === {}", game.seq)).await;
    page.wait_for(&format!("location.search.includes('match={}')", game.id)).await;
    page.wait_for("document.title.includes('The test match')").await;

    // What happens shows at once, in the picture and in words.
    let before = page.screenshot("live").await;
    assert!(before.colours() > 30 && before.difference(&list) > 0.05, "the board is drawn");
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    page.wait_for("document.getElementById('log').innerText.includes('Black says: turn 13')").await;
    page.wait_for("document.getElementById('log').innerText.includes('Turn 13: Black C−1 to C0.')").await;

    // Paused, the match goes on behind the picture.
    page.press(" ", "Space", 32).await;
    page.wait_for("!grandstand.status.playing").await;
    let stopped_at = game.seq;
    for _ in 0..5 {
        game.turn();
    }
    page.wait_for(&format!("grandstand.status.end === {}", game.seq)).await;
    assert_eq!(status(&mut page).await["seq"], stopped_at);
    page.wait_for(&format!("location.search.includes('seq={stopped_at}')")).await;
    assert!(
        !page.eval("document.getElementById('log').innerText").await.as_str().unwrap().contains("turn 14")
    );

    // Rewound to the start, where the score is not yet set, and forward command by command.
    page.press("Home", "Home", 36).await;
    page.wait_for("grandstand.seq === 0").await;
    page.press("ArrowRight", "ArrowRight", 39).await;
    page.wait_for("grandstand.seq === 1").await;
    let start = page.screenshot("rewound").await;
    assert!(start.difference(&before) > 0.001, "the rewound board looks different");

    // And back to the present with one key.
    page.press("l", "KeyL", 76).await;
    page.wait_for(&format!("grandstand.status.following && grandstand.seq === {}", game.seq)).await;
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;

    // Its end is told too.
    game.finish();
    page.wait_for("grandstand.status.state === 'finished'").await;
    page.wait_for("document.getElementById('log').lastElementChild.innerText.includes('wins by score')")
        .await;
    page.screenshot("finished").await;
    assert_eq!(page.console, Vec::<String>::new(), "nothing was complained of");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_line_loses_no_command() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let proxy = Proxy::before(server.http, Rewrite::default()).await;
    let mut game = Match::begin(&server, "Over a bad line");
    page.go(&format!("http://{}/?match={}", proxy.address, game.id)).await;
    page.wait_for("grandstand.status && grandstand.status.state === 'live'").await;
    page.eval(LISTEN).await;
    let mut turns = 0;
    for _cut in 0..3 {
        for _ in 0..10 {
            game.turn();
            turns += 1;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        proxy.cut();
        page.wait_for("!grandstand.status.connected").await;
        for _ in 0..10 {
            game.turn();
            turns += 1;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        proxy.restore();
        page.wait_for(&format!("grandstand.status.connected && grandstand.seq === {}", game.seq)).await;
    }
    page.wait_for(&format!("heard.said.length >= {turns}")).await;
    assert_eq!(page.eval("heard.said").await, said(1..=turns), "each line of talk once, in order");
    assert_eq!(page.eval("heard.states").await, json!([]), "the match was live all the time");
    page.screenshot("after-cuts").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_leaves_its_match_interrupted_and_whole_in_the_open_page() {
    let Some((mut server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "Before the power cut");
    page.go(&format!("http://{}/?match={}", server.http, game.id)).await;
    page.wait_for("grandstand.status && grandstand.status.state === 'live'").await;
    page.eval("window.neverReloaded = true").await;
    for _ in 0..20 {
        game.turn();
    }
    game.wait_until_recorded(&server);
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    // The recorder writes behind the feed.
    tokio::time::sleep(Duration::from_millis(1500)).await;

    server.kill_and_restart(Duration::from_millis(500));
    page.wait_for("grandstand.status.state === 'interrupted'").await;
    assert_eq!(page.eval("window.neverReloaded").await, true);
    let shown = status(&mut page).await;
    assert_eq!((&shown["end"], &shown["seq"]), (&json!(game.seq), &json!(game.seq)));
    page.screenshot("interrupted").await;
    // Whole: it can be played from its first command.
    page.eval("grandstand.seek(1)").await;
    page.wait_for("grandstand.seq === 1").await;
    page.eval("grandstand.seek(40)").await;
    page.wait_for("grandstand.seq === 40 && document.getElementById('log').innerText.includes('turn 9')")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replays_and_moments_open_by_address_also_beneath_a_path() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "To be kept");
    for _ in 0..10 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (id, end) = (game.id.clone(), game.seq);
    game.wait_until_recorded(&server);
    game.finish();
    let summary = format!("/api/matches/{id}");
    while serde_json::from_str::<Value>(&server.get(&summary)).unwrap()["state"] != "finished" {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    // A link to a moment.
    page.go(&format!("http://{}/?match={id}&seq=17", server.http)).await;
    page.wait_for("grandstand.status && grandstand.seq === 17").await;
    assert_eq!(status(&mut page).await["playing"], false);
    page.wait_for("performance.getEntriesByName('grandstand-picture').length === 1").await;
    let first_picture = page.eval("performance.getEntriesByName('grandstand-picture')[0].startTime").await;
    eprintln!("first picture after {:.0} ms", first_picture.as_f64().unwrap());
    page.screenshot("moment").await;

    // A recording by its address, given as it is and as a link would write it.
    let file = format!("http://{}/api/matches/{id}/replay", server.http);
    for address in
        [file.clone(), file.replace(':', "%3A").replace('/', "%2F"), format!("api/matches/{id}/replay")]
    {
        page.go(&format!("http://{}/?replay={address}&seq=5", server.http)).await;
        page.wait_for(&format!(
            "grandstand.status && grandstand.status.end === {end} && grandstand.seq === 5"
        ))
        .await;
        assert_eq!(status(&mut page).await["state"], "finished", "{address}");
        assert_eq!(status(&mut page).await["source"], json!({"replay": file}), "{address}");
    }

    // The same behind a reverse proxy that puts the server beneath a path.
    let rewrite = Rewrite { from_browser: Some((" /club/arena/", " /")), ..Rewrite::default() };
    let proxy = Proxy::before(server.http, rewrite).await;
    page.go(&format!("http://{}/club/arena/?match={id}&seq=9", proxy.address)).await;
    page.wait_for("grandstand.status && grandstand.seq === 9").await;
    page.go(&format!("http://{}/club/arena/", proxy.address)).await;
    page.wait_for("grandstand.status && grandstand.status.state === 'matches'").await;
    page.go(&format!("http://{}/club/arena/plain", proxy.address)).await;
    page.wait_for("document.querySelector('table a').textContent === 'To be kept'").await;
    page.screenshot("plain").await;
    page.eval("document.querySelector('table a').click()").await;
    page.wait_for(&format!("window.grandstand && grandstand.status && grandstand.status.end === {end}"))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_page_drives_the_embedded_one() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "In a course page");
    for _ in 0..10 {
        game.turn();
    }
    game.wait_until_recorded(&server);
    // Of another origin: another port.
    let elsewhere = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = elsewhere.local_addr().unwrap();
    let frame = format!("http://{}/?embed=1&match={}", server.http, game.id);
    tokio::spawn(async move {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        while let Ok((mut stream, _)) = elsewhere.accept().await {
            let html = format!(
                "<!doctype html><h1>Lecture 7</h1><iframe src=\"{frame}\" width=700 height=520></iframe>"
            );
            let mut head = [0; 4096];
            let _ = stream.read(&mut head).await;
            let answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{html}",
                html.len()
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    page.go(&format!("http://{address}/")).await;
    page.eval(
        "window.told = []; addEventListener('message', (event) => { if (event.data.grandstand === 1) told.push(event.data); }); \
         window.send = (id, call, argument) => document.querySelector('iframe').contentWindow.postMessage({grandstand: 1, id, call, argument}, '*'); \
         window.answer = (id) => told.findLast((message) => message.id === id);",
    )
    .await;
    // The frame answers once it is there.
    page.wait_for("send(1, 'listen'), answer(1) !== undefined && answer(1).result.state === 'live'").await;
    page.eval("send(2, 'seek', 14)").await;
    page.wait_for(
        "answer(2) && told.some((message) => message.event === 'seq' && message.detail.seq === 14)",
    )
    .await;
    page.screenshot("embedded").await;
    page.eval("send(3, 'explode'); send(4, 'seek', -1); send(5, 'load', {match: 'nobody'})").await;
    page.wait_for("answer(3) && answer(3).error.includes('no call')").await;
    page.wait_for("answer(4) && answer(4).error.includes('whole number')").await;
    page.wait_for("answer(5) && answer(5).error.includes('No such match')").await;
    // Another page can't take the match by itself: neither in a frame that is not made for it, nor by a websocket.
    let refused = format!(
        "new Promise((done) => {{ const socket = new WebSocket('ws://{}/api/matches/{}/live'); \
         socket.onopen = () => done(false); socket.onerror = () => done(true); }})",
        server.http, game.id
    );
    assert_eq!(page.eval(&refused).await, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_wrong_is_said_in_words() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "Fine");
    for _ in 0..10 {
        game.turn();
    }
    let problem = "grandstand.status && grandstand.status.state === 'failed' && grandstand.status.problem";
    // An unknown match, and replays that are none.
    for (query, words) in [
        ("match=nobody".to_owned(), "No such match"),
        ("match=no%20body".to_owned(), "id of a match"),
        ("replay=healthz".to_owned(), "Not a replay"),
        ("replay=http://127.0.0.1:1/x.replay".to_owned(), ""),
        ("replay=ftp://host/x.replay".to_owned(), "address"),
    ] {
        page.go(&format!("http://{}/?{query}", server.http)).await;
        page.wait_for(&format!("(({problem}) || '').length > 20")).await;
        let told = page.eval(problem).await;
        assert!(told.as_str().unwrap().contains(words), "{query}: {told}");
        page.screenshot(&format!("failed-{}", &query[..5])).await;
    }
    // A file that is too large, and one that is no recording, by the same way that a dropped one goes.
    page.go(&format!("http://{}/", server.http)).await;
    page.wait_for(READY).await;
    let load = "(file) => grandstand.load({file}).then(() => 'opened', (error) => String(error))";
    let huge = "(() => { const file = new File(['{'], 'huge.replay'); Object.defineProperty(file, 'size', {value: 2 ** 31}); return file; })()";
    let told = page.eval(&format!("({load})({huge})")).await;
    assert!(told.as_str().unwrap().contains("too large"), "{told}");
    let told = page.eval(&format!("({load})(new File(['hello'], 'letter.txt'))")).await;
    assert!(told.as_str().unwrap().len() > 20 && told != "opened", "{told}");

    // The graphics go away, and the picture comes back where it was.
    page.go(&format!("http://{}/?match={}&seq=20", server.http, game.id)).await;
    page.wait_for("grandstand.status && grandstand.seq === 20").await;
    page.eval("document.getElementById('picture').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()").await;
    page.wait_for("document.body.dataset.state === 'loading'").await;
    page.wait_for("document.body.dataset.state === 'ready' && grandstand.seq === 20 && grandstand.status.source.match !== undefined").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(page.screenshot("graphics-back").await.colours() > 30);

    // A server of another version.
    let rewrite = Rewrite { from_server: Some(("\"protocol\":1", "\"protocol\":7")), ..Rewrite::default() };
    let proxy = Proxy::before(server.http, rewrite).await;
    page.go(&format!("http://{}/?match={}", proxy.address, game.id)).await;
    page.wait_for(&format!("(({problem}) || '').includes('ersion')")).await;

    // No WebGL.
    page.prepare("HTMLCanvasElement.prototype.getContext = () => null;").await;
    page.go(&format!("http://{}/?match={}", server.http, game.id)).await;
    page.wait_for("document.body.dataset.state === 'failed' && document.body.innerText.includes('WebGL')")
        .await;
    page.wait_for("document.getElementById('plain').offsetHeight > 0").await;
    page.screenshot("no-webgl").await;
    // No WebAssembly.
    page.prepare("delete window.WebAssembly;").await;
    page.go(&format!("http://{}/", server.http)).await;
    page.wait_for(
        "document.body.dataset.state === 'failed' && document.body.innerText.includes('WebAssembly')",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_it_folds_scrubs_and_pinches() {
    let Some((server, mut page, _one)) = scene().await else { return };
    let mut game = Match::begin(&server, "On the tram");
    for _ in 0..30 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    game.wait_until_recorded(&server);
    page.resize(390, 844, 1.0, true).await;
    page.go(&format!("http://{}/?match={}", server.http, game.id)).await;
    page.wait_for(&format!("grandstand.status && grandstand.seq === {}", game.seq)).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let upright = page.screenshot("phone").await;
    assert!(upright.colours() > 30);
    assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await, true);
    // Two fingers apart enlarge the board, and the page stays as it is.
    page.drag(&[(170.0, 400.0), (220.0, 400.0)], &[(90.0, 400.0), (300.0, 400.0)]).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(page.eval("visualViewport.scale").await, 1);
    let pinched = page.screenshot("phone-pinched").await;
    assert!(pinched.difference(&upright) > 0.05, "the board is larger");
    // A finger on the timeline scrubs.
    let mut scrubbed = false;
    for up in [24.0, 40.0, 56.0, 72.0, 88.0] {
        page.drag(&[(330.0, 844.0 - up)], &[(17.0, 844.0 - up)]).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        if status(&mut page).await["seq"].as_u64().unwrap() < game.seq {
            scrubbed = true;
            break;
        }
    }
    page.screenshot("phone-scrubbed").await;
    assert!(scrubbed, "no finger moved the timeline");
    page.resize(844, 390, 1.0, true).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    page.screenshot("phone-across").await;
}

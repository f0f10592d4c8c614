//! Watching a live match: found in the list, paused, rewound, with a broken connection and a killed server.

use std::time::Duration;

use serde_json::{Value, json};

use super::proxy::{Proxy, Rewrite};
use super::stage::Match;
use super::{READY, choose_the_first_match, scene, status};

/// Records the page's events in order, from the first one on.
const LISTEN: &str = "window.heard = {said: [], states: []}; \
    grandstand.addEventListener('log', (event) => { \
        if (event.detail.fresh) heard.said = []; \
        heard.said.push(...event.detail.lines.map((line) => line.text).filter((text) => text.includes(' says: '))); }); \
    grandstand.addEventListener('state', (event) => heard.states.push(event.detail.state)); true";

fn said(turns: std::ops::RangeInclusive<u64>) -> Value {
    json!(turns.map(|turn| format!("Black says: turn {turn}")).collect::<Vec<_>>())
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_live_match_is_watched_rewound_and_caught_up_with() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "The test match");
    for _ in 0..12 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    game.wait_until_recorded(&server);

    // The list, and from there by the keyboard into the match.
    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'matches'").await;
    page.eval(LISTEN).await;
    tokio::time::sleep(Duration::from_millis(700)).await;
    let list = page.screenshot("list").await;
    assert!(list.colours() > 30, "the list is drawn");
    choose_the_first_match(&mut page).await;
    page.wait_for(&format!("grandstand.status.state === 'live' && grandstand.seq === {}", game.seq)).await;
    page.wait_for(&format!("location.search.includes('match={}')", game.id)).await;
    page.wait_for("document.title.includes('The test match')").await;

    // New commands show at once, in the picture and in words.
    let before = page.screenshot("live").await;
    assert!(before.colours() > 30 && before.difference(&list) > 0.05, "the board is drawn");
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    page.wait_for("document.getElementById('log').innerText.includes('Black says: turn 13')").await;
    page.wait_for("document.getElementById('log').innerText.includes('Turn 13: Black C−1 to C0.')").await;

    // While paused, the match continues in the background.
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

    // Rewound to the start, the four commands of the set-up, and on command by command.
    page.press("Home", "Home", 36).await;
    page.wait_for("grandstand.seq === 4").await;
    page.press("ArrowRight", "ArrowRight", 39).await;
    page.wait_for("grandstand.seq === 5").await;
    let start = page.screenshot("rewound").await;
    assert!(start.difference(&before) > 0.001, "the rewound board looks different");

    // Back to the present with one key.
    page.press("l", "KeyL", 76).await;
    page.wait_for(&format!("grandstand.status.following && grandstand.seq === {}", game.seq)).await;
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;

    // The end is announced too.
    game.finish();
    page.wait_for("grandstand.status.state === 'finished'").await;
    page.wait_for("document.getElementById('log').lastElementChild.innerText.includes('wins by score')")
        .await;
    page.screenshot("finished").await;
    assert_eq!(page.console, Vec::<String>::new(), "nothing was complained of");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_cut_line_loses_no_command() {
    let (server, mut page, _one) = scene().await;
    let proxy = Proxy::before(server.http, Rewrite::none()).await;
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
#[ignore = "needs Chromium, and the page in the server"]
async fn a_killed_server_leaves_the_page_whole() {
    let (mut server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "Before the power cut");
    page.go(&server.url(&format!("?match={}", game.id))).await;
    page.wait_for("grandstand.status && grandstand.status.state === 'live'").await;
    page.eval("window.neverReloaded = true").await;
    for _ in 0..20 {
        game.turn();
    }
    game.wait_until_recorded(&server);
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    // The recorder is slightly behind the feed.
    tokio::time::sleep(Duration::from_millis(1500)).await;

    server.kill_and_restart(Duration::from_millis(500));
    page.wait_for("grandstand.status.state === 'interrupted'").await;
    assert_eq!(page.eval("window.neverReloaded").await, true);
    let shown = status(&mut page).await;
    assert_eq!((&shown["end"], &shown["seq"]), (&json!(game.seq), &json!(game.seq)));
    page.screenshot("interrupted").await;
    // It can be played from its first command.
    page.eval("grandstand.seek(1)").await;
    page.wait_for("grandstand.seq === 1").await;
    page.eval("grandstand.seek(40)").await;
    page.wait_for("grandstand.seq === 40 && document.getElementById('log').innerText.includes('turn 9')")
        .await;
}

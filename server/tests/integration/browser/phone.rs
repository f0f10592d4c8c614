//! Layout and gestures on a phone: pinch, pan, tap and scrub.

use std::time::{Duration, Instant};

use serde_json::json;

use super::chromium::{Page, Picture};
use super::stage::Match;
use super::{scene, status};

/// Waits until the page looks as expected; a slow machine may take long to draw.
async fn look(page: &mut Page, name: &str, expected: impl Fn(&Picture) -> bool) -> Picture {
    let began = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(250)).await;
        let picture = page.screenshot(name).await;
        if expected(&picture) {
            return picture;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{name}.png is not as it should be");
    }
}

fn drawn(picture: &Picture) -> bool {
    picture.colours() > 30
}

/// Taps, repeatedly if there is no effect: a page that draws less than once a second takes a tap for a long one.
async fn tap_until(page: &mut Page, (x, y): (f64, f64), expected: &str) {
    for _ in 0..6 {
        page.tap(x, y).await;
        for _ in 0..40 {
            if page.eval(expected).await == true {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    panic!("no tap led to {expected}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn upright_it_folds_and_fingers_do_what_they_do_elsewhere() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "On the tram");
    for _ in 0..30 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    game.wait_until_recorded(&server);
    // Three pixels per point, as on phones.
    page.resize(390, 844, 3.0, true).await;
    page.go(&server.url(&format!("?match={}", game.id))).await;
    page.wait_for(&format!("grandstand.status && grandstand.seq === {}", game.seq)).await;
    look(&mut page, "phone-sharp", drawn).await;
    assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await, true);
    let sizes = "['width', 'height'].map((side) => document.getElementById('picture')[side])";
    assert_eq!(page.eval(sizes).await, json!([1170, 2532]));

    // Paused by a tap, and back to the present by another.
    page.resize(390, 844, 1.0, true).await;
    page.go(&server.url(&format!("?match={}", game.id))).await;
    page.wait_for(&format!("grandstand.status && grandstand.seq === {}", game.seq)).await;
    look(&mut page, "phone", drawn).await;
    tap_until(&mut page, (103.0, 812.0), "!grandstand.status.playing").await;
    game.turn();
    page.wait_for(&format!("grandstand.status.end === {}", game.seq)).await;
    tap_until(&mut page, (340.0, 812.0), "grandstand.status.following").await;
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;

    // Finished and paused, so that only the fingers move anything.
    let id = game.id.clone();
    game.finish();
    page.wait_for("grandstand.status.state === 'finished'").await;
    page.go(&server.url(&format!("?match={id}&seq=60"))).await;
    page.wait_for("grandstand.status && grandstand.seq === 60").await;
    let upright = look(&mut page, "phone-still", drawn).await;

    // Spreading two fingers enlarges the board, and does not zoom the page.
    page.drag(&[(170.0, 300.0), (220.0, 300.0)], &[(90.0, 300.0), (300.0, 300.0)]).await;
    let pinched = look(&mut page, "phone-pinched", |picture| picture.difference(&upright) > 0.05).await;
    assert_eq!(page.eval("visualViewport.scale").await, 1);
    // One finger moves the board, and nothing else.
    page.drag(&[(195.0, 360.0)], &[(255.0, 280.0)]).await;
    look(&mut page, "phone-panned", |picture| picture.difference(&pinched) > 0.05).await;
    assert_eq!(status(&mut page).await["seq"], 60);
    // A double tap resets the view; a page that draws slowly takes it for two taps.
    let mut tries = 0;
    loop {
        page.tap(195.0, 330.0).await;
        page.tap(195.0, 330.0).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        if page.screenshot("phone-whole").await == upright {
            break;
        }
        tries += 1;
        assert!(tries < 20, "no double tap showed the whole board");
    }

    // The button at the top closes the panel that stands below the board, opens it, and closes it again.
    page.tap(300.0, 22.0).await;
    let closed = look(&mut page, "phone-closed", |picture| picture.difference(&upright) > 0.1).await;
    page.tap(300.0, 22.0).await;
    look(&mut page, "phone-sheet", |picture| picture.difference(&closed) > 0.1).await;
    page.tap(300.0, 22.0).await;
    look(&mut page, "phone-closed-again", |picture| picture.difference(&closed) < 0.01).await;

    // A finger on the timeline scrubs.
    page.drag(&[(370.0, 768.0)], &[(112.0, 768.0)]).await;
    page.wait_for("grandstand.seq < 20").await;
    look(&mut page, "phone-scrubbed", drawn).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn across_the_timeline_is_one_row() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "On the train");
    for _ in 0..30 {
        game.turn();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    game.wait_until_recorded(&server);
    let (id, end) = (game.id.clone(), game.seq);
    game.finish();
    for (width, height) in [(740, 360), (844, 390), (915, 412)] {
        page.resize(width, height, 1.0, true).await;
        page.go(&server.url(&format!("?match={id}&seq={end}"))).await;
        page.wait_for(&format!("grandstand.status && grandstand.seq === {end}")).await;
        look(&mut page, &format!("phone-across-{width}"), drawn).await;
        let (right, row) = (f64::from(width) - 200.0, f64::from(height) - 25.0);
        page.drag(&[(right, row)], &[(310.0, row)]).await;
        page.wait_for("grandstand.seq < 20").await;
    }
    // Turned upright, the page stays at its moment.
    let seq = status(&mut page).await["seq"].clone();
    page.resize(390, 844, 1.0, true).await;
    look(&mut page, "phone-turned", drawn).await;
    assert_eq!(status(&mut page).await["seq"], seq);
}

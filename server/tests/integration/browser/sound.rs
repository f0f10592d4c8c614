//! Sound in the page: no browser audio is used before the viewer turns it on, and events are played after that.

use std::time::Duration;

use serde_json::json;

use super::scene;
use super::stage::Match;

/// Records the use of the audio interface: each context, and each tone by its number of samples.
const LISTEN: &str = "window.heard = []; const Own = window.AudioContext; \
    window.AudioContext = class extends Own { \
        constructor(...options) { super(...options); heard.push('context'); } \
        createBufferSource() { \
            const source = super.createBufferSource(); \
            const start = source.start.bind(source); \
            source.start = (...when) => { heard.push(source.buffer.length); return start(...when); }; \
            return source; } };";
/// Longer than the interval in which repeated sounds of a kind are suppressed.
const APART: Duration = Duration::from_millis(400);
const TONES: &str = "heard.filter((one) => one !== 'context').length";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn tones_are_played_only_while_turned_on() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "To be heard");
    page.prepare(LISTEN).await;
    page.go(&server.url(&format!("?match={}", game.id))).await;
    page.wait_for("grandstand.status && grandstand.status.state === 'live'").await;
    game.turn();
    page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
    page.frames().await;
    assert_eq!(page.eval("heard").await, json!([]), "it is off, and the browser is asked for nothing");

    // Turned on by a key, which permits audio: a tone is played at once as a volume sample.
    page.press("z", "KeyZ", 90).await;
    page.wait_for(&format!("heard[0] === 'context' && {TONES} === 1")).await;
    assert!(page.eval("heard[1] > 1000").await == json!(true), "a tone has samples");
    for _ in 0..3 {
        let before = page.eval(TONES).await;
        // Moves in quick succession give a single tone.
        tokio::time::sleep(APART).await;
        game.turn();
        page.wait_for(&format!("{TONES} > {before}")).await;
    }
    assert_eq!(page.eval("heard.filter((one) => one === 'context').length").await, 1, "one context for all");

    page.press("z", "KeyZ", 90).await;
    page.frames().await;
    let before = page.eval(TONES).await;
    for _ in 0..3 {
        game.turn();
        page.wait_for(&format!("grandstand.seq === {}", game.seq)).await;
        page.frames().await;
    }
    assert_eq!(page.eval(TONES).await, before, "it is off again");
}

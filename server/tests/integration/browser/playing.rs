//! Playing in the page with the mouse alone: taking the seat, moving, refused moves, resigning.

use std::time::{Duration, Instant};

use grandstand_testing::Hosted;
use serde_json::{Value, json};

use super::chromium::{Area, Page};
use super::{READY, scene};
use crate::program::grandstand;

/// A match that serves itself.
fn begin(arguments: &[&str]) -> Hosted {
    let mut command = grandstand();
    command.arg("play").args(arguments).args(["--no-window", "--json"]);
    Hosted::launch(&mut command, "The match is at ")
}

/// The result that the match prints at its end.
fn result(mut game: Hosted) -> Value {
    serde_json::from_str(&game.output()).unwrap()
}

/// Opens the match, and finds the board by its background colours.
async fn find_board(page: &mut Page, url: &str, is_ground: fn([u8; 3]) -> bool) -> Area {
    page.go(url).await;
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'live'").await;
    board(page, is_ground).await
}

/// The board of the match that is shown.
async fn board(page: &mut Page, is_ground: fn([u8; 3]) -> bool) -> Area {
    let began = Instant::now();
    loop {
        tokio::time::sleep(Duration::from_millis(300)).await;
        if let Some(area) = page.screenshot("playing-found").await.area(is_ground)
            && area.width() > 200.0
            && area.height() > 200.0
        {
            return area;
        }
        assert!(began.elapsed() < Duration::from_secs(20), "no board in playing-found.png");
    }
}

/// Clicks at places along a line until an expression is true.
async fn click_along(page: &mut Page, places: impl IntoIterator<Item = (f64, f64)>, expected: &str) {
    for (x, y) in places {
        page.click(x, y).await;
        page.frames().await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        if page.eval(expected).await == true {
            return;
        }
    }
    page.screenshot("playing-failed").await;
    panic!("no click led to {expected}: {}", page.eval("grandstand.status").await);
}

/// Takes the seat by its button above the board; returns the height of the button's line.
async fn sit(page: &mut Page, board: &Area, team: &str) -> f64 {
    assert_eq!(page.eval("grandstand.status.seat").await, Value::Null);
    let mut line = board.top - 8.0;
    while page.eval("grandstand.status.seat").await == Value::Null {
        page.click(56.0, line).await;
        page.frames().await;
        tokio::time::sleep(Duration::from_millis(250)).await;
        line -= 8.0;
        assert!(line > board.top - 90.0, "no button for the seat above the board");
    }
    page.wait_for(&my_move(team)).await;
    line + 8.0
}

fn my_move(team: &str) -> String {
    format!("(grandstand.status.seat || '').startsWith('You play {team}: your move.')")
}

fn told(text: &str) -> String {
    format!("document.getElementById('log').innerText.includes('{text}')")
}

/// Resigns: clicks the button, and the confirmation that replaces it.
async fn resign(page: &mut Page, line: f64) {
    let places = (150..1000).step_by(24).map(|x| (f64::from(x), line));
    click_along(page, places, "grandstand.status.state === 'finished'").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn gomoku_is_played_by_clicking() {
    let (_server, mut page, _one) = scene().await;
    let played = begin(&["gomoku", "seat", "stupid"]);
    let wood = |[r, g, b]: [u8; 3]| r > 150 && r > g && g > b && r - b > 60 && g > 90;
    let before = find_board(&mut page, &played.url(), wood).await;
    let line = sit(&mut page, &before, "black").await;
    // Who plays has the board alone.
    let board = board(&mut page, wood).await;
    assert!(board.centre().0 > before.centre().0 + 100.0);

    // The first stone must be at the centre; a click beside it is refused with that reason.
    let (middle, step) = (board.centre(), board.height() / 17.0);
    page.click(middle.0 + 3.0 * step, middle.1).await;
    page.wait_for("(grandstand.status.seat || '').includes('centre')").await;
    page.screenshot("playing-refused").await;
    assert_eq!(page.eval(&told("Black ")).await, false);
    page.click(middle.0, middle.1).await;
    page.wait_for(&told("Black h8.")).await;
    page.wait_for(&told("White ")).await;
    page.wait_for(&my_move("black")).await;
    assert_eq!(page.eval("grandstand.status.seat").await, "You play black: your move.");
    // A corner is free whatever the opponent does.
    page.click(
        middle.0 - 7.0 * (board.width() - 40.0) / 15.24,
        middle.1 + 7.0 * (board.height() - 40.0) / 15.24,
    )
    .await;
    page.wait_for(&told("Black a1.")).await;
    page.wait_for(&my_move("black")).await;
    page.screenshot("playing-gomoku").await;
    resign(&mut page, line).await;
    let result = result(played);
    assert_eq!(
        (&result["outcome"], &result["termination"]),
        (&json!("white"), &json!("resigned")),
        "{result}"
    );
    assert_eq!(page.eval("grandstand.status.seat").await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn riskless_is_played_by_clicking_from_and_to() {
    let (_server, mut page, _one) = scene().await;
    let played = begin(&["riskless", "seat", "random", "--map", "islands", "--seed", "1"]);
    let sea = |[r, g, b]: [u8; 3]| (0xb5..0xd4).contains(&r) && g > r && b > g && b < 0xf0;
    let before = find_board(&mut page, &played.url(), sea).await;
    let line = sit(&mut page, &before, "maxie").await;
    let map = board(&mut page, sea).await;
    page.screenshot("playing-islands").await;

    // A territory on the board, by its place in the map's file: the land lies around the middle and keeps its proportions.
    let at = |x: f64, y: f64| {
        let ((left, top), height) = (map.centre(), map.height());
        (left + (x - 511.0) * height * 1.148e-3, top + (y - 483.0) * height * 0.603e-3)
    };
    let (north_cape, gull_rock) = (at(480.0, 110.0), at(140.0, 160.0));
    let (old_harbour, windward) = (at(460.0, 800.0), at(830.0, 860.0));
    page.click(north_cape.0, north_cape.1).await;
    page.frames().await;
    page.click(gull_rock.0, gull_rock.1).await;
    page.wait_for(&told("Maxie: North Cape to Gull Rock.")).await;
    page.wait_for(&told("Minnie: ")).await;
    page.wait_for(&my_move("maxie")).await;
    page.click(old_harbour.0, old_harbour.1).await;
    page.frames().await;
    page.click(windward.0, windward.1).await;
    page.wait_for(&told("Maxie: Old Harbour to Windward.")).await;
    page.wait_for(&my_move("maxie")).await;
    page.screenshot("playing-riskless").await;
    resign(&mut page, line).await;
    let result = result(played);
    assert_eq!(
        (&result["outcome"], &result["termination"]),
        (&json!("minnie"), &json!("resigned")),
        "{result}"
    );
}

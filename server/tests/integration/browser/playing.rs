//! Playing in the page with the mouse alone: taking the seat, moving, refused moves, resigning.

use std::time::{Duration, Instant};

use grandstand_testing::Hosted;
use serde_json::{Value, json};

use super::chromium::{Area, Page};
use super::{READY, focus, scene, status};
use crate::program::grandstand;

/// A match that serves itself, and prints its result.
fn begin(arguments: &[&str]) -> Hosted {
    host(&[arguments, &["--json"]].concat())
}

/// A match that serves itself.
fn host(arguments: &[&str]) -> Hosted {
    let mut command = grandstand();
    command.arg("play").args(arguments).arg("--no-window");
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

/// Whether the board is where it was.
fn is_same(one: &Area, other: &Area) -> bool {
    let ((x, y), (u, v)) = (one.centre(), other.centre());
    let apart = (x - u).abs().max((y - v).abs());
    apart.max((one.width() - other.width()).abs()).max((one.height() - other.height()).abs()) < 3.0
}

/// Where a point of a board of 15 by 15 points lies, counted from a1: within the wood, right of the strip with the names of rows
/// and above that with the names of columns.
fn point(wood: &Area, column: f64, row: f64) -> (f64, f64) {
    let ((x, y), side) = (wood.centre(), wood.height());
    let names = f64::min(24.0, 0.06 * side);
    let step = (side - names) / 15.24;
    (x + names / 2.0 + (column - 7.0) * step, y - names / 2.0 - (row - 7.0) * step)
}

/// Takes the seat by the button of the call.
async fn sit(page: &mut Page, team: &str) {
    assert_eq!(page.eval("grandstand.status.seat").await, Value::Null);
    focus(page, &format!("Play {team}")).await;
    page.press("Enter", "Enter", 13).await;
    page.wait_for(&my_move(team)).await;
}

fn my_move(team: &str) -> String {
    format!("(grandstand.status.seat || '').startsWith('You play {team}: your move.')")
}

fn told(text: &str) -> String {
    format!("document.getElementById('log').innerText.includes('{text}')")
}

/// Resigns: clicks the button at the right of the line above the board, and the confirmation that is right of it then. Both again if
/// the page was not ready for them: a click at the first place never resigns.
async fn resign(page: &mut Page) {
    for _ in 0..5 {
        for x in [725.0, 822.0] {
            page.click(x, 135.0).await;
            page.frames().await;
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        for _ in 0..10 {
            if status(page).await["state"] == "finished" {
                return;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }
    panic!("the match goes on: {}", status(page).await);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn gomoku_is_played_by_clicking() {
    let (_server, mut page, _one) = scene().await;
    let played = begin(&["gomoku", "seat", "stupid"]);
    let wood = |[r, g, b]: [u8; 3]| r > 150 && r > g && g > b && r - b > 60 && g > 90;
    let before = find_board(&mut page, &played.url(), wood).await;
    sit(&mut page, "black").await;
    let board = board(&mut page, wood).await;
    assert!(is_same(&board, &before), "the board moved from {before:?} to {board:?}");

    // The first stone must be at the centre; a click beside it is refused with that reason.
    let (x, y) = point(&board, 10.0, 7.0);
    page.click(x, y).await;
    page.wait_for("(grandstand.status.seat || '').includes('centre')").await;
    page.screenshot("playing-refused").await;
    assert_eq!(page.eval(&told("Black ")).await, false);
    let (x, y) = point(&board, 7.0, 7.0);
    page.click(x, y).await;
    page.wait_for(&told("Black h8.")).await;
    page.wait_for(&told("White ")).await;
    page.wait_for(&my_move("black")).await;
    assert_eq!(page.eval("grandstand.status.seat").await, "You play black: your move.");
    // A corner is free whatever the opponent does.
    let (x, y) = point(&board, 0.0, 0.0);
    page.click(x, y).await;
    page.wait_for(&told("Black a1.")).await;
    page.wait_for(&my_move("black")).await;
    page.screenshot("playing-gomoku").await;
    resign(&mut page).await;
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
    // Greener than the panel's scroll bar, and less blue than buttons and tabs that are on.
    let sea = |[r, g, b]: [u8; 3]| (0xb5..0xd4).contains(&r) && g > r + 0x10 && b > g && b - g < 0x12;
    find_board(&mut page, &played.url(), sea).await;
    sit(&mut page, "red").await;
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
    page.wait_for(&told("Red: North Cape to Gull Rock.")).await;
    page.wait_for(&told("Blue: ")).await;
    page.wait_for(&my_move("red")).await;
    page.click(old_harbour.0, old_harbour.1).await;
    page.frames().await;
    page.click(windward.0, windward.1).await;
    page.wait_for(&told("Red: Old Harbour to Windward.")).await;
    page.wait_for(&my_move("red")).await;
    page.screenshot("playing-riskless").await;
    resign(&mut page).await;
    let result = result(played);
    assert_eq!(
        (&result["outcome"], &result["termination"]),
        (&json!("minnie"), &json!("resigned")),
        "{result}"
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn on_a_phone_a_finger_aims_and_confirms() {
    let (_server, mut page, _one) = scene().await;
    let played = begin(&["gomoku", "seat", "stupid"]);
    page.resize(390, 844, 1.0, true).await;
    page.call("Emulation.setCPUThrottlingRate", json!({"rate": 2})).await;
    let wood = |[r, g, b]: [u8; 3]| r > 150 && r > g && g > b && r - b > 60 && g > 90;
    let before = find_board(&mut page, &played.url(), wood).await;
    // The call to take a seat stands above the board, its button at the left.
    let (left, top) = (before.centre().0 - before.width() / 2.0, before.centre().1 - before.height() / 2.0);
    for step in (0..12).cycle().take(48) {
        // A finger that is gone at once, as on a slow page.
        page.tap(left + 40.0, top - 8.0 * f64::from(step)).await;
        page.frames().await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        if page.eval("grandstand.status.seat !== null").await == true {
            break;
        }
    }
    page.wait_for(&my_move("black")).await;
    let board = board(&mut page, wood).await;
    assert!(is_same(&board, &before), "the board moved from {before:?} to {board:?}");
    page.screenshot("playing-phone").await;
    let (x, y) = point(&board, 7.0, 7.0);
    // The first tap shows where the stone would be; it is not made by itself.
    page.tap(x, y).await;
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(page.eval(&told("Black ")).await, false);
    page.screenshot("playing-phone-aimed").await;
    page.tap(x, y).await;
    page.wait_for(&told("Black h8.")).await;
    page.wait_for(&my_move("black")).await;
    page.screenshot("playing-phone-moved").await;
    drop(played);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_rematch_and_a_new_game_follow_in_the_same_page() {
    let (_server, mut page, _one) = scene().await;
    let played = host(&["gomoku", "seat", "stupid", "--rematches"]);
    let wood = |[r, g, b]: [u8; 3]| r > 150 && r > g && g > b && r - b > 60 && g > 90;
    let before = find_board(&mut page, &played.url(), wood).await;
    sit(&mut page, "black").await;
    for name in ["Resign", "Yes, resign"] {
        focus(&mut page, name).await;
        page.press("Enter", "Enter", 13).await;
        page.frames().await;
    }
    page.wait_for("grandstand.status.state === 'finished'").await;
    page.screenshot("playing-over").await;
    focus(&mut page, "Rematch").await;
    page.press("Enter", "Enter", 13).await;
    page.wait_for("(grandstand.status.seat || '').startsWith('You play white')").await;
    page.wait_for(&my_move("white")).await;
    let board = board(&mut page, wood).await;
    assert!(is_same(&board, &before), "the board moved from {before:?} to {board:?}");
    for name in ["Resign", "Yes, resign"] {
        focus(&mut page, name).await;
        page.press("Enter", "Enter", 13).await;
        page.frames().await;
    }
    page.wait_for("grandstand.status.state === 'finished'").await;
    for name in ["New game", "19×19", "Start"] {
        focus(&mut page, name).await;
        page.press("Enter", "Enter", 13).await;
        page.frames().await;
    }
    page.wait_for("grandstand.status.identity.includes('19×19')").await;
    page.wait_for("(grandstand.status.seat || '').startsWith('You play ')").await;
    page.screenshot("playing-new-game").await;
    drop(played);
}

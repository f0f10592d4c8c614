//! The web spectator in a real browser, by what a person would do with it.
//!
//! Needs Chromium, and a server into which the page is built (`cargo xtask web` before `cargo test`). Where one of them is
//! missing, the tests say so and pass; with `GRANDSTAND_REQUIRE_BROWSER` set, as in CI, they fail instead. What the
//! browser showed is kept as pictures in `tmp/browser` of the target directory.

#![expect(clippy::print_stderr, reason = "a test says what it leaves out")]

mod chromium;
mod embedding;
mod exporting;
mod long;
mod opening;
mod phone;
mod playing;
mod proxy;
mod secure;
mod sound;
mod stage;
mod trouble;
mod watching;

use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Mutex, MutexGuard};

use chromium::Page;
use stage::{Certificate, Server};

/// Browsers are heavy: one at a time.
static ONE: Mutex<()> = Mutex::const_new(());

/// A server and a browser, or the reason for leaving the test out.
async fn scene() -> Option<(Server, Page, MutexGuard<'static, ()>)> {
    let one = ONE.lock().await;
    set_up(Server::start(), one).await
}

/// A server that speaks https, and a browser that trusts it.
async fn secure_scene() -> Option<(Server, Page, MutexGuard<'static, ()>)> {
    let one = ONE.lock().await;
    set_up(Server::start_encrypted(Certificate::make()), one).await
}

async fn set_up(
    server: Server,
    one: MutexGuard<'static, ()>,
) -> Option<(Server, Page, MutexGuard<'static, ()>)> {
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

async fn status(page: &mut Page) -> Value {
    page.eval("grandstand.status").await
}

/// Opens the first match of the list with the keyboard.
async fn choose_the_first_match(page: &mut Page) {
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'matches'").await;
    // The list is asked for as soon as it is shown.
    tokio::time::sleep(Duration::from_millis(700)).await;
    // First come the four buttons of the bar, the field for an address and its button, and the two of the wall.
    for stop in 1..16 {
        page.press("Tab", "Tab", 9).await;
        page.frames().await;
        if stop > 8 {
            page.press("Enter", "Enter", 13).await;
            page.frames().await;
        }
        if status(page).await["state"] != "matches" {
            return;
        }
    }
}

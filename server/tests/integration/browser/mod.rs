//! The web spectator in a real browser, by the actions of a person.
//!
//! Needs Chromium (`GRANDSTAND_CHROMIUM` names another than the installed one), and a server with the page built in
//! (`cargo xtask web` before): `cargo test --test integration browser -- --ignored`. Screenshots are kept in
//! `tmp/browser` of the target directory.

mod accessible;
mod chromium;
mod embedding;
mod exporting;
mod long;
mod opening;
mod phone;
mod playing;
mod program;
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

/// One browser at a time, since they are heavy.
static ONE: Mutex<()> = Mutex::const_new(());

/// A server and a browser.
async fn scene() -> (Server, Page, MutexGuard<'static, ()>) {
    set_up(Server::start()).await
}

/// A server that speaks https, and a browser that trusts it.
async fn secure_scene() -> (Server, Page, MutexGuard<'static, ()>) {
    set_up(Server::start_encrypted(Certificate::make())).await
}

async fn set_up(server: Server) -> (Server, Page, MutexGuard<'static, ()>) {
    let one = ONE.lock().await;
    assert!(server.has_page(), "the page is not built into the server: cargo xtask web, then build again");
    (server, Page::open().await, one)
}

const READY: &str = "document.body.dataset.state === 'ready'";

async fn status(page: &mut Page) -> Value {
    page.eval("grandstand.status").await
}

/// Opens the first match of the list with the keyboard.
async fn choose_the_first_match(page: &mut Page) {
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'matches'").await;
    // The list is requested as soon as it is shown.
    tokio::time::sleep(Duration::from_millis(700)).await;
    // First the four buttons of the bar, the address field and its button, and the two of the wall.
    for stop in 1..16 {
        page.press("Tab", "Tab", 9).await;
        page.frames().await;
        if stop == 1 {
            // The focused item of the canvas is announced beside it, and every text field has a label.
            page.wait_for("document.getElementById('focus').textContent !== ''").await;
            page.wait_for("!document.querySelector('input:not([aria-label])')").await;
        }
        if stop > 8 {
            page.press("Enter", "Enter", 13).await;
            page.frames().await;
        }
        if status(page).await["state"] != "matches" {
            return;
        }
    }
}

/// Goes forwards through what can have the focus until it is called so.
async fn focus(page: &mut Page, name: &str) {
    go_to(page, name, false).await;
}

/// Goes backwards through it.
async fn focus_back(page: &mut Page, name: &str) {
    go_to(page, name, true).await;
}

async fn go_to(page: &mut Page, name: &str, back: bool) {
    let mut names = Vec::new();
    for _ in 0..90 {
        page.tab(back).await;
        page.frames().await;
        let focus = page.eval("document.getElementById('focus').textContent").await;
        let focus = focus.as_str().unwrap().to_owned();
        if focus.contains(name) {
            return;
        }
        names.push(focus);
    }
    panic!("nothing is called {name}: {names:?}");
}

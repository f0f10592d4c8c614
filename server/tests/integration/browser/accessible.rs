//! What the page is without eyes and without a mouse: names of all that can have the focus, and Tab through an embedded page.

use serde_json::{Value, json};

use super::chromium::Page;
use super::embedding::lecture;
use super::stage::Match;
use super::{READY, choose_the_first_match, scene};

/// What a screen reader can lead the focus to, or type into, and has no name.
async fn nameless(page: &mut Page) -> Vec<Value> {
    page.call("Accessibility.enable", json!({})).await;
    let tree = page.call("Accessibility.getFullAXTree", json!({})).await;
    let nodes = tree["nodes"].as_array().expect("nodes");
    let is_field = |node: &Value| {
        matches!(node["role"]["value"].as_str(), Some("textbox" | "searchbox" | "combobox" | "spinbutton"))
    };
    let is_focusable = |node: &Value| {
        node["properties"].as_array().is_some_and(|properties| {
            properties
                .iter()
                .any(|property| property["name"] == "focusable" && property["value"]["value"] == true)
        })
    };
    assert!(nodes.iter().any(is_field), "the field that takes letters is in the tree: {nodes:?}");
    // The marks before and after the picture are read by their text.
    let is_nameless = |node: &&Value| {
        node["ignored"] != true
            && node["role"]["value"] != "generic"
            && (is_field(node) || is_focusable(node))
            && node["name"]["value"].as_str().is_none_or(|name| name.trim().is_empty())
    };
    nodes.iter().filter(is_nameless).cloned().collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn everything_that_can_have_the_focus_has_a_name() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "Heard");
    game.turn();
    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    page.wait_for("grandstand.status.state === 'matches'").await;
    assert_eq!(nameless(&mut page).await, Vec::<Value>::new());
    choose_the_first_match(&mut page).await;
    page.wait_for("grandstand.status.state === 'live'").await;
    assert_eq!(nameless(&mut page).await, Vec::<Value>::new());
    // The dialog with the most fields.
    page.press("e", "KeyE", 69).await;
    page.frames().await;
    assert_eq!(nameless(&mut page).await, Vec::<Value>::new());
}

/// The id of what has the focus in the outer page.
async fn outer_focus(page: &mut Page) -> String {
    let id = page.eval("document.activeElement.id || document.activeElement.tagName").await;
    id.as_str().unwrap_or_default().to_owned()
}

/// Presses Tab until the focus is there; how often.
async fn tab_to(page: &mut Page, id: &str, back: bool) -> usize {
    for presses in 1..90 {
        page.tab(back).await;
        page.frames().await;
        if outer_focus(page).await == id {
            return presses;
        }
    }
    panic!("Tab leads to no {id}, but stays at {}", outer_focus(page).await);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn tab_goes_through_an_embedded_page_and_out_of_it_again() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "In a course page");
    for _ in 0..5 {
        game.turn();
    }
    let frame = server.url(&format!("?embed=1&match={}", game.id));
    let html = format!(
        "<!doctype html><a id=first href='#1'>Before</a><iframe id=frame src=\"{frame}\" width=700 height=520></iframe><a id=last href='#2'>After</a>"
    );
    page.go(&lecture(html).await).await;
    page.eval("window.told = []; addEventListener('message', (event) => { if (event.data.grandstand === 1) told.push(event.data); })").await;
    page.wait_for(
        "document.querySelector('iframe').contentWindow.postMessage({grandstand: 1, id: 1, call: 'listen'}, '*'), \
         told.some((message) => message.id === 1 && message.result && message.result.state === 'live')",
    )
    .await;
    page.eval("document.getElementById('first').focus()").await;
    // Into the frame, through its controls, and on to what comes after it; then all the way back.
    assert_eq!(tab_to(&mut page, "frame", false).await, 1);
    let controls = tab_to(&mut page, "last", false).await;
    assert!(controls > 5, "the frame's controls were gone through: {controls}");
    assert_eq!(tab_to(&mut page, "frame", true).await, 1);
    let controls = tab_to(&mut page, "first", true).await;
    assert!(controls > 5, "and back: {controls}");
}

//! The *Program* panel in the page: the machine in its worker, recordings dropped and fetched, and what goes wrong with either.

use std::path::Path;

use grandstand_testing::{Folder, Serve};
use serde_json::{Value, json};

use super::chromium::Page;
use super::proxy::{Proxy, Rewrite};
use super::{READY, focus, focus_back, scene};
use crate::program::grandstand;

const ID: &str = "01JQ0000000000000000000000";
const TOKEN: &str = "team-9f3a51c7e0d24b68";

/// Keeps what workers tell in `told`: answers as objects, and why there are none any more.
const LISTEN: &str = "window.told = []; const Plain = Worker;
    window.Worker = class extends Plain {
        constructor(...all) {
            super(...all);
            this.addEventListener('message', ({ data }) => told.push(typeof data === 'string' ? JSON.parse(data) : data));
            this.addEventListener('error', () => told.push({ broken: 'no worker' }));
        }
    };";
/// How many files of the panel have been fetched.
const FETCHED: &str =
    "performance.getEntriesByType('resource').filter(({ name }) => /(insight|program)-/.test(name)).length";
/// The views of a bot that have been told.
const VIEWS: &str =
    "told.map(({ answer }) => answer && (answer.found || answer)).filter((view) => view && view.calls)";

/// A match of the shipped teams, with both programs and what their bots asked for.
fn record(to: &Path) {
    let play = ["play", "abalone", "team", "simple_bot", "--seed", "7", "--record"];
    let status = grandstand().args(play).arg(to).output().unwrap().status;
    assert!(status.success(), "{status}");
}

async fn open_panel(page: &mut Page) {
    page.press("5", "Digit5", 53).await;
    page.frames().await;
}

/// The line and the file of the last view that was told.
async fn last_place(page: &mut Page) -> Value {
    page.eval(&format!("(({{ file, line }}) => [file, line])({VIEWS}.at(-1).calls[0].place)")).await
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_step_in_a_dropped_recording_moves_the_line_and_the_board() {
    let (server, mut page, _one) = scene().await;
    let folder = Folder::new();
    let file = folder.join("match.replay");
    record(&file);
    page.prepare(LISTEN).await;
    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    page.drop_file(&file, (400.0, 300.0)).await;
    page.wait_for("grandstand.status.state === 'finished'").await;
    page.eval("grandstand.seek(0)").await;
    page.wait_for("grandstand.seq === 0").await;
    assert_eq!(page.eval(FETCHED).await, json!(0), "the machine is no part of the first load");

    open_panel(&mut page).await;
    page.wait_for(&format!("{VIEWS}.length > 0")).await;
    // The script of the worker, the glue and the module: a worker's own are not in the page's list.
    page.wait_for(&format!("{FETCHED} > 0")).await;
    page.wait_for("told.some(({ answer }) => answer && answer.cycles > 0)").await;
    assert_eq!(last_place(&mut page).await[0], "team.cl");
    let first = last_place(&mut page).await;
    page.frames().await;
    let before = page.screenshot("program-first").await;
    focus(&mut page, "Forward by line").await;
    page.press("Enter", "Enter", 13).await;
    page.wait_for(&format!("{VIEWS}.at(-1).calls[0].place.line !== {}", first[1])).await;
    page.frames().await;
    let after = page.screenshot("program-stepped").await;
    let share = after.difference(&before);
    assert!(share > 0.0005, "another line is lit: {share}");

    focus(&mut page, "turn").await;
    page.press("Enter", "Enter", 13).await;
    focus_back(&mut page, "Forward by turn").await;
    page.press("Enter", "Enter", 13).await;
    page.wait_for(&format!("{VIEWS}.at(-1).cycle === 1999")).await;
    page.wait_for(&format!("grandstand.seq === {VIEWS}.at(-1).seq")).await;
    assert!(page.eval("grandstand.seq").await.as_u64() > Some(0), "the board went along");
    // And where the board goes, the line follows.
    let end = page.eval("grandstand.status.end").await;
    page.eval(&format!("grandstand.seek({end})")).await;
    page.wait_for(&format!("grandstand.seq === {end}")).await;
    page.wait_for(&format!("told.some(({{ answer, error }}) => error || (answer && answer.seq === {end}))"))
        .await;
    assert_eq!(page.console, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn an_owners_token_opens_the_program_of_a_match_on_a_server() {
    let (_server, mut page, _one) = scene().await;
    let data = Folder::new();
    record(&data.join(&format!("{ID}.replay")));
    let owners = data.file("owners.txt", format!("team {TOKEN}\n"));
    let mut command = grandstand();
    command.args(["serve", "--legacy", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data"]).arg(data.path());
    let server = Serve::launch(command.arg("--owners").arg(owners));
    page.prepare(LISTEN).await;
    page.go(&format!("http://{}/?match={ID}&seq=5", server.http)).await;
    page.wait_for("grandstand.status && grandstand.seq === 5").await;
    open_panel(&mut page).await;
    page.wait_for("told.some(({ error }) => /has no source of black's program/.test(error))").await;
    for (token, answered) in [
        (
            "nobody-9f3a51c7e0d24b68",
            "told.some(({ broken }) => /no owner of a program has this token/.test(broken))",
        ),
        (TOKEN, "told.some(({ answer }) => answer && answer.sides)"),
    ] {
        focus(&mut page, "Owner's token").await;
        page.call("Input.insertText", json!({"text": token})).await;
        page.frames().await;
        page.screenshot(&format!("program-owner-{}", &token[..4])).await;
        page.press("Enter", "Enter", 13).await;
        page.wait_for(answered).await;
    }
    let files = page
        .eval(
            "told.find(({ answer }) => answer && answer.sides).answer.sides.map(({ files }) => files.length)",
        )
        .await;
    assert!(
        files[0].as_u64().unwrap() > 0 && files[1] == json!(0),
        "{files}: the other side's stays on the server"
    );
    page.wait_for(&format!("{VIEWS}.length > 0")).await;
    assert_eq!(last_place(&mut page).await[0], "team.cl");
    page.frames().await;
    page.screenshot("program-owner").await;
    let address = page.eval("location.href + JSON.stringify({...localStorage, ...sessionStorage})").await;
    assert!(!address.as_str().unwrap().contains(TOKEN), "a token is stored nowhere: {address}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_worker_that_is_missing_ends_the_panel_alone() {
    let (server, mut page, _one) = scene().await;
    let folder = Folder::new();
    let file = folder.join("match.replay");
    record(&file);
    page.prepare(LISTEN).await;
    for (name, from, to, words) in [
        ("script", "GET /program-", "GET /nothing-", "no worker"),
        ("module", "GET /insight-", "GET /nothing-", "could not be loaded"),
    ] {
        let proxy = Proxy::before(server.http, Rewrite::from_browser(&[(from, to)])).await;
        page.go(&format!("http://{}/", proxy.address)).await;
        page.wait_for(READY).await;
        page.drop_file(&file, (400.0, 300.0)).await;
        page.wait_for("grandstand.status.state === 'finished'").await;
        open_panel(&mut page).await;
        page.wait_for(&format!("told.some(({{ broken }}) => broken && broken.includes('{words}'))")).await;
        // The panel says so, and offers another attempt; the match goes on.
        focus(&mut page, "Try again").await;
        page.screenshot(&format!("program-no-{name}")).await;
        page.eval("grandstand.seek(3)").await;
        page.wait_for("grandstand.seq === 3").await;
    }
}

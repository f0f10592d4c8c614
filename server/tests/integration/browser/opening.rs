//! Links to a match, to a moment and to a recording; and recordings dropped on the page.

use std::time::Duration;

use serde_json::{Value, json};

use super::proxy::{Proxy, Rewrite};
use super::stage::Match;
use super::{READY, scene, status};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn replays_and_moments_open_by_address_also_beneath_a_path() {
    let (server, mut page, _one) = scene().await;
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
    page.go(&server.url(&format!("?match={id}&seq=17"))).await;
    page.wait_for("grandstand.status && grandstand.seq === 17").await;
    assert_eq!(status(&mut page).await["playing"], false);
    page.wait_for("performance.getEntriesByName('grandstand-picture').length === 1").await;
    let first_picture = page.eval("performance.getEntriesByName('grandstand-picture')[0].startTime").await;
    eprintln!("first picture after {:.0} ms", first_picture.as_f64().unwrap());
    page.screenshot("moment").await;

    // The address of a recording, as it is and percent-encoded.
    let file = server.url(&format!("api/matches/{id}/replay"));
    for address in
        [file.clone(), file.replace(':', "%3A").replace('/', "%2F"), format!("api/matches/{id}/replay")]
    {
        page.go(&server.url(&format!("?replay={address}&seq=5"))).await;
        page.wait_for(&format!(
            "grandstand.status && grandstand.status.end === {end} && grandstand.seq === 5"
        ))
        .await;
        assert_eq!(status(&mut page).await["state"], "finished", "{address}");
        assert_eq!(status(&mut page).await["source"], json!({"replay": file}), "{address}");
    }

    // With bookmarks in the link, which stay in the address.
    page.go(&server.url(&format!("?match={id}&seq=5&marks=5:set+up,9:a%5C,b"))).await;
    page.wait_for("grandstand.status && grandstand.seq === 5").await;
    assert_eq!(status(&mut page).await["marks"], json!("5:set up,9:a\\,b"));
    page.wait_for("new URLSearchParams(location.search).get('marks') === '5:set up,9:a\\\\,b'").await;

    // The same behind a reverse proxy with a path prefix.
    let proxy = Proxy::before(server.http, Rewrite::from_browser(&[(" /club/arena/", " /")])).await;
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
#[ignore = "needs Chromium, and the page in the server"]
async fn a_recording_dropped_on_the_page_is_opened_from_the_disk() {
    let (server, mut page, _one) = scene().await;
    let files = tempfile::tempdir().unwrap();
    let good = files.path().join("kept.replay");
    let mut text = r#"{"grandstand":1,"game":"abalone","title":"From the disk","teams":[]}"#.to_owned();
    for turn in 1..=50 {
        text += &format!("\n[0.1,\"c\",\"turns {turn}\"]");
    }
    std::fs::write(&good, text + "\n").unwrap();
    let letter = files.path().join("letter.txt");
    std::fs::write(&letter, "Dear reader,\n").unwrap();
    // A sparse file: its length is large, but no data is on the disk.
    let huge = files.path().join("huge.replay");
    std::fs::File::create(&huge).unwrap().set_len(2 << 30).unwrap();

    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    let before = page.screenshot("drop-before").await;
    page.drag_file(&good, (400.0, 300.0)).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let sign = page.screenshot("drop-sign").await;
    assert!(sign.difference(&before) > 0.05, "a sign says that it may be dropped");
    page.drop_file(&good, (400.0, 300.0)).await;
    page.wait_for("grandstand.status.state === 'finished' || grandstand.status.state === 'interrupted'")
        .await;
    let shown = status(&mut page).await;
    assert_eq!((&shown["source"], &shown["end"]), (&json!({"file": "kept.replay"}), &json!(50)));
    page.wait_for("document.title.includes('From the disk')").await;
    assert_eq!(page.eval("location.search").await, "", "a file of this machine is no address for others");

    let problem = "grandstand.status.state === 'failed' && grandstand.status.problem";
    for (file, words) in [(&huge, "grandstand watch FILE"), (&letter, "it begins with `Dear reader,`")] {
        page.drop_file(file, (640.0, 400.0)).await;
        let name = file.file_name().unwrap().to_str().unwrap();
        page.wait_for(&format!("(({problem}) || '').includes('{name}')")).await;
        let told = page.eval(problem).await;
        assert!(told.as_str().unwrap().contains(words), "{told}");
    }
    page.screenshot("drop-refused").await;
    // The same by the page's JavaScript interface.
    let told = page
        .eval("grandstand.load({file: new File(['hello'], 'note.txt')}).then(() => 'opened', String)")
        .await;
    assert!(told.as_str().unwrap().contains("note.txt"), "{told}");
    // The error disappears as soon as a valid file is opened.
    page.drop_file(&good, (640.0, 400.0)).await;
    page.wait_for("grandstand.status.end === 50 && grandstand.status.problem === null").await;
    assert_eq!(page.console, Vec::<String>::new());
}

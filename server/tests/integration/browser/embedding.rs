//! The page in a frame of another page.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::scene;
use super::stage::Match;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn another_page_drives_the_embedded_one() {
    let (server, mut page, _one) = scene().await;
    let mut game = Match::begin(&server, "In a course page");
    for _ in 0..10 {
        game.turn();
    }
    game.wait_until_recorded(&server);
    let frame = server.url(&format!("?embed=1&match={}", game.id));
    let html =
        format!("<!doctype html><h1>Lecture 7</h1><iframe src=\"{frame}\" width=700 height=520></iframe>");
    page.go(&lecture(html).await).await;
    page.eval(
        "window.told = []; addEventListener('message', (event) => { if (event.data.grandstand === 1) told.push(event.data); }); \
         window.send = (id, call, argument) => document.querySelector('iframe').contentWindow.postMessage({grandstand: 1, id, call, argument}, '*'); \
         window.answer = (id) => told.findLast((message) => message.id === id);",
    )
    .await;
    // The frame answers once it is loaded.
    page.wait_for("send(1, 'listen'), answer(1) !== undefined && answer(1).result.state === 'live'").await;
    page.eval("send(2, 'seek', 14)").await;
    page.wait_for(
        "answer(2) && told.some((message) => message.event === 'seq' && message.detail.seq === 14)",
    )
    .await;
    page.screenshot("embedded").await;
    page.eval("send(3, 'explode'); send(4, 'seek', -1); send(5, 'load', {match: 'nobody'})").await;
    page.wait_for("answer(3) && answer(3).error.includes('no call')").await;
    page.wait_for("answer(4) && answer(4).error.includes('whole number')").await;
    page.wait_for("answer(5) && answer(5).error.includes('No such match')").await;
    // Another page can't show the match by itself: neither by a websocket, nor in a frame that is not for embedding.
    let refused = format!(
        "new Promise((done) => {{ const socket = new WebSocket('ws://{}/api/matches/{}/live'); \
         socket.onopen = () => done(false); socket.onerror = () => done(true); }})",
        server.http, game.id
    );
    assert_eq!(page.eval(&refused).await, true);
    let whole = server.url(&format!("?match={}", game.id));
    page.eval(&format!("document.querySelector('iframe').src = '{whole}'")).await;
    let began = std::time::Instant::now();
    while !page.console.iter().any(|line| line.contains("frame-ancestors")) {
        assert!(began.elapsed().as_secs() < 30, "nothing was said of the frame: {:?}", page.console);
        page.eval("send(6, 'listen')").await;
    }
    page.eval("told.length = 0, send(7, 'listen')").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(page.eval("told").await, serde_json::json!([]));
}

/// The address of another server, which has this page.
pub(super) async fn lecture(html: String) -> String {
    // Another port is another origin.
    let elsewhere = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = elsewhere.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = elsewhere.accept().await {
            // A browser may open a connection long before it sends a request.
            tokio::spawn(serve(stream, html.clone()));
        }
    });
    format!("http://{address}/")
}

/// Answers a request with a page.
async fn serve(mut stream: TcpStream, html: String) {
    let mut head = [0; 4096];
    if !matches!(stream.read(&mut head).await, Ok(1..)) {
        return;
    }
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{html}",
        html.len()
    );
    // A browser that has disconnected needs no response.
    let _ = stream.write_all(answer.as_bytes()).await;
}

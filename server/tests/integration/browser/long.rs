//! A recording of a million commands: opening, playing and seeking without blocking the page.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{READY, scene};

const COMMANDS: u64 = 1_000_000;

/// Records from now on the durations of long tasks, as the browser defines them: from 50 ms on.
pub(crate) const WATCH: &str = "window.tasks = []; \
    window.tasksSeen && tasksSeen.disconnect(); \
    window.tasksSeen = new PerformanceObserver((list) => list.getEntries().forEach((task) => tasks.push(task.duration))); \
    tasksSeen.observe({type: 'longtask'}); true";

/// Ten commands a turn, twenty a second, with scores, talk and unknown lines.
fn recording() -> String {
    let mut text = r#"{"grandstand":1,"game":"abalone","title":"A long one","teams":[]}"#.to_owned();
    for seq in 1..=COMMANDS {
        let line = match seq % 1000 {
            500 => format!("bscore {}", seq / 1000 % 6),
            700 => format!("wsay line {seq}"),
            900 => "what is this".to_owned(),
            n if n.is_multiple_of(10) => format!("turns {}", seq / 10),
            n => format!(
                "set {}{} {}{}",
                ['C', 'D', 'E'][n as usize % 3],
                n % 4,
                ["b", "w"][n as usize % 2],
                n % 7
            ),
        };
        write!(text, "\n[0.05,\"c\",\"{line}\"]").unwrap();
    }
    text + "\n"
}

/// Prints how long the page was blocked.
pub(crate) fn tell(what: &str, tasks: &Value) {
    let tasks: Vec<f64> = tasks.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    let longest = tasks.iter().copied().fold(0.0, f64::max);
    eprintln!("{what}: {} tasks of 50 ms and more, the longest {longest:.0} ms", tasks.len());
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn a_million_commands_open_play_and_are_gone_through() {
    let (server, mut page, _one) = scene().await;
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("long.replay");
    std::fs::write(&file, recording()).unwrap();
    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    page.eval(WATCH).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    tell("the list", &page.eval("tasks").await);

    page.eval(WATCH).await;
    let began = Instant::now();
    page.drop_file(&file, (400.0, 300.0)).await;
    page.wait_for("grandstand.status.end > 1000").await;
    eprintln!("the first picture after {:?}", began.elapsed());
    let whole = format!("grandstand.status.end === {COMMANDS}");
    while page.eval(&whole).await != true {
        assert!(began.elapsed() < Duration::from_secs(120), "it is never read to its end");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    eprintln!("read after {:?}", began.elapsed());
    tell("opening", &page.eval("tasks").await);

    page.eval(WATCH).await;
    page.eval("grandstand.play()").await;
    let from = page.eval("grandstand.seq").await.as_u64().unwrap();
    page.wait_for(&format!("grandstand.seq > {}", from + 40)).await;
    tell("playing", &page.eval("tasks").await);

    page.eval(WATCH).await;
    for seq in [999_999, 3, 500_000, 750_001, 1, 123_456, 1_000_000] {
        page.eval(&format!("grandstand.seek({seq})")).await;
        page.wait_for(&format!("grandstand.seq === {seq}")).await;
    }
    tell("seeking", &page.eval("tasks").await);

    // All its lines in the inspector.
    page.eval(WATCH).await;
    page.press("i", "KeyI", 73).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    page.screenshot("million").await;
    tell("the inspector", &page.eval("tasks").await);
    assert_eq!(page.console, Vec::<String>::new());
}

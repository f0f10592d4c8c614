//! Pictures exported by the page: byte for byte those of the command line, while the page stays responsive.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::chromium::Page;
use super::long::{WATCH, tell};
use super::{READY, scene};
use crate::program::grandstand;

/// A recording of each game, and a command soon after its beginning.
const MATCHES: [(&str, u64); 6] = [
    ("team-team.replay", 300),
    ("shark-stupidbot-stupidbot.replay.zst", 200),
    ("fortress-strong-strong.replay.zst", 400),
    ("gomoku-stupid-stupid.replay", 20),
    ("pente-stupid-stupid.replay", 21),
    ("riskless-alphabeta-random.replay", 60),
];

fn sample(name: &str) -> PathBuf {
    // Chromium accepts no path with `..` in it.
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../replays/samples").join(name).canonicalize().unwrap()
}

/// The picture that the command line makes.
fn converted(input: &Path, output: &Path, options: &[&str]) -> Vec<u8> {
    let made = grandstand().arg("convert").arg(input).arg(output).args(options).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::fs::read(output).unwrap()
}

/// Waits for the only file in the downloads folder, and moves it out.
async fn downloaded(page: &mut Page, folder: &Path) -> (String, Vec<u8>) {
    let began = Instant::now();
    loop {
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let whole = files.filter(|file| file.extension().is_some_and(|end| end != "crdownload"));
        if let [file] = whole.collect::<Vec<_>>().as_slice() {
            let bytes = std::fs::read(file).unwrap();
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            std::fs::remove_file(file).unwrap();
            return (name, bytes);
        }
        if began.elapsed() > Duration::from_secs(180) {
            page.screenshot("export-failed").await;
            panic!("nothing was downloaded: {:?}, see export-failed.png", page.console);
        }
        // A requested download needs no further input.
        page.frames().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Opens the dialog, chooses one of the four forms by the keyboard, and starts.
async fn export(page: &mut Page, form: usize) {
    page.press("e", "KeyE", 69).await;
    page.frames().await;
    for _ in 0..=form {
        page.press("Tab", "Tab", 9).await;
        page.frames().await;
    }
    page.press("Enter", "Enter", 13).await;
    page.frames().await;
    // Past the other forms to the first field, in which Enter starts.
    for _ in form..4 {
        page.press("Tab", "Tab", 9).await;
        page.frames().await;
    }
    page.press("Enter", "Enter", 13).await;
    page.frames().await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium, and the page in the server"]
async fn the_page_exports_the_same_bytes_as_the_command_line() {
    let (server, mut page, _one) = scene().await;
    let downloads = tempfile::tempdir().unwrap();
    let own = tempfile::tempdir().unwrap();
    let path = downloads.path().to_str().unwrap();
    page.call("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": path})).await;
    page.go(&server.url("")).await;
    page.wait_for(READY).await;
    for (index, (name, seq)) in MATCHES.into_iter().enumerate() {
        let file = sample(name);
        page.drop_file(&file, (640.0, 400.0)).await;
        page.wait_for(&format!(
            "grandstand.status.source?.file === '{name}' && grandstand.status.end >= {seq}"
        ))
        .await;
        let seek = format!("grandstand.seek({seq})");
        page.eval(&seek).await;
        page.wait_for(&format!("grandstand.seq === {seq}")).await;
        let secs: f64 = page.eval("grandstand.status.seconds").await.as_f64().unwrap();
        let light =
            page.eval("matchMedia('(prefers-color-scheme: light)').matches").await == Value::Bool(true);
        let theme = ["--theme", if light { "light" } else { "dark" }];
        let (seq, from) = (seq.to_string(), format!("{:.1}s", (secs - 10.0).max(0.0)));
        // One moving picture for each of two games only, since they take long.
        let forms = ["png", "svg", "gif", "apng"].into_iter().enumerate();
        for (form, ending) in forms.filter(|(form, _)| *form < 2 || *form == index + 2) {
            let options = if form < 2 { vec!["--at", &seq] } else { vec!["--from", &from, "--to", &seq] };
            let options: Vec<&str> = options.into_iter().chain(theme).collect();
            let expected = converted(&file, &own.path().join(format!("{name}.{ending}")), &options);
            page.eval(&seek).await;
            page.wait_for(&format!("grandstand.seq === {seq}")).await;
            page.eval(WATCH).await;
            let began = Instant::now();
            export(&mut page, form).await;
            let (called, bytes) = downloaded(&mut page, downloads.path()).await;
            tell(&format!("{name} as {ending} in {:?}", began.elapsed()), &page.eval("tasks").await);
            // It is named by its turn, or without turns by its line.
            let moment = called.strip_suffix(&format!(".{}", ending.trim_start_matches('a')));
            let number = moment.and_then(|moment| moment.rsplit(' ').next()?.parse::<u64>().ok());
            assert!(number.is_some_and(|number| number > 0), "{called}");
            assert!(
                bytes == expected,
                "{name} as {ending}: {} bytes, {} expected",
                bytes.len(),
                expected.len()
            );
            page.press("Escape", "Escape", 27).await;
            page.frames().await;
        }
    }
    assert_eq!(page.console, Vec::<String>::new());
}

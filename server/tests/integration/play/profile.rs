//! `play --profile`: where the reductions of a match went.

use grandstand_testing::Folder;
use serde_json::Value;

use crate::program::grandstand;

const BOT: &str = "let twice = fn n =>
  n + n in
let busy = rec busy in fn n => if n = 0 then 0 else twice n + busy (n - 1) in
let live = rec live in fn x =>
  busy 50;
  do 8;
  live x in
live 0
";

fn play(folder: &Folder, arguments: &[&str]) -> std::process::Output {
    grandstand().args(["play"]).args(arguments).current_dir(folder.path()).output().unwrap()
}

#[test]
fn reductions_are_told_by_function_and_line_for_each_bot() {
    let folder = Folder::new();
    folder.file("bot.cl", BOT);
    let length = ["--game-length", "20000", "--seed", "3", "--profile", "out.json"];
    let output = play(&folder, &[&["abalone", "bot.cl", "simple_bot"], &length[..]].concat());
    assert!(output.status.success(), "{output:?}");
    let profile: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("out.json")).unwrap()).unwrap();
    assert_eq!(profile["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = profile["shared"]["frames"].as_array().unwrap();
    for frame in frames {
        assert!(frame["name"].is_string() && frame["file"].is_string() && frame["line"].is_u64(), "{frame}");
    }
    let profiles = profile["profiles"].as_array().unwrap();
    assert!(
        profiles[0]["name"].as_str().unwrap().starts_with("black bot 1 (bot)"),
        "{}",
        profiles[0]["name"]
    );
    assert!(profiles.iter().any(|bot| bot["name"].as_str().unwrap().starts_with("white bot ")));
    let mut hottest = (0, String::new());
    for bot in profiles {
        assert_eq!(
            (&bot["type"], &bot["unit"], &bot["startValue"]),
            (&"sampled".into(), &"none".into(), &0.into())
        );
        let (samples, weights) = (bot["samples"].as_array().unwrap(), bot["weights"].as_array().unwrap());
        assert_eq!(samples.len(), weights.len());
        let sum: u64 = weights.iter().map(|weight| weight.as_u64().unwrap()).sum();
        assert_eq!(bot["endValue"], sum);
        for (stack, weight) in samples.iter().zip(weights) {
            let stack: Vec<usize> =
                stack.as_array().unwrap().iter().map(|frame| frame.as_u64().unwrap() as usize).collect();
            assert!(!stack.is_empty() && stack.iter().all(|frame| *frame < frames.len()), "{stack:?}");
            if bot["name"] == "black bot 1 (bot)" && weight.as_u64().unwrap() > hottest.0 {
                let names = stack.iter().map(|frame| frames[*frame]["name"].as_str().unwrap());
                hottest = (weight.as_u64().unwrap(), names.collect::<Vec<_>>().join(" > "));
            }
        }
    }
    assert!(hottest.1.contains("live bot.cl:5 > busy bot.cl:3"), "{hottest:?}");
}

#[test]
fn games_without_threads_have_no_profile() {
    let folder = Folder::new();
    let output = play(&folder, &["riskless", "minimax", "minimax", "--profile", "out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--profile is for Abalone, λ-Shark"));
    assert!(!folder.join("out.json").exists());
}
